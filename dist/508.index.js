export const id = 508;
export const ids = [508];
export const modules = {

/***/ 6159:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  k: () => (/* binding */ collectArtifacts)
});

// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./failure.js
var failure = __webpack_require__(7579);
// EXTERNAL MODULE: ./outcome.js
var outcome = __webpack_require__(1949);
// EXTERNAL MODULE: ./runtime/environment.js
var environment = __webpack_require__(5107);
// EXTERNAL MODULE: ./text/escape.js
var text_escape = __webpack_require__(8146);
// EXTERNAL MODULE: ./text/names.js
var text_names = __webpack_require__(2117);
// EXTERNAL MODULE: ./text/phrases.js
var phrases = __webpack_require__(7999);
;// CONCATENATED MODULE: ./artifacts/checksums.js
const hash = String.raw `(?:sha256:)?(?<hash>[0-9A-Fa-f]{64})`;
const checksums_name = String.raw `(?<name>[^\p{Cc}\ufffd]+)`;
const gnuLine = new RegExp(String.raw `^(?<escape>\\?)${hash}[ \t][ *]?${checksums_name}$`, 'u');
const bsdLine = new RegExp(String.raw `^(?<escape>\\?)SHA(?:2-)?256 ?\(${checksums_name}\) ?= ${hash}$`, 'u');
const loneHash = new RegExp(`^${hash}$`);
function parseChecksums(bytes, fileName) {
    const entries = [];
    const errors = [];
    const lines = decode(bytes)
        .split('\n')
        .map((text, index) => ({ text: text.trimEnd(), number: index + 1 }))
        .filter(({ text }) => text !== '' && !text.startsWith('#'));
    for (const { text, number } of lines) {
        const entry = readEntry(lines.length === 1 ? text.replace(loneHash, '$&  -') : text, fileName);
        if (entry === null)
            errors.push(`line ${number} is not a SHA-256 checksum with a name`);
        else
            entries.push(entry);
    }
    return { entries, errors };
}
function decode(bytes) {
    let encoding = 'utf-8';
    if (bytes[0] === 0xff && bytes[1] === 0xfe)
        encoding = 'utf-16le';
    if (bytes[0] === 0xfe && bytes[1] === 0xff)
        encoding = 'utf-16be';
    return new TextDecoder(encoding).decode(bytes);
}
function readEntry(line, fileName) {
    const parts = (gnuLine.exec(line) ?? bsdLine.exec(line))?.groups;
    const { escape, hash = '', name: listed = '' } = parts ?? {};
    const isLone = listed === '-' || listed === 'stdin';
    let name = escape === '' ? listed : checksums_unescape(listed);
    if (isLone)
        name = /^(.*[^/])\.sha256(?:sum|\.txt)?$/is.exec(fileName)?.[1] ?? '';
    else
        name = name.replace(/^\.\/+/, '');
    if (name === '')
        return null;
    return { name, isLone, hash: hash.toLowerCase() };
}
function checksums_unescape(name) {
    const characters = { n: '\n', r: '\r' };
    return name.replace(/\\(.)/gs, (_, escaped) => characters[escaped] ?? escaped);
}

// EXTERNAL MODULE: ./artifacts/files.js
var artifacts_files = __webpack_require__(9706);
;// CONCATENATED MODULE: ./artifacts/collect.js










const patternRemedy = {
    next: 'correct the pattern: patterns start at the workspace, one per line; variables, commas, quotes and braces are not supported, brackets are wildcards, and hidden files must be named',
    docs: artifacts_files/* patternDocs */.wc,
};
const linesRemedy = {
    next: 'write each line as "<SHA-256>  name" or "SHA256 (name) = <SHA-256>", or put nothing but the hash into name.sha256',
    docs: 'reference.md#checksums-files',
};
async function collectArtifacts(inputs, host, skip) {
    const found = await (0,artifacts_files/* findFiles */.lY)('path', inputs.path, host);
    const foundLists = await (0,artifacts_files/* findFiles */.lY)('checksums', inputs.checksums, host);
    const records = new Set(skip.flatMap(path => [(0,artifacts_files/* nameOf */.Vb)(path), (0,artifacts_files/* nameOf */.Vb)((0,artifacts_files/* realPathOf */.dN)(path))]));
    const isOwn = (name) => (0,text_names/* isOwnFile */.Z4)((0,text_names/* baseName */.Fl)(name)) || records.has(name);
    const files = found.files.filter(({ name }) => !isOwn(name));
    const matches = countMatches('path', found, new Map(files.map(({ path }) => [path, 1])));
    const names = new Map(files.map(({ name, path }) => [path, name]));
    const lists = foundLists.files.filter(({ name }) => !isOwn(name));
    const nameOfFile = (name) => names.get((0,artifacts_files/* realPathOf */.dN)((0,external_node_path_.resolve)(name)));
    const reading = readLists(lists, { nameOfFile, isOwn });
    const listMatches = countMatches('checksums', foundLists, reading.sizes);
    const problems = [...found.problems, ...foundLists.problems, ...reading.problems];
    const warnings = [...found.warnings, ...foundLists.warnings];
    const missing = [...matches.missing, ...listMatches.missing, ...reading.missing];
    if (inputs.ifNoFilesFound === 'error')
        problems.push(...missing);
    if (inputs.ifNoFilesFound === 'warn') {
        for (const { message, next, docs } of missing) {
            warnings.push((0,environment/* linkTo */.uM)(docs, `${message}; ${next}`, host));
        }
    }
    const counts = [...matches.counts, ...listMatches.counts];
    return { files, listed: reading.listed, counts, problems, warnings };
}
function readLists(lists, local) {
    const sizes = new Map();
    const listed = [];
    const problems = [];
    const invalid = [];
    const empty = [];
    for (const { name, path } of lists) {
        const shown = `"${(0,text_escape/* quote */.hD)(name)}"`;
        let bytes;
        try {
            bytes = (0,external_node_fs_.readFileSync)(path);
        }
        catch (error) {
            const text = `${shown} cannot be read: ${(0,failure/* describeError */.Uc)(error)}`;
            problems.push((0,failure/* problemAt */.l4)('checksums', text, { next: 'make it readable' }));
            sizes.set(path, 0);
            continue;
        }
        const { entries, errors } = parseChecksums(bytes, name);
        const folders = [(0,external_node_path_.dirname)(name), (0,artifacts_files/* nameOf */.Vb)((0,external_node_path_.dirname)(path)), '.'];
        const artifacts = entries.flatMap(entry => resolveEntry(entry, folders, local));
        sizes.set(path, artifacts.length);
        listed.push(...artifacts);
        invalid.push(...errors.map(error => `${shown}, ${error}`));
        if (artifacts.length + errors.length === 0)
            empty.push(`${shown} lists no artifact`);
    }
    problems.push(...asOneProblem('checksums', invalid, linesRemedy));
    return { sizes, listed, problems, missing: asOneProblem('checksums', empty, linesRemedy) };
}
function resolveEntry({ name, isLone, hash }, folders, { nameOfFile, isOwn }) {
    const meant = (isLone ? ['.'] : folders).map(from => (0,artifacts_files/* nameOf */.Vb)((0,external_node_path_.resolve)(from, name)));
    const found = meant.find(path => isOwn(path) || nameOfFile(path) !== undefined) ?? name;
    if (isOwn(found))
        return [];
    const local = nameOfFile(found) ?? name;
    return [{ input: 'checksums', name: local, size: null, hash, outcome: outcome/* planned */.lM }];
}
function countMatches(input, { patterns }, sizes) {
    const missing = [];
    const counts = patterns.map(({ text, paths }) => {
        const counted = [...paths].flatMap(path => sizes.get(path) ?? []);
        const shown = `"${(0,text_escape/* quote */.hD)(text)}" matches`;
        if (paths.size === 0)
            missing.push(`${shown} no file`);
        else if (counted.length === 0)
            missing.push(`${shown} only files that this action writes`);
        return { text, count: counted.reduce((sum, size) => sum + size, 0) };
    });
    return { counts, missing: asOneProblem(input, missing, patternRemedy) };
}
function asOneProblem(input, texts, remedy) {
    if (texts.length === 0)
        return [];
    return [(0,failure/* problemAt */.l4)(input, (0,phrases/* joinFirst */.FS)(texts, 10), remedy)];
}


/***/ }),

/***/ 9706:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Vb: () => (/* binding */ nameOf),
/* harmony export */   dN: () => (/* binding */ realPathOf),
/* harmony export */   lY: () => (/* binding */ findFiles),
/* harmony export */   wc: () => (/* binding */ patternDocs)
/* harmony export */ });
/* harmony import */ var node_assert__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4589);
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(3024);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6760);
/* harmony import */ var _actions_glob__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(6373);
/* harmony import */ var _failure_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(7579);
/* harmony import */ var _runtime_guard_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(1503);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(8146);
/* harmony import */ var _text_names_js__WEBPACK_IMPORTED_MODULE_8__ = __webpack_require__(2117);
/* harmony import */ var _text_phrases_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(7999);









const patternDocs = 'reference.md#patterns';
async function findFiles(input, text, host) {
    const { environment, halt } = host;
    const all = text.split('\n').map(line => line.trim());
    const lines = all.filter(line => line !== '' && !line.startsWith('#'));
    const isExclusion = (line) => line.startsWith('!');
    const files = new Map();
    const skipped = new Set();
    const patterns = [];
    const problems = [];
    const folders = new Map();
    enter(environment.workspace);
    for (const [index, line] of lines.entries()) {
        if (isExclusion(line))
            continue;
        try {
            const paths = new Set();
            for (const found of await search(line, lines.slice(index).filter(isExclusion), host)) {
                const { name, path, isRegular, isLinked } = lookAt(found, folders);
                if (isRegular)
                    paths.add(path);
                else
                    skipped.add(`"${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_6__/* .quote */ .hD)(name)}"`);
                if (isRegular && !(isLinked && files.has(path)))
                    files.set(path, { name, path });
            }
            patterns.push({ text: line, paths });
        }
        catch (error) {
            if (halt.signal.aborted)
                throw new _failure_js__WEBPACK_IMPORTED_MODULE_4__/* .Stop */ .VG();
            problems.push(problemOf(input, error));
        }
    }
    if (text !== '' && patterns.length + problems.length === 0) {
        const next = 'add a line without "!"';
        problems.push((0,_failure_js__WEBPACK_IMPORTED_MODULE_4__/* .problemAt */ .l4)(input, 'no pattern includes files', { next, docs: patternDocs }));
    }
    const warnings = [];
    if (skipped.size > 0) {
        const names = (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_7__/* .joinFirst */ .FS)([...skipped], 10, { separator: ', ' });
        warnings.push(`skipped, because they are FIFOs, sockets or devices: ${names}`);
    }
    const sorted = [...files.values()].sort((a, b) => (0,_text_names_js__WEBPACK_IMPORTED_MODULE_8__/* .compareCodeUnits */ .UF)(a.name, b.name));
    return { files: sorted, patterns, problems, warnings };
}
async function search(pattern, exclusions, { environment: { workspace }, halt }) {
    const isHidden = (path) => hiddenPart.test(path.replace(workspace, '').replace(process.cwd(), ''));
    const isMeant = isHidden(pattern);
    const isHiddenWorkspace = hiddenPart.test((0,node_path__WEBPACK_IMPORTED_MODULE_2__.basename)(process.cwd()));
    const options = {
        excludeHiddenFiles: !isMeant && !isHiddenWorkspace,
        matchDirectories: false,
        omitBrokenSymbolicLinks: false,
    };
    const glob = async () => (await (0,_actions_glob__WEBPACK_IMPORTED_MODULE_3__/* .create */ .v)([pattern, ...exclusions].join('\n'), options)).glob();
    const paths = await (0,_runtime_guard_js__WEBPACK_IMPORTED_MODULE_5__/* .guard */ .a)(glob, halt.signal);
    return isMeant || !isHiddenWorkspace ? paths : paths.filter(path => !isHidden(path));
}
const hiddenPart = /(?:^|[/\\])\.(?!\.?(?:[/\\]|$))/;
function enter(workspace) {
    try {
        process.chdir(workspace);
    }
    catch (error) {
        const message = `the workspace "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_6__/* .quote */ .hD)(workspace)}" cannot be entered: ${(0,_failure_js__WEBPACK_IMPORTED_MODULE_4__/* .describeError */ .Uc)(error)}`;
        const next = 'make sure that GITHUB_WORKSPACE is a folder that the user of the runner can read';
        throw new _failure_js__WEBPACK_IMPORTED_MODULE_4__/* .Stop */ .VG({ input: null, message, next, needs: 'nothing' });
    }
}
function lookAt(absolutePath, folders) {
    const folder = (0,node_path__WEBPACK_IMPORTED_MODULE_2__.dirname)(absolutePath);
    const realFolder = folders.get(folder) ?? node_fs__WEBPACK_IMPORTED_MODULE_1__.realpathSync.native(folder);
    folders.set(folder, realFolder);
    let path = (0,node_path__WEBPACK_IMPORTED_MODULE_2__.join)(realFolder, (0,node_path__WEBPACK_IMPORTED_MODULE_2__.basename)(absolutePath));
    let stats = (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.lstatSync)(path);
    if (stats.isSymbolicLink()) {
        path = node_fs__WEBPACK_IMPORTED_MODULE_1__.realpathSync.native(path);
        stats = (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.lstatSync)(path);
    }
    let name = nameOf(absolutePath);
    if ((0,node_path__WEBPACK_IMPORTED_MODULE_2__.isAbsolute)(name))
        name = nameOf(path);
    return { name, path, isRegular: stats.isFile(), isLinked: path !== absolutePath };
}
function nameOf(path) {
    const inside = (0,node_path__WEBPACK_IMPORTED_MODULE_2__.relative)(process.cwd(), path);
    const isOutside = inside.split(node_path__WEBPACK_IMPORTED_MODULE_2__.sep)[0] === '..' || (0,node_path__WEBPACK_IMPORTED_MODULE_2__.isAbsolute)(inside);
    return (isOutside ? path : inside).replaceAll(node_path__WEBPACK_IMPORTED_MODULE_2__.sep, '/');
}
function problemOf(input, error) {
    if (error instanceof node_assert__WEBPACK_IMPORTED_MODULE_0__.AssertionError) {
        const next = 'put a path after "!", and do not use "." or ".." as a folder';
        return (0,_failure_js__WEBPACK_IMPORTED_MODULE_4__/* .problemAt */ .l4)(input, (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_6__/* .quote */ .hD)(error.message), { next, docs: patternDocs });
    }
    const path = pathOf(error);
    if (path === null)
        throw error;
    const name = `"${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_6__/* .quote */ .hD)(nameOf(path))}"`;
    const code = (0,_failure_js__WEBPACK_IMPORTED_MODULE_4__/* .errorCode */ .CA)(error);
    let text = `${name} cannot be read: ${(0,_failure_js__WEBPACK_IMPORTED_MODULE_4__/* .describeError */ .Uc)(error)}`;
    let remedy = 'remove it';
    if (path.includes('\ufffd')) {
        text = `the name ${name} is not valid UTF-8`;
        remedy = 'rename it';
    }
    else if (code === null)
        text = `${name} is a broken link`;
    else if (code === 'EACCES' || code === 'EPERM')
        remedy = 'make it readable';
    const next = `${remedy}, or use patterns that do not lead there (excluded folders are searched too)`;
    return (0,_failure_js__WEBPACK_IMPORTED_MODULE_4__/* .problemAt */ .l4)(input, text, { next, docs: patternDocs });
}
function pathOf(error) {
    if (!(error instanceof Error))
        return null;
    if ('path' in error && typeof error.path === 'string')
        return error.path;
    return /^No information found for the path '(.*)'/s.exec(error.message)?.[1] ?? null;
}
function realPathOf(path) {
    try {
        return node_fs__WEBPACK_IMPORTED_MODULE_1__.realpathSync.native(path);
    }
    catch {
        return path;
    }
}


/***/ }),

/***/ 101:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   y: () => (/* binding */ hashFiles)
/* harmony export */ });
/* harmony import */ var node_assert__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4589);
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7598);
/* harmony import */ var node_events__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8474);
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(3024);
/* harmony import */ var node_os__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(8161);
/* harmony import */ var node_timers_promises__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(8500);
/* harmony import */ var node_worker_threads__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(5919);
/* harmony import */ var _failure_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(7579);
/* harmony import */ var _outcome_js__WEBPACK_IMPORTED_MODULE_8__ = __webpack_require__(1949);









const maxSmallBytes = 16 * 1024 * 1024;
async function hashFiles(files, { halt, workerFile }) {
    const results = new Map();
    const large = [];
    for (const file of files) {
        await (0,node_timers_promises__WEBPACK_IMPORTED_MODULE_5__.setImmediate)();
        if (halt.signal.aborted)
            break;
        const result = hashFile(file.path, maxSmallBytes);
        if (result === null)
            large.push(file);
        else
            results.set(file, result);
    }
    const queue = large.values();
    const work = async () => {
        const worker = new node_worker_threads__WEBPACK_IMPORTED_MODULE_6__.Worker(workerFile);
        try {
            for (const file of queue) {
                worker.postMessage(file.path);
                const message = await (0,node_events__WEBPACK_IMPORTED_MODULE_2__.once)(worker, 'message', { signal: halt.signal });
                const [result] = message;
                node_assert__WEBPACK_IMPORTED_MODULE_0__(isResult(result), 'a worker thread replies with a hash or a fault');
                results.set(file, result);
            }
        }
        catch (error) {
            if (!halt.signal.aborted)
                throw error;
        }
        finally {
            await worker.terminate();
        }
    };
    const count = Math.min((0,node_os__WEBPACK_IMPORTED_MODULE_4__.availableParallelism)(), large.length);
    await Promise.all(Array.from({ length: count }, work));
    return files.map(file => toArtifact(file, results.get(file)));
}
function isResult(value) {
    return typeof value === 'object' && value !== null && ('hash' in value || 'code' in value);
}
function toArtifact({ name }, result) {
    if (result !== undefined && 'hash' in result) {
        return { input: 'path', name, outcome: _outcome_js__WEBPACK_IMPORTED_MODULE_8__/* .planned */ .lM, ...result };
    }
    let failure = _failure_js__WEBPACK_IMPORTED_MODULE_7__/* .canceledFailure */ .Yb;
    if (result !== undefined) {
        const { code, observed } = result;
        failure = new _failure_js__WEBPACK_IMPORTED_MODULE_7__/* .Failure */ .HR(code, code === 'changed' ? 'file-changed' : 'file-unreadable', {
            observed,
        });
    }
    return { input: 'path', name, size: null, hash: null, outcome: (0,_outcome_js__WEBPACK_IMPORTED_MODULE_8__/* .failed */ .gz)(failure) };
}
const buffer = Buffer.allocUnsafeSlow(1024 * 1024);
function hashFile(path, maxBytes) {
    let descriptor = null;
    try {
        descriptor = (0,node_fs__WEBPACK_IMPORTED_MODULE_3__.openSync)(path, 'r');
        const before = (0,node_fs__WEBPACK_IMPORTED_MODULE_3__.fstatSync)(descriptor);
        if (before.size >= maxBytes)
            return null;
        const digest = (0,node_crypto__WEBPACK_IMPORTED_MODULE_1__.createHash)('sha256');
        let size = 0;
        let read;
        do {
            read = (0,node_fs__WEBPACK_IMPORTED_MODULE_3__.readSync)(descriptor, buffer);
            digest.update(buffer.subarray(0, read));
            size += read;
        } while (read > 0 && size < before.size);
        const isTouched = (0,node_fs__WEBPACK_IMPORTED_MODULE_3__.fstatSync)(descriptor).ctimeMs !== before.ctimeMs;
        if (size !== before.size || isTouched)
            return { code: 'changed', observed: '' };
        return { hash: digest.digest('hex'), size };
    }
    catch (error) {
        return { code: 'unreadable', observed: (0,_failure_js__WEBPACK_IMPORTED_MODULE_7__/* .describeError */ .Uc)(error) };
    }
    finally {
        if (descriptor !== null)
            (0,node_fs__WEBPACK_IMPORTED_MODULE_3__.closeSync)(descriptor);
    }
}
node_worker_threads__WEBPACK_IMPORTED_MODULE_6__.parentPort?.on('message', (path) => {
    node_worker_threads__WEBPACK_IMPORTED_MODULE_6__.parentPort?.postMessage(hashFile(path, Infinity));
});


/***/ }),

/***/ 7579:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   CA: () => (/* binding */ errorCode),
/* harmony export */   CO: () => (/* binding */ problemWith),
/* harmony export */   HR: () => (/* binding */ Failure),
/* harmony export */   IM: () => (/* binding */ untried),
/* harmony export */   Uc: () => (/* binding */ describeError),
/* harmony export */   VG: () => (/* binding */ Stop),
/* harmony export */   Yb: () => (/* binding */ canceledFailure),
/* harmony export */   dw: () => (/* binding */ notSavedFailure),
/* harmony export */   fT: () => (/* binding */ bugFailure),
/* harmony export */   l4: () => (/* binding */ problemAt)
/* harmony export */ });
/* unused harmony exports failureCodes, reasons */
/* harmony import */ var node_util__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7975);

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
const reasons = (/* unused pure expression or super */ null && ([
    'wrong-key',
    'rejected-token',
    'not-the-service',
    'blocked',
    'unpaid',
    'forbidden',
    'already-registered',
    'no-request',
    'rejected',
    'request-rejected',
    'no-subscription',
    'unexpected-response',
    'redirect',
    'not-yet-registered',
    'record-mismatch',
    'rate-limit',
    'unavailable',
    'unreachable',
    'proxy',
    'certificate-untrusted',
    'certificate-expired',
    'certificate-early',
    'certificate-name',
    'proxy-certificate',
    'file-unreadable',
    'file-changed',
    'asset-changed',
    'github-token',
    'github-permission',
    'github-unavailable',
    'not-saved',
    'canceled',
    'bug',
]));
class Failure extends Error {
    code;
    reason;
    observed;
    registered;
    status;
    response;
    endsRun;
    constructor(code, reason, parts = {}) {
        super(reason);
        this.code = code;
        this.reason = reason;
        this.observed = parts.observed ?? '';
        this.registered = parts.registered ?? 'no';
        this.status = parts.status ?? null;
        this.response = parts.response ?? null;
        this.endsRun = parts.endsRun ?? false;
    }
    with(parts) {
        const { observed, registered, status, response, endsRun } = this;
        const own = { observed, registered, status, response, endsRun };
        return new Failure(parts.code ?? this.code, this.reason, { ...own, ...parts });
    }
    static orRethrow(error) {
        if (error instanceof Failure)
            return error;
        throw error;
    }
}
const untried = 'not tried, because an earlier failure ended the run';
const canceledFailure = new Failure('cancelled', 'canceled', { endsRun: true });
const notSavedFailure = new Failure('not-saved', 'not-saved', { endsRun: true });
function bugFailure(observed) {
    return new Failure('internal-error', 'bug', { observed, endsRun: true });
}
function problemWith(input, text, remedy) {
    return { needs: 'workflow', ...remedy, input, message: `input "${input}" ${text}` };
}
function problemAt(input, text, remedy) {
    return { needs: 'workflow', ...remedy, input, message: `input "${input}": ${text}` };
}
class Stop extends Error {
    problems;
    constructor(...problems) {
        super(problems.map(({ message }) => message).join('; '));
        this.problems = problems;
    }
    static ifAny(problems) {
        if (problems.length > 0)
            throw new Stop(...problems);
    }
}
const systemMessages = new Map((0,node_util__WEBPACK_IMPORTED_MODULE_0__.getSystemErrorMap)().values())
    .set('EAI_AGAIN', 'the name lookup failed temporarily')
    .set('ENOTFOUND', 'the host name is unknown');
function errorCode(error) {
    if (!(error instanceof Error) || !('code' in error))
        return null;
    return typeof error.code === 'string' ? error.code : null;
}
function describeError(error) {
    const code = errorCode(error);
    if (code !== null) {
        const message = systemMessages.get(code);
        return message === undefined ? code : `${message} (${code})`;
    }
    if (error instanceof Error)
        return error.message === '' ? error.name : error.message;
    return 'an unknown error';
}


/***/ }),

/***/ 1218:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Ip: () => (/* binding */ defaultBaseUrl),
/* harmony export */   Pw: () => (/* binding */ verificationUrl),
/* harmony export */   RY: () => (/* binding */ hashes),
/* harmony export */   TL: () => (/* binding */ parseInputs),
/* harmony export */   dT: () => (/* binding */ secretLine),
/* harmony export */   j$: () => (/* binding */ commonInputs),
/* harmony export */   lq: () => (/* binding */ optional),
/* harmony export */   rD: () => (/* binding */ wholeNumber),
/* harmony export */   vj: () => (/* binding */ inputNames),
/* harmony export */   zM: () => (/* binding */ boolean)
/* harmony export */ });
/* unused harmony export baseUrl */
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4763);
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(2335);
/* harmony import */ var _failure_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7579);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8146);



