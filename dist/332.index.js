export const id = 332;
export const ids = [332];
export const modules = {

/***/ 6159:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  k: () => (/* binding */ collectArtifacts),
  v: () => (/* binding */ describeCount)
});

// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./failure.js
var failure = __webpack_require__(7579);
// EXTERNAL MODULE: ./text/escape.js
var text_escape = __webpack_require__(8146);
// EXTERNAL MODULE: ./text/names.js
var names = __webpack_require__(2117);
// EXTERNAL MODULE: ./text/phrases.js
var phrases = __webpack_require__(7999);
// EXTERNAL MODULE: external "node:buffer"
var external_node_buffer_ = __webpack_require__(4573);
// EXTERNAL MODULE: ./outcome.js
var outcome = __webpack_require__(1949);
;// CONCATENATED MODULE: ./artifacts/checksums.js


const maxLineErrors = 5;
const gnuLine = /^(?<escape>\\?)(?:sha256:)?(?<hash>[0-9A-Fa-f]{64}) [ *]?(?<name>.*)$/s;
const bsdLine = /^(?<escape>\\?)SHA(?:2-)?256 ?\((?<name>.+)\) ?= (?:sha256:)?(?<hash>[0-9A-Fa-f]{64})$/s;
const loneHash = /^(?:sha256:)?(?<hash>[0-9A-Fa-f]{64})$/;
const byteOrderMark = /^\u00ef\u00bb\u00bf/;
function parseChecksums(bytes, fileName) {
    const entries = [];
    const errors = [];
    let lone = null;
    const text = bytes.toString('latin1').replace(byteOrderMark, '');
    for (const [index, raw] of text.split('\n').entries()) {
        const encoded = Buffer.from(raw.replace(/\r$/, ''), 'latin1');
        const line = encoded.toString();
        if (line.trim() === '' || line.startsWith('#'))
            continue;
        const entry = (0,external_node_buffer_.isUtf8)(encoded) && readLine(line);
        if (entry)
            entries.push(entry);
        else
            errors.push(`line ${index + 1} is not a SHA-256 checksum with a name`);
        lone = loneHash.exec(line)?.groups?.['hash'] ?? null;
        if (errors.length === maxLineErrors)
            break;
    }
    const [, name] = /^(.*[^/])\.sha256(?:sum)?$/s.exec(fileName) ?? [];
    const isLone = errors.length === 1 && entries.length === 0;
    if (lone === null || name === undefined || !isLone)
        return { entries, errors };
    return { entries: [toEntry(name, lone)], errors: [] };
}
function readLine(line) {
    const { escape, hash, name } = (gnuLine.exec(line) ?? bsdLine.exec(line))?.groups ?? {};
    if (hash === undefined || name === undefined)
        return null;
    const plain = (escape === '' ? name : checksums_unescape(name)).replace(/^\.\/+/, '');
    if (plain === '')
        return null;
    return toEntry(plain, hash);
}
function toEntry(name, hash) {
    return { input: 'checksums', name, size: null, hash: hash.toLowerCase(), outcome: outcome/* planned */.lM };
}
function checksums_unescape(name) {
    const characters = { n: '\n', r: '\r' };
    return name.replace(/\\(.)/gs, (_, escaped) => characters[escaped] ?? escaped);
}

// EXTERNAL MODULE: ./artifacts/files.js + 1 modules
var artifacts_files = __webpack_require__(9583);
;// CONCATENATED MODULE: ./artifacts/collect.js








const nouns = {
    path: ['file', 'files'],
    checksums: ['checksums entry', 'checksums entries'],
    'release-tag': ['release asset', 'release assets'],
};
function describeCount({ input, text, count }) {
    const [singular, plural] = nouns[input];
    return `"${(0,text_escape/* quote */.hD)(text, 100)}" matches ${(0,phrases/* pluralize */.td)(count, singular, plural)}`;
}
const maxShown = 10;
async function collectArtifacts(inputs, host, options) {
    const { ifNoFilesFound } = inputs;
    const { skip, remedy = 'correct the pattern, or set if-no-files-found' } = options;
    const records = new Set([...skip, ...skip.map(realPathOf)]);
    const isOwn = (name, path) => (0,names/* isOwnFile */.Z4)((0,names/* baseName */.Fl)(name)) || records.has(path);
    const found = await (0,artifacts_files/* findFiles */.l)(inputs.path, host);
    const files = found.files.filter(({ name, realPath }) => !isOwn(name, realPath));
    const paths = describeMatches('path', found, new Map(files.map(file => [file, 1])));
    const sums = await collectEntries(inputs.checksums, host, isOwn);
    const problems = [];
    const warnings = [...paths.warnings, ...sums.warnings];
    for (const { input, errors, missing } of [paths, sums]) {
        const wrong = [...errors];
        if (ifNoFilesFound === 'error')
            wrong.push(...missing);
        if (ifNoFilesFound === 'warn') {
            warnings.push(...missing.map(text => (0,failure/* problemAt */.l4)(input, text).message));
        }
        if (wrong.length === 0)
            continue;
        let text = (0,phrases/* joinFirst */.FS)(wrong, maxShown);
        if (wrong.length > errors.length)
            text += `; ${remedy}`;
        problems.push((0,failure/* problemAt */.l4)(input, text));
    }
    const counts = [...paths.counts, ...sums.counts];
    const hasText = inputs.path !== '' || inputs.checksums !== '';
    if (hasText && counts.length + problems.length === 0) {
        problems.push((0,failure/* problemAt */.l4)('path', 'no pattern includes anything; add one pattern per line'));
    }
    return { files, listed: sums.listed, counts, problems, warnings };
}
async function collectEntries(text, host, isOwn) {
    const found = await (0,artifacts_files/* findFiles */.l)(text, host);
    const sizes = new Map();
    const lists = [];
    const errors = [...found.errors];
    const empty = [];
    for (const [index, file] of found.files.entries()) {
        if (isOwn(file.name, file.realPath))
            continue;
        const shown = `"${(0,text_escape/* quote */.hD)(file.name)}"`;
        try {
            if (file.absolutePath === found.files[index - 1]?.absolutePath)
                throw new Error(artifacts_files/* sameName */.q);
            const reading = parseChecksums((0,external_node_fs_.readFileSync)(file.absolutePath), file.name);
            const { workspace } = host.environment;
            const entries = reading.entries.filter(({ name }) => !isOwn(name, (0,external_node_path_.resolve)(workspace, name)));
            sizes.set(file, entries.length);
            lists.push(entries);
            errors.push(...reading.errors.map(error => `${shown}, ${error}`));
            if (entries.length + reading.errors.length > 0)
                continue;
            empty.push(`the checksums file ${shown} lists no artifact (files that this action writes do not count)`);
        }
        catch (error) {
            sizes.set(file, 0);
            errors.push(`${shown} could not be read: ${(0,failure/* describeError */.Uc)(error)}`);
        }
    }
    const matches = describeMatches('checksums', found, sizes);
    return { ...matches, errors, missing: [...matches.missing, ...empty], listed: lists.flat() };
}
const matchedBy = { path: 'file', checksums: 'checksums file' };
function describeMatches(input, { patterns, errors, warnings }, sizes) {
    const counts = patterns.map(({ text, files }) => {
        return { input, text, count: files.reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0) };
    });
    const unmatched = patterns.filter(({ files }) => !files.some(file => sizes.has(file)));
    const missing = unmatched.map(({ text, files }) => {
        const pattern = `the pattern "${(0,text_escape/* quote */.hD)(text)}" matches`;
        if (files.length > 0)
            return `${pattern} only files that this action writes, which are never artifacts`;
        const none = `${pattern} no ${matchedBy[input]}`;
        if (!/\{.*\}/.test(text))
            return none;
        return `${none} (braces are not supported; write one pattern per line)`;
    });
    return { input, counts, errors, missing, warnings };
}
function realPathOf(absolutePath) {
    try {
        return external_node_fs_.realpathSync.native(absolutePath);
    }
    catch {
        return absolutePath;
    }
}


/***/ }),

/***/ 9583:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  l: () => (/* binding */ findFiles),
  q: () => (/* binding */ sameName)
});

// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: external "node:timers/promises"
var promises_ = __webpack_require__(8500);
// EXTERNAL MODULE: ./failure.js
var failure = __webpack_require__(7579);
// EXTERNAL MODULE: ./text/escape.js
var text_escape = __webpack_require__(8146);
// EXTERNAL MODULE: ./text/names.js
var names = __webpack_require__(2117);
// EXTERNAL MODULE: ./text/phrases.js
var phrases = __webpack_require__(7999);
// EXTERNAL MODULE: ../node_modules/minimatch/dist/esm/index.js + 8 modules
var esm = __webpack_require__(3812);
;// CONCATENATED MODULE: ./artifacts/pattern.js



function readPatterns(input, context) {
    const tracks = [];
    const errors = [];
    for (const [line, untrimmed] of input.split(/[\r\n]/).entries()) {
        const text = untrimmed.trim();
        if (text === '' || text.startsWith('#'))
            continue;
        try {
            const pattern = readPattern(text, line, context);
            tracks.push({ pattern, positions: positionsAt(pattern.parts, 0) });
        }
        catch (error) {
            errors.push(`pattern "${(0,text_escape/* quote */.hD)(text)}" cannot be used: ${(0,failure/* describeError */.Uc)(error)}`);
        }
    }
    return { tracks, errors };
}
function readPattern(text, line, context) {
    const { workspace, home, path } = context;
    const body = text.replace(/^(?:!\s*)+/, '');
    const marks = text.slice(0, text.length - body.length).replaceAll(/\s/g, '');
    if (body === '')
        throw new Error('there is nothing after the !');
    const slashed = body.replaceAll(path.sep, '/');
    const start = path.parse(slashed).root;
    const names = slashed.slice(start.length).split('/');
    const isAtHome = start === '' && names[0] === '~';
    if (isAtHome || (start === '' && names[0] === '.'))
        names.shift();
    const folder = path.resolve(isAtHome ? home : workspace, start);
    const { root } = path.parse(folder);
    const above = folder.slice(root.length).replaceAll(path.sep, '/');
    return {
        text,
        line,
        isExclusion: marks.length % 2 === 1,
        root: root.toUpperCase(),
        parts: readParts(['', (0,esm/* escape */.ih)(above), ...names].join('/'), path.sep === '\\'),
        isForFolders: slashed.endsWith('/'),
    };
}
const rules = {
    platform: 'linux',
    dot: true,
    nobrace: true,
    noext: true,
    optimizationLevel: 0,
};
function readParts(pattern, nocase) {
    const parts = new esm/* Minimatch */.VR(pattern, { ...rules, nocase }).set.flat().filter(part => part !== '');
    if (parts.includes('.') || parts.includes('..')) {
        throw new Error('. and .. are not allowed within a pattern; name the folder itself');
    }
    if (parts.at(-1) === esm/* GLOBSTAR */.ZN)
        parts.pop();
    return parts;
}
function positionsAt(parts, index) {
    if (parts[index] === esm/* GLOBSTAR */.ZN)
        return [index, index + 1];
    return [index];
}
function isMatch({ pattern, positions }) {
    return positions.includes(pattern.parts.length);
}
function nextName({ pattern, positions }) {
    const [part] = positions.map(index => pattern.parts[index]);
    if (typeof part !== 'string' || positions.length > 1)
        return null;
    return part;
}
function followAll(tracks, step) {
    const followed = tracks.map(track => ({ ...track, positions: follow(track, step) }));
    const last = followed.findLastIndex(track => track.pattern.isExclusion && isMatch(track));
    const mayMatch = (track) => step.isFolder && track.positions.length > 0;
    return followed.slice(last + 1).filter(track => isMatch(track) || mayMatch(track));
}
function follow({ pattern, positions }, step) {
    const { parts, isExclusion, isForFolders } = pattern;
    const isVisible = !step.isHidden || isExclusion;
    const reached = [];
    for (const index of positions) {
        const part = parts[index];
        if (part === undefined || part === esm/* GLOBSTAR */.ZN) {
            if (isVisible)
                reached.push(...positionsAt(parts, index));
            continue;
        }
        if (!matchesName(part, step.name, isVisible))
            continue;
        const isTooEarly = isForFolders && !step.isFolder && index + 1 === parts.length;
        if (!isTooEarly)
            reached.push(...positionsAt(parts, index + 1));
    }
    return [...new Set(reached)];
}
function matchesName(part, name, isVisible) {
    if (typeof part === 'string')
        return part === name;
    if (!isVisible && !/^\\?\./.test(part.pattern))
        return false;
    return part.test(name);
}

;// CONCATENATED MODULE: ./artifacts/files.js








const sameName = 'another file has the same name, because it is not valid UTF-8';
const maxEntries = 1_000_000;
const entriesBetweenPauses = 512;
const maxSkippedShown = 10;
const tooMany = 'its patterns lead through more than 1,000,000 files and folders; name the folders of the artifacts, and check for links between folders';
async function findFiles(text, host) {
    const { workspace, home } = host.environment;
    const { tracks, errors } = readPatterns(text, { workspace, home, path: external_node_path_ });
    if (errors.length > 0)
        return { files: [], patterns: [], errors, warnings: [] };
    return new Search(tracks, workspace).run(host.halt.signal);
}
class Search {
    #workspace;
    #folders;
    #files = [];
    #matches = new Map();
    #skipped = [];
    #errors = [];
    constructor(tracks, workspace) {
        this.#workspace = workspace;
        const roots = Map.groupBy(tracks, ({ pattern }) => pattern.root);
        this.#folders = [...roots].map(([root, group]) => {
            return { path: root, realPath: root, tracks: group, above: [] };
        });
        for (const { pattern } of tracks)
            if (!pattern.isExclusion)
                this.#matches.set(pattern, []);
    }
    async run(halt) {
        let count = 0;
        for (let folder = this.#folders.pop(); folder !== undefined; folder = this.#folders.pop()) {
            const prefix = prefixOf(folder.path, this.#workspace);
            const byName = Map.groupBy(folder.tracks, nextName);
            const forAnyName = byName.get(null) ?? [];
            const hasWildcard = forAnyName.some(({ pattern }) => !pattern.isExclusion);
            let { above } = folder;
            let entries;
            if (above.length > 0 || hasWildcard) {
                entries = this.#list(folder, prefix);
                above = [...above, folder.realPath];
            }
            else {
                const names = [...byName.keys()].filter(name => name !== null);
                entries = names.flatMap(name => lookUp(folder.realPath, name) ?? []);
            }
            for (const entry of entries) {
                if (count % entriesBetweenPauses === 0)
                    await (0,promises_.setImmediate)();
                if (halt.aborted)
                    throw failure/* Stop */.VG.canceled();
                count += 1;
                if (count > maxEntries)
                    return { files: [], patterns: [], errors: [tooMany], warnings: [] };
                const tracks = forAnyName.concat(byName.get(entry.name) ?? []);
                tracks.sort((a, b) => a.pattern.line - b.pattern.line);
                this.#visit(entry, { ...folder, tracks, above }, prefix + entry.name);
            }
        }
        const files = this.#files.sort((a, b) => (0,names/* compareCodeUnits */.UF)(a.name, b.name));
        const patterns = [...this.#matches].map(([{ text }, matched]) => ({ text, files: matched }));
        const warnings = [];
        if (this.#skipped.length > 0) {
            const skipped = (0,phrases/* joinFirst */.FS)(this.#skipped, maxSkippedShown, { separator: ', ' });
            warnings.push(`skipped (not regular files): ${skipped}`);
        }
        return { files, patterns, errors: this.#errors, warnings };
    }
    #list({ realPath, above }, prefix) {
        if (above.includes(realPath))
            return [];
        try {
            return (0,external_node_fs_.readdirSync)(realPath, { withFileTypes: true }).map((entry) => {
                const { name } = entry;
                const unlinked = { name, kind: kindOf(entry), realPath: realPath + name };
                if (!entry.isSymbolicLink())
                    return unlinked;
                return lookUp(realPath, name) ?? { ...unlinked, kind: 'unknown' };
            });
        }
        catch (error) {
            const name = prefix === '' ? '.' : prefix.slice(0, -1);
            this.#errors.push(`the folder "${(0,text_escape/* quote */.hD)(name)}" cannot be read: ${(0,failure/* describeError */.Uc)(error)}`);
            return [];
        }
    }
    #visit(entry, parent, name) {
        const { kind, realPath } = entry;
        const path = parent.path + entry.name;
        const isFolder = kind === 'folder' || kind === 'unknown';
        const isDotted = entry.name.startsWith('.');
        const isHidden = isDotted && !asFolder(this.#workspace).startsWith(asFolder(path));
        const tracks = followAll(parent.tracks, { name: entry.name, isHidden, isFolder });
        const including = tracks.filter(({ pattern }) => !pattern.isExclusion);
        if (including.length === 0)
            return;
        if (kind === 'file' || (kind === 'unknown' && including.some(isMatch))) {
            const file = { name, absolutePath: path, realPath };
            this.#files.push(file);
            for (const { pattern } of including)
                this.#matches.get(pattern)?.push(file);
        }
        else if (isFolder) {
            this.#folders.push({ ...parent, path: asFolder(path), realPath: asFolder(realPath), tracks });
        }
        else {
            this.#skipped.push(`"${(0,text_escape/* quote */.hD)(name)}" (${kind})`);
        }
    }
}
function prefixOf(folder, workspace) {
    const inside = external_node_path_.relative(workspace, folder);
    if (inside === '')
        return '';
    const isOutside = inside.split(external_node_path_.sep)[0] === '..' || external_node_path_.isAbsolute(inside);
    return (isOutside ? folder : asFolder(inside)).replaceAll(external_node_path_.sep, '/');
}
function asFolder(folder) {
    if (folder.endsWith(external_node_path_.sep))
        return folder;
    return folder + external_node_path_.sep;
}
function kindOf(entry) {
    if (entry.isFile())
        return 'file';
    if (entry.isDirectory())
        return 'folder';
    return 'FIFO, socket or device';
}
const missingCodes = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'];
function lookUp(folder, name) {
    const path = folder + name;
    let exists = false;
    try {
        (0,external_node_fs_.lstatSync)(path);
        exists = true;
        return { name, kind: kindOf((0,external_node_fs_.statSync)(path)), realPath: external_node_fs_.realpathSync.native(path) };
    }
    catch (error) {
        const isMissing = missingCodes.includes((0,failure/* errorCode */.CA)(error));
        if (!isMissing)
            return { name, kind: 'unknown', realPath: path };
        if (!exists)
            return null;
        return { name, kind: 'broken link', realPath: path };
    }
}


/***/ }),

/***/ 101:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   y: () => (/* binding */ hashFiles)
/* harmony export */ });
/* harmony import */ var node_assert__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4589);
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7598);
/* harmony import */ var node_events__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8474);
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(3024);
/* harmony import */ var node_os__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(8161);
/* harmony import */ var node_timers_promises__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(8500);
/* harmony import */ var node_worker_threads__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(5919);
/* harmony import */ var _failure_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(7579);
/* harmony import */ var _outcome_js__WEBPACK_IMPORTED_MODULE_8__ = __webpack_require__(1949);
/* harmony import */ var _runtime_progress_js__WEBPACK_IMPORTED_MODULE_9__ = __webpack_require__(8491);










const maxSmallBytes = 16 * 1024 * 1024;
const maxHere = 2048;
const maxWorkers = 8;
const batchSize = 64;
const unnamed = { code: 'unreadable', reason: 'name-not-utf8', observed: '' };
async function hashFiles(files, host) {
    const { clock, runner, workerFile } = host;
    const halt = host.halt.signal;
    const results = new Map();
    const progress = (0,_runtime_progress_js__WEBPACK_IMPORTED_MODULE_9__/* .createProgress */ .m)('hashing', clock, runner.info);
    const batches = [];
    const named = files.filter((file, index) => {
        const isNamed = file.absolutePath !== files[index - 1]?.absolutePath;
        if (!isNamed)
            results.set(file, unnamed);
        return isNamed;
    });
    for (const [index, file] of named.slice(0, maxHere).entries()) {
        if (index % batchSize === 0) {
            await (0,node_timers_promises__WEBPACK_IMPORTED_MODULE_5__.setImmediate)();
            progress(results.size, files.length);
        }
        if (halt.aborted)
            break;
        const result = hashFile(file.absolutePath, maxSmallBytes);
        if (result === null)
            batches.push([file]);
        else
            results.set(file, result);
    }
    for (let at = maxHere; at < named.length && !halt.aborted; at += batchSize) {
        batches.push(named.slice(at, at + batchSize));
    }
    const queue = batches.values();
    const work = async () => {
        const worker = new node_worker_threads__WEBPACK_IMPORTED_MODULE_6__.Worker(workerFile);
        try {
            for (const batch of queue) {
                worker.postMessage(batch.map(file => file.absolutePath));
                const message = await (0,node_events__WEBPACK_IMPORTED_MODULE_2__.once)(worker, 'message', { signal: halt });
                const [replies] = message;
                node_assert__WEBPACK_IMPORTED_MODULE_0__(Array.isArray(replies), 'a worker thread replies with a list');
                for (const [index, file] of batch.entries()) {
                    const result = replies[index];
                    node_assert__WEBPACK_IMPORTED_MODULE_0__(isResult(result), 'a worker thread replies with a hash or a fault');
                    results.set(file, result);
                }
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
    const count = Math.min((0,node_os__WEBPACK_IMPORTED_MODULE_4__.availableParallelism)(), maxWorkers, batches.length);
    await Promise.all(Array.from({ length: count }, work));
    return files.map(file => toArtifact(file, results.get(file)));
}
function isResult(value) {
    return typeof value === 'object' && value !== null && ('hash' in value || 'reason' in value);
}
function toArtifact({ name }, result) {
    if (result !== undefined && 'hash' in result) {
        return { input: 'path', name, outcome: _outcome_js__WEBPACK_IMPORTED_MODULE_8__/* .planned */ .lM, ...result };
    }
    let failure = _failure_js__WEBPACK_IMPORTED_MODULE_7__/* .canceledFailure */ .Yb;
    if (result !== undefined) {
        const { code, reason, observed } = result;
        failure = new _failure_js__WEBPACK_IMPORTED_MODULE_7__/* .Failure */ .HR(code, reason, { observed });
    }
    return { input: 'path', name, size: null, hash: null, outcome: (0,_outcome_js__WEBPACK_IMPORTED_MODULE_8__/* .failed */ .gz)(failure) };
}
const changed = { code: 'changed', reason: 'file-changed', observed: '' };
const buffer = Buffer.allocUnsafeSlow(1024 * 1024);
function hashFile(path, maxBytes) {
    let descriptor = null;
    try {
        descriptor = (0,node_fs__WEBPACK_IMPORTED_MODULE_3__.openSync)(path, node_fs__WEBPACK_IMPORTED_MODULE_3__.constants.O_RDONLY | node_fs__WEBPACK_IMPORTED_MODULE_3__.constants.O_NONBLOCK);
        const before = (0,node_fs__WEBPACK_IMPORTED_MODULE_3__.fstatSync)(descriptor);
        if (!before.isFile())
            return changed;
        if (before.size > maxBytes)
            return null;
        const digest = (0,node_crypto__WEBPACK_IMPORTED_MODULE_1__.createHash)('sha256');
        let size = 0;
        let read;
        do {
            read = (0,node_fs__WEBPACK_IMPORTED_MODULE_3__.readSync)(descriptor, buffer);
            digest.update(buffer.subarray(0, read));
            size += read;
        } while (read > 0 && size < before.size);
        if (size !== before.size || !isUnchanged(before, (0,node_fs__WEBPACK_IMPORTED_MODULE_3__.fstatSync)(descriptor)))
            return changed;
        return { hash: digest.digest('hex'), size };
    }
    catch (error) {
        return { code: 'unreadable', reason: 'file-unreadable', observed: (0,_failure_js__WEBPACK_IMPORTED_MODULE_7__/* .describeError */ .Uc)(error) };
    }
    finally {
        if (descriptor !== null)
            (0,node_fs__WEBPACK_IMPORTED_MODULE_3__.closeSync)(descriptor);
    }
}
function isUnchanged(before, after) {
    const keys = ['size', 'mtimeMs', 'ctimeMs', 'nlink'];
    return keys.every(key => before[key] === after[key]);
}
node_worker_threads__WEBPACK_IMPORTED_MODULE_6__.parentPort?.on('message', (paths) => {
    node_worker_threads__WEBPACK_IMPORTED_MODULE_6__.parentPort?.postMessage(paths.map(path => hashFile(path, Infinity)));
});


/***/ }),

/***/ 7579:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   CA: () => (/* binding */ errorCode),
/* harmony export */   CO: () => (/* binding */ problemWith),
/* harmony export */   HR: () => (/* binding */ Failure),
/* harmony export */   Jc: () => (/* binding */ mismatchFailure),
/* harmony export */   Uc: () => (/* binding */ describeError),
/* harmony export */   VG: () => (/* binding */ Stop),
/* harmony export */   Yb: () => (/* binding */ canceledFailure),
/* harmony export */   dw: () => (/* binding */ notSavedFailure),
/* harmony export */   fT: () => (/* binding */ bugFailure),
/* harmony export */   l4: () => (/* binding */ problemAt)
/* harmony export */ });
/* unused harmony exports failureCodes, reasons */
/* harmony import */ var node_util__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7975);

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
const systemMessages = new Map((0,node_util__WEBPACK_IMPORTED_MODULE_0__.getSystemErrorMap)().values())
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

/***/ 1218:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Ip: () => (/* binding */ defaultBaseUrl),
/* harmony export */   Kz: () => (/* binding */ apiKey),
/* harmony export */   Pw: () => (/* binding */ verificationUrl),
/* harmony export */   RY: () => (/* binding */ hashes),
/* harmony export */   TL: () => (/* binding */ parseInputs),
/* harmony export */   aF: () => (/* binding */ releaseTag),
/* harmony export */   bU: () => (/* binding */ githubToken),
/* harmony export */   e0: () => (/* binding */ ifNoFilesFound),
/* harmony export */   lq: () => (/* binding */ optional),
/* harmony export */   pc: () => (/* binding */ baseUrl),
/* harmony export */   rD: () => (/* binding */ wholeNumber),
/* harmony export */   s$: () => (/* binding */ filePath),
/* harmony export */   vj: () => (/* binding */ inputNames),
/* harmony export */   xk: () => (/* binding */ commitId),
/* harmony export */   zM: () => (/* binding */ boolean)
/* harmony export */ });
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4763);
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(2335);
/* harmony import */ var _failure_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7579);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8146);
/* harmony import */ var _text_verification_url_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(6318);




