export const id = 775;
export const ids = [775];
export const modules = {

/***/ 7163:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   S: () => (/* binding */ isHashed),
/* harmony export */   v: () => (/* binding */ describeCount)
/* harmony export */ });
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8146);
/* harmony import */ var _text_words_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4904);


const nouns = {
    path: ['file', 'files'],
    checksums: ['checksums entry', 'checksums entries'],
    'release-tag': ['release asset', 'release assets'],
};
function describeCount({ input, text, count }) {
    const [singular, plural] = nouns[input];
    return `"${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .quote */ .hD)(text, 100)}" matches ${(0,_text_words_js__WEBPACK_IMPORTED_MODULE_1__/* .pluralize */ .td)(count, singular, plural)}`;
}
function isHashed(artifact) {
    return 'hash' in artifact;
}


/***/ }),

/***/ 6159:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  k: () => (/* binding */ collectArtifacts)
});

// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./failure.js
var failure = __webpack_require__(7579);
// EXTERNAL MODULE: ./text/escape.js
var text_escape = __webpack_require__(8146);
// EXTERNAL MODULE: ./text/system-error.js
var system_error = __webpack_require__(8343);
// EXTERNAL MODULE: ./text/words.js
var words = __webpack_require__(4904);
// EXTERNAL MODULE: external "node:buffer"
var external_node_buffer_ = __webpack_require__(4573);
;// CONCATENATED MODULE: ./artifacts/checksums.js

const maxErrors = 5;
const gnuLine = /^(?<escape>\\?)(?:sha256:)?(?<hash>[0-9A-Fa-f]{64}) [ *]?(?<name>.*)$/s;
const bsdLine = /^(?<escape>\\?)SHA(?:2-)?256 ?\((?<name>.+)\) ?= (?:sha256:)?(?<hash>[0-9A-Fa-f]{64})$/s;
const loneHash = /^(?:sha256:)?(?<hash>[0-9A-Fa-f]{64})$/;
function parseChecksums(bytes, fileName) {
    const entries = [];
    const errors = [];
    let lone = null;
    for (const [index, raw] of bytes.toString('latin1').split('\n').entries()) {
        const encoded = Buffer.from(raw.replace(/\r$/, ''), 'latin1');
        const line = index === 0 ? encoded.toString().replace(/^\ufeff/, '') : encoded.toString();
        if (line.trim() === '' || line.startsWith('#'))
            continue;
        const entry = (0,external_node_buffer_.isUtf8)(encoded) ? readLine(line) : null;
        if (entry !== null)
            entries.push(entry);
        else
            errors.push(`line ${index + 1} is not a SHA-256 checksum with a name`);
        lone = loneHash.exec(line)?.groups?.['hash'] ?? null;
        if (errors.length === maxErrors)
            break;
    }
    const [, name] = /^(.*[^/])\.sha256(?:sum)?$/s.exec(fileName) ?? [];
    const isLone = errors.length === 1 && entries.length === 0;
    if (lone === null || name === undefined || !isLone)
        return { entries, errors };
    return { entries: [toEntry(name, lone)], errors: [] };
}
function readLine(line) {
    const { groups } = gnuLine.exec(line) ?? bsdLine.exec(line) ?? {};
    const { escape = '', hash = '', name = '' } = groups ?? {};
    const plain = (escape === '' ? name : checksums_unescape(name)).replace(/^\.\/+/, '');
    return plain === '' ? null : toEntry(plain, hash);
}
function toEntry(name, hash) {
    return { source: 'checksums', name, size: null, hash: hash.toLowerCase() };
}
function checksums_unescape(name) {
    const characters = { n: '\n', r: '\r' };
    return name.replace(/\\(.)/gs, (_, escaped) => characters[escaped] ?? escaped);
}

// EXTERNAL MODULE: ./artifacts/files.js + 1 modules
var artifacts_files = __webpack_require__(9583);
// EXTERNAL MODULE: ./artifacts/own-files.js
var own_files = __webpack_require__(1683);
;// CONCATENATED MODULE: ./artifacts/collect.js









const maxShown = 10;
const onlyOwn = 'only files that this action writes, which are never artifacts';
const listsNothing = 'lists no artifact (files that this action writes do not count)';
const noPattern = (0,failure/* problemAt */.l4)('path', 'no pattern includes anything; add one pattern per line');
async function collectArtifacts(inputs, host, options) {
    const { skip, remedy = 'correct the pattern, or set if-no-files-found' } = options;
    const { ifNoFilesFound } = inputs;
    const { workspace } = host.environment;
    const records = new Set([...skip, ...skip.map(realPathOf)]);
    const isOwn = (name, path) => (0,own_files/* isOwnFile */.Z4)((0,words/* baseName */.Fl)(name)) || records.has(path);
    const files = [];
    const listed = [];
    const counts = [];
    const problems = [];
    const warnings = [];
    for (const input of ['path', 'checksums']) {
        const found = await (0,artifacts_files/* findFiles */.l)(inputs[input], host);
        const errors = [...found.errors];
        const sizes = new Map();
        for (const file of found.files) {
            if (isOwn(file.name, file.realPath))
                continue;
            if (input === 'path') {
                files.push(file);
                sizes.set(file, 1);
                continue;
            }
            const reading = readChecksums(file);
            const entries = reading.entries.filter(({ name }) => !isOwn(name, (0,external_node_path_.resolve)(workspace, name)));
            for (const entry of entries)
                listed.push(entry);
            errors.push(...reading.errors);
            sizes.set(file, entries.length + reading.errors.length);
        }
        for (const { text, files: matched } of found.patterns) {
            const count = matched.reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0);
            counts.push({ input, text, count });
        }
        warnings.push(...found.warnings);
        const missing = describeMissing(input, found.patterns, sizes);
        if (ifNoFilesFound === 'warn') {
            warnings.push(...missing.map(text => (0,failure/* problemAt */.l4)(input, text).message));
        }
        const isError = ifNoFilesFound === 'error' && missing.length > 0;
        const shown = (0,words/* joinFirst */.FS)(isError ? [...errors, ...missing] : errors, maxShown);
        if (shown !== '')
            problems.push((0,failure/* problemAt */.l4)(input, isError ? `${shown}; ${remedy}` : shown));
    }
    const hasText = inputs.path !== '' || inputs.checksums !== '';
    if (hasText && counts.length + problems.length === 0)
        problems.push(noPattern);
    return { files, listed, counts, problems, warnings };
}
function describeMissing(input, patterns, sizes) {
    const noFile = input === 'path' ? 'no file' : 'no checksums file';
    const missing = [];
    for (const { text, files } of patterns) {
        if (files.some(file => sizes.has(file)))
            continue;
        missing.push(`the pattern "${(0,text_escape/* quote */.hD)(text)}" matches ${files.length === 0 ? noFile : onlyOwn}`);
    }
    for (const [{ name }, size] of sizes) {
        if (size === 0)
            missing.push(`the checksums file "${(0,text_escape/* quote */.hD)(name)}" ${listsNothing}`);
    }
    return missing;
}
function readChecksums({ name, absolutePath, hasDuplicateName }) {
    const shown = (0,text_escape/* quote */.hD)(name);
    try {
        if (hasDuplicateName)
            throw new Error(artifacts_files/* duplicateName */.V);
        const { entries, errors } = parseChecksums((0,external_node_fs_.readFileSync)(absolutePath), name);
        return { entries, errors: errors.map(error => `"${shown}", ${error}`) };
    }
    catch (error) {
        return { entries: [], errors: [`"${shown}" could not be read: ${(0,system_error/* describeError */.U)(error)}`] };
    }
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

/***/ 5816:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   L: () => (/* binding */ combineArtifacts)
/* harmony export */ });
/* harmony import */ var _failure_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7579);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8146);
/* harmony import */ var _text_words_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(4904);
/* harmony import */ var _artifact_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(7163);




const maxConflictsShown = 3;
function combineArtifacts(artifacts) {
    const combined = [];
    const conflicts = [];
    const local = artifacts.filter(({ source }) => source !== 'release-tag');
    for (const [name, same] of Map.groupBy(local, artifact => artifact.name)) {
        const hashed = same.filter(_artifact_js__WEBPACK_IMPORTED_MODULE_2__/* .isHashed */ .S);
        const [hash = '', ...others] = new Set(hashed.map(artifact => artifact.hash));
        for (const other of others) {
            conflicts.push(`"${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .quote */ .hD)(name)}" has two hashes, ${hash} and ${other}`);
        }
        const failed = same.filter(artifact => !(0,_artifact_js__WEBPACK_IMPORTED_MODULE_2__/* .isHashed */ .S)(artifact));
        const best = hashed.find(({ source }) => source === 'path') ?? hashed[0];
        if (best === undefined || failed.length > 0)
            combined.push(...failed);
        else
            combined.push(best);
    }
    const known = new Set(combined.filter(_artifact_js__WEBPACK_IMPORTED_MODULE_2__/* .isHashed */ .S).map(keyOf));
    for (const artifact of artifacts) {
        if (artifact.source !== 'release-tag')
            continue;
        if (!(0,_artifact_js__WEBPACK_IMPORTED_MODULE_2__/* .isHashed */ .S)(artifact) || !known.has(keyOf(artifact)))
            combined.push(artifact);
    }
    combined.sort((a, b) => (0,_text_words_js__WEBPACK_IMPORTED_MODULE_3__/* .compareCodeUnits */ .UF)(a.name, b.name));
    if (conflicts.length === 0)
        return { combined, problems: [] };
    const shown = (0,_text_words_js__WEBPACK_IMPORTED_MODULE_3__/* .joinFirst */ .FS)(conflicts, maxConflictsShown);
    const text = `${shown}; create the checksums again from the files to notarize`;
    return { combined, problems: [(0,_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .problemAt */ .l4)('checksums', text)] };
}
function keyOf({ hash, name }) {
    return `${hash} ${(0,_text_words_js__WEBPACK_IMPORTED_MODULE_3__/* .baseName */ .Fl)(name)}`;
}


/***/ }),

/***/ 9583:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  V: () => (/* binding */ duplicateName),
  l: () => (/* binding */ findFiles)
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
// EXTERNAL MODULE: ./text/system-error.js
var system_error = __webpack_require__(8343);
// EXTERNAL MODULE: ./text/words.js
var words = __webpack_require__(4904);
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
            errors.push(`pattern "${(0,text_escape/* quote */.hD)(text)}" cannot be used: ${(0,system_error/* describeError */.U)(error)}`);
        }
    }
    return { tracks, errors };
}
function readPattern(text, line, context) {
    const { workspace, home, path } = context;
    const [, marks = '', body = ''] = /^((?:!\s*)*)(.*)$/s.exec(text) ?? [];
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
        isExclusion: marks.replaceAll(/\s/g, '').length % 2 === 1,
        root: root.toUpperCase(),
        parts: readParts([(0,esm/* escape */.ih)(above), ...names].join('/'), path.sep === '\\'),
        isForFolders: slashed.endsWith('/'),
    };
}
const rules = {
    platform: 'linux',
    dot: true,
    nobrace: true,
    nocomment: true,
    noext: true,
    nonegate: true,
    optimizationLevel: 0,
};
function readParts(pattern, nocase) {
    const [all = []] = new esm/* Minimatch */.VR(pattern, { ...rules, nocase }).set;
    const parts = all.filter(part => part !== '');
    if (parts.includes('.') || parts.includes('..')) {
        throw new Error('. and .. are not allowed within a pattern; name the folder itself');
    }
    if (parts.at(-1) === esm/* GLOBSTAR */.ZN)
        parts.pop();
    return parts;
}
function positionsAt(parts, index) {
    return parts[index] === esm/* GLOBSTAR */.ZN ? [index, index + 1] : [index];
}
function isMatch({ pattern, positions }) {
    return positions.includes(pattern.parts.length);
}
function nextName({ pattern, positions }) {
    const [part] = positions.map(index => pattern.parts[index]);
    return typeof part === 'string' && positions.length === 1 ? part : null;
}
function followAll(tracks, step) {
    const followed = [];
    for (const track of tracks) {
        const { pattern } = track;
        const next = { pattern, positions: follow(track, step) };
        if (isMatch(next) && pattern.isExclusion)
            followed.length = 0;
        else if (isMatch(next) || (step.isFolder && next.positions.length > 0))
            followed.push(next);
    }
    return followed;
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
        const text = typeof part === 'string' ? part : part.pattern;
        if (typeof part === 'string' ? part !== step.name : !part.test(step.name))
            continue;
        if (!isVisible && !/^\\?\./.test(text))
            continue;
        const isTooEarly = isForFolders && !step.isFolder && index + 1 === parts.length;
        if (!isTooEarly)
            reached.push(...positionsAt(parts, index + 1));
    }
    return [...new Set(reached)];
}

;// CONCATENATED MODULE: ./artifacts/files.js








const duplicateName = 'another file has the same name, because it is not valid UTF-8';
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
    #open;
    #files = [];
    #paths = new Set();
    #matches = new Map();
    #skipped = [];
    #errors = [];
    constructor(tracks, workspace) {
        this.#workspace = workspace;
        const roots = Map.groupBy(tracks, ({ pattern }) => pattern.root);
        this.#open = [...roots].map(([root, group]) => {
            return { path: root, realPath: root, tracks: group, above: [] };
        });
        for (const { pattern } of tracks)
            if (!pattern.isExclusion)
                this.#matches.set(pattern, []);
    }
    async run(halt) {
        let count = 0;
        for (let folder = this.#open.pop(); folder !== undefined; folder = this.#open.pop()) {
            const prefix = prefixOf(folder.path, this.#workspace);
            const byName = Map.groupBy(folder.tracks, nextName);
            const forAnyName = byName.get(null) ?? [];
            const hasWildcard = forAnyName.some(({ pattern }) => !pattern.isExclusion);
            const needsListing = folder.above.length > 0 || hasWildcard;
            const names = [...byName.keys()].filter(name => name !== null);
            const entries = needsListing
                ? this.#list(folder, prefix)
                : names.flatMap(name => lookUp(folder.realPath, name) ?? []);
            const above = needsListing ? [...folder.above, folder.realPath] : [];
            for (const entry of entries) {
                if (count % entriesBetweenPauses === 0)
                    await (0,promises_.setImmediate)();
                if (halt.aborted)
                    throw new failure/* Stop */.VG();
                count += 1;
                if (count > maxEntries)
                    return { files: [], patterns: [], errors: [tooMany], warnings: [] };
                const tracks = merge(forAnyName, byName.get(entry.name));
                this.#visit(entry, { ...folder, tracks, above }, prefix + entry.name);
            }
        }
        const files = this.#files.sort((a, b) => (0,words/* compareCodeUnits */.UF)(a.name, b.name));
        const patterns = [...this.#matches].map(([{ text }, matched]) => ({ text, files: matched }));
        const skipped = (0,words/* joinFirst */.FS)(this.#skipped, maxSkippedShown, { separator: ', ' });
        const warnings = skipped === '' ? [] : [`skipped (not regular files): ${skipped}`];
        return { files, patterns, errors: this.#errors, warnings };
    }
    #list({ realPath, above }, prefix) {
        if (above.includes(realPath))
            return [];
        try {
            return (0,external_node_fs_.readdirSync)(realPath, { withFileTypes: true }).map(entry => toEntry(entry, realPath));
        }
        catch (error) {
            const name = prefix === '' ? '.' : prefix.slice(0, -1);
            this.#errors.push(`the folder "${(0,text_escape/* quote */.hD)(name)}" cannot be read: ${(0,system_error/* describeError */.U)(error)}`);
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
            const file = { name, absolutePath: path, realPath, hasDuplicateName: this.#paths.has(path) };
            this.#files.push(file);
            this.#paths.add(path);
            for (const { pattern } of including)
                this.#matches.get(pattern)?.push(file);
        }
        else if (isFolder) {
            this.#open.push({ ...parent, path: asFolder(path), realPath: asFolder(realPath), tracks });
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
function merge(tracks, more = []) {
    if (more.length === 0)
        return tracks;
    return [...tracks, ...more].sort((a, b) => a.pattern.line - b.pattern.line);
}
function asFolder(folder) {
    return folder.endsWith(external_node_path_.sep) ? folder : folder + external_node_path_.sep;
}
function toEntry(entry, folder) {
    const { name } = entry;
    const realPath = folder + name;
    if (!entry.isSymbolicLink())
        return { name, kind: kindOf(entry), realPath };
    return lookUp(folder, name) ?? { name, kind: 'unknown', realPath };
}
function kindOf(entry) {
    if (entry.isFile())
        return 'file';
    return entry.isDirectory() ? 'folder' : 'FIFO, socket or device';
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
        const isMissing = missingCodes.includes((0,system_error/* errorCode */.C)(error) ?? '');
        if (!isMissing)
            return { name, kind: 'unknown', realPath: path };
        return exists ? { name, kind: 'broken link', realPath: path } : null;
    }
}


/***/ }),

/***/ 9934:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  y: () => (/* binding */ hashFiles)
});

// EXTERNAL MODULE: external "node:events"
var external_node_events_ = __webpack_require__(8474);
// EXTERNAL MODULE: external "node:os"
var external_node_os_ = __webpack_require__(8161);
// EXTERNAL MODULE: external "node:timers/promises"
var promises_ = __webpack_require__(8500);
// EXTERNAL MODULE: external "node:worker_threads"
var external_node_worker_threads_ = __webpack_require__(5919);
// EXTERNAL MODULE: ../node_modules/zod/v4/mini/schemas.js + 2 modules
var schemas = __webpack_require__(2417);
// EXTERNAL MODULE: ./failure.js
var failure = __webpack_require__(7579);
// EXTERNAL MODULE: ./runtime/halt.js
var halt = __webpack_require__(991);
// EXTERNAL MODULE: ./runtime/progress.js
var runtime_progress = __webpack_require__(8491);
// EXTERNAL MODULE: ./artifacts/files.js + 1 modules
var files = __webpack_require__(9583);
// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: ./text/system-error.js
var system_error = __webpack_require__(8343);
;// CONCATENATED MODULE: ./artifacts/hash-worker.js




const buffer = Buffer.allocUnsafeSlow(1024 * 1024);
function hashFile(path, maxBytes) {
    let descriptor = null;
    try {
        descriptor = (0,external_node_fs_.openSync)(path, external_node_fs_.constants.O_RDONLY | external_node_fs_.constants.O_NONBLOCK);
        const before = (0,external_node_fs_.fstatSync)(descriptor);
        if (!before.isFile())
            return { code: 'changed', why: 'it is no longer a regular file' };
        if (before.size > maxBytes)
            return null;
        const result = hashContent(descriptor, before.size);
        const isSame = result.size === before.size && isUnchanged(before, (0,external_node_fs_.statSync)(path));
        return isSame ? result : { code: 'changed', why: 'it changed while it was read' };
    }
    catch (error) {
        return { code: 'unreadable', why: `it could not be read: ${(0,system_error/* describeError */.U)(error)}` };
    }
    finally {
        if (descriptor !== null)
            (0,external_node_fs_.closeSync)(descriptor);
    }
}
function hashContent(descriptor, expectedBytes) {
    const digest = (0,external_node_crypto_.createHash)('sha256');
    let size = 0;
    let read;
    do {
        read = (0,external_node_fs_.readSync)(descriptor, buffer);
        digest.update(buffer.subarray(0, read));
        size += read;
    } while (read > 0 && size < expectedBytes);
    return { hash: digest.digest('hex'), size };
}
function isUnchanged(before, after) {
    const keys = ['dev', 'ino', 'size', 'mtimeMs', 'ctimeMs'];
    return keys.every(key => before[key] === after[key]);
}
external_node_worker_threads_.parentPort?.on('message', (path) => {
    if (typeof path === 'string')
        external_node_worker_threads_.parentPort?.postMessage(hashFile(path, Infinity));
});

;// CONCATENATED MODULE: ./artifacts/hash.js










const maxSmallBytes = 16 * 1024 * 1024;
const maxWorkers = 8;
const filesBetweenPauses = 64;
const replySchema = schemas/* union */.KCZ([
    schemas/* object */.Ikc({ hash: schemas/* string */.YjP(), size: schemas/* number */.aig() }),
    schemas/* object */.Ikc({ code: schemas/* enum */.k5n(['unreadable', 'changed']), why: schemas/* string */.YjP() }),
]);
const duplicateNameFault = { code: 'unreadable', why: files/* duplicateName */.V };
async function hashFiles(files, host) {
    const { clock, runner, workerFile } = host;
    const halt = host.halt.signal;
    const results = new Map();
    const progress = (0,runtime_progress/* createProgress */.m)('hashing', clock, runner.info);
    const large = [];
    for (const [index, file] of files.entries()) {
        if (index % filesBetweenPauses === 0) {
            await (0,promises_.setImmediate)();
            progress(results.size, files.length);
        }
        if (halt.aborted)
            break;
        const { absolutePath, hasDuplicateName } = file;
        const result = hasDuplicateName ? duplicateNameFault : hashFile(absolutePath, maxSmallBytes);
        if (result === null)
            large.push(file);
        else
            results.set(file, result);
    }
    const queue = large.values();
    const work = async () => {
        const worker = new external_node_worker_threads_.Worker(workerFile);
        try {
            for (const file of queue) {
                worker.postMessage(file.absolutePath);
                const replies = await (0,external_node_events_.once)(worker, 'message', { signal: halt });
                results.set(file, replySchema.parse(replies[0]));
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
    const count = Math.min((0,external_node_os_.availableParallelism)(), maxWorkers, large.length);
    await Promise.all(Array.from({ length: count }, work));
    return files.map(file => toArtifact(file, results.get(file)));
}
const remedies = {
    changed: 'make sure every step that writes it has finished, then run the job again',
    unreadable: 'fix that, or exclude it with a pattern that begins with !, then run the job again',
};
function toArtifact({ name }, result) {
    const source = 'path';
    if (result === undefined)
        return { source, name, failure: halt/* cancelledFailure */.Yq };
    if ('hash' in result)
        return { source, name, size: result.size, hash: result.hash };
    const { code, why } = result;
    return { source, name, failure: (0,failure/* makeFailure */.ro)({ code, what: why, remedy: remedies[code] }) };
}


/***/ }),

/***/ 1683:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   P: () => (/* binding */ isRecordsAsset),
/* harmony export */   Sv: () => (/* binding */ recordsName),
/* harmony export */   Xc: () => (/* binding */ evidenceName),
/* harmony export */   Z4: () => (/* binding */ isOwnFile),
/* harmony export */   cp: () => (/* binding */ writeTestPrefix)
/* harmony export */ });
const recordsName = 'notarization-records.jsonl';
const evidenceName = 'notarization-evidence.md';
const writeTestPrefix = 'notarization-write-test-';
function isRecordsAsset(name) {
    return name.startsWith('notarization-records') && name.endsWith('.jsonl');
}
function isOwnFile(baseName) {
    if (baseName === evidenceName || baseName.startsWith(writeTestPrefix))
        return true;
    return /^notarization-records.*\.jsonl(?:\..*)?$/s.test(baseName);
}


/***/ }),

/***/ 7579:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   CO: () => (/* binding */ problemWith),
/* harmony export */   Jc: () => (/* binding */ mismatchFailure),
/* harmony export */   Q6: () => (/* binding */ failureIn),
/* harmony export */   QQ: () => (/* binding */ failRun),
/* harmony export */   VG: () => (/* binding */ Stop),
/* harmony export */   fT: () => (/* binding */ bugFailure),
/* harmony export */   l4: () => (/* binding */ problemAt),
/* harmony export */   pO: () => (/* binding */ FailureError),
/* harmony export */   ro: () => (/* binding */ makeFailure)
/* harmony export */ });
/* unused harmony export failureCodes */
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
const defaults = { registered: 'no', status: null, isDeferrable: false, endsRun: false };
function makeFailure(input) {
    return { ...defaults, ...input };
}
class FailureError extends Error {
    failure;
    constructor(failure, cause) {
        super(failure.what, { cause });
        this.failure = failure;
    }
}
function failureIn(error) {
    if (error instanceof FailureError)
        return error.failure;
    throw error;
}
function failRun(error) {
    throw new FailureError({ ...failureIn(error), endsRun: true }, error);
}
function bugFailure(what, reportTo) {
    return makeFailure({
        code: 'internal-error',
        registered: 'unknown',
        what: `a bug in this action: ${what}`,
        remedy: `run the job again, and report the bug at ${reportTo}`,
        endsRun: true,
    });
}
function mismatchFailure(problems) {
    return makeFailure({
        code: 'record-mismatch',
        registered: 'unknown',
        what: `the record contradicts the request; ${problems.join('; ')}`,
        remedy: 'ask the service what happened to this hash, then settle it in the records file',
    });
}
function problemWith(input, text) {
    return { input, message: `input "${input}" ${text}` };
}
function problemAt(input, text) {
    return { input, message: `input "${input}": ${text}` };
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


/***/ }),