const secretInputs = ['api-key', 'github-token'];
function inputNames({ shape }) {
    return Object.keys(shape).map(inputNameOf);
}
function inputNameOf(field) {
    return field.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
}
function parseInputs(schema, rawInputs) {
    const texts = {};
    for (const field of Object.keys(schema.shape)) {
        const text = rawInputs[inputNameOf(field)] ?? '';
        if (text !== '')
            texts[field] = text;
    }
    const problems = [...checkSources(texts)];
    const { error } = schema.safeParse(texts, { reportInput: true });
    const byField = Map.groupBy(error?.issues ?? [], ({ path }) => String(path[0]));
    for (const [field, issues] of byField) {
        Reflect.deleteProperty(texts, field);
        const name = inputNameOf(field);
        const isSecret = secretInputs.includes(name);
        const message = [...new Set(issues.map(issue => issue.message))].join(' and ');
        const shown = isSecret ? '' : showValue(String(issues[0]?.input));
        const needs = isSecret || name === 'confirmed-hashes' ? 'nothing' : 'workflow';
        const next = `correct the value of "${name}"`;
        problems.push((0,_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .problemWith */ .CO)(name, `${message}${shown}`, { next, needs }));
    }
    const secrets = secretInputs.map(name => rawInputs[name] ?? '').filter(text => text !== '');
    return { inputs: schema.parse(texts), problems, secrets };
}
function checkSources(texts) {
    const { path = '', checksums = '', releaseTag = '', githubToken = '' } = texts;
    const problems = [];
    if (path + checksums + releaseTag === '') {
        const text = 'is empty, and so are "checksums" and "release-tag"';
        problems.push((0,_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .problemWith */ .CO)('path', text, { next: 'set one of them, with one pattern per line' }));
    }
    if (releaseTag !== '' && path + checksums !== '') {
        const text = 'cannot be combined with "path" or "checksums"';
        const next = 'remove either "release-tag", or "path" and "checksums"';
        problems.push((0,_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .problemWith */ .CO)('release-tag', text, { next }));
    }
    if (releaseTag !== '' && githubToken === '') {
        const next = 'remove this input to use the token of the job';
        problems.push((0,_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .problemWith */ .CO)('github-token', 'is empty, but "release-tag" needs it', { next }));
    }
    return problems;
}
const maxValueLength = 100;
function showValue(value) {
    const mayBeSecret = /[@?#]|%40|\/\/[^/[]*:(?!\d+(?:\/|$))/i.test(value);
    if (mayBeSecret || value.length > maxValueLength)
        return '';
    return ` (got "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .quote */ .hD)(value)}")`;
}
function optional(value) {
    return zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ._default */ .Rvf(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullable */ .mee(value), null);
}
const boolean = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .stringbool */ .uEf({
    truthy: ['true', 'True', 'TRUE'],
    falsy: ['false', 'False', 'FALSE'],
    case: 'sensitive',
    error: 'must be true or false',
});
function wholeNumber(min, max) {
    const isWithin = (text) => /^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max;
    const error = `must be a whole number from ${min} to ${max}`;
    return zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .pipe */ .FsL(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .refine */ .YPB(isWithin, error)), zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .transform */ .pdi(Number));
}
const secretLine = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_3__/* ._regex */ .Fk(/^.*$/, 'must be one line'));
const verificationUrl = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .refine */ .YPB(text => {
    const isUrl = URL.canParse(text) && /^https:\/\/[^/?\s\\{}]+[/?]\S+$/i.test(text);
    return isUrl && /^[^{}]+(?:\{(?:hash|txId)\}[^{}]*)+$/.test(text);
}, 'must be a URL that starts with https:// and has the placeholder {hash} or {txId}, and no other'));
const splitWords = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .transform */ .pdi((text) => text.match(/\S+/g) ?? []);
const hashRule = 'must contain only SHA-256 hashes of 64 hex digits, separated by white space';
const hashes = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .pipe */ .FsL(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .pipe */ .FsL(splitWords, zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .array */ .YOg(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_3__/* ._regex */ .Fk(/^[0-9a-f]{64}$/i, hashRule)))), zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .transform */ .pdi((all) => new Set(all.map(text => text.toLowerCase()))));
const defaultBaseUrl = 'https://app.dedit.io';
const baseUrl = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .pipe */ .FsL(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP()
    .check(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .refine */ .YPB(isServiceUrl, 'must be a URL that starts with https://'), zod_mini__WEBPACK_IMPORTED_MODULE_3__/* ._regex */ .Fk(/^[^?#]*$/, 'must not contain a query or a fragment'), zod_mini__WEBPACK_IMPORTED_MODULE_3__/* ._regex */ .Fk(/^(?![^/]*\/\/[^/?#]*@)/, 'must not contain credentials'), zod_mini__WEBPACK_IMPORTED_MODULE_3__/* ._regex */ .Fk(/^(?!.*\/api\/v2(?:\/|$))/i, 'must end before /api/v2, which the action adds itself')), zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .transform */ .pdi(text => {
    const { protocol, host, pathname } = new URL(text);
    return `${protocol}//${host}${pathname.replace(/\/+$/, '')}`;
}));
const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
function isServiceUrl(text) {
    const url = URL.parse(text);
    if (url === null || !/^https?:\/\/[^/\s\\][^\s\\]*$/i.test(text))
        return false;
    return url.protocol === 'https:' || loopbackHost.test(url.hostname);
}
const releaseTag = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP()
    .check(zod_mini__WEBPACK_IMPORTED_MODULE_3__/* ._regex */ .Fk(/^(?!refs\/)\S+$/, 'must be one tag, such as ${{ github.ref_name }}'));
const commonInputs = {
    baseUrl: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .prefault */ .SdS(baseUrl, defaultBaseUrl),
    path: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .prefault */ .SdS(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP(), ''),
    checksums: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .prefault */ .SdS(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP(), ''),
    releaseTag: optional(releaseTag),
    showSummary: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .prefault */ .SdS(boolean, 'true'),
    githubToken: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .prefault */ .SdS(secretLine, ''),
};


/***/ }),

/***/ 2508:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  notarize: () => (/* binding */ notarize),
  runNotarize: () => (/* binding */ runNotarize),
  start: () => (/* binding */ start)
});

// NAMESPACE OBJECT: ./service/operations.js
var operations_namespaceObject = {};
__webpack_require__.r(operations_namespaceObject);
__webpack_require__.d(operations_namespaceObject, {
  zk: () => (completion),
  g5: () => (failureOf),
  r3: () => (isRetryable),
  iD: () => (login),
  C6: () => (readGood),
  Em: () => (request),
  $Q: () => (retrieval)
});

// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./artifacts/collect.js + 1 modules
var collect = __webpack_require__(6159);
// EXTERNAL MODULE: ./artifacts/hash.js
var hash = __webpack_require__(101);
// EXTERNAL MODULE: ./failure.js
var failure_0 = __webpack_require__(7579);
// EXTERNAL MODULE: ../node_modules/zod/v4/mini/schemas.js + 1 modules
var schemas = __webpack_require__(4763);
// EXTERNAL MODULE: ../node_modules/zod/v4/core/api.js + 1 modules
var api = __webpack_require__(2335);
// EXTERNAL MODULE: ./text/json.js
var text_json = __webpack_require__(7727);
;// CONCATENATED MODULE: ./service/subscription.js

const listedFields = [
    'sessionId',
    'id',
    'userId',
    'planId',
    'planNickname',
    'status',
    'created',
    'currentPeriodStart',
    'currentPeriodEnd',
    'canceledAt',
    'customer',
    'defaultPaymentMethod',
    'latestInvoice',
];
const secretFields = ['sessionId', 'customer', 'custumer', 'latestInvoice', 'defaultPaymentMethod'];
const exemptFields = ['id', 'userId', 'planId'];
const severalLines = 'has several lines, and the runner masks each of them everywhere in the log, even a single brace; store it on one line or as base64';
function readSubscription(text, nowMs) {
    const trimmed = text.trim();
    const json = trimmed.startsWith('{') ? trimmed : Buffer.from(trimmed, 'base64').toString().trim();
    const data = (0,text_json/* parseJsonObject */.dw)(json);
    const subscription = data === undefined ? null : checkSubscription(data, json);
    if (subscription === null)
        return null;
    const warnings = /[\r\n]/.test(trimmed) ? [severalLines] : [];
    return { ...subscription, warnings, refusal: warnOfRefusal(subscription, nowMs) };
}
function checkSubscription(parsed, json) {
    const { custumer, ...rest } = parsed;
    let data = parsed;
    let body = json;
    if (custumer !== undefined) {
        data = { ...rest, customer: parsed['customer'] ?? custumer };
        body = JSON.stringify(data);
    }
    if (!listedFields.some(field => field in data))
        return null;
    return {
        data,
        id: (0,text_json/* textOf */.b6)(data['id']),
        json: body,
        secrets: secretFields.flatMap(field => textsIn(parsed[field])),
        exempt: exemptFields.flatMap(field => textsIn(parsed[field])),
    };
}
function warnOfRefusal({ data }, nowMs) {
    const { status, canceledAt, currentPeriodEnd } = data;
    const signs = [];
    if (status !== undefined && status !== 'active')
        signs.push('has a status other than "active"');
    if (canceledAt !== false && (canceledAt ?? 0) !== 0)
        signs.push('is canceled (canceledAt)');
    const hasEnded = typeof currentPeriodEnd === 'number' && currentPeriodEnd * 1000 < nowMs;
    if (hasEnded)
        signs.push('has a period that has ended (currentPeriodEnd)');
    if (signs.length === 0)
        return null;
    return `${signs.join(' and ')}; the service may reject it`;
}
function textsIn(value) {
    const text = (0,text_json/* textOf */.b6)(value);
    if (text !== null)
        return [text];
    if (typeof value !== 'object' || value === null)
        return [];
    return Object.values(value).flatMap(textsIn);
}

// EXTERNAL MODULE: ./text/names.js
var names = __webpack_require__(2117);
// EXTERNAL MODULE: ./inputs/shared-inputs.js
var shared_inputs = __webpack_require__(1218);
;// CONCATENATED MODULE: ./inputs/notarize-inputs.js





const notarizeSchema = schemas/* object */.Ikc({
    ...shared_inputs/* commonInputs */.j$,
    apiKey: schemas/* prefault */.SdS(shared_inputs/* secretLine */.dT, ''),
    subscription: schemas/* prefault */.SdS(schemas/* string */.YjP(), ''),
    ifNoFilesFound: schemas/* prefault */.SdS(schemas/* enum */.k5n(['error', 'warn', 'ignore'], 'must be error, warn or ignore'), 'error'),
    recordsPath: schemas/* prefault */.SdS(schemas/* string */.YjP().check(api/* _regex */.Fk(/^.*[^/\\]$/, 'must be the path of one file')), names/* recordsName */.Sv),
    maxRegistrations: schemas/* prefault */.SdS(shared_inputs/* wholeNumber */.rD(0, 10_000_000), '100'),
    concurrency: schemas/* prefault */.SdS(shared_inputs/* wholeNumber */.rD(1, 64), '4'),
    maxAttempts: schemas/* prefault */.SdS(shared_inputs/* wholeNumber */.rD(1, 20), '7'),
    timeoutSeconds: schemas/* prefault */.SdS(shared_inputs/* wholeNumber */.rD(1, 600), '30'),
    dryRun: schemas/* prefault */.SdS(shared_inputs/* boolean */.zM, 'false'),
    requestRegistration: shared_inputs/* optional */.lq(shared_inputs/* boolean */.zM),
    description: schemas/* prefault */.SdS(schemas/* string */.YjP(), '{artifact} of {repository} at {ref}'),
    verificationUrl: shared_inputs/* optional */.lq(shared_inputs/* verificationUrl */.Pw),
    confirmedHashes: schemas/* prefault */.SdS(shared_inputs/* hashes */.RY, ''),
    keepRecords: schemas/* prefault */.SdS(shared_inputs/* boolean */.zM, 'true'),
});
const notarizeInputNames = shared_inputs/* inputNames */.vj(notarizeSchema);
function readInputs(rawInputs, nowMs) {
    const { inputs, ...parsed } = shared_inputs/* parseInputs */.TL(notarizeSchema, rawInputs);
    const { subscription, baseUrl } = inputs;
    const hasData = subscription !== '' && subscription !== 'active';
    const data = hasData ? readSubscription(subscription, nowMs) : null;
    const { warnings = [], refusal = null, secrets = [], exempt = [] } = data ?? {};
    const publicPage = baseUrl === shared_inputs/* defaultBaseUrl */.Ip ? `${baseUrl}/verification/{hash}` : null;
    const problems = [...checkRequired(inputs, rawInputs), ...parsed.problems];
    if (hasData && data === null) {
        const text = 'is not subscription data (its value is secret and not shown)';
        const next = 'set the secret to subscription data, or set the input to the word active';
        const hint = 'subscription data is a JSON object with fields such as sessionId and id, or base64 of one; to store it on one line, run: jq -c . subscription.json | gh secret set NOTARIZATION_SUBSCRIPTION';
        problems.push((0,failure_0/* problemWith */.CO)('subscription', text, { next, hint, needs: 'nothing' }));
    }
    const complete = {
        ...inputs,
        requestRegistration: inputs.requestRegistration ?? subscription === '',
        verificationUrl: inputs.verificationUrl ?? publicPage,
        payment: subscription === 'active' ? 'active' : data,
    };
    return {
        inputs: complete,
        problems,
        warnings: warnings.map(warning => `input "subscription" ${warning}`),
        refusal: refusal === null ? null : `input "subscription" ${refusal}`,
        secrets: [...parsed.secrets, ...secrets],
        exempt,
    };
}
function checkRequired({ dryRun, subscription, requestRegistration }, { 'api-key': key = '' }) {
    const problems = [];
    if (!dryRun && key === '') {
        const next = 'make sure that the secret in "api-key" exists and that this job can read it, such as ${{ secrets.NOTARIZATION_API_KEY }}';
        const hint = 'runs from forks and of Dependabot get no secrets, a reusable workflow gets only those that are passed to it, and the secrets of an environment need "environment" in the job; with dry-run: true, no key is needed';
        problems.push((0,failure_0/* problemWith */.CO)('api-key', 'is empty', { next, hint, needs: 'nothing' }));
    }
    if (!dryRun && requestRegistration === false && subscription === '') {
        const text = 'is false, but "subscription" is empty, so there is no subscription to charge';
        const next = 'remove this input, or set "subscription" to the word active or to a secret with your subscription data';
        problems.push((0,failure_0/* problemWith */.CO)('request-registration', text, { next }));
    }
    return problems;
}

// EXTERNAL MODULE: ./records/lines.js
var records_lines = __webpack_require__(3243);
// EXTERNAL MODULE: ./service/proxy.js
var proxy = __webpack_require__(2293);
// EXTERNAL MODULE: ./text/phrases.js
var phrases = __webpack_require__(7999);
;// CONCATENATED MODULE: ./keep/keep.js





const patienceMs = 120_000;
const keepGraceMs = 3000;
async function findKept({ keepRecords }, host) {
    const input = 'keep-records';
    const { halt, runner, workflowArtifacts } = host;
    const { artifactService, proxies, attempt } = host.environment;
    if (!keepRecords || artifactService === null || !(attempt > 1))
        return [];
    const problem = (0,proxy/* proxyProblem */.w)(artifactService, proxies);
    if (problem !== null)
        throw new failure_0/* Stop */.VG(problem);
    try {
        const found = await callWithin(0, signal => workflowArtifacts.find({ host, signal }), host);
        runner.info(`Found ${(0,phrases/* pluralize */.td)(found.length, 'records file')} of earlier attempts`);
        return found.map(({ name, url, bytes }) => {
            const ofArtifact = `${names/* recordsName */.Sv} of the workflow artifact ${name}`;
            return { name: ofArtifact, bytes, input, workflowArtifact: { name, url } };
        });
    }
    catch (error) {
        if (halt.isCanceled)
            throw new failure_0/* Stop */.VG();
        const text = `the records that earlier attempts kept cannot be read: ${(0,failure_0/* describeError */.Uc)(error)}`;
        const next = 'wait a few minutes';
        const hint = 'if a re-run stops here again, follow the linked section';
        const docs = 'records.md#records-that-cannot-be-read';
        throw new failure_0/* Stop */.VG((0,failure_0/* problemAt */.l4)(input, text, { next, hint, needs: 'nothing', docs }));
    }
}
async function keepRecords(query, host) {
    const { ledger, earlier, release, evidencePath } = query;
    const { source } = host.environment;
    const records = ledger?.content ?? Buffer.alloc(0);
    const [onRelease, inArtifacts] = [linesOf(release?.records ?? []), linesOf(earlier)];
    const inFile = linesOf([{ bytes: records }]).difference(onRelease);
    let kind = 'none';
    if (hasRecord(inFile.difference(inArtifacts), source))
        kind = 'file';
    else if (hasRecord(inArtifacts.difference(onRelease), source))
        kind = 'workflow-artifact';
    else if (hasRecord(onRelease, source))
        kind = 'release';
    const hasPage = evidencePath !== '';
    const workflowArtifacts = earlier.map(one => one.workflowArtifact);
    const isSame = workflowArtifacts.length === 1 && inFile.isSubsetOf(inArtifacts);
    const before = {
        kind,
        workflowArtifacts: kind === 'none' ? [] : workflowArtifacts,
        page: hasPage && isSame && kind === 'workflow-artifact' ? (workflowArtifacts[0] ?? null) : null,
    };
    if (!isDue(query, records, source))
        return before;
    try {
        const kept = await uploadRecords({ records, evidencePath }, host);
        const page = hasPage && kept.isUploaded ? kept : null;
        return { kind: kind === 'file' ? 'workflow-artifact' : kind, workflowArtifacts: [kept], page };
    }
    catch (error) {
        if (kind !== 'file')
            return before;
        await print(inFile, (0,failure_0/* describeError */.Uc)(error), host);
        return { ...before, kind: 'log' };
    }
}
function isDue({ inputs, ledger, isStopped }, records, { runId, runAttempt }) {
    const isDamaged = ledger?.problems.some(({ input: from }) => from === 'records-path') ?? true;
    if (inputs.dryRun || !inputs.keepRecords || isDamaged)
        return false;
    const isForRelease = inputs.releaseTag !== null && !isStopped;
    if (isForRelease && (0,records_lines/* wholeLines */.zo)(records).some(line => !(0,records_lines/* isDoubtLine */.hv)(line)))
        return true;
    return records.includes(JSON.stringify({ runId, runAttempt }).slice(1, -1));
}
function hasRecord(lines, { runId }) {
    const ofRun = JSON.stringify({ runId }).slice(1, -1);
    return lines.values().some(line => line.includes(ofRun) && !(0,records_lines/* isDoubtLine */.hv)(line));
}
async function uploadRecords(files, host) {
    const { artifactService, proxies } = host.environment;
    if (artifactService === null)
        throw new Error('this server has no artifact service');
    const problem = (0,proxy/* proxyProblem */.w)(artifactService, proxies);
    if (problem !== null)
        throw new Error(problem.message);
    const call = (signal) => host.workflowArtifacts.keep(files, { host, signal });
    const kept = await callWithin(keepGraceMs, call, host);
    const url = kept.url === null ? '' : `: ${kept.url}`;
    host.runner.info(`The records are kept in the workflow artifact ${kept.name}${url}`);
    return kept;
}
async function print(lines, why, { runner }) {
    runner.passingWarning(`The records could not be kept as a workflow artifact: ${why}. Apart from the records file, they are only in the log, in the group below.`);
    await runner.group('Records of this run', () => {
        for (const line of lines)
            runner.info(line);
        return Promise.resolve();
    });
}
async function callWithin(afterSignalMs, call, { clock, halt }) {
    const done = new AbortController();
    const late = new AbortController();
    const wait = async () => {
        await clock.sleep(patienceMs, AbortSignal.any([halt.canceled, done.signal]));
        if (halt.isCanceled)
            await clock.sleep(afterSignalMs, done.signal);
        late.abort(new Error(halt.isCanceled ? 'the run was canceled' : 'it took more than 2 minutes'));
    };
    void wait();
    try {
        return await call(late.signal);
    }
    finally {
        done.abort();
    }
}
function linesOf(files) {
    return new Set(files.flatMap(({ bytes }) => (0,records_lines/* wholeLines */.zo)(bytes)));
}

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: ./runtime/guard.js
var guard = __webpack_require__(1503);
// EXTERNAL MODULE: ./text/escape.js
var text_escape = __webpack_require__(8146);
;// CONCATENATED MODULE: ./keep/workflow-artifacts.js








const workflowArtifacts = { keep: keepFiles, find: findRecords };
async function keepFiles({ records, evidencePath }, call) {
    const { environment, disk } = call.host;
    const folder = disk.makeFolder(environment.tempFolder);
    const files = [(0,external_node_path_.join)(folder, names/* recordsName */.Sv)];
    await (0,promises_.writeFile)((0,external_node_path_.join)(folder, names/* recordsName */.Sv), records);
    if (evidencePath !== '') {
        files.push((0,external_node_path_.join)(folder, names/* evidenceName */.Xc));
        await (0,promises_.copyFile)(evidencePath, (0,external_node_path_.join)(folder, names/* evidenceName */.Xc));
    }
    const digits = (0,external_node_crypto_.hash)('sha256', records).slice(0, 12);
    const name = `notarization-records-${environment.attempt}-${digits}`;
    const title = 'Keep the records as a workflow artifact';
    const kept = await useLibrary(title, ({ upload }) => upload({ name, files, folder }), call);
    return { name: kept.name, url: urlOf(kept.id, environment), isUploaded: kept.isUploaded };
}
async function findRecords(call) {
    const { environment, disk } = call.host;
    const folder = disk.makeFolder(environment.tempFolder);
    const title = 'Find the records of earlier attempts';
    const found = await useLibrary(title, ({ download }) => download(folder), call);
    const attemptOf = (name) => Number(name.split('-')[2]);
    found.sort((a, b) => attemptOf(a.name) - attemptOf(b.name) || a.bytes.length - b.bytes.length);
    return found.map(({ name, id, bytes }) => ({ name, url: urlOf(id, environment), bytes }));
}
const storageError = schemas/* object */.Ikc({ statusCode: schemas/* int */.Whr(), request: schemas/* object */.Ikc({ url: schemas/* url */.OZ5() }) });
async function useLibrary(title, use, { host: { runner, secrets }, signal }) {
    try {
        const call = async () => use(await import(/* webpackIgnore: true */ "./keep/index.js"));
        return await runner.group(title, () => (0,guard/* guard */.a)(call, signal));
    }
    catch (error) {
        const { data } = storageError.safeParse(error);
        let text = (0,failure_0/* describeError */.Uc)(error);
        if (data !== undefined)
            text = `${new URL(data.request.url).host} returned HTTP ${data.statusCode}`;
        text = secrets.redactLine(text).replaceAll(/\bsig=[^&\s]*/g, 'sig=***');
        throw new Error((0,text_escape/* quote */.hD)(text, 300));
    }
}
function urlOf(id, { serverUrl, source }) {
    const { repository, runId } = source;
    return repository && runId && `${serverUrl}/${repository}/actions/runs/${runId}/artifacts/${id}`;
}

// EXTERNAL MODULE: ./outcome.js
var outcome = __webpack_require__(1949);
// EXTERNAL MODULE: ./plan.js
var plan_0 = __webpack_require__(6894);
// EXTERNAL MODULE: ./records/assess.js
var assess = __webpack_require__(608);
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
;// CONCATENATED MODULE: ./records/disk.js




const systemDisk = {
    read: path => {
        const descriptor = (0,external_node_fs_.openSync)(path, external_node_fs_.constants.O_RDONLY | external_node_fs_.constants.O_NONBLOCK);
        try {
            if (!(0,external_node_fs_.fstatSync)(descriptor).isFile())
                throw new Error('it is not a regular file');
            return (0,external_node_fs_.readFileSync)(descriptor);
        }
        finally {
            (0,external_node_fs_.closeSync)(descriptor);
        }
    },
    openForAppending: path => {
        createFolder((0,external_node_path_.dirname)(path));
        const descriptor = (0,external_node_fs_.openSync)(path, 'a');
        syncFolder((0,external_node_path_.dirname)(path));
        return {
            append: data => {
                (0,external_node_fs_.appendFileSync)(descriptor, data);
                (0,external_node_fs_.fdatasyncSync)(descriptor);
            },
            truncate: bytes => {
                (0,external_node_fs_.truncateSync)(path, bytes);
            },
            close: () => {
                (0,external_node_fs_.closeSync)(descriptor);
            },
        };
    },
    makeFolder: folder => {
        createFolder(folder);
        return (0,external_node_fs_.mkdtempSync)((0,external_node_path_.join)(folder, 'notarization-'));
    },
    write: (path, text) => {
        (0,external_node_fs_.writeFileSync)(path, text);
    },
};
function createFolder(path) {
    if ((0,external_node_fs_.existsSync)(path) || (0,external_node_path_.dirname)(path) === path)
        return;
    createFolder((0,external_node_path_.dirname)(path));
    (0,external_node_fs_.mkdirSync)(path);
}
function syncFolder(path) {
    try {
        const descriptor = (0,external_node_fs_.openSync)(path, 'r');
        (0,external_node_fs_.fsyncSync)(descriptor);
        (0,external_node_fs_.closeSync)(descriptor);
    }
    catch {
    }
}

