export const id = 206;
export const ids = [206];
export const modules = {

/***/ 8206:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  register: () => (/* binding */ register)
});

// EXTERNAL MODULE: ./progress.js
var progress_0 = __webpack_require__(3802);
// EXTERNAL MODULE: ./records/reading.js
var reading = __webpack_require__(6240);
// EXTERNAL MODULE: ./records/store.js + 1 modules
var records_store = __webpack_require__(1903);
// EXTERNAL MODULE: ./failure.js
var failure_0 = __webpack_require__(7579);
;// CONCATENATED MODULE: ./service/gate.js

class Gate {
    #clock;
    #halt;
    #openAtMs = 0;
    constructor(clock, halt) {
        this.#clock = clock;
        this.#halt = halt;
    }
    hold(ms) {
        this.#openAtMs = Math.max(this.#openAtMs, this.#clock.monotonic() + ms);
    }
    async pass() {
        const { signal } = this.#halt;
        let wasShut = false;
        for (let left = this.#left(); left > 0 && !signal.aborted; left = this.#left()) {
            wasShut = true;
            await this.#clock.sleep(left, signal);
        }
        if (this.#halt.reason !== null)
            throw new failure_0/* FailureError */.pO(this.#halt.reason);
        return wasShut;
    }
    #left() {
        return this.#openAtMs - this.#clock.monotonic();
    }
}

// EXTERNAL MODULE: ./text/escape.js
var text_escape = __webpack_require__(5765);
// EXTERNAL MODULE: ./service/retry.js
var retry = __webpack_require__(43);
;// CONCATENATED MODULE: ./service/operation.js



const loginOperation = {
    name: 'the login',
    codeOf4xx: status => [400, 401, 403, 422].includes(status) ? 'login-refused' : 'invalid-response',
    refusalRemedy: 'check the secret behind "api-key" and that the key is for this service',
    mayAct: false,
};
const completionOperation = {
    name: 'the registration',
    codeOf4xx: () => 'refused',
    refusalRemedy: 'it may have been registered by an earlier run whose records file is not here; else check that the registration was requested for this hash and that the subscription is valid',
    mayAct: true,
};
function isRetryable(reply) {
    return reply.kind === 'lost' || (reply.kind === 'answer' && (0,retry/* isRetryableStatus */.PS)(reply.status));
}
function mayHaveActed(reply) {
    switch (reply.kind) {
        case 'lost':
            return reply.wasSent;
        case 'untrusted':
            return false;
        case 'answer':
        case 'too-large':
            return reply.status < 400 || reply.status > 499;
    }
}
function isSuccess(reply) {
    return reply.kind === 'answer' && reply.status >= 200 && reply.status <= 299;
}
function failureOf(call) {
    const { operation, tries } = call;
    const status = call.reply.kind === 'answer' ? call.reply.status : null;
    const judged = judge(call);
    const after = tries > 1 ? ` after ${tries} tries` : '';
    return (0,failure_0/* makeFailure */.ro)({
        ...judged,
        what: `${operation.name} failed${after}: ${judged.what}`,
        isOutage: judged.code === 'unavailable' || status === 402 || status === 403,
        ...(status === null ? {} : { status }),
    });
}
function reasonOf(call) {
    return judge(call).what;
}
const checkUrl = 'check the input "base-url"';
const tryLater = 'run the job again later, with the same records file';
function judge(call) {
    const { reply, url } = call;
    switch (reply.kind) {
        case 'lost':
            return {
                code: 'unavailable',
                what: reply.reason,
                remedy: reply.isUnknownHost ? checkUrl : `${tryLater}, and ${checkUrl} if it stays so`,
                isDeferrable: !reply.isUnknownHost,
            };
        case 'untrusted':
            return {
                code: 'unavailable',
                what: `the certificate of the service is not trusted (${reply.reason})`,
                remedy: `${checkUrl}; for a private certificate authority set NODE_EXTRA_CA_CERTS`,
            };
        case 'too-large':
            return {
                code: 'invalid-response',
                what: `the answer of ${(0,text_escape/* quote */.hD)(url.href)} (HTTP ${reply.status}) is larger than 1 MiB`,
                remedy: checkUrl,
            };
        case 'answer':
            return judgeAnswer(call, reply);
    }
}
const maxSayingLength = 200;
function judgeAnswer({ operation, url, secrets }, reply) {
    const { status, body } = reply;
    const said = operation === loginOperation ? '' : secrets.saying(body);
    const quoted = said === '' ? '' : `: "${(0,text_escape/* quote */.hD)(said, maxSayingLength)}"`;
    const what = `the service answered HTTP ${status}${quoted}`;
    if (isRetryable(reply) || (status >= 500 && status <= 599)) {
        const waits = reply.retryAfter === null ? '' : ' (see the Retry-After of the service)';
        return { code: 'unavailable', what, remedy: `${tryLater}${waits}`, isDeferrable: true };
    }
    const code = status >= 400 && status <= 499 ? operation.codeOf4xx(status) : 'invalid-response';
    if (code !== 'invalid-response')
        return { code, what, remedy: operation.refusalRemedy };
    return {
        code,
        what: `${describeForm(reply)} (from ${(0,text_escape/* quote */.hD)(url.href)})`,
        remedy: status >= 300 && status <= 399
            ? `${checkUrl}: give the final address, as redirects are never followed`
            : `${checkUrl}: the documentation or the account page of the service has its address`,
    };
}
function describeForm({ status, body }) {
    if (status === 0)
        return 'the service answered with something that is not HTTP';
    if (status >= 300 && status <= 399)
        return `the service answered with a redirect (HTTP ${status}), which is never followed`;
    const isPage = /^\s*(?:<!--[^]*?-->\s*)*<(?:!doctype|html)/i.test(body);
    if (isPage)
        return `the service answered HTTP ${status} with an HTML page`;
    return status >= 200 && status <= 299
        ? `the service answered HTTP ${status} with a body that cannot be understood`
        : `the service answered HTTP ${status}`;
}

// EXTERNAL MODULE: ./text/json.js
var json = __webpack_require__(7727);
;// CONCATENATED MODULE: ./service/session.js


const renewalMs = 60_000;
const newMs = 1_000;
class Session {
    #login;
    #clock;
    #current = null;
    #ongoing = null;
    #failure = null;
    constructor(login, clock) {
        this.#login = login;
        this.#clock = clock;
    }
    async authorize(refused) {
        if (this.#failure !== null)
            throw new failure_0/* FailureError */.pO(this.#failure);
        const current = this.#current;
        const isUsable = current !== null && current !== refused && this.#clock.monotonic() <= current.renewFromMs;
        if (isUsable)
            return current;
        this.#ongoing ??= this.#renew();
        return this.#ongoing;
    }
    isNew({ receivedMs }) {
        return this.#clock.monotonic() - receivedMs < newMs;
    }
    end(failure) {
        const ending = { ...failure, endsRun: true, isOutage: false };
        this.#failure ??= ending;
        throw new failure_0/* FailureError */.pO(ending);
    }
    async #renew() {
        try {
            this.#current = readToken(await this.#login(), this.#clock);
            return this.#current;
        }
        catch (error) {
            return this.end((0,failure_0/* failureIn */.Q6)(error));
        }
        finally {
            this.#ongoing = null;
        }
    }
}
function readToken(value, clock) {
    const claims = (0,json/* parseJsonObject */.dw)(Buffer.from(value.split('.')[1] ?? '', 'base64url').toString());
    const exp = claims?.['exp'];
    const lifeMs = typeof exp === 'number' ? exp * 1000 - clock.now() : 0;
    const receivedMs = clock.monotonic();
    const usableMs = lifeMs > 0 ? lifeMs - Math.min(renewalMs, lifeMs / 10) : Infinity;
    return { value, receivedMs, renewFromMs: receivedMs + usableMs };
}

// EXTERNAL MODULE: ./text/time.js
var time = __webpack_require__(5396);
;// CONCATENATED MODULE: ./service/tries.js






async function makeTries({ operation, url, artifact }, send, options) {
    const { clock, gate, halt, secrets, maxAttempts, retryUnanswered } = options;
    let unansweredTries = 0;
    const tryOften = async () => {
        let wasLost = false;
        for (let tries = 1;; tries++) {
            const reply = await send(wasLost);
            if (isSuccess(reply)) {
                const object = (0,json/* parseJsonObject */.dw)(reply.body);
                if (object !== undefined)
                    return { object, text: reply.body, unansweredTries };
            }
            wasLost = mayHaveActed(reply);
            if (wasLost)
                unansweredTries += 1;
            const retryAfterMs = reply.kind === 'answer' ? (0,retry/* parseRetryAfter */.mu)(reply.retryAfter, clock.now()) : null;
            const { action, waitMs, holdMs } = (0,retry/* decideNextStep */.Ay)({ isRetryable: isRetryable(reply), retryAfterMs }, { tries, maxAttempts, random: options.random() });
            if (holdMs > 0)
                gate.hold(holdMs);
            const failed = { operation, url, reply, tries, secrets };
            const isOnce = wasLost && operation.mayAct && !retryUnanswered;
            const wasAborted = reply.kind === 'lost' && reply.isAborted;
            const isRepeated = action === 'wait' && !isOnce;
            if (halt.reason !== null && (wasAborted || isRepeated))
                throw new failure_0/* FailureError */.pO(halt.reason);
            if (isOnce)
                throw new failure_0/* FailureError */.pO({ ...failureOf(failed), isDeferrable: false });
            if (action === 'done')
                throw new failure_0/* FailureError */.pO(failureOf(failed));
            const call = artifact === null ? operation.name : `${operation.name} of "${(0,text_escape/* quote */.hD)(artifact)}"`;
            const why = `try ${tries} of ${maxAttempts} failed: ${(0,text_escape/* quote */.hD)(reasonOf(failed))}`;
            options.onRetry(`${call}: ${why}; next in ${formatWait(waitMs)}`);
            await clock.sleep(waitMs, halt.signal);
        }
    };
    return (0,failure_0/* changeFailure */.Fs)(tryOften(), () => ({
        registered: operation.mayAct && unansweredTries > 0 ? 'unknown' : 'no',
    }));
}
function formatWait(ms) {
    return ms < 1000 ? `${Math.ceil(ms)} ms` : (0,time/* formatDuration */.a)(ms / 1000);
}

;// CONCATENATED MODULE: ./service/client.js





const maxRefusals = 3;
function createClient(options) {
    const { transport, clock, halt, secrets, baseUrl, apiKey } = options;
    const gate = new Gate(clock, halt);
    const tries = { ...options, gate };
    const session = new Session(login, clock);
    async function login() {
        const url = new URL(`${baseUrl}/api/v2/auth/login`);
        const body = JSON.stringify({ apiKey });
        const send = async () => {
            await gate.pass();
            return transport.send({ method: 'POST', url, body, token: null }, halt.signal);
        };
        const answer = await makeTries({ operation: loginOperation, url, artifact: null }, send, tries);
        const { token } = answer.object;
        if (typeof token !== 'string' || token === '') {
            throw noToken(`the login failed: the answer has no token (from ${url.href})`);
        }
        secrets.add([token, ...token.split('.')]);
        if (!/^[\x21-\x7e]+$/.test(token)) {
            throw noToken('the login gave a token with characters that cannot stand in a header');
        }
        return token;
    }
    async function call(made) {
        const { method, path, body, operation, intent } = made;
        const url = new URL(baseUrl + path);
        const send = async (wasLost) => {
            let refused = null;
            let due = intent?.isNoted === false || wasLost ? intent : undefined;
            for (let refusals = 0;;) {
                const token = await session.authorize(refused);
                if (await gate.pass())
                    continue;
                if (due !== undefined) {
                    await due.note();
                    due = undefined;
                    continue;
                }
                const isFinal = refusals > 0 && (session.isNew(token) || refusals >= maxRefusals);
                const request = { method, url, body, token: token.value };
                const reply = await transport.send(request, halt.kill);
                if (reply.kind !== 'answer' || reply.status !== 401)
                    return reply;
                if (isFinal)
                    session.end(refusedToken);
                refused = token;
                refusals += 1;
            }
        };
        return makeTries({ operation, url, artifact: intent?.artifact ?? null }, send, tries);
    }
    return {
        call,
        completeWith: ({ id, json }) => async ({ hash }, intent) => {
            const { object, unansweredTries } = await call({
                method: 'POST',
                path: `/api/v2/registration/${hash}/forfait`,
                body: json,
                operation: completionOperation,
                intent,
            });
            return { record: object, paymentId: id, unansweredTries };
        },
    };
}
const refusedToken = (0,failure_0/* makeFailure */.ro)({
    code: 'login-refused',
    what: 'the service refused a new token (HTTP 401), so nothing more was sent',
    remedy: 'check the rights of the API key',
});
function noToken(what) {
    const remedy = 'check the input "base-url"';
    return new failure_0/* FailureError */.pO((0,failure_0/* makeFailure */.ro)({ code: 'invalid-response', what, remedy }));
}

// EXTERNAL MODULE: ./service/proxy.js
var proxy = __webpack_require__(2293);
// EXTERNAL MODULE: ../node_modules/@actions/http-client/lib/proxy.js
var lib_proxy = __webpack_require__(3689);
// EXTERNAL MODULE: ./text/system-error.js
var system_error = __webpack_require__(8343);
// EXTERNAL MODULE: external "node:http"
var external_node_http_ = __webpack_require__(7067);
// EXTERNAL MODULE: external "node:https"
var external_node_https_ = __webpack_require__(4708);
// EXTERNAL MODULE: external "node:tls"
var external_node_tls_ = __webpack_require__(1692);
;// CONCATENATED MODULE: ./service/exchange.js



const maxBodyBytes = 1024 * 1024;
const decoder = new TextDecoder();
const maxOverdueMs = 1_000;
const cutShort = new Error('the answer was cut');
class Exchange {
    wasSent = false;
    isLate = false;
    isOver = false;
    #request;
    #reply = Promise.withResolvers();
    constructor({ method, url, body, token }, agent, sockets) {
        const { resolve, reject } = this.#reply;
        const headers = {
            ...{ accept: 'application/json', 'user-agent': 'notarize-release' },
            ...(body === null ? {} : { 'content-type': 'application/json' }),
            ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        };
        this.#request = moduleOf(url).request(url, { method, headers, agent });
        let hasBegun = false;
        this.#request.once('response', message => {
            hasBegun = true;
            this.#read(message);
        });
        this.#request.once('upgrade', message => {
            message.destroy();
            resolve({ kind: 'answer', status: 101, retryAfter: null, body: '' });
        });
        this.#request.on('error', error => {
            if (!hasBegun)
                reject(error);
        });
        this.#request.once('socket', socket => {
            this.#watch(socket, sockets);
        });
        this.#request.end(body ?? undefined);
    }
    get reply() {
        return this.#reply.promise;
    }
    end() {
        this.#reply.reject(cutShort);
        this.#request.destroy();
    }
    expire(sinceMs = performance.now()) {
        const seen = this.#bytesRead();
        setImmediate(() => {
            setImmediate(() => {
                if (this.isOver)
                    return;
                if (this.#bytesRead() > seen && performance.now() - sinceMs < maxOverdueMs) {
                    this.expire(sinceMs);
                    return;
                }
                this.isLate = true;
                this.end();
            });
        });
    }
    #read(message) {
        const { resolve, reject } = this.#reply;
        const status = message.statusCode ?? 0;
        const retryAfter = message.headers['retry-after'] ?? null;
        const chunks = [];
        let bytes = 0;
        message.on('data', (chunk) => {
            bytes += chunk.length;
            chunks.push(chunk);
            if (bytes <= maxBodyBytes)
                return;
            resolve({ kind: 'too-large', status });
            message.destroy();
        });
        message.once('end', () => {
            const body = decoder.decode(Buffer.concat(chunks));
            if (message.complete)
                resolve({ kind: 'answer', status, retryAfter, body });
        });
        message.on('error', () => undefined);
        message.once('close', () => {
            reject(cutShort);
        });
    }
    #bytesRead() {
        return this.#request.socket?.bytesRead ?? 0;
    }
    #watch(socket, sockets) {
        const onReady = () => {
            this.wasSent = true;
        };
        const isTls = socket instanceof external_node_tls_.TLSSocket;
        const isShaking = isTls && !('secureConnecting' in socket && socket.secureConnecting === false);
        if (sockets.has(socket) || (socket.readyState === 'open' && !isShaking))
            onReady();
        else
            socket.once(isTls ? 'secureConnect' : 'connect', onReady);
        if (sockets.has(socket))
            return;
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
    }
}
function moduleOf({ protocol }) {
    return protocol === 'https:' ? external_node_https_ : external_node_http_;
}

