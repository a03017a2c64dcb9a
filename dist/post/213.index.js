export const id = 213;
export const ids = [213];
export const modules = {

/***/ 213:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  createWorkflowArtifacts: () => (/* binding */ createWorkflowArtifacts)
});

// EXTERNAL MODULE: external "node:child_process"
var external_node_child_process_ = __webpack_require__(421);
// EXTERNAL MODULE: external "node:events"
var external_node_events_ = __webpack_require__(474);
// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(598);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(760);
// EXTERNAL MODULE: ./failure.js + 1 modules
var failure = __webpack_require__(147);
;// CONCATENATED MODULE: ../node_modules/@actions/http-client/lib/proxy.js
function getProxyUrl(reqUrl) {
    const usingSsl = reqUrl.protocol === 'https:';
    if (checkBypass(reqUrl)) {
        return undefined;
    }
    const proxyVar = (() => {
        if (usingSsl) {
            return process.env['https_proxy'] || process.env['HTTPS_PROXY'];
        }
        else {
            return process.env['http_proxy'] || process.env['HTTP_PROXY'];
        }
    })();
    if (proxyVar) {
        try {
            return new DecodedURL(proxyVar);
        }
        catch (_a) {
            if (!proxyVar.startsWith('http://') && !proxyVar.startsWith('https://'))
                return new DecodedURL(`http://${proxyVar}`);
        }
    }
    else {
        return undefined;
    }
}
function checkBypass(reqUrl) {
    if (!reqUrl.hostname) {
        return false;
    }
    const reqHost = reqUrl.hostname;
    if (isLoopbackAddress(reqHost)) {
        return true;
    }
    const noProxy = process.env['no_proxy'] || process.env['NO_PROXY'] || '';
    if (!noProxy) {
        return false;
    }
    // Determine the request port
    let reqPort;
    if (reqUrl.port) {
        reqPort = Number(reqUrl.port);
    }
    else if (reqUrl.protocol === 'http:') {
        reqPort = 80;
    }
    else if (reqUrl.protocol === 'https:') {
        reqPort = 443;
    }
    // Format the request hostname and hostname with port
    const upperReqHosts = [reqUrl.hostname.toUpperCase()];
    if (typeof reqPort === 'number') {
        upperReqHosts.push(`${upperReqHosts[0]}:${reqPort}`);
    }
    // Compare request host against noproxy
    for (const upperNoProxyItem of noProxy
        .split(',')
        .map(x => x.trim().toUpperCase())
        .filter(x => x)) {
        if (upperNoProxyItem === '*' ||
            upperReqHosts.some(x => x === upperNoProxyItem ||
                x.endsWith(`.${upperNoProxyItem}`) ||
                (upperNoProxyItem.startsWith('.') &&
                    x.endsWith(`${upperNoProxyItem}`)))) {
            return true;
        }
    }
    return false;
}
function isLoopbackAddress(host) {
    const hostLower = host.toLowerCase();
    return (hostLower === 'localhost' ||
        hostLower.startsWith('127.') ||
        hostLower.startsWith('[::1]') ||
        hostLower.startsWith('[0:0:0:0:0:0:0:1]'));
}
class DecodedURL extends URL {
    constructor(url, base) {
        super(url, base);
        this._decodedUsername = decodeURIComponent(super.username);
        this._decodedPassword = decodeURIComponent(super.password);
    }
    get username() {
        return this._decodedUsername;
    }
    get password() {
        return this._decodedPassword;
    }
}
//# sourceMappingURL=proxy.js.map
;// CONCATENATED MODULE: ./service/proxy.js

function proxyProblem(url, env) {
    const target = new URL(url);
    const variable = `${target.protocol.slice(0, -1)}_proxy`;
    const name = [variable, variable.toUpperCase()].find(key => (env[key] ?? '') !== '');
    if (name === undefined || checkBypass(target) || isUsable(env[name] ?? ''))
        return null;
    const message = `the environment variable "${name}" is not a valid proxy address (not shown because it may contain a password); set an http:// or https:// address, or exempt ${target.hostname} with no_proxy`;
    return { input: null, message, needs: 'nothing' };
}
function isUsable(address) {
    const proxy = URL.parse(address);
    if (proxy === null || !/^https?:$/.test(proxy.protocol))
        return false;
    try {
        decodeURIComponent(proxy.username + proxy.password);
        return true;
    }
    catch {
        return false;
    }
}