// EXTERNAL MODULE: external "node:assert"
var external_node_assert_ = __webpack_require__(4589);
// EXTERNAL MODULE: ./text/verification-url.js
var verification_url = __webpack_require__(6318);
// EXTERNAL MODULE: ./records/record.js
var records_record = __webpack_require__(5523);
;// CONCATENATED MODULE: ./records/ledger.js









class Ledger {
    problems;
    warnings;
    unsaved = [];
    unexpectedFields = new Set();
    doubtCount = 0;
    #doubted = new Set();
    #host;
    #query;
    #entries;
    #byHash;
    #isIncomplete;
    #missing = '';
    #parts;
    #file = null;
    #hasFailed = false;
    constructor(query, bytes, host) {
        const { name, others, service } = query;
        const { entries, problems, warnings } = (0,assess/* readFoundRecords */.DW)([
            { name, bytes, input: 'records-path' },
            ...others,
        ]);
        this.problems = problems;
        this.warnings = warnings;
        this.#host = host;
        this.#query = query;
        this.#entries = [...entries];
        this.#byHash = (0,assess/* groupByHash */.d6)(entries, service);
        const whole = (0,records_lines/* withoutIncompleteLine */.tI)(bytes);
        this.#isIncomplete = whole.length < bytes.length;
        this.#parts = [whole];
        if (whole.length > 0 && !whole.toString('latin1', whole.length - 1).endsWith('\n'))
            this.#missing = '\n';
        if (problems.length > 0)
            return;
        const known = new Set((0,records_lines/* wholeLines */.zo)(whole));
        const found = new Set(others.flatMap(other => (0,records_lines/* wholeLines */.zo)(other.bytes)));
        for (const line of found.difference(known))
            this.#missing += `${line}\n`;
    }
    static read(query, host) {
        let bytes = Buffer.alloc(0);
        try {
            bytes = host.disk.read(query.path);
        }
        catch (error) {
            if ((0,failure_0/* errorCode */.CA)(error) === 'ENOENT')
                return new Ledger(query, bytes, host);
            const text = `"${(0,text_escape/* quote */.hD)(query.name)}" cannot be read: ${(0,failure_0/* describeError */.Uc)(error)}`;
            throw new failure_0/* Stop */.VG((0,failure_0/* problemAt */.l4)('records-path', text, remedyFor(error, query)));
        }
        return new Ledger(query, bytes, host);
    }
    get service() {
        return this.#query.service;
    }
    get source() {
        const { source } = this.#query;
        const { runId, runAttempt } = source;
        const redacted = records_lines/* sourceSchema */.dr.parse(this.#host.secrets.redactJson({ ...source }));
        return { ...redacted, runId, runAttempt };
    }
    get entries() {
        return this.#entries;
    }
    get content() {
        return Buffer.concat(this.#parts);
    }
    find(hash) {
        return (0,assess/* assess */.no)(this.#byHash.get(hash) ?? []);
    }
    recordOf(hash) {
        const entry = (0,assess/* findRecord */.Tq)(this.#byHash.get(hash) ?? []);
        external_node_assert_(entry !== undefined, 'a registered hash has a record');
        return entry;
    }
    recordedBy(runId) {
        const own = this.#entries.filter(({ source }) => source.runId === runId);
        const ofService = own.filter(({ service }) => service === this.service);
        return new Set(ofService.filter(records_lines/* isRecord */.u4).map(({ hash }) => hash));
    }
    get hasEarlierAttempt() {
        const { runId, runAttempt } = this.source;
        const attempt = Number(runAttempt);
        return this.#entries.some(({ source }) => source.runId === runId && Number(source.runAttempt) < attempt);
    }
    confirm(artifacts, hashes) {
        const sorted = artifacts.toSorted((a, b) => (0,names/* compareCodeUnits */.UF)(a.name, b.name));
        for (const artifact of sorted.filter(({ hash }) => hashes.has(hash))) {
            const { hash } = artifact;
            if (this.find(hash).state === 'registered')
                continue;
            const description = 'Confirmed by a person after a look-up; not a response of the service';
            const record = { hash, description, status: 'registered', custody: false, signed: false };
            const entry = this.#makeRecord(artifact, record, { confirmed: true });
            this.#note(entry);
            this.#missing += (0,records_lines/* formatLine */.IL)(entry);
        }
    }
    open(hasWork) {
        if (!hasWork && !this.#isIncomplete && this.#missing === '')
            return;
        const { path, name } = this.#query;
        try {
            this.#file = this.#host.disk.openForAppending(path);
            if (this.#isIncomplete)
                this.#file.truncate(this.#bytes);
            if (this.#missing !== '')
                this.#append(this.#missing);
            this.#missing = '';
        }
        catch (error) {
            this.#truncate();
            this.close();
            const text = `"${(0,text_escape/* quote */.hD)(name)}" cannot be written: ${(0,failure_0/* describeError */.Uc)(error)}`;
            throw new failure_0/* Stop */.VG((0,failure_0/* problemAt */.l4)('records-path', text, remedyFor(error, this.#query)));
        }
    }
    record(artifact, { object, paymentId }) {
        for (const field of (0,records_record/* unexpectedTypes */.xn)(object))
            this.unexpectedFields.add(field);
        const problems = (0,records_record/* checkRecord */.EQ)(object, { hash: artifact.hash, paymentId });
        if (problems.length > 0) {
            const reason = isPending(object, artifact.hash) ? 'not-yet-registered' : 'record-mismatch';
            const redact = (text) => this.#host.secrets.redactText(text);
            const { message, error } = object;
            const observed = redact(problems.join(', ')) + (0,text_escape/* quoteSaid */._p)(message ?? error, redact);
            const parts = { observed, registered: 'unknown', response: object };
            const failure = new failure_0/* Failure */.HR('record-mismatch', reason, parts);
            this.doubt(artifact, failure);
            throw failure;
        }
        const maybeChargedAgain = this.#doubted.has(artifact.hash);
        this.#save(this.#makeRecord(artifact, object, { maybeChargedAgain }));
        const outcome = this.find(artifact.hash);
        external_node_assert_(outcome.state === 'registered', 'a hash with a record is registered');
        return { ...outcome, from: 'this-run' };
    }
    doubt(artifact, { observed, response }) {
        const { secrets } = this.#host;
        this.doubtCount += 1;
        this.#doubted.add(artifact.hash);
        this.#save({
            ...this.#headOf(artifact),
            at: this.#now(),
            state: 'unknown',
            why: secrets.redactLine(observed),
            response: response && secrets.redactJson(response),
        });
    }
    close() {
        try {
            this.#file?.close();
        }
        catch {
        }
        this.#file = null;
    }
    #append(text) {
        const bytes = Buffer.from(text);
        this.#file?.append(bytes);
        this.#parts.push(bytes);
    }
    #save(entry) {
        external_node_assert_(this.#file !== null, 'the file is opened before the first line');
        const { halt, runner } = this.#host;
        const line = (0,records_lines/* formatLine */.IL)(entry);
        this.#note(entry);
        try {
            if (this.#hasFailed)
                throw new Error('an earlier line could not be saved');
            this.#append(line);
        }
        catch (error) {
            this.#truncate();
            this.#hasFailed = true;
            halt.end(failure_0/* notSavedFailure */.dw);
            if ((0,records_lines/* isRecord */.u4)(entry))
                this.unsaved.push(entry.artifact);
            runner.info(`A line could not be saved (${(0,failure_0/* describeError */.Uc)(error)}), and is only in this log:`);
            runner.info(line.trimEnd());
        }
    }
    get #bytes() {
        return this.#parts.reduce((sum, { length }) => sum + length, 0);
    }
    #truncate() {
        try {
            this.#file?.truncate(this.#bytes);
        }
        catch {
        }
    }
    #note(entry) {
        this.#entries.push(entry);
        const known = this.#byHash.get(entry.hash);
        if (known === undefined)
            this.#byHash.set(entry.hash, [entry]);
        else
            known.push(entry);
    }
    #makeRecord(artifact, response, flags) {
        const { secrets } = this.#host;
        const { confirmed = false, maybeChargedAgain = false } = flags;
        const { hash, status, custody, signed } = response;
        const redacted = secrets.redactJson(response);
        const record = { ...redacted, hash, status, custody, signed };
        const { verificationUrl: template } = this.#query;
        let verificationUrl = (0,verification_url/* fillVerificationUrl */.U)(template, { hash: artifact.hash, record });
        if (verificationUrl !== null)
            verificationUrl = secrets.redactText(verificationUrl);
        const head = { ...this.#headOf(artifact), at: this.#now() };
        return { ...head, record, verificationUrl, confirmed, maybeChargedAgain };
    }
    #headOf({ name, size, hash }) {
        const { service } = this.#query;
        const { source } = this;
        return { artifact: this.#host.secrets.redactText(name), size, hash, service, source };
    }
    #now() {
        return new Date(this.#host.clock.now()).toISOString();
    }
}
function remedyFor(error, { name, path }) {
    const isOther = /^(?:EISDIR|ENOTDIR|ENOENT|EEXIST|ELOOP|ENAMETOOLONG)$/;
    if (!isOther.test((0,failure_0/* errorCode */.CA)(error) ?? 'EISDIR')) {
        const next = `make sure that the user of the runner can read and write "${(0,text_escape/* quote */.hD)(path)}", and that the disk is not full`;
        return { next, needs: 'nothing' };
    }
    if (name === names/* recordsName */.Sv)
        return { next: `remove what is at "${(0,text_escape/* quote */.hD)(path)}"` };
    return { next: `change "records-path", because "${(0,text_escape/* quote */.hD)(path)}" cannot be a file` };
}
function isPending({ hash: accepted, status }, hash) {
    const isSameHash = typeof accepted === 'string' && accepted.toLowerCase() === hash;
    return isSameHash && typeof status === 'string' && status !== 'registered';
}

;// CONCATENATED MODULE: ./records/evidence.js





const maxEvidenceLength = 120_000;
const frameLength = 2_500;
function renderEvidence(items) {
    const space = maxEvidenceLength - frameLength;
    const checksums = joinFitting(listChecksums(items), space / 3);
    const registrations = joinFitting(items.map(formatEntry), space - checksums.length);
    return `# Notarization evidence

Unless it says otherwise, each entry below is a response of a notarization service: this account registered this
SHA-256 at this time, by the service's clock. A file with the same SHA-256 has exactly the registered bytes. This page
does not prove who made a file, what it was built from, or that it has no defects. Anyone who can replace a file can
replace this page too, so compare it with what they cannot change: the look-up at the service, the blockchain
transaction, or the attestation.

## Compare files

Save this page as \`${names/* evidenceName */.Xc}\` beside the files, and run one of these commands there. Each listed file that you
have must be OK. Ignore a warning about improperly formatted lines.

- Linux: \`sha256sum --ignore-missing -c ${names/* evidenceName */.Xc}\`
- macOS: \`shasum -a 256 --ignore-missing -c ${names/* evidenceName */.Xc}\`
- Windows, for one file: \`certutil -hashfile FILE SHA256\`, then search this page for the result

\`\`\`text
${checksums}\`\`\`

## Check the attestation

If the release has attestations, GitHub CLI shows who notarized a file, and its record. Take the name of the repository
from a source that you trust, not from this page.

\`gh attestation verify FILE --repo OWNER/REPO --predicate-type https://github.com/OWNER/REPO/notarization/v1\`

## Registrations

${registrations}`;
}
function joinFitting(texts, maxLength) {
    let joined = '';
    for (const [index, text] of texts.entries()) {
        if (joined.length + text.length > maxLength) {
            return `${joined}… and ${texts.length - index} more, in the records file\n`;
        }
        joined += text;
    }
    return joined;
}
function listChecksums(items) {
    const lines = new Set();
    for (const [name, files] of Map.groupBy(items, file => (0,names/* baseName */.Fl)(file.name))) {
        const isAmbiguous = new Set(files.map(({ hash }) => hash)).size > 1;
        for (const file of files)
            lines.add((0,names/* formatChecksum */.rH)(isAmbiguous ? file : { ...file, name }));
    }
    return [...lines];
}
function formatEntry(item) {
    const { name, size, hash, entry } = item;
    let bytes = 'size unknown: only its checksum was read';
    if (size !== null)
        bytes = (0,phrases/* pluralize */.td)(size, 'byte');
    const lines = [
        linkedSpan(hash, entry.verificationUrl),
        '',
        `- File: ${span(name)}, ${bytes}`,
        `- Service: ${span(entry.service)}`,
        ...formatRecord(entry),
        ...formatSource(entry.source),
    ];
    if (item.maybeChargedAgain)
        lines.push('- This registration may have been charged more than once.');
    return `${lines.join('\n')}\n\n`;
}
function formatRecord({ at, confirmed, record }) {
    const noResponse = 'This entry is not a response from the service.';
    if (confirmed) {
        const time = at === null ? '' : ` at ${span((0,phrases/* formatTime */.fU)(Date.parse(at)))} (UTC)`;
        const what = 'a person looked up this SHA-256 at the service and found it registered';
        return [`- Confirmed${time}: ${what}. ${noResponse}`];
    }
    const { userId, paymentId, creationDate, blockchainType, txId, txHash } = record;
    const { time, transaction } = (0,records_record/* describeFields */.VO)(record);
    const lines = [
        `- Time (UTC), by the clock of the service: ${spanField(creationDate, time)}`,
        `- Account at the service: ${spanField(userId)}`,
        `- Payment: ${spanField(paymentId)}`,
        `- Blockchain: ${spanField(blockchainType)}`,
        `- Transaction: ${spanField(txId ?? txHash, transaction)}`,
    ];
    if (at === null)
        lines.push(`- Added by hand. ${noResponse}`);
    return lines;
}
function formatSource({ ref, sha, commitUrl, runId, runUrl }) {
    const lines = [];
    if (ref?.startsWith('refs/tags/') === true)
        lines.push(`- Tag: ${span(ref.slice('refs/tags/'.length))}`);
    else if (ref !== null)
        lines.push(`- Ref: ${span(ref)}`);
    if (sha !== null)
        lines.push(`- Commit: ${linkedSpan(sha, commitUrl)}`);
    if (runId !== null)
        lines.push(`- Run: ${linkedSpan(runId, runUrl)}`);
    return lines;
}
function spanField(value, text = (0,text_json/* fieldText */.gF)(value)) {
    if (text.trim() !== '')
        return span(text);
    return typeof value === 'object' && value !== null ? '–' : 'not given by the service';
}
function span(text) {
    return `\`${(0,text_escape/* quote */.hD)(text, 256).replaceAll('`', '\\u0060')}\``;
}
function linkedSpan(text, url) {
    const parsed = URL.parse(url ?? '');
    if (parsed === null || !/^https?:$/.test(parsed.protocol))
        return span(text);
    const address = parsed.href.replace(/[`\\]/g, encodeURIComponent);
    return `[${span(text)}](<${address}>)`;
}

;// CONCATENATED MODULE: ./records/predicate.js
const maxPredicateBytes = 16_000_000;
function renderPredicate(items, { service, source }) {
    const records = items.map(({ name, size, hash, entry }) => {
        const { at, record, verificationUrl } = entry;
        const confirmed = entry.confirmed || undefined;
        return { artifact: name, size, hash, at, record, confirmed, verificationUrl };
    });
    const text = `${JSON.stringify({ service, source, records })}\n`;
    return Buffer.byteLength(text) > maxPredicateBytes ? '' : text;
}

;// CONCATENATED MODULE: ./records/proofs.js






const noPaths = {
    'checksums-path': '',
    'predicate-path': '',
    'evidence-path': '',
};
function writeProofs(run, { disk, runner, secrets }) {
    const { artifacts, ledger, folder, isDryRun } = run;
    const write = (name, text) => {
        if (text === '')
            return '';
        const path = (0,external_node_path_.join)(folder, name);
        try {
            disk.write(path, text);
            return path;
        }
        catch (error) {
            runner.warning(`"${path}" could not be written: ${(0,failure_0/* describeError */.Uc)(error)}`);
            return '';
        }
    };
    const registered = artifacts.filter(outcome/* isRegistered */.zN);
    const listed = isDryRun ? artifacts.filter(outcome/* isHashed */.Sc) : registered;
    const checksums = listed.map(names/* formatChecksum */.rH).join('');
    const checksumsPath = write('notarization-checksums.txt', checksums);
    if (isDryRun || registered.length === 0)
        return { ...noPaths, 'checksums-path': checksumsPath };
    const items = registered.map(({ name, size, hash, outcome: { maybeChargedAgain } }) => {
        const known = ledger.recordOf(hash);
        const entry = { ...known, record: secrets.redactJson(known.record) };
        return { name: secrets.redactText(name), size, hash, entry, maybeChargedAgain };
    });
    const predicate = renderPredicate(items, ledger);
    if (predicate === '') {
        runner.warning('The output "predicate-path" is empty, because the predicate would exceed 16,000,000 bytes');
    }
    return {
        'checksums-path': checksumsPath,
        'predicate-path': write('notarization-predicate.json', predicate),
        'evidence-path': write(names/* evidenceName */.Xc, secrets.redactText(renderEvidence(items))),
    };
}

;// CONCATENATED MODULE: ./service/retry.js
const maxRetryAfterMs = 60_000;
function isRetryableStatus(status) {
    const isOfFront = status >= 520 && status <= 524;
    return isOfFront || [408, 425, 429, 500, 502, 503, 504].includes(status);
}
function findWaitMs(attempts, last, random) {
    const { isDoubtful, retryAfterMs } = last;
    if (isDoubtful)
        return Math.max(20_000 + random * 20_000, retryAfterMs ?? 0);
    return retryAfterMs ?? random * Math.min(30_000, 1000 * 2 ** (attempts - 1));
}
function parseRetryAfter(value, nowMs) {
    if (/^\d+$/.test(value))
        return Math.min(Number(value) * 1000, Number.MAX_SAFE_INTEGER);
    const dateMs = parseHttpDate(value);
    return dateMs === null ? null : Math.max(0, dateMs - nowMs);
}
function parseHttpDate(value) {
    const dateMs = value.endsWith(' GMT') ? Date.parse(value) : NaN;
    return Number.isNaN(dateMs) ? null : dateMs;
}

;// CONCATENATED MODULE: ./service/operations.js






const login = {
    name: 'the login',
    path: '/api/v2/auth/login',
    asksFor: 'usable token',
    read: ({ token }) => (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token) ? token : null),
    lacking: 'wrong-key',
    refusedCode: 'login-refused',
    refusals: { 400: 'wrong-key', 401: 'wrong-key', 403: 'wrong-key', 422: 'wrong-key' },
};
const completion = {
    name: 'the registration',
    path: '/api/v2/registration/{hash}/forfait',
    asksFor: 'record',
    read: object => (recordFields.some(field => field in object) ? object : null),
    lacking: 'unexpected-response',
    refusedCode: 'refused',
    refusals: {
        402: 'unpaid',
        403: 'forbidden',
        404: 'no-request',
        409: 'already-registered',
        other: 'rejected',
    },
};
const recordFields = ['hash', 'status', 'custody', 'signed'];
const forSubscription = {
    asksFor: 'subscription data',
    read: checkSubscription,
    lacking: 'no-subscription',
};
const request = {
    name: 'the registration request',
    path: '/api/v2/registration/?subscription=true',
    ...forSubscription,
    refusedCode: 'request-refused',
    refusals: { 402: 'unpaid', 403: 'forbidden', other: 'request-rejected' },
};
const retrieval = {
    name: 'the look-up of the active subscription',
    path: '/api/v2/payment/subscription/active',
    ...forSubscription,
    refusedCode: 'refused',
    refusals: { 403: 'forbidden', other: 'no-subscription' },
};
function readGood({ read }, reply) {
    const object = objectIn(reply);
    if (object === null || reply.kind !== 'response' || reply.body === null)
        return null;
    return read(object, reply.body);
}
function objectIn(reply) {
    if (reply.kind !== 'response' || reply.body === null || statusClass(reply) !== 2)
        return null;
    return (0,text_json/* parseJsonObject */.dw)(reply.body) ?? null;
}
function statusClass({ status }) {
    return Math.floor(status / 100);
}
function isRetryable(reply) {
    if (reply.kind !== 'response')
        return ['unreachable', 'proxy', 'lost'].includes(reply.kind);
    return reply.body !== null && isRetryableStatus(reply.status) && longWaitMs(reply) === null;
}
function longWaitMs({ retryAfterMs }) {
    return retryAfterMs !== null && retryAfterMs > maxRetryAfterMs ? retryAfterMs : null;
}
function failureOf(operation, reply, secrets) {
    if (reply.kind !== 'response') {
        const isCanceled = reply.kind === 'canceled';
        const reason = reply.kind === 'lost' ? 'unavailable' : reply.kind;
        const observed = describeNone(operation, reply);
        const endsRun = operation === login || isCanceled;
        return new failure_0/* Failure */.HR(isCanceled ? 'cancelled' : 'unavailable', reason, { observed, endsRun });
    }
    const [code, reason, what] = explainReply(operation, reply);
    let observed = `${operation.name} returned ${what}`;
    if (operation !== login) {
        observed += (0,text_escape/* quoteSaid */._p)(readSaid(reply.body ?? ''), text => secrets.redactText(text));
    }
    const status = reply.status === 0 ? null : reply.status;
    const response = operation === completion ? objectIn(reply) : null;
    const endsRun = operation === login || code === 'login-refused';
    return new failure_0/* Failure */.HR(code, reason, { observed, status, response, endsRun });
}
function describeNone({ name }, { kind, detail }) {
    if (kind === 'proxy' || kind === 'proxy-certificate')
        return detail;
    if (kind === 'canceled')
        return `${name} got no response before the run was canceled`;
    if (kind === 'lost')
        return `${name} got no response: ${detail}`;
    return `${name} was not sent: ${detail}`;
}
function explainReply(operation, reply) {
    const { status, body } = reply;
    const kind = statusClass(reply);
    const unexpected = operation === login ? 'not-the-service' : 'unexpected-response';
    if (status === 0)
        return ['invalid-response', unexpected, 'something that is not HTTP'];
    let what = `HTTP ${status}`;
    if (kind === 3)
        return ['invalid-response', 'redirect', what];
    if (body === null)
        return ['invalid-response', unexpected, `${what} and a body over 1 MiB`];
    const waitMs = longWaitMs(reply);
    if (waitMs !== null)
        what += `, asking to wait ${(0,phrases/* formatDuration */.a3)(waitMs / 1000)}`;
    if (isRetryableStatus(status) || kind === 5) {
        const isLimit = status === 429 || waitMs !== null;
        return ['unavailable', isLimit ? 'rate-limit' : 'unavailable', what];
    }
    if (kind === 4) {
        const { code, reason } = findRefusal(operation, status);
        if (code === 'request-refused' && status === 409)
            what += ', so a request exists';
        return [code, /^\s*<[a-z!?]/i.test(body) ? 'blocked' : reason, what];
    }
    if (objectIn(reply) !== null) {
        return ['invalid-response', operation.lacking, `${what} and no ${operation.asksFor}`];
    }
    return ['invalid-response', unexpected, `${what} and a body that is not a JSON object`];
}
function findRefusal(operation, status) {
    const { refusals, refusedCode: code } = operation;
    if (operation !== login && status === 401)
        return { code: 'login-refused', reason: 'rejected-token' };
    const reason = refusals[status] ?? refusals.other;
    if (reason === undefined)
        return { code: 'invalid-response', reason: 'not-the-service' };
    return { code, reason };
}
const notPlainText = /<[a-z!?/]|^\s*(?:[{["]|null\s*$)|[\0\ufffd]/i;
function readSaid(body) {
    if (!notPlainText.test(body))
        return body;
    const { message, error } = (0,text_json/* parseJsonObject */.dw)(body) ?? {};
    return [message, error].find(value => typeof value === 'string');
}

;// CONCATENATED MODULE: ./service/client.js





class Client {
    #host;
    #transport;
    #inputs;
    #login = null;
    #pauseEndMs = 0;
    constructor(host, transport, inputs) {
        this.#host = host;
        this.#transport = transport;
        this.#inputs = inputs;
    }
    async complete({ hash, name: artifact }, { subscription, refusal }, onDoubt) {
        const path = completion.path.replace('{hash}', hash);
        const options = { path, body: subscription.json, artifact, onDoubt };
        try {
            const object = await this.call(completion, options);
            return { object, paymentId: subscription.id };
        }
        catch (error) {
            throw joinRefusal(failure_0/* Failure */.HR.orRethrow(error), refusal);
        }
    }
    async call(operation, options = {}) {
        const { clock, halt, random, runner, secrets } = this.#host;
        const { maxAttempts } = this.#inputs;
        const { onDoubt } = options;
        let doubt = null;
        for (let attempts = 1;; attempts++) {
            const reply = await this.#attempt(operation, options).catch((error) => {
                throw this.#cutShort(failure_0/* Failure */.HR.orRethrow(error), doubt);
            });
            const good = readGood(operation, reply);
            if (good !== null)
                return good;
            const earlier = doubt;
            let failure = failureOf(operation, reply, secrets);
            const isDoubtful = onDoubt !== undefined && mayHaveActed(reply);
            if (isDoubtful || earlier !== null)
                failure = failure.with({ registered: 'unknown' });
            if (isDoubtful) {
                doubt = failure;
                onDoubt(failure);
            }
            const isLast = attempts === maxAttempts || (isDoubtful && earlier !== null);
            const retryAfterMs = this.#holdBack(reply);
            if (isLast || !isRetryable(reply))
                throw afterAttempts(failure, attempts, earlier);
            if (halt.reason !== null)
                throw this.#cutShort(halt.reason, doubt);
            const waitMs = findWaitMs(attempts, { isDoubtful, retryAfterMs }, random());
            const who = options.artifact === undefined ? '' : `"${(0,text_escape/* quote */.hD)(options.artifact)}": `;
            const which = `attempt ${attempts} of ${maxAttempts}`;
            const next = `retrying in ${(0,phrases/* formatDuration */.a3)(waitMs / 1000)}`;
            runner.info(`${who}${failure.observed} (${which}); ${next}`);
            await clock.sleep(waitMs, halt.signal);
        }
    }
    #cutShort(failure, doubt) {
        if (doubt === null)
            return failure.with({ registered: 'no' });
        const { registered, observed } = doubt;
        if (failure.reason === 'canceled')
            return failure.with({ registered, observed });
        if (this.#host.halt.reason !== null)
            return doubt;
        if (failure.endsRun)
            this.#host.halt.end(failure);
        return afterAttempts(failure.with({ registered }), 1, doubt);
    }
    #holdBack(reply) {
        if (reply.kind !== 'response' || reply.retryAfterMs === null || !isRetryable(reply))
            return null;
        const endMs = this.#host.clock.monotonic() + reply.retryAfterMs;
        this.#pauseEndMs = Math.max(this.#pauseEndMs, endMs);
        return reply.retryAfterMs;
    }
    async #attempt(operation, options) {
        const { path = operation.path, body = null } = options;
        const request = { url: new URL(this.#inputs.baseUrl + path), body };
        if (operation === login)
            return this.#send({ ...request, token: null });
        for (;;) {
            this.#login ??= { token: this.#requestToken(), isRenewable: true };
            const current = this.#login;
            const reply = await this.#send({ ...request, token: await current.token });
            if (reply.kind !== 'response')
                return reply;
            const isRejected = reply.status === 401;
            if (!isRejected)
                current.isRenewable = true;
            if (!isRejected || !current.isRenewable)
                return reply;
            if (this.#login !== current)
                continue;
            this.#login = { token: this.#requestToken(), isRenewable: false };
        }
    }
    async #send(request) {
        const { clock, halt } = this.#host;
        for (;;) {
            if (halt.reason !== null)
                throw halt.reason;
            const leftMs = this.#pauseEndMs - clock.monotonic();
            if (leftMs <= 0)
                break;
            await clock.sleep(leftMs, halt.signal);
        }
        return this.#transport.send(request, halt.kill);
    }
    async #requestToken() {
        const token = await this.call(login, { body: JSON.stringify({ apiKey: this.#inputs.apiKey }) });
        this.#host.secrets.add([token, ...token.split('.').slice(1)]);
        return token;
    }
}
function mayHaveActed(reply) {
    if (reply.kind === 'response')
        return reply.status < 400 || reply.status > 499;
    return reply.kind === 'lost' || reply.kind === 'canceled';
}
function afterAttempts(failure, attempts, doubt) {
    let { observed } = failure;
    if (attempts > 1)
        observed = `after ${attempts} attempts, ${observed}`;
    if (doubt !== null && doubt.observed !== failure.observed) {
        observed += `; before that, ${doubt.observed}`;
    }
    return failure.with({ observed });
}
function joinRefusal(failure, refusal) {
    if (refusal === null || failure.code !== 'refused')
        return failure;
    const { registered, status } = failure;
    const deciding = status === 404 ? refusal : failure;
    const observed = `${refusal.observed}; ${failure.observed}`;
    return deciding.with({ code: refusal.code, registered, status, observed });
}

;// CONCATENATED MODULE: ./service/payers.js



class Payers {
    #client;
    #host;
    #inputs;
    #active = null;
    constructor(client, host, inputs) {
        this.#client = client;
        this.#host = host;
        this.#inputs = inputs;
    }
    async obtain(artifact, source) {
        const { payment, requestRegistration } = this.#inputs;
        const given = payment === 'active' ? await this.#activeSubscription() : payment;
        if (given !== null && !requestRegistration)
            return { subscription: given, refusal: null };
        try {
            return { subscription: await this.#request(artifact, source, given), refusal: null };
        }
        catch (error) {
            const refusal = failure_0/* Failure */.HR.orRethrow(error);
            const { code, status } = refusal;
            if (code !== 'request-refused' || status === 402 || status === 403)
                throw refusal;
            return { subscription: given ?? (await this.#activeAfter(refusal)), refusal };
        }
    }
    async #request({ name: artifact, hash }, { repository, ref }, given) {
        const body = JSON.stringify({
            blockchainType: 'ALGORAND',
            custody: 'false',
            description: fillDescription(this.#inputs.description, { artifact, repository, ref }),
            hash,
            signed: 'false',
            status: 'not_registered',
        });
        const { /* request */ "Em": request } = operations_namespaceObject;
        const operation = {
            ...request,
            read: (object, text) => request.read(object, text) ?? given,
        };
        const offered = this.#mask(await this.#client.call(operation, { body, artifact }));
        return given ?? offered;
    }
    async #activeAfter(refusal) {
        try {
            return await this.#activeSubscription();
        }
        catch (error) {
            const later = failure_0/* Failure */.HR.orRethrow(error);
            if (later.endsRun)
                throw later;
            throw refusal.with({ observed: `${refusal.observed}; ${later.observed}` });
        }
    }
    #activeSubscription() {
        this.#active ??= this.#retrieve();
        return this.#active;
    }
    async #retrieve() {
        const { clock, runner } = this.#host;
        try {
            const subscription = this.#mask(await this.#client.call(retrieval));
            const warning = warnOfRefusal(subscription, clock.now());
            if (warning !== null)
                runner.passingWarning(`The active subscription ${warning}`);
            return subscription;
        }
        catch (error) {
            const failure = failure_0/* Failure */.HR.orRethrow(error);
            throw failure.with({ endsRun: failure.endsRun || this.#inputs.payment === 'active' });
        }
    }
    #mask(subscription) {
        this.#host.secrets.exempt(subscription.exempt);
        this.#host.secrets.add(subscription.secrets);
        return subscription;
    }
}
function fillDescription(template, values) {
    const placeholder = /\{(artifact|repository|ref)\}/g;
    const filled = template.replace(placeholder, (_, name) => values[name] ?? '');
    const clean = filled.replace(/\p{Cc}/gu, '');
    return clean.slice(0, 500).toWellFormed();
}

;// CONCATENATED MODULE: ./register/trust.js
const maxFailures = 5;
const maxFailuresAtFirst = 3;
class Trust {
    isEarned = false;
    #failures = 0;
    earn() {
        this.isEarned = true;
        this.#failures = 0;
    }
    isLostBy(failure) {
        if (!speaksAgainstService(failure))
            return false;
        this.#failures += 1;
        if (this.isEarned)
            return this.#failures >= maxFailures;
        return failure.registered === 'unknown' || this.#failures >= maxFailuresAtFirst;
    }
}
const ofService = new Set([
    'unavailable',
    'invalid-response',
    'record-mismatch',
]);
function speaksAgainstService({ code, status }) {
    const isRefused = code === 'refused' || code === 'request-refused';
    return ofService.has(code) || (isRefused && (status === 402 || status === 403));
}

;// CONCATENATED MODULE: ./register/register.js








const progressMs = 30_000;
async function register(artifacts, task) {
    const { host, inputs, ledger } = task;
    const planned = artifacts.filter(outcome/* isPlanned */.H9);
    if (planned.length > 0) {
        const { artifactService, proxies } = host.environment;
        const urls = [inputs.baseUrl];
        if (inputs.keepRecords && artifactService !== null)
            urls.push(artifactService);
        failure_0/* Stop */.VG.ifAny(urls.flatMap(url => (0,proxy/* proxyProblem */.w)(url, proxies) ?? []).slice(0, 1));
    }
    ledger.open(planned.length > 0);
    const outcomes = new Map();
    if (planned.length > 0)
        await registerAll(planned, outcomes, task);
    ledger.close();
    const unfinished = (0,outcome/* failed */.gz)(host.halt.bug ?? (0,failure_0/* bugFailure */.fT)('a registration did not end'));
    return artifacts.map(artifact => {
        if (!(0,outcome/* isPlanned */.H9)(artifact))
            return artifact;
        return { ...artifact, outcome: outcomes.get(artifact.hash) ?? unfinished };
    });
}
async function registerAll(planned, outcomes, { host, inputs, ledger }) {
    const { runner, clock, halt } = host;
    const transport = host.createTransport(inputs.timeoutSeconds * 1000);
    const client = new Client(host, transport, inputs);
    const trust = new Trust();
    const run = { host, ledger, client, payers: new Payers(client, host, inputs), trust };
    const queue = inOrder(planned);
    const total = queue.length;
    let loggedMs = clock.monotonic();
    const noteBug = (error) => {
        halt.noteBug(error);
    };
    const work = async (isDone) => {
        while (!isDone()) {
            const artifact = queue.shift();
            if (artifact === undefined)
                return;
            const outcome = await registerOne(artifact, run);
            outcomes.set(artifact.hash, outcome);
            if (queue.length === 0 || clock.monotonic() - loggedMs < progressMs)
                continue;
            loggedMs = clock.monotonic();
            const failures = outcomes.values().filter(({ state }) => state === 'failed');
            runner.info(`${outcomes.size} of ${total} done, ${[...failures].length} failed`);
        }
    };
    await work(() => trust.isEarned).catch(noteBug);
    const workers = Array.from({ length: inputs.concurrency }, () => work(() => false).catch(noteBug));
    await Promise.all(workers);
    transport.close();
    if (ledger.unexpectedFields.size === 0)
        return;
    const fields = [...ledger.unexpectedFields].join(', ');
    const text = `Some record fields have an undocumented type and were kept unchanged: ${fields}`;
    runner.notice(text);
}
function inOrder(planned) {
    const groups = Map.groupBy(planned, ({ hash }) => hash);
    const firsts = Array.from(groups.values(), ([first]) => {
        external_node_assert_(first !== undefined, 'a group has an artifact');
        return first;
    });
    const isInDoubt = ({ outcome }) => outcome.lastDoubtAt !== null;
    return [...firsts.filter(first => !isInDoubt(first)), ...firsts.filter(isInDoubt)];
}
async function registerOne(artifact, run) {
    const { halt } = run.host;
    if (halt.reason !== null)
        return (0,outcome/* failed */.gz)(recallDoubt(halt.reason.with({ registered: 'no' }), artifact));
    try {
        const registered = await registerHash(artifact, run);
        run.trust.earn();
        return registered;
    }
    catch (error) {
        const failure = error instanceof failure_0/* Failure */.HR ? error : (0,failure_0/* bugFailure */.fT)((0,failure_0/* describeError */.Uc)(error));
        if (failure.endsRun)
            halt.end(failure);
        const ended = recallDoubt(failure, artifact);
        if (run.trust.isLostBy(ended)) {
            halt.end(failure.with({ observed: failure_0/* untried */.IM, status: null, response: null }));
        }
        return (0,outcome/* failed */.gz)(ended);
    }
}
async function registerHash(artifact, { ledger, client, payers }) {
    const payer = await payers.obtain(artifact, ledger.source);
    try {
        const completed = await client.complete(artifact, payer, doubt => {
            ledger.doubt(artifact, doubt);
        });
        return ledger.record(artifact, completed);
    }
    catch (error) {
        if (error instanceof failure_0/* Failure */.HR)
            throw error;
        const failure = (0,failure_0/* bugFailure */.fT)((0,failure_0/* describeError */.Uc)(error)).with({ registered: 'unknown' });
        try {
            ledger.doubt(artifact, failure);
        }
        catch {
        }
        throw failure;
    }
}
function recallDoubt(failure, { outcome: { lastDoubtAt } }) {
    if (lastDoubtAt === null)
        return failure;
    const sent = `an earlier run sent it on ${(0,phrases/* formatTime */.fU)(Date.parse(lastDoubtAt))} UTC, without a record`;
    const observed = failure.observed === '' ? sent : `${failure.observed}; ${sent}`;
    return failure.with({ registered: 'unknown', observed });
}

// EXTERNAL MODULE: ./release/octokit.js
var octokit = __webpack_require__(5642);
// EXTERNAL MODULE: ./release/release.js
var release_release = __webpack_require__(4030);
// EXTERNAL MODULE: ./runtime/environment.js
var runtime_environment = __webpack_require__(5107);
// EXTERNAL MODULE: ./report/findings.js
var findings = __webpack_require__(8888);
// EXTERNAL MODULE: ./report/words.js
var words = __webpack_require__(649);
;// CONCATENATED MODULE: ./report/run-again.js






const giveRecords = 'records.md#give-a-new-run-the-records';
const saveLines = 'records.md#save-lines-from-the-log';
const oldCommit = 'A re-run would use the old workflow and commit.';
const noRerun = 'Do not re-run: a re-run would not find these records.';
const save = 'save the record lines from the log, and start a new run with them';
const rerun = ['re-run the failed jobs'];
const newRun = ['start a new run', oldCommit];
const withRecords = ['start a new run with these records', oldCommit, giveRecords];
const withLines = [save, noRerun, saveLines];
const withLinesAndOthers = [`${save} and the other records below`, noRerun, saveLines];
const savedFile = 'start a new run with the records file, if a later step saved it';
const withFile = [savedFile, noRerun, giveRecords];
const ways = {
    none: [rerun, newRun],
    release: [rerun, newRun],
    'workflow-artifact': [rerun, withRecords],
    log: [withLines, withLines],
    file: [withFile, withFile],
};
function tellAgain(end, wrong, host) {
    const { kind } = end.place;
    const [same, changed] = ways[kind];
    let way = wrong.some(({ needs }) => needs === 'workflow') ? changed : same;
    if (end.kind === 'completed' && end.unsaved.length > 0) {
        const hasOthers = kind === 'workflow-artifact' || kind === 'file';
        way = hasOthers ? withLinesAndOthers : withLines;
    }
    const [next, why = '', docs] = way;
    let subject = docs === undefined ? 'The new run' : 'With these records, the new run';
    if (way === rerun)
        subject = 'The re-run';
    const hints = [why, ...describeNumbers(end, subject)];
    if (end.artifacts.some(artifact => mayBeSecond(artifact) && !isToLookUp(artifact))) {
        const text = 'To avoid a second charge, first look up the files that may be registered';
        hints.push((0,runtime_environment/* linkTo */.uM)(words/* confirmHash */.Bt, text, host));
    }
    return { next: (0,runtime_environment/* linkTo */.uM)(docs, next, host), hint: (0,phrases/* toSentences */.Mc)(hints), happened: [], results: [] };
}
function describeNumbers(end, subject) {
    const { artifacts, isEarlierMissing } = end;
    if (artifacts.length === 0) {
        return [`${subject} registers the files that have no record, for one charge each.`];
    }
    const left = artifacts.filter(({ outcome }) => {
        return outcome.state !== 'registered' && (0,words/* stateOf */.L4)(outcome) !== words/* states */.xP.heldByService;
    });
    const most = left.some(isToLookUp) ? 'at most ' : '';
    const second = describeSecond(isEarlierMissing ? left : left.filter(mayBeSecond), left);
    const numbers = `${subject} registers ${most}${describeFiles(left)}${second}.`;
    return [numbers, describeWithout(end, left, most)];
}
function describeWithout(end, left = [], most = '') {
    const registered = end.artifacts.filter(({ hash }) => end.recorded.has(hash ?? ''));
    if (registered.length === 0)
        return '';
    const files = describeFiles([...left, ...registered]);
    return `A run without these records registers ${most}${files}.`;
}
function tellToSave(end, host) {
    const next = (0,runtime_environment/* linkTo */.uM)(saveLines, 'save the record lines from the log of this step', host);
    return { next, hint: describeWithout(end), happened: [], results: [] };
}
function mayBeSecond({ outcome }) {
    const state = (0,words/* stateOf */.L4)(outcome);
    return state === words/* states */.xP.inDoubt || state === words/* states */.xP.plannedAgain;
}
function isToLookUp({ outcome }) {
    return outcome.state === 'failed' && (0,words/* isForLookUp */.e1)(outcome.failure);
}
function describeFiles(artifacts) {
    if (artifacts.length === 0)
        return 'nothing, and nothing is charged';
    return `${(0,phrases/* pluralize */.td)(artifacts.length, 'file')} (${(0,phrases/* pluralize */.td)((0,outcome/* countCharges */.Ju)(artifacts), 'charge')})`;
}
function describeSecond(second, left) {
    if (second.length === 0)
        return '';
    const count = (0,outcome/* countCharges */.Ju)(second);
    if (count === (0,outcome/* countCharges */.Ju)(left))
        return ', which may be charged a second time';
    return `, of which ${count} may be charged a second time`;
}
function countOnlyInLog({ artifacts, recorded, place, unsaved }) {
    if (place.kind !== 'log')
        return unsaved.length;
    return (0,outcome/* countCharges */.Ju)(artifacts.filter(outcome/* isNew */.BS)) || recorded.size;
}
function describeOnlyInLog(end) {
    const count = countOnlyInLog(end);
    return count === 0 ? '' : `${(0,phrases/* pluralize */.td)(count, 'record is', 'records are')} only in the log`;
}
function pointToRecords(end, { recordsPath, host }) {
    const { kind, workflowArtifacts, page } = end.place;
    const pointers = [];
    const add = (text, links = []) => {
        pointers.push({ text, links });
    };
    if (end.kind === 'completed') {
        const count = countOnlyInLog(end);
        if (count > 0)
            add(`Records: ${count} only in the log of this step`);
        if (kind === 'release' && end.release !== null) {
            const { tag: name, url } = end.release;
            add('Records: release', [{ name, url }]);
        }
    }
    if (kind === 'file') {
        const text = `Records: only in the file "${(0,text_escape/* quote */.hD)(recordsPath)}"`;
        add((0,runtime_environment/* linkTo */.uM)('records.md#where-it-is-kept', text, host));
    }
    if (workflowArtifacts.length === 0)
        return pointers;
    const links = workflowArtifacts.toReversed();
    if (kind === 'log' || kind === 'file') {
        add('Records of earlier attempts: workflow artifact', links);
    }
    else if (page !== null) {
        add('Records and evidence page: workflow artifact', [page]);
        const text = `To compare downloaded files, put ${names/* evidenceName */.Xc} from there beside them, and run`;
        add(text, [{ name: `sha256sum --ignore-missing -c ${names/* evidenceName */.Xc}`, url: null }]);
    }
    else if (kind === 'none' && end.kind === 'completed' && end.doubtCount > 0) {
        add('Sent without a record: workflow artifact', links);
    }
    else
        add('Records: workflow artifact', links);
    return pointers;
}

// EXTERNAL MODULE: ./report/stop.js
var stop = __webpack_require__(626);
;// CONCATENATED MODULE: ./report/table.js





function makeTable(ranked, job) {
    const records = ranked.filter(outcome/* isRegistered */.zN).map(({ outcome }) => (0,records_record/* describeFields */.VO)(outcome.record));
    const columns = [];
    if (records.length > 0)
        columns.push('Registered at (UTC)', 'Blockchain');
    if (records.some(({ transaction }) => transaction !== ''))
        columns.push('Transaction');
    const inFile = records.length === 0 ? '' : `, and ${job.recordsPath} has their records`;
    return {
        columns,
        rows: ranked.map(artifact => makeRow(artifact, job)),
        isFolded: ranked.some(outcome/* isFailed */.Ix),
        elsewhere: `the log of this step has all of them${inFile}`,
    };
}
function makeRow(artifact, job) {
    const { outcome } = artifact;
    const state = (0,words/* stateOf */.L4)(outcome);
    const { sign, label } = state;
    const url = lookUpUrl(artifact, job);
    const isPlain = sign === '✅' || state === words/* states */.xP.planned;
    const row = { sign, label, artifact, url, note: '', cells: [], isPlain };
    switch (outcome.state) {
        case 'planned':
            return { ...row, note: state.cost };
        case 'failed': {
            const { cause } = (0,words/* findWords */.ZB)(outcome.failure, job.inputs);
            return { ...row, note: (0,findings/* summarize */.eh)(cause, outcome.failure.observed) };
        }
        case 'registered': {
            const { time, blockchain, transaction } = (0,records_record/* describeFields */.VO)(outcome.record);
            if (!outcome.isConfirmed)
                return { ...row, cells: [time, blockchain, transaction] };
            return { ...row, note: 'confirmed by a person after a look-up' };
        }
    }
}
function lookUpUrl({ hash, outcome }, { inputs }) {
    const state = (0,words/* stateOf */.L4)(outcome);
    if (state === words/* states */.xP.failed || state === words/* states */.xP.planned)
        return null;
    const record = outcome.state === 'registered' ? outcome.record : {};
    return (0,verification_url/* fillVerificationUrl */.U)(inputs.verificationUrl, { hash, record });
}

;// CONCATENATED MODULE: ./report/judge.js












function judge(end, job) {
    const recordsPath = job.host.secrets.redactLine(job.recordsPath);
    const clean = { ...job, recordsPath };
    const artifacts = end.artifacts.map(artifact => redact(artifact, job.host));
    if (end.kind === 'stopped')
        return judgeStopped({ ...end, artifacts }, clean);
    return judgeCompleted({ ...end, artifacts }, clean);
}
function redact(artifact, { secrets }) {
    const name = secrets.redactText(artifact.name);
    if ((0,outcome/* isRegistered */.zN)(artifact)) {
        const record = secrets.redactJson(artifact.outcome.record);
        return { ...artifact, name, outcome: { ...artifact.outcome, record } };
    }
    if (!(0,outcome/* isFailed */.Ix)(artifact))
        return { ...artifact, name };
    const { failure } = artifact.outcome;
    const observed = secrets.redactLine(failure.observed);
    return { ...artifact, name, outcome: (0,outcome/* failed */.gz)(failure.with({ observed })) };
}
function judgeCompleted(end, job) {
    const { artifacts, verdict } = end;
    const { inputs, host } = job;
    const ranked = rankArtifacts(artifacts);
    const ofArtifacts = ranked.filter(outcome/* isFailed */.Ix).map(artifact => explainFailure(artifact, job));
    const wrong = [...ofArtifacts, ...(0,findings/* explainRun */.Df)(end.outputsError, end.unsaved, job)];
    const hasFailed = wrong.length > 0;
    const again = hasFailed && !inputs.dryRun ? [tellAgain(end, wrong, host)] : [];
    const steps = [...(0,findings/* toSteps */.fe)(wrong), ...tellRest(end, hasFailed, job), ...again];
    const cost = describeCost(end, job);
    const trouble = { wrong, steps, onlyInLog: describeOnlyInLog(end), cost };
    const byState = Map.groupBy(ranked, ({ outcome }) => (0,words/* stateOf */.L4)(outcome));
    const counts = Array.from(byState, ([{ label }, { length }]) => `${length} ${label}`);
    return {
        exitCode: hasFailed ? 1 : 0,
        title: describeVerdict(ranked, verdict, trouble),
        cost,
        counts: counts.length > 1 ? counts : [],
        lead: (0,findings/* leadIn */.Ow)('What to do', 'failures.md', host),
        steps,
        warnings: warningsOf(end, host),
        pointers: inputs.dryRun ? [] : pointToRecords(end, job),
        table: makeTable(ranked, job),
        errors: hasFailed ? [describeFailedRun(artifacts, verdict, trouble)] : [],
        failures: artifacts.filter(outcome/* isFailed */.Ix).map(artifact => {
            const finding = explainFailure(artifact, job);
            const own = (0,findings/* toSteps */.fe)([{ ...finding, result: { ...finding.result, links: [] } }]);
            return { artifact, message: [...own, ...again].map(findings/* formatStep */.yS).join(' ') };
        }),
    };
}
function rankArtifacts(artifacts) {
    const order = Object.values(words/* states */.xP);
    const rankOf = ({ outcome }) => order.indexOf((0,words/* stateOf */.L4)(outcome));
    return artifacts.toSorted((a, b) => rankOf(a) - rankOf(b));
}
function explainFailure(artifact, job) {
    const { name, outcome } = artifact;
    const { failure } = outcome;
    const finding = (0,findings/* explain */.WE)((0,words/* findWords */.ZB)(failure, job.inputs), failure.observed, job);
    const links = [{ name, url: lookUpUrl(artifact, job) }];
    return { ...finding, result: { text: costOf(artifact, job), links } };
}
function costOf({ outcome }, { inputs, host }) {
    const state = (0,words/* stateOf */.L4)(outcome);
    if (inputs.dryRun)
        return 'not hashed';
    const isInDoubt = outcome.failure.registered === 'unknown';
    if (state === words/* states */.xP.heldByService && isInDoubt)
        return 'may have been charged, for an earlier call';
    const isLater = host.environment.attempt > 1;
    return isLater && state === words/* states */.xP.failed ? `${state.cost} in this attempt` : state.cost;
}
function tellRest(end, hasFailed, job) {
    const steps = [];
    if (end.place.kind === 'log' && !hasFailed)
        steps.push(tellToSave(end, job.host));
    const twice = end.artifacts.filter(({ outcome }) => (0,words/* stateOf */.L4)(outcome) === words/* states */.xP.chargedAgain);
    if (twice.length > 0) {
        const links = twice.map(artifact => ({ name: artifact.name, url: lookUpUrl(artifact, job) }));
        const happened = [
            'An earlier call ended without a record, or several runs registered the same file.',
        ];
        const results = [{ text: words/* states */.xP.chargedAgain.label, links }];
        steps.push({ next: 'check the bill from the service', hint: '', happened, results });
    }
    return steps;
}
function warningsOf({ artifacts, isEarlierMissing }, host) {
    const warnings = [...host.runner.warnings];
    if (isEarlierMissing && artifacts.some(outcome/* isNew */.BS)) {
        const text = 'There are no records of an earlier attempt. If an earlier attempt registered these files, they were charged a second time';
        warnings.push((0,runtime_environment/* linkTo */.uM)('records.md#where-it-is-kept', text, host));
    }
    return warnings;
}
function describeCost(end, { inputs, host }) {
    const artifacts = end?.artifacts ?? [];
    const least = (0,outcome/* countCharges */.Ju)(artifacts.filter(outcome/* isNew */.BS));
    const doubts = end?.doubtCount ?? 0;
    const when = host.environment.attempt > 1 ? 'attempt' : 'run';
    const by = `Charged by ${inputs.baseUrl} in this ${when}`;
    if (least + doubts === 0)
        return `${by}: nothing`;
    if (doubts === 0)
        return `${by}: ${(0,phrases/* pluralize */.td)(least, 'registration')}`;
    const calls = (0,phrases/* pluralize */.td)(doubts, 'call');
    return `${by}: ${least} to ${least + doubts} registrations (${calls} may have been charged without returning a record)`;
}
const titles = {
    registered: ['✅', 'NOTARIZED'],
    partial: ['❌', 'PARTLY NOTARIZED'],
    failed: ['❌', 'NOT NOTARIZED'],
    'nothing-found': ['⚠️', 'NOTHING NOTARIZED'],
    'dry-run': ['🔎', 'DRY RUN, nothing was sent'],
};
function describeVerdict(ranked, verdict, { wrong, steps, onlyInLog }) {
    const all = (0,phrases/* pluralize */.td)(ranked.length, 'artifact');
    const registered = ranked.filter(outcome/* isRegistered */.zN).length;
    let [sign, title] = titles[verdict];
    if (steps.length > 0)
        sign = '⚠️';
    if (wrong.length > 0)
        sign = '❌';
    let fact = `${registered} of ${all} registered`;
    const isCertain = ranked.some(({ outcome }) => (0,words/* stateOf */.L4)(outcome) === words/* states */.xP.failed);
    if (verdict === 'failed' && !isCertain) {
        title = 'NOT CONFIRMED';
        fact = `${registered} of ${all} known to be registered`;
    }
    if (verdict === 'dry-run') {
        fact = `${ranked.filter(outcome/* isPlanned */.H9).length} of ${all} would be registered`;
    }
    if (ranked.length === 0)
        fact = `${all} found`;
    const facts = [fact];
    const causes = [...new Set(wrong.map(({ cause }) => cause))];
    if (verdict === 'registered' && causes.length > 0) {
        title += `, but ${causes.slice(0, 2).join(', and ')}`;
    }
    else if (!ranked.some(outcome/* isFailed */.Ix))
        facts.push(...causes);
    if (onlyInLog !== '')
        facts.push(onlyInLog);
    return `${sign} ${title}: ${facts.join(', ')}`;
}
const maxCauseLength = 150;
function describeFailedRun(artifacts, verdict, { wrong, steps, onlyInLog, cost }) {
    const all = (0,phrases/* pluralize */.td)(artifacts.length, 'artifact');
    const failedCount = artifacts.filter(outcome/* isFailed */.Ix).length;
    const first = wrong.find(({ observed }) => !observed.startsWith(failure_0/* untried */.IM)) ?? wrong[0];
    let cause = (0,text_escape/* cut */.Jj)(first === undefined ? '' : (0,findings/* summarize */.eh)(first.cause, first.observed), maxCauseLength);
    const others = new Set(wrong.map(found => found.cause));
    others.delete(first?.cause ?? '');
    for (const { cause: ofRun } of [words/* words */.aL['not-saved'], words/* words */.aL.canceled]) {
        if (others.delete(ofRun))
            cause += `, and ${ofRun}`;
    }
    if (others.size > 0)
        cause += `, and ${(0,phrases/* pluralize */.td)(others.size, 'other cause')}`;
    let fact = `${artifacts.filter(outcome/* isRegistered */.zN).length} of ${all} registered, but ${cause}`;
    if (failedCount > 0)
        fact = `${failedCount} of ${all} failed: ${cause}`;
    else if (artifacts.length === 0)
        fact = `no artifacts were found, and ${cause}`;
    else if (verdict === 'dry-run')
        fact = `nothing was sent, and ${cause}`;
    const step = `step 1 of ${steps.length}: ${steps[0]?.next ?? ''}`;
    return (0,phrases/* toSentences */.Mc)([fact, cost, onlyInLog, step]);
}
function judgeStopped(end, job) {
    const { problems, outputsError } = end;
    const { inputs, host } = job;
    const how = host.halt.isCanceled && problems.length === 0 ? 'canceled' : 'stopped';
    let title = `NOT NOTARIZED: ${how} before anything was sent`;
    if (host.environment.attempt > 1)
        title = `${how.toUpperCase()}: this attempt sent nothing`;
    if (inputs.dryRun)
        title = `DRY RUN ${how}: nothing was sent`;
    return (0,stop/* judgeStop */.e)({
        problems,
        outputsError,
        title: `❌ ${title}`,
        cost: describeCost(null, job),
        lead: (0,findings/* leadIn */.Ow)('What to do', 'failures.md', host),
        again: inputs.dryRun ? [] : [tellAgain(end, problems, host)],
        pointers: inputs.dryRun ? [] : pointToRecords(end, job),
    }, host);
}

// EXTERNAL MODULE: ./report/outputs.js
var outputs = __webpack_require__(7954);
// EXTERNAL MODULE: ./report/write.js + 1 modules
var write = __webpack_require__(4720);
// EXTERNAL MODULE: external "node:timers/promises"
var external_node_timers_promises_ = __webpack_require__(8500);
;// CONCATENATED MODULE: ./runtime/clock.js

const systemClock = {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    sleep: (ms, signal) => (0,external_node_timers_promises_.setTimeout)(ms, undefined, { signal }).catch(() => undefined),
};

// EXTERNAL MODULE: external "node:net"
var external_node_net_ = __webpack_require__(7030);
// EXTERNAL MODULE: external "node:events"
var external_node_events_ = __webpack_require__(8474);
;// CONCATENATED MODULE: ./runtime/halt.js


const graceMs = 4000;
class Halt {
    #clock;
    #stopped = new AbortController();
    #killed = new AbortController();
    #signaled = new AbortController();
    reason = null;
    bug = null;
    signal = this.#stopped.signal;
    kill = this.#killed.signal;
    canceled = this.#signaled.signal;
    constructor(clock) {
        this.#clock = clock;
        (0,external_node_events_.setMaxListeners)(0, this.signal, this.kill, this.canceled);
    }
    get isCanceled() {
        return this.canceled.aborted;
    }
    cancel() {
        if (this.isCanceled)
            return;
        this.end(failure_0/* canceledFailure */.Yb);
        this.#signaled.abort();
        void this.#clock.sleep(graceMs, this.kill).then(() => {
            this.#killed.abort();
        });
    }
    end(reason) {
        this.reason ??= reason;
        this.#stopped.abort();
    }
    noteBug(error) {
        this.bug ??= (0,failure_0/* bugFailure */.fT)((0,failure_0/* describeError */.Uc)(error));
        this.end(this.bug);
    }
}

// EXTERNAL MODULE: ../node_modules/@actions/core/lib/core.js + 12 modules
var core = __webpack_require__(6853);
;// CONCATENATED MODULE: ./runtime/runner.js




const mask = core/* setSecret */.Pq;
const maxAnnotationLength = 4000;
function readRawInputs(names) {
    const texts = {};
    for (const name of names)
        texts[name] = core/* getInput */.V4(name);
    for (const name of ['API-KEY', 'SUBSCRIPTION', 'GITHUB-TOKEN']) {
        Reflect.deleteProperty(process.env, `INPUT_${name}`);
    }
    return texts;
}
function createRunner(redact) {
    const toLine = (text) => (0,text_escape/* toLogLine */.gD)(redact(text));
    const toAnnotation = (text) => (0,text_escape/* cut */.Jj)(toLine(text), maxAnnotationLength);
    const warn = (text) => {
        core/* warning */.$e((0,text_escape/* cut */.Jj)((0,phrases/* capitalize */.ZH)(toLine(text)), maxAnnotationLength));
    };
    const warnings = [];
    return {
        info: text => {
            core/* info */.pq(toLine(text));
        },
        group: core/* group */.Os,
        notice: text => {
            core/* notice */.lm(toAnnotation(text));
        },
        warning: text => {
            warnings.push(text);
            warn(text);
        },
        passingWarning: warn,
        error: text => {
            core/* error */.z3(toAnnotation(text));
        },
        get warnings() {
            return warnings.map(redact);
        },
        setOutput: (name, value) => {
            const path = process.env['GITHUB_OUTPUT'] ?? '';
            if (path === '')
                throw new Error('GITHUB_OUTPUT is not set');
            try {
                core/* setOutput */.uH(name, value);
            }
            catch (error) {
                throw new Error(`"${path}" cannot be written: ${(0,failure_0/* describeError */.Uc)(error)}`);
            }
        },
        writeSummary: async (markdown) => {
            await core/* summary */.z.addRaw(redact(markdown)).write();
        },
    };
}

;// CONCATENATED MODULE: ./runtime/secrets.js

const minSecretLength = 6;
const minBase64Length = 8;
const replacement = '***';
class Secrets {
    #mask;
    #exempt = new Set();
    #lines = new Set();
    #pattern = null;
    constructor(mask) {
        this.#mask = mask;
    }
    exempt(values) {
        for (const value of values)
            this.#exempt.add(value);
    }
    add(values) {
        for (const text of values.flatMap(value => value.split(/[\r\n]/))) {
            const line = text.trim();
            if (line.length < minSecretLength || this.#lines.has(line))
                continue;
            if (this.#exempt.values().some(exempt => exempt.includes(line)))
                continue;
            this.#mask(line);
            this.#lines.add(line);
            this.#pattern = null;
        }
    }
    redactText(text) {
        if (this.#lines.size === 0)
            return text;
        this.#pattern ??= patternOf([...this.#lines]);
        return text.replace(this.#pattern, replacement);
    }
    redactLine(text) {
        return this.redactText(text).replaceAll(/\s*[\r\n]+\s*/g, ' ');
    }
    redactJson(object) {
        const fields = Object.entries(object).map(([key, value]) => {
            return [this.redactText(key), this.#redactValue(value)];
        });
        return Object.fromEntries(fields);
    }
    #redactValue(value) {
        if ((0,text_json/* isJsonObject */.OW)(value))
            return this.redactJson(value);
        if (Array.isArray(value))
            return value.map(item => this.#redactValue(item));
        if (typeof value === 'string')
            return this.redactText(this.#redactInner(value));
        const text = JSON.stringify(value);
        const clean = this.redactText(text);
        return clean === text ? value : clean;
    }
    #redactInner(text) {
        if (!/^\s*["[{]/.test(text))
            return text;
        try {
            const inner = (0,text_json/* parseJson */.qF)(text);
            const clean = JSON.stringify(this.#redactValue(inner));
            return clean === JSON.stringify(inner) ? text : clean;
        }
        catch {
            return text;
        }
    }
}
function patternOf(lines) {
    const forms = [...new Set(lines.flatMap(formsOf))].sort((a, b) => b.length - a.length);
    return new RegExp(forms.map(form => RegExp.escape(form)).join('|'), 'g');
}
function formsOf(line) {
    const bytes = Buffer.from(line);
    const base64 = [0, 1, 2].flatMap(offset => {
        const shifted = bytes.subarray(offset);
        const whole = shifted.toString('base64');
        const stable = whole.slice(0, Math.floor(shifted.length / 3) * 4);
        return [whole, stable].filter(form => form.length >= minBase64Length);
    });
    const json = JSON.stringify(line).slice(1, -1);
    return [line, json, encodeURIComponent(line.toWellFormed()), ...base64];
}

;// CONCATENATED MODULE: ./runtime/host.js







async function runInHost({ inputNames, run }, outside, canceled) {
    process.noDeprecation = true;
    delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    (0,external_node_net_.setDefaultAutoSelectFamilyAttemptTimeout)(2000);
    (0,runtime_environment/* addProxySchemes */.q)(process.env);
    const rawInputs = readRawInputs(inputNames);
    const environment = (0,runtime_environment/* readEnvironment */.Qo)(process.env, process.cwd());
    const secrets = new Secrets(mask);
    const runner = createRunner(text => secrets.redactText(text));
    const halt = new Halt(outside.clock);
    const host = { ...outside, environment, runner, secrets, halt };
    const noteUncaught = (error) => {
        if (!(0,guard/* endGuardedCall */.c)(error))
            halt.noteBug(error);
    };
    let exitCode = null;
    for (const stream of [process.stdout, process.stderr])
        stream.on('error', () => undefined);
    process.on('uncaughtException', noteUncaught);
    process.on('unhandledRejection', noteUncaught);
    process.on('exit', () => {
        if (exitCode === null)
            halt.noteBug(new Error('the run ended before its report'));
        if (exitCode !== 1)
            reportLate(host);
    });
    canceled.addEventListener('abort', () => {
        halt.cancel();
    });
    await (0,external_node_timers_promises_.setImmediate)();
    if (canceled.aborted)
        halt.cancel();
    try {
        exitCode = await run(host, rawInputs);
        process.exitCode = exitCode;
    }
    catch (error) {
        halt.noteBug(error);
    }
    await (0,external_node_timers_promises_.setImmediate)();
    process.stdout.write('', () => process.exit());
}
function reportLate({ environment: { reportTo }, halt: { bug, isCanceled }, runner }) {
    const rest = 'What is reported above still holds.';
    if (bug !== null) {
        runner.error(`${bug.code}: This action has a bug (${bug.observed}). ${rest} Report it at ${reportTo}`);
    }
    else if (isCanceled)
        runner.error(`The run was canceled after its report. ${rest}`);
    else
        return;
    process.exitCode = 1;
}

// EXTERNAL MODULE: ../node_modules/@actions/http-client/lib/index.js
var lib = __webpack_require__(5889);
// EXTERNAL MODULE: ../node_modules/@actions/http-client/lib/proxy.js
var lib_proxy = __webpack_require__(3689);
// EXTERNAL MODULE: external "node:diagnostics_channel"
var external_node_diagnostics_channel_ = __webpack_require__(3053);
// EXTERNAL MODULE: external "node:zlib"
var external_node_zlib_ = __webpack_require__(8522);
;// CONCATENATED MODULE: ./service/transport.js








const maxIdleMs = 10_000;
const maxBodyBytes = 1024 * 1024;
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
            handleAuthentication: () => Promise.reject(new Error()),
        };
        const socketTimeout = timeoutMs + 60_000;
        const options = { allowRedirects: false, keepAlive: true, maxSockets: 1, socketTimeout };
        this.#client = new lib/* HttpClient */.Qq('notarize-release', [handler], options);
    }
    async send(request, signal) {
        const { promise: ended, resolve: end } = Promise.withResolvers();
        const onAbort = () => {
            end({ kind: 'canceled', detail: 'the run ended the request' });
        };
        const onDeadline = async () => {
            for (let turn = 0; turn < turnsAfterDeadline; turn++)
                await (0,external_node_timers_promises_.setImmediate)();
            end({ kind: 'lost', detail: `timeout after ${this.#timeoutMs / 1000} s` });
        };
        const timer = setTimeout(() => void onDeadline(), this.#timeoutMs);
        signal.addEventListener('abort', onAbort);
        const reply = await Promise.race([
            this.#exchange(request).catch((error) => classify(error, request.url)),
            ended,
        ]);
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
        const { 'retry-after': retryAfter = '', date = '' } = message.headers;
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
    const body = unpack(Buffer.concat(chunks), message.headers['content-encoding'] ?? '');
    return body && new TextDecoder().decode(body);
}
function unpack(body, encoding) {
    const isPacked = /^\s*(gzip|deflate|br)\s*$/i.test(encoding);
    if (!isPacked || body.length === 0)
        return body;
    const unpacker = /br/i.test(encoding) ? external_node_zlib_.brotliDecompressSync : external_node_zlib_.unzipSync;
    try {
        return unpacker(body, { maxOutputLength: maxBodyBytes });
    }
    catch (error) {
        if ((0,failure_0/* errorCode */.CA)(error) === 'ERR_BUFFER_TOO_LARGE')
            return null;
        throw new Error('its compressed body is damaged');
    }
}
const earlyErrors = new WeakSet();
const earlyErrorSchema = schemas/* object */.Ikc({
    request: schemas/* object */.Ikc({ socket: schemas/* object */.Ikc({ secureConnecting: schemas/* literal */.euz(true) }) }),
    error: schemas/* instanceof */.Nlp(Error),
});
(0,external_node_diagnostics_channel_.subscribe)('http.client.request.error', message => {
    const { data } = earlyErrorSchema.safeParse(message);
    if (data !== undefined)
        earlyErrors.add(data.error);
});
function classify(error, url) {
    const code = (0,failure_0/* errorCode */.CA)(error) ?? '';
    if (code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE') {
        return { kind: 'response', status: 0, retryAfterMs: null, body: '' };
    }
    const ofProxy = (0,lib_proxy/* getProxyUrl */.s)(url) === undefined ? null : classifyProxy(error);
    if (ofProxy !== null)
        return ofProxy;
    let kind = certificateErrors[code] ?? 'lost';
    if (isUnconnected(error))
        kind = 'unreachable';
    return { kind, detail: (0,failure_0/* describeError */.Uc)(error) };
}
function classifyProxy(error) {
    if (!(error instanceof Error))
        return null;
    const { message } = error;
    const isNotTls = (0,failure_0/* errorCode */.CA)(error) === 'EPROTO' && !message.includes('alert');
    if (message.includes('response body from proxy') || (isNotTls && earlyErrors.has(error))) {
        return { kind: 'proxy', detail: 'the proxy responded in place of the service' };
    }
    if (!message.startsWith('tunneling socket'))
        return null;
    const [, status, cause = message] = /statusCode=(\d+)|cause=([^;]*)/.exec(message) ?? [];
    if (status !== undefined) {
        return { kind: 'proxy', detail: `the proxy refused the connection (HTTP ${status})` };
    }
    const kind = cause.includes('certificate') ? 'proxy-certificate' : 'proxy';
    return { kind, detail: `the proxy did not connect: ${cause}` };
}
function isUnconnected(error) {
    if (error instanceof AggregateError)
        return error.errors.every(isUnconnected);
    if (!(error instanceof Error) || !('syscall' in error))
        return false;
    return error.syscall === 'connect' || error.syscall === 'getaddrinfo';
}
const certificateErrors = {
    CERT_HAS_EXPIRED: 'certificate-expired',
    CERT_NOT_YET_VALID: 'certificate-early',
    ERR_TLS_CERT_ALTNAME_INVALID: 'certificate-name',
    CERT_SIGNATURE_FAILURE: 'certificate-untrusted',
    CERT_UNTRUSTED: 'certificate-untrusted',
    DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate-untrusted',
    INVALID_CA: 'certificate-untrusted',
    INVALID_PURPOSE: 'certificate-untrusted',
    PATH_LENGTH_EXCEEDED: 'certificate-untrusted',
    SELF_SIGNED_CERT_IN_CHAIN: 'certificate-untrusted',
    UNABLE_TO_GET_ISSUER_CERT: 'certificate-untrusted',
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate-untrusted',
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate-untrusted',
};

;// CONCATENATED MODULE: ./main.js
























const workerPath = './hash-worker/index.js';
async function start(name, canceled) {
    let action = { inputNames: notarizeInputNames, run: runNotarize };
    if (name === 'verify')
        action = (await __webpack_require__.e(/* import() */ 450).then(__webpack_require__.bind(__webpack_require__, 3450))).verifyAction;
    const outside = {
        clock: systemClock,
        random: Math.random,
        disk: systemDisk,
        createTransport: createTransport,
        connectToGitHub: octokit/* connectToGitHub */.tZ,
        workflowArtifacts: workflowArtifacts,
        workerFile: new URL(workerPath, import.meta.url),
    };
    await runInHost(action, outside, canceled);
}
async function runNotarize(host, rawInputs) {
    const { environment, secrets, clock, runner } = host;
    const reading = readInputs(rawInputs, clock.now());
    secrets.exempt(reading.exempt);
    secrets.add([...reading.secrets, ...environment.secrets]);
    for (const text of reading.warnings) {
        runner.warning((0,runtime_environment/* linkTo */.uM)('reference.md#the-subscription', text, host));
    }
    if (reading.refusal !== null)
        runner.passingWarning(reading.refusal);
    const { inputs } = reading;
    const job = { host, inputs, recordsPath: (0,external_node_path_.resolve)(environment.workspace, inputs.recordsPath) };
    const report = judge(await notarize(() => findArtifacts(job, reading), job), job);
    (0,outputs/* setOutputs */.n0)({ failures: (0,outputs/* formatFailures */.vr)(report.failures) }, host);
    return (0,write/* writeReport */.u)(report, host, inputs.showSummary);
}
async function findArtifacts({ host, inputs, recordsPath }, reading) {
    const found = await (0,collect/* collectArtifacts */.k)(inputs, host, [recordsPath]);
    found.warnings.forEach(host.runner.warning);
    failure_0/* Stop */.VG.ifAny([...reading.problems, ...found.problems]);
    const hashed = await (0,hash/* hashFiles */.y)(found.files, host);
    return { artifacts: [...hashed, ...found.listed], counts: found.counts };
}
async function notarize(find, job) {
    const { host, inputs } = job;
    const known = { earlier: [], release: null, ledger: null, artifacts: [] };
    let prepared;
    try {
        prepared = await prepare(find, known, job);
        const { ledger } = prepared;
        if (!inputs.dryRun)
            known.artifacts = await register(known.artifacts, { host, inputs, ledger });
    }
    catch (error) {
        return main_stop(error, known, job);
    }
    return complete(known, prepared, job);
}
async function prepare(find, known, job) {
    const { host, inputs } = job;
    known.earlier = await findKept(inputs, host);
    const found = await find();
    const release = await (0,release_release/* readRelease */.i)(inputs, host);
    known.release = release;
    const ledger = readLedger(known, job);
    known.ledger = ledger;
    const artifacts = found.artifacts.concat(release?.artifacts ?? []);
    ledger.confirm(artifacts.filter(outcome/* isHashed */.Sc), inputs.confirmedHashes);
    const counts = found.counts.concat(release?.counts ?? []);
    const plan = (0,plan_0/* makePlan */.Cs)({ inputs, artifacts, counts, ledger, release });
    for (const { warnings } of [ledger, plan])
        warnings.forEach(host.runner.warning);
    failure_0/* Stop */.VG.ifAny(plan.problems);
    known.artifacts = plan.artifacts;
    host.runner.info((0,plan_0/* describePlan */.df)(plan));
    warnOfEarlier(known, job);
    return { ledger, folder: makeFolder(host) };
}
async function main_stop(error, known, job) {
    const { host, inputs } = job;
    let problems = [];
    if (error instanceof failure_0/* Stop */.VG)
        problems = error.problems;
    else
        host.halt.noteBug(error);
    const outputsError = (0,outputs/* writeOutputs */.Kn)({ artifacts: [], verdict: 'stopped', paths: noPaths }, job);
    known.ledger = null;
    try {
        known.ledger = readLedger(known, job);
    }
    catch {
    }
    const place = await keepRecords({ ...known, inputs, evidencePath: '', isStopped: true }, host);
    return { kind: 'stopped', problems, place, outputsError, ...describeRecords(known, host) };
}
async function complete(known, { ledger, folder }, job) {
    const { artifacts, release } = known;
    const { host, inputs } = job;
    const paths = writeProofs({ artifacts, ledger, folder, isDryRun: inputs.dryRun }, host);
    const verdict = (0,outcome/* decideVerdict */.AU)(artifacts, inputs.dryRun);
    const outputsError = (0,outputs/* writeOutputs */.Kn)({ artifacts, verdict, paths }, job);
    const evidencePath = paths['evidence-path'];
    return {
        kind: 'completed',
        verdict,
        place: await keepRecords({ ...known, inputs, evidencePath, isStopped: false }, host),
        outputsError,
        ...describeRecords(known, host),
        release,
        unsaved: ledger.unsaved,
        doubtCount: ledger.doubtCount,
    };
}
function readLedger({ earlier, release }, { host, inputs, recordsPath: path }) {
    const { recordsPath: name, baseUrl: service, verificationUrl } = inputs;
    const kept = earlier;
    const others = kept.concat(release?.records ?? []);
    const source = release?.source ?? host.environment.source;
    return Ledger.read({ path, name, others, service, source, verificationUrl }, host);
}
function describeRecords(known, host) {
    const ofRun = known.ledger?.recordedBy(host.environment.source.runId) ?? new Set();
    const released = (0,assess/* readFoundRecords */.DW)(known.release?.records ?? []).entries.filter(records_lines/* isRecord */.u4);
    return {
        artifacts: known.artifacts,
        recorded: ofRun.difference(new Set(released.map(({ hash }) => hash))),
        isEarlierMissing: isMissing(known, host),
    };
}
function isMissing({ ledger }, { environment }) {
    return environment.attempt > 1 && ledger !== null && !ledger.hasEarlierAttempt;
}
function warnOfEarlier(known, { inputs, host }) {
    if (inputs.dryRun || !isMissing(known, host) || !known.artifacts.some(outcome/* isPlanned */.H9))
        return;
    host.runner.passingWarning(`This is attempt ${host.environment.attempt}, but there are no records of an earlier attempt. If an earlier attempt registered files, you are charged for them a second time`);
}
function makeFolder({ disk, environment: { tempFolder } }) {
    try {
        return disk.makeFolder(tempFolder);
    }
    catch (error) {
        const message = `nothing can be written below "${tempFolder}": ${(0,failure_0/* describeError */.Uc)(error)}`;
        const next = 'make sure that the user of the runner can write to RUNNER_TEMP';
        throw new failure_0/* Stop */.VG({ input: null, message, next, needs: 'nothing' });
    }
}


/***/ }),

/***/ 1949:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   AU: () => (/* binding */ decideVerdict),
/* harmony export */   BS: () => (/* binding */ isNew),
/* harmony export */   H9: () => (/* binding */ isPlanned),
/* harmony export */   Ix: () => (/* binding */ isFailed),
/* harmony export */   Ju: () => (/* binding */ countCharges),
/* harmony export */   Sc: () => (/* binding */ isHashed),
/* harmony export */   gz: () => (/* binding */ failed),
/* harmony export */   lM: () => (/* binding */ planned),
/* harmony export */   zN: () => (/* binding */ isRegistered)
/* harmony export */ });
const planned = { state: 'planned', lastDoubtAt: null };
function failed(failure) {
    return { state: 'failed', failure };
}
function isHashed(artifact) {
    return artifact.hash !== null;
}
function isPlanned(artifact) {
    return artifact.outcome.state === 'planned';
}
function isRegistered(artifact) {
    return artifact.outcome.state === 'registered';
}
function isFailed(artifact) {
    return artifact.outcome.state === 'failed';
}
function isNew({ outcome }) {
    return outcome.state === 'registered' && outcome.from === 'this-run';
}
function countCharges(artifacts) {
    return new Set(artifacts.map(({ hash, name }) => hash ?? name)).size;
}
function decideVerdict(artifacts, isDryRun) {
    if (isDryRun)
        return 'dry-run';
    if (artifacts.length === 0)
        return 'nothing-found';
    if (!artifacts.some(isFailed))
        return 'registered';
    return artifacts.some(isRegistered) ? 'partial' : 'failed';
}


/***/ }),

/***/ 6894:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Cs: () => (/* binding */ makePlan),
/* harmony export */   LP: () => (/* binding */ combineArtifacts),
/* harmony export */   df: () => (/* binding */ describePlan)
/* harmony export */ });
/* harmony import */ var _failure_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7579);
/* harmony import */ var _outcome_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1949);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8146);
/* harmony import */ var _text_names_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(2117);
/* harmony import */ var _text_phrases_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(7999);





