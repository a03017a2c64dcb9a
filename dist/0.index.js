export const id = 0;
export const ids = [0];
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
// EXTERNAL MODULE: external "node:timers/promises"
var promises_ = __webpack_require__(8500);
// EXTERNAL MODULE: ./failure.js
var failure = __webpack_require__(7579);
// EXTERNAL MODULE: ./outcome.js
var outcome = __webpack_require__(1949);
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
const lineEnds = { n: '\n', r: '\r' };
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
    let name = listed;
    if (escape !== '') {
        if (listed.replace(/\\[\\nr]/g, '').includes('\\'))
            return null;
        name = listed.replace(/\\(.)/g, (_, sign) => lineEnds[sign] ?? sign);
    }
    if (isLone)
        name = /(.*[^/])\.sha256(?:sum|\.txt)?$/is.exec(fileName)?.[1] ?? '';
    else
        name = name.replace(/^\.\/+/, '');
    if (name === '')
        return null;
    return { name, isLone, hash: hash.toLowerCase() };
}

// EXTERNAL MODULE: ./artifacts/files.js
var artifacts_files = __webpack_require__(9706);
;// CONCATENATED MODULE: ./artifacts/collect.js










const patternRemedy = {
    next: 'make sure that an earlier step of this job builds or downloads the files, then check the pattern: patterns start at the workspace, one per line; variables, commas, quotes and braces are not supported, brackets are wildcards, and hidden files must be named',
    docs: artifacts_files/* patternDocs */.wc,
};
const exclusionRemedy = {
    next: 'correct the line with "!" that excludes these files, or remove the pattern',
    docs: artifacts_files/* patternDocs */.wc,
};
const listDocs = 'reference.md#checksums-files';
const emptyRemedy = {
    next: 'name a checksums file that lists the files to notarize',
    docs: listDocs,
};
const linesRemedy = {
    next: 'write each line as "<SHA-256>  name" or "SHA256 (name) = <SHA-256>", or put nothing but the hash into name.sha256',
    docs: listDocs,
};
async function collectArtifacts(inputs, host, skip) {
    const found = await (0,artifacts_files/* findFiles */.lY)('path', inputs.path, host);
    const foundLists = await (0,artifacts_files/* findFiles */.lY)('checksums', inputs.checksums, host);
    const records = new Set(skip.map(artifacts_files/* realPathOf */.dN));
    const isOwn = ({ name, path }) => (0,text_names/* isOwnFile */.Z4)((0,text_names/* baseName */.Fl)(name)) || (0,text_names/* isOwnFile */.Z4)((0,external_node_path_.basename)(path)) || records.has(path);
    const files = found.files.filter(file => !isOwn(file));
    const names = new Map(files.map(({ name, path }) => [path, name]));
    const lists = foundLists.files.filter(file => !isOwn(file));
    const { artifacts, ...reading } = await readLists(lists, { names, isOwn }, host);
    const listed = [...artifacts.values()].flat();
    const matches = countMatches('path', found, path => (names.has(path) ? 1 : undefined));
    const listMatches = countMatches('checksums', foundLists, path => artifacts.get(path)?.length);
    const problems = [...found.problems, ...foundLists.problems, ...reading.problems];
    const missing = [...matches.missing, ...listMatches.missing, ...reading.missing];
    if (inputs.ifNoFilesFound === 'error')
        problems.push(...missing);
    if (inputs.ifNoFilesFound === 'warn') {
        for (const { message, next, docs } of missing) {
            host.runner.warning(`${message}; ${next}`, docs);
        }
    }
    return { files, listed, counts: matches.counts.concat(listMatches.counts), problems };
}
const maxListBytes = 64 * 1024 * 1024;
async function readLists(lists, local, { halt, runner }) {
    const artifacts = new Map();
    const unreadable = [];
    const invalid = [];
    const tooLarge = [];
    const empty = [];
    const listingThemselves = new Set();
    for (const list of lists) {
        const shown = `"${(0,text_escape/* quote */.hD)(list.name)}"`;
        const listed = [];
        artifacts.set(list.path, listed);
        let bytes;
        try {
            if ((0,external_node_fs_.statSync)(list.path).size > maxListBytes) {
                tooLarge.push(`${shown} is larger than 64 MiB, so it is no checksums file`);
                continue;
            }
            bytes = (0,external_node_fs_.readFileSync)(list.path);
        }
        catch (error) {
            unreadable.push(`${shown} cannot be read: ${(0,failure/* describeError */.Uc)(error)}`);
            continue;
        }
        const { entries, errors } = parseChecksums(bytes, list.name);
        for (const entry of entries) {
            await (0,promises_.setImmediate)();
            if (halt.ended.aborted)
                throw new failure/* Stop */.VG();
            const artifact = resolveEntry(entry, list, local);
            if (artifact === 'itself')
                listingThemselves.add(shown);
            else if (artifact !== 'own')
                listed.push(artifact);
        }
        for (const error of errors)
            invalid.push(`${shown}, ${error}`);
        const what = entries.length === 0 ? 'nothing' : 'only files that this action never notarizes';
        if (listed.length + errors.length === 0)
            empty.push(`${shown} lists ${what}`);
    }
    const problems = [
        ...asOneProblem('checksums', unreadable, { next: 'make each file readable' }),
        ...asOneProblem('checksums', invalid, linesRemedy),
        ...asOneProblem('checksums', tooLarge, { next: 'name only checksums files' }),
    ];
    const missing = asOneProblem('checksums', empty, emptyRemedy);
    if (listingThemselves.size > 0) {
        const shown = (0,phrases/* joinFirst */.FS)([...listingThemselves], 10, { separator: ', ' });
        runner.warning(`skipped the entry that a checksums file has for itself, because its hash cannot be right: ${shown}`);
    }
    return { artifacts, problems, missing };
}
function resolveEntry({ name, isLone, hash }, list, { names, isOwn }) {
    const artifact = { input: 'checksums', name, size: null, hash, outcome: outcome/* planned */.lM };
    const folders = isLone ? ['.'] : [(0,external_node_path_.dirname)(list.name), (0,artifacts_files/* nameOf */.Vb)((0,external_node_path_.dirname)(list.path)), '.'];
    for (const folder of new Set(folders)) {
        const path = (0,external_node_path_.resolve)(folder, name);
        const realPath = (0,artifacts_files/* realPathOf */.dN)(path);
        if (realPath === list.path)
            return 'itself';
        if (isOwn({ name: (0,artifacts_files/* nameOf */.Vb)(path), path: realPath }))
            return 'own';
        const local = names.get(realPath);
        if (local !== undefined)
            return { ...artifact, name: local };
    }
    return artifact;
}
function countMatches(input, { patterns }, countIn) {
    const missing = [];
    const excluded = [];
    const counts = patterns.map(({ text, paths, isExcluded }) => {
        const inFiles = [...paths].flatMap(path => countIn(path) ?? []);
        const shown = `"${(0,text_escape/* quote */.hD)(text)}" matches`;
        if (isExcluded)
            excluded.push(`${shown} only files that later lines exclude`);
        else if (paths.size === 0)
            missing.push(`${shown} no file`);
        else if (inFiles.length === 0)
            missing.push(`${shown} only files that this action writes`);
        const count = inFiles.reduce((sum, countOfFile) => sum + countOfFile, 0);
        const isPath = input === 'path';
        const found = isPath ? (0,phrases/* pluralize */.td)(count, 'file') : (0,phrases/* pluralize */.td)(count, 'entry', 'entries');
        return `"${(0,text_escape/* quote */.hD)(text, 100)}" matches ${found}`;
    });
    const problems = asOneProblem(input, missing, patternRemedy);
    return { counts, missing: [...problems, ...asOneProblem(input, excluded, exclusionRemedy)] };
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
/* harmony import */ var node_timers_promises__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(8500);
/* harmony import */ var _actions_glob__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(6373);
/* harmony import */ var _failure_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(7579);
/* harmony import */ var _runtime_guard_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(1503);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(8146);
/* harmony import */ var _text_names_js__WEBPACK_IMPORTED_MODULE_9__ = __webpack_require__(2117);
/* harmony import */ var _text_phrases_js__WEBPACK_IMPORTED_MODULE_8__ = __webpack_require__(7999);










const patternDocs = 'reference.md#patterns';
const hiddenPart = /(?:^|[/\\])\.(?!\.?(?:[/\\]|$))/;
async function findFiles(input, text, host) {
    const { environment, halt, runner } = host;
    const trimmed = text.split('\n').map(line => line.trim());
    const lines = trimmed.filter(line => line !== '' && !line.startsWith('#'));
    const isExclusion = (line) => line.startsWith('!');
    const files = new Map();
    const skipped = new Set();
    const patterns = [];
    const problems = [];
    const idle = new Set(lines.filter(isExclusion));
    enter(environment.workspace);
    for (const [index, line] of lines.entries()) {
        if (isExclusion(line))
            continue;
        const exclusions = lines.slice(index).filter(isExclusion);
        try {
            const paths = new Set();
            const found = await search(line, exclusions, host);
            for (const absolutePath of found) {
                if (absolutePath.includes('\ufffd'))
                    throw Object.assign(new Error(), { path: absolutePath });
                const path = node_fs__WEBPACK_IMPORTED_MODULE_1__.realpathSync.native(absolutePath);
                const ownName = nameOf(absolutePath);
                const name = (0,node_path__WEBPACK_IMPORTED_MODULE_2__.isAbsolute)(ownName) ? nameOf(path) : ownName;
                if (!(0,node_fs__WEBPACK_IMPORTED_MODULE_1__.lstatSync)(path).isFile()) {
                    skipped.add(`"${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_7__/* .quote */ .hD)(name)}"`);
                    continue;
                }
                paths.add(path);
                if (path === absolutePath || !files.has(path))
                    files.set(path, { name, path });
            }
            const all = exclusions.length === 0 ? found : await search(line, [], host);
            for (const exclusion of idle.intersection(new Set(exclusions))) {
                if (found.length === all.length)
                    break;
                const kept = exclusions.length === 1 ? found : await search(line, [exclusion], host);
                if (kept.length < all.length)
                    idle.delete(exclusion);
            }
            patterns.push({ text: line, paths, isExcluded: found.length === 0 && all.length > 0 });
        }
        catch (error) {
            if (halt.ended.aborted)
                throw new _failure_js__WEBPACK_IMPORTED_MODULE_5__/* .Stop */ .VG();
            problems.push(problemOf(input, error));
        }
    }
    if (text !== '' && patterns.length + problems.length === 0) {
        const next = 'add a pattern of the files';
        problems.push((0,_failure_js__WEBPACK_IMPORTED_MODULE_5__/* .problemAt */ .l4)(input, 'no line includes files', { next, docs: patternDocs }));
    }
    if (skipped.size > 0) {
        const names = (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_8__/* .joinFirst */ .FS)([...skipped], 10, { separator: ', ' });
        runner.warning(`skipped, because they are FIFOs, sockets or devices: ${names}`);
    }
    for (const line of files.size > 0 ? idle : []) {
        const why = 'a line with "!" starts at the workspace, and excludes only from the lines above it';
        runner.warning(`input "${input}": "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_7__/* .quote */ .hD)(line)}" excludes nothing; ${why}`, patternDocs);
    }
    const sorted = [...files.values()].sort((a, b) => (0,_text_names_js__WEBPACK_IMPORTED_MODULE_9__/* .compareCodeUnits */ .UF)(a.name, b.name));
    return { files: sorted, patterns, problems };
}
async function search(pattern, exclusions, { environment: { workspace }, halt }) {
    const isHidden = (path) => {
        const inside = `${path}${node_path__WEBPACK_IMPORTED_MODULE_2__.sep}`.replace(`${workspace}${node_path__WEBPACK_IMPORTED_MODULE_2__.sep}`, '');
        return hiddenPart.test(inside.replace(`${process.cwd()}${node_path__WEBPACK_IMPORTED_MODULE_2__.sep}`, ''));
    };
    const isMeant = isHidden(pattern);
    const isHiddenWorkspace = hiddenPart.test((0,node_path__WEBPACK_IMPORTED_MODULE_2__.basename)(process.cwd()));
    const options = {
        excludeHiddenFiles: !isMeant && !isHiddenWorkspace,
        matchDirectories: false,
        omitBrokenSymbolicLinks: false,
    };
    const glob = async () => (await (0,_actions_glob__WEBPACK_IMPORTED_MODULE_4__/* .create */ .v)([pattern, ...exclusions].join('\n'), options)).glob();
    let isSearching = true;
    const stayAwake = async () => {
        while (isSearching)
            await (0,node_timers_promises__WEBPACK_IMPORTED_MODULE_3__.setImmediate)();
    };
    void stayAwake();
    try {
        const paths = await (0,_runtime_guard_js__WEBPACK_IMPORTED_MODULE_6__/* .guard */ .a)(glob, halt.ended);
        return isMeant || !isHiddenWorkspace ? paths : paths.filter(path => !isHidden(path));
    }
    catch (error) {
        const isMissing = /ENOTDIR|ENAMETOOLONG/.test((0,_failure_js__WEBPACK_IMPORTED_MODULE_5__/* .errorCode */ .CA)(error) ?? '');
        if (isMissing && error instanceof Error && 'syscall' in error && error.syscall === 'lstat')
            return [];
        throw error;
    }
    finally {
        isSearching = false;
    }
}
function enter(workspace) {
    try {
        process.chdir(workspace);
    }
    catch (error) {
        const message = `the workspace "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_7__/* .quote */ .hD)(workspace)}" cannot be entered: ${(0,_failure_js__WEBPACK_IMPORTED_MODULE_5__/* .describeError */ .Uc)(error)}`;
        const next = 'make sure that GITHUB_WORKSPACE is a folder that the user of the runner can read';
        throw new _failure_js__WEBPACK_IMPORTED_MODULE_5__/* .Stop */ .VG({ input: null, message, next, needs: 'nothing' });
    }
}
function nameOf(path) {
    const inside = (0,node_path__WEBPACK_IMPORTED_MODULE_2__.relative)(process.cwd(), path);
    const isOutside = inside.split(node_path__WEBPACK_IMPORTED_MODULE_2__.sep)[0] === '..' || (0,node_path__WEBPACK_IMPORTED_MODULE_2__.isAbsolute)(inside);
    return (isOutside ? path : inside).replaceAll(node_path__WEBPACK_IMPORTED_MODULE_2__.sep, '/');
}
function problemOf(input, error) {
    if (error instanceof node_assert__WEBPACK_IMPORTED_MODULE_0__.AssertionError) {
        let next = 'use a path relative to the workspace, or an absolute path, without "." or ".." as a folder';
        if (error.message === 'pattern cannot be empty')
            next = 'put a path after "!"';
        return (0,_failure_js__WEBPACK_IMPORTED_MODULE_5__/* .problemAt */ .l4)(input, (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_7__/* .quote */ .hD)(error.message), { next, docs: patternDocs });
    }
    if (!(error instanceof Error))
        throw error;
    const unknownPath = /^No information found for the path '(.*)'/s.exec(error.message)?.[1];
    const path = 'path' in error ? error.path : unknownPath;
    if (typeof path !== 'string')
        throw error;
    const name = `"${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_7__/* .quote */ .hD)(nameOf(path))}"`;
    const code = (0,_failure_js__WEBPACK_IMPORTED_MODULE_5__/* .errorCode */ .CA)(error);
    let text = `${name} cannot be read: ${(0,_failure_js__WEBPACK_IMPORTED_MODULE_5__/* .describeError */ .Uc)(error)}`;
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
    return (0,_failure_js__WEBPACK_IMPORTED_MODULE_5__/* .problemAt */ .l4)(input, text, { next, docs: patternDocs });
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
/* harmony export */   D: () => (/* binding */ hashFile)
/* harmony export */ });
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7598);
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(3024);
/* harmony import */ var node_timers_promises__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8500);
/* harmony import */ var _failure_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(7579);
/* harmony import */ var _outcome_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(1949);





const buffer = Buffer.allocUnsafeSlow(1024 * 1024);
async function hashFile({ name, path }, ended) {
    let descriptor = null;
    try {
        descriptor = (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.openSync)(path, node_fs__WEBPACK_IMPORTED_MODULE_1__.constants.O_RDONLY | node_fs__WEBPACK_IMPORTED_MODULE_1__.constants.O_NONBLOCK);
        const before = (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.fstatSync)(descriptor);
        if (before.isFIFO())
            throw new _failure_js__WEBPACK_IMPORTED_MODULE_3__/* .Failure */ .HR('changed', 'file-changed');
        const digest = (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createHash)('sha256');
        let size = 0;
        let read;
        do {
            await (0,node_timers_promises__WEBPACK_IMPORTED_MODULE_2__.setImmediate)();
            if (ended.aborted)
                throw _failure_js__WEBPACK_IMPORTED_MODULE_3__/* .canceledFailure */ .Yb;
            read = (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.readSync)(descriptor, buffer);
            digest.update(buffer.subarray(0, read));
            size += read;
        } while (read > 0 && size < before.size);
        const isTouched = (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.fstatSync)(descriptor).ctimeMs !== before.ctimeMs;
        if (size !== before.size || isTouched)
            throw new _failure_js__WEBPACK_IMPORTED_MODULE_3__/* .Failure */ .HR('changed', 'file-changed');
        return { input: 'path', name, size, hash: digest.digest('hex'), outcome: _outcome_js__WEBPACK_IMPORTED_MODULE_4__/* .planned */ .lM };
    }
    catch (error) {
        const observed = (0,_failure_js__WEBPACK_IMPORTED_MODULE_3__/* .describeError */ .Uc)(error);
        const failure = error instanceof _failure_js__WEBPACK_IMPORTED_MODULE_3__/* .Failure */ .HR ? error : new _failure_js__WEBPACK_IMPORTED_MODULE_3__/* .Failure */ .HR('unreadable', 'file-unreadable', { observed });
        return { input: 'path', name, size: null, hash: null, outcome: (0,_outcome_js__WEBPACK_IMPORTED_MODULE_4__/* .failed */ .gz)(failure) };
    }
    finally {
        if (descriptor !== null)
            (0,node_fs__WEBPACK_IMPORTED_MODULE_1__.closeSync)(descriptor);
    }
}


/***/ }),

/***/ 7579:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   CA: () => (/* binding */ errorCode),
/* harmony export */   CO: () => (/* binding */ problemWith),
/* harmony export */   HR: () => (/* binding */ Failure),
/* harmony export */   Uc: () => (/* binding */ describeError),
/* harmony export */   VG: () => (/* binding */ Stop),
/* harmony export */   Yb: () => (/* binding */ canceledFailure),
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
    'not-tried',
    'internal-error',
]));
const reasons = (/* unused pure expression or super */ null && ([
    'wrong-key',
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
    'not-yet-registered',
    'record-mismatch',
    'rate-limit',
    'unavailable',
    'timeout',
    'unreachable',
    'protocol',
    'proxy',
    'certificate',
    'certificate-expired',
    'certificate-early',
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
    observed = '';
    said = '';
    mayHaveActed = false;
    status = null;
    response = null;
    isOfLogin = false;
    constructor(code, reason, parts = {}) {
        super(reason);
        this.code = code;
        this.reason = reason;
        Object.assign(this, parts);
    }
    get isOfRun() {
        return this.code === 'not-tried' || (this.code === 'cancelled' && !this.mayHaveActed);
    }
    with(parts) {
        return Object.assign(new Failure(this.code, this.reason, this), parts);
    }
    followedBy({ observed, said }) {
        return this.with({ said: `${this.said}; ${observed}${said}` });
    }
    static orRethrow(error) {
        if (error instanceof Failure)
            return error;
        throw error;
    }
}
const canceledFailure = new Failure('cancelled', 'canceled');
function bugFailure(error) {
    return new Failure('internal-error', 'bug', { observed: describeError(error) });
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
        super(problems.map(({ message }) => message).join());
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
    return error instanceof Error ? error.message || error.name : 'an unknown error';
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
/* harmony export */   zM: () => (/* binding */ boolean)
/* harmony export */ });
/* unused harmony export baseUrl */
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4763);
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(2335);
/* harmony import */ var _failure_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7579);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8146);



