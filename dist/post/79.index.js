export const id = 79;
export const ids = [79];
export const modules = {

/***/ 79:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  createWorkflowArtifacts: () => (/* binding */ createWorkflowArtifacts)
});

// EXTERNAL MODULE: external "node:child_process"
var external_node_child_process_ = __webpack_require__(1421);
// EXTERNAL MODULE: external "node:events"
var external_node_events_ = __webpack_require__(8474);
// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./failure.js
var failure = __webpack_require__(7579);
// EXTERNAL MODULE: ../node_modules/@actions/http-client/lib/index.js
var lib = __webpack_require__(5889);
// EXTERNAL MODULE: ../node_modules/@actions/http-client/lib/proxy.js
var proxy = __webpack_require__(3689);
// EXTERNAL MODULE: external "node:timers/promises"
var external_node_timers_promises_ = __webpack_require__(8500);
;// CONCATENATED MODULE: ./service/transport.js





const maxIdleMs = 10_000;
const maxBodyBytes = (/* unused pure expression or super */ null && (1024 * 1024));
const turnsAfterDeadline = 100;
function createTransport(timeoutMs) {
    const idle = [];
    return {
        send: async (request, signal) => {
            let connection = idle.pop();
            if (connection !== undefined && performance.now() - connection.usedMs > maxIdleMs) {
                connection.close();
                connection = undefined;
            }
            connection ??= new Connection(timeoutMs);
            const reply = await connection.send(request, signal);
            if (reply.kind === 'response')
                idle.push(connection);
            else
                connection.close();
            return reply;
        },
        close: () => {
            for (const connection of idle.splice(0))
                connection.close();
        },
    };
}
class Connection {
    usedMs = 0;
    #client;
    #timeoutMs;
    #abort = new AbortController();
    constructor(timeoutMs) {
        this.#timeoutMs = timeoutMs;
        const handler = {
            prepareRequest: (options) => {
                options.signal = this.#abort.signal;
                options.host = options.host?.replace(/^\[|\]$/g, '');
            },
            canHandleAuthentication: () => false,
            handleAuthentication: () => Promise.reject(new Error('authentication is not supported')),
        };
        const socketTimeout = timeoutMs + 60_000;
        const options = { allowRedirects: false, keepAlive: true, maxSockets: 1, socketTimeout };
        this.#client = new HttpClient('notarize-release', [handler], options);
    }
    async send(request, signal) {
        const { promise: ended, resolve: end } = Promise.withResolvers();
        const onAbort = () => {
            end({ kind: 'ended', reason: 'the run ended the request' });
        };
        const onDeadline = async () => {
            for (let turn = 0; turn < turnsAfterDeadline; turn++)
                await setImmediate();
            end({ kind: 'lost', reason: `timeout after ${this.#timeoutMs / 1000} s` });
        };
        const timer = setTimeout(() => void onDeadline(), this.#timeoutMs);
        signal.addEventListener('abort', onAbort);
        const reply = await Promise.race([this.#exchange(request).catch(classify), ended]);
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        this.usedMs = performance.now();
        return reply;
    }
    close() {
        this.#abort.abort();
        this.#client.dispose();
    }
    async #exchange({ url, body, token }) {
        const json = 'application/json';
        const headers = { accept: json, 'accept-encoding': 'identity' };
        if (body !== null)
            headers['content-type'] = json;
        if (token !== null)
            headers.authorization = `Bearer ${token}`;
        const method = body === null ? 'GET' : 'POST';
        const { message } = await this.#client.request(method, url.href, body, headers);
        const { 'retry-after': retryAfter = null, date = '' } = message.headers;
        const retryAfterMs = parseRetryAfter(retryAfter, parseHttpDate(date) ?? Date.now());
        const text = await readBody(message);
        return { kind: 'response', status: message.statusCode ?? 0, retryAfterMs, body: text };
    }
}
async function readBody(message) {
    const chunks = [];
    let bytes = 0;
    const stream = message;
    for await (const chunk of stream) {
        bytes += chunk.length;
        if (bytes > maxBodyBytes)
            return null;
        chunks.push(chunk);
    }
    if (!message.complete)
        throw new Error('the connection was closed during the response');
    return new TextDecoder().decode(Buffer.concat(chunks));
}
function classify(error) {
    const code = errorCode(error) ?? '';
    if (code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE') {
        return { kind: 'response', status: 0, retryAfterMs: null, body: '' };
    }
    const reason = describeError(error);
    if (certificateErrors.has(code))
        return { kind: 'untrusted', reason };
    if (error instanceof Error && error.message.startsWith('tunneling socket')) {
        return { kind: 'no-tunnel', reason: describeTunnel(error.message) };
    }
    if (isUnconnected(error))
        return { kind: 'not-sent', reason };
    return { kind: 'lost', reason };
}
function describeTunnel(message) {
    const [, status, code] = /statusCode=(\d+)|\b(E[A-Z_]{4,})\b/.exec(message) ?? [];
    if (status !== undefined)
        return `the proxy returned HTTP ${status}`;
    if (code !== undefined)
        return `the proxy cannot be reached (${code})`;
    return 'the proxy did not respond';
}
function isUnconnected(error) {
    if (!(error instanceof Error))
        return false;
    if (error instanceof AggregateError && error.errors.length > 0) {
        return error.errors.every(isUnconnected);
    }
    if (certificateErrors.has(errorCode(error) ?? ''))
        return true;
    return 'syscall' in error && (error.syscall === 'connect' || error.syscall === 'getaddrinfo');
}
const certificateErrors = new Set(`CERT_CHAIN_TOO_LONG CERT_HAS_EXPIRED CERT_NOT_YET_VALID CERT_REJECTED CERT_REVOKED
  CERT_SIGNATURE_FAILURE CERT_UNTRUSTED CRL_HAS_EXPIRED CRL_NOT_YET_VALID CRL_SIGNATURE_FAILURE
  DEPTH_ZERO_SELF_SIGNED_CERT ERROR_IN_CERT_NOT_AFTER_FIELD ERROR_IN_CERT_NOT_BEFORE_FIELD
  ERROR_IN_CRL_LAST_UPDATE_FIELD ERROR_IN_CRL_NEXT_UPDATE_FIELD ERR_TLS_CERT_ALTNAME_FORMAT
  ERR_TLS_CERT_ALTNAME_INVALID HOSTNAME_MISMATCH INVALID_CA INVALID_PURPOSE PATH_LENGTH_EXCEEDED
  SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY UNABLE_TO_DECRYPT_CERT_SIGNATURE
  UNABLE_TO_DECRYPT_CRL_SIGNATURE UNABLE_TO_GET_CRL UNABLE_TO_GET_ISSUER_CERT
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY UNABLE_TO_VERIFY_LEAF_SIGNATURE`.split(/\s+/));
function proxyProblem(url, env) {
    const target = new URL(url);
    const variable = `${target.protocol.slice(0, -1)}_proxy`;
    const name = [variable, variable.toUpperCase()].find(key => (env[key] ?? '') !== '');
    if (name === undefined || (0,proxy/* checkBypass */.H)(target) || isUsable(env[name] ?? ''))
        return null;
    const message = `the environment variable "${name}" is not a valid proxy address (not shown because it may contain a password); set an http:// or https:// address, or exempt ${target.hostname} with no_proxy`;
    return { input: null, message, needs: 'nothing' };
}
function isUsable(address) {
    const proxy = URL.parse(address);
    if (proxy === null || !/^https?:$/.test(proxy.protocol))
        return false;
    try {
        decodeURIComponent(proxy.username + proxy.password);
        return true;
    }
    catch {
        return false;
    }
}

// EXTERNAL MODULE: ./text/names.js
var names = __webpack_require__(2117);
;// CONCATENATED MODULE: ./text/json.js
const maxJsonDepth = 200;
function isJsonObject(value) {
    return (typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value));
}
function isInteger(value) {
    if (typeof value === 'number')
        return Number.isInteger(value);
    return JSON.isRawJSON(value) && Number.isInteger(Number(JSON.stringify(value)));
}
function parseJson(text) {
    if (!mayChange.test(text))
        return JSON.parse(text);
    return JSON.parse(text, (_, value, { source: digits }) => {
        if (typeof value !== 'number' || digits === undefined || String(value) === digits)
            return value;
        return JSON.rawJSON(digits);
    });
}
const mayChange = /(?:^|[:,[\s])-?(?:\d{16}|\d+[.eE])/;
function parseJsonObject(text) {
    try {
        const value = parseJson(text);
        return isJsonObject(value) && isShallow(value) ? value : undefined;
    }
    catch {
        return undefined;
    }
}
function isShallow(value, maxDepth = maxJsonDepth) {
    if (typeof value !== 'object' || value === null)
        return true;
    return maxDepth > 0 && Object.values(value).every(inner => isShallow(inner, maxDepth - 1));
}
function rejectedFields(error) {
    return [...new Set(error?.issues.map(({ path }) => path.join('.')))];
}
function textOf(value) {
    if (typeof value === 'string')
        return value;
    const isScalar = typeof value === 'number' || typeof value === 'boolean' || JSON.isRawJSON(value);
    if (!isScalar)
        return null;
    return JSON.stringify(value);
}
function fieldText(value) {
    return textOf(value) ?? '';
}

;// CONCATENATED MODULE: ./keep/messages.js

const nameForm = /^notarization-records-\d+-([0-9a-f]{12})(?:-1)?$/;
const maxKeptBytes = 64 * 1024 * 1024;
const whyTooLarge = 'they exceed 64 MiB together';
function isTask(message) {
    return isJsonObject(message) && 'folder' in message;
}
function isReply(message) {
    return isJsonObject(message) && !isTask(message);
}

// EXTERNAL MODULE: external "node:zlib"
var external_node_zlib_ = __webpack_require__(8522);
;// CONCATENATED MODULE: ./keep/zip-entry.js

const endSignature = 'PK\x05\x06';
const headBytes = 46;
const localHeadBytes = 30;
function readZipEntry(zip, name, maxBytes) {
    const end = zip.lastIndexOf(endSignature, undefined, 'latin1');
    if (end === -1)
        throw new Error('it is not a zip');
    let at = zip.readUInt32LE(end + 16);
    for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
        const nameEnd = at + headBytes + zip.readUInt16LE(at + 28);
        if (zip.toString('latin1', at + headBytes, nameEnd) === name) {
            const local = zip.readUInt32LE(at + 42);
            const start = local + localHeadBytes + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
            const deflated = zip.subarray(start, start + zip.readUInt32LE(at + 20));
            return (0,external_node_zlib_.inflateRawSync)(deflated, { maxOutputLength: maxBytes });
        }
        at = nameEnd + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
    }
    throw new Error(`it has no file ${name}`);
}

;// CONCATENATED MODULE: ./keep/workflow-artifacts.js










const patienceMs = 120_000;
function createWorkflowArtifacts(childFile) {
    return {
        keep: (files, call) => keepFiles(files, call, childFile),
        find: (token, call) => findRecords(token, call, childFile),
    };
}
async function keepFiles({ records, evidencePath }, call, childFile) {
    const { artifactService, proxies } = call.environment;
    const problem = artifactService && proxyProblem(artifactService.url, proxies);
    if (problem !== null)
        throw new Error(problem.message);
    const folder = await makeFolder(call);
    const files = [(0,external_node_path_.join)(folder, names/* recordsName */.Sv)];
    await (0,promises_.writeFile)((0,external_node_path_.join)(folder, names/* recordsName */.Sv), records);
    if (evidencePath !== '') {
        const page = (0,external_node_path_.join)(folder, names/* evidenceName */.Xc);
        await (0,promises_.copyFile)(evidencePath, page).then(() => files.push(page), () => undefined);
    }
    const digits = (0,external_node_crypto_.hash)('sha256', records).slice(0, 12);
    const name = `notarization-records-${call.environment.attempt}-${digits}`;
    const title = 'Keep the records as a workflow artifact';
    const task = { kind: 'upload', folder, secrets: secretsOf(call), name, files };
    const reply = await runChild({ childFile, title, task }, call);
    if (reply.kind !== 'uploaded')
        throw new Error(whyOf(reply));
    return { name: reply.name, url: urlOf(reply.id, call) };
}
async function findRecords(token, call, childFile) {
    const ask = async (findBy, by = '') => {
        const folder = await makeFolder(call);
        const title = `Find the records of earlier attempts${by}`;
        const secrets = secretsOf(call, token);
        const task = { kind: 'download', folder, secrets, findBy };
        return runChild({ childFile, title, task }, call);
    };
    const findBy = findByOf(token, call);
    const first = await ask(null);
    const isFinal = first.kind === 'failed' && first.cause === 'too-large';
    const hasFound = first.kind === 'downloaded' && first.artifacts.length > 0;
    if (findBy === null || isFinal || hasFound)
        return readAll(first, call);
    const second = await ask(findBy, ' through the GitHub API');
    if (second.kind === 'downloaded')
        return readAll(second, call);
    if (first.kind === 'downloaded' && second.kind === 'failed' && second.cause === 'refused')
        return [];
    const why = `through the GitHub API: ${whyOf(second)}`;
    if (first.kind !== 'failed')
        throw new Error(why);
    throw new Error(`${first.why}; ${why}`);
}
function findByOf(token, { environment }) {
    if (token === '')
        return null;
    const { repository, runId } = environment.source;
    const [repositoryOwner, repositoryName] = repository?.split('/') ?? [];
    if (runId === null || repositoryOwner === undefined || repositoryName === undefined)
        return null;
    return { token, workflowRunId: Number(runId), repositoryOwner, repositoryName };
}
async function readAll(reply, call) {
    if (reply.kind !== 'downloaded')
        throw new Error(whyOf(reply));
    const all = [];
    let left = maxKeptBytes;
    for (const artifact of reply.artifacts) {
        const bytes = await readRecords(artifact, left);
        left -= bytes.length;
        all.push({ name: artifact.name, url: urlOf(artifact.id, call), bytes });
    }
    return all.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
}
async function readRecords({ name, path }, maxBytes) {
    if ((await (0,promises_.stat)(path)).size > maxBytes)
        throw new Error(whyTooLarge);
    try {
        const bytes = readZipEntry(await (0,promises_.readFile)(path), names/* recordsName */.Sv, maxBytes);
        const [, digits] = nameForm.exec(name) ?? [];
        if ((0,external_node_crypto_.hash)('sha256', bytes).slice(0, 12) === digits)
            return bytes;
    }
    catch (error) {
        if ((0,failure/* errorCode */.CA)(error) === 'ERR_BUFFER_TOO_LARGE')
            throw new Error(whyTooLarge);
        throw new Error(`${name} is damaged: ${(0,failure/* describeError */.Uc)(error)}`);
    }
    throw new Error(`${name} is damaged: its records do not have the SHA-256 of its name`);
}
async function runChild({ childFile, title, task }, { clock, signal }) {
    signal.throwIfAborted();
    process.stdout.write(`::group::${title}\n`);
    const stdio = ['ignore', 'inherit', 'ignore', 'ipc'];
    const child = (0,external_node_child_process_.fork)(childFile, { execArgv: [], stdio: [...stdio] });
    const replies = [];
    child.on('message', message => {
        if (isReply(message))
            replies.push(message);
    });
    const ended = new AbortController();
    let why = 'its process ended early';
    void clock.sleep(patienceMs, AbortSignal.any([signal, ended.signal])).then(() => {
        if (ended.signal.aborted)
            return;
        why = 'it took more than 2 minutes';
        child.kill('SIGKILL');
    });
    try {
        child.send(task, () => undefined);
        await (0,external_node_events_.once)(child, 'close');
    }
    finally {
        ended.abort();
        process.stdout.write('::endgroup::\n');
    }
    const [reply] = replies;
    if (reply !== undefined)
        return reply;
    signal.throwIfAborted();
    return { kind: 'failed', why, cause: 'other' };
}
function whyOf(reply) {
    if (reply.kind === 'failed')
        return reply.why;
    return 'its process sent an unexpected reply';
}
function secretsOf({ environment }, token = '') {
    return [environment.artifactService?.token ?? '', token].filter(text => text !== '');
}
function makeFolder({ environment: { tempFolder } }) {
    return (0,promises_.mkdtemp)((0,external_node_path_.join)(tempFolder, 'notarization-'));
}
function urlOf(id, { environment }) {
    const { serverUrl, source } = environment;
    const { repository, runId } = source;
    if (repository === null || runId === null)
        return null;
    return `${serverUrl}/${repository}/actions/runs/${runId}/artifacts/${id}`;
}


/***/ })

};
