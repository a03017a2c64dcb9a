import { createRequire as __WEBPACK_EXTERNAL_createRequire } from "module";
var __webpack_exports__ = {};

;// CONCATENATED MODULE: external "node:crypto"
const external_node_crypto_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:crypto");
;// CONCATENATED MODULE: external "node:module"
const external_node_module_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:module");
;// CONCATENATED MODULE: external "node:path"
const external_node_path_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:path");
;// CONCATENATED MODULE: ./artifacts/own-files.js
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

;// CONCATENATED MODULE: external "node:fs"
const external_node_fs_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:fs");
;// CONCATENATED MODULE: external "node:fs/promises"
const promises_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:fs/promises");
;// CONCATENATED MODULE: external "node:util"
const external_node_util_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:util");
;// CONCATENATED MODULE: ./text/system-error.js

const messages = new Map((0,external_node_util_namespaceObject.getSystemErrorMap)().values())
    .set('EAI_AGAIN', 'the name lookup failed temporarily')
    .set('ENOTFOUND', 'the host name is unknown');
function errorCode(error) {
    if (!(error instanceof Error) || !('code' in error))
        return null;
    return typeof error.code === 'string' && error.code !== '' ? error.code : null;
}
function describeError(error) {
    const code = errorCode(error);
    if (code !== null) {
        const message = messages.get(code);
        return message === undefined ? code : `${message} (${code})`;
    }
    if (error instanceof AggregateError && error.errors.length > 0)
        return describeError(error.errors[0]);
    if (error instanceof Error)
        return error.message === '' ? error.name : error.message;
    return 'an unknown error';
}

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
        await createFolder((0,external_node_path_namespaceObject.dirname)(path));
        const handle = await (0,promises_namespaceObject.open)(path, 'a');
        const folder = await (0,promises_namespaceObject.open)((0,external_node_path_namespaceObject.dirname)(path), 'r').catch(() => null);
        await folder?.sync().catch(() => undefined);
        await folder?.close();
        return {
            append: data => handle.appendFile(data),
            truncate: bytes => (0,promises_namespaceObject.truncate)(path, bytes),
            sync: () => handle.datasync(),
            close: () => handle.close(),
        };
    },
};
async function createFolder(path) {
    if ((0,external_node_fs_namespaceObject.existsSync)(path) || (0,external_node_path_namespaceObject.dirname)(path) === path)
        return;
    await createFolder((0,external_node_path_namespaceObject.dirname)(path));
    await (0,promises_namespaceObject.mkdir)(path);
}

;// CONCATENATED MODULE: external "node:timers/promises"
const external_node_timers_promises_namespaceObject = __WEBPACK_EXTERNAL_createRequire(import.meta.url)("node:timers/promises");
;// CONCATENATED MODULE: ./runtime/clock.js

const systemClock = {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    sleep: (ms, signal) => (0,external_node_timers_promises_namespaceObject.setTimeout)(ms, undefined, { signal }).catch(() => undefined),
};

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
    return url === null || token === null || !isCloud ? null : { url: url.href, token };
}
const proxyVariables = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'];
function proxySecrets(address) {
    const [, userInfo = ''] = /^(?:[a-z]+:\/\/)?(.*)@/is.exec(address) ?? [];
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
    return JSON.parse(text, (_, value, { source }) => typeof value === 'number' && source !== undefined && String(value) !== source
        ? JSON.rawJSON(source)
        : value);
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

;// CONCATENATED MODULE: ./post.js










const { env } = process;
const load = (0,external_node_module_namespaceObject.createRequire)(import.meta.url);
async function keep() {
    const keepRecords = env['INPUT_KEEP-RECORDS']?.trim() ?? '';
    const recordsPath = env['INPUT_RECORDS-PATH']?.trim() ?? '';
    if (!/^(|true|True|TRUE)$/.test(keepRecords))
        return;
    const environment = readEnvironment(env, process.cwd());
    const { runId, runAttempt } = environment.source;
    const path = (0,external_node_path_namespaceObject.resolve)(environment.workspace, recordsPath || recordsName);
    const ofAttempt = JSON.stringify({ runId, runAttempt }).slice(1, -1);
    const records = readIfThere(path, systemDisk);
    if (!records.includes(ofAttempt))
        return;
    const ending = new AbortController();
    process.on('uncaughtException', error => {
        ending.abort(error);
    });
    for (const signal of ['SIGINT', 'SIGTERM']) {
        process.on(signal, () => {
            ending.abort(new Error('the job was canceled'));
        });
    }
    process.noDeprecation = true;
    try {
        if (environment.artifactService === null)
            throw new Error('this server has no artifact service');
        const job = { environment, clock: systemClock, signal: ending.signal };
        const evidencePath = env['STATE_evidence-path'] ?? '';
        const name = await load('../keep/index.js').keepRecords(records, evidencePath, job);
        log(`The records are kept in the workflow artifact ${name}`);
    }
    catch (error) {
        reportNotKept(records, describeError(error));
    }
}
function reportNotKept(records, why) {
    const failure = `The records could not be kept as a workflow artifact (${why})`;
    if (env['STATE_attached'] === (0,external_node_crypto_namespaceObject.hash)('sha256', records)) {
        log(`${failure}, but the release has all of them`);
        return;
    }
    warn(`${failure}. Outside this machine, only this log has them, in the lines below: a later run that does not find these lines in its records file registers and charges again what they record`);
    const lines = records.toString().split('\n');
    for (const line of lines)
        if (parseJsonObject(line) !== undefined)
            log(line);
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
        warn(`The records were not kept as a workflow artifact: ${describeError(error)}`);
    })
        .then(() => {
        process.stdout.write('', () => process.exit(0));
    });
}