const secretInputs = ['api-key', 'github-token'];
function inputNameOf(field) {
    return field.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
}
function parseInputs(schema, rawInputs) {
    const texts = {};
    for (const field of Object.keys(schema.shape)) {
        const text = rawInputs[inputNameOf(field)];
        if (text !== undefined && (text !== '' || field === 'confirmedHashes'))
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
    const keys = secretInputs.map(name => rawInputs[name] ?? '').filter(text => text !== '');
    return { inputs: schema.parse(texts), problems, keys };
}
function checkSources(texts) {
    const { path = '', checksums = '', releaseTag = '', githubToken = '' } = texts;
    const needing = releaseTag === '' ? 'earlier-releases' : 'release-tag';
    const needsToken = releaseTag !== '' || /^true$/i.test(texts['earlierReleases'] ?? '');
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
    if (needsToken && githubToken === '') {
        const next = 'remove this input to use the token of the job';
        problems.push((0,_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .problemWith */ .CO)('github-token', `is empty, but "${needing}" needs it`, { next }));
    }
    return problems;
}
const maxValueLength = 100;
function showValue(value) {
    const mayBeSecret = /[@?#]|%40|\/\/[^/[]*:(?!\d+(?:\/|$))/.test(value);
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
    const isWithin = (text) => /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max;
    const error = `must be a whole number from ${min} to ${max}`;
    return zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .pipe */ .FsL(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .refine */ .YPB(isWithin, error)), zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .transform */ .pdi(Number));
}
const secretLine = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_3__/* ._regex */ .Fk(/^.*$/, 'must be one line'));
const verificationUrl = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .refine */ .YPB(text => {
    const isUrl = URL.canParse(text) && /^https:\/\/[^/?@\s\\{}]+[/?]\S+$/i.test(text);
    return isUrl && /^[^{}]+(?:\{(?:hash|txId)\}[^{}]*)+$/.test(text);
}, 'must be an https:// URL without credentials, with {hash} or {txId} and no other placeholder'));
const hashRule = 'must contain only SHA-256 hashes of 64 hex digits, separated by white space';
const hashSchema = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_3__/* ._regex */ .Fk(/^(?:sha256:)?[0-9a-f]{64}$/i, hashRule), zod_mini__WEBPACK_IMPORTED_MODULE_3__/* ._overwrite */ .bS(text => text.slice(-64).toLowerCase()));
const hashes = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .pipe */ .FsL(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .transform */ .pdi((text) => {
    return text === 'none' ? null : new Set(text.match(/\S+/g));
}), zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullable */ .mee(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .readonly */ .tBZ(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .set */ .hZp(hashSchema))));
const defaultBaseUrl = 'https://app.dedit.io';
const apiPathRule = 'must end before /api/v2, which the action adds itself';
const baseUrl = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .pipe */ .FsL(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP()
    .check(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .refine */ .YPB(isServiceUrl, 'must be a URL that starts with https://'), zod_mini__WEBPACK_IMPORTED_MODULE_3__/* ._regex */ .Fk(/^[^?#]*$/, 'must not contain a query or a fragment'), zod_mini__WEBPACK_IMPORTED_MODULE_3__/* ._regex */ .Fk(/^(?![^/]*\/\/[^/?#]*@)/, 'must not contain credentials'), zod_mini__WEBPACK_IMPORTED_MODULE_3__/* ._regex */ .Fk(/^(?!.*\/api\/v2(?:[/?#]|$))/i, apiPathRule)), zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .transform */ .pdi(text => {
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

/***/ 510:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   CF: () => (/* binding */ nameKept),
/* harmony export */   QT: () => (/* binding */ logGroup),
/* harmony export */   Qm: () => (/* binding */ findKept),
/* harmony export */   cs: () => (/* binding */ keepRecords),
/* harmony export */   xP: () => (/* binding */ locateRecords)
/* harmony export */ });
/* harmony import */ var _failure_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7579);
/* harmony import */ var _records_lines_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(3243);
/* harmony import */ var _service_proxy_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(2293);
/* harmony import */ var _text_names_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(2117);
/* harmony import */ var _text_phrases_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(7999);





const patienceMs = 120_000;
const keepGraceMs = 3000;
const logGroup = 'Records that were not kept';
async function findKept({ keepRecords }, folder, host) {
    const { halt, runner, workflowArtifacts } = host;
    const { artifactService, proxies, attempt } = host.environment;
    if (!keepRecords || artifactService === null || !(attempt > 1))
        return [];
    if (folder === null)
        throw new _failure_js__WEBPACK_IMPORTED_MODULE_0__/* .Stop */ .VG();
    (0,_service_proxy_js__WEBPACK_IMPORTED_MODULE_2__/* .checkProxy */ .d)(artifactService, proxies);
    try {
        const found = await callWithin(0, workflowArtifacts.find, host);
        runner.info(`Found ${(0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_3__/* .pluralize */ .td)(found.length, 'records file')} of earlier attempts`);
        return found;
    }
    catch (error) {
        if (halt.isCanceled)
            throw new _failure_js__WEBPACK_IMPORTED_MODULE_0__/* .Stop */ .VG();
        const text = `the records that earlier attempts kept cannot be read: ${(0,_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .describeError */ .Uc)(error)}`;
        const next = 'wait 10 minutes';
        const hint = 'if it stops here again, the linked section says what to do';
        const remedy = { next, hint, needs: 'nothing', docs: _records_lines_js__WEBPACK_IMPORTED_MODULE_1__/* .unreadableDocs */ .XB };
        throw new _failure_js__WEBPACK_IMPORTED_MODULE_0__/* .Stop */ .VG((0,_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .problemAt */ .l4)('keep-records', text, remedy));
    }
}
function nameKept({ name, bytes }) {
    return { name: `${_text_names_js__WEBPACK_IMPORTED_MODULE_4__/* .recordsName */ .Sv} of the workflow artifact ${name}`, bytes, input: 'keep-records' };
}
async function keepRecords({ inputs, ledger }, evidencePath, host) {
    const nothing = { workflowArtifact: null, error: null };
    if (inputs.dryRun || !inputs.keepRecords)
        return nothing;
    const { lines, linesOfRun, source } = ledger;
    const hasNew = linesOfRun.some(({ entry }) => entry.source.runAttempt === source.runAttempt);
    if (evidencePath === '' && !hasNew)
        return nothing;
    const { artifactService, proxies } = host.environment;
    try {
        if (artifactService === null)
            throw new Error('this server has no artifact service');
        (0,_service_proxy_js__WEBPACK_IMPORTED_MODULE_2__/* .checkProxy */ .d)(artifactService, proxies);
        const records = Buffer.from(lines.map(({ text }) => `${text}\n`).join(''));
        const files = { records, evidencePath };
        const keep = (call) => host.workflowArtifacts.keep(files, call);
        const workflowArtifact = await callWithin(keepGraceMs, keep, host);
        if (lines.some(({ places }) => places.has('log'))) {
            const text = 'The records file is incomplete, because it could not be written. Use the one in the workflow artifact instead';
            host.runner.warning(text, 'records.md#where-it-is-kept');
        }
        for (const { places } of lines)
            places.add('workflow-artifact');
        const { name, url } = workflowArtifact;
        const link = url === null ? '' : `: ${url}`;
        host.runner.info(`The records are kept in the workflow artifact ${name}${link}`);
        return { workflowArtifact, error: null };
    }
    catch (error) {
        await printLines(linesOfRun.filter(isNotKept), (0,_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .describeError */ .Uc)(error), host);
        return { workflowArtifact: null, error: (0,_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .describeError */ .Uc)(error) };
    }
}
function locateRecords({ inputs, ledger }, isUnread, { environment: { artifactService, attempt } }) {
    const isDamaged = ledger.problems.length > 0;
    const isKeptDamaged = ledger.problems.some(({ input }) => input === 'keep-records');
    const lines = ledger.linesOfRun;
    const isEarlier = ({ entry }) => Number(entry.source.runAttempt) < attempt;
    const isPrinting = inputs.keepRecords && artifactService === null;
    const isEarlierInLogs = isPrinting && attempt > 1 && !lines.some(isEarlier);
    const unreleased = lines.filter(({ places }) => !places.has('release'));
    const isKept = unreleased.some(({ places }) => places.has('workflow-artifact'));
    const records = unreleased.filter(({ entry }) => (0,_records_lines_js__WEBPACK_IMPORTED_MODULE_1__/* .isRecord */ .u4)(entry));
    const notKept = records.filter(isNotKept);
    const onlyInLog = notKept.filter(({ places }) => places.has('log')).length;
    let kind = lines.some(({ entry }) => (0,_records_lines_js__WEBPACK_IMPORTED_MODULE_1__/* .isRecord */ .u4)(entry)) ? 'release' : 'none';
    if (isUnread || isKeptDamaged || isKept)
        kind = 'workflow-artifact';
    if (onlyInLog > 0 || isEarlierInLogs)
        kind = 'log';
    const isDone = inputs.dryRun && inputs.keepRecords && artifactService !== null;
    if (notKept.length > onlyInLog)
        kind = isDone ? 'workflow-artifact' : 'file';
    const charged = records.filter(({ entry }) => (0,_records_lines_js__WEBPACK_IMPORTED_MODULE_1__/* .isRecord */ .u4)(entry) && !entry.confirmed);
    const lost = charged.filter(({ places }) => kind !== 'file' || !places.has('log'));
    const recorded = new Set(lost.map(({ entry }) => entry.hash));
    const known = ledger.lines.filter(({ entry }) => (0,_records_lines_js__WEBPACK_IMPORTED_MODULE_1__/* .isRecord */ .u4)(entry));
    const isOnReleases = known.length > 0 && known.every(({ places }) => places.has('release'));
    const isReleased = kind === 'none' && isOnReleases && !inputs.earlierReleases;
    return { kind, onlyInLog, isEarlierInLogs, isReleased, isDamaged, recorded };
}
function isNotKept({ places }) {
    return !places.has('release') && !places.has('workflow-artifact');
}
async function printLines(lines, why, { runner }) {
    if (lines.length === 0)
        return;
    const records = lines.filter(({ entry }) => (0,_records_lines_js__WEBPACK_IMPORTED_MODULE_1__/* .isRecord */ .u4)(entry)).length;
    if (records > 0) {
        const what = (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_3__/* .pluralize */ .td)(records, 'record line is', 'record lines are');
        runner.logWarning(`The workflow artifact could not be uploaded: ${why}. Outside this runner, ${what} only in the log, in the group "${logGroup}"`);
    }
    await runner.group(logGroup, () => {
        for (const { text, places } of lines) {
            runner.info(text);
            places.add('log');
        }
        return Promise.resolve();
    });
}
async function callWithin(afterSignalMs, use, host) {
    const { clock, halt } = host;
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
        return await use({ host, signal: late.signal });
    }
    finally {
        done.abort();
    }
}


/***/ }),

/***/ 0:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  notarize: () => (/* binding */ notarize),
  runNotarize: () => (/* binding */ runNotarize),
  start: () => (/* binding */ start)
});

// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: external "node:v8"
var external_node_v8_ = __webpack_require__(8877);
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