const readAnew = new Set(['api-key', 'github-token', 'confirmed-hashes']);
function inputNames({ shape }) {
    return Object.keys(shape).map(nameOf);
}
function nameOf(field) {
    return field.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
}
function parseInputs(schema, rawInputs) {
    const texts = {};
    for (const field of Object.keys(schema.shape)) {
        const text = rawInputs[nameOf(field)] ?? '';
        if (text !== '')
            texts[field] = text;
    }
    const { path = '', checksums = '', releaseTag = '', githubToken = '' } = texts;
    const problems = [];
    if (path + checksums + releaseTag === '') {
        const remedy = 'set at least one of them, one pattern per line';
        const text = `is empty, and so are "checksums" and "release-tag"; ${remedy}`;
        problems.push((0,_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .problemWith */ .CO)('path', text));
    }
    if (releaseTag !== '' && githubToken === '') {
        const text = 'is empty, but "release-tag" needs it; remove this input to use the token of the job';
        problems.push((0,_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .problemWith */ .CO)('github-token', text));
    }
    for (const { path, message } of schema.safeParse(texts).error?.issues ?? []) {
        const field = String(path[0]);
        const name = nameOf(field);
        problems.push((0,_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .problemWith */ .CO)(name, message, readAnew.has(name) ? 'secret' : 'workflow'));
        Reflect.deleteProperty(texts, field);
    }
    const { 'api-key': key = '', 'github-token': token = '' } = rawInputs;
    const secrets = [key, token].filter(text => text !== '');
    return { inputs: schema.parse(texts), problems, secrets };
}
function withValue(requirement, remedy = '') {
    return ({ input }) => `${requirement} (got "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .quote */ .hD)(String(input), 100)}")${remedy}`;
}
function gotUrl(url, shown = url) {
    if (url.includes('@'))
        return '';
    return ` (got "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .quote */ .hD)(shown, 100)}")`;
}
function checkWith(findProblem) {
    return zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .refine */ .YPB(text => findProblem(text) === null, {
        error: ({ input }) => findProblem(String(input)) ?? undefined,
    });
}
function optional(value) {
    return zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ._default */ .Rvf(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .nullable */ .mee(value), null);
}
const ifNoFilesFound = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ["enum"] */ .k5n(['error', 'warn', 'ignore'], {
    error: withValue('must be error, warn or ignore'),
});
const boolean = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .stringbool */ .uEf({
    truthy: ['true', 'True', 'TRUE'],
    falsy: ['false', 'False', 'FALSE'],
    case: 'sensitive',
    error: withValue('must be true or false'),
});
function wholeNumber(min, max) {
    const isWithin = (text) => /^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max;
    const error = withValue(`must be a whole number from ${min} to ${max}`);
    return zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .pipe */ .FsL(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .refine */ .YPB(isWithin, { error })), zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .transform */ .pdi(Number));
}
const apiKey = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP()
    .check(zod_mini__WEBPACK_IMPORTED_MODULE_3__/* ._regex */ .Fk(/^[^\r\n]*$/, 'must be one line; store the key without line breaks'));
const githubToken = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_3__/* ._regex */ .Fk(/^\S*$/, 'must be one line without whitespace'));
const releaseTag = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_3__/* ._regex */ .Fk(/^[^\s\p{Cc}]*$/u, {
    abort: true,
    error: withValue('must be one tag without whitespace'),
}), zod_mini__WEBPACK_IMPORTED_MODULE_3__/* ._regex */ .Fk(/^(?!refs\/)/, {
    error: withValue('must be the tag alone', '; for example, use ${{ github.ref_name }}'),
}));
const filePath = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP()
    .check(zod_mini__WEBPACK_IMPORTED_MODULE_3__/* ._regex */ .Fk(/^[^\r\n\0]*$/, { abort: true, error: withValue('must be one path on one line') }), zod_mini__WEBPACK_IMPORTED_MODULE_3__/* ._regex */ .Fk(/[^/\\]$/, { error: withValue('must name a file, not a folder') }));
const verificationUrl = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP().check(checkWith(text => {
    const problem = (0,_text_verification_url_js__WEBPACK_IMPORTED_MODULE_4__/* .checkVerificationTemplate */ .U)(text);
    if (problem === null)
        return null;
    return `${problem}${gotUrl(text)}; for example, use https://notary.example/verification/{hash}`;
}));
const hashes = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .pipe */ .FsL(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP().check(checkWith(text => {
    const wrong = splitWords(text).find(word => !/^[0-9a-f]{64}$/i.test(word));
    if (wrong === undefined)
        return null;
    return `must contain only SHA-256 hashes of 64 hex digits, separated by white space (got "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .quote */ .hD)(wrong, 100)}")`;
})), zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .transform */ .pdi((text) => new Set(splitWords(text.toLowerCase()))));
function splitWords(text) {
    return text.split(/\s+/).filter(word => word !== '');
}
const commitId = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_3__/* ._regex */ .Fk(/^([0-9a-f]{40}|[0-9a-f]{64})$/i, {
    error: withValue('must be a full commit ID of 40 or 64 hex digits'),
}), zod_mini__WEBPACK_IMPORTED_MODULE_3__/* ._toLowerCase */ .Il());
const defaultBaseUrl = 'https://app.dedit.io';
const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const baseUrl = zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .pipe */ .FsL(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .string */ .YjP().check(checkWith(findBaseUrlProblem)), zod_mini__WEBPACK_IMPORTED_MODULE_2__/* .transform */ .pdi(text => {
    const { protocol, host, pathname } = new URL(text);
    return `${protocol}//${host}${pathname.replace(/\/+$/, '')}`;
}));
function findBaseUrlProblem(text) {
    const url = URL.parse(text);
    const value = gotUrl(text, text.replace(/[?#].*/s, ''));
    if (/[\s\p{Cc}\\]/u.test(text)) {
        return `must be one URL without whitespace or backslashes${value}`;
    }
    if (url === null || !/^https?:\/\/[^/]/i.test(text)) {
        return `must be a valid URL that starts with https://${value}`;
    }
    const problems = [];
    if (url.protocol === 'http:' && !loopbackHost.test(url.hostname)) {
        problems.push(`must start with https://${value}; use the https address of the service`);
    }
    if (url.username + url.password !== '') {
        problems.push('must not contain credentials; the key belongs in "api-key"');
    }
    if (/[?#]/.test(text)) {
        problems.push(`must not contain a query or a fragment${value}; use only the address`);
    }
    if (/\/api\/v2(\/|$)/i.test(url.pathname)) {
        problems.push(`must end before /api/v2${value}; the action adds that part itself`);
    }
    if (problems.length === 0)
        return null;
    return problems.join('; it ');
}


/***/ }),

/***/ 8332:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  conduct: () => (/* binding */ conduct),
  notarize: () => (/* binding */ notarize),
  start: () => (/* binding */ start)
});

// EXTERNAL MODULE: external "node:assert"
var external_node_assert_ = __webpack_require__(4589);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./artifacts/collect.js + 1 modules
var collect = __webpack_require__(6159);
// EXTERNAL MODULE: ./artifacts/hash.js
var hash = __webpack_require__(101);
// EXTERNAL MODULE: ./failure.js
var failure_0 = __webpack_require__(7579);
// EXTERNAL MODULE: ../node_modules/zod/v4/mini/schemas.js + 1 modules
var schemas = __webpack_require__(4763);
// EXTERNAL MODULE: ./text/json.js
var text_json = __webpack_require__(7727);
;// CONCATENATED MODULE: ./service/subscription.js


const subscription_text = schemas/* string */.YjP();
const textOrNull = schemas/* nullable */.mee(subscription_text);
const integer = schemas/* custom */.IeY(text_json/* isInteger */.Fq);
const listedFields = schemas/* object */.Ikc({
    sessionId: subscription_text,
    id: textOrNull,
    userId: integer,
    planId: subscription_text,
    planNickname: subscription_text,
    status: subscription_text,
    created: integer,
    currentPeriodStart: integer,
    currentPeriodEnd: integer,
    canceledAt: schemas/* nullable */.mee(schemas/* union */.KCZ([schemas/* boolean */.zMY(), integer])),
    customer: textOrNull,
    defaultPaymentMethod: textOrNull,
    latestInvoice: textOrNull,
});
const secretFields = ['sessionId', 'customer', 'custumer', 'latestInvoice', 'defaultPaymentMethod'];
const exemptFields = ['id', 'userId', 'planId'];
function readSubscription(text, nowMs) {
    const trimmed = text.trim();
    const json = trimmed.startsWith('{') ? trimmed : Buffer.from(trimmed, 'base64').toString().trim();
    const data = (0,text_json/* parseJsonObject */.dw)(json);
    if (data === undefined)
        return null;
    const subscription = checkSubscription(data, json, nowMs);
    if (subscription === null || !/[\r\n]/.test(trimmed))
        return subscription;
    return { ...subscription, warnings: [severalLines, ...subscription.warnings] };
}
function checkSubscription(parsed, json, nowMs) {
    const { custumer, ...rest } = parsed;
    let data = parsed;
    let body = json;
    if (custumer !== undefined) {
        data = { ...rest, customer: parsed['customer'] ?? custumer };
        body = JSON.stringify(data);
    }
    if (!Object.keys(listedFields.shape).some(field => field in data))
        return null;
    return {
        id: (0,text_json/* textOf */.b6)(data['id']),
        json: body,
        warnings: warningsAbout(data, nowMs),
        secrets: secretFields.flatMap(field => textsIn(parsed[field])),
        exempt: exemptFields.flatMap(field => textsIn(parsed[field])),
    };
}
function unexpectedFields(data) {
    return (0,text_json/* rejectedFields */.AO)(listedFields.safeParse(data).error).map(field => data[field] === undefined ? `${field} (missing)` : field);
}
const severalLines = 'has several lines, and the runner masks each of them everywhere in the log, even a single brace; store it on one line or as base64';
function warningsAbout(data, nowMs) {
    const { status, canceledAt, currentPeriodEnd } = data;
    const warnings = [];
    const unexpected = unexpectedFields(data);
    if (unexpected.length > 0) {
        warnings.push(`has missing fields or fields of an unexpected type: ${unexpected.join(', ')}`);
    }
    if (status !== undefined && status !== 'active')
        warnings.push('has a status other than "active"');
    if (canceledAt !== false && (canceledAt ?? 0) !== 0)
        warnings.push('is canceled (canceledAt)');
    if (typeof currentPeriodEnd === 'number' && currentPeriodEnd * 1000 < nowMs) {
        const day = new Date(Math.max(currentPeriodEnd * 1000, 0)).toISOString().slice(0, 10);
        warnings.push(`has a period that ended on ${day} (currentPeriodEnd)`);
    }
    return warnings.map(warning => `${warning}; the service may reject it`);
}
function textsIn(value) {
    const text = (0,text_json/* textOf */.b6)(value);
    if (text !== null)
        return [text];
    if (typeof value !== 'object' || value === null)
        return [];
    return Object.values(value).flatMap(textsIn);
}

// EXTERNAL MODULE: ./text/names.js
var names = __webpack_require__(2117);
// EXTERNAL MODULE: ./inputs/shared-inputs.js
var shared_inputs = __webpack_require__(1218);
;// CONCATENATED MODULE: ./inputs/notarize-inputs.js





const notarizeSchema = schemas/* object */.Ikc({
    apiKey: schemas/* prefault */.SdS(shared_inputs/* apiKey */.Kz, ''),
    baseUrl: schemas/* prefault */.SdS(shared_inputs/* baseUrl */.pc, shared_inputs/* defaultBaseUrl */.Ip),
    path: schemas/* prefault */.SdS(schemas/* string */.YjP(), ''),
    checksums: schemas/* prefault */.SdS(schemas/* string */.YjP(), ''),
    subscription: schemas/* prefault */.SdS(schemas/* string */.YjP(), ''),
    ifNoFilesFound: schemas/* prefault */.SdS(shared_inputs/* ifNoFilesFound */.e0, 'error'),
    recordsPath: schemas/* prefault */.SdS(shared_inputs/* filePath */.s$, names/* recordsName */.Sv),
    maxRegistrations: schemas/* prefault */.SdS(shared_inputs/* wholeNumber */.rD(0, 10_000_000), '100'),
    concurrency: schemas/* prefault */.SdS(shared_inputs/* wholeNumber */.rD(1, 64), '4'),
    maxAttempts: schemas/* prefault */.SdS(shared_inputs/* wholeNumber */.rD(1, 20), '7'),
    timeoutSeconds: schemas/* prefault */.SdS(shared_inputs/* wholeNumber */.rD(1, 600), '30'),
    dryRun: schemas/* prefault */.SdS(shared_inputs/* boolean */.zM, 'false'),
    showSummary: schemas/* prefault */.SdS(shared_inputs/* boolean */.zM, 'true'),
    requestRegistration: shared_inputs/* optional */.lq(shared_inputs/* boolean */.zM),
    description: schemas/* prefault */.SdS(schemas/* string */.YjP(), '{artifact} of {repository} at {ref}'),
    verificationUrl: shared_inputs/* optional */.lq(shared_inputs/* verificationUrl */.Pw),
    confirmedHashes: schemas/* prefault */.SdS(shared_inputs/* hashes */.RY, ''),
    keepRecords: schemas/* prefault */.SdS(shared_inputs/* boolean */.zM, 'true'),
    releaseTag: shared_inputs/* optional */.lq(shared_inputs/* releaseTag */.aF),
    githubToken: schemas/* prefault */.SdS(shared_inputs/* githubToken */.bU, ''),
});
const notarizeInputNames = shared_inputs/* inputNames */.vj(notarizeSchema);
function readInputs(rawInputs, nowMs, attempt = 1) {
    const { inputs, ...parsed } = shared_inputs/* parseInputs */.TL(notarizeSchema, rawInputs);
    const { subscription, baseUrl } = inputs;
    const hasData = subscription !== '' && subscription !== 'active';
    const data = hasData ? readSubscription(subscription, nowMs) : null;
    const { warnings = [], secrets = [], exempt = [] } = data ?? {};
    const publicPage = baseUrl === shared_inputs/* defaultBaseUrl */.Ip ? `${baseUrl}/verification/{hash}` : null;
    const problems = [...checkRequired(inputs, rawInputs, attempt), ...parsed.problems];
    if (hasData && data === null) {
        const text = 'must be the word active, or subscription data: a JSON object with fields such as sessionId and id, or base64 of one (its value is secret and not shown); to store it on one line, run: jq -c . subscription.json | gh secret set NOTARIZATION_SUBSCRIPTION';
        problems.push((0,failure_0/* problemWith */.CO)('subscription', text, 'secret'));
    }
    return {
        inputs: {
            ...inputs,
            requestRegistration: inputs.requestRegistration ?? subscription === '',
            verificationUrl: inputs.verificationUrl ?? publicPage,
            payment: subscription === 'active' ? 'active' : data,
        },
        problems,
        warnings: warnings.map(warning => `input "subscription" ${warning}`),
        secrets: [...parsed.secrets, ...secrets],
        exempt,
    };
}
function checkRequired({ dryRun, subscription, requestRegistration }, rawInputs, attempt) {
    const { 'api-key': key = '' } = rawInputs;
    const problems = [];
    if (!dryRun && key === '') {
        const text = 'is empty; pass your API key, for example ${{ secrets.NOTARIZATION_API_KEY }}, and make sure that this secret exists (runs from forks get no secrets; with dry-run: true, no key is needed)';
        problems.push((0,failure_0/* problemWith */.CO)('api-key', text, attempt > 1 ? 'secret' : 'workflow'));
    }
    if (!dryRun && requestRegistration === false && subscription === '') {
        const text = 'is false, but "subscription" is empty, so there is no subscription to charge; remove this input, or set "subscription" to the word active or to a secret with your subscription data';
        problems.push((0,failure_0/* problemWith */.CO)('request-registration', text));
    }
    return problems;
}

// EXTERNAL MODULE: ./records/lines.js
var records_lines = __webpack_require__(3243);
// EXTERNAL MODULE: ./service/proxy.js
var proxy = __webpack_require__(2293);
// EXTERNAL MODULE: ./text/phrases.js
var phrases = __webpack_require__(7999);
// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
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

;// CONCATENATED MODULE: ./keep/keep.js






async function findKept({ keepRecords, githubToken }, { environment, clock, halt, runner, workflowArtifacts }) {
    const input = 'keep-records';
    const { artifactService, proxies, attempt } = environment;
    if (!keepRecords || artifactService === null || !(attempt > 1))
        return [];
    const problem = (0,proxy/* proxyProblem */.w)(artifactService.url, proxies);
    if (problem !== null)
        throw new failure_0/* Stop */.VG(problem);
    try {
        const call = { environment, clock, signal: halt.canceled };
        const found = await workflowArtifacts.find(githubToken, call);
        runner.info(`Found ${(0,phrases/* pluralize */.td)(found.length, 'records file')} of earlier attempts`);
        return found.map(({ name, url, bytes }) => {
            const ofArtifact = `${names/* recordsName */.Sv} of the workflow artifact ${name}`;
            return { name: ofArtifact, bytes, input, workflowArtifact: { name, url } };
        });
    }
    catch (error) {
        if (halt.isCanceled)
            throw failure_0/* Stop */.VG.canceled();
        const text = `the records that earlier attempts kept cannot be read: ${(0,failure_0/* describeError */.Uc)(error)}`;
        throw new failure_0/* Stop */.VG((0,failure_0/* problemAt */.l4)(input, text, 'nothing'));
    }
}
async function keepRecords(query, before, host) {
    const kept = await keepOrPrint(query, host);
    if (kept.kind === 'nothing' || before.kind === 'unreadable')
        return before;
    let { kind } = before;
    if (kind === 'post-step')
        kind = placesOfFile[kept.kind];
    const isWhole = kind === 'workflow-artifact';
    if (kept.kind !== 'kept')
        return { ...before, kind, isWhole };
    return { ...before, kind, isWhole: true, workflowArtifacts: [kept.workflowArtifact] };
}
function isDue(query, { source }) {
    const { inputs, records, isStopped, problems } = query;
    const isDamaged = problems.some(({ input }) => input === 'records-path');
    if (inputs.dryRun || !inputs.keepRecords || isDamaged)
        return false;
    return hasLinesToKeep(records, source, inputs.releaseTag !== null && !isStopped);
}
async function keepOrPrint(query, host) {
    const { inputs, records, evidencePath, released, isStopped } = query;
    const { environment, clock, halt, runner, workflowArtifacts } = host;
    if (inputs.dryRun || isStopped)
        runner.saveState('records', formatState.free());
    if (!isDue(query, environment))
        return { kind: 'nothing' };
    runner.saveState('evidence-path', evidencePath);
    runner.saveState('records', formatState.left(records));
    try {
        halt.canceled.throwIfAborted();
        if (environment.artifactService === null)
            throw new Error(whyNoService);
        const call = { environment, clock, signal: halt.canceled };
        const workflowArtifact = await workflowArtifacts.keep({ records, evidencePath }, call);
        runner.info(tellKept(workflowArtifact));
        runner.saveState('records', formatState.done(records));
        return { kind: 'kept', workflowArtifact };
    }
    catch (error) {
        if (halt.isCanceled) {
            runner.info('The post step of this action, at the end of the job, keeps the records');
            return { kind: 'left' };
        }
        const lines = wholeLines((0,records_lines/* missingLines */.uR)(bytesOf(released), [records]));
        if (lines.length > 0)
            runner.passingWarning(tellOnlyInLog((0,failure_0/* describeError */.Uc)(error)));
        lines.forEach(runner.info);
        runner.saveState('records', formatState.done(records));
        return { kind: 'printed' };
    }
}
const placesOfFile = {
    kept: 'workflow-artifact',
    printed: 'log',
    left: 'post-step',
};
function locateRecords(query, { environment }) {
    const { source, attempt } = environment;
    const { records, earlier, released, problems } = query;
    const [ofRelease, ofArtifacts] = [bytesOf(released), bytesOf(earlier)];
    const onRelease = findLines((0,records_lines/* missingLines */.uR)([], ofRelease), source);
    const inArtifacts = findLines((0,records_lines/* missingLines */.uR)(ofRelease, ofArtifacts), source);
    const onlyInFile = findLines((0,records_lines/* missingLines */.uR)([...ofRelease, ...ofArtifacts], [records]), source);
    const hasEarlier = [onRelease, inArtifacts, onlyInFile].some(lines => lines.hasEarlierAttempt);
    if (problems.some(isUnreadable)) {
        return { kind: 'unreadable', workflowArtifacts: [], isWhole: false, isEarlierMissing: false };
    }
    let kind = 'none';
    if (onlyInFile.hasRecord)
        kind = isDue(query, environment) ? 'post-step' : 'file';
    else if (inArtifacts.hasRecord)
        kind = 'workflow-artifact';
    else if (onRelease.hasRecord)
        kind = 'release';
    const workflowArtifacts = earlier.map(({ workflowArtifact }) => workflowArtifact);
    const isWhole = kind === 'workflow-artifact';
    return { kind, workflowArtifacts, isWhole, isEarlierMissing: attempt > 1 && !hasEarlier };
}
function isUnreadable({ input, needs }) {
    return input === 'keep-records' && needs === 'nothing';
}
function findLines(records, { runId, runAttempt }) {
    let [hasRecord, hasEarlierAttempt] = [false, false];
    const ofRun = JSON.stringify({ runId, runAttempt: '' }).slice(1, -2);
    for (const line of records.toString().split('\n')) {
        const at = line.indexOf(ofRun);
        if (at === -1)
            continue;
        hasRecord ||= line.includes('"record":');
        const attempt = parseInt(line.slice(at + ofRun.length));
        hasEarlierAttempt ||= attempt < Number(runAttempt);
    }
    return { hasRecord, hasEarlierAttempt };
}
function bytesOf(files) {
    return files.map(({ bytes }) => bytes);
}

// EXTERNAL MODULE: external "node:child_process"
var external_node_child_process_ = __webpack_require__(1421);
// EXTERNAL MODULE: external "node:events"
var external_node_events_ = __webpack_require__(8474);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
;// CONCATENATED MODULE: ./keep/messages.js

const nameForm = /^notarization-records-\d+-([0-9a-f]{12})(?:-1)?$/;
const maxKeptBytes = 64 * 1024 * 1024;
const whyTooLarge = 'they exceed 64 MiB together';
function isTask(message) {
    return (0,text_json/* isJsonObject */.OW)(message) && 'folder' in message;
}
function isReply(message) {
    return (0,text_json/* isJsonObject */.OW)(message) && !isTask(message);
}

// EXTERNAL MODULE: external "node:zlib"
var external_node_zlib_ = __webpack_require__(8522);
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
    const problem = artifactService && (0,proxy/* proxyProblem */.w)(artifactService.url, proxies);
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
    if (token === '' || (0,proxy/* proxyProblem */.w)(environment.apiUrl, environment.proxies) !== null)
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
        if ((0,failure_0/* errorCode */.CA)(error) === 'ERR_BUFFER_TOO_LARGE')
            throw new Error(whyTooLarge);
        throw new Error(`${name} is damaged: ${(0,failure_0/* describeError */.Uc)(error)}`);
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

// EXTERNAL MODULE: ./outcome.js
var outcome_0 = __webpack_require__(1949);
// EXTERNAL MODULE: ./plan.js
var plan_0 = __webpack_require__(6894);
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: external "node:timers/promises"
var external_node_timers_promises_ = __webpack_require__(8500);
;// CONCATENATED MODULE: ./records/disk.js





function readIfThere(path, disk) {
    try {
        return disk.read(path);
    }
    catch (error) {
        if ((0,failure_0/* errorCode */.CA)(error) === 'ENOENT')
            return Buffer.alloc(0);
        throw error;
    }
}
function readRegularFile(path) {
    const descriptor = (0,external_node_fs_.openSync)(path, external_node_fs_.constants.O_RDONLY | external_node_fs_.constants.O_NONBLOCK);
    try {
        if (!(0,external_node_fs_.fstatSync)(descriptor).isFile())
            throw new Error('it is not a regular file');
        return (0,external_node_fs_.readFileSync)(descriptor);
    }
    finally {
        (0,external_node_fs_.closeSync)(descriptor);
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
    if ((0,external_node_fs_.existsSync)(path) || (0,external_node_path_.dirname)(path) === path)
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
        await (0,external_node_timers_promises_.setImmediate)();
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
            return (0,failure_0/* describeError */.Uc)(error);
        }
    }
}

// EXTERNAL MODULE: ./text/escape.js
var text_escape = __webpack_require__(8146);
// EXTERNAL MODULE: ./records/assess.js
var assess = __webpack_require__(608);
// EXTERNAL MODULE: ./records/record.js
var records_record = __webpack_require__(5523);
;// CONCATENATED MODULE: ./records/evidence.js







