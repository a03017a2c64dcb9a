import { createRequire as __WEBPACK_EXTERNAL_createRequire } from "module";
/******/ var __webpack_modules__ = ({

/***/ 421:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:child_process");

/***/ }),

/***/ 598:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:crypto");

/***/ }),

/***/ 474:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:events");

/***/ }),

/***/ 455:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:fs/promises");

/***/ }),

/***/ 760:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:path");

/***/ }),

/***/ 522:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:zlib");

/***/ }),

/***/ 147:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {


// EXPORTS
__nccwpck_require__.d(__webpack_exports__, {
  Uc: () => (/* binding */ describeError),
  CA: () => (/* binding */ errorCode)
});

// UNUSED EXPORTS: Failure, Stop, bugFailure, canceledFailure, failureCodes, mismatchFailure, notSavedFailure, problemAt, problemWith, reasons

;// CONCATENATED MODULE: external "node:util"
const external_node_util_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:util");
;// CONCATENATED MODULE: ./failure.js

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
    'unpaid',
    'forbidden',
    'no-request',
    'request-not-found',
    'already-registered',
    'registration-rejected',
    'request-exists',
    'request-rejected',
    'no-active-subscription',
    'no-subscription-data',
    'unexpected-response',
    'redirect',
    'rate-limit',
    'long-wait',
    'unavailable',
    'unreachable',
    'unknown-host',
    'proxy-refused',
    'untrusted-certificate',
    'expired-certificate',
    'record-mismatch',
    'not-saved',
    'file-unreadable',
    'file-changed',
    'name-not-utf8',
    'asset-incomplete',
    'github-token',
    'github-permission',
    'github-rate-limit',
    'github-unavailable',
    'canceled',
    'bug',
]));
class Failure extends Error {
    code;
    reason;
    observed;
    registered;
    status;
    endsRun;
    constructor(code, reason, parts = {}) {
        const { observed = '', registered = 'no', status = null, endsRun = false } = parts;
        super(reason);
        this.code = code;
        this.reason = reason;
        this.observed = observed;
        this.registered = registered;
        this.status = status;
        this.endsRun = endsRun;
    }
    with(parts) {
        const { observed, registered, status, endsRun } = this;
        const own = { observed, registered, status, endsRun };
        return new Failure(parts.code ?? this.code, this.reason, { ...own, ...parts });
    }
    static from(error) {
        if (error instanceof Failure)
            return error;
        throw error;
    }
}
const canceledFailure = new Failure('cancelled', 'canceled', { endsRun: true });
const notSavedFailure = new Failure('not-saved', 'not-saved', { endsRun: true });
function bugFailure(observed) {
    return new Failure('internal-error', 'bug', { observed, registered: 'unknown', endsRun: true });
}
function mismatchFailure(problems) {
    const parts = { observed: problems.join(', '), registered: 'unknown' };
    return new Failure('record-mismatch', 'record-mismatch', parts);
}
function problemWith(input, text, needs = 'workflow') {
    return { input, message: `input "${input}" ${text}`, needs };
}
function problemAt(input, text, needs = 'workflow') {
    return { input, message: `input "${input}": ${text}`, needs };
}
class Stop extends Error {
    problems;
    constructor(...problems) {
        super(problems.map(({ message }) => message).join('; '));
        this.problems = problems;
    }
    static canceled() {
        return new Stop();
    }
    static ifAny(problems) {
        if (problems.length > 0)
            throw new Stop(...problems);
    }
}
const systemMessages = new Map((0,external_node_util_namespaceObject.getSystemErrorMap)().values())
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
    if (error instanceof AggregateError && error.errors.length > 0)
        return describeError(error.errors[0]);
    if (error instanceof Error)
        return error.message === '' ? error.name : error.message;
    return 'an unknown error';
}


/***/ }),

/***/ 117:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {

/* harmony export */ __nccwpck_require__.d(__webpack_exports__, {
/* harmony export */   Sv: () => (/* binding */ recordsName),
/* harmony export */   Xc: () => (/* binding */ evidenceName)
/* harmony export */ });
/* unused harmony exports isRecordsAsset, isOwnFile, baseName, compareCodeUnits, formatChecksum */
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


/***/ })