function makePlan(input) {
    const { inputs, release, ledger } = input;
    const { combined, problems: conflicts } = combineArtifacts(input.artifacts);
    const artifacts = combined.map(artifact => {
        if (!(0,_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .isHashed */ .Sc)(artifact))
            return artifact;
        return { ...artifact, outcome: ledger.find(artifact.hash) };
    });
    const registrations = (0,_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .countCharges */ .Ju)(artifacts.filter(_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .isPlanned */ .H9));
    const problems = [];
    const warnings = [];
    if (release !== null) {
        problems.push(...tagProblems(release));
        if (artifacts.length === 0)
            problems.push(emptyRelease(release));
    }
    problems.push(...conflicts, ...ledger.problems);
    if (registrations > inputs.maxRegistrations) {
        const tooMany = limitProblem(registrations, input);
        if (inputs.dryRun)
            warnings.push(`${tooMany.message}; ${tooMany.next}`);
        else
            problems.push(tooMany);
    }
    return { artifacts, registrations, problems, warnings };
}
function combineArtifacts(artifacts) {
    const combined = [];
    const conflicts = [];
    for (const [name, same] of Map.groupBy(artifacts, artifact => artifact.name)) {
        const hashes = new Set(same.filter(_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .isHashed */ .Sc).map(({ hash }) => hash));
        if (hashes.size > 1) {
            conflicts.push(`"${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .quote */ .hD)(name)}" has two hashes, ${[...hashes].join(' and ')}`);
        }
        const rank = (artifact) => {
            if (!(0,_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .isHashed */ .Sc)(artifact))
                return 0;
            return artifact.input === 'checksums' ? 2 : 1;
        };
        combined.push(...same.toSorted((a, b) => rank(a) - rank(b)).slice(0, 1));
    }
    combined.sort((a, b) => (0,_text_names_js__WEBPACK_IMPORTED_MODULE_3__/* .compareCodeUnits */ .UF)(a.name, b.name));
    if (conflicts.length === 0)
        return { combined, problems: [] };
    const next = 'create the checksums again from the files to notarize';
    return { combined, problems: [(0,_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .problemAt */ .l4)('checksums', (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_4__/* .joinFirst */ .FS)(conflicts, 3), { next })] };
}
function describePlan({ artifacts, registrations }) {
    const found = (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_4__/* .pluralize */ .td)(artifacts.length, 'artifact');
    const left = (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_4__/* .pluralize */ .td)(registrations, 'distinct hash', 'distinct hashes');
    const inDoubt = (0,_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .countCharges */ .Ju)(artifacts.filter(_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .isPlanned */ .H9).filter(({ outcome }) => outcome.lastDoubtAt !== null));
    const doubt = inDoubt === 0 ? '' : `, ${inDoubt} of them sent earlier, without a record`;
    return `${found} found, ${left} left to register${doubt}`;
}
function tagProblems({ tag, isDraft, tagCommit, runCommit }) {
    if (runCommit === null || tagCommit === runCommit)
        return [];
    const name = `the tag "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .quote */ .hD)(tag)}"`;
    if (tagCommit !== null) {
        const text = `${name} points to the commit ${tagCommit} now, but this run is for ${runCommit}`;
        const next = 'find out who moved the tag, and notarize the commit that you release';
        return [(0,_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .problemAt */ .l4)('release-tag', text, { next })];
    }
    if (isDraft)
        return [];
    const next = 'push the tag again';
    return [(0,_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .problemAt */ .l4)('release-tag', `${name} of this run was deleted`, { next, needs: 'nothing' })];
}
function emptyRelease({ tag }) {
    const text = `the release "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .quote */ .hD)(tag)}" has no assets to notarize`;
    return (0,_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .problemAt */ .l4)('release-tag', text, { next: 'upload the assets first', needs: 'nothing' });
}
function limitProblem(registrations, { inputs, counts }) {
    const matched = counts.map(({ text, count }) => {
        return `"${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .quote */ .hD)(text, 100)}" matches ${(0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_4__/* .pluralize */ .td)(count, 'artifact')}`;
    });
    const shown = (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_4__/* .joinFirst */ .FS)(matched, 50, { separator: ', ' });
    const hashes = (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_4__/* .pluralize */ .td)(registrations, 'distinct hash is', 'distinct hashes are');
    const text = `is ${inputs.maxRegistrations}, but ${hashes} left to register (${shown})`;
    const next = 'correct the patterns, or raise "max-registrations" if you want to be charged for each of them';
    return (0,_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .problemWith */ .CO)('max-registrations', text, { next });
}