/***/ 6:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Kz: () => (/* binding */ apiKey),
/* harmony export */   Pw: () => (/* binding */ verificationUrl),
/* harmony export */   U9: () => (/* binding */ isLoopback),
/* harmony export */   aF: () => (/* binding */ releaseTag),
/* harmony export */   bU: () => (/* binding */ githubToken),
/* harmony export */   lq: () => (/* binding */ optional),
/* harmony export */   pc: () => (/* binding */ baseUrl),
/* harmony export */   rD: () => (/* binding */ wholeNumber),
/* harmony export */   s$: () => (/* binding */ filePath),
/* harmony export */   xk: () => (/* binding */ commitId),
/* harmony export */   yL: () => (/* binding */ oneOf),
/* harmony export */   zM: () => (/* binding */ boolean)
/* harmony export */ });
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(2417);
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(2335);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8146);
/* harmony import */ var _text_verification_url_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(6318);



function withValue(requirement, remedy = '') {
    return ({ input }) => `${requirement} (got ${showValue(input)})${remedy}`;
}
function showValue(value) {
    return `"${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .quote */ .hD)(typeof value === 'string' ? value : '', 100)}"`;
}
function checkWith(findProblem) {
    return zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .refine */ .YPB(text => findProblem(text) === null, {
        error: ({ input }) => findProblem(String(input)) ?? undefined,
    });
}
function optional(value) {
    return zod_mini__WEBPACK_IMPORTED_MODULE_1__/* ._default */ .Rvf(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullable */ .mee(value), null);
}
function oneOf(...words) {
    const error = withValue(`must be ${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`);
    return zod_mini__WEBPACK_IMPORTED_MODULE_1__/* ["enum"] */ .k5n(words, { error });
}
const boolean = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .stringbool */ .uEf({
    truthy: ['true', 'True', 'TRUE'],
    falsy: ['false', 'False', 'FALSE'],
    case: 'sensitive',
    error: withValue('must be true or false'),
});
function wholeNumber(min, max) {
    const isWithin = (text) => /^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max;
    const error = withValue(`must be a whole number from ${min} to ${max}`);
    return zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .pipe */ .FsL(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .refine */ .YPB(isWithin, { error })), zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .transform */ .pdi(Number));
}
const apiKey = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP()
    .check(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ._regex */ .Fk(/^[^\r\n]*$/, 'must be one line; store the key without line breaks'));
const githubToken = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ._regex */ .Fk(/^\S*$/, 'must be one line without whitespace'));
const releaseTag = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ._regex */ .Fk(/^[^\s\p{Cc}]*$/u, {
    abort: true,
    error: withValue('must be one tag without whitespace'),
}), zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ._regex */ .Fk(/^(?!refs\/)/, {
    error: withValue('must be the tag alone', '; for example, use ${{ github.ref_name }}'),
}));
const filePath = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP()
    .check(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ._regex */ .Fk(/^[^\r\n\0]*$/, { abort: true, error: withValue('must be one path on one line') }), zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ._regex */ .Fk(/[^/\\]$/, { error: withValue('must name a file, not a folder') }));
const verificationUrl = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP().check(checkWith(findTemplateProblem));
function findTemplateProblem(text) {
    const problem = (0,_text_verification_url_js__WEBPACK_IMPORTED_MODULE_3__/* .checkVerificationTemplate */ .U)(text);
    if (problem === null)
        return null;
    const value = text.includes('@') ? '' : ` (got ${showValue(text)})`;
    return `${problem}${value}; for example, use https://notary.example/verification/{hash}`;
}
const commitId = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ._regex */ .Fk(/^([0-9a-f]{40}|[0-9a-f]{64})$/i, {
    error: withValue('must be a full commit ID of 40 or 64 hex digits'),
}), zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ._toLowerCase */ .Il());
function isLoopback(baseUrl) {
    const { hostname = '' } = URL.parse(baseUrl) ?? {};
    return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
const baseUrl = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .pipe */ .FsL(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP().check(checkWith(findBaseUrlProblem)), zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .transform */ .pdi(text => {
    const { protocol, host, pathname } = new URL(text);
    return `${protocol}//${host}${pathname.replace(/\/+$/, '')}`;
}));
function findBaseUrlProblem(text) {
    const url = URL.parse(text);
    const value = text.includes('@') ? '' : ` (got ${showValue(text.replace(/[?#].*/s, ''))})`;
    if (/[\s\p{Cc}\\]/u.test(text)) {
        return `must be one URL without whitespace or backslashes${value}`;
    }
    if (url === null || !/^https?:\/\/[^/]/i.test(text)) {
        return `must be a valid URL that starts with https://${value}`;
    }
    const problems = [];
    if (url.protocol === 'http:' && !isLoopback(text)) {
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
    return problems.length > 0 ? problems.join('; it ') : null;
}


/***/ }),

/***/ 2668:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   TL: () => (/* binding */ parseInputs),
/* harmony export */   sm: () => (/* binding */ checkShared),
/* harmony export */   vj: () => (/* binding */ inputNames)
/* harmony export */ });
/* harmony import */ var _failure_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7579);

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
    const problems = [];
    for (const { path, message } of schema.safeParse(texts).error?.issues ?? []) {
        const field = String(path[0]);
        problems.push((0,_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .problemWith */ .CO)(nameOf(field), message));
        Reflect.deleteProperty(texts, field);
    }
    return { inputs: schema.parse(texts), problems };
}
function checkShared(rawInputs) {
    const { path = '', checksums = '', 'release-tag': tag = '' } = rawInputs;
    const problems = [];
    if (path + checksums + tag === '')
        problems.push((0,_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .problemWith */ .CO)('path', nothingNamed));
    if (tag !== '' && (rawInputs['github-token'] ?? '') === '') {
        problems.push((0,_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .problemWith */ .CO)('github-token', tokenNeeded));
    }
    return problems;
}
const nothingNamed = 'is empty, and so are "checksums" and "release-tag"; set at least one of them, one pattern per line';
const tokenNeeded = 'is empty, but "release-tag" needs it; omit it to use the token of the job';


/***/ }),

/***/ 3775:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  notarizeAction: () => (/* binding */ notarizeAction),
  start: () => (/* binding */ start)
});

// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ./artifacts/collect.js + 1 modules
var collect = __webpack_require__(6159);
// EXTERNAL MODULE: ./artifacts/hash.js + 1 modules
var hash = __webpack_require__(9934);
// EXTERNAL MODULE: ./failure.js
var failure_0 = __webpack_require__(7579);
// EXTERNAL MODULE: ../node_modules/zod/v4/mini/schemas.js + 2 modules
var schemas = __webpack_require__(2417);
// EXTERNAL MODULE: ./text/field.js
var field = __webpack_require__(1821);
// EXTERNAL MODULE: ./text/json.js
var text_json = __webpack_require__(7727);
;// CONCATENATED MODULE: ./service/subscription.js


const isText = value => typeof value === 'string';
const isTextOrNull = value => isText(value) || value === null;
const isMarker = value => value === null || typeof value === 'boolean' || (0,text_json/* isInteger */.Fq)(value);
const listedFields = {
    sessionId: isText,
    id: isTextOrNull,
    userId: text_json/* isInteger */.Fq,
    planId: isText,
    planNickname: isText,
    status: isText,
    created: text_json/* isInteger */.Fq,
    currentPeriodStart: text_json/* isInteger */.Fq,
    currentPeriodEnd: text_json/* isInteger */.Fq,
    canceledAt: isMarker,
    customer: isTextOrNull,
    defaultPaymentMethod: isTextOrNull,
    latestInvoice: isTextOrNull,
};
const secretFields = ['sessionId', 'customer', 'custumer', 'latestInvoice', 'defaultPaymentMethod'];
const exemptFields = ['id', 'userId', 'planId'];
function readSubscription(text, nowMs) {
    const trimmed = text.trim();
    const json = trimmed.startsWith('{') ? trimmed : Buffer.from(trimmed, 'base64').toString().trim();
    const data = (0,text_json/* parseJsonObject */.dw)(json);
    if (data === undefined)
        return failedReading(notAnObject);
    const reading = checkSubscription(data, json, nowMs);
    if (!/[\r\n]/.test(trimmed))
        return reading;
    return { ...reading, warnings: [severalLines, ...reading.warnings] };
}
function checkSubscription(parsed, json, nowMs) {
    const { custumer, ...rest } = parsed;
    const isMisspelled = custumer !== undefined;
    const data = isMisspelled ? { ...rest, customer: parsed['customer'] ?? custumer } : parsed;
    if (!Object.keys(listedFields).some(field => field in data))
        return failedReading(noListedField);
    return {
        subscription: { id: (0,field/* textOf */.b6)(data['id']), json: isMisspelled ? JSON.stringify(data) : json },
        error: null,
        warnings: warningsAbout(data, nowMs),
        secrets: secretFields.flatMap(field => textsIn(parsed[field])),
        exempt: exemptFields.flatMap(field => textsIn(parsed[field])),
    };
}
function failedReading(error) {
    return { subscription: null, error, warnings: [], secrets: [], exempt: [] };
}
const notAnObject = 'must be a JSON object, base64 of one, or the word active (its text is secret and not shown); to store it on one line, run: jq -c . subscription.json | gh secret set NOTARIZATION_SUBSCRIPTION';
const noListedField = 'has none of the expected fields, such as sessionId or id; copy the subscription data from the service';
const severalLines = 'has several lines, and the runner masks each of them everywhere in the log, even a single brace; store it on one line or as base64';
function warningsAbout(data, nowMs) {
    const { status, canceledAt, currentPeriodEnd } = data;
    const warnings = [];
    const unexpected = Object.entries(listedFields).flatMap(([field, isExpected]) => {
        if (data[field] === undefined)
            return [`${field} (missing)`];
        return isExpected(data[field]) ? [] : [field];
    });
    if (unexpected.length > 0) {
        warnings.push(`has missing fields or fields of an unexpected type: ${unexpected.join(', ')}`);
    }
    if (status !== undefined && status !== 'active')
        warnings.push('has a status other than "active"');
    if (canceledAt !== false && (canceledAt ?? 0) !== 0)
        warnings.push('is cancelled (canceledAt)');
    if (typeof currentPeriodEnd === 'number' && currentPeriodEnd * 1000 < nowMs) {
        const day = new Date(Math.max(currentPeriodEnd * 1000, 0)).toISOString().slice(0, 10);
        warnings.push(`has a period that ended on ${day} (currentPeriodEnd)`);
    }
    return warnings.map(warning => `${warning}; the service may reject it`);
}
function textsIn(value) {
    const text = (0,field/* textOf */.b6)(value);
    if (text !== null)
        return [text];
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

// EXTERNAL MODULE: ./inputs/input-values.js
var input_values = __webpack_require__(6);
// EXTERNAL MODULE: ./inputs/parse-inputs.js
var parse_inputs = __webpack_require__(2668);
;// CONCATENATED MODULE: ./inputs/notarize-inputs.js





const schema = schemas/* object */.Ikc({
    apiKey: schemas/* prefault */.SdS(input_values/* apiKey */.Kz, ''),
    baseUrl: schemas/* _default */.Rvf(input_values/* baseUrl */.pc, ''),
    path: schemas/* prefault */.SdS(schemas/* string */.YjP(), ''),
    checksums: schemas/* prefault */.SdS(schemas/* string */.YjP(), ''),
    subscription: schemas/* prefault */.SdS(schemas/* string */.YjP(), ''),
    ifNoFilesFound: schemas/* prefault */.SdS((0,input_values/* oneOf */.yL)('error', 'warn', 'ignore'), 'error'),
    recordsPath: schemas/* prefault */.SdS(input_values/* filePath */.s$, 'notarization-records.jsonl'),
    maxRegistrations: schemas/* prefault */.SdS((0,input_values/* wholeNumber */.rD)(0, 10_000_000), '100'),
    concurrency: schemas/* prefault */.SdS((0,input_values/* wholeNumber */.rD)(1, 64), '4'),
    maxAttempts: schemas/* prefault */.SdS((0,input_values/* wholeNumber */.rD)(1, 20), '5'),
    timeoutSeconds: schemas/* prefault */.SdS((0,input_values/* wholeNumber */.rD)(1, 600), '30'),
    dryRun: schemas/* prefault */.SdS(input_values/* boolean */.zM, 'false'),
    showSummary: schemas/* prefault */.SdS(input_values/* boolean */.zM, 'true'),
    requestRegistration: schemas/* prefault */.SdS(input_values/* boolean */.zM, 'false'),
    description: schemas/* prefault */.SdS(schemas/* string */.YjP(), '{artifact} of {repository} at {ref}'),
    verificationUrl: (0,input_values/* optional */.lq)(input_values/* verificationUrl */.Pw),
    releaseTag: (0,input_values/* optional */.lq)(input_values/* releaseTag */.aF),
    attachToRelease: schemas/* prefault */.SdS(input_values/* boolean */.zM, 'false'),
    ifServiceUnavailable: schemas/* prefault */.SdS((0,input_values/* oneOf */.yL)('error', 'warn'), 'error'),
    githubToken: schemas/* prefault */.SdS(input_values/* githubToken */.bU, ''),
});
const notarizeInputNames = (0,parse_inputs/* inputNames */.vj)(schema);
function readInputs(rawInputs, nowMs) {
    const { inputs, problems } = (0,parse_inputs/* parseInputs */.TL)(schema, rawInputs);
    const { subscription } = inputs;
    const isActive = subscription === 'active';
    const data = subscription === '' || isActive ? null : readSubscription(subscription, nowMs);
    const payment = isActive ? 'active' : (data?.subscription ?? null);
    const allProblems = [...checkRequired(rawInputs, inputs), ...(0,parse_inputs/* checkShared */.sm)(rawInputs), ...problems];
    const error = data?.error ?? null;
    if (error !== null)
        allProblems.push((0,failure_0/* problemWith */.CO)('subscription', error));
    const dataSecrets = data?.secrets ?? [];
    const { 'api-key': key = '', 'github-token': token = '' } = rawInputs;
    return {
        inputs: { ...inputs, payment },
        problems: allProblems,
        warnings: (data?.warnings ?? []).map(warning => `input "subscription" ${warning}`),
        secrets: [key, token, ...dataSecrets],
        exempt: data?.exempt ?? [],
    };
}
function checkRequired(rawInputs, { dryRun, requestRegistration, attachToRelease }) {
    const isEmpty = (name) => (rawInputs[name] ?? '') === '';
    const problems = [];
    if (!dryRun && isEmpty('api-key'))
        problems.push((0,failure_0/* problemWith */.CO)('api-key', keyNeeded));
    if (!dryRun && isEmpty('base-url'))
        problems.push((0,failure_0/* problemWith */.CO)('base-url', urlNeeded));
    if (!dryRun && !requestRegistration && isEmpty('subscription')) {
        problems.push((0,failure_0/* problemWith */.CO)('subscription', subscriptionNeeded));
    }
    if (attachToRelease && isEmpty('release-tag')) {
        problems.push((0,failure_0/* problemWith */.CO)('attach-to-release', tagNeeded));
    }
    return problems;
}
const whyEmpty = '(runs from forks get no secrets; dry-run: true needs none)';
const keyNeeded = `is empty; set it to the secret API key, for example \${{ secrets.NOTARIZATION_API_KEY }} ${whyEmpty}`;
const urlNeeded = 'is empty; set it to the https:// URL of the service';
const subscriptionNeeded = `is empty; set it to a secret with the subscription data as one line of JSON or as base64, or to the word active ${whyEmpty}`;
const tagNeeded = 'needs "release-tag"; set that to the tag of the release';

// EXTERNAL MODULE: ./outcome.js
var outcome_0 = __webpack_require__(1949);
// EXTERNAL MODULE: ./artifacts/artifact.js
var artifacts_artifact = __webpack_require__(7163);
// EXTERNAL MODULE: ./artifacts/combine.js
var combine = __webpack_require__(5816);
// EXTERNAL MODULE: ./text/escape.js
var text_escape = __webpack_require__(8146);
// EXTERNAL MODULE: ./text/words.js
var words = __webpack_require__(4904);
;// CONCATENATED MODULE: ./release/guards.js




function releaseProblems(release, locals) {
    if (release === null)
        return [];
    const texts = [...movedTag(release), ...differentBytes(release, locals)];
    return texts.map(text => (0,failure_0/* problemAt */.l4)('release-tag', text));
}
function movedTag(release) {
    const { isTagOfRun, tagCommit, runCommit } = release;
    const tag = `the tag "${(0,text_escape/* quote */.hD)(release.tag)}"`;
    if (!isTagOfRun || tagCommit === runCommit)
        return [];
    if (tagCommit !== null) {
        return [
            `${tag} now points to ${tagCommit}, but this run is for ${runCommit ?? 'no commit'}; start a new run for the tag`,
        ];
    }
    if (release.isDraft)
        return [];
    return [`${tag} of this run is gone; push it again, then run the job again`];
}
function differentBytes(release, locals) {
    const assets = new Map(release.assets.map(asset => [asset.name, asset]));
    const differences = [];
    for (const { name, hash } of locals.filter(artifacts_artifact/* isHashed */.S)) {
        const asset = assets.get((0,words/* baseName */.Fl)(name));
        if (asset === undefined)
            continue;
        if (!(0,artifacts_artifact/* isHashed */.S)(asset)) {
            differences.push(`"${(0,text_escape/* quote */.hD)(name)}" cannot be compared: the asset could not be read`);
        }
        else if (hash !== asset.hash) {
            differences.push(`"${(0,text_escape/* quote */.hD)(name)}" has ${hash}, but its asset has ${asset.hash}`);
        }
    }
    if (differences.length === 0)
        return [];
    return [
        `local files differ from the release "${(0,text_escape/* quote */.hD)(release.tag)}": ${(0,words/* joinFirst */.FS)(differences, 5)}; upload the files of this build, or leave out "path" and "checksums"`,
    ];
}
function emptyRelease({ tag }) {
    const text = `the release "${(0,text_escape/* quote */.hD)(tag)}" has no assets to notarize; upload them first, or set if-no-files-found`;
    return (0,failure_0/* problemAt */.l4)('release-tag', text);
}

;// CONCATENATED MODULE: ./plan.js






function makePlan(input) {
    const { inputs, release, records } = input;
    const { combined, problems: conflicts } = (0,combine/* combineArtifacts */.L)(input.artifacts);
    const results = combined.map(artifact => planArtifact(artifact, input));
    const toRegister = distinctRegistrations(results);
    const locals = input.artifacts.filter(({ source }) => source !== 'release-tag');
    const problems = [...releaseProblems(release, locals), ...conflicts];
    const warnings = [];
    if (release !== null && results.length === 0) {
        const empty = emptyRelease(release);
        if (inputs.ifNoFilesFound === 'error')
            problems.push(empty);
        if (inputs.ifNoFilesFound === 'warn')
            warnings.push(empty.message);
    }
    problems.push(...records.damage.map(text => (0,failure_0/* problemAt */.l4)('records-path', text)));
    if (toRegister.length > inputs.maxRegistrations) {
        const tooMany = limitProblem(toRegister.length, input);
        if (inputs.dryRun)
            warnings.push(tooMany.message);
        else
            problems.push(tooMany);
    }
    const attempt = Number(input.source.runAttempt ?? 1);
    if (toRegister.length > 0 && attempt >= 2 && !records.known.hasEarlierAttempt(input.source)) {
        warnings.push(missingRecordsWarning(attempt));
    }
    const checksums = conflicts.length === 0 ? combined.filter(artifacts_artifact/* isHashed */.S) : [];
    return { results, checksums, toRegister, problems, warnings };
}
function planArtifact(artifact, input) {
    const { name } = artifact;
    if (!(0,artifacts_artifact/* isHashed */.S)(artifact)) {
        return { name, size: null, hash: null, outcome: (0,outcome_0/* failed */.gz)(artifact.failure) };
    }
    const { size, hash } = artifact;
    return { name, size, hash, outcome: planHash(hash, input) };
}
function planHash(hash, { inputs, records }) {
    const known = records.known.find(hash);
    switch (known?.state) {
        case undefined:
            return { state: 'planned', open: null };
        case 'registered': {
            const { record, redacted } = known.entry;
            const { maybeChargedAgain } = known;
            return { state: 'registered', from: 'records-file', record, redacted, maybeChargedAgain };
        }
        case 'contradicted':
            if (inputs.dryRun)
                return { state: 'contradicted' };
            return (0,outcome_0/* failed */.gz)((0,failure_0/* mismatchFailure */.Jc)(known.entry.problems));
        case 'open': {
            const { at, source } = known.sent;
            return { state: 'planned', open: { at, runUrl: source.runUrl } };
        }
    }
}
function distinctRegistrations(results) {
    const byHash = new Map();
    for (const { name, size, hash, outcome } of results) {
        if (outcome.state !== 'planned' || hash === null || byHash.has(hash))
            continue;
        byHash.set(hash, { hash, name, size, open: outcome.open });
    }
    return [...byHash.values()];
}
const maxPatternsShown = 50;
function limitProblem(count, { inputs, counts }) {
    const shown = { separator: ', ', rest: 'more patterns' };
    const matched = (0,words/* joinFirst */.FS)(counts.map(artifacts_artifact/* describeCount */.v), maxPatternsShown, shown);
    const hashes = (0,words/* pluralize */.td)(count, 'distinct hash is', 'distinct hashes are');
    const text = `is ${inputs.maxRegistrations}, but ${hashes} left to register (${matched}); correct the patterns, or raise the limit if you want to pay for each registration`;
    return (0,failure_0/* problemWith */.CO)('max-registrations', text);
}
function missingRecordsWarning(attempt) {
    return `This is attempt ${attempt} of the run, and the records file has no line from an earlier attempt. If an earlier attempt reached this step, you will pay again for what it registered. In that case, cancel now, restore its records from the release, the cache or its artifact, then run the job again`;
}
function resultsOf({ results }, outcomes, lost) {
    return results.map(result => {
        if (result.outcome.state !== 'planned')
            return result;
        return { ...result, outcome: outcomes.get(result.hash ?? '') ?? (0,outcome_0/* failed */.gz)(lost) };
    });
}

// EXTERNAL MODULE: ./text/system-error.js
var system_error = __webpack_require__(8343);
// EXTERNAL MODULE: ./records/disk.js
var records_disk = __webpack_require__(9435);
// EXTERNAL MODULE: ./records/known-records.js
var known_records = __webpack_require__(3032);
// EXTERNAL MODULE: ./records/parse-records.js
var parse_records = __webpack_require__(6672);
;// CONCATENATED MODULE: ./records/store.js







const restoreFile = 'restore the file from the release, the workflow artifact or the cache, or correct the line by hand';
const restoreAsset = 'delete that asset, and upload an intact copy from the workflow artifact, the cache or the log of the run that wrote it';
function readRecords(query) {
    const { path, name, others, service, disk = records_disk/* systemDisk */.hY } = query;
    const bytes = readOwnFile(path, name, disk);
    const reading = (0,parse_records/* parseRecords */.Q4)(bytes, name);
    const otherReadings = others.map(other => (0,parse_records/* parseRecords */.Q4)(other.bytes, other.name));
    const entries = [reading, ...otherReadings].flatMap(({ entries }) => entries);
    const damageElsewhere = otherReadings.flatMap(other => describeDamage(other, restoreAsset));
    return {
        known: new known_records/* KnownRecords */.S(entries, new Set([service])),
        damage: [...describeDamage(reading, restoreFile), ...damageElsewhere],
        warnings: otherReadings.flatMap(other => (0,parse_records/* tailWarning */.VG)(other)),
        reading,
        missing: (0,parse_records/* missingLines */.uR)([bytes], others.map(other => other.bytes)),
        disk,
    };
}
function readOwnFile(path, name, disk) {
    try {
        return (0,records_disk/* readIfThere */.qC)(path, disk);
    }
    catch (error) {
        const text = `"${(0,text_escape/* quote */.hD)(name)}" cannot be read: ${(0,system_error/* describeError */.U)(error)}; ${notSent}; fix that, then run the job again`;
        throw new failure_0/* Stop */.VG((0,failure_0/* problemAt */.l4)('records-path', text));
    }
}
function describeDamage({ damage }, remedy) {
    if (damage.length === 0)
        return [];
    const lines = (0,words/* joinFirst */.FS)(damage, 5, { rest: 'more damaged lines' });
    return [`${lines}; ${notSent}; ${remedy}, then run the job again`];
}
const notSent = 'nothing was sent, to avoid paying for an artifact twice';

// EXTERNAL MODULE: external "node:timers/promises"
var promises_ = __webpack_require__(8500);
;// CONCATENATED MODULE: ./records/file.js





class RecordsFile {
    #file;
    #truncate;
    #bytes;
    #pending = [];
    #write = Promise.resolve(null);
    constructor(file, bytes, truncate) {
        this.#file = file;
        this.#bytes = bytes;
        this.#truncate = truncate;
    }
    static async open(path, { reading, missing, disk }, hasWork) {
        if (!hasWork && reading.tail === 'whole' && missing.length === 0)
            return null;
        let file = null;
        try {
            await disk.createFolder((0,external_node_path_.dirname)(path));
            if (reading.tail === 'incomplete')
                await disk.truncate(path, reading.goodBytes);
            file = await disk.openForAppending(path);
            if (reading.tail === 'unterminated')
                await file.append('\n');
            await file.append(missing);
            await file.sync();
            await disk.syncFolder((0,external_node_path_.dirname)(path));
            return new RecordsFile(file, await file.size(), bytes => disk.truncate(path, bytes));
        }
        catch (error) {
            await file?.close();
            const text = `"${(0,text_escape/* quote */.hD)(path)}" cannot be written: ${(0,system_error/* describeError */.U)(error)}; nothing was sent, because no record could be kept; fix that, then run the job again`;
            throw new failure_0/* Stop */.VG((0,failure_0/* problemAt */.l4)('records-path', text));
        }
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
        await (0,promises_.setImmediate)();
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
            await this.#truncate(this.#bytes).catch(() => undefined);
            return (0,system_error/* describeError */.U)(error);
        }
    }
}