const secretFields = ['sessionId', 'customer', 'custumer', 'latestInvoice', 'defaultPaymentMethod'];
const exemptFields = ['id', 'userId', 'planId'];
const listedFields = [
    ...secretFields,
    ...exemptFields,
    'planNickname',
    'status',
    'created',
    'currentPeriodStart',
    'currentPeriodEnd',
    'canceledAt',
];
function readSubscription(text) {
    const json = text.startsWith('{') ? text : Buffer.from(text, 'base64').toString().trim();
    const data = (0,text_json/* parseJsonObject */.dw)(json);
    return data === undefined ? null : checkSubscription(data, json);
}
function checkSubscription(parsed, json) {
    if (!listedFields.some(field => field in parsed))
        return null;
    const { custumer, ...rest } = parsed;
    let body = json;
    if (custumer !== undefined) {
        body = JSON.stringify({ ...rest, customer: parsed['customer'] ?? custumer });
    }
    return {
        id: (0,text_json/* textOf */.b6)(parsed['id']),
        json: body,
        secrets: secretFields.flatMap(field => textsIn(parsed[field])),
        exempt: exemptFields.flatMap(field => textsIn(parsed[field])),
    };
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





const policy = schemas/* enum */.k5n(['error', 'warn', 'ignore'], 'must be error, warn or ignore');
const filePath = schemas/* string */.YjP().check(api/* _regex */.Fk(/^.*[^/\\]$/, 'must be the path of one file'));
const notarizeSchema = schemas/* object */.Ikc({
    ...shared_inputs/* commonInputs */.j$,
    apiKey: schemas/* prefault */.SdS(shared_inputs/* secretLine */.dT, ''),
    subscription: schemas/* prefault */.SdS(schemas/* string */.YjP(), ''),
    ifNoFilesFound: schemas/* prefault */.SdS(policy, 'error'),
    recordsPath: schemas/* prefault */.SdS(filePath, names/* recordsName */.Sv),
    maxRegistrations: schemas/* prefault */.SdS(shared_inputs/* wholeNumber */.rD(0, 10_000_000), '100'),
    concurrency: schemas/* prefault */.SdS(shared_inputs/* wholeNumber */.rD(1, 64), '4'),
    maxAttempts: schemas/* prefault */.SdS(shared_inputs/* wholeNumber */.rD(1, 20), '7'),
    timeoutSeconds: schemas/* prefault */.SdS(shared_inputs/* wholeNumber */.rD(1, 600), '60'),
    dryRun: schemas/* prefault */.SdS(shared_inputs/* boolean */.zM, 'false'),
    requestRegistration: shared_inputs/* optional */.lq(shared_inputs/* boolean */.zM),
    description: schemas/* prefault */.SdS(schemas/* string */.YjP(), '{artifact} of {repository} at {ref}'),
    verificationUrl: shared_inputs/* optional */.lq(shared_inputs/* verificationUrl */.Pw),
    confirmedHashes: schemas/* prefault */.SdS(shared_inputs/* hashes */.RY, 'none'),
    keepRecords: schemas/* prefault */.SdS(shared_inputs/* boolean */.zM, 'true'),
    earlierReleases: schemas/* prefault */.SdS(shared_inputs/* boolean */.zM, 'false'),
});
const severalLines = 'input "subscription" has several lines, and the runner masks each of them everywhere in the log, even a single brace; store it on one line or as base64';
function readInputs(rawInputs) {
    const { inputs, keys, ...parsed } = shared_inputs/* parseInputs */.TL(notarizeSchema, rawInputs);
    const { subscription, baseUrl } = inputs;
    const hasData = subscription !== '' && subscription !== 'active';
    const data = hasData ? readSubscription(subscription) : null;
    const { secrets: details = [], exempt = [] } = data ?? {};
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
    const warnings = data !== null && /[\r\n]/.test(subscription) ? [severalLines] : [];
    return { inputs: complete, problems, warnings, keys, details, exempt };
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

// EXTERNAL MODULE: ./keep/keep.js
var keep = __webpack_require__(510);
// EXTERNAL MODULE: ./runtime/guard.js
var guard = __webpack_require__(1503);
// EXTERNAL MODULE: ./text/escape.js
var text_escape = __webpack_require__(8146);
;// CONCATENATED MODULE: ./keep/workflow-artifacts.js




const workflowArtifacts = {
    keep: (files, call) => useLibrary('Keep the records as a workflow artifact', ({ keep }) => keep(files, call), call),
    find: call => useLibrary('Find the records of earlier attempts', ({ find }) => find(call), call),
};
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

// EXTERNAL MODULE: ./outcome.js
var outcome_0 = __webpack_require__(1949);
// EXTERNAL MODULE: ./plan.js
var plan_0 = __webpack_require__(6894);
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
;// CONCATENATED MODULE: ./records/disk.js



const systemDisk = {
    read: path => {
        if (!(0,external_node_fs_.statSync)(path).isFile())
            throw new Error('it is not a regular file');
        return (0,external_node_fs_.readFileSync)(path);
    },
    append: (path, data) => {
        createFolder((0,external_node_path_.dirname)(path));
        (0,external_node_fs_.appendFileSync)(path, data, { flush: true });
    },
    truncate: external_node_fs_.truncateSync,
    makeFolder: folder => {
        createFolder(folder);
        return (0,external_node_fs_.mkdtempSync)((0,external_node_path_.resolve)(folder, 'notarization-'));
    },
    write: external_node_fs_.writeFileSync,
};
function createFolder(path) {
    if ((0,external_node_fs_.existsSync)(path) || (0,external_node_path_.dirname)(path) === path)
        return;
    createFolder((0,external_node_path_.dirname)(path));
    (0,external_node_fs_.mkdirSync)(path);
}

// EXTERNAL MODULE: external "node:assert"
var external_node_assert_ = __webpack_require__(4589);
// EXTERNAL MODULE: ./runtime/environment.js
var runtime_environment = __webpack_require__(5107);
// EXTERNAL MODULE: ./records/lines.js
var records_lines = __webpack_require__(3243);
;// CONCATENATED MODULE: ./records/ledger.js







const wrongPath = /EISDIR|ENOTDIR|ENOENT|EEXIST|ELOOP|ENAMETOOLONG/;
class Ledger {
    problems;
    warnings;
    service;
    source;
    #host;
    #query;
    #lines = new Map();
    #byHash = new Map();
    #own = [];
    #bytes;
    #whole;
    #hasFailed = false;
    constructor(query, host) {
        const { path, name, others, service, source } = query;
        this.service = service;
        this.source = runtime_environment/* sourceSchema */.dr.parse(host.secrets.redactJson({ ...source }));
        this.#host = host;
        this.#query = query;
        const problems = [];
        let bytes = Buffer.alloc(0);
        try {
            bytes = host.disk.read(path);
        }
        catch (error) {
            if ((0,failure_0/* errorCode */.CA)(error) !== 'ENOENT')
                problems.push(unusableFile('read', error, query));
        }
        this.#bytes = bytes;
        this.#whole = (0,records_lines/* withoutIncompleteLine */.tI)(bytes);
        const isEarlier = ({ input }) => input === 'earlier-releases';
        const file = { name, bytes, input: 'records-path' };
        const reading = (0,records_lines/* readRecords */.T3)([file, ...others.filter(found => !isEarlier(found))]);
        const earlier = (0,records_lines/* readRecords */.T3)(others.filter(isEarlier));
        for (const line of reading.lines.values())
            this.#add(line);
        this.#adopt([...earlier.lines.values()]);
        this.problems = [...problems, ...reading.problems, ...earlier.problems];
        this.warnings = [...reading.warnings, ...earlier.warnings];
    }
    get lines() {
        return [...this.#lines.values()].filter(({ places }) => places.size > 0);
    }
    get linesOfRun() {
        return this.lines.filter(({ entry }) => entry.source.runId === this.source.runId);
    }
    outcomeOf(hash) {
        return assess(this.#byHash.get(hash) ?? []);
    }
    recordOf(hash) {
        const [entry] = (0,records_lines/* findRecords */.gP)(this.#byHash.get(hash) ?? []);
        external_node_assert_(entry !== undefined, 'a registered hash has a record');
        return entry;
    }
    get charges() {
        return countLines(this.#own);
    }
    get runCharges() {
        return countLines(this.linesOfRun);
    }
    confirm(artifacts, hashes) {
        for (const artifact of artifacts.toSorted((a, b) => (0,names/* compareCodeUnits */.UF)(a.name, b.name))) {
            const { hash } = artifact;
            if (!hashes.has(hash) || this.outcomeOf(hash).state === 'registered')
                continue;
            const description = 'Confirmed by a person after a look-up; not a response of the service';
            const record = { hash, description, status: 'registered', custody: false, signed: false };
            this.#add(makeLine({ ...this.#headOf(artifact), record, confirmed: true }));
        }
    }
    open(hasWork) {
        const lacking = [...this.#lines.values()].filter(({ places }) => !places.has('file'));
        const { length } = this.#whole;
        const isCut = length < this.#bytes.length;
        const newline = this.#whole.lastIndexOf('\n') + 1 < length ? '\n' : '';
        if (!hasWork && !isCut && newline === '' && lacking.length === 0)
            return;
        try {
            if (isCut)
                this.#host.disk.truncate(this.#query.path, length);
            this.#append(lacking, newline);
        }
        catch (error) {
            throw new failure_0/* Stop */.VG(unusableFile('written', error, this.#query));
        }
    }
    saveRecord(artifact, response) {
        const { hash, status, custody, signed } = response;
        const clean = this.#host.secrets.redactJson(response);
        const record = { ...clean, hash, status, custody, signed };
        this.#save({ ...this.#headOf(artifact), record });
        const outcome = this.outcomeOf(artifact.hash);
        external_node_assert_(outcome.state === 'registered', 'a hash with a record is registered');
        return { ...outcome, from: 'this-run' };
    }
    saveDoubt(artifact, { observed, said, response }) {
        const { secrets } = this.#host;
        const why = secrets.redactLine(observed + said);
        const redacted = response && secrets.redactJson(response);
        this.#save({ ...this.#headOf(artifact), state: 'unknown', why, response: redacted });
    }
    #adopt(earlier) {
        for (const { text } of earlier)
            this.#lines.get(text)?.places.add('release');
        const ofService = earlier.filter(({ entry }) => entry.service === this.service);
        ofService.sort((a, b) => (0,names/* compareCodeUnits */.UF)(a.entry.at, b.entry.at));
        for (const [hash, lines] of Map.groupBy(ofService, ({ entry }) => entry.hash)) {
            if (this.outcomeOf(hash).state === 'registered')
                continue;
            const oldest = lines.find(({ entry }) => (0,records_lines/* isRecord */.u4)(entry));
            const needed = oldest === undefined ? lines : [oldest];
            for (const line of needed)
                if (!this.#lines.has(line.text))
                    this.#add(line);
        }
    }
    #append(lines, before = '') {
        const bytes = Buffer.from(before + lines.map(({ text }) => `${text}\n`).join(''));
        this.#host.disk.append(this.#query.path, bytes);
        for (const { places } of lines)
            places.add('file');
    }
    #save(entry) {
        const { halt, runner } = this.#host;
        const line = makeLine(entry);
        this.#add(line);
        this.#own.push(line);
        try {
            if (this.#hasFailed)
                throw new Error('an earlier line could not be saved');
            this.#append([line]);
        }
        catch (error) {
            this.#hasFailed = true;
            const why = (0,failure_0/* describeError */.Uc)(error);
            const observed = `"${(0,text_escape/* quote */.hD)(this.#query.name)}": ${why}`;
            halt.end(new failure_0/* Failure */.HR('not-tried', 'not-saved', { observed }));
            line.places.add('log');
            runner.info(`A line could not be saved (${why}):`);
            runner.info(line.text);
        }
    }
    #add(line) {
        const { text, entry } = line;
        this.#lines.set(text, line);
        if (entry.service !== this.service)
            return;
        const known = this.#byHash.get(entry.hash);
        if (known === undefined)
            this.#byHash.set(entry.hash, [entry]);
        else
            known.push(entry);
    }
    #headOf({ name: artifact, size, hash }) {
        const at = new Date(this.#host.clock.now()).toISOString();
        return { artifact, size, hash, service: this.service, at, source: this.source };
    }
}
function makeLine(entry) {
    return { text: (0,records_lines/* formatLine */.IL)(entry), entry, places: new Set() };
}
function assess(entries) {
    const timesOf = (found) => [...new Set(found.map(({ at }) => at))].sort();
    const doubts = timesOf(entries.filter(entry => !(0,records_lines/* isRecord */.u4)(entry)));
    const [firstDoubtAt, secondDoubtAt] = doubts;
    const records = (0,records_lines/* findRecords */.gP)(entries);
    const [entry] = records;
    if (entry === undefined)
        return { state: 'planned', lastDoubtAt: doubts.at(-1) ?? null };
    const { record, confirmed: isConfirmed = false } = entry;
    const [, recordAt] = isConfirmed ? [] : timesOf(records);
    const doubtAt = isConfirmed ? secondDoubtAt : firstDoubtAt;
    let otherCharge = null;
    if (recordAt !== undefined)
        otherCharge = { isDoubt: false, at: recordAt };
    if (doubtAt !== undefined)
        otherCharge = { isDoubt: true, at: doubtAt };
    return { state: 'registered', from: 'records-file', record, otherCharge, isConfirmed };
}
function countLines(lines) {
    const charged = lines.filter(({ entry }) => !(0,records_lines/* isRecord */.u4)(entry) || !entry.confirmed);
    return { least: charged.filter(({ entry }) => (0,records_lines/* isRecord */.u4)(entry)).length, most: charged.length };
}
function unusableFile(verb, error, { name, path }) {
    const text = `"${(0,text_escape/* quote */.hD)(name)}" cannot be ${verb}: ${(0,failure_0/* describeError */.Uc)(error)}`;
    const file = `"${(0,text_escape/* quote */.hD)(path)}"`;
    const code = (0,failure_0/* errorCode */.CA)(error);
    if (code !== null && !wrongPath.test(code)) {
        const next = `make sure that the user of the runner can read and write ${file}, and that the disk is not full`;
        return (0,failure_0/* problemAt */.l4)('records-path', text, { next, needs: 'nothing' });
    }
    let next = `change "records-path", because ${file} cannot be a file`;
    if (name === names/* recordsName */.Sv)
        next = `remove what is at ${file}`;
    return (0,failure_0/* problemAt */.l4)('records-path', text, { next });
}

// EXTERNAL MODULE: ./text/verification-url.js
var verification_url = __webpack_require__(6318);
// EXTERNAL MODULE: ./text/phrases.js
var phrases = __webpack_require__(7999);
// EXTERNAL MODULE: ./records/record.js
var records_record = __webpack_require__(5523);
;// CONCATENATED MODULE: ./records/evidence.js





const maxListsLength = 117_500;
function renderEvidence(items) {
    const lines = listChecksums(items);
    const checksums = joinFitting(lines, lines.length, maxListsLength / 3);
    const left = maxListsLength - checksums.length;
    const registrations = joinFitting(items.values().map(formatEntry), items.length, left);
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

If the release has attestations, GitHub CLI 2.67 or newer shows who notarized a file, and its record. Take the names of
the repository, the workflow and its ref (refs/tags/TAG, or refs/heads/BRANCH if it ran later) from a source that you
trust, not from this page.

\`gh attestation verify FILE --repo OWNER/REPO --limit 1000 --predicate-type https://github.com/OWNER/REPO/notarization/v1 --cert-identity https://github.com/OWNER/REPO/.github/workflows/WORKFLOW@REF\`

## Registrations

${registrations}`;
}
function joinFitting(texts, count, maxLength) {
    const shown = (0,phrases/* takeFitting */.hW)(texts, maxLength, text => text.length);
    const more = count - shown.length;
    return shown.join('') + (more === 0 ? '' : `… and ${more} more, in the records file\n`);
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
    const bytes = size === null ? 'size unknown: only its checksum was read' : (0,phrases/* pluralize */.td)(size, 'byte');
    const lines = [
        linkedSpan(hash, item.verificationUrl),
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
    if (confirmed) {
        const time = span((0,phrases/* formatTime */.fU)(Date.parse(at)));
        const what = 'a person looked up this SHA-256 at the service and found it registered';
        return [`- Confirmed at ${time} (UTC): ${what}. This entry is not a response from the service.`];
    }
    const { userId, paymentId, creationDate, blockchainType, txId, txHash } = record;
    const { time, blockchain, transaction } = (0,records_record/* describeFields */.V)(record);
    return [
        `- Time (UTC), by the clock of the service: ${spanField(creationDate, time)}`,
        `- Account at the service: ${spanField(userId)}`,
        `- Payment: ${spanField(paymentId)}`,
        `- Blockchain: ${spanField(blockchainType, blockchain)}`,
        `- Transaction: ${spanField(txId ?? txHash, transaction)}`,
    ];
}
function formatSource({ ref, sha, commitUrl, runId, runUrl }) {
    const lines = [];
    const tag = /^refs\/tags\/(.*)$/s.exec(ref ?? '')?.[1];
    if (tag !== undefined)
        lines.push(`- Tag: ${span(tag)}`);
    else if (ref !== null)
        lines.push(`- Ref: ${span(ref)}`);
    if (sha !== null)
        lines.push(`- Commit: ${linkedSpan(sha, commitUrl)}`);
    if (runId !== null)
        lines.push(`- Run: ${linkedSpan(runId, runUrl)}`);
    return lines;
}
function spanField(value, text = (0,text_json/* textOf */.b6)(value) ?? '') {
    if (text.trim() !== '')
        return span(text);
    return (value ?? '') === '' ? 'not given by the service' : '–';
}
function span(text) {
    return `\`${(0,text_escape/* quote */.hD)(text).replaceAll('`', '\\u0060')}\``;
}
function linkedSpan(text, url) {
    const parsed = URL.parse(url ?? '');
    if (parsed === null || !/^https?:$/.test(parsed.protocol))
        return span(text);
    const address = parsed.href.replace(/[`\\]/g, encodeURIComponent);
    return `[${span(text)}](<${address}>)`;
}

;// CONCATENATED MODULE: ./records/proofs.js






const maxPredicateBytes = 16_000_000;
const noPaths = { 'checksums-path': '', 'predicate-path': '', 'evidence-path': '' };
function writeProofs(run, { disk, runner, secrets }) {
    const { artifacts, ledger, folder, inputs } = run;
    const { dryRun: isDryRun, verificationUrl: template } = inputs;
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
    const registered = artifacts.filter(outcome_0/* isRegistered */.zN);
    const listed = isDryRun ? artifacts.filter(outcome_0/* isHashed */.Sc) : registered;
    const checksums = listed.map(names/* formatChecksum */.rH).join('');
    const checksumsPath = write('notarization-checksums.txt', checksums);
    if (isDryRun || registered.length === 0)
        return { ...noPaths, 'checksums-path': checksumsPath };
    const items = registered.map(({ name, size, hash, outcome: { record, otherCharge } }) => {
        const entry = { ...ledger.recordOf(hash), record };
        const verificationUrl = (0,verification_url/* fillVerificationUrl */.U)(template, { hash, record });
        return { name, size, hash, entry, verificationUrl, maybeChargedAgain: otherCharge !== null };
    });
    let predicate = renderPredicate(items, ledger);
    if (Buffer.byteLength(predicate) > maxPredicateBytes) {
        predicate = '';
        runner.warning('The output "predicate-path" is empty, because the predicate would exceed 16,000,000 bytes');
    }
    return {
        'checksums-path': checksumsPath,
        'predicate-path': write('notarization-predicate.json', predicate),
        'evidence-path': write(names/* evidenceName */.Xc, secrets.redactText(renderEvidence(items))),
    };
}
function renderPredicate(items, { service, source }) {
    const records = items.map(({ name: artifact, size, hash, entry, verificationUrl }) => {
        const { at, record, confirmed } = entry;
        return { artifact, size, hash, at, record, confirmed, verificationUrl };
    });
    return `${JSON.stringify({ service, source, records })}\n`;
}

;// CONCATENATED MODULE: ./service/retry.js
const maxRetryAfterMs = 60_000;
const httpDate = /^[A-Z][a-z]+, \d\d[ -][A-Z][a-z]{2}[ -](?:\d\d){1,2} \d\d:\d\d:\d\d GMT$/;
function isRetryableStatus(status) {
    return [408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524].includes(status);
}
function findPauseMs(reply) {
    if (reply.kind !== 'response') {
        const isPassing = ['unreachable', 'proxy', 'lost'].includes(reply.kind);
        return isPassing && reply.reason !== 'protocol' ? 0 : null;
    }
    const retryAfterMs = reply.retryAfterMs ?? 0;
    const isPassing = reply.body !== null && isRetryableStatus(reply.status);
    return isPassing && retryAfterMs <= maxRetryAfterMs ? retryAfterMs : null;
}
function findWaitMs(attempts, retryAfterMs, random) {
    return Math.max(retryAfterMs, random * Math.min(30_000, 1000 * 2 ** (attempts - 1)));
}
function parseRetryAfter(value, nowMs) {
    if (/^\d+$/.test(value))
        return Math.min(Number(value) * 1000, Number.MAX_SAFE_INTEGER);
    const dateMs = parseHttpDate(value);
    return dateMs === null ? null : Math.max(0, dateMs - nowMs);
}
function parseHttpDate(value) {
    const dateMs = httpDate.test(value) ? Date.parse(value) : NaN;
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
        401: 'forbidden',
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
    refusals: { 401: 'forbidden', 402: 'unpaid', 403: 'forbidden', other: 'request-rejected' },
};
const retrieval = {
    name: 'the look-up of the active subscription',
    path: '/api/v2/payment/subscription/active',
    ...forSubscription,
    refusedCode: 'refused',
    refusals: { 401: 'forbidden', 403: 'forbidden', other: 'no-subscription' },
};
function readReply(operation, reply, secrets) {
    const isResponse = reply.kind === 'response';
    const status = isResponse ? reply.status : null;
    const body = (isResponse ? reply.body : null) ?? '';
    const isGood = status !== null && status >= 200 && status < 300;
    const object = (isGood ? (0,text_json/* parseJsonObject */.dw)(body) : undefined) ?? null;
    const result = object && operation.read(object, body);
    if (result !== null)
        return result;
    const [code, reason, observed] = isResponse
        ? explainResponse(operation, reply, object)
        : explainNone(operation.name, reply);
    const isOfLogin = operation === login;
    const isOfCompletion = operation === completion;
    return new failure_0/* Failure */.HR(code, reason, {
        observed,
        said: (0,text_escape/* quoteSaid */._p)(isOfLogin ? null : readSaid(body), text => secrets.redactText(text)),
        mayHaveActed: isOfCompletion && mayHaveArrived(reply),
        status,
        response: isOfCompletion ? object : null,
        isOfLogin,
    });
}
function mayHaveArrived(reply) {
    if (reply.kind !== 'response')
        return reply.kind === 'lost' || reply.kind === 'canceled';
    const { status, retryAfterMs } = reply;
    return (status < 400 || status >= 500) && (status !== 503 || retryAfterMs === null);
}
function explainNone(name, { kind, reason, detail }) {
    if (kind === 'canceled')
        return ['cancelled', kind, `${name} got no response before the run was canceled`];
    if (kind === 'lost') {
        const code = reason === 'protocol' ? 'invalid-response' : 'unavailable';
        return [code, reason ?? 'unavailable', `${name} got ${detail}`];
    }
    return ['unavailable', kind, kind === 'unreachable' ? `${name} was not sent: ${detail}` : detail];
}
function explainResponse(operation, { status, body, retryAfterMs }, object) {
    const kind = Math.floor(status / 100);
    const unexpected = operation === login ? 'not-the-service' : 'unexpected-response';
    let observed = `${operation.name} returned HTTP ${status}`;
    if (kind === 3)
        return ['invalid-response', 'not-the-service', observed];
    if (body === null && status !== 409)
        return ['invalid-response', unexpected, `${observed} and a body over 1 MiB`];
    const waitMs = retryAfterMs ?? 0;
    const isLong = waitMs > maxRetryAfterMs;
    if (isLong)
        observed += `, asking to wait ${(0,phrases/* formatDuration */.a3)(waitMs / 1000)}`;
    if (isRetryableStatus(status) || kind === 5) {
        return ['unavailable', isLong || status === 429 ? 'rate-limit' : 'unavailable', observed];
    }
    if (kind === 4) {
        const meant = operation.refusals[status] ?? operation.refusals.other ?? 'not-the-service';
        let code = operation.refusedCode;
        if (status === 401)
            code = 'login-refused';
        if (meant === 'not-the-service')
            code = 'invalid-response';
        const isOfFront = meant !== 'not-the-service' && status !== 409 && /^\s*<[a-z!?]/i.test(body ?? '');
        return [code, isOfFront ? 'blocked' : meant, observed];
    }
    if (object !== null) {
        return ['invalid-response', operation.lacking, `${observed} and no ${operation.asksFor}`];
    }
    return ['invalid-response', unexpected, `${observed} and a body that is not a JSON object`];
}
function findMismatch(record, request, secrets) {
    const problems = (0,records_record/* checkRecord */.E)(record, request);
    if (problems.length === 0)
        return null;
    const { hash, status } = record;
    const isSameHash = (0,text_json/* textOf */.b6)(hash)?.toLowerCase() === request.hash;
    const isPending = isSameHash && typeof status === 'string' && status !== 'registered';
    const redact = (text) => secrets.redactText(text);
    return new failure_0/* Failure */.HR('record-mismatch', isPending ? 'not-yet-registered' : 'record-mismatch', {
        observed: redact(problems.join(', ')),
        said: (0,text_escape/* quoteSaid */._p)(saidIn(record), redact),
        mayHaveActed: true,
        response: record,
    });
}
const notPlainText = /<[a-z!?/]|^\s*(?:[{["]|null\s*$)|[\0\ufffd]/i;
function readSaid(body) {
    if (!notPlainText.test(body))
        return body;
    return saidIn((0,text_json/* parseJsonObject */.dw)(body) ?? {});
}
function saidIn({ message, error }) {
    return [message, error].find(value => typeof value === 'string' && value !== '');
}

;// CONCATENATED MODULE: ./service/client.js





function connectToService({ clock, halt, random, runner, secrets }, transmit, inputs) {
    const { baseUrl, apiKey, maxAttempts } = inputs;
    let latest = null;
    let pauseEndMs = 0;
    const call = async (operation, body = null, artifact = null) => {
        const path = artifact ? operation.path.replace('{hash}', artifact.hash) : operation.path;
        const url = new URL(baseUrl + path);
        let seen = null;
        for (let attempts = 1;; attempts++) {
            const sent = operation === login ? send({ url, body, token: null }) : sendWithToken(url, body);
            const reply = await sent.catch((error) => {
                const failure = failure_0/* Failure */.HR.orRethrow(error);
                throw seen ?? failure;
            });
            const result = readReply(operation, reply, secrets);
            if (!(result instanceof failure_0/* Failure */.HR))
                return result;
            const { code, observed, said, mayHaveActed } = result;
            const after = attempts > 1 ? `after ${attempts} attempts, ` : '';
            seen = result.with({ observed: after + observed });
            const pauseMs = findPauseMs(reply);
            pauseEndMs = Math.max(pauseEndMs, clock.monotonic() + (pauseMs ?? 0));
            const isLast = mayHaveActed || pauseMs === null || attempts === maxAttempts;
            if (isLast || halt.reason !== null) {
                if (operation === login || code === 'login-refused')
                    halt.end(seen);
                throw seen;
            }
            const waitMs = findWaitMs(attempts, pauseMs, random());
            const who = artifact === null ? '' : `"${(0,text_escape/* quote */.hD)(artifact.name)}": `;
            const which = `attempt ${attempts} of ${maxAttempts}`;
            const next = `retrying in ${(0,phrases/* formatDuration */.a3)(waitMs / 1000)}`;
            runner.info(`${who}${observed}${said} (${which}); ${next}`);
            await clock.sleep(waitMs, halt.ended);
        }
    };
    async function sendWithToken(url, body) {
        for (;;) {
            latest ??= { token: requestToken(), isRenewable: true };
            const used = latest;
            const reply = await send({ url, body, token: await used.token });
            if (reply.kind !== 'response')
                return reply;
            const { status } = reply;
            if (status !== 401 && !isRetryableStatus(status))
                used.isRenewable = true;
            if (status !== 401 || !used.isRenewable)
                return reply;
            if (latest === used)
                latest = { token: requestToken(), isRenewable: false };
        }
    }
    async function requestToken() {
        const token = await call(login, JSON.stringify({ apiKey }));
        secrets.add([token]);
        return token;
    }
    async function send(request) {
        while (halt.reason === null && clock.monotonic() < pauseEndMs) {
            await clock.sleep(pauseEndMs - clock.monotonic(), halt.ended);
        }
        if (halt.reason !== null)
            throw halt.reason;
        return transmit(request, halt.callsEnded);
    }
    async function complete(artifact, payer) {
        const { subscription, refusal } = payer;
        try {
            const record = await call(completion, subscription.json, artifact);
            const request = { hash: artifact.hash, paymentId: subscription.id };
            const mismatch = findMismatch(record, request, secrets);
            if (mismatch !== null)
                throw mismatch;
            return record;
        }
        catch (error) {
            const failure = failure_0/* Failure */.HR.orRethrow(error);
            if (refusal === null)
                throw failure;
            if (failure.isOfRun)
                throw refusal.status === 409 ? failure : refusal;
            if (failure.code !== 'refused')
                throw failure;
            const { code, status } = refusal;
            if (status === 409)
                throw failure.with({ code });
            if (failure.status === 404)
                throw refusal.followedBy(failure);
            throw failure.followedBy(refusal).with({ code });
        }
    }
    return { call, complete };
}

;// CONCATENATED MODULE: ./service/payers.js


function preparePayers(call, { halt, secrets }, inputs) {
    const { payment, requestRegistration, description } = inputs;
    let active = null;
    async function obtainPayer(artifact, source) {
        const given = payment === 'active' ? await obtainActive() : payment;
        if (given !== null && !requestRegistration)
            return { subscription: given, refusal: null };
        const { hash, name } = artifact;
        const body = JSON.stringify({
            blockchainType: 'ALGORAND',
            custody: 'false',
            description: fillDescription(description, { ...source, artifact: name }),
            hash,
            signed: 'false',
            status: 'not_registered',
        });
        try {
            const offered = mask(await call(request, body, artifact));
            return { subscription: given ?? offered, refusal: null };
        }
        catch (error) {
            const refusal = failure_0/* Failure */.HR.orRethrow(error);
            const { code, reason, status } = refusal;
            if (given !== null && reason === 'no-subscription')
                return { subscription: given, refusal: null };
            if (code !== 'request-refused' || status === 402 || status === 403)
                throw refusal;
            return { subscription: given ?? (await obtainActive(refusal)), refusal };
        }
    }
    async function obtainActive(refusal = null) {
        active ??= call(retrieval).then(mask);
        try {
            return await active;
        }
        catch (error) {
            const failure = failure_0/* Failure */.HR.orRethrow(error);
            if (refusal === null)
                halt.end(failure);
            if (refusal === null || failure.code === 'login-refused')
                throw failure;
            if (failure.isOfRun)
                throw refusal.status === 409 ? failure : refusal;
            if (refusal.status === 409)
                throw failure.with({ code: refusal.code });
            throw refusal.followedBy(failure);
        }
    }
    function mask(subscription) {
        secrets.addDetails(subscription.secrets);
        secrets.maskDetails(subscription.exempt);
        return subscription;
    }
    return obtainPayer;
}
function fillDescription(template, values) {
    const placeholder = /\{(artifact|repository|ref)\}/g;
    const filled = template.replace(placeholder, (_, name) => values[name] ?? '');
    const start = filled.replace(/\p{Cc}/gu, '').slice(0, 500);
    return start.replace(/[\ud800-\udbff]$/, '').toWellFormed();
}

// EXTERNAL MODULE: ./service/proxy.js
var proxy = __webpack_require__(2293);
;// CONCATENATED MODULE: ./register/register.js





async function register(artifacts, { inputs, ledger }, host) {
    const { environment, halt, runner } = host;
    const planned = artifacts.filter(outcome_0/* isPlanned */.H9);
    if (planned.length > 0) {
        const { artifactService, attempt, proxies } = environment;
        (0,proxy/* checkProxy */.d)(inputs.baseUrl, proxies);
        if (inputs.keepRecords && artifactService !== null)
            (0,proxy/* checkProxy */.d)(artifactService, proxies);
        if (inputs.keepRecords && artifactService === null && attempt > 1) {
            const text = 'This server has no artifact service, so records of earlier attempts are only in their logs. What they registered and the records file lacks is charged again';
            runner.warning(text, 'records.md#where-it-is-kept');
        }
    }
    ledger.open(planned.length > 0);
    const transmit = host.createTransport(inputs.timeoutSeconds * 1000);
    const { call, complete } = connectToService(host, transmit, inputs);
    const obtainPayer = preparePayers(call, host, inputs);
    const trust = new Trust();
    const registerOne = async (artifact) => {
        const { lastDoubtAt } = artifact.outcome;
        let payer = null;
        try {
            payer = await obtainPayer(artifact, ledger.source);
            const registered = ledger.saveRecord(artifact, await complete(artifact, payer));
            trust.earn();
            return registered;
        }
        catch (error) {
            const bug = (0,failure_0/* bugFailure */.fT)(error).with({ mayHaveActed: payer !== null });
            const failure = error instanceof failure_0/* Failure */.HR ? error : bug;
            if (failure.mayHaveActed)
                ledger.saveDoubt(artifact, failure);
            if (failure === bug)
                halt.noteBug(error);
            else if (trust.lose(failure))
                halt.end(new failure_0/* Failure */.HR('not-tried', failure.reason));
            return (0,outcome_0/* failed */.gz)(failure, lastDoubtAt);
        }
    };
    const firsts = (0,outcome_0/* onePerHash */.cE)(planned);
    const queue = [...firsts.filter(first => !(0,outcome_0/* isInDoubt */.cd)(first)), ...firsts.filter(outcome_0/* isInDoubt */.cd)];
    const outcomes = new Map();
    const work = async (isDone) => {
        try {
            while (!isDone()) {
                const artifact = queue.shift();
                if (artifact === undefined)
                    return;
                outcomes.set(artifact.hash, await registerOne(artifact));
            }
        }
        catch (error) {
            halt.noteBug(error);
        }
    };
    await work(() => trust.isEarned);
    await Promise.all(Array.from({ length: inputs.concurrency }, () => work(() => false)));
    const bug = halt.bug ?? (0,failure_0/* bugFailure */.fT)(new Error('a registration did not end'));
    const unfinished = (0,outcome_0/* failed */.gz)(bug.with({ mayHaveActed: true }));
    return artifacts.map(artifact => {
        if (!(0,outcome_0/* isPlanned */.H9)(artifact))
            return artifact;
        return { ...artifact, outcome: outcomes.get(artifact.hash) ?? unfinished };
    });
}
const maxFailures = 5;
const maxFailuresAtFirst = 3;
class Trust {
    isEarned = false;
    #failures = 0;
    earn() {
        this.isEarned = true;
        this.#failures = 0;
    }
    lose({ code, status, mayHaveActed }) {
        const isOfAccount = status === 402 || status === 403;
        const isOfService = mayHaveActed || code === 'unavailable' || code === 'invalid-response';
        if (!isOfAccount && !isOfService)
            return false;
        this.#failures += 1;
        if (this.isEarned)
            return this.#failures >= maxFailures;
        return mayHaveActed || this.#failures >= maxFailuresAtFirst;
    }
}

// EXTERNAL MODULE: ./release/octokit.js
var octokit = __webpack_require__(5642);
// EXTERNAL MODULE: ./release/release.js
var release_release = __webpack_require__(4030);
;// CONCATENATED MODULE: ./release/earlier-releases.js








const maxReleases = 20;
const maxRecordsBytes = 64 * 1024 * 1024;
const earlierInput = 'earlier-releases';
const instead = `set "${earlierInput}" to false`;
const ofGitHub = Object.entries(octokit/* releaseRemedies */.oQ).map(([reason, remedy]) => {
    return [reason, { ...remedy, hint: `otherwise, ${instead}` }];
});
const remedies = { ...Object.fromEntries(ofGitHub), 'asset-changed': records_lines/* waysOfInput */.QV[earlierInput] };
const listedSchema = schemas/* discriminatedUnion */.gMt('draft', [
    schemas/* object */.Ikc({ draft: schemas/* literal */.euz(true) }),
    schemas/* object */.Ikc({
        draft: schemas/* literal */.euz(false),
        tag_name: schemas/* string */.YjP(),
        published_at: schemas/* string */.YjP(),
        assets: schemas/* array */.YOg(release_release/* assetSchema */.wD),
    }),
]);
async function readEarlierRecords(hashes, { earlierReleases, releaseTag, githubToken }, host) {
    if (!earlierReleases)
        return [];
    const query = { input: earlierInput, what: 'the list of releases', remedies, githubToken };
    return (0,release_release/* readFromGitHub */.AQ)(query, host, async (reader) => {
        const listed = await reader.list(listedSchema, 'releases', { per_page: 25, maxItems: 100 });
        const published = listed.filter(release => !release.draft);
        published.sort((a, b) => (0,names/* compareCodeUnits */.UF)(b.published_at, a.published_at));
        const others = published.filter(({ tag_name }) => tag_name !== releaseTag);
        const releases = others.map(({ tag_name: tag, assets }) => {
            const records = assets.filter(({ hasRecords }) => hasRecords);
            return { tag, records: records.map(asset => ({ ...asset, tag })) };
        });
        const newest = releases.filter(({ records }) => records.length > 0).slice(0, maxReleases);
        const without = releases.filter(({ records }) => records.length === 0);
        const tags = without.map(({ tag }) => tag);
        host.runner.info(`Releases without records: ${(0,phrases/* joinFirst */.FS)(tags, maxReleases) || 'none'}`);
        const assets = newest.toReversed().flatMap(({ records }) => records);
        const unique = [...new Map(assets.map(asset => [asset.hash ?? asset.id, asset])).values()];
        if (unique.reduce((bytes, { size }) => bytes + size, 0) > maxRecordsBytes) {
            const text = `the records of ${(0,phrases/* pluralize */.td)(newest.length, 'earlier release')} exceed 64 MiB together`;
            throw new failure_0/* Stop */.VG((0,failure_0/* problemAt */.l4)(earlierInput, text, { next: instead }));
        }
        return Array.fromAsync(unique, async (asset) => {
            const name = `${asset.name} of the release ${asset.tag}`;
            const bytes = await reader.read(asset).catch((error) => {
                throw (0,release_release/* toStop */.Eb)(error, { ...query, what: `"${(0,text_escape/* quote */.hD)(name)}"` });
            });
            return { name, bytes: selectLines(bytes, hashes), input: earlierInput };
        });
    });
}
function selectLines(bytes, hashes) {
    const lines = bytes.toString('latin1').split(/(?<=\n)/);
    const selected = lines.map(line => {
        const found = line.matchAll(/[0-9a-f]{64}/gi);
        return found.some(([digits]) => hashes.has(digits.toLowerCase())) ? line : '\n';
    });
    return Buffer.from(selected.join(''), 'latin1');
}

// EXTERNAL MODULE: ./report/report.js
var report = __webpack_require__(4156);
;// CONCATENATED MODULE: ./report/run-again.js





function formatRange(least, most, noun) {
    if (most === 0)
        return `no ${noun}s`;
    if (least === most)
        return (0,phrases/* pluralize */.td)(most, noun);
    return `${least} ${most === least + 1 ? 'or' : 'to'} ${(0,phrases/* pluralize */.td)(most, noun)}`;
}
const givenFrom = {
    none: '',
    release: '',
    'workflow-artifact': ' with these records',
    log: ' with the saved lines',
    file: ' with the records file',
};
function decideWay(end, { inputs }, needsWorkflow) {
    const { artifacts, records, workflowArtifacts } = end;
    const { kind, onlyInLog } = records;
    const again = describeAgain(end);
    const failed = artifacts.filter(outcome_0/* isFailed */.Ix);
    const inDoubt = artifacts.filter(outcome_0/* isInDoubt */.cd).length;
    const isUnconfirmable = inputs.confirmedHashes === null;
    const hasOnlyConflicts = failed.length > 0 && failed.every(outcome_0/* isConflict */.dh);
    const isLost = kind === 'file' || kind === 'log' || onlyInLog > 0;
    const isPending = failed.some(({ outcome }) => outcome.failure.reason === 'not-yet-registered');
    const needsNewRun = isLost || needsWorkflow || (hasOnlyConflicts && isUnconfirmable);
    let given = inputs.dryRun ? '' : givenFrom[kind];
    if (kind !== 'log' && onlyInLog > 0)
        given += ' and the saved lines';
    else if (kind === 'log' && workflowArtifacts.length > 0)
        given += ' and the workflow artifact';
    const rerun = `re-run the failed jobs${kind === 'workflow-artifact' ? ', not all jobs' : ''}.`;
    const mayConfirm = isUnconfirmable && (inDoubt > 0 || failed.some(outcome_0/* isConflict */.dh));
    const isGiven = given !== '' && (needsNewRun || mayConfirm);
    let next = (0,phrases/* capitalize */.ZH)(rerun);
    if (needsNewRun)
        next = `Start a new run${given}, not a re-run.`;
    else if (mayConfirm)
        next = `If you confirmed a file, start a new run${given}; otherwise, ${rerun}`;
    const happened = [];
    if (needsWorkflow)
        happened.push('A re-run uses the old workflow and commit, and fails again.');
    else if (needsNewRun && !isLost)
        happened.push('A re-run ignores an input that you add now.');
    if (isGiven && kind === 'workflow-artifact') {
        let them = 'artifacts below, and merge their records files,';
        if (workflowArtifacts.length === 1)
            them = 'artifact below';
        if (workflowArtifacts.length === 0)
            them = 'artifact with the records of this run';
        happened.push(`In the new run, download the workflow ${them} before the step that notarizes.`);
    }
    let wrong = isLost && workflowArtifacts.length === 0 ? 'A re-run' : 'Re-running all jobs';
    if (isGiven)
        wrong += ', or a new run without the records,';
    const files = inDoubt === 1 ? 'file' : `${inDoubt} files`;
    if (again !== '')
        happened.push(`${wrong} would charge you ${again}.`);
    else if (!needsNewRun && kind === 'workflow-artifact') {
        const earlier = 'would charge you again for files that earlier attempts registered';
        const lost = `loses the note that the ${files} may be registered`;
        happened.push(`${wrong} ${inDoubt > 0 ? lost : earlier}.`);
    }
    if (isGiven || again !== '') {
        happened.push('Records count only for files with the same bytes, which a job that builds again usually changes.');
    }
    const docs = isGiven ? 'records.md#give-a-new-run-the-records' : undefined;
    let step = { next, happened, docs };
    if (kind === 'file') {
        const charged = `charges you ${again || 'again'}, except those in "confirmed-hashes"`;
        const answers = [
            { label: 'Yes', text: `use that copy. You are not charged ${again || 'again'}.` },
            { label: 'No', text: `the file is lost with the runner. The new run ${charged}.` },
        ];
        step = { ...step, happened: [`Did a later step save "${(0,text_escape/* quote */.hD)(inputs.recordsPath)}"?`], answers };
    }
    let warning = isPending ? 'Do not re-run yet.' : '';
    if (isLost)
        warning = 'Do not re-run.';
    return { run: needsNewRun ? 'new run' : 're-run', warning, given: needsNewRun ? given : '', step };
}
function describeAgain({ artifacts, records: { recorded } }) {
    const known = artifacts.filter(({ hash }) => recorded.has(hash ?? '')).length;
    const count = artifacts.length === 0 ? recorded.size : known;
    if (count === 0)
        return '';
    return `again for the ${count === 1 ? 'file' : `${count} files`} registered here`;
}
function forecast({ artifacts, records: { isEarlierInLogs } }) {
    const all = (0,outcome_0/* onePerHash */.cE)(artifacts.filter(artifact => !(0,outcome_0/* isRegistered */.zN)(artifact)));
    const sure = all.filter(file => file.hash !== null && !(0,outcome_0/* isInDoubt */.cd)(file) && !(0,outcome_0/* isConflict */.dh)(file));
    const least = isEarlierInLogs ? 0 : sure.length;
    return { least, most: all.length, second: all.filter(outcome_0/* isInDoubt */.cd).length };
}
function describeReal(end, { inputs }) {
    const { least, most } = forecast(end);
    let real = `a real run: ${formatRange(least, most, 'charge')}`;
    let start = `set "dry-run" to false and start a new run${givenFrom[end.records.kind]}.`;
    if ((0,plan_0/* exceedsLimit */.n1)(end.artifacts, inputs)) {
        real = 'a real run would stop';
        start = `raise "max-registrations" or correct the patterns, then ${start}`;
    }
    return { real, next: `${describeNext(end, '', null)} To notarize, ${start}` };
}
function describeNext(end, given, lookUpStep) {
    const { verdict, artifacts, records } = end;
    if (verdict === 'stopped' && artifacts.length === 0) {
        return '1 charge for each file without a record.';
    }
    const { least, most, second } = forecast(end);
    if (records.isDamaged && most > 0) {
        const all = formatRange(most, most, 'charge');
        return `${formatRange(0, most, 'charge')} once the records can be read. Without them: ${all} (${formatRange(0, most, 'second charge')}).`;
    }
    const skip = lookUpStep === null ? 'Without a look-up, ' : `If you skip step ${lookUpStep}, `;
    const upTo = second === 1 ? '1 file' : `up to ${second} files`;
    let again = `No file${records.isEarlierInLogs ? ' with a saved record' : ''} is charged a second time.`;
    if (second > 0)
        again = `${skip}${upTo} may be charged a second time.`;
    const text = `${formatRange(least, most, 'charge')}${given}. ${again}`;
    if (records.kind !== 'file' || verdict === 'dry-run')
        return text;
    const ofFile = artifacts.filter(({ hash }) => records.recorded.has(hash ?? ''));
    const lost = (0,outcome_0/* onePerHash */.cE)(ofFile).length;
    const charges = formatRange(least + lost, most + lost, 'charge');
    const seconds = formatRange(lost, second + lost, 'second charge');
    return `${text} Without that file: ${charges} (${seconds}).`;
}

// EXTERNAL MODULE: ./report/steps.js
var steps = __webpack_require__(6679);
;// CONCATENATED MODULE: ./report/judge.js








function judge(end, job) {
    const { artifacts, problems, verdict } = end;
    const { host } = job;
    const failed = verdict === 'stopped' ? [] : artifacts.filter(outcome_0/* isFailed */.Ix);
    const isLost = end.records.onlyInLog > 0 || failed.some(outcome_0/* isUntried */.E0);
    const toFix = [
        ...problems.map(problem => steps/* explainProblem */.FR(problem, host)),
        ...steps/* explainRun */.Df(end.outputsError, host, isLost),
        ...steps/* explainFailures */.vS(failed, job),
    ];
    const isGood = toFix.length + failed.length === 0 && verdict !== 'stopped';
    const [title, fact] = describeVerdict(end, job, isGood);
    const { toDo, next, errors } = isGood ? comeToEnd(end, job) : findSteps(end, job, { toFix, fact });
    const twice = artifacts.filter(outcome_0/* isRegistered */.zN).filter(({ outcome }) => outcome.otherCharge !== null);
    const rows = verdict === 'stopped' ? [] : artifacts.map(artifact => makeRow(artifact, job));
    return {
        exitCode: isGood ? 0 : 1,
        title: `${title}: ${fact}`,
        facts: [describeCost(end, job, (0,outcome_0/* onePerHash */.cE)(twice).length), next],
        steps: toDo,
        warnings: [...host.runner.warnings, ...warnOfSecondCharges(twice)],
        pointers: pointToRecords(end, job),
        rows: rows.sort((a, b) => a.rank - b.rank),
        hasPage: end.hasPage,
        errors,
    };
}
function comeToEnd(end, job) {
    const { onlyInLog } = end.records;
    const again = describeAgain(end);
    let text = 'not needed.';
    if (job.inputs.dryRun) {
        text = describeReal(end, job).next;
    }
    else if (again !== '') {
        const isKept = end.workflowArtifacts.length > 0;
        const which = isKept ? 'Re-running all jobs' : 'Any re-run of this job';
        text = `not needed. ${which} would charge you ${again}.`;
        if (isKept && onlyInLog > 0)
            text +=
                ' Any re-run of this job would charge you again for those with records only in the log.';
    }
    const isNeeded = job.inputs.dryRun || onlyInLog > 0;
    const toDo = isNeeded ? steps/* saveLines */.r8(end) : [];
    return { toDo, next: (0,report/* makeFact */.l)('Next run', '', text), errors: [] };
}
function findSteps(end, job, { toFix, fact }) {
    const { artifacts } = end;
    const failed = artifacts.filter(outcome_0/* isFailed */.Ix);
    const needsWorkflow = toFix.some(({ needs }) => needs === 'workflow');
    const way = decideWay(end, job, needsWorkflow);
    const { run, warning } = way;
    const untried = failed.filter(outcome_0/* isUntried */.E0).length;
    const others = untried === 0 ? '' : `${(0,phrases/* pluralize */.td)(untried, 'file was', 'files were')} then not sent.`;
    const saving = steps/* saveLines */.r8(end);
    const lookUps = steps/* lookUp */.TE(artifacts, { job, run, isDown: (0,outcome_0/* isServiceDown */.G4)(artifacts) });
    const causes = [...lookUps, ...steps/* toSteps */.fe(toFix, lookUps.length)];
    const { reason } = job.host.halt;
    const ending = reason && (0,phrases/* toSentence */.Re)(steps/* explainFailure */.SP(reason, job).next);
    let main = causes.find(step => step.next === ending) ?? causes.find(step => step.brief !== undefined);
    const isOwnDoubt = failed.some(({ outcome }) => outcome.failure.mayHaveActed);
    if (isOwnDoubt && (0,outcome_0/* isServiceDown */.G4)(artifacts))
        [main] = causes;
    const told = causes.map(step => {
        if (step !== main || others === '')
            return step;
        const [cause = '', ...more] = step.happened;
        return { ...step, happened: [cause, others, ...more] };
    });
    const [first = way.step, ...rest] = [...saving, ...told];
    const opening = { ...first, warning };
    const toDo = [opening, ...rest, way.step];
    const lookUpStep = artifacts.some(outcome_0/* isInDoubt */.cd) ? saving.length + 1 : null;
    const dry = 'no charges while "dry-run" is true.';
    const text = job.inputs.dryRun ? dry : describeNext(end, way.given, lookUpStep);
    const errors = describeErrors(end, job, { fact, opening, others, brief: main?.brief ?? '' });
    return { toDo, next: (0,report/* makeFact */.l)('Next run', warning, text), errors };
}
function describeCost(end, { host: { environment }, inputs }, twice) {
    const { charges, runCharges, verdict } = end;
    const { host } = new URL(inputs.baseUrl);
    const { least, most } = charges;
    let text = 'none.';
    if (most > 0) {
        const files = (0,phrases/* pluralize */.td)(most - least, 'file was', 'files were');
        const why = most === least ? '' : ` (${files} sent, but no usable record came back)`;
        text = `${formatRange(least, most, 'registration')} charged by ${host}${why}.`;
    }
    else if (verdict === 'stopped' && environment.attempt > 1)
        text = 'none. This attempt sent nothing.';
    else if (verdict === 'stopped' || inputs.dryRun)
        text = 'none. Nothing was sent.';
    else if (end.artifacts.some(outcome_0/* isFailed */.Ix))
        text = `none. ${host} registered nothing in this step.`;
    if (runCharges.most > most) {
        const all = formatRange(runCharges.least, runCharges.most, 'registration');
        text += ` The whole run, as far as known: ${all}.`;
    }
    const files = (0,phrases/* pluralize */.td)(twice, 'file');
    const warning = twice === 0 ? '' : `⚠️ ${files} may have been charged twice.`;
    return (0,report/* makeFact */.l)('Cost', warning, text);
}
function describeVerdict(end, job, isGood) {
    const { host, inputs } = job;
    const { artifacts, verdict } = end;
    const { isCanceled, bug } = host.halt;
    if (verdict === 'stopped') {
        const how = isCanceled ? 'canceled' : 'stopped';
        if (inputs.dryRun)
            return [`❌ DRY RUN ${how}`, 'nothing is notarized'];
        if (host.environment.attempt > 1)
            return [`❌ ${how.toUpperCase()}`, 'this attempt sent nothing'];
        return ['❌ NOT NOTARIZED', `${how} before anything was sent`];
    }
    const all = (0,phrases/* pluralize */.td)(artifacts.length, 'file');
    const failed = artifacts.filter(outcome_0/* isFailed */.Ix);
    if (verdict === 'dry-run') {
        const unread = failed.length === 0 ? '' : `, ${failed.length} of ${all} not read`;
        const fact = `nothing is notarized${unread} (${describeReal(end, job).real})`;
        return [`${isGood ? '🔎' : '❌'} DRY RUN`, fact];
    }
    if (verdict === 'nothing-found')
        return [`${isGood ? '⚠️' : '❌'} NOTHING NOTARIZED`, 'no files found'];
    const registered = artifacts.length - failed.length;
    const { onlyInLog } = end.records;
    const what = onlyInLog === registered ? 'records' : (0,phrases/* pluralize */.td)(onlyInLog, 'record');
    const fact = `${registered} of ${all} registered${onlyInLog > 0 ? ` (${what} only in log)` : ''}`;
    if (failed.length > 0 && failed.every(outcome_0/* isConflict */.dh)) {
        const count = failed.length === 1 ? 'the file' : `all ${failed.length} files`;
        let told = `the service says that it has ${count}, but sent no record`;
        if (registered > 0)
            told = `${fact}, the service says it has ${failed.length} more`;
        return ['❌ NOT CONFIRMED', told];
    }
    if (verdict === 'registered') {
        if (isGood)
            return ['✅ NOTARIZED', fact];
        const isUnsaved = host.halt.reason?.reason === 'not-saved' && onlyInLog > 0;
        let but = isUnsaved ? 'not saved' : 'the outputs are missing';
        if (bug !== null)
            but = 'this action has a bug';
        if (isCanceled)
            but = 'canceled';
        return [`❌ NOTARIZED, but ${but}`, fact];
    }
    const maybe = failed.filter(({ outcome }) => (0,outcome_0/* mayBeRegistered */.bc)(outcome)).length;
    const not = failed.length - maybe;
    const facts = [fact];
    if (maybe > 0)
        facts.push(`${maybe} may be`);
    if (not > 0 && maybe + registered > 0)
        facts.push(`${not} ${not === 1 ? 'is' : 'are'} not`);
    return [`❌ ${verdict === 'partial' ? 'PARTLY' : 'NOT'} NOTARIZED`, facts.join(', ')];
}
function describeErrors({ problems, charges }, { host, inputs }, told) {
    const { fact, opening, others, brief } = told;
    const { warning = '', next, files = [], brief: cause } = opening;
    const page = inputs.showSummary ? 'job summary' : 'log';
    const links = files.length === 1 ? 'link' : 'links';
    const where = files.some(({ url }) => url !== null) ? ` (${links} in the ${page})` : '';
    const first = `First ${next.charAt(0).toLowerCase()}${next.slice(1, -1)}${where}.`;
    if (problems.length > 0) {
        const [problem = '', ...rest] = steps/* describeProblems */.yg(problems, host);
        const what = host.environment.attempt > 1 ? 'This attempt sent nothing' : 'Nothing was sent';
        return [(0,phrases/* toSentences */.Mc)([what, warning, cause === undefined ? first : '', problem]), ...rest];
    }
    let why = host.halt.isCanceled ? 'the run was canceled' : brief;
    if (why.length > steps/* maxCauseLength */.ym)
        why = `the ${page} says why`;
    const { least, most } = charges;
    const cost = `charged: ${most === 0 ? 'nothing' : formatRange(least, most, 'registration')}`;
    return [(0,phrases/* toSentences */.Mc)([`${(0,phrases/* capitalize */.ZH)(fact)}: ${why}`, others, cost, warning, first])];
}
function warnOfSecondCharges(twice) {
    const byCause = Map.groupBy(twice, ({ outcome: { otherCharge } }) => {
        const time = (0,phrases/* formatTime */.fU)(Date.parse(otherCharge?.at ?? ''));
        if (otherCharge?.isDoubt === true)
            return `a call at ${time} UTC got no usable record`;
        return `there is also a record of ${time} UTC`;
    });
    return Array.from(byCause, ([cause, same]) => {
        const text = `${steps/* nameFirst */.MX(same)} may have been charged twice: ${cause}. Compare with the bill from the service.`;
        return { text };
    });
}
function pointToRecords(end, { inputs }) {
    const { records, workflowArtifacts, hasPage, release } = end;
    const { kind, onlyInLog } = records;
    const notes = [];
    if (kind === 'file') {
        const why = inputs.keepRecords ? '' : ' ("keep-records" is false)';
        const file = `"${(0,text_escape/* quote */.hD)(inputs.recordsPath)}" on the runner${why}`;
        const text = `Records: only in ${file}, lost unless your workflow saves it.`;
        notes.push({ text, docs: 'records.md#where-it-is-kept' });
    }
    const inLog = `Records: only in the log of this step (${onlyInLog}).`;
    if (onlyInLog > 0)
        notes.push({ text: inLog });
    if ((kind === 'release' || records.isReleased) && release !== null) {
        notes.push({ text: 'Records: release', link: { name: release.tag, url: release.url } });
    }
    const text = `${hasPage ? 'Records and evidence page' : 'Records'}: workflow artifact`;
    for (const link of workflowArtifacts.toReversed())
        notes.push({ text, link });
    return notes;
}
function makeRow(artifact, job) {
    const { outcome } = artifact;
    const row = { artifact, url: null, note: '', cells: [] };
    const lookUp = () => steps/* nameFile */.iC(artifact, job).url;
    if (outcome.state === 'planned') {
        if (outcome.lastDoubtAt === null)
            return { ...row, state: '🔎 would be registered', rank: 3 };
        return { ...row, state: '⚠️ would be sent again', url: lookUp(), rank: 2 };
    }
    if (outcome.state === 'registered') {
        const { time, blockchain, transaction } = (0,records_record/* describeFields */.V)(outcome.record);
        const cells = [time, blockchain, transaction];
        const state = outcome.isConfirmed ? '✅ confirmed by a person' : '✅ registered';
        if (outcome.otherCharge === null)
            return { ...row, state, cells, rank: 3 };
        return { ...row, state: `${state}, ⚠️ charged twice?`, cells, rank: 2 };
    }
    const cause = steps/* describeInRow */.TR({ ...artifact, outcome }, job);
    if ((0,outcome_0/* mayBeRegistered */.bc)(outcome)) {
        return { ...row, state: `❓ may be registered: ${cause}`, url: lookUp(), rank: 0 };
    }
    const note = artifact.hash === null ? outcome.failure.observed : '';
    return { ...row, state: `❌ not registered: ${cause}`, note, rank: 1 };
}

// EXTERNAL MODULE: ./report/outputs.js
var outputs = __webpack_require__(7954);
// EXTERNAL MODULE: ./report/write.js
var write = __webpack_require__(5823);
// EXTERNAL MODULE: external "node:timers/promises"
var promises_ = __webpack_require__(8500);
;// CONCATENATED MODULE: ./runtime/clock.js

const systemClock = {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    sleep: (ms, signal) => (0,promises_.setTimeout)(ms, undefined, { signal }).catch(() => undefined),
};

// EXTERNAL MODULE: external "node:events"
var external_node_events_ = __webpack_require__(8474);
// EXTERNAL MODULE: external "node:net"
var external_node_net_ = __webpack_require__(7030);
;// CONCATENATED MODULE: ./runtime/halt.js


const graceMs = 4000;
class Halt {
    #clock;
    #ending = new AbortController();
    #endingCalls = new AbortController();
    #canceling = new AbortController();
    reason = null;
    bug = null;
    ended = this.#ending.signal;
    callsEnded = this.#endingCalls.signal;
    canceled = this.#canceling.signal;
    constructor(clock) {
        this.#clock = clock;
        (0,external_node_events_.setMaxListeners)(0, this.ended, this.callsEnded, this.canceled);
    }
    get isCanceled() {
        return this.canceled.aborted;
    }
    cancel() {
        this.end(failure_0/* canceledFailure */.Yb);
        this.#canceling.abort();
        void this.#clock.sleep(graceMs, this.callsEnded).then(() => {
            this.#endingCalls.abort();
        });
    }
    end(reason) {
        this.reason ??= reason;
        this.#ending.abort();
    }
    noteBug(error) {
        this.bug ??= (0,failure_0/* bugFailure */.fT)(error);
        this.end(this.bug);
    }
}

// EXTERNAL MODULE: ../node_modules/@actions/core/lib/core.js + 12 modules
var core = __webpack_require__(6853);
;// CONCATENATED MODULE: ./runtime/runner.js




const mask = core/* setSecret */.Pq;
const maxAnnotationLength = 4000;
function readRawInputs() {
    const variables = Object.keys(process.env).filter(name => name.startsWith('INPUT_'));
    const names = variables.map(name => name.slice('INPUT_'.length).toLowerCase());
    const texts = Object.fromEntries(names.map(name => [name, core/* getInput */.V4(name)]));
    for (const variable of variables)
        Reflect.deleteProperty(process.env, variable);
    return texts;
}
function createRunner(redact, docsUrl) {
    const toLine = (text) => (0,text_escape/* toLogLine */.gD)(redact(text));
    const warn = (text) => {
        core/* warning */.$e((0,text_escape/* cut */.Jj)((0,phrases/* capitalize */.ZH)(toLine(text)), maxAnnotationLength));
    };
    const warnings = [];
    return {
        info: text => {
            core/* info */.pq(toLine(text));
        },
        group: core/* group */.Os,
        warning: (text, docs) => {
            warnings.push({ text: (0,phrases/* toSentence */.Re)(text), docs });
            warn(docs === undefined ? text : `${text}: ${docsUrl}/${docs}`);
        },
        logWarning: warn,
        error: text => {
            core/* error */.z3((0,text_escape/* cut */.Jj)(toLine(text), maxAnnotationLength));
        },
        get warnings() {
            return warnings.map(note => ({ ...note, text: redact(note.text) }));
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
class Secrets {
    #mask;
    #exempt = new Set();
    #keys = new Set();
    #details = new Set();
    #masked = new Set();
    #forms = null;
    constructor(mask) {
        this.#mask = mask;
    }
    exempt(values) {
        for (const value of values)
            this.#exempt.add(value);
        this.#forms = null;
    }
    add(values) {
        for (const line of linesOf(values)) {
            if (!this.#keys.has(line))
                this.#mask(line);
            this.#keys.add(line);
        }
        this.#forms = null;
    }
    addDetails(values) {
        for (const line of linesOf(values))
            this.#details.add(line);
        this.#forms = null;
    }
    maskDetails(exempt) {
        this.exempt(exempt);
        for (const line of this.#details.difference(this.#masked)) {
            if (this.#isExempt(line))
                continue;
            this.#mask(line);
            this.#masked.add(line);
        }
    }
    redactText(text) {
        if (this.#forms === null) {
            const details = [...this.#details].filter(line => !this.#isExempt(line));
            const forms = new Set([...this.#keys, ...details].flatMap(formsOf));
            this.#forms = [...forms].sort((a, b) => b.length - a.length);
        }
        return this.#forms.reduce((clean, form) => clean.replaceAll(form, '***'), text);
    }
    redactLine(text) {
        return this.redactText(text).replaceAll(/\s*[\r\n]+\s*/g, ' ');
    }
    redactJson(object) {
        const text = JSON.stringify(object);
        if (this.redactText(text) === text)
            return object;
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
        const text = (0,text_json/* textOf */.b6)(value);
        const clean = text && this.redactText(text);
        return clean === text ? value : clean;
    }
    #isExempt(line) {
        return this.#exempt.values().some(exempt => exempt.includes(line));
    }
}
function linesOf(values) {
    const lines = values.flatMap(value => value.split(/[\r\n]/)).map(line => line.trim());
    return lines.filter(({ length }) => length >= minSecretLength);
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








async function runInHost(run, outside, canceled) {
    Reflect.set(process, 'noDeprecation', true);
    delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    (0,external_node_net_.setDefaultAutoSelectFamilyAttemptTimeout)(2000);
    (0,runtime_environment/* addProxySchemes */.q)(process.env);
    const rawInputs = readRawInputs();
    const environment = (0,runtime_environment/* readEnvironment */.Qo)(process.env, process.cwd());
    const secrets = new Secrets(mask);
    const runner = createRunner(text => secrets.redactText(text), environment.docsUrl);
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
    (0,external_node_events_.addAbortListener)(canceled, () => {
        halt.cancel();
    });
    await (0,promises_.setImmediate)();
    try {
        exitCode = await run(host, rawInputs);
        process.exitCode = exitCode;
    }
    catch (error) {
        halt.noteBug(error);
    }
    await (0,promises_.setImmediate)();
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
// EXTERNAL MODULE: external "node:diagnostics_channel"
var external_node_diagnostics_channel_ = __webpack_require__(3053);
// EXTERNAL MODULE: external "node:zlib"
var external_node_zlib_ = __webpack_require__(8522);
;// CONCATENATED MODULE: ./service/transport.js







const maxBodyBytes = 1024 * 1024;
const turnsAfterDeadline = 100;
const createdChannel = 'http.client.request.created';
const createdSchema = schemas/* object */.Ikc({ request: schemas/* custom */.IeY() });
const preparing = {
    prepareRequest: (options) => {
        options.host = options.host?.replace(/^\[|\]$/g, '');
        const { agent } = options;
        if (typeof agent !== 'object' || !('proxyOptions' in agent))
            return;
        if (agent.proxyOptions instanceof Object)
            Object.assign(agent.proxyOptions, { servername: '' });
    },
    canHandleAuthentication: () => false,
    handleAuthentication: () => Promise.reject(new Error()),
};
function createTransport(timeoutMs) {
    const options = { allowRedirects: false, keepAlive: false, socketTimeout: 3_600_000 };
    const within = `within ${timeoutMs / 1000} s`;
    return async (request, signal) => {
        const client = new lib/* HttpClient */.Qq('notarize-release', [preparing], options);
        const { promise: ended, resolve: end } = Promise.withResolvers();
        const endSoon = async (describe) => {
            for (let turn = 0; turn < turnsAfterDeadline; turn++)
                await (0,promises_.setImmediate)();
            end(describe());
        };
        const made = [];
        const note = (message) => {
            made.push(createdSchema.parse(message).request);
        };
        (0,external_node_diagnostics_channel_.subscribe)(createdChannel, note);
        const exchanged = exchange(client, request).catch(classify);
        (0,external_node_diagnostics_channel_.unsubscribe)(createdChannel, note);
        const onAbort = () => void endSoon(() => ({ kind: 'canceled', detail: '' }));
        const timer = setTimeout(() => void endSoon(() => describeLate(made.at(-1), within)), timeoutMs);
        signal.addEventListener('abort', onAbort);
        const reply = await Promise.race([exchanged, ended]);
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        if (reply.kind !== 'response')
            for (const each of made)
                each.destroy();
        return reply;
    };
}
function describeLate(request, within) {
    if (request?.socket === null)
        return { kind: 'proxy', detail: `the proxy did not connect ${within}` };
    if (request?.socket.connecting)
        return { kind: 'unreachable', detail: `no connection ${within}` };
    return { kind: 'lost', reason: 'timeout', detail: `no response ${within}` };
}
async function exchange(client, { url, body, token }) {
    const json = 'application/json';
    const headers = { accept: json, 'accept-encoding': 'identity' };
    if (body !== null)
        headers['content-type'] = json;
    if (token !== null)
        headers.authorization = `Bearer ${token}`;
    const method = body === null ? 'GET' : 'POST';
    const { message } = await client.request(method, url.href, body, headers);
    const { 'retry-after': retryAfter = '', date = '' } = message.headers;
    const retryAfterMs = parseRetryAfter(retryAfter, parseHttpDate(date) ?? Date.now());
    const text = await readBody(message).catch(() => undefined);
    if (text === undefined)
        return { kind: 'lost', detail: 'a response that was cut off or damaged' };
    return { kind: 'response', status: message.statusCode ?? 0, retryAfterMs, body: text };
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
    let body = Buffer.concat(chunks);
    const encoding = message.headers['content-encoding'] ?? '';
    if (bytes > 0 && /^\s*(?:(?:x-)?gzip|deflate|br)\s*$/i.test(encoding)) {
        let unpack = /br/i.test(encoding) ? external_node_zlib_.brotliDecompressSync : external_node_zlib_.unzipSync;
        const hasHeader = [0x08, 0x0f].includes(body.readUInt8() & 0x0f);
        if (/deflate/i.test(encoding) && !hasHeader)
            unpack = external_node_zlib_.inflateRawSync;
        try {
            body = unpack(body, { maxOutputLength: maxBodyBytes });
        }
        catch (error) {
            if ((0,failure_0/* errorCode */.CA)(error) === 'ERR_BUFFER_TOO_LARGE')
                return null;
            throw error;
        }
    }
    return new TextDecoder().decode(body);
}
const noTunnel = 'tunneling socket could not be established, ';
const proxyErrors = new Map();
const requestErrorSchema = schemas/* object */.Ikc({
    request: schemas/* object */.Ikc({ method: schemas/* string */.YjP() }),
    error: schemas/* instanceof */.Nlp(Error),
});
(0,external_node_diagnostics_channel_.subscribe)('http.client.request.error', message => {
    const { request, error } = requestErrorSchema.parse(message);
    if (request.method === 'CONNECT')
        proxyErrors.set(`${noTunnel}cause=${error.message}`, error);
});
const certificateErrors = {
    CERT_HAS_EXPIRED: 'certificate-expired',
    CERT_NOT_YET_VALID: 'certificate-early',
    ERR_TLS_CERT_ALTNAME_INVALID: 'not-the-service',
    CERT_SIGNATURE_FAILURE: 'certificate',
    CERT_UNTRUSTED: 'certificate',
    DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate',
    INVALID_CA: 'certificate',
    INVALID_PURPOSE: 'certificate',
    PATH_LENGTH_EXCEEDED: 'certificate',
    SELF_SIGNED_CERT_IN_CHAIN: 'certificate',
    UNABLE_TO_GET_ISSUER_CERT: 'certificate',
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate',
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate',
};
const protocolErrors = /(?<=^Parse Error: |:SSL routines:[^:]*:)[^:]+/;
function classify(error) {
    if (!(error instanceof Error))
        return { kind: 'lost', detail: (0,failure_0/* describeError */.Uc)(error) };
    const ofProxy = proxyErrors.get(error.message);
    const cause = ofProxy ?? error;
    const { message } = cause;
    const code = (0,failure_0/* errorCode */.CA)(cause) ?? '';
    const certificate = certificateErrors[code];
    if (certificate !== undefined) {
        const detail = `the certificate of the ${ofProxy ? 'proxy' : 'service'} was rejected (${code})`;
        const isAddress = ofProxy !== undefined && certificate === 'not-the-service';
        return isAddress ? { kind: 'proxy', reason: 'protocol', detail } : { kind: certificate, detail };
    }
    const [wrong] = protocolErrors.exec(message) ?? [];
    if (message.includes('response body from proxy')) {
        return { kind: 'proxy', detail: 'the proxy responded in place of the service' };
    }
    if (wrong !== undefined) {
        const detail = `an HTTP or TLS error: ${wrong}`;
        if (ofProxy === undefined)
            return { kind: 'lost', reason: 'protocol', detail };
        return { kind: 'proxy', reason: 'protocol', detail: `the proxy caused ${detail}` };
    }
    if (message.startsWith(noTunnel)) {
        return { kind: 'proxy', detail: `the proxy refused the connection (HTTP ${message.slice(-3)})` };
    }
    const detail = (0,failure_0/* describeError */.Uc)(cause);
    if (ofProxy !== undefined)
        return { kind: 'proxy', detail: `the proxy did not connect: ${detail}` };
    if (isUnconnected(error))
        return { kind: 'unreachable', detail };
    return { kind: 'lost', detail: `no response: ${detail}` };
}
function isUnconnected(error) {
    if (error instanceof AggregateError)
        return error.errors.every(isUnconnected);
    if (!(error instanceof Error) || !('syscall' in error))
        return false;
    return error.syscall === 'connect' || error.syscall === 'getaddrinfo';
}

;// CONCATENATED MODULE: ./main.js























async function start(name, canceled) {
    (0,external_node_v8_.setFlagsFromString)('--semi-space-growth-factor=1');
    let action = runNotarize;
    if (name === 'verify')
        action = (await __webpack_require__.e(/* import() */ 450).then(__webpack_require__.bind(__webpack_require__, 3450))).runVerify;
    const outside = {
        clock: systemClock,
        random: Math.random,
        disk: systemDisk,
        createTransport: createTransport,
        connectToGitHub: octokit/* connectToGitHub */.tZ,
        workflowArtifacts: workflowArtifacts,
    };
    await runInHost(action, outside, canceled);
}
async function runNotarize(host, rawInputs) {
    const { environment, secrets, runner } = host;
    const { inputs, problems, warnings, ...reading } = readInputs(rawInputs);
    secrets.add([...reading.keys, environment.runtimeToken]);
    const { repository, ref } = environment.source;
    const { baseUrl, releaseTag, verificationUrl } = inputs;
    const named = [repository, ref, releaseTag, baseUrl, verificationUrl];
    secrets.exempt([...reading.exempt, ...named.filter(text => text !== null)]);
    secrets.addDetails([...reading.details, ...environment.passwords]);
    for (const text of warnings)
        runner.warning(text, 'reference.md#the-subscription');
    const template = verificationUrl && secrets.redactText(verificationUrl);
    const job = {
        host,
        inputs: { ...inputs, verificationUrl: template },
        recordsPath: (0,external_node_path_.resolve)(environment.workspace, inputs.recordsPath),
    };
    const end = await notarize(job, async () => {
        const found = await (0,collect/* collectArtifacts */.k)(inputs, host, [job.recordsPath]);
        secrets.exempt([...found.files, ...found.listed].map(({ name }) => name));
        failure_0/* Stop */.VG.ifAny([...problems, ...(0,release_release/* checkServer */.i6)(inputs, environment), ...found.problems]);
        const hashed = await Array.fromAsync(found.files, file => (0,hash/* hashFile */.D)(file, host.halt.ended));
        return { artifacts: [...hashed, ...found.listed], counts: found.counts };
    });
    return (0,write/* writeReport */.u)(judge(end, job), host, inputs.showSummary);
}
async function notarize(job, find) {
    const { host, inputs, recordsPath: path } = job;
    const { environment, halt, runner, secrets } = host;
    const problems = [];
    const isGoingOn = () => problems.length === 0 && halt.reason === null;
    const takeStep = async (step, otherwise) => {
        try {
            return await step();
        }
        catch (error) {
            if (error instanceof failure_0/* Stop */.VG)
                problems.push(...error.problems);
            else
                halt.noteBug(error);
            return otherwise;
        }
    };
    const proceed = async (step, otherwise) => isGoingOn() ? takeStep(step, otherwise) : otherwise;
    const found = await takeStep(find, { artifacts: [], counts: [] });
    const folder = await takeStep(() => makeFolder(host), null);
    const kept = await takeStep(() => (0,keep/* findKept */.Qm)(inputs, folder, host), null);
    const release = await proceed(() => (0,release_release/* readRelease */.iJ)(inputs, host), null);
    const unredacted = found.artifacts.concat(release?.artifacts ?? []);
    secrets.maskDetails(unredacted.map(({ name }) => name));
    const artifacts = unredacted.map(file => ({ ...file, name: secrets.redactText(file.name) }));
    const hashes = new Set(artifacts.flatMap(({ hash }) => hash ?? []));
    const earlier = await proceed(() => readEarlierRecords(hashes, inputs, host), []);
    const others = (kept ?? []).map(keep/* nameKept */.CF).concat(release?.records ?? [], earlier);
    const source = release?.source ?? environment.source;
    const { recordsPath: name, baseUrl: service } = inputs;
    const ledger = new Ledger({ path, name, others, service, source }, host);
    ledger.warnings.forEach(text => {
        runner.warning(text);
    });
    ledger.confirm(artifacts.filter(outcome_0/* isHashed */.Sc), inputs.confirmedHashes ?? new Set());
    const counts = found.counts.concat(release?.counts ?? []);
    const plan = isGoingOn() ? (0,plan_0/* makePlan */.Cs)({ inputs, artifacts, counts, ledger, release }) : null;
    problems.push(...(plan ?? ledger).problems);
    let ended = null;
    if (plan !== null && isGoingOn()) {
        plan.warnings.forEach(text => {
            runner.warning(text);
        });
        runner.info((0,plan_0/* describePlan */.df)(plan.artifacts));
        ended = inputs.dryRun
            ? plan.artifacts
            : await takeStep(() => register(plan.artifacts, { inputs, ledger }, host), null);
    }
    const known = ended ?? plan?.artifacts ?? [];
    const clean = known.map(artifact => redactArtifact(artifact, secrets));
    const verdict = ended === null ? 'stopped' : (0,outcome_0/* decideVerdict */.AU)(clean, inputs.dryRun);
    const end = { artifacts: clean, verdict, charges: ledger.charges };
    let paths = noPaths;
    if (ended !== null && folder !== null) {
        paths = await takeStep(() => writeProofs({ artifacts: clean, ledger, inputs, folder }, host), noPaths);
    }
    const outputsError = await takeStep(() => (0,outputs/* writeOutputs */.Kn)(end, paths, job), null);
    const evidencePath = paths['evidence-path'];
    const { workflowArtifact, error } = await (0,keep/* keepRecords */.cs)({ inputs, ledger }, evidencePath, host);
    const records = (0,keep/* locateRecords */.xP)({ ledger, inputs }, kept === null, host);
    return {
        ...end,
        problems,
        runCharges: ledger.runCharges,
        records,
        workflowArtifacts: workflowArtifact === null ? (kept ?? []) : [workflowArtifact],
        hasPage: evidencePath !== '' && workflowArtifact !== null,
        keepError: error,
        outputsError,
        release,
    };
}
function redactArtifact(artifact, secrets) {
    const { outcome } = artifact;
    if (outcome.state === 'planned')
        return artifact;
    if (outcome.state === 'registered') {
        return { ...artifact, outcome: { ...outcome, record: secrets.redactJson(outcome.record) } };
    }
    const { failure } = outcome;
    const observed = secrets.redactLine(failure.observed);
    const said = secrets.redactLine(failure.said);
    return { ...artifact, outcome: { ...outcome, failure: failure.with({ observed, said }) } };
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
/* harmony export */   E0: () => (/* binding */ isUntried),
/* harmony export */   G4: () => (/* binding */ isServiceDown),
/* harmony export */   H9: () => (/* binding */ isPlanned),
/* harmony export */   Ix: () => (/* binding */ isFailed),
/* harmony export */   Sc: () => (/* binding */ isHashed),
/* harmony export */   bc: () => (/* binding */ mayBeRegistered),
/* harmony export */   cE: () => (/* binding */ onePerHash),
/* harmony export */   cd: () => (/* binding */ isInDoubt),
/* harmony export */   dh: () => (/* binding */ isConflict),
/* harmony export */   gz: () => (/* binding */ failed),
/* harmony export */   lM: () => (/* binding */ planned),
/* harmony export */   zN: () => (/* binding */ isRegistered)
/* harmony export */ });
const planned = { state: 'planned', lastDoubtAt: null };
function failed(failure, lastDoubtAt = null) {
    return { state: 'failed', failure, lastDoubtAt };
}
function mayBeRegistered({ failure, lastDoubtAt }) {
    const { mayHaveActed, reason } = failure;
    return mayHaveActed || reason === 'already-registered' || lastDoubtAt !== null;
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
function isConflict(artifact) {
    return isFailed(artifact) && artifact.outcome.failure.reason === 'already-registered';
}
function isInDoubt(artifact) {
    const { outcome } = artifact;
    if (outcome.state === 'planned')
        return outcome.lastDoubtAt !== null;
    return isFailed(artifact) && mayBeRegistered(artifact.outcome) && !isConflict(artifact);
}
function isNew({ outcome }) {
    return outcome.state === 'registered' && outcome.from === 'this-run';
}
function isUntried({ outcome }) {
    return outcome.failure.code === 'not-tried';
}
function isServiceDown(artifacts) {
    return artifacts.filter(isFailed).some(isUntried) && !artifacts.some(isNew);
}
function onePerHash(artifacts) {
    const groups = Map.groupBy(artifacts, ({ hash, name }) => hash ?? name);
    return [...groups.values()].flatMap(group => group.slice(0, 1));
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
/* harmony export */   df: () => (/* binding */ describePlan),
/* harmony export */   n1: () => (/* binding */ exceedsLimit)
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
        return { ...artifact, outcome: ledger.outcomeOf(artifact.hash) };
    });
    const left = artifacts.filter(_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .isPlanned */ .H9);
    const problems = [];
    const warnings = [];
    if (release !== null) {
        problems.push(...tagProblems(release));
        if (artifacts.length === 0) {
            const text = `the release "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .quote */ .hD)(release.tag)}" has no assets to notarize`;
            const next = 'upload the assets first';
            problems.push((0,_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .problemAt */ .l4)('release-tag', text, { next, needs: 'nothing' }));
        }
    }
    problems.push(...conflicts, ...ledger.problems);
    if (exceedsLimit(left, inputs)) {
        const tooMany = limitProblem(left, input);
        if (inputs.dryRun)
            warnings.push(tooMany.message);
        else
            problems.push(tooMany);
    }
    return { artifacts, problems, warnings };
}
function combineArtifacts(artifacts) {
    const combined = [];
    const conflicts = [];
    for (const [name, same] of Map.groupBy(artifacts, artifact => artifact.name)) {
        const hashes = new Set(same.filter(_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .isHashed */ .Sc).map(({ hash }) => hash));
        if (hashes.size > 1) {
            conflicts.push(`"${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .quote */ .hD)(name)}" has two hashes, ${[...hashes].join(' and ')}`);
        }
        const unread = same.filter(artifact => !(0,_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .isHashed */ .Sc)(artifact));
        const files = same.filter(({ input }) => input !== 'checksums');
        combined.push(...unread.concat(files, same).slice(0, 1));
    }
    combined.sort((a, b) => (0,_text_names_js__WEBPACK_IMPORTED_MODULE_3__/* .compareCodeUnits */ .UF)(a.name, b.name));
    if (conflicts.length === 0)
        return { combined, problems: [] };
    const next = 'create the checksums again from the files to notarize';
    return { combined, problems: [(0,_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .problemAt */ .l4)('checksums', (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_4__/* .joinFirst */ .FS)(conflicts, 3), { next })] };
}
function describePlan(artifacts) {
    const planned = artifacts.filter(_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .isPlanned */ .H9);
    const found = (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_4__/* .pluralize */ .td)(artifacts.length, 'artifact');
    const left = (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_4__/* .pluralize */ .td)((0,_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .onePerHash */ .cE)(planned).length, 'distinct hash', 'distinct hashes');
    const inDoubt = (0,_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .onePerHash */ .cE)(planned.filter(_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .isInDoubt */ .cd)).length;
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
function exceedsLimit(artifacts, inputs) {
    return (0,_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .onePerHash */ .cE)(artifacts.filter(_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .isPlanned */ .H9)).length > inputs.maxRegistrations;
}
function limitProblem(left, { inputs, counts }) {
    const count = (0,_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .onePerHash */ .cE)(left).length;
    const areLeft = (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_4__/* .pluralize */ .td)(count, 'registration is left', 'registrations are left');
    const shown = (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_4__/* .joinFirst */ .FS)(counts, 50, { separator: ', ' });
    const names = left.map(({ name }) => `"${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .quote */ .hD)(name, 100)}"`);
    const first = (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_4__/* .joinFirst */ .FS)(names, 3, { separator: ', ' });
    const text = `is ${inputs.maxRegistrations}, but ${areLeft} (${shown}): ${first}`;
    const next = `decide whether you want to be charged for ${(0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_4__/* .pluralize */ .td)(count, 'registration')}`;
    const hint = `if you do, set "max-registrations" to ${count} or more; if not, correct the patterns`;
    return (0,_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .problemWith */ .CO)('max-registrations', text, { next, hint });
}


/***/ }),

/***/ 3243:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   IL: () => (/* binding */ formatLine),
/* harmony export */   QV: () => (/* binding */ waysOfInput),
/* harmony export */   T3: () => (/* binding */ readRecords),
/* harmony export */   XB: () => (/* binding */ unreadableDocs),
/* harmony export */   gP: () => (/* binding */ findRecords),
/* harmony export */   tI: () => (/* binding */ withoutIncompleteLine),
/* harmony export */   u4: () => (/* binding */ isRecord)
/* harmony export */ });
/* harmony import */ var node_buffer__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4573);
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(4763);
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(2335);
/* harmony import */ var _failure_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7579);
/* harmony import */ var _runtime_environment_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(5107);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(8146);
/* harmony import */ var _text_json_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(7727);
/* harmony import */ var _record_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(5523);







const nonEmptyText = zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* ._minLength */ .m9(1));
const headFields = {
    artifact: nonEmptyText,
    size: zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .nullable */ .mee(zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .int */ .Whr().check(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* ._gte */ .qm(0))),
    hash: zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* ._regex */ .Fk(/^[0-9a-fA-F]{64}$/), zod_mini__WEBPACK_IMPORTED_MODULE_5__/* ._toLowerCase */ .Il()),
    service: nonEmptyText,
    at: zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_5__/* ._regex */ .Fk(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)),
    source: _runtime_environment_js__WEBPACK_IMPORTED_MODULE_2__/* .sourceSchema */ .dr,
};
const recordLineSchema = zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .object */ .Ikc({
    ...headFields,
    record: zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .custom */ .IeY(_text_json_js__WEBPACK_IMPORTED_MODULE_6__/* .isJsonObject */ .OW),
    confirmed: zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .literal */ .euz(true)),
});
const doubtLineSchema = zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .object */ .Ikc({
    ...headFields,
    state: zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .literal */ .euz('unknown'),
    why: zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .string */ .YjP(),
    response: zod_mini__WEBPACK_IMPORTED_MODULE_4__/* ._default */ .Rvf(zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .nullable */ .mee(zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .custom */ .IeY(_text_json_js__WEBPACK_IMPORTED_MODULE_6__/* .isJsonObject */ .OW)), null),
});
function isRecord(entry) {
    return 'record' in entry;
}
const unreadableDocs = 'records.md#records-that-cannot-be-read';
const lost = 'files that only it records are charged a second time';
const ofAsset = { place: 'release', needs: 'nothing', docs: unreadableDocs };
const waysOfInput = {
    'records-path': {
        place: 'file',
        next: 'restore the records file, do not delete it',
        hint: 'get it again from where this job has it: the commit, the release, or the workflow artifact of an earlier run',
        docs: unreadableDocs,
    },
    'keep-records': {
        place: 'workflow-artifact',
        next: 'save a copy of this workflow artifact, then delete it',
        needs: 'nothing',
        docs: unreadableDocs,
    },
    'release-tag': {
        ...ofAsset,
        next: 'save a copy of this asset, then repair the asset or delete it',
        hint: `without it, ${lost}`,
    },
    'earlier-releases': {
        ...ofAsset,
        next: 'save a copy of the asset, then delete it',
        hint: `otherwise, set "earlier-releases" to false: either way, ${lost}`,
    },
    records: { place: 'file', next: 'download the file again', docs: unreadableDocs },
};
const maxLineBytes = 4 * 1024 * 1024;
const lineStart = '{"artifact":"","size":';
const maxDamage = 5;
function readRecords(files) {
    const lines = new Map();
    const problems = [];
    const warnings = [];
    for (const { bytes: content, name, input } of files) {
        const { place, ...remedy } = waysOfInput[input];
        const bytes = content ?? Buffer.alloc(0);
        const whole = withoutIncompleteLine(bytes);
        if (whole.length < bytes.length) {
            const why = 'a run was stopped while writing it';
            warnings.push(`The last line of "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_3__/* .quote */ .hD)(name)}" is incomplete and is dropped: ${why}`);
        }
        const found = [];
        const damage = content === null ? ['the records are missing, damaged or larger than 64 MiB'] : [];
        for (let start = 0, number = 1; start < whole.length; number++) {
            const newline = whole.indexOf('\n', start);
            const bytesOfLine = whole.subarray(start, newline === -1 ? whole.length : newline);
            start += bytesOfLine.length + 1;
            const isTooLong = bytesOfLine.length > maxLineBytes;
            let line = isTooLong ? 'is longer than 4 MiB' : 'is not valid UTF-8';
            if (!isTooLong && (0,node_buffer__WEBPACK_IMPORTED_MODULE_0__.isUtf8)(bytesOfLine)) {
                const text = bytesOfLine.toString().trim();
                if (text === '')
                    continue;
                line = lines.get(text) ?? parseLine(text);
            }
            if (typeof line !== 'string')
                found.push(line);
            else
                damage.push(`line ${number} ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_3__/* .quote */ .hD)(line, _text_escape_js__WEBPACK_IMPORTED_MODULE_3__/* .maxMessageLength */ .sZ)}`);
            if (damage.length === maxDamage)
                break;
        }
        if (damage.length > 0) {
            problems.push((0,_failure_js__WEBPACK_IMPORTED_MODULE_1__/* .problemAt */ .l4)(input, `"${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_3__/* .quote */ .hD)(name)}": ${damage.join('; ')}`, remedy));
            continue;
        }
        for (const line of found) {
            line.places.add(place);
            lines.set(line.text, line);
        }
    }
    return { lines, problems, warnings };
}
function withoutIncompleteLine(bytes) {
    const start = bytes.lastIndexOf('\n') + 1;
    if (bytes.length - start > maxLineBytes)
        return bytes;
    const last = bytes.toString('latin1', start);
    const unnamed = last.replace(/^(\{"artifact":")(?:[^"\\]|\\.?)*/s, '$1');
    const isOurs = lineStart.startsWith(unnamed.slice(0, lineStart.length));
    return isOurs && !beginsWithObject(last) ? bytes.subarray(0, start) : bytes;
}
function beginsWithObject(text) {
    let depth = 0;
    for (const [brace] of text.replace(/"(?:[^"\\]|\\.)*(?:"|\\?$)/gs, '').matchAll(/[{}]/g)) {
        depth += brace === '{' ? 1 : -1;
        if (depth === 0)
            return true;
    }
    return false;
}
function parseLine(text) {
    const value = (0,_text_json_js__WEBPACK_IMPORTED_MODULE_6__/* .parseJsonObject */ .dw)(text);
    if (value === undefined)
        return 'is not a JSON object';
    const isDoubt = 'state' in value && !('record' in value);
    const parsed = (isDoubt ? doubtLineSchema : recordLineSchema).safeParse(value);
    if (!parsed.success) {
        const fields = new Set(parsed.error.issues.map(({ path }) => path.join('.')));
        return `is not a line of a records file (wrong: ${[...fields].join(', ')})`;
    }
    const entry = parsed.data;
    const request = { hash: entry.hash, paymentId: null };
    const broken = isRecord(entry) ? (0,_record_js__WEBPACK_IMPORTED_MODULE_7__/* .checkRecord */ .E)(entry.record, request) : [];
    if (broken.length > 0)
        return `has a record that breaks the rules (${broken.join('; ')})`;
    return { text, entry, places: new Set() };
}
function formatLine({ source, ...fields }) {
    return JSON.stringify({ ...fields, source });
}
function findRecords(entries) {
    const records = entries.filter(isRecord);
    const ofService = records.filter(({ confirmed }) => !confirmed);
    return ofService.length > 0 ? ofService : records;
}


/***/ }),

/***/ 5523:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   E: () => (/* binding */ checkRecord),
/* harmony export */   V: () => (/* binding */ describeFields)
/* harmony export */ });
/* harmony import */ var _text_json_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7727);
/* harmony import */ var _text_phrases_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7999);


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
function describeFields({ creationDate, blockchainType, txId, txHash }) {
    const time = Number.isInteger(creationDate) ? (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_1__/* .formatTime */ .fU)(Number(creationDate)) : '';
    return { time, blockchain: textIn(blockchainType), transaction: textIn(txId) || textIn(txHash) };
}
function textIn(value) {
    return typeof value === 'string' ? value.trim() : '';
}


/***/ }),

/***/ 5642:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   c2: () => (/* binding */ statusOf),
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
const maxWaitSeconds = 60;
const maxWaits = 3;
async function connectToGitHub(host, token) {
    const { apiUrl, proxies } = host.environment;
    (0,_service_proxy_js__WEBPACK_IMPORTED_MODULE_1__/* .checkProxy */ .d)(apiUrl, proxies);
    const { getOctokit } = await __webpack_require__.e(/* import() */ 116).then(__webpack_require__.bind(__webpack_require__, 1116));
    const { retry } = await __webpack_require__.e(/* import() */ 553).then(__webpack_require__.bind(__webpack_require__, 6553));
    const octokit = getOctokit(token, { baseUrl: apiUrl }, limitTries(host), retry);
    return { request: octokit.request, pages: octokit.paginate.iterator };
}
function limitTries({ clock, halt, runner }) {
    return ({ hook, request }) => {
        hook.wrap('request', async (send, options) => {
            const ofCall = options.request;
            const deadline = ofCall.signal ?? AbortSignal.timeout(responseMs);
            options.request = { ...ofCall, signal: AbortSignal.any([deadline, halt.canceled]) };
            let problem = 'the response was incomplete';
            try {
                const response = await send(options);
                if (typeof response.data === 'object' && response.data !== null)
                    return response;
            }
            catch (error) {
                if (statusOf(error) === 409)
                    problem = 'HTTP 409';
                else if (!deadline.aborted)
                    throw error;
            }
            finally {
                options.request = ofCall;
            }
            if (deadline.aborted) {
                problem = `no response within ${(0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_3__/* .formatDuration */ .a3)(responseMs / 1000)}`;
                options.request['retries'] = 0;
            }
            throw Object.assign(new Error(problem), { status: 502, request: request.endpoint(options) });
        });
        hook.wrap('request', async (send, options) => {
            for (let waits = 0;; waits++) {
                try {
                    return await send(options);
                }
                catch (error) {
                    const seconds = readRateLimit(error, clock.now());
                    if (seconds === null)
                        throw error;
                    if (seconds > maxWaitSeconds || waits === maxWaits) {
                        options.request['retries'] = 0;
                        throw error;
                    }
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
    'asset-changed': {
        next: 'check the asset on the release, and upload it again if it is not complete',
        needs: 'nothing',
    },
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
    const redact = (text) => secrets.redactText(text);
    const { request, response } = octokitErrorSchema.safeParse(error).data ?? {};
    let call = what;
    if (request !== undefined)
        call = `${request.method} ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .quote */ .hD)(new URL(request.url).pathname)}`;
    if (response !== undefined) {
        const { status, data } = response;
        const isRateLimit = readRateLimit(error, 0) !== null;
        const reason = isRateLimit ? undefined : reasonsByStatus[status];
        const observed = `${call} returned HTTP ${status}${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .quoteSaid */ ._p)(data.message, redact)}`;
        return new _failure_js__WEBPACK_IMPORTED_MODULE_0__/* .Failure */ .HR('unreadable', reason ?? 'github-unavailable', { observed });
    }
    let detail = (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .quote */ .hD)((0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .maskWords */ .QW)(redact((0,_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .describeError */ .Uc)(error))), 200);
    if (error instanceof zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .$ZodError */ .a$)
        detail = 'the response has an unexpected form';
    return new _failure_js__WEBPACK_IMPORTED_MODULE_0__/* .Failure */ .HR('unreadable', 'github-unavailable', { observed: `${call}: ${detail}` });
}


/***/ }),

/***/ 4030:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   AQ: () => (/* binding */ readFromGitHub),
/* harmony export */   Eb: () => (/* binding */ toStop),
/* harmony export */   i6: () => (/* binding */ checkServer),
/* harmony export */   iJ: () => (/* binding */ readRelease),
/* harmony export */   wD: () => (/* binding */ assetSchema)
/* harmony export */ });
/* harmony import */ var node_assert__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4589);
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7598);
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_9__ = __webpack_require__(4763);
/* harmony import */ var _failure_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(7579);
/* harmony import */ var _outcome_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(1949);
/* harmony import */ var _runtime_guard_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(1503);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(8146);
/* harmony import */ var _text_names_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(2117);
/* harmony import */ var _text_phrases_js__WEBPACK_IMPORTED_MODULE_8__ = __webpack_require__(7999);
/* harmony import */ var _octokit_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(5642);










const downloadMs = 600_000;
const tagInput = 'release-tag';
async function readRelease(inputs, host) {
    const { releaseTag: tag, githubToken } = inputs;
    if (tag === null)
        return null;
    const what = `the release "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_5__/* .quote */ .hD)(tag)}"`;
    const query = { input: tagInput, what, remedies: _octokit_js__WEBPACK_IMPORTED_MODULE_6__/* .releaseRemedies */ .oQ, githubToken };
    return readFromGitHub(query, host, async (reader) => {
        const release = await reader.findRelease(tag);
        const page = { id: release.id, per_page: 100 };
        const assets = await reader.list(assetSchema, 'releases/{id}/assets', page);
        const ofRecords = assets.filter(({ hasRecords }) => hasRecords);
        const records = await Array.fromAsync(ofRecords, async (asset) => {
            const name = `${asset.name} of the release`;
            return { name, bytes: await reader.read(asset), input: tagInput };
        });
        const others = assets.filter(({ name }) => !(0,_text_names_js__WEBPACK_IMPORTED_MODULE_7__/* .isOwnFile */ .Z4)(name));
        const artifacts = await Array.fromAsync(others, asset => readArtifact(asset, reader));
        const tagCommit = await reader.findTagCommit(tag);
        const { draft: isDraft, target_commitish: target, html_url: url } = release;
        let sha = tagCommit;
        if (isDraft && /^[0-9a-f]{40,64}$/.test(target))
            sha ??= target;
        const { source, serverUrl } = host.environment;
        const { repository } = source;
        const ref = `refs/tags/${tag}`;
        const commitUrl = repository && sha && `${serverUrl}/${repository}/commit/${sha}`;
        const runCommit = source.ref === ref ? source.sha : null;
        const counts = [`${what} has ${(0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_8__/* .pluralize */ .td)(artifacts.length, 'file')}`];
        const ofTag = { ...source, ref, sha, commitUrl };
        return { tag, isDraft, url, artifacts, counts, records, tagCommit, runCommit, source: ofTag };
    });
}
function checkServer(inputs, { isGitHub }) {
    if (isGitHub)
        return [];
    const text = 'reads releases on GitHub, but this server is not GitHub';
    const ofTag = { next: 'download the files in an earlier step, and set "path" instead' };
    const ofEarlier = { next: 'set "earlier-releases" to false' };
    const { releaseTag, earlierReleases = false } = inputs;
    const problems = [];
    if (releaseTag !== null)
        problems.push((0,_failure_js__WEBPACK_IMPORTED_MODULE_2__/* .problemWith */ .CO)(tagInput, text, ofTag));
    if (earlierReleases)
        problems.push((0,_failure_js__WEBPACK_IMPORTED_MODULE_2__/* .problemWith */ .CO)('earlier-releases', text, ofEarlier));
    return problems;
}
async function readFromGitHub(query, host, read) {
    const { halt, environment } = host;
    const { repository } = environment.source;
    node_assert__WEBPACK_IMPORTED_MODULE_0__(repository !== null, 'GitHub names the repository of each run');
    const client = await host.connectToGitHub(host, query.githubToken);
    try {
        return await (0,_runtime_guard_js__WEBPACK_IMPORTED_MODULE_4__/* .guard */ .a)(() => read(createReader(client, repository, host)), halt.canceled);
    }
    catch (error) {
        throw halt.isCanceled ? new _failure_js__WEBPACK_IMPORTED_MODULE_2__/* .Stop */ .VG() : toStop(error, query);
    }
}
function toStop(error, { input, what, remedies }) {
    const { reason, observed } = _failure_js__WEBPACK_IMPORTED_MODULE_2__/* .Failure */ .HR.orRethrow(error);
    const remedy = remedies[reason];
    node_assert__WEBPACK_IMPORTED_MODULE_0__(remedy !== undefined, 'reading a release fails for a reason of its own');
    return new _failure_js__WEBPACK_IMPORTED_MODULE_2__/* .Stop */ .VG((0,_failure_js__WEBPACK_IMPORTED_MODULE_2__/* .problemAt */ .l4)(input, `${what} cannot be read: ${observed}`, remedy));
}
async function readArtifact(asset, reader) {
    const { name, size } = asset;
    try {
        if (!asset.isUploaded) {
            const observed = `GitHub does not have all of "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_5__/* .quote */ .hD)(name)}" yet`;
            throw new _failure_js__WEBPACK_IMPORTED_MODULE_2__/* .Failure */ .HR('unreadable', 'asset-changed', { observed });
        }
        const hash = asset.hash ?? (await reader.download(asset));
        return { input: tagInput, name, size, hash, outcome: _outcome_js__WEBPACK_IMPORTED_MODULE_3__/* .planned */ .lM };
    }
    catch (error) {
        const outcome = (0,_outcome_js__WEBPACK_IMPORTED_MODULE_3__/* .failed */ .gz)(_failure_js__WEBPACK_IMPORTED_MODULE_2__/* .Failure */ .HR.orRethrow(error));
        return { input: tagInput, name, size: null, hash: null, outcome };
    }
}
const assetSchema = zod_mini__WEBPACK_IMPORTED_MODULE_9__/* .pipe */ .FsL(zod_mini__WEBPACK_IMPORTED_MODULE_9__/* .object */ .Ikc({
    id: zod_mini__WEBPACK_IMPORTED_MODULE_9__/* .number */ .aig(),
    name: zod_mini__WEBPACK_IMPORTED_MODULE_9__/* .string */ .YjP(),
    size: zod_mini__WEBPACK_IMPORTED_MODULE_9__/* .number */ .aig(),
    digest: zod_mini__WEBPACK_IMPORTED_MODULE_9__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_9__/* .string */ .YjP()),
    state: zod_mini__WEBPACK_IMPORTED_MODULE_9__/* .string */ .YjP(),
}), zod_mini__WEBPACK_IMPORTED_MODULE_9__/* .transform */ .pdi(({ id, name, size, digest, state }) => {
    const hash = /^sha256:([0-9a-f]{64})$/i.exec(digest ?? '')?.[1]?.toLowerCase();
    const isUploaded = state === 'uploaded';
    const hasRecords = isUploaded && /^notarization-records.*\.jsonl$/s.test(name);
    return { id, name, size, hash, isUploaded, hasRecords };
}));
const releaseSchema = zod_mini__WEBPACK_IMPORTED_MODULE_9__/* .object */ .Ikc({
    id: zod_mini__WEBPACK_IMPORTED_MODULE_9__/* .number */ .aig(),
    tag_name: zod_mini__WEBPACK_IMPORTED_MODULE_9__/* .string */ .YjP(),
    draft: zod_mini__WEBPACK_IMPORTED_MODULE_9__/* .boolean */ .zMY(),
    target_commitish: zod_mini__WEBPACK_IMPORTED_MODULE_9__/* .string */ .YjP(),
    html_url: zod_mini__WEBPACK_IMPORTED_MODULE_9__/* .string */ .YjP(),
});
const gitObjectSchema = zod_mini__WEBPACK_IMPORTED_MODULE_9__/* .object */ .Ikc({ object: zod_mini__WEBPACK_IMPORTED_MODULE_9__/* .object */ .Ikc({ sha: zod_mini__WEBPACK_IMPORTED_MODULE_9__/* .string */ .YjP(), type: zod_mini__WEBPACK_IMPORTED_MODULE_9__/* .string */ .YjP() }) });
const streamSchema = zod_mini__WEBPACK_IMPORTED_MODULE_9__/* .custom */ .IeY(data => Symbol.asyncIterator in Object(data));
function createReader(client, repository, host) {
    const root = `/repos/${repository}`;
    async function find(schema, path, parameters) {
        try {
            const { data } = await client.request(`GET ${root}/${path}`, parameters);
            return schema.parse(data);
        }
        catch (error) {
            if ((0,_octokit_js__WEBPACK_IMPORTED_MODULE_6__/* .statusOf */ .c2)(error) === 404)
                return null;
            throw (0,_octokit_js__WEBPACK_IMPORTED_MODULE_6__/* .toFailure */ .w2)(error, path, host);
        }
    }
    async function list(schema, path, { maxItems = Infinity, ...parameters }) {
        const items = [];
        try {
            for await (const { data } of client.pages(`GET ${root}/${path}`, parameters)) {
                items.push(...zod_mini__WEBPACK_IMPORTED_MODULE_9__/* .array */ .YOg(schema).parse(data));
                if (items.length >= maxItems)
                    break;
            }
            return items;
        }
        catch (error) {
            throw (0,_octokit_js__WEBPACK_IMPORTED_MODULE_6__/* .toFailure */ .w2)(error, path, host);
        }
    }
    async function findRelease(tag) {
        const published = await find(releaseSchema, 'releases/tags/{tag}', { tag });
        if (published !== null)
            return published;
        const listed = await list(releaseSchema, 'releases', { per_page: 30 });
        const drafts = listed.filter(({ tag_name }) => tag_name === tag);
        const [release] = drafts;
        const name = `the release "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_5__/* .quote */ .hD)(tag)}"`;
        if (release === undefined) {
            const next = 'check the tag';
            const hint = 'if the release is a draft, give the job the permission "contents: write", because GitHub hides drafts from other tokens';
            throw new _failure_js__WEBPACK_IMPORTED_MODULE_2__/* .Stop */ .VG((0,_failure_js__WEBPACK_IMPORTED_MODULE_2__/* .problemAt */ .l4)(tagInput, `${name} was not found`, { next, hint }));
        }
        if (drafts.length === 1)
            return release;
        const urls = drafts.map(({ html_url }) => (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_5__/* .quote */ .hD)(html_url));
        const text = `${name} has ${drafts.length} drafts (${(0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_8__/* .joinFirst */ .FS)(urls, 5)})`;
        const next = 'delete all drafts but the right one';
        throw new _failure_js__WEBPACK_IMPORTED_MODULE_2__/* .Stop */ .VG((0,_failure_js__WEBPACK_IMPORTED_MODULE_2__/* .problemAt */ .l4)(tagInput, text, { next, needs: 'nothing' }));
    }
    async function findTagCommit(tag) {
        let target = await find(gitObjectSchema, 'git/ref/tags/{tag}', { tag });
        while (target?.object.type === 'tag') {
            const { sha } = target.object;
            target = await find(gitObjectSchema, 'git/tags/{sha}', { sha });
        }
        return target?.object.sha ?? null;
    }
    async function download({ id, name, size, hash }, onChunk) {
        const what = `the download of "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_5__/* .quote */ .hD)(name)}"`;
        const sha256 = (0,node_crypto__WEBPACK_IMPORTED_MODULE_1__.createHash)('sha256');
        const deadline = AbortSignal.timeout(downloadMs);
        let bytes = 0;
        try {
            const headers = { accept: 'application/octet-stream' };
            const request = { parseSuccessResponseBody: false, signal: deadline };
            const route = `GET ${root}/releases/assets/{id}`;
            const { data } = await client.request(route, { id, headers, request });
            for await (const chunk of streamSchema.parse(data)) {
                bytes += chunk.length;
                sha256.update(chunk);
                onChunk?.(chunk);
            }
        }
        catch (error) {
            const failure = (0,_octokit_js__WEBPACK_IMPORTED_MODULE_6__/* .toFailure */ .w2)(error, what, host);
            if (deadline.aborted)
                throw failure.with({ observed: `${what} took more than 10 min` });
            if ((0,_octokit_js__WEBPACK_IMPORTED_MODULE_6__/* .statusOf */ .c2)(error) !== 404)
                throw failure;
            throw new _failure_js__WEBPACK_IMPORTED_MODULE_2__/* .Failure */ .HR('unreadable', 'asset-changed', { observed: failure.observed });
        }
        const digest = sha256.digest('hex');
        if (bytes === size && digest === (hash ?? digest))
            return digest;
        let observed = `${what} does not have the digest that GitHub lists`;
        if (bytes !== size)
            observed = `${what} has ${bytes} bytes, but GitHub lists ${size}`;
        throw new _failure_js__WEBPACK_IMPORTED_MODULE_2__/* .Failure */ .HR('unreadable', 'asset-changed', { observed });
    }
    async function read(asset) {
        const chunks = [];
        await download(asset, chunk => chunks.push(chunk));
        return Buffer.concat(chunks);
    }
    return { list, findRelease, findTagCommit, download, read };
}


/***/ }),

/***/ 7954:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $X: () => (/* binding */ formatWhole),
/* harmony export */   Kn: () => (/* binding */ writeOutputs),
/* harmony export */   n0: () => (/* binding */ setOutputs)
/* harmony export */ });
/* harmony import */ var _failure_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7579);
/* harmony import */ var _outcome_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1949);
/* harmony import */ var _text_phrases_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(7999);
/* harmony import */ var _text_verification_url_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(6318);
/* harmony import */ var _steps_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6679);






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
const maxWholeBytes = 120_000;
const maxFailuresBytes = 50_000;
function formatWhole(items, warning, { runner }) {
    const texts = formatFitting(items.values(), maxWholeBytes);
    if (texts.length === items.length)
        return `[${texts.join(',')}]`;
    runner.warning(warning);
    return '';
}
function formatFitting(items, maxBytes) {
    const texts = items.map(item => JSON.stringify(item));
    return (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_3__/* .takeFitting */ .hW)(texts, maxBytes - 1, text => Buffer.byteLength(text) + 1);
}
function writeOutputs({ artifacts: known, verdict, charges }, paths, job) {
    const { host, inputs, recordsPath } = job;
    const artifacts = verdict === 'stopped' ? [] : known;
    const registered = verdict === 'dry-run' ? [] : artifacts.filter(_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .isRegistered */ .zN);
    const records = registered.map(({ name: artifact, size, hash, outcome }) => {
        const { from, record, otherCharge } = outcome;
        const maybeChargedAgain = otherCharge === null ? undefined : true;
        const verificationUrl = (0,_text_verification_url_js__WEBPACK_IMPORTED_MODULE_4__/* .fillVerificationUrl */ .U)(inputs.verificationUrl, { hash, record }) ?? undefined;
        return { artifact, size, hash, from, record, maybeChargedAgain, verificationUrl };
    });
    const failed = artifacts.filter(_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .isFailed */ .Ix);
    const failures = failed.values().map(artifact => {
        const { name, size, hash, outcome } = artifact;
        const { code } = outcome.failure;
        const registered = (0,_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .mayBeRegistered */ .bc)(outcome) ? 'unknown' : 'no';
        const message = describeFailure(artifact, artifacts, job);
        return { artifact: name, size, hash, code, registered, message };
    });
    const tooLong = 'The output "records" is empty, because it would exceed 120,000 bytes. Read the file in the output "records-path" instead';
    const outputs = {
        verdict,
        records: formatWhole(records, tooLong, host),
        failures: `[${formatFitting(failures, maxFailuresBytes).join(',')}]`,
        'records-path': recordsPath,
        'artifact-count': artifacts.length,
        'registered-count': registered.length,
        'newly-registered-count': registered.filter(_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .isNew */ .BS).length,
        'failed-count': failed.length,
        'charge-count': charges.least,
        'charge-count-max': charges.most,
    };
    return setOutputs({ ...outputs, ...paths }, host);
}
function describeFailure(artifact, all, job) {
    const about = { job, run: 'next run', isDown: (0,_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .isServiceDown */ .G4)(all) };
    const lookUps = _steps_js__WEBPACK_IMPORTED_MODULE_2__/* .lookUp */ .TE([artifact], about);
    const fixes = _steps_js__WEBPACK_IMPORTED_MODULE_2__/* .toSteps */ .fe(_steps_js__WEBPACK_IMPORTED_MODULE_2__/* .explainFailures */ .vS([artifact], job));
    const texts = [...lookUps, ...fixes].map(step => {
        return _steps_js__WEBPACK_IMPORTED_MODULE_2__/* .formatStep */ .yS({ ...step, answers: [] }, job.host.environment.docsUrl);
    });
    const { failure } = artifact.outcome;
    const { cause, observed, next } = _steps_js__WEBPACK_IMPORTED_MODULE_2__/* .explainFailure */ .SP(failure, job);
    if ((0,_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .isUntried */ .E0)(artifact)) {
        const untried = `not sent after an earlier failure: ${_steps_js__WEBPACK_IMPORTED_MODULE_2__/* .summarize */ .eh(cause, observed)}`;
        const isOfDoubt = all.filter(_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .isFailed */ .Ix).some(({ outcome: { failure: other } }) => {
            return other.mayHaveActed && other.reason === failure.reason;
        });
        const [advice = next] = isOfDoubt ? _steps_js__WEBPACK_IMPORTED_MODULE_2__/* .lookUp */ .TE(all, about).map(step => step.next) : [];
        texts.push((0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_3__/* .toSentences */ .Mc)((0,_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .isInDoubt */ .cd)(artifact) ? [untried] : [untried, advice]));
    }
    return texts.join(' ');
}


/***/ }),

/***/ 4156:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $: () => (/* binding */ maxNames),
/* harmony export */   l: () => (/* binding */ makeFact)
/* harmony export */ });
/* harmony import */ var _text_phrases_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7999);

function makeFact(label, warning, text) {
    return { label, warning, text: warning === '' ? text : (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_0__/* .upperFirst */ .Zb)(text) };
}
const maxNames = 3;


/***/ }),

/***/ 6679:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Df: () => (/* binding */ explainRun),
/* harmony export */   FR: () => (/* binding */ explainProblem),
/* harmony export */   MX: () => (/* binding */ nameFirst),
/* harmony export */   SP: () => (/* binding */ explainFailure),
/* harmony export */   TE: () => (/* binding */ lookUp),
/* harmony export */   TR: () => (/* binding */ describeInRow),
/* harmony export */   eg: () => (/* binding */ formatFindings),
/* harmony export */   eh: () => (/* binding */ summarize),
/* harmony export */   fe: () => (/* binding */ toSteps),
/* harmony export */   iC: () => (/* binding */ nameFile),
/* harmony export */   r8: () => (/* binding */ saveLines),
/* harmony export */   vS: () => (/* binding */ explainFailures),
/* harmony export */   yS: () => (/* binding */ formatStep),
/* harmony export */   yg: () => (/* binding */ describeProblems),
/* harmony export */   ym: () => (/* binding */ maxCauseLength)
/* harmony export */ });
/* harmony import */ var _keep_keep_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(510);
/* harmony import */ var _outcome_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1949);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8146);
/* harmony import */ var _text_phrases_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(7999);
/* harmony import */ var _text_verification_url_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(6318);
/* harmony import */ var _report_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(4156);
/* harmony import */ var _words_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(649);







const maxErrors = 10;
const maxCauses = 10;
const maxCauseLength = 120;
function explainFailure(failure, { inputs, host }, artifact = null) {
    const found = fillIn((0,_words_js__WEBPACK_IMPORTED_MODULE_3__/* .findWords */ .Z)(failure, inputs), host);
    const brief = summarize(found.cause, failure.status === null ? '' : `HTTP ${failure.status}`);
    const observed = failure.reason === 'canceled' ? '' : failure.observed + failure.said;
    return { ...found, observed, brief, artifact };
}
function explainFailures(failed, job) {
    const toFix = failed.filter(({ outcome: { failure } }) => {
        const { code, reason, mayHaveActed } = failure;
        if (code === 'not-tried' || reason === 'already-registered')
            return false;
        return !mayHaveActed || reason === 'canceled' || reason === 'bug';
    });
    return toFix.map(artifact => explainFailure(artifact.outcome.failure, job, artifact));
}
function explainRun(outputsError, host, isLost = true) {
    const { halt, secrets } = host;
    const findings = [];
    const add = (reason, text = '') => {
        const found = fillIn(_words_js__WEBPACK_IMPORTED_MODULE_3__/* .words */ .a[reason], host);
        const observed = secrets.redactLine(text);
        const whole = summarize(found.cause, observed);
        const brief = whole.length > maxCauseLength ? found.cause : whole;
        findings.push({ ...found, observed, brief, artifact: null });
    };
    if (halt.isCanceled)
        add('canceled');
    if (halt.bug !== null)
        add('bug', halt.bug.observed);
    if (halt.reason?.reason === 'not-saved' && isLost)
        add('not-saved', halt.reason.observed);
    else if (outputsError !== null)
        add('outputs-not-written', outputsError);
    return findings;
}
function explainProblem(problem, { secrets }) {
    const cause = secrets.redactLine(problem.message);
    const next = secrets.redactLine(problem.next);
    const hint = secrets.redactLine(problem.hint ?? '');
    return { ...problem, cause, next, hint, observed: '', brief: cause, artifact: null };
}
function fillIn(found, { environment }) {
    return { ...found, next: found.next.replace('{reportTo}', () => environment.reportTo) };
}
function summarize(cause, observed) {
    if (observed === '')
        return cause;
    return cause.endsWith(')') ? `${cause}: ${observed}` : `${cause} (${observed})`;
}
function summarizeAll(cause, observed) {
    const seen = [...new Set(observed)].filter(text => text !== '');
    return (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_4__/* .toSentence */ .Re)(summarize(cause, (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_4__/* .joinFirst */ .FS)(seen, _report_js__WEBPACK_IMPORTED_MODULE_5__/* .maxNames */ .$)));
}
function describeProblems(problems, host) {
    const groups = [...Map.groupBy(problems, ({ input }) => input).values()];
    return groups.slice(0, maxErrors).map(group => {
        const found = group.map(problem => explainProblem(problem, host));
        return formatFindings(found, host.environment.docsUrl);
    });
}
function formatFindings(findings, docsUrl) {
    const clauses = findings.flatMap(({ cause, observed, next, hint = '' }) => {
        return [summarize(cause, observed), next, hint];
    });
    const [docs] = findings.flatMap(found => found.docs ?? []);
    const once = [...new Set(clauses.toReversed())].toReversed();
    return (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_4__/* .toSentences */ .Mc)(docs === undefined ? once : [...once, `more: ${docsUrl}/${docs}`]);
}
function toSteps(findings, others = 0) {
    const groups = Map.groupBy(findings, ({ next }) => next);
    return Array.from(groups, ([next, group]) => {
        const byCause = Map.groupBy(group, ({ cause }) => cause);
        const causes = Array.from(byCause, ([cause, same]) => {
            const observed = same.map(finding => finding.observed);
            return summarizeAll(cause, observed);
        });
        const hints = new Set(group.map(({ hint = '' }) => (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_4__/* .toSentences */ .Mc)([hint])));
        const happened = [...showFirst(causes, maxCauses), ...hints];
        const all = group.flatMap(({ artifact }) => artifact ?? []);
        const named = all.filter(({ hash }) => groups.size + others > 1 || hash === null);
        const files = named.map(({ name }) => ({ name, hash: null, url: null }));
        const [{ brief, docs } = { brief: '', docs: undefined }] = group;
        return { next: (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_4__/* .toSentence */ .Re)(next), happened, files, docs, brief };
    });
}
function showFirst(causes, max) {
    const others = causes.length - max;
    return others > 0 ? [...causes.slice(0, max), `Other causes: ${others}.`] : causes;
}
function formatStep(step, docsUrl) {
    const { warning = '', next, happened, files = [], answers = [], docs } = step;
    const names = files.map(({ name, hash, url }) => {
        return [`"${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .quote */ .hD)(name)}"`, hash, url].filter(part => part !== null).join(' ');
    });
    const texts = [warning, next, ...happened];
    if (names.length > 0)
        texts.push(`Files: ${(0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_4__/* .joinFirst */ .FS)(names, _report_js__WEBPACK_IMPORTED_MODULE_5__/* .maxNames */ .$)}.`);
    texts.push(...answers.map(({ label, text }) => `${label}: ${text}`));
    if (docs !== undefined)
        texts.push(`More: ${docsUrl}/${docs}`);
    return texts.filter(text => text !== '').join(' ');
}
function saveLines({ records, keepError }) {
    const { onlyInLog, isEarlierInLogs } = records;
    if (onlyInLog === 0 && !isEarlierInLogs)
        return [];
    const lines = onlyInLog === 1 ? 'the record line' : `the ${onlyInLog} record lines`;
    const earlier = 'the record lines, if there are any, from the logs of earlier attempts';
    const next = `Save ${onlyInLog > 0 ? `${lines} from the log of this step` : earlier}.`;
    const happened = [];
    if (keepError !== null)
        happened.push((0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_4__/* .toSentence */ .Re)(`the workflow artifact could not be uploaded: ${keepError}`));
    if (onlyInLog > 0 && keepError !== null)
        happened.push(`See the group "${_keep_keep_js__WEBPACK_IMPORTED_MODULE_0__/* .logGroup */ .QT}".`);
    else if (onlyInLog > 0)
        happened.push('See the text "A line could not be saved".');
    if (keepError === null && onlyInLog === 0)
        happened.push('This server has no artifact service to keep records.');
    else if (onlyInLog > 0 && isEarlierInLogs)
        happened.push(`Save ${earlier}, too.`);
    return [{ next, happened, docs: 'records.md#save-lines-from-the-log' }];
}
function lookUp(artifacts, about) {
    const doubts = lookUpDoubts(artifacts.filter(_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .isInDoubt */ .cd), about);
    return [...doubts, ...lookUpConflicts(artifacts.filter(_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .isConflict */ .dh), about)];
}
function lookUpDoubts(inDoubt, { job, run, isDown }) {
    const failureOf = ({ outcome }) => (outcome.state === 'failed' ? outcome.failure : null);
    const isOwn = (artifact) => failureOf(artifact)?.mayHaveActed === true;
    const ordered = [...inDoubt.filter(isOwn), ...inDoubt.filter(artifact => !isOwn(artifact))];
    const failures = ordered.map(failureOf);
    const [first] = failures;
    if (first === undefined)
        return [];
    const files = nameFiles(ordered, job);
    const byCause = Map.groupBy(ordered, describeDoubt);
    const causes = Array.from(byCause, ([cause, same]) => {
        return byCause.size === 1 ? cause : `${cause}: ${nameFirst(same)}`;
    });
    const happened = [showFirst(causes.map(_text_phrases_js__WEBPACK_IMPORTED_MODULE_4__/* .toSentence */ .Re), _report_js__WEBPACK_IMPORTED_MODULE_5__/* .maxNames */ .$).join(' ')];
    const reasons = failures.map(failure => failure?.reason);
    if (reasons.includes('timeout') && job.inputs.timeoutSeconds < 600) {
        happened.push('If this happens often, raise "timeout-seconds".');
    }
    const each = files.length === 1 ? '1 charge' : '1 charge each';
    const lasting = ordered.filter(artifact => {
        const failure = failureOf(artifact);
        return failure !== null && (0,_words_js__WEBPACK_IMPORTED_MODULE_3__/* .findWords */ .Z)(failure, job.inputs).isLasting;
    });
    const pending = reasons.filter(reason => reason === 'not-yet-registered').length;
    let missing = `nothing to do here, the ${run} registers it. ${each}.`;
    const ask = 'ask the service about its response';
    if (lasting.length > 0)
        missing += ` For ${nameFirst(lasting)}, ${ask} first.`;
    if (lasting.length === ordered.length)
        missing = `${ask}. 0 or ${each}, in a later run.`;
    const answers = [confirmAnswer(job), { label: 'Not registered, or not found', text: missing }];
    if (pending > 0) {
        const text = `look it up again later. If the ${run} sends it now, that may be a second charge.`;
        answers.push({ label: 'Still pending', text });
    }
    if (pending < reasons.length) {
        const text = `the ${run} sends it again. ${each}, a second one if the service has registered it.`;
        answers.push({ label: 'Skipped', text });
    }
    const wait = isDown ? 'Wait until the service responds again' : 'Wait 10 minutes';
    const next = `${wait}, then ${askFor(files)}.`;
    const step = { next, happened, files, answers };
    if (first?.mayHaveActed !== true)
        return [step];
    const hasWords = hasOwnWords.has(first.reason);
    return [{ ...step, brief: hasWords ? _words_js__WEBPACK_IMPORTED_MODULE_3__/* .words */ .a[first.reason].cause : first.observed }];
}
function lookUpConflicts(conflicts, { job, run }) {
    const files = nameFiles(conflicts, job);
    if (files.length === 0)
        return [];
    const { cause } = _words_js__WEBPACK_IMPORTED_MODULE_3__/* .words */ .a['already-registered'];
    const observed = conflicts.map(({ outcome: { failure } }) => failure.observed + failure.said);
    const each = files.length === 1 ? '1 charge' : '1 charge each';
    const from = run === 're-run' ? 'from another job or release' : 'on a release';
    const again = `the ${run} fails here again, unless it finds a record ${from}. No charge.`;
    const answers = [
        confirmAnswer(job),
        {
            label: 'Not registered, or not found',
            text: `ask the service why it returns HTTP 409. 0 or ${each}, in a later run.`,
        },
        { label: 'Skipped', text: again, docs: 'records.md#the-next-release' },
    ];
    const happened = [summarizeAll(cause, observed)];
    const next = `${(0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_4__/* .upperFirst */ .Zb)(askFor(files))}.`;
    return [{ next, happened, files, answers, brief: 'HTTP 409' }];
}
function askFor(files) {
    const these = files.length === 1 ? nameFirst(files) : `these ${files.length} files`;
    return files.some(({ url }) => url === null)
        ? `ask the service about ${these}`
        : `look up ${these}`;
}
function nameFirst(files) {
    const names = files.map(({ name }) => `"${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .quote */ .hD)(name, 100)}"`);
    return (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_4__/* .joinFirst */ .FS)(names, _report_js__WEBPACK_IMPORTED_MODULE_5__/* .maxNames */ .$, { separator: ', ' });
}
function nameFiles(artifacts, job) {
    return (0,_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .onePerHash */ .cE)(artifacts).map(artifact => nameFile(artifact, job));
}
function nameFile({ name, hash, outcome }, { inputs }) {
    const record = outcome.state === 'registered' ? outcome.record : {};
    return { name, hash, url: (0,_text_verification_url_js__WEBPACK_IMPORTED_MODULE_6__/* .fillVerificationUrl */ .U)(inputs.verificationUrl, { hash, record }) };
}
function confirmAnswer({ inputs: { confirmedHashes } }) {
    let how = 'add the SHA-256 to the repository variable NOTARIZATION_CONFIRMED';
    if (confirmedHashes === null)
        how = 'add the input "confirmed-hashes" with the SHA-256';
    return { label: 'Registered', text: `${how}. No charge.`, docs: 'records.md#confirm-a-hash' };
}
const hasOwnWords = new Set(['not-yet-registered', 'record-mismatch', 'bug']);
function describeDoubt({ outcome }) {
    if (outcome.state === 'registered')
        return '';
    if (outcome.state === 'planned' || !outcome.failure.mayHaveActed) {
        const time = (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_4__/* .formatTime */ .fU)(Date.parse(outcome.lastDoubtAt ?? ''));
        return `an earlier call at ${time} UTC got no usable record`;
    }
    const { reason, observed, said } = outcome.failure;
    const seen = observed + said;
    if (hasOwnWords.has(reason))
        return summarize(_words_js__WEBPACK_IMPORTED_MODULE_3__/* .words */ .a[reason].cause, seen);
    return `${seen}, but may have gone through`;
}
function describeInRow({ outcome: { failure, lastDoubtAt } }, { inputs }) {
    const { code, mayHaveActed, reason, status } = failure;
    if (reason === 'already-registered')
        return 'HTTP 409';
    if (!mayHaveActed && lastDoubtAt !== null)
        return 'sent by an earlier run';
    if (code === 'not-tried')
        return 'not sent after an earlier failure';
    if (reason === 'timeout')
        return `no response within ${inputs.timeoutSeconds} s`;
    if (status !== null && status >= 300)
        return `HTTP ${status}`;
    return _words_js__WEBPACK_IMPORTED_MODULE_3__/* .words */ .a[reason].row ?? reason.replaceAll('-', ' ');
}


/***/ }),

/***/ 649:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Z: () => (/* binding */ findWords),
/* harmony export */   a: () => (/* binding */ words)
/* harmony export */ });
/* harmony import */ var _inputs_shared_inputs_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1218);
/* harmony import */ var _release_octokit_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5642);


const subscriptionDocs = 'reference.md#the-subscription';
const rejected = {
    cause: 'the service rejected the registration',
    next: 'ask the service about this response',
    isLasting: true,
};
const noSubscription = {
    cause: 'your account probably has no subscription with registrations left',
    next: 'renew or activate your subscription at the service',
    docs: subscriptionDocs,
};
const failing = {
    cause: 'the service is unavailable',
    next: 'wait until you can log in to the service in a browser',
    row: 'no response',
};
const words = {
    'wrong-key': {
        cause: 'the service did not accept the API key',
        next: 'replace the key in the secret that your workflow passes as "api-key"',
    },
    'not-the-service': {
        cause: 'something other than the service responded, such as a maintenance page or a firewall',
        next: 'wait until the service responds again, or find out what responds at its address',
        isLasting: true,
    },
    blocked: {
        cause: 'something in front of the service, such as bot protection, blocks this runner',
        next: 'ask the service to allow requests from your runners',
        hint: 'the API key and your account are not the cause',
    },
    unpaid: noSubscription,
    forbidden: {
        cause: 'your account is probably not allowed to register files',
        next: 'ask the service to allow your account to register files',
    },
    'already-registered': {
        cause: 'the service probably has the hash, from an earlier release, run, job or call, but sent no record',
        next: 'look up each file at the service',
    },
    'no-request': {
        cause: 'the service has probably not processed the request yet',
        next: 'wait 10 minutes, so that the service can process the requests',
    },
    rejected,
    'request-rejected': rejected,
    'no-subscription': noSubscription,
    'unexpected-response': {
        cause: 'the service sent an unexpected response',
        next: 'ask the service about this response',
        isLasting: true,
    },
    'not-yet-registered': {
        cause: 'the service accepted the hash, but has not registered it yet',
        next: 'wait until the service has registered the hash',
        row: 'pending',
    },
    'record-mismatch': {
        cause: 'the record from the service does not match the file',
        next: 'ask the service about this record',
        isLasting: true,
    },
    'rate-limit': {
        cause: 'the service asked to wait',
        next: 'wait 10 minutes, or longer if the service asks for that',
    },
    unavailable: failing,
    timeout: failing,
    unreachable: {
        cause: 'the runner cannot reach the service',
        next: 'check that the service is up, and that the runner has network access',
        row: 'no connection',
    },
    protocol: {
        cause: 'the response is not valid HTTP or TLS',
        next: 'find out what responds over HTTPS at the host and port of the service',
        row: 'not HTTP or TLS',
        isLasting: true,
    },
    proxy: {
        cause: 'the proxy of the runner did not connect to the service',
        next: 'check the proxy, and its address in the variable https_proxy of the runner (scheme, host, port and password)',
    },
    certificate: {
        cause: 'the runner does not trust a certificate',
        next: 'set NODE_EXTRA_CA_CERTS in the workflow to the path of the certificate of your private authority',
        hint: 'if the authority is public, report the certificate to its owner',
        needs: 'workflow',
    },
    'certificate-expired': {
        cause: 'a certificate has expired',
        next: 'ask the owner of the certificate to renew it',
    },
    'certificate-early': {
        cause: 'the clock of the runner is probably wrong, because a certificate is not valid yet',
        next: 'correct the clock of the runner',
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
    'asset-changed': {
        cause: 'the asset differs from what GitHub lists',
        ..._release_octokit_js__WEBPACK_IMPORTED_MODULE_1__/* .releaseRemedies */ .oQ['asset-changed'],
    },
    'github-token': { cause: 'GitHub did not accept the token', ..._release_octokit_js__WEBPACK_IMPORTED_MODULE_1__/* .releaseRemedies */ .oQ['github-token'] },
    'github-permission': {
        cause: 'the token may not read the asset',
        ..._release_octokit_js__WEBPACK_IMPORTED_MODULE_1__/* .releaseRemedies */ .oQ['github-permission'],
    },
    'github-unavailable': {
        cause: 'GitHub is unavailable',
        ..._release_octokit_js__WEBPACK_IMPORTED_MODULE_1__/* .releaseRemedies */ .oQ['github-unavailable'],
    },
    'not-saved': {
        cause: 'the records file could not be written',
        next: 'make sure that the runner can write the records file, and that its disk is not full',
    },
    canceled: {
        cause: 'the run was canceled',
        next: 'find out who or what canceled the run',
        hint: 'it may have been a person or a time limit; if a newer run took its place, do not re-run this one, because that run does the same work',
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
    next: 'correct the address in the input "base-url" (scheme, host, port and path)',
    needs: 'workflow',
};
const withAddress = {
    'not-the-service': wrongAddress,
    protocol: wrongAddress,
    blocked: {
        ...wrongAddress,
        cause: 'something in front of the service blocks this runner, or the input "base-url" is not its final address',
        hint: 'if the address is right, ask the service to allow requests from your runners',
    },
};
const wrongData = {
    cause: 'the service probably does not accept the subscription in the input "subscription"',
    next: 'check the subscription data in the secret that your workflow passes as "subscription"',
    docs: subscriptionDocs,
};
const withoutRequest = {
    cause: 'the service probably expects a request before it registers a file',
    next: 'set the input "request-registration" to true',
    needs: 'workflow',
};
function findWords({ reason, isOfLogin }, inputs) {
    const { baseUrl, payment, requestRegistration } = inputs;
    const usual = words[reason];
    if (baseUrl !== _inputs_shared_inputs_js__WEBPACK_IMPORTED_MODULE_0__/* .defaultBaseUrl */ .Ip && isOfLogin)
        return withAddress[reason] ?? usual;
    const hasData = payment !== null && payment !== 'active';
    if (hasData && reason === 'rejected')
        return wrongData;
    if (!requestRegistration && reason === 'no-request')
        return withoutRequest;
    return usual;
}


/***/ }),

/***/ 5823:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   u: () => (/* binding */ writeReport)
/* harmony export */ });
/* harmony import */ var _failure_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7579);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8146);
/* harmony import */ var _text_names_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(2117);
/* harmony import */ var _text_phrases_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(7999);
/* harmony import */ var _report_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(4156);
/* harmony import */ var _steps_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6679);






const maxSummaryBytes = 1_000_000;
const maxStepsBytes = 500_000;
const reservedBytes = 3000;
const lineBytes = '<tr></tr>\n'.length;
const maxWarnings = 10;
const maxUnfoldedRows = 50;
const maxAlike = 5;
const maxToLookUp = 20;
const maxHappenedLength = 4000;
const shownDigits = 12;
async function writeReport(report, { runner, environment: { docsUrl } }, showSummary) {
    const { steps, rows, facts, title, errors, exitCode } = report;
    for (const row of rows)
        runner.info(formatRow(row));
    for (const [index, step] of steps.entries()) {
        runner.info(`${index + 1}. ${(0,_steps_js__WEBPACK_IMPORTED_MODULE_2__/* .formatStep */ .yS)(step, docsUrl)}`);
    }
    for (const { label, warning, text } of facts) {
        runner.info(`${label}: ${[warning, text].join(' ').trim()}`);
    }
    runner.info(title);
    if (showSummary) {
        try {
            await runner.writeSummary(formatPage(report, docsUrl));
        }
        catch (error) {
            runner.warning(`The job summary could not be written: ${(0,_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .describeError */ .Uc)(error)}`);
        }
    }
    errors.forEach(runner.error);
    return exitCode;
}
function formatRow({ state, artifact, note, url }) {
    const { name, size, hash } = artifact;
    const bytes = size === null ? '–' : `${size} B`;
    const what = `"${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .quote */ .hD)(name)}" (${bytes}, ${hash ?? 'not hashed'})`;
    const parts = [`${state}: ${what}`, (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .quote */ .hD)(note, _text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .maxMessageLength */ .sZ), url ?? ''];
    return parts.filter(part => part !== '').join('; ');
}
function formatPage(report, docsUrl) {
    const { title, facts, rows, steps, warnings, pointers } = report;
    const lines = [
        `## ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .toHtml */ .Vw)(title, _text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .maxMessageLength */ .sZ)}`,
        '',
        `<p>${facts.map(renderFact).join('<br>')}</p>`,
    ];
    if (steps.length > 0) {
        const max = rows.length > 0 ? _report_js__WEBPACK_IMPORTED_MODULE_3__/* .maxNames */ .$ : Infinity;
        const items = steps.values().map(step => `<li>${renderStep(step, max, docsUrl)}</li>`);
        const shown = [...(0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_4__/* .takeFitting */ .hW)(items, maxStepsBytes, bytesOf)];
        if (shown.length < steps.length)
            shown.push('<li>More steps are in the log.</li>');
        lines.push('<h4>What to do, in order</h4>', '<ol>', ...shown, '</ol>');
    }
    const notes = warnings.map(note => `⚠️ ${renderNote(note, docsUrl)}`);
    const rest = 'more in the log of this step';
    if (notes.length > 0)
        lines.push(`<p>${(0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_4__/* .joinFirst */ .FS)(notes, maxWarnings, { separator: '<br>', rest })}</p>`);
    const places = pointers.map(note => renderNote(note, docsUrl));
    if (places.length > 0)
        lines.push(`<p>${places.join('<br>')}</p>`);
    const left = maxSummaryBytes - reservedBytes - Buffer.byteLength(lines.join('\n'));
    return [...lines, ...renderTables(report, left), ''].join('\n');
}
function renderFact({ label, warning, text }) {
    const bold = warning === '' ? '' : `<b>${breakable(warning)}</b> `;
    return `<b>${label}:</b> ${bold}${breakable(text, _text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .maxMessageLength */ .sZ)}`;
}
function renderNote({ text, docs, link }, docsUrl) {
    const parts = [breakable(text, _text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .maxMessageLength */ .sZ)];
    if (link !== undefined)
        parts.push(linked(code(link.name), link.url));
    if (docs !== undefined)
        parts.push(`(${linkDocs(docs, docsUrl)})`);
    return parts.join(' ');
}
function renderStep(step, max, docsUrl) {
    const { warning = '', next, happened, files = [], answers = [], docs } = step;
    const lines = [`<b>${breakable(`${warning} ${next}`.trim(), _text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .maxMessageLength */ .sZ)}</b>`];
    const told = happened.filter(text => text !== '').map(text => breakable(text, maxHappenedLength));
    if (told.length > 0)
        lines.push(told.join(' '));
    const toLookUp = files.filter(({ hash }) => hash !== null);
    for (const { name, hash, url } of toLookUp.slice(0, max)) {
        lines.push(`${linked(code(name), url)}: <code>${hash ?? ''}</code>`);
    }
    const more = toLookUp.length - max;
    const links = toLookUp.some(({ url }) => url !== null) ? 'links in the table, ' : '';
    if (more > 0)
        lines.push(`and ${more} more: ${links}whole SHA-256 at the end of this page`);
    const names = files.filter(({ hash }) => hash === null).map(({ name }) => code(name));
    if (names.length > 0)
        lines.push(`Files: ${(0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_4__/* .joinFirst */ .FS)(names, _report_js__WEBPACK_IMPORTED_MODULE_3__/* .maxNames */ .$, { separator: ', ' })}`);
    for (const answer of answers) {
        const how = answer.docs === undefined ? '' : ` (${linkDocs(answer.docs, docsUrl)})`;
        lines.push(`• <b>${answer.label}:</b> ${breakable(answer.text)}${how}`);
    }
    if (docs !== undefined)
        lines.push(`More: ${linkDocs(docs, docsUrl)}`);
    return lines.join('<br>');
}
function renderTables({ rows, hasPage }, maxBytes) {
    if (rows.length === 0)
        return [];
    const all = rows.values().map(row => ({ row, cells: renderRow(row), line: renderHash(row) }));
    const shown = (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_4__/* .takeFitting */ .hW)(all, maxBytes, ({ cells, line }) => bytesOf(line + cells.join('')));
    const hasFailed = rows.some(({ rank }) => rank < 2);
    const plainCount = rows.filter(({ rank }) => rank === 3).length;
    const isFolded = ({ rank, url }, count) => {
        if (rank < 2)
            return count > (url === null ? maxAlike : maxToLookUp);
        return rank === 3 && (hasFailed || plainCount > maxUnfoldedRows);
    };
    const open = [];
    const folded = [];
    const cellsOf = new Map(shown.map(({ row, cells }) => [row, cells]));
    const groups = Map.groupBy(rows, ({ state, rank }) => `${rank} ${state}`);
    for (const group of groups.values()) {
        const cells = group.flatMap(row => [cellsOf.get(row) ?? []]).filter(({ length }) => length > 0);
        const [first] = group;
        if (first === undefined || cells.length === 0)
            continue;
        const summary = `${first.state} (${(0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_4__/* .pluralize */ .td)(group.length, 'file')})`;
        if (isFolded(first, group.length))
            folded.push(...fold(summary, renderTable(cells)));
        else
            open.push(...cells);
    }
    const lines = [...renderTable(open), ...folded];
    if (hasPage)
        lines.push(...fold('Compare downloaded files with the evidence page', comparing));
    const hashes = shown.map(({ line }) => line).join('');
    if (hashes !== '')
        lines.push(...fold('SHA-256 of each file', [`<pre>${hashes}</pre>`]));
    if (shown.length < rows.length) {
        const missing = (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_4__/* .pluralize */ .td)(rows.length - shown.length, 'file is', 'files are');
        const where = 'the log of this step has all of them, and the records file their records';
        lines.push(`<p>${missing} not shown; ${where}.</p>`);
    }
    return lines;
}
const comparing = [
    `<p>Put <code>${_text_names_js__WEBPACK_IMPORTED_MODULE_5__/* .evidenceName */ .Xc}</code> from the workflow artifact beside the downloaded files, and run:</p>`,
    `<pre>sha256sum --ignore-missing -c ${_text_names_js__WEBPACK_IMPORTED_MODULE_5__/* .evidenceName */ .Xc}</pre>`,
];
const columns = ['State', 'File', 'SHA-256', 'Registered at (UTC)', 'Blockchain', 'Transaction'];
function renderTable(rows) {
    if (rows.length === 0)
        return [];
    const titles = columns.map(title => `<th align="left">${title}</th>`);
    const used = [...titles.keys()].filter(index => rows.some(cells => cells[index] !== noCell));
    const lines = [titles, ...rows].map(cells => `<tr>${used.map(index => cells[index] ?? '').join('')}</tr>`);
    return ['<table>', ...lines, '</table>'];
}
function fold(summary, lines) {
    return [`<details><summary>${breakable(summary)}</summary>`, ...lines, '</details>'];
}
function bytesOf(text) {
    return Buffer.byteLength(text) + lineBytes;
}
function renderHash({ artifact: { name, hash } }) {
    if (hash === null)
        return '';
    return `${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .toHtml */ .Vw)((0,_text_names_js__WEBPACK_IMPORTED_MODULE_5__/* .formatChecksum */ .rH)({ name, hash }).trimEnd(), _text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .maxMessageLength */ .sZ)}&#10;`;
}
const noCell = '<td>–</td>';
function renderRow({ state, artifact, url, note, cells }) {
    const { name, hash } = artifact;
    let digits = '';
    if (hash !== null)
        digits = linked(`<code>${hash.slice(0, shownDigits)}</code>`, url);
    const file = note === '' ? code(name) : `${code(name)}<br>${breakable(note, _text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .maxMessageLength */ .sZ)}`;
    const others = [0, 1, 2].map(index => breakable(cells[index] ?? ''));
    const all = [breakable(state).replace(' ', '&nbsp;'), file, digits, ...others];
    return all.map(cell => (cell === '' ? noCell : `<td>${cell}</td>`));
}
function linkDocs(section, docsUrl) {
    const [page = '', anchor = page] = section.split('#');
    const title = (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_4__/* .upperFirst */ .Zb)(anchor.replaceAll('-', ' ').replace(/\.md$/, ''));
    return linked(title, `${docsUrl}/${section}`);
}
function code(text) {
    return `<code>${breakable(text)}</code>`;
}
const longWord = /(\S{41,})/u;
function breakable(text, maxLength = _text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .maxNameLength */ .ws) {
    let html = '';
    for (const part of (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .quote */ .hD)(text, maxLength).split(longWord)) {
        const pieces = longWord.test(part) ? (part.match(/.{1,16}/gu) ?? []) : [part];
        html += pieces.map(piece => (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .toHtml */ .Vw)(piece, piece.length)).join('<wbr>');
    }
    return html;
}
function linked(html, url) {
    if (url === null || !/^https?:\/\//i.test(url))
        return html;
    return `<a href="${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .toAttribute */ .G6)(url)}">${html}</a>`;
}


/***/ }),

/***/ 5107:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Qo: () => (/* binding */ readEnvironment),
/* harmony export */   dr: () => (/* binding */ sourceSchema),
/* harmony export */   q: () => (/* binding */ addProxySchemes)
/* harmony export */ });
/* harmony import */ var node_os__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8161);
/* harmony import */ var node_querystring__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1792);
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4763);



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
const cloudHosts = /^github\.com$|\.ghe\.com$|\.localhost$/;
const proxyVariables = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'];
function readEnvironment(env, cwd) {
    const variables = Object.fromEntries(Object.entries(env).filter(([, text]) => text !== ''));
    const { GITHUB_WORKSPACE: workspace = cwd, RUNNER_TEMP: tempFolder = (0,node_os__WEBPACK_IMPORTED_MODULE_0__.tmpdir)(), GITHUB_API_URL: apiUrl = 'https://api.github.com', GITHUB_SERVER_URL: serverUrl = 'https://github.com', GITEA_ACTIONS: gitea, GITHUB_REPOSITORY: repository, GITHUB_SHA: sha, GITHUB_REF: ref, GITHUB_RUN_ID: runId, GITHUB_RUN_ATTEMPT: runAttempt = '1', GITHUB_ACTION_REPOSITORY: action, GITHUB_ACTION_REF: actionRef = 'main', ACTIONS_RESULTS_URL: resultsUrl = '', ACTIONS_RUNTIME_TOKEN: runtimeToken = '', } = variables;
    const isGitHub = gitea !== 'true';
    const url = repository && `${serverUrl}/${repository}`;
    const commitUrl = url && sha && `${url}/commit/${sha}`;
    const runPage = url && runId && `${url}/actions/runs/${runId}/attempts/${runAttempt}`;
    const runUrl = isGitHub ? runPage : null;
    const isCloud = cloudHosts.test(URL.parse(serverUrl)?.hostname ?? '');
    const canKeep = isCloud && runtimeToken !== '' && URL.canParse(resultsUrl);
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
        isGitHub,
        source: sourceSchema.parse({ repository, sha, ref, runId, runAttempt, commitUrl, runUrl }),
        attempt: Number(runAttempt),
        proxies: Object.fromEntries(proxyVariables.map(name => [name, env[name]])),
        runtimeToken,
        passwords,
        artifactService: canKeep ? resultsUrl : null,
        reportTo: actionUrl === undefined ? 'the issues of this action' : `${actionUrl}/issues`,
        docsUrl: actionUrl === undefined ? 'docs' : `${actionUrl}/blob/${actionRef}/docs`,
    };
}
function addProxySchemes(env) {
    for (const name of proxyVariables) {
        const address = env[name]?.trim() ?? '';
        if (address !== '' && !/^[a-z][a-z\d+.-]*:\/\//i.test(address))
            env[name] = `http://${address}`;
    }
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
    calls.run(reject, call).then(resolve, reject);
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
/* harmony export */   d: () => (/* binding */ checkProxy)
/* harmony export */ });
/* harmony import */ var _actions_http_client_lib_proxy__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3689);
/* harmony import */ var _failure_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7579);