/***/ }),

/***/ 608:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   DW: () => (/* binding */ readFoundRecords),
/* harmony export */   Tq: () => (/* binding */ findRecord),
/* harmony export */   d6: () => (/* binding */ groupByHash),
/* harmony export */   no: () => (/* binding */ assess)
/* harmony export */ });
/* harmony import */ var _failure_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7579);
/* harmony import */ var _text_names_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(2117);
/* harmony import */ var _lines_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(3243);



const docs = 'records.md#records-that-cannot-be-read';
const remedyOfInput = {
    'records-path': {
        next: 'restore the file from the commit, release or workflow artifact that it comes from',
        hint: 'without it, files that only it records are charged again; if this action did not write it, set another "records-path" instead',
        docs,
    },
    'keep-records': {
        next: 'wait a few minutes',
        hint: 'if a re-run stops here again, recover the records by hand',
        needs: 'nothing',
        docs,
    },
    'release-tag': {
        next: 'save a copy of this asset, then repair the asset or delete it',
        hint: 'without it, files that only it records are charged again',
        needs: 'nothing',
        docs,
    },
    records: { next: 'download the file again', docs },
};
function readFoundRecords(files) {
    const entries = [];
    const problems = [];
    const warnings = [];
    for (const { bytes, name, input } of files) {
        const reading = (0,_lines_js__WEBPACK_IMPORTED_MODULE_1__/* .parseRecords */ .Q4)(bytes, name);
        for (const entry of reading.entries)
            entries.push(entry);
        warnings.push(...reading.warnings);
        if (reading.damage.length === 0)
            continue;
        problems.push((0,_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .problemAt */ .l4)(input, reading.damage.join('; '), remedyOfInput[input]));
    }
    return { entries, problems, warnings };
}
function groupByHash(entries, service) {
    const relevant = entries.filter(entry => entry.service === service);
    return Map.groupBy(relevant, ({ hash }) => hash);
}
function findRecord(entries) {
    const records = entries.filter(_lines_js__WEBPACK_IMPORTED_MODULE_1__/* .isRecord */ .u4);
    return records.find(({ confirmed }) => !confirmed) ?? records[0];
}
function assess(entries) {
    const doubts = entries.flatMap(entry => ((0,_lines_js__WEBPACK_IMPORTED_MODULE_1__/* .isRecord */ .u4)(entry) ? [] : entry.at));
    const entry = findRecord(entries);
    if (entry === undefined) {
        return { state: 'planned', lastDoubtAt: doubts.sort(_text_names_js__WEBPACK_IMPORTED_MODULE_2__/* .compareCodeUnits */ .UF).at(-1) ?? null };
    }
    const { record, confirmed: isConfirmed } = entry;
    const maybeChargedAgain = doubts.length > 0 || isChargedAgain(entries.filter(_lines_js__WEBPACK_IMPORTED_MODULE_1__/* .isRecord */ .u4));
    return { state: 'registered', from: 'records-file', record, maybeChargedAgain, isConfirmed };
}
function isChargedAgain(records) {
    const ofService = records.filter(({ at, confirmed }) => at !== null && !confirmed);
    const times = new Set(ofService.map(({ at }) => at));
    return times.size > 1 || records.some(({ maybeChargedAgain }) => maybeChargedAgain);
}