// EXTERNAL MODULE: ./runtime/progress.js
var runtime_progress = __webpack_require__(8491);
// EXTERNAL MODULE: ./service/proxy.js
var proxy = __webpack_require__(2293);
// EXTERNAL MODULE: ./service/transport.js
var service_transport = __webpack_require__(1456);
// EXTERNAL MODULE: ./text/time.js
var time = __webpack_require__(5396);
// EXTERNAL MODULE: ./service/error-text.js
var error_text = __webpack_require__(4063);
;// CONCATENATED MODULE: ./service/operations.js
const again = 'then run the job again';
const wrongKey = {
    cause: 'the service rejected the API key',
    remedy: `check that the secret in the input "api-key" is a key for this service, ${again}`,
};
const unpaid = {
    cause: 'payment required: the subscription has probably ended or is used up',
    remedy: `renew the subscription and update the input "subscription", if set, ${again}`,
};
const forbidden = {
    cause: 'forbidden: the account may lack permission to register or to use this subscription',
    remedy: `check the permissions of the account at the service, ${again}`,
};
const known = {
    cause: 'the service already has this hash',
    remedy: `restore the records of the run that registered it, ${again}`,
};
const wrongData = {
    cause: 'the service rejected the subscription data',
    remedy: `check the subscription and the input "subscription", if set, ${again}`,
};
const loginOperation = {
    name: 'the login',
    refusedCode: 'login-refused',
    refusals: { 400: wrongKey, 401: wrongKey, 403: wrongKey, 422: wrongKey },
};
const retrievalOperation = {
    name: 'the lookup of the active subscription',
    refusedCode: 'refused',
    refusals: {
        403: forbidden,
        other: {
            cause: 'the account probably has no active subscription',
            remedy: `activate a subscription at the service, or set the input "subscription", ${again}`,
        },
    },
};
const requestOperation = {
    name: 'the registration request',
    refusedCode: 'request-refused',
    refusals: {
        402: unpaid,
        403: forbidden,
        409: known,
        other: {
            cause: 'the service rejected the registration request',
            remedy: `check the permissions of the account at the service, ${again}`,
        },
    },
};
const neverRequested = {
    cause: 'the service probably has no request for this registration',
    remedy: `set the input "request-registration" to true, or request it at the service, ${again}`,
};
const notFoundAfterRequest = {
    cause: 'the service accepted the request but cannot find the registration',
    remedy: 'run the job again later',
};
const completionRefusals = {
    400: wrongData,
    402: unpaid,
    403: forbidden,
    409: known,
    422: wrongData,
    other: {
        cause: 'the service rejected the registration',
        remedy: `check the registration and the subscription at the service, ${again}`,
    },
};
function completionOperation(notFound) {
    const refusals = { ...completionRefusals, 404: notFound };
    return { name: 'the registration', refusedCode: 'refused', refusals };
}

// EXTERNAL MODULE: ./service/retry.js
var retry = __webpack_require__(43);
;// CONCATENATED MODULE: ./service/call-failure.js






function isRetryable(reply) {
    if (reply.kind === 'no-answer')
        return reply.cause !== 'untrusted';
    return reply.body !== null && (0,retry/* isRetryableStatus */.PS)(reply.status);
}
function mayHaveActed(reply) {
    return reply.kind === 'answer' ? statusClass(reply) !== 4 : reply.wasSent;
}
function isSuccess(reply) {
    return reply.kind === 'answer' && statusClass(reply) === 2;
}
function statusClass({ status }) {
    return Math.floor(status / 100);
}
function describeReply(reply, operation, redact) {
    if (reply.kind === 'no-answer')
        return reply.reason;
    const { status, body } = reply;
    if (status === 0)
        return 'something that is not HTTP';
    if (body === null)
        return `HTTP ${status} and a body over 1 MiB`;
    if (/^\s*<(?:!doctype|html)/i.test(body))
        return `HTTP ${status} and an HTML page`;
    if (isSuccess(reply))
        return `HTTP ${status} and a body that is not a JSON object`;
    const shown = operation === loginOperation ? '' : (0,error_text/* readErrorText */.G)(body, redact);
    return shown === '' ? `HTTP ${status}` : `HTTP ${status}: "${(0,text_escape/* quote */.hD)(shown, 200)}"`;
}
function failureOf(call) {
    const { operation, reply, replyText, attempts } = call;
    const { cause, ...diagnosis } = diagnose(call);
    const times = attempts > 1 ? `after ${attempts} attempts, ` : '';
    if (reply.kind === 'no-answer') {
        return (0,failure_0/* makeFailure */.ro)({ ...diagnosis, what: `${cause}; ${times}${operation.name} got no answer` });
    }
    const what = `${cause}; ${times}${operation.name} returned ${replyText}`;
    return (0,failure_0/* makeFailure */.ro)({ ...diagnosis, what, status: reply.status === 0 ? null : reply.status });
}
const later = 'run the job again later';
const maxPlausibleWaitMs = 366 * 24 * 3_600_000;
function diagnose({ operation, reply, mayBeRegistered }) {
    if (reply.kind === 'no-answer')
        return diagnoseNoAnswer(reply, operation);
    const { status, body } = reply;
    if (body === null)
        return diagnoseUnexpectedAnswer(reply, operation);
    if (isRetryable(reply) || statusClass(reply) === 5)
        return diagnoseUnavailable(reply);
    const { [status]: usual, other } = operation.refusals;
    const advice = usual ?? other;
    if (advice === undefined || statusClass(reply) !== 4) {
        return diagnoseUnexpectedAnswer(reply, operation);
    }
    const isUsual = !mayBeRegistered || status === 409;
    const { cause } = isUsual ? advice : (other ?? advice);
    return { code: operation.refusedCode, cause, remedy: advice.remedy };
}
function diagnoseNoAnswer({ cause, reason }, operation) {
    const code = 'unavailable';
    if (cause === 'untrusted') {
        const remedy = 'if the service uses a private certificate authority, set NODE_EXTRA_CA_CERTS';
        return { code, cause: `the certificate of the service is not trusted (${reason})`, remedy };
    }
    const isLogin = operation === loginOperation;
    const remedy = isLogin ? `${later}; if it persists, check the input "base-url"` : later;
    return { code, cause: reason, remedy, isDeferrable: true };
}
function diagnoseUnavailable({ status, retryAfterMs }) {
    let cause = 'the service is unavailable';
    if (status === 429)
        cause = 'the rate limit of the service was reached';
    const waitMs = retryAfterMs ?? Infinity;
    const wait = `run the job again in ${(0,time/* formatDuration */.a)(waitMs / 1000)}, as the service requests`;
    const remedy = waitMs > 0 && waitMs <= maxPlausibleWaitMs ? wait : later;
    return { code: 'unavailable', cause, remedy, isDeferrable: true };
}
function diagnoseUnexpectedAnswer(reply, operation) {
    const isLogin = operation === loginOperation;
    let cause = 'the service sent an unexpected answer';
    if (isLogin)
        cause = 'the input "base-url" is probably not the address of the service';
    if (statusClass(reply) === 3)
        cause = 'the service sent a redirect, which is never followed';
    const subject = isLogin ? 'check the input "base-url"' : 'report this answer to the service';
    return { code: 'invalid-response', cause, remedy: `${subject}, then run the job again` };
}

;// CONCATENATED MODULE: ./service/attempts.js






async function attempt({ operation, subject, send }, { host, pause, maxAttempts }) {
    const { clock, random, runner, halt, secrets } = host;
    let hasActed = false;
    try {
        for (let attempts = 1;; attempts++) {
            const reply = await send();
            const text = isSuccess(reply) ? (reply.body ?? '') : '';
            const object = (0,text_json/* parseJsonObject */.dw)(text);
            if (object !== undefined)
                return { object, text, mayHaveActedBefore: hasActed };
            hasActed ||= subject !== null && mayHaveActed(reply);
            const retryAfterMs = reply.kind === 'answer' ? reply.retryAfterMs : null;
            const isFinal = !isRetryable(reply) || (retryAfterMs ?? 0) > retry/* maxRetryAfterMs */.vB;
            if (!isFinal)
                pause.extend(retryAfterMs ?? 0);
            const canRetry = !isFinal && attempts < maxAttempts;
            const wasEnded = reply.kind === 'no-answer' && reply.cause === 'ended';
            if (halt.reason !== null && (canRetry || wasEnded))
                throw new failure_0/* FailureError */.pO(halt.reason);
            const replyText = describeReply(reply, operation, shown => secrets.redactText(shown));
            if (!canRetry) {
                const mayBeRegistered = hasActed || subject?.isOpen === true;
                const call = { operation, reply, replyText, attempts, mayBeRegistered };
                throw new failure_0/* FailureError */.pO(failureOf(call));
            }
            const waitMs = retryAfterMs ?? (0,retry/* backoffMs */.jo)(attempts, random());
            const target = subject === null ? '' : ` of "${(0,text_escape/* quote */.hD)(subject.artifact)}"`;
            const which = `${operation.name}${target}: attempt ${attempts} of ${maxAttempts}`;
            runner.info(`${which} failed (${replyText}); retrying in ${formatWait(waitMs)}`);
            await clock.sleep(waitMs, halt.signal);
        }
    }
    catch (error) {
        const registered = hasActed ? 'unknown' : 'no';
        throw new failure_0/* FailureError */.pO({ ...(0,failure_0/* failureIn */.Q6)(error), registered }, error);
    }
}
function formatWait(ms) {
    return ms < 1000 ? `${Math.ceil(ms)} ms` : (0,time/* formatDuration */.a)(ms / 1000);
}

;// CONCATENATED MODULE: ./service/session.js

