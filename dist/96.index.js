export const id = 96;
export const ids = [96];
export const modules = {

/***/ 4096:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  runAction: () => (/* binding */ runAction)
});

// EXTERNAL MODULE: external "node:timers/promises"
var promises_ = __webpack_require__(8500);
;// CONCATENATED MODULE: ./clock.js

const systemClock = {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    sleep: (ms, signal) => (0,promises_.setTimeout)(ms, undefined, { signal }).catch(() => undefined),
};

// EXTERNAL MODULE: ./environment.js
var environment_0 = __webpack_require__(3544);
// EXTERNAL MODULE: ./failure.js
var failure = __webpack_require__(7579);
// EXTERNAL MODULE: ./halt.js
var halt_0 = __webpack_require__(8146);
// EXTERNAL MODULE: ../node_modules/@actions/core/lib/command.js
var command = __webpack_require__(5689);
// EXTERNAL MODULE: ../node_modules/@actions/core/lib/file-command.js
var file_command = __webpack_require__(6516);
// EXTERNAL MODULE: ../node_modules/@actions/core/lib/summary.js
var summary = __webpack_require__(8668);
// EXTERNAL MODULE: ./text/escape.js
var text_escape = __webpack_require__(5765);
;// CONCATENATED MODULE: ./runner.js




const maxAnnotations = 10;
const maxAnnotationLength = 4000;
function readRawInputs(defaults) {
    const texts = { ...defaults };
    for (const name in defaults)
        texts[name] = (process.env[`INPUT_${name.toUpperCase()}`] ?? '').trim();
    for (const name of ['API-KEY', 'SUBSCRIPTION', 'GITHUB-TOKEN']) {
        Reflect.deleteProperty(process.env, `INPUT_${name}`);
    }
    return texts;
}
function createRunner(redact) {
    const used = { notice: 0, warning: 0, error: 0 };
    const info = (text) => {
        process.stdout.write(`${(0,text_escape/* toLogLine */.gD)(redact(text))}\n`);
    };
    const annotate = (kind) => (text) => {
        const line = (0,text_escape/* cut */.Jj)((0,text_escape/* toLogLine */.gD)(redact(text)), maxAnnotationLength);
        if (used[kind]++ < maxAnnotations)
            (0,command/* issueCommand */.L)(kind, {}, line);
        else
            info(`${kind}: ${text}`);
    };
    return {
        info,
        notice: annotate('notice'),
        warning: annotate('warning'),
        error: annotate('error'),
        mask: line => {
            (0,command/* issueCommand */.L)('add-mask', {}, line);
        },
        setOutput: (name, value) => {
            if (process.env['GITHUB_OUTPUT']) {
                (0,file_command/* issueFileCommand */.n)('OUTPUT', (0,file_command/* prepareKeyValueMessage */.v)(name, value));
            }
            else
                (0,command/* issueCommand */.L)('set-output', { name }, value);
        },
        writeSummary: async (markdown) => {
            await summary/* summary */.z.addRaw(markdown.split('\n').map(redact).join('\n')).write();
        },
    };
}