/***/ }),

/***/ 3243:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   IL: () => (/* binding */ formatLine),
/* harmony export */   Q4: () => (/* binding */ parseRecords),
/* harmony export */   dr: () => (/* binding */ sourceSchema),
/* harmony export */   hv: () => (/* binding */ isDoubtLine),
/* harmony export */   tI: () => (/* binding */ withoutIncompleteLine),
/* harmony export */   u4: () => (/* binding */ isRecord),
/* harmony export */   zo: () => (/* binding */ wholeLines)
/* harmony export */ });
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4763);
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(2335);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8146);
/* harmony import */ var _text_json_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(7727);
/* harmony import */ var _record_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5523);




const nonEmptyText = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_3__/* ._minLength */ .m9(1));
const isoTime = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_3__/* ._regex */ .Fk(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/));
const sourceValue = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ._default */ .Rvf(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullable */ .mee(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP()), null);
const sourceSchema = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .object */ .Ikc({
    repository: sourceValue,
    sha: sourceValue,
    ref: sourceValue,
    runId: sourceValue,
    runAttempt: sourceValue,
    commitUrl: sourceValue,
    runUrl: sourceValue,
});
const headFields = {
    artifact: nonEmptyText,
    size: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullable */ .mee(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .int */ .Whr().check(zod_mini__WEBPACK_IMPORTED_MODULE_3__/* ._gte */ .qm(0))),
    hash: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_3__/* ._regex */ .Fk(/^[0-9a-fA-F]{64}$/), zod_mini__WEBPACK_IMPORTED_MODULE_3__/* ._toLowerCase */ .Il()),
    service: nonEmptyText,
    source: sourceSchema,
};
const recordLineSchema = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .object */ .Ikc({
    ...headFields,
    at: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ._default */ .Rvf(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullable */ .mee(isoTime), null),
    record: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .custom */ .IeY(_text_json_js__WEBPACK_IMPORTED_MODULE_4__/* .isJsonObject */ .OW),
    verificationUrl: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ._default */ .Rvf(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullable */ .mee(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP()), null),
    maybeChargedAgain: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ._default */ .Rvf(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .boolean */ .zMY(), false),
    confirmed: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ._default */ .Rvf(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .boolean */ .zMY(), false),
});
const doubtLineSchema = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .object */ .Ikc({
    ...headFields,
    at: isoTime,
    state: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .literal */ .euz('unknown'),
    why: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP(),
    response: zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ._default */ .Rvf(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullable */ .mee(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .custom */ .IeY(_text_json_js__WEBPACK_IMPORTED_MODULE_4__/* .isJsonObject */ .OW)), null),
});
function isRecord(entry) {
    return 'record' in entry;
}
const maxDamage = 5;
function parseRecords(bytes, name) {
    const entries = [];
    const damage = [];
    const warnings = [];
    const whole = withoutIncompleteLine(bytes);
    if (whole.length < bytes.length) {
        const why = 'a run was stopped while writing it';
        warnings.push(`The last line of "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .quote */ .hD)(name)}" is incomplete and was dropped: ${why}`);
    }
    let number = 0;
    for (const line of splitLines(whole)) {
        number += 1;
        const parsed = parseLine(line);
        if (typeof parsed !== 'string')
            entries.push(parsed);
        else
            damage.push(`"${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .quote */ .hD)(name)}", line ${number} ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .quote */ .hD)(parsed, _text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .maxMessageLength */ .sZ)}`);
        if (damage.length === maxDamage)
            break;
    }
    return { entries, damage, warnings };
}
function withoutIncompleteLine(bytes) {
    const start = bytes.lastIndexOf(lineEnd) + 1;
    const last = bytes.toString('latin1', start);
    if (!isBeginningOfLine(last) || (0,_text_json_js__WEBPACK_IMPORTED_MODULE_4__/* .parseJsonObject */ .dw)(last) !== undefined)
        return bytes;
    return bytes.subarray(0, start);
}
const beginning = '{"artifact":"';
const afterName = ',"size":';
function isBeginningOfLine(text) {
    if (!text.startsWith(beginning))
        return beginning.startsWith(text);
    const rest = text.slice(beginning.length).replace(/^(?:[^"\\]|\\.)*\\?/s, '');
    return rest === '' || `"${afterName}`.startsWith(rest.slice(0, afterName.length + 1));
}
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
function parseLine(bytes) {
    let value;
    try {
        value = (0,_text_json_js__WEBPACK_IMPORTED_MODULE_4__/* .parseJson */ .qF)(decoder.decode(bytes));
    }
    catch {
        return 'is not valid JSON';
    }
    const isDoubt = (0,_text_json_js__WEBPACK_IMPORTED_MODULE_4__/* .isJsonObject */ .OW)(value) && 'state' in value && !('record' in value);
    const parsed = (isDoubt ? doubtLineSchema : recordLineSchema).safeParse(value);
    if (!parsed.success) {
        const other = 'is not a line of a records file';
        const fields = (0,_text_json_js__WEBPACK_IMPORTED_MODULE_4__/* .rejectedFields */ .AO)(parsed.error).filter(field => field !== '');
        if (fields.length === 0)
            return other;
        return `${other} (wrong: ${fields.join(', ')})`;
    }
    const entry = parsed.data;
    if (!isRecord(entry))
        return entry;
    const broken = (0,_record_js__WEBPACK_IMPORTED_MODULE_1__/* .checkRecord */ .EQ)(entry.record, { hash: entry.hash, paymentId: null });
    if (broken.length === 0)
        return entry;
    return `has a record that breaks the rules (${broken.join('; ')})`;
}
function formatLine(entry) {
    const { artifact, size, hash, service, source } = entry;
    const head = { artifact, size, hash, service, at: entry.at ?? undefined };
    if (!isRecord(entry)) {
        const { state, why, response } = entry;
        return `${JSON.stringify({ ...head, state, why, response, source })}\n`;
    }
    const { record } = entry;
    const verificationUrl = entry.verificationUrl ?? undefined;
    const maybeChargedAgain = entry.maybeChargedAgain || undefined;
    const confirmed = entry.confirmed || undefined;
    const line = { ...head, record, verificationUrl, maybeChargedAgain, confirmed, source };
    return `${JSON.stringify(line)}\n`;
}
function isDoubtLine(line) {
    return /,"(record|state)":/.exec(line)?.[1] === 'state';
}
const lineEnd = '\n';
function wholeLines(bytes) {
    const lines = [];
    for (const line of splitLines(withoutIncompleteLine(bytes))) {
        if (line.length > 0)
            lines.push(line.toString());
    }
    return lines;
}
function* splitLines(bytes) {
    let start = 0;
    while (start < bytes.length) {
        const next = bytes.indexOf(lineEnd, start);
        const end = next === -1 ? bytes.length : next;
        yield bytes.subarray(start, end);
        start = end + 1;
    }
}


/***/ }),

/***/ 5523:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   EQ: () => (/* binding */ checkRecord),
/* harmony export */   VO: () => (/* binding */ describeFields),
/* harmony export */   xn: () => (/* binding */ unexpectedTypes)
/* harmony export */ });
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4763);
/* harmony import */ var _text_json_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7727);
/* harmony import */ var _text_phrases_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(7999);



const maxShownLength = 100;
function checkRecord(record, request) {
    const { hash, status, custody, signed, paymentId } = record;
    const problems = [];
    const check = (field, isGood, expected) => {
        if (isGood)
            return;
        if (record[field] === undefined) {
            problems.push(`${field} is missing`);
            return;
        }
        const value = JSON.stringify(record[field]);
        const isQuotable = value.length <= maxShownLength && !value.includes('\\');
        problems.push(`${field} is ${isQuotable ? `${value}, ` : ''}not ${expected}`);
    };
    const isSameHash = typeof hash === 'string' && hash.toLowerCase() === request.hash.toLowerCase();
    check('hash', isSameHash, 'that of the request');
    check('status', status === 'registered', '"registered"');
    check('custody', custody === false || custody === 'false', 'false');
    check('signed', signed === false || signed === 'false', 'false');
    const isComparable = (paymentId ?? null) !== null && request.paymentId !== null;
    const isSamePayment = !isComparable || (0,_text_json_js__WEBPACK_IMPORTED_MODULE_0__/* .textOf */ .b6)(paymentId) === request.paymentId;
    check('paymentId', isSamePayment, 'the id of the subscription');
    return problems;
}
const text = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP());
const textOrNull = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP());
const integer = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .custom */ .IeY(_text_json_js__WEBPACK_IMPORTED_MODULE_0__/* .isInteger */ .Fq));
const specified = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({
    description: text,
    signer: textOrNull,
    signature: textOrNull,
    txHash: textOrNull,
    blockchainType: text,
    holder: textOrNull,
    txId: textOrNull,
    assetId: textOrNull,
    tags: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .array */ .YOg(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .unknown */ .L5J())),
    paymentId: textOrNull,
    creationDate: integer,
    userId: integer,
});
function unexpectedTypes(record) {
    return (0,_text_json_js__WEBPACK_IMPORTED_MODULE_0__/* .rejectedFields */ .AO)(specified.safeParse(record).error);
}
function describeFields({ creationDate, blockchainType, txId, txHash }) {
    const transaction = (0,_text_json_js__WEBPACK_IMPORTED_MODULE_0__/* .fieldText */ .gF)(txId) || (0,_text_json_js__WEBPACK_IMPORTED_MODULE_0__/* .fieldText */ .gF)(txHash);
    return {
        time: (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_2__/* .formatTime */ .fU)(creationDate),
        blockchain: (0,_text_json_js__WEBPACK_IMPORTED_MODULE_0__/* .fieldText */ .gF)(blockchainType),
        transaction,
    };
}


/***/ }),

/***/ 5642:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   c2: () => (/* binding */ statusOf),
/* harmony export */   gh: () => (/* binding */ octetStream),
/* harmony export */   oQ: () => (/* binding */ releaseRemedies),
/* harmony export */   tZ: () => (/* binding */ connectToGitHub),
/* harmony export */   w2: () => (/* binding */ toFailure)
/* harmony export */ });
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(4763);
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(6150);
/* harmony import */ var _failure_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7579);
/* harmony import */ var _service_proxy_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(2293);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8146);
/* harmony import */ var _text_phrases_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(7999);





const responseMs = 60_000;
const downloadMs = 600_000;
const maxWaitSeconds = 60;
const maxWaits = 3;
const octetStream = 'application/octet-stream';
async function connectToGitHub(host, token) {
    const { apiUrl, proxies } = host.environment;
    const problem = (0,_service_proxy_js__WEBPACK_IMPORTED_MODULE_1__/* .proxyProblem */ .w)(apiUrl, proxies);
    if (problem !== null)
        throw new _failure_js__WEBPACK_IMPORTED_MODULE_0__/* .Stop */ .VG(problem);
    const { getOctokit } = await __webpack_require__.e(/* import() */ 20).then(__webpack_require__.bind(__webpack_require__, 2020));
    const { retry } = await __webpack_require__.e(/* import() */ 553).then(__webpack_require__.bind(__webpack_require__, 6553));
    const octokit = getOctokit(token, { baseUrl: apiUrl }, limitTries(host), retry);
    return {
        request: (route, parameters) => octokit.request(route, parameters),
        paginate: async (route, parameters) => ({ data: await octokit.paginate(route, parameters) }),
    };
}
function limitTries({ clock, halt, runner }) {
    return ({ hook, request }) => {
        hook.wrap('request', async (send, options) => {
            const limitMs = options.headers.accept === octetStream ? downloadMs : responseMs;
            const fail = (message) => Object.assign(new Error(message), { status: 502, request: request.endpoint(options) });
            for (let waits = 0;; waits++) {
                const timeout = AbortSignal.timeout(limitMs);
                options.request.signal = AbortSignal.any([timeout, halt.canceled]);
                try {
                    const response = await send(options);
                    if (typeof response.data === 'object' && response.data !== null)
                        return response;
                    throw fail('the response was incomplete');
                }
                catch (error) {
                    const seconds = readRateLimit(error, clock.now());
                    const isTooLong = seconds !== null && (seconds > maxWaitSeconds || waits === maxWaits);
                    if (timeout.aborted || isTooLong)
                        options.request['retries'] = 0;
                    if (timeout.aborted)
                        throw fail(`no response within ${(0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_3__/* .formatDuration */ .a3)(limitMs / 1000)}`);
                    if (statusOf(error) === 409)
                        throw fail('HTTP 409');
                    if (seconds === null || isTooLong)
                        throw error;
                    runner.info(`Waiting ${(0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_3__/* .formatDuration */ .a3)(seconds)} for GitHub's rate limit`);
                    await clock.sleep(seconds * 1000, halt.canceled);
                }
            }
        });
    };
}
const octokitErrorSchema = zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .object */ .Ikc({
    request: zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .object */ .Ikc({ method: zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .string */ .YjP(), url: zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .string */ .YjP() }),
    response: zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .object */ .Ikc({
        status: zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .number */ .aig(),
        headers: zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .record */ .g1P(zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .string */ .YjP(), zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .unknown */ .L5J()),
        data: zod_mini__WEBPACK_IMPORTED_MODULE_4__/* ["catch"] */ .MfU(zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .object */ .Ikc({ message: zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .string */ .YjP() }), { message: '' }),
    })),
});
function statusOf(error) {
    return octokitErrorSchema.safeParse(error).data?.response?.status ?? null;
}
function readRateLimit(error, nowMs) {
    const { response } = octokitErrorSchema.safeParse(error).data ?? {};
    if (response?.status !== 403 && response?.status !== 429)
        return null;
    const { headers, status, data } = response;
    const afterSeconds = Number(headers['retry-after']);
    if (afterSeconds >= 0)
        return afterSeconds;
    const resetSeconds = Number(headers['x-ratelimit-reset']) - nowMs / 1000;
    if (headers['x-ratelimit-remaining'] === '0')
        return Math.max(Math.ceil(resetSeconds), 0) + 1;
    if (status === 429 || /\brate limit\b/i.test(data.message))
        return 60;
    return null;
}
const releaseRemedies = {
    'asset-changed': { next: 'if this persists, upload the asset again', needs: 'nothing' },
    'github-token': { next: 'if you set "github-token", replace that token', needs: 'nothing' },
    'github-permission': {
        next: 'give the job the permission "contents: read"',
        needs: 'workflow',
    },
    'github-unavailable': { next: 'wait until GitHub responds', needs: 'nothing' },
};
const reasonsByStatus = {
    401: 'github-token',
    403: 'github-permission',
    404: 'github-permission',
};
function toFailure(error, what, { secrets }) {
    const show = (text) => (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .quote */ .hD)((0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .maskWords */ .QW)(secrets.redactText(text)), 200);
    const { request, response } = octokitErrorSchema.safeParse(error).data ?? {};
    let call = what;
    if (request !== undefined) {
        call = `${request.method} ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .quote */ .hD)(URL.parse(request.url)?.pathname ?? '')}`;
    }
    if (response === undefined) {
        let why = show((0,_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .describeError */ .Uc)(error));
        if (error instanceof zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .$ZodError */ .a$)
            why = 'the response has an unexpected form';
        return new _failure_js__WEBPACK_IMPORTED_MODULE_0__/* .Failure */ .HR('unreadable', 'github-unavailable', { observed: `${call}: ${why}` });
    }
    const { status, data } = response;
    let reason = reasonsByStatus[status] ?? 'github-unavailable';
    if (readRateLimit(error, 0) !== null)
        reason = 'github-unavailable';
    let observed = `${call} returned HTTP ${status}`;
    if (data.message !== '')
        observed += `: "${show(data.message)}"`;
    return new _failure_js__WEBPACK_IMPORTED_MODULE_0__/* .Failure */ .HR('unreadable', reason, { observed });
}