/******/ });
/************************************************************************/
/******/ // The module cache
/******/ var __webpack_module_cache__ = {};
/******/ 
/******/ // The require function
/******/ function __nccwpck_require__(moduleId) {
/******/ 	// Check if module is in cache
/******/ 	var cachedModule = __webpack_module_cache__[moduleId];
/******/ 	if (cachedModule !== undefined) {
/******/ 		return cachedModule.exports;
/******/ 	}
/******/ 	// Create a new module (and put it into the cache)
/******/ 	var module = __webpack_module_cache__[moduleId] = {
/******/ 		// no module.id needed
/******/ 		// no module.loaded needed
/******/ 		exports: {}
/******/ 	};
/******/ 
/******/ 	// Execute the module function
/******/ 	var threw = true;
/******/ 	try {
/******/ 		__webpack_modules__[moduleId](module, module.exports, __nccwpck_require__);
/******/ 		threw = false;
/******/ 	} finally {
/******/ 		if(threw) delete __webpack_module_cache__[moduleId];
/******/ 	}
/******/ 
/******/ 	// Return the exports of the module
/******/ 	return module.exports;
/******/ }
/******/ 
/******/ // expose the modules object (__webpack_modules__)
/******/ __nccwpck_require__.m = __webpack_modules__;
/******/ 
/************************************************************************/
/******/ /* webpack/runtime/asset-relocator-loader */
/******/ if (typeof __nccwpck_require__ !== 'undefined') __nccwpck_require__.ab = decodeURIComponent(new URL('.', import.meta.url).pathname).slice(import.meta.url.match(/^file:\/\/\/\w:/) ? 1 : 0, -1) + "/";
/******/ 
/******/ /* webpack/runtime/define property getters */
/******/ (() => {
/******/ 	// define getter functions for harmony exports
/******/ 	__nccwpck_require__.d = (exports, definition) => {
/******/ 		for(var key in definition) {
/******/ 			if(__nccwpck_require__.o(definition, key) && !__nccwpck_require__.o(exports, key)) {
/******/ 				Object.defineProperty(exports, key, { enumerable: true, get: definition[key] });
/******/ 			}
/******/ 		}
/******/ 	};
/******/ })();
/******/ 
/******/ /* webpack/runtime/ensure chunk */
/******/ (() => {
/******/ 	__nccwpck_require__.f = {};
/******/ 	// This file contains only the entry chunk.
/******/ 	// The chunk loading function for additional chunks
/******/ 	__nccwpck_require__.e = (chunkId) => {
/******/ 		return Promise.all(Object.keys(__nccwpck_require__.f).reduce((promises, key) => {
/******/ 			__nccwpck_require__.f[key](chunkId, promises);
/******/ 			return promises;
/******/ 		}, []));
/******/ 	};
/******/ })();
/******/ 
/******/ /* webpack/runtime/get javascript chunk filename */
/******/ (() => {
/******/ 	// This function allow to reference async chunks
/******/ 	__nccwpck_require__.u = (chunkId) => {
/******/ 		// return url for filenames based on template
/******/ 		return "" + chunkId + ".index.js";
/******/ 	};
/******/ })();
/******/ 
/******/ /* webpack/runtime/hasOwnProperty shorthand */
/******/ (() => {
/******/ 	__nccwpck_require__.o = (obj, prop) => (Object.prototype.hasOwnProperty.call(obj, prop))
/******/ })();
/******/ 
/******/ /* webpack/runtime/import chunk loading */
/******/ (() => {
/******/ 	// no baseURI
/******/ 	
/******/ 	// object to store loaded and loading chunks
/******/ 	// undefined = chunk not loaded, null = chunk preloaded/prefetched
/******/ 	// [resolve, Promise] = chunk loading, 0 = chunk loaded
/******/ 	var installedChunks = {
/******/ 		792: 0
/******/ 	};
/******/ 	
/******/ 	var installChunk = (data) => {
/******/ 		var {ids, modules, runtime} = data;
/******/ 		// add "modules" to the modules object,
/******/ 		// then flag all "ids" as loaded and fire callback
/******/ 		var moduleId, chunkId, i = 0;
/******/ 		for(moduleId in modules) {
/******/ 			if(__nccwpck_require__.o(modules, moduleId)) {
/******/ 				__nccwpck_require__.m[moduleId] = modules[moduleId];
/******/ 			}
/******/ 		}
/******/ 		if(runtime) runtime(__nccwpck_require__);
/******/ 		for(;i < ids.length; i++) {
/******/ 			chunkId = ids[i];
/******/ 			if(__nccwpck_require__.o(installedChunks, chunkId) && installedChunks[chunkId]) {
/******/ 				installedChunks[chunkId][0]();
/******/ 			}
/******/ 			installedChunks[ids[i]] = 0;
/******/ 		}
/******/ 	
/******/ 	}
/******/ 	
/******/ 	__nccwpck_require__.f.j = (chunkId, promises) => {
/******/ 			// import() chunk loading for javascript
/******/ 			var installedChunkData = __nccwpck_require__.o(installedChunks, chunkId) ? installedChunks[chunkId] : undefined;
/******/ 			if(installedChunkData !== 0) { // 0 means "already installed".
/******/ 	
/******/ 				// a Promise means "currently loading".
/******/ 				if(installedChunkData) {
/******/ 					promises.push(installedChunkData[1]);
/******/ 				} else {
/******/ 					if(true) { // all chunks have JS
/******/ 						// setup Promise in chunk cache
/******/ 						var promise = import("./" + __nccwpck_require__.u(chunkId)).then(installChunk, (e) => {
/******/ 							if(installedChunks[chunkId] !== 0) installedChunks[chunkId] = undefined;
/******/ 							throw e;
/******/ 						});
/******/ 						var promise = Promise.race([promise, new Promise((resolve) => (installedChunkData = installedChunks[chunkId] = [resolve]))])
/******/ 						promises.push(installedChunkData[1] = promise);
/******/ 					}
/******/ 				}
/******/ 			}
/******/ 	};
/******/ 	
/******/ 	// no prefetching
/******/ 	
/******/ 	// no preloaded
/******/ 	
/******/ 	// no external install chunk
/******/ 	
/******/ 	// no on chunks loaded
/******/ })();
/******/ 
/************************************************************************/
var __webpack_exports__ = {};

// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __nccwpck_require__(760);
// EXTERNAL MODULE: ./failure.js + 1 modules
var failure = __nccwpck_require__(147);
// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __nccwpck_require__(598);
;// CONCATENATED MODULE: ./keep/state.js

const whyNoService = 'this server has no artifact service';
const formatState = {
    free: () => 'free',
    left: (records) => `left ${digestOf(records)} ${records.length}`,
    done: (records) => `done ${digestOf(records)}`,
};
function readState(state, records, { source, isForRelease }) {
    const [kind, digest, bytes] = state.split(' ');
    const isDone = kind === 'free' || (kind === 'done' && digest === digestOf(records));
    const isDue = !isDone && hasLinesToKeep(records, source, isForRelease);
    let isLost = false;
    if (kind === 'written')
        isLost = !hasLineOf(source, records);
    if (kind === 'left')
        isLost = digest !== digestOf(records.subarray(0, Number(bytes)));
    return { isDue, isLost };
}
function digestOf(bytes) {
    return (0,external_node_crypto_.hash)('sha256', bytes);
}
function hasLinesToKeep(records, source, isForRelease) {
    return hasLineOf(source, records) || (isForRelease && records.includes('"record":'));
}
function hasLineOf({ runId, runAttempt }, records) {
    return records.includes(JSON.stringify({ runId, runAttempt }).slice(1, -1));
}
function wholeLines(records) {
    return records.toString().split('\n').filter(isJson);
}
function isJson(line) {
    try {
        JSON.parse(line);
        return true;
    }
    catch {
        return false;
    }
}
function tellKept({ name, url }) {
    const kept = `The records are kept in the workflow artifact ${name}`;
    if (url === null)
        return kept;
    return `${kept}: ${url}`;
}
function tellOnlyInLog(why) {
    return `The records could not be kept as a workflow artifact: ${why}. The lines below are their only copy outside this machine.`;
}

;// CONCATENATED MODULE: external "node:fs"
const external_node_fs_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:fs");
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __nccwpck_require__(455);
;// CONCATENATED MODULE: external "node:timers/promises"
const external_node_timers_promises_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:timers/promises");
;// CONCATENATED MODULE: ./records/disk.js





