import { createRequire as __WEBPACK_EXTERNAL_createRequire } from "module";
/******/ var __webpack_modules__ = ({

/***/ 919:
/***/ ((module) => {

module.exports = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:worker_threads");

/***/ }),

/***/ 959:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __nccwpck_require__) => {


// EXPORTS
__nccwpck_require__.d(__webpack_exports__, {
  IF: () => (/* binding */ hashShare),
  Cw: () => (/* binding */ isHashTask)
});

// UNUSED EXPORTS: createTask, hashDigits, shared

;// CONCATENATED MODULE: external "node:crypto"
const external_node_crypto_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:crypto");
;// CONCATENATED MODULE: external "node:fs"
const external_node_fs_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:fs");
;// CONCATENATED MODULE: external "node:timers/promises"
const promises_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:timers/promises");
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
                    await (0,promises_namespaceObject.setImmediate)();
                }
                if (Atomics.load(counters, shared.stop) === 1)
                    return faults;
            }
            const why = 'it changed while it was read';
            if (sizes[index] === -1)
                faults.push({ index, code: 'changed', why });
        }
        catch (error) {
            faults.push({ index, code: 'unreadable', why: describeError(error) });
        }
        Atomics.add(counters, shared.files, 1);
    }
}
const unchanging = ['ino', 'dev', 'size', 'mtimeMs', 'ctimeMs'];
function* hashFile(index, { paths, sizes, hashes }, buffer) {
    const path = paths[index] ?? '';
    const descriptor = (0,external_node_fs_namespaceObject.openSync)(path, external_node_fs_namespaceObject.constants.O_RDONLY | external_node_fs_namespaceObject.constants.O_NONBLOCK);
    try {
        const before = (0,external_node_fs_namespaceObject.fstatSync)(descriptor);
        if (!before.isFile())
            return;
        let long = null;
        for (let size = 0;;) {
            const read = (0,external_node_fs_namespaceObject.readSync)(descriptor, buffer);
            yield read;
            size += read;
            const part = buffer.subarray(0, read);
            if (read > 0 && size < before.size) {
                long = (long ?? (0,external_node_crypto_namespaceObject.createHash)('sha256')).update(part);
                continue;
            }
            const after = (0,external_node_fs_namespaceObject.statSync)(path);
            if (size !== before.size || unchanging.some(key => before[key] !== after[key]))
                return;
            const digits = long?.update(part).digest('hex') ?? (0,external_node_crypto_namespaceObject.hash)('sha256', part);
            Buffer.from(hashes.buffer).write(digits, index * hashDigits, 'latin1');
            sizes[index] = size;
            return;
        }
    }
    finally {
        (0,external_node_fs_namespaceObject.closeSync)(descriptor);
    }
}


/***/ }),