/***/ }),

/***/ 4030:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   i: () => (/* binding */ readRelease)
/* harmony export */ });
/* harmony import */ var node_assert__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4589);
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7598);
/* harmony import */ var node_events__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8474);
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_8__ = __webpack_require__(4763);
/* harmony import */ var _failure_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(7579);
/* harmony import */ var _outcome_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(1949);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(8146);
/* harmony import */ var _text_names_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(2117);
/* harmony import */ var _text_phrases_js__WEBPACK_IMPORTED_MODULE_9__ = __webpack_require__(7999);
/* harmony import */ var _octokit_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(5642);










const input = 'release-tag';
const remedyOfReason = _octokit_js__WEBPACK_IMPORTED_MODULE_6__/* .releaseRemedies */ .oQ;
async function readRelease(inputs, host) {
    const { releaseTag: tag, githubToken } = inputs;
    if (tag === null)
        return null;
    const { halt, environment } = host;
    const { repository } = environment.source;
    node_assert__WEBPACK_IMPORTED_MODULE_0__(repository !== null, 'every runner sets GITHUB_REPOSITORY');
    const client = await host.connectToGitHub(host, githubToken);
    const canceled = halt.isCanceled ? Promise.resolve() : (0,node_events__WEBPACK_IMPORTED_MODULE_2__.once)(halt.canceled, 'abort');
    const reading = readWhole(tag, new ReleaseReader(client, repository, host), host);
    return Promise.race([reading, canceled.then(() => null)]).finally(() => {
        if (halt.isCanceled)
            throw new _failure_js__WEBPACK_IMPORTED_MODULE_3__/* .Stop */ .VG();
    });
}
async function readWhole(tag, reader, { environment }) {
    const { source, serverUrl } = environment;
    try {
        const release = await reader.findRelease(tag);
        const query = { id: release.id, per_page: 100 };
        const assets = await reader.list(assetSchema, 'releases/{id}/assets', query);
        const uploaded = assets.filter(({ isUploaded }) => isUploaded);
        const records = [];
        for (const asset of uploaded.filter(({ name }) => (0,_text_names_js__WEBPACK_IMPORTED_MODULE_7__/* .isRecordsAsset */ .P)(name))) {
            const chunks = [];
            await reader.download(asset, chunk => chunks.push(chunk));
            records.push({ name: `${asset.name} of the release`, bytes: Buffer.concat(chunks), input });
        }
        const artifacts = [];
        for (const asset of assets.filter(({ name }) => !(0,_text_names_js__WEBPACK_IMPORTED_MODULE_7__/* .isOwnFile */ .Z4)(name))) {
            artifacts.push(await readArtifact(asset, reader));
        }
        const tagCommit = await reader.findTagCommit(tag);
        const { draft: isDraft, target_commitish: target, html_url: url } = release;
        let sha = tagCommit;
        if (isDraft && /^[0-9a-f]{40,64}$/.test(target))
            sha ??= target;
        const { repository } = source;
        const ref = `refs/tags/${tag}`;
        const commitUrl = repository && sha && `${serverUrl}/${repository}/commit/${sha}`;
        const runCommit = source.ref === ref ? source.sha : null;
        return {
            tag,
            isDraft,
            url,
            artifacts,
            counts: [{ text: tag, count: artifacts.length }],
            records,
            tagCommit,
            runCommit,
            source: { ...source, ref, sha, commitUrl },
        };
    }
    catch (error) {
        if (error instanceof _failure_js__WEBPACK_IMPORTED_MODULE_3__/* .Stop */ .VG)
            throw error;
        const { reason, observed } = _failure_js__WEBPACK_IMPORTED_MODULE_3__/* .Failure */ .HR.orRethrow(error);
        const text = `the release "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_5__/* .quote */ .hD)(tag)}" cannot be read: ${observed}`;
        const remedy = remedyOfReason[reason];
        node_assert__WEBPACK_IMPORTED_MODULE_0__(remedy !== undefined, 'reading a release fails for a reason of its own');
        throw new _failure_js__WEBPACK_IMPORTED_MODULE_3__/* .Stop */ .VG((0,_failure_js__WEBPACK_IMPORTED_MODULE_3__/* .problemAt */ .l4)(input, text, remedy));
    }
}
async function readArtifact(asset, reader) {
    const { name, size } = asset;
    try {
        if (!asset.isUploaded) {
            const observed = `GitHub does not have all of "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_5__/* .quote */ .hD)(name)}" yet`;
            throw new _failure_js__WEBPACK_IMPORTED_MODULE_3__/* .Failure */ .HR('unreadable', 'asset-changed', { observed });
        }
        const hash = asset.hash ?? (await reader.download(asset));
        return { input, name, size, hash, outcome: _outcome_js__WEBPACK_IMPORTED_MODULE_4__/* .planned */ .lM };
    }
    catch (error) {
        const outcome = (0,_outcome_js__WEBPACK_IMPORTED_MODULE_4__/* .failed */ .gz)(_failure_js__WEBPACK_IMPORTED_MODULE_3__/* .Failure */ .HR.orRethrow(error));
        return { input, name, size: null, hash: null, outcome };
    }
}
const assetSchema = zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .pipe */ .FsL(zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .object */ .Ikc({
    id: zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .number */ .aig(),
    name: zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .string */ .YjP(),
    size: zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .number */ .aig(),
    digest: zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .string */ .YjP()),
    state: zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .string */ .YjP(),
}), zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .transform */ .pdi(({ id, name, size, digest, state }) => {
    const hash = /^sha256:([0-9a-f]{64})$/i.exec(digest ?? '')?.[1]?.toLowerCase() ?? null;
    return { id, name, size, hash, isUploaded: state === 'uploaded' };
}));
const releaseSchema = zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .object */ .Ikc({
    id: zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .number */ .aig(),
    tag_name: zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .string */ .YjP(),
    draft: zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .boolean */ .zMY(),
    target_commitish: zod_mini__WEBPACK_IMPORTED_MODULE_8__/* ._default */ .Rvf(zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .string */ .YjP(), ''),
    html_url: zod_mini__WEBPACK_IMPORTED_MODULE_8__/* ._default */ .Rvf(zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .nullable */ .mee(zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .string */ .YjP()), null),
});
const gitObjectSchema = zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .object */ .Ikc({ object: zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .object */ .Ikc({ sha: zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .string */ .YjP(), type: zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .string */ .YjP() }) });
const streamSchema = zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .custom */ .IeY((data) => typeof data === 'object' && data !== null && Symbol.asyncIterator in data);
class ReleaseReader {
    #client;
    #root;
    #host;
    constructor(client, repository, host) {
        this.#client = client;
        this.#root = `/repos/${repository}`;
        this.#host = host;
    }
    async findRelease(tag) {
        const published = await this.#find(releaseSchema, 'releases/tags/{tag}', { tag });
        if (published !== null)
            return published;
        const releases = await this.list(releaseSchema, 'releases', { per_page: 30 });
        const drafts = releases.filter(({ tag_name }) => tag_name === tag);
        const [release] = drafts;
        const name = `the release "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_5__/* .quote */ .hD)(tag)}"`;
        if (release === undefined) {
            const next = 'check the tag';
            const hint = 'if the release is a draft, give the job the permission "contents: write", because GitHub hides drafts from other tokens';
            throw new _failure_js__WEBPACK_IMPORTED_MODULE_3__/* .Stop */ .VG((0,_failure_js__WEBPACK_IMPORTED_MODULE_3__/* .problemAt */ .l4)(input, `${name} was not found`, { next, hint }));
        }
        if (drafts.length === 1)
            return release;
        const urls = drafts.map(({ html_url }) => (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_5__/* .quote */ .hD)(html_url ?? 'unknown address'));
        const text = `${name} has ${drafts.length} drafts (${(0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_9__/* .joinFirst */ .FS)(urls, 5)})`;
        const next = 'delete all drafts but the right one';
        throw new _failure_js__WEBPACK_IMPORTED_MODULE_3__/* .Stop */ .VG((0,_failure_js__WEBPACK_IMPORTED_MODULE_3__/* .problemAt */ .l4)(input, text, { next, needs: 'nothing' }));
    }
    async findTagCommit(tag) {
        let target = await this.#find(gitObjectSchema, 'git/ref/tags/{tag}', { tag });
        while (target?.object.type === 'tag') {
            const { sha } = target.object;
            target = await this.#find(gitObjectSchema, 'git/tags/{sha}', { sha });
        }
        return target?.object.sha ?? null;
    }
    async download({ id, name, size, hash }, onChunk) {
        const download = `the download of "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_5__/* .quote */ .hD)(name)}"`;
        const sha256 = (0,node_crypto__WEBPACK_IMPORTED_MODULE_1__.createHash)('sha256');
        let bytes = 0;
        try {
            const headers = { accept: _octokit_js__WEBPACK_IMPORTED_MODULE_6__/* .octetStream */ .gh };
            const request = { parseSuccessResponseBody: false };
            const route = `GET ${this.#root}/releases/assets/{id}`;
            const { data } = await this.#client.request(route, { id, headers, request });
            for await (const chunk of streamSchema.parse(data)) {
                bytes += chunk.length;
                sha256.update(chunk);
                onChunk?.(chunk);
            }
        }
        catch (error) {
            const failure = (0,_octokit_js__WEBPACK_IMPORTED_MODULE_6__/* .toFailure */ .w2)(error, download, this.#host);
            if ((0,_octokit_js__WEBPACK_IMPORTED_MODULE_6__/* .statusOf */ .c2)(error) !== 404)
                throw failure;
            throw new _failure_js__WEBPACK_IMPORTED_MODULE_3__/* .Failure */ .HR('unreadable', 'asset-changed', { observed: failure.observed });
        }
        const digest = sha256.digest('hex');
        if (bytes === size && digest === (hash ?? digest))
            return digest;
        let observed = `${download} does not have the digest that GitHub lists`;
        if (bytes !== size)
            observed = `${download} has ${bytes} bytes, but GitHub lists ${size}`;
        throw new _failure_js__WEBPACK_IMPORTED_MODULE_3__/* .Failure */ .HR('unreadable', 'asset-changed', { observed });
    }
    async #find(schema, path, parameters) {
        try {
            const { data } = await this.#client.request(`GET ${this.#root}/${path}`, parameters);
            return schema.parse(data);
        }
        catch (error) {
            if ((0,_octokit_js__WEBPACK_IMPORTED_MODULE_6__/* .statusOf */ .c2)(error) === 404)
                return null;
            throw (0,_octokit_js__WEBPACK_IMPORTED_MODULE_6__/* .toFailure */ .w2)(error, path, this.#host);
        }
    }
    async list(schema, path, parameters) {
        try {
            const { data } = await this.#client.paginate(`GET ${this.#root}/${path}`, parameters);
            return zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .array */ .YOg(schema).parse(data);
        }
        catch (error) {
            throw (0,_octokit_js__WEBPACK_IMPORTED_MODULE_6__/* .toFailure */ .w2)(error, path, this.#host);
        }
    }
}


/***/ }),

/***/ 8888:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $g: () => (/* binding */ maxNames),
/* harmony export */   Df: () => (/* binding */ explainRun),
/* harmony export */   FR: () => (/* binding */ explainProblem),
/* harmony export */   Ow: () => (/* binding */ leadIn),
/* harmony export */   WE: () => (/* binding */ explain),
/* harmony export */   eh: () => (/* binding */ summarize),
/* harmony export */   fe: () => (/* binding */ toSteps),
/* harmony export */   y: () => (/* binding */ formatAsError),
/* harmony export */   yS: () => (/* binding */ formatStep)
/* harmony export */ });
/* harmony import */ var _failure_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7579);
/* harmony import */ var _runtime_environment_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5107);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8146);
/* harmony import */ var _text_phrases_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(7999);
/* harmony import */ var _words_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(649);





const maxNames = 3;
const maxObserved = 3;
function summarize(cause, observed) {
    if (observed === '')
        return cause;
    if (observed.startsWith(_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .untried */ .IM))
        return observed.replace(_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .untried */ .IM, `${_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .untried */ .IM} (${cause})`);
    return cause.endsWith(')') ? `${cause}: ${observed}` : `${cause} (${observed})`;
}
function explain(found, observed, { host, recordsPath }) {
    const { reportTo } = host.environment;
    const next = found.next
        .replace('{reportTo}', () => reportTo)
        .replace('{recordsPath}', () => `"${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .quote */ .hD)(recordsPath)}"`);
    return { ...found, next: (0,_runtime_environment_js__WEBPACK_IMPORTED_MODULE_1__/* .linkTo */ .uM)(found.docs, next, host), observed, result: null };
}
function explainRun(outputsError, unsaved, details) {
    const { halt, secrets } = details.host;
    const findings = [];
    const add = (reason, observed = '') => {
        findings.push(explain(_words_js__WEBPACK_IMPORTED_MODULE_3__/* .words */ .aL[reason], secrets.redactLine(observed), details));
    };
    if (halt.bug !== null)
        add('bug', halt.bug.observed);
    if (halt.isCanceled)
        add('canceled');
    if (unsaved.length > 0) {
        const names = unsaved.map(name => `"${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .quote */ .hD)(secrets.redactLine(name))}"`);
        const listed = (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_4__/* .joinFirst */ .FS)(names, maxNames, { separator: ', ' });
        add('not-saved', `only the log has the record of ${listed}`);
    }
    else if (halt.reason?.reason === 'not-saved')
        add('not-saved');
    else if (outputsError !== null)
        add('outputs-not-written', outputsError);
    return findings;
}
function explainProblem(problem, host) {
    const { secrets } = host;
    const cause = secrets.redactLine(problem.message);
    const next = secrets.redactLine(problem.next);
    const hint = secrets.redactLine(problem.hint ?? '');
    return explain({ ...problem, cause, next, hint }, '', { host, recordsPath: '' });
}
function toSteps(findings) {
    const groups = Map.groupBy(findings, ({ next }) => next);
    return Array.from(groups, ([next, group]) => {
        const hints = new Set(group.map(({ hint = '' }) => hint));
        const byCause = Map.groupBy(group, ({ cause }) => cause);
        const happened = Array.from(byCause, ([cause, same]) => {
            const observed = new Set(same.map(finding => finding.observed).filter(text => text !== ''));
            return (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_4__/* .toSentences */ .Mc)([cause, ...observed.values().take(maxObserved)]);
        });
        const found = group.flatMap(({ result }) => result ?? []);
        const byText = Map.groupBy(found, ({ text }) => text);
        const results = Array.from(byText, ([text, same]) => {
            return { text, links: same.flatMap(({ links }) => links) };
        });
        return { next, hint: (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_4__/* .toSentences */ .Mc)([...hints]), happened, results };
    });
}
function formatAsError({ happened, next, hint }) {
    return (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_4__/* .toSentences */ .Mc)([...happened, next, hint]);
}
function leadIn(lead, page, { environment }) {
    return `${lead} (${environment.docsUrl}/${page})`;
}
function formatStep({ next, hint, happened, results }) {
    const told = results.map(({ text, links }) => {
        if (links.length === 0)
            return text;
        const names = links.map(({ name }) => `"${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .quote */ .hD)(name)}"`);
        return `${text}: ${(0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_4__/* .joinFirst */ .FS)(names, maxNames, { separator: ', ' })}`;
    });
    return (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_4__/* .toSentences */ .Mc)([next, hint, ...happened, ...told]);
}


/***/ }),

/***/ 7954:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $X: () => (/* binding */ formatWhole),
/* harmony export */   Kn: () => (/* binding */ writeOutputs),
/* harmony export */   n0: () => (/* binding */ setOutputs),
/* harmony export */   vr: () => (/* binding */ formatFailures)
/* harmony export */ });
/* harmony import */ var _failure_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7579);
/* harmony import */ var _outcome_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1949);
/* harmony import */ var _text_verification_url_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6318);



function setOutputs(outputs, { runner }) {
    try {
        for (const [name, value] of Object.entries(outputs))
            runner.setOutput(name, value);
        return null;
    }
    catch (error) {
        return (0,_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .describeError */ .Uc)(error);
    }
}
const maxBytes = 120_000;
const maxFailuresLength = 50_000;
function formatWhole(items, warning, { runner }) {
    const text = JSON.stringify(items);
    if (Buffer.byteLength(text) <= maxBytes)
        return text;
    runner.warning(warning);
    return '';
}
function formatFailures(failures) {
    const texts = [];
    let length = 1;
    for (const { artifact, message } of failures) {
        const { name, size, hash, outcome } = artifact;
        const { code, registered } = outcome.failure;
        const text = JSON.stringify({ artifact: name, size, hash, code, registered, message });
        length += text.length + 1;
        if (length > maxFailuresLength)
            break;
        texts.push(text);
    }
    return `[${texts.join(',')}]`;
}
function writeOutputs({ artifacts, verdict, paths }, job) {
    const { host, inputs, recordsPath } = job;
    const { secrets } = host;
    const registered = verdict === 'dry-run' ? [] : artifacts.filter(_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .isRegistered */ .zN);
    const records = registered.map(({ name, size, hash, outcome }) => {
        const record = secrets.redactJson(outcome.record);
        const url = (0,_text_verification_url_js__WEBPACK_IMPORTED_MODULE_2__/* .fillVerificationUrl */ .U)(inputs.verificationUrl, { hash, record });
        return {
            artifact: secrets.redactText(name),
            size,
            hash,
            from: outcome.from,
            record,
            maybeChargedAgain: outcome.maybeChargedAgain || undefined,
            verificationUrl: url === null ? undefined : secrets.redactText(url),
        };
    });
    const tooLong = 'The output "records" is empty, because it would exceed 120,000 bytes. Read the file in the output "records-path" instead';
    const outputs = {
        verdict,
        records: formatWhole(records, tooLong, host),
        failures: '[]',
        'records-path': recordsPath,
        'artifact-count': artifacts.length,
        'registered-count': registered.length,
        'newly-registered-count': registered.filter(_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .isNew */ .BS).length,
        'failed-count': artifacts.filter(_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .isFailed */ .Ix).length,
    };
    return setOutputs({ ...outputs, ...paths }, host);
}


/***/ }),

/***/ 626:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   e: () => (/* binding */ judgeStop)
/* harmony export */ });
/* harmony import */ var _text_phrases_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7999);
/* harmony import */ var _findings_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8888);


const maxErrors = 10;
function judgeStop(stopped, host) {
    const { problems, outputsError, again, ...said } = stopped;
    const ofRun = (0,_findings_js__WEBPACK_IMPORTED_MODULE_0__/* .toSteps */ .fe)((0,_findings_js__WEBPACK_IMPORTED_MODULE_0__/* .explainRun */ .Df)(outputsError, [], { host, recordsPath: '' }));
    const explain = (found) => (0,_findings_js__WEBPACK_IMPORTED_MODULE_0__/* .toSteps */ .fe)(found.map(problem => (0,_findings_js__WEBPACK_IMPORTED_MODULE_0__/* .explainProblem */ .FR)(problem, host)));
    const byInput = Map.groupBy(problems, ({ input }) => input);
    const causes = [...Array.from(byInput.values(), explain), ...ofRun.map(step => [step])];
    const cost = (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_1__/* .toSentence */ .Re)(said.cost);
    const errors = causes.map(group => `${group.map(_findings_js__WEBPACK_IMPORTED_MODULE_0__/* .formatAsError */ .y).join(' ')} ${cost}`);
    return {
        ...said,
        exitCode: 1,
        counts: [],
        steps: [...explain(problems), ...ofRun, ...again],
        warnings: host.runner.warnings,
        table: { columns: [], rows: [], isFolded: false, elsewhere: '' },
        errors: errors.slice(0, maxErrors),
        failures: [],
    };
}


/***/ }),

/***/ 649:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Bt: () => (/* binding */ confirmHash),
/* harmony export */   L4: () => (/* binding */ stateOf),
/* harmony export */   ZB: () => (/* binding */ findWords),
/* harmony export */   aL: () => (/* binding */ words),
/* harmony export */   e1: () => (/* binding */ isForLookUp),
/* harmony export */   xP: () => (/* binding */ states)
/* harmony export */ });
/* harmony import */ var _inputs_shared_inputs_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1218);
/* harmony import */ var _release_octokit_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5642);