class Session {
    #logIn;
    #logins = 0;
    #token = null;
    #accepted = 0;
    constructor(logIn) {
        this.#logIn = logIn;
    }
    async authorize(send) {
        for (;;) {
            if (this.#token === null) {
                this.#logins += 1;
                this.#token = this.#logIn().catch(failure_0/* failRun */.QQ);
            }
            const login = this.#logins;
            const reply = await send(await this.#token);
            if (reply.kind === 'no-answer')
                return reply;
            if (reply.status !== 401) {
                this.#accepted = Math.max(this.#accepted, login);
                return reply;
            }
            if (login > 1 && login > this.#accepted)
                throw new failure_0/* FailureError */.pO(refusedToken);
            if (login === this.#logins)
                this.#token = null;
        }
    }
}
const refusedToken = (0,failure_0/* makeFailure */.ro)({
    code: 'login-refused',
    what: 'the service rejected a new token; it returned HTTP 401, so nothing more was sent',
    remedy: 'check the permissions of the API key at the service, then run the job again',
    status: 401,
    endsRun: true,
});

;// CONCATENATED MODULE: ./service/client.js




class Client {
    #options;
    #session;
    constructor(options) {
        this.#options = options;
        this.#session = new Session(() => this.#logIn());
    }
    async call({ operation, path, body, subject }) {
        const { host, transport, pause, baseUrl } = this.#options;
        const url = new URL(baseUrl + path);
        const send = async (token) => {
            await subject?.logIntent();
            await pause.wait();
            return transport.send({ url, body, token }, host.halt.kill);
        };
        const call = { operation, subject, send: () => this.#session.authorize(send) };
        return attempt(call, this.#options);
    }
    async complete(subject, payer, notFound) {
        const path = `/api/v2/registration/${subject.hash}/forfait`;
        const operation = completionOperation(notFound);
        const answer = await this.call({ operation, path, body: payer.json, subject });
        const { object: record, mayHaveActedBefore: maybeChargedAgain } = answer;
        return { record, paymentId: payer.id, maybeChargedAgain };
    }
    async #logIn() {
        const { host, transport, pause, baseUrl, apiKey } = this.#options;
        const url = new URL(`${baseUrl}/api/v2/auth/login`);
        const body = JSON.stringify({ apiKey });
        const send = async () => {
            await pause.wait();
            return transport.send({ url, body, token: null }, host.halt.signal);
        };
        const call = { operation: loginOperation, subject: null, send };
        const { token } = (await attempt(call, this.#options)).object;
        if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
            throw new failure_0/* FailureError */.pO(noUsableToken);
        }
        host.secrets.add([token, ...token.split('.')]);
        return token;
    }
}
const noUsableToken = (0,failure_0/* makeFailure */.ro)({
    code: 'invalid-response',
    what: 'the login returned no usable token',
    remedy: 'check the input "base-url", then run the job again',
});

;// CONCATENATED MODULE: ./service/extensions/active-subscription.js



async function retrieveActive(client, host) {
    const operation = retrievalOperation;
    const path = '/api/v2/payment/subscription/active';
    const answer = await client.call({ operation, path, body: null, subject: null });
    const { subscription, warnings } = readMasked(answer, host);
    for (const warning of warnings)
        host.runner.warning(`The active subscription ${warning}`);
    if (subscription === null)
        throw noSubscription(operation, 'no');
    return subscription;
}
function readMasked(answer, { clock, secrets }) {
    const reading = checkSubscription(answer.object, answer.text, clock.now());
    secrets.exempt(reading.exempt);
    secrets.add(reading.secrets);
    return reading;
}
function noSubscription({ name }, registered) {
    const what = `${name} returned no subscription data`;
    const remedy = 'set the input "subscription" to your subscription data, then run the job again';
    return new failure_0/* FailureError */.pO((0,failure_0/* makeFailure */.ro)({ code: 'invalid-response', registered, what, remedy }));
}

;// CONCATENATED MODULE: ./service/extensions/request-registration.js



async function notarizeByRequest(subject, options) {
    let payment;
    try {
        payment = await request(subject, options);
    }
    catch (error) {
        const refusal = (0,failure_0/* failureIn */.Q6)(error);
        const { code, status } = refusal;
        if (code !== 'request-refused' || status === 402 || status === 403)
            throw error;
        return completeRefused(subject, refusal, options);
    }
    return options.client.complete(subject, payment, notFoundAfterRequest);
}
async function request(subject, options) {
    const { host, client, configured, description } = options;
    const body = JSON.stringify({
        blockchainType: 'ALGORAND',
        custody: 'false',
        description,
        hash: subject.hash,
        signed: 'false',
        status: 'not_registered',
    });
    const operation = requestOperation;
    const path = '/api/v2/registration/?subscription=true';
    const answer = await client.call({ operation, path, body, subject });
    const { subscription } = readMasked(answer, host);
    const payment = configured ?? subscription;
    if (payment === null)
        throw noSubscription(operation, 'unknown');
    return payment;
}
async function completeRefused(subject, refusal, { client, configured, active }) {
    let payment = configured;
    try {
        payment ??= await active();
        const notFound = { cause: 'there is nothing to complete', remedy: refusal.remedy };
        return await client.complete(subject, payment, notFound);
    }
    catch (error) {
        const later = (0,failure_0/* failureIn */.Q6)(error);
        const registered = refusal.registered === 'unknown' ? 'unknown' : later.registered;
        if (later.endsRun)
            throw new failure_0/* FailureError */.pO({ ...later, registered }, error);
        const wasCompleted = payment !== null && later.status !== 404;
        const [first, second] = wasCompleted ? [later, refusal] : [refusal, later];
        const what = `${first.what}; ${second.what}`;
        const { status, isDeferrable } = wasCompleted ? later : refusal;
        const code = wasCompleted && later.code !== 'refused' ? later.code : refusal.code;
        throw new failure_0/* FailureError */.pO({ ...later, code, status, isDeferrable, what, registered }, error);
    }
}
function fillDescription(template, values) {
    const placeholder = /\{(artifact|repository|ref)\}/g;
    const filled = template.replace(placeholder, (_, name) => values[name]);
    const clean = filled.replace(/\p{Cc}/gu, '');
    return clean.slice(0, 500).replace(/[\ud800-\udbff]$/, '');
}

;// CONCATENATED MODULE: ./service/shared-pause.js

class SharedPause {
    #clock;
    #halt;
    #endMs = 0;
    constructor(clock, halt) {
        this.#clock = clock;
        this.#halt = halt;
    }
    extend(ms) {
        this.#endMs = Math.max(this.#endMs, this.#clock.monotonic() + ms);
    }
    async wait() {
        const { signal } = this.#halt;
        while (!signal.aborted && this.#leftMs() > 0)
            await this.#clock.sleep(this.#leftMs(), signal);
        if (this.#halt.reason !== null)
            throw new failure_0/* FailureError */.pO(this.#halt.reason);
    }
    #leftMs() {
        return this.#endMs - this.#clock.monotonic();
    }
}

;// CONCATENATED MODULE: ./register/notarize.js






function chooseCalls(task, transport) {
    const { host, inputs, source } = task;
    const { payment, baseUrl, apiKey, maxAttempts, requestRegistration } = inputs;
    const pause = new SharedPause(host.clock, host.halt);
    const client = new Client({ host, transport, pause, baseUrl, apiKey, maxAttempts });
    let retrieved = null;
    const active = () => {
        retrieved ??= retrieveActive(client, host);
        return retrieved;
    };
    return async (subject) => {
        const configured = payment === 'active' ? await active().catch(failure_0/* failRun */.QQ) : payment;
        if (configured !== null && !requestRegistration) {
            return client.complete(subject, configured, neverRequested);
        }
        const { artifact } = subject;
        const names = { artifact, repository: source.repository ?? '', ref: source.ref ?? '' };
        const description = fillDescription(inputs.description, names);
        return notarizeByRequest(subject, { host, client, configured, active, description });
    };
}

;// CONCATENATED MODULE: ./register/pool.js




const maxOutages = 5;
const notTried = `not tried, because ${maxOutages} registrations failed`;
async function runPool(registrations, options) {
    const { concurrency, halt, registerOne, reportTo, onDone } = options;
    const outcomes = new Map();
    const remaining = registrations.values();
    let outages = 0;
    let stopReason = null;
    const checkOutcome = (outcome) => {
        if (outcome.state === 'registered') {
            outages = 0;
            return;
        }
        const { failure } = outcome;
        if (isOutage(failure))
            outages += 1;
        if (failure.endsRun)
            stopReason ??= failure;
        if (outages >= maxOutages)
            stopReason ??= { ...failure, what: `${notTried}: ${failure.what}` };
    };
    const work = async () => {
        for (const registration of remaining) {
            const { hash } = registration;
            const reason = stopReason ?? halt.reason;
            if (reason !== null) {
                outcomes.set(hash, addOpenRun((0,outcome_0/* failed */.gz)({ ...reason, registered: 'no' }), registration));
                continue;
            }
            const outcome = await registerOne(registration).catch((error) => (0,outcome_0/* failed */.gz)((0,failure_0/* bugFailure */.fT)((0,system_error/* describeError */.U)(error), reportTo)));
            outcomes.set(hash, addOpenRun(outcome, registration));
            onDone(outcome, outcomes.size);
            checkOutcome(outcome);
        }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    return outcomes;
}
function isOutage({ code, status }) {
    const isRefused = code === 'refused' || code === 'request-refused';
    return code === 'unavailable' || (isRefused && (status === 402 || status === 403));
}
function addOpenRun(outcome, { open }) {
    if (open === null || outcome.state === 'registered')
        return outcome;
    const when = (0,time/* formatTime */.f)(Date.parse(open.at));
    const what = `${outcome.failure.what}; an earlier run sent it on ${when} UTC and got no answer`;
    return (0,outcome_0/* failed */.gz)({ ...outcome.failure, registered: 'unknown', what });
}

// EXTERNAL MODULE: ./records/line.js
var records_line = __webpack_require__(5924);
// EXTERNAL MODULE: ./records/record.js
var records_record = __webpack_require__(5523);
// EXTERNAL MODULE: external "node:os"
var external_node_os_ = __webpack_require__(8161);
;// CONCATENATED MODULE: ./runtime/environment.js

function redactSource(source, redact) {
    const clean = (text) => (text === null ? null : redact(text));
    return {
        repository: clean(source.repository),
        sha: clean(source.sha),
        ref: clean(source.ref),
        runId: clean(source.runId),
        runAttempt: clean(source.runAttempt),
        commitUrl: clean(source.commitUrl),
        runUrl: clean(source.runUrl),
    };
}
function readEnvironment(env, cwd) {
    const read = (name) => {
        const text = env[name] ?? '';
        return text === '' ? null : text;
    };
    const serverUrl = read('GITHUB_SERVER_URL') ?? 'https://github.com';
    const action = read('GITHUB_ACTION_REPOSITORY');
    const actionUrl = `${serverUrl}/${action ?? ''}`;
    const actionRef = read('GITHUB_ACTION_REF');
    return {
        workspace: read('GITHUB_WORKSPACE') ?? cwd,
        home: read('HOME') ?? read('USERPROFILE') ?? cwd,
        tempFolder: read('RUNNER_TEMP') ?? (0,external_node_os_.tmpdir)(),
        apiUrl: read('GITHUB_API_URL') ?? 'https://api.github.com',
        serverUrl,
        source: readSource(read, serverUrl),
        proxies: Object.fromEntries(proxyVariables.map(name => [name, env[name]])),
        secrets: proxyVariables.flatMap(name => proxySecrets(read(name) ?? '')),
        reportTo: action === null ? 'the issues of this action' : `${actionUrl}/issues`,
        docsUrl: action === null ? 'docs' : `${actionUrl}/blob/${actionRef ?? 'main'}/docs`,
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

// EXTERNAL MODULE: ./runtime/halt.js
var runtime_halt = __webpack_require__(991);
// EXTERNAL MODULE: ./text/verification-url.js
var verification_url = __webpack_require__(6318);
;// CONCATENATED MODULE: ./register/journal.js






class HashJournal {
    hash;
    isOpen;
    #registration;
    #options;
    #sent = null;
    constructor(registration, options) {
        this.hash = registration.hash;
        this.isOpen = registration.open !== null;
        this.#registration = registration;
        this.#options = options;
    }
    get artifact() {
        return this.#redact(this.#registration.name);
    }
    async logIntent() {
        if (this.#sent !== null)
            return;
        const at = new Date(this.#options.host.clock.now()).toISOString();
        const sent = { ...this.#head(), at, state: 'sent' };
        if (!(await this.#save(sent)))
            throw new failure_0/* FailureError */.pO(runtime_halt/* notSavedFailure */.dw);
        this.#sent = sent;
    }
    async settle() {
        if (this.#sent !== null)
            await this.#save({ ...this.#sent, state: 'not-registered' });
    }
    async keep({ record, paymentId, maybeChargedAgain }) {
        const { hash } = this;
        const { host, inputs, unexpected } = this.#options;
        for (const field of (0,records_record/* unexpectedTypes */.x)(record))
            unexpected.add(field);
        const problems = (0,records_record/* checkRecord */.E)(record, { hash, paymentId, redacted: [] });
        const { value, redacted } = host.secrets.redactJson(record);
        const url = (0,verification_url/* fillVerificationUrl */.B)(inputs.verificationUrl, { hash, record });
        const entry = {
            ...this.#head(),
            at: this.#sent?.at ?? null,
            record: value,
            redacted,
            problems: problems.map(problem => this.#redact(problem)),
            verificationUrl: url === undefined ? null : this.#redact(url),
            maybeChargedAgain,
        };
        await this.#save(entry);
        return entry;
    }
    async #save(entry) {
        const { file, host } = this.#options;
        const line = (0,records_line/* formatLine */.IL)(entry);
        const reason = await file.append(line);
        if (reason === null)
            return true;
        const { halt, runner } = host;
        halt.stop(runtime_halt/* notSavedFailure */.dw);
        runner.info(`A line could not be saved: ${reason}`);
        if ((0,records_line/* isRecord */.u4)(entry))
            halt.unsaved.push(this.artifact);
        if ((0,records_line/* isRecord */.u4)(entry) || entry.state !== 'sent') {
            runner.info('Append this line to the records file by hand:');
            runner.info(line.trimEnd());
        }
        return false;
    }
    #head() {
        const { inputs, source } = this.#options;
        const { hash, size } = this.#registration;
        const redacted = redactSource(source, text => this.#redact(text));
        return { artifact: this.artifact, size, hash, service: inputs.baseUrl, source: redacted };
    }
    #redact(text) {
        return this.#options.host.secrets.redactText(text);
    }
}

;// CONCATENATED MODULE: ./register/registration.js



async function registerOne(registration, notarize, options) {
    const journal = new HashJournal(registration, options);
    let answer;
    try {
        answer = await notarize(journal);
    }
    catch (error) {
        const failure = (0,failure_0/* failureIn */.Q6)(error);
        if (failure.registered === 'no')
            await journal.settle();
        return (0,outcome_0/* failed */.gz)(failure);
    }
    const { record, redacted, problems } = await journal.keep(answer);
    if (problems.length > 0)
        return (0,outcome_0/* failed */.gz)((0,failure_0/* mismatchFailure */.Jc)(problems));
    const maybeChargedAgain = answer.maybeChargedAgain || journal.isOpen;
    return { state: 'registered', from: 'this-run', record, redacted, maybeChargedAgain };
}

;// CONCATENATED MODULE: ./register/register.js









async function register(registrations, task) {
    const { host, inputs, recordsPath, records } = task;
    const hasWork = registrations.length > 0;
    const problem = hasWork ? (0,proxy/* proxyProblem */.w)(inputs.baseUrl, host.environment.proxies) : null;
    if (problem !== null)
        throw new failure_0/* Stop */.VG(problem);
    const file = await RecordsFile.open(recordsPath, records, hasWork);
    if (file === null)
        return new Map();
    (0,parse_records/* tailWarning */.VG)(records.reading, 'cut off').forEach(host.runner.warning);
    const transport = (0,service_transport/* createTransport */.o)(inputs.timeoutSeconds * 1000);
    try {
        return await registerAll(registrations, { task, file, transport });
    }
    catch (error) {
        host.halt.noteBug(error, host.environment.reportTo);
        return new Map();
    }
    finally {
        transport.close();
        await file.close();
    }
}
async function registerAll(registrations, { task, file, transport }) {
    const { host, inputs } = task;
    const { environment, runner, clock, halt } = host;
    const notarize = chooseCalls(task, transport);
    const progress = (0,runtime_progress/* createProgress */.m)('registering', clock, runner.info);
    const unexpected = new Set();
    let failures = 0;
    const outcomes = await runPool(registrations, {
        concurrency: inputs.concurrency,
        halt,
        reportTo: environment.reportTo,
        registerOne: registration => registerOne(registration, notarize, { ...task, file, unexpected }),
        onDone: ({ state }, done) => {
            if (state === 'failed')
                failures += 1;
            const detail = failures === 0 ? '' : `${failures} failed`;
            progress(done, registrations.length, detail);
        },
    });
    if (unexpected.size > 0) {
        const fields = [...unexpected].join(', ');
        runner.notice(`Some record fields have an undocumented type and were kept unchanged: ${fields}`);
    }
    return outcomes;
}

// EXTERNAL MODULE: ./release/open.js + 7 modules
var release_open = __webpack_require__(3133);
// EXTERNAL MODULE: ./report/deliver.js
var deliver = __webpack_require__(1109);
// EXTERNAL MODULE: ./report/log.js
var log = __webpack_require__(214);
// EXTERNAL MODULE: ./artifacts/own-files.js
var own_files = __webpack_require__(1683);
// EXTERNAL MODULE: ./records/evidence.js + 1 modules
var evidence = __webpack_require__(8597);
// EXTERNAL MODULE: ./report/findings.js
var report_findings = __webpack_require__(8888);
// EXTERNAL MODULE: ./report/outputs.js
var report_outputs = __webpack_require__(7954);
// EXTERNAL MODULE: ./report/run-failures.js
var run_failures = __webpack_require__(3325);
// EXTERNAL MODULE: ./report/stop.js
var report_stop = __webpack_require__(626);
// EXTERNAL MODULE: ./report/explain.js
var explain = __webpack_require__(5327);
// EXTERNAL MODULE: ./report/page.js
var page = __webpack_require__(4973);
// EXTERNAL MODULE: ./report/standing.js
var standing = __webpack_require__(9330);
;// CONCATENATED MODULE: ./report/summary.js









function formatSummary(findings, parts) {
    const { host, counts, inputs, reasons, ranked } = findings;
    const { docsUrl } = host.environment;
    const recordsFile = page/* code */.aY(host.secrets.redactText(inputs.recordsPath));
    const head = [];
    for (const runFailure of parts.runFailures) {
        if (reasons.some(({ failure }) => failure.code === runFailure.code))
            continue;
        head.push(`<p>❌ ${formatAnswers(runFailure, docsUrl)}</p>`);
    }
    const items = reasons.map(reason => {
        const answers = formatAnswers((0,explain/* explain */.WE)(reason.failure), docsUrl);
        return `${titleOf(reason, findings)}<br>${answers}`;
    });
    head.push(...page/* formatList */.ki('<b>What happened, and what to do next</b>', items));
    head.push(...page/* formatNotes */.jQ(parts.warnings));
    const isPartial = counts.failed > 0 && counts.registered > 0;
    if (isPartial && parts.runFailures.length === 0 && !inputs.dryRun) {
        head.push(`<p>Artifacts with a record in ${recordsFile} are not sent or charged again.</p>`);
    }
    const foot = [];
    if (counts.registered > 0 && !inputs.dryRun) {
        const command = `<code>sha256sum --ignore-missing -c ${own_files/* evidenceName */.Xc}</code>`;
        const docs = page/* docsLink */._h(docsUrl, 'verify.md');
        foot.push(`<p>To check downloaded files, run ${command} next to them; see ${docs}.</p>`);
    }
    const titles = ['Registered at (UTC)', 'Blockchain'];
    const hasTransactions = ranked.some(result => transactionOf(result) !== '');
    if (hasTransactions)
        titles.push('Transaction');
    const table = {
        titles,
        rows: ranked.values().map(result => formatRow(result, findings, hasTransactions)),
        total: counts.total,
        plainCount: ranked.filter(standing/* isPlain */.$i).length,
        elsewhere: `see the outputs and ${recordsFile}`,
    };
    return page/* formatPage */.Pd({ verdict: parts.verdict, head, table, foot });
}
function formatAnswers(answers, docsUrl) {
    return [
        `<b>What happened:</b> ${page/* sentence */.em(answers.what)}`,
        `<b>Registered or charged?</b> ${page/* sentence */.em(answers.aftermath)}`,
        `<b>Next:</b> ${page/* sentence */.em(answers.remedy)}`,
        `More: ${page/* docsLink */._h(docsUrl, answers.page)}`,
    ].join('<br>');
}
const maxExamples = 3;
function titleOf({ failure, results }, findings) {
    const examples = results.map(result => {
        const url = (0,report_findings/* lookupUrl */.cZ)(result, findings);
        const link = url === undefined ? '' : ` (${page/* linked */.q('look up', url)})`;
        return page/* code */.aY(result.name) + link;
    });
    const names = (0,words/* joinFirst */.FS)(examples, maxExamples, { separator: ', ' });
    return `<b>${standing/* standings */.ES[(0,standing/* standingOfFailure */.Aw)(failure)]}</b> (${(0,explain/* describeCode */.lA)(failure)}): ${names}`;
}
function formatRow(result, findings, hasTransactions) {
    const state = standing/* standings */.ES[(0,standing/* standingOf */.YP)(result.outcome)].replace(' ', '&nbsp;');
    const row = { state, artifact: result, url: (0,report_findings/* lookupUrl */.cZ)(result, findings) };
    if ((0,outcome_0/* isRegistered */.zN)(result)) {
        const { record } = result.outcome;
        const details = [(0,field/* timeText */.Tc)(record['creationDate']), record['blockchainType']].map(page/* code */.aY);
        if (hasTransactions)
            details.push(page/* code */.aY(transactionOf(result)));
        return { ...row, details };
    }
    if ((0,outcome_0/* isFailed */.Ix)(result)) {
        const text = (0,report_findings/* describeFailure */.Ic)(result.outcome.failure, findings);
        return { ...row, details: page/* breakable */.mo(text, text_escape/* maxMessageLength */.sZ * 3) };
    }
    if ((0,standing/* isPlain */.$i)(result))
        return { ...row, details: '' };
    const { docsUrl } = findings.host.environment;
    const settling = page/* docsLink */._h(docsUrl, 'records.md#settle-an-open-hash');
    return { ...row, details: `To settle it, see ${settling}` };
}
function transactionOf({ outcome }) {
    if (outcome.state !== 'registered')
        return '';
    return (0,field/* fieldText */.gF)(outcome.record['txId']) || (0,field/* fieldText */.gF)(outcome.record['txHash']);
}

// EXTERNAL MODULE: ./report/verdict.js
var report_verdict = __webpack_require__(6013);
;// CONCATENATED MODULE: ./report/report.js















async function report(end, options) {
    return end.kind === 'completed' ? reportCompleted(end, options) : reportStopped(end, options);
}
const nothingSent = 'nothing was registered or charged';
async function reportStopped(end, options) {
    const { problems, checksumsPath } = end;
    const { host, inputs, recordsPath } = options;
    const how = host.halt.isCancelled && problems.length === 0 ? 'cancelled' : 'stopped';
    const paths = { recordsPath, checksumsPath, evidencePath: '' };
    const stop = {
        problems,
        verdict: `❌ ${inputs.dryRun ? 'DRY RUN, ' : ''}NOT NOTARIZED: ${how} before anything was sent`,
        nothing: nothingSent,
        page: 'failures.md#stopped-before-anything-was-sent',
        outputs: (0,report_outputs/* makeOutputs */.dj)((0,report_findings/* buildFindings */.nH)([], host, inputs), 'stopped', paths),
        showSummary: inputs.showSummary,
    };
    return (0,report_stop/* reportStop */.D)(stop, host);
}
async function reportCompleted(end, options) {
    const { host, inputs, recordsPath } = options;
    const { runner, halt, secrets } = host;
    const { attachment, checksumsPath } = end;
    const findings = (0,report_findings/* buildFindings */.nH)(end.results, host, inputs);
    const { counts, verdict } = findings;
    const clean = (text) => (0,text_escape/* toSingleLine */.OX)(secrets.redactText(text));
    const evidencePath = await writeEvidence(end, options);
    const outputs = (0,report_outputs/* makeOutputs */.dj)(findings, verdict, { recordsPath, checksumsPath, evidencePath });
    const outputsFailure = (0,deliver/* deliverOutputs */.e)(outputs, runner);
    const failures = [...(0,run_failures/* findRunFailures */.ae)(halt, outputsFailure, inputs.dryRun ? nothingSent : run_failures/* charged */.XA)];
    const incomplete = (0,run_failures/* explainAttachment */.Ng)(attachment);
    if (incomplete !== null)
        failures.push(incomplete);
    failures.sort((a, b) => Number(b.blocksRerun) - Number(a.blocksRerun));
    const runFailures = failures.map(failure => {
        const reason = failure.reason === null ? null : clean(failure.reason);
        return { ...failure, reason, short: clean(failure.short), what: clean(failure.what) };
    });
    const firstLine = (0,report_verdict/* formatVerdict */.Pu)(verdict, counts, runFailures);
    const exitCode = (0,report_verdict/* isRed */.iI)(verdict, counts, runFailures) ? 1 : 0;
    (0,log/* formatLog */.eE)(findings, firstLine).forEach(runner.info);
    const warnings = (attachment?.warnings ?? []).map(clean);
    const chargedAgain = (0,report_verdict/* formatChargedAgain */.so)(counts);
    if (chargedAgain !== null)
        warnings.push(chargedAgain);
    if (outputs['records'] === '')
        warnings.push(noRecordsOutput);
    if (verdict === 'deferred' && exitCode === 0)
        warnings.push((0,report_verdict/* formatDeferral */.nN)(counts));
    warnings.forEach(runner.warning);
    if (inputs.showSummary) {
        warnings.push(...end.warnings.map(clean));
        const summary = formatSummary(findings, { verdict: firstLine, runFailures, warnings });
        await (0,deliver/* deliverSummary */.ep)(summary, runner);
    }
    if (exitCode === 1)
        runner.error((0,log/* formatError */.Wk)(findings, runFailures));
    return exitCode;
}
const noRecordsOutput = 'The output "records" is empty, because it would exceed 120,000 bytes; read the file in the output "records-path" instead';
async function writeEvidence(end, options) {
    const { host, inputs, recordsPath } = options;
    const registered = end.results.filter(outcome_0/* isRegistered */.zN);
    if (inputs.dryRun || registered.length === 0)
        return '';
    const hashes = new Set(registered.map(({ hash }) => hash));
    const checksums = end.evidenceChecksums(hashes) ?? registered;
    try {
        const file = (0,records_disk/* readRegularFile */.XF)(recordsPath);
        const { entries } = (0,parse_records/* parseRecords */.Q4)(file, inputs.recordsPath, evidence/* withShownFields */.BN);
        const page = (0,evidence/* renderEvidence */.oP)(entries, checksums);
        if (page === null)
            return '';
        const text = host.secrets.redactText(page);
        return await (0,deliver/* writeTemporary */.bW)(host.environment.tempFolder, own_files/* evidenceName */.Xc, text);
    }
    catch (error) {
        host.runner.warning(`The evidence page could not be written (${(0,system_error/* describeError */.U)(error)})`);
        return '';
    }
}

// EXTERNAL MODULE: ./runtime/clock.js
var clock = __webpack_require__(2748);
// EXTERNAL MODULE: ../node_modules/@actions/core/lib/core.js + 12 modules
var core = __webpack_require__(6853);
;// CONCATENATED MODULE: ./runtime/runner.js


const maxAnnotations = 10;
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
    const info = (text) => {
        core/* info */.pq((0,text_escape/* toLogLine */.gD)(redact(text)));
    };
    const annotateWith = (kind, annotate) => {
        let count = 0;
        return (text) => {
            count += 1;
            if (count > maxAnnotations)
                info(`${kind}: ${text}`);
            else
                annotate((0,text_escape/* cut */.Jj)((0,text_escape/* toLogLine */.gD)(redact(text)), maxAnnotationLength));
        };
    };
    return {
        info,
        notice: annotateWith('notice', core/* notice */.lm),
        warning: annotateWith('warning', core/* warning */.$e),
        error: annotateWith('error', core/* error */.z3),
        mask: core/* setSecret */.Pq,
        setOutput: core/* setOutput */.uH,
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
    redactJson(object) {
        const text = JSON.stringify(object);
        if (this.redactText(text) === text)
            return { value: object, redacted: [] };
        const redacted = new Set();
        const value = this.#redactObject(object, '', redacted);
        return { value, redacted: [...redacted] };
    }
    #redactObject(object, parent, redacted) {
        const fields = new Map();
        for (const [key, value] of Object.entries(object)) {
            let name = this.redactText(key);
            while (name !== key && (fields.has(name) || name in object))
                name += '*';
            const pointer = `${parent}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
            if (name !== key)
                redacted.add(pointer);
            fields.set(name, this.#redactValue(value, pointer, redacted));
        }
        return Object.fromEntries(fields);
    }
    #redactValue(value, pointer, redacted) {
        if ((0,text_json/* isJsonObject */.OW)(value))
            return this.#redactObject(value, pointer, redacted);
        if (Array.isArray(value)) {
            return value.map((item, index) => this.#redactValue(item, `${pointer}/${index}`, redacted));
        }
        const text = typeof value === 'string' ? value : JSON.stringify(value);
        const clean = this.redactText(text);
        if (clean === text)
            return value;
        redacted.add(pointer);
        return clean;
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
async function runInHost({ inputNames, run }, workerFile, cancelled) {
    process.noDeprecation = true;
    delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    const rawInputs = readRawInputs(inputNames);
    const environment = readEnvironment(process.env, process.cwd());
    const secrets = new Secrets(line => {
        runner.mask(line);
    });
    const runner = createRunner(text => secrets.redactText(text));
    const halt = new runtime_halt/* Halt */._V();
    const host = { environment, runner, secrets, halt, workerFile };
    const noteBug = (error) => {
        halt.noteBug(error, environment.reportTo);
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
            reportLate(halt, runner);
    });
    cancelled.addEventListener('abort', cancel);
    await (0,promises_.setImmediate)();
    if (cancelled.aborted)
        cancel();
    try {
        exitCode = await run({ ...host, clock: clock/* systemClock */.m, random: Math.random }, rawInputs);
        process.exitCode = exitCode;
    }
    catch (error) {
        noteBug(error);
    }
    await (0,promises_.setImmediate)();
    setTimeout(() => {
        process.exit();
    }, lingerMs).unref();
}
function reportLate({ bug, isCancelled }, runner) {
    if (bug !== null)
        runner.error(`${bug.code}: ${bug.what}; ${bug.remedy}`);
    else if (isCancelled)
        runner.error('The run was cancelled by a signal after its report');
    else
        return;
    process.exitCode = 1;
}

;// CONCATENATED MODULE: ./main.js














const workerPath = './hash-worker/index.js';
async function start(name, cancelled) {
    let action = notarizeAction;
    if (name === 'verify')
        action = (await __webpack_require__.e(/* import() */ 968).then(__webpack_require__.bind(__webpack_require__, 9968))).verifyAction;
    await runInHost(action, new URL(workerPath, import.meta.url), cancelled);
}
const notarizeAction = { inputNames: notarizeInputNames, run };
async function run(host, rawInputs) {
    const { environment, secrets, clock } = host;
    const reading = readInputs(rawInputs, clock.now());
    secrets.exempt(reading.exempt);
    secrets.add([...reading.secrets, ...environment.secrets]);
    const { inputs } = reading;
    const recordsPath = external_node_path_.resolve(environment.workspace, inputs.recordsPath);
    const end = await notarize(host, reading, recordsPath);
    return report(end, { host, inputs, recordsPath });
}
async function notarize(host, reading, recordsPath) {
    const { environment, runner, halt } = host;
    const { inputs } = reading;
    const warnings = [];
    const warn = (texts) => {
        texts.forEach(runner.warning);
        warnings.push(...texts);
    };
    let checksumsPath = '';
    try {
        warn(reading.warnings);
        const collected = await (0,collect/* collectArtifacts */.k)(inputs, host, { skip: [recordsPath] });
        warn(collected.warnings);
        failure_0/* Stop */.VG.ifAny([...reading.problems, ...collected.problems]);
        const release = await (0,release_open/* openRelease */.g)(inputs, host);
        warn(release.warnings);
        const hashed = await (0,hash/* hashFiles */.y)(collected.files, host);
        const records = readRecords({
            path: recordsPath,
            name: inputs.recordsPath,
            others: release.records,
            service: inputs.baseUrl,
        });
        warn(records.warnings);
        const plan = makePlan({
            inputs,
            artifacts: [...hashed, ...collected.listed, ...release.artifacts],
            counts: [...collected.counts, ...release.counts],
            records,
            release: release.facts,
            source: environment.source,
        });
        warn(plan.warnings);
        checksumsPath = await (0,deliver/* writeChecksumsFile */.SJ)(plan.checksums, environment.tempFolder);
        failure_0/* Stop */.VG.ifAny(plan.problems);
        runner.info((0,log/* describePlan */.df)(plan));
        warnings.push(...(0,log/* openWarning */.TM)(plan));
        let { results } = plan;
        let attachment = null;
        if (!inputs.dryRun) {
            const evidenceOf = (from) => {
                const hashes = new Set(from.filter(outcome_0/* isRegistered */.zN).map(({ hash }) => hash));
                return { recordsPath, service: inputs.baseUrl, hashes };
            };
            const { toRegister } = plan;
            const { source } = release;
            await release.checkWritable(toRegister.length === 0 ? evidenceOf(results) : null);
            const outcomes = await register(toRegister, { host, inputs, recordsPath, records, source });
            const lost = halt.bug ?? (0,failure_0/* bugFailure */.fT)('an artifact has no outcome', environment.reportTo);
            results = resultsOf(plan, outcomes, lost);
            attachment = await release.attach(evidenceOf(results));
        }
        const { evidenceChecksums } = release;
        return { kind: 'completed', results, checksumsPath, attachment, warnings, evidenceChecksums };
    }
    catch (error) {
        if (error instanceof failure_0/* Stop */.VG)
            return { kind: 'stopped', problems: error.problems, checksumsPath };
        halt.noteBug(error, environment.reportTo);
        return { kind: 'stopped', problems: [], checksumsPath };
    }
}


/***/ }),

/***/ 1949:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Ix: () => (/* binding */ isFailed),
/* harmony export */   gz: () => (/* binding */ failed),
/* harmony export */   zN: () => (/* binding */ isRegistered)
/* harmony export */ });
function failed(failure) {
    return { state: 'failed', failure };
}
function isRegistered(result) {
    return result.outcome.state === 'registered';
}
function isFailed(result) {
    return result.outcome.state === 'failed';
}


/***/ }),

/***/ 9435:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   XF: () => (/* binding */ readRegularFile),
/* harmony export */   hY: () => (/* binding */ systemDisk),
/* harmony export */   qC: () => (/* binding */ readIfThere)
/* harmony export */ });
/* harmony import */ var node_fs__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3024);
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6760);
/* harmony import */ var _text_system_error_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(8343);




function readIfThere(path, disk) {
    try {
        return disk.read(path);
    }
    catch (error) {
        if ((0,_text_system_error_js__WEBPACK_IMPORTED_MODULE_3__/* .errorCode */ .C)(error) === 'ENOENT')
            return Buffer.alloc(0);
        throw error;
    }
}
function readRegularFile(path) {
    const descriptor = (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.openSync)(path, node_fs__WEBPACK_IMPORTED_MODULE_0__.constants.O_RDONLY | node_fs__WEBPACK_IMPORTED_MODULE_0__.constants.O_NONBLOCK);
    try {
        if (!(0,node_fs__WEBPACK_IMPORTED_MODULE_0__.fstatSync)(descriptor).isFile())
            throw new Error('it is not a regular file');
        return (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.readFileSync)(descriptor);
    }
    finally {
        (0,node_fs__WEBPACK_IMPORTED_MODULE_0__.closeSync)(descriptor);
    }
}
const systemDisk = {
    read: readRegularFile,
    createFolder,
    truncate: node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.truncate,
    openForAppending: async (path) => {
        const handle = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.open)(path, 'a');
        return {
            append: data => handle.appendFile(data),
            sync: () => handle.datasync(),
            size: async () => (await handle.stat()).size,
            close: () => handle.close(),
        };
    },
    syncFolder: async (path) => {
        const handle = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.open)(path, 'r').catch(() => null);
        if (handle === null)
            return;
        await handle.sync().catch(() => undefined);
        await handle.close();
    },
};
async function createFolder(path) {
    if ((0,node_fs__WEBPACK_IMPORTED_MODULE_0__.existsSync)(path) || (0,node_path__WEBPACK_IMPORTED_MODULE_2__.dirname)(path) === path)
        return;
    await createFolder((0,node_path__WEBPACK_IMPORTED_MODULE_2__.dirname)(path));
    await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.mkdir)(path).catch((error) => {
        if (!(0,node_fs__WEBPACK_IMPORTED_MODULE_0__.existsSync)(path))
            throw error;
    });
}


/***/ }),

/***/ 8597:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  oP: () => (/* binding */ renderEvidence),
  BN: () => (/* binding */ withShownFields)
});

// UNUSED EXPORTS: maxEvidenceLength

// EXTERNAL MODULE: ./text/checksum-line.js
var checksum_line = __webpack_require__(6569);
// EXTERNAL MODULE: ./text/escape.js
var text_escape = __webpack_require__(8146);
// EXTERNAL MODULE: ./text/field.js
var field = __webpack_require__(1821);
// EXTERNAL MODULE: ./text/words.js
var words = __webpack_require__(4904);
;// CONCATENATED MODULE: ./records/evidence-page.js

function formatEvidencePage(count, checksums, entries) {
    const moreEntries = (0,words/* pluralize */.td)(entries.left, 'more registration is', 'more registrations are');
    const left = `**${moreEntries} not shown**, because this page has a size limit.
The records files (\`notarization-records*.jsonl\`) contain every registration.

`;
    return `# Notarization evidence

This page shows ${count} of SHA-256 digests with a notarization service.
You can read and check it without an account.

## What this page proves, and what it does not

- Each entry records an answer from the service: this account registered this SHA-256 at this time,
  according to the service's clock.
- A file with the same SHA-256 contains exactly the bytes that were notarized.
- It does not prove who made the file, what source it was built from, or that it is free of defects.
- This page is plain text: anyone who can replace the file can change it. Compare it with what they
  cannot change: the service and, if available, the blockchain transaction and an attestation of the
  records.

## Compare downloaded files

${checksums.text === '' && checksums.left === 0 ? '' : formatChecksumList(checksums)}To compare a single file, compute its SHA-256 and search for it on this page, ignoring case.

- Linux: \`sha256sum FILE\`
- macOS: \`shasum -a 256 FILE\`
- Windows PowerShell: \`Get-FileHash -Algorithm SHA256 FILE\`

## Registrations, newest first

${entries.text}${entries.left > 0 ? left : ''}## Look up a registration

If the SHA-256 is a link, follow it. Otherwise, ask the service about it. If the entry has a
transaction, you can look it up in any explorer for that blockchain.

"Account at the service" is the customer number of the account that registered the file. "Payment"
is the number of the subscription that paid for it. Only the service can tell who they belong to.

## Check who wrote the records

This page was created from records files that a workflow may have attested. To check a records file,
use GitHub CLI 2.49 or later, and replace OWNER/REPO with the repository you downloaded this page
from. Do not copy the repository name from this page.

\`\`\`sh
gh attestation verify notarization-records.jsonl --repo OWNER/REPO
\`\`\`

The command succeeds only if a workflow of that repository attested this exact file. Without an
attestation, you cannot tell who wrote the records.
`;
}
function formatChecksumList({ text, left }) {
    const more = (0,words/* pluralize */.td)(left, 'more file is', 'more files are');
    const rest = `**${more} not listed**, because this page has a size limit.\n\n`;
    return `Save this page as \`notarization-evidence.md\` in the folder with the files, then run the command
for your system there. It must report OK for every listed file that you have. Ignore the warning
about improperly formatted lines: it refers to the text of this page.

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

${left > 0 ? rest : ''}`;
}

// EXTERNAL MODULE: ./records/known-records.js
var known_records = __webpack_require__(3032);
// EXTERNAL MODULE: ./records/line.js
var line = __webpack_require__(5924);
;// CONCATENATED MODULE: ./records/evidence.js







const maxEvidenceLength = 120_000;
function withShownFields(entry) {
    if (!(0,line/* isRecord */.u4)(entry))
        return entry;
    const { creationDate, userId, paymentId, blockchainType, txId, txHash } = entry.record;
    return { ...entry, record: { creationDate, userId, paymentId, blockchainType, txId, txHash } };
}
const checksumsShare = 0.75;
function renderEvidence(entries, checksums) {
    const records = listRecords(entries);
    if (records.length === 0)
        return null;
    const files = listChecksums(checksums);
    const count = (0,words/* pluralize */.td)(records.length, 'registration');
    const noFiles = { text: '', left: files.length };
    const noRecords = { text: '', left: records.length };
    const budget = maxEvidenceLength - formatEvidencePage(count, noFiles, noRecords).length;
    const unused = budget - joinFitting(records, formatEntry, budget).text.length;
    const maxChecksums = Math.max(budget * checksumsShare, unused);
    const checksumList = joinFitting(files, checksum_line/* formatChecksum */.r, maxChecksums);
    const entryList = joinFitting(records, formatEntry, budget - checksumList.text.length);
    return formatEvidencePage(count, checksumList, entryList);
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
        const known = (0,known_records/* assess */.n)(ofHash);
        if (known?.state !== 'registered')
            continue;
        const { maybeChargedAgain } = known;
        const byLine = new Map(ofHash.filter(line/* isGoodRecord */.FK).map(record => [(0,line/* formatLine */.IL)(record), record]));
        for (const entry of byLine.values())
            records.push({ ...entry, maybeChargedAgain });
    }
    const keyOf = ({ at, hash }) => `${at ?? ''} ${hash}`;
    return records.sort((a, b) => (0,words/* compareCodeUnits */.UF)(keyOf(b), keyOf(a)));
}
function listChecksums(checksums) {
    const listed = [];
    const sorted = checksums.toSorted((a, b) => (0,words/* compareCodeUnits */.UF)(a.name, b.name));
    for (const [name, files] of Map.groupBy(sorted, file => (0,words/* baseName */.Fl)(file.name))) {
        const [hash = '', ...others] = new Set(files.map(file => file.hash));
        if (others.length === 0)
            listed.push({ name, hash });
        else
            listed.push(...files);
    }
    return listed;
}
function formatEntry(entry) {
    const { artifact, size, hash, service, record, source, verificationUrl } = entry;
    const { creationDate, userId, paymentId, blockchainType, txId, txHash } = record;
    const bytes = size === null ? 'size unknown: only its checksum was read' : (0,words/* pluralize */.td)(size, 'byte');
    const transaction = (0,field/* fieldText */.gF)(txId) === '' ? txHash : txId;
    const lines = [
        linkedSpan(hash, verificationUrl),
        '',
        `- File: ${span(artifact)}, ${bytes}`,
        `- Time (UTC), by the clock of the service: ${spanField((0,field/* timeText */.Tc)(creationDate))}`,
        `- Service: ${span(service)}`,
        `- Account at the service: ${spanField(userId)}`,
        `- Payment: ${spanField(paymentId)}`,
        `- Blockchain: ${spanField(blockchainType)}`,
        `- Transaction: ${spanField(transaction)}`,
    ];
    const { ref, sha, commitUrl, runId, runUrl } = source;
    if (ref !== null)
        lines.push(formatRef(ref));
    if (sha !== null)
        lines.push(`- Commit: ${linkedSpan(sha, commitUrl)}`);
    if (runId !== null)
        lines.push(`- Run: ${linkedSpan(runId, runUrl)}`);
    if (entry.maybeChargedAgain)
        lines.push('- This registration may have been charged more than once.');
    return `${lines.join('\n')}\n\n`;
}
function formatRef(ref) {
    const [, kind, name] = /^refs\/(tags|heads)\/(.+)$/s.exec(ref) ?? [];
    if (name === undefined)
        return `- Ref: ${span(ref)}`;
    return `- ${kind === 'tags' ? 'Tag' : 'Branch'}: ${span(name)}`;
}
function spanField(value) {
    const text = (0,field/* fieldText */.gF)(value);
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


/***/ }),

/***/ 3032:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   S: () => (/* binding */ KnownRecords),
/* harmony export */   n: () => (/* binding */ assess)
/* harmony export */ });
/* harmony import */ var _text_words_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4904);
/* harmony import */ var _line_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5924);


class KnownRecords {
    #all;
    #byHash;
    constructor(entries, services) {
        this.#all = entries;
        const relevant = entries.filter(({ service }) => services.has(service));
        this.#byHash = Map.groupBy(relevant, ({ hash }) => hash);
    }
    find(hash) {
        return assess(this.#byHash.get(hash) ?? []);
    }
    goodRecords(hash) {
        return (this.#byHash.get(hash) ?? []).filter(_line_js__WEBPACK_IMPORTED_MODULE_0__/* .isGoodRecord */ .FK);
    }
    hasEarlierAttempt({ runId, runAttempt }) {
        const attempt = Number(runAttempt);
        return this.#all.some(({ source }) => source.runId === runId && Number(source.runAttempt) < attempt);
    }
}
function assess(entries) {
    const records = entries.filter(_line_js__WEBPACK_IMPORTED_MODULE_0__/* .isRecord */ .u4);
    const states = entries.filter(entry => 'state' in entry);
    const refuted = new Set(states.filter(({ state }) => state === 'not-registered').map(keyOf));
    const settled = refuted.union(new Set(records.map(keyOf)));
    const isSettled = records.some(({ at }) => at === null);
    const unsettled = states.filter(line => !isSettled && line.state === 'sent' && !settled.has(keyOf(line)));
    const good = records.filter(_line_js__WEBPACK_IMPORTED_MODULE_0__/* .isGoodRecord */ .FK);
    const [entry] = good;
    if (entry !== undefined) {
        const maybeChargedAgain = unsettled.length > 0 || isChargedAgain(good);
        return { state: 'registered', entry, maybeChargedAgain };
    }
    const contradicted = records.find(record => !refuted.has(keyOf(record)));
    if (contradicted !== undefined)
        return { state: 'contradicted', entry: contradicted };
    const sent = unsettled.toSorted((a, b) => (0,_text_words_js__WEBPACK_IMPORTED_MODULE_1__/* .compareCodeUnits */ .UF)(a.at, b.at)).at(-1);
    return sent && { state: 'open', sent };
}
function keyOf({ at, service, source: { runId, runAttempt } }) {
    return JSON.stringify([at, service, runId, runAttempt]);
}
function isChargedAgain(good) {
    const times = new Set(good.map(({ at }) => at));
    return times.size > 1 || good.some(({ maybeChargedAgain }) => maybeChargedAgain);
}


/***/ }),

/***/ 5924:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   A: () => (/* binding */ parseLine),
/* harmony export */   FK: () => (/* binding */ isGoodRecord),
/* harmony export */   IL: () => (/* binding */ formatLine),
/* harmony export */   u4: () => (/* binding */ isRecord)
/* harmony export */ });
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(2417);
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(2335);
/* harmony import */ var _text_json_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(7727);
/* harmony import */ var _record_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5523);



function isRecord(entry) {
    return 'record' in entry;
}
function isGoodRecord(entry) {
    return isRecord(entry) && entry.problems.length === 0;
}
const text = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ._minLength */ .m9(1));
const texts = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .readonly */ .tBZ(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .array */ .YOg(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP()));
const isoTime = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ._regex */ .Fk(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/));
const sourceValue = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* ._default */ .Rvf(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullable */ .mee(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP()), null);
const headFields = {
    artifact: text,
    size: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullable */ .mee(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .int */ .Whr().check(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ._gte */ .qm(0))),
    hash: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ._regex */ .Fk(/^[0-9a-fA-F]{64}$/), zod_mini__WEBPACK_IMPORTED_MODULE_2__/* ._toLowerCase */ .Il()),
    service: text,
    source: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({
        repository: sourceValue,
        sha: sourceValue,
        ref: sourceValue,
        runId: sourceValue,
        runAttempt: sourceValue,
        commitUrl: sourceValue,
        runUrl: sourceValue,
    }),
};
const recordLineSchema = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .extend */ .X$i(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc(headFields), {
    at: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* ._default */ .Rvf(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullable */ .mee(isoTime), null),
    record: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .custom */ .IeY(_text_json_js__WEBPACK_IMPORTED_MODULE_3__/* .isJsonObject */ .OW),
    redacted: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* ._default */ .Rvf(texts, []),
    verificationUrl: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* ._default */ .Rvf(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullable */ .mee(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP()), null),
    maybeChargedAgain: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* ._default */ .Rvf(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .boolean */ .zMY(), false),
    problems: texts,
});
const stateLineSchema = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .extend */ .X$i(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc(headFields), {
    at: isoTime,
    state: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* ["enum"] */ .k5n(['sent', 'not-registered']),
});
const beginning = '{"artifact":"';
const tooDeep = damaged('is nested too deeply');
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
function parseLine(bytes) {
    let value;
    try {
        value = (0,_text_json_js__WEBPACK_IMPORTED_MODULE_3__/* .parseJson */ .qF)(decoder.decode(bytes));
    }
    catch (error) {
        if (error instanceof RangeError)
            return tooDeep;
        return { damage: 'is not valid JSON', isBeginning: isCutOff(bytes) };
    }
    if (!(0,_text_json_js__WEBPACK_IMPORTED_MODULE_3__/* .isShallow */ .fE)(value, _text_json_js__WEBPACK_IMPORTED_MODULE_3__/* .maxJsonDepth */ .iC + 1))
        return tooDeep;
    const isState = (0,_text_json_js__WEBPACK_IMPORTED_MODULE_3__/* .isJsonObject */ .OW)(value) && 'state' in value && !('record' in value);
    const parsed = isState ? stateLineSchema.safeParse(value) : recordLineSchema.safeParse(value);
    if (!parsed.success)
        return damaged(wrongShape(parsed.error.issues));
    const entry = parsed.data;
    if (!isGoodRecord(entry))
        return { entry };
    const { record, hash, redacted } = entry;
    const broken = (0,_record_js__WEBPACK_IMPORTED_MODULE_0__/* .checkRecord */ .E)(record, { hash, redacted, paymentId: null });
    return broken.length === 0
        ? { entry }
        : damaged(`has a record that breaks the rules (${broken.join('; ')})`);
}
function isCutOff(bytes) {
    const line = Buffer.from(bytes).toString('latin1');
    if (!beginning.startsWith(line.slice(0, beginning.length)))
        return false;
    const outsideStrings = line.replace(/"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)/gs, '');
    return outsideStrings.split('{').length > outsideStrings.split('}').length;
}
function damaged(damage) {
    return { damage, isBeginning: false };
}
function wrongShape(issues) {
    const fields = issues.map(({ path }) => path.join('.')).filter(field => field !== '');
    const where = fields.length === 0 ? '' : ` (wrong: ${[...new Set(fields)].join(', ')})`;
    return `is not a line of a records file${where}`;
}
function toJson(entry) {
    const { artifact, size, hash, service, at, source } = entry;
    if (!isRecord(entry))
        return { artifact, size, hash, service, at, state: entry.state, source };
    const { record, redacted, verificationUrl, maybeChargedAgain, problems } = entry;
    return {
        artifact,
        size,
        hash,
        service,
        at: at ?? undefined,
        record,
        redacted: redacted.length > 0 ? redacted : undefined,
        verificationUrl: verificationUrl ?? undefined,
        maybeChargedAgain: maybeChargedAgain || undefined,
        problems,
        source,
    };
}
function formatLine(entry) {
    return `${JSON.stringify(toJson(entry))}\n`;
}


/***/ }),

/***/ 6672:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Q4: () => (/* binding */ parseRecords),
/* harmony export */   VG: () => (/* binding */ tailWarning),
/* harmony export */   fz: () => (/* binding */ completeLines),
/* harmony export */   uR: () => (/* binding */ missingLines)
/* harmony export */ });
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7598);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8146);
/* harmony import */ var _line_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(5924);



