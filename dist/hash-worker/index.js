import { createRequire as __WEBPACK_EXTERNAL_createRequire } from "module";
var __webpack_exports__ = {};

;// CONCATENATED MODULE: external "node:worker_threads"
const external_node_worker_threads_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:worker_threads");
;// CONCATENATED MODULE: external "node:crypto"
const external_node_crypto_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:crypto");
;// CONCATENATED MODULE: external "node:fs"
const external_node_fs_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:fs");
;// CONCATENATED MODULE: ./text/system-error.js
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

;// CONCATENATED MODULE: ./artifacts/hash-share.js



const shared = { next: 0, stop: 1, mebibytes: 2, files: 3 };
const digestBytes = 32;
const bufferBytes = 1024 * 1024;
function createTask(paths, order) {
    const task = {
        paths,
        order: new Uint32Array(new SharedArrayBuffer(4 * paths.length)),
        counters: new Int32Array(new SharedArrayBuffer(16)),
        sizes: new Float64Array(new SharedArrayBuffer(8 * paths.length)).fill(-1),
        digests: new Uint8Array(new SharedArrayBuffer(digestBytes * paths.length)),
    };
    task.order.set([...order]);
    return task;
}
function isHashTask(data) {
    return typeof data === 'object' && data !== null && 'paths' in data && 'digests' in data;
}
function* hashShare(task, faults) {
    const { paths, order, counters, sizes, digests } = task;
    const buffer = Buffer.allocUnsafeSlow(bufferBytes);
    for (;;) {
        const index = order[Atomics.add(counters, shared.next, 1)];
        if (index === undefined)
            return;
        const result = yield* hashFile(paths[index] ?? '', buffer, counters);
        if (result === 'stopped')
            return;
        if ('digest' in result) {
            digests.set(result.digest, index * digestBytes);
            sizes[index] = result.size;
        }
        else
            faults.push({ index, ...result });
        Atomics.add(counters, shared.files, 1);
    }
}
const changed = { code: 'changed', why: 'it changed while it was read' };
function* hashFile(path, buffer, counters) {
    let descriptor = null;
    try {
        descriptor = (0,external_node_fs_namespaceObject.openSync)(path, external_node_fs_namespaceObject.constants.O_RDONLY | external_node_fs_namespaceObject.constants.O_NONBLOCK);
        const before = (0,external_node_fs_namespaceObject.fstatSync)(descriptor);
        if (!before.isFile())
            return changed;
        let long = null;
        for (let size = 0;;) {
            const read = (0,external_node_fs_namespaceObject.readSync)(descriptor, buffer, 0, buffer.length, null);
            if (read === buffer.length)
                Atomics.add(counters, shared.mebibytes, 1);
            yield read;
            if (Atomics.load(counters, shared.stop) === 1)
                return 'stopped';
            size += read;
            const part = buffer.subarray(0, read);
            const isEnd = read === 0 || size >= before.size;
            if (!isEnd || long !== null)
                long = (long ?? (0,external_node_crypto_namespaceObject.createHash)('sha256')).update(part);
            if (!isEnd)
                continue;
            if (size !== before.size || !isSame(before, (0,external_node_fs_namespaceObject.statSync)(path)))
                return changed;
            return { size, digest: long?.digest() ?? (0,external_node_crypto_namespaceObject.hash)('sha256', part, 'buffer') };
        }
    }
    catch (error) {
        return { code: 'unreadable', why: describeError(error) };
    }
    finally {
        if (descriptor !== null)
            (0,external_node_fs_namespaceObject.closeSync)(descriptor);
    }
}
function isSame(before, after) {
    return (before.ino === after.ino &&
        before.dev === after.dev &&
        before.size === after.size &&
        before.mtimeMs === after.mtimeMs &&
        before.ctimeMs === after.ctimeMs);
}

;// CONCATENATED MODULE: ./artifacts/hash-worker.js


const task = external_node_worker_threads_namespaceObject.workerData;
if (external_node_worker_threads_namespaceObject.parentPort !== null && isHashTask(task)) {
    const faults = [];
    for (const share = hashShare(task, faults); share.next().done !== true;)
        ;
    external_node_worker_threads_namespaceObject.parentPort.postMessage(faults);
}