function readIfThere(path, disk) {
    try {
        return disk.read(path);
    }
    catch (error) {
        if (errorCode(error) === 'ENOENT')
            return Buffer.alloc(0);
        throw error;
    }
}
function readRegularFile(path) {
    const descriptor = (0,external_node_fs_namespaceObject.openSync)(path, external_node_fs_namespaceObject.constants.O_RDONLY | external_node_fs_namespaceObject.constants.O_NONBLOCK);
    try {
        if (!(0,external_node_fs_namespaceObject.fstatSync)(descriptor).isFile())
            throw new Error('it is not a regular file');
        return (0,external_node_fs_namespaceObject.readFileSync)(descriptor);
    }
    finally {
        (0,external_node_fs_namespaceObject.closeSync)(descriptor);
    }
}
const systemDisk = {
    read: readRegularFile,
    openForAppending: async (path) => {
        await createFolder((0,external_node_path_.dirname)(path));
        const handle = await (0,promises_.open)(path, 'a');
        const folder = await (0,promises_.open)((0,external_node_path_.dirname)(path), 'r').catch(() => null);
        await folder?.sync().catch(() => undefined);
        await folder?.close();
        return {
            append: data => handle.appendFile(data),
            truncate: bytes => (0,promises_.truncate)(path, bytes),
            sync: () => handle.datasync(),
            close: () => handle.close(),
        };
    },
    writeNew: async (folder, name, text) => {
        const path = (0,external_node_path_.join)(await (0,promises_.mkdtemp)((0,external_node_path_.join)(folder, 'notarization-')), name);
        await (0,promises_.writeFile)(path, text);
        return path;
    },
};
async function createFolder(path) {
    if ((0,external_node_fs_namespaceObject.existsSync)(path) || (0,external_node_path_.dirname)(path) === path)
        return;
    await createFolder((0,external_node_path_.dirname)(path));
    await (0,promises_.mkdir)(path);
}
class AppendQueue {
    #file;
    #bytes;
    #pending = [];
    #write = Promise.resolve(null);
    constructor(file, bytes) {
        this.#file = file;
        this.#bytes = bytes;
    }
    append(line) {
        this.#pending.push(line);
        if (this.#pending.length === 1)
            this.#write = this.#writePending(this.#write);
        return this.#write;
    }
    async close() {
        await this.#write;
        await this.#file.close().catch(() => undefined);
    }
    async #writePending(last) {
        const failure = await last;
        await setImmediate();
        const bytes = Buffer.from(this.#pending.join(''));
        this.#pending = [];
        if (failure !== null)
            return failure;
        try {
            await this.#file.append(bytes);
            await this.#file.sync();
            this.#bytes += bytes.length;
            return null;
        }
        catch (error) {
            await this.#file.truncate(this.#bytes).catch(() => undefined);
            return describeError(error);
        }
    }
}

;// CONCATENATED MODULE: external "node:os"
const external_node_os_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:os");
;// CONCATENATED MODULE: ./runtime/environment.js

function readEnvironment(env, cwd) {
    const read = (name) => {
        const text = env[name] ?? '';
        return text === '' ? null : text;
    };
    const serverUrl = read('GITHUB_SERVER_URL') ?? 'https://github.com';
    const action = read('GITHUB_ACTION_REPOSITORY');
    const actionUrl = action && `${serverUrl}/${action}`;
    const actionRef = read('GITHUB_ACTION_REF') ?? 'main';
    return {
        workspace: read('GITHUB_WORKSPACE') ?? cwd,
        home: read('HOME') ?? read('USERPROFILE') ?? cwd,
        tempFolder: read('RUNNER_TEMP') ?? (0,external_node_os_namespaceObject.tmpdir)(),
        apiUrl: read('GITHUB_API_URL') ?? 'https://api.github.com',
        serverUrl,
        source: readSource(read, serverUrl),
        attempt: Number(read('GITHUB_RUN_ATTEMPT') ?? 1),
        proxies: Object.fromEntries(proxyVariables.map(name => [name, env[name]])),
        secrets: proxyVariables.flatMap(name => proxySecrets(read(name) ?? '')),
        artifactService: readArtifactService(read, serverUrl),
        reportTo: actionUrl === null ? 'the issues of this action' : `${actionUrl}/issues`,
        docsUrl: actionUrl === null ? 'docs' : `${actionUrl}/blob/${actionRef}/docs`,
    };
}
function readSource(read, serverUrl) {
    const repository = read('GITHUB_REPOSITORY');
    const url = repository && `${serverUrl}/${repository}`;
    const sha = read('GITHUB_SHA');
    const runId = read('GITHUB_RUN_ID');
    const runAttempt = read('GITHUB_RUN_ATTEMPT');
    const attempt = runAttempt === null ? '' : `/attempts/${runAttempt}`;
    return {
        repository,
        sha,
        ref: read('GITHUB_REF'),
        runId,
        runAttempt,
        commitUrl: url && sha && `${url}/commit/${sha}`,
        runUrl: url && runId && `${url}/actions/runs/${runId}${attempt}`,
    };
}
const cloudHosts = /^github\.com$|\.ghe\.com$|\.localhost$/;
function readArtifactService(read, serverUrl) {
    const url = URL.parse(read('ACTIONS_RESULTS_URL') ?? '');
    const token = read('ACTIONS_RUNTIME_TOKEN');
    const isCloud = cloudHosts.test(URL.parse(serverUrl)?.hostname ?? '');
    if (url === null || token === null || !isCloud)
        return null;
    return { url: url.href, token };
}
const proxyVariables = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'];
function proxySecrets(address) {
    const [, userInfo = ''] = /^(?:[a-z][a-z\d+.-]*:\/\/)?(.*)@/is.exec(address) ?? [];
    const [, password = ''] = /:(.*)/s.exec(userInfo) ?? [];
    if (password === '')
        return [];
    try {
        return [password, decodeURIComponent(password)];
    }
    catch {
        return [password];
    }
}

;// CONCATENATED MODULE: ./runtime/outside.js

const systemClock = {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    sleep: (ms, signal) => (0,external_node_timers_promises_namespaceObject.setTimeout)(ms, undefined, { signal }).catch(() => undefined),
};

;// CONCATENATED MODULE: ./text/escape.js
const maxNameLength = 256;
const maxMessageLength = 1000;
const acting = /[\p{Cc}\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}\p{Cs}]/gu;
function showControls(text) {
    return text.replace(acting, character => character.split('').map(unicodeEscape).join(''));
}
function unicodeEscape(unit) {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
function toSingleLine(text) {
    return text.replaceAll(/\s*[\r\n]+\s*/g, ' ');
}
function maskWords(text) {
    return text.replace(/\S{24,}|(?=\S*\d)\S{12,}/g, '***');
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

// EXTERNAL MODULE: ./text/names.js
var names = __nccwpck_require__(117);
;// CONCATENATED MODULE: ./post.js








const { env } = process;
const childPath = '../keep/index.js';
function readInput(name) {
    return env[`INPUT_${name}`]?.trim() ?? '';
}
async function keep() {
    if (!/^(|true|True|TRUE)$/.test(readInput('KEEP-RECORDS')))
        return;
    if (/^(true|True|TRUE)$/.test(readInput('DRY-RUN')))
        return;
    const environment = readEnvironment(env, process.cwd());
    const path = (0,external_node_path_.resolve)(environment.workspace, readInput('RECORDS-PATH') || names/* recordsName */.Sv);
    const records = readOrNothing(path);
    const run = { source: environment.source, isForRelease: readInput('RELEASE-TAG') !== '' };
    const { isDue, isLost } = readState(env['STATE_records'] ?? '', records, run);
    if (isLost) {
        warn(`Records of this run may be lost: it ended early, and something removed or changed "${path}" before this step could keep the records. Restore the file if you can; otherwise, files that this run registered are charged again.`);
    }
    if (isDue)
        await keepLate(records, environment);
}
async function keepLate(records, environment) {
    const ending = new AbortController();
    process.on('uncaughtException', error => {
        ending.abort(error);
    });
    for (const signal of ['SIGINT', 'SIGTERM']) {
        process.on(signal, () => {
            ending.abort(new Error('the job was canceled'));
        });
    }
    try {
        if (environment.artifactService === null)
            throw new Error(whyNoService);
        const { createWorkflowArtifacts } = await __nccwpck_require__.e(/* import() */ 213).then(__nccwpck_require__.bind(__nccwpck_require__, 213));
        const artifacts = createWorkflowArtifacts(new URL(childPath, import.meta.url));
        const call = { environment, clock: systemClock, signal: ending.signal };
        const evidencePath = env['STATE_evidence-path'] ?? '';
        log(tellKept(await artifacts.keep({ records, evidencePath }, call)));
    }
    catch (error) {
        const only = tellOnlyInLog((0,failure/* describeError */.Uc)(error));
        const how = `${environment.docsUrl}/records.md#save-lines-from-the-log`;
        warn(`${only} Save them, and give them to a new run, or you are charged again: ${how}`);
        wholeLines(records).forEach(log);
    }
}
function readOrNothing(path) {
    try {
        return readRegularFile(path);
    }
    catch {
        return Buffer.alloc(0);
    }
}
function log(text) {
    process.stdout.write(`${toLogLine(text)}\n`);
}
function warn(text) {
    process.stdout.write(`::warning::${toLogLine(text).replaceAll('%', '%25')}\n`);
}
if (Number(process.versions.node.split('.')[0]) >= 24) {
    void keep()
        .catch((error) => {
        warn(`The records were not kept as a workflow artifact: ${(0,failure/* describeError */.Uc)(error)}`);
    })
        .then(() => {
        process.stdout.write('', () => process.exit(0));
    });
}