;// CONCATENATED MODULE: ./service/transport.js



function createTransport({ timeoutMs, maxConnections }) {
    let agent = null;
    const sockets = new Set();
    const send = async (request, signal) => {
        agent ??= makeAgent(request.url, maxConnections);
        const exchange = new Exchange(request, await agent, sockets);
        const stop = () => {
            exchange.end();
        };
        const timer = setTimeout(() => {
            exchange.expire();
        }, timeoutMs);
        signal.addEventListener('abort', stop);
        if (signal.aborted)
            stop();
        try {
            return await exchange.reply;
        }
        catch (error) {
            const { wasSent } = exchange;
            const { aborted: isAborted } = signal;
            const lost = { kind: 'lost', wasSent, isAborted, isUnknownHost: false };
            if (exchange.isLate) {
                return { ...lost, reason: `no complete answer within ${timeoutMs / 1000} s` };
            }
            const code = (0,system_error/* errorCode */.C)(error);
            if (!wasSent && code !== null && certificateErrors.test(code))
                return { kind: 'untrusted', reason: code };
            if (code?.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE')
                return garbled;
            return { ...lost, isUnknownHost: code === 'ENOTFOUND', reason: (0,system_error/* describeError */.U)(error) };
        }
        finally {
            exchange.isOver = true;
            clearTimeout(timer);
            signal.removeEventListener('abort', stop);
        }
    };
    const close = () => {
        for (const socket of sockets)
            socket.destroy();
    };
    return { send, close };
}
async function makeAgent(url, maxSockets) {
    const options = { keepAlive: true, maxSockets };
    if ((0,lib_proxy/* getProxyUrl */.s)(url) === undefined)
        return new (moduleOf(url).Agent)(options);
    const { HttpClient } = await __webpack_require__.e(/* import() */ 889).then(__webpack_require__.bind(__webpack_require__, 5889));
    return new HttpClient('notarize-release', [], options).getAgent(url.href);
}
const garbled = { kind: 'answer', status: 0, retryAfter: null, body: '' };
const certificateErrors = /^(CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_SELF_SIGNED_CERT$|SELF_SIGNED_CERT_IN_CHAIN$|ERROR_IN_CERT_|ERROR_IN_CRL_|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_EXCEEDED$|HOSTNAME_MISMATCH$|ERR_TLS_CERT_)/;

// EXTERNAL MODULE: ./outcome.js
var outcome = __webpack_require__(1949);
// EXTERNAL MODULE: ./records/known.js
var known = __webpack_require__(6707);
// EXTERNAL MODULE: ./records/record.js
var records_record = __webpack_require__(5523);
// EXTERNAL MODULE: ./halt.js
var halt_0 = __webpack_require__(8146);
// EXTERNAL MODULE: ./records/line.js
var line = __webpack_require__(5924);
// EXTERNAL MODULE: ./text/verification-url.js
var verification_url = __webpack_require__(6318);
;// CONCATENATED MODULE: ./register/journal.js





class HashJournal {
    #registration;
    #options;
    #sent = [];
    constructor(registration, options) {
        this.#registration = registration;
        this.#options = options;
    }
    get artifact() {
        return this.#options.secrets.redactText(this.#registration.name);
    }
    get isNoted() {
        return this.#sent.length > 0;
    }
    async note() {
        const { file, halt, runner } = this.#options;
        const entry = { ...this.#head(), state: 'sent', at: this.#now() };
        const saved = await file.append((0,line/* formatLine */.IL)(entry));
        if (saved.isSaved) {
            this.#sent.push(entry);
            return;
        }
        if (halt.reason === null) {
            runner.info(`The records file could not be written: ${saved.reason}`);
        }
        halt.stop(halt_0/* notNotedFailure */.MD);
        throw new failure_0/* FailureError */.pO(halt_0/* notNotedFailure */.MD);
    }
    async settle() {
        await Promise.all(this.#sent.map(entry => this.#append({ ...entry, state: 'not-registered' })));
    }
    async keep(answer) {
        const { hash } = this.#registration;
        const template = this.#options.inputs.verificationUrl;
        const verificationUrl = (0,verification_url/* fillVerificationUrl */.B)(template, { hash, record: answer.record });
        await this.#append({ ...this.#head(), ...answer, verificationUrl });
    }
    async #append(entry) {
        const { file, halt, runner } = this.#options;
        const saved = await file.append((0,line/* formatLine */.IL)(entry));
        if (saved.isSaved)
            return;
        halt.stop((0,line/* isRecord */.u4)(entry) ? halt_0/* notSavedFailure */.dw : halt_0/* notNotedFailure */.MD);
        runner.info(`A line could not be saved (${saved.reason}). Add this line to the records file by hand:`);
        runner.info((0,text_escape/* toJsonLogLine */.ST)((0,line/* lineOf */.cA)(entry)));
    }
    #head() {
        const { inputs, environment } = this.#options;
        const { size, hash } = this.#registration;
        const { source } = environment;
        return { artifact: this.artifact, size, hash, service: inputs.baseUrl, source };
    }
    #now() {
        const last = this.#sent.at(-1);
        const atLeast = last === undefined ? 0 : Date.parse(last.at) + 1;
        return new Date(Math.max(this.#options.clock.now(), atLeast)).toISOString();
    }
}

;// CONCATENATED MODULE: ./register/registration.js






async function registerOne(registration, options) {
    const journal = new HashJournal(registration, options);
    const begun = { ...options, registration, journal };
    let answer;
    try {
        answer = await options.notarize(registration, journal);
    }
    catch (error) {
        return giveUp((0,failure_0/* failureIn */.Q6)(error), begun);
    }
    return keep(answer, begun);
}
function giveUp(failure, { registration, journal, inputs }) {
    const saved = failure.registered === 'no' ? journal.settle() : Promise.resolve();
    const isRefused = journal.isNoted && (0,failure_0/* isRefusal */.vu)(failure);
    const mayBeThere = failure.registered === 'unknown' || registration.open !== null;
    const isStuck = mayBeThere && (isRefused || !inputs.retryUnanswered);
    const remedy = isStuck ? (0,known/* howToSettle */.v)(allLines(registration, inputs)) : failure.remedy;
    const { ofHash } = failure;
    const what = ofHash === undefined ? failure.what : `${failure.what}; ${ofHash}`;
    return { outcome: settle(registration, { ...failure, what, remedy }, isRefused), failure, saved };
}
async function keep({ record, paymentId, ...answer }, { registration, journal, secrets, halt, inputs }) {
    const { hash, open } = registration;
    const redact = (text) => secrets.redactText(text);
    const problems = (0,records_record/* checkRecord */.E)(record, { hash, paymentId, redact });
    const kept = secrets.redact(record);
    const unansweredTries = answer.unansweredTries + (open?.count ?? 0);
    const saved = journal.keep({ ...kept, problems, unansweredTries });
    if (problems.length === 0) {
        const outcome = { state: 'registered', from: 'this-run', unansweredTries, ...kept };
        return { outcome, failure: null, saved };
    }
    await saved;
    const where = halt.hasUnsaved
        ? ''
        : `; the records file keeps the answer, and the hash is not sent again: to have it sent, remove ${allLines(registration, inputs)}`;
    const failure = (0,failure_0/* makeFailure */.ro)({
        code: 'record-mismatch',
        registered: 'unknown',
        what: `the service answered with a record that contradicts the request (${(0,text_escape/* quote */.hD)(problems.join('; '), 500)})`,
        remedy: `ask the service what became of this hash${where}`,
    });
    return { outcome: (0,outcome/* failed */.gz)(failure), failure, saved };
}
function allLines({ hash }, { recordsPath }) {
    return `all lines of its hash (${hash}) from "${recordsPath}"`;
}
function settle({ open }, failure, isRefused = false) {
    if (open === null)
        return (0,outcome/* failed */.gz)(failure);
    const when = `${open.at}${open.runUrl === null ? '' : `, ${open.runUrl}`}`;
    const earlier = `the earlier run of ${when} sent it and read no answer`;
    const what = isRefused
        ? `the service refuses it, and ${earlier}, so it is probably registered`
        : earlier;
    return (0,outcome/* failed */.gz)({ ...failure, registered: 'unknown', what: `${failure.what}; ${what}` });
}

;// CONCATENATED MODULE: ./register/pool.js



const maxOutages = 5;
async function runPool(registrations, options) {
    const { concurrency, halt, registerOne, reportTo, onSettled } = options;
    const outcomes = new Map();
    const saves = [];
    const queue = registrations.values();
    let outages = 0;
    let stop = null;
    const tryOne = async (registration) => {
        try {
            return await registerOne(registration);
        }
        catch (error) {
            const failure = (0,failure_0/* bugFailure */.fT)((0,system_error/* describeError */.U)(error), reportTo);
            return { outcome: settle(registration, failure), failure, saved: Promise.resolve() };
        }
    };
    const work = async () => {
        for (const registration of queue) {
            const reason = stop ?? halt.reason;
            if (reason !== null) {
                outcomes.set(registration.hash, settle(registration, { ...reason, registered: 'no' }));
                continue;
            }
            const { outcome, failure, saved } = await tryOne(registration);
            saves.push(saved);
            outcomes.set(registration.hash, outcome);
            onSettled(outcome, outcomes.size);
            if (failure === null) {
                outages = 0;
                continue;
            }
            if (failure.isOutage)
                outages += 1;
            if (failure.endsRun)
                stop ??= failure;
            if (outages >= maxOutages)
                stop ??= notTried(failure);
        }
    };
    await Promise.all(Array.from({ length: Math.min(concurrency, registrations.length) }, work));
    await Promise.all(saves);
    return outcomes;
}
function notTried(last) {
    return {
        ...last,
        what: `not tried, as ${maxOutages} registrations failed in a row (the last: ${last.what})`,
        remedy: 'correct that first, then run the job again with the same records file',
    };
}

;// CONCATENATED MODULE: ./register/retry-log.js
const maxLines = 30;
function createRetryLog(log) {
    let count = 0;
    return line => {
        count++;
        const isRound = (count & (count - 1)) === 0;
        if (count > maxLines && !isRound)
            return;
        const number = count > maxLines ? ` (retry ${count} of this run)` : '';
        const more = count === maxLines ? '; of further retries only a few are logged' : '';
        log(`${line}${number}${more}`);
    };
}

// EXTERNAL MODULE: ./service/subscription.js
var subscription = __webpack_require__(8688);
;// CONCATENATED MODULE: ./service/extensions/active-subscription.js


const operation = {
    name: 'the retrieval of the active subscription',
    codeOf4xx: () => 'refused',
    refusalRemedy: 'check that the account has an active subscription, or give one in the input "subscription"',
    mayAct: false,
};
function activeSubscription(client, reader) {
    let once = null;
    const retrieve = async () => {
        const path = '/api/v2/payment/subscription/active';
        const answer = await client.call({ method: 'GET', path, body: null, operation });
        const reading = readMasked(answer, reader);
        return usable(reading, { ...reader, what: 'the active subscription', registered: 'no' });
    };
    return () => (once ??= retrieve());
}
function readMasked({ object, text }, { secrets, clock }) {
    const reading = (0,subscription/* checkSubscription */.Is)(object, { json: text, nowMs: clock.now() });
    secrets.spare(reading.spared);
    secrets.add(reading.secrets);
    return reading;
}
function usable({ subscription, errors, warnings }, { warn, notice, what, registered }) {
    if (subscription === null) {
        const remedy = 'check the input "base-url", or give the subscription data in the input "subscription"';
        const wrong = `${what} ${errors.join('; ')}`;
        throw new failure_0/* FailureError */.pO((0,failure_0/* makeFailure */.ro)({ code: 'invalid-response', registered, what: wrong, remedy }));
    }
    for (const warning of warnings)
        warn(`the subscription data of the service ${warning}`);
    if (subscription.id === null) {
        notice('the subscription data of the service has no id, so paymentId cannot be compared with it');
    }
    return subscription;
}

;// CONCATENATED MODULE: ./service/extensions/request-registration.js


const maxDescriptionLength = 500;
const request_registration_operation = {
    name: 'the request of the registration',
    codeOf4xx: status => (status === 402 || status === 403 ? 'refused' : 'request-refused'),
    refusalRemedy: 'check that the subscription is valid and that the account may register',
    mayAct: true,
};
function notarizeByRequest(options) {
    const { client, given, active, describe } = options;
    const completeAnyway = async (refusal, ...subject) => {
        const paying = given ?? (await (0,failure_0/* changeFailure */.Fs)(active(), later => both(refusal, later, 'request-refused')));
        return (0,failure_0/* changeFailure */.Fs)(client.completeWith(paying)(...subject), later => both(refusal, later, later.code === 'refused' ? 'request-refused' : later.code));
    };
    return async (subject, intent) => {
        let request;
        let paying;
        try {
            request = await client.call({
                method: 'POST',
                path: '/api/v2/registration/?subscription=true',
                body: requestBody(subject, describe),
                operation: request_registration_operation,
                intent,
            });
            const reading = readMasked(request, options);
            const what = 'the request of the registration was answered with data that';
            paying = given ?? usable(reading, { ...options, what, registered: 'unknown' });
        }
        catch (error) {
            const failure = (0,failure_0/* failureIn */.Q6)(error);
            if (failure.code === 'request-refused')
                return completeAnyway(failure, subject, intent);
            throw new failure_0/* FailureError */.pO(neverCompleted(failure), error);
        }
        const completion = client.completeWith(paying)(subject, intent);
        return request.unansweredTries === 0
            ? completion
            : (0,failure_0/* changeFailure */.Fs)(completion, () => ({ registered: 'unknown' }));
    };
}
function both(request, later, code) {
    const registered = request.registered === 'unknown' || later.registered === 'unknown' ? 'unknown' : 'no';
    if (later.endsRun)
        return { ...later, registered };
    const what = `${request.what}; and then ${later.what}`;
    if (code !== 'request-refused')
        return { ...later, registered, what };
    const { remedy } = request;
    return { ...later, code, registered, what, remedy, isOutage: false, isDeferrable: false };
}
function neverCompleted(failure) {
    if (failure.registered === 'no')
        return failure;
    return { ...failure, ofHash: 'it may be requested, but was not completed' };
}
function requestBody(subject, describe) {
    return JSON.stringify({
        blockchainType: 'ALGORAND',
        custody: 'false',
        description: describe(subject),
        hash: subject.hash,
        signed: 'false',
        status: 'not_registered',
    });
}
function fillDescription(template, values) {
    const filled = template.replace(/\{(artifact|repository|ref)\}/g, (_, name) => name === 'artifact' ? values.artifact : name === 'ref' ? values.ref : values.repository);
    const clean = filled.replace(/\p{Cc}/gu, '');
    return clean.slice(0, maxDescriptionLength).replace(/[\ud800-\udbff]$/, '');
}

;// CONCATENATED MODULE: ./register/way.js



function chooseWay(client, options) {
    const { inputs, environment, runner, secrets, clock } = options;
    const { repository, ref } = environment.source;
    const reader = {
        ...{ secrets, clock },
        warn: onlyOnce(runner.warning),
        notice: onlyOnce(runner.notice),
    };
    const active = activeSubscription(client, reader);
    const describe = ({ name }) => {
        const values = { artifact: name, repository: repository ?? '', ref: ref ?? '' };
        return fillDescription(inputs.description, values);
    };
    return async (subject, intent) => {
        const { kind, subscription } = inputs.way;
        const given = subscription === 'active'
            ? await (0,failure_0/* changeFailure */.Fs)(active(), () => ({ endsRun: true }))
            : subscription;
        const notarize = kind === 'request' || given === null
            ? notarizeByRequest({ ...reader, client, given, active, describe })
            : client.completeWith(given);
        return notarize(subject, intent);
    };
}
function onlyOnce(say) {
    const said = new Set();
    return text => {
        if (said.has(text))
            return;
        said.add(text);
        say(text);
    };
}

;// CONCATENATED MODULE: ./register/register.js










async function register(registrations, task) {
    const { recordsPath, store, runner, inputs, environment, halt } = task;
    if (registrations.length > 0)
        (0,proxy/* checkProxy */.d)(inputs.baseUrl, environment.proxyProblems);
    const file = await (0,records_store/* openRecordsFile */.R)(recordsPath, registrations.length, store);
    if (file === null)
        return { outcomes: new Map(), isRecordsFileGone: false };
    (0,reading/* tailWarning */.VG)({ name: recordsPath, tail: store.tail }, 'cut off').forEach(runner.warning);
    const outcomes = await registerAll(registrations, file, task).catch((error) => {
        halt.noteBug(error, environment.reportTo);
        return new Map();
    });
    return { outcomes, isRecordsFileGone: !(await file.close()) };
}
async function registerAll(registrations, file, task) {
    if (registrations.length === 0)
        return new Map();
    const { inputs, environment, runner, clock, halt } = task;
    const { concurrency, timeoutMs } = inputs;
    const transport = createTransport({ timeoutMs, maxConnections: concurrency + 1 });
    const onRetry = createRetryLog(runner.info);
    const client = createClient({ ...task, ...inputs, transport, onRetry });
    const options = { ...task, file, notarize: chooseWay(client, task) };
    const progress = (0,progress_0/* createProgress */.m)('registering', clock, runner.info);
    let failures = 0;
    try {
        return await runPool(registrations, {
            ...{ concurrency, halt, reportTo: environment.reportTo },
            registerOne: registration => registerOne(registration, options),
            onSettled: ({ state }, done) => {
                if (state === 'failed')
                    failures += 1;
                const detail = failures === 0 ? '' : `${failures} failed`;
                progress({ done, total: registrations.length, detail });
            },
        });
    }
    finally {
        transport.close();
    }
}


/***/ })

};