;// CONCATENATED MODULE: ./text/layer.js
function toOuter({ starts, ends }, { start, end }) {
    return { start: starts[start] ?? 0, end: ends[end - 1] ?? 0 };
}
function toByteText(text) {
    return isAscii(text) ? text : Buffer.from(text).toString('latin1');
}
function byteLayer(text) {
    if (isAscii(text))
        return null;
    const layer = new LayerBuilder(text.length * 3);
    let at = 0;
    for (const character of text)
        layer.add(character, at, (at += character.length));
    return layer.build();
}
function isAscii(text) {
    return !/[\u0080-\uffff]/.test(text);
}
class LayerBuilder {
    #bytes;
    #starts;
    #ends;
    #length = 0;
    constructor(maxLength) {
        this.#bytes = new Uint8Array(maxLength);
        this.#starts = new Uint32Array(maxLength);
        this.#ends = new Uint32Array(maxLength);
    }
    get length() {
        return this.#length;
    }
    add(value, start, end) {
        if (typeof value === 'string' && value.charCodeAt(0) >= 0x80) {
            for (const byte of Buffer.from(value))
                this.add(byte, start, end);
            return;
        }
        this.#bytes[this.#length] = typeof value === 'string' ? value.charCodeAt(0) : value;
        this.#starts[this.#length] = start;
        this.#ends[this.#length] = end;
        this.#length++;
    }
    truncate(length) {
        this.#length = length;
    }
    extend(end) {
        this.#ends[this.#length - 1] = end;
    }
    build() {
        if (this.#length === 0)
            return null;
        const text = Buffer.from(this.#bytes.buffer, 0, this.#length).toString('latin1');
        return { text, starts: this.#starts, ends: this.#ends };
    }
}

;// CONCATENATED MODULE: ./text/digits.js

const skipped = -1;
const other = -2;
function createDigits(bits, alphabets, between) {
    const values = new Int8Array(256).fill(other);
    for (const character of between)
        values[character.charCodeAt(0)] = skipped;
    for (const alphabet of alphabets)
        for (const [value, digit] of Array.from(alphabet).entries())
            values[digit.charCodeAt(0)] = value;
    return { bits, period: bits === 4 ? 2 : 4, values };
}
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const hex = createDigits(4, ['0123456789abcdef', '0123456789ABCDEF'], ' \t\r\n:-');
const base64 = createDigits(6, [`${letters}+/`, `${letters}-_`], ' \t\r\n');
function decodeDigits(text, wanted) {
    return [hex, base64]
        .filter(digits => hasStretch(text, digits, wanted))
        .flatMap(digits => collectStretches(text, digits, wanted) ?? []);
}
function hasStretch(text, { bits, period, values }, wanted) {
    if (text.length * bits < wanted.minLength * 8)
        return false;
    const lengths = new Uint32Array(period);
    let last = other;
    for (let at = 0, count = 0; at < text.length; at++) {
        const value = values[text.charCodeAt(at)] ?? other;
        if (value === skipped)
            continue;
        if (value === other || last === other)
            lengths.fill(0);
        for (let step = 1; step < period && value !== other && last !== other; step++) {
            const byte = (((last << bits) | value) >> (((step + 1) * bits) % 8)) & 255;
            const beginning = (count + period - step) % period;
            if (wanted.bytes[byte] === 1) {
                const length = (lengths[beginning] ?? 0) + 1;
                if (length >= wanted.minLength)
                    return true;
                lengths[beginning] = length;
            }
            else if (byte !== 0)
                lengths[beginning] = 0;
        }
        last = value;
        count++;
    }
    return false;
}
function collectStretches(text, digits, wanted) {
    const { bits, period, values } = digits;
    const layer = new LayerBuilder(text.length * period);
    for (let beginning = 0; beginning < period; beginning++) {
        let mark = layer.length;
        const endStretch = () => {
            if (layer.length - mark < wanted.minLength)
                layer.truncate(mark);
            else
                layer.add('\n', text.length, text.length);
            mark = layer.length;
        };
        let last = other;
        let lastAt = 0;
        let hasByte = false;
        for (let at = 0, count = 0; at < text.length; at++) {
            const value = values[text.charCodeAt(at)] ?? other;
            if (value === skipped)
                continue;
            const step = (count + period - beginning) % period;
            if (value === other) {
                const padding = text.startsWith('==', at) ? 2 : text.startsWith('=', at) ? 1 : 0;
                if (hasByte && lastAt === at - 1)
                    layer.extend(at + padding);
                endStretch();
            }
            else if (last !== other && step > 0) {
                const byte = (((last << bits) | value) >> (((step + 1) * bits) % 8)) & 255;
                if (wanted.bytes[byte] === 1)
                    layer.add(byte, lastAt, at + 1);
                else if (byte !== 0)
                    endStretch();
            }
            hasByte = layer.length > mark && step > 0;
            last = value;
            lastAt = at;
            count++;
        }
        endStretch();
    }
    return layer.build();
}

;// CONCATENATED MODULE: ./text/error-body.js
const maxSecrets = 1000;
function readErrorBody(body) {
    try {
        const parsed = JSON.parse(body.trim());
        const secrets = secretsOf(parsed);
        return { said: secrets.length > maxSecrets ? '' : messageOf(parsed).trim(), secrets };
    }
    catch {
        const isText = !/<[a-z!?/]|^\s*[{["]|[\0\ufffd]/i.test(body);
        return { said: isText ? body.trim() : '', secrets: [] };
    }
}
const value = String.raw `(?:(?=[^\s"',;&]*\d)[^\s"',;&]{6,}|[^\s"',;&]{16,})`;
const error_body_name = String.raw `\w*(?:token|jwt|api[-_]?key|secret|passw(?:ord|d)?|authorization|cookie|session[-_]?id)`;
const namedValue = new RegExp(String.raw `\b(${error_body_name}["']?\s*[:=]\s*["']?(?:Bearer |Basic )?)${value}`, 'gi');
const credentials = /\b(Bearer|Basic) [\w.~+/=-]{16,}/gi;
function hideNamedSecrets(text) {
    return text.replace(namedValue, '$1***').replace(credentials, '$1 ***');
}
function messageOf(parsed) {
    const { message, error, detail, title } = fieldsOf(parsed);
    const candidates = [parsed, message, error, fieldsOf(error)['message'], detail, title];
    return candidates.find(candidate => typeof candidate === 'string') ?? '';
}
function fieldsOf(value) {
    return typeof value === 'object' && value !== null ? { ...value } : {};
}
const secretName = /token|jwt|apikey|secret|passw|pwd|passphrase|authorization|bearer|credential|cookie|session|customer|custumer|invoice|paymentmethod/;
function secretsOf(root) {
    const secrets = [];
    const left = [{ value: root, isSecret: false }];
    for (const { value, isSecret } of left) {
        if (isSecret && (typeof value === 'string' || typeof value === 'number')) {
            secrets.push(String(value));
        }
        for (const [key, field] of Object.entries(fieldsOf(value))) {
            const word = key.toLowerCase().replaceAll(/[^a-z]/g, '');
            left.push({ value: field, isSecret: isSecret || secretName.test(word) });
        }
    }
    return secrets;
}

;// CONCATENATED MODULE: ./text/escapes.js

const escapes_letters = {
    ...{ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', '"': '"', "'": "'", '/': '/', '\\': '\\' },
};
const json = {
    first: '\\',
    pattern: /\\(?:u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|u([0-9a-f]{4})|x([0-9a-f]{2})|(.))/iy,
    meaning: ([, high, low, code, byte, letter = '']) => {
        if (high !== undefined)
            return fromCodes(high, low ?? '');
        if (code !== undefined)
            return fromCodes(code);
        return byte === undefined ? escapes_letters[letter] : Number.parseInt(byte, 16);
    },
};
function fromCodes(...codes) {
    return String.fromCharCode(...codes.map(code => Number.parseInt(code, 16)));
}
const percent = {
    first: '%',
    pattern: /%([0-9a-f]{2})/iy,
    meaning: ([, byte = '']) => Number.parseInt(byte, 16),
};
const names = {
    ...{ amp: '&', AMP: '&', lt: '<', LT: '<', gt: '>', GT: '>', quot: '"', QUOT: '"' },
    ...{ Tab: '\t', NewLine: '\n', nbsp: ' ', excl: '!', num: '#', dollar: '$', percnt: '%' },
    ...{ apos: "'", lpar: '(', rpar: ')', ast: '*', midast: '*', plus: '+', comma: ',', period: '.' },
    ...{ sol: '/', colon: ':', semi: ';', equals: '=', quest: '?', commat: '@', lsqb: '[' },
    ...{ lbrack: '[', bsol: '\\', rsqb: ']', rbrack: ']', Hat: '^', lowbar: '_', UnderBar: '_' },
    ...{ grave: '`', DiacriticalGrave: '`', lcub: '{', lbrace: '{', verbar: '|', vert: '|' },
    ...{ VerticalLine: '|', rcub: '}', rbrace: '}', fjlig: 'fj' },
};
const maxCodePoint = 0x10ffff;
const html = {
    first: '&',
    pattern: /&(?:#0*(\d{1,7})|#x0*([0-9a-f]{1,6})|(amp|lt|gt|quot)|([a-z]{2,16})(?=;));?/iy,
    meaning: ([, decimal, hexadecimal = '', short, long]) => {
        const name = short ?? long;
        if (name !== undefined)
            return Object.hasOwn(names, name) ? names[name] : undefined;
        const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
        return code <= maxCodePoint ? String.fromCodePoint(code) : undefined;
    },
};
function decodeEscapes(text) {
    if (!/[\\%&]/.test(text))
        return [];
    return [json, percent, html].flatMap(escapes => decode(text, escapes) ?? []);
}
function decode(text, { first, pattern, meaning }) {
    let at = text.indexOf(first);
    if (at === -1)
        return null;
    const layer = new LayerBuilder(text.length);
    let done = 0;
    const copyTo = (end) => {
        for (; done < end; done++)
            layer.add(text.charCodeAt(done), done, done + 1);
    };
    while (at !== -1) {
        pattern.lastIndex = at;
        const found = pattern.exec(text);
        const meant = found === null ? undefined : meaning(found);
        const end = at + (meant === undefined ? 1 : (found?.[0].length ?? 1));
        if (meant !== undefined) {
            copyTo(at);
            if (typeof meant === 'number')
                layer.add(meant, at, end);
            else
                for (const character of meant)
                    layer.add(character, at, end);
            done = end;
        }
        at = text.indexOf(first, end);
    }
    if (done === 0)
        return null;
    copyTo(text.length);
    return layer.build();
}

// EXTERNAL MODULE: ./text/json.js
var text_json = __webpack_require__(7727);
;// CONCATENATED MODULE: ./secrets.js





const minSecretLength = 6;
const replacement = '***';
const maxLayers = 3;
const maxRounds = 8;
class Secrets {
    #mask;
    #spared = new Set();
    #values = new Set();
    #needles = new Set();
    #bytes = new Uint8Array(256).fill(1, 0x20, 0x7f);
    #minLength = Infinity;
    constructor(mask) {
        this.#mask = mask;
        for (const space of '\t\r\n')
            this.#bytes[space.charCodeAt(0)] = 1;
    }
    spare(values) {
        for (const value of values)
            this.#spared.add(value);
    }
    add(values) {
        for (const text of values.flatMap(value => value.split(/[\r\n]/))) {
            const line = text.trim();
            if (line.length < minSecretLength || this.#values.has(line))
                continue;
            if ([...this.#spared].some(spared => spared.includes(line)))
                continue;
            this.#mask(line);
            this.#values.add(line);
            for (const needle of [line, line.replaceAll(' ', '+')].map(toByteText)) {
                this.#needles.add(needle);
                this.#minLength = Math.min(this.#minLength, needle.length);
                for (const byte of needle)
                    this.#bytes[byte.charCodeAt(0)] = 1;
            }
        }
    }
    isIn(text) {
        return this.#find(text).length > 0;
    }
    redactText(text) {
        let clean = text;
        for (let round = 0; round < maxRounds; round++) {
            const spans = this.#find(clean);
            if (spans.length === 0)
                break;
            clean = replaceSpans(clean, spans);
        }
        return clean;
    }
    saying(body) {
        const { said, secrets } = readErrorBody(body);
        const others = new Secrets(() => undefined);
        others.add(secrets);
        return hideNamedSecrets(others.redactText(this.redactText(said)));
    }
    redact(record) {
        const text = JSON.stringify(record);
        if (!text.includes('\\') && !this.isIn(text))
            return { record, redacted: [] };
        const redacted = new Set();
        const walkFields = (fields, pointer) => {
            const keys = Object.keys(fields).map(key => [key, this.redactText(key)]);
            const taken = new Set(keys.flatMap(([key, clean]) => (clean === key ? [key] : [])));
            const entries = keys.map(([key, cleanKey]) => {
                let clean = cleanKey;
                while (clean !== key && taken.has(clean))
                    clean += '*';
                taken.add(clean);
                const place = `${pointer}/${clean.replaceAll('~', '~0').replaceAll('/', '~1')}`;
                if (clean !== key)
                    redacted.add(place);
                return [clean, walk(fields[key], place)];
            });
            return Object.fromEntries(entries);
        };
        const walk = (value, pointer) => {
            if (Array.isArray(value)) {
                return value.map((item, index) => walk(item, `${pointer}/${index}`));
            }
            if ((0,text_json/* isJsonObject */.OW)(value))
                return walkFields(value, pointer);
            const text = typeof value === 'string' ? value : JSON.stringify(value);
            const clean = this.redactText(text);
            if (clean === text)
                return value;
            redacted.add(pointer);
            return clean;
        };
        return { record: walkFields(record, ''), redacted: [...redacted] };
    }
    #find(text) {
        if (this.#needles.size === 0)
            return [];
        const bytes = toByteText(text);
        if (bytes.length < this.#minLength)
            return [];
        const spans = this.#findIn(bytes, maxLayers, new Set());
        const layer = spans.length === 0 ? null : byteLayer(text);
        return layer === null ? spans : spans.map(span => toOuter(layer, span));
    }
    #findIn(text, layersLeft, seen) {
        const plain = [...this.#needles].flatMap(needle => findAll(text, needle));
        if (layersLeft === 0)
            return plain;
        const wanted = { bytes: this.#bytes, minLength: this.#minLength };
        const encoded = [...decodeEscapes(text), ...decodeDigits(text, wanted)].flatMap(layer => {
            if (seen.has(layer.text))
                return [];
            seen.add(layer.text);
            return this.#findIn(layer.text, layersLeft - 1, seen).map(span => toOuter(layer, span));
        });
        return [...plain, ...encoded];
    }
}
function findAll(text, needle) {
    const spans = [];
    for (let start = text.indexOf(needle); start !== -1; start = text.indexOf(needle, start + 1)) {
        spans.push({ start, end: start + needle.length });
    }
    return merge(spans);
}
function merge(spans) {
    const merged = [];
    for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
        const last = merged.at(-1);
        if (last === undefined || start >= last.end)
            merged.push({ start, end });
        else
            merged.splice(-1, 1, { start: last.start, end: Math.max(last.end, end) });
    }
    return merged;
}
function replaceSpans(text, spans) {
    let clean = '';
    let done = 0;
    for (const { start, end } of merge(spans)) {
        clean += text.slice(done, start) + replacement;
        done = end;
    }
    return clean + text.slice(done);
}

;// CONCATENATED MODULE: ./host.js







const lingerMs = 500;
async function runInHost({ defaults, workerFile, cancelled, run, }) {
    process.noDeprecation = true;
    delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    Object.assign(process.env, (0,environment_0/* completeProxies */.ke)(process.env));
    const raw = readRawInputs(defaults);
    const environment = (0,environment_0/* readEnvironment */.Qo)(process.env, process.cwd());
    const secrets = new Secrets(line => {
        runner.mask(line);
    });
    const runner = createRunner(text => secrets.redactText(text));
    const halt = new halt_0/* Halt */._V();
    let isReported = false;
    const bugText = () => (0,failure/* describeBug */.WP)(halt.bug ?? (0,failure/* bugFailure */.fT)('the run ended before its report', environment.reportTo));
    const failAfterReport = (why) => {
        if (process.exitCode === 0)
            runner.error(why);
        process.exitCode = 1;
    };
    const noteBug = (error) => {
        halt.noteBug(error, environment.reportTo);
        if (isReported)
            failAfterReport(bugText());
    };
    const cancel = () => {
        halt.cancel();
        if (isReported)
            failAfterReport('The run was cancelled by a signal after its report');
    };
    for (const stream of [process.stdout, process.stderr])
        stream.on('error', () => undefined);
    for (const event of ['uncaughtException', 'unhandledRejection'])
        process.on(event, noteBug);
    process.on('exit', () => {
        if (!isReported)
            runner.error(bugText());
    });
    cancelled.addEventListener('abort', cancel);
    await (0,promises_.setImmediate)();
    if (cancelled.aborted)
        cancel();
    const host = { raw, environment, runner, secrets, halt, workerFile };
    try {
        process.exitCode = await run({ ...host, clock: systemClock, random: Math.random });
        isReported = true;
    }
    catch (error) {
        noteBug(error);
    }
    if (halt.bug !== null)
        failAfterReport(bugText());
    if (halt.isCancelled)
        failAfterReport('The run was cancelled by a signal during its report');
    await (0,promises_.setImmediate)();
    setTimeout(() => {
        process.exit();
    }, lingerMs).unref();
}

// EXTERNAL MODULE: ../node_modules/zod/v4/mini/schemas.js + 2 modules
var schemas = __webpack_require__(2417);
// EXTERNAL MODULE: ./input-texts.js
var input_texts = __webpack_require__(628);
// EXTERNAL MODULE: ./input-values.js
var input_values = __webpack_require__(7872);
// EXTERNAL MODULE: ./service/subscription.js
var service_subscription = __webpack_require__(8688);
// EXTERNAL MODULE: ./stop.js
var stop = __webpack_require__(2553);
;// CONCATENATED MODULE: ./inputs.js





const inputDefaults = {
    'api-key': '',
    'base-url': '',
    path: '',
    checksums: '',
    subscription: '',
    'if-no-files-found': 'error',
    'records-path': 'notarization-records.jsonl',
    'max-registrations': '100',
    concurrency: '4',
    'max-attempts': '5',
    'timeout-seconds': '30',
    'dry-run': 'false',
    'show-summary': 'true',
    'request-registration': 'false',
    description: '{artifact} of {repository} at {ref}',
    'verification-url': '',
    'release-tag': '',
    'attach-to-release': 'false',
    'if-service-unavailable': 'error',
    'retry-unanswered': 'true',
    'github-token': '',
};
const schema = schemas/* pipe */.FsL(schemas/* object */.Ikc({
    apiKey: input_values/* apiKey */.Kz,
    baseUrl: input_values/* baseUrl */.pc,
    path: schemas/* string */.YjP(),
    checksums: schemas/* string */.YjP(),
    ifNoFilesFound: (0,input_values/* oneOf */.yL)('error', 'warn', 'ignore'),
    recordsPath: input_values/* filePath */.s$,
    maxRegistrations: (0,input_values/* wholeNumber */.rD)(0, 10_000_000),
    concurrency: (0,input_values/* wholeNumber */.rD)(1, 64),
    maxAttempts: (0,input_values/* wholeNumber */.rD)(1, 20),
    timeoutSeconds: (0,input_values/* wholeNumber */.rD)(1, 600),
    dryRun: input_values/* yesOrNo */.GX,
    showSummary: input_values/* yesOrNo */.GX,
    requestRegistration: input_values/* yesOrNo */.GX,
    description: schemas/* string */.YjP(),
    verificationUrl: input_values/* verificationUrl */.Pw,
    releaseTag: input_values/* releaseTag */.aF,
    attachToRelease: input_values/* yesOrNo */.GX,
    ifServiceUnavailable: (0,input_values/* oneOf */.yL)('error', 'warn'),
    retryUnanswered: input_values/* yesOrNo */.GX,
    githubToken: input_values/* githubToken */.bU,
}), schemas/* transform */.pdi(({ dryRun, timeoutSeconds, ...read }) => ({
    ...read,
    isDryRun: dryRun,
    timeoutMs: timeoutSeconds * 1000,
})));
function readInputs(given, nowMs) {
    const { texts, usable, problems: wrong } = (0,input_texts/* readTexts */.Z7)(schema, inputDefaults, given);
    const { isDryRun } = usable;
    const isActive = texts.subscription === 'active';
    const hasData = texts.subscription !== '' && !isActive;
    const data = hasData ? (0,service_subscription/* readSubscription */.MP)(texts.subscription, nowMs) : null;
    const dataErrors = data?.errors ?? [];
    const problems = [
        ...findNeeds(texts, usable),
        ...wrong,
        ...(dataErrors.length > 0 ? [(0,stop/* problemWith */.CO)('subscription', dataErrors.join('; '))] : []),
    ];
    const subscription = isActive ? 'active' : (data?.subscription ?? null);
    return {
        inputs: problems.length > 0 ? null : toInputs(usable, subscription),
        problems,
        warnings: (data?.warnings ?? [])
            .filter(warning => !isDryRun || warning === service_subscription/* severalLines */.ge)
            .map(warning => `input "subscription" ${warning}`),
        notices: data?.subscription?.id === null && !isDryRun ? [noId] : [],
        secrets: [texts['api-key'], texts['github-token'], ...(data?.secrets ?? [])],
        spared: data?.spared ?? [],
        periodEndedMs: data?.periodEndedMs ?? null,
        usable,
    };
}
function toInputs({ apiKey, requestRegistration, isDryRun, baseUrl, ...common }, subscription) {
    if (isDryRun)
        return { ...common, baseUrl, isDryRun };
    if (baseUrl === null)
        return null;
    const kind = requestRegistration ? 'request' : 'complete';
    return { ...common, baseUrl, isDryRun, apiKey, way: { kind, subscription } };
}
function findNeeds(texts, { isDryRun, requestRegistration, attachToRelease }) {
    const isEmpty = (input) => texts[input] === '';
    return [
        !isDryRun && isEmpty('api-key') && (0,stop/* problemWith */.CO)('api-key', keyNeeded),
        !isDryRun && isEmpty('base-url') && (0,stop/* problemWith */.CO)('base-url', urlNeeded),
        !isDryRun &&
            !requestRegistration &&
            isEmpty('subscription') &&
            (0,stop/* problemWith */.CO)('subscription', subscriptionNeeded),
        attachToRelease && isEmpty('release-tag') && (0,stop/* problemWith */.CO)('attach-to-release', tagNeeded),
        ...(0,input_texts/* sharedNeeds */.hQ)(texts),
    ].filter(problem => problem !== false);
}
const whyEmpty = '(secrets are not given to runs from forks; with dry-run: true none is needed)';
const keyNeeded = `is empty; give the secret API key, for example \${{ secrets.NOTARIZATION_API_KEY }} ${whyEmpty}`;
const urlNeeded = 'is empty; give the https:// URL of the service';
const subscriptionNeeded = `is empty; give the subscription data as one line of JSON or as base64, from a secret, or the word active ${whyEmpty}`;
const tagNeeded = 'needs "release-tag"; give the tag of the release';
const noId = 'input "subscription" has no id, so paymentId of the records cannot be compared with it';

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./artifacts/collect.js
var collect = __webpack_require__(527);
// EXTERNAL MODULE: ./artifacts/hash.js + 1 modules
var hash = __webpack_require__(2049);
// EXTERNAL MODULE: ./memory.js
var memory = __webpack_require__(2506);
// EXTERNAL MODULE: ./outcome.js
var outcome_0 = __webpack_require__(1949);
// EXTERNAL MODULE: ./artifacts/artifact.js
var artifacts_artifact = __webpack_require__(7163);
// EXTERNAL MODULE: ./artifacts/merge.js
var artifacts_merge = __webpack_require__(65);
// EXTERNAL MODULE: ./records/known.js
var known = __webpack_require__(6707);
// EXTERNAL MODULE: ./text/words.js
var words = __webpack_require__(4904);
;// CONCATENATED MODULE: ./release/guards.js




const maxShown = 5;
function releaseProblems(release, locals) {
    if (release === null)
        return [];
    const texts = [...movedTag(release), ...otherBytes(release, locals)];
    return texts.map(text => (0,stop/* problemAt */.l4)('release-tag', text));
}
function movedTag({ tag, isDraft, tagCommit, runCommit }) {
    if (tagCommit === undefined || tagCommit === runCommit || (tagCommit === null && isDraft))
        return [];
    const now = tagCommit === null ? 'does not exist any more' : `points to ${tagCommit} now`;
    return [
        `the tag "${(0,text_escape/* quote */.hD)(tag)}" ${now}, but this run is for ${runCommit ?? 'no commit'}; run the release again for the tag as it is`,
    ];
}
function otherBytes(release, locals) {
    const assets = new Map(release.assets.map(asset => [asset.name, asset]));
    const differing = locals.filter(artifacts_artifact/* isHashed */.S).flatMap(({ name, hash }) => {
        const asset = assets.get((0,words/* baseName */.Fl)(name));
        if (asset === undefined)
            return [];
        if (!(0,artifacts_artifact/* isHashed */.S)(asset)) {
            return [`"${(0,text_escape/* quote */.hD)(name)}" cannot be compared with the asset, which could not be read`];
        }
        return hash === asset.hash
            ? []
            : [`"${(0,text_escape/* quote */.hD)(name)}" has ${hash}, but the asset has ${asset.hash}`];
    });
    if (differing.length === 0)
        return [];
    const shown = (0,words/* someOf */.yU)(differing, maxShown);
    return [
        `what was built here is not what the release "${(0,text_escape/* quote */.hD)(release.tag)}" publishes: ${shown}; upload the files of this build, or notarize the assets alone`,
    ];
}
function unpublishedWarning(release, locals) {
    if (release === null)
        return [];
    const names = new Set(release.assets.map(({ name }) => name));
    const hashes = new Set(release.assets.filter(artifacts_artifact/* isHashed */.S).map(({ hash }) => hash));
    const missing = locals
        .filter(artifacts_artifact/* isHashed */.S)
        .filter(({ name, hash }) => !names.has((0,words/* baseName */.Fl)(name)) && !hashes.has(hash))
        .map(({ name }) => `"${(0,text_escape/* quote */.hD)(name)}"`);
    if (missing.length === 0)
        return [];
    const shown = (0,words/* someOf */.yU)(missing, maxShown, { separator: ', ' });
    return [`No asset of the release "${(0,text_escape/* quote */.hD)(release.tag)}", by name or by hash: ${shown}`];
}
function emptyRelease({ tag }) {
    const text = `the release "${(0,text_escape/* quote */.hD)(tag)}" has no assets to notarize; upload them first, or set if-no-files-found`;
    return (0,stop/* problemAt */.l4)('release-tag', text);
}

;// CONCATENATED MODULE: ./plan.js









function makePlan(input) {
    const { merged, conflicts } = (0,artifacts_merge/* mergeArtifacts */.O)(input.artifacts);
    const artifacts = merged.map(artifact => planArtifact(artifact, input));
    const toRegister = distinctRegistrations(artifacts);
    const limit = limitProblem(toRegister.length, input);
    const secrets = secretProblem(input);
    const { release, ifNoFilesFound } = input;
    const locals = input.artifacts.filter(({ source }) => source !== 'release-tag');
    const nothing = release !== null && artifacts.length === 0 ? [emptyRelease(release)] : [];
    const problems = [
        ...(ifNoFilesFound === 'error' ? nothing : []),
        ...releaseProblems(release, locals),
        ...(0,artifacts_merge/* conflictProblem */.K)(conflicts),
        ...damageProblem(input),
        ...secrets,
        ...(input.isDryRun ? [] : limit),
    ];
    const warnings = [
        ...(input.isDryRun ? limit.map(({ message }) => message) : []),
        ...unpublishedWarning(release, locals),
        ...(toRegister.length > 0 ? lostAttemptWarning(input) : []),
        ...(ifNoFilesFound === 'warn' ? nothing.map(({ message }) => message) : []),
    ];
    const isSound = conflicts.length === 0 && secrets.length === 0;
    return { artifacts, checksums: isSound ? artifacts : [], toRegister, problems, warnings };
}
function planArtifact(artifact, input) {
    const { name } = artifact;
    if (!(0,artifacts_artifact/* isHashed */.S)(artifact)) {
        return { name, size: null, hash: null, outcome: (0,outcome_0/* failed */.gz)(artifact.failure) };
    }
    const { size, hash } = artifact;
    return { name, size, hash, outcome: outcomeOf(input.known.find(hash), input) };
}
const isNew = { state: 'planned', open: null };
function outcomeOf(known, input) {
    switch (known?.state) {
        case undefined:
            return isNew;
        case 'registered': {
            const { record, redacted, unansweredTries } = known.entry;
            return { state: 'registered', from: 'records-file', record, redacted, unansweredTries };
        }
        case 'contradicted':
            return (0,outcome_0/* failed */.gz)(contradicted(known.entry.problems, known.lines));
        case 'open':
            return input.retryUnanswered
                ? { state: 'planned', open: known.tries }
                : (0,outcome_0/* failed */.gz)(unanswered(known.tries));
    }
}
function contradicted(problems, lines) {
    return (0,failure/* makeFailure */.ro)({
        code: 'record-mismatch',
        registered: 'unknown',
        what: `an earlier run was answered with a record that contradicts its request (${problems.join('; ')}), so it is not sent again`,
        remedy: `ask the service what became of this hash, then remove ${lines} to have it registered again`,
    });
}
function unanswered({ at, runUrl, lines }) {
    return (0,failure/* makeFailure */.ro)({
        code: 'unavailable',
        registered: 'unknown',
        what: `the run of ${at}${runUrl === null ? '' : ` (${runUrl})`} sent it and read no answer, and with retry-unanswered: false it is not sent again`,
        remedy: (0,known/* howToSettle */.v)(lines),
    });
}
function distinctRegistrations(artifacts) {
    const byHash = new Map();
    for (const { name, size, hash, outcome } of artifacts) {
        if (outcome.state !== 'planned' || hash === null || byHash.has(hash))
            continue;
        byHash.set(hash, { hash, name, size, open: outcome.open });
    }
    return [...byHash.values()];
}
const maxPatternsShown = 50;
function limitProblem(left, input) {
    if (left <= input.maxRegistrations)
        return [];
    const matched = (0,words/* someOf */.yU)(input.counts.map(artifacts_artifact/* describeCount */.v), maxPatternsShown, {
        separator: ', ',
        rest: 'more patterns',
    });
    const text = `is ${input.maxRegistrations}, and ${(0,words/* counted */.hS)(left, 'distinct hash is', 'distinct hashes are')} left to register (${matched}); correct the patterns, or raise the limit if each is to be paid for`;
    return [(0,stop/* problemWith */.CO)('max-registrations', text)];
}
function damageProblem({ damage, recordsPath }) {
    if (damage.length === 0)
        return [];
    const text = `${damage.join('; ')}; nothing is sent, as an artifact may be paid for twice; restore "${(0,text_escape/* quote */.hD)(recordsPath)}" or correct the line by hand`;
    return [(0,stop/* problemAt */.l4)('records-path', text)];
}
function lostAttemptWarning({ source, known }) {
    const attempt = Number(source.runAttempt ?? 1);
    if (!(attempt >= 2) || known.hasEarlierAttempt(source))
        return [];
    return [
        `This is attempt ${attempt} of the run, and the records file has no line of an earlier attempt: if one of them reached this step, what it registered would be paid again. Bring its records back first: from the release (attach-to-release), the cache, or the artifact of that attempt`,
    ];
}
function secretProblem({ artifacts, hasSecret }) {
    const holding = [];
    for (let at = 0; at < artifacts.length; at += secretsGroup) {
        const some = artifacts.slice(at, at + secretsGroup);
        if (hasSecret(some.map(publishedText).join('\n'))) {
            holding.push(...some.filter(one => hasSecret(publishedText(one))));
        }
    }
    return [...Map.groupBy(holding, ({ source }) => source)].map(([input, some]) => {
        const text = `${(0,words/* counted */.hS)(some.length, 'artifact has', 'artifacts have')} the value of a secret in their name, hash or size (they are not shown); the records would publish it, so rename or change them`;
        return (0,stop/* problemAt */.l4)(input, text);
    });
}
const secretsGroup = 100;
function publishedText(one) {
    return (0,artifacts_artifact/* isHashed */.S)(one) ? `${one.name}\n${one.hash}\n${one.size ?? ''}` : one.name;
}
function resultsOf({ artifacts }, outcomes, lost) {
    return artifacts.map(artifact => artifact.outcome.state === 'planned'
        ? { ...artifact, outcome: outcomes.get(artifact.hash ?? '') ?? (0,outcome_0/* failed */.gz)(lost) }
        : artifact);
}
function dryRunResults({ artifacts }) {
    return artifacts.map(artifact => artifact.outcome.state === 'failed' && artifact.hash !== null
        ? { ...artifact, outcome: { state: 'held' } }
        : artifact);
}

// EXTERNAL MODULE: ./progress.js
var progress = __webpack_require__(3802);
// EXTERNAL MODULE: ./records/store.js + 1 modules
var records_store = __webpack_require__(1903);
// EXTERNAL MODULE: ./release/open.js + 5 modules
var release_open = __webpack_require__(7130);
// EXTERNAL MODULE: ./report/deliver.js
var deliver = __webpack_require__(1109);
// EXTERNAL MODULE: ./report/log.js
var log = __webpack_require__(214);
// EXTERNAL MODULE: external "node:fs/promises"
var external_node_fs_promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: ./artifacts/own-files.js
var own_files = __webpack_require__(1683);
// EXTERNAL MODULE: ./records/evidence.js + 1 modules
var evidence = __webpack_require__(1183);
// EXTERNAL MODULE: ./text/system-error.js
var system_error = __webpack_require__(8343);
// EXTERNAL MODULE: ./text/verification-url.js
var verification_url = __webpack_require__(6318);
// EXTERNAL MODULE: ./report/explain.js
var explain = __webpack_require__(5327);
// EXTERNAL MODULE: ./report/verdict.js
var report_verdict = __webpack_require__(6013);
;// CONCATENATED MODULE: ./report/findings.js




function findOut(given, options) {
    const { inputs, periodEndedMs, secrets } = options;
    const clean = ({ name, size, hash }, record) => {
        const url = record === null ? undefined : (0,verification_url/* fillVerificationUrl */.B)(inputs.verificationUrl, { hash, record });
        const link = url === undefined ? {} : { verificationUrl: url };
        return { name: secrets.redactText(name), size, hash, ...link };
    };
    const cleanFailed = (result) => {
        const { failure } = result.outcome;
        const mayBeThere = failure.registered === 'unknown' || failure.status === 409;
        const what = secrets.redactText(failure.what);
        const remedy = secrets.redactText(failure.remedy);
        const outcome = (0,outcome_0/* failed */.gz)({ ...failure, what, remedy });
        return { ...clean(result, mayBeThere ? {} : null), outcome };
    };
    const results = given.map(result => ((0,outcome_0/* isFailed */.Ix)(result) ? cleanFailed(result) : result));
    const ranked = results.toSorted((a, b) => rankOf(a) - rankOf(b));
    const counts = (0,report_verdict/* countResults */.aD)(results);
    return {
        results,
        ranked,
        counts,
        verdict: (0,report_verdict/* decideVerdict */.AU)(counts, inputs),
        reasons: (0,explain/* groupReasons */.F6)(ranked, { recordsPath: inputs.recordsPath, periodEndedMs }),
        publish: (result) => {
            const { record, redacted } = secrets.redact(result.outcome.record);
            const places = [...new Set([...result.outcome.redacted, ...redacted])];
            const outcome = { ...result.outcome, record, redacted: places };
            return { ...clean(result, record), outcome };
        },
    };
}
function rankOf({ outcome }) {
    if (outcome.state !== 'failed')
        return 2;
    return outcome.failure.registered === 'unknown' ? 0 : 1;
}

// EXTERNAL MODULE: ./report/outputs.js
var report_outputs = __webpack_require__(7954);
// EXTERNAL MODULE: ./report/stop.js
var report_stop = __webpack_require__(626);
// EXTERNAL MODULE: ./text/time.js
var time = __webpack_require__(5396);
// EXTERNAL MODULE: ./report/page.js
var page = __webpack_require__(4973);
;// CONCATENATED MODULE: ./report/how-to-check.js



const maxLines = 50;
const maxNameLength = 300;
const plainName = /^[A-Za-z0-9._+@%,=](?:[A-Za-z0-9._+@%,=/ -]*[A-Za-z0-9._+@%,=-])?$/;
function howToCheck(run) {
    const registered = run.results.filter(outcome_0/* isRegistered */.zN);
    if (registered.length === 0)
        return [];
    const intro = `<p><b>How to check:</b> this compares files with the records of this run. The registration itself is looked up ${run.lookUp}.</p>`;
    const all = 'the file of the output <code>checksums-path</code>';
    const places = placesOf(registered, run.releaseTag).filter(({ lines }) => lines.length > 0);
    if (places.length === 0) {
        const plain = `<p>Use <code>sha256sum -c</code> with ${all}, in the workspace of the job.</p>`;
        return [intro, plain, ''];
    }
    const left = registered.length - Math.max(...places.map(({ lines }) => lines.length));
    const rest = ` ${left} more ${left === 1 ? 'is' : 'are'} not in these lines; ${all} has all.`;
    return [
        intro,
        ...places.flatMap((place, at) => blockOf(place, { isFolded: at > 0 })),
        `<p>${otherSystems}${left > 0 ? rest : ''}</p>`,
        '',
    ];
}
const otherSystems = 'On macOS, put <code>shasum -a 256</code> in place of <code>sha256sum</code>. On Windows, <code>Get-FileHash -Algorithm SHA256 FILE</code> in PowerShell gives the SHA-256 of a file to compare.';
function placesOf(registered, releaseTag) {
    const named = registered.flatMap(({ name, hash }) => (hash === null ? [] : [{ name, hash }]));
    const flat = { lines: takePlain(flatten(named)), mayMiss: true };
    if (releaseTag !== null)
        return [{ ...flat, where: `a folder with the downloaded assets of ${(0,page/* code */.aY)(releaseTag)}` }];
    const lines = takePlain(named);
    const mayMiss = registered.some(({ size }) => size === null);
    const [workspace, folder] = ['the workspace of the job', 'a folder with the downloaded files'];
    return lines.every(({ name }) => !name.includes('/'))
        ? [{ where: `${workspace}, or ${folder}`, lines, mayMiss }]
        : [
            { where: workspace, lines, mayMiss },
            { ...flat, where: folder },
        ];
}
function flatten(lines) {
    const byName = Map.groupBy(lines, ({ name }) => (0,words/* baseName */.Fl)(name));
    return [...byName].flatMap(([name, some]) => {
        const [hash = '', ...others] = new Set(some.map(one => one.hash));
        return others.length === 0 ? [{ name, hash }] : [];
    });
}
function takePlain(lines) {
    const isPlain = ({ name }) => name.length <= maxNameLength && plainName.test(name);
    return lines.filter(isPlain).slice(0, maxLines);
}
function blockOf({ where, lines, mayMiss }, { isFolded }) {
    const skipped = mayMiss ? ' A file that is not there is left out.' : '';
    return [
        ...[isFolded ? `<details><summary>In ${where}</summary>` : `<p>In ${where}:</p>`, ''],
        ...['```sh', `sha256sum${mayMiss ? ' --ignore-missing' : ''} -c - <<'END'`],
        ...lines.map(({ hash, name }) => `${hash}  ${name}`),
        ...['END', '```', '', `<p>Each line must end with <code>OK</code>.${skipped}</p>`, ''],
        ...(isFolded ? ['</details>', ''] : []),
    ];
}

;// CONCATENATED MODULE: ./report/summary.js








function formatSummary(input) {
    const { line, verdict, counts, reasons, troubles, place, warnings } = input;
    const isDryRun = verdict === 'dry-run';
    const hasCancelled = reasons.shown.some(({ failure }) => failure.code === 'cancelled');
    const items = [
        ...troubles.filter(trouble => trouble !== report_verdict/* cancelled */.KW || !hasCancelled).map(troubleItem),
        ...reasons.shown.map(reasonItem),
    ];
    const what = isDryRun ? 'What could not be hashed' : 'What happened, and what to do next';
    const head = [
        ...[...(0,page/* formatPlace */.dE)(place), ...(0,page/* formatNotes */.jQ)(warnings), ...(0,page/* formatReasonItems */.ab)(what, items)],
        ...closing(input),
    ];
    if (counts.total === 0)
        return (0,page/* formatPage */.Pd)({ verdict: line, head });
    const check = isDryRun ? [] : howToCheck({ ...input, lookUp: lookUpHint(input) });
    const foot = [...attached(input), ...check];
    return (0,page/* formatPage */.Pd)({ verdict: line, head, table: tableOf(input), foot });
}
function troubleItem(trouble) {
    return { title: (0,page/* sentence */.em)(trouble.what), answers: answersOf(trouble) };
}
const answersOf = ({ aftermath, remedy }) => ({
    ...{ 'Registered or charged?': aftermath, 'Next:': remedy },
});
function reasonItem(reason) {
    const { failure, examples, count, what } = reason;
    const names = examples.map(({ name, verificationUrl }) => (0,page/* linked */.q)((0,page/* code */.aY)(name), verificationUrl));
    const { sign, state } = (0,explain/* describeState */.Jw)((0,outcome_0/* failed */.gz)(failure));
    const how = [
        ...(failure.code === state ? [] : [failure.code]),
        ...(failure.status === undefined ? [] : [`HTTP ${failure.status}`]),
    ].join(', ');
    return {
        title: `${sign}&nbsp;<b>${state}</b> (${how}): ${(0,page/* formatExamples */.$B)(names, count)}`,
        answers: { 'What happened:': what, ...answersOf(reason) },
    };
}
function closing({ reasons, recordsPath, counts, verdict }) {
    const { shown, left } = reasons;
    const more = `<p>${(0,words/* counted */.hS)(left, 'more artifact')} failed for other reasons; each row has its own.</p>`;
    const again = `<p>What the records file ${(0,page/* code */.aY)(recordsPath)} has a record of is neither sent nor charged again.</p>`;
    const isAnyRepeated = shown.some(({ failure }) => failure.code !== 'record-mismatch');
    const lines = [
        ...(left > 0 ? [more] : []),
        ...(verdict !== 'dry-run' && counts.failed > 0 && isAnyRepeated ? [again] : []),
    ];
    return lines.length === 0 ? [] : [...lines, ''];
}
function tableOf(input) {
    const { ranked, counts, recordsPath } = input;
    const columns = {
        hasRecords: counts.registered > 0,
        hasTransactions: ranked.some(({ outcome }) => transactionOf(outcome) !== ''),
    };
    return {
        titles: [
            ...(columns.hasRecords ? ['Registered at (UTC)', 'Blockchain'] : []),
            ...(columns.hasTransactions ? ['Transaction'] : []),
            ...(!columns.hasRecords && counts.failed > 0 ? ['Reason'] : []),
        ],
        rows: ranked.values().map(result => rowOf(result, input, columns)),
        total: counts.total,
        elsewhere: columns.hasRecords
            ? `${(0,page/* code */.aY)(recordsPath)} has every record`
            : 'the log of this step and the outputs have more',
    };
}
function rowOf(given, { publish, reasons }, columns) {
    const artifact = (0,outcome_0/* isRegistered */.zN)(given) ? publish(withShownFields(given)) : given;
    const { outcome, verificationUrl: url } = artifact;
    const { sign, state: words } = (0,explain/* describeState */.Jw)(outcome);
    const state = `${sign}&nbsp;${words.replace(' ', '&nbsp;')}`;
    if ((0,outcome_0/* isFailed */.Ix)(artifact)) {
        const { failure } = artifact.outcome;
        const lookUp = url === undefined ? '' : `<br>${(0,page/* linked */.q)('look it up', url)}`;
        const why = reasons.has(failure) ? failure.what : reasons.explain(artifact);
        const details = `<b>${failure.code}</b>: ${(0,page/* breakable */.mo)(why, text_escape/* maxMessageLength */.sZ)}`;
        return { state: `${state}${lookUp}`, artifact, details };
    }
    const { creationDate, blockchainType } = outcome.state === 'registered' ? outcome.record : {};
    const transaction = transactionOf(outcome);
    const details = [
        ...(columns.hasRecords ? [(0,time/* formatTime */.f)(creationDate), (0,page/* code */.aY)(blockchainType)] : []),
        ...(columns.hasTransactions ? [transaction === '' ? '–' : (0,page/* idCode */.r1)(transaction)] : []),
    ];
    return { state, artifact, details };
}
const shownFields = ['creationDate', 'blockchainType', 'txId', 'txHash'];
function withShownFields(result) {
    const fields = Object.entries(result.outcome.record);
    const record = Object.fromEntries(fields.filter(([name]) => shownFields.includes(name)));
    return { ...result, outcome: { ...result.outcome, record } };
}
function transactionOf(outcome) {
    if (outcome.state !== 'registered')
        return '';
    const { txId, txHash } = outcome.record;
    return [txId, txHash].find(value => typeof value === 'string' && value !== '')?.toString() ?? '';
}
function lookUpHint({ results, publish, place }) {
    const first = results.find(outcome_0/* isRegistered */.zN);
    if (first !== undefined && publish(first).verificationUrl !== undefined)
        return 'at the service: each SHA-256 above links it';
    const where = place.service === null ? '' : ` (${(0,page/* code */.aY)(place.service)})`;
    return `at the service${where}; with the input <code>verification-url</code>, each SHA-256 above would link it`;
}
function attached({ links, releaseTag }) {
    if (links.length === 0)
        return [];
    const names = links.map(({ name, url }) => (0,page/* linked */.q)((0,page/* code */.aY)(name), url)).join(', ');
    return [`<p>Attached to ${(0,page/* code */.aY)(releaseTag ?? 'the release')}: ${names}.</p>`, ''];
}

;// CONCATENATED MODULE: ./report/report.js











async function report(ending, options) {
    if (ending.kind === 'ended')
        return reportEnd(ending, options);
    const { inputs, recordsPath } = options;
    const paths = { recordsPath, checksumsPath: ending.checksumsPath, evidencePath: '' };
    const texts = {
        verdict: `❌ ${inputs.isDryRun ? 'DRY RUN, ' : ''}NOT NOTARIZED: stopped before anything was sent`,
        lead: '<b>Nothing was registered or charged.</b>',
        nothing: 'nothing was sent',
        outputs: (0,report_outputs/* makeOutputs */.dj)(findOut([], options), 'stopped', paths),
    };
    return (0,report_stop/* reportStop */.D)(ending.problems, texts, { ...options, ...inputs });
}
async function reportEnd(ending, options) {
    const { runner, inputs, recordsPath, halt, source } = options;
    const { attachment, checksumsPath, isRecordsFileGone } = ending;
    const findings = findOut(ending.results, options);
    const { counts, verdict } = findings;
    const hasEvidence = !inputs.isDryRun && counts.registered > 0 && !isRecordsFileGone;
    const evidencePath = hasEvidence ? await writeEvidence(options) : '';
    const outputs = (0,report_outputs/* makeOutputs */.dj)(findings, verdict, { recordsPath, checksumsPath, evidencePath });
    const outputsFailure = (0,deliver/* deliverOutputs */.e)(outputs, runner);
    const troubles = (0,report_verdict/* findTroubles */.u1)({ halt, isRecordsFileGone, attachment, outputsFailure });
    const line = (0,report_verdict/* formatVerdict */.Pu)(verdict, counts, troubles);
    const links = attachment?.links ?? [];
    for (const text of (0,log/* formatLog */.eE)(findings, line))
        runner.info(text);
    for (const { name, url } of links)
        runner.info(`attached: ${name}: ${url}`);
    const passes = verdict === 'deferred' && troubles.length === 0;
    const chargedAgain = (0,log/* formatChargedAgain */.so)(counts);
    const warnings = [
        ...(passes ? [(0,log/* formatDeferral */.nN)(line, counts)] : []),
        ...chargedAgain,
        ...(outputs.records === '' ? [noRecordsOutput] : []),
    ];
    for (const text of warnings)
        runner.warning(text);
    if (inputs.showSummary) {
        const summary = formatSummary({
            ...{ ...findings, ...inputs, line, troubles, links },
            warnings: [...chargedAgain, ...ending.warnings],
            place: { source, service: inputs.baseUrl },
        });
        await (0,deliver/* deliverSummary */.ep)(summary, runner);
    }
    const errors = [
        ...(passes ? [] : (0,log/* formatFailureError */.IO)(findings)),
        ...troubles.map(({ what, remedy }) => `${what}; ${remedy}`),
    ];
    if (errors.length > 0)
        runner.error(errors.join('. '));
    return errors.length === 0 ? 0 : 1;
}
async function writeEvidence({ runner, recordsPath, tempFolder }) {
    try {
        const text = (0,evidence/* renderEvidence */.o)(await (0,external_node_fs_promises_.readFile)(recordsPath));
        return text === null
            ? ''
            : await (0,deliver/* writeTemporary */.bW)(tempFolder, { name: own_files/* attachedNames */.dh.evidence, text });
    }
    catch (error) {
        runner.warning(`The evidence page could not be written (${(0,system_error/* describeError */.U)(error)})`);
        return '';
    }
}
const noRecordsOutput = 'The output "records" is empty, as it would have more than 120,000 bytes; read the file of the output "records-path" instead';

;// CONCATENATED MODULE: ./main.js


















async function run(given) {
    const { raw, secrets, clock } = given;
    const { secrets: others, workspace } = given.environment;
    const read = (texts) => readInputs(texts, clock.now());
    const reading = (0,input_texts/* maskAndRead */.wm)(raw, read, { secrets, others });
    const { usable: inputs, periodEndedMs } = reading;
    const source = (0,environment_0/* redactSource */.bH)(given.environment.source, text => secrets.redactText(text));
    const environment = { ...given.environment, source };
    const host = { ...given, environment };
    const recordsPath = external_node_path_.resolve(workspace, inputs.recordsPath);
    const ending = await notarize(host, { ...reading, recordsPath });
    return report(ending, { ...environment, ...host, inputs, recordsPath, periodEndedMs });
}
async function notarize(host, task) {
    const { environment, runner, halt } = host;
    let checksumsPath = '';
    try {
        const prepared = await prepare(host, task);
        const { inputs, plan, warnings } = prepared;
        checksumsPath = await (0,deliver/* writeChecksumsFile */.SJ)(plan.checksums, environment.tempFolder);
        stop/* Stop */.VG.ifAny(plan.problems);
        const planned = (0,log/* describePlan */.df)(plan);
        runner.info(planned.line);
        const open = inputs.isDryRun ? [] : planned.warnings;
        const done = inputs.isDryRun
            ? { results: dryRunResults(plan), attachment: null, isRecordsFileGone: false }
            : await registerAndAttach(host, { ...task, ...prepared, inputs });
        return { kind: 'ended', ...done, checksumsPath, warnings: [...open, ...warnings] };
    }
    catch (error) {
        const isStop = error instanceof stop/* Stop */.VG;
        if (!isStop)
            halt.noteBug(error, environment.reportTo);
        return { kind: 'stopped', problems: isStop ? error.problems : [], checksumsPath };
    }
}
async function prepare(host, task) {
    const { environment, runner, secrets, halt, clock, workerFile } = host;
    const { usable, inputs, problems, recordsPath } = task;
    const redact = (text) => secrets.redactText(text);
    const warnings = [];
    const warn = (texts) => {
        warnings.push(...texts.map(redact));
        texts.forEach(runner.warning);
    };
    warn(task.warnings);
    task.notices.forEach(runner.notice);
    const place = { ...environment, path: external_node_path_ };
    const found = await (0,collect/* collectArtifacts */.k)(usable, { place, halt: halt.signal, skip: [recordsPath] });
    found.warnings.forEach(runner.warning);
    if (inputs === null)
        throw new stop/* Stop */.VG(...problems, ...found.problems);
    stop/* Stop */.VG.ifAny(found.problems);
    const hosting = { ...host, ...environment, redact, log: runner.info, makeId: external_node_crypto_.randomUUID };
    const release = await (0,release_open/* openRelease */.g)(inputs, hosting);
    release.warnings.forEach(runner.warning);
    const count = found.files.length + found.listed.length;
    if (!inputs.isDryRun && count > 1000)
        (0,memory/* collectEarly */.E)();
    const onProgress = (0,progress/* createProgress */.m)('hashing', clock, runner.info);
    const hashed = await (0,hash/* hashFiles */.y)(found.files, halt.signal, { workerFile, onProgress });
    const { baseUrl: service, recordsPath: name } = inputs;
    const store = (0,records_store/* readRecords */.T)({ path: recordsPath, name, held: await release.readRecords(), service });
    const plan = makePlan({
        ...{ ...inputs, ...store, source: environment.source, release: release.facts },
        artifacts: [...hashed, ...found.listed, ...release.artifacts],
        counts: [...found.counts, ...release.counts],
        hasSecret: text => secrets.isIn(text),
    });
    warn([...store.warnings, ...plan.warnings]);
    return { inputs, release, store, plan, warnings };
}
async function registerAndAttach(host, task) {
    const { environment, secrets, halt } = host;
    const { inputs, plan, release, store, recordsPath } = task;
    const { toRegister } = plan;
    const evidenceOf = (results) => {
        const hashes = new Set(results.filter(outcome_0/* isRegistered */.zN).map(({ hash }) => hash ?? ''));
        return { recordsPath, hashes };
    };
    const isComplete = toRegister.length === 0;
    await release.checkAttachable(isComplete ? evidenceOf(plan.artifacts) : null);
    secrets.spare(plan.artifacts.flatMap(({ hash, size }) => [hash ?? '', String(size ?? '')]));
    const { register } = await __webpack_require__.e(/* import() */ 206).then(__webpack_require__.bind(__webpack_require__, 8206));
    const registering = { ...host, inputs, recordsPath, store };
    const { outcomes, isRecordsFileGone } = await register(toRegister, registering);
    const lost = halt.bug ?? (0,failure/* bugFailure */.fT)('an artifact has no outcome', environment.reportTo);
    const results = resultsOf(plan, outcomes, lost);
    const attachment = isRecordsFileGone ? null : await release.attach(evidenceOf(results));
    return { results, attachment, isRecordsFileGone };
}

;// CONCATENATED MODULE: ./action.js



const workerPath = './hash-worker/index.js';
async function runAction(name, cancelled) {
    const shared = { workerFile: new URL(workerPath, import.meta.url), cancelled };
    if (name === 'notarize') {
        await runInHost({ ...shared, defaults: inputDefaults, run: run });
        return;
    }
    const { verify, verifyDefaults } = await __webpack_require__.e(/* import() */ 592).then(__webpack_require__.bind(__webpack_require__, 8592));
    await runInHost({ ...shared, defaults: verifyDefaults, run: verify });
}


/***/ }),

/***/ 7163:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   S: () => (/* binding */ isHashed),
/* harmony export */   v: () => (/* binding */ describeCount)
/* harmony export */ });
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5765);
/* harmony import */ var _text_words_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4904);


const nouns = {
    path: ['file', 'files'],
    checksums: ['checksums entry', 'checksums entries'],
    'release-tag': ['release asset', 'release assets'],
};
function describeCount({ input, text, count }) {
    const [one, many] = nouns[input];
    return `"${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .quote */ .hD)(text, 100)}" matches ${(0,_text_words_js__WEBPACK_IMPORTED_MODULE_1__/* .counted */ .hS)(count, one, many)}`;
}
function isHashed(artifact) {
    return 'hash' in artifact;
}


/***/ }),

/***/ 7393:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   r: () => (/* binding */ formatChecksum),
/* harmony export */   y: () => (/* binding */ parseChecksums)
/* harmony export */ });
/* harmony import */ var node_buffer__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4573);

const source = 'checksums';
const maxErrors = 5;
const newline = 0x0a;
const carriageReturn = 0x0d;
const byteOrderMark = Buffer.from('\ufeff');
const gnuLine = /^(?<escape>\\?)(?:(?<prefix>[a-z0-9/-]{1,20}):)?(?<hash>[0-9A-Fa-f]{32,200})(?: [ *]?(?<name>.*))?$/s;
const bsdLine = /^(?<escape>\\?)(?<algorithm>[A-Za-z0-9/-]{1,20}) ?\((?<name>.*)\) ?= (?:(?<prefix>[a-z0-9/-]{1,20}):)?(?<hash>[0-9A-Fa-f]{32,200})$/s;
const accepted = new Set(['SHA256', 'SHA2-256', 'sha256']);
function parseChecksums(bytes, fileName) {
    const entries = [];
    const errors = [];
    let errorCount = 0;
    let loneHash = null;
    const isText = (0,node_buffer__WEBPACK_IMPORTED_MODULE_0__.isUtf8)(bytes);
    const hasMark = bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark);
    let start = hasMark ? byteOrderMark.length : 0;
    for (let number = 1; start <= bytes.length; number++) {
        const next = bytes.indexOf(newline, start);
        const end = next === -1 ? bytes.length : next;
        const isCrLf = end > start && bytes[end - 1] === carriageReturn;
        const line = bytes.subarray(start, isCrLf ? end - 1 : end);
        const read = isText || (0,node_buffer__WEBPACK_IMPORTED_MODULE_0__.isUtf8)(line) ? readLine(line.toString()) : wrong('it is not UTF-8 text');
        start = end + 1;
        if (read === null)
            continue;
        if ('name' in read)
            entries.push({ source, name: read.name, size: null, hash: read.hash });
        else {
            errorCount += 1;
            if (errors.length < maxErrors)
                errors.push(`line ${number}: ${read.error}`);
            loneHash = read.hash;
        }
    }
    const [, name] = /^(.*[^/])\.sha256(?:sum)?$/s.exec(fileName) ?? [];
    return loneHash !== null && name !== undefined && errorCount === 1 && entries.length === 0
        ? { entries: [{ source, name, size: null, hash: loneHash }], errors: [], errorCount: 0 }
        : { entries, errors, errorCount };
}
function readLine(line) {
    if (line.startsWith('#') || line.trim() === '')
        return null;
    const { groups } = gnuLine.exec(line) ?? bsdLine.exec(line) ?? {};
    if (groups === undefined)
        return wrong('neither "<hex>  name" nor "SHA256 (name) = <hex>"');
    const { escape, algorithm, prefix, hash = '', name } = groups;
    const other = [algorithm, prefix].find(one => one !== undefined && !accepted.has(one));
    if (other !== undefined) {
        return wrong(`the algorithm ${other} is not accepted; give SHA-256 checksums`);
    }
    if (hash.length !== 64) {
        return wrong(`a checksum of ${hash.length} hex digits is not SHA-256, which has 64; give SHA-256 checksums`);
    }
    if (name === undefined) {
        const error = 'a checksum without a name; it may stand alone in a file named <artifact>.sha256';
        return { hash: hash.toLowerCase(), error };
    }
    const text = escape === '' ? name : unescapeName(name);
    if (text === undefined)
        return wrong('the name has an escape other than \\\\, \\n and \\r');
    const plain = text.replace(/^\.\/+/, '');
    return plain === '' || plain.includes('\0')
        ? wrong('there is no usable name')
        : { name: copy(plain), hash: copy(hash.toLowerCase()) };
}
function copy(text) {
    return Buffer.from(text).toString();
}
function wrong(error) {
    return { hash: null, error };
}
const escaped = new Map([
    ['\\\\', '\\'],
    ['\\n', '\n'],
    ['\\r', '\r'],
]);
function unescapeName(name) {
    let others = 0;
    const text = name.replace(/\\.?/gs, found => {
        if (!escaped.has(found))
            others += 1;
        return escaped.get(found) ?? '';
    });
    return others === 0 ? text : undefined;
}
function formatChecksum({ name, hash }) {
    if (name === '-')
        return `${hash}  ./-\n`;
    const escaped = name.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
    return `${escaped === name ? '' : '\\'}${hash}  ${escaped}\n`;
}


