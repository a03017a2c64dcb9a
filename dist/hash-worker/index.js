import { createRequire as __WEBPACK_EXTERNAL_createRequire } from "module";
/******/ // The require scope
/******/ var __nccwpck_require__ = {};
/******/ 
/************************************************************************/
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
/******/ /* webpack/runtime/hasOwnProperty shorthand */
/******/ (() => {
/******/ 	__nccwpck_require__.o = (obj, prop) => (Object.prototype.hasOwnProperty.call(obj, prop))
/******/ })();
/******/ 
/************************************************************************/
var __webpack_exports__ = {};

// EXPORTS
__nccwpck_require__.d(__webpack_exports__, {
  D: () => (/* binding */ hashFile)
});

;// CONCATENATED MODULE: external "node:crypto"
const external_node_crypto_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:crypto");
;// CONCATENATED MODULE: external "node:fs"
const external_node_fs_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:fs");
;// CONCATENATED MODULE: external "node:worker_threads"
const external_node_worker_threads_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:worker_threads");
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
        super(observed === '' ? reason : observed);
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
    if (typeof error.code !== 'string' || error.code === '')
        return null;
    return error.code;
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

;// CONCATENATED MODULE: ./artifacts/hash-worker.js




const changed = { code: 'changed', reason: 'file-changed', observed: '' };
const buffer = Buffer.allocUnsafeSlow(1024 * 1024);
function hashFile(path, maxBytes) {
    let descriptor = null;
    try {
        descriptor = (0,external_node_fs_namespaceObject.openSync)(path, external_node_fs_namespaceObject.constants.O_RDONLY | external_node_fs_namespaceObject.constants.O_NONBLOCK);
        const before = (0,external_node_fs_namespaceObject.fstatSync)(descriptor);
        if (!before.isFile())
            return changed;
        if (before.size > maxBytes)
            return null;
        const digest = (0,external_node_crypto_namespaceObject.createHash)('sha256');
        let size = 0;
        let read;
        do {
            read = (0,external_node_fs_namespaceObject.readSync)(descriptor, buffer);
            digest.update(buffer.subarray(0, read));
            size += read;
        } while (read > 0 && size < before.size);
        if (size !== before.size || !isUnchanged(before, (0,external_node_fs_namespaceObject.fstatSync)(descriptor)))
            return changed;
        return { hash: digest.digest('hex'), size };
    }
    catch (error) {
        return { code: 'unreadable', reason: 'file-unreadable', observed: describeError(error) };
    }
    finally {
        if (descriptor !== null)
            (0,external_node_fs_namespaceObject.closeSync)(descriptor);
    }
}
function isUnchanged(before, after) {
    const keys = ['size', 'mtimeMs', 'ctimeMs'];
    return keys.every(key => before[key] === after[key]);
}
external_node_worker_threads_namespaceObject.parentPort?.on('message', (paths) => {
    external_node_worker_threads_namespaceObject.parentPort?.postMessage(paths.map(path => hashFile(path, Infinity)));
});

var __webpack_exports__hashFile = __webpack_exports__.D;
export { __webpack_exports__hashFile as hashFile };