const newline = Buffer.from('\n');
function parseRecords(bytes, name, keep = entry => entry) {
    const entries = [];
    const sources = new Map();
    const damage = [];
    let tail = 'whole';
    let goodBytes = bytes.length;
    let number = 0;
    for (const { line, isTerminated } of splitLines(bytes)) {
        number += 1;
        const parsed = (0,_line_js__WEBPACK_IMPORTED_MODULE_2__/* .parseLine */ .A)(line);
        if ('entry' in parsed) {
            const key = JSON.stringify(parsed.entry.source);
            const source = sources.get(key) ?? parsed.entry.source;
            sources.set(key, source);
            entries.push(keep({ ...parsed.entry, source }));
            if (!isTerminated)
                tail = 'unterminated';
        }
        else if (!isTerminated && parsed.isBeginning) {
            tail = 'incomplete';
            goodBytes -= line.length;
        }
        else {
            damage.push(`"${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .quote */ .hD)(name)}", line ${number} ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .quote */ .hD)(parsed.damage, _text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .maxMessageLength */ .sZ)}`);
        }
    }
    return { name, entries, damage, tail, goodBytes };
}
function tailWarning({ name, tail }, action = 'skipped') {
    if (tail !== 'incomplete')
        return [];
    return [
        `The last line of "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .quote */ .hD)(name)}" is incomplete and was ${action}: a run was killed while writing it`,
    ];
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
        missing.push(line, newline);
    }
    return Buffer.concat(missing);
}
function completeLines(bytes) {
    const lines = [];
    for (const { line, isTerminated } of splitLines(bytes)) {
        if (line.length > 0 && (isTerminated || !isIncomplete(line)))
            lines.push(line);
    }
    return lines;
}
function isIncomplete(line) {
    const parsed = (0,_line_js__WEBPACK_IMPORTED_MODULE_2__/* .parseLine */ .A)(line);
    return 'damage' in parsed && parsed.isBeginning;
}
function* splitLines(bytes) {
    let start = 0;
    while (start < bytes.length) {
        const next = bytes.indexOf(newline, start);
        const isTerminated = next !== -1;
        const line = bytes.subarray(start, isTerminated ? next : bytes.length);
        yield { line, isTerminated };
        start += line.length + 1;
    }
}


/***/ }),

/***/ 5523:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   E: () => (/* binding */ checkRecord),
/* harmony export */   x: () => (/* binding */ unexpectedTypes)
/* harmony export */ });
/* harmony import */ var _text_field_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1821);
/* harmony import */ var _text_json_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7727);


const maxShownLength = 100;
function checkRecord(record, request) {
    const { hash, status, custody, signed, paymentId } = record;
    const problems = [];
    const check = (field, isGood, expected) => {
        if (isGood || request.redacted.includes(`/${field}`))
            return;
        const value = record[field];
        const isLong = JSON.stringify(value ?? null).length > maxShownLength;
        if (value === undefined)
            problems.push(`${field} is missing`);
        else if (isLong)
            problems.push(`${field} is not ${expected}`);
        else
            problems.push(`${field} is ${JSON.stringify(value)}, not ${expected}`);
    };
    const isSameHash = typeof hash === 'string' && hash.toLowerCase() === request.hash.toLowerCase();
    check('hash', isSameHash, 'that of the request');
    check('status', status === 'registered', '"registered"');
    check('custody', custody === false || custody === 'false', 'false');
    check('signed', signed === false || signed === 'false', 'false');
    const isComparable = (paymentId ?? null) !== null && request.paymentId !== null;
    const isSamePayment = !isComparable || (0,_text_field_js__WEBPACK_IMPORTED_MODULE_0__/* .textOf */ .b6)(paymentId) === request.paymentId;
    check('paymentId', isSamePayment, 'the id of the subscription');
    return problems;
}
const specifiedTypes = {
    description: isString,
    signer: isString,
    signature: isString,
    txHash: isString,
    blockchainType: isString,
    holder: isString,
    txId: isString,
    assetId: isString,
    tags: Array.isArray,
    paymentId: isString,
    creationDate: _text_json_js__WEBPACK_IMPORTED_MODULE_1__/* .isInteger */ .Fq,
    userId: _text_json_js__WEBPACK_IMPORTED_MODULE_1__/* .isInteger */ .Fq,
};
function isString(value) {
    return typeof value === 'string';
}
function unexpectedTypes(record) {
    return Object.entries(specifiedTypes).flatMap(([field, isSpecified]) => {
        const value = record[field] ?? null;
        return value === null || isSpecified(value) ? [] : [field];
    });
}


/***/ }),

/***/ 3133:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  g: () => (/* binding */ openRelease)
});

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: ./artifacts/own-files.js
var own_files = __webpack_require__(1683);
// EXTERNAL MODULE: ./failure.js
var failure_0 = __webpack_require__(7579);
// EXTERNAL MODULE: ./records/disk.js
var records_disk = __webpack_require__(9435);
// EXTERNAL MODULE: ./text/escape.js
var text_escape = __webpack_require__(8146);
// EXTERNAL MODULE: ./text/words.js
var words = __webpack_require__(4904);
// EXTERNAL MODULE: external "node:stream/consumers"
var consumers_ = __webpack_require__(8321);
// EXTERNAL MODULE: external "node:stream/promises"
var promises_ = __webpack_require__(6466);
// EXTERNAL MODULE: ../node_modules/zod/v4/mini/schemas.js + 2 modules
var schemas = __webpack_require__(2417);
// EXTERNAL MODULE: ./service/proxy.js
var proxy = __webpack_require__(2293);
// EXTERNAL MODULE: ./service/retry.js
var retry = __webpack_require__(43);
// EXTERNAL MODULE: ./text/time.js
var time = __webpack_require__(5396);
// EXTERNAL MODULE: ./service/error-text.js
var error_text = __webpack_require__(4063);
// EXTERNAL MODULE: ./text/system-error.js
var system_error = __webpack_require__(8343);
;// CONCATENATED MODULE: ./release/github-error.js







const defaults = {
    status: 0,
    mayPass: false,
    mayHaveActed: false,
    waitMs: 0,
    remedy: 'run the job again',
};
class GitHubError extends Error {
    failure;
    constructor(message, failure = {}, cause) {
        super(message, { cause });
        this.failure = { ...defaults, ...failure };
    }
}
const errorSchema = schemas/* object */.Ikc({
    status: schemas/* number */.aig(),
    request: schemas/* _default */.Rvf(schemas/* object */.Ikc({ method: schemas/* string */.YjP() }), { method: 'GET' }),
    response: schemas/* object */.Ikc({
        headers: schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* string */.YjP()),
        data: schemas/* catch */.MfU(schemas/* object */.Ikc({ message: schemas/* string */.YjP() }), { message: '' }),
    }),
});
const secondaryLimitMs = 60_000;
function toGitHubError(call, error, host) {
    const show = (text) => (0,text_escape/* quote */.hD)(host.secrets.redactText(text), 200);
    const answered = errorSchema.safeParse(error).data;
    if (answered === undefined) {
        const cause = innermostCause(error);
        const mayPass = !(cause instanceof failure_0/* Stop */.VG);
        const message = `${show((0,system_error/* describeError */.U)(cause))} while ${call}`;
        return new GitHubError(message, { mayPass, mayHaveActed: mayPass }, error);
    }
    const { status, request, response } = answered;
    const { headers, data } = response;
    const nowMs = Date.parse(headers['date'] ?? '') || host.clock.now();
    const retryAfterMs = (0,retry/* parseRetryAfter */.mu)(headers['retry-after'] ?? null, nowMs);
    const resetMs = Number(headers['x-ratelimit-reset']) * 1000 - nowMs;
    const isUsedUp = headers['x-ratelimit-remaining'] === '0';
    const isLimit = retryAfterMs !== null || isUsedUp || /\brate limit\b/i.test(data.message);
    if (status === 429 || (status === 403 && isLimit)) {
        const waitMs = retryAfterMs ?? (isUsedUp && resetMs >= 0 ? resetMs : secondaryLimitMs);
        const message = `GitHub's rate limit lasts until ${(0,time/* formatTime */.f)(nowMs + waitMs)} UTC`;
        const failure = { status, mayPass: true, waitMs, remedy: 'run the job again after that' };
        return new GitHubError(message, failure, error);
    }
    const reason = data.message === '' ? '' : `, ${show((0,error_text/* maskWords */.Q)(data.message.replace(/\.$/, '')))},`;
    const mayPass = status >= 500 || status === 408;
    const remedy = findRemedy(status, request.method);
    const failure = { status, mayPass, mayHaveActed: mayPass, waitMs: retryAfterMs ?? 0, remedy };
    return new GitHubError(`HTTP ${status}${reason} while ${call}`, failure, error);
}
function findRemedy(status, method) {
    if (status === 401)
        return 'the token is invalid or has expired; check the input "github-token"';
    if (status !== 403 && status !== 404)
        return defaults.remedy;
    const permission = method === 'GET' ? 'contents: read (for a draft, write)' : 'contents: write';
    return `give the job the permission ${permission}`;
}
function innermostCause(error) {
    const isWrapper = error instanceof Error && error.cause !== undefined && (0,system_error/* errorCode */.C)(error) === null;
    return isWrapper ? innermostCause(error.cause) : error;
}
async function nullForStatus(status, call) {
    try {
        return await call;
    }
    catch (error) {
        if (error instanceof GitHubError && error.failure.status === status)
            return null;
        throw error;
    }
}

// EXTERNAL MODULE: external "node:stream"
var external_node_stream_ = __webpack_require__(7075);
// EXTERNAL MODULE: external "node:stream/web"
var web_ = __webpack_require__(7830);
// EXTERNAL MODULE: ./service/transport.js
var transport = __webpack_require__(1456);
;// CONCATENATED MODULE: ./release/github-http.js






const octetStream = 'application/octet-stream';
const silenceMs = 60_000;
const minUploadBytesPerMs = 50;
const maxJsonBytes = 64 * 1024 * 1024;
const maxRedirects = 5;
async function fetchGitHub(url, request, { proxies, signal }) {
    const isDownload = request.headers['accept'] === octetStream;
    const silence = new AbortController();
    const limitMs = silenceMs + (request.body?.length ?? 0) / minUploadBytesPerMs;
    const timer = setTimeout(() => {
        silence.abort(new Error('no answer came for a minute'));
    }, limitMs).unref();
    const ended = AbortSignal.any([signal, silence.signal]);
    ended.throwIfAborted();
    const { promise: end, reject } = Promise.withResolvers();
    ended.addEventListener('abort', () => {
        reject(ended.reason);
    });
    const sending = followRedirects(url, request, { proxies, signal: ended });
    const message = await Promise.race([sending, end]);
    timer.refresh();
    const readBytes = async function* () {
        const chunks = message;
        let length = 0;
        try {
            for await (const chunk of chunks) {
                length += chunk.length;
                if (isDownload)
                    timer.refresh();
                else if (length > maxJsonBytes)
                    throw new Error('the answer is larger than 64 MiB');
                yield chunk;
            }
        }
        finally {
            clearTimeout(timer);
            ended.throwIfAborted();
        }
        if (!message.complete)
            throw new Error('the answer was cut off');
    };
    const body = isDownload ? web_.ReadableStream.from(readBytes()) : await (0,consumers_.buffer)(readBytes());
    const { statusCode: status = 0 } = message;
    const headers = new Headers();
    for (const [name, value] of Object.entries(message.headers))
        headers.set(name, String(value));
    return new Response(status === 204 ? null : body, { status, headers });
}
async function followRedirects(firstUrl, request, { proxies, signal }) {
    const client = (0,transport/* createHttpClient */.u)(options => {
        options.signal = signal;
    });
    const { method, body } = request;
    const headers = { ...request.headers };
    if (body !== undefined)
        headers['content-length'] = body.length;
    let url = new URL(firstUrl);
    for (let redirects = 0;; redirects++) {
        const problem = (0,proxy/* proxyProblem */.w)(url.href, proxies);
        if (problem !== null)
            throw new failure_0/* Stop */.VG(problem);
        const stream = body === undefined ? null : external_node_stream_.Readable.from([body]);
        const { message } = await client.request(method, url.href, stream, headers);
        const { statusCode = 0 } = message;
        const { location } = message.headers;
        const isRedirect = statusCode >= 300 && statusCode < 400 && location !== undefined;
        if (!isRedirect || redirects === maxRedirects)
            return message;
        message.destroy();
        const next = new URL(location, url);
        if (next.origin !== url.origin)
            delete headers.authorization;
        url = next;
    }
}