// EXTERNAL MODULE: ./text/names.js
var names = __webpack_require__(117);
;// CONCATENATED MODULE: ./text/json.js
const maxJsonDepth = 200;
function isJsonObject(value) {
    return (typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value));
}
function isInteger(value) {
    if (typeof value === 'number')
        return Number.isInteger(value);
    return JSON.isRawJSON(value) && Number.isInteger(Number(JSON.stringify(value)));
}
function parseJson(text) {
    if (!mayChange.test(text))
        return JSON.parse(text);
    return JSON.parse(text, (_, value, { source: digits }) => {
        if (typeof value !== 'number' || digits === undefined || String(value) === digits)
            return value;
        return JSON.rawJSON(digits);
    });
}
const mayChange = /(?:^|[:,[\s])-?(?:\d{16}|\d+[.eE])/;
function parseJsonObject(text) {
    try {
        const value = parseJson(text);
        return isJsonObject(value) && isShallow(value) ? value : undefined;
    }
    catch {
        return undefined;
    }
}
function isShallow(value, maxDepth = maxJsonDepth) {
    if (typeof value !== 'object' || value === null)
        return true;
    return maxDepth > 0 && Object.values(value).every(inner => isShallow(inner, maxDepth - 1));
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

;// CONCATENATED MODULE: ./keep/messages.js

const nameForm = /^notarization-records-\d+-([0-9a-f]{12})(?:-1)?$/;
const maxKeptBytes = 64 * 1024 * 1024;
const whyTooLarge = 'they exceed 64 MiB together';
function isTask(message) {
    return isJsonObject(message) && 'folder' in message;
}
function isReply(message) {
    return isJsonObject(message) && !isTask(message);
}

// EXTERNAL MODULE: external "node:zlib"
var external_node_zlib_ = __webpack_require__(522);
;// CONCATENATED MODULE: ./keep/zip-entry.js

const endSignature = 'PK\x05\x06';
const headBytes = 46;
const localHeadBytes = 30;
function readZipEntry(zip, name, maxBytes) {
    const end = zip.lastIndexOf(endSignature, undefined, 'latin1');
    if (end === -1)
        throw new Error('it is not a zip');
    let at = zip.readUInt32LE(end + 16);
    for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
        const nameEnd = at + headBytes + zip.readUInt16LE(at + 28);
        if (zip.toString('latin1', at + headBytes, nameEnd) === name) {
            const local = zip.readUInt32LE(at + 42);
            const start = local + localHeadBytes + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
            const deflated = zip.subarray(start, start + zip.readUInt32LE(at + 20));
            return (0,external_node_zlib_.inflateRawSync)(deflated, { maxOutputLength: maxBytes });
        }
        at = nameEnd + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
    }
    throw new Error(`it has no file ${name}`);
}

;// CONCATENATED MODULE: ./keep/workflow-artifacts.js










const patienceMs = 120_000;
function createWorkflowArtifacts(childFile) {
    return {
        keep: (files, call) => keepFiles(files, call, childFile),
        find: (token, call) => findRecords(token, call, childFile),
    };
}
async function keepFiles({ records, evidencePath }, call, childFile) {
    const { artifactService, proxies } = call.environment;
    const problem = artifactService && proxyProblem(artifactService.url, proxies);
    if (problem !== null)
        throw new Error(problem.message);
    const folder = await makeFolder(call);
    const files = [(0,external_node_path_.join)(folder, names/* recordsName */.Sv)];
    await (0,promises_.writeFile)((0,external_node_path_.join)(folder, names/* recordsName */.Sv), records);
    if (evidencePath !== '') {
        const page = (0,external_node_path_.join)(folder, names/* evidenceName */.Xc);
        await (0,promises_.copyFile)(evidencePath, page).then(() => files.push(page), () => undefined);
    }
    const digits = (0,external_node_crypto_.hash)('sha256', records).slice(0, 12);
    const name = `notarization-records-${call.environment.attempt}-${digits}`;
    const title = 'Keep the records as a workflow artifact';
    const task = { kind: 'upload', folder, secrets: secretsOf(call), name, files };
    const reply = await runChild({ childFile, title, task }, call);
    if (reply.kind !== 'uploaded')
        throw new Error(whyOf(reply));
    return { name: reply.name, url: urlOf(reply.id, call) };
}
async function findRecords(token, call, childFile) {
    const ask = async (findBy, by = '') => {
        const folder = await makeFolder(call);
        const title = `Find the records of earlier attempts${by}`;
        const secrets = secretsOf(call, token);
        const task = { kind: 'download', folder, secrets, findBy };
        return runChild({ childFile, title, task }, call);
    };
    const findBy = findByOf(token, call);
    const first = await ask(null);
    const isFinal = first.kind === 'failed' && first.cause === 'too-large';
    const hasFound = first.kind === 'downloaded' && first.artifacts.length > 0;
    if (findBy === null || isFinal || hasFound)
        return readAll(first, call);
    const second = await ask(findBy, ' through the GitHub API');
    if (second.kind === 'downloaded')
        return readAll(second, call);
    if (first.kind === 'downloaded' && second.kind === 'failed' && second.cause === 'refused')
        return [];
    const why = `through the GitHub API: ${whyOf(second)}`;
    if (first.kind !== 'failed')
        throw new Error(why);
    throw new Error(`${first.why}; ${why}`);
}
function findByOf(token, { environment }) {
    if (token === '' || proxyProblem(environment.apiUrl, environment.proxies) !== null)
        return null;
    const { repository, runId } = environment.source;
    const [repositoryOwner, repositoryName] = repository?.split('/') ?? [];
    if (runId === null || repositoryOwner === undefined || repositoryName === undefined)
        return null;
    return { token, workflowRunId: Number(runId), repositoryOwner, repositoryName };
}
async function readAll(reply, call) {
    if (reply.kind !== 'downloaded')
        throw new Error(whyOf(reply));
    const all = [];
    let left = maxKeptBytes;
    for (const artifact of reply.artifacts) {
        const bytes = await readRecords(artifact, left);
        left -= bytes.length;
        all.push({ name: artifact.name, url: urlOf(artifact.id, call), bytes });
    }
    return all.sort(compareAge);
}
function compareAge(a, b) {
    const attemptOf = ({ name }) => Number(name.split('-')[2]);
    return attemptOf(a) - attemptOf(b) || a.bytes.length - b.bytes.length;
}
async function readRecords({ name, path }, maxBytes) {
    if ((await (0,promises_.stat)(path)).size > maxBytes)
        throw new Error(whyTooLarge);
    try {
        const bytes = readZipEntry(await (0,promises_.readFile)(path), names/* recordsName */.Sv, maxBytes);
        const [, digits] = nameForm.exec(name) ?? [];
        if ((0,external_node_crypto_.hash)('sha256', bytes).slice(0, 12) === digits)
            return bytes;
    }
    catch (error) {
        if ((0,failure/* errorCode */.CA)(error) === 'ERR_BUFFER_TOO_LARGE')
            throw new Error(whyTooLarge);
        throw new Error(`${name} is damaged: ${(0,failure/* describeError */.Uc)(error)}`);
    }
    throw new Error(`${name} is damaged: its records do not have the SHA-256 of its name`);
}
async function runChild({ childFile, title, task }, { clock, signal }) {
    signal.throwIfAborted();
    process.stdout.write(`::group::${title}\n`);
    const stdio = ['ignore', 'inherit', 'ignore', 'ipc'];
    const child = (0,external_node_child_process_.fork)(childFile, { execArgv: [], stdio: [...stdio] });
    const replies = [];
    child.on('message', message => {
        if (isReply(message))
            replies.push(message);
    });
    const ended = new AbortController();
    let why = 'its process ended early';
    void clock.sleep(patienceMs, AbortSignal.any([signal, ended.signal])).then(() => {
        why = 'it took more than 2 minutes';
        child.kill('SIGKILL');
    });
    try {
        child.send(task, () => undefined);
        await (0,external_node_events_.once)(child, 'close');
    }
    finally {
        ended.abort();
        process.stdout.write('::endgroup::\n');
    }
    const [reply] = replies;
    if (reply !== undefined)
        return reply;
    signal.throwIfAborted();
    return { kind: 'failed', why, cause: 'other' };
}
function whyOf(reply) {
    if (reply.kind === 'failed')
        return reply.why;
    return 'its process sent an unexpected reply';
}
function secretsOf({ environment }, token = '') {
    return [environment.artifactService?.token ?? '', token].filter(text => text !== '');
}
function makeFolder({ environment: { tempFolder } }) {
    return (0,promises_.mkdtemp)((0,external_node_path_.join)(tempFolder, 'notarization-'));
}
function urlOf(id, { environment }) {
    const { serverUrl, source } = environment;
    const { repository, runId } = source;
    return repository && runId && `${serverUrl}/${repository}/actions/runs/${runId}/artifacts/${id}`;
}


/***/ })

};