const maxEvidenceLength = 120_000;
const frameLength = 3_200;
function renderEvidence(entries, checksums) {
    const records = listRecords(entries);
    if (records.length === 0)
        return null;
    const space = maxEvidenceLength - frameLength;
    const files = joinFitting(listChecksums(checksums), names/* formatChecksum */.rH, space * 0.75);
    const list = joinFitting(records, formatEntry, space - files.text.length);
    return formatEvidence((0,phrases/* pluralize */.td)(records.length, 'registration'), files, list);
}
function joinFitting(items, format, maxLength) {
    let text = '';
    for (const [index, item] of items.entries()) {
        const next = format(item);
        if (text.length + next.length > maxLength)
            return { text, left: items.length - index };
        text += next;
    }
    return { text, left: 0 };
}
function listRecords(entries) {
    const records = [];
    const byHash = Map.groupBy(entries, ({ hash, service }) => `${hash} ${service}`);
    for (const ofHash of byHash.values()) {
        const known = (0,assess/* assess */.no)(ofHash);
        if (known.state !== 'registered')
            continue;
        const { maybeChargedAgain } = known;
        const byLine = new Map(ofHash.filter(records_lines/* isGoodRecord */.FK).map(record => [(0,records_lines/* formatLine */.IL)(record), record]));
        for (const entry of byLine.values())
            records.push({ ...entry, maybeChargedAgain });
    }
    const keyOf = ({ at, hash }) => `${at ?? ''} ${hash}`;
    return records.sort((a, b) => (0,names/* compareCodeUnits */.UF)(keyOf(b), keyOf(a)));
}
function listChecksums(checksums) {
    const listed = [];
    const sorted = checksums.toSorted((a, b) => (0,names/* compareCodeUnits */.UF)(a.name, b.name));
    for (const [name, files] of Map.groupBy(sorted, file => (0,names/* baseName */.Fl)(file.name))) {
        if (new Set(files.map(({ hash }) => hash)).size > 1)
            listed.push(...files);
        else
            listed.push(...files.slice(0, 1).map(({ hash }) => ({ name, hash })));
    }
    return listed;
}
function formatEntry(entry) {
    const { artifact, size, hash, service, verificationUrl } = entry;
    let bytes = 'size unknown: only its checksum was read';
    if (size !== null)
        bytes = (0,phrases/* pluralize */.td)(size, 'byte');
    const lines = [
        linkedSpan(hash, verificationUrl),
        '',
        `- File: ${span(artifact)}, ${bytes}`,
        `- Service: ${span(service)}`,
        ...formatRecord(entry),
        ...formatSource(entry.source),
    ];
    if (entry.maybeChargedAgain) {
        lines.push('- This registration may have been charged more than once.');
    }
    return `${lines.join('\n')}\n\n`;
}
function formatRecord({ at, confirmed, record }) {
    const noResponse = 'This entry is not a response from the service.';
    if (confirmed && at !== null) {
        const time = span((0,phrases/* formatTime */.fU)(Date.parse(at)));
        const what = 'a person looked up this SHA-256 at the service and found it registered';
        return [`- Confirmed at ${time} (UTC): ${what}. ${noResponse}`];
    }
    const { userId, paymentId } = record;
    const { time, blockchain, transaction } = (0,records_record/* describeFields */.VO)(record);
    const lines = [
        `- Time (UTC), by the clock of the service: ${spanField(time)}`,
        `- Account at the service: ${spanField(userId)}`,
        `- Payment: ${spanField(paymentId)}`,
        `- Blockchain: ${spanField(blockchain)}`,
        `- Transaction: ${spanField(transaction)}`,
    ];
    if (at === null)
        lines.push(`- Added by hand. ${noResponse}`);
    return lines;
}
function formatSource(source) {
    const { ref, sha, commitUrl, runId, runUrl } = source;
    const lines = [];
    if (ref !== null)
        lines.push(formatRef(ref));
    if (sha !== null)
        lines.push(`- Commit: ${linkedSpan(sha, commitUrl)}`);
    if (runId !== null)
        lines.push(`- Run: ${linkedSpan(runId, runUrl)}`);
    return lines;
}
const refKinds = new Map([
    ['tags', 'Tag'],
    ['heads', 'Branch'],
]);
function formatRef(ref) {
    const [, kind = '', name = ref] = /^refs\/(tags|heads)\/(.+)$/s.exec(ref) ?? [];
    return `- ${refKinds.get(kind) ?? 'Ref'}: ${span(name)}`;
}
function spanField(value) {
    const text = (0,text_json/* fieldText */.gF)(value);
    return text.trim() === '' ? 'not given by the service' : span(text);
}
function span(text) {
    return `\`${(0,text_escape/* quote */.hD)(text, 256).replaceAll('`', '\\u0060')}\``;
}
function linkedSpan(text, url) {
    const parsed = URL.parse(url ?? '');
    if (parsed === null || !/^https?:$/.test(parsed.protocol))
        return span(text);
    const address = parsed.href.replace(/[`\\]/g, encodeURIComponent);
    return `[${span(text)}](<${address}>)`;
}
function formatEvidence(count, files, registrations) {
    let rest = '';
    if (registrations.left > 0) {
        const more = (0,phrases/* pluralize */.td)(registrations.left, 'more registration is', 'more registrations are');
        rest = `**${more} not shown**, because this page has a size limit.
The records files (\`notarization-records*.jsonl\`) contain every registration.

`;
    }
    return `# Notarization evidence

This page lists ${count} of SHA-256 digests with a notarization service.
You can read and check it without an account.

## What this page proves, and what it does not

- Each entry records a response from the service: this account registered this SHA-256 at this time,
  according to the service's clock. An entry that a person added says so.
- A file with the same SHA-256 contains exactly the bytes that were notarized.
- It does not prove who made the file, what source it was built from, or that it is free of defects.
- This page is plain text, which anyone who can replace the file can change. Compare it with what they
  cannot change: the service and, if there is one, the blockchain transaction or an attestation of the
  records.

## Compare downloaded files

${formatChecksumList(files)}To compare a single file, compute its SHA-256 and search for it on this page, ignoring case.

- Linux: \`sha256sum FILE\`
- macOS: \`shasum -a 256 FILE\`
- Windows PowerShell: \`Get-FileHash -Algorithm SHA256 FILE\`

## Registrations, newest first

${registrations.text}${rest}## Look up a registration

If the SHA-256 is a link, follow it. Otherwise, ask the service about it. If the entry has a
transaction, you can look it up in any explorer for that blockchain.

"Account at the service" is the customer number of the account that registered the file. "Payment"
is the number of the subscription that was charged. Only the service can tell who they belong to.

## Check who wrote the records

This page was made from records files that a workflow may have attested. To check a records file,
use GitHub CLI 2.49 or later, and replace OWNER/REPO with the repository that you downloaded this
page from. Do not take the name of the repository from this page.

\`\`\`sh
gh attestation verify notarization-records.jsonl --repo OWNER/REPO
\`\`\`

The command succeeds only if a workflow of that repository attested this exact file. Without an
attestation, you cannot tell who wrote the records.
`;
}
function formatChecksumList({ text, left }) {
    if (text === '' && left === 0)
        return '';
    let rest = '';
    if (left > 0) {
        const more = (0,phrases/* pluralize */.td)(left, 'more file is', 'more files are');
        rest = `**${more} not listed**, because this page has a size limit.\n\n`;
    }
    return `Save this page as \`notarization-evidence.md\` in the folder with the files, then run the command
for your system there. It must report OK for every listed file that you have. Ignore the warning
about improperly formatted lines, which is about the text of this page.

- Linux: \`sha256sum --ignore-missing -c notarization-evidence.md\`
- macOS: \`shasum -a 256 --ignore-missing -c notarization-evidence.md\`
- Windows PowerShell:

  \`\`\`powershell
  Select-String '^([0-9a-f]{64})  (.+)$' notarization-evidence.md | ForEach-Object {
    $hash, $name = $_.Matches[0].Groups[1].Value, $_.Matches[0].Groups[2].Value
    if (Test-Path -LiteralPath $name) {
      $result = if ((Get-FileHash -LiteralPath $name).Hash -eq $hash) { 'OK' } else { 'FAILED' }
      "\${name}: $result"
    }
  }
  \`\`\`

The files:

\`\`\`text
${text}\`\`\`

${rest}`;
}

// EXTERNAL MODULE: ./text/verification-url.js
var verification_url = __webpack_require__(6318);
;// CONCATENATED MODULE: ./records/ledger.js









class Ledger {
    problems;
    warnings;
    source;
    unsaved = [];
    unexpectedFields = new Set();
    #host;
    #query;
    #entries;
    #byHash;
    #byBaseName = null;
    initial;
    #isIncomplete;
    #hasSaved = false;
    #confirmed = '';
    #added = [];
    #file = null;
    constructor(query, bytes, host) {
        const { name, others, service } = query;
        const { entries, problems, warnings } = (0,assess/* readFound */.$C)([
            { name, bytes, input: 'records-path' },
            ...others,
        ]);
        this.problems = problems;
        this.warnings = warnings;
        this.source = query.source;
        this.#host = host;
        this.#query = query;
        this.#entries = [...entries];
        this.#byHash = (0,assess/* groupByHash */.d6)(entries, service);
        this.initial = (0,records_lines/* withoutIncompleteLine */.tI)(bytes);
        this.#isIncomplete = this.initial.length < bytes.length;
        this.#added.push((0,records_lines/* missingNewline */.Ne)(this.initial));
        const files = others.map(other => other.bytes);
        this.#added.push((0,records_lines/* missingLines */.uR)([bytes], files));
    }
    static read(query, host) {
        let bytes;
        try {
            bytes = readIfThere(query.path, host.disk);
        }
        catch (error) {
            const text = `"${(0,text_escape/* quote */.hD)(query.name)}" cannot be read: ${(0,failure_0/* describeError */.Uc)(error)}`;
            throw new failure_0/* Stop */.VG((0,failure_0/* problemAt */.l4)('records-path', text));
        }
        return new Ledger(query, bytes, host);
    }
    get entries() {
        return this.#entries;
    }
    get content() {
        return Buffer.concat([this.initial, ...this.#added]);
    }
    get hasConfirmed() {
        return this.#confirmed !== '';
    }
    find(hash) {
        return (0,assess/* assess */.no)(this.#byHash.get(hash) ?? []);
    }
    get hasEarlierAttempt() {
        const { runId, runAttempt } = this.source;
        const attempt = Number(runAttempt);
        return this.#entries.some(({ source }) => source.runId === runId && Number(source.runAttempt) < attempt);
    }
    hasOtherContent({ name, input }) {
        const { sha } = this.source;
        if (sha === null)
            return false;
        this.#byBaseName ??= Map.groupBy(this.#entries, ({ artifact }) => (0,names/* baseName */.Fl)(artifact));
        const namesakes = this.#byBaseName.get((0,names/* baseName */.Fl)(name)) ?? [];
        return namesakes.filter(records_lines/* isGoodRecord */.FK).some(entry => {
            const isNamed = input === 'release-tag' || entry.artifact === name;
            const isOfCommit = entry.service === this.#query.service && entry.source.sha === sha;
            return isNamed && isOfCommit;
        });
    }
    confirm(artifacts, hashes) {
        const sorted = artifacts.toSorted((a, b) => (0,names/* compareCodeUnits */.UF)(a.name, b.name));
        for (const artifact of sorted.filter(({ hash }) => hashes.has(hash))) {
            const { hash } = artifact;
            const known = this.find(hash);
            if (known.state === 'registered')
                continue;
            const isOpen = known.state === 'planned' && known.openSince !== null;
            const description = 'Confirmed by a person after a look-up; not a response of the service';
            const record = { hash, description, status: 'registered', custody: false, signed: false };
            const parts = { at: this.#now(), record, problems: [], confirmed: true };
            const entry = this.entryOf(artifact, { ...parts, maybeChargedAgain: isOpen });
            this.#entries.push(entry);
            this.#byHash.set(hash, (this.#byHash.get(hash) ?? []).concat(entry));
            this.#confirmed += (0,records_lines/* formatLine */.IL)(entry);
        }
    }
    async startWriting(hasWork) {
        const confirmed = Buffer.from(this.#confirmed);
        const rest = Buffer.concat([...this.#added, confirmed]);
        if (!hasWork && !this.#isIncomplete && rest.length === 0)
            return;
        const { path, name } = this.#query;
        let file = null;
        try {
            file = await this.#host.disk.openForAppending(path);
            if (this.#isIncomplete)
                await file.truncate(this.initial.length);
            await file.append(rest);
            await file.sync();
            this.#added.push(confirmed);
            this.#file = new AppendQueue(file, this.initial.length + rest.length);
        }
        catch (error) {
            await file?.truncate(this.initial.length).catch(() => undefined);
            await file?.close().catch(() => undefined);
            const needs = (0,failure_0/* errorCode */.CA)(error) === 'ENOSPC' ? 'nothing' : 'workflow';
            const text = `"${(0,text_escape/* quote */.hD)(name)}" cannot be written: ${(0,failure_0/* describeError */.Uc)(error)}`;
            throw new failure_0/* Stop */.VG((0,failure_0/* problemAt */.l4)('records-path', text, needs));
        }
    }
    async logIntent(artifact) {
        const sent = { ...this.#headOf(artifact), at: this.#now(), state: 'sent' };
        if (!(await this.save(sent)))
            throw failure_0/* notSavedFailure */.dw;
        return new Intent(this, artifact, sent);
    }
    entryOf(artifact, response) {
        const { secrets } = this.#host;
        const { hash, status, custody, signed } = response.record;
        const problems = response.problems.map(problem => secrets.redactText(problem));
        const redacted = secrets.redactJson(response.record);
        const fixed = { hash, status, custody, signed };
        let record = redacted;
        if (problems.length === 0)
            record = { ...redacted, ...fixed };
        const { verificationUrl: template } = this.#query;
        let verificationUrl = (0,verification_url/* fillVerificationUrl */.B)(template, { hash: artifact.hash, record });
        if (verificationUrl !== null)
            verificationUrl = secrets.redactText(verificationUrl);
        return { ...this.#headOf(artifact), ...response, record, problems, verificationUrl };
    }
    async save(entry) {
        external_node_assert_(this.#file !== null, 'the file is opened before the first line');
        const { halt, runner } = this.#host;
        const line = (0,records_lines/* formatLine */.IL)(entry);
        const reason = await this.#file.append(line);
        if (reason === null) {
            this.#entries.push(entry);
            this.#added.push(Buffer.from(line));
            if (!this.#hasSaved)
                runner.saveState('records', 'written');
            this.#hasSaved = true;
            return true;
        }
        halt.stop(failure_0/* notSavedFailure */.dw);
        runner.info(`A line could not be saved: ${reason}`);
        if ((0,records_lines/* isRecord */.u4)(entry))
            this.unsaved.push(entry.artifact);
        if ((0,records_lines/* isRecord */.u4)(entry) || entry.state !== 'sent') {
            runner.info('This line is only in this log:');
            runner.info(line.trimEnd());
        }
        return false;
    }
    async close() {
        await this.#file?.close();
    }
    #headOf({ name, size, hash }) {
        const { secrets } = this.#host;
        const { runId, runAttempt } = this.source;
        const redacted = records_lines/* sourceSchema */.dr.parse(secrets.redactJson({ ...this.source }));
        const source = { ...redacted, runId, runAttempt };
        const { service } = this.#query;
        return { artifact: secrets.redactText(name), size, hash, service, source };
    }
    #now() {
        return new Date(this.#host.clock.now()).toISOString();
    }
}
class Intent {
    hash;
    artifact;
    #ledger;
    #artifact;
    #sent;
    constructor(ledger, artifact, sent) {
        this.hash = artifact.hash;
        this.artifact = sent.artifact;
        this.#ledger = ledger;
        this.#artifact = artifact;
        this.#sent = sent;
    }
    async record({ object, paymentId, isRepeated }) {
        const ledger = this.#ledger;
        for (const field of (0,records_record/* unexpectedTypes */.xn)(object))
            ledger.unexpectedFields.add(field);
        const problems = (0,records_record/* checkRecord */.EQ)(object, { hash: this.hash, paymentId });
        const response = { at: this.#sent.at, record: object, problems, confirmed: false };
        const entry = ledger.entryOf(this.#artifact, { ...response, maybeChargedAgain: isRepeated });
        await ledger.save(entry);
        if (problems.length > 0)
            throw (0,failure_0/* mismatchFailure */.Jc)(entry.problems);
        const maybeChargedAgain = isRepeated || this.#artifact.outcome.openSince !== null;
        const { record } = entry;
        return { state: 'registered', from: 'this-run', record, maybeChargedAgain, isConfirmed: false };
    }
    async refute() {
        await this.#ledger.save({ ...this.#sent, state: 'not-registered' });
    }
}

// EXTERNAL MODULE: ./runtime/progress.js
var runtime_progress = __webpack_require__(8491);
;// CONCATENATED MODULE: ./service/retry.js
const maxRetryAfterMs = 60_000;
function isRetryableStatus(status) {
    return [408, 425, 429, 500, 502, 503, 504].includes(status);
}
function backoffMs(attempts, random) {
    return random * Math.min(30_000, 1000 * 2 ** (attempts - 1));
}
function parseRetryAfter(value, nowMs) {
    const text = value?.trim() ?? '';
    if (/^\d+$/.test(text))
        return Math.min(Number(text) * 1000, Number.MAX_SAFE_INTEGER);
    const dateMs = parseHttpDate(text);
    if (dateMs === null)
        return null;
    return Math.max(0, dateMs - nowMs);
}
const httpDate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? [\w -]+ \d\d:\d\d:\d\d (?:GMT|\d{4})$/;
function parseHttpDate(value) {
    if (!httpDate.test(value))
        return null;
    const dateMs = Date.parse(value.replace(/\d{4}$/, '$& GMT'));
    return Number.isNaN(dateMs) ? null : dateMs;
}

;// CONCATENATED MODULE: ./service/operations.js





const login = {
    isFree: true,
    name: 'the login',
    path: '/api/v2/auth/login',
    refusedCode: 'login-refused',
    refusals: { 400: 'wrong-key', 401: 'wrong-key', 403: 'wrong-key', 422: 'wrong-key' },
    unexpected: 'not-the-service',
};
const completion = {
    isFree: false,
    name: 'the registration',
    path: '/api/v2/registration/{hash}/forfait',
    refusedCode: 'refused',
    refusals: {
        402: 'unpaid',
        403: 'forbidden',
        404: 'no-request',
        409: 'already-registered',
        other: 'registration-rejected',
    },
    unexpected: 'unexpected-response',
};
const requestedCompletion = {
    ...completion,
    refusals: { ...completion.refusals, 404: 'request-not-found' },
};
const request = {
    isFree: true,
    name: 'the registration request',
    path: '/api/v2/registration/?subscription=true',
    refusedCode: 'request-refused',
    refusals: {
        402: 'unpaid',
        403: 'forbidden',
        409: 'request-exists',
        other: 'request-rejected',
    },
    unexpected: 'unexpected-response',
};
const retrieval = {
    isFree: true,
    name: 'the look-up of the active subscription',
    path: '/api/v2/payment/subscription/active',
    refusedCode: 'refused',
    refusals: { 403: 'forbidden', other: 'no-active-subscription' },
    unexpected: 'unexpected-response',
};
function readGood(reply, isRepeated) {
    if (reply.kind !== 'response' || reply.body === null || statusClass(reply) !== 2)
        return null;
    const object = (0,text_json/* parseJsonObject */.dw)(reply.body);
    if (object === undefined)
        return null;
    return { object, text: reply.body, isRepeated };
}
function statusClass(reply) {
    if (reply.kind !== 'response')
        return 0;
    return Math.floor(reply.status / 100);
}
function isRetryable(reply) {
    if (reply.kind !== 'response')
        return reply.kind !== 'untrusted';
    const { status, body } = reply;
    return body !== null && isRetryableStatus(status) && longWaitMs(reply) === null;
}
function longWaitMs({ retryAfterMs }) {
    if (retryAfterMs === null || retryAfterMs <= maxRetryAfterMs)
        return null;
    return retryAfterMs;
}
function mayHaveActed(reply) {
    return reply.kind !== 'not-sent' && reply.kind !== 'untrusted' && statusClass(reply) !== 4;
}
function failureOf(operation, reply, redact) {
    const [code, reason] = findReason(operation, reply);
    const status = reply.kind === 'response' && reply.status > 0 ? reply.status : null;
    const observed = `${operation.name} ${describeReply(operation, reply, redact)}`;
    return new failure_0/* Failure */.HR(code, reason, { observed, status, endsRun: operation === login });
}
function findReason(operation, reply) {
    switch (reply.kind) {
        case 'untrusted':
            if (reply.reason === 'CERT_HAS_EXPIRED')
                return ['unavailable', 'expired-certificate'];
            return ['unavailable', 'untrusted-certificate'];
        case 'no-tunnel':
            return ['unavailable', 'proxy-refused'];
        case 'not-sent':
            if (operation !== login)
                return ['unavailable', 'unavailable'];
            if (reply.reason.includes('ENOTFOUND'))
                return ['unavailable', 'unknown-host'];
            return ['unavailable', 'unreachable'];
        case 'lost':
        case 'ended':
            return ['unavailable', 'unavailable'];
        case 'response':
            return findMeaning(operation, reply);
    }
}
function findMeaning({ refusals, refusedCode, unexpected }, reply) {
    const { status, body } = reply;
    const isWhole = body !== null;
    if (isWhole && (isRetryableStatus(status) || statusClass(reply) === 5)) {
        if (longWaitMs(reply) !== null)
            return ['unavailable', 'long-wait'];
        if (status === 429)
            return ['unavailable', 'rate-limit'];
        return ['unavailable', 'unavailable'];
    }
    const refusal = refusals[status] ?? refusals.other;
    if (isWhole && statusClass(reply) === 4 && refusal !== undefined)
        return [refusedCode, refusal];
    if (statusClass(reply) === 3)
        return ['invalid-response', 'redirect'];
    return ['invalid-response', unexpected];
}
function describeReply(operation, reply, redact) {
    if (reply.kind !== 'response')
        return `got no response: ${reply.reason}`;
    const { status, body } = reply;
    if (status === 0)
        return 'returned something that is not HTTP';
    let returned = `returned HTTP ${status}`;
    if (body === null)
        return `${returned} and a body over 1 MiB`;
    if (statusClass(reply) === 2)
        return `${returned} and a body that is not a JSON object`;
    const waitMs = longWaitMs(reply);
    if (waitMs !== null)
        returned += `, asking to wait ${(0,phrases/* formatDuration */.a3)(waitMs / 1000)}`;
    if (operation === login)
        return returned;
    const text = readErrorText(body, redact);
    if (text === '')
        return returned;
    let shown = (0,text_escape/* quote */.hD)(text, maxTextLength);
    if (shown.length > maxTextLength)
        shown = (0,text_escape/* quote */.hD)(text, maxTextLength - 30);
    return `${returned}: "${shown}"`;
}
const maxTextLength = 200;
const notPlainText = /<[a-z!?/]|^\s*(?:[{["]|null\s*$)|[\0\ufffd]/i;
function readErrorText(body, redact) {
    let text = body;
    if (notPlainText.test(body)) {
        const { message, error } = (0,text_json/* parseJsonObject */.dw)(body) ?? {};
        text = [message, error].find(value => typeof value === 'string') ?? '';
    }
    return (0,text_escape/* maskWords */.QW)(redact(text))
        .replace(/[\s\p{Cc}]+/gu, ' ')
        .trim();
}

;// CONCATENATED MODULE: ./service/client.js





class Client {
    #host;
    #transport;
    #inputs;
    #login = null;
    #pauseEndMs = 0;
    constructor(host, transport, inputs) {
        this.#host = host;
        this.#transport = transport;
        this.#inputs = inputs;
    }
    async logIn() {
        await this.#currentLogin().token;
    }
    async complete(intent, { subscription, operation }) {
        const { hash, artifact } = intent;
        const { json: body, id: paymentId } = subscription;
        return { ...(await this.#make({ operation, body, hash, artifact })), paymentId };
    }
    call(operation, body = null, artifact = null) {
        return this.#make({ operation, body, hash: null, artifact });
    }
    async #make(call) {
        const { clock, halt, random, secrets } = this.#host;
        let hasActed = false;
        try {
            for (let attempts = 1;; attempts++) {
                const reply = await this.#attempt(call);
                const good = readGood(reply, hasActed);
                if (good !== null)
                    return good;
                hasActed ||= !call.operation.isFree && mayHaveActed(reply);
                const retryAfterMs = this.#holdBack(reply);
                const canRetry = isRetryable(reply) && attempts < this.#inputs.maxAttempts;
                if (halt.reason !== null && (canRetry || reply.kind === 'ended'))
                    throw halt.reason;
                const failure = failureOf(call.operation, reply, part => secrets.redactText(part));
                if (!canRetry)
                    throw afterAttempts(failure, attempts);
                const waitMs = retryAfterMs ?? backoffMs(attempts, random());
                this.#logRetry(call, failure, { attempts, waitMs });
                await clock.sleep(waitMs, halt.signal);
            }
        }
        catch (error) {
            throw failure_0/* Failure */.HR.from(error).with({ registered: hasActed ? 'unknown' : 'no' });
        }
    }
    #holdBack(reply) {
        if (reply.kind !== 'response' || reply.retryAfterMs === null || !isRetryable(reply))
            return null;
        const endMs = this.#host.clock.monotonic() + reply.retryAfterMs;
        this.#pauseEndMs = Math.max(this.#pauseEndMs, endMs);
        return reply.retryAfterMs;
    }
    #logRetry({ artifact }, { observed }, { attempts, waitMs }) {
        const which = `attempt ${attempts} of ${this.#inputs.maxAttempts}`;
        let line = `${observed} (${which}); retrying in ${(0,phrases/* formatDuration */.a3)(waitMs / 1000)}`;
        if (artifact !== null)
            line = `"${(0,text_escape/* quote */.hD)(artifact)}": ${line}`;
        this.#host.runner.info(line);
    }
    async #attempt({ operation, body, hash }) {
        let { path } = operation;
        if (hash !== null)
            path = path.replace('{hash}', hash);
        const request = { url: new URL(this.#inputs.baseUrl + path), body };
        if (operation === login)
            return this.#send({ ...request, token: null });
        for (;;) {
            const current = this.#currentLogin();
            const reply = await this.#send({ ...request, token: await current.token });
            if (reply.kind !== 'response')
                return reply;
            if (reply.status !== 401) {
                current.isRenewable = true;
                return reply;
            }
            if (!current.isRenewable) {
                const observed = `${operation.name} returned HTTP 401 after a new login`;
                const parts = { observed, status: 401, endsRun: true };
                throw new failure_0/* Failure */.HR('login-refused', 'rejected-token', parts);
            }
            if (this.#login !== current)
                continue;
            this.#login = { token: this.#requestToken(), isRenewable: false };
        }
    }
    #currentLogin() {
        this.#login ??= { token: this.#requestToken(), isRenewable: true };
        return this.#login;
    }
    async #send(request) {
        const { clock, halt } = this.#host;
        for (;;) {
            if (halt.reason !== null)
                throw halt.reason;
            const leftMs = this.#pauseEndMs - clock.monotonic();
            if (leftMs <= 0)
                break;
            await clock.sleep(leftMs, halt.signal);
        }
        return this.#transport.send(request, halt.kill);
    }
    async #requestToken() {
        const body = JSON.stringify({ apiKey: this.#inputs.apiKey });
        const { object } = await this.call(login, body);
        const { token } = object;
        if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
            const observed = 'the login returned no usable token';
            throw new failure_0/* Failure */.HR('invalid-response', login.unexpected, { observed, endsRun: true });
        }
        this.#host.secrets.add([token, ...token.split('.').slice(1)]);
        return token;
    }
}
function afterAttempts(failure, attempts) {
    if (attempts === 1)
        return failure;
    return failure.with({ observed: `after ${attempts} attempts, ${failure.observed}` });
}

;// CONCATENATED MODULE: ./service/payers.js



class Payers {
    #client;
    #host;
    #inputs;
    #active = null;
    constructor(client, host, inputs) {
        this.#client = client;
        this.#host = host;
        this.#inputs = inputs;
    }
    async find(artifact, source) {
        const { payment, requestRegistration } = this.#inputs;
        const given = payment === 'active' ? await this.#activeSubscription() : payment;
        if (given !== null && !requestRegistration) {
            return { subscription: given, operation: completion, refusal: null };
        }
        const operation = requestedCompletion;
        try {
            const offered = await this.#request(artifact, source);
            const subscription = given ?? offered;
            if (subscription === null)
                throw noSubscription(request);
            return { subscription, operation, refusal: null };
        }
        catch (error) {
            const refusal = failure_0/* Failure */.HR.from(error);
            const { code, status } = refusal;
            if (code !== 'request-refused' || status === 402 || status === 403)
                throw refusal;
            const subscription = given ?? (await this.#activeAfter(refusal));
            return { subscription, operation, refusal };
        }
    }
    async #request({ name, hash }, source) {
        const { repository, ref } = source;
        const artifact = this.#host.secrets.redactText(name);
        const body = JSON.stringify({
            blockchainType: 'ALGORAND',
            custody: 'false',
            description: fillDescription(this.#inputs.description, { artifact, repository, ref }),
            hash,
            signed: 'false',
            status: 'not_registered',
        });
        return this.#read(await this.#client.call(request, body, artifact));
    }
    async #activeAfter(refusal) {
        try {
            return await this.#activeSubscription();
        }
        catch (error) {
            const later = failure_0/* Failure */.HR.from(error);
            if (later.endsRun)
                throw later;
            const observed = `${refusal.observed}; ${later.observed}`;
            throw later.with({ code: refusal.code, observed });
        }
    }
    #activeSubscription() {
        this.#active ??= this.#retrieve();
        return this.#active;
    }
    async #retrieve() {
        try {
            const subscription = this.#read(await this.#client.call(retrieval));
            if (subscription === null)
                throw noSubscription(retrieval);
            const { runner } = this.#host;
            for (const text of subscription.warnings)
                runner.warning(`The active subscription ${text}`);
            return subscription;
        }
        catch (error) {
            const failure = failure_0/* Failure */.HR.from(error);
            throw failure.with({ endsRun: failure.endsRun || this.#inputs.payment === 'active' });
        }
    }
    #read({ object, text }) {
        const { clock, secrets } = this.#host;
        const subscription = checkSubscription(object, text, clock.now());
        secrets.exempt(subscription?.exempt ?? []);
        secrets.add(subscription?.secrets ?? []);
        return subscription;
    }
}
function joinRefusal(failure, refusal) {
    if (refusal === null || failure.endsRun || failure.code === 'record-mismatch')
        return failure;
    const { registered, observed } = failure;
    const deciding = failure.status === 404 ? refusal : failure;
    const code = failure.code === 'refused' ? refusal.code : failure.code;
    return deciding.with({ code, registered, observed: `${refusal.observed}; ${observed}` });
}
function noSubscription({ name }) {
    const observed = `${name} returned other data`;
    return new failure_0/* Failure */.HR('invalid-response', 'no-subscription-data', { observed });
}
function fillDescription(template, values) {
    const placeholder = /\{(artifact|repository|ref)\}/g;
    const filled = template.replace(placeholder, (_, name) => values[name] ?? '');
    const clean = filled.replace(/\p{Cc}/gu, '');
    return clean.slice(0, 500).replace(/[\ud800-\udbff]$/, '');
}

;// CONCATENATED MODULE: ./register/register.js









async function register(artifacts, task) {
    const { host, ledger } = task;
    const groups = Map.groupBy(artifacts.filter(outcome_0/* isPlanned */.H9), ({ hash }) => hash);
    const hasWork = groups.size > 0;
    checkProxies(hasWork, task);
    await ledger.startWriting(hasWork);
    const outcomes = new Map();
    if (hasWork)
        await registerAll(groups, outcomes, task);
    await ledger.close();
    const unfinished = (0,outcome_0/* failed */.gz)(host.halt.bug ?? (0,failure_0/* bugFailure */.fT)('a registration did not end'));
    return artifacts.map(artifact => {
        if (!(0,outcome_0/* isPlanned */.H9)(artifact))
            return artifact;
        return { ...artifact, outcome: outcomes.get(artifact.hash) ?? unfinished };
    });
}
function checkProxies(hasWork, { host, inputs, ledger }) {
    const { proxies, artifactService } = host.environment;
    const urls = [];
    if (hasWork)
        urls.push(inputs.baseUrl);
    const hasLines = hasLinesToKeep(ledger.content, ledger.source, inputs.releaseTag !== null);
    const willKeep = inputs.keepRecords && (hasWork || ledger.hasConfirmed || hasLines);
    if (willKeep && artifactService !== null)
        urls.push(artifactService.url);
    failure_0/* Stop */.VG.ifAny(urls.flatMap(url => (0,proxy/* proxyProblem */.w)(url, proxies) ?? []).slice(0, 1));
}
const maxOutages = 5;
async function registerAll(groups, outcomes, { host, inputs, ledger }) {
    const { runner, clock, halt } = host;
    const transport = host.createTransport(inputs.timeoutSeconds * 1000);
    const client = new Client(host, transport, inputs);
    const run = { ledger, client, payers: new Payers(client, host, inputs) };
    const progress = (0,runtime_progress/* createProgress */.m)('registering', clock, runner.info);
    const remaining = groups.values();
    let stopReason = null;
    let outages = 0;
    let failures = 0;
    const noteFailure = (failure) => {
        failures += 1;
        if (isOutage(failure))
            outages += 1;
        if (failure.endsRun)
            stopReason ??= failure;
        const observed = `not tried after ${maxOutages} failed registrations`;
        if (outages >= maxOutages)
            stopReason ??= failure.with({ observed });
        return (0,outcome_0/* failed */.gz)(failure);
    };
    const registerOne = async (artifact) => {
        const reason = stopReason ?? halt.reason;
        if (reason !== null)
            return (0,outcome_0/* failed */.gz)(reason.with({ registered: 'no' }));
        try {
            const registered = await registerArtifact(artifact, run);
            outages = 0;
            return registered;
        }
        catch (error) {
            return noteFailure(error instanceof failure_0/* Failure */.HR ? error : (0,failure_0/* bugFailure */.fT)((0,failure_0/* describeError */.Uc)(error)));
        }
    };
    const work = async () => {
        for (const [artifact] of remaining) {
            external_node_assert_(artifact !== undefined, 'a group has an artifact');
            outcomes.set(artifact.hash, addOpen(await registerOne(artifact), artifact));
            progress(outcomes.size, groups.size, failures === 0 ? '' : `${failures} failed`);
        }
    };
    const workers = await Promise.allSettled(Array.from({ length: inputs.concurrency }, work));
    for (const worker of workers)
        if (worker.status === 'rejected')
            halt.noteBug(worker.reason);
    transport.close();
    const { unexpectedFields } = ledger;
    if (unexpectedFields.size === 0)
        return;
    const fields = [...unexpectedFields].join(', ');
    const text = `Some record fields have an undocumented type and were kept unchanged: ${fields}`;
    runner.notice(text);
}
async function registerArtifact(artifact, { ledger, client, payers }) {
    const payer = await payers.find(artifact, ledger.source);
    await client.logIn();
    const intent = await ledger.logIntent(artifact);
    try {
        return await intent.record(await client.complete(intent, payer));
    }
    catch (error) {
        const failure = joinRefusal(failure_0/* Failure */.HR.from(error), payer.refusal);
        if (failure.registered === 'no')
            await intent.refute();
        throw failure;
    }
}
function isOutage({ code, status }) {
    const isRefused = code === 'refused' || code === 'request-refused';
    return code === 'unavailable' || (isRefused && (status === 402 || status === 403));
}
function addOpen(outcome, { outcome: { openSince } }) {
    if (outcome.state !== 'failed' || openSince === null)
        return outcome;
    const { failure } = outcome;
    const sent = `an earlier run sent it on ${(0,phrases/* formatTime */.fU)(Date.parse(openSince))} UTC, without a response`;
    const observed = failure.observed === '' ? sent : `${failure.observed}; ${sent}`;
    return (0,outcome_0/* failed */.gz)(failure.with({ registered: 'unknown', observed }));
}

// EXTERNAL MODULE: ./release/octokit.js
var octokit = __webpack_require__(5642);
// EXTERNAL MODULE: ./release/release.js
var release = __webpack_require__(4030);
// EXTERNAL MODULE: ./report/report.js + 1 modules
var report = __webpack_require__(5887);
// EXTERNAL MODULE: external "node:os"
var external_node_os_ = __webpack_require__(8161);
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
        tempFolder: read('RUNNER_TEMP') ?? (0,external_node_os_.tmpdir)(),
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

;// CONCATENATED MODULE: ./runtime/halt.js


const graceMs = 5000;
class Halt {
    #clock;
    #stopped = new AbortController();
    #killed = new AbortController();
    #signaled = new AbortController();
    reason = null;
    bug = null;
    signal = this.#stopped.signal;
    kill = this.#killed.signal;
    canceled = this.#signaled.signal;
    constructor(clock) {
        this.#clock = clock;
        (0,external_node_events_.setMaxListeners)(0, this.signal, this.kill, this.canceled);
    }
    get isCanceled() {
        return this.canceled.aborted;
    }
    cancel() {
        if (this.isCanceled)
            return;
        this.stop(failure_0/* canceledFailure */.Yb);
        this.#signaled.abort();
        void this.#clock.sleep(graceMs, this.kill).then(() => {
            this.#killed.abort();
        });
    }
    stop(reason) {
        this.reason ??= reason;
        this.#stopped.abort();
    }
    noteBug(error) {
        this.bug ??= (0,failure_0/* bugFailure */.fT)((0,failure_0/* describeError */.Uc)(error));
        this.stop(this.bug);
    }
}

// EXTERNAL MODULE: ../node_modules/@actions/core/lib/core.js + 12 modules
var core = __webpack_require__(6853);
;// CONCATENATED MODULE: ./runtime/runner.js



const maxAnnotationLength = 4000;
function readRawInputs(names) {
    const texts = {};
    for (const name of names)
        texts[name] = core/* getInput */.V4(name);
    for (const name of ['API-KEY', 'SUBSCRIPTION', 'GITHUB-TOKEN']) {
        Reflect.deleteProperty(process.env, `INPUT_${name}`);
    }
    return texts;
}
function createRunner(redact) {
    const toLine = (text) => (0,text_escape/* toLogLine */.gD)(redact(text));
    const toAnnotation = (text) => (0,text_escape/* cut */.Jj)(toLine(text), maxAnnotationLength);
    const warn = (text) => {
        core/* warning */.$e((0,text_escape/* cut */.Jj)((0,phrases/* capitalize */.ZH)(toLine(text)), maxAnnotationLength));
    };
    const warnings = [];
    return {
        info: text => {
            core/* info */.pq(toLine(text));
        },
        notice: text => {
            core/* notice */.lm(toAnnotation(text));
        },
        warning: text => {
            warnings.push(text);
            warn(text);
        },
        passingWarning: warn,
        error: text => {
            core/* error */.z3(toAnnotation(text));
        },
        get warnings() {
            return warnings.map(redact);
        },
        mask: core/* setSecret */.Pq,
        setOutput: core/* setOutput */.uH,
        saveState: (name, value) => {
            try {
                core/* saveState */.LZ(name, value);
            }
            catch {
            }
        },
        writeSummary: async (markdown) => {
            await core/* summary */.z.addRaw(redact(markdown)).write();
        },
    };
}

;// CONCATENATED MODULE: ./runtime/secrets.js


const minSecretLength = 6;
const minBase64Length = 8;
const replacement = '***';
class Secrets {
    #mask;
    #exempt = new Set();
    #lines = new Set();
    #pattern = null;
    constructor(mask) {
        this.#mask = mask;
    }
    exempt(values) {
        for (const value of values)
            this.#exempt.add(value);
    }
    add(values) {
        for (const text of values.flatMap(value => value.split(/[\r\n]/))) {
            const line = text.trim();
            if (line.length < minSecretLength || this.#lines.has(line))
                continue;
            if (this.#exempt.values().some(exempt => exempt.includes(line)))
                continue;
            this.#mask(line);
            this.#lines.add(line);
            this.#pattern = null;
        }
    }
    redactText(text) {
        if (this.#lines.size === 0)
            return text;
        this.#pattern ??= patternOf([...this.#lines]);
        return text.replace(this.#pattern, replacement);
    }
    redactLine(text) {
        return (0,text_escape/* toSingleLine */.OX)(this.redactText(text));
    }
    redactJson(object) {
        const fields = new Map();
        for (const [key, value] of Object.entries(object)) {
            let name = this.redactText(key);
            while (name !== key && (fields.has(name) || name in object))
                name += '*';
            fields.set(name, this.#redactValue(value));
        }
        return Object.fromEntries(fields);
    }
    #redactValue(value) {
        if ((0,text_json/* isJsonObject */.OW)(value))
            return this.redactJson(value);
        if (Array.isArray(value))
            return value.map(item => this.#redactValue(item));
        if (typeof value === 'string')
            return this.redactText(this.#redactInner(value));
        const text = JSON.stringify(value);
        const clean = this.redactText(text);
        return clean === text ? value : clean;
    }
    #redactInner(text) {
        if (!/^\s*["[{]/.test(text))
            return text;
        let inner;
        try {
            inner = (0,text_json/* parseJson */.qF)(text);
        }
        catch {
            return text;
        }
        if (!(0,text_json/* isShallow */.fE)(inner))
            return text;
        const clean = JSON.stringify(this.#redactValue(inner));
        return clean === JSON.stringify(inner) ? text : clean;
    }
}
function patternOf(lines) {
    const forms = [...new Set(lines.flatMap(formsOf))].sort((a, b) => b.length - a.length);
    return new RegExp(forms.map(form => RegExp.escape(form)).join('|'), 'g');
}
function formsOf(line) {
    const bytes = Buffer.from(line);
    const base64 = [0, 1, 2].flatMap(offset => {
        const shifted = bytes.subarray(offset);
        const whole = shifted.toString('base64');
        const stable = whole.slice(0, Math.floor(shifted.length / 3) * 4);
        return [whole, stable].filter(form => form.length >= minBase64Length);
    });
    const json = JSON.stringify(line).slice(1, -1);
    return [line, json, encodeURIComponent(line.toWellFormed()), ...base64];
}

;// CONCATENATED MODULE: ./runtime/host.js





const lingerMs = 500;
async function runInHost({ inputNames, run }, outside, canceled) {
    process.noDeprecation = true;
    delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    const rawInputs = readRawInputs(inputNames);
    const environment = readEnvironment(process.env, process.cwd());
    const secrets = new Secrets(line => {
        runner.mask(line);
    });
    const runner = createRunner(text => secrets.redactText(text));
    const halt = new Halt(outside.clock);
    const host = { ...outside, environment, runner, secrets, halt };
    const noteBug = (error) => {
        halt.noteBug(error);
    };
    const cancel = () => {
        halt.cancel();
    };
    let exitCode = null;
    for (const stream of [process.stdout, process.stderr])
        stream.on('error', () => undefined);
    process.on('uncaughtException', noteBug);
    process.on('unhandledRejection', noteBug);
    process.on('exit', () => {
        if (exitCode === null)
            noteBug(new Error('the run ended before its report'));
        if (exitCode !== 1)
            reportLate(host);
    });
    canceled.addEventListener('abort', cancel);
    await (0,external_node_timers_promises_.setImmediate)();
    if (canceled.aborted)
        cancel();
    try {
        exitCode = await run(host, rawInputs);
        process.exitCode = exitCode;
    }
    catch (error) {
        noteBug(error);
    }
    await (0,external_node_timers_promises_.setImmediate)();
    setTimeout(() => {
        process.exit();
    }, lingerMs).unref();
}
function reportLate({ environment: { reportTo }, halt: { bug, isCanceled }, runner }) {
    const rest = 'What is reported above still holds.';
    if (bug !== null) {
        runner.error(`${bug.code}: This action has a bug (${bug.observed}). ${rest} Report it at ${reportTo}`);
    }
    else if (isCanceled)
        runner.error(`The run was canceled after its report. ${rest}`);
    else
        return;
    process.exitCode = 1;
}

;// CONCATENATED MODULE: ./runtime/outside.js

const systemClock = {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    sleep: (ms, signal) => (0,external_node_timers_promises_.setTimeout)(ms, undefined, { signal }).catch(() => undefined),
};

// EXTERNAL MODULE: ../node_modules/@actions/http-client/lib/index.js
var lib = __webpack_require__(5889);
;// CONCATENATED MODULE: ./service/transport.js




const maxIdleMs = 10_000;
const maxBodyBytes = 1024 * 1024;
const turnsAfterDeadline = 100;
function createTransport(timeoutMs) {
    const idle = [];
    return {
        send: async (request, signal) => {
            let connection = idle.pop();
            if (connection !== undefined && performance.now() - connection.usedMs > maxIdleMs) {
                connection.close();
                connection = undefined;
            }
            connection ??= new Connection(timeoutMs);
            const reply = await connection.send(request, signal);
            if (reply.kind === 'response')
                idle.push(connection);
            else
                connection.close();
            return reply;
        },
        close: () => {
            for (const connection of idle.splice(0))
                connection.close();
        },
    };
}
class Connection {
    usedMs = 0;
    #client;
    #timeoutMs;
    #abort = new AbortController();
    constructor(timeoutMs) {
        this.#timeoutMs = timeoutMs;
        const handler = {
            prepareRequest: (options) => {
                options.signal = this.#abort.signal;
                options.host = options.host?.replace(/^\[|\]$/g, '');
            },
            canHandleAuthentication: () => false,
            handleAuthentication: () => Promise.reject(new Error()),
        };
        const socketTimeout = timeoutMs + 60_000;
        const options = { allowRedirects: false, keepAlive: true, maxSockets: 1, socketTimeout };
        this.#client = new lib/* HttpClient */.Qq('notarize-release', [handler], options);
    }
    async send(request, signal) {
        const { promise: ended, resolve: end } = Promise.withResolvers();
        const onAbort = () => {
            end({ kind: 'ended', reason: 'the run ended the request' });
        };
        const onDeadline = async () => {
            for (let turn = 0; turn < turnsAfterDeadline; turn++)
                await (0,external_node_timers_promises_.setImmediate)();
            end({ kind: 'lost', reason: `timeout after ${this.#timeoutMs / 1000} s` });
        };
        const timer = setTimeout(() => void onDeadline(), this.#timeoutMs);
        signal.addEventListener('abort', onAbort);
        const reply = await Promise.race([this.#exchange(request).catch(classify), ended]);
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        this.usedMs = performance.now();
        return reply;
    }
    close() {
        this.#abort.abort();
        this.#client.dispose();
    }
    async #exchange({ url, body, token }) {
        const json = 'application/json';
        const headers = { accept: json, 'accept-encoding': 'identity' };
        if (body !== null)
            headers['content-type'] = json;
        if (token !== null)
            headers.authorization = `Bearer ${token}`;
        const method = body === null ? 'GET' : 'POST';
        const { message } = await this.#client.request(method, url.href, body, headers);
        const { 'retry-after': retryAfter = null, date = '' } = message.headers;
        const retryAfterMs = parseRetryAfter(retryAfter, parseHttpDate(date) ?? Date.now());
        const text = await readBody(message);
        return { kind: 'response', status: message.statusCode ?? 0, retryAfterMs, body: text };
    }
}
async function readBody(message) {
    const chunks = [];
    let bytes = 0;
    const stream = message;
    for await (const chunk of stream) {
        bytes += chunk.length;
        if (bytes > maxBodyBytes)
            return null;
        chunks.push(chunk);
    }
    return new TextDecoder().decode(Buffer.concat(chunks));
}
function classify(error) {
    const code = (0,failure_0/* errorCode */.CA)(error) ?? '';
    if (code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE') {
        return { kind: 'response', status: 0, retryAfterMs: null, body: '' };
    }
    const reason = (0,failure_0/* describeError */.Uc)(error);
    if (certificateErrors.has(code))
        return { kind: 'untrusted', reason };
    if (error instanceof Error && error.message.startsWith('tunneling socket')) {
        return { kind: 'no-tunnel', reason: describeTunnel(error.message) };
    }
    if (isUnconnected(error))
        return { kind: 'not-sent', reason };
    return { kind: 'lost', reason };
}
function describeTunnel(message) {
    const [, status, code] = /statusCode=(\d+)|\b(E[A-Z_]{4,})\b/.exec(message) ?? [];
    if (status !== undefined)
        return `the proxy returned HTTP ${status}`;
    if (code !== undefined)
        return `the proxy cannot be reached (${code})`;
    return 'the proxy did not respond';
}
function isUnconnected(error) {
    if (!(error instanceof Error))
        return false;
    if (error instanceof AggregateError && error.errors.length > 0) {
        return error.errors.every(isUnconnected);
    }
    if (certificateErrors.has((0,failure_0/* errorCode */.CA)(error) ?? ''))
        return true;
    return 'syscall' in error && (error.syscall === 'connect' || error.syscall === 'getaddrinfo');
}
const certificateErrors = new Set(`CERT_CHAIN_TOO_LONG CERT_HAS_EXPIRED CERT_NOT_YET_VALID CERT_REJECTED CERT_REVOKED
  CERT_SIGNATURE_FAILURE CERT_UNTRUSTED CRL_HAS_EXPIRED CRL_NOT_YET_VALID CRL_SIGNATURE_FAILURE
  DEPTH_ZERO_SELF_SIGNED_CERT ERROR_IN_CERT_NOT_AFTER_FIELD ERROR_IN_CERT_NOT_BEFORE_FIELD
  ERROR_IN_CRL_LAST_UPDATE_FIELD ERROR_IN_CRL_NEXT_UPDATE_FIELD ERR_TLS_CERT_ALTNAME_FORMAT
  ERR_TLS_CERT_ALTNAME_INVALID HOSTNAME_MISMATCH INVALID_CA INVALID_PURPOSE PATH_LENGTH_EXCEEDED
  SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY UNABLE_TO_DECRYPT_CERT_SIGNATURE
  UNABLE_TO_DECRYPT_CRL_SIGNATURE UNABLE_TO_GET_CRL UNABLE_TO_GET_ISSUER_CERT
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY UNABLE_TO_VERIFY_LEAF_SIGNATURE`.split(/\s+/));

;// CONCATENATED MODULE: ./main.js






















const workerPath = './hash-worker/index.js';
const keepPath = './keep/index.js';
async function start(name, canceled) {
    let action = { inputNames: notarizeInputNames, run: runNotarize };
    if (name === 'verify')
        action = (await __webpack_require__.e(/* import() */ 450).then(__webpack_require__.bind(__webpack_require__, 3450))).verifyAction;
    const outside = {
        clock: systemClock,
        random: Math.random,
        disk: systemDisk,
        createTransport: createTransport,
        connectToGitHub: octokit/* connectToGitHub */.tZ,
        workflowArtifacts: createWorkflowArtifacts(new URL(keepPath, import.meta.url)),
        workerFile: new URL(workerPath, import.meta.url),
    };
    await runInHost(action, outside, canceled);
}
async function runNotarize(host, rawInputs) {
    const { end, job } = await conduct(host, rawInputs);
    return (0,report/* report */.z8)(end, job);
}
async function conduct(host, rawInputs) {
    const { environment, secrets, clock, runner } = host;
    const reading = readInputs(rawInputs, clock.now(), environment.attempt);
    secrets.exempt(reading.exempt);
    secrets.add([...reading.secrets, ...environment.secrets]);
    reading.warnings.forEach(runner.warning);
    const { inputs } = reading;
    const job = { host, inputs, recordsPath: (0,external_node_path_.resolve)(environment.workspace, inputs.recordsPath) };
    return { end: await notarize(() => main_collect(job, reading), job), job };
}
async function main_collect({ host, inputs, recordsPath }, reading) {
    const found = await (0,collect/* collectArtifacts */.k)(inputs, host, { skip: [recordsPath] });
    found.warnings.forEach(host.runner.warning);
    failure_0/* Stop */.VG.ifAny([...reading.problems, ...found.problems]);
    const hashed = await (0,hash/* hashFiles */.y)(found.files, host);
    return { artifacts: [...hashed, ...found.listed], counts: found.counts };
}
async function notarize(find, job) {
    const { host, inputs } = job;
    const known = {
        earlier: null,
        release: null,
        ledger: null,
        checksumsPath: '',
        artifacts: [],
    };
    try {
        known.earlier = await findKept(inputs, host);
        const found = await find();
        known.release = await (0,release/* readRelease */.i)(inputs, host);
        const ledger = readLedger(known, job);
        known.ledger = ledger;
        const plan = planAll(found, ledger, { release: known.release, job });
        known.checksumsPath = await writeChecksums(plan.checksums, host);
        failure_0/* Stop */.VG.ifAny(plan.problems);
        host.runner.info((0,plan_0/* describePlan */.df)(plan));
        known.artifacts = plan.artifacts;
        if (!inputs.dryRun)
            known.artifacts = await register(plan.artifacts, { host, inputs, ledger });
    }
    catch (error) {
        return stop(error, known, job);
    }
    return complete(known, job);
}
async function stop(error, known, job) {
    let problems = [];
    if (error instanceof failure_0/* Stop */.VG)
        problems = error.problems;
    else
        job.host.halt.noteBug(error);
    let records = Buffer.alloc(0);
    if (known.earlier !== null)
        records = known.ledger?.initial ?? recordsOnDisk(job);
    const query = { ...recordsOf(known, job), records, evidencePath: '', isStopped: true, problems };
    const place = await keepRecords(query, locateRecords(query, job.host), job.host);
    return { kind: 'stopped', problems, checksumsPath: known.checksumsPath, place };
}
async function complete(known, job) {
    const { artifacts, release, ledger, checksumsPath } = known;
    const { host, inputs } = job;
    external_node_assert_(ledger !== null, 'a run without a ledger has stopped');
    let evidencePath = '';
    if (!inputs.dryRun)
        evidencePath = await writeEvidence(artifacts, { ledger, release, host });
    const onRelease = release?.records.map(({ bytes }) => bytes) ?? [];
    const lacksRecords = (0,records_lines/* missingLines */.uR)(onRelease, [ledger.content]).includes('"record":');
    const end = {
        kind: 'completed',
        artifacts,
        release: release && { tag: release.tag, url: release.url, lacksRecords },
        checksumsPath,
        evidencePath,
        unsaved: ledger.unsaved,
    };
    const run = { records: ledger.content, evidencePath, isStopped: false, problems: [] };
    const query = { ...recordsOf(known, job), ...run };
    const before = locateRecords(query, host);
    const outputsError = (0,report/* writeOutputs */.Kn)({ ...end, place: before, outputsError: null }, job);
    return { ...end, place: await keepRecords(query, before, host), outputsError };
}
function recordsOf({ earlier, release }, { inputs }) {
    return { inputs, earlier: earlier ?? [], released: release?.records ?? [] };
}
function recordsOnDisk({ host, recordsPath }) {
    try {
        return host.disk.read(recordsPath);
    }
    catch {
        return Buffer.alloc(0);
    }
}
function readLedger({ earlier, release }, { host, inputs, recordsPath: path }) {
    const { recordsPath: name, baseUrl: service, verificationUrl } = inputs;
    const kept = earlier ?? [];
    const others = kept.concat(release?.records ?? []);
    const source = release?.source ?? host.environment.source;
    return Ledger.read({ path, name, others, service, source, verificationUrl }, host);
}
function planAll(found, ledger, { release, job }) {
    const { inputs, host } = job;
    const artifacts = found.artifacts.concat(release?.artifacts ?? []);
    ledger.confirm(artifacts.filter(outcome_0/* isHashed */.Sc), inputs.confirmedHashes);
    const plan = (0,plan_0/* makePlan */.Cs)({
        inputs,
        artifacts,
        counts: found.counts.concat(release?.counts ?? []),
        ledger,
        release,
        attempt: host.environment.attempt,
    });
    for (const from of [release, ledger, plan])
        from?.warnings.forEach(host.runner.warning);
    plan.chargeWarnings.forEach(host.runner.passingWarning);
    return plan;
}
async function writeChecksums(checksums, { disk, environment }) {
    if (checksums.length === 0)
        return '';
    try {
        const text = checksums.map(names/* formatChecksum */.rH).join('');
        return await disk.writeNew(environment.tempFolder, 'notarization-checksums.txt', text);
    }
    catch (error) {
        const message = `the checksums file could not be written to RUNNER_TEMP: ${(0,failure_0/* describeError */.Uc)(error)}; free disk space, or fix the permissions of that folder`;
        throw new failure_0/* Stop */.VG({ input: null, message, needs: 'nothing' });
    }
}
async function writeEvidence(artifacts, { ledger, release, host, }) {
    const registered = artifacts.filter(outcome_0/* isRegistered */.zN);
    if (registered.length === 0)
        return '';
    const hashes = new Set(registered.map(({ hash }) => hash));
    const assets = release?.artifacts.filter(outcome_0/* isHashed */.Sc).filter(({ hash }) => hashes.has(hash));
    try {
        const page = renderEvidence(ledger.entries, assets ?? registered);
        if (page === null)
            return '';
        const { disk, environment, secrets } = host;
        return await disk.writeNew(environment.tempFolder, names/* evidenceName */.Xc, secrets.redactText(page));
    }
    catch (error) {
        host.runner.warning(`The evidence page could not be written (${(0,failure_0/* describeError */.Uc)(error)})`);
        return '';
    }
}


/***/ }),

/***/ 1949:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   H9: () => (/* binding */ isPlanned),
/* harmony export */   Ix: () => (/* binding */ isFailed),
/* harmony export */   Sc: () => (/* binding */ isHashed),
/* harmony export */   gz: () => (/* binding */ failed),
/* harmony export */   lM: () => (/* binding */ planned),
/* harmony export */   zN: () => (/* binding */ isRegistered)
/* harmony export */ });
const planned = { state: 'planned', openSince: null };
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


/***/ }),

/***/ 6894:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Cs: () => (/* binding */ makePlan),
/* harmony export */   LP: () => (/* binding */ combineArtifacts),
/* harmony export */   df: () => (/* binding */ describePlan)
/* harmony export */ });
/* harmony import */ var _artifacts_collect_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(6159);
/* harmony import */ var _failure_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7579);
/* harmony import */ var _outcome_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(1949);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(8146);
/* harmony import */ var _text_names_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(2117);
/* harmony import */ var _text_phrases_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(7999);






function makePlan(input) {
    const { inputs, release, ledger } = input;
    const { combined, problems: conflicts } = combineArtifacts(input.artifacts);
    const artifacts = combined.map(artifact => {
        if (!(0,_outcome_js__WEBPACK_IMPORTED_MODULE_2__/* .isHashed */ .Sc)(artifact))
            return artifact;
        return { ...artifact, outcome: findOutcome(artifact.hash, input) };
    });
    const planned = artifacts.filter(_outcome_js__WEBPACK_IMPORTED_MODULE_2__/* .isPlanned */ .H9);
    const registrations = countHashes(planned);
    const problems = [];
    const warnings = [];
    if (release !== null) {
        const locals = input.artifacts.filter(artifact => artifact.input !== 'release-tag');
        problems.push(...tagProblems(release), ...contentProblems(release, locals));
        if (artifacts.length === 0) {
            const empty = emptyRelease(release);
            if (inputs.ifNoFilesFound === 'error')
                problems.push(empty);
            if (inputs.ifNoFilesFound === 'warn')
                warnings.push(empty.message);
        }
    }
    problems.push(...conflicts, ...ledger.problems);
    if (registrations > inputs.maxRegistrations) {
        const tooMany = limitProblem(registrations, input);
        if (inputs.dryRun)
            warnings.push(tooMany.message);
        else
            problems.push(tooMany);
    }
    const checksums = conflicts.length === 0 ? combined.filter(_outcome_js__WEBPACK_IMPORTED_MODULE_2__/* .isHashed */ .Sc) : [];
    const plan = { artifacts, checksums, registrations, problems };
    if (problems.length > 0)
        return { ...plan, warnings, chargeWarnings: [] };
    warnings.push(...contentWarnings(planned, ledger));
    return { ...plan, warnings, chargeWarnings: chargeWarnings(planned, input) };
}
function combineArtifacts(artifacts) {
    const combined = [];
    const conflicts = [];
    const local = artifacts.filter(({ input }) => input !== 'release-tag');
    for (const [name, same] of Map.groupBy(local, artifact => artifact.name)) {
        const hashed = same.filter(_outcome_js__WEBPACK_IMPORTED_MODULE_2__/* .isHashed */ .Sc);
        const hashes = [...new Set(hashed.map(({ hash }) => hash))];
        if (hashes.length > 1)
            conflicts.push(`"${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_3__/* .quote */ .hD)(name)}" has two hashes, ${hashes.join(' and ')}`);
        const best = hashed.find(({ input }) => input === 'path') ?? hashed[0];
        const failures = same.filter(artifact => !(0,_outcome_js__WEBPACK_IMPORTED_MODULE_2__/* .isHashed */ .Sc)(artifact));
        if (best === undefined || failures.length > 0)
            combined.push(...failures);
        else
            combined.push(best);
    }
    const keyOf = ({ hash, name }) => `${hash} ${(0,_text_names_js__WEBPACK_IMPORTED_MODULE_4__/* .baseName */ .Fl)(name)}`;
    const known = new Set(combined.filter(_outcome_js__WEBPACK_IMPORTED_MODULE_2__/* .isHashed */ .Sc).map(keyOf));
    const assets = artifacts.filter(({ input }) => input === 'release-tag');
    combined.push(...assets.filter(asset => !known.has(keyOf(asset))));
    combined.sort((a, b) => (0,_text_names_js__WEBPACK_IMPORTED_MODULE_4__/* .compareCodeUnits */ .UF)(a.name, b.name));
    if (conflicts.length === 0)
        return { combined, problems: [] };
    const shown = (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_5__/* .joinFirst */ .FS)(conflicts, 3);
    const text = `${shown}; create the checksums again from the files to notarize`;
    return { combined, problems: [(0,_failure_js__WEBPACK_IMPORTED_MODULE_1__/* .problemAt */ .l4)('checksums', text)] };
}
function describePlan({ artifacts, registrations }) {
    const found = (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_5__/* .pluralize */ .td)(artifacts.length, 'artifact');
    const left = (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_5__/* .pluralize */ .td)(registrations, 'distinct hash', 'distinct hashes');
    return `${found} found, ${left} left to register`;
}
function countHashes(artifacts) {
    return new Set(artifacts.map(({ hash }) => hash)).size;
}
function findOutcome(hash, { inputs, ledger }) {
    const outcome = ledger.find(hash);
    if (outcome.state !== 'contradicted' || inputs.dryRun)
        return outcome;
    return (0,_outcome_js__WEBPACK_IMPORTED_MODULE_2__/* .failed */ .gz)((0,_failure_js__WEBPACK_IMPORTED_MODULE_1__/* .mismatchFailure */ .Jc)(outcome.problems));
}
function tagProblems({ tag, isDraft, tagCommit, runCommit }) {
    if (runCommit === null || tagCommit === runCommit)
        return [];
    const name = `the tag "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_3__/* .quote */ .hD)(tag)}"`;
    if (tagCommit !== null) {
        const text = `${name} points to the commit ${tagCommit} now, but this run is for ${runCommit}; find out who moved the tag, and notarize the commit that you release`;
        return [(0,_failure_js__WEBPACK_IMPORTED_MODULE_1__/* .problemAt */ .l4)('release-tag', text)];
    }
    if (isDraft)
        return [];
    return [(0,_failure_js__WEBPACK_IMPORTED_MODULE_1__/* .problemAt */ .l4)('release-tag', `${name} of this run was deleted; push it again`, 'nothing')];
}
function contentProblems({ tag, artifacts }, locals) {
    const hashByName = new Map(artifacts.map(asset => [asset.name, asset.hash]));
    const unread = [];
    const different = [];
    for (const { name, hash } of locals.filter(_outcome_js__WEBPACK_IMPORTED_MODULE_2__/* .isHashed */ .Sc)) {
        const assetHash = hashByName.get((0,_text_names_js__WEBPACK_IMPORTED_MODULE_4__/* .baseName */ .Fl)(name));
        if (assetHash === undefined || assetHash === hash)
            continue;
        if (assetHash === null)
            unread.push(`"${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_3__/* .quote */ .hD)(name)}"`);
        else
            different.push(`"${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_3__/* .quote */ .hD)(name)}" (${shorten(hash)}, its asset ${shorten(assetHash)})`);
    }
    const release = `the release "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_3__/* .quote */ .hD)(tag)}"`;
    const problems = [];
    if (unread.length > 0) {
        const text = `local files cannot be compared with ${release}, because their assets could not be read: ${(0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_5__/* .joinFirst */ .FS)(unread, 3)}; wait until GitHub responds`;
        problems.push((0,_failure_js__WEBPACK_IMPORTED_MODULE_1__/* .problemAt */ .l4)('release-tag', text, 'nothing'));
    }
    if (different.length > 0) {
        const text = `local files differ from the assets of ${release}: ${(0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_5__/* .joinFirst */ .FS)(different, 3)}; replace the assets that are wrong, or remove the inputs "path" and "checksums"`;
        problems.push((0,_failure_js__WEBPACK_IMPORTED_MODULE_1__/* .problemAt */ .l4)('release-tag', text));
    }
    return problems;
}
function shorten(hash) {
    return hash.slice(0, 12);
}
function emptyRelease({ tag }) {
    const text = `the release "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_3__/* .quote */ .hD)(tag)}" has no assets to notarize; upload them first`;
    return (0,_failure_js__WEBPACK_IMPORTED_MODULE_1__/* .problemAt */ .l4)('release-tag', text, 'nothing');
}
const maxPatternsShown = 50;
function limitProblem(count, { inputs, counts }) {
    const matched = (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_5__/* .joinFirst */ .FS)(counts.map(_artifacts_collect_js__WEBPACK_IMPORTED_MODULE_0__/* .describeCount */ .v), maxPatternsShown, { separator: ', ' });
    const hashes = (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_5__/* .pluralize */ .td)(count, 'distinct hash is', 'distinct hashes are');
    const text = `is ${inputs.maxRegistrations}, but ${hashes} left to register (${matched}); correct the patterns, or raise this limit if you want to be charged for each of them`;
    return (0,_failure_js__WEBPACK_IMPORTED_MODULE_1__/* .problemWith */ .CO)('max-registrations', text);
}
const maxNamesShown = 5;
function contentWarnings(planned, ledger) {
    const changed = planned.filter(artifact => ledger.hasOtherContent(artifact));
    if (changed.length === 0)
        return [];
    const names = (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_5__/* .joinFirst */ .FS)(changed.map(({ name }) => `"${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_3__/* .quote */ .hD)(name)}"`), maxNamesShown, { separator: ', ' });
    const what = (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_5__/* .pluralize */ .td)(changed.length, 'file has', 'files have');
    return [
        `${what} other content than when this commit was notarized: ${names}. You are charged for registering the new content. If you did not mean to change or rebuild the files, restore the notarized ones`,
    ];
}
function chargeWarnings(planned, { ledger, attempt }) {
    const warnings = [];
    if (planned.length > 0 && attempt > 1 && !ledger.hasEarlierAttempt) {
        warnings.push(`This is attempt ${attempt}, but there are no records of an earlier attempt. If an earlier attempt registered files, you are charged again for them`);
    }
    const open = countHashes(planned.filter(({ outcome }) => outcome.openSince !== null));
    if (open > 0) {
        warnings.push(`${(0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_5__/* .pluralize */ .td)(open, 'file was', 'files were')} sent earlier, without a response. You may be charged again for those that are already registered`);
    }
    return warnings;
}


/***/ }),

/***/ 608:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $C: () => (/* binding */ readFound),
/* harmony export */   d6: () => (/* binding */ groupByHash),
/* harmony export */   no: () => (/* binding */ assess)
/* harmony export */ });
/* harmony import */ var _failure_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7579);
/* harmony import */ var _text_names_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(2117);
/* harmony import */ var _text_phrases_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(7999);
/* harmony import */ var _lines_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(3243);




const remedies = {
    'records-path': [
        '; restore the file, or change "records-path" if this action did not write the file',
        'workflow',
    ],
    'keep-records': ['', 'nothing'],
    'release-tag': ['; save a copy of this asset, then repair the asset or delete it', 'nothing'],
    records: ['; restore the file', 'workflow'],
};
function readFound(files) {
    const entries = [];
    const problems = [];
    const warnings = [];
    for (const { bytes, name, input } of files) {
        const reading = (0,_lines_js__WEBPACK_IMPORTED_MODULE_1__/* .parseRecords */ .Q4)(bytes, name);
        for (const entry of reading.entries)
            entries.push(entry);
        warnings.push(...reading.warnings);
        if (reading.damage.length === 0)
            continue;
        const damage = (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_2__/* .joinFirst */ .FS)(reading.damage, 5);
        const [remedy, needs] = remedies[input];
        problems.push((0,_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .problemAt */ .l4)(input, damage + remedy, needs));
    }
    return { entries, problems, warnings };
}
function groupByHash(entries, service) {
    const relevant = entries.filter(entry => entry.service === service);
    return Map.groupBy(relevant, ({ hash }) => hash);
}
function assess(entries) {
    const records = entries.filter(_lines_js__WEBPACK_IMPORTED_MODULE_1__/* .isRecord */ .u4);
    const states = entries.filter(entry => 'state' in entry);
    const refuted = new Set(states.filter(({ state }) => state === 'not-registered').map(keyOf));
    const settled = refuted.union(new Set(records.map(keyOf)));
    const settledUntil = records.map(settlesUntil).sort(_text_names_js__WEBPACK_IMPORTED_MODULE_3__/* .compareCodeUnits */ .UF).at(-1) ?? '';
    const unsettled = states.filter(line => line.state === 'sent' && !settled.has(keyOf(line)) && line.at > settledUntil);
    const good = records.filter(_lines_js__WEBPACK_IMPORTED_MODULE_1__/* .isGoodRecord */ .FK);
    const entry = good.find(({ confirmed }) => !confirmed) ?? good[0];
    if (entry !== undefined) {
        const { record, confirmed: isConfirmed } = entry;
        const maybeChargedAgain = unsettled.length > 0 || isChargedAgain(good);
        return { state: 'registered', from: 'records-file', record, maybeChargedAgain, isConfirmed };
    }
    const contradicted = records.find(record => !refuted.has(keyOf(record)));
    if (contradicted !== undefined) {
        return { state: 'contradicted', problems: contradicted.problems };
    }
    const times = unsettled.map(({ at }) => at).sort(_text_names_js__WEBPACK_IMPORTED_MODULE_3__/* .compareCodeUnits */ .UF);
    return { state: 'planned', openSince: times.at(-1) ?? null };
}
function keyOf({ at, service, source: { runId, runAttempt } }) {
    return JSON.stringify([at, service, runId, runAttempt]);
}
function settlesUntil({ at, confirmed }) {
    if (at === null)
        return '~';
    if (confirmed)
        return at;
    return '';
}
function isChargedAgain(good) {
    const times = new Set(good.filter(({ confirmed }) => !confirmed).map(({ at }) => at));
    return times.size > 1 || good.some(({ maybeChargedAgain }) => maybeChargedAgain);
}


/***/ }),

/***/ 3243:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   FK: () => (/* binding */ isGoodRecord),
/* harmony export */   IL: () => (/* binding */ formatLine),
/* harmony export */   Ne: () => (/* binding */ missingNewline),
/* harmony export */   Q4: () => (/* binding */ parseRecords),
/* harmony export */   dr: () => (/* binding */ sourceSchema),
/* harmony export */   tI: () => (/* binding */ withoutIncompleteLine),
/* harmony export */   u4: () => (/* binding */ isRecord),
/* harmony export */   uR: () => (/* binding */ missingLines)
/* harmony export */ });
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7598);
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(4763);
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(2335);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8146);
/* harmony import */ var _text_json_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(7727);
/* harmony import */ var _record_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(5523);





const nonEmptyText = zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_4__/* ._minLength */ .m9(1));
const isoTime = zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_4__/* ._regex */ .Fk(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/));
const sourceValue = zod_mini__WEBPACK_IMPORTED_MODULE_3__/* ._default */ .Rvf(zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .nullable */ .mee(zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .string */ .YjP()), null);
const sourceSchema = zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .object */ .Ikc({
    repository: sourceValue,
    sha: sourceValue,
    ref: sourceValue,
    runId: sourceValue,
    runAttempt: sourceValue,
    commitUrl: sourceValue,
    runUrl: sourceValue,
});
const headFields = {
    artifact: nonEmptyText,
    size: zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .nullable */ .mee(zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .int */ .Whr().check(zod_mini__WEBPACK_IMPORTED_MODULE_4__/* ._gte */ .qm(0))),
    hash: zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_4__/* ._regex */ .Fk(/^[0-9a-fA-F]{64}$/), zod_mini__WEBPACK_IMPORTED_MODULE_4__/* ._toLowerCase */ .Il()),
    service: nonEmptyText,
    source: sourceSchema,
};
const recordLineSchema = zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .object */ .Ikc({
    ...headFields,
    at: zod_mini__WEBPACK_IMPORTED_MODULE_3__/* ._default */ .Rvf(zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .nullable */ .mee(isoTime), null),
    record: zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .custom */ .IeY(_text_json_js__WEBPACK_IMPORTED_MODULE_5__/* .isJsonObject */ .OW),
    verificationUrl: zod_mini__WEBPACK_IMPORTED_MODULE_3__/* ._default */ .Rvf(zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .nullable */ .mee(zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .string */ .YjP()), null),
    maybeChargedAgain: zod_mini__WEBPACK_IMPORTED_MODULE_3__/* ._default */ .Rvf(zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .boolean */ .zMY(), false),
    confirmed: zod_mini__WEBPACK_IMPORTED_MODULE_3__/* ._default */ .Rvf(zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .boolean */ .zMY(), false),
    problems: zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .readonly */ .tBZ(zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .array */ .YOg(zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .string */ .YjP())),
});
const stateLineSchema = zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .object */ .Ikc({
    ...headFields,
    at: isoTime,
    state: zod_mini__WEBPACK_IMPORTED_MODULE_3__/* ["enum"] */ .k5n(['sent', 'not-registered']),
});
function isRecord(entry) {
    return 'record' in entry;
}
function isGoodRecord(entry) {
    return isRecord(entry) && entry.problems.length === 0;
}
function parseRecords(bytes, name) {
    const entries = [];
    const damage = [];
    const warnings = [];
    const whole = withoutIncompleteLine(bytes);
    if (whole.length < bytes.length) {
        const why = 'a run was stopped while writing it';
        warnings.push(`The last line of "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .quote */ .hD)(name)}" is incomplete and was dropped: ${why}`);
    }
    let number = 0;
    for (const line of splitLines(whole)) {
        number += 1;
        const parsed = parseLine(line);
        if (typeof parsed !== 'string')
            entries.push(parsed);
        else
            damage.push(`"${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .quote */ .hD)(name)}", line ${number} ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .quote */ .hD)(parsed, _text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .maxMessageLength */ .sZ)}`);
    }
    return { entries, damage, warnings };
}
function withoutIncompleteLine(bytes) {
    const start = bytes.lastIndexOf(lineEnd) + 1;
    if (!isCutOff(bytes.subarray(start)))
        return bytes;
    return bytes.subarray(0, start);
}
const beginning = '{"artifact":"';
const tooDeep = 'is nested too deeply';
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
function parseLine(bytes) {
    let value;
    try {
        value = (0,_text_json_js__WEBPACK_IMPORTED_MODULE_5__/* .parseJson */ .qF)(decoder.decode(bytes));
    }
    catch (error) {
        if (error instanceof RangeError)
            return tooDeep;
        return 'is not valid JSON';
    }
    if (!(0,_text_json_js__WEBPACK_IMPORTED_MODULE_5__/* .isShallow */ .fE)(value, _text_json_js__WEBPACK_IMPORTED_MODULE_5__/* .maxJsonDepth */ .iC + 1))
        return tooDeep;
    const isState = (0,_text_json_js__WEBPACK_IMPORTED_MODULE_5__/* .isJsonObject */ .OW)(value) && 'state' in value && !('record' in value);
    const parsed = (isState ? stateLineSchema : recordLineSchema).safeParse(value);
    if (!parsed.success) {
        const other = 'is not a line of a records file';
        const fields = (0,_text_json_js__WEBPACK_IMPORTED_MODULE_5__/* .rejectedFields */ .AO)(parsed.error).filter(field => field !== '');
        if (fields.length === 0)
            return other;
        return `${other} (wrong: ${fields.join(', ')})`;
    }
    const entry = parsed.data;
    if (!isGoodRecord(entry))
        return entry;
    const broken = (0,_record_js__WEBPACK_IMPORTED_MODULE_2__/* .checkRecord */ .EQ)(entry.record, { hash: entry.hash, paymentId: null });
    if (broken.length === 0)
        return entry;
    return `has a record that breaks the rules (${broken.join('; ')})`;
}
function isCutOff(bytes) {
    const line = Buffer.from(bytes).toString('latin1');
    if (!beginning.startsWith(line.slice(0, beginning.length)))
        return false;
    const outsideStrings = line.replace(/"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)/gs, '');
    return outsideStrings.split('{').length > outsideStrings.split('}').length;
}
function formatLine(entry) {
    const { artifact, size, hash, service, source } = entry;
    const head = { artifact, size, hash, service, at: entry.at ?? undefined };
    if (!isRecord(entry))
        return `${JSON.stringify({ ...head, state: entry.state, source })}\n`;
    const { record, problems } = entry;
    const verificationUrl = entry.verificationUrl ?? undefined;
    const maybeChargedAgain = entry.maybeChargedAgain || undefined;
    const confirmed = entry.confirmed || undefined;
    const line = { ...head, record, verificationUrl, maybeChargedAgain, confirmed, problems, source };
    return `${JSON.stringify(line)}\n`;
}
const lineEnd = Buffer.from('\n');
function missingNewline(bytes) {
    if (bytes.length === 0 || bytes.subarray(-1).equals(lineEnd))
        return Buffer.alloc(0);
    return lineEnd;
}
function missingLines(known, files) {
    const digestOf = (line) => (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.hash)('sha256', line, 'base64');
    const seen = new Set(known.flatMap(completeLines).map(digestOf));
    const missing = [];
    for (const line of files.flatMap(completeLines)) {
        const digest = digestOf(line);
        if (seen.has(digest))
            continue;
        seen.add(digest);
        missing.push(line, lineEnd);
    }
    return Buffer.concat(missing);
}
function completeLines(bytes) {
    return [...splitLines(withoutIncompleteLine(bytes))].filter(line => line.length > 0);
}
function* splitLines(bytes) {
    let start = 0;
    while (start < bytes.length) {
        const next = bytes.indexOf(lineEnd, start);
        const end = next === -1 ? bytes.length : next;
        yield bytes.subarray(start, end);
        start = end + 1;
    }
}


/***/ }),

/***/ 5523:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   EQ: () => (/* binding */ checkRecord),
/* harmony export */   VO: () => (/* binding */ describeFields),
/* harmony export */   xn: () => (/* binding */ unexpectedTypes)
/* harmony export */ });
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4763);
/* harmony import */ var _text_json_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7727);
/* harmony import */ var _text_phrases_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(7999);