;// CONCATENATED MODULE: ./release/github-types.js



const assetSchema = schemas/* pipe */.FsL(schemas/* object */.Ikc({
    id: schemas/* number */.aig(),
    name: schemas/* string */.YjP(),
    size: schemas/* number */.aig(),
    digest: schemas/* nullish */.cl6(schemas/* string */.YjP()),
    state: schemas/* string */.YjP(),
}), schemas/* transform */.pdi(({ id, name, size, digest, state }) => {
    const hash = /^sha256:([0-9a-f]{64})$/i.exec(digest ?? '')?.[1]?.toLowerCase() ?? null;
    return { id, name, size, hash, isUploaded: state === 'uploaded' };
}));
function listNames(assets) {
    const names = assets.map(({ name }) => `"${(0,text_escape/* quote */.hD)(name)}"`);
    return (0,words/* joinFirst */.FS)(names, 5, { separator: ', ' });
}
const releaseSchema = schemas/* object */.Ikc({
    id: schemas/* number */.aig(),
    tag_name: schemas/* string */.YjP(),
    draft: schemas/* boolean */.zMY(),
    immutable: schemas/* _default */.Rvf(schemas/* boolean */.zMY(), false),
    target_commitish: schemas/* _default */.Rvf(schemas/* string */.YjP(), ''),
    html_url: schemas/* _default */.Rvf(schemas/* string */.YjP(), ''),
    upload_url: schemas/* string */.YjP(),
    assets: schemas/* _default */.Rvf(schemas/* array */.YOg(assetSchema), []),
});
const gitObjectSchema = schemas/* object */.Ikc({ object: schemas/* object */.Ikc({ sha: schemas/* string */.YjP(), type: schemas/* string */.YjP() }) });
const bytesSchema = schemas/* custom */.IeY((data) => typeof data === 'object' && data !== null && Symbol.asyncIterator in data);

;// CONCATENATED MODULE: ./release/api.js












const releasesPerPage = 30;
const assetsPerPage = 100;
const repository = '/repos/{owner}/{repo}';
class GitHubApi {
    #send;
    #options;
    constructor(send, options) {
        this.#send = send;
        this.#options = options;
    }
    static async connect(options) {
        const { apiUrl, proxies } = options.host.environment;
        const problem = (0,proxy/* proxyProblem */.w)(apiUrl, proxies);
        if (problem !== null)
            throw new failure_0/* Stop */.VG(problem);
        const { getOctokit } = await __webpack_require__.e(/* import() */ 767).then(__webpack_require__.bind(__webpack_require__, 2767));
        const silent = () => undefined;
        const fetch = (url, request) => fetchGitHub(url, request, { proxies, signal: options.signal });
        const octokit = getOctokit(options.token, {
            baseUrl: apiUrl,
            log: { debug: silent, info: silent, warn: silent, error: silent },
            request: { fetch },
        });
        const [owner = '', repo = ''] = options.repository.split('/');
        const send = octokit.request.defaults({ owner, repo });
        return new GitHubApi((...call) => send(...call), options);
    }
    async findPublished(tag) {
        const call = [`GET ${repository}/releases/tags/{tag}`, { tag }];
        return nullForStatus(404, this.#ask('finding the release', releaseSchema, call));
    }
    async listReleases(tag) {
        const call = [`GET ${repository}/releases`, { per_page: releasesPerPage }];
        const pages = await this.#listPages('listing the releases', releaseSchema, call);
        const releases = pages.flat().filter(({ tag_name }) => tag_name === tag);
        return [...new Map(releases.map(release => [release.id, release])).values()];
    }
    async listAssets({ id }) {
        const what = 'listing the assets';
        const call = [`GET ${repository}/releases/{id}/assets`, { id, per_page: assetsPerPage }];
        const first = await this.repeat(() => this.#askOnce(what, schemas/* array */.YOg(assetSchema), call));
        if (first.lastPage === null)
            return first.data;
        const { assets } = await this.#ask(what, releaseSchema, [
            `GET ${repository}/releases/{id}`,
            { id },
        ]);
        if (assets.length > first.data.length * (first.lastPage - 1))
            return assets;
        let previousIds = '';
        for (;;) {
            const listed = (await this.#listPages(what, assetSchema, call)).flat();
            const ids = listed.map(asset => asset.id).join();
            if (ids === previousIds)
                return listed;
            previousIds = ids;
        }
    }
    async #listPages(what, schema, [route, query]) {
        const pages = [];
        for (let page = 1;; page++) {
            const call = [route, { ...query, page }];
            const { data, lastPage } = await this.repeat(() => this.#askOnce(what, schemas/* array */.YOg(schema), call));
            pages.push(data);
            if (lastPage === null)
                return pages;
        }
    }
    async findTagCommit(tag) {
        const what = 'reading the tag';
        const call = [`GET ${repository}/git/ref/tags/{tag}`, { tag }];
        let target = await nullForStatus(404, this.#ask(what, gitObjectSchema, call));
        while (target?.object.type === 'tag') {
            const { sha } = target.object;
            target = await this.#ask(what, gitObjectSchema, [`GET ${repository}/git/tags/{sha}`, { sha }]);
        }
        return target?.object.sha ?? null;
    }
    readAsset(asset) {
        return this.#download(asset, async (bytes) => {
            const content = await (0,consumers_.buffer)(bytes);
            if (asset.hash === null || (0,external_node_crypto_.hash)('sha256', content) === asset.hash)
                return content;
            throw new Error('its bytes do not match its digest');
        });
    }
    async hashAsset(asset) {
        if (asset.hash !== null)
            return asset.hash;
        return this.#download(asset, async (bytes) => {
            const sha256 = (0,external_node_crypto_.createHash)('sha256');
            await (0,promises_.pipeline)(bytes, sha256);
            return sha256.digest('hex');
        });
    }
    #download(asset, read) {
        const what = `downloading "${(0,text_escape/* quote */.hD)(asset.name)}"`;
        return this.repeat(() => this.#describe(what, read(this.#stream(asset))));
    }
    async *#stream({ id, size }) {
        const options = {
            headers: { accept: octetStream },
            request: { parseSuccessResponseBody: false },
        };
        const { data } = await this.#send(`GET ${repository}/releases/assets/{id}`, { id, ...options });
        let length = 0;
        for await (const chunk of bytesSchema.parse(data)) {
            length += chunk.length;
            if (length > size)
                break;
            yield chunk;
        }
        if (length !== size)
            throw new Error(`received at least ${length} bytes, but GitHub says ${size}`);
    }
    async uploadAsset({ upload_url }, name, data) {
        const headers = { 'content-type': octetStream };
        const url = upload_url.replace(/\{.*$/, '');
        const call = [`POST ${url}{?name}`, { name, headers, data }];
        return (await this.#askOnce(`uploading "${name}"`, assetSchema, call)).data;
    }
    async deleteAsset({ id, name }) {
        const call = [`DELETE ${repository}/releases/assets/{id}`, { id }];
        await nullForStatus(404, this.#ask(`deleting "${(0,text_escape/* quote */.hD)(name)}"`, schemas/* unknown */.L5J(), call));
    }
    async repeat(work) {
        const { host, deadlineMs, maxTries } = this.#options;
        const { halt, clock, random, runner } = host;
        const { cancelled } = halt;
        for (let tries = 1;; tries++) {
            const isLast = cancelled.aborted || tries === maxTries;
            try {
                return await work();
            }
            catch (error) {
                if (!(error instanceof GitHubError) || !error.failure.mayPass || isLast)
                    throw error;
                const waitMs = Math.max((0,retry/* backoffMs */.jo)(tries, random()), error.failure.waitMs);
                if (clock.monotonic() + waitMs > deadlineMs)
                    throw error;
                const pause = halt.isCancelled ? 'now' : `in ${(0,time/* formatDuration */.a)(waitMs / 1000)}`;
                runner.info(`GitHub: ${error.message}; next try ${pause}`);
                await clock.sleep(waitMs, cancelled);
            }
        }
    }
    async #ask(what, schema, call) {
        return (await this.repeat(() => this.#askOnce(what, schema, call))).data;
    }
    async #askOnce(what, schema, call) {
        const { data, headers } = await this.#describe(what, this.#send(...call));
        const parsed = schema.safeParse(data);
        if (!parsed.success) {
            const message = `an answer that cannot be understood while ${what}`;
            throw new GitHubError(message, { mayHaveActed: true });
        }
        const link = headers?.link ?? '';
        const [, last = '2'] = /[?&]page=(\d+)[^>]*>; rel="last"/.exec(link) ?? [];
        return { data: parsed.data, lastPage: link.includes('rel="next"') ? Number(last) : null };
    }
    async #describe(what, call) {
        try {
            return await call;
        }
        catch (error) {
            throw toGitHubError(what, error, this.#options.host);
        }
    }
}

// EXTERNAL MODULE: ./records/evidence.js + 1 modules
var records_evidence = __webpack_require__(8597);
// EXTERNAL MODULE: ./records/line.js
var line = __webpack_require__(5924);
// EXTERNAL MODULE: ./records/parse-records.js
var parse_records = __webpack_require__(6672);
;// CONCATENATED MODULE: ./release/upload.js





async function uploadFile(upload, release, api) {
    const { name, bytes } = upload;
    return api.repeat(async () => {
        try {
            return await api.uploadAsset(release, name, bytes);
        }
        catch (error) {
            if (!(error instanceof GitHubError))
                throw error;
            const { mayHaveActed, status } = error.failure;
            if (mayHaveActed)
                upload.lost = error;
            else if (status !== 422)
                throw error;
            const assets = await api.listAssets(release);
            const asset = assets.find(listed => listed.name === name);
            if (asset === undefined)
                throw upload.lost ?? error;
            if (asset.isUploaded) {
                return (await api.hashAsset(asset)) === (0,external_node_crypto_.hash)('sha256', bytes) ? asset : null;
            }
            if (upload.lost === undefined && name === own_files/* recordsName */.Sv)
                return null;
            await api.deleteAsset(asset);
            return await nullForStatus(422, api.uploadAsset(release, name, bytes));
        }
    });
}
async function checkWritable(api, release, { host, name }) {
    const problem = (text) => {
        const subject = `nothing was sent: the release "${(0,text_escape/* quote */.hD)(release.tag_name)}"`;
        return new failure_0/* Stop */.VG((0,failure_0/* problemAt */.l4)('attach-to-release', `${subject} ${text}`));
    };
    if (release.immutable)
        throw problem('is immutable; attach before it is published');
    const upload = { name, bytes: Buffer.from('\n') };
    let asset = null;
    try {
        asset = await uploadFile(upload, release, api);
        if (asset !== null)
            await api.deleteAsset(asset);
    }
    catch (error) {
        if (!(error instanceof GitHubError))
            throw error;
        if (asset !== null || upload.lost !== undefined) {
            host.runner.warning(`Delete "${name}" from the release, if it is there: ${error.message}`);
        }
        if (host.halt.isCancelled)
            throw new failure_0/* Stop */.VG();
        if (asset === null) {
            throw problem(`does not accept files (${error.message}); ${error.failure.remedy}`);
        }
    }
}

;// CONCATENATED MODULE: ./release/attach.js











const maxReplacements = 5;
async function attachEvidence(task) {
    const { contents, evidence, isAttaching, host, disk } = task;
    const { cancelled } = host.halt;
    const tag = contents.release.tag_name;
    const warnings = [];
    let failure = null;
    let file;
    try {
        file = isAttaching ? readRecordsFile(evidence, disk) : Buffer.alloc(0);
    }
    catch (error) {
        return { tag, failure: describeFailure(error), warnings, hasPrintedLines: false };
    }
    const findMissing = () => (0,parse_records/* completeLines */.fz)(contents.missingLines(file));
    const printMissing = () => {
        const lines = findMissing();
        if (lines.length === 0)
            return;
        host.runner.info(`Lines of the records file that the release "${(0,text_escape/* quote */.hD)(tag)}" lacks; the only other copy may be on this job's machine:`);
        for (const line of lines)
            host.runner.info(line.toString());
    };
    if (cancelled.aborted)
        printMissing();
    cancelled.addEventListener('abort', printMissing);
    try {
        await contents.refresh(task.api);
        if (findMissing().length > 0)
            await uploadRecords(file, task);
        if (isAttaching)
            warnings.push(...(await attachPage(task)));
        const unregistered = await findUnregistered(task);
        const names = new Set(task.before.map(({ name }) => name));
        const replaced = unregistered.filter(({ name }) => names.has(name));
        const added = unregistered.filter(({ name }) => !names.has(name));
        if (replaced.length > 0)
            failure = `replaced during this run, without a record: ${listNames(replaced)}`;
        if (added.length > 0)
            warnings.push(`${newAssets}: ${listNames(added)}`);
    }
    catch (error) {
        if (!cancelled.aborted)
            printMissing();
        if (findMissing().length > 0)
            failure = describeFailure(error);
        else
            warnings.push(`The assets were not compared again: ${describeFailure(error)}`);
    }
    cancelled.removeEventListener('abort', printMissing);
    return { tag, failure, warnings, hasPrintedLines: findMissing().length > 0 };
}
const newAssets = 'New assets were uploaded to the release during this run, without a record';
function readRecordsFile({ recordsPath, hashes }, disk) {
    return hashes.size === 0 ? (0,records_disk/* readIfThere */.qC)(recordsPath, disk) : disk.read(recordsPath);
}
function describeFailure(error) {
    const remedy = error instanceof GitHubError ? error.failure.remedy : 'run the job again';
    return `${(0,system_error/* describeError */.U)(error)}; ${remedy}`;
}
async function uploadRecords(bytes, { api, contents }) {
    const { release } = contents;
    const ownName = own_files/* recordsName */.Sv.replace('.', `-${(0,external_node_crypto_.hash)('sha256', bytes).slice(0, 12)}.`);
    let asset = null;
    if (contents.find(own_files/* recordsName */.Sv) === undefined) {
        asset = await uploadFile({ name: own_files/* recordsName */.Sv, bytes }, release, api);
    }
    asset ??= await uploadFile({ name: ownName, bytes }, release, api);
    if (asset === null)
        throw new GitHubError(`"${ownName}" is the name of another file`);
    contents.addRecords(asset, bytes);
}
async function attachPage({ api, contents, evidence }) {
    if (contents.release.immutable)
        return [];
    try {
        for (let replacements = 0; replacements < maxReplacements; replacements++) {
            const { entries } = contents;
            const checksums = contents.checksums(recordedHashes(entries).union(evidence.hashes));
            const page = (0,records_evidence/* renderEvidence */.oP)(entries, checksums);
            if (page === null)
                return [];
            const bytes = Buffer.from(page);
            const old = contents.find(own_files/* evidenceName */.Xc);
            const mayBeCurrent = old?.isUploaded === true && old.size === bytes.length;
            if (mayBeCurrent && (await api.hashAsset(old)) === (0,external_node_crypto_.hash)('sha256', bytes))
                return [];
            if (old !== undefined)
                await api.deleteAsset(old);
            const asset = await uploadFile({ name: own_files/* evidenceName */.Xc, bytes }, contents.release, api);
            const hasNewRecords = await contents.refresh(api);
            if (asset !== null && !hasNewRecords)
                return [];
        }
        return [`"${own_files/* evidenceName */.Xc}" may lack records that other jobs attached at the same time`];
    }
    catch (error) {
        return [
            `The release has all records, but its evidence page may lack some: ${describeFailure(error)}`,
        ];
    }
}
function recordedHashes(entries) {
    return new Set(entries.filter(line/* isGoodRecord */.FK).map(entry => entry.hash));
}
async function findUnregistered(task) {
    const { api, before, contents, evidence } = task;
    const ids = new Set(before.map(({ id }) => id));
    const late = contents.artifacts.filter(({ id }) => !ids.has(id));
    if (late.length === 0)
        return [];
    const entries = contents.entries.filter(({ service }) => service === evidence.service);
    const registered = recordedHashes(entries).union(evidence.hashes);
    const unregistered = [];
    for (const asset of late) {
        if (!registered.has(await api.hashAsset(asset)))
            unregistered.push(asset);
    }
    return unregistered;
}

;// CONCATENATED MODULE: ./release/contents.js




class ReleaseContents {
    release;
    #assets = [];
    #records = new Map();
    #hashes = new Map();
    constructor(release) {
        this.release = release;
    }
    async refresh(api) {
        const assets = await api.listAssets(this.release);
        const countBefore = this.#records.size;
        for (const asset of assets) {
            const { id, name, isUploaded } = asset;
            if (!isUploaded || !(0,own_files/* isRecordsAsset */.P)(name) || this.#records.has(id))
                continue;
            this.addRecords(asset, await api.readAsset(asset));
        }
        this.#assets = assets;
        return this.#records.size > countBefore;
    }
    addRecords(asset, bytes) {
        this.#assets = [...this.#assets, asset];
        this.#records.set(asset.id, { name: `${asset.name} of the release`, bytes });
    }
    find(name) {
        return this.#assets.find(asset => asset.name === name);
    }
    get unfinished() {
        return this.#assets.filter(({ isUploaded }) => !isUploaded);
    }
    get artifacts() {
        return this.#assets.filter(({ name, isUploaded }) => isUploaded && !(0,own_files/* isOwnFile */.Z4)(name));
    }
    get records() {
        return this.#assets.flatMap(({ id }) => this.#records.get(id) ?? []);
    }
    get entries() {
        return this.records.flatMap(({ name, bytes }) => (0,parse_records/* parseRecords */.Q4)(bytes, name).entries);
    }
    missingLines(file) {
        const known = this.records.map(({ bytes }) => bytes);
        return (0,parse_records/* missingLines */.uR)(known, [file]);
    }
    async readArtifacts(api) {
        const source = 'release-tag';
        const artifacts = [];
        for (const asset of this.artifacts) {
            const { id, name, size } = asset;
            try {
                const hash = await api.hashAsset(asset);
                this.#hashes.set(id, hash);
                artifacts.push({ source, name, size, hash });
            }
            catch (error) {
                const what = `the release asset could not be read: ${(0,system_error/* describeError */.U)(error)}`;
                const failure = (0,failure_0/* makeFailure */.ro)({ code: 'unreadable', what, remedy: 'run the job again' });
                artifacts.push({ source, name, failure });
            }
        }
        return artifacts;
    }
    checksums(hashes) {
        const known = this.artifacts.map(({ id, name, hash }) => {
            return { name, hash: hash ?? this.#hashes.get(id) ?? '' };
        });
        return known.filter(({ hash }) => hashes.has(hash));
    }
}

;// CONCATENATED MODULE: ./release/open.js












const input = 'release-tag';
const maxReadTries = 5;
const patienceMs = 120_000;
const attachPatienceMs = 600_000;
const attachAfterKillMs = 3_000;
async function openRelease(inputs, host) {
    const { releaseTag: tag } = inputs;
    if (tag === null)
        return withoutRelease(host.environment.source);
    try {
        return await openTag(tag, inputs, host);
    }
    catch (error) {
        if (!(error instanceof GitHubError))
            throw error;
        if (host.halt.isCancelled)
            throw new failure_0/* Stop */.VG();
        const what = `nothing was sent: the release "${(0,text_escape/* quote */.hD)(tag)}" cannot be read`;
        throw new failure_0/* Stop */.VG((0,failure_0/* problemAt */.l4)(input, `${what} (${error.message}); ${error.failure.remedy}`));
    }
}
function withoutRelease(source) {
    return {
        artifacts: [],
        counts: [],
        warnings: [],
        facts: null,
        source,
        records: [],
        evidenceChecksums: () => null,
        checkWritable: () => Promise.resolve(),
        attach: () => Promise.resolve(null),
    };
}
async function openTag(tag, { githubToken: token, attachToRelease: isAttaching }, host) {
    const { environment, halt, clock, disk = records_disk/* systemDisk */.hY, makeId = external_node_crypto_.randomUUID } = host;
    const { repository, ref, sha: runCommit } = environment.source;
    if (repository === null) {
        throw new failure_0/* Stop */.VG((0,failure_0/* problemWith */.CO)(input, 'needs a repository, but GITHUB_REPOSITORY is not set'));
    }
    const connect = (signal, ms, maxTries = Infinity) => {
        const deadlineMs = clock.monotonic() + ms;
        const options = { host, repository, token, deadlineMs, maxTries, signal };
        return host.connect?.(options) ?? GitHubApi.connect(options);
    };
    const api = await connect(halt.signal, patienceMs, maxReadTries);
    const release = await findRelease(api, tag);
    const contents = new ReleaseContents(release);
    await contents.refresh(api);
    const artifacts = await contents.readArtifacts(api);
    const { artifacts: before, unfinished } = contents;
    const tagCommit = await api.findTagCommit(tag);
    const isTagOfRun = ref === `refs/tags/${tag}`;
    const warnings = [];
    if (unfinished.length > 0) {
        warnings.push(`Skipped release assets that were never fully uploaded: ${listNames(unfinished)}`);
    }
    return {
        artifacts,
        counts: [{ input, text: tag, count: artifacts.length }],
        warnings,
        facts: { tag, isDraft: release.draft, assets: artifacts, isTagOfRun, tagCommit, runCommit },
        source: sourceOf(release, tagCommit, environment),
        records: contents.records,
        evidenceChecksums: hashes => contents.checksums(hashes),
        checkWritable: async (evidence) => {
            if (!isAttaching || halt.signal.aborted)
                return;
            const file = evidence === null ? null : (0,records_disk/* readIfThere */.qC)(evidence.recordsPath, disk);
            if (file !== null && contents.missingLines(file).length === 0)
                return;
            const writer = await connect(halt.kill, patienceMs);
            await checkWritable(writer, release, { host, name: own_files/* writeTestPrefix */.cp + makeId() });
        },
        attach: async (evidence) => {
            const signal = halt.kill.aborted ? AbortSignal.timeout(attachAfterKillMs) : halt.kill;
            const writer = await connect(signal, attachPatienceMs);
            const task = { api: writer, contents, evidence, isAttaching, before, host, disk };
            const attachment = await attachEvidence(task);
            const hasNews = attachment.failure !== null || attachment.warnings.length > 0;
            return isAttaching || hasNews ? attachment : null;
        },
    };
}
async function findRelease(api, tag) {
    const published = await api.findPublished(tag);
    if (published !== null)
        return published;
    const releases = await api.listReleases(tag);
    const release = releases.find(({ draft }) => !draft) ?? releases[0];
    if (release === undefined) {
        const text = `the release "${(0,text_escape/* quote */.hD)(tag)}" was not found; check the tag, and for a draft give the job the permission contents: write`;
        throw new failure_0/* Stop */.VG((0,failure_0/* problemAt */.l4)(input, text));
    }
    if (release.draft && releases.length > 1) {
        throw new failure_0/* Stop */.VG((0,failure_0/* problemAt */.l4)(input, await describeDrafts(api, releases)));
    }
    return release;
}
async function describeDrafts(api, drafts) {
    const withRecords = [];
    for (const draft of drafts) {
        const assets = await api.listAssets(draft);
        const hasRecords = assets.some(({ name, isUploaded }) => isUploaded && (0,own_files/* isRecordsAsset */.P)(name));
        if (hasRecords)
            withRecords.push(`${(0,text_escape/* quote */.hD)(draft.html_url)} (id ${draft.id})`);
    }
    const tag = (0,text_escape/* quote */.hD)(drafts[0]?.tag_name ?? '');
    const text = `nothing was sent: the release "${tag}" has ${drafts.length} drafts`;
    if (withRecords.length === 0)
        return `${text}, none with notarization records; delete all but one`;
    const shown = (0,words/* joinFirst */.FS)(withRecords, 5, { separator: ', ' });
    return `${text}; notarization records are in ${shown}; keep one draft with all records, and delete the others`;
}
function sourceOf({ tag_name, draft, target_commitish: target }, tagCommit, { source, serverUrl }) {
    const targetCommit = draft && /^[0-9a-f]{40,64}$/.test(target) ? target : null;
    const sha = tagCommit ?? targetCommit;
    const { repository } = source;
    const commitUrl = repository && sha && `${serverUrl}/${repository}/commit/${sha}`;
    return { ...source, ref: `refs/tags/${tag_name}`, sha, commitUrl };
}


/***/ }),

/***/ 1109:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   SJ: () => (/* binding */ writeChecksumsFile),
/* harmony export */   bW: () => (/* binding */ writeTemporary),
/* harmony export */   e: () => (/* binding */ deliverOutputs),
/* harmony export */   ep: () => (/* binding */ deliverSummary)
/* harmony export */ });
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6760);
/* harmony import */ var _failure_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(7579);
/* harmony import */ var _text_checksum_line_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(6569);
/* harmony import */ var _text_system_error_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(8343);





