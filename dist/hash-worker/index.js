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
  y: () => (/* binding */ hashFiles)
});

;// CONCATENATED MODULE: external "node:assert"
const external_node_assert_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:assert");
;// CONCATENATED MODULE: external "node:crypto"
const external_node_crypto_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:crypto");
;// CONCATENATED MODULE: external "node:events"
const external_node_events_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:events");
;// CONCATENATED MODULE: external "node:fs"
const external_node_fs_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:fs");
;// CONCATENATED MODULE: external "node:os"
const external_node_os_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:os");
;// CONCATENATED MODULE: external "node:timers/promises"
const promises_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:timers/promises");
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
    'not-tried',
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
    endsRun = false;
    isOfLogin = false;
    constructor(code, reason, parts = {}) {
        super(reason);
        this.code = code;
        this.reason = reason;
        Object.assign(this, parts);
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
const canceledFailure = new Failure('cancelled', 'canceled', { endsRun: true });
function bugFailure(error) {
    return new Failure('internal-error', 'bug', { observed: describeError(error), endsRun: true });
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
    return error instanceof Error ? error.message || error.name : 'an unknown error';
}

;// CONCATENATED MODULE: ./outcome.js
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

;// CONCATENATED MODULE: ./artifacts/hash.js









const maxSmallBytes = 16 * 1024 * 1024;
async function hashFiles(files, { halt, workerFile }) {
    const results = new Map();
    const large = [];
    for (const file of files) {
        await (0,promises_namespaceObject.setImmediate)();
        if (halt.ended.aborted)
            break;
        const result = hashFile(file.path, maxSmallBytes);
        if (result === null)
            large.push(file);
        else
            results.set(file, result);
    }
    const queue = large.values();
    const work = async () => {
        const worker = new external_node_worker_threads_namespaceObject.Worker(workerFile);
        try {
            for (const file of queue) {
                worker.postMessage(file.path);
                const message = await (0,external_node_events_namespaceObject.once)(worker, 'message', { signal: halt.ended });
                const [result] = message;
                external_node_assert_namespaceObject(isResult(result), 'a worker thread replies with a hash or a fault');
                results.set(file, result);
            }
        }
        catch (error) {
            if (!halt.ended.aborted)
                throw error;
        }
        finally {
            await worker.terminate();
        }
    };
    const count = Math.min((0,external_node_os_namespaceObject.availableParallelism)(), large.length);
    await Promise.all(Array.from({ length: count }, work));
    return files.map(file => toArtifact(file, results.get(file)));
}
function isResult(value) {
    return typeof value === 'object' && value !== null && ('hash' in value || 'code' in value);
}
function toArtifact({ name }, result) {
    const unread = { input: 'path', name, size: null, hash: null };
    if (result === undefined)
        return { ...unread, outcome: failed(canceledFailure) };
    if ('hash' in result)
        return { ...unread, ...result, outcome: planned };
    const { code, observed } = result;
    const failure = new Failure(code, `file-${code}`, { observed });
    return { ...unread, outcome: failed(failure) };
}
const buffer = Buffer.allocUnsafeSlow(1024 * 1024);
function hashFile(path, maxBytes) {
    let descriptor = null;
    try {
        descriptor = (0,external_node_fs_namespaceObject.openSync)(path, 'r');
        const before = (0,external_node_fs_namespaceObject.fstatSync)(descriptor);
        if (before.size >= maxBytes)
            return null;
        const digest = (0,external_node_crypto_namespaceObject.createHash)('sha256');
        let size = 0;
        let read;
        do {
            read = (0,external_node_fs_namespaceObject.readSync)(descriptor, buffer);
            digest.update(buffer.subarray(0, read));
            size += read;
        } while (read > 0 && size < before.size);
        const isTouched = (0,external_node_fs_namespaceObject.fstatSync)(descriptor).ctimeMs !== before.ctimeMs;
        if (size !== before.size || isTouched)
            return { code: 'changed', observed: '' };
        return { hash: digest.digest('hex'), size };
    }
    catch (error) {
        return { code: 'unreadable', observed: describeError(error) };
    }
    finally {
        if (descriptor !== null)
            (0,external_node_fs_namespaceObject.closeSync)(descriptor);
    }
}
external_node_worker_threads_namespaceObject.parentPort?.on('message', (path) => {
    external_node_worker_threads_namespaceObject.parentPort?.postMessage(hashFile(path, Infinity));
});

var __webpack_exports__hashFiles = __webpack_exports__.y;
export { __webpack_exports__hashFiles as hashFiles };
