import { createRequire as __WEBPACK_EXTERNAL_createRequire } from "module";
var __webpack_exports__ = {};

;// CONCATENATED MODULE: external "node:worker_threads"
const external_node_worker_threads_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:worker_threads");
;// CONCATENATED MODULE: external "node:crypto"
const external_node_crypto_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:crypto");
;// CONCATENATED MODULE: external "node:fs"
const external_node_fs_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:fs");
;// CONCATENATED MODULE: ./errors.js
class NotarizeError extends Error {
    code;
    constructor(code, message, cause) {
        super(message, { cause });
        this.name = 'NotarizeError';
        this.code = code;
    }
}
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
    if (error instanceof NotarizeError)
        return error.message;
    const code = errorCode(error);
    if (code !== null)
        return code in reasons ? `${reasons[code] ?? ''} (${code})` : code;
    if (error instanceof AggregateError && error.errors.length > 0)
        return describeError(error.errors[0]);
    if (error instanceof Error)
        return error.message === '' ? error.name : error.message;
    return 'an unknown error';
}

;// CONCATENATED MODULE: ./artifacts/hash-file.js



const hashBufferBytes = 1024 * 1024;
function* hashSteps(absolutePath, buffer) {
    let descriptor = null;
    try {
        descriptor = (0,external_node_fs_namespaceObject.openSync)(absolutePath, external_node_fs_namespaceObject.constants.O_RDONLY | external_node_fs_namespaceObject.constants.O_NONBLOCK);
        const before = (0,external_node_fs_namespaceObject.fstatSync)(descriptor);
        if (!before.isFile())
            return changed;
        const first = (0,external_node_fs_namespaceObject.readSync)(descriptor, buffer, 0, buffer.length, null);
        yield first;
        let bytes = first;
        let digest;
        if (first === before.size)
            digest = (0,external_node_crypto_namespaceObject.hash)('sha256', buffer.subarray(0, first));
        else {
            const long = (0,external_node_crypto_namespaceObject.createHash)('sha256').update(buffer.subarray(0, first));
            while (bytes < before.size) {
                const read = (0,external_node_fs_namespaceObject.readSync)(descriptor, buffer, 0, buffer.length, null);
                if (read === 0)
                    break;
                long.update(read === buffer.length ? buffer : buffer.subarray(0, read));
                bytes += read;
                yield read;
            }
            digest = long.digest('hex');
        }
        const isWhole = bytes === before.size && isSame(before, (0,external_node_fs_namespaceObject.statSync)(absolutePath));
        return isWhole ? { size: bytes, hash: digest } : changed;
    }
    catch (error) {
        return { code: 'unreadable', why: describeError(error) };
    }
    finally {
        if (descriptor !== null)
            (0,external_node_fs_namespaceObject.closeSync)(descriptor);
    }
}
const changed = { code: 'changed', why: 'it changed while it was read' };
function isSame(before, after) {
    return (before.ino === after.ino &&
        before.dev === after.dev &&
        before.size === after.size &&
        before.mtimeMs === after.mtimeMs &&
        before.ctimeMs === after.ctimeMs);
}

;// CONCATENATED MODULE: ./artifacts/hash-task.js
const shared = { next: 0, stop: 1, mebibytes: 2, files: 3 };
function isHashTask(data) {
    return (typeof data === 'object' &&
        data !== null &&
        'paths' in data &&
        Array.isArray(data.paths) &&
        'counters' in data &&
        data.counters instanceof Int32Array);
}

;// CONCATENATED MODULE: ./artifacts/hash-worker.js



const task = external_node_worker_threads_namespaceObject.workerData;
if (external_node_worker_threads_namespaceObject.parentPort !== null && isHashTask(task))
    external_node_worker_threads_namespaceObject.parentPort.postMessage(hashShare(task));
function hashShare({ paths, counters }) {
    const buffer = Buffer.allocUnsafeSlow(hashBufferBytes);
    const results = [];
    for (;;) {
        const index = Atomics.add(counters, shared.next, 1);
        const path = paths[index];
        if (path === undefined)
            return results;
        const steps = hashSteps(path, buffer);
        let step = steps.next();
        while (step.done !== true) {
            if (step.value === buffer.length)
                Atomics.add(counters, shared.mebibytes, 1);
            if (Atomics.load(counters, shared.stop) !== 0)
                return results;
            step = steps.next();
        }
        Atomics.add(counters, shared.files, 1);
        results.push([index, step.value]);
    }
}