function deliverOutputs(outputs, runner) {
    try {
        for (const [name, value] of Object.entries(outputs))
            runner.setOutput(name, value);
        return null;
    }
    catch (error) {
        return `the outputs could not be written (${(0,_text_system_error_js__WEBPACK_IMPORTED_MODULE_3__/* .describeError */ .U)(error)})`;
    }
}
async function deliverSummary(markdown, runner) {
    try {
        await runner.writeSummary(markdown);
    }
    catch (error) {
        runner.warning(`The job summary could not be written (${(0,_text_system_error_js__WEBPACK_IMPORTED_MODULE_3__/* .describeError */ .U)(error)})`);
    }
}
async function writeChecksumsFile(checksums, tempFolder) {
    if (checksums.length === 0)
        return '';
    try {
        const text = checksums.map(_text_checksum_line_js__WEBPACK_IMPORTED_MODULE_4__/* .formatChecksum */ .r).join('');
        return await writeTemporary(tempFolder, 'notarization-checksums.txt', text);
    }
    catch (error) {
        const message = `the checksums file could not be written to RUNNER_TEMP: ${(0,_text_system_error_js__WEBPACK_IMPORTED_MODULE_3__/* .describeError */ .U)(error)}; free disk space or fix the permissions, then run the job again`;
        throw new _failure_js__WEBPACK_IMPORTED_MODULE_2__/* .Stop */ .VG({ input: null, message });
    }
}
async function writeTemporary(tempFolder, name, text) {
    const path = (0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.mkdtemp)((0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(tempFolder, 'notarization-')), name);
    await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.writeFile)(path, text);
    return path;
}


/***/ }),

/***/ 5327:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   WE: () => (/* binding */ explain),
/* harmony export */   lA: () => (/* binding */ describeCode),
/* harmony export */   vZ: () => (/* binding */ formatExplanation)
/* harmony export */ });
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8146);
/* harmony import */ var _standing_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(9330);


const aftermaths = {
    uncertain: 'it may be registered and charged',
    probable: 'it is probably registered and charged by an earlier call that got no answer',
    known: 'the service says it is registered; this run was not charged for it',
    failed: 'nothing was registered or charged for it',
};
const addRecord = 'add its record to the records file';
function explain(failure) {
    const { code, what } = failure;
    const standing = (0,_standing_js__WEBPACK_IMPORTED_MODULE_1__/* .standingOfFailure */ .Aw)(failure);
    const isOpen = standing === 'uncertain' || standing === 'probable';
    const page = isOpen ? 'records.md#settle-an-open-hash' : `failures.md#${code}`;
    let aftermath = aftermaths[standing];
    let { remedy } = failure;
    if (standing === 'probable')
        remedy = addRecord;
    if (code === 'record-mismatch')
        aftermath = `${aftermath}, and is not sent again until settled`;
    else if (standing === 'uncertain') {
        remedy = `look up the hash at the service: if found, ${addRecord}; if not, ${remedy}`;
    }
    return { what, aftermath, remedy, page };
}
function formatExplanation({ what, aftermath, remedy }) {
    return `${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .quote */ .hD)(what, _text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .maxMessageLength */ .sZ)}; ${aftermath}; ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .quote */ .hD)(remedy, _text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .maxMessageLength */ .sZ)}`;
}
function describeCode({ code, status }) {
    return status === null ? code : `${code}, HTTP ${status}`;
}


/***/ }),

/***/ 8888:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Ic: () => (/* binding */ describeFailure),
/* harmony export */   cZ: () => (/* binding */ lookupUrl),
/* harmony export */   nH: () => (/* binding */ buildFindings)
/* harmony export */ });
/* harmony import */ var _outcome_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(1949);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8146);
/* harmony import */ var _text_verification_url_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(6318);
/* harmony import */ var _explain_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5327);
/* harmony import */ var _standing_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(9330);
/* harmony import */ var _verdict_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(6013);






const maxReasons = 10;
function buildFindings(unredacted, host, inputs) {
    const results = unredacted.map(result => redactResult(result, host.secrets));
    const urgencyOf = ({ outcome }) => (0,_standing_js__WEBPACK_IMPORTED_MODULE_2__/* .rankOf */ .IQ)((0,_standing_js__WEBPACK_IMPORTED_MODULE_2__/* .standingOf */ .YP)(outcome));
    const ranked = results.toSorted((a, b) => urgencyOf(a) - urgencyOf(b));
    const groups = Map.groupBy(ranked.filter(_outcome_js__WEBPACK_IMPORTED_MODULE_4__/* .isFailed */ .Ix), ({ outcome }) => keyOf(outcome.failure));
    const reasons = [];
    for (const [key, group] of groups) {
        const [first] = group;
        if (first === undefined || reasons.length === maxReasons)
            break;
        reasons.push({ key, failure: first.outcome.failure, results: group });
    }
    const counts = (0,_verdict_js__WEBPACK_IMPORTED_MODULE_3__/* .countResults */ .aD)(results);
    const verdict = (0,_verdict_js__WEBPACK_IMPORTED_MODULE_3__/* .decideVerdict */ .AU)(counts, inputs);
    return { host, inputs, results, ranked, counts, verdict, reasons };
}
function redactResult(result, secrets) {
    const name = secrets.redactText(result.name);
    if ((0,_outcome_js__WEBPACK_IMPORTED_MODULE_4__/* .isRegistered */ .zN)(result)) {
        const { value: record, redacted: pointers } = secrets.redactJson(result.outcome.record);
        const redacted = [...new Set([...result.outcome.redacted, ...pointers])];
        return { ...result, name, outcome: { ...result.outcome, record, redacted } };
    }
    if (!(0,_outcome_js__WEBPACK_IMPORTED_MODULE_4__/* .isFailed */ .Ix)(result))
        return { ...result, name };
    const { failure } = result.outcome;
    const what = (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toSingleLine */ .OX)(secrets.redactText(failure.what));
    const remedy = (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toSingleLine */ .OX)(secrets.redactText(failure.remedy));
    return { ...result, name, outcome: (0,_outcome_js__WEBPACK_IMPORTED_MODULE_4__/* .failed */ .gz)({ ...failure, what, remedy }) };
}
function lookupUrl({ hash, outcome }, { inputs }) {
    const { verificationUrl: template } = inputs;
    if (outcome.state === 'registered') {
        return (0,_text_verification_url_js__WEBPACK_IMPORTED_MODULE_5__/* .fillVerificationUrl */ .B)(template, { hash, record: outcome.record });
    }
    if (outcome.state !== 'failed' || (0,_standing_js__WEBPACK_IMPORTED_MODULE_2__/* .standingOf */ .YP)(outcome) === 'failed')
        return undefined;
    return (0,_text_verification_url_js__WEBPACK_IMPORTED_MODULE_5__/* .fillVerificationUrl */ .B)(template, { hash, record: {} });
}
function keyOf(failure) {
    return JSON.stringify(failure);
}
function describeFailure(failure, { reasons }) {
    const key = keyOf(failure);
    const index = reasons.findIndex(reason => reason.key === key);
    const text = index < 0 ? (0,_explain_js__WEBPACK_IMPORTED_MODULE_1__/* .formatExplanation */ .vZ)((0,_explain_js__WEBPACK_IMPORTED_MODULE_1__/* .explain */ .WE)(failure)) : `see ${index + 1} above`;
    return `${failure.code}: ${text}`;
}


/***/ }),

/***/ 214:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   TM: () => (/* binding */ openWarning),
/* harmony export */   Wk: () => (/* binding */ formatError),
/* harmony export */   df: () => (/* binding */ describePlan),
/* harmony export */   eE: () => (/* binding */ formatLog),
/* harmony export */   oN: () => (/* binding */ formatArtifact)
/* harmony export */ });
/* harmony import */ var _outcome_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(1949);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8146);
/* harmony import */ var _text_size_js__WEBPACK_IMPORTED_MODULE_7__ = __webpack_require__(3004);
/* harmony import */ var _text_words_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(4904);
/* harmony import */ var _explain_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5327);
/* harmony import */ var _findings_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8888);
/* harmony import */ var _standing_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(9330);
/* harmony import */ var _verdict_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(6013);








function describePlan(plan) {
    const found = (0,_text_words_js__WEBPACK_IMPORTED_MODULE_5__/* .pluralize */ .td)(plan.results.length, 'artifact');
    const left = (0,_text_words_js__WEBPACK_IMPORTED_MODULE_5__/* .pluralize */ .td)(plan.toRegister.length, 'distinct hash is', 'distinct hashes are');
    return [`${found} found, ${left} left to register`, ...openWarning(plan)].join('; ');
}
function openWarning({ toRegister }) {
    const open = toRegister.filter(registration => registration.open !== null).length;
    if (open === 0)
        return [];
    const hashes = (0,_text_words_js__WEBPACK_IMPORTED_MODULE_5__/* .pluralize */ .td)(open, 'hash is', 'hashes are');
    return [`${hashes} open (sent by an earlier run without a saved answer) and may be charged again`];
}
const maxLines = 100;
function formatLog(findings, verdict) {
    const { ranked, reasons, host } = findings;
    const lines = reasons.map(({ failure, results }, index) => {
        const explanation = (0,_explain_js__WEBPACK_IMPORTED_MODULE_1__/* .explain */ .WE)(failure);
        const standing = _standing_js__WEBPACK_IMPORTED_MODULE_3__/* .standings */ .ES[(0,_standing_js__WEBPACK_IMPORTED_MODULE_3__/* .standingOfFailure */ .Aw)(failure)];
        const title = `${standing} (${(0,_text_words_js__WEBPACK_IMPORTED_MODULE_5__/* .pluralize */ .td)(results.length, 'artifact')})`;
        const text = `${failure.code}: ${(0,_explain_js__WEBPACK_IMPORTED_MODULE_1__/* .formatExplanation */ .vZ)(explanation)}`;
        return `${index + 1}. ${title}: ${text}; see ${host.environment.docsUrl}/${explanation.page}`;
    });
    const shown = ranked.slice(0, maxLines - lines.length);
    lines.push(...shown.map(result => artifactLine(result, findings)));
    const rest = ranked.length - shown.length;
    if (rest > 0)
        lines.push(`and ${(0,_text_words_js__WEBPACK_IMPORTED_MODULE_5__/* .pluralize */ .td)(rest, 'more artifact')}, see the job summary`);
    return [...lines, verdict];
}
function artifactLine(result, findings) {
    const line = formatArtifact(_standing_js__WEBPACK_IMPORTED_MODULE_3__/* .standings */ .ES[(0,_standing_js__WEBPACK_IMPORTED_MODULE_3__/* .standingOf */ .YP)(result.outcome)], result);
    if (!(0,_outcome_js__WEBPACK_IMPORTED_MODULE_6__/* .isFailed */ .Ix)(result))
        return line;
    const text = `${line}: ${(0,_findings_js__WEBPACK_IMPORTED_MODULE_2__/* .describeFailure */ .Ic)(result.outcome.failure, findings)}`;
    const url = (0,_findings_js__WEBPACK_IMPORTED_MODULE_2__/* .lookupUrl */ .cZ)(result, findings);
    return url === undefined ? text : `${text}; look it up at ${url}`;
}
function formatArtifact(state, { name, size, hash }) {
    return `${state}: "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .quote */ .hD)(name)}" (${(0,_text_size_js__WEBPACK_IMPORTED_MODULE_7__/* .formatSize */ .X)(size)}, ${hash ?? 'not hashed'})`;
}
const maxCauseLength = 90;
const maxErrorName = 60;
function formatError({ ranked, counts }, runFailures) {
    const [first] = ranked;
    const urgent = runFailures.find(({ blocksRerun }) => blocksRerun);
    if (first !== undefined && (0,_outcome_js__WEBPACK_IMPORTED_MODULE_6__/* .isFailed */ .Ix)(first)) {
        const { failure } = first.outcome;
        const count = (0,_verdict_js__WEBPACK_IMPORTED_MODULE_4__/* .formatFailed */ .hd)(counts, ` of ${(0,_text_words_js__WEBPACK_IMPORTED_MODULE_5__/* .pluralize */ .td)(counts.total, 'artifact')}`);
        const about = `"${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .quote */ .hD)(first.name, maxErrorName)}": ${(0,_explain_js__WEBPACK_IMPORTED_MODULE_1__/* .describeCode */ .lA)(failure)}`;
        const others = runFailures.filter(({ code }) => code !== failure.code);
        const explanation = (0,_explain_js__WEBPACK_IMPORTED_MODULE_1__/* .explain */ .WE)(failure);
        const [cause = '', ...rest] = explanation.what.split('; ');
        const what = (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .cut */ .Jj)(cause, maxCauseLength) + (rest.length > 0 ? ' …' : '');
        const remedy = urgent?.remedy ?? explanation.remedy;
        const text = (0,_explain_js__WEBPACK_IMPORTED_MODULE_1__/* .formatExplanation */ .vZ)({ ...explanation, what, remedy });
        return `${count}. First: ${about}: ${text}${joinShorts(others)}`;
    }
    const runFailure = urgent ?? runFailures[0];
    if (runFailure === undefined)
        return '';
    const { short, reason } = runFailure;
    const what = reason === null ? short : `${short} (${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .cut */ .Jj)(reason, maxCauseLength)})`;
    const start = counts.registered === 0 ? '' : `${(0,_verdict_js__WEBPACK_IMPORTED_MODULE_4__/* .countRegistered */ ._C)(counts)}, but `;
    const others = runFailures.filter(other => other !== runFailure);
    return start + (0,_explain_js__WEBPACK_IMPORTED_MODULE_1__/* .formatExplanation */ .vZ)({ ...runFailure, what }) + joinShorts(others);
}
function joinShorts(runFailures) {
    return runFailures.map(({ short }) => `. Also: ${short}`).join('');
}


/***/ }),

/***/ 7954:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $X: () => (/* binding */ formatWhole),
/* harmony export */   dj: () => (/* binding */ makeOutputs)
/* harmony export */ });
/* unused harmony export maxRecordsBytes */
/* harmony import */ var _outcome_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(1949);
/* harmony import */ var _explain_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5327);
/* harmony import */ var _findings_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8888);



const maxRecordsBytes = 120_000;
const maxFailuresLength = 50_000;
function formatWhole(items) {
    const { text, isWhole } = takeFitting(items, maxRecordsBytes, item => Buffer.byteLength(item));
    return isWhole ? text : '';
}
function takeFitting(items, max, lengthOf) {
    const texts = [];
    let length = 1;
    let isWhole = true;
    for (const item of items) {
        const text = JSON.stringify(item);
        length += lengthOf(text) + 1;
        isWhole = length <= max;
        if (!isWhole)
            break;
        texts.push(text);
    }
    return { text: `[${texts.join(',')}]`, isWhole };
}
function makeOutputs(findings, verdict, paths) {
    const { results, counts } = findings;
    const isDryRun = verdict === 'dry-run';
    const registered = (isDryRun ? [] : results).values().filter(_outcome_js__WEBPACK_IMPORTED_MODULE_2__/* .isRegistered */ .zN);
    const failures = results.values().filter(_outcome_js__WEBPACK_IMPORTED_MODULE_2__/* .isFailed */ .Ix);
    return {
        verdict,
        records: formatWhole(registered.map(result => recordEntry(result, findings))),
        failures: takeFitting(failures.map(failureEntry), maxFailuresLength, item => item.length).text,
        'records-path': paths.recordsPath,
        'checksums-path': paths.checksumsPath,
        'evidence-path': paths.evidencePath,
        'artifact-count': counts.total,
        'registered-count': isDryRun ? 0 : counts.registered,
        'newly-registered-count': isDryRun ? 0 : counts.newlyRegistered,
        'failed-count': counts.failed,
    };
}
function recordEntry(result, findings) {
    const { name, size, hash, outcome } = result;
    const { from, record, redacted, maybeChargedAgain } = outcome;
    const verificationUrl = (0,_findings_js__WEBPACK_IMPORTED_MODULE_1__/* .lookupUrl */ .cZ)(result, findings);
    return {
        artifact: name,
        size,
        hash,
        from,
        record,
        redacted: redacted.length > 0 ? redacted : undefined,
        verificationUrl: verificationUrl && findings.host.secrets.redactText(verificationUrl),
        maybeChargedAgain: maybeChargedAgain || undefined,
    };
}
function failureEntry({ name, size, hash, outcome }) {
    const { code, registered } = outcome.failure;
    const message = (0,_explain_js__WEBPACK_IMPORTED_MODULE_0__/* .formatExplanation */ .vZ)((0,_explain_js__WEBPACK_IMPORTED_MODULE_0__/* .explain */ .WE)(outcome.failure));
    return { artifact: name, size, hash, code, registered, message };
}


/***/ }),

/***/ 4973:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Pd: () => (/* binding */ formatPage),
/* harmony export */   _h: () => (/* binding */ docsLink),
/* harmony export */   aY: () => (/* binding */ code),
/* harmony export */   em: () => (/* binding */ sentence),
/* harmony export */   jQ: () => (/* binding */ formatNotes),
/* harmony export */   ki: () => (/* binding */ formatList),
/* harmony export */   mo: () => (/* binding */ breakable),
/* harmony export */   q: () => (/* binding */ linked)
/* harmony export */ });
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8146);
/* harmony import */ var _text_field_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(1821);
/* harmony import */ var _text_size_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(3004);
/* harmony import */ var _text_words_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4904);




const maxSummaryBytes = 1_000_000;
function formatPage({ verdict, head, table = null, foot = [] }) {
    const above = [`## ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toHtml */ .Vw)(verdict, _text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .maxMessageLength */ .sZ)}`, '', ...head];
    const bytes = Buffer.byteLength([...above, ...foot].join('\n'));
    const rows = table === null ? [] : formatTable(table, maxSummaryBytes - bytes);
    return [...above, ...rows, ...foot, ''].join('\n');
}
function formatList(lead, items) {
    if (items.length === 0)
        return [];
    return [`<p>${lead}</p>`, '<ol>', ...items.map(item => `<li>${item}</li>`), '</ol>'];
}
const maxNotes = 10;
function formatNotes(warnings) {
    const notes = warnings.map(text => `⚠️ ${sentence(text)}`);
    const rest = 'more in the log of this step';
    return notes.length === 0
        ? []
        : [`<p>${(0,_text_words_js__WEBPACK_IMPORTED_MODULE_1__/* .joinFirst */ .FS)(notes, maxNotes, { separator: '<br>', rest })}</p>`];
}
function sentence(text, maxLength = _text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .maxMessageLength */ .sZ) {
    const isPlainWord = /^[a-z]+[ :,;]/.test(text);
    const start = isPlainWord ? `${text.slice(0, 1).toUpperCase()}${text.slice(1)}` : text;
    return `${breakable(start, maxLength)}${/[.!?…\]]$/.test(text) ? '' : '.'}`;
}
const maxOpenRows = 50;
const reservedBytes = 3000;
function formatTable(table, maxBytes) {
    const { titles, total, plainCount, elsewhere } = table;
    const rows = [];
    let bytes = reservedBytes;
    for (const row of table.rows) {
        const html = formatRow(row, titles.length);
        bytes += Buffer.byteLength(html) + 1;
        if (bytes > maxBytes)
            break;
        rows.push(html);
    }
    const all = ['State', 'Artifact', 'Size', 'SHA-256', ...titles];
    const header = `<tr>${all.map(title => `<th align="left">${title}</th>`).join('')}</tr>`;
    const openCount = plainCount > maxOpenRows ? total - plainCount : total;
    const open = rows.slice(0, openCount);
    const folded = rows.slice(openCount);
    const lines = [];
    if (open.length > 0)
        lines.push('<table>', header, ...open, '</table>');
    if (folded.length > 0) {
        lines.push(`<details><summary>${plainCount} artifacts without a problem</summary>`);
        lines.push('<table>', header, ...folded, '</table>', '</details>');
    }
    const missing = (0,_text_words_js__WEBPACK_IMPORTED_MODULE_1__/* .pluralize */ .td)(total - rows.length, 'more artifact is', 'more artifacts are');
    if (rows.length < total)
        lines.push(`<p>${missing} not shown; ${elsewhere}.</p>`);
    return lines;
}
function formatRow({ state, artifact, url, details }, columns) {
    const size = (0,_text_size_js__WEBPACK_IMPORTED_MODULE_2__/* .formatSize */ .X)(artifact.size).replace(' ', '&nbsp;');
    const cells = [state, code(artifact.name), size, linked(code(artifact.hash), url)];
    const isWide = typeof details === 'string';
    const wide = isWide ? `<td colspan="${columns}">${details}</td>` : '';
    const all = isWide ? cells : cells.concat(details);
    return `<tr>${all.map(html => `<td>${html}</td>`).join('')}${wide}</tr>`;
}
function code(value) {
    const text = (0,_text_field_js__WEBPACK_IMPORTED_MODULE_3__/* .fieldText */ .gF)(value);
    return text === '' ? '–' : `<code>${breakable(text)}</code>`;
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
    if (url === undefined || url === null || !/^https?:\/\//i.test(url))
        return html;
    return `<a href="${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toAttribute */ .G6)(url, url.length)}">${html}</a>`;
}
function docsLink(docsUrl, page) {
    return linked(`docs/${page.replace(/#.*/, '')}`, `${docsUrl}/${page}`);
}


/***/ }),

/***/ 3325:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Ng: () => (/* binding */ explainAttachment),
/* harmony export */   XA: () => (/* binding */ charged),
/* harmony export */   ae: () => (/* binding */ findRunFailures)
/* harmony export */ });
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8146);
/* harmony import */ var _text_words_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4904);


const charged = 'everything registered is charged';
function findRunFailures({ bug, isCancelled, unsaved, reason }, outputsFailure, aftermath) {
    const runFailures = [];
    const add = (code, what, remedy) => {
        const page = `failures.md#${code ?? 'registered-but-the-run-is-red'}`;
        const explanation = { what, aftermath, remedy, page };
        runFailures.push({ ...explanation, short: what, reason: null, code, blocksRerun: false });
    };
    if (unsaved.length > 0)
        runFailures.push(notSaved(unsaved));
    if (bug !== null)
        add(bug.code, `${bug.code}: ${bug.what}`, bug.remedy);
    if (isCancelled)
        add('cancelled', 'the run was cancelled', rerun);
    if (unsaved.length === 0 && reason?.code === 'not-saved') {
        add(reason.code, reason.what, reason.remedy);
    }
    if (outputsFailure !== null)
        add(null, outputsFailure, 'fix that, then run the job again');
    return runFailures;
}
const rerun = 'run the job again with the same records file';
const maxNames = 3;
function notSaved(artifacts) {
    const names = artifacts.map(name => `"${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .quote */ .hD)(name)}"`);
    const shown = (0,_text_words_js__WEBPACK_IMPORTED_MODULE_1__/* .joinFirst */ .FS)(names, maxNames, { separator: ', ' });
    return {
        code: null,
        blocksRerun: true,
        short: 'a record is only in the log',
        reason: null,
        what: `the record of ${shown} is only in the log, because the records file could not be written`,
        aftermath: 'the service answered, so it is probably charged, but the next run cannot know that',
        remedy: 'copy its line from the log to the records file before you run the job again, or you pay again',
        page: 'failures.md#not-saved',
    };
}
const maxTagLength = 100;
function explainAttachment(attachment) {
    if (attachment?.failure == null)
        return null;
    const { tag, failure, hasPrintedLines } = attachment;
    const name = (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .cut */ .Jj)(tag, maxTagLength);
    const [reason = ''] = failure.split('; ');
    const common = { code: null, reason, blocksRerun: hasPrintedLines };
    if (!hasPrintedLines) {
        const what = `the release "${name}" is not complete: ${failure}`;
        const short = `the release ${name} is not complete`;
        const remedy = 'find out what changed the release, then run the job again';
        return { ...common, short, what, aftermath: charged, remedy, page: 'releases.md' };
    }
    return {
        ...common,
        short: `the records are not attached to ${name}`,
        what: `the records could not be attached to "${name}": ${failure}`,
        aftermath: "everything registered is charged; only the log and perhaps this job's machine have the missing records",
        remedy: 'upload their lines from the log as notarization-records-from-log.jsonl, or you pay again',
        page: 'releases.md#lines-from-the-log',
    };
}


/***/ }),