/***/ }),

/***/ 527:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   k: () => (/* binding */ collectArtifacts)
/* harmony export */ });
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3024);
/* harmony import */ var _failure_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7579);
/* harmony import */ var _stop_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(2553);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(5765);
/* harmony import */ var _text_system_error_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(8343);
/* harmony import */ var _text_words_js__WEBPACK_IMPORTED_MODULE_9__ = __webpack_require__(4904);
/* harmony import */ var _checksums_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(7393);
/* harmony import */ var _files_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(665);
/* harmony import */ var _folder_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(6529);
/* harmony import */ var _own_files_js__WEBPACK_IMPORTED_MODULE_8__ = __webpack_require__(1683);










const maxChecksumsBytes = 64 * 1024 * 1024;
async function collectArtifacts(inputs, { remedy = 'correct the pattern, or set if-no-files-found', ...options }) {
    const leaveOut = Object.values(_own_files_js__WEBPACK_IMPORTED_MODULE_8__/* .attachedNames */ .dh);
    const skip = options.skip.map(_folder_js__WEBPACK_IMPORTED_MODULE_7__/* .realPathOf */ .dN);
    const found = await (0,_files_js__WEBPACK_IMPORTED_MODULE_6__/* .findFiles */ .l)(inputs.path, { ...options, skip, leaveOut });
    const lists = await (0,_files_js__WEBPACK_IMPORTED_MODULE_6__/* .findFiles */ .l)(inputs.checksums, { ...options, skip });
    const isOwn = ownFiles(options);
    const readings = new Map(lists.files.map(file => [file, readList(file)]));
    const read = [...readings.values()];
    const empty = [...readings].filter(([, { entries, errors }]) => entries.length + errors.length === 0);
    const sources = [
        { input: 'path', errors: found.errors, nothing: unmatched(found, 'file') },
        {
            input: 'checksums',
            errors: [...lists.errors, ...read.flatMap(({ errors }) => errors)],
            nothing: [
                ...unmatched(lists, 'checksums file'),
                ...empty.map(([{ name }]) => `the checksums file "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_3__/* .quote */ .hD)(name)}" has no entries`),
            ],
        },
    ];
    const problems = sources.flatMap(({ input, errors, nothing }) => {
        const isWrong = inputs.ifNoFilesFound === 'error' && nothing.length > 0;
        const all = isWrong ? [...errors, `${nothing.join('; ')}; ${remedy}`] : errors;
        return all.length === 0 ? [] : [(0,_stop_js__WEBPACK_IMPORTED_MODULE_2__/* .problemAt */ .l4)(input, all.join('; '))];
    });
    const nothing = sources.flatMap(({ input, nothing }) => nothing.map(text => (0,_stop_js__WEBPACK_IMPORTED_MODULE_2__/* .problemAt */ .l4)(input, text).message));
    const entriesIn = (file) => readings.get(file)?.entries.length ?? 0;
    const counts = [
        ...found.patterns.map(({ text, count }) => ({ input: 'path', text, count })),
        ...lists.patterns.map(({ text, count, files }) => {
            const all = files.reduce((sum, file) => sum + entriesIn(file), count - files.length);
            return { input: 'checksums', text, count: all };
        }),
    ];
    const hasText = inputs.path !== '' || inputs.checksums !== '';
    const isEmpty = hasText && counts.length === 0 && problems.length === 0;
    return {
        files: found.files,
        listed: [
            ...found.unreadable.map(name => unreadableName('path', name)),
            ...lists.unreadable.map(name => unreadableName('checksums', name)),
            ...read.flatMap(({ entries }) => entries).filter(({ name }) => !isOwn(name)),
        ],
        counts,
        problems: isEmpty ? [(0,_stop_js__WEBPACK_IMPORTED_MODULE_2__/* .problemAt */ .l4)('path', noPattern)] : problems,
        warnings: [
            ...found.warnings,
            ...lists.warnings,
            ...(inputs.ifNoFilesFound === 'warn' ? nothing : []),
        ],
    };
}
const noPattern = 'there is no pattern that includes anything; give one pattern a line';
function unmatched({ patterns }, what) {
    return patterns
        .filter(({ count }) => count === 0)
        .map(({ text }) => `the pattern "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_3__/* .quote */ .hD)(text)}" matches no ${what}`);
}
function ownFiles({ place: { path, workspace }, skip, }) {
    const attached = new Set(Object.values(_own_files_js__WEBPACK_IMPORTED_MODULE_8__/* .attachedNames */ .dh));
    const records = new Set(skip.map(_folder_js__WEBPACK_IMPORTED_MODULE_7__/* .realPathOf */ .dN));
    const names = new Set([...skip, ...records].map(file => path.basename(file)));
    return name => {
        const base = (0,_text_words_js__WEBPACK_IMPORTED_MODULE_9__/* .baseName */ .Fl)(name);
        if (attached.has(base))
            return true;
        return names.has(base) && records.has((0,_folder_js__WEBPACK_IMPORTED_MODULE_7__/* .realPathOf */ .dN)(path.resolve(workspace, name)));
    };
}
function readList({ name, absolutePath }) {
    const shown = (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_3__/* .quote */ .hD)(name);
    const fail = (why) => ({ entries: [], errors: [`"${shown}" ${why}`] });
    try {
        if ((0,node_fs__WEBPACK_IMPORTED_MODULE_0__.statSync)(absolutePath).size > maxChecksumsBytes)
            return fail('is larger than 64 MiB, which no checksums file is');
        const { entries, errors, errorCount } = (0,_checksums_js__WEBPACK_IMPORTED_MODULE_5__/* .parseChecksums */ .y)((0,node_fs__WEBPACK_IMPORTED_MODULE_0__.readFileSync)(absolutePath), name);
        const more = errorCount - errors.length;
        const rest = more > 0 ? [`"${shown}": ${more} more such lines`] : [];
        return { entries, errors: [...errors.map(error => `"${shown}", ${error}`), ...rest] };
    }
    catch (error) {
        return fail(`could not be read: ${(0,_text_system_error_js__WEBPACK_IMPORTED_MODULE_4__/* .describeError */ .U)(error)}`);
    }
}
function unreadableName(source, name) {
    const failure = (0,_failure_js__WEBPACK_IMPORTED_MODULE_1__/* .makeFailure */ .ro)({
        code: 'unreadable',
        what: 'its name is not valid UTF-8, so no record can name it',
        remedy: 'rename it, or exclude it with a pattern that begins with !',
    });
    return { source, name, failure };
}


/***/ }),

/***/ 665:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  l: () => (/* binding */ findFiles)
});

// EXTERNAL MODULE: ./text/escape.js
var text_escape = __webpack_require__(5765);
// EXTERNAL MODULE: ./text/words.js
var words = __webpack_require__(4904);
;// CONCATENATED MODULE: ./artifacts/pattern-text.js
function resolvePattern(body, { workspace, home, path }) {
    const isWindows = path.sep === '\\';
    const text = isWindows ? body.replaceAll('\\', '/') : body;
    const { root } = path.parse(isWindows ? body.replaceAll('/', '\\') : body);
    if (/[*?[]/.test(root))
        throw new Error('the root of a pattern must not have wildcards');
    const given = text.slice(root.length).split('/').filter(isNotEmpty);
    const [first] = root === '' ? given : [];
    const folder = path.resolve(first === '~' ? home : workspace, root);
    const names = given.slice(first === '~' || first === '.' ? 1 : 0);
    const parts = [...partsOf(folder, path).map(escapeGlob), ...names];
    return parts.slice(0, parts.findLastIndex(part => part !== '**') + 1);
}
function partsOf(absolute, path) {
    const { root } = path.parse(absolute);
    return [root, ...absolute.slice(root.length).split(path.sep).filter(isNotEmpty)];
}
function fold(name, { sep }) {
    return sep === '\\' ? name.toLowerCase() : name;
}
function normalPlace(place) {
    return { ...place, workspace: asFolder(place.path.resolve(place.workspace), place) };
}
function asFolder(path, { path: { sep } }) {
    return path.endsWith(sep) ? path : path + sep;
}
function leadsToWorkspace(path, place) {
    const folder = fold(asFolder(path, place), place.path);
    return fold(place.workspace, place.path).startsWith(folder);
}
function nameOf(path, { workspace, path: rules }) {
    const isInside = fold(path, rules).startsWith(fold(workspace, rules));
    const name = isInside ? path.slice(workspace.length) : path;
    return rules.sep === '/' ? name : name.replaceAll(rules.sep, '/');
}
function isNotEmpty(part) {
    return part !== '';
}
function escapeGlob(name) {
    return name.replaceAll('\\', '\\\\').replace(/[[?*]/g, '[$&]');
}

// EXTERNAL MODULE: ../node_modules/minimatch/dist/esm/index.js + 7 modules
var esm = __webpack_require__(3891);
// EXTERNAL MODULE: ./text/system-error.js
var system_error = __webpack_require__(8343);
;// CONCATENATED MODULE: ./artifacts/pattern.js




const maxLength = 4096;
const maxClasses = 100;
class Pattern {
    text;
    isExclusion;
    base;
    #parts;
    #naming;
    #endsWithSeparator;
    constructor(text, place) {
        const [, marks = '', body = ''] = /^((?:!\s*)*)(.*)$/s.exec(text) ?? [];
        this.text = text;
        this.isExclusion = marks.replace(/\s/g, '').length % 2 === 1;
        if (body === '')
            throw new Error('there is nothing after the !');
        if (body.length > maxLength)
            throw new Error(`it has more than ${maxLength} characters`);
        const parts = resolvePattern(body, place);
        if (parts.some(part => part.split('[').length > maxClasses + 1)) {
            throw new Error(`a part of it has more than ${maxClasses} times [`);
        }
        this.#parts = parts.map(part => parsePart(fold(part, place.path)));
        this.#naming = [...parts.keys()].filter(at => /^(?:\\?\.|\[\\?\.\])/.test(parts[at] ?? ''));
        this.#endsWithSeparator = body.endsWith('/') || body.endsWith(place.path.sep);
        const end = this.#parts.findIndex(part => typeof part !== 'string');
        this.base = parts.slice(0, end === -1 ? undefined : end).map(part => String(parsePart(part)));
        if (this.#parts.some(part => part === '.' || part === '..')) {
            throw new Error('. and .. are not allowed within a pattern; name the folder itself');
        }
    }
    get start() {
        return { pattern: this, start: 0, rests: [0], isWhole: false };
    }
    follow(track, { parts, isHidden, isFolder }) {
        const here = isHidden && !this.isExclusion ? this.#passHidden(track, parts) : track;
        if (here.isWhole)
            return here;
        const mayEndHere = isFolder || !this.#endsWithSeparator;
        if (mayEndHere && this.#match(here, parts, 'whole'))
            return { ...here, isWhole: true };
        return isFolder && this.#match(here, parts, 'partial') ? here : null;
    }
    #match({ start, rests }, parts, extent) {
        const literal = start === 0 && parts.length <= this.base.length && this.#parts[parts.length - 1];
        if (typeof literal === 'string' && literal !== parts.at(-1))
            return false;
        const path = parts.slice(start);
        return rests.some(at => rules.matchOne(path, this.#parts.slice(at), extent === 'partial'));
    }
    #passHidden({ start, rests }, parts) {
        const path = parts.slice(start);
        const isReached = (end) => rests.some(at => rules.matchOne(path, this.#parts.slice(at, end)));
        const behind = this.#naming.map(at => at + 1).filter(isReached);
        return { pattern: this, start: parts.length, rests: behind, isWhole: false };
    }
}
function readPatterns(text, place) {
    const patterns = [];
    const errors = [];
    for (const line of text.split(/[\r\n]/).map(given => given.trim())) {
        if (line === '' || line.startsWith('#'))
            continue;
        try {
            patterns.push(new Pattern(line, place));
        }
        catch (error) {
            errors.push(`pattern "${(0,text_escape/* quote */.hD)(line)}" cannot be used: ${(0,system_error/* describeError */.U)(error)}`);
        }
    }
    return { patterns, errors };
}
function followAll(tracks, step) {
    if (!step.isHidden && tracks.every(({ isWhole }) => isWhole))
        return tracks;
    const below = [];
    for (const track of tracks) {
        const next = track.pattern.follow(track, step);
        if (next?.isWhole === true && next.pattern.isExclusion)
            below.length = 0;
        else if (next !== null)
            below.push(next);
    }
    return below;
}
const rules = new esm/* Minimatch */.VR('', {
    ...{ platform: 'linux', dot: true, noext: true, maxGlobstarRecursion: Infinity },
});
function parsePart(part) {
    if (!/[*?[\\]/.test(part))
        return part;
    const parsed = rules.parse(part);
    return typeof parsed === 'object' ? boundStars(parsed) : parsed;
}
const star = '[^/]*?';
function boundStars(matcher) {
    const [first = '', ...texts] = matcher.source.split(star);
    const last = texts.pop();
    if (last === undefined || texts.length === 0)
        return matcher;
    const found = texts.map((text, at) => `(?=(?<found${at}>${star}${text}))\\k<found${at}>`);
    return new RegExp(`${first}${found.join('')}${star}${last}`, matcher.flags);
}

// EXTERNAL MODULE: external "node:timers/promises"
var promises_ = __webpack_require__(8500);
// EXTERNAL MODULE: ./stop.js
var stop = __webpack_require__(2553);
// EXTERNAL MODULE: ./artifacts/folder.js
var folder = __webpack_require__(6529);
;// CONCATENATED MODULE: ./artifacts/walk.js







const maxEntries = 1_000_000;
const entriesBetweenPauses = 512;
class Walk {
    #options;
    #lists = new Map();
    #errors = [];
    constructor(options) {
        this.#options = options;
    }
    async run(patterns) {
        const tracks = patterns.map(({ start }) => start);
        const top = { path: '', realPath: '', above: [], parts: [], tracks, named: namedBy(tracks, 0) };
        const open = [top];
        let count = 0;
        for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
            const below = [];
            for (const entry of this.#entriesOf(folder)) {
                if (count % entriesBetweenPauses === 0)
                    await (0,promises_.setImmediate)();
                if (this.#options.halt.aborted)
                    throw new stop/* Stop */.VG();
                count += 1;
                if (count > maxEntries)
                    return [tooMany];
                const next = this.#meet(folder, entry);
                if (next !== null)
                    below.push(next);
            }
            for (const next of below.reverse())
                open.push(next);
        }
        return this.#errors;
    }
    #entriesOf({ path, realPath, above, named }) {
        const { place } = this.#options;
        if (named !== null) {
            const distinct = new Map(named.map(name => [fold(name, place.path), name]));
            return [...distinct.values()].flatMap(name => (0,folder/* look */.Op)(realPath, name) ?? []);
        }
        if (above.includes(realPath))
            return [];
        try {
            const entries = this.#lists.get(realPath) ?? (0,folder/* listFolder */.bt)(realPath);
            if (path !== realPath)
                this.#lists.set(realPath, entries);
            return entries;
        }
        catch (error) {
            const name = nameOf(path, place).slice(0, -1);
            const shown = (0,text_escape/* quote */.hD)(name === '' ? '.' : name);
            this.#errors.push(`the folder "${shown}" cannot be read: ${(0,system_error/* describeError */.U)(error)}`);
            return [];
        }
    }
    #meet(folder, entry) {
        const { place, onMatch } = this.#options;
        const { name, kind, shown } = entry;
        const path = folder.path + name;
        const realPath = entry.target ?? folder.realPath + name;
        const parts = [...folder.parts, fold(name, place.path)];
        const isHidden = name.startsWith('.') && !leadsToWorkspace(path, place);
        const tracks = followAll(folder.tracks, { parts, isHidden, isFolder: kind === 'folder' });
        if (tracks.every(({ pattern }) => pattern.isExclusion))
            return null;
        if (kind !== 'folder' || shown !== null) {
            const shownName = nameOf(shown === null ? path : folder.path + shown, place);
            onMatch({ entry, name: shownName, absolutePath: path, realPath, tracks });
            return null;
        }
        return {
            ...{ path: asFolder(path, place), realPath: asFolder(realPath, place), parts, tracks },
            above: folder.named === null ? [...folder.above, folder.realPath] : [],
            named: namedBy(tracks, parts.length),
        };
    }
}
function namedBy(tracks, depth) {
    const names = [];
    for (const { pattern, isWhole } of tracks) {
        if (pattern.isExclusion)
            continue;
        const name = isWhole ? undefined : pattern.base[depth];
        if (name === undefined)
            return null;
        names.push(name);
    }
    return names;
}
const tooMany = 'its patterns lead through more than 1,000,000 files and folders; name the folders of the artifacts, and beware of links between folders';

;// CONCATENATED MODULE: ./artifacts/files.js





const maxSkippedShown = 20;
async function findFiles(text, { place: given, halt, skip = [], leaveOut = [] }) {
    const place = normalPlace(given);
    const { patterns, errors } = readPatterns(text, place);
    if (errors.length > 0)
        return { files: [], unreadable: [], patterns: [], errors, warnings: [] };
    const files = [];
    const unreadable = [];
    const skipped = [];
    const counts = new Map();
    for (const one of patterns) {
        if (!one.isExclusion)
            counts.set(one, { text: one.text, count: 0, files: [] });
    }
    const count = (tracks, file) => {
        for (const { pattern } of tracks) {
            const matched = counts.get(pattern);
            if (matched === undefined)
                continue;
            matched.count += 1;
            if (file !== null)
                matched.files.push(file);
        }
    };
    const onMatch = ({ entry, name, absolutePath, realPath, tracks }) => {
        const { kind } = entry;
        if (entry.shown !== null) {
            unreadable.push(name);
            count(tracks, null);
        }
        else if (skip.includes(realPath)) {
            return;
        }
        else if (leaveOut.includes(entry.name)) {
            const isNamed = tracks.some(({ pattern }) => pattern.text.endsWith(entry.name));
            if (isNamed)
                skipped.push(leftOut(name));
        }
        else if (kind === 'file') {
            const file = { name, absolutePath };
            files.push(file);
            count(tracks, file);
        }
        else
            skipped.push(`"${(0,text_escape/* quote */.hD)(name)}" is skipped: it is a ${kind}, not a regular file`);
    };
    const walked = await new Walk({ place, halt, onMatch }).run(patterns);
    const more = skipped.length - maxSkippedShown;
    return {
        files: files.sort((a, b) => (0,words/* compareCodeUnits */.UF)(a.name, b.name)),
        unreadable: unreadable.sort(words/* compareCodeUnits */.UF),
        patterns: [...counts.values()],
        errors: walked,
        warnings: [
            ...skipped.slice(0, maxSkippedShown),
            ...(more > 0 ? [`${more} more are skipped or left out`] : []),
        ],
    };
}
function leftOut(name) {
    return `"${(0,text_escape/* quote */.hD)(name)}" is left out: this action attaches files of this name to releases, so they are never artifacts`;
}


/***/ }),

/***/ 6529:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Op: () => (/* binding */ look),
/* harmony export */   bt: () => (/* binding */ listFolder),
/* harmony export */   dN: () => (/* binding */ realPathOf)
/* harmony export */ });
/* harmony import */ var node_buffer__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4573);
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(3024);
/* harmony import */ var _text_system_error_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8343);