const maxShownLength = 100;
function checkRecord(record, request) {
    const { hash, status, custody, signed, paymentId } = record;
    const problems = [];
    const check = (field, isGood, expected) => {
        if (isGood)
            return;
        if (record[field] === undefined) {
            problems.push(`${field} is missing`);
            return;
        }
        const value = JSON.stringify(record[field]);
        const isQuotable = value.length <= maxShownLength && !value.includes('\\');
        problems.push(`${field} is ${isQuotable ? `${value}, ` : ''}not ${expected}`);
    };
    const isSameHash = typeof hash === 'string' && hash.toLowerCase() === request.hash.toLowerCase();
    check('hash', isSameHash, 'that of the request');
    check('status', status === 'registered', '"registered"');
    check('custody', custody === false || custody === 'false', 'false');
    check('signed', signed === false || signed === 'false', 'false');
    const isComparable = (paymentId ?? null) !== null && request.paymentId !== null;
    const isSamePayment = !isComparable || (0,_text_json_js__WEBPACK_IMPORTED_MODULE_0__/* .textOf */ .b6)(paymentId) === request.paymentId;
    check('paymentId', isSamePayment, 'the id of the subscription');
    return problems;
}
const maybeText = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP());
const maybeInteger = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .custom */ .IeY(_text_json_js__WEBPACK_IMPORTED_MODULE_0__/* .isInteger */ .Fq));
const specified = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({
    description: maybeText,
    signer: maybeText,
    signature: maybeText,
    txHash: maybeText,
    blockchainType: maybeText,
    holder: maybeText,
    txId: maybeText,
    assetId: maybeText,
    tags: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .array */ .YOg(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .unknown */ .L5J())),
    paymentId: maybeText,
    creationDate: maybeInteger,
    userId: maybeInteger,
});
function unexpectedTypes(record) {
    return (0,_text_json_js__WEBPACK_IMPORTED_MODULE_0__/* .rejectedFields */ .AO)(specified.safeParse(record).error);
}
function describeFields({ creationDate, blockchainType, txId, txHash }) {
    const transaction = (0,_text_json_js__WEBPACK_IMPORTED_MODULE_0__/* .fieldText */ .gF)(txId) || (0,_text_json_js__WEBPACK_IMPORTED_MODULE_0__/* .fieldText */ .gF)(txHash);
    return {
        time: (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_2__/* .formatTime */ .fU)(creationDate),
        blockchain: (0,_text_json_js__WEBPACK_IMPORTED_MODULE_0__/* .fieldText */ .gF)(blockchainType),
        transaction,
    };
}


