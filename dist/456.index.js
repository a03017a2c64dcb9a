export const id = 456;
export const ids = [456];
export const modules = {

/***/ 1456:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   checkProxy: () => (/* binding */ checkProxy),
/* harmony export */   o: () => (/* binding */ createTransport)
/* harmony export */ });
/* unused harmony export maxBodyBytes */
/* harmony import */ var _actions_http_client__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5889);
/* harmony import */ var _actions_http_client_lib_proxy__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(3689);
/* harmony import */ var node_http__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(7067);
/* harmony import */ var node_https__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(4708);
/* harmony import */ var node_stream__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(7075);
/* harmony import */ var node_tls__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(1692);
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_8__ = __webpack_require__(2417);
/* harmony import */ var _stop_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(2553);
/* harmony import */ var _text_system_error_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(8343);









function checkProxy(url, problems) {
    const parsed = new URL(url);
    const problem = problems.get(parsed.protocol);
    if (problem !== undefined && !(0,_actions_http_client_lib_proxy__WEBPACK_IMPORTED_MODULE_1__/* .checkBypass */ .H)(parsed))
        throw new _stop_js__WEBPACK_IMPORTED_MODULE_6__/* .Stop */ .V(problem);
}
const maxBodyBytes = 1024 * 1024;
function createTransport({ timeoutMs, maxConnections }) {
    const client = new _actions_http_client__WEBPACK_IMPORTED_MODULE_0__/* .HttpClient */ .Qq('notarize-release', [], {
        keepAlive: true,
        maxSockets: maxConnections,
        socketTimeout: timeoutMs + 1000,
    });
    const sockets = new Set();
    const send = async (request, signal) => {
        const exchange = new Exchange();
        const stop = () => {
            exchange.end.abort();
        };
        const timer = setTimeout(() => {
            exchange.expire();
        }, timeoutMs);
        signal.addEventListener('abort', stop);
        if (signal.aborted)
            stop();
        try {
            return await readAnswer(await exchange.start(request, client, sockets), exchange.end.signal);
        }
        catch (error) {
            const { wasSent } = exchange;
            if (signal.aborted)
                return { kind: 'aborted', wasSent };
            const lost = { kind: 'lost', wasSent, isUnknownHost: false };
            if (exchange.isLate) {
                return { ...lost, reason: `no complete answer within ${timeoutMs / 1000} s` };
            }
            const code = (0,_text_system_error_js__WEBPACK_IMPORTED_MODULE_7__/* .errorCode */ .C)(error);
            if (!wasSent && code !== null && certificateErrors.test(code))
                return { kind: 'untrusted', reason: code };
            if (code?.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE')
                return garbled;
            return { ...lost, isUnknownHost: code === 'ENOTFOUND', reason: (0,_text_system_error_js__WEBPACK_IMPORTED_MODULE_7__/* .describeError */ .U)(error) };
        }
        finally {
            exchange.isOver = true;
            clearTimeout(timer);
            signal.removeEventListener('abort', stop);
        }
    };
    const close = () => {
        client.dispose();
        for (const socket of sockets)
            socket.destroy();
    };
    return { send, close };
}
const garbled = { kind: 'answer', status: 0, retryAfter: null, body: '' };
const bytesSchema = zod_mini__WEBPACK_IMPORTED_MODULE_8__/* ["instanceof"] */ .Nlp(Buffer);
const decoder = new TextDecoder();
const certificateErrors = /^(CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_SELF_SIGNED_CERT$|SELF_SIGNED_CERT_IN_CHAIN$|ERROR_IN_CERT_|ERROR_IN_CRL_|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_EXCEEDED$|HOSTNAME_MISMATCH$|ERR_TLS_CERT_)/;
const maxOverdueMs = 1_000;
const readySockets = new WeakSet();
class Exchange {
    end = new AbortController();
    wasSent = false;
    isLate = false;
    isOver = false;
    #socket = null;
    expire(sinceMs = performance.now()) {
        const seen = this.#socket?.bytesRead ?? 0;
        setImmediate(() => {
            setImmediate(() => {
                if (this.isOver)
                    return;
                const hasMore = (this.#socket?.bytesRead ?? 0) > seen;
                if (hasMore && performance.now() - sinceMs < maxOverdueMs) {
                    this.expire(sinceMs);
                    return;
                }
                this.isLate = true;
                this.end.abort();
            });
        });
    }
    async start({ method, url, headers, body }, client, sockets) {
        const { promise, resolve, reject } = Promise.withResolvers();
        this.end.signal.addEventListener('abort', () => {
            reject(new Error('aborted'));
        });
        const { request } = url.protocol === 'https:' ? node_https__WEBPACK_IMPORTED_MODULE_3__ : node_http__WEBPACK_IMPORTED_MODULE_2__;
        const made = request(url, {
            method,
            headers: { ...headers, 'user-agent': 'notarize-release' },
            agent: client.getAgent(url.href),
            signal: this.end.signal,
        });
        made.once('response', resolve);
        made.once('upgrade', resolve);
        made.once('error', reject);
        made.once('close', () => {
            reject(new Error('the connection was closed'));
        });
        made.on('socket', socket => {
            this.#socket = socket;
            if (!sockets.has(socket))
                socket.once('close', () => sockets.delete(socket));
            sockets.add(socket);
            this.#watch(socket);
        });
        made.end(body ?? undefined);
        return promise;
    }
    #watch(socket) {
        if (readySockets.has(socket)) {
            this.wasSent = true;
            return;
        }
        const onReady = () => {
            readySockets.add(socket);
            this.wasSent = true;
        };
        const isTls = socket instanceof node_tls__WEBPACK_IMPORTED_MODULE_5__.TLSSocket;
        const isShaking = isTls && !('secureConnecting' in socket && socket.secureConnecting === false);
        if (socket.readyState === 'open' && !isShaking)
            onReady();
        else
            socket.once(isTls ? 'secureConnect' : 'connect', onReady);
    }
}
async function readAnswer(message, signal) {
    const status = message.statusCode ?? 0;
    if (status === 101) {
        message.destroy();
        return { kind: 'answer', status, retryAfter: null, body: '' };
    }
    (0,node_stream__WEBPACK_IMPORTED_MODULE_4__.addAbortSignal)(signal, message);
    const chunks = [];
    let bytes = 0;
    for await (const chunk of message) {
        const part = bytesSchema.parse(chunk);
        bytes += part.length;
        if (bytes > maxBodyBytes)
            return { kind: 'too-large', status };
        chunks.push(part);
    }
    if (!message.complete)
        throw new Error('the answer was cut');
    const retryAfter = message.headers['retry-after'] ?? null;
    const body = decoder.decode(Buffer.concat(chunks));
    return { kind: 'answer', status, retryAfter, body };
}


/***/ })

};