function listFolder(path) {
    const entries = (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.readdirSync)(path, { withFileTypes: true });
    return entries.some(({ name }) => name.includes('\ufffd'))
        ? (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.readdirSync)(path, { withFileTypes: true, encoding: 'buffer' }).map(one => toEntry(one, path))
        : entries.map(entry => toEntry(entry, path));
}
function toEntry(entry, folder) {
    const { name: given } = entry;
    const name = given.toString();
    const shown = typeof given === 'string' || (0,node_buffer__WEBPACK_IMPORTED_MODULE_0__.isUtf8)(given) ? null : showBytes(given);
    if (entry.isFile())
        return { name, kind: 'file', target: null, shown };
    if (entry.isDirectory())
        return { name, kind: 'folder', target: null, shown };
    const path = typeof given === 'string' ? folder + given : Buffer.concat([Buffer.from(folder), given]);
    const kind = entry.isSymbolicLink() ? kindOf(path) : 'FIFO, socket or device';
    return { name, kind: kind ?? 'broken link', target: realPathOf(folder + name), shown };
}
function look(path, name) {
    const kind = kindOf(path + name);
    return kind && { name, kind, target: realPathOf(path + name), shown: null };
}
function kindOf(path) {
    try {
        const stats = (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.statSync)(path);
        if (stats.isFile())
            return 'file';
        return stats.isDirectory() ? 'folder' : 'FIFO, socket or device';
    }
    catch (error) {
        const code = (0,_text_system_error_js__WEBPACK_IMPORTED_MODULE_2__/* .errorCode */ .C)(error) ?? '';
        if (!['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'].includes(code))
            return 'file';
        return isLink(path) ? 'broken link' : null;
    }
}
function isLink(path) {
    try {
        return (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.lstatSync)(path).isSymbolicLink();
    }
    catch {
        return false;
    }
}
function realPathOf(absolutePath) {
    try {
        return node_fs__WEBPACK_IMPORTED_MODULE_1__.realpathSync.native(absolutePath);
    }
    catch {
        return absolutePath;
    }
}
const character = /[\x00-\x7f]|[\xc2-\xdf][\x80-\xbf]|(?:\xe0[\xa0-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]|\xed[\x80-\x9f])[\x80-\xbf]|(?:\xf0[\x90-\xbf]|[\xf1-\xf3][\x80-\xbf]|\xf4[\x80-\x8f])[\x80-\xbf]{2}|([\x80-\xff])/g;
function showBytes(bytes) {
    return bytes
        .toString('latin1')
        .replace(character, (valid, byte) => byte === undefined
        ? Buffer.from(valid, 'latin1').toString()
        : `\\x${byte.charCodeAt(0).toString(16).toUpperCase()}`);
}


/***/ }),

/***/ 2049:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  y: () => (/* binding */ hashFiles)
});

// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: external "node:os"
var external_node_os_ = __webpack_require__(8161);
// EXTERNAL MODULE: ../node_modules/zod/v4/mini/schemas.js + 2 modules
var schemas = __webpack_require__(2417);
// EXTERNAL MODULE: ./failure.js
var failure = __webpack_require__(7579);
// EXTERNAL MODULE: ./halt.js
var halt = __webpack_require__(8146);
// EXTERNAL MODULE: ./text/size.js
var size = __webpack_require__(3004);
// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: external "node:timers/promises"
var promises_ = __webpack_require__(8500);
// EXTERNAL MODULE: ./text/system-error.js
var system_error = __webpack_require__(8343);
;// CONCATENATED MODULE: ./artifacts/hash-share.js




const shared = { next: 0, stop: 1, mebibytes: 2, files: 3 };
const hashDigits = 64;
const bufferBytes = 1024 * 1024;
const bytesBetweenPauses = 64 * bufferBytes;
const fileOverheadBytes = 64 * 1024;
function createTask(paths) {
    return {
        paths,
        counters: new Int32Array(new SharedArrayBuffer(16)),
        sizes: new Float64Array(new SharedArrayBuffer(8 * paths.length)).fill(-1),
        hashes: new Uint8Array(new SharedArrayBuffer(hashDigits * paths.length)),
    };
}
function isHashTask(data) {
    return typeof data === 'object' && data !== null && 'paths' in data && 'hashes' in data;
}
async function hashShare(task) {
    const { paths, counters, sizes } = task;
    const buffer = Buffer.allocUnsafeSlow(bufferBytes);
    const faults = [];
    let sincePause = 0;
    for (;;) {
        const index = Atomics.add(counters, shared.next, 1);
        if (index >= paths.length)
            return faults;
        try {
            for (const bytes of hashFile(index, task, buffer)) {
                if (bytes === bufferBytes)
                    Atomics.add(counters, shared.mebibytes, 1);
                sincePause += bytes + fileOverheadBytes;
                if (sincePause > bytesBetweenPauses) {
                    sincePause = 0;
                    await (0,promises_.setImmediate)();
                }
                if (Atomics.load(counters, shared.stop) === 1)
                    return faults;
            }
            const why = 'it changed while it was read';
            if (sizes[index] === -1)
                faults.push({ index, code: 'changed', why });
        }
        catch (error) {
            faults.push({ index, code: 'unreadable', why: (0,system_error/* describeError */.U)(error) });
        }
        Atomics.add(counters, shared.files, 1);
    }
}
const unchanging = ['ino', 'dev', 'size', 'mtimeMs', 'ctimeMs'];
function* hashFile(index, { paths, sizes, hashes }, buffer) {
    const path = paths[index] ?? '';
    const descriptor = (0,external_node_fs_.openSync)(path, external_node_fs_.constants.O_RDONLY | external_node_fs_.constants.O_NONBLOCK);
    try {
        const before = (0,external_node_fs_.fstatSync)(descriptor);
        if (!before.isFile())
            return;
        let long = null;
        for (let size = 0;;) {
            const read = (0,external_node_fs_.readSync)(descriptor, buffer);
            yield read;
            size += read;
            const part = buffer.subarray(0, read);
            if (read > 0 && size < before.size) {
                long = (long ?? (0,external_node_crypto_.createHash)('sha256')).update(part);
                continue;
            }
            const after = (0,external_node_fs_.statSync)(path);
            if (size !== before.size || unchanging.some(key => before[key] !== after[key]))
                return;
            const digits = long?.update(part).digest('hex') ?? (0,external_node_crypto_.hash)('sha256', part);
            Buffer.from(hashes.buffer).write(digits, index * hashDigits, 'latin1');
            sizes[index] = size;
            return;
        }
    }
    finally {
        (0,external_node_fs_.closeSync)(descriptor);
    }
}

;// CONCATENATED MODULE: ./artifacts/hash.js







const minBytesForWorkers = 64 * 1024 * 1024;
const minFilesForWorkers = 2_000;
const maxThreads = 8;
const pollMs = 250;
async function hashFiles(files, halt, { workerFile, onProgress = () => undefined, } = {}) {
    const sorted = workerFile === undefined ? null : sortForThreads(files);
    const queue = sorted ?? files;
    const task = createTask(queue.map(({ absolutePath }) => absolutePath));
    const stop = () => {
        Atomics.store(task.counters, shared.stop, 1);
    };
    const timer = setInterval(() => {
        onProgress(progressOf(task));
    }, pollMs);
    halt.addEventListener('abort', stop);
    if (halt.aborted)
        stop();
    try {
        const shares = [];
        if (workerFile !== undefined && sorted !== null) {
            const count = Math.min((0,external_node_os_.availableParallelism)(), maxThreads, files.length) - 1;
            for (let index = 0; index < count; index++)
                shares.push(hashInWorker(workerFile, task));
        }
        shares.push(hashShare(task));
        const faults = (await Promise.all(shares)).flat();
        return toArtifacts(queue, task, faults);
    }
    finally {
        clearInterval(timer);
        halt.removeEventListener('abort', stop);
    }
}
function sortForThreads(files) {
    if ((0,external_node_os_.availableParallelism)() < 2 || files.length < 2)
        return null;
    if (files.length >= minFilesForWorkers)
        return files;
    const sized = files.map(file => ({ file, size: sizeOf(file.absolutePath) }));
    if (sized.reduce((sum, { size }) => sum + size, 0) < minBytesForWorkers)
        return null;
    return sized.sort((a, b) => b.size - a.size).map(({ file }) => file);
}
function sizeOf(path) {
    try {
        return (0,external_node_fs_.statSync)(path).size;
    }
    catch {
        return 0;
    }
}
function progressOf({ paths, counters }) {
    const bytes = Atomics.load(counters, shared.mebibytes) * 1024 * 1024;
    const detail = bytes === 0 ? '' : (0,size/* formatSize */.X)(bytes);
    return { done: Atomics.load(counters, shared.files), total: paths.length, detail };
}
const faultsSchema = schemas/* array */.YOg(schemas/* object */.Ikc({ index: schemas/* number */.aig(), code: schemas/* enum */.k5n(['unreadable', 'changed']), why: schemas/* string */.YjP() }));
async function hashInWorker(file, workerData) {
    const { promise, resolve, reject } = Promise.withResolvers();
    const { Worker } = process.getBuiltinModule('node:worker_threads');
    const worker = new Worker(file, { workerData });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', code => {
        reject(new Error(`a hash worker ended with ${code} before its results`));
    });
    return faultsSchema.parse(await promise);
}
function toArtifacts(files, { sizes, hashes }, faults) {
    const failures = new Map(faults.map(fault => [fault.index, failureOf(fault)]));
    const digits = Buffer.from(hashes.buffer).toString('latin1');
    return files.map(({ name }, index) => {
        const size = sizes[index] ?? -1;
        if (size === -1)
            return { source: 'path', name, failure: failures.get(index) ?? cancelled };
        const hash = digits.slice(index * hashDigits, (index + 1) * hashDigits);
        return { source: 'path', name, size, hash };
    });
}
const cancelled = {
    ...halt/* cancelledFailure */.Yq,
    what: 'the run was cancelled before anything was sent for it',
};
function failureOf({ code, why }) {
    const [what, remedy] = code === 'changed'
        ? [why, 'let every step that writes it end first, then run the job again']
        : [`it could not be read: ${why}`, 'correct that or leave it out, then run the job again'];
    return (0,failure/* makeFailure */.ro)({ code, what, remedy });
}


/***/ }),

/***/ 65:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   K: () => (/* binding */ conflictProblem),
/* harmony export */   O: () => (/* binding */ mergeArtifacts)
/* harmony export */ });
/* harmony import */ var _stop_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(2553);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5765);
/* harmony import */ var _text_words_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(4904);
/* harmony import */ var _artifact_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(7163);




function mergeArtifacts(artifacts) {
    const byName = new Map();
    const hashes = new Map();
    const conflicts = new Set();
    const from = (input) => artifacts.filter(({ source }) => source === input);
    for (const artifact of [...from('path'), ...from('checksums')]) {
        const { name } = artifact;
        if (!byName.has(name))
            byName.set(name, artifact);
        if (!(0,_artifact_js__WEBPACK_IMPORTED_MODULE_2__/* .isHashed */ .S)(artifact))
            continue;
        const { hash } = artifact;
        const other = hashes.get(name) ?? hash;
        hashes.set(name, other);
        if (other !== hash)
            conflicts.add(`"${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .quote */ .hD)(name)}" has two hashes, ${other} and ${hash}`);
    }
    const assets = from('release-tag');
    const locals = assets.length === 0 ? [] : [...byName.values()].filter(_artifact_js__WEBPACK_IMPORTED_MODULE_2__/* .isHashed */ .S);
    const localNames = new Set(locals.map(({ name }) => (0,_text_words_js__WEBPACK_IMPORTED_MODULE_3__/* .baseName */ .Fl)(name)));
    for (const asset of assets) {
        if (!localNames.has(asset.name) && !byName.has(asset.name))
            byName.set(asset.name, asset);
    }
    const merged = [...byName.values()].sort((a, b) => (0,_text_words_js__WEBPACK_IMPORTED_MODULE_3__/* .compareCodeUnits */ .UF)(a.name, b.name));
    return { merged, conflicts: [...conflicts] };
}
const maxConflictsShown = 5;
function conflictProblem(conflicts) {
    if (conflicts.length === 0)
        return [];
    const shown = (0,_text_words_js__WEBPACK_IMPORTED_MODULE_3__/* .someOf */ .yU)(conflicts, maxConflictsShown);
    const text = `${shown}; one of them is not the artifact, make the checksums anew`;
    return [(0,_stop_js__WEBPACK_IMPORTED_MODULE_0__/* .problemAt */ .l4)('checksums', text)];
}


/***/ }),

/***/ 1683:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   dh: () => (/* binding */ attachedNames),
/* harmony export */   h_: () => (/* binding */ isOwnAsset),
/* harmony export */   lg: () => (/* binding */ isAttached)
/* harmony export */ });
const attachedNames = {
    records: 'notarization-records.jsonl',
    checksums: 'notarization-checksums.txt',
    evidence: 'notarization-evidence.md',
};
const temporary = /^\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/;
function isAttached(assetName, name) {
    if (!assetName.startsWith(name))
        return false;
    const rest = assetName.slice(name.length);
    return rest === '' || temporary.test(rest);
}
function isOwnAsset(assetName) {
    return Object.values(attachedNames).some(name => isAttached(assetName, name));
}


/***/ }),

/***/ 3544:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Qo: () => (/* binding */ readEnvironment),
/* harmony export */   bH: () => (/* binding */ redactSource),
/* harmony export */   ke: () => (/* binding */ completeProxies)
/* harmony export */ });
/* harmony import */ var node_os__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8161);

function redactSource(source, redact) {
    const clean = { ...source };
    for (const field in source) {
        const text = source[field];
        if (text !== null)
            clean[field] = redact(text);
    }
    return clean;
}
function readEnvironment(env, cwd) {
    const action = valueOf(env['GITHUB_ACTION_REPOSITORY']);
    const server = valueOf(env['GITHUB_SERVER_URL']);
    return {
        workspace: valueOf(env['GITHUB_WORKSPACE']) ?? cwd,
        home: valueOf(env['HOME']) ?? valueOf(env['USERPROFILE']) ?? cwd,
        tempFolder: valueOf(env['RUNNER_TEMP']) ?? (0,node_os__WEBPACK_IMPORTED_MODULE_0__.tmpdir)(),
        apiUrl: valueOf(env['GITHUB_API_URL']) ?? 'https://api.github.com',
        source: readSource(env, server),
        secrets: proxyVariables.flatMap(({ names }) => names.flatMap(name => proxySecrets(env[name] ?? ''))),
        proxyProblems: findProxyProblems(env),
        reportTo: action === null
            ? 'the issues of this action'
            : `${server ?? 'https://github.com'}/${action}/issues`,
    };
}
function readSource(env, server) {
    const repository = valueOf(env['GITHUB_REPOSITORY']);
    const sha = valueOf(env['GITHUB_SHA']);
    const runId = valueOf(env['GITHUB_RUN_ID']);
    const runAttempt = valueOf(env['GITHUB_RUN_ATTEMPT']);
    const home = server === null || repository === null ? null : `${server}/${repository}`;
    const attempt = runAttempt === null ? '' : `/attempts/${runAttempt}`;
    return {
        ...{ repository, sha, ref: valueOf(env['GITHUB_REF']), runId, runAttempt },
        commitUrl: home === null || sha === null ? null : `${home}/commit/${sha}`,
        runUrl: home === null || runId === null ? null : `${home}/actions/runs/${runId}${attempt}`,
    };
}
function valueOf(text) {
    return text === undefined || text === '' ? null : text;
}
const proxyVariables = [
    { protocol: 'https:', names: ['https_proxy', 'HTTPS_PROXY'] },
    { protocol: 'http:', names: ['http_proxy', 'HTTP_PROXY'] },
];
function completeProxies(env) {
    const completed = {};
    for (const name of proxyVariables.flatMap(({ names }) => names)) {
        const address = env[name] ?? '';
        if (address !== '' && !address.includes('://'))
            completed[name] = `http://${address}`;
    }
    return completed;
}
function findProxyProblems(env) {
    const problems = new Map();
    for (const { protocol, names } of proxyVariables) {
        const name = names.find(variable => valueOf(env[variable]) !== null);
        const why = name === undefined ? null : unusable(env[name] ?? '');
        if (name === undefined || why === null)
            continue;
        const message = `the address of the proxy in the environment variable "${name}" ${why} (it is not shown, as it may hold a password); give an http:// or https:// address, or exempt the host with no_proxy`;
        problems.set(protocol, { input: null, message });
    }
    return problems;
}
function unusable(address) {
    const url = URL.parse(address);
    const isHttp = url !== null && /^https?:$/.test(url.protocol);
    if (isHttp && decode(url.username + url.password) !== null)
        return null;
    const [, scheme = 'http'] = /^\s*([a-z][a-z0-9+.-]*):\/\//i.exec(address) ?? [];
    return /^https?$/i.test(scheme) ? 'is no URL' : `has the scheme "${scheme}"`;
}
function proxySecrets(address) {
    const [, userInfo = ''] = /^(?:[a-z]+:\/\/)?(.*)@/is.exec(address) ?? [];
    const [, password = ''] = /:(.*)/s.exec(userInfo) ?? [];
    if (password === '')
        return [];
    return [password, userInfo].flatMap(text => [text, decode(text) ?? text]);
}
function decode(text) {
    try {
        return decodeURIComponent(text);
    }
    catch {
        return null;
    }
}


/***/ }),

/***/ 7579:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Fs: () => (/* binding */ changeFailure),
/* harmony export */   Q6: () => (/* binding */ failureIn),
/* harmony export */   WP: () => (/* binding */ describeBug),
/* harmony export */   fT: () => (/* binding */ bugFailure),
/* harmony export */   pO: () => (/* binding */ FailureError),
/* harmony export */   ro: () => (/* binding */ makeFailure),
/* harmony export */   vu: () => (/* binding */ isRefusal)
/* harmony export */ });
/* unused harmony export failureCodes */
const failureCodes = (/* unused pure expression or super */ null && ([
    'login-refused',
    'refused',
    'request-refused',
    'unavailable',
    'invalid-response',
    'record-mismatch',
    'unreadable',
    'changed',
    'cancelled',
    'not-saved',
    'internal-error',
]));
function isRefusal({ code }) {
    return code === 'refused' || code === 'request-refused';
}
function makeFailure(given) {
    return { registered: 'no', endsRun: false, isOutage: false, isDeferrable: false, ...given };
}
class FailureError extends Error {
    failure;
    constructor(failure, cause) {
        super(failure.what, { cause });
        this.name = 'FailureError';
        this.failure = failure;
    }
}
function failureIn(error) {
    if (error instanceof FailureError)
        return error.failure;
    throw error;
}
async function changeFailure(work, change) {
    try {
        return await work;
    }
    catch (error) {
        const failure = failureIn(error);
        throw new FailureError({ ...failure, ...change(failure) }, error);
    }
}
function bugFailure(what, reportTo) {
    return makeFailure({
        code: 'internal-error',
        registered: 'unknown',
        what: `a bug in this action: ${what}`,
        remedy: `please report it at ${reportTo}`,
        endsRun: true,
    });
}
function describeBug({ code, what, remedy }) {
    return `${code}: ${what}; ${remedy}`;
}


/***/ }),

/***/ 8146:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   MD: () => (/* binding */ notNotedFailure),
/* harmony export */   Yq: () => (/* binding */ cancelledFailure),
/* harmony export */   _V: () => (/* binding */ Halt),
/* harmony export */   dw: () => (/* binding */ notSavedFailure)
/* harmony export */ });
/* harmony import */ var node_events__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8474);
/* harmony import */ var _failure_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7579);
/* harmony import */ var _text_system_error_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8343);



const graceMs = 5000;
const cancelledFailure = (0,_failure_js__WEBPACK_IMPORTED_MODULE_1__/* .makeFailure */ .ro)({
    code: 'cancelled',
    what: 'the run was cancelled',
    remedy: 'run the job again with the same records file',
    endsRun: true,
});
const notSavedFailure = (0,_failure_js__WEBPACK_IMPORTED_MODULE_1__/* .makeFailure */ .ro)({
    code: 'not-saved',
    what: 'the records file could not be written any more, so nothing more was sent',
    remedy: 'make room or correct the rights; add the lines that the log shows to the records file by hand, then run the job again',
    endsRun: true,
});
const notNotedFailure = {
    ...notSavedFailure,
    remedy: 'make room or correct the rights, then run the job again with the same records file',
};
class Halt {
    #begun = new AbortController();
    #kill = new AbortController();
    #reasons = [];
    signal = this.#begun.signal;
    kill = this.#kill.signal;
    constructor() {
        (0,node_events__WEBPACK_IMPORTED_MODULE_0__.setMaxListeners)(0, this.signal, this.kill);
    }
    get reason() {
        return this.#reasons[0] ?? null;
    }
    get isCancelled() {
        return this.#reasons.includes(cancelledFailure);
    }
    get hasUnsaved() {
        return this.#reasons.includes(notSavedFailure);
    }
    get bug() {
        return this.#reasons.find(({ code }) => code === 'internal-error') ?? null;
    }
    cancel() {
        if (this.isCancelled)
            return;
        this.stop(cancelledFailure);
        setTimeout(() => {
            this.#kill.abort();
        }, graceMs).unref();
    }
    stop(reason) {
        this.#reasons.push(reason);
        this.#begun.abort();
    }
    noteBug(error, reportTo) {
        this.stop((0,_failure_js__WEBPACK_IMPORTED_MODULE_1__/* .bugFailure */ .fT)((0,_text_system_error_js__WEBPACK_IMPORTED_MODULE_2__/* .describeError */ .U)(error), reportTo));
    }
}


/***/ }),

/***/ 628:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Z7: () => (/* binding */ readTexts),
/* harmony export */   hQ: () => (/* binding */ sharedNeeds),
/* harmony export */   wm: () => (/* binding */ maskAndRead)
/* harmony export */ });
/* harmony import */ var _stop_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(2553);

function readTexts(schema, defaults, given) {
    const texts = { ...defaults };
    for (const name in defaults)
        texts[name] = given[name].trim() || defaults[name];
    const { data, error } = schema.safeParse(fieldsOf(texts));
    const problems = (error?.issues ?? []).map(({ path, message }) => (0,_stop_js__WEBPACK_IMPORTED_MODULE_0__/* .problemWith */ .CO)(inputOf(String(path[0])), message));
    const right = { ...texts };
    for (const name in defaults)
        if (problems.some(({ input }) => input === name))
            right[name] = defaults[name];
    return {
        texts,
        usable: data ?? schema.parse(fieldsOf(right)),
        problems,
    };
}
function fieldsOf(texts) {
    const camelCase = (name) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
    return Object.fromEntries(Object.entries(texts).map(([name, text]) => [camelCase(name), text]));
}
function inputOf(field) {
    return field.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
}
function sharedNeeds(texts) {
    const { path, checksums, 'release-tag': tag, 'github-token': token } = texts;
    return [
        path + checksums + tag === '' && (0,_stop_js__WEBPACK_IMPORTED_MODULE_0__/* .problemWith */ .CO)('path', nothingNamed),
        tag !== '' && token === '' && (0,_stop_js__WEBPACK_IMPORTED_MODULE_0__/* .problemWith */ .CO)('github-token', tokenNeeded),
    ].filter(problem => problem !== false);
}
const nothingNamed = 'is empty and so are "checksums" and "release-tag"; give at least one of them, one pattern a line';
const tokenNeeded = 'is empty, and "release-tag" needs it; leave it out to use the token of the job';
const secretInputs = new Set(['api-key', 'subscription', 'github-token']);
function maskAndRead(given, read, { secrets, others }) {
    const found = read(given);
    secrets.spare(found.spared);
    secrets.add([...found.secrets, ...others]);
    const clean = { ...given };
    const leaks = [];
    for (const name in given) {
        if (secretInputs.has(name) || !secrets.isIn(given[name]))
            continue;
        clean[name] = '';
        leaks.push((0,_stop_js__WEBPACK_IMPORTED_MODULE_0__/* .problemWith */ .CO)(name, leak));
    }
    const reading = read(clean);
    return leaks.length === 0 ? reading : { ...reading, inputs: null, problems: leaks };
}
const leak = 'contains the value of a secret (it is not shown); logs and records would publish it, so leave it out';


/***/ }),

/***/ 7872:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   GX: () => (/* binding */ yesOrNo),
/* harmony export */   Kz: () => (/* binding */ apiKey),
/* harmony export */   Pw: () => (/* binding */ verificationUrl),
/* harmony export */   U9: () => (/* binding */ isLoopback),
/* harmony export */   aF: () => (/* binding */ releaseTag),
/* harmony export */   bU: () => (/* binding */ githubToken),
/* harmony export */   pc: () => (/* binding */ baseUrl),
/* harmony export */   rD: () => (/* binding */ wholeNumber),
/* harmony export */   s$: () => (/* binding */ filePath),
/* harmony export */   xk: () => (/* binding */ commitId),
/* harmony export */   yL: () => (/* binding */ oneOf)
/* harmony export */ });
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(2417);
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(2335);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5765);
/* harmony import */ var _text_verification_url_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(6318);



function got(must, remedy = '') {
    return ({ input }) => `${must} (got ${shown(input)})${remedy}`;
}
function shown(value) {
    return `"${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .quote */ .hD)(typeof value === 'string' ? value : '', 100)}"`;
}
function wrongIf(problemOf) {
    return zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .refine */ .YPB(text => problemOf(text) === null, {
        error: ({ input }) => problemOf(String(input)) ?? undefined,
    });
}
const emptyIsNull = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .transform */ .pdi((text) => (text === '' ? null : text));
function oneOf(...words) {
    const error = got(`must be ${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`);
    return zod_mini__WEBPACK_IMPORTED_MODULE_1__/* ["enum"] */ .k5n(words, { error });
}
const yesOrNo = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .stringbool */ .uEf({
    truthy: ['true', 'True', 'TRUE'],
    falsy: ['false', 'False', 'FALSE'],
    case: 'sensitive',
    error: got('must be true or false'),
});
function wholeNumber(min, max) {
    const isWithin = (text) => /^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max;
    const error = got(`must be a whole number from ${min} to ${max}`);
    return zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .pipe */ .FsL(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .refine */ .YPB(isWithin, { error })), zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .transform */ .pdi(Number));
}
const apiKey = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP()
    .check(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ._regex */ .Fk(/^[^\r\n]*$/, 'must be one line; store the key without line breaks'));