/***/ }),

/***/ 5642:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   c2: () => (/* binding */ statusOf),
/* harmony export */   gh: () => (/* binding */ octetStream),
/* harmony export */   tZ: () => (/* binding */ connectToGitHub),
/* harmony export */   w2: () => (/* binding */ toFailure)
/* harmony export */ });
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(4763);
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(6150);
/* harmony import */ var _failure_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7579);
/* harmony import */ var _service_proxy_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(2293);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8146);
/* harmony import */ var _text_phrases_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(7999);





const responseMs = 60_000;
const downloadMs = 600_000;
const maxWaitSeconds = 60;
const maxWaits = 3;
const octetStream = 'application/octet-stream';
async function connectToGitHub(host, token) {
    const { apiUrl, proxies } = host.environment;
    const problem = (0,_service_proxy_js__WEBPACK_IMPORTED_MODULE_1__/* .proxyProblem */ .w)(apiUrl, proxies);
    if (problem !== null)
        throw new _failure_js__WEBPACK_IMPORTED_MODULE_0__/* .Stop */ .VG(problem);
    const { getOctokit } = await __webpack_require__.e(/* import() */ 20).then(__webpack_require__.bind(__webpack_require__, 2020));
    const { retry } = await __webpack_require__.e(/* import() */ 553).then(__webpack_require__.bind(__webpack_require__, 6553));
    const silent = () => undefined;
    const log = { debug: silent, info: silent, warn: silent, error: silent };
    const octokit = getOctokit(token, { baseUrl: apiUrl, log }, limitTries(host), retry);
    return {
        request: (route, parameters) => octokit.request(route, parameters),
        paginate: async (route, parameters) => ({ data: await octokit.paginate(route, parameters) }),
    };
}
function limitTries({ clock, halt, runner }) {
    return ({ hook, request }) => {
        hook.wrap('request', async (send, options) => {
            const limitMs = options.headers.accept === octetStream ? downloadMs : responseMs;
            const fail = (message) => Object.assign(new Error(message), { status: 502, request: request.endpoint(options) });
            for (let waits = 0;; waits++) {
                const timeout = AbortSignal.timeout(limitMs);
                options.request.signal = AbortSignal.any([timeout, halt.canceled]);
                try {
                    const response = await send(options);
                    if (typeof response.data === 'object' && response.data !== null)
                        return response;
                    throw fail('the response was incomplete');
                }
                catch (error) {
                    const seconds = readRateLimit(error, clock.now());
                    const isTooLong = seconds !== null && (seconds > maxWaitSeconds || waits === maxWaits);
                    if (timeout.aborted || isTooLong)
                        options.request['retries'] = 0;
                    if (timeout.aborted)
                        throw fail(`no response within ${(0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_3__/* .formatDuration */ .a3)(limitMs / 1000)}`);
                    if (statusOf(error) === 409)
                        throw fail('HTTP 409');
                    if (seconds === null || isTooLong)
                        throw error;
                    runner.info(`Waiting ${(0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_3__/* .formatDuration */ .a3)(seconds)} for GitHub's rate limit`);
                    await clock.sleep(seconds * 1000, halt.canceled);
                }
            }
        });
    };
}
const octokitErrorSchema = zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .object */ .Ikc({
    request: zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .object */ .Ikc({ method: zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .string */ .YjP(), url: zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .string */ .YjP() }),
    response: zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .optional */ .lqM(zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .object */ .Ikc({
        status: zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .number */ .aig(),
        headers: zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .record */ .g1P(zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .string */ .YjP(), zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .unknown */ .L5J()),
        data: zod_mini__WEBPACK_IMPORTED_MODULE_4__/* ["catch"] */ .MfU(zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .object */ .Ikc({ message: zod_mini__WEBPACK_IMPORTED_MODULE_4__/* .string */ .YjP() }), { message: '' }),
    })),
});
function statusOf(error) {
    return octokitErrorSchema.safeParse(error).data?.response?.status ?? null;
}
function readRateLimit(error, nowMs) {
    const { response } = octokitErrorSchema.safeParse(error).data ?? {};
    if (response?.status !== 403 && response?.status !== 429)
        return null;
    const { headers, status, data } = response;
    const afterSeconds = Number(headers['retry-after']);
    if (afterSeconds >= 0)
        return afterSeconds;
    const resetSeconds = Number(headers['x-ratelimit-reset']) - nowMs / 1000;
    if (headers['x-ratelimit-remaining'] === '0')
        return Math.max(Math.ceil(resetSeconds), 0) + 1;
    if (status === 429 || /\brate limit\b/i.test(data.message))
        return 60;
    return null;
}
const reasonsByStatus = {
    401: 'github-token',
    403: 'github-permission',
    404: 'github-permission',
};
function toFailure(error, what, { secrets }) {
    const show = (text) => (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .quote */ .hD)((0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .maskWords */ .QW)(secrets.redactText(text)), 200);
    const { request, response } = octokitErrorSchema.safeParse(error).data ?? {};
    let call = what;
    if (request !== undefined) {
        call = `${request.method} ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .quote */ .hD)(URL.parse(request.url)?.pathname ?? '')}`;
    }
    if (response === undefined) {
        let why = show((0,_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .describeError */ .Uc)(error));
        if (error instanceof zod_mini__WEBPACK_IMPORTED_MODULE_5__/* .$ZodError */ .a$)
            why = 'the response has an unexpected form';
        return new _failure_js__WEBPACK_IMPORTED_MODULE_0__/* .Failure */ .HR('unreadable', 'github-unavailable', { observed: `${call}: ${why}` });
    }
    const { status, data } = response;
    let reason = reasonsByStatus[status] ?? 'github-unavailable';
    if (readRateLimit(error, 0) !== null)
        reason = 'github-rate-limit';
    let observed = `${call} returned HTTP ${status}`;
    if (data.message !== '')
        observed += `: "${show(data.message)}"`;
    return new _failure_js__WEBPACK_IMPORTED_MODULE_0__/* .Failure */ .HR('unreadable', reason, { observed });
}