function checkProxy(url, env) {
    const target = new URL(url);
    const variable = `${target.protocol.slice(0, -1)}_proxy`;
    const name = [variable, variable.toUpperCase()].find(key => (env[key] ?? '') !== '');
    if (name === undefined || (0,_actions_http_client_lib_proxy__WEBPACK_IMPORTED_MODULE_0__/* .checkBypass */ .H)(target))
        return;
    const isAddress = URL.canParse(env[name] ?? '');
    if (isAddress && /^https?:$/.test((0,_actions_http_client_lib_proxy__WEBPACK_IMPORTED_MODULE_0__/* .getProxyUrl */ .s)(target)?.protocol ?? ''))
        return;
    const message = `the environment variable "${name}" is not a valid proxy address (not shown because it may contain a password)`;
    const next = `set an http:// or https:// address, or exempt ${target.hostname} with no_proxy`;
    throw new _failure_js__WEBPACK_IMPORTED_MODULE_1__/* .Stop */ .VG({ input: null, message, next, needs: 'nothing' });
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
function toAttribute(text) {
    return showControls(text).replace(special, entityOf);
}
function entityOf(character) {
    return entities[character] ?? `&#${character.charCodeAt(0)};`;
}


/***/ }),

/***/ 7727:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   OW: () => (/* binding */ isJsonObject),
/* harmony export */   b6: () => (/* binding */ textOf),
/* harmony export */   dw: () => (/* binding */ parseJsonObject)
/* harmony export */ });
function isJsonObject(value) {
    return (typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value));
}
function parseJsonObject(text) {
    try {
        const value = JSON.parse(text, (_, item, { source: digits }) => {
            const isKept = typeof item !== 'number' || digits === undefined || String(item) === digits;
            return isKept ? item : JSON.rawJSON(digits);
        });
        return isJsonObject(value) ? value : undefined;
    }
    catch {
        return undefined;
    }
}
function textOf(value) {
    if (typeof value === 'string')
        return value;
    const isScalar = typeof value === 'number' || typeof value === 'boolean' || JSON.isRawJSON(value);
    return isScalar ? JSON.stringify(value) : null;
}