const githubToken = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP()
    .check(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ._regex */ .Fk(/^\S*$/, 'must be one line without white space'));
const releaseTag = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .pipe */ .FsL(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ._regex */ .Fk(/^[^\s\p{Cc}]*$/u, { abort: true, error: got('must be one tag without white space') }), zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ._regex */ .Fk(/^(?!refs\/)/, {
    error: got('must be the tag alone', '; give for example ${{ github.ref_name }}'),
})), emptyIsNull);
const filePath = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP()
    .check(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ._regex */ .Fk(/^[^\r\n\0]*$/, { abort: true, error: got('must be one path on one line') }), zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ._regex */ .Fk(/[^/\\]$/, { error: got('must name a file, not a folder') }));
const verificationUrl = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .pipe */ .FsL(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP().check(wrongIf(templateProblem)), emptyIsNull);
function templateProblem(text) {
    const problem = text === '' ? null : (0,_text_verification_url_js__WEBPACK_IMPORTED_MODULE_3__/* .checkVerificationTemplate */ .U)(text);
    const given = text.includes('@') ? '' : ` (got ${shown(text)})`;
    return problem === null
        ? null
        : `${problem}${given}; give for example https://notary.example/verification/{hash}`;
}
const commitId = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .pipe */ .FsL(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ._regex */ .Fk(/^([0-9a-f]{40}|[0-9a-f]{64})?$/i, {
    error: got('must be a whole commit id of 40 or 64 hex digits'),
}), zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ._toLowerCase */ .Il()), emptyIsNull);
function isLoopback(baseUrl) {
    const { hostname = '' } = URL.parse(baseUrl) ?? {};
    return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
const baseUrl = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .pipe */ .FsL(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP().check(wrongIf(baseUrlProblem)), zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .transform */ .pdi(text => {
    if (text === '')
        return null;
    const { protocol, host, pathname } = new URL(text);
    return `${protocol}//${host}${pathname.replace(/\/+$/, '')}`;
}));
function baseUrlProblem(text) {
    if (text === '')
        return null;
    const url = URL.parse(text);
    const given = text.includes('@') ? '' : ` (got ${shown(text.replace(/[?#].*/s, ''))})`;
    if (/[\s\p{Cc}\\]/u.test(text)) {
        return `must be one URL without white space or backslashes${given}`;
    }
    if (url === null || !/^https?:\/\/[^/]/i.test(text)) {
        return `must be a URL that starts with https://${given}`;
    }
    const problems = [
        url.protocol === 'http:' &&
            !isLoopback(text) &&
            `must start with https://${given}; use the https address of the service`,
        url.username + url.password !== '' &&
            'must not contain credentials; the key belongs in "api-key"',
        /[?#]/.test(text) && `must not contain a query or a fragment${given}; give the address alone`,
        /\/api\/v2(\/|$)/i.test(url.pathname) &&
            `must stop before /api/v2${given}; the action adds that part itself`,
    ].filter(problem => problem !== false);
    return problems.length > 0 ? problems.join('; it ') : null;
}


/***/ }),

/***/ 2506:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   E: () => (/* binding */ collectEarly)
/* harmony export */ });
/* harmony import */ var node_v8__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8877);

function collectEarly() {
    (0,node_v8__WEBPACK_IMPORTED_MODULE_0__.setFlagsFromString)('--max-semi-space-size=2');
    (0,node_v8__WEBPACK_IMPORTED_MODULE_0__.setFlagsFromString)('--semi-space-growth-factor=1');
}


/***/ }),

/***/ 1949:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Ix: () => (/* binding */ isFailed),
/* harmony export */   gz: () => (/* binding */ failed),
/* harmony export */   zN: () => (/* binding */ isRegistered)
/* harmony export */ });
function failed(failure) {
    return { state: 'failed', failure };
}
function isRegistered(result) {
    return result.outcome.state === 'registered';
}
function isFailed(result) {
    return result.outcome.state === 'failed';
}


/***/ }),

/***/ 3802:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   m: () => (/* binding */ createProgress)
/* harmony export */ });
/* harmony import */ var _text_time_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5396);

const firstWaitMs = 5_000;
const growth = 1.25;
function createProgress(what, clock, log) {
    const startMs = clock.monotonic();
    let waitMs = firstWaitMs;
    let nextMs = startMs + waitMs;
    return ({ done, total, detail }) => {
        const nowMs = clock.monotonic();
        if (nowMs < nextMs || done >= total)
            return;
        waitMs *= growth;
        nextMs = nowMs + waitMs;
        const rate = done / ((nowMs - startMs) / 1000);
        const left = rate > 0 ? `, about ${(0,_text_time_js__WEBPACK_IMPORTED_MODULE_0__/* .formatDuration */ .a)((total - done) / rate)} left` : '';
        const beside = detail === '' ? '' : `, ${detail}`;
        log(`${what}: ${done} of ${total}${beside}, ${rate.toFixed(1)} per second${left}`);
    };
}


/***/ }),

/***/ 1183:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  o: () => (/* binding */ renderEvidence)
});

// UNUSED EXPORTS: maxEvidenceLength

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: ./records/line.js
var records_line = __webpack_require__(5924);
// EXTERNAL MODULE: ./records/reading.js
var reading = __webpack_require__(6240);
// EXTERNAL MODULE: ./text/escape.js
var text_escape = __webpack_require__(5765);
// EXTERNAL MODULE: ./text/json.js
var json = __webpack_require__(7727);
// EXTERNAL MODULE: ./text/time.js
var text_time = __webpack_require__(5396);
// EXTERNAL MODULE: ./text/words.js
var words = __webpack_require__(4904);
;// CONCATENATED MODULE: ./records/evidence-texts.js
function introduction(registrations, digest) {
    return `# Notarization evidence

This page shows ${registrations} of files on a blockchain notarization service. It was made from the records file
\`notarization-records.jsonl\` with the SHA-256 \`${digest}\`, and needs no account and no program to be read.

## What it proves, and what it does not

- Each row is what the service answered: this account registered this SHA-256 at this time, by the clock of the service.
- A file with exactly this SHA-256 existed then, and has not changed since by a single byte.
- It does not prove who made the file, from which source, what it is worth, or that it is free of faults.
- This page is text, and whoever can replace it can change it. What stands against that is the service (look the SHA-256 up there),
  the transaction on the blockchain where the service gave one, and an attestation of the records file, if there is one.

## What is registered
`;
}
const plainRepository = /^[A-Za-z0-9-]+\/[A-Za-z0-9._-]+$/;
function instructions(repository) {
    return `## How to compare a file

Compute the SHA-256 of the file, with the name of yours in place of FILE:

- Linux: \`sha256sum FILE\`
- macOS: \`shasum -a 256 FILE\`
- Windows, PowerShell: \`Get-FileHash -Algorithm SHA256 FILE\`

It must be one of those above, all 64 digits of it; capital letters make no difference. Then it is the registered file, whatever its name is now.

## How to look the registration up

Open the address in the row, or ask the service that the row names for the SHA-256. Where the row names a transaction, any explorer of that
blockchain shows it. Account and payment are the numbers by which the service knows who registered and how it was paid.

## How to look for an attestation of the records file

The records file may be signed (attested) by the workflow that wrote it. With the records file and the GitHub CLI:

\`\`\`sh
gh attestation verify notarization-records.jsonl --repo ${plainRepository.test(repository) ? repository : 'OWNER/REPOSITORY'}
\`\`\`

It succeeds only if a workflow of that repository attested exactly these bytes. That it finds nothing says only that there is no attestation.
`;
}

;// CONCATENATED MODULE: ./records/evidence.js