/***/ 28:
/***/ ((__webpack_module__, __unused_webpack___webpack_exports__, __nccwpck_require__) => {

__nccwpck_require__.a(__webpack_module__, async (__webpack_handle_async_dependencies__, __webpack_async_result__) => { try {
/* harmony import */ var node_worker_threads__WEBPACK_IMPORTED_MODULE_0__ = __nccwpck_require__(919);
/* harmony import */ var _hash_share_js__WEBPACK_IMPORTED_MODULE_1__ = __nccwpck_require__(959);


const task = node_worker_threads__WEBPACK_IMPORTED_MODULE_0__.workerData;
if ((0,_hash_share_js__WEBPACK_IMPORTED_MODULE_1__/* .isHashTask */ .Cw)(task))
    node_worker_threads__WEBPACK_IMPORTED_MODULE_0__.parentPort?.postMessage(await (0,_hash_share_js__WEBPACK_IMPORTED_MODULE_1__/* .hashShare */ .IF)(task));

__webpack_async_result__();
} catch(e) { __webpack_async_result__(e); } }, 1);

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
/************************************************************************/
/******/ /* webpack/runtime/asset-relocator-loader */
/******/ if (typeof __nccwpck_require__ !== 'undefined') __nccwpck_require__.ab = decodeURIComponent(new URL('.', import.meta.url).pathname).slice(import.meta.url.match(/^file:\/\/\/\w:/) ? 1 : 0, -1) + "/";
/******/ 
/******/ /* webpack/runtime/async module */
/******/ (() => {
/******/ 	var webpackQueues = typeof Symbol === "function" ? Symbol("webpack queues") : "__webpack_queues__";
/******/ 	var webpackExports = typeof Symbol === "function" ? Symbol("webpack exports") : "__webpack_exports__";
/******/ 	var webpackError = typeof Symbol === "function" ? Symbol("webpack error") : "__webpack_error__";
/******/ 	var resolveQueue = (queue) => {
/******/ 		if(queue && queue.d < 1) {
/******/ 			queue.d = 1;
/******/ 			queue.forEach((fn) => (fn.r--));
/******/ 			queue.forEach((fn) => (fn.r-- ? fn.r++ : fn()));
/******/ 		}
/******/ 	}
/******/ 	var wrapDeps = (deps) => (deps.map((dep) => {
/******/ 		if(dep !== null && typeof dep === "object") {
/******/ 			if(dep[webpackQueues]) return dep;
/******/ 			if(dep.then) {
/******/ 				var queue = [];
/******/ 				queue.d = 0;
/******/ 				dep.then((r) => {
/******/ 					obj[webpackExports] = r;
/******/ 					resolveQueue(queue);
/******/ 				}, (e) => {
/******/ 					obj[webpackError] = e;
/******/ 					resolveQueue(queue);
/******/ 				});
/******/ 				var obj = {};
/******/ 				obj[webpackQueues] = (fn) => (fn(queue));
/******/ 				return obj;
/******/ 			}
/******/ 		}
/******/ 		var ret = {};
/******/ 		ret[webpackQueues] = x => {};
/******/ 		ret[webpackExports] = dep;
/******/ 		return ret;
/******/ 	}));
/******/ 	__nccwpck_require__.a = (module, body, hasAwait) => {
/******/ 		var queue;
/******/ 		hasAwait && ((queue = []).d = -1);
/******/ 		var depQueues = new Set();
/******/ 		var exports = module.exports;
/******/ 		var currentDeps;
/******/ 		var outerResolve;
/******/ 		var reject;
/******/ 		var promise = new Promise((resolve, rej) => {
/******/ 			reject = rej;
/******/ 			outerResolve = resolve;
/******/ 		});
/******/ 		promise[webpackExports] = exports;
/******/ 		promise[webpackQueues] = (fn) => (queue && fn(queue), depQueues.forEach(fn), promise["catch"](x => {}));
/******/ 		module.exports = promise;
/******/ 		body((deps) => {
/******/ 			currentDeps = wrapDeps(deps);
/******/ 			var fn;
/******/ 			var getResult = () => (currentDeps.map((d) => {
/******/ 				if(d[webpackError]) throw d[webpackError];
/******/ 				return d[webpackExports];
/******/ 			}))
/******/ 			var promise = new Promise((resolve) => {
/******/ 				fn = () => (resolve(getResult));
/******/ 				fn.r = 0;
/******/ 				var fnQueue = (q) => (q !== queue && !depQueues.has(q) && (depQueues.add(q), q && !q.d && (fn.r++, q.push(fn))));
/******/ 				currentDeps.map((dep) => (dep[webpackQueues](fnQueue)));
/******/ 			});
/******/ 			return fn.r ? promise : getResult();
/******/ 		}, (err) => ((err ? reject(promise[webpackError] = err) : outerResolve(exports)), resolveQueue(queue)));
/******/ 		queue && queue.d < 0 && (queue.d = 0);
/******/ 	};
/******/ })();
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
/******/ /* webpack/runtime/hasOwnProperty shorthand */
/******/ (() => {
/******/ 	__nccwpck_require__.o = (obj, prop) => (Object.prototype.hasOwnProperty.call(obj, prop))
/******/ })();
/******/ 
/************************************************************************/
/******/ 
/******/ // startup
/******/ // Load entry module and return exports
/******/ // This entry module used 'module' so it can't be inlined
/******/ var __webpack_exports__ = __nccwpck_require__(28);
/******/ __webpack_exports__ = await __webpack_exports__;
/******/ 