const states = {
    inDoubt: { sign: '❓', label: 'may be registered', cost: 'may be registered and charged' },
    heldByService: { sign: '❌', label: 'without a record (409)', cost: 'not charged by this call' },
    failed: { sign: '❌', label: 'not registered', cost: 'neither registered nor charged' },
    plannedAgain: {
        sign: '⚠️',
        label: 'would be sent again',
        cost: 'sent earlier, without a record',
    },
    chargedAgain: { sign: '⚠️', label: 'maybe charged more than once', cost: '' },
    planned: { sign: '🔎', label: 'would be registered', cost: '' },
    registered: { sign: '✅', label: 'new', cost: '' },
    registeredBefore: { sign: '✅', label: 'registered before', cost: '' },
};
function stateOf(outcome) {
    switch (outcome.state) {
        case 'planned':
            return outcome.lastDoubtAt === null ? states.planned : states.plannedAgain;
        case 'failed':
            if (outcome.failure.reason === 'already-registered')
                return states.heldByService;
            return outcome.failure.registered === 'unknown' ? states.inDoubt : states.failed;
        case 'registered':
            if (outcome.maybeChargedAgain)
                return states.chargedAgain;
            return outcome.from === 'this-run' ? states.registered : states.registeredBefore;
    }
}
const confirmHash = 'records.md#confirm-a-hash';
const subscriptionDocs = 'reference.md#the-subscription';
const lookUp = {
    next: 'look up each file at the service, and confirm those that it has',
    hint: 'to confirm a file, add its SHA-256 to the variable that your workflow passes as "confirmed-hashes"; if it passes none, follow the linked section',
    docs: confirmHash,
};
const askService = 'ask the service about this response';
const rejected = { cause: 'the service rejected the registration', next: askService };
const notAllowed = {
    cause: 'your account is probably not allowed to register files',
    next: 'ask the service what your API key is allowed to do',
};
const notThere = {
    cause: 'something other than the service responded, such as a maintenance page or a firewall',
    next: 'wait until the service responds again, or find out what responds at its address',
};
const noSubscription = {
    cause: 'your account probably has no active subscription with registrations left',
    next: 'activate or renew a subscription at the service',
    docs: subscriptionDocs,
};
const untrusted = {
    cause: 'the runner does not trust the certificate of the service',
    next: 'set NODE_EXTRA_CA_CERTS in the workflow for a private certificate authority',
    hint: 'for a public one, report the certificate to its owner',
    needs: 'workflow',
};
const notDownloaded = 'the asset could not be downloaded as GitHub lists it';
const words = {
    'wrong-key': {
        cause: 'the service did not accept the API key',
        next: 'replace the key in the secret that you pass as "api-key"',
    },
    'rejected-token': notAllowed,
    'not-the-service': notThere,
    blocked: {
        cause: 'something in front of the service, such as bot protection, blocks this runner',
        next: 'ask the service to allow your runners',
        hint: 'the API key and your account are not the cause',
    },
    unpaid: noSubscription,
    forbidden: notAllowed,
    'already-registered': {
        cause: 'the service already has the hash, from an earlier run or call; a re-run ends the same way unless it is confirmed',
        ...lookUp,
    },
    'no-request': {
        cause: 'the service has probably not processed the request yet',
        next: 'give the service a few minutes to process requests',
    },
    rejected,
    'request-rejected': rejected,
    'no-subscription': noSubscription,
    'unexpected-response': { cause: 'the service sent an unexpected response', next: askService },
    redirect: notThere,
    'not-yet-registered': {
        cause: 'the service accepted the hash, but has not registered it yet',
        next: 'give the service a few minutes to finish registering',
    },
    'record-mismatch': {
        cause: 'the record from the service does not match the request',
        next: askService,
    },
    'rate-limit': {
        cause: 'the service asked to wait',
        next: 'wait as long as the service asks, or a few minutes',
    },
    unavailable: {
        cause: 'the service failed or did not respond in time',
        next: 'wait until the service responds',
    },
    unreachable: {
        cause: 'the runner cannot reach the service',
        next: 'check that the service is up, and that the runner has network access',
    },
    proxy: {
        cause: 'the proxy of the runner did not connect to the service',
        next: 'check the proxy in the variable https_proxy of the runner',
    },
    'certificate-untrusted': untrusted,
    'certificate-expired': {
        cause: 'the certificate of the service has expired',
        next: 'wait until the service has renewed its certificate',
    },
    'certificate-early': {
        cause: 'the clock of the runner is probably wrong, because the certificate of the service is not valid yet',
        next: 'set the clock of the runner',
    },
    'certificate-name': notThere,
    'proxy-certificate': {
        ...untrusted,
        cause: 'the runner does not trust the certificate of the proxy',
    },
    'file-unreadable': {
        cause: 'reading failed',
        next: 'make each file readable, or exclude it from the patterns',
        needs: 'workflow',
    },
    'file-changed': {
        cause: 'the content changed while it was being read',
        next: 'finish writing the files before this step starts',
        needs: 'workflow',
    },
    'asset-changed': { cause: notDownloaded, ..._release_octokit_js__WEBPACK_IMPORTED_MODULE_1__/* .releaseRemedies */ .oQ['asset-changed'] },
    'github-token': { cause: notDownloaded, ..._release_octokit_js__WEBPACK_IMPORTED_MODULE_1__/* .releaseRemedies */ .oQ['github-token'] },
    'github-permission': { cause: notDownloaded, ..._release_octokit_js__WEBPACK_IMPORTED_MODULE_1__/* .releaseRemedies */ .oQ['github-permission'] },
    'github-unavailable': { cause: notDownloaded, ..._release_octokit_js__WEBPACK_IMPORTED_MODULE_1__/* .releaseRemedies */ .oQ['github-unavailable'] },
    'not-saved': {
        cause: 'the records file could not be written',
        next: 'free disk space on the runner, or make {recordsPath} writable',
    },
    canceled: {
        cause: 'the run was canceled',
        next: 'find out who or what canceled the run, such as a timeout or a newer run',
    },
    bug: {
        cause: 'this action has a bug (internal-error)',
        next: 'report the bug at {reportTo}',
    },
    'outputs-not-written': {
        cause: 'the outputs of the step could not be written',
        next: 'make sure that the action can write to the file in GITHUB_OUTPUT',
    },
};
const wrongAddress = {
    cause: 'the input "base-url" is probably not the final address of the service',
    next: 'correct the input "base-url"',
    needs: 'workflow',
};
const checkAddress = { hint: 'check the address in the input "base-url", too' };
const withAddress = {
    'not-the-service': wrongAddress,
    redirect: wrongAddress,
    'certificate-name': wrongAddress,
    blocked: { ...words.blocked, ...checkAddress },
    unreachable: { ...words.unreachable, ...checkAddress },
};
const wrongData = {
    cause: 'the service probably does not accept the subscription in the input "subscription"',
    next: 'check that the subscription is active, and replace the secret that you pass as "subscription"',
    docs: subscriptionDocs,
};
const withoutRequest = {
    cause: 'the service probably expects a request before it registers a file',
    next: 'set the input "request-registration" to true',
    needs: 'workflow',
};
const lasting = new Set(['record-mismatch', 'rejected', 'request-rejected']);
function isForLookUp({ reason, registered }) {
    return registered === 'unknown' && lasting.has(reason);
}
function findWords(failure, inputs) {
    const { reason, endsRun } = failure;
    const { baseUrl, payment, requestRegistration } = inputs;
    const usual = words[reason];
    if (isForLookUp(failure))
        return { ...usual, ...lookUp };
    if (baseUrl !== _inputs_shared_inputs_js__WEBPACK_IMPORTED_MODULE_0__/* .defaultBaseUrl */ .Ip && endsRun)
        return withAddress[reason] ?? usual;
    const hasData = payment !== null && payment !== 'active';
    if (hasData && (reason === 'unpaid' || reason === 'rejected'))
        return wrongData;
    if (!requestRegistration && reason === 'no-request')
        return withoutRequest;
    return usual;
}


/***/ }),

/***/ 4720:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  u: () => (/* binding */ writeReport)
});

// EXTERNAL MODULE: ./failure.js
var failure = __webpack_require__(7579);
// EXTERNAL MODULE: ./text/escape.js
var text_escape = __webpack_require__(8146);
// EXTERNAL MODULE: ./text/phrases.js
var phrases = __webpack_require__(7999);
// EXTERNAL MODULE: ./report/findings.js
var findings = __webpack_require__(8888);
// EXTERNAL MODULE: ./text/names.js
var names = __webpack_require__(2117);
;// CONCATENATED MODULE: ./report/page.js




const maxSummaryBytes = 1_000_000;
const maxStepsBytes = 500_000;
const reservedBytes = 3000;
const maxWarnings = 10;
const maxUnfoldedRows = 50;
const maxHappenedLength = 4000;
const shownDigits = 12;
function formatPage(report, docsUrl) {
    const { title, cost, counts, steps, warnings, pointers, table } = report;
    const show = linkDocs(docsUrl);
    const head = [`## ${(0,text_escape/* toHtml */.Vw)(title, text_escape/* maxMessageLength */.sZ)}`, '', `<p>${show((0,phrases/* toSentence */.Re)(cost))}</p>`];
    if (counts.length > 0)
        head.push(`<p>${counts.map(text => breakable(text)).join(' · ')}</p>`);
    if (steps.length > 0) {
        const items = steps.values().map(step => [`<li>${renderStep(step, show)}</li>`]);
        const shown = takeFitting(items, maxStepsBytes).flat();
        if (shown.length < steps.length)
            shown.push('<li>More steps are in the log.</li>');
        head.push(`<p><b>${show(report.lead)}</b></p>`, '<ol>', ...shown, '</ol>');
    }
    if (warnings.length > 0) {
        const notes = warnings.map(text => `⚠️ ${show((0,phrases/* toSentence */.Re)(text))}`);
        const rest = 'more in the log of this step';
        head.push(`<p>${(0,phrases/* joinFirst */.FS)(notes, maxWarnings, { separator: '<br>', rest })}</p>`);
    }
    if (pointers.length > 0) {
        const lines = pointers.map(({ text, links }) => renderListing(show(text), links));
        head.push(`<p>${lines.join('<br>')}</p>`);
    }
    const left = maxSummaryBytes - reservedBytes - Buffer.byteLength(head.join('\n'));
    return [...head, ...renderTable(table, left, show), ''].join('\n');
}
const endOfLead = / \(|; |: https|$/;
function renderStep(step, show) {
    const { next, hint, happened, results } = step;
    const text = (0,phrases/* toSentence */.Re)(next);
    const end = next.search(endOfLead);
    let first = `<b>${show(text.slice(0, end))}</b>${show(text.slice(end))}`;
    if (hint !== '')
        first += ` ${show(hint)}`;
    const lines = [first, ...happened.map(sentence => show(sentence, maxHappenedLength))];
    for (const { text: cost, links } of results) {
        lines.push(renderListing(breakable((0,phrases/* capitalize */.ZH)(`${cost}:`)), links));
    }
    return lines.join('<br>');
}
function renderListing(text, links) {
    const all = links.map(({ name, url }) => linked(code(name), url));
    return `${text} ${(0,phrases/* joinFirst */.FS)(all, findings/* maxNames */.$g, { separator: ', ' })}`.trimEnd();
}
function renderTable({ columns, rows, isFolded, elsewhere }, maxBytes, show) {
    if (rows.length === 0)
        return [];
    const lines = [];
    const both = rows.values().map(row => [renderRow(row, columns, show), renderHash(row)]);
    const shown = takeFitting(both, maxBytes);
    const html = shown.flatMap(texts => texts.slice(0, 1));
    const checksums = shown.flatMap(texts => texts.slice(1)).join('');
    const titles = ['State', 'Artifact', 'Size', 'SHA-256', ...columns];
    const header = `<tr>${titles.map(title => `<th align="left">${title}</th>`).join('')}</tr>`;
    const plainCount = rows.filter(({ isPlain }) => isPlain).length;
    const foldedCount = isFolded || plainCount > maxUnfoldedRows ? plainCount : 0;
    const open = html.slice(0, rows.length - foldedCount);
    const folded = html.slice(open.length);
    if (open.length > 0)
        lines.push('<table>', header, ...open, '</table>');
    if (folded.length > 0) {
        lines.push(`<details><summary>${(0,phrases/* pluralize */.td)(plainCount, 'more artifact')}</summary>`);
        lines.push('<table>', header, ...folded, '</table>', '</details>');
    }
    if (checksums !== '') {
        lines.push('<details><summary>SHA-256 of each artifact</summary>');
        lines.push(`<pre>${checksums}</pre>`, '</details>');
    }
    if (html.length < rows.length) {
        const missing = (0,phrases/* pluralize */.td)(rows.length - html.length, 'artifact is', 'artifacts are');
        lines.push(`<p>${missing} not shown; ${show(elsewhere)}.</p>`);
    }
    return lines;
}
function takeFitting(items, maxBytes) {
    const shown = [];
    let bytes = 0;
    for (const texts of items) {
        bytes += Buffer.byteLength(texts.join('')) + 1;
        if (bytes > maxBytes)
            break;
        shown.push(texts);
    }
    return shown;
}
function renderHash({ artifact: { name, hash } }) {
    if (hash === null)
        return '';
    return `${(0,text_escape/* toHtml */.Vw)((0,names/* formatChecksum */.rH)({ name, hash }).trimEnd(), text_escape/* maxMessageLength */.sZ)}&#10;`;
}
function renderRow(row, columns, show) {
    const { sign, label, artifact, url, note, cells } = row;
    const { name, size, hash } = artifact;
    let digits = '–';
    if (hash !== null)
        digits = linked(`<code>${hash.slice(0, shownDigits)}</code>`, url);
    const why = note === '' ? '' : `<br>${show((0,phrases/* toSentence */.Re)(note))}`;
    const bytes = (0,phrases/* formatSize */.Xq)(size).replace(' ', '&nbsp;');
    const html = [`${sign}&nbsp;${label}`, code(name) + why, bytes, digits];
    for (const column of columns.keys()) {
        const cell = cells[column] ?? '';
        html.push(cell === '' ? '–' : breakable(cell));
    }
    return `<tr>${html.map(cell => `<td>${cell}</td>`).join('')}</tr>`;
}
function code(text) {
    return `<code>${breakable(text)}</code>`;
}
function linkDocs(docsUrl) {
    const address = new RegExp(`${RegExp.escape(docsUrl)}/([a-z-]+\\.md)(?:#[a-z-]+)?`, 'g');
    return (text, maxLength = text_escape/* maxMessageLength */.sZ) => {
        let html = '';
        let end = 0;
        for (const { 0: url, 1: page = '', index } of text.matchAll(address)) {
            html += breakable(text.slice(end, index), maxLength) + linked(`docs/${page}`, url);
            end = index + url.length;
        }
        return html + breakable(text.slice(end), maxLength);
    };
}
const longWord = /(\S{41,})/u;
function breakable(text, maxLength = text_escape/* maxNameLength */.ws) {
    let html = '';
    for (const part of (0,text_escape/* quote */.hD)(text, maxLength).split(longWord)) {
        const pieces = longWord.test(part) ? (part.match(/.{1,16}/gu) ?? []) : [part];
        html += pieces.map(piece => (0,text_escape/* toHtml */.Vw)(piece, piece.length)).join('<wbr>');
    }
    return html;
}
function linked(html, url) {
    if (url === null || !/^https?:\/\//i.test(url))
        return html;
    return `<a href="${(0,text_escape/* toAttribute */.G6)(url, url.length)}">${html}</a>`;
}

;// CONCATENATED MODULE: ./report/write.js





async function writeReport(report, { runner, environment: { docsUrl } }, showSummary) {
    const { steps, table, cost, title, errors, exitCode } = report;
    for (const [index, step] of steps.entries())
        runner.info(`${index + 1}. ${(0,findings/* formatStep */.yS)(step)}`);
    for (const row of table.rows)
        runner.info(formatRow(row));
    runner.info((0,phrases/* toSentence */.Re)(cost));
    runner.info(title);
    if (showSummary) {
        try {
            await runner.writeSummary(formatPage(report, docsUrl));
        }
        catch (error) {
            runner.warning(`The job summary could not be written: ${(0,failure/* describeError */.Uc)(error)}`);
        }
    }
    errors.forEach(runner.error);
    return exitCode;
}
function formatRow({ sign, label, artifact, note, url, isPlain }) {
    const { name, size, hash } = artifact;
    const what = `"${(0,text_escape/* quote */.hD)(name)}" (${(0,phrases/* formatSize */.Xq)(size)}, ${hash ?? 'not hashed'})`;
    const parts = [`${sign} ${label}: ${what}`, (0,text_escape/* quote */.hD)(note, text_escape/* maxMessageLength */.sZ)];
    if (url !== null && !isPlain)
        parts.push(url);
    return parts.filter(part => part !== '').join('; ');
}


/***/ }),

/***/ 5107:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Qo: () => (/* binding */ readEnvironment),
/* harmony export */   q: () => (/* binding */ addProxySchemes),
/* harmony export */   uM: () => (/* binding */ linkTo)
/* harmony export */ });
/* harmony import */ var node_os__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8161);
/* harmony import */ var node_querystring__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1792);


function readEnvironment(env, cwd) {
    const variables = Object.fromEntries(Object.entries(env).filter(([, text]) => text !== ''));
    const { GITHUB_WORKSPACE: workspace = cwd, RUNNER_TEMP: tempFolder = (0,node_os__WEBPACK_IMPORTED_MODULE_0__.tmpdir)(), GITHUB_API_URL: apiUrl = 'https://api.github.com', GITHUB_SERVER_URL: serverUrl = 'https://github.com', GITHUB_ACTION_REPOSITORY: action, GITHUB_ACTION_REF: actionRef = 'main', GITHUB_RUN_ATTEMPT: attempt = '1', ACTIONS_RESULTS_URL: resultsUrl = null, ACTIONS_RUNTIME_TOKEN: token = '', } = variables;
    const isCloud = cloudHosts.test(URL.parse(serverUrl)?.hostname ?? '');
    const actionUrl = action && `https://github.com/${action}`;
    const passwords = proxyVariables.flatMap(name => {
        const { password = '' } = URL.parse(env[name] ?? '') ?? {};
        return [password, (0,node_querystring__WEBPACK_IMPORTED_MODULE_1__.unescape)(password)];
    });
    return {
        workspace,
        tempFolder,
        apiUrl,
        serverUrl,
        source: readSource(variables, serverUrl),
        attempt: Number(attempt),
        proxies: Object.fromEntries(proxyVariables.map(name => [name, env[name]])),
        secrets: [token, ...passwords].filter(text => text !== ''),
        artifactService: isCloud && token !== '' ? resultsUrl : null,
        reportTo: actionUrl === undefined ? 'the issues of this action' : `${actionUrl}/issues`,
        docsUrl: actionUrl === undefined ? 'docs' : `${actionUrl}/blob/${actionRef}/docs`,
    };
}
const cloudHosts = /^github\.com$|\.ghe\.com$|\.localhost$/;
function readSource(variables, serverUrl) {
    const { GITHUB_REPOSITORY: repository = null, GITHUB_SHA: sha = null, GITHUB_REF: ref = null, GITHUB_RUN_ID: runId = null, GITHUB_RUN_ATTEMPT: runAttempt = null, } = variables;
    const url = repository && `${serverUrl}/${repository}`;
    const attempt = runAttempt === null ? '' : `/attempts/${runAttempt}`;
    const commitUrl = url && sha && `${url}/commit/${sha}`;
    const runUrl = url && runId && `${url}/actions/runs/${runId}${attempt}`;
    return { repository, sha, ref, runId, runAttempt, commitUrl, runUrl };
}
const proxyVariables = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'];
function addProxySchemes(env) {
    for (const name of proxyVariables) {
        const address = env[name]?.trim() ?? '';
        if (address !== '' && !/^[a-z][a-z\d+.-]*:\/\//i.test(address))
            env[name] = `http://${address}`;
    }
}
function linkTo(section, text, { environment }) {
    return section === undefined ? text : `${text}: ${environment.docsUrl}/${section}`;
}


/***/ }),

/***/ 1503:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   a: () => (/* binding */ guard),
/* harmony export */   c: () => (/* binding */ endGuardedCall)
/* harmony export */ });
/* harmony import */ var node_async_hooks__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(6698);

const calls = new node_async_hooks__WEBPACK_IMPORTED_MODULE_0__.AsyncLocalStorage();
async function guard(call, signal) {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers();
    signal.addEventListener('abort', () => {
        reject(signal.reason);
    });
    calls.run(reject, () => {
        call().then(resolve, reject);
    });
    return promise;
}
function endGuardedCall(error) {
    const end = calls.getStore();
    end?.(error);
    return end !== undefined;
}


/***/ }),

/***/ 2293:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   w: () => (/* binding */ proxyProblem)
/* harmony export */ });
/* harmony import */ var _actions_http_client_lib_proxy__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3689);

function proxyProblem(url, env) {
    const target = new URL(url);
    const variable = `${target.protocol.slice(0, -1)}_proxy`;
    const name = [variable, variable.toUpperCase()].find(key => (env[key] ?? '') !== '');
    if (name === undefined || (0,_actions_http_client_lib_proxy__WEBPACK_IMPORTED_MODULE_0__/* .checkBypass */ .H)(target))
        return null;
    const isAddress = URL.canParse(env[name] ?? '');
    if (isAddress && /^https?:$/.test((0,_actions_http_client_lib_proxy__WEBPACK_IMPORTED_MODULE_0__/* .getProxyUrl */ .s)(target)?.protocol ?? ''))
        return null;
    const message = `the environment variable "${name}" is not a valid proxy address (not shown because it may contain a password)`;
    const next = `set an http:// or https:// address, or exempt ${target.hostname} with no_proxy`;
    return { input: null, message, next, needs: 'nothing' };
}


/***/ }),

/***/ 8146:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   G6: () => (/* binding */ toAttribute),
/* harmony export */   Jj: () => (/* binding */ cut),
/* harmony export */   QW: () => (/* binding */ maskWords),
/* harmony export */   Vw: () => (/* binding */ toHtml),
/* harmony export */   _p: () => (/* binding */ quoteSaid),
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
    const escape = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
    return text.replace(acting, character => character.split('').map(escape).join(''));
}
function maskWords(text) {
    return text.replace(/\S{24,}|(?=\S*\d)\S{12,}/g, '***');
}
const maxSaidLength = 170;
function quoteSaid(said, redact) {
    if (typeof said !== 'string')
        return '';
    const line = maskWords(redact(said))
        .replace(/[\s\p{Cc}]+/gu, ' ')
        .trim();
    return line === '' ? '' : `: "${quote(line, maxSaidLength)}"`;
}
function cut(text, maxLength) {
    if (text.length <= maxLength)
        return text;
    const start = text.slice(0, maxLength).replace(/\s\S{0,30}$|[\ud800-\udbff]$/, '');
    return `${start}… [cut, ${text.length} characters]`;
}
function toLogLine(text) {
    return showControls(text)
        .replaceAll('##[', '\\u0023#[')
        .replace(/^(\s*)::/u, '$1\\u003a:');
}
function quote(text, maxLength = maxNameLength) {
    return cut(showControls(text), maxLength);
}
const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const special = /[&<>"'`|[\]*~@!\\$]/g;
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
/* harmony export */   AO: () => (/* binding */ rejectedFields),
/* harmony export */   Fq: () => (/* binding */ isInteger),
/* harmony export */   OW: () => (/* binding */ isJsonObject),
/* harmony export */   b6: () => (/* binding */ textOf),
/* harmony export */   dw: () => (/* binding */ parseJsonObject),
/* harmony export */   gF: () => (/* binding */ fieldText),
/* harmony export */   qF: () => (/* binding */ parseJson)
/* harmony export */ });
function isJsonObject(value) {
    return (typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value));
}
function isInteger(value) {
    if (typeof value === 'number')
        return Number.isInteger(value);
    return JSON.isRawJSON(value) && Number.isInteger(Number(JSON.stringify(value)));
}
function parseJson(text) {
    return JSON.parse(text, (_, value, { source: digits }) => {
        if (typeof value !== 'number' || digits === undefined || String(value) === digits)
            return value;
        return JSON.rawJSON(digits);
    });
}
function parseJsonObject(text) {
    try {
        const value = parseJson(text);
        return isJsonObject(value) ? value : undefined;
    }
    catch {
        return undefined;
    }
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


/***/ }),

/***/ 2117:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Fl: () => (/* binding */ baseName),
/* harmony export */   P: () => (/* binding */ isRecordsAsset),
/* harmony export */   Sv: () => (/* binding */ recordsName),
/* harmony export */   UF: () => (/* binding */ compareCodeUnits),
/* harmony export */   Xc: () => (/* binding */ evidenceName),
/* harmony export */   Z4: () => (/* binding */ isOwnFile),
/* harmony export */   rH: () => (/* binding */ formatChecksum)
/* harmony export */ });
const recordsName = 'notarization-records.jsonl';
const evidenceName = 'notarization-evidence.md';
function isRecordsAsset(name) {
    return name.startsWith('notarization-records') && name.endsWith('.jsonl');
}
function isOwnFile(baseName) {
    if (baseName === evidenceName)
        return true;
    return /^notarization-records.*\.jsonl(?:\..*)?$/s.test(baseName);
}
function baseName(name) {
    return name.slice(name.lastIndexOf('/') + 1);
}
function compareCodeUnits(a, b) {
    if (a < b)
        return -1;
    if (a > b)
        return 1;
    return 0;
}
function formatChecksum({ name, hash }) {
    if (name === '-')
        return `${hash}  ./-\n`;
    const escaped = name.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
    if (escaped === name)
        return `${hash}  ${name}\n`;
    return `\\${hash}  ${escaped}\n`;
}


/***/ }),

/***/ 7999:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   FS: () => (/* binding */ joinFirst),
/* harmony export */   Mc: () => (/* binding */ toSentences),
/* harmony export */   Re: () => (/* binding */ toSentence),
/* harmony export */   Xq: () => (/* binding */ formatSize),
/* harmony export */   ZH: () => (/* binding */ capitalize),
/* harmony export */   a3: () => (/* binding */ formatDuration),
/* harmony export */   fU: () => (/* binding */ formatTime),
/* harmony export */   td: () => (/* binding */ pluralize)
/* harmony export */ });
/* harmony import */ var _json_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7727);

function pluralize(count, singular, plural = `${singular}s`) {
    return `${count} ${count === 1 ? singular : plural}`;
}
function joinFirst(items, max, { separator = '; ', rest = 'more' } = {}) {
    const shown = items.slice(0, max);
    if (items.length > max)
        shown.push(`and ${items.length - max} ${rest}`);
    return shown.join(separator);
}
function capitalize(clause) {
    if (!/^[a-z]+(?:-[a-z]+)*[ :,;]/.test(clause))
        return clause;
    return `${clause.slice(0, 1).toUpperCase()}${clause.slice(1)}`;
}
function toSentence(clause) {
    const start = capitalize(clause);
    if (/[.!?…\]]$/.test(clause))
        return start;
    return `${start}.`;
}
function toSentences(clauses) {
    const texts = clauses.filter(clause => clause !== '');
    return texts.map(toSentence).join(' ');
}
function formatSize(bytes) {
    if (bytes === null)
        return '–';
    let text = `${bytes} B`;
    let value = bytes;
    for (const unit of ['KiB', 'MiB', 'GiB', 'TiB', 'PiB']) {
        if (value < 1024)
            break;
        value /= 1024;
        text = `${value.toFixed(1)} ${unit}`;
    }
    return text;
}
function formatDuration(seconds) {
    if (seconds < 90)
        return `${Math.ceil(seconds)} s`;
    const minutes = Math.ceil(seconds / 60);
    if (minutes < 90)
        return `${minutes} min`;
    return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
function formatTime(value) {
    if (typeof value !== 'number')
        return (0,_json_js__WEBPACK_IMPORTED_MODULE_0__/* .fieldText */ .gF)(value);
    const date = new Date(value);
    if (Number.isNaN(date.getTime()))
        return (0,_json_js__WEBPACK_IMPORTED_MODULE_0__/* .fieldText */ .gF)(value);
    return date.toISOString().slice(0, 19).replace('T', ' ');
}


/***/ }),

/***/ 6318:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   U: () => (/* binding */ fillVerificationUrl)
/* harmony export */ });
const maxUrlLength = 2000;
function fillVerificationUrl(template, { hash, record }) {
    if (template === null || hash === null)
        return null;
    let url = template.replaceAll('{hash}', hash);
    if (url.includes('{txId}')) {
        const { txId } = record;
        if (typeof txId !== 'string' || txId === '' || txId.includes('***'))
            return null;
        const transaction = encodeURIComponent(txId.toWellFormed());
        url = url.replaceAll('{txId}', () => transaction);
    }
    if (url.length > maxUrlLength)
        return null;
    return url;
}


/***/ })

};