const maxEvidenceLength = 120_000;
function renderEvidence(records) {
    const runs = readRuns(records);
    const [first] = runs;
    if (first === undefined)
        return null;
    const count = runs.reduce((sum, { lines }) => sum + lines.size, 0);
    const head = introduction((0,words/* counted */.hS)(count, 'registration'), (0,external_node_crypto_.hash)('sha256', records));
    const foot = instructions(first.source.repository ?? '');
    const room = maxEvidenceLength - head.length - foot.length - 500;
    let tables = '';
    let left = count;
    for (const row of rowsOf(sortRuns(runs))) {
        if (tables.length + row.length > room)
            break;
        tables += row;
        left -= 1;
    }
    const rest = `\n**${(0,words/* counted */.hS)(left, 'more registration')} ${left === 1 ? 'is' : 'are'} not shown here**, as this page has a limit; the records file has all of them.\n`;
    return `${head}${tables}${left > 0 ? rest : ''}\n${foot}`;
}
function readRuns(records) {
    const runs = new Map();
    (0,reading/* parseRecords */.Q4)(records, '', (entry, line) => {
        if (!(0,records_line/* isRecord */.u4)(entry) || entry.problems.length > 0)
            return;
        const { artifact, service, hash, source } = entry;
        const { repository, runId, runAttempt, sha, ref } = source;
        const name = JSON.stringify([repository, runId, runAttempt, sha, ref]);
        const run = runs.get(name) ?? { source, newest: -1, lines: new Map() };
        runs.set(name, run);
        run.newest = Math.max(run.newest, timeOf(entry));
        const key = (0,external_node_crypto_.hash)('sha256', JSON.stringify([artifact, service, hash]), 'base64');
        run.lines.set(key, line);
    });
    return [...runs.values()];
}
function sortRuns(runs) {
    return runs.toReversed().sort((a, b) => b.newest - a.newest);
}
function timeOf({ record: { creationDate } }) {
    return typeof creationDate === 'number' ? creationDate : -1;
}
function* rowsOf(runs) {
    for (const { source, lines } of runs) {
        const sorted = [...lines.values()].sort((a, b) => (0,words/* compareCodeUnits */.UF)(a.artifact, b.artifact));
        let head = headOf(source);
        for (const line of sorted) {
            yield `${head}${rowOf((0,reading/* recordOf */.zv)(line))}\n`;
            head = '';
        }
    }
}
const notGiven = 'not given by the service';
function rowOf(entry) {
    const { artifact, size, hash, record, service, verificationUrl, unansweredTries } = entry;
    const { userId, paymentId, blockchainType, txId, txHash, creationDate } = record;
    const time = (0,text_time/* formatTime */.f)(creationDate);
    const tries = (0,words/* counted */.hS)(unansweredTries, 'try before had no answer', 'tries before had no answer');
    const link = address(verificationUrl);
    const registered = [
        time === '–' ? `time ${notGiven}` : `${time} UTC`,
        ...[span(service), `account ${fieldOf(userId)}`, `payment ${fieldOf(paymentId)}`],
    ].join(', ');
    const cells = [
        `${span(artifact)}, ${size === null ? 'size not read' : (0,words/* counted */.hS)(size, 'byte')}, SHA-256 ${span(hash)}`,
        unansweredTries > 0 ? `${registered}; ${tries}` : registered,
        `${fieldOf(blockchainType)}, transaction ${fieldOf(isText(txId) ? txId : txHash)}`,
        link === null ? 'no address given' : `[look it up](${link})`,
    ];
    return `| ${cells.join(' | ')} |`;
}
function isText(value) {
    return typeof value === 'string' && value !== '';
}
function fieldOf(value) {
    if (isText(value))
        return span(value);
    return (0,json/* isInteger */.Fq)(value) ? span(JSON.stringify(value)) : notGiven;
}
const maxSpanLength = 256;
function span(text) {
    const shown = (0,text_escape/* quote */.hD)(text, maxSpanLength).replace(/[`|]/g, character => `\\u00${character.charCodeAt(0).toString(16)}`);
    return shown.trim() === '' ? '–' : `\`${shown}\``;
}
const maxUrlLength = 1000;
function address(url) {
    const parsed = URL.parse(url ?? '');
    if (parsed === null || !/^https?:$/.test(parsed.protocol))
        return null;
    const href = parsed.href.replace(/[^\x21-\x7e]|[<>|`\\"]/gu, character => encodeURIComponent(character.toWellFormed()));
    return href.length > maxUrlLength ? null : `<${href}>`;
}
function linkedSpan(text, url) {
    const link = address(url);
    return link === null ? span(text) : `[${span(text)}](${link})`;
}
function headOf(source) {
    const { repository, ref, sha, commitUrl, runId, runAttempt, runUrl } = source;
    const facts = [
        ...(ref ? [`ref ${span(ref)}`] : []),
        ...(sha ? [`commit ${linkedSpan(sha, commitUrl)}`] : []),
        ...(runId ? [`run ${linkedSpan(runId, runUrl)}`] : []),
        ...(runAttempt ? [`attempt ${span(runAttempt)}`] : []),
        ...(repository ? [`repository ${span(repository)}`] : []),
    ];
    const name = ref ? span(ref.replace(/^refs\/(heads|tags)\//, '')) : 'A run without a ref';
    const about = facts.length === 0 ? 'Nothing is known of the run.' : `For ${facts.join(', ')}.`;
    return `
### ${name}

${about}

| File | Registered | Blockchain | Look it up |
| --- | --- | --- | --- |
`;
}


/***/ }),

/***/ 6707:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   S: () => (/* binding */ KnownRecords),
/* harmony export */   v: () => (/* binding */ howToSettle)
/* harmony export */ });
/* harmony import */ var _text_words_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4904);
/* harmony import */ var _reading_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(6240);


class KnownRecords {
    #readings;
    #byHash;
    constructor(readings, services) {
        this.#readings = readings;
        const counting = readings.flatMap(({ lines }) => lines.filter(({ service }) => services.has(service)));
        this.#byHash = Map.groupBy(counting, ({ hash }) => hash);
    }
    linesOf(hash) {
        return this.#byHash.get(hash) ?? [];
    }
    find(hash) {
        const lines = this.linesOf(hash);
        const good = lines.find(({ kind }) => kind === 'registered');
        if (good !== undefined)
            return { state: 'registered', entry: (0,_reading_js__WEBPACK_IMPORTED_MODULE_0__/* .recordOf */ .zv)(good) };
        const bad = lines.find(({ kind }) => kind === 'contradicted');
        if (bad === undefined)
            return openTries(lines);
        return { state: 'contradicted', entry: (0,_reading_js__WEBPACK_IMPORTED_MODULE_0__/* .recordOf */ .zv)(bad), lines: describePlaces(lines) };
    }
    hasEarlierAttempt({ runId, runAttempt }) {
        const isEarlier = (line) => line.runId === runId && line.runAttempt < Number(runAttempt ?? 1);
        return runId !== null && this.#readings.some(({ lines }) => lines.some(isEarlier));
    }
}
function openTries(lines) {
    const states = lines.map(_reading_js__WEBPACK_IMPORTED_MODULE_0__/* .entryOf */ .Ms).filter(entry => 'state' in entry);
    const settled = new Set(states.filter(one => one.state === 'not-registered').map(keyOf));
    const sent = states.filter(one => one.state === 'sent' && !settled.has(keyOf(one)));
    const { size: count } = new Set(sent.map(one => JSON.stringify(one)));
    const last = sent.toSorted((a, b) => (0,_text_words_js__WEBPACK_IMPORTED_MODULE_1__/* .compareCodeUnits */ .UF)(a.at, b.at)).at(-1);
    if (last === undefined)
        return undefined;
    const { at, source } = last;
    const tries = { count, at, runUrl: source.runUrl, lines: describePlaces(lines) };
    return { state: 'open', tries };
}
function keyOf({ at, service, source }) {
    return JSON.stringify([at, service, source]);
}
function describePlaces(lines) {
    return [...Map.groupBy(lines, ({ file }) => file.name)]
        .map(([name, group]) => {
        const numbers = group.map(({ number }) => number).join(', ');
        return `${group.length === 1 ? 'line' : 'lines'} ${numbers} of "${name}"`;
    })
        .join(' and ');
}
function howToSettle(lines) {
    return `look its hash up at the service: if it is registered, append its record to the records file as a line; if not, remove ${lines}; then run the job again`;
}


/***/ }),

/***/ 5924:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   A: () => (/* binding */ parseLine),
/* harmony export */   IL: () => (/* binding */ formatLine),
/* harmony export */   cA: () => (/* binding */ lineOf),
/* harmony export */   u4: () => (/* binding */ isRecord)
/* harmony export */ });
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(2417);
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(2335);
/* harmony import */ var _text_json_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(7727);
/* harmony import */ var _record_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5523);



const text = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ._minLength */ .m9(1));
const count = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig().check(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .refine */ .YPB(value => Number.isInteger(value) && value >= 0));
const texts = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .readonly */ .tBZ(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .array */ .YOg(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP()));
const sourceValue = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .pipe */ .FsL(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .union */ .KCZ([zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP(), zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .number */ .aig()])), zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .transform */ .pdi(value => value?.toString() ?? null));
const head = {
    artifact: text,
    size: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullable */ .mee(count),
    hash: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ._regex */ .Fk(/^[0-9a-fA-F]{64}$/), zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ._toLowerCase */ .Il()),
    service: text,
    source: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({
        repository: sourceValue,
        sha: sourceValue,
        ref: sourceValue,
        runId: sourceValue,
        runAttempt: sourceValue,
        commitUrl: sourceValue,
        runUrl: sourceValue,
    }),
};
const recordLineSchema = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({
    ...head,
    record: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .custom */ .IeY(_text_json_js__WEBPACK_IMPORTED_MODULE_3__/* .isJsonObject */ .OW),
    redacted: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* ._default */ .Rvf(texts, []),
    verificationUrl: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP()),
    unansweredTries: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* ._default */ .Rvf(count, 0),
    problems: texts,
});
const stateLineSchema = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({
    ...head,
    state: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* ["enum"] */ .k5n(['sent', 'not-registered']),
    at: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ._regex */ .Fk(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)),
});
function isRecord(entry) {
    return 'record' in entry;
}
const ourBeginning = '{"artifact":';
const tooDeep = { damage: 'is nested too deep to be one of ours', isBeginning: false };
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
function parseLine(bytes) {
    let value;
    try {
        value = (0,_text_json_js__WEBPACK_IMPORTED_MODULE_3__/* .parseJson */ .qF)(decoder.decode(bytes));
    }
    catch (error) {
        if (error instanceof RangeError)
            return tooDeep;
        const start = Buffer.from(bytes.subarray(0, ourBeginning.length)).toString('latin1');
        return { damage: 'is not valid JSON', isBeginning: ourBeginning.startsWith(start) };
    }
    if (!(0,_text_json_js__WEBPACK_IMPORTED_MODULE_3__/* .isShallow */ .fE)(value, _text_json_js__WEBPACK_IMPORTED_MODULE_3__/* .maxJsonDepth */ .iC + 1))
        return tooDeep;
    const isState = (0,_text_json_js__WEBPACK_IMPORTED_MODULE_3__/* .isJsonObject */ .OW)(value) && 'state' in value && !('record' in value);
    const parsed = isState ? stateLineSchema.safeParse(value) : recordLineSchema.safeParse(value);
    if (!parsed.success) {
        const fields = parsed.error.issues.map(issue => issue.path.join('.'));
        const where = [...new Set(fields)].filter(field => field !== '').join(', ');
        const damage = `is not a line of a records file${where === '' ? '' : ` (wrong: ${where})`}`;
        return { damage, isBeginning: false };
    }
    const entry = parsed.data;
    const broken = 'record' in entry && entry.problems.length === 0 ? (0,_record_js__WEBPACK_IMPORTED_MODULE_0__/* .checkRecord */ .E)(entry.record, entry) : [];
    return broken.length === 0
        ? { entry }
        : { damage: `has a record that breaks the rules (${broken.join('; ')})`, isBeginning: false };
}
function lineOf(entry) {
    const { artifact, size, hash, service, source } = entry;
    if (!isRecord(entry)) {
        return { artifact, size, hash, service, state: entry.state, at: entry.at, source };
    }
    const { record, problems, redacted, verificationUrl, unansweredTries } = entry;
    return {
        ...{ artifact, size, hash, service, record },
        ...(redacted.length > 0 ? { redacted } : {}),
        ...(verificationUrl === undefined ? {} : { verificationUrl }),
        ...(unansweredTries > 0 ? { unansweredTries } : {}),
        problems,
        source,
    };
}
function formatLine(entry) {
    return `${JSON.stringify(lineOf(entry))}\n`;
}


/***/ }),

/***/ 1620:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   P: () => (/* binding */ mergeRecords),
/* harmony export */   u: () => (/* binding */ missingLines)
/* harmony export */ });
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7598);
/* harmony import */ var _line_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5924);


const newline = Buffer.from('\n');
function mergeRecords(first, second) {
    const seen = new Set();
    return Buffer.concat([...newLines(first, seen), ...newLines(second, seen)]);
}
function missingLines(first, second) {
    const seen = new Set();
    newLines(first, seen);
    return Buffer.concat(newLines(second, seen));
}
function newLines(bytes, seen) {
    const lines = [];
    let start = 0;
    while (start < bytes.length) {
        const next = bytes.indexOf(newline, start);
        const line = bytes.subarray(start, next === -1 ? bytes.length : next);
        start += line.length + 1;
        const digest = (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.hash)('sha256', line, 'base64');
        if (line.length === 0 || seen.has(digest) || (next === -1 && isIncomplete(line)))
            continue;
        seen.add(digest);
        lines.push(line, newline);
    }
    return lines;
}
function isIncomplete(bytes) {
    const reading = (0,_line_js__WEBPACK_IMPORTED_MODULE_1__/* .parseLine */ .A)(bytes);
    return 'damage' in reading && reading.isBeginning;
}


/***/ }),

/***/ 6240:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   H: () => (/* binding */ readRecordsFile),
/* harmony export */   Ms: () => (/* binding */ entryOf),
/* harmony export */   Q4: () => (/* binding */ parseRecords),
/* harmony export */   VG: () => (/* binding */ tailWarning),
/* harmony export */   XF: () => (/* binding */ readRegularFile),
/* harmony export */   zv: () => (/* binding */ recordOf)
/* harmony export */ });
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3024);
/* harmony import */ var _stop_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(2553);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(5765);
/* harmony import */ var _text_system_error_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(8343);
/* harmony import */ var _text_words_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(4904);
/* harmony import */ var _line_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(5924);






const newline = 0x0a;
const maxDamageShown = 5;
function readRecordsFile(absolutePath, shownPath) {
    try {
        return readRegularFile(absolutePath);
    }
    catch (error) {
        if ((0,_text_system_error_js__WEBPACK_IMPORTED_MODULE_3__/* .errorCode */ .C)(error) === 'ENOENT')
            return Buffer.alloc(0);
        const text = `"${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .quote */ .hD)(shownPath)}" cannot be read: ${(0,_text_system_error_js__WEBPACK_IMPORTED_MODULE_3__/* .describeError */ .U)(error)}; nothing was sent, as an artifact may be paid for twice; restore the file or its rights, then run the job again`;
        throw new _stop_js__WEBPACK_IMPORTED_MODULE_1__/* .Stop */ .VG((0,_stop_js__WEBPACK_IMPORTED_MODULE_1__/* .problemAt */ .l4)('records-path', text));
    }
}
function readRegularFile(absolutePath) {
    const descriptor = (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.openSync)(absolutePath, node_fs__WEBPACK_IMPORTED_MODULE_0__.constants.O_RDONLY | node_fs__WEBPACK_IMPORTED_MODULE_0__.constants.O_NONBLOCK);
    try {
        if (!(0,node_fs__WEBPACK_IMPORTED_MODULE_0__.fstatSync)(descriptor).isFile())
            throw new Error('it is not a regular file');
        return (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.readFileSync)(descriptor);
    }
    finally {
        (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.closeSync)(descriptor);
    }
}
function parseRecords(bytes, name, visit = () => undefined) {
    const file = { name, bytes };
    const share = shareTexts();
    const lines = [];
    const damage = [];
    let tail = { state: 'whole', goodBytes: bytes.length };
    let start = 0;
    for (let number = 1; start < bytes.length; number++) {
        const next = bytes.indexOf(newline, start);
        const end = next === -1 ? bytes.length : next;
        const reading = (0,_line_js__WEBPACK_IMPORTED_MODULE_4__/* .parseLine */ .A)(bytes.subarray(start, end));
        if ('entry' in reading) {
            const line = { ...headOf(reading.entry, share), file, number, start, end };
            lines.push(line);
            visit(reading.entry, line);
            if (next === -1)
                tail = { state: 'open', goodBytes: bytes.length };
        }
        else if (next === -1 && reading.isBeginning) {
            tail = { state: 'incomplete', goodBytes: start };
        }
        else {
            damage.push(`"${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .quote */ .hD)(name)}", line ${number} ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .quote */ .hD)(reading.damage, 400)}`);
        }
        start = end + 1;
    }
    const rest = 'more damaged lines';
    const shown = damage.length === 0 ? [] : [(0,_text_words_js__WEBPACK_IMPORTED_MODULE_5__/* .someOf */ .yU)(damage, maxDamageShown, { rest })];
    return { name, lines, damage: shown, tail };
}
function shareTexts() {
    const texts = new Map();
    return text => {
        const shared = texts.get(text) ?? text;
        texts.set(shared, shared);
        return shared;
    };
}
function headOf(entry, share) {
    const { artifact, size, hash, service } = entry;
    const { sha, runId, runAttempt } = entry.source;
    const isGood = (0,_line_js__WEBPACK_IMPORTED_MODULE_4__/* .isRecord */ .u4)(entry) && entry.problems.length === 0;
    return {
        ...{ artifact, size, hash, service: share(service) },
        kind: isGood ? 'registered' : (0,_line_js__WEBPACK_IMPORTED_MODULE_4__/* .isRecord */ .u4)(entry) ? 'contradicted' : 'state',
        sha: sha && share(sha),
        runId: runId && share(runId),
        runAttempt: Math.max(Number(runAttempt) || 1, 1),
    };
}
function entryOf({ file, start, end }) {
    const reading = (0,_line_js__WEBPACK_IMPORTED_MODULE_4__/* .parseLine */ .A)(file.bytes.subarray(start, end));
    if ('entry' in reading)
        return reading.entry;
    throw new Error('a good line of the records file is not good any more');
}
function recordOf(line) {
    const entry = entryOf(line);
    if ((0,_line_js__WEBPACK_IMPORTED_MODULE_4__/* .isRecord */ .u4)(entry))
        return entry;
    throw new Error('a record of the records file is not one any more');
}
function tailWarning({ name, tail }, fate = 'left out') {
    if (tail.state !== 'incomplete')
        return [];
    return [
        `The last line of "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .quote */ .hD)(name)}" is incomplete, as after a run that was killed while it wrote; it is ${fate}`,
    ];
}


/***/ }),

/***/ 5523:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   E: () => (/* binding */ checkRecord)
/* harmony export */ });
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(2417);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5765);
/* harmony import */ var _text_json_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(7727);



const text = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP();
const integer = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .custom */ .IeY(_text_json_js__WEBPACK_IMPORTED_MODULE_2__/* .isInteger */ .Fq, 'expected an integer');
const mayMiss = (schema) => zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(schema);
const recordSchema = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .looseObject */ ._H3({
    hash: text,
    custody: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .boolean */ .zMY(),
    signed: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .boolean */ .zMY(),
    status: text,
    paymentId: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullable */ .mee(text),
    description: mayMiss(text),
    signer: mayMiss(text),
    signature: mayMiss(text),
    txHash: mayMiss(text),
    blockchainType: mayMiss(text),
    holder: mayMiss(text),
    txId: mayMiss(text),
    assetId: mayMiss(text),
    tags: mayMiss(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .array */ .YOg(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .unknown */ .L5J())),
    creationDate: mayMiss(integer),
    payload: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .unknown */ .L5J()),
    userId: mayMiss(integer),
});
function checkRecord(record, request) {
    const redacted = new Set(request.redacted?.filter(place => isReplaced(record, place)));
    const parsed = recordSchema.safeParse(record);
    const problems = (parsed.success ? [] : parsed.error.issues)
        .filter(({ path }) => !redacted.has(`/${path.join('/')}`))
        .map(issue => {
        const field = String(issue.path[0]);
        return Object.hasOwn(record, field) ? `${field} has the wrong type` : `${field} is missing`;
    });
    const { redact = (given) => given } = request;
    const show = (value) => JSON.stringify(value === null ? null : (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .cut */ .Jj)(redact(value), 100));
    const said = (field) => (redacted.has(`/${field}`) ? undefined : record[field]);
    const [hash, status, paymentId] = [said('hash'), said('status'), said('paymentId')];
    const { custody, signed } = record;
    if (typeof hash === 'string' && hash.toLowerCase() !== request.hash.toLowerCase()) {
        problems.push(`hash is ${show(hash)}, not that of the request`);
    }
    if (custody === true)
        problems.push('custody is true, not false');
    if (signed === true)
        problems.push('signed is true, not false');
    if (typeof status === 'string' && status !== 'registered') {
        problems.push(`status is ${show(status)}, not "registered"`);
    }
    const expected = request.paymentId ?? null;
    const isComparable = typeof paymentId === 'string' || paymentId === null;
    if (expected !== null && isComparable && paymentId !== expected) {
        problems.push(`paymentId is ${show(paymentId)}, not the id of the subscription`);
    }
    return [...new Set(problems)];
}
function isReplaced(record, place) {
    const value = record[place.slice(1)];
    return typeof value === 'string' && value.includes('***');
}


/***/ }),

/***/ 1903:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  R: () => (/* binding */ openRecordsFile),
  T: () => (/* binding */ readRecords)
});

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: external "node:timers/promises"
var external_node_timers_promises_ = __webpack_require__(8500);
// EXTERNAL MODULE: ./stop.js
var stop = __webpack_require__(2553);
// EXTERNAL MODULE: ./text/escape.js
var text_escape = __webpack_require__(5765);
// EXTERNAL MODULE: ./text/system-error.js
var system_error = __webpack_require__(8343);
;// CONCATENATED MODULE: ./records/file.js







class RecordsFile {
    #handle;
    #path;
    #bytes;
    #pending = [];
    #nextWrite = null;
    #lastWrite = Promise.resolve({ isSaved: true });
    #failure = null;
    constructor(handle, path, bytes) {
        this.#handle = handle;
        this.#path = path;
        this.#bytes = bytes;
    }
    static async open(absolutePath, { tail, adopted, expectedBytes }) {
        let handle = null;
        try {
            await (0,promises_.mkdir)((0,external_node_path_.dirname)(absolutePath), { recursive: true });
            await probeSpace((0,external_node_path_.dirname)(absolutePath), expectedBytes);
            handle = await (0,promises_.open)(absolutePath, 'a');
            const before = await handle.stat();
            if (!before.isFile())
                throw new Error('it is not a regular file');
            if (tail.state === 'incomplete')
                await handle.truncate(tail.goodBytes);
            if (tail.state === 'open')
                await handle.appendFile('\n');
            await handle.appendFile(adopted);
            await handle.sync();
            if (before.size === 0)
                await syncFolder((0,external_node_path_.dirname)(absolutePath));
            return new RecordsFile(handle, absolutePath, (await handle.stat()).size);
        }
        catch (error) {
            await handle?.close();
            const text = `"${(0,text_escape/* quote */.hD)(absolutePath)}" cannot be written: ${(0,system_error/* describeError */.U)(error)}; nothing was sent, as no record could be kept; correct that, then run the job again`;
            throw new stop/* Stop */.VG((0,stop/* problemAt */.l4)('records-path', text));
        }
    }
    append(line) {
        this.#pending.push(line);
        this.#nextWrite ??= this.#writePending();
        return this.#nextWrite;
    }
    async close() {
        await (this.#nextWrite ?? this.#lastWrite);
        const [own, found] = await Promise.all([
            this.#handle.stat().catch(() => null),
            (0,promises_.stat)(this.#path).catch(() => null),
        ]);
        await this.#handle.close().catch(() => undefined);
        return own !== null && found !== null && own.ino === found.ino && found.size >= this.#bytes;
    }
    async #writePending() {
        await this.#lastWrite;
        await (0,external_node_timers_promises_.setImmediate)();
        const bytes = Buffer.from(this.#pending.join(''));
        this.#pending = [];
        this.#nextWrite = null;
        this.#lastWrite = this.#write(bytes);
        return this.#lastWrite;
    }
    async #write(bytes) {
        if (this.#failure !== null)
            return { isSaved: false, reason: this.#failure };
        try {
            await this.#handle.appendFile(bytes);
            await this.#handle.datasync();
            this.#bytes += bytes.length;
            return { isSaved: true };
        }
        catch (error) {
            this.#failure = (0,system_error/* describeError */.U)(error);
            await this.#handle.truncate(this.#bytes).catch(() => undefined);
            return { isSaved: false, reason: this.#failure };
        }
    }
}
async function probeSpace(folder, bytes) {
    const path = (0,external_node_path_.join)(folder, `.records-probe-${(0,external_node_crypto_.randomUUID)()}`);
    let handle;
    try {
        handle = await (0,promises_.open)(path, 'wx');
    }
    catch (error) {
        if (['ENOSPC', 'EDQUOT'].includes((0,system_error/* errorCode */.C)(error) ?? ''))
            throw error;
        return;
    }
    try {
        await (0,promises_.unlink)(path).catch(() => undefined);
        await handle.writeFile(Buffer.alloc(bytes, 0x20));
        await handle.datasync();
    }
    finally {
        await handle.close();
        await (0,promises_.unlink)(path).catch(() => undefined);
    }
}
async function syncFolder(folder) {
    const handle = await (0,promises_.open)(folder, 'r').catch(() => null);
    if (handle === null)
        return;
    await handle.sync().catch(() => undefined);
    await handle.close();
}

// EXTERNAL MODULE: ./records/known.js
var known = __webpack_require__(6707);
// EXTERNAL MODULE: ./records/merge.js
var merge = __webpack_require__(1620);
// EXTERNAL MODULE: ./records/reading.js
var reading = __webpack_require__(6240);
;// CONCATENATED MODULE: ./records/store.js




function readRecords({ path, name, held, service }) {
    const bytes = (0,reading/* readRecordsFile */.H)(path, name);
    const adopted = held === null ? Buffer.alloc(0) : (0,merge/* missingLines */.u)(bytes, held);
    const own = (0,reading/* parseRecords */.Q4)(bytes, name);
    const others = held === null ? [] : [(0,reading/* parseRecords */.Q4)(held, 'the records of the release')];
    const readings = [own, ...others];
    return {
        known: new known/* KnownRecords */.S(readings, new Set(service === null ? [] : [service])),
        damage: readings.flatMap(({ damage }) => damage),
        warnings: others.flatMap(one => (0,reading/* tailWarning */.VG)(one)),
        tail: own.tail,
        adopted,
    };
}
const bytesPerHash = 3072;
const maxExpectedBytes = 1024 * 1024;
async function openRecordsFile(path, hashes, { tail, adopted }) {
    if (hashes === 0 && tail.state === 'whole' && adopted.length === 0)
        return null;
    const expectedBytes = Math.min(hashes * bytesPerHash, maxExpectedBytes);
    return RecordsFile.open(path, { tail, expectedBytes, adopted });
}


/***/ }),

/***/ 7130:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  g: () => (/* binding */ openRelease)
});

// EXTERNAL MODULE: ./artifacts/artifact.js
var artifacts_artifact = __webpack_require__(7163);
// EXTERNAL MODULE: ./artifacts/own-files.js
var own_files = __webpack_require__(1683);
// EXTERNAL MODULE: ./failure.js
var failure_0 = __webpack_require__(7579);
// EXTERNAL MODULE: ./halt.js
var halt_0 = __webpack_require__(8146);
// EXTERNAL MODULE: ./service/proxy.js
var proxy = __webpack_require__(2293);
// EXTERNAL MODULE: ./stop.js
var stop = __webpack_require__(2553);
// EXTERNAL MODULE: ./text/escape.js
var text_escape = __webpack_require__(5765);
// EXTERNAL MODULE: ./text/system-error.js
var system_error = __webpack_require__(8343);
// EXTERNAL MODULE: external "node:stream/consumers"
var consumers_ = __webpack_require__(8321);
// EXTERNAL MODULE: ../node_modules/zod/v4/mini/schemas.js + 2 modules
var schemas = __webpack_require__(2417);
// EXTERNAL MODULE: ./service/retry.js
var retry = __webpack_require__(43);
// EXTERNAL MODULE: ./text/time.js
var time = __webpack_require__(5396);
;// CONCATENATED MODULE: ./release/github-error.js






const maxAttempts = 5;
const maxWaitMs = 300_000;
class GitHubError extends Error {
    failure;
    constructor(message, failure = {}, cause) {
        super(message, { cause });
        this.name = 'GitHubError';
        this.failure = { status: 0, retryAfterMs: null, mayPass: false, remedy: null, ...failure };
    }
}
function orStop(input, what) {
    return error => {
        if (!(error instanceof GitHubError))
            throw error;
        const remedy = error.failure.remedy ?? 'run the job again';
        throw new stop/* Stop */.VG((0,stop/* problemAt */.l4)(input, `${what} (${error.message}); ${remedy}`));
    };
}
const answeredSchema = schemas/* object */.Ikc({
    status: schemas/* number */.aig(),
    response: schemas/* object */.Ikc({
        headers: schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* string */.YjP()),
        data: schemas/* catch */.MfU(schemas/* object */.Ikc({ message: schemas/* string */.YjP() }), { message: '' }),
    }),
});
const limitRemedy = 'run the job again when the limit has ended';
const rightsRemedy = 'check the permissions of "github-token" (contents: read, but contents: write for a draft or to attach)';
function toGitHubError(call, error, { clock, redact }) {
    if (error instanceof GitHubError)
        return error;
    const show = (text) => (0,text_escape/* quote */.hD)(redact(text), 200);
    const answer = answeredSchema.safeParse(error).data;
    if (answer === undefined) {
        const why = show((0,system_error/* describeError */.U)(causeOf(error)));
        return new GitHubError(`${call}: ${why}`, { mayPass: true }, error);
    }
    const { status } = answer;
    const { isRateLimit, retryAfterMs } = readRateLimit(answer, clock.now());
    const until = retryAfterMs === null ? '' : ` until ${(0,time/* formatTime */.f)(clock.now() + retryAfterMs)} UTC`;
    const why = isRateLimit
        ? `the rate limit of GitHub is reached${until}`
        : show(answer.response.data.message);
    const lacksRights = [401, 403, 404].includes(status);
    const remedy = isRateLimit ? limitRemedy : lacksRights ? rightsRemedy : null;
    const mayPass = isRateLimit || status >= 500 || status === 408;
    const message = `${call}: HTTP ${status}${why === '' ? '' : `, ${why}`}`;
    return new GitHubError(message, { status, retryAfterMs, mayPass, remedy }, error);
}
function readRateLimit({ status, response: { headers, data } }, clockMs) {
    const nowMs = Date.parse(headers['date'] ?? '') || clockMs;
    const retryAfterMs = (0,retry/* parseRetryAfter */.mu)(headers['retry-after'] ?? null, nowMs);
    const isUsedUp = headers['x-ratelimit-remaining'] === '0';
    const says = retryAfterMs !== null || isUsedUp || /\brate limit\b/i.test(data.message);
    const isRateLimit = status === 429 || (status === 403 && says);
    const resetMs = Number(headers['x-ratelimit-reset'] ?? NaN) * 1000 - nowMs;
    const hasReset = isRateLimit && isUsedUp && !Number.isNaN(resetMs);
    return { isRateLimit, retryAfterMs: retryAfterMs ?? (hasReset ? Math.max(0, resetMs) : null) };
}
function causeOf(error) {
    const hasMore = error instanceof Error && error.cause !== undefined && (0,system_error/* errorCode */.C)(error) === null;
    return hasMore ? causeOf(error.cause) : error;
}
async function repeat(work, { signal, clock, random, log }, canRepeat = ({ mayPass }) => mayPass) {
    for (let tries = 1;; tries++) {
        try {
            return await work();
        }
        catch (error) {
            if (!(error instanceof GitHubError) || signal.aborted)
                throw error;
            const { failure, message } = error;
            const { action, waitMs } = (0,retry/* decideNextStep */.Ay)({ isRetryable: canRepeat(failure), retryAfterMs: failure.retryAfterMs }, { tries, maxAttempts, random: random(), maxWaitMs });
            if (action === 'done')
                throw new GitHubError(message, { ...failure, mayPass: false }, error);
            const wait = (0,time/* formatDuration */.a)(waitMs / 1000);
            log(`GitHub: ${message}; try ${tries} of ${maxAttempts}, next in ${wait}`);
            await clock.sleep(waitMs, signal);
        }
    }
}

;// CONCATENATED MODULE: ./release/shapes.js

const releaseSchema = schemas/* pipe */.FsL(schemas/* object */.Ikc({
    id: schemas/* number */.aig(),
    tag_name: schemas/* string */.YjP(),
    draft: schemas/* boolean */.zMY(),
    immutable: schemas/* optional */.lqM(schemas/* boolean */.zMY()),
    upload_url: schemas/* string */.YjP(),
}), schemas/* transform */.pdi(({ id, tag_name: tag, draft: isDraft, immutable: isImmutable, upload_url }) => ({
    ...{ id, tag, isDraft, isImmutable: isImmutable ?? false },
    uploadUrl: upload_url.replace(/\{.*$/, ''),
})));
const assetSchema = schemas/* pipe */.FsL(schemas/* object */.Ikc({
    id: schemas/* number */.aig(),
    name: schemas/* string */.YjP(),
    size: schemas/* number */.aig(),
    digest: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    state: schemas/* string */.YjP(),
    browser_download_url: schemas/* string */.YjP(),
}), schemas/* transform */.pdi(({ id, name, size, digest, state, browser_download_url: url }) => ({
    ...{ id, name, size, url, isUploaded: state === 'uploaded' },
    hash: /^sha256:([0-9a-f]{64})$/i.exec(digest ?? '')?.[1]?.toLowerCase() ?? null,
})));
const gitObjectSchema = schemas/* object */.Ikc({ object: schemas/* object */.Ikc({ sha: schemas/* string */.YjP(), type: schemas/* string */.YjP() }) });
const bytesSchema = schemas/* custom */.IeY((data) => typeof data === 'object' && data !== null && Symbol.asyncIterator in data);

;// CONCATENATED MODULE: ./release/api.js




const silenceMs = 60_000;
const octetStream = 'application/octet-stream';
async function connectToGitHub(connection) {
    const { getOctokit } = await Promise.all(/* import() */[__webpack_require__.e(889), __webpack_require__.e(767)]).then(__webpack_require__.bind(__webpack_require__, 2767));
    const quiet = () => undefined;
    const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
    const octokit = getOctokit(connection.token, { log, baseUrl: connection.apiUrl });
    const { repos, git } = octokit.rest;
    const [owner = '', repo = ''] = connection.repository.split('/');
    const home = { owner, repo };
    const getByTag = (path, tag) => {
        const parts = tag.split('/').map(encodeURIComponent);
        return octokit.request(`GET /repos/{owner}/{repo}/${path}/${parts.join('/')}`, home);
    };
    octokit.hook.wrap('request', async (send, options) => {
        const { method, url } = octokit.request.endpoint(options);
        const call = `${method} ${pathOf(url)}`;
        const sendOnce = async () => {
            const silence = new AbortController();
            const timer = setTimeout(() => {
                silence.abort(new Error('no answer came for a minute'));
            }, silenceMs).unref();
            const readBytes = async function* (body) {
                try {
                    for await (const chunk of parse(bytesSchema, { url, data: body })) {
                        timer.refresh();
                        yield chunk;
                    }
                }
                catch (error) {
                    throw toGitHubError(call, error, connection);
                }
                finally {
                    clearTimeout(timer);
                }
            };
            const signal = AbortSignal.any([connection.signal, silence.signal]);
            options.request = { ...options.request, signal, parseSuccessResponseBody: false };
            try {
                const response = await send(options);
                if (response.status === 204)
                    return response;
                const bytes = readBytes(response.data);
                const isJson = options.headers.accept !== octetStream;
                return { ...response, data: isJson ? await readJson(bytes, call) : bytes };
            }
            catch (error) {
                throw toGitHubError(call, error, connection);
            }
        };
        return repeat(sendOnce, connection);
    });
    return {
        findPublished: (tag) => orNull(read(releaseSchema, getByTag('releases/tags', tag))),
        listReleases: async function* () {
            const pages = octokit.paginate.iterator(repos.listReleases, { ...home, per_page: 10 });
            for await (const page of pages)
                yield parse(schemas/* array */.YOg(releaseSchema), page);
        },
        listAssets: async ({ id }) => {
            const query = { ...home, release_id: id, per_page: 100 };
            const pages = octokit.paginate.iterator(repos.listReleaseAssets, query);
            const assets = new Map();
            for await (const page of pages) {
                for (const asset of parse(schemas/* array */.YOg(assetSchema), page))
                    assets.set(asset.id, asset);
            }
            return [...assets.values()];
        },
        streamAsset: ({ id }) => {
            const headers = { accept: octetStream };
            return read(bytesSchema, repos.getReleaseAsset({ ...home, asset_id: id, headers }));
        },
        findTagCommit: async (tag) => {
            let target = (await orNull(read(gitObjectSchema, getByTag('git/ref/tags', tag))))?.object;
            while (target?.type === 'tag') {
                const tagObject = git.getTag({ ...home, tag_sha: target.sha });
                target = (await read(gitObjectSchema, tagObject)).object;
            }
            return target?.sha ?? null;
        },
        uploadAsset: ({ uploadUrl }, name, data) => {
            const headers = { 'content-type': octetStream };
            return read(assetSchema, octokit.request(`POST ${uploadUrl}{?name}`, { name, headers, data }));
        },
        renameAsset: ({ id }, name) => read(assetSchema, repos.updateReleaseAsset({ ...home, asset_id: id, name })),
        deleteAsset: async ({ id }) => {
            await orNull(repos.deleteReleaseAsset({ ...home, asset_id: id }));
        },
        repeat: (work, canRepeat) => repeat(work, connection, canRepeat),
    };
}
const notUnderstood = 'gave an answer that cannot be understood';
async function read(schema, answer) {
    return parse(schema, await answer);
}
function parse(schema, { url, data }) {
    const parsed = schema.safeParse(data);
    if (parsed.success)
        return parsed.data;
    throw new GitHubError(`${pathOf(url)} ${notUnderstood}`);
}
async function readJson(bytes, call) {
    const text = await (0,consumers_.text)(bytes);
    try {
        const data = JSON.parse(text);
        if (typeof data === 'object' && data !== null)
            return data;
    }
    catch {
    }
    throw new GitHubError(`${call} ${notUnderstood}`, { mayPass: true });
}
function pathOf(url) {
    return url.replace(/https?:\/\/[^/]+/, '').replace(/\?.*$/, '');
}
async function orNull(found) {
    try {
        return await found;
    }
    catch (error) {
        if (error instanceof GitHubError && error.failure.status === 404)
            return null;
        throw error;
    }
}

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: ./records/merge.js
var merge = __webpack_require__(1620);
;// CONCATENATED MODULE: ./release/assets.js






function assetsOfOthers(listed) {
    return listed.filter(({ name }) => !(0,own_files/* isOwnAsset */.h_)(name));
}
function versionsOf(listed, name) {
    return listed.filter(asset => (0,own_files/* isAttached */.lg)(asset.name, name));
}
async function readVersions(api, listed, name) {
    const versions = versionsOf(listed, name);
    let merged = null;
    for (const asset of versions.filter(({ isUploaded, size }) => isUploaded && size > 1)) {
        const content = await api.repeat(() => readAsset(api, asset));
        merged = merged === null ? content : (0,merge/* mergeRecords */.P)(merged, content);
    }
    return merged ?? Buffer.alloc(0);
}
async function readAsset(api, asset) {
    const content = await (0,consumers_.buffer)(readBytes(api, asset));
    const hash = (0,external_node_crypto_.createHash)('sha256').update(content).digest('hex');
    if (asset.hash === null || hash === asset.hash)
        return content;
    throw incomplete(asset, `its bytes have SHA-256 ${hash}, and GitHub says ${asset.hash}`);
}
async function hashAsset(api, asset) {
    if (asset.hash !== null)
        return asset.hash;
    const hash = (0,external_node_crypto_.createHash)('sha256');
    for await (const chunk of readBytes(api, asset))
        hash.update(chunk);
    return hash.digest('hex');
}
async function* readBytes(api, asset) {
    let bytes = 0;
    for await (const chunk of await api.streamAsset(asset)) {
        bytes += chunk.length;
        yield chunk;
    }
    if (bytes !== asset.size)
        throw incomplete(asset, `${bytes} of ${asset.size} bytes came`);
}
function incomplete({ name }, why) {
    return new GitHubError(`the asset "${(0,text_escape/* quote */.hD)(name)}" did not come whole: ${why}`, { mayPass: true });
}

// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: ./artifacts/checksums.js
var artifacts_checksums = __webpack_require__(7393);
// EXTERNAL MODULE: ./records/evidence.js + 1 modules
var evidence = __webpack_require__(1183);
// EXTERNAL MODULE: ./text/words.js
var words = __webpack_require__(4904);
;// CONCATENATED MODULE: ./release/attach.js












const input = 'attach-to-release';
const names = Object.values(own_files/* attachedNames */.dh);
async function checkWritable(evidence, target) {
    const { api, release, makeId } = target;
    const noted = `nothing was sent, as the release "${(0,text_escape/* quote */.hD)(release.tag)}"`;
    const check = async () => {
        if (evidence !== null && !(await lacksSome({ ...evidence, ...target })))
            return;
        if (release.isImmutable) {
            const why = 'is immutable; attach to the draft before it is published';
            throw new stop/* Stop */.VG((0,stop/* problemAt */.l4)(input, `${noted} ${why}`));
        }
        const name = temporaryName(own_files/* attachedNames */.dh.records, makeId);
        await api.deleteAsset(await api.uploadAsset(release, name, Buffer.from('\n')));
    };
    await check().catch(orStop(input, `${noted} cannot be written`));
}
async function lacksSome(task) {
    const listed = await task.api.listAssets(task.release);
    for (const name of names) {
        const content = await makeContent(name, task, listed);
        if (content === null)
            continue;
        if (!(await isThere(task.api, versionsOf(listed, name), { name, content })))
            return true;
    }
    return false;
}
async function attachEvidence(task) {
    const attached = [];
    for (const name of names) {
        const asset = await task.api.repeat(() => replaceOnce(name, task), mayBeReplaced);
        if (asset !== null)
            attached.push({ name, url: asset.url });
    }
    return attached;
}
function mayBeReplaced({ mayPass, status }) {
    return mayPass || [404, 409, 422].includes(status);
}
async function replaceOnce(name, task) {
    const { api, release, makeId } = task;
    const listed = await api.listAssets(release);
    const versions = versionsOf(listed, name);
    const content = await makeContent(name, task, listed);
    if (content === null)
        return null;
    if (await isThere(api, versions, { name, content }))
        return versions[0] ?? null;
    const uploaded = content.length === 0
        ? null
        : await api.uploadAsset(release, temporaryName(name, makeId), content);
    for (const old of versions)
        await api.deleteAsset(old);
    return uploaded && api.renameAsset(uploaded, name);
}
function temporaryName(name, makeId) {
    return `${name}.${makeId()}.tmp`;
}
async function isThere(api, [only, second], { name, content }) {
    if (content.length === 0)
        return only === undefined;
    if (only?.name !== name || second !== undefined || only.size !== content.length)
        return false;
    return (await hashAsset(api, only)) === (0,external_node_crypto_.hash)('sha256', content);
}
async function makeContent(name, task, listed) {
    const { api, recordsPath } = task;
    const own = (0,external_node_fs_.existsSync)(recordsPath) ? await (0,promises_.readFile)(recordsPath) : Buffer.alloc(0);
    const records = (0,merge/* mergeRecords */.P)(await readVersions(api, listed, own_files/* attachedNames */.dh.records), own);
    if (records.length === 0)
        return null;
    if (name === own_files/* attachedNames */.dh.records)
        return records;
    if (name === own_files/* attachedNames */.dh.checksums)
        return makeChecksums(task, listed);
    const page = (0,evidence/* renderEvidence */.o)(records);
    return page === null ? null : Buffer.from(page);
}
async function makeChecksums({ api, hashes, knownHashes }, listed) {
    const { checksums } = own_files/* attachedNames */.dh;
    const held = (0,artifacts_checksums/* parseChecksums */.y)(await readVersions(api, listed, checksums), checksums);
    const heldHashes = new Map(held.entries.map(({ name, hash }) => [name, hash]));
    const entries = [];
    for (const asset of assetsOfOthers(listed).filter(({ isUploaded }) => isUploaded)) {
        const { name } = asset;
        const known = asset.hash ?? knownHashes.get(asset.id);
        if (known === undefined && !heldHashes.has(name))
            continue;
        const sha256 = known ?? (await hashAsset(api, asset));
        if (hashes.has(sha256) || heldHashes.get(name) === sha256)
            entries.push({ name, hash: sha256 });
    }
    entries.sort((a, b) => (0,words/* compareCodeUnits */.UF)(a.name, b.name));
    return Buffer.from(entries.map(artifacts_checksums/* formatChecksum */.r).join(''));
}

;// CONCATENATED MODULE: ./release/open.js












const attachTimeoutMs = 600_000;
const attachTimeoutAfterCancelMs = 1_500;
const noRelease = {
    ...{ artifacts: [], counts: [], warnings: [], facts: null },
    readRecords: () => Promise.resolve(null),
    checkAttachable: () => Promise.resolve(),
    attach: () => Promise.resolve(null),
};
const open_input = 'release-tag';
async function openRelease(inputs, host) {
    const { releaseTag: tag, githubToken: token, attachToRelease } = inputs;
    if (tag === null)
        return noRelease;
    const { halt, apiUrl, makeId } = host;
    const { repository } = host.source;
    if (repository === null) {
        throw new stop/* Stop */.VG((0,stop/* problemWith */.CO)(open_input, 'needs a repository, and GITHUB_REPOSITORY is not set'));
    }
    (0,proxy/* checkProxy */.d)(apiUrl, host.proxyProblems);
    const connect = (signal) => connectToGitHub({ ...host, token, repository, signal });
    const api = await connect(halt.signal);
    const orStopAt = (what) => orStop(open_input, `${what} "${(0,text_escape/* quote */.hD)(tag)}" cannot be read`);
    const reading = readRelease(api, tag, host);
    const { release, listed, knownHashes, ...found } = await reading.catch(orStopAt('the release'));
    const target = { api, release, knownHashes, makeId };
    return {
        ...found,
        readRecords: async () => {
            const { records } = own_files/* attachedNames */.dh;
            const what = `${records} of the release`;
            let known = listed;
            const readOnce = async () => {
                const assets = known ?? (await api.listAssets(release));
                known = null;
                return readVersions(api, assets, records);
            };
            const held = await api.repeat(readOnce, mayBeReplaced).catch(orStopAt(what));
            return held.length === 0 ? null : held;
        },
        checkAttachable: async (evidence) => {
            if (attachToRelease)
                await checkWritable(evidence, target);
        },
        attach: async (evidence) => {
            if (!attachToRelease)
                return null;
            const signal = attachSignal(halt);
            try {
                const links = await attachEvidence({ ...evidence, ...target, api: await connect(signal) });
                return { tag, failure: null, links };
            }
            catch (error) {
                const failure = signal.aborted ? 'it took too long, or the run was cancelled' : why(error);
                return { tag, failure, links: [] };
            }
        },
    };
}
async function readRelease(api, tag, { source, halt }) {
    const release = (await api.findPublished(tag)) ?? (await findDraft(api, tag));
    const listed = await api.listAssets(release);
    const artifacts = [];
    const warnings = [];
    const knownHashes = new Map();
    for (const asset of assetsOfOthers(listed)) {
        if (!asset.isUploaded) {
            warnings.push(`the release asset "${(0,text_escape/* quote */.hD)(asset.name)}" is skipped: its upload never ended`);
            continue;
        }
        const artifact = await toArtifact(api, asset, halt.signal);
        artifacts.push(artifact);
        if ((0,artifacts_artifact/* isHashed */.S)(artifact))
            knownHashes.set(asset.id, artifact.hash);
    }
    const isTagOfRun = source.ref === `refs/tags/${tag}`;
    const tagCommit = isTagOfRun ? await api.findTagCommit(tag) : undefined;
    const facts = {
        tag,
        isDraft: release.isDraft,
        assets: artifacts,
        tagCommit,
        runCommit: source.sha,
    };
    const counts = [{ input: open_input, text: tag, count: artifacts.length }];
    return { release, listed, knownHashes, artifacts, warnings, counts, facts };
}
async function findDraft(api, tag) {
    for await (const page of api.listReleases()) {
        const releases = page.filter(release => release.tag === tag);
        const release = releases.find(({ isDraft }) => !isDraft) ?? releases[0];
        if (release?.isDraft === true && releases.length > 1) {
            const text = `the release "${(0,text_escape/* quote */.hD)(tag)}" has several drafts; delete all but one`;
            throw new stop/* Stop */.VG((0,stop/* problemAt */.l4)(open_input, text));
        }
        if (release !== undefined)
            return release;
    }
    const text = `the release "${(0,text_escape/* quote */.hD)(tag)}" was not found; check the tag, and for a draft give the job the permission contents: write, as others do not see it`;
    throw new stop/* Stop */.VG((0,stop/* problemAt */.l4)(open_input, text));
}
async function toArtifact(api, asset, halt) {
    const { name, size } = asset;
    const common = { source: open_input, name };
    try {
        return { ...common, size, hash: await hashAsset(api, asset) };
    }
    catch (error) {
        if (halt.aborted)
            return { ...common, failure: halt_0/* cancelledFailure */.Yq };
        const what = `the release asset could not be read: ${(0,system_error/* describeError */.U)(error)}`;
        const failure = (0,failure_0/* makeFailure */.ro)({ code: 'unreadable', what, remedy: 'run the job again' });
        return { ...common, failure };
    }
}
function why(error) {
    const remedy = error instanceof GitHubError ? error.failure.remedy : null;
    return (0,system_error/* describeError */.U)(error) + (remedy === null ? '' : `; ${remedy}`);
}
function attachSignal({ kill }) {
    const end = kill.aborted ? AbortSignal.timeout(attachTimeoutAfterCancelMs) : kill;
    return AbortSignal.any([AbortSignal.timeout(attachTimeoutMs), end]);
}


/***/ }),

/***/ 1109:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   SJ: () => (/* binding */ writeChecksumsFile),
/* harmony export */   bW: () => (/* binding */ writeTemporary),
/* harmony export */   e: () => (/* binding */ deliverOutputs),
/* harmony export */   ep: () => (/* binding */ deliverSummary),
/* harmony export */   mk: () => (/* binding */ makeRoom)
/* harmony export */ });
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6760);
/* harmony import */ var _artifacts_checksums_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(7393);
/* harmony import */ var _artifacts_own_files_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(1683);
/* harmony import */ var _stop_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(2553);
/* harmony import */ var _text_system_error_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(8343);






function deliverOutputs(outputs, runner) {
    try {
        for (const [name, value] of Object.entries(outputs))
            runner.setOutput(name, value);
        return null;
    }
    catch (error) {
        return `The outputs could not be written (${(0,_text_system_error_js__WEBPACK_IMPORTED_MODULE_5__/* .describeError */ .U)(error)})`;
    }
}
const makeRoom = 'make room on the machine, then run the job again';
async function deliverSummary(markdown, runner) {
    try {
        await runner.writeSummary(markdown);
    }
    catch (error) {
        runner.warning(`The job summary could not be written (${(0,_text_system_error_js__WEBPACK_IMPORTED_MODULE_5__/* .describeError */ .U)(error)})`);
    }
}
async function writeChecksumsFile(artifacts, tempFolder) {
    if (artifacts.every(({ hash }) => hash === null))
        return '';
    const file = { name: _artifacts_own_files_js__WEBPACK_IMPORTED_MODULE_3__/* .attachedNames */ .dh.checksums, text: checksumsOf(artifacts) };
    try {
        return await writeTemporary(tempFolder, file);
    }
    catch (error) {
        const message = `the checksums file cannot be written to the folder for temporary files (RUNNER_TEMP): ${(0,_text_system_error_js__WEBPACK_IMPORTED_MODULE_5__/* .describeError */ .U)(error)}; make room or correct the rights, then run the job again`;
        throw new _stop_js__WEBPACK_IMPORTED_MODULE_4__/* .Stop */ .VG({ input: null, message });
    }
}
const linesAtOnce = 1000;
function* checksumsOf(artifacts) {
    for (let at = 0; at < artifacts.length; at += linesAtOnce) {
        const lines = artifacts
            .slice(at, at + linesAtOnce)
            .map(({ name, hash }) => (hash === null ? '' : (0,_artifacts_checksums_js__WEBPACK_IMPORTED_MODULE_2__/* .formatChecksum */ .r)({ name, hash })));
        yield lines.join('');
    }
}
async function writeTemporary(tempFolder, { name, text }) {
    const path = (0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.mkdtemp)((0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(tempFolder, 'notarization-')), name);
    await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.writeFile)(path, text);
    return path;
}


/***/ }),

/***/ 5327:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   F6: () => (/* binding */ groupReasons),
/* harmony export */   Jw: () => (/* binding */ describeState),
/* harmony export */   vZ: () => (/* binding */ formatExplanation)
/* harmony export */ });
/* harmony import */ var _failure_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7579);
/* harmony import */ var _outcome_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1949);
/* harmony import */ var _text_time_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(5396);
/* harmony import */ var _text_words_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4904);




const maxReasons = 10;
const maxWhats = 3;
const maxExamples = 3;
function groupReasons(results, facts) {
    const keyOf = ({ code, registered, status, remedy }) => JSON.stringify([code, registered, status, remedy]);
    const groups = [...Map.groupBy(results.filter(_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .isFailed */ .Ix), ({ outcome }) => keyOf(outcome.failure))];
    const listed = new Set(groups.slice(0, maxReasons).map(([key]) => key));
    return {
        shown: groups.slice(0, maxReasons).flatMap(([, group]) => reasonOf(group, facts)),
        left: groups.slice(maxReasons).reduce((sum, [, { length }]) => sum + length, 0),
        has: (failure) => listed.has(keyOf(failure)),
        explain: ({ outcome: { failure }, verificationUrl }) => formatExplanation(explain(failure, facts, lookUpAt(verificationUrl))),
    };
}
function reasonOf(group, facts) {
    const whats = new Set(group.map(({ outcome }) => outcome.failure.what));
    const what = [...whats].slice(0, maxWhats).join('; or: ');
    const examples = group.slice(0, maxExamples);
    return examples.slice(0, 1).map(({ outcome: { failure }, verificationUrl }) => ({
        ...{ failure, examples, count: group.length },
        ...explain({ ...failure, what }, facts, lookUpAt(verificationUrl, group.length)),
    }));
}
function formatExplanation({ what, aftermath, remedy }) {
    return `${what}; ${aftermath}; ${remedy}`;
}
function describeState(outcome) {
    switch (outcome.state) {
        case 'planned':
            return outcome.open !== null
                ? { sign: '⚠️', state: 'would be sent again, an earlier run may have registered it' }
                : { sign: '🔎', state: 'would be registered' };
        case 'held':
            return { sign: '⚠️', state: 'not sent again until a person has settled it' };
        case 'registered': {
            const state = outcome.from === 'this-run' ? 'registered' : 'registered before';
            const tries = (0,_text_words_js__WEBPACK_IMPORTED_MODULE_2__/* .counted */ .hS)(outcome.unansweredTries, 'try', 'tries');
            const twice = `; ⚠️ may have been charged more than once (${tries} without an answer)`;
            return { sign: '✅', state: outcome.unansweredTries === 0 ? state : `${state}${twice}` };
        }
        case 'failed': {
            const { failure } = outcome;
            if (failure.registered === 'unknown')
                return { sign: '❓', state: 'may be registered' };
            const isKnown = failure.status === 409 && (0,_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .isRefusal */ .vu)(failure);
            return { sign: '❌', state: isKnown ? 'refused' : 'not registered' };
        }
    }
}
const maxShownUrl = 300;
function lookUpAt(url, count = 1) {
    if (url === undefined)
        return 'at the service (the input "verification-url" would link it here)';
    const isShown = count === 1 && url.length <= maxShownUrl;
    return isShown ? `at ${url}` : 'at the address of "verification-url"';
}
function explain(failure, facts, lookUp) {
    const { cause, remedy = failure.remedy } = likelyCause(failure, facts);
    const what = cause === undefined ? failure.what : `${cause}; ${failure.what}`;
    return { what, aftermath: aftermathOf(failure, lookUp), remedy };
}
function aftermathOf(failure, lookUp) {
    if (failure.registered === 'unknown')
        return `it may be registered and charged: look its hash up first, ${lookUp}`;
    if (failure.status === 409)
        return 'this run spent nothing for it; an earlier run may have registered it';
    return (0,_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .isRefusal */ .vu)(failure)
        ? 'this run did not register it and spent nothing for it; an earlier run whose records file is not here may have registered it'
        : 'this run did not register it, and nothing was spent for it';
}
const again = 'run the job again with the same records file';
const registeredByLostTry = 'the service knows this hash already: most likely a try whose answer was lost has registered it';
function likelyCause(failure, facts) {
    const { code, status, registered } = failure;
    if (code === 'login-refused')
        return { cause: 'the service does not accept the API key' };
    if (code === 'invalid-response' && registered === 'no')
        return { cause: 'most likely "base-url" is not the address of the service' };
    if (!(0,_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .isRefusal */ .vu)(failure))
        return {};
    if (registered === 'unknown')
        return status === 409 ? { cause: registeredByLostTry } : {};
    switch (status ?? 0) {
        case 400:
        case 422:
            return {
                cause: 'not accepted: most likely the subscription data is out of date, of another account, or not complete',
                remedy: `take the subscription data from the service anew, store it in one line behind the input "subscription", then ${again}`,
            };
        case 402:
            return {
                cause: facts.periodEndedMs === null
                    ? 'payment required: most likely the subscription has ended, or its volume is used up'
                    : `payment required: the subscription's period has ended on ${(0,_text_time_js__WEBPACK_IMPORTED_MODULE_3__/* .formatTime */ .f)(facts.periodEndedMs)} UTC`,
                remedy: `renew the subscription at the service, store its new data behind the input "subscription", then ${again}`,
            };
        case 403:
            return {
                cause: 'forbidden: most likely the API key and the subscription are of different accounts, or the account may not register',
                remedy: `check that both are of the same account and that it may register, then ${again}`,
            };
        case 404:
            if (code === 'request-refused')
                return {};
            return {
                cause: 'not found: most likely nobody has requested this registration yet',
                remedy: `request it at the service, or set the input "request-registration" to true, which lets this action do it; then ${again}`,
            };
        case 409:
            return {
                cause: 'registered already: the service knows this hash, most likely from an earlier run whose records are not here',
                remedy: `bring the records of that run back as "${facts.recordsPath}" (from its cache, its artifacts or the release), then run the job again; if they are lost, look the hash up at the service and keep what it shows as the proof, or ask it for the record and add that as a line to the file`,
            };
        default:
            return {};
    }
}