/***/ }),

/***/ 2117:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Fl: () => (/* binding */ baseName),
/* harmony export */   Sv: () => (/* binding */ recordsName),
/* harmony export */   UF: () => (/* binding */ compareCodeUnits),
/* harmony export */   Xc: () => (/* binding */ evidenceName),
/* harmony export */   Z4: () => (/* binding */ isOwnFile),
/* harmony export */   rH: () => (/* binding */ formatChecksum)
/* harmony export */ });
const recordsName = 'notarization-records.jsonl';
const evidenceName = 'notarization-evidence.md';
function isOwnFile(baseName) {
    return baseName === evidenceName || /^notarization-records.*\.jsonl(?:\..*)?$/s.test(baseName);
}
function baseName(name) {
    return name.slice(name.lastIndexOf('/') + 1);
}
function compareCodeUnits(a, b) {
    if (a === b)
        return 0;
    return a < b ? -1 : 1;
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
/* harmony export */   ZH: () => (/* binding */ capitalize),
/* harmony export */   Zb: () => (/* binding */ upperFirst),
/* harmony export */   a3: () => (/* binding */ formatDuration),
/* harmony export */   fU: () => (/* binding */ formatTime),
/* harmony export */   hW: () => (/* binding */ takeFitting),
/* harmony export */   td: () => (/* binding */ pluralize)
/* harmony export */ });
function pluralize(count, singular, plural = `${singular}s`) {
    return `${count} ${count === 1 ? singular : plural}`;
}
function joinFirst(items, max, { separator = '; ', rest = 'more' } = {}) {
    const shown = items.slice(0, max);
    if (items.length > max)
        shown.push(`and ${items.length - max} ${rest}`);
    return shown.join(separator);
}
function takeFitting(items, maxSize, sizeOf) {
    const taken = [];
    let size = 0;
    for (const item of items) {
        size += sizeOf(item);
        if (size > maxSize)
            break;
        taken.push(item);
    }
    return taken;
}
function upperFirst(text) {
    return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
function capitalize(clause) {
    if (!/^[a-z]+(?:-[a-z]+)*[ :,;]/.test(clause))
        return clause;
    return upperFirst(clause);
}
function toSentence(clause) {
    const period = /[.!?…\]]$/.test(clause) ? '' : '.';
    return capitalize(clause) + period;
}
function toSentences(clauses) {
    const texts = clauses.filter(clause => clause !== '');
    return texts.map(toSentence).join(' ');
}
function formatDuration(seconds) {
    if (seconds < 90)
        return `${Math.ceil(seconds)} s`;
    const minutes = Math.ceil(seconds / 60);
    if (minutes < 90)
        return `${minutes} min`;
    return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
function formatTime(epochMs) {
    const date = new Date(epochMs);
    return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 19).replace('T', ' ');
}


/***/ }),

/***/ 6318:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   U: () => (/* binding */ fillVerificationUrl)
/* harmony export */ });
function fillVerificationUrl(template, { hash, record }) {
    if (template === null || hash === null)
        return null;
    let url = template.replaceAll('{hash}', hash);
    if (url.includes('{txId}')) {
        const { txId } = record;
        if (typeof txId !== 'string' || txId === '' || txId.includes('***'))
            return null;
        url = url.replaceAll('{txId}', encodeURIComponent(txId.toWellFormed()));
    }
    return url;
}


/***/ })

};