/***/ }),

/***/ 4030:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   i: () => (/* binding */ readRelease)
/* harmony export */ });
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7598);
/* harmony import */ var node_events__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8474);
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_8__ = __webpack_require__(4763);
/* harmony import */ var _failure_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(7579);
/* harmony import */ var _outcome_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(1949);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(8146);
/* harmony import */ var _text_names_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(2117);
/* harmony import */ var _text_phrases_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(7999);
/* harmony import */ var _octokit_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(5642);









const input = 'release-tag';
async function readRelease(inputs, host) {
    const { releaseTag: tag, githubToken } = inputs;
    const { halt, environment } = host;
    const { repository } = environment.source;
    if (tag === null)
        return null;
    if (repository === null) {
        throw new _failure_js__WEBPACK_IMPORTED_MODULE_2__/* .Stop */ .VG((0,_failure_js__WEBPACK_IMPORTED_MODULE_2__/* .problemWith */ .CO)(input, 'needs a repository, but GITHUB_REPOSITORY is not set'));
    }
    const client = await host.connectToGitHub(host, githubToken);
    const canceled = halt.isCanceled ? Promise.resolve() : (0,node_events__WEBPACK_IMPORTED_MODULE_1__.once)(halt.canceled, 'abort');
    const reading = readWhole(tag, new ReleaseReader(client, repository, host), host);
    return Promise.race([reading, canceled.then(() => null)]).finally(() => {
        if (halt.isCanceled)
            throw _failure_js__WEBPACK_IMPORTED_MODULE_2__/* .Stop */ .VG.canceled();
    });
}
async function readWhole(tag, reader, { environment }) {
    const { source, serverUrl } = environment;
    try {
        const release = await reader.findRelease(tag);
        const assets = await reader.listAssets(release);
        const uploaded = assets.filter(({ isUploaded }) => isUploaded);
        const warnings = [];
        const unfinished = assets.filter(({ isUploaded }) => !isUploaded);
        if (unfinished.length > 0) {
            const names = unfinished.map(({ name }) => `"${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_4__/* .quote */ .hD)(name)}"`);
            warnings.push(`Skipped release assets that are not fully uploaded: ${(0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_6__/* .joinFirst */ .FS)(names, 5)}`);
        }
        const records = [];
        for (const asset of uploaded.filter(({ name }) => (0,_text_names_js__WEBPACK_IMPORTED_MODULE_7__/* .isRecordsAsset */ .P)(name))) {
            const chunks = [];
            await reader.download(asset, chunk => chunks.push(chunk));
            records.push({ name: `${asset.name} of the release`, bytes: Buffer.concat(chunks), input });
        }
        const artifacts = [];
        for (const asset of uploaded.filter(({ name }) => !(0,_text_names_js__WEBPACK_IMPORTED_MODULE_7__/* .isOwnFile */ .Z4)(name))) {
            artifacts.push(await readArtifact(asset, reader));
        }
        const tagCommit = await reader.findTagCommit(tag);
        const { draft: isDraft, target_commitish: target, html_url: url } = release;
        let sha = tagCommit;
        if (isDraft && /^[0-9a-f]{40,64}$/.test(target))
            sha ??= target;
        const { repository } = source;
        const ref = `refs/tags/${tag}`;
        const commitUrl = repository && sha && `${serverUrl}/${repository}/commit/${sha}`;
        const runCommit = source.ref === ref ? source.sha : null;
        return {
            tag,
            isDraft,
            url,
            artifacts,
            counts: [{ input, text: tag, count: artifacts.length }],
            warnings,
            records,
            tagCommit,
            runCommit,
            source: { ...source, ref, sha, commitUrl },
        };
    }
    catch (error) {
        if (!(error instanceof _failure_js__WEBPACK_IMPORTED_MODULE_2__/* .Failure */ .HR))
            throw error;
        const text = `the release "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_4__/* .quote */ .hD)(tag)}" cannot be read: ${error.observed}`;
        throw new _failure_js__WEBPACK_IMPORTED_MODULE_2__/* .Stop */ .VG({ ...(0,_failure_js__WEBPACK_IMPORTED_MODULE_2__/* .problemAt */ .l4)(input, text), reason: error.reason });
    }
}
async function readArtifact(asset, reader) {
    const { name, size } = asset;
    try {
        const hash = asset.hash ?? (await reader.download(asset));
        return { input, name, size, hash, outcome: _outcome_js__WEBPACK_IMPORTED_MODULE_3__/* .planned */ .lM };
    }
    catch (error) {
        const outcome = (0,_outcome_js__WEBPACK_IMPORTED_MODULE_3__/* .failed */ .gz)(_failure_js__WEBPACK_IMPORTED_MODULE_2__/* .Failure */ .HR.from(error));
        return { input, name, size: null, hash: null, outcome };
    }
}
const assetSchema = zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .pipe */ .FsL(zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .object */ .Ikc({
    id: zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .number */ .aig(),
    name: zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .string */ .YjP(),
    size: zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .number */ .aig(),
    digest: zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .string */ .YjP()),
    state: zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .string */ .YjP(),
}), zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .transform */ .pdi(({ id, name, size, digest, state }) => {
    const hash = /^sha256:([0-9a-f]{64})$/i.exec(digest ?? '')?.[1]?.toLowerCase() ?? null;
    return { id, name, size, hash, isUploaded: state === 'uploaded' };
}));
const releaseSchema = zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .object */ .Ikc({
    id: zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .number */ .aig(),
    tag_name: zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .string */ .YjP(),
    draft: zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .boolean */ .zMY(),
    target_commitish: zod_mini__WEBPACK_IMPORTED_MODULE_8__/* ._default */ .Rvf(zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .string */ .YjP(), ''),
    html_url: zod_mini__WEBPACK_IMPORTED_MODULE_8__/* ._default */ .Rvf(zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .nullable */ .mee(zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .string */ .YjP()), null),
});
const gitObjectSchema = zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .object */ .Ikc({ object: zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .object */ .Ikc({ sha: zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .string */ .YjP(), type: zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .string */ .YjP() }) });
const streamSchema = zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .custom */ .IeY((data) => typeof data === 'object' && data !== null && Symbol.asyncIterator in data);
class ReleaseReader {
    #client;
    #root;
    #host;
    constructor(client, repository, host) {
        this.#client = client;
        this.#root = `/repos/${repository}`;
        this.#host = host;
    }
    async findRelease(tag) {
        const published = await this.#find(releaseSchema, 'releases/tags/{tag}', { tag });
        if (published !== null)
            return published;
        const releases = await this.#list(releaseSchema, 'releases', { per_page: 30 });
        const drafts = releases.filter(({ tag_name }) => tag_name === tag);
        const [release] = drafts;
        const name = `the release "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_4__/* .quote */ .hD)(tag)}"`;
        if (release === undefined) {
            const remedy = 'check the tag; if the release is a draft, give the job the permission "contents: write", because GitHub hides drafts from other tokens';
            throw new _failure_js__WEBPACK_IMPORTED_MODULE_2__/* .Stop */ .VG((0,_failure_js__WEBPACK_IMPORTED_MODULE_2__/* .problemAt */ .l4)(input, `${name} was not found; ${remedy}`));
        }
        if (drafts.length === 1)
            return release;
        const urls = drafts.map(({ html_url }) => (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_4__/* .quote */ .hD)(html_url ?? 'unknown address'));
        const text = `${name} has ${drafts.length} drafts (${(0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_6__/* .joinFirst */ .FS)(urls, 5)}); delete all but the right one`;
        throw new _failure_js__WEBPACK_IMPORTED_MODULE_2__/* .Stop */ .VG((0,_failure_js__WEBPACK_IMPORTED_MODULE_2__/* .problemAt */ .l4)(input, text, 'nothing'));
    }
    listAssets({ id }) {
        return this.#list(assetSchema, 'releases/{id}/assets', { id, per_page: 100 });
    }
    async findTagCommit(tag) {
        let target = await this.#find(gitObjectSchema, 'git/ref/tags/{tag}', { tag });
        while (target?.object.type === 'tag') {
            const { sha } = target.object;
            target = await this.#find(gitObjectSchema, 'git/tags/{sha}', { sha });
        }
        return target?.object.sha ?? null;
    }
    async download({ id, name, size, hash }, onChunk = () => undefined) {
        const download = `the download of "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_4__/* .quote */ .hD)(name)}"`;
        const sha256 = (0,node_crypto__WEBPACK_IMPORTED_MODULE_0__.createHash)('sha256');
        let bytes = 0;
        try {
            const headers = { accept: _octokit_js__WEBPACK_IMPORTED_MODULE_5__/* .octetStream */ .gh };
            const request = { parseSuccessResponseBody: false };
            const route = `GET ${this.#root}/releases/assets/{id}`;
            const { data } = await this.#client.request(route, { id, headers, request });
            for await (const chunk of streamSchema.parse(data)) {
                bytes += chunk.length;
                sha256.update(chunk);
                onChunk(chunk);
            }
        }
        catch (error) {
            const failure = (0,_octokit_js__WEBPACK_IMPORTED_MODULE_5__/* .toFailure */ .w2)(error, download, this.#host);
            if ((0,_octokit_js__WEBPACK_IMPORTED_MODULE_5__/* .statusOf */ .c2)(error) !== 404)
                throw failure;
            throw new _failure_js__WEBPACK_IMPORTED_MODULE_2__/* .Failure */ .HR('unreadable', 'asset-incomplete', { observed: failure.observed });
        }
        const digest = sha256.digest('hex');
        if (bytes === size && digest === (hash ?? digest))
            return digest;
        let observed = `${download} does not have the digest that GitHub lists`;
        if (bytes !== size)
            observed = `${download} has ${bytes} bytes, but GitHub lists ${size}`;
        throw new _failure_js__WEBPACK_IMPORTED_MODULE_2__/* .Failure */ .HR('unreadable', 'asset-incomplete', { observed });
    }
    async #find(schema, path, parameters) {
        try {
            const { data } = await this.#client.request(`GET ${this.#root}/${path}`, parameters);
            return schema.parse(data);
        }
        catch (error) {
            if ((0,_octokit_js__WEBPACK_IMPORTED_MODULE_5__/* .statusOf */ .c2)(error) === 404)
                return null;
            throw (0,_octokit_js__WEBPACK_IMPORTED_MODULE_5__/* .toFailure */ .w2)(error, path, this.#host);
        }
    }
    async #list(schema, path, parameters) {
        try {
            const { data } = await this.#client.paginate(`GET ${this.#root}/${path}`, parameters);
            return zod_mini__WEBPACK_IMPORTED_MODULE_8__/* .array */ .YOg(schema).parse(data);
        }
        catch (error) {
            throw (0,_octokit_js__WEBPACK_IMPORTED_MODULE_5__/* .toFailure */ .w2)(error, path, this.#host);
        }
    }
}


/***/ }),

/***/ 6039:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Bt: () => (/* binding */ confirmHash),
/* harmony export */   Df: () => (/* binding */ explainRun),
/* harmony export */   Gk: () => (/* binding */ describeReason),
/* harmony export */   HU: () => (/* binding */ explainAll),
/* harmony export */   II: () => (/* binding */ nothingCharged),
/* harmony export */   L4: () => (/* binding */ stateOf),
/* harmony export */   N0: () => (/* binding */ describeCharges),
/* harmony export */   Qv: () => (/* binding */ explainProblems),
/* harmony export */   S0: () => (/* binding */ lookUpUrl),
/* harmony export */   SP: () => (/* binding */ explainFailure),
/* harmony export */   Tb: () => (/* binding */ completeProblem),
/* harmony export */   ho: () => (/* binding */ costOf),
/* harmony export */   iR: () => (/* binding */ rankArtifacts),
/* harmony export */   r: () => (/* binding */ confirmable),
/* harmony export */   vy: () => (/* binding */ countArtifacts),
/* harmony export */   xP: () => (/* binding */ states)
/* harmony export */ });
/* harmony import */ var node_assert__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4589);
/* harmony import */ var _outcome_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1949);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8146);
/* harmony import */ var _text_phrases_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(7999);
/* harmony import */ var _text_verification_url_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(6318);
/* harmony import */ var _words_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(649);






const states = {
    unsure: { sign: '❓', words: 'may be registered', cost: 'may be registered and charged' },
    contradicted: {
        sign: '❓',
        words: 'record does not match',
        cost: 'may be registered and charged',
    },
    known: { sign: '❌', words: 'no record (409)', cost: 'not charged by this run' },
    failed: { sign: '❌', words: 'not registered', cost: 'neither registered nor charged' },
    open: {
        sign: '⚠️',
        words: 'would be sent again',
        cost: 'sent earlier, without a response; may be registered, and may be charged again',
    },
    chargedAgain: { sign: '⚠️', words: 'maybe charged more than once', cost: '' },
    planned: { sign: '🔎', words: 'would be registered', cost: '' },
    registered: { sign: '✅', words: 'registered', cost: '' },
    registeredBefore: { sign: '✅', words: 'registered before', cost: '' },
};
const confirmable = new Set([
    states.unsure,
    states.contradicted,
    states.known,
]);
const confirmHash = 'records.md#confirm-a-hash';
function stateOf(outcome) {
    switch (outcome.state) {
        case 'planned':
            return outcome.openSince === null ? states.planned : states.open;
        case 'contradicted':
            return states.contradicted;
        case 'failed':
            return stateOfFailure(outcome.failure);
        case 'registered':
            if (outcome.maybeChargedAgain)
                return states.chargedAgain;
            return outcome.from === 'this-run' ? states.registered : states.registeredBefore;
    }
}
function stateOfFailure({ reason, registered }) {
    if (reason === 'already-registered')
        return states.known;
    if (reason === 'record-mismatch')
        return states.contradicted;
    return registered === 'unknown' ? states.unsure : states.failed;
}
function rankArtifacts(artifacts) {
    const order = Object.values(states);
    const rankOf = ({ outcome }) => order.indexOf(stateOf(outcome));
    return artifacts.toSorted((a, b) => rankOf(a) - rankOf(b));
}
function countArtifacts(artifacts) {
    return {
        total: artifacts.length,
        registered: artifacts.filter(_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .isRegistered */ .zN).length,
        failed: artifacts.filter(_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .isFailed */ .Ix).length,
    };
}
function nothingCharged(host) {
    const charged = 'nothing was registered or charged';
    return host.environment.attempt > 1 ? `${charged} in this attempt` : charged;
}
function costOf(state, { environment }) {
    const isLater = environment.attempt > 1;
    if (isLater && state === states.failed)
        return `${state.cost} in this attempt`;
    if (isLater && state === states.known)
        return 'not charged in this attempt';
    return state.cost;
}
function describeCharges(artifacts) {
    const registered = artifacts.filter(_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .isRegistered */ .zN);
    const own = registered.filter(({ outcome }) => outcome.from === 'this-run');
    if (own.length === 0)
        return '';
    const count = (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_4__/* .pluralize */ .td)(new Set(own.map(({ hash }) => hash)).size, 'registration');
    const isLeast = own.some(({ outcome }) => outcome.maybeChargedAgain);
    return isLeast ? ` (charged for at least ${count})` : ` (charged for ${count})`;
}
function lookUpUrl(template, { hash, outcome }) {
    const record = outcome.state === 'registered' ? outcome.record : {};
    return (0,_text_verification_url_js__WEBPACK_IMPORTED_MODULE_5__/* .fillVerificationUrl */ .B)(template, { hash, record });
}
const maxObserved = 3;
const maxUnsavedNames = 3;
function explainAll(ranked, ofRun, context) {
    const groups = Map.groupBy(ranked.filter(_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .isFailed */ .Ix), ({ outcome: { failure } }) => {
        return `${failure.reason} ${stateOfFailure(failure).words}`;
    });
    const findings = [];
    for (const group of groups.values()) {
        const finding = explainFailure(group, context);
        const { happened, docs } = ofRun.find(({ reason }) => reason === finding.reason) ?? finding;
        findings.push({ ...finding, happened, docs: docs ?? finding.docs });
    }
    const told = new Set(findings.map(({ reason }) => reason));
    return findings.concat(ofRun.filter(({ reason }) => !told.has(reason)));
}
function explainFailure(group, { inputs, host }) {
    const [first] = group;
    node_assert__WEBPACK_IMPORTED_MODULE_0__(first !== undefined, 'a group has an artifact');
    const { failure } = first.outcome;
    const state = stateOfFailure(failure);
    const reason = (0,_words_js__WEBPACK_IMPORTED_MODULE_3__/* .fitReason */ .im)(failure, inputs);
    const observed = new Set(group.map(({ outcome }) => outcome.failure.observed));
    observed.delete('');
    const seen = [...observed].slice(0, maxObserved).join('; ');
    const finding = explain(reason, seen, host);
    let { next, hint, short, docs } = finding;
    let cost = costOf(state, host);
    if (state === states.unsure)
        next += ', then look up each file at the service';
    if (confirmable.has(state)) {
        hint = 'in "confirmed-hashes", list the SHA-256 of each file that the service has';
        docs = confirmHash;
    }
    const isMaybe = group.some(({ outcome }) => outcome.failure.registered === 'unknown');
    if (state === states.known && isMaybe) {
        cost = 'may have been charged, by this run or an earlier one';
    }
    if (reason !== 'bug')
        short = withStatus(finding.cause, failure);
    const about = group.map(artifact => {
        return { name: artifact.name, url: lookUpUrl(inputs.verificationUrl, artifact) };
    });
    return { ...finding, next, hint, short, cost, docs, about, artifacts: group };
}
function describeReason({ outcome }, { inputs }) {
    if (outcome.state === 'contradicted') {
        return `${_words_js__WEBPACK_IMPORTED_MODULE_3__/* .words */ .aL['record-mismatch'].cause}: ${outcome.problems.join(', ')}`;
    }
    if (outcome.state !== 'failed')
        return stateOf(outcome).cost;
    const { failure } = outcome;
    const { cause } = _words_js__WEBPACK_IMPORTED_MODULE_3__/* .words */ .aL[(0,_words_js__WEBPACK_IMPORTED_MODULE_3__/* .fitReason */ .im)(failure, inputs)];
    if (failure.status === null && failure.observed !== '')
        return `${cause}: ${failure.observed}`;
    return withStatus(cause, failure);
}
function withStatus(cause, { status }) {
    return status === null ? cause : `${cause} (HTTP ${status})`;
}
function explain(reason, observed, { environment }) {
    const { cause, next: text, needs, docs = null } = _words_js__WEBPACK_IMPORTED_MODULE_3__/* .words */ .aL[reason];
    const next = text.replace('{reportTo}', () => environment.reportTo);
    let happened = cause;
    if (observed !== '')
        happened += `: ${observed}`;
    let short = cause;
    if (reason === 'bug')
        short = happened;
    const none = { hint: '', cost: '', about: [], artifacts: [] };
    return { ...none, reason, cause, short, next, happened, docs, needs };
}
function explainRun(host, { unsaved, outputsError, cost }) {
    const { halt, secrets } = host;
    const findings = [];
    const add = (reason, observed = '') => {
        findings.push(explain(reason, secrets.redactLine(observed), host));
    };
    if (halt.bug !== null)
        add('bug', halt.bug.observed);
    if (halt.isCanceled)
        add('canceled');
    if (unsaved.length > 0) {
        const names = unsaved.map(name => `"${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .quote */ .hD)(secrets.redactLine(name))}"`);
        const listed = (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_4__/* .joinFirst */ .FS)(names, maxUnsavedNames, { separator: ', ' });
        const what = `only the log has the record of ${listed}`;
        const docs = 'records.md#save-lines-from-the-log';
        findings.push({ ...explain('not-saved', what, host), docs });
    }
    else if (halt.reason?.reason === 'not-saved')
        add('not-saved');
    else if (outputsError !== null)
        add('outputs-not-written', outputsError);
    const [first] = findings;
    if (first !== undefined)
        findings[0] = { ...first, cost };
    return findings;
}
function completeProblem(problem) {
    const { input, reason, message } = problem;
    if (reason === undefined)
        return problem;
    const { next, needs } = _words_js__WEBPACK_IMPORTED_MODULE_3__/* .words */ .aL[reason];
    return { input, message: `${message}; ${next}`, needs };
}
function explainProblems(problems) {
    return problems.map(completeProblem).map(({ message, needs }) => ({
        reason: null,
        cause: message,
        short: message,
        next: message,
        hint: '',
        happened: '',
        cost: '',
        docs: null,
        needs,
        about: [],
        artifacts: [],
    }));
}


/***/ }),

/***/ 214:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   D0: () => (/* binding */ formatStepText),
/* harmony export */   Pu: () => (/* binding */ formatVerdict),
/* harmony export */   VZ: () => (/* binding */ formatStepLines),
/* harmony export */   Wk: () => (/* binding */ formatError),
/* harmony export */   c0: () => (/* binding */ countStates),
/* harmony export */   cY: () => (/* binding */ confirmedNote),
/* harmony export */   eE: () => (/* binding */ formatLog),
/* harmony export */   oN: () => (/* binding */ formatArtifact)
/* harmony export */ });
/* harmony import */ var _outcome_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1949);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8146);
/* harmony import */ var _text_phrases_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(7999);
/* harmony import */ var _judge_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6039);