/***/ }),

/***/ 214:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   IO: () => (/* binding */ formatFailureError),
/* harmony export */   df: () => (/* binding */ describePlan),
/* harmony export */   eE: () => (/* binding */ formatLog),
/* harmony export */   nN: () => (/* binding */ formatDeferral),
/* harmony export */   oN: () => (/* binding */ formatArtifact),
/* harmony export */   so: () => (/* binding */ formatChargedAgain)
/* harmony export */ });
/* harmony import */ var _outcome_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(1949);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5765);
/* harmony import */ var _text_size_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(3004);
/* harmony import */ var _text_words_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(4904);
/* harmony import */ var _explain_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5327);
/* harmony import */ var _verdict_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6013);






const maxLines = 100;
function formatLog({ ranked, reasons }, verdict) {
    const lines = reasons.shown.map(reasonLine);
    const shown = ranked.slice(0, maxLines - lines.length);
    const rest = ranked.length - shown.length;
    return [
        ...lines,
        ...shown.map(result => artifactLine(result, reasons)),
        ...(rest > 0 ? [`and ${(0,_text_words_js__WEBPACK_IMPORTED_MODULE_3__/* .counted */ .hS)(rest, 'more artifact')}, see the job summary`] : []),
        verdict,
    ];
}
function reasonLine(reason) {
    const { failure, count, examples, what } = reason;
    const names = examples.map(({ name }) => `"${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .quote */ .hD)(name)}"`);
    const who = count === 1 ? names.join() : (0,_text_words_js__WEBPACK_IMPORTED_MODULE_3__/* .counted */ .hS)(count, 'artifact');
    const { state } = (0,_explain_js__WEBPACK_IMPORTED_MODULE_1__/* .describeState */ .Jw)((0,_outcome_js__WEBPACK_IMPORTED_MODULE_4__/* .failed */ .gz)(failure));
    const message = (0,_explain_js__WEBPACK_IMPORTED_MODULE_1__/* .formatExplanation */ .vZ)({ ...reason, what: (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .quote */ .hD)(what, _text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .maxMessageLength */ .sZ) });
    return `${who}, ${state}: ${failure.code}: ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .quote */ .hD)(message, _text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .maxMessageLength */ .sZ * 2)}`;
}
function artifactLine(result, reasons) {
    const line = formatArtifact((0,_explain_js__WEBPACK_IMPORTED_MODULE_1__/* .describeState */ .Jw)(result.outcome).state, result);
    if (!(0,_outcome_js__WEBPACK_IMPORTED_MODULE_4__/* .isFailed */ .Ix)(result))
        return line;
    const { failure } = result.outcome;
    const message = (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .quote */ .hD)(reasons.explain(result), _text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .maxMessageLength */ .sZ);
    return `FAILED, ${line}: ${failure.code}${reasons.has(failure) ? '' : `: ${message}`}`;
}
function formatArtifact(state, { name, size, hash }) {
    return `${state}: "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .quote */ .hD)(name)}" (${(0,_text_size_js__WEBPACK_IMPORTED_MODULE_5__/* .formatSize */ .X)(size)}, ${hash ?? 'not hashed'})`;
}
function formatFailureError({ results, counts, reasons }) {
    const first = results.find(_outcome_js__WEBPACK_IMPORTED_MODULE_4__/* .isFailed */ .Ix);
    if (first === undefined)
        return [];
    const many = (0,_verdict_js__WEBPACK_IMPORTED_MODULE_2__/* .formatFailed */ .hd)(counts, ` of ${(0,_text_words_js__WEBPACK_IMPORTED_MODULE_3__/* .counted */ .hS)(counts.total, 'artifact')}`);
    const message = (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .quote */ .hD)(reasons.explain(first), _text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .maxMessageLength */ .sZ);
    return [`${many}. The first, "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .quote */ .hD)(first.name)}": ${first.outcome.failure.code}: ${message}`];
}
function formatDeferral(verdict, { unknown }) {
    const first = unknown === 0 ? '' : 'look up at the service first what may be registered, then ';
    return `${verdict.replace(/^\S+ /, '')}; ${first}run the job again with the same records file to finish them`;
}
function formatChargedAgain({ chargedAgain }) {
    if (chargedAgain === 0)
        return [];
    const are = chargedAgain === 1 ? 'is' : 'are';
    return [
        `${(0,_text_words_js__WEBPACK_IMPORTED_MODULE_3__/* .counted */ .hS)(chargedAgain, 'artifact')} ${are} registered, but may have been charged more than once: a try before got no answer. Compare the registrations of this run with what the service charges`,
    ];
}
function describePlan({ artifacts, toRegister }) {
    const open = toRegister.filter(one => one.open !== null).length;
    const held = artifacts.filter(({ hash, outcome }) => hash !== null && outcome.state === 'failed' && outcome.failure.code === 'unavailable').length;
    const left = (0,_text_words_js__WEBPACK_IMPORTED_MODULE_3__/* .counted */ .hS)(toRegister.length, 'distinct hash is', 'distinct hashes are');
    const again = `${(0,_text_words_js__WEBPACK_IMPORTED_MODULE_3__/* .counted */ .hS)(open, 'hash', 'hashes')} may have been registered by an earlier run that read no answer; this run planned to send ${open === 1 ? 'it' : 'them'} again`;
    const line = [
        `${(0,_text_words_js__WEBPACK_IMPORTED_MODULE_3__/* .counted */ .hS)(artifacts.length, 'artifact')} found, ${left} left to register`,
        open === 0 ? '' : `; ${open} of them may have been registered by an earlier run`,
        held === 0 ? '' : `; ${held} that may have been registered by an earlier run not sent again`,
    ].join('');
    return { line, warnings: open === 0 ? [] : [again] };
}


/***/ }),

/***/ 7954:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $X: () => (/* binding */ formatWhole),
/* harmony export */   dj: () => (/* binding */ makeOutputs)
/* harmony export */ });
/* unused harmony export maxRecordsBytes */
/* harmony import */ var _outcome_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1949);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5765);


const maxRecordsBytes = 120_000;
const maxFailuresLength = 50_000;
function formatWhole(items) {
    const { text, isWhole } = takeFitting(items, maxRecordsBytes, text => Buffer.byteLength(text));
    return isWhole ? text : '';
}
function takeFitting(items, max, lengthOf) {
    const texts = [];
    let length = 1;
    let isWhole = true;
    for (const item of items) {
        const text = JSON.stringify(item);
        length += lengthOf(text) + 1;
        isWhole = length <= max;
        if (!isWhole)
            break;
        texts.push(text);
    }
    return { text: `[${texts.join(',')}]`, isWhole };
}
function recordOutput(result) {
    const { name, size, hash, outcome, verificationUrl } = result;
    const { from, record, redacted, unansweredTries } = outcome;
    return {
        ...{ artifact: name, size, hash, from, record },
        redacted: redacted.length > 0 ? redacted : undefined,
        verificationUrl,
        unansweredTries: unansweredTries > 0 ? unansweredTries : undefined,
    };
}
function failureOutput(result, reasons) {
    const { name, size, hash, outcome } = result;
    const { code, registered } = outcome.failure;
    const message = (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .cut */ .Jj)(reasons.explain(result), _text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .maxMessageLength */ .sZ);
    return { artifact: name, size, hash, code, registered, message };
}
function makeOutputs({ results, counts, reasons, publish }, verdict, paths) {
    const isDryRun = verdict === 'dry-run';
    const registered = (isDryRun ? [] : results).values().filter(_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .isRegistered */ .zN);
    const failed = results.values().filter(_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .isFailed */ .Ix);
    const failures = failed.map(result => failureOutput(result, reasons));
    return {
        verdict,
        records: formatWhole(registered.map(result => recordOutput(publish(result)))),
        failures: takeFitting(failures, maxFailuresLength, text => text.length).text,
        'records-path': paths.recordsPath,
        'checksums-path': paths.checksumsPath,
        'evidence-path': paths.evidencePath,
        'artifact-count': counts.total,
        'registered-count': isDryRun ? 0 : counts.registered,
        'newly-registered-count': isDryRun ? 0 : counts.newlyRegistered,
        'failed-count': counts.failed,
    };
}


/***/ }),

/***/ 4973:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $B: () => (/* binding */ formatExamples),
/* harmony export */   Pd: () => (/* binding */ formatPage),
/* harmony export */   aY: () => (/* binding */ code),
/* harmony export */   ab: () => (/* binding */ formatReasonItems),
/* harmony export */   dE: () => (/* binding */ formatPlace),
/* harmony export */   em: () => (/* binding */ sentence),
/* harmony export */   jQ: () => (/* binding */ formatNotes),
/* harmony export */   mo: () => (/* binding */ breakable),
/* harmony export */   q: () => (/* binding */ linked),
/* harmony export */   r1: () => (/* binding */ idCode)
/* harmony export */ });
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5765);
/* harmony import */ var _text_size_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(3004);
/* harmony import */ var _text_words_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4904);



const maxSummaryBytes = 1_000_000;
function formatPlace({ source, service }) {
    const { commitUrl, runUrl, sha, runId, ref } = source;
    const parts = [
        ...(ref === null ? [] : [code(ref.replace(/^refs\/(heads|tags)\//, ''))]),
        ...(sha === null ? [] : [`commit ${linked(code(sha.slice(0, 12)), commitUrl)}`]),
        ...(runId === null ? [] : [`run ${linked(code(runId), runUrl)}`]),
        ...(service === null ? [] : [`service ${code(service)}`]),
    ];
    return parts.length === 0 ? [] : [`<p>For ${parts.join(', ')}.</p>`, ''];
}
function formatReasonItems(lead, items) {
    if (items.length === 0)
        return [];
    const lines = items.map(({ title, answers }) => {
        const texts = Object.entries(answers).map(([label, text]) => {
            return `<br><b>${label}</b> ${sentence(text)}`;
        });
        return `<li>${title}${texts.join('')}</li>`;
    });
    return [`<p><b>${lead}</b></p>`, '<ol>', ...lines, '</ol>', ''];
}
const maxNotes = 10;
function formatExamples(examples, count) {
    const left = count - examples.length;
    return `${examples.join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}
function formatNotes(warnings) {
    const shown = warnings.slice(0, maxNotes).map(text => `<p>⚠️ ${sentence(text)}</p>`);
    const left = warnings.length - shown.length;
    const more = left > 0 ? [`<p>⚠️ ${left} more warnings are in the log of this step.</p>`] : [];
    return shown.length === 0 ? [] : [...shown, ...more, ''];
}
function sentence(text, maxLength = _text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .maxMessageLength */ .sZ) {
    const first = text.slice(0, 1);
    const begun = /^[a-z]+[ :,]/.test(text) ? `${first.toUpperCase()}${text.slice(1)}` : text;
    return `${breakable(begun, maxLength)}${/[.!?…\]]$/.test(text) ? '' : '.'}`;
}
function formatPage(page) {
    const { verdict, table = null, foot = [] } = page;
    const head = [`## ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toHtml */ .Vw)(verdict, _text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .maxMessageLength */ .sZ)}`, '', ...page.head];
    const room = maxSummaryBytes - Buffer.byteLength([...head, ...foot].join('\n')) - 1000;
    return [...head, ...(table === null ? [] : formatTable(table, room)), ...foot, ''].join('\n');
}
function formatTable({ titles, rows, total, elsewhere }, maxBytes) {
    const all = ['State', 'Artifact', 'Size', 'SHA-256', ...titles];
    const header = `<tr>${all.map(title => `<th align="left">${title}</th>`).join('')}</tr>`;
    const kept = [];
    let bytes = Buffer.byteLength(header);
    for (const one of rows) {
        const row = formatRow(one, titles.length);
        bytes += Buffer.byteLength(row) + 1;
        if (bytes > maxBytes)
            break;
        kept.push(row);
    }
    const missing = total - kept.length;
    const rest = `<p>${(0,_text_words_js__WEBPACK_IMPORTED_MODULE_1__/* .counted */ .hS)(missing, 'more artifact')} ${missing === 1 ? 'is' : 'are'} not shown; ${elsewhere}.</p>`;
    return ['<table>', header, ...kept, '</table>', '', ...(missing > 0 ? [rest, ''] : [])];
}
function formatRow({ state, artifact, details }, span) {
    const { name, size, hash, verificationUrl } = artifact;
    const cells = [
        ...[state, code(name), (0,_text_size_js__WEBPACK_IMPORTED_MODULE_2__/* .formatSize */ .X)(size).replace(' ', '&nbsp;')],
        hash === null ? '–' : linked(idCode(hash), verificationUrl),
        ...(typeof details === 'string' ? [] : details),
    ];
    const wide = typeof details === 'string' ? `<td colspan="${span}">${details}</td>` : '';
    return `<tr>${cells.map(html => `<td>${html}</td>`).join('')}${wide}</tr>`;
}
function code(text) {
    return typeof text === 'string' && text !== '' ? `<code>${breakable(text)}</code>` : '–';
}
function idCode(id) {
    const parts = (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .cut */ .Jj)(id, _text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .maxNameLength */ .ws).match(/.{1,16}/gsu) ?? [];
    return `<code title="${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toAttribute */ .G6)(id)}">${parts.map(part => (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toHtml */ .Vw)(part)).join('<wbr>')}</code>`;
}
const maxWord = 64;
const pieces = /[^/_]{1,31}[/_]|[^/_]{1,32}|[/_]/gu;
function breakable(text, maxLength = _text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .maxNameLength */ .ws) {
    return (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .quote */ .hD)(text, maxLength)
        .split(/(\s+)/u)
        .map(word => (word.length > maxWord ? (word.match(pieces) ?? []) : [word]))
        .map(parts => parts.map(part => (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toHtml */ .Vw)(part)).join('<wbr>'))
        .join('');
}
function linked(html, url) {
    if (url === undefined || url === null || !/^https?:\/\//i.test(url))
        return html;
    return `<a href="${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toAttribute */ .G6)(url, url.length)}">${html}</a>`;
}


/***/ }),

/***/ 626:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   D: () => (/* binding */ reportStop),
/* harmony export */   Z: () => (/* binding */ describeFaults)
/* harmony export */ });
/* harmony import */ var _failure_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7579);
/* harmony import */ var _deliver_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1109);
/* harmony import */ var _page_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4973);