/***/ 9330:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $i: () => (/* binding */ isPlain),
/* harmony export */   Aw: () => (/* binding */ standingOfFailure),
/* harmony export */   ES: () => (/* binding */ standings),
/* harmony export */   IQ: () => (/* binding */ rankOf),
/* harmony export */   YP: () => (/* binding */ standingOf)
/* harmony export */ });
const standings = {
    uncertain: '❓ may be registered',
    probable: '❓ known to the service and may be registered',
    known: '❓ known to the service',
    failed: '❌ not registered',
    'charged-again': '⚠️ registered, may have been charged more than once',
    contradicted: '⚠️ would not be sent, its record has problems',
    open: '⚠️ would be sent again, may be registered already',
    planned: '🔎 would be registered',
    registered: '✅ registered',
    'registered-before': '✅ registered before',
};
function standingOf(outcome) {
    switch (outcome.state) {
        case 'planned':
            return outcome.open === null ? 'planned' : 'open';
        case 'contradicted':
            return 'contradicted';
        case 'registered':
            if (outcome.maybeChargedAgain)
                return 'charged-again';
            return outcome.from === 'this-run' ? 'registered' : 'registered-before';
        case 'failed':
            return standingOfFailure(outcome.failure);
    }
}
function standingOfFailure({ code, status, endsRun, registered }) {
    const isKnown = status === 409 && !endsRun && (code === 'refused' || code === 'request-refused');
    if (registered === 'unknown')
        return isKnown ? 'probable' : 'uncertain';
    return isKnown ? 'known' : 'failed';
}
const order = Object.keys(standings);
function rankOf(standing) {
    return order.indexOf(standing);
}
function isPlain({ outcome }) {
    return rankOf(standingOf(outcome)) >= rankOf('planned');
}


/***/ }),

/***/ 626:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   D: () => (/* binding */ reportStop)
/* harmony export */ });
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8146);
/* harmony import */ var _deliver_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1109);
/* harmony import */ var _explain_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(5327);
/* harmony import */ var _page_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(4973);
/* harmony import */ var _run_failures_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(3325);





const maxStopMessageLength = 4000;
async function reportStop(stop, host) {
    const { runner, secrets, halt, environment } = host;
    const outputsFailure = (0,_deliver_js__WEBPACK_IMPORTED_MODULE_1__/* .deliverOutputs */ .e)(stop.outputs, runner);
    const runFailures = (0,_run_failures_js__WEBPACK_IMPORTED_MODULE_4__/* .findRunFailures */ .ae)(halt, outputsFailure, stop.nothing);
    const texts = [...joinByInput(stop.problems), ...runFailures.map(_explain_js__WEBPACK_IMPORTED_MODULE_2__/* .formatExplanation */ .vZ)];
    const messages = texts.map(text => (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toSingleLine */ .OX)(secrets.redactText(text)));
    if (stop.showSummary) {
        const lead = `<b>${(0,_page_js__WEBPACK_IMPORTED_MODULE_3__/* .sentence */ .em)(stop.nothing)}</b>`;
        const next = stop.problems.length === 0 ? '' : ' Fix this, then run the job again:';
        const items = messages.map(text => (0,_page_js__WEBPACK_IMPORTED_MODULE_3__/* .sentence */ .em)(text, maxStopMessageLength));
        const list = (0,_page_js__WEBPACK_IMPORTED_MODULE_3__/* .formatList */ .ki)(lead + next, items);
        const more = `<p>More: ${(0,_page_js__WEBPACK_IMPORTED_MODULE_3__/* .docsLink */ ._h)(environment.docsUrl, stop.page)}</p>`;
        const page = (0,_page_js__WEBPACK_IMPORTED_MODULE_3__/* .formatPage */ .Pd)({ verdict: stop.verdict, head: [...list, more] });
        await (0,_deliver_js__WEBPACK_IMPORTED_MODULE_1__/* .deliverSummary */ .ep)(page, runner);
    }
    messages.forEach(runner.error);
    return 1;
}
const maxErrors = 10;
function joinByInput(problems) {
    const groups = Map.groupBy(problems, ({ input }) => input);
    const texts = [...groups.values()].map(group => group.map(({ message }) => message).join('; '));
    if (texts.length <= maxErrors)
        return texts;
    const left = texts.length - maxErrors + 1;
    return [...texts.slice(0, maxErrors - 1), `${left} more inputs are wrong`];
}


/***/ }),

/***/ 6013:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   AU: () => (/* binding */ decideVerdict),
/* harmony export */   Pu: () => (/* binding */ formatVerdict),
/* harmony export */   _C: () => (/* binding */ countRegistered),
/* harmony export */   aD: () => (/* binding */ countResults),
/* harmony export */   hd: () => (/* binding */ formatFailed),
/* harmony export */   iI: () => (/* binding */ isRed),
/* harmony export */   nN: () => (/* binding */ formatDeferral),
/* harmony export */   so: () => (/* binding */ formatChargedAgain)
/* harmony export */ });
/* harmony import */ var _text_words_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4904);
/* harmony import */ var _standing_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9330);


function countResults(results) {
    const outcomes = results.map(({ outcome }) => outcome);
    const registered = outcomes.filter(outcome => outcome.state === 'registered');
    const failed = outcomes.filter(outcome => outcome.state === 'failed');
    return {
        total: outcomes.length,
        registered: registered.length,
        newlyRegistered: registered.filter(({ from }) => from === 'this-run').length,
        failed: failed.length,
        deferrable: failed.filter(({ failure }) => failure.isDeferrable).length,
        standings: outcomes.map(_standing_js__WEBPACK_IMPORTED_MODULE_0__/* .standingOf */ .YP),
    };
}
function countOf(counts, standing) {
    return counts.standings.filter(item => item === standing).length;
}
function decideVerdict({ total, registered, failed, deferrable }, inputs) {
    if (inputs.dryRun)
        return 'dry-run';
    if (total === 0)
        return 'nothing-found';
    if (failed === 0)
        return 'registered';
    if (failed === deferrable && inputs.ifServiceUnavailable === 'warn')
        return 'deferred';
    return registered === 0 ? 'failed' : 'partial';
}
function isRed(verdict, counts, runFailures) {
    return runFailures.length > 0 || (counts.failed > 0 && verdict !== 'deferred');
}
function formatVerdict(verdict, counts, runFailures) {
    const line = headline(verdict, counts);
    if (!isRed(verdict, counts, runFailures))
        return line;
    const shorts = runFailures.map(({ short }) => short);
    if (verdict !== 'registered')
        return [line.replace(/^\S+/, '❌'), ...shorts].join('; ');
    return `❌ NOTARIZED, but ${shorts.join(', and ')}: ${formatRegistered(counts)}`;
}
function headline(verdict, counts) {
    const { failed } = counts;
    const known = countOf(counts, 'known') + countOf(counts, 'probable');
    const sign = countOf(counts, 'charged-again') > 0 ? '⚠️' : '✅';
    const text = `${formatRegistered(counts)}; ${formatFailed(counts)}`;
    switch (verdict) {
        case 'dry-run':
            return `🔎 DRY RUN, nothing was sent: ${formatPlanned(counts)}`;
        case 'nothing-found':
            return '⚠️ NOTHING NOTARIZED: no artifact was found, so nothing was sent';
        case 'registered':
            return `${sign} NOTARIZED: ${formatRegistered(counts)}`;
        case 'deferred':
            return `⚠️ DEFERRED, the service was unavailable: ${text}`;
        case 'partial':
            return `❌ PARTLY NOTARIZED: ${text}`;
        case 'failed':
            if (known === failed) {
                return `❌ RECORDS MISSING: the service says that ${(0,_text_words_js__WEBPACK_IMPORTED_MODULE_1__/* .pluralize */ .td)(failed, 'artifact is', 'artifacts are')} already registered`;
            }
            return `❌ ${countOf(counts, 'failed') < failed ? 'NOT CONFIRMED' : 'NOT NOTARIZED'}: ${text}`;
    }
}
function countRegistered({ total, registered }) {
    return `${registered} of ${(0,_text_words_js__WEBPACK_IMPORTED_MODULE_1__/* .pluralize */ .td)(total, 'artifact')} registered`;
}
function formatRegistered(counts) {
    const { registered, newlyRegistered } = counts;
    const text = countRegistered(counts);
    if (registered === 0)
        return text;
    const facts = [`${newlyRegistered} new, ${registered - newlyRegistered} from earlier runs`];
    const chargedAgain = countOf(counts, 'charged-again');
    if (chargedAgain > 0)
        facts.push(`${chargedAgain} may have been charged more than once`);
    return `${text} (${facts.join('; ')})`;
}
const failedStandings = ['uncertain', 'probable', 'known', 'failed'];
function formatFailed(counts, total = '') {
    const parts = [];
    for (const standing of failedStandings) {
        const count = countOf(counts, standing);
        const words = _standing_js__WEBPACK_IMPORTED_MODULE_0__/* .standings */ .ES[standing].replace(/^\S+ /, '');
        if (count === counts.failed)
            return `${count}${total} failed (${words})`;
        if (count > 0)
            parts.push(`${count} ${words}`);
    }
    return `${counts.failed}${total} failed (${parts.join(', ')})`;
}
function formatPlanned(counts) {
    const { total, registered, failed } = counts;
    const open = countOf(counts, 'open');
    const contradicted = countOf(counts, 'contradicted');
    const planned = countOf(counts, 'planned') + open;
    const facts = [`${planned} of ${(0,_text_words_js__WEBPACK_IMPORTED_MODULE_1__/* .pluralize */ .td)(total, 'artifact')} would be registered`];
    if (open > 0)
        facts.push(`${open} of them may have been registered by an earlier run`);
    facts.push(`${registered} registered before`);
    if (contradicted > 0)
        facts.push(`${contradicted} not sent until settled`);
    if (failed > 0)
        facts.push(`${failed} could not be hashed`);
    return facts.join(', ');
}
function formatDeferral(counts) {
    const count = formatFailed(counts, ` of ${(0,_text_words_js__WEBPACK_IMPORTED_MODULE_1__/* .pluralize */ .td)(counts.total, 'artifact')}`);
    return `Deferred: ${count}, because the service was unavailable. Finish this before you publish the release: an immutable release takes no more files`;
}
function formatChargedAgain(counts) {
    const count = countOf(counts, 'charged-again');
    if (count === 0)
        return null;
    const artifacts = (0,_text_words_js__WEBPACK_IMPORTED_MODULE_1__/* .pluralize */ .td)(count, 'artifact is', 'artifacts are');
    return `${artifacts} registered but may have been charged more than once, because an earlier call got no answer; check what the service charged`;
}


/***/ }),

/***/ 2748:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   m: () => (/* binding */ systemClock)
/* harmony export */ });
/* harmony import */ var node_timers_promises__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8500);

const systemClock = {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    sleep: (ms, signal) => (0,node_timers_promises__WEBPACK_IMPORTED_MODULE_0__.setTimeout)(ms, undefined, { signal }).catch(() => undefined),
};


/***/ }),

/***/ 991:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Yq: () => (/* binding */ cancelledFailure),
/* harmony export */   _V: () => (/* binding */ Halt),
/* harmony export */   dw: () => (/* binding */ notSavedFailure)
/* harmony export */ });
/* harmony import */ var node_events__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8474);
/* harmony import */ var _failure_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(7579);
/* harmony import */ var _text_system_error_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8343);
/* harmony import */ var _clock_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(2748);




const graceMs = 5000;
const cancelledFailure = (0,_failure_js__WEBPACK_IMPORTED_MODULE_1__/* .makeFailure */ .ro)({
    code: 'cancelled',
    what: 'the run was cancelled',
    remedy: 'run the job again with the same records file',
    endsRun: true,
});
const notSavedFailure = (0,_failure_js__WEBPACK_IMPORTED_MODULE_1__/* .makeFailure */ .ro)({
    code: 'not-saved',
    what: 'the records file could not be written, so nothing more was sent',
    remedy: 'free disk space or fix the permissions, then run the job again with the same records file',
    endsRun: true,
});
class Halt {
    #clock;
    #stopped = new AbortController();
    #killed = new AbortController();
    #signalled = new AbortController();
    reason = null;
    bug = null;
    unsaved = [];
    signal = this.#stopped.signal;
    kill = this.#killed.signal;
    cancelled = this.#signalled.signal;
    constructor(clock = _clock_js__WEBPACK_IMPORTED_MODULE_3__/* .systemClock */ .m) {
        this.#clock = clock;
        (0,node_events__WEBPACK_IMPORTED_MODULE_0__.setMaxListeners)(0, this.signal, this.kill, this.cancelled);
    }
    get isCancelled() {
        return this.cancelled.aborted;
    }
    cancel() {
        if (this.isCancelled)
            return;
        this.stop(cancelledFailure);
        this.#signalled.abort();
        void this.#clock.sleep(graceMs, this.kill).then(() => {
            this.#killed.abort();
        });
    }
    stop(reason) {
        this.reason ??= reason;
        this.#stopped.abort();
    }
    noteBug(error, reportTo) {
        this.bug ??= (0,_failure_js__WEBPACK_IMPORTED_MODULE_1__/* .bugFailure */ .fT)((0,_text_system_error_js__WEBPACK_IMPORTED_MODULE_2__/* .describeError */ .U)(error), reportTo);
        this.stop(this.bug);
    }
}


/***/ }),

/***/ 8491:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   m: () => (/* binding */ createProgress)
/* harmony export */ });
/* harmony import */ var _text_time_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5396);

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
        const left = rate > 0 ? `, about ${(0,_text_time_js__WEBPACK_IMPORTED_MODULE_0__/* .formatDuration */ .a)((total - done) / rate)} left` : '';
        const more = detail === '' ? '' : `, ${detail}`;
        log(`${what}: ${done} of ${total}${more}, ${rate.toFixed(1)} per second${left}`);
    };
}


/***/ }),

/***/ 4063:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   G: () => (/* binding */ readErrorText),
/* harmony export */   Q: () => (/* binding */ maskWords)
/* harmony export */ });
const longWord = /\S{24,}|(?=\S*\d)\S{12,}/g;
const notPlainText = /<[a-z!?/]|^\s*[{["]|[\0\ufffd]/i;
function readErrorText(body, redact) {
    return maskWords(redact(messageIn(body)))
        .replace(/[\s\p{Cc}]+/gu, ' ')
        .trim();
}
function maskWords(text) {
    return text.replace(longWord, '***');
}
function messageIn(body) {
    let parsed;
    try {
        parsed = JSON.parse(body);
    }
    catch {
        return notPlainText.test(body) ? '' : body;
    }
    if (typeof parsed !== 'object' || parsed === null)
        return '';
    if ('message' in parsed && typeof parsed.message === 'string')
        return parsed.message;
    if ('error' in parsed && typeof parsed.error === 'string')
        return parsed.error;
    return '';
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
    return { input: null, message };
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

/***/ 43:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   PS: () => (/* binding */ isRetryableStatus),
/* harmony export */   jo: () => (/* binding */ backoffMs),
/* harmony export */   m6: () => (/* binding */ parseHttpDate),
/* harmony export */   mu: () => (/* binding */ parseRetryAfter),
/* harmony export */   vB: () => (/* binding */ maxRetryAfterMs)
/* harmony export */ });
const maxRetryAfterMs = 60_000;
const firstBackoffMs = 500;
const maxBackoffMs = 30_000;
function isRetryableStatus(status) {
    return [408, 425, 429, 500, 502, 503, 504].includes(status);
}
function backoffMs(attempts, random) {
    return random * Math.min(maxBackoffMs, firstBackoffMs * 2 ** (attempts - 1));
}
function parseRetryAfter(value, nowMs) {
    const text = value?.trim() ?? '';
    if (/^\d+$/.test(text))
        return Math.min(Number(text) * 1000, Number.MAX_SAFE_INTEGER);
    const dateMs = parseHttpDate(text);
    return dateMs === null ? null : Math.max(0, dateMs - nowMs);
}
const httpDate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? [\w -]+ \d\d:\d\d:\d\d (?:GMT|\d{4})$/;
function parseHttpDate(value) {
    if (!httpDate.test(value))
        return null;
    const dateMs = Date.parse(value.endsWith('GMT') ? value : `${value} GMT`);
    return Number.isNaN(dateMs) ? null : dateMs;
}


/***/ }),

/***/ 1456:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   o: () => (/* binding */ createTransport),
/* harmony export */   u: () => (/* binding */ createHttpClient)
/* harmony export */ });
/* harmony import */ var _actions_http_client__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5889);
/* harmony import */ var node_timers_promises__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8500);
/* harmony import */ var node_zlib__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8522);
/* harmony import */ var _text_system_error_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(8343);
/* harmony import */ var _retry_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(43);





const maxIdleMs = 10_000;
const maxBodyBytes = 1024 * 1024;
const turnsAfterDeadline = 100;
function createHttpClient(prepare, options = {}) {
    const handler = {
        prepareRequest: prepare,
        canHandleAuthentication: () => false,
        handleAuthentication: () => Promise.reject(new Error('authentication is not supported')),
    };
    return new _actions_http_client__WEBPACK_IMPORTED_MODULE_0__/* .HttpClient */ .Qq('notarize-release', [handler], { ...options, allowRedirects: false });
}
const unanswered = { kind: 'no-answer', wasSent: true, cause: 'connection' };
function createTransport(timeoutMs) {
    const idle = [];
    const takeConnection = () => {
        const last = idle.pop();
        if (last !== undefined && performance.now() - last.usedMs <= maxIdleMs)
            return last;
        last?.close();
        return new Connection(timeoutMs);
    };
    return {
        send: async (request, signal) => {
            const connection = takeConnection();
            const reply = await connection.send(request, signal);
            if (reply.kind === 'answer')
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
        const prepare = (options) => {
            options.signal = this.#abort.signal;
            options.host = options.host?.replace(/^\[|\]$/g, '');
        };
        const socketTimeout = timeoutMs + 60_000;
        this.#client = createHttpClient(prepare, { keepAlive: true, maxSockets: 1, socketTimeout });
    }
    async send(request, signal) {
        const { promise: ended, resolve: end } = Promise.withResolvers();
        const onAbort = () => {
            end({ ...unanswered, reason: 'the run ended the request', cause: 'ended' });
        };
        const onDeadline = async () => {
            for (let turn = 0; turn < turnsAfterDeadline; turn++)
                await (0,node_timers_promises__WEBPACK_IMPORTED_MODULE_1__.setImmediate)();
            end({ ...unanswered, reason: `no complete answer within ${this.#timeoutMs / 1000} s` });
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
        const retryAfterMs = (0,_retry_js__WEBPACK_IMPORTED_MODULE_4__/* .parseRetryAfter */ .mu)(retryAfter, (0,_retry_js__WEBPACK_IMPORTED_MODULE_4__/* .parseHttpDate */ .m6)(date) ?? Date.now());
        const bytes = await readBody(message);
        const text = bytes === null ? null : new TextDecoder().decode(decompress(bytes, message));
        return { kind: 'answer', status: message.statusCode ?? 0, retryAfterMs, body: text };
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
    if (!message.complete)
        throw new Error('the connection was closed during the answer');
    return Buffer.concat(chunks);
}
function decompress(body, { headers }) {
    const encoding = headers['content-encoding'];
    const limit = { maxOutputLength: maxBodyBytes };
    try {
        if (encoding === 'gzip' || encoding === 'deflate')
            return (0,node_zlib__WEBPACK_IMPORTED_MODULE_2__.unzipSync)(body, limit);
        if (encoding === 'br')
            return (0,node_zlib__WEBPACK_IMPORTED_MODULE_2__.brotliDecompressSync)(body, limit);
    }
    catch {
    }
    return body;
}
function classify(error) {
    const code = (0,_text_system_error_js__WEBPACK_IMPORTED_MODULE_3__/* .errorCode */ .C)(error) ?? '';
    if (code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE') {
        return { kind: 'answer', status: 0, retryAfterMs: null, body: '' };
    }
    const wasSent = !isUnconnected(error);
    const cause = certificateErrors.has(code) ? 'untrusted' : 'connection';
    return { kind: 'no-answer', reason: (0,_text_system_error_js__WEBPACK_IMPORTED_MODULE_3__/* .describeError */ .U)(error), wasSent, cause };
}
function isUnconnected(error) {
    if (!(error instanceof Error))
        return false;
    if (error instanceof AggregateError && error.errors.length > 0) {
        return error.errors.every(isUnconnected);
    }
    if (error.cause !== undefined)
        return isUnconnected(error.cause);
    if (certificateErrors.has((0,_text_system_error_js__WEBPACK_IMPORTED_MODULE_3__/* .errorCode */ .C)(error) ?? ''))
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


/***/ }),

/***/ 6569:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   r: () => (/* binding */ formatChecksum)
/* harmony export */ });
function formatChecksum(file) {
    const { name, hash } = file;
    if (name === '-')
        return `${hash}  ./-\n`;
    const escaped = name.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
    return `${escaped === name ? '' : '\\'}${hash}  ${escaped}\n`;
}


/***/ }),

/***/ 8146:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   G6: () => (/* binding */ toAttribute),
/* harmony export */   Jj: () => (/* binding */ cut),
/* harmony export */   OX: () => (/* binding */ toSingleLine),
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

/***/ 1821:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Tc: () => (/* binding */ timeText),
/* harmony export */   b6: () => (/* binding */ textOf),
/* harmony export */   gF: () => (/* binding */ fieldText)
/* harmony export */ });
/* harmony import */ var _time_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5396);

function textOf(value) {
    if (typeof value === 'string')
        return value;
    const isScalar = typeof value === 'number' || typeof value === 'boolean' || JSON.isRawJSON(value);
    return isScalar ? JSON.stringify(value) : null;
}
function fieldText(value) {
    return textOf(value) ?? '';
}
function timeText(value) {
    const time = (0,_time_js__WEBPACK_IMPORTED_MODULE_0__/* .formatTime */ .f)(value);
    return time === '–' ? fieldText(value) : time;
}


/***/ }),

/***/ 7727:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Fq: () => (/* binding */ isInteger),
/* harmony export */   OW: () => (/* binding */ isJsonObject),
/* harmony export */   dw: () => (/* binding */ parseJsonObject),
/* harmony export */   fE: () => (/* binding */ isShallow),
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


/***/ }),

/***/ 3004:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   X: () => (/* binding */ formatSize)
/* harmony export */ });
function formatSize(bytes) {
    if (bytes === null)
        return '–';
    const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
    let value = bytes;
    let unit = 0;
    for (; value >= 1024 && unit < units.length - 1; unit++)
        value /= 1024;
    return `${unit === 0 ? String(value) : value.toFixed(1)} ${units[unit] ?? ''}`;
}


/***/ }),

/***/ 8343:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   C: () => (/* binding */ errorCode),
/* harmony export */   U: () => (/* binding */ describeError)
/* harmony export */ });
/* harmony import */ var node_util__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7975);

const messages = new Map((0,node_util__WEBPACK_IMPORTED_MODULE_0__.getSystemErrorMap)().values())
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


/***/ }),

/***/ 5396:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   a: () => (/* binding */ formatDuration),
/* harmony export */   f: () => (/* binding */ formatTime)
/* harmony export */ });
function formatTime(value) {
    const date = new Date(typeof value === 'number' ? value : NaN);
    return Number.isNaN(date.getTime()) ? '–' : date.toISOString().slice(0, 19).replace('T', ' ');
}
function formatDuration(seconds) {
    if (seconds < 90)
        return `${Math.ceil(seconds)} s`;
    const minutes = Math.ceil(seconds / 60);
    return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
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
    const url = URL.parse(template.replaceAll(/\{(hash|txId)\}/g, 'x'));
    if (url === null || /[\s\p{Cc}\\]/u.test(template))
        return 'must be one URL';
    if (!/^https:\/\//i.test(template) || url.protocol !== 'https:')
        return 'must start with https://';
    if (url.username !== '' || url.password !== '')
        return 'must not contain credentials';
    if (/[{}]/.test(template.replaceAll(/\{(hash|txId)\}/g, ''))) {
        return 'must have no placeholders except {hash} and {txId}';
    }
    const [, host = '{'] = /^https:\/\/([^/?#]+)/i.exec(template) ?? [];
    if (host.includes('{'))
        return 'must have a host without placeholders';
    if (template.length > maxUrlLength)
        return `must have at most ${maxUrlLength} characters`;
    return template.includes('{') ? null : 'must have the placeholder {hash} or {txId}';
}
function fillVerificationUrl(template, { hash, record }) {
    const { txId } = record;
    if (template === null || hash === null)
        return undefined;
    const hasTransaction = typeof txId === 'string' && txId !== '' && !txId.includes('***');
    if (template.includes('{txId}') && !hasTransaction)
        return undefined;
    const transaction = hasTransaction ? encodeURIComponent(txId.toWellFormed()) : '';
    const url = template.replaceAll('{hash}', hash).replaceAll('{txId}', () => transaction);
    return url.length > maxUrlLength ? undefined : url;
}


/***/ }),

/***/ 4904:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   FS: () => (/* binding */ joinFirst),
/* harmony export */   Fl: () => (/* binding */ baseName),
/* harmony export */   UF: () => (/* binding */ compareCodeUnits),
/* harmony export */   td: () => (/* binding */ pluralize)
/* harmony export */ });
function pluralize(count, singular, plural = `${singular}s`) {
    return `${count} ${count === 1 ? singular : plural}`;
}
function joinFirst(items, max, { separator = '; ', rest = 'more' } = {}) {
    const shown = items.slice(0, max);
    if (items.length > max)
        shown.push(`and ${items.length - max} ${rest}`);
    return shown.join(separator);
}
function compareCodeUnits(a, b) {
    return a < b ? -1 : a > b ? 1 : 0;
}
function baseName(name) {
    return name.slice(name.lastIndexOf('/') + 1);
}


/***/ })

};