function* formatLog(told) {
    const { ranked, steps, inputs, host } = told;
    yield* formatStepLines(steps, host.environment.docsUrl);
    for (const artifact of ranked) {
        const { sign, words } = (0,_judge_js__WEBPACK_IMPORTED_MODULE_2__/* .stateOf */ .L4)(artifact.outcome);
        const parts = [formatArtifact(`${sign} ${words}`, artifact), confirmedNote(artifact)];
        if ((0,_outcome_js__WEBPACK_IMPORTED_MODULE_0__/* .isFailed */ .Ix)(artifact)) {
            const { code, observed } = artifact.outcome.failure;
            parts.push(code, (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .quote */ .hD)(observed, _text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .maxMessageLength */ .sZ));
            const url = (0,_judge_js__WEBPACK_IMPORTED_MODULE_2__/* .lookUpUrl */ .S0)(inputs.verificationUrl, artifact);
            if (url !== null && (0,_judge_js__WEBPACK_IMPORTED_MODULE_2__/* .stateOf */ .L4)(artifact.outcome) !== _judge_js__WEBPACK_IMPORTED_MODULE_2__/* .states */ .xP.failed)
                parts.push(url);
        }
        yield parts.filter(part => part !== '').join('; ');
    }
    yield formatVerdict(told);
}
function confirmedNote({ outcome }) {
    if (outcome.state !== 'registered' || !outcome.isConfirmed)
        return '';
    return 'confirmed by a person after a look-up';
}
function* formatStepLines(steps, docsUrl) {
    for (const [index, step] of steps.entries()) {
        const line = `${index + 1}. ${formatStepText(step)}`;
        yield step.docs === null ? line : `${line} See ${docsUrl}/${step.docs}`;
    }
}
function formatStepText({ next, hint, happened, cost }) {
    const parts = [next, hint, happened, cost].filter(text => text !== '');
    return parts.map(text => (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_3__/* .toSentence */ .Re)((0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .quote */ .hD)(text, _text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .maxMessageLength */ .sZ))).join(' ');
}
function formatArtifact(state, { name, size, hash }) {
    return `${state}: "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .quote */ .hD)(name)}" (${(0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_3__/* .formatSize */ .Xq)(size)}, ${hash ?? 'not hashed'})`;
}
const titles = {
    registered: ['✅', 'NOTARIZED'],
    partial: ['❌', 'PARTLY NOTARIZED'],
    failed: ['❌', 'NOT NOTARIZED'],
    'nothing-found': ['⚠️', 'NOTHING NOTARIZED'],
    'dry-run': ['🔎', 'DRY RUN, nothing was sent'],
};
const counted = new Map([
    [_judge_js__WEBPACK_IMPORTED_MODULE_2__/* .states */ .xP.unsure, 'may be registered'],
    [_judge_js__WEBPACK_IMPORTED_MODULE_2__/* .states */ .xP.contradicted, 'with a record that does not match'],
    [_judge_js__WEBPACK_IMPORTED_MODULE_2__/* .states */ .xP.known, 'without a record (409)'],
    [_judge_js__WEBPACK_IMPORTED_MODULE_2__/* .states */ .xP.chargedAgain, 'maybe charged more than once'],
]);
function formatVerdict({ ranked, verdict, findings, end: { unsaved } }) {
    const { total, registered, failed } = (0,_judge_js__WEBPACK_IMPORTED_MODULE_2__/* .countArtifacts */ .vy)(ranked);
    const counts = countStates(ranked);
    const all = (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_3__/* .pluralize */ .td)(total, 'artifact');
    let [sign, title] = titles[verdict];
    if (counts.has(_judge_js__WEBPACK_IMPORTED_MODULE_2__/* .states */ .xP.chargedAgain))
        sign = '⚠️';
    if (findings.length > 0)
        sign = '❌';
    let fact = `${registered} of ${all} registered`;
    if (verdict === 'failed' && !counts.has(_judge_js__WEBPACK_IMPORTED_MODULE_2__/* .states */ .xP.failed)) {
        title = 'NOT CONFIRMED';
        fact = `${registered} of ${all} known to be registered`;
    }
    if (verdict === 'dry-run') {
        const planned = (counts.get(_judge_js__WEBPACK_IMPORTED_MODULE_2__/* .states */ .xP.planned) ?? 0) + (counts.get(_judge_js__WEBPACK_IMPORTED_MODULE_2__/* .states */ .xP.open) ?? 0);
        fact = `${planned} of ${all} would be registered`;
    }
    if (total === 0)
        fact = `${all} found`;
    const facts = [fact];
    const [only] = counts.keys();
    if (only !== undefined && counts.size === 1) {
        const words = counted.get(only);
        if (words !== undefined)
            facts.push(`${total} ${words}`);
    }
    const causes = findings.map(({ cause }) => cause);
    if (verdict === 'registered' && causes.length > 0) {
        title += `, but ${causes.slice(0, 2).join(', and ')}`;
    }
    else if (failed === 0)
        facts.push(...causes);
    if (unsaved.length > 0) {
        facts.push(`${(0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_3__/* .pluralize */ .td)(unsaved.length, 'record is', 'records are')} only in the log`);
    }
    return `${sign} ${title}: ${facts.join(', ')}`;
}
function countStates(ranked) {
    const groups = Map.groupBy(ranked, ({ outcome }) => (0,_judge_js__WEBPACK_IMPORTED_MODULE_2__/* .stateOf */ .L4)(outcome));
    return new Map(Array.from(groups, ([state, { length }]) => [state, length]));
}
const maxCauseLength = 100;
function formatError({ ranked, verdict, findings, steps, host }, first) {
    const { total, registered, failed } = (0,_judge_js__WEBPACK_IMPORTED_MODULE_2__/* .countArtifacts */ .vy)(ranked);
    const all = (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_3__/* .pluralize */ .td)(total, 'artifact');
    const known = `registered${(0,_judge_js__WEBPACK_IMPORTED_MODULE_2__/* .describeCharges */ .N0)(ranked)}`;
    const cause = (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .cut */ .Jj)(first.short, maxCauseLength);
    const clauses = [`${registered} of ${all} ${known}, but ${cause}`];
    if (failed > 0)
        clauses[0] = `${failed} of ${all} failed: ${cause}`;
    else if (total === 0)
        clauses[0] = `no artifacts were found, and ${cause}`;
    else if (verdict === 'dry-run')
        clauses[0] = `nothing was sent, and ${cause}`;
    const costs = new Map();
    for (const { cost, artifacts } of findings) {
        if (artifacts.length > 0)
            costs.set(cost, (costs.get(cost) ?? 0) + artifacts.length);
    }
    const facts = Array.from(costs, ([cost, count]) => `${count} ${cost}`);
    if (failed > 0 && registered > 0)
        facts.push(`${registered} ${known}`);
    const isFree = (costs.get((0,_judge_js__WEBPACK_IMPORTED_MODULE_2__/* .costOf */ .ho)(_judge_js__WEBPACK_IMPORTED_MODULE_2__/* .states */ .xP.failed, host)) ?? 0) === total;
    if (isFree)
        clauses.push((0,_judge_js__WEBPACK_IMPORTED_MODULE_2__/* .nothingCharged */ .II)(host));
    else if (facts.length > 0)
        clauses.push(facts.join(', '));
    clauses.push(`step 1 of ${steps.length}: ${first.next}`);
    return clauses.map(_text_phrases_js__WEBPACK_IMPORTED_MODULE_3__/* .toSentence */ .Re).join(' ');
}


/***/ }),

/***/ 7954:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $X: () => (/* binding */ formatWhole),
/* harmony export */   AU: () => (/* binding */ decideVerdict),
/* harmony export */   Sy: () => (/* binding */ writeSummary),
/* harmony export */   dj: () => (/* binding */ makeOutputs),
/* harmony export */   n0: () => (/* binding */ setOutputs),
/* harmony export */   vr: () => (/* binding */ formatFailures)
/* harmony export */ });
/* unused harmony export maxRecordsBytes */
/* harmony import */ var _outcome_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1949);
/* harmony import */ var _failure_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7579);
/* harmony import */ var _judge_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6039);
/* harmony import */ var _log_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(214);




function setOutputs(outputs, { runner }) {
    try {
        for (const [name, value] of Object.entries(outputs))
            runner.setOutput(name, value);
        return null;
    }
    catch (error) {
        return (0,_failure_js__WEBPACK_IMPORTED_MODULE_1__/* .describeError */ .Uc)(error);
    }
}
async function writeSummary(markdown, { runner }) {
    try {
        await runner.writeSummary(markdown);
    }
    catch (error) {
        runner.warning(`The job summary could not be written: ${(0,_failure_js__WEBPACK_IMPORTED_MODULE_1__/* .describeError */ .Uc)(error)}`);
    }
}
const maxRecordsBytes = 120_000;
const maxFailuresLength = 50_000;
function formatWhole(items, toEntry) {
    const texts = [];
    let bytes = 1;
    for (const item of items) {
        const text = JSON.stringify(toEntry(item));
        bytes += Buffer.byteLength(text) + 1;
        if (bytes > maxRecordsBytes)
            return '';
        texts.push(text);
    }
    return `[${texts.join(',')}]`;
}
function formatFailures(artifacts, again, context) {
    const texts = [];
    let length = 1;
    for (const artifact of artifacts.values().filter(_outcome_js__WEBPACK_IMPORTED_MODULE_0__/* .isFailed */ .Ix)) {
        const { name, size, hash, outcome } = artifact;
        const { code, registered } = outcome.failure;
        const steps = [(0,_judge_js__WEBPACK_IMPORTED_MODULE_2__/* .explainFailure */ .SP)([artifact], context)];
        if (again !== null)
            steps.push(again);
        const message = steps.map(_log_js__WEBPACK_IMPORTED_MODULE_3__/* .formatStepText */ .D0).join(' ');
        const text = JSON.stringify({ artifact: name, size, hash, code, registered, message });
        length += text.length + 1;
        if (length > maxFailuresLength)
            break;
        texts.push(text);
    }
    return `[${texts.join(',')}]`;
}
function decideVerdict(artifacts, isDryRun) {
    if (isDryRun)
        return 'dry-run';
    if (artifacts.length === 0)
        return 'nothing-found';
    if (!artifacts.some(_outcome_js__WEBPACK_IMPORTED_MODULE_0__/* .isFailed */ .Ix))
        return 'registered';
    return artifacts.some(_outcome_js__WEBPACK_IMPORTED_MODULE_0__/* .isRegistered */ .zN) ? 'partial' : 'failed';
}
function makeOutputs(artifacts, verdict, run) {
    const { paths, template } = run;
    const { total, failed } = (0,_judge_js__WEBPACK_IMPORTED_MODULE_2__/* .countArtifacts */ .vy)(artifacts);
    let registered = artifacts.filter(_outcome_js__WEBPACK_IMPORTED_MODULE_0__/* .isRegistered */ .zN);
    if (verdict === 'dry-run')
        registered = [];
    const records = formatWhole(registered, artifact => {
        const { name, size, hash, outcome } = artifact;
        const { from, record } = outcome;
        const maybeChargedAgain = outcome.maybeChargedAgain || undefined;
        const verificationUrl = (0,_judge_js__WEBPACK_IMPORTED_MODULE_2__/* .lookUpUrl */ .S0)(template, artifact) ?? undefined;
        return { artifact: name, size, hash, from, record, maybeChargedAgain, verificationUrl };
    });
    return {
        verdict,
        records,
        'records-path': paths.records,
        'checksums-path': paths.checksums,
        'evidence-path': paths.evidence,
        'artifact-count': total,
        'registered-count': registered.length,
        'newly-registered-count': registered.filter(({ outcome }) => outcome.from === 'this-run')
            .length,
        'failed-count': failed,
    };
}


/***/ }),

/***/ 4973:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Pd: () => (/* binding */ formatPage),
/* harmony export */   _h: () => (/* binding */ docsLink),
/* harmony export */   aY: () => (/* binding */ code),
/* harmony export */   em: () => (/* binding */ sentence),
/* harmony export */   fQ: () => (/* binding */ maxStepLength),
/* harmony export */   iZ: () => (/* binding */ formatRow),
/* harmony export */   jQ: () => (/* binding */ formatNotes),
/* harmony export */   pj: () => (/* binding */ plain),
/* harmony export */   q: () => (/* binding */ linked),
/* harmony export */   rN: () => (/* binding */ formatSteps)
/* harmony export */ });
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8146);
/* harmony import */ var _text_phrases_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7999);


const maxSummaryBytes = 1_000_000;
const maxStepLength = 4000;
function formatPage(verdict, head, table = null) {
    const lines = [`## ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toHtml */ .Vw)(verdict, _text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .maxMessageLength */ .sZ)}`, '', ...head];
    const bytes = Buffer.byteLength(lines.join('\n'));
    if (table !== null)
        lines.push(...formatTable(table, maxSummaryBytes - bytes));
    return [...lines, ''].join('\n');
}
const maxNames = 3;
function formatSteps(lead, { steps, docs, docsUrl }) {
    if (steps.length === 0)
        return [];
    return [
        `<p><b>${lead}</b> (${docsLink(docsUrl, docs)})</p>`,
        '<ol>',
        ...steps.map(step => `<li>${formatStep(step, docsUrl)}</li>`),
        '</ol>',
    ];
}
function formatStep({ next, hint, happened, cost, docs, about }, docsUrl) {
    const [, first = '', rest = ''] = /^(.*?)(; .*)?$/su.exec((0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_1__/* .toSentence */ .Re)(next)) ?? [];
    let todo = `<b>${breakable(first, maxStepLength)}</b>${breakable(rest, maxStepLength)}`;
    if (hint !== '')
        todo += ` ${sentence(hint)}`;
    if (docs !== null)
        todo += ` ${docsLink(docsUrl, docs)}`;
    let what = sentence(cost);
    if (about.length > 0) {
        const names = about.map(({ name, url }) => linked(code(name), url));
        what = `${what.slice(0, -1)}: ${(0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_1__/* .joinFirst */ .FS)(names, maxNames, { separator: ', ' })}`;
    }
    return [todo, sentence(happened), what].filter(text => text !== '').join('<br>');
}
const maxNotes = 10;
function formatNotes(warnings, docsUrl) {
    if (warnings.length === 0)
        return [];
    const notes = warnings.map(text => {
        const [before = '', ...rest] = (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_1__/* .toSentence */ .Re)(text).split(/docs\/([\w-]+\.md(?:#[\w-]+)?)/);
        let html = `⚠️ ${breakable(before, _text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .maxMessageLength */ .sZ)}`;
        for (let at = 0; at < rest.length; at += 2) {
            html += docsLink(docsUrl, rest[at] ?? '') + breakable(rest[at + 1] ?? '', _text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .maxMessageLength */ .sZ);
        }
        return html;
    });
    const rest = 'more in the log of this step';
    return [`<p>${(0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_1__/* .joinFirst */ .FS)(notes, maxNotes, { separator: '<br>', rest })}</p>`];
}
function sentence(text, maxLength = _text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .maxMessageLength */ .sZ) {
    if (text === '')
        return '';
    return breakable((0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_1__/* .toSentence */ .Re)(text), maxLength);
}
const maxUnfoldedRows = 50;
const reservedBytes = 3000;
function formatTable(table, maxBytes) {
    const { titles, total, plainCount, isFolded, elsewhere } = table;
    const rows = [];
    let bytes = reservedBytes;
    for (const row of table.rows) {
        bytes += Buffer.byteLength(row) + 1;
        if (bytes > maxBytes)
            break;
        rows.push(row);
    }
    const all = ['State', 'Artifact', 'Size', 'SHA-256', ...titles];
    const header = `<tr>${all.map(title => `<th align="left">${title}</th>`).join('')}</tr>`;
    let openCount = total;
    if (isFolded || plainCount > maxUnfoldedRows)
        openCount -= plainCount;
    const open = rows.slice(0, openCount);
    const folded = rows.slice(openCount);
    const lines = [];
    if (open.length > 0)
        lines.push('<table>', header, ...open, '</table>');
    if (folded.length > 0) {
        lines.push(`<details><summary>${(0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_1__/* .pluralize */ .td)(plainCount, 'artifact')} without a problem</summary>`);
        lines.push('<table>', header, ...folded, '</table>', '</details>');
    }
    const missing = (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_1__/* .pluralize */ .td)(total - rows.length, 'more artifact is', 'more artifacts are');
    if (rows.length < total)
        lines.push(`<p>${missing} not shown; ${elsewhere}.</p>`);
    return lines;
}
const shownDigits = 12;
function formatRow(state, { name, size, hash }, more) {
    const { url, details, columns } = more;
    let digits = '–';
    if (hash !== null) {
        const short = `<code title="${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toAttribute */ .G6)(hash)}">${hash.slice(0, shownDigits)}</code>`;
        digits = linked(short, url);
    }
    const cells = [state, code(name), (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_1__/* .formatSize */ .Xq)(size).replace(' ', '&nbsp;'), digits];
    const html = cells.map(cell => `<td>${cell}</td>`);
    if (typeof details === 'string')
        html.push(`<td colspan="${columns}">${details}</td>`);
    else
        html.push(...details.map(cell => `<td nowrap>${cell}</td>`));
    return `<tr>${html.join('')}</tr>`;
}
function code(text, maxLength = _text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .maxNameLength */ .ws) {
    return `<code>${breakable(text, maxLength)}</code>`;
}
function plain(text) {
    return text === '' ? '–' : breakable(text);
}
const longWord = /(\S{41,})/u;
function breakable(text, maxLength = _text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .maxNameLength */ .ws) {
    let html = '';
    for (const part of (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .quote */ .hD)(text, maxLength).split(longWord)) {
        const pieces = longWord.test(part) ? (part.match(/.{1,16}/gu) ?? []) : [part];
        html += pieces.map(piece => (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toHtml */ .Vw)(piece, piece.length)).join('<wbr>');
    }
    return html;
}
function linked(html, url) {
    if (url === null || !/^https?:\/\//i.test(url))
        return html;
    return `<a href="${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toAttribute */ .G6)(url, url.length)}">${html}</a>`;
}
function docsLink(docsUrl, page) {
    return linked(`docs/${page.replace(/#.*/, '')}`, `${docsUrl}/${page}`);
}


/***/ }),

/***/ 5887:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  z8: () => (/* binding */ report),
  Dc: () => (/* binding */ reportStop),
  Kn: () => (/* binding */ writeOutputs)
});

// EXTERNAL MODULE: ./outcome.js
var outcome = __webpack_require__(1949);
// EXTERNAL MODULE: ./text/phrases.js
var phrases = __webpack_require__(7999);
// EXTERNAL MODULE: ./report/judge.js
var judge = __webpack_require__(6039);
// EXTERNAL MODULE: ./report/log.js
var log = __webpack_require__(214);
// EXTERNAL MODULE: ./report/outputs.js
var outputs = __webpack_require__(7954);
// EXTERNAL MODULE: ./report/run-again.js
var run_again = __webpack_require__(1704);
// EXTERNAL MODULE: ./records/record.js
var record = __webpack_require__(5523);
// EXTERNAL MODULE: ./text/names.js
var names = __webpack_require__(2117);
// EXTERNAL MODULE: ./report/page.js
var page = __webpack_require__(4973);
;// CONCATENATED MODULE: ./report/summary.js







function formatSummary(told, warnings) {
    const { ranked, verdict, steps, inputs } = told;
    const { docsUrl } = told.host.environment;
    const { total, failed } = (0,judge/* countArtifacts */.vy)(ranked);
    const head = [
        ...formatCounts(ranked),
        ...page/* formatSteps */.rN('What to do', { steps, docs: 'failures.md', docsUrl }),
        ...page/* formatNotes */.jQ(warnings, docsUrl),
    ];
    if (verdict === 'nothing-found') {
        const docs = page/* docsLink */._h(docsUrl, 'reference.md#patterns');
        head.push(`<p>If you expected artifacts, check the patterns: ${docs}</p>`);
    }
    const places = formatPlace(told);
    if (places.length > 0)
        head.push(`<p>${places.join('<br>')}</p>`);
    const titles = ['Registered at (UTC)', 'Blockchain'];
    if (ranked.some(artifact => fieldsOf(artifact).transaction !== ''))
        titles.push('Transaction');
    const plainCount = ranked.filter(isPlain).length;
    const file = page/* code */.aY(inputs.recordsPath);
    let elsewhere = `see the outputs and ${file}`;
    if (verdict === 'dry-run')
        elsewhere = `see the log; without dry-run, see ${file}`;
    const rows = ranked.values().map(artifact => formatArtifactRow(artifact, titles.length, told));
    const table = { titles, rows, total, plainCount, isFolded: failed > 0, elsewhere };
    return page/* formatPage */.Pd((0,log/* formatVerdict */.Pu)(told), head, table);
}
function formatStopSummary(title, { nothing, todo, warnings, place, }) {
    const head = [];
    if (!title.endsWith(nothing))
        head.push(`<p>${page/* sentence */.em(nothing)}</p>`);
    head.push(...page/* formatSteps */.rN('What to do', todo), ...page/* formatNotes */.jQ(warnings, todo.docsUrl));
    if (place !== null && place.workflowArtifacts.length > 0) {
        head.push(`<p>${formatKept(place, false)}</p>`);
    }
    return page/* formatPage */.Pd(title, head);
}
function formatCounts(ranked) {
    const counts = (0,log/* countStates */.c0)(ranked);
    if (counts.size < 2)
        return [];
    const texts = Array.from(counts, ([state, count]) => {
        if (state !== judge/* states */.xP.registered)
            return `${count} ${state.words}`;
        const own = ranked.filter(({ outcome }) => (0,judge/* stateOf */.L4)(outcome) === state);
        return `${count} new${(0,judge/* describeCharges */.N0)(own)}`;
    });
    return [`<p>${texts.join(' · ')}</p>`];
}
function isPlain({ outcome }) {
    return (0,judge/* stateOf */.L4)(outcome).cost === '' && (0,judge/* stateOf */.L4)(outcome) !== judge/* states */.xP.chargedAgain;
}
function formatPlace(told) {
    const { place, release, evidencePath, unsaved } = told.end;
    if (told.verdict === 'dry-run')
        return [];
    const { docsUrl, source, attempt } = told.host.environment;
    const see = (section) => page/* docsLink */._h(docsUrl, section);
    const saveLines = `To save them: ${see('records.md#save-lines-from-the-log')}`;
    const lines = [];
    if (release?.lacksRecords === false && told.ranked.some(outcome/* isRegistered */.zN)) {
        lines.push(`<b>Records:</b> on the release ${page/* linked */.q(page/* code */.aY(release.tag), release.url)}`);
    }
    if (place.kind === 'post-step') {
        lines.push('<b>Records:</b> the end of the log of this job says where they are');
    }
    if (place.kind === 'log') {
        lines.push(`<b>Records:</b> only in the log of this step. ${saveLines}`);
    }
    else if (unsaved.length > 0) {
        const some = (0,phrases/* pluralize */.td)(unsaved.length, 'record is', 'records are');
        lines.push(`<b>Records:</b> ${some} only in the log of this step. ${saveLines}`);
    }
    if (place.kind === 'file') {
        const file = page/* code */.aY(told.inputs.recordsPath);
        const docs = see('records.md#where-it-is-kept');
        lines.push(`<b>Records:</b> only in the file ${file}. To keep it: ${docs}`);
    }
    const { workflowArtifacts: kept, isWhole } = place;
    if (kept.length > 0)
        lines.push(formatKept(place, evidencePath !== ''));
    const newest = kept.at(-1);
    const hasAll = place.kind === 'workflow-artifact' && unsaved.length === 0;
    const { runId } = source;
    if (release?.lacksRecords === true && hasAll && newest !== undefined && runId !== null) {
        const file = `notarization-records-${runId}-${attempt}.jsonl`;
        const commands = [
            `gh run download ${runId} --name ${newest.name}`,
            `cp ${names/* recordsName */.Sv} ${file}`,
            `gh release upload ${shellQuote(release.tag)} ${file}`,
        ];
        const docs = see('releases.md#notarize-an-existing-release');
        const command = page/* code */.aY(commands.join(' && '), page/* maxStepLength */.fQ);
        lines.push(`The release lacks records of this run. To add them, run ${command}: ${docs}`);
    }
    if (evidencePath !== '') {
        let from = '(the output <code>evidence-path</code>)';
        if (isWhole)
            from = 'from there';
        if (place.kind === 'post-step')
            from = 'from the workflow artifact that the end of the log names';
        const compare = `<code>sha256sum --ignore-missing -c ${names/* evidenceName */.Xc}</code>`;
        lines.push(`To compare downloaded files, put ${page/* code */.aY(names/* evidenceName */.Xc)} ${from} next to them and run ${compare}: ${see('verify.md')}`);
    }
    return lines;
}
function formatKept({ workflowArtifacts, isWhole }, hasEvidence) {
    const links = workflowArtifacts
        .toReversed()
        .map(({ name, url }) => page/* linked */.q(page/* code */.aY(name), url));
    let what = 'Records';
    if (!isWhole)
        what = 'Records of earlier attempts';
    else if (hasEvidence)
        what = 'Records and evidence page';
    return `<b>${what}:</b> workflow artifact ${(0,phrases/* joinFirst */.FS)(links, 5, { separator: ', ' })}`;
}
function shellQuote(text) {
    if (/^[\w./+-]+$/.test(text))
        return text;
    return `'${text.replaceAll("'", String.raw `'\''`)}'`;
}
function formatArtifactRow(artifact, columns, told) {
    const { sign, words } = (0,judge/* stateOf */.L4)(artifact.outcome);
    const note = (0,log/* confirmedNote */.cY)(artifact);
    let details = page/* sentence */.em(note);
    if (!(0,outcome/* isRegistered */.zN)(artifact))
        details = page/* sentence */.em((0,judge/* describeReason */.Gk)(artifact, told));
    else if (note === '') {
        const { time, blockchain, transaction } = fieldsOf(artifact);
        details = [time, blockchain, transaction].slice(0, columns).map(page/* plain */.pj);
    }
    const url = (0,judge/* lookUpUrl */.S0)(told.inputs.verificationUrl, artifact);
    return page/* formatRow */.iZ(`${sign}&nbsp;${words}`, artifact, { url, details, columns });
}
function fieldsOf({ outcome }) {
    return (0,record/* describeFields */.VO)(outcome.state === 'registered' ? outcome.record : {});
}

;// CONCATENATED MODULE: ./report/report.js