const maxStopMessageLength = 4000;
async function reportStop(problems, { verdict, lead, nothing, outputs }, { runner, secrets, halt, source, baseUrl, showSummary }) {
    const failure = (0,_deliver_js__WEBPACK_IMPORTED_MODULE_1__/* .deliverOutputs */ .e)(outputs, runner);
    const messages = [
        ...formatProblems(problems).map(text => secrets.redactText(text)),
        ...describeFaults(halt, failure, `; ${nothing}`),
    ];
    if (showSummary) {
        const these = messages.length === 1 ? 'this' : 'these';
        const items = messages.map(text => `<li>${(0,_page_js__WEBPACK_IMPORTED_MODULE_2__/* .sentence */ .em)(text, maxStopMessageLength)}</li>`);
        const head = [
            ...(0,_page_js__WEBPACK_IMPORTED_MODULE_2__/* .formatPlace */ .dE)({ source, service: baseUrl }),
            `<p>${lead} Correct ${these}, then run the job again:</p>`,
            ...(items.length === 0 ? [''] : ['<ul>', ...items, '</ul>', '']),
        ];
        await (0,_deliver_js__WEBPACK_IMPORTED_MODULE_1__/* .deliverSummary */ .ep)((0,_page_js__WEBPACK_IMPORTED_MODULE_2__/* .formatPage */ .Pd)({ verdict, head }), runner);
    }
    for (const message of messages)
        runner.error(message);
    return 1;
}
function describeFaults({ bug, isCancelled }, outputsFailure, aftermath = '') {
    return [
        ...(bug === null ? [] : [(0,_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .describeBug */ .WP)(bug)]),
        ...(isCancelled ? [`The run was cancelled by a signal${aftermath}`] : []),
        ...(outputsFailure === null ? [] : [`${outputsFailure}; ${_deliver_js__WEBPACK_IMPORTED_MODULE_1__/* .makeRoom */ .mk}`]),
    ];
}
const maxErrors = 10;
function formatProblems(problems) {
    const groups = Map.groupBy(problems, ({ input }) => input);
    const texts = [...groups.values()].map(group => group.map(({ message }) => message).join('; '));
    if (texts.length <= maxErrors)
        return texts;
    const left = texts.length - maxErrors + 1;
    return [...texts.slice(0, maxErrors - 1), `${left} more inputs are wrong`];
}


/***/ }),

/***/ 6013:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   AU: () => (/* binding */ decideVerdict),
/* harmony export */   KW: () => (/* binding */ cancelled),
/* harmony export */   Pu: () => (/* binding */ formatVerdict),
/* harmony export */   aD: () => (/* binding */ countResults),
/* harmony export */   hd: () => (/* binding */ formatFailed),
/* harmony export */   u1: () => (/* binding */ findTroubles)
/* harmony export */ });
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5765);
/* harmony import */ var _text_words_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4904);
/* harmony import */ var _deliver_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1109);



function countResults(results) {
    const count = (isOne) => results.filter(({ outcome }) => isOne(outcome)).length;
    const countFresh = (isOne) => count(one => one.state === 'registered' && one.from === 'this-run' && isOne(one));
    const countFailed = (isOne) => count(one => one.state === 'failed' && isOne(one.failure));
    return {
        total: results.length,
        registered: count(({ state }) => state === 'registered'),
        newlyRegistered: countFresh(() => true),
        chargedAgain: countFresh(({ unansweredTries }) => unansweredTries > 0),
        failed: countFailed(() => true),
        unknown: countFailed(({ registered }) => registered === 'unknown'),
        deferrable: countFailed(({ isDeferrable }) => isDeferrable),
        planned: count(({ state }) => state === 'planned'),
        open: count(one => one.state === 'planned' && one.open !== null),
        held: count(({ state }) => state === 'held'),
    };
}
function decideVerdict({ total, registered, failed, deferrable }, inputs) {
    if (inputs.isDryRun)
        return 'dry-run';
    if (total === 0)
        return 'nothing-found';
    if (failed === 0)
        return 'registered';
    if (failed === deferrable && inputs.ifServiceUnavailable === 'warn')
        return 'deferred';
    return registered === 0 ? 'failed' : 'partial';
}
const maxTagLength = 100;
function findTroubles(run) {
    const { halt, isRecordsFileGone, attachment, outputsFailure } = run;
    const { tag, failure } = attachment ?? { tag: '', failure: null };
    return [
        ...(halt.bug === null ? [] : [metBug(halt.bug)]),
        ...(halt.isCancelled ? [cancelled] : []),
        ...(halt.hasUnsaved ? [unsaved] : []),
        ...(isRecordsFileGone ? [recordsGone] : []),
        ...(failure === null ? [] : [notAttached((0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .cut */ .Jj)(tag, maxTagLength), failure)]),
        ...(outputsFailure === null ? [] : [noOutputs(outputsFailure)]),
    ];
}
const metBug = ({ code, what, remedy }) => ({
    short: 'the run met a bug in this action',
    what: `${code}: ${what}`,
    aftermath: 'the records file has every record that was read; nothing more was sent',
    remedy,
});
const cancelled = {
    short: 'the run was cancelled',
    what: 'The run was cancelled by a signal',
    aftermath: 'the first line counts what is registered; nothing more was sent after the signal',
    remedy: 'run the job again with the same records file; what is registered is not sent again',
};
const unsaved = {
    short: 'a record is not saved in the records file',
    what: 'A record could not be saved to the records file; the log shows its line',
    aftermath: 'what that line says is registered and charged, but no later run knows it',
    remedy: 'add that line to the records file by hand before the job runs again, or it is paid for again',
};
const recordsGone = {
    short: 'the records file was removed or cut by somebody else',
    what: 'The records file was removed or cut by somebody else while the run went on',
    aftermath: 'what the table shows is registered and charged, but no later run knows it',
    remedy: 'save the output "records" of this step, it has what was registered; without it a later run pays again',
};
const notAttached = (tag, failure) => ({
    short: `the records are not attached to ${tag}`,
    what: `The records could not be attached to the release "${tag}": ${failure}`,
    aftermath: 'the records file has every record; nothing is lost, and nothing is charged again',
    remedy: 'run the job again with the same records file: it attaches them and sends nothing that is registered; or attach the records file by hand',
});
const noOutputs = (failure) => ({
    short: 'the outputs could not be written',
    what: failure,
    aftermath: 'the records file has every record',
    remedy: `${_deliver_js__WEBPACK_IMPORTED_MODULE_1__/* .makeRoom */ .mk} with the same records file`,
});
function formatVerdict(verdict, counts, troubles) {
    const { total, registered, newlyRegistered } = counts;
    const isFine = troubles.length === 0;
    const shorts = troubles.map(({ short }) => short);
    const beside = shorts.map(short => `; ${short}`).join('');
    const split = ` (${newlyRegistered} newly registered, ${registered - newlyRegistered} known before)`;
    const of = `${registered} of ${(0,_text_words_js__WEBPACK_IMPORTED_MODULE_2__/* .counted */ .hS)(total, 'artifact')} registered`;
    const some = registered === 0 ? of : `${of}${split}`;
    if (verdict === 'dry-run')
        return `${formatDryRun(counts, isFine)}${beside}`;
    if (verdict === 'nothing-found')
        return `${isFine ? '⚠️' : '❌'} NOTHING NOTARIZED: no artifact was found${beside}`;
    if (verdict === 'registered') {
        const how = isFine ? '✅ NOTARIZED' : `⚠️ NOTARIZED, but ${shorts.join(', and ')}`;
        return `${how}: ${of}${split}`;
    }
    if (verdict === 'deferred' && isFine)
        return `⚠️ NOT NOTARIZED: deferred; ${some}; the service was not available: ${formatFailed(counts)}`;
    return `❌ ${registered === 0 ? 'NOT' : 'PARTLY'} NOTARIZED: ${some}; ${formatFailed(counts)}${beside}`;
}
function formatDryRun(counts, isFine) {
    const { total, registered, planned, open, held, failed } = counts;
    const them = held === 1 ? 'it' : 'them';
    return [
        `${failed === 0 && isFine ? '🔎' : '❌'} DRY RUN, nothing was sent: `,
        `${planned} of ${(0,_text_words_js__WEBPACK_IMPORTED_MODULE_2__/* .counted */ .hS)(total, 'artifact')} would be registered`,
        open === 0 ? '' : ` (${open} may have been registered by an earlier run)`,
        `, ${registered} known before`,
        held === 0 ? '' : `, ${held} not sent again until a person has settled ${them}`,
        failed === 0 ? '' : `, ${failed} could not be hashed`,
    ].join('');
}
function formatFailed({ failed, unknown }, of = '') {
    if (unknown === 0)
        return `${failed}${of} failed`;
    const mayBe = unknown === failed ? ' and' : `, ${unknown} of them`;
    return `${failed}${of} failed${mayBe} may be registered`;
}


/***/ }),

/***/ 2293:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   d: () => (/* binding */ checkProxy)
/* harmony export */ });
/* harmony import */ var _actions_http_client_lib_proxy__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3689);
/* harmony import */ var _stop_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(2553);


function checkProxy(url, problems) {
    const parsed = new URL(url);
    const problem = problems.get(parsed.protocol);
    if (problem !== undefined && !(0,_actions_http_client_lib_proxy__WEBPACK_IMPORTED_MODULE_0__/* .checkBypass */ .H)(parsed))
        throw new _stop_js__WEBPACK_IMPORTED_MODULE_1__/* .Stop */ .VG(problem);
}


/***/ }),

/***/ 43:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Ay: () => (/* binding */ decideNextStep),
/* harmony export */   PS: () => (/* binding */ isRetryableStatus),
/* harmony export */   mu: () => (/* binding */ parseRetryAfter)
/* harmony export */ });
/* unused harmony export maxRetryAfterMs */
const maxRetryAfterMs = 60_000;
const firstBackoffMs = 500;
const maxBackoffMs = 30_000;
function isRetryableStatus(status) {
    return [408, 425, 429, 500, 502, 503, 504].includes(status);
}
function decideNextStep({ isRetryable, retryAfterMs }, { tries, maxAttempts, random, maxWaitMs = maxRetryAfterMs }) {
    if (!isRetryable || (retryAfterMs ?? 0) > maxWaitMs)
        return { action: 'done', waitMs: 0, holdMs: 0 };
    const holdMs = retryAfterMs ?? 0;
    if (tries >= maxAttempts)
        return { action: 'done', waitMs: 0, holdMs };
    const ceiling = Math.min(maxBackoffMs, firstBackoffMs * 2 ** (tries - 1));
    return { action: 'wait', waitMs: retryAfterMs ?? random * ceiling, holdMs };
}
const days = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const months = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const time = '\\d{2}:\\d{2}:\\d{2}';
const httpDates = [
    new RegExp(`^${days}, \\d{2} ${months} \\d{4} ${time} GMT$`),
    new RegExp(`^${days}[a-z]*, \\d{2}-${months}-\\d{2} ${time} GMT$`),
    new RegExp(`^${days} ${months} [ \\d]\\d ${time} \\d{4}$`),
];
function parseRetryAfter(value, nowMs) {
    const text = value?.trim() ?? '';
    if (/^\d+$/.test(text))
        return Math.min(Number(text) * 1000, Number.MAX_SAFE_INTEGER);
    if (!httpDates.some(form => form.test(text)))
        return null;
    const date = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
    return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}


/***/ }),

/***/ 8688:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Is: () => (/* binding */ checkSubscription),
/* harmony export */   MP: () => (/* binding */ readSubscription),
/* harmony export */   ge: () => (/* binding */ severalLines)
/* harmony export */ });
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(2417);
/* harmony import */ var _text_json_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7727);


const text = zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP('a string'));
const textOrNull = zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .nullable */ .mee(zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .string */ .YjP('a string or null')));
const seconds = zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .custom */ .IeY(_text_json_js__WEBPACK_IMPORTED_MODULE_1__/* .isInteger */ .Fq, 'an integer, epoch seconds'));
const subscriptionSchema = zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .looseObject */ ._H3({
    sessionId: text,
    id: textOrNull,
    userId: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .custom */ .IeY(_text_json_js__WEBPACK_IMPORTED_MODULE_1__/* .isInteger */ .Fq, 'an integer')),
    planId: text,
    planNickname: text,
    status: text,
    created: seconds,
    currentPeriodStart: seconds,
    currentPeriodEnd: seconds,
    canceledAt: zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .union */ .KCZ([zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .custom */ .IeY(_text_json_js__WEBPACK_IMPORTED_MODULE_1__/* .isInteger */ .Fq), zod_mini__WEBPACK_IMPORTED_MODULE_0__/* .boolean */ .zMY()], 'an integer or a boolean')),
    customer: textOrNull,
    defaultPaymentMethod: textOrNull,
    latestInvoice: textOrNull,
});
const secretFields = ['sessionId', 'customer', 'custumer', 'latestInvoice', 'defaultPaymentMethod'];
const sparedFields = ['id', 'userId', 'planId'];
function readSubscription(text, nowMs) {
    const json = decode(text);
    const data = json === undefined ? undefined : (0,_text_json_js__WEBPACK_IMPORTED_MODULE_1__/* .parseJsonObject */ .dw)(json);
    const reading = json === undefined || data === undefined
        ? unreadable(text, json)
        : checkSubscription(data, { json, nowMs });
    if (!/[\r\n]/.test(text.trim()))
        return reading;
    return { ...reading, warnings: [severalLines, ...reading.warnings] };
}
function unreadable(text, json) {
    const nothing = { warnings: [], secrets: [], spared: [], periodEndedMs: null };
    const refuse = (why) => ({ subscription: null, errors: [why], ...nothing });
    if (/^["']?active["']?$/i.test(text.trim())) {
        return refuse('must be the word active without quotes, in lower case, to have the subscription retrieved');
    }
    const cut = json?.startsWith('{') === true && !json.endsWith('}')
        ? `; it begins like one, but ends after ${json.length} characters without its closing brace`
        : '';
    return refuse(`must be one JSON object, or base64 of one${cut}; its text is not shown, as it is secret; store it on one line with: jq -c . subscription.json | gh secret set NOTARIZATION_SUBSCRIPTION`);
}
const severalLines = 'stands on several lines, and the runner masks every one of them wherever it occurs (even a line that is just a brace); store it on one line or as base64 without line breaks';
function checkSubscription(given, { json, nowMs }) {
    const { custumer, ...rest } = given;
    const isMisspelt = custumer !== undefined;
    const data = isMisspelt ? { ...rest, customer: rest['customer'] ?? custumer } : given;
    const parsed = subscriptionSchema.safeParse(data);
    const common = {
        secrets: secretFields.flatMap(field => texts(given[field])),
        spared: sparedFields.flatMap(field => texts(given[field])),
    };
    if (!parsed.success) {
        const errors = parsed.error.issues.map(({ path, message }) => `has the wrong type in ${String(path[0])}: expected ${message}`);
        return { ...common, subscription: null, errors, warnings: [], periodEndedMs: null };
    }
    const periodEndedMs = endedPeriod(parsed.data, nowMs);
    const subscription = {
        id: parsed.data.id ?? null,
        json: isMisspelt ? JSON.stringify(data) : json,
    };
    const warnings = warningsOf(parsed.data, periodEndedMs);
    return { ...common, subscription, errors: [], warnings, periodEndedMs };
}
function warningsOf(data, periodEndedMs) {
    const warnings = [];
    const absent = Object.keys(subscriptionSchema.shape).filter(field => data[field] === undefined);
    if (absent.length > 0)
        warnings.push(`lacks ${absent.join(', ')}; the service may refuse it`);
    if (data.status !== undefined && data.status !== 'active') {
        warnings.push('has a status other than "active"; the service may refuse it');
    }
    if (![undefined, null, false, 0].includes(data.canceledAt)) {
        warnings.push('is cancelled (canceledAt is set); the service may refuse it');
    }
    if (periodEndedMs !== null) {
        const day = new Date(periodEndedMs).toISOString().slice(0, 10);
        warnings.push(`has a period that ended on ${day} (currentPeriodEnd); the service may refuse it`);
    }
    return warnings;
}
function endedPeriod({ currentPeriodEnd }, nowMs) {
    const endMs = Number(JSON.stringify(currentPeriodEnd)) * 1000;
    return currentPeriodEnd !== undefined && endMs < nowMs ? Math.max(endMs, 0) : null;
}
function texts(value) {
    if (typeof value === 'string')
        return [value];
    return typeof value === 'number' || JSON.isRawJSON(value) ? [JSON.stringify(value)] : [];
}
function decode(text) {
    const trimmed = text.trim().replace(/^\ufeff/, '');
    if (trimmed.startsWith('{'))
        return trimmed;
    const packed = trimmed.replace(/\s+/g, '');
    if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(packed))
        return undefined;
    try {
        const bytes = Buffer.from(packed, 'base64');
        return new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim();
    }
    catch {
        return undefined;
    }
}


/***/ }),

/***/ 2553:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   CO: () => (/* binding */ problemWith),
/* harmony export */   VG: () => (/* binding */ Stop),
/* harmony export */   l4: () => (/* binding */ problemAt)
/* harmony export */ });
function problemWith(input, text) {
    return { input, message: `input "${input}" ${text}` };
}
function problemAt(input, text) {
    return { input, message: `input "${input}": ${text}` };
}
class Stop extends Error {
    problems;
    constructor(...problems) {
        super(problems.map(({ message }) => message).join('; '));
        this.name = 'Stop';
        this.problems = problems;
    }
    static ifAny(problems) {
        if (problems.length > 0)
            throw new Stop(...problems);
    }
}


/***/ }),

/***/ 5765:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   G6: () => (/* binding */ toAttribute),
/* harmony export */   Jj: () => (/* binding */ cut),
/* harmony export */   ST: () => (/* binding */ toJsonLogLine),
/* harmony export */   Vw: () => (/* binding */ toHtml),
/* harmony export */   gD: () => (/* binding */ toLogLine),
/* harmony export */   hD: () => (/* binding */ quote),
/* harmony export */   sZ: () => (/* binding */ maxMessageLength),
/* harmony export */   ws: () => (/* binding */ maxNameLength)
/* harmony export */ });
/* unused harmony export showControls */
const maxNameLength = 256;
const maxMessageLength = 1000;
const acting = /[\p{Cc}\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}\p{Cs}]/gu;
function showControls(text) {
    return text.replace(acting, character => character.split('').map(unicodeEscape).join(''));
}
function unicodeEscape(unit) {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
function cut(text, maxLength) {
    if (text.length <= maxLength)
        return text;
    const kept = text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '');
    return `${kept}… [cut, ${text.length} characters]`;
}
function toLogLine(text) {
    return showControls(text)
        .replaceAll('##[', '\\u0023#[')
        .replace(/^(\s*)::/u, '$1\\u003a:');
}
function quote(text, maxLength = maxNameLength) {
    const kept = text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '');
    const shown = showControls(text.length <= maxLength ? text : kept);
    const isWhole = text.length <= maxLength && shown.length <= maxLength * 2;
    return isWhole ? shown : `${shown.slice(0, maxLength * 2)}… [cut, ${text.length} characters]`;
}
function toJsonLogLine(value) {
    return toLogLine(JSON.stringify(value));
}
const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const special = /[&<>"'`|[\]*~@#!\\$]/g;
const specialInText = /[&<>"'`|[\]*~@#!\\$]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|:(?=\/\/)|(?<=www)\./giu;
function toHtml(text, maxLength = maxNameLength) {
    const html = quote(text, maxLength).replace(specialInText, entityOf);
    return html.replace(/&#(?:35|64);/g, '$&<wbr>');
}
function toAttribute(text, maxLength = maxNameLength) {
    return quote(text, maxLength).replace(special, entityOf);
}
function entityOf(character) {
    return entities[character] ?? `&#${character.charCodeAt(0)};`;
}


/***/ }),

/***/ 7727:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Fq: () => (/* binding */ isInteger),
/* harmony export */   OW: () => (/* binding */ isJsonObject),
/* harmony export */   dw: () => (/* binding */ parseJsonObject),
/* harmony export */   fE: () => (/* binding */ isShallow),
/* harmony export */   iC: () => (/* binding */ maxJsonDepth),
/* harmony export */   qF: () => (/* binding */ parseJson)
/* harmony export */ });
const maxJsonDepth = 200;
function isJsonObject(value) {
    return (typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value));
}
function isInteger(value) {
    if (typeof value === 'number')
        return Number.isInteger(value);
    return JSON.isRawJSON(value) && /^-?\d+$/.test(JSON.stringify(value));
}
function parseJson(text) {
    if (!mayChange.test(text))
        return JSON.parse(text);
    return JSON.parse(text, (_, value, { source }) => typeof value === 'number' && source !== undefined && isChanged(value, source)
        ? JSON.rawJSON(source)
        : value);
}
const mayChange = /(?:^|[:,[\s])-?(?:\d{16}|\d+[.eE])/;
function isChanged(value, source) {
    if (!Number.isInteger(value))
        return String(value) !== source;
    return !Number.isSafeInteger(value) || significant(String(value)) !== significant(source);
}
function significant(number) {
    return number.replace(/[eE].*|[-.]/g, '').replace(/^0+|0+$/g, '');
}
function parseJsonObject(text) {
    try {
        const value = parseJson(text);
        return isJsonObject(value) && isShallow(value) ? value : undefined;
    }
    catch {
        return undefined;
    }
}
function isShallow(root, maxDepth = maxJsonDepth) {
    let level = [root];
    for (let depth = 0; level.length > 0; depth++) {
        if (depth > maxDepth)
            return false;
        level = level.flatMap((value) => typeof value === 'object' && value !== null ? Object.values(value) : []);
    }
    return true;
}


/***/ }),

/***/ 3004:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   X: () => (/* binding */ formatSize)
/* harmony export */ });
function formatSize(bytes) {
    if (bytes === null)
        return '–';
    const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
    let value = bytes;
    let unit = 0;
    for (; value >= 1024 && unit < units.length - 1; unit++)
        value /= 1024;
    return `${unit === 0 ? String(value) : value.toFixed(1)} ${units[unit] ?? ''}`;
}


/***/ }),

/***/ 8343:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   C: () => (/* binding */ errorCode),
/* harmony export */   U: () => (/* binding */ describeError)
/* harmony export */ });
const reasons = {
    EACCES: 'permission denied',
    EAI_AGAIN: 'the name look-up failed for now',
    ECONNREFUSED: 'the connection was refused',
    ECONNRESET: 'the connection was reset',
    EFBIG: 'the file would be too large',
    EHOSTUNREACH: 'the host cannot be reached',
    EISDIR: 'it is a folder',
    ELOOP: 'too many symbolic links',
    ENETUNREACH: 'the network cannot be reached',
    ENOENT: 'no such file or folder',
    ENOSPC: 'no space left on the device',
    ENOTDIR: 'a part of the path is not a folder',
    ENOTFOUND: 'the host name is not known',
    EPERM: 'operation not permitted',
    EPIPE: 'the connection was closed',
    EROFS: 'the file system is read-only',
    ETIMEDOUT: 'the connection timed out',
};
function errorCode(error) {
    if (!(error instanceof Error) || !('code' in error))
        return null;
    return typeof error.code === 'string' && error.code !== '' ? error.code : null;
}
function describeError(error) {
    const code = errorCode(error);
    if (code !== null)
        return code in reasons ? `${reasons[code] ?? ''} (${code})` : code;
    if (error instanceof AggregateError && error.errors.length > 0)
        return describeError(error.errors[0]);
    if (error instanceof Error)
        return error.message === '' ? error.name : error.message;
    return 'an unknown error';
}


/***/ }),

/***/ 5396:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   a: () => (/* binding */ formatDuration),
/* harmony export */   f: () => (/* binding */ formatTime)
/* harmony export */ });
function formatTime(value) {
    const date = new Date(typeof value === 'number' ? value : NaN);
    return Number.isNaN(date.getTime()) ? '–' : date.toISOString().slice(0, 19).replace('T', ' ');
}
function formatDuration(seconds) {
    if (seconds < 90)
        return `${Math.ceil(seconds)} s`;
    const minutes = Math.ceil(seconds / 60);
    return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}


/***/ }),

/***/ 6318:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   B: () => (/* binding */ fillVerificationUrl),
/* harmony export */   U: () => (/* binding */ checkVerificationTemplate)
/* harmony export */ });
const maxUrlLength = 2000;
function checkVerificationTemplate(template) {
    const url = URL.parse(template.replaceAll(/\{(hash|txId)\}/g, 'x'));
    if (url === null || /[\s\p{Cc}\\]/u.test(template))
        return 'must be one URL';
    if (!/^https:\/\//i.test(template) || url.protocol !== 'https:')
        return 'must start with https://';
    if (url.username !== '' || url.password !== '')
        return 'must not contain credentials';
    if (/[{}]/.test(template.replaceAll(/\{(hash|txId)\}/g, ''))) {
        return 'must have no placeholders but {hash} and {txId}';
    }
    const [, host = '{'] = /^https:\/\/([^/?#]+)/i.exec(template) ?? [];
    if (host.includes('{'))
        return 'must have a host, without a placeholder in it';
    if (template.length > maxUrlLength)
        return `must have at most ${maxUrlLength} characters`;
    return template.includes('{') ? null : 'must have the placeholder {hash} or {txId}';
}
function fillVerificationUrl(template, { hash, record }) {
    const { txId } = record;
    if (template === null || hash === null)
        return undefined;
    const hasTransaction = typeof txId === 'string' && txId !== '' && !txId.includes('***');
    if (template.includes('{txId}') && !hasTransaction)
        return undefined;
    const transaction = hasTransaction ? encodeURIComponent(txId.toWellFormed()) : '';
    const url = template.replaceAll('{hash}', hash).replaceAll('{txId}', () => transaction);
    return url.length > maxUrlLength ? undefined : url;
}


/***/ }),

/***/ 4904:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Fl: () => (/* binding */ baseName),
/* harmony export */   UF: () => (/* binding */ compareCodeUnits),
/* harmony export */   hS: () => (/* binding */ counted),
/* harmony export */   yU: () => (/* binding */ someOf)
/* harmony export */ });
function counted(count, one, many = `${one}s`) {
    return `${count} ${count === 1 ? one : many}`;
}
function someOf(items, max, { separator = '; ', rest = 'more' } = {}) {
    const left = items.length - max;
    return left > 0
        ? [...items.slice(0, max), `and ${left} ${rest}`].join(separator)
        : items.join(separator);
}
function compareCodeUnits(a, b) {
    return a < b ? -1 : a > b ? 1 : 0;
}
function baseName(name) {
    return name.slice(name.lastIndexOf('/') + 1);
}


/***/ })

};
