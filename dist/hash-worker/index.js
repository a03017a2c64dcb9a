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
        const { observed = '', registered = 'no', status = null } = parts;
        const { response = null, endsRun = false } = parts;
        super(reason);
        this.code = code;
        this.reason = reason;
        this.observed = observed;
        this.registered = registered;
        this.status = status;
        this.response = response;
        this.endsRun = endsRun;
    }
    with(parts) {
        const { observed, registered, status, response, endsRun } = this;
        const own = { observed, registered, status, response, endsRun };
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

;// CONCATENATED MODULE: ./outcome.js
const planned = { state: 'planned', doubtSince: null };
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

;// CONCATENATED MODULE: ./text/phrases.js

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
        return fieldText(value);
    const date = new Date(value);
    if (Number.isNaN(date.getTime()))
        return fieldText(value);
    return date.toISOString().slice(0, 19).replace('T', ' ');
}

;// CONCATENATED MODULE: ./runtime/progress.js

const firstWaitMs = 5_000;
const growth = 1.25;
function createProgress(what, clock, log) {
    const startMs = clock.monotonic();
    let waitMs = firstWaitMs;
    let nextMs = startMs + waitMs;
    return (done, total, detail = '') => {
        const nowMs = clock.monotonic();
        if (nowMs < nextMs || done >= total)
            return;
        waitMs *= growth;
        nextMs = nowMs + waitMs;
        const rate = done / ((nowMs - startMs) / 1000);
        const left = rate > 0 ? `, about ${formatDuration((total - done) / rate)} left` : '';
        const more = detail === '' ? '' : `, ${detail}`;
        log(`${what}: ${done} of ${total}${more}, ${rate.toFixed(1)} per second${left}`);
    };
}

;// CONCATENATED MODULE: ./artifacts/hash.js










const maxSmallBytes = 16 * 1024 * 1024;
const maxWorkers = 8;
const filesBetweenPauses = 64;
async function hashFiles(files, host) {
    const { clock, runner, workerFile } = host;
    const halt = host.halt.signal;
    const results = new Map();
    const progress = createProgress('hashing', clock, runner.info);
    const large = [];
    for (const [index, file] of files.entries()) {
        if (index % filesBetweenPauses === 0) {
            await (0,promises_namespaceObject.setImmediate)();
            progress(results.size, files.length);
        }
        if (halt.aborted)
            break;
        const result = hashFile(file.absolutePath, maxSmallBytes);
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
                worker.postMessage(file.absolutePath);
                const message = await (0,external_node_events_namespaceObject.once)(worker, 'message', { signal: halt });
                const [result] = message;
                external_node_assert_namespaceObject(isResult(result), 'a worker thread replies with a hash or a fault');
                results.set(file, result);
                progress(results.size, files.length);
            }
        }
        catch (error) {
            if (!halt.aborted)
                throw error;
        }
        finally {
            await worker.terminate();
        }
    };
    const count = Math.min((0,external_node_os_namespaceObject.availableParallelism)(), maxWorkers, large.length);
    await Promise.all(Array.from({ length: count }, work));
    return files.map(file => toArtifact(file, results.get(file)));
}
function isResult(value) {
    return typeof value === 'object' && value !== null && ('hash' in value || 'reason' in value);
}
function toArtifact({ name }, result) {
    if (result !== undefined && 'hash' in result) {
        return { input: 'path', name, outcome: planned, ...result };
    }
    let failure = canceledFailure;
    if (result !== undefined) {
        const { code, reason, observed } = result;
        failure = new Failure(code, reason, { observed });
    }
    return { input: 'path', name, size: null, hash: null, outcome: failed(failure) };
}
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
    const keys = ['size', 'mtimeMs', 'ctimeMs', 'nlink'];
    return keys.every(key => before[key] === after[key]);
}
external_node_worker_threads_namespaceObject.parentPort?.on('message', (path) => {
    external_node_worker_threads_namespaceObject.parentPort?.postMessage(hashFile(path, Infinity));
});

var __webpack_exports__hashFiles = __webpack_exports__.y;
export { __webpack_exports__hashFiles as hashFiles };