function writeOutputs(end, job) {
    const { host, recordsPath } = job;
    const told = tell(end, job);
    const { artifacts, checksumsPath, evidencePath } = told.end;
    const template = told.inputs.verificationUrl;
    const paths = { records: recordsPath, checksums: checksumsPath, evidence: evidencePath };
    const made = outputs/* makeOutputs */.dj(artifacts, told.verdict, { paths, template });
    if (made['records'] === '') {
        const why = 'The output "records" is empty, because it would exceed 120,000 bytes';
        host.runner.warning(`${why}. Read the file in the output "records-path" instead`);
    }
    const failures = outputs/* formatFailures */.vr(artifacts, told.again, told);
    return outputs/* setOutputs */.n0({ ...made, failures }, host);
}
function tell(completed, job) {
    const { host } = job;
    const end = { ...completed, artifacts: withoutSecrets(completed.artifacts, host) };
    const { place, unsaved, outputsError } = end;
    const context = contextOf(job);
    const { dryRun } = context.inputs;
    const ranked = judge/* rankArtifacts */.iR(end.artifacts);
    const { total, registered, failed } = judge/* countArtifacts */.vy(ranked);
    let cost = '';
    if (dryRun || total === 0)
        cost = judge/* nothingCharged */.II(host);
    else if (failed === 0) {
        cost = `${(0,phrases/* pluralize */.td)(registered, 'artifact is', 'artifacts are')} registered`;
    }
    const ofRun = judge/* explainRun */.Df(host, { unsaved, outputsError, cost });
    const findings = judge/* explainAll */.HU(ranked, ofRun, context);
    const again = (0,run_again/* tellAgain */.G)(findings, dryRun ? null : place, unsaved.length > 0);
    const verdict = outputs/* decideVerdict */.AU(end.artifacts, dryRun);
    const steps = (0,run_again/* withLast */.j)(findings, again);
    return { ...context, end, ranked, verdict, findings, again, steps };
}
function contextOf({ inputs, host }) {
    const recordsPath = host.secrets.redactLine(inputs.recordsPath);
    let { verificationUrl } = inputs;
    if (verificationUrl !== null)
        verificationUrl = host.secrets.redactLine(verificationUrl);
    return { inputs: { ...inputs, recordsPath, verificationUrl }, host };
}
async function report(end, job) {
    if (end.kind === 'stopped')
        return reportStopped(end, job);
    const { runner, secrets } = job.host;
    const told = tell(end, job);
    if (told.ranked.some(outcome/* isFailed */.Ix)) {
        const failures = outputs/* formatFailures */.vr(told.end.artifacts, told.again, told);
        outputs/* setOutputs */.n0({ failures }, job.host);
    }
    for (const line of (0,log/* formatLog */.eE)(told))
        runner.info(line);
    warnOfCharges(told, runner);
    if (job.inputs.showSummary) {
        const warnings = runner.warnings.map(text => secrets.redactLine(text));
        await outputs/* writeSummary */.Sy(formatSummary(told, warnings), job.host);
    }
    const [first] = told.findings;
    if (first === undefined)
        return 0;
    runner.error((0,log/* formatError */.Wk)(told, first));
    return 1;
}
function warnOfCharges({ end }, runner) {
    const registered = end.artifacts.filter(outcome/* isRegistered */.zN);
    const again = registered.filter(({ outcome }) => outcome.maybeChargedAgain).length;
    if (again > 0) {
        const what = `${(0,phrases/* pluralize */.td)(again, 'artifact')} may have been charged more than once`;
        const why = 'an earlier call got no response, or several runs registered the same file';
        runner.passingWarning(`${what}: ${why}. Check what the service charged`);
    }
    if (end.place.isEarlierMissing && registered.some(({ outcome }) => outcome.from === 'this-run')) {
        runner.warning('No records of an earlier attempt were found. If an earlier attempt registered these files, they were charged again: docs/records.md#where-it-is-kept');
    }
}
async function reportStopped({ problems, checksumsPath, place }, { host, inputs, recordsPath }) {
    let how = 'stopped';
    if (host.halt.isCanceled && problems.length === 0)
        how = 'canceled';
    let title = `NOT NOTARIZED: ${how} before anything was sent`;
    let nothing = judge/* nothingCharged */.II(host);
    if (host.environment.attempt > 1) {
        nothing = 'this attempt sent nothing';
        title = `${how.toUpperCase()}: ${nothing}`;
    }
    if (inputs.dryRun)
        title = `DRY RUN ${how}: nothing was sent`;
    const paths = { records: recordsPath, checksums: checksumsPath, evidence: '' };
    const made = outputs/* makeOutputs */.dj([], 'stopped', { paths, template: null });
    return reportStop(problems, host, {
        title: `❌ ${title}`,
        nothing,
        outputs: { ...made, failures: '[]' },
        docs: 'failures.md',
        place: inputs.dryRun ? null : place,
        showSummary: inputs.showSummary,
    });
}
const maxErrors = 10;
async function reportStop(stoppedBy, host, stopped) {
    const { runner, secrets } = host;
    const { docsUrl } = host.environment;
    const { title, nothing, docs, place } = stopped;
    const outputsError = outputs/* setOutputs */.n0(stopped.outputs, host);
    const problems = stoppedBy.map(judge/* completeProblem */.Tb).map(problem => {
        return { ...problem, message: secrets.redactLine(problem.message) };
    });
    const ofRun = judge/* explainRun */.Df(host, { unsaved: [], outputsError, cost: '' });
    const findings = judge/* explainProblems */.Qv(problems).concat(ofRun);
    const again = (0,run_again/* tellAgain */.G)(findings, place);
    const steps = (0,run_again/* withLast */.j)(findings, again);
    runner.info((0,phrases/* toSentence */.Re)(nothing));
    for (const line of (0,log/* formatStepLines */.VZ)(steps, docsUrl))
        runner.info(line);
    if (stopped.showSummary) {
        const warnings = runner.warnings.map(text => secrets.redactLine(text));
        const parts = { nothing, todo: { steps, docs, docsUrl }, warnings, place };
        await outputs/* writeSummary */.Sy(formatStopSummary(title, parts), host);
    }
    const ofInputs = Map.groupBy(problems, ({ input }) => input);
    const texts = Array.from(ofInputs.values(), group => {
        return (0,phrases/* toSentence */.Re)(group.map(({ message }) => message).join('; '));
    });
    for (const { happened, next } of ofRun)
        texts.push(`${(0,phrases/* toSentence */.Re)(happened)} ${(0,phrases/* toSentence */.Re)(next)}`);
    if (texts.length > maxErrors) {
        const left = [...ofInputs.keys()]
            .slice(maxErrors - 1)
            .flatMap(input => input ?? [])
            .map(input => `"${input}"`);
        texts.splice(maxErrors - 1, texts.length, `Also wrong: ${left.join(', ')}.`);
    }
    for (const text of texts) {
        const parts = [text, (0,phrases/* toSentence */.Re)(nothing)];
        if (texts.length === 1 && again !== null)
            parts.push(again.next);
        runner.error(parts.join(' '));
    }
    return 1;
}
function withoutSecrets(artifacts, { secrets }) {
    return artifacts.map(artifact => {
        const name = secrets.redactText(artifact.name);
        if ((0,outcome/* isRegistered */.zN)(artifact)) {
            const record = secrets.redactJson(artifact.outcome.record);
            return { ...artifact, name, outcome: { ...artifact.outcome, record } };
        }
        if (!(0,outcome/* isFailed */.Ix)(artifact))
            return { ...artifact, name };
        const { failure } = artifact.outcome;
        const observed = secrets.redactLine(failure.observed);
        return { ...artifact, name, outcome: (0,outcome/* failed */.gz)(failure.with({ observed })) };
    });
}


/***/ }),

/***/ 1704:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   G: () => (/* binding */ tellAgain),
/* harmony export */   j: () => (/* binding */ withLast)
/* harmony export */ });
/* harmony import */ var _text_phrases_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7999);
/* harmony import */ var _judge_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(6039);


const charges = {
    free: 'You are not charged again.',
    'free if same': 'You are not charged again for registered files unless they change.',
    'free either way': 'You are not charged again for registered files unless they change, or the new run lacks these records.',
    'free for others': 'You are not charged again for any other file.',
    'free if kept': 'You are not charged again for files whose records were kept.',
    'without records': 'Without these records, you are charged again for registered files.',
    'without lines': 'In a new run without these lines, or a re-run, you are charged again for registered files.',
    'without file': 'In a new run without this file, or a re-run, you are charged again for registered files.',
    'without some': 'In a run that lacks some of these records, such as a re-run, you are charged again for their files.',
    'if deleted': 'If you delete it, you are charged again for files whose records exist only there.',
    earlier: 'You may be charged again for files that an earlier attempt registered.',
};
const giveRecords = 'records.md#give-a-new-run-the-records';
const rerun = {
    way: 're-run',
    first: '',
    next: 're-run the failed jobs',
    charge: 'free',
    docs: null,
};
const newRun = {
    way: 'new-run',
    first: '',
    next: 'start a new run (a re-run uses the old workflow and commit)',
    charge: 'free',
    docs: null,
};
const newRunWithRecords = {
    way: 'new-run-with-records',
    first: '',
    next: 'give the records of this run to a new run (a re-run uses the old workflow and commit)',
    charge: 'without records',
    docs: giveRecords,
};
const checkLog = 'Check at the end of the log that the records were kept.';
const rows = {
    none: { same: rerun, changed: newRun },
    release: { same: rerun, changed: newRun },
    'workflow-artifact': {
        same: { ...rerun, charge: 'free if same' },
        changed: newRunWithRecords,
    },
    log: inBoth({
        ...newRunWithRecords,
        next: 'save the record lines from the log, and give them to a new run',
        charge: 'without lines',
    }),
    file: inBoth({
        ...newRunWithRecords,
        next: 'give the records file to a new run, if you have a copy of it',
        charge: 'without file',
    }),
    'post-step': {
        same: { ...rerun, first: checkLog, charge: 'free if kept', docs: giveRecords },
        changed: { ...newRunWithRecords, first: checkLog },
    },
    unreadable: {
        same: {
            ...rerun,
            next: 're-run the failed jobs. If this happens again, save a copy of the workflow artifact with the records, delete the original, and re-run the failed jobs',
            charge: 'if deleted',
            docs: 'records.md#damaged-records',
        },
        changed: newRunWithRecords,
    },
};
const besidesLog = {
    'workflow-artifact': ' and the records in the workflow artifact',
    file: ' and the records file, if you have a copy of it,',
    'post-step': ' and the records that the post step kept',
};
function inBoth(cell) {
    return { same: cell, changed: cell };
}
function findRow(place, hasUnsaved) {
    const kind = place?.kind ?? 'none';
    if (!hasUnsaved)
        return rows[kind];
    const besides = besidesLog[kind];
    if (besides === undefined)
        return rows.log;
    const next = `save the record lines from the log, and give them${besides} to a new run`;
    const { first } = rows[kind].same;
    return inBoth({ ...newRunWithRecords, first, next, charge: 'without some' });
}
function tellAgain(findings, place, hasUnsaved = false) {
    if (findings.length === 0)
        return null;
    const outcomes = findings.flatMap(({ artifacts }) => artifacts.map(({ outcome }) => outcome));
    const found = new Set(outcomes.map(_judge_js__WEBPACK_IMPORTED_MODULE_0__/* .stateOf */ .L4));
    const isChanged = findings.some(({ needs }) => needs === 'workflow');
    const { same, changed } = findRow(place, hasUnsaved);
    const cell = isChanged ? changed : same;
    let { charge, docs } = cell;
    let next = (0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_1__/* .toSentence */ .Re)(cell.next);
    const more = [];
    const ways = [cell.way];
    const risks = [];
    if (!found.isDisjointFrom(_judge_js__WEBPACK_IMPORTED_MODULE_0__/* .confirmable */ .r)) {
        docs = _judge_js__WEBPACK_IMPORTED_MODULE_0__/* .confirmHash */ .Bt;
        if (cell === changed)
            more.push('Give that run the input "confirmed-hashes", too.');
        else {
            ways.push(changed.way);
            next = `If your workflow passes a variable as "confirmed-hashes", set this variable, and ${same.next}.`;
            more.push(`If not, add that input, and ${changed.next}.`);
            if (charge === 'free if same')
                charge = 'free either way';
            else if (charge !== changed.charge)
                more.push(charges[changed.charge]);
        }
    }
    if (cell.first !== '')
        next = `${cell.first} ${next}`;
    if (place?.isEarlierMissing === true) {
        risks.push('earlier');
        if (place.kind === 'log') {
            more.push('If the log of an earlier attempt has record lines, give them to that run, too.');
        }
        if (charge === 'free either way')
            charge = 'without records';
        if (charge !== 'free' && charge !== 'free if same')
            more.push(charges[charge]);
        charge = 'earlier';
    }
    if (found.has(_judge_js__WEBPACK_IMPORTED_MODULE_0__/* .states */ .xP.unsure)) {
        risks.push('unsure');
        more.push('You can also run again without the look-up: files that may be registered are then sent again, and you may be charged for them again, once.');
        if (charge === 'free')
            charge = 'free for others';
    }
    if (place !== null)
        more.push(charges[charge]);
    const hint = more.concat(tellLasting(findings)).join(' ');
    return { next, hint, happened: '', cost: '', docs, about: [], ways, risks };
}
function tellLasting(findings) {
    const lasting = findings.filter(({ needs }) => needs === 'secret' || needs === 'person');
    if (lasting.length === 0)
        return [];
    const numbers = lasting.map(finding => findings.indexOf(finding) + 1).join(', ');
    let until = `step ${numbers} is done`;
    if (lasting.length > 1)
        until = `steps ${numbers} are done`;
    const isForFiles = lasting.every(({ artifacts }) => artifacts.length > 0);
    let ends = 'ends the same way';
    if (isForFiles && lasting.length < findings.length)
        ends += ' for these files';
    return [`Until ${until}, another run ${ends}.`];
}
function withLast(steps, again) {
    return again === null ? steps : [...steps, again];
}


/***/ }),

/***/ 649:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   aL: () => (/* binding */ words),
/* harmony export */   im: () => (/* binding */ fitReason)
/* harmony export */ });
/* unused harmony export sections */
/* harmony import */ var _inputs_shared_inputs_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1218);

const refusals = {
    'wrong-key': {
        cause: 'the service rejected the API key',
        next: 'update the secret that you pass as "api-key" with a valid key',
        needs: 'secret',
    },
    'rejected-token': {
        cause: 'the service rejected a token that it had just issued',
        next: 'ask the service what your API key is allowed to do',
        needs: 'person',
    },
    unpaid: {
        cause: 'the subscription has probably ended or is used up',
        next: 'renew the subscription at the service',
        needs: 'person',
    },
    'unpaid-data': {
        cause: 'the subscription in the input "subscription" has probably ended or is used up',
        next: 'renew the subscription, and update the secret that you pass as "subscription"',
        needs: 'secret',
        docs: 'reference.md#the-subscription',
    },
    forbidden: {
        cause: 'your account is probably not allowed to register files',
        next: 'check the permissions of your account at the service',
        needs: 'person',
    },
    'no-active-subscription': {
        cause: 'your account probably has no active subscription',
        next: 'activate a subscription at the service',
        needs: 'person',
    },
    'no-subscription-data': {
        cause: 'the service returned no subscription data',
        next: 'set the input "subscription" to your subscription data',
        needs: 'workflow',
        docs: 'reference.md#the-subscription',
    },
    'already-registered': {
        cause: 'the service already has the hash, from an earlier run or an earlier call',
        next: 'look up each file at the service',
        needs: 'person',
    },
    'registration-rejected': {
        cause: 'the service rejected the registration',
        next: 'ask the service why it rejected the registration',
        needs: 'person',
    },
    'rejected-data': {
        cause: 'the service rejected the registration, probably because of the subscription data',
        next: 'update the secret that you pass as "subscription"',
        needs: 'secret',
        docs: 'reference.md#the-subscription',
    },
    'no-request': {
        cause: 'the service probably expects a request before it registers a file',
        next: 'set the input "request-registration" to true',
        needs: 'workflow',
    },
    'request-not-found': {
        cause: 'the service cannot find the request that this run just made',
        next: 'give the service a few minutes to process the request',
        needs: 'nothing',
    },
    'request-exists': {
        cause: 'the service already has a request for the hash, but does not complete it',
        next: 'ask the service to complete or delete this request',
        needs: 'person',
    },
    'request-rejected': {
        cause: 'the service rejected the request for a registration',
        next: 'ask the service why it rejected the request',
        needs: 'person',
    },
    'record-mismatch': {
        cause: 'the record from the service does not match the file',
        next: 'ask the service whether each file is registered',
        needs: 'person',
    },
};
const responses = {
    unavailable: {
        cause: 'the service failed or did not respond in time',
        next: 'wait until the service responds',
        needs: 'nothing',
    },
    'rate-limit': {
        cause: 'the rate limit of the service was reached',
        next: 'wait a few minutes',
        needs: 'nothing',
    },
    'long-wait': {
        cause: 'the service asked for a longer wait than a run can take',
        next: 'wait for as long as the service asks',
        needs: 'nothing',
    },
    unreachable: {
        cause: 'the service cannot be reached from the runner',
        next: 'check that the service is up and that the runner has network access',
        needs: 'nothing',
    },
    'unknown-host': {
        cause: 'the runner cannot resolve the host name of the service',
        next: 'check the network and the DNS of the runner',
        needs: 'nothing',
    },
    'wrong-host': {
        cause: 'the runner cannot resolve the host name in the input "base-url"',
        next: 'correct the input "base-url"',
        needs: 'workflow',
    },
    'proxy-refused': {
        cause: 'the proxy did not connect to the service',
        next: 'check the proxy of the runner (https_proxy)',
        needs: 'person',
    },
    'untrusted-certificate': {
        cause: 'the runner does not trust the certificate of the service',
        next: 'set NODE_EXTRA_CA_CERTS in the workflow for a private certificate authority, or report the certificate to the service',
        needs: 'workflow',
    },
    'expired-certificate': {
        cause: 'the certificate of the service has expired',
        next: 'wait until the service has renewed its certificate',
        needs: 'nothing',
    },
    'not-the-service': {
        cause: 'the service is probably under maintenance, because something else responded',
        next: 'wait until the maintenance ends',
        needs: 'nothing',
    },
    'wrong-address': {
        cause: 'the input "base-url" is probably not the address of the service',
        next: 'correct the input "base-url"',
        needs: 'workflow',
    },
    'unexpected-response': {
        cause: 'the service sent an unexpected response',
        next: 'ask the service about this response',
        needs: 'nothing',
    },
    redirect: {
        cause: 'the service is probably under maintenance, because it redirected the call',
        next: 'wait until the service responds without a redirect',
        needs: 'nothing',
    },
    'wrong-redirect': {
        cause: 'the address in the input "base-url" redirects, and redirects are never followed',
        next: 'set the input "base-url" to the final address',
        needs: 'workflow',
    },
};
const files = {
    'file-unreadable': {
        cause: 'the file could not be read',
        next: 'make the file readable, or exclude it from the patterns',
        needs: 'workflow',
    },
    'file-changed': {
        cause: 'the file changed while it was being read',
        next: 'make sure that every step that writes the file finishes before this step',
        needs: 'workflow',
    },
    'name-not-utf8': {
        cause: 'the file name is not valid UTF-8',
        next: 'rename the file, or exclude it from the patterns',
        needs: 'workflow',
    },
    'asset-incomplete': {
        cause: 'the download is not the asset that GitHub lists',
        next: 'if this persists, upload the asset again',
        needs: 'nothing',
    },
    'github-token': {
        cause: 'GitHub rejected the token',
        next: 'if you set "github-token", replace that token',
        needs: 'secret',
    },
    'github-permission': {
        cause: 'the token is not allowed to read the release',
        next: 'give the job the permission "contents: read"',
        needs: 'workflow',
    },
    'github-rate-limit': {
        cause: "GitHub's rate limit was reached",
        next: 'wait until the limit is reset, at most an hour',
        needs: 'nothing',
    },
    'github-unavailable': {
        cause: 'GitHub failed or did not respond in time',
        next: 'wait until GitHub responds',
        needs: 'nothing',
    },
};
const ofRun = {
    canceled: {
        cause: 'the run was canceled',
        next: 'find out what canceled the run, such as a person, a timeout or a newer run',
        needs: 'nothing',
    },
    'not-saved': {
        cause: 'the records file could not be written',
        next: 'free disk space on the runner, or make the records file writable',
        needs: 'person',
    },
    'outputs-not-written': {
        cause: 'the outputs of the step could not be written',
        next: 'free disk space on the runner',
        needs: 'person',
    },
    bug: {
        cause: 'this action has a bug (internal-error)',
        next: 'report the bug at {reportTo}',
        needs: 'nothing',
    },
};
const sections = {
    'The service refuses': refusals,
    'The service does not respond': responses,
    'Files and assets': files,
    'The run': ofRun,
};
const words = {
    ...refusals,
    ...responses,
    ...files,
    ...ofRun,
};
const withAddress = {
    'not-the-service': 'wrong-address',
    'unknown-host': 'wrong-host',
    redirect: 'wrong-redirect',
};
const withData = { unpaid: 'unpaid-data', 'registration-rejected': 'rejected-data' };
function fitReason(failure, inputs) {
    const { reason, endsRun } = failure;
    const { baseUrl, payment } = inputs;
    let fitting;
    if (baseUrl !== _inputs_shared_inputs_js__WEBPACK_IMPORTED_MODULE_0__/* .defaultBaseUrl */ .Ip && (endsRun || reason !== 'redirect'))
        fitting = withAddress[reason];
    if (payment !== null && payment !== 'active')
        fitting ??= withData[reason];
    return fitting ?? reason;
}


/***/ }),

/***/ 8491:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   m: () => (/* binding */ createProgress)
/* harmony export */ });
/* harmony import */ var _text_phrases_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7999);

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
        const left = rate > 0 ? `, about ${(0,_text_phrases_js__WEBPACK_IMPORTED_MODULE_0__/* .formatDuration */ .a3)((total - done) / rate)} left` : '';
        const more = detail === '' ? '' : `, ${detail}`;
        log(`${what}: ${done} of ${total}${more}, ${rate.toFixed(1)} per second${left}`);
    };
}


/***/ }),

/***/ 2293:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   w: () => (/* binding */ proxyProblem)
/* harmony export */ });
/* harmony import */ var _actions_http_client_lib_proxy__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3689);

function proxyProblem(url, env) {
    const target = new URL(url);
    const variable = `${target.protocol.slice(0, -1)}_proxy`;
    const name = [variable, variable.toUpperCase()].find(key => (env[key] ?? '') !== '');
    if (name === undefined || (0,_actions_http_client_lib_proxy__WEBPACK_IMPORTED_MODULE_0__/* .checkBypass */ .H)(target) || isUsable(env[name] ?? ''))
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


/***/ }),

/***/ 8146:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   G6: () => (/* binding */ toAttribute),
/* harmony export */   Jj: () => (/* binding */ cut),
/* harmony export */   OX: () => (/* binding */ toSingleLine),
/* harmony export */   QW: () => (/* binding */ maskWords),
/* harmony export */   Vw: () => (/* binding */ toHtml),
/* harmony export */   gD: () => (/* binding */ toLogLine),
/* harmony export */   hD: () => (/* binding */ quote),
/* harmony export */   sZ: () => (/* binding */ maxMessageLength),
/* harmony export */   ws: () => (/* binding */ maxNameLength)
/* harmony export */ });
/* unused harmony export showControls */
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


/***/ }),

/***/ 7727:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   AO: () => (/* binding */ rejectedFields),
/* harmony export */   Fq: () => (/* binding */ isInteger),
/* harmony export */   OW: () => (/* binding */ isJsonObject),
/* harmony export */   b6: () => (/* binding */ textOf),
/* harmony export */   dw: () => (/* binding */ parseJsonObject),
/* harmony export */   fE: () => (/* binding */ isShallow),
/* harmony export */   gF: () => (/* binding */ fieldText),
/* harmony export */   iC: () => (/* binding */ maxJsonDepth),
/* harmony export */   qF: () => (/* binding */ parseJson)
/* harmony export */ });
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


/***/ }),

/***/ 2117:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Fl: () => (/* binding */ baseName),
/* harmony export */   P: () => (/* binding */ isRecordsAsset),
/* harmony export */   Sv: () => (/* binding */ recordsName),
/* harmony export */   UF: () => (/* binding */ compareCodeUnits),
/* harmony export */   Xc: () => (/* binding */ evidenceName),
/* harmony export */   Z4: () => (/* binding */ isOwnFile),
/* harmony export */   rH: () => (/* binding */ formatChecksum)
/* harmony export */ });
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


/***/ }),

/***/ 7999:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   FS: () => (/* binding */ joinFirst),
/* harmony export */   Re: () => (/* binding */ toSentence),
/* harmony export */   Xq: () => (/* binding */ formatSize),
/* harmony export */   ZH: () => (/* binding */ capitalize),
/* harmony export */   a3: () => (/* binding */ formatDuration),
/* harmony export */   fU: () => (/* binding */ formatTime),
/* harmony export */   td: () => (/* binding */ pluralize)
/* harmony export */ });
/* harmony import */ var _json_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7727);

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
        return (0,_json_js__WEBPACK_IMPORTED_MODULE_0__/* .fieldText */ .gF)(value);
    const date = new Date(value);
    if (Number.isNaN(date.getTime()))
        return (0,_json_js__WEBPACK_IMPORTED_MODULE_0__/* .fieldText */ .gF)(value);
    return date.toISOString().slice(0, 19).replace('T', ' ');
}


/***/ }),

/***/ 6318:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   B: () => (/* binding */ fillVerificationUrl),
/* harmony export */   U: () => (/* binding */ checkVerificationTemplate)
/* harmony export */ });
const maxUrlLength = 2000;
function checkVerificationTemplate(template) {
    const filled = template.replaceAll(/\{(?:hash|txId)\}/g, 'x');
    const url = URL.parse(filled);
    if (url === null || /[\s\p{Cc}\\]/u.test(template))
        return 'must be one URL';
    if (!/^https:\/\//i.test(template))
        return 'must start with https://';
    if (url.username !== '' || url.password !== '')
        return 'must not contain credentials';
    if (/[{}]/.test(filled))
        return 'must have no placeholders except {hash} and {txId}';
    if (/^https:\/{2,}[^/?#]*\{/i.test(template))
        return 'must have a host without placeholders';
    if (template.length > maxUrlLength)
        return `must have at most ${maxUrlLength} characters`;
    if (!template.includes('{'))
        return 'must have the placeholder {hash} or {txId}';
    return null;
}
function fillVerificationUrl(template, { hash, record }) {
    if (template === null || hash === null)
        return null;
    let url = template.replaceAll('{hash}', hash);
    if (url.includes('{txId}')) {
        const { txId } = record;
        if (typeof txId !== 'string' || txId === '' || txId.includes('***'))
            return null;
        const transaction = encodeURIComponent(txId.toWellFormed());
        url = url.replaceAll('{txId}', () => transaction);
    }
    if (url.length > maxUrlLength)
        return null;
    return url;
}


/***/ })

};
