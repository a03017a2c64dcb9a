export const id = 312;
export const ids = [312];
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
// EXTERNAL MODULE: ./text/system-error.js
var system_error = __webpack_require__(8343);
// EXTERNAL MODULE: ./text/format.js
var format = __webpack_require__(1622);
// EXTERNAL MODULE: external "node:buffer"
var external_node_buffer_ = __webpack_require__(4573);
// EXTERNAL MODULE: ./outcome.js
var outcome = __webpack_require__(1949);
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
    const { escape, hash, name } = (gnuLine.exec(line) ?? bsdLine.exec(line))?.groups ?? {};
    if (hash === undefined || name === undefined)
        return null;
    const plain = (escape === '' ? name : checksums_unescape(name)).replace(/^\.\/+/, '');
    return plain === '' ? null : toEntry(plain, hash);
}
function toEntry(name, hash) {
    return { source: 'checksums', name, size: null, hash: hash.toLowerCase(), outcome: outcome/* planned */.lM };
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









const nouns = {
    path: ['file', 'files'],
    checksums: ['checksums entry', 'checksums entries'],
    'release-tag': ['release asset', 'release assets'],
};
function describeCount({ input, text, count }) {
    const [singular, plural] = nouns[input];
    return `"${(0,text_escape/* quote */.hD)(text, 100)}" matches ${(0,format/* pluralize */.td)(count, singular, plural)}`;
}
const maxShown = 10;
async function collectArtifacts(inputs, host, options) {
    const { ifNoFilesFound } = inputs;
    const { skip, remedy = 'correct the pattern, or set if-no-files-found' } = options;
    const records = new Set([...skip, ...skip.map(realPathOf)]);
    const isOwn = (name, path) => (0,own_files/* isOwnFile */.Z4)((0,format/* baseName */.Fl)(name)) || records.has(path);
    const found = await (0,artifacts_files/* findFiles */.l)(inputs.path, host);
    const files = found.files.filter(({ name, realPath }) => !isOwn(name, realPath));
    const paths = describeMatches('path', found, new Map(files.map(file => [file, 1])));
    const sums = await collectEntries(inputs.checksums, host, isOwn);
    const problems = [];
    const warnings = [...paths.warnings, ...sums.warnings];
    for (const { input, errors, missing } of [paths, sums]) {
        const isError = ifNoFilesFound === 'error' && missing.length > 0;
        const shown = (0,format/* joinFirst */.FS)(isError ? [...errors, ...missing] : errors, maxShown);
        if (shown !== '')
            problems.push((0,failure/* problemAt */.l4)(input, isError ? `${shown}; ${remedy}` : shown));
        if (ifNoFilesFound !== 'warn')
            continue;
        warnings.push(...missing.map(text => (0,failure/* problemAt */.l4)(input, text).message));
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
            errors.push(`${shown} could not be read: ${(0,system_error/* describeError */.U)(error)}`);
        }
    }
    const findings = describeMatches('checksums', found, sizes);
    return { ...findings, errors, missing: [...findings.missing, ...empty], listed: lists.flat() };
}
function describeMatches(input, { patterns, errors, warnings }, sizes) {
    const counts = patterns.map(({ text, files }) => {
        return { input, text, count: files.reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0) };
    });
    const unmatched = patterns.filter(({ files }) => !files.some(file => sizes.has(file)));
    const missing = unmatched.map(({ text, files }) => {
        const pattern = `the pattern "${(0,text_escape/* quote */.hD)(text)}" matches`;
        if (files.length > 0)
            return `${pattern} only files that this action writes, which are never artifacts`;
        const hint = /\{.*\}/.test(text) ? ' (braces are not read; write one pattern per line)' : '';
        return `${pattern} no ${input === 'path' ? 'file' : 'checksums file'}${hint}`;
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

/***/ 5816:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   L: () => (/* binding */ combineArtifacts)
/* harmony export */ });
/* harmony import */ var _failure_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7579);
/* harmony import */ var _outcome_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1949);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8146);
/* harmony import */ var _text_format_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(1622);




function combineArtifacts(artifacts) {
    const combined = [];
    const conflicts = [];
    const local = artifacts.filter(({ source }) => source !== 'release-tag');
    for (const [name, same] of Map.groupBy(local, artifact => artifact.name)) {
        const hashed = same.filter(_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .isHashed */ .Sc);
        const hashes = [...new Set(hashed.map(({ hash }) => hash))];
        if (hashes.length > 1)
            conflicts.push(`"${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .quote */ .hD)(name)}" has two hashes, ${hashes.join(' and ')}`);
        const best = hashed.find(({ source }) => source === 'path') ?? hashed[0];
        const failures = same.filter(artifact => !(0,_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .isHashed */ .Sc)(artifact));
        if (best === undefined || failures.length > 0)
            combined.push(...failures);
        else
            combined.push(best);
    }
    const keyOf = ({ hash, name }) => `${hash} ${(0,_text_format_js__WEBPACK_IMPORTED_MODULE_3__/* .baseName */ .Fl)(name)}`;
    const known = new Set(combined.filter(_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .isHashed */ .Sc).map(keyOf));
    const assets = artifacts.filter(({ source }) => source === 'release-tag');
    combined.push(...assets.filter(asset => !known.has(keyOf(asset))));
    combined.sort((a, b) => (0,_text_format_js__WEBPACK_IMPORTED_MODULE_3__/* .compareCodeUnits */ .UF)(a.name, b.name));
    if (conflicts.length === 0)
        return { combined, problems: [] };
    const shown = (0,_text_format_js__WEBPACK_IMPORTED_MODULE_3__/* .joinFirst */ .FS)(conflicts, 3);
    const text = `${shown}; create the checksums again from the files to notarize`;
    return { combined, problems: [(0,_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .problemAt */ .l4)('checksums', text)] };
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
// EXTERNAL MODULE: ./text/system-error.js
var system_error = __webpack_require__(8343);
// EXTERNAL MODULE: ./text/format.js
var format = __webpack_require__(1622);
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
    #open;
    #files = [];
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
                const tracks = forAnyName.concat(byName.get(entry.name) ?? []);
                tracks.sort((a, b) => a.pattern.line - b.pattern.line);
                this.#visit(entry, { ...folder, tracks, above }, prefix + entry.name);
            }
        }
        const files = this.#files.sort((a, b) => (0,format/* compareCodeUnits */.UF)(a.name, b.name));
        const patterns = [...this.#matches].map(([{ text }, matched]) => ({ text, files: matched }));
        const skipped = (0,format/* joinFirst */.FS)(this.#skipped, maxSkippedShown, { separator: ', ' });
        const warnings = skipped === '' ? [] : [`skipped (not regular files): ${skipped}`];
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
            const file = { name, absolutePath: path, realPath };
            this.#files.push(file);
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
function asFolder(folder) {
    return folder.endsWith(external_node_path_.sep) ? folder : folder + external_node_path_.sep;
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
        const isMissing = missingCodes.includes((0,system_error/* errorCode */.C)(error));
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

// EXTERNAL MODULE: external "node:assert"
var external_node_assert_ = __webpack_require__(4589);
// EXTERNAL MODULE: external "node:events"
var external_node_events_ = __webpack_require__(8474);
// EXTERNAL MODULE: external "node:os"
var external_node_os_ = __webpack_require__(8161);
// EXTERNAL MODULE: external "node:timers/promises"
var promises_ = __webpack_require__(8500);
// EXTERNAL MODULE: external "node:worker_threads"
var external_node_worker_threads_ = __webpack_require__(5919);
// EXTERNAL MODULE: ./failure.js
var failure_0 = __webpack_require__(7579);
// EXTERNAL MODULE: ./outcome.js
var outcome = __webpack_require__(1949);
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




const changed = { code: 'changed', detail: '' };
const buffer = Buffer.allocUnsafeSlow(1024 * 1024);
function hashFile(path, maxBytes) {
    let descriptor = null;
    try {
        descriptor = (0,external_node_fs_.openSync)(path, external_node_fs_.constants.O_RDONLY | external_node_fs_.constants.O_NONBLOCK);
        const before = (0,external_node_fs_.fstatSync)(descriptor);
        if (!before.isFile())
            return changed;
        if (before.size > maxBytes)
            return null;
        const digest = (0,external_node_crypto_.createHash)('sha256');
        let size = 0;
        let read;
        do {
            read = (0,external_node_fs_.readSync)(descriptor, buffer);
            digest.update(buffer.subarray(0, read));
            size += read;
        } while (read > 0 && size < before.size);
        if (size !== before.size || !isUnchanged(before, (0,external_node_fs_.statSync)(path)))
            return changed;
        return { hash: digest.digest('hex'), size };
    }
    catch (error) {
        return { code: 'unreadable', detail: (0,system_error/* describeError */.U)(error) };
    }
    finally {
        if (descriptor !== null)
            (0,external_node_fs_.closeSync)(descriptor);
    }
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
const unnamed = { code: 'unreadable', detail: files/* sameName */.q };
const faults = {
    changed: {
        cause: 'the file changed while it was read',
        remedy: 'make sure that every step that writes it has finished',
        rerun: 'new-run',
    },
    unreadable: {
        cause: 'the file could not be read',
        remedy: 'make the file readable or exclude it with a pattern that begins with !',
        rerun: 'new-run',
    },
};
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
        const { absolutePath } = file;
        const isShared = absolutePath === files[index - 1]?.absolutePath;
        const result = isShared ? unnamed : hashFile(absolutePath, maxSmallBytes);
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
                const [result] = replies;
                external_node_assert_(isResult(result), 'a worker thread answers with a hash or a fault');
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
    const count = Math.min((0,external_node_os_.availableParallelism)(), maxWorkers, large.length);
    await Promise.all(Array.from({ length: count }, work));
    return files.map(file => toArtifact(file, results.get(file)));
}
function isResult(value) {
    return typeof value === 'object' && value !== null && ('hash' in value || 'code' in value);
}
function toArtifact({ name }, result) {
    if (result !== undefined && 'hash' in result) {
        return { source: 'path', name, outcome: outcome/* planned */.lM, ...result };
    }
    const failure = result === undefined ? halt/* cancelledFailure */.Yq : new failure_0/* Failure */.HR({ ...result, ...faults[result.code] });
    return { source: 'path', name, size: null, hash: null, outcome: (0,outcome/* failed */.gz)(failure) };
}


/***/ }),

/***/ 1683:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   P: () => (/* binding */ isRecordsAsset),
/* harmony export */   Sv: () => (/* binding */ recordsName),
/* harmony export */   Xc: () => (/* binding */ evidenceName),
/* harmony export */   Z4: () => (/* binding */ isOwnFile)
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


/***/ }),

/***/ 7579:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   CO: () => (/* binding */ problemWith),
/* harmony export */   HR: () => (/* binding */ Failure),
/* harmony export */   Jc: () => (/* binding */ mismatchFailure),
/* harmony export */   VG: () => (/* binding */ Stop),
/* harmony export */   fT: () => (/* binding */ bugFailure),
/* harmony export */   l4: () => (/* binding */ problemAt)
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
class Failure extends Error {
    code;
    cause;
    detail;
    remedy;
    rerun;
    registered;
    isKnown;
    status;
    endsRun;
    constructor(parts) {
        super(parts.cause);
        this.code = parts.code;
        this.cause = parts.cause;
        this.detail = parts.detail ?? '';
        this.remedy = parts.remedy;
        this.rerun = parts.rerun === undefined ? 'failed-jobs' : parts.rerun;
        this.registered = parts.registered ?? 'no';
        this.isKnown = parts.isKnown ?? false;
        this.status = parts.status ?? null;
        this.endsRun = parts.endsRun ?? false;
    }
    with(parts) {
        const { code, cause, detail, remedy, rerun, registered, isKnown, status, endsRun } = this;
        const own = { code, cause, detail, remedy, rerun, registered, isKnown, status, endsRun };
        return new Failure({ ...own, ...parts });
    }
    static from(error) {
        if (error instanceof Failure)
            return error;
        throw error;
    }
}
function bugFailure(what, reportTo) {
    return new Failure({
        code: 'internal-error',
        registered: 'unknown',
        cause: 'this action has a bug',
        detail: what,
        remedy: `report the bug at ${reportTo}`,
        endsRun: true,
    });
}
function mismatchFailure(problems) {
    return new Failure({
        code: 'record-mismatch',
        registered: 'unknown',
        cause: 'the record contradicts the request',
        detail: problems.join(', '),
        remedy: 'ask the service whether this hash is registered, then add the answer to the records',
        rerun: null,
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

/***/ 1218:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Ip: () => (/* binding */ defaultBaseUrl),
/* harmony export */   Kz: () => (/* binding */ apiKey),
/* harmony export */   Pw: () => (/* binding */ verificationUrl),
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
        const text = 'is empty, but "release-tag" needs it; omit it to use the token of the job';
        problems.push((0,_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .problemWith */ .CO)('github-token', text));
    }
    for (const { path, message } of schema.safeParse(texts).error?.issues ?? []) {
        const field = String(path[0]);
        problems.push((0,_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .problemWith */ .CO)(nameOf(field), message));
        Reflect.deleteProperty(texts, field);
    }
    const { 'api-key': key = '', 'github-token': token = '' } = rawInputs;
    const secrets = [key, token].filter(text => text !== '');
    return { inputs: schema.parse(texts), problems, secrets };
}
function withValue(requirement, remedy = '') {
    return ({ input }) => `${requirement} (got "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .quote */ .hD)(String(input), 100)}")${remedy}`;
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
    const value = text.includes('@') ? '' : ` (got "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .quote */ .hD)(text, 100)}")`;
    return `${problem}${value}; for example, use https://notary.example/verification/{hash}`;
}));
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
    const value = text.includes('@') ? '' : ` (got "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .quote */ .hD)(text.replace(/[?#].*/s, ''), 100)}")`;
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
    return problems.length > 0 ? problems.join('; it ') : null;
}


/***/ }),

/***/ 3312:
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
// EXTERNAL MODULE: ../node_modules/zod/v4/mini/schemas.js + 1 modules
var schemas = __webpack_require__(4763);
// EXTERNAL MODULE: ./text/format.js
var format = __webpack_require__(1622);
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
    const subscription = data === undefined ? null : checkSubscription(data, json, nowMs);
    if (subscription === null || !/[\r\n]/.test(trimmed))
        return subscription;
    return { ...subscription, warnings: [severalLines, ...subscription.warnings] };
}
function checkSubscription(parsed, json, nowMs) {
    const { custumer, ...rest } = parsed;
    const isMisspelled = custumer !== undefined;
    const data = isMisspelled ? { ...rest, customer: parsed['customer'] ?? custumer } : parsed;
    if (!Object.keys(listedFields.shape).some(field => field in data))
        return null;
    return {
        id: (0,format/* textOf */.b6)(data['id']),
        json: isMisspelled ? JSON.stringify(data) : json,
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
    const text = (0,format/* textOf */.b6)(value);
    if (text !== null)
        return [text];
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

// EXTERNAL MODULE: ./inputs/shared-inputs.js
var shared_inputs = __webpack_require__(1218);
;// CONCATENATED MODULE: ./inputs/notarize-inputs.js




const schema = schemas/* object */.Ikc({
    apiKey: schemas/* prefault */.SdS(shared_inputs/* apiKey */.Kz, ''),
    baseUrl: schemas/* prefault */.SdS(shared_inputs/* baseUrl */.pc, shared_inputs/* defaultBaseUrl */.Ip),
    path: schemas/* prefault */.SdS(schemas/* string */.YjP(), ''),
    checksums: schemas/* prefault */.SdS(schemas/* string */.YjP(), ''),
    subscription: schemas/* prefault */.SdS(schemas/* string */.YjP(), ''),
    ifNoFilesFound: schemas/* prefault */.SdS(shared_inputs/* ifNoFilesFound */.e0, 'error'),
    recordsPath: schemas/* prefault */.SdS(shared_inputs/* filePath */.s$, 'notarization-records.jsonl'),
    maxRegistrations: schemas/* prefault */.SdS(shared_inputs/* wholeNumber */.rD(0, 10_000_000), '100'),
    concurrency: schemas/* prefault */.SdS(shared_inputs/* wholeNumber */.rD(1, 64), '4'),
    maxAttempts: schemas/* prefault */.SdS(shared_inputs/* wholeNumber */.rD(1, 20), '5'),
    timeoutSeconds: schemas/* prefault */.SdS(shared_inputs/* wholeNumber */.rD(1, 600), '30'),
    dryRun: schemas/* prefault */.SdS(shared_inputs/* boolean */.zM, 'false'),
    showSummary: schemas/* prefault */.SdS(shared_inputs/* boolean */.zM, 'true'),
    requestRegistration: shared_inputs/* optional */.lq(shared_inputs/* boolean */.zM),
    description: schemas/* prefault */.SdS(schemas/* string */.YjP(), '{artifact} of {repository} at {ref}'),
    verificationUrl: shared_inputs/* optional */.lq(shared_inputs/* verificationUrl */.Pw),
    keepRecords: schemas/* prefault */.SdS(shared_inputs/* boolean */.zM, 'true'),
    releaseTag: shared_inputs/* optional */.lq(shared_inputs/* releaseTag */.aF),
    attachToRelease: schemas/* prefault */.SdS(shared_inputs/* boolean */.zM, 'false'),
    githubToken: schemas/* prefault */.SdS(shared_inputs/* githubToken */.bU, ''),
});
const notarizeInputNames = shared_inputs/* inputNames */.vj(schema);
function readInputs(rawInputs, nowMs) {
    const { inputs, ...parsed } = shared_inputs/* parseInputs */.TL(schema, rawInputs);
    const { subscription, baseUrl } = inputs;
    const hasData = subscription !== '' && subscription !== 'active';
    const data = hasData ? readSubscription(subscription, nowMs) : null;
    const { warnings = [], secrets = [], exempt = [] } = data ?? {};
    const publicPage = baseUrl === shared_inputs/* defaultBaseUrl */.Ip ? `${baseUrl}/verification/{hash}` : null;
    const problems = [...checkRequired(rawInputs, inputs), ...parsed.problems];
    if (hasData && data === null) {
        const text = 'must be a JSON object with subscription data, such as sessionId and id, base64 of one, or the word active (its text is secret and not shown); to store it on one line, run: jq -c . subscription.json | gh secret set NOTARIZATION_SUBSCRIPTION';
        problems.push((0,failure_0/* problemWith */.CO)('subscription', text));
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
function checkRequired(rawInputs, { dryRun, subscription, requestRegistration, attachToRelease }) {
    const { 'api-key': key = '', 'release-tag': tag = '' } = rawInputs;
    const problems = [];
    if (!dryRun && key === '') {
        const text = 'is empty; set it to the secret API key, for example ${{ secrets.NOTARIZATION_API_KEY }} (runs from forks get no secrets; dry-run: true needs none)';
        problems.push((0,failure_0/* problemWith */.CO)('api-key', text));
    }
    if (!dryRun && requestRegistration === false && subscription === '') {
        const text = 'is false, but "subscription" is empty, so nothing pays for the registrations; omit this input, or set "subscription" to a secret with the subscription data or to the word active';
        problems.push((0,failure_0/* problemWith */.CO)('request-registration', text));
    }
    if (attachToRelease && tag === '') {
        const text = 'needs "release-tag"; set that to the tag of the release';
        problems.push((0,failure_0/* problemWith */.CO)('attach-to-release', text));
    }
    return problems;
}

// EXTERNAL MODULE: external "node:module"
var external_node_module_ = __webpack_require__(8995);
// EXTERNAL MODULE: ./service/transport.js
var service_transport = __webpack_require__(1456);
// EXTERNAL MODULE: ./text/system-error.js
var system_error = __webpack_require__(8343);
;// CONCATENATED MODULE: ./keep/run-artifacts.js





const load = (0,external_node_module_.createRequire)(import.meta.url);
class RunArtifacts {
    records;
    warnings = [];
    whyMissing;
    constructor(whyMissing, records = []) {
        this.whyMissing = whyMissing;
        this.records = records;
    }
    static async open({ keepRecords }, host) {
        const { environment, clock, halt, runner } = host;
        const { artifactService, proxies, source } = environment;
        if (!keepRecords)
            return new RunArtifacts('"keep-records" is false');
        if (artifactService === null)
            return new RunArtifacts('this server has no artifact service');
        const whyMissing = '"Re-run all jobs" hides what earlier attempts kept';
        if (!(Number(source.runAttempt) > 1))
            return new RunArtifacts(whyMissing);
        const problem = (0,service_transport/* proxyProblem */.w)(artifactService.url, proxies);
        if (problem !== null)
            throw new failure_0/* Stop */.VG(problem);
        try {
            const { findRecords = load('./keep/index.js').findRecords } = host;
            const records = await findRecords({ environment, clock, signal: halt.signal });
            runner.info(`Found ${(0,format/* pluralize */.td)(records.length, 'records file')} of earlier attempts`);
            return new RunArtifacts(whyMissing, records);
        }
        catch (error) {
            if (halt.isCancelled)
                throw new failure_0/* Stop */.VG();
            const text = `what earlier attempts kept cannot be read (${(0,system_error/* describeError */.U)(error)}); re-run the failed jobs; if that fails too, start a new run with keep-records: false, which pays again for what only those records know`;
            throw new failure_0/* Stop */.VG((0,failure_0/* problemAt */.l4)('keep-records', text));
        }
    }
}

// EXTERNAL MODULE: ./outcome.js
var outcome_0 = __webpack_require__(1949);
// EXTERNAL MODULE: ./artifacts/combine.js
var combine = __webpack_require__(5816);
// EXTERNAL MODULE: ./text/escape.js
var text_escape = __webpack_require__(8146);
;// CONCATENATED MODULE: ./release/guards.js




function releaseProblems(release, locals, isAttaching) {
    const { tagCommit, runCommit } = release;
    const tag = `the tag "${(0,text_escape/* quote */.hD)(release.tag)}"`;
    const texts = [];
    if (runCommit !== null && tagCommit !== null && tagCommit !== runCommit) {
        texts.push(`${tag} now points to ${tagCommit}, but this run is for ${runCommit}; start a new run for the tag`);
    }
    if (runCommit !== null && tagCommit === null && !release.isDraft) {
        texts.push(`${tag} of this run is gone; push it again, which starts a new run`);
    }
    const differences = findDifferences(release.assets, locals);
    if (differences.length > 0) {
        texts.push(`local files differ from the release "${(0,text_escape/* quote */.hD)(release.tag)}": ${(0,format/* joinFirst */.FS)(differences, 5)}; upload the files of this build, or leave out "path" and "checksums"`);
    }
    const problems = texts.map(text => (0,failure_0/* problemAt */.l4)('release-tag', text));
    if (isAttaching && release.isImmutable) {
        const text = `the release "${(0,text_escape/* quote */.hD)(release.tag)}" is published and immutable, so it takes no more files; attach to its draft next time, and notarize this release without "attach-to-release"`;
        problems.push((0,failure_0/* problemAt */.l4)('attach-to-release', text));
    }
    return problems;
}
function findDifferences(assets, locals) {
    const byName = new Map(assets.map(asset => [asset.name, asset]));
    const differences = [];
    for (const { name, hash } of locals.filter(outcome_0/* isHashed */.Sc)) {
        const asset = byName.get((0,format/* baseName */.Fl)(name));
        if (asset === undefined || asset.hash === hash)
            continue;
        differences.push(asset.hash === null
            ? `"${(0,text_escape/* quote */.hD)(name)}" cannot be compared: the asset could not be read`
            : `"${(0,text_escape/* quote */.hD)(name)}" has ${hash}, but its asset has ${asset.hash}`);
    }
    return differences;
}
function emptyRelease({ tag }) {
    const text = `the release "${(0,text_escape/* quote */.hD)(tag)}" has no assets to notarize; upload them first, or set if-no-files-found`;
    return (0,failure_0/* problemAt */.l4)('release-tag', text);
}

;// CONCATENATED MODULE: ./plan.js






function makePlan(input) {
    const { inputs, release, records } = input;
    const { combined, problems: conflicts } = (0,combine/* combineArtifacts */.L)(input.artifacts);
    const artifacts = combined.map(artifact => {
        if (!(0,outcome_0/* isHashed */.Sc)(artifact))
            return artifact;
        return { ...artifact, outcome: outcomeOf(artifact.hash, input) };
    });
    const planned = artifacts.filter(outcome_0/* isPlanned */.H9);
    const registrations = new Set(planned.map(({ hash }) => hash)).size;
    const problems = [];
    const warnings = [];
    if (release !== null) {
        const locals = input.artifacts.filter(({ source }) => source !== 'release-tag');
        const isAttaching = inputs.attachToRelease && (registrations > 0 || input.isBehind);
        problems.push(...releaseProblems(release, locals, isAttaching));
        if (artifacts.length === 0 && inputs.ifNoFilesFound !== 'ignore') {
            const empty = emptyRelease(release);
            if (inputs.ifNoFilesFound === 'error')
                problems.push(empty);
            else
                warnings.push(empty.message);
        }
    }
    problems.push(...conflicts);
    problems.push(...records.damage.map(text => (0,failure_0/* problemAt */.l4)('records-path', text)));
    if (registrations > inputs.maxRegistrations) {
        const tooMany = limitProblem(registrations, input);
        if (inputs.dryRun)
            warnings.push(tooMany.message);
        else
            problems.push(tooMany);
    }
    if (problems.length === 0)
        warnings.push(...chargeWarnings(planned, input));
    const checksums = conflicts.length === 0 ? combined.filter(outcome_0/* isHashed */.Sc) : [];
    return { artifacts, checksums, registrations, problems, warnings };
}
function describePlan({ artifacts, registrations }) {
    const found = (0,format/* pluralize */.td)(artifacts.length, 'artifact');
    const left = (0,format/* pluralize */.td)(registrations, 'distinct hash is', 'distinct hashes are');
    return `${found} found, ${left} left to register`;
}
function outcomeOf(hash, { inputs, records }) {
    const outcome = records.known.find(hash);
    if (outcome.state !== 'contradicted' || inputs.dryRun)
        return outcome;
    return (0,outcome_0/* failed */.gz)((0,failure_0/* mismatchFailure */.Jc)(outcome.problems));
}
const maxPatternsShown = 50;
function limitProblem(count, { inputs, counts }) {
    const shown = { separator: ', ', rest: 'more patterns' };
    const matched = (0,format/* joinFirst */.FS)(counts.map(collect/* describeCount */.v), maxPatternsShown, shown);
    const hashes = (0,format/* pluralize */.td)(count, 'distinct hash is', 'distinct hashes are');
    const text = `is ${inputs.maxRegistrations}, but ${hashes} left to register (${matched}); correct the patterns, or raise the limit if you want to pay for each registration`;
    return (0,failure_0/* problemWith */.CO)('max-registrations', text);
}
function chargeWarnings(planned, { records, source, whyMissing }) {
    const warnings = [];
    const attempt = Number(source.runAttempt ?? 1);
    if (planned.length > 0 && attempt >= 2 && !records.known.hasEarlierAttempt(source)) {
        warnings.push(`This is attempt ${attempt}, but no records of an earlier attempt were found: ${whyMissing}. To register again what an earlier attempt registered is charged again`);
    }
    const open = planned.filter(({ outcome }) => outcome.openSince !== null);
    if (open.length > 0) {
        const hashes = new Set(open.map(({ hash }) => hash)).size;
        warnings.push(`${(0,format/* pluralize */.td)(hashes, 'hash is', 'hashes are')} open: sent by an earlier run that saved no answer. What is open may be registered already, and to send it again may be charged again`);
    }
    return warnings;
}

// EXTERNAL MODULE: ./records/store.js
var store = __webpack_require__(5745);
// EXTERNAL MODULE: external "node:assert"
var external_node_assert_ = __webpack_require__(4589);
// EXTERNAL MODULE: external "node:timers/promises"
var promises_ = __webpack_require__(8500);
;// CONCATENATED MODULE: ./records/file.js




class RecordsFile {
    #file;
    #bytes;
    #pending = [];
    #write = Promise.resolve(null);
    constructor(file, bytes) {
        this.#file = file;
        this.#bytes = bytes;
    }
    static async open(path, { reading, content, disk }, hasWork) {
        const { tail, goodBytes } = reading;
        const rest = content.subarray(goodBytes);
        if (!hasWork && tail !== 'incomplete' && rest.length === 0)
            return null;
        let file = null;
        try {
            file = await disk.openForAppending(path);
            if (tail === 'incomplete')
                await file.truncate(goodBytes);
            await file.append(rest);
            await file.sync();
            return new RecordsFile(file, content.length);
        }
        catch (error) {
            await file?.close();
            const text = `"${(0,text_escape/* quote */.hD)(path)}" cannot be written: ${(0,system_error/* describeError */.U)(error)}, so no record could be saved; fix that, then re-run the failed jobs`;
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
            await this.#file.truncate(this.#bytes).catch(() => undefined);
            return (0,system_error/* describeError */.U)(error);
        }
    }
}

// EXTERNAL MODULE: ./runtime/progress.js
var runtime_progress = __webpack_require__(8491);
;// CONCATENATED MODULE: ./service/operations.js
const wrongKey = {
    cause: 'the service rejected the API key',
    remedy: 'check the secret in "api-key"',
};
const unpaid = {
    cause: 'the subscription has probably ended or is used up',
    remedy: 'renew the subscription, and update its secret if you use one',
};
const forbidden = {
    cause: 'the account probably has no permission to register',
    remedy: 'check the permissions of the account at the service',
};
const unexpected = {
    cause: 'the service sent an unexpected answer',
    remedy: 'report this answer to the service',
};
const login = {
    name: 'the login',
    path: '/api/v2/auth/login',
    refusedCode: 'login-refused',
    refusals: { 400: wrongKey, 401: wrongKey, 403: wrongKey, 422: wrongKey },
    unexpected: {
        cause: 'the input "base-url" is probably not the address of the service',
        remedy: 'check and correct the input "base-url"',
        rerun: 'new-run',
    },
};
const alreadyRegistered = {
    cause: 'the service already has this hash, probably from an earlier run',
    remedy: 'look up the hash, which is the proof, then restore the record of that run for later runs',
    rerun: null,
    isKnown: true,
};
const completion = {
    name: 'the registration',
    path: '/api/v2/registration/{hash}/forfait',
    refusedCode: 'refused',
    refusals: {
        402: unpaid,
        403: forbidden,
        404: {
            cause: 'the service probably has no request for this hash',
            remedy: 'set the input "request-registration" to true',
            rerun: 'new-run',
        },
        409: alreadyRegistered,
        other: {
            cause: 'the service rejected the registration, probably because of the subscription data',
            remedy: 'check the subscription, and the secret in "subscription" if you set it',
        },
    },
    unexpected,
};
const requestedCompletion = {
    ...completion,
    refusals: {
        ...completion.refusals,
        404: {
            cause: 'the service cannot find the request that this run just made',
            remedy: 'wait a few minutes',
        },
    },
};
const request = {
    name: 'the registration request',
    path: '/api/v2/registration/?subscription=true',
    refusedCode: 'request-refused',
    refusals: {
        402: unpaid,
        403: forbidden,
        409: {
            cause: 'the service already has a request for this hash but cannot complete it',
            remedy: 'ask the service about this request',
        },
        other: {
            cause: 'the service rejected the registration request',
            remedy: 'check the account at the service',
        },
    },
    unexpected,
};
const retrieval = {
    name: 'the lookup of the active subscription',
    path: '/api/v2/payment/subscription/active',
    refusedCode: 'refused',
    refusals: {
        403: forbidden,
        other: {
            cause: 'the account probably has no active subscription',
            remedy: 'activate a subscription at the service',
        },
    },
    unexpected,
};
const general = {
    unavailable: {
        cause: 'the service is unavailable',
        remedy: 'wait until the service is available again',
    },
    unreachable: {
        cause: 'the service cannot be reached',
        remedy: 'check the network of the runner',
    },
    noTunnel: {
        cause: 'the proxy did not connect to the service',
        remedy: 'check the proxy of the runner (https_proxy)',
    },
    untrusted: {
        cause: 'the certificate of the service is not trusted',
        remedy: 'report it to the service, or set NODE_EXTRA_CA_CERTS in the workflow for a private certificate authority',
        rerun: 'new-run',
    },
    expired: {
        cause: 'the certificate of the service has expired',
        remedy: 'wait until the service has renewed it',
    },
    rateLimit: {
        cause: 'the rate limit of the service was reached',
        remedy: 'wait a few minutes',
    },
    rejectedToken: {
        cause: 'the service rejected its own new token',
        remedy: 'check the permissions of the API key at the service',
    },
    nothingToPayWith: {
        cause: 'the service sent no subscription data',
        remedy: 'set the input "subscription" to your subscription data',
        rerun: 'new-run',
    },
    registeredUnanswered: {
        cause: 'the service already has this hash, probably from an earlier call without an answer',
        remedy: 'ask the service about this hash',
        rerun: 'failed-jobs',
    },
};

// EXTERNAL MODULE: ./service/retry.js
var retry = __webpack_require__(43);
;// CONCATENATED MODULE: ./service/call-failure.js






function statusClass(reply) {
    return reply.kind === 'answer' ? Math.floor(reply.status / 100) : 0;
}
function isRetryable(reply) {
    if (reply.kind !== 'answer')
        return reply.kind !== 'untrusted';
    const { status, body, retryAfterMs } = reply;
    return body !== null && (0,retry/* isRetryableStatus */.PS)(status) && (retryAfterMs ?? 0) <= retry/* maxRetryAfterMs */.vB;
}
function mayHaveActed(reply) {
    return reply.kind !== 'not-sent' && reply.kind !== 'untrusted' && statusClass(reply) !== 4;
}
function failureOf(operation, reply, context) {
    const advice = explain(operation, reply, context.mayBeRegistered);
    const status = reply.kind === 'answer' && reply.status > 0 ? reply.status : null;
    const detail = `${operation.name} ${describeReply(operation, reply, context.redact)}`;
    const endsRun = operation === login;
    return new failure_0/* Failure */.HR({ ...advice, detail, status, endsRun });
}
function explain(operation, reply, mayBeRegistered) {
    const isUnreachable = operation === login && reply.kind === 'not-sent';
    if (isUnreachable)
        return { ...general.unreachable, code: 'unavailable' };
    if (reply.kind === 'untrusted') {
        const advice = reply.reason === 'CERT_HAS_EXPIRED' ? general.expired : general.untrusted;
        return { ...advice, code: 'unavailable' };
    }
    if (reply.kind === 'no-tunnel')
        return { ...general.noTunnel, code: 'unavailable' };
    if (reply.kind !== 'answer')
        return { ...general.unavailable, code: 'unavailable' };
    const { status, body, retryAfterMs } = reply;
    if (body !== null && ((0,retry/* isRetryableStatus */.PS)(status) || statusClass(reply) === 5)) {
        const advice = status === 429 ? general.rateLimit : general.unavailable;
        if ((retryAfterMs ?? 0) <= retry/* maxRetryAfterMs */.vB)
            return { ...advice, code: 'unavailable' };
        const time = (0,format/* formatDuration */.a3)((retryAfterMs ?? 0) / 1000);
        const remedy = `wait ${time}, as the service requests`;
        return { code: 'unavailable', cause: advice.cause, remedy };
    }
    const { refusals, refusedCode, unexpected } = operation;
    let refusal = refusals[status] ?? refusals.other;
    if (refusal === alreadyRegistered && mayBeRegistered)
        refusal = general.registeredUnanswered;
    if (body !== null && statusClass(reply) === 4 && refusal !== undefined) {
        return { ...refusal, code: refusedCode };
    }
    const redirected = 'the service sent a redirect, which is never followed';
    const cause = statusClass(reply) === 3 ? redirected : unexpected.cause;
    return { ...unexpected, code: 'invalid-response', cause };
}
function describeReply(operation, reply, redact) {
    if (reply.kind !== 'answer')
        return `got no answer: ${reply.reason}`;
    const { status, body } = reply;
    if (status === 0)
        return 'returned something that is not HTTP';
    const returned = `returned HTTP ${status}`;
    if (body === null)
        return `${returned} and a body over 1 MiB`;
    if (statusClass(reply) === 2)
        return `${returned} and a body that is not a JSON object`;
    const shown = operation === login ? '' : readErrorText(body, redact);
    return shown === '' ? returned : `${returned}: "${(0,text_escape/* quote */.hD)(shown, 200)}"`;
}
const notPlainText = /<[a-z!?/]|^\s*(?:[{["]|null\s*$)|[\0\ufffd]/i;
function readErrorText(body, redact) {
    const object = (0,text_json/* parseJsonObject */.dw)(body);
    const plain = notPlainText.test(body) ? '' : body;
    const texts = object === undefined ? [plain] : [object['message'], object['error']];
    const text = texts.find(value => typeof value === 'string') ?? '';
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
    async complete(operation, subject, payer) {
        const answer = await this.call(operation, payer.json, subject);
        return { ...answer, paymentId: payer.id };
    }
    async call(operation, body, subject) {
        const redact = (text) => this.#host.secrets.redactText(text);
        let hasActed = false;
        try {
            for (let attempts = 1;; attempts++) {
                const reply = await this.#attempt(operation, body, subject);
                const text = reply.kind === 'answer' && statusClass(reply) === 2 ? reply.body : null;
                const object = text === null ? undefined : (0,text_json/* parseJsonObject */.dw)(text);
                if (text !== null && object !== undefined)
                    return { object, text, isRepeated: hasActed };
                hasActed ||= subject !== null && mayHaveActed(reply);
                const mayBeRegistered = hasActed || subject?.isOpen === true;
                const failure = failureOf(operation, reply, { mayBeRegistered, redact });
                const waitMs = this.#decideRetry(reply, failure, attempts);
                const target = subject === null ? '' : `"${(0,text_escape/* quote */.hD)(subject.artifact)}": `;
                const which = `attempt ${attempts} of ${this.#inputs.maxAttempts}`;
                const wait = (0,format/* formatDuration */.a3)(waitMs / 1000);
                this.#host.runner.info(`${target}${failure.detail} (${which}); retrying in ${wait}`);
                await this.#host.clock.sleep(waitMs, this.#host.halt.signal);
            }
        }
        catch (error) {
            throw failure_0/* Failure */.HR.from(error).with({ registered: hasActed ? 'unknown' : 'no' });
        }
    }
    #decideRetry(reply, failure, attempts) {
        const { clock, halt, random } = this.#host;
        const retryAfterMs = reply.kind === 'answer' ? reply.retryAfterMs : null;
        const isTemporary = isRetryable(reply);
        if (isTemporary && retryAfterMs !== null) {
            this.#pauseEndMs = Math.max(this.#pauseEndMs, clock.monotonic() + retryAfterMs);
        }
        const canRetry = isTemporary && attempts < this.#inputs.maxAttempts;
        if (halt.reason !== null && (canRetry || reply.kind === 'ended'))
            throw halt.reason;
        if (canRetry)
            return retryAfterMs ?? (0,retry/* backoffMs */.jo)(attempts, random());
        if (attempts === 1)
            throw failure;
        throw failure.with({ detail: `after ${attempts} attempts, ${failure.detail}` });
    }
    async #attempt(operation, body, subject) {
        const { path } = operation;
        const filled = subject === null ? path : path.replace('{hash}', subject.hash);
        const request = { url: new URL(this.#inputs.baseUrl + filled), body };
        if (operation === login)
            return this.#send({ ...request, token: null }, subject);
        for (let isRenewal = false;; isRenewal = true) {
            this.#login ??= { token: this.#logIn(), isRenewal, wasAccepted: false };
            const current = this.#login;
            const reply = await this.#send({ ...request, token: await current.token }, subject);
            if (reply.kind !== 'answer')
                return reply;
            if (reply.status !== 401) {
                current.wasAccepted = true;
                return reply;
            }
            if (current.isRenewal && !current.wasAccepted) {
                const detail = `${operation.name} returned HTTP 401 after a new login`;
                const parts = { code: 'login-refused', detail, status: 401, endsRun: true };
                throw new failure_0/* Failure */.HR({ ...general.rejectedToken, ...parts });
            }
            if (this.#login === current)
                this.#login = null;
        }
    }
    async #send(request, subject) {
        const { clock, halt } = this.#host;
        await subject?.logIntent();
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
    async #logIn() {
        const body = JSON.stringify({ apiKey: this.#inputs.apiKey });
        const { object } = await this.call(login, body, null);
        const { token } = object;
        if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
            const detail = 'the login returned no usable token';
            const parts = { code: 'invalid-response', detail, endsRun: true };
            throw new failure_0/* Failure */.HR({ ...login.unexpected, ...parts });
        }
        this.#host.secrets.add([token, ...token.split('.')]);
        return token;
    }
}

;// CONCATENATED MODULE: ./service/extensions.js



class Extensions {
    #client;
    #host;
    #active = null;
    constructor(client, host) {
        this.#client = client;
        this.#host = host;
    }
    activeSubscription() {
        this.#active ??= this.#retrieve();
        return this.#active;
    }
    async #retrieve() {
        const subscription = this.#read(await this.#client.call(retrieval, null, null));
        if (subscription === null)
            throw noSubscription(retrieval);
        const { runner } = this.#host;
        for (const text of subscription.warnings)
            runner.warning(`The active subscription ${text}`);
        return subscription;
    }
    async notarize(subject, configured, description) {
        const body = JSON.stringify({
            blockchainType: 'ALGORAND',
            custody: 'false',
            description,
            hash: subject.hash,
            signed: 'false',
            status: 'not_registered',
        });
        const answer = await this.#client
            .call(request, body, subject)
            .catch((error) => failure_0/* Failure */.HR.from(error));
        if (answer instanceof failure_0/* Failure */.HR)
            return this.#completeRefused(subject, configured, answer);
        const offered = this.#read(answer);
        const payer = configured ?? offered;
        if (payer === null)
            throw noSubscription(request).with({ registered: 'unknown' });
        return this.#client.complete(requestedCompletion, subject, payer);
    }
    async #completeRefused(subject, configured, refusal) {
        const isUnpaid = refusal.status === 402 || refusal.status === 403;
        if (refusal.code !== 'request-refused' || isUnpaid)
            throw refusal;
        let payer = configured;
        try {
            payer ??= await this.activeSubscription();
            return await this.#client.complete(requestedCompletion, subject, payer);
        }
        catch (error) {
            const later = failure_0/* Failure */.HR.from(error);
            const registered = refusal.registered === 'unknown' ? 'unknown' : later.registered;
            if (later.endsRun)
                throw later.with({ registered });
            const deciding = payer !== null && later.status === 404 ? refusal : later;
            const wasRefused = payer === null || later.code === 'refused';
            const code = wasRefused ? refusal.code : later.code;
            const detail = `${refusal.detail}; ${later.detail}`;
            const failure = deciding.with({ code, detail, registered });
            const isOwn = refusal.registered === 'unknown' && later.status === 409;
            throw isOwn ? failure.with(general.registeredUnanswered) : failure;
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
function noSubscription({ name }) {
    const detail = `${name} returned other data`;
    return new failure_0/* Failure */.HR({ ...general.nothingToPayWith, code: 'invalid-response', detail });
}
function fillDescription(template, values) {
    const placeholder = /\{(artifact|repository|ref)\}/g;
    const filled = template.replace(placeholder, (_, name) => values[name] ?? '');
    const clean = filled.replace(/\p{Cc}/gu, '');
    return clean.slice(0, 500).replace(/[\ud800-\udbff]$/, '');
}

// EXTERNAL MODULE: ./records/lines.js
var lines = __webpack_require__(3243);
// EXTERNAL MODULE: ./records/record.js
var records_record = __webpack_require__(5523);
// EXTERNAL MODULE: ./runtime/halt.js
var runtime_halt = __webpack_require__(991);
// EXTERNAL MODULE: ./text/verification-url.js
var verification_url = __webpack_require__(6318);
;// CONCATENATED MODULE: ./register/registration.js









class Registration {
    hash;
    isOpen;
    #artifact;
    #options;
    #sent = null;
    constructor(artifact, options) {
        this.hash = artifact.hash;
        this.isOpen = artifact.outcome.openSince !== null;
        this.#artifact = artifact;
        this.#options = options;
    }
    async run() {
        try {
            return await this.#keep(await this.#notarize());
        }
        catch (error) {
            const failure = failure_0/* Failure */.HR.from(error);
            if (this.#sent !== null && failure.registered === 'no') {
                await this.#save({ ...this.#sent, state: 'not-registered' });
            }
            return (0,outcome_0/* failed */.gz)(failure);
        }
    }
    get artifact() {
        return this.#redact(this.#artifact.name);
    }
    async logIntent() {
        if (this.#sent !== null)
            return;
        const at = new Date(this.#options.host.clock.now()).toISOString();
        const sent = { ...this.#head(), at, state: 'sent' };
        if (!(await this.#save(sent)))
            throw runtime_halt/* notSavedFailure */.dw;
        this.#sent = sent;
    }
    async #notarize() {
        const { client, extensions, inputs, source } = this.#options;
        const { payment, requestRegistration } = inputs;
        const endRun = (error) => {
            throw failure_0/* Failure */.HR.from(error).with({ endsRun: true });
        };
        const configured = payment === 'active' ? await extensions.activeSubscription().catch(endRun) : payment;
        if (configured !== null && !requestRegistration) {
            return client.complete(completion, this, configured);
        }
        const names = { artifact: this.artifact, repository: source.repository, ref: source.ref };
        return extensions.notarize(this, configured, fillDescription(inputs.description, names));
    }
    async #keep({ object, paymentId, isRepeated }) {
        const { hash, isOpen } = this;
        const { host, inputs, unexpected } = this.#options;
        for (const field of (0,records_record/* unexpectedTypes */.x)(object))
            unexpected.add(field);
        const problems = (0,records_record/* checkRecord */.E)(object, { hash, paymentId }).map(text => this.#redact(text));
        const redacted = host.secrets.redactJson(object);
        const { hash: ofRequest, status, custody, signed } = object;
        const fixed = { hash: ofRequest, status, custody, signed };
        const record = problems.length > 0 ? redacted : { ...redacted, ...fixed };
        const url = (0,verification_url/* fillVerificationUrl */.B)(inputs.verificationUrl, { hash, record });
        const verificationUrl = url === undefined ? null : this.#redact(url);
        const about = { record, verificationUrl, maybeChargedAgain: isRepeated, problems };
        external_node_assert_(this.#sent !== null, 'the intent is logged before a call');
        await this.#save({ ...this.#head(), at: this.#sent.at, ...about });
        if (problems.length > 0)
            return (0,outcome_0/* failed */.gz)((0,failure_0/* mismatchFailure */.Jc)(problems));
        const maybeChargedAgain = isRepeated || isOpen;
        return { state: 'registered', from: 'this-run', record, maybeChargedAgain };
    }
    async #save(entry) {
        const { file, host } = this.#options;
        const line = (0,lines/* formatLine */.IL)(entry);
        const reason = await file.append(line);
        if (reason === null)
            return true;
        const { halt, runner } = host;
        halt.stop(runtime_halt/* notSavedFailure */.dw);
        runner.info(`A line could not be saved: ${reason}`);
        if ((0,lines/* isRecord */.u4)(entry))
            halt.unsaved.push(this.artifact);
        if ((0,lines/* isRecord */.u4)(entry) || entry.state !== 'sent') {
            runner.info('Append this line to the records file by hand:');
            runner.info(line.trimEnd());
        }
        return false;
    }
    #head() {
        const { host, inputs } = this.#options;
        const { hash, size } = this.#artifact;
        const { runId, runAttempt } = this.#options.source;
        const redacted = lines/* sourceSchema */.dr.parse(host.secrets.redactJson({ ...this.#options.source }));
        const source = { ...redacted, runId, runAttempt };
        return { artifact: this.artifact, size, hash, service: inputs.baseUrl, source };
    }
    #redact(text) {
        return this.#options.host.secrets.redactText(text);
    }
}

;// CONCATENATED MODULE: ./register/register.js











async function register(artifacts, task, transport = (0,service_transport/* createTransport */.o)(task.inputs.timeoutSeconds * 1000)) {
    const { host, inputs, recordsPath, records } = task;
    const groups = Map.groupBy(artifacts.filter(outcome_0/* isPlanned */.H9), ({ hash }) => hash);
    const hasWork = groups.size > 0;
    if (hasWork)
        checkProxies(inputs, host.environment);
    const file = await RecordsFile.open(recordsPath, records, hasWork);
    if (file === null)
        return artifacts;
    const client = new Client(host, transport, inputs);
    const extensions = new Extensions(client, host);
    const unexpected = new Set();
    const outcomes = await registerAll(groups, { ...task, file, client, extensions, unexpected });
    if (unexpected.size > 0) {
        const fields = [...unexpected].join(', ');
        const text = `Some record fields have an undocumented type and were kept unchanged: ${fields}`;
        host.runner.notice(text);
    }
    transport.close();
    await file.close();
    return artifacts.map(artifact => {
        if (!(0,outcome_0/* isPlanned */.H9)(artifact))
            return artifact;
        const outcome = outcomes.get(artifact.hash);
        external_node_assert_(outcome !== undefined, 'every planned hash has an outcome');
        return { ...artifact, outcome };
    });
}
function checkProxies({ baseUrl, keepRecords }, { proxies, artifactService }) {
    const urls = [baseUrl];
    if (keepRecords && artifactService !== null)
        urls.push(artifactService.url);
    const [problem] = urls.flatMap(url => (0,service_transport/* proxyProblem */.w)(url, proxies) ?? []);
    if (problem !== undefined)
        throw new failure_0/* Stop */.VG(problem);
}
const maxOutages = 5;
async function registerAll(groups, options) {
    const { environment, runner, clock, halt } = options.host;
    const progress = (0,runtime_progress/* createProgress */.m)('registering', clock, runner.info);
    const outcomes = new Map();
    const remaining = groups.values();
    let stopReason = null;
    let outages = 0;
    let failures = 0;
    const registerOne = async (artifact) => {
        const reason = stopReason ?? halt.reason;
        if (reason !== null)
            return (0,outcome_0/* failed */.gz)(reason.with({ registered: 'no' }));
        const outcome = await new Registration(artifact, options)
            .run()
            .catch((error) => (0,outcome_0/* failed */.gz)((0,failure_0/* bugFailure */.fT)((0,system_error/* describeError */.U)(error), environment.reportTo)));
        if (outcome.state === 'registered')
            outages = 0;
        if (outcome.state !== 'failed')
            return outcome;
        const { failure } = outcome;
        failures += 1;
        if (isOutage(failure))
            outages += 1;
        if (failure.endsRun)
            stopReason ??= failure;
        const detail = `not tried after ${maxOutages} failed registrations`;
        if (outages >= maxOutages)
            stopReason ??= failure.with({ detail });
        return outcome;
    };
    const work = async () => {
        for (const [artifact] of remaining) {
            external_node_assert_(artifact !== undefined, 'a group has an artifact');
            const outcome = addOpen(await registerOne(artifact), artifact);
            outcomes.set(artifact.hash, outcome);
            progress(outcomes.size, groups.size, failures === 0 ? '' : `${failures} failed`);
        }
    };
    await Promise.all(Array.from({ length: options.inputs.concurrency }, work));
    return outcomes;
}
function isOutage({ code, status }) {
    const isRefused = code === 'refused' || code === 'request-refused';
    return code === 'unavailable' || (isRefused && (status === 402 || status === 403));
}
function addOpen(outcome, { outcome: { openSince } }) {
    if (outcome.state !== 'failed' || openSince === null)
        return outcome;
    const { failure } = outcome;
    const sent = `an earlier run sent this hash on ${(0,format/* formatTime */.fU)(Date.parse(openSince))} UTC and saved no record`;
    const detail = failure.detail === '' ? sent : `${failure.detail}; ${sent}`;
    return (0,outcome_0/* failed */.gz)(failure.with({ registered: 'unknown', detail }));
}

// EXTERNAL MODULE: ./release/release.js + 2 modules
var release_release = __webpack_require__(0);
// EXTERNAL MODULE: ./report/deliver.js
var deliver = __webpack_require__(1109);
// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: ./artifacts/own-files.js
var own_files = __webpack_require__(1683);
// EXTERNAL MODULE: ./records/disk.js
var disk = __webpack_require__(9435);
// EXTERNAL MODULE: ./records/evidence.js
var evidence = __webpack_require__(259);
// EXTERNAL MODULE: ./report/faults.js
var faults = __webpack_require__(4167);
// EXTERNAL MODULE: ./report/log.js
var log = __webpack_require__(214);
// EXTERNAL MODULE: ./report/outputs.js
var report_outputs = __webpack_require__(7954);
// EXTERNAL MODULE: ./report/states.js
var states = __webpack_require__(9208);
// EXTERNAL MODULE: ./report/page.js
var page = __webpack_require__(4973);
;// CONCATENATED MODULE: ./report/summary.js







function formatSummary(judgement, warnings) {
    const { ranked, verdict, steps, rerun, cost, docsUrl, recordsPath } = judgement;
    const { total, registered } = (0,log/* countArtifacts */.vy)(ranked);
    let lead = '<b>What happened, and what to do next:</b>';
    if (steps.length > 1)
        lead += ' Take the steps in this order.';
    if (registered > 0 && steps.every(step => step.cost !== cost))
        lead += ` ${page/* sentence */.em(cost)}`;
    const items = steps.map(step => formatStep(step, judgement));
    const head = [...page/* formatList */.ki(lead, items)];
    if (rerun !== '')
        head.push(`<p><b>${page/* sentence */.em(rerun)}</b></p>`);
    head.push(...page/* formatNotes */.jQ(warnings));
    const foot = [];
    if (verdict === 'nothing-found') {
        const docs = page/* docsLink */._h(docsUrl, 'reference.md#patterns');
        foot.push(`<p>If you expected artifacts, check the patterns; see ${docs}.</p>`);
    }
    if (registered > 0 && verdict !== 'dry-run') {
        const command = `<code>sha256sum --ignore-missing -c ${own_files/* evidenceName */.Xc}</code>`;
        const docs = page/* docsLink */._h(docsUrl, 'verify.md');
        foot.push(`<p>To check downloaded files, run ${command}; see ${docs}.</p>`);
    }
    const titles = ['Registered at (UTC)', 'Blockchain'];
    if (ranked.some(artifact => transactionOf(artifact) !== ''))
        titles.push('Transaction');
    const plainCount = ranked.filter(({ outcome }) => (0,states/* stateOf */.L4)(outcome).cost === null).length;
    const elsewhere = `see the outputs and ${page/* code */.aY(recordsPath)}`;
    const rows = ranked.values().map(artifact => formatRow(artifact, titles.length, judgement));
    const table = { titles, rows, total, plainCount, elsewhere };
    return page/* formatPage */.Pd((0,log/* formatVerdict */.Pu)(judgement), head, { table, foot });
}
const maxExamples = 3;
function formatStep(step, { template, docsUrl }) {
    const { what, cost, remedy, artifacts } = step;
    const lines = [];
    const [first] = artifacts;
    if (first !== undefined) {
        const { sign, words } = (0,states/* stateOf */.L4)(first.outcome);
        const examples = Array.from(artifacts, artifact => {
            const url = (0,log/* lookUpUrl */.S0)(artifact, template);
            const link = url === undefined ? '' : ` (${page/* linked */.q('look up', url)})`;
            return page/* code */.aY(artifact.name) + link;
        });
        const names = (0,format/* joinFirst */.FS)(examples, maxExamples, { separator: ', ' });
        lines.push(`<b>${sign} ${words}:</b> ${names}`);
    }
    const more = page/* docsLink */._h(docsUrl, step.page);
    lines.push(`<b>What happened:</b> ${what.map(text => page/* sentence */.em(text)).join(' ')}`);
    lines.push(`<b>Registered or charged?</b> ${page/* sentence */.em(cost)}`);
    lines.push(`<b>Next:</b> ${page/* sentence */.em(remedy)} More: ${more}`);
    return lines.join('<br>');
}
function formatRow(artifact, columns, judgement) {
    const { steps, template, docsUrl } = judgement;
    const { sign, words, cost } = (0,states/* stateOf */.L4)(artifact.outcome);
    const record = (0,outcome_0/* isRegistered */.zN)(artifact) ? artifact.outcome.record : {};
    let details = '';
    if ((0,outcome_0/* isRegistered */.zN)(artifact)) {
        const { creationDate, blockchainType } = artifact.outcome.record;
        const texts = [(0,format/* formatTime */.fU)(creationDate), (0,format/* fieldText */.gF)(blockchainType), transactionOf(artifact)];
        details = texts.slice(0, columns).map(page/* plain */.pj);
    }
    else if ((0,outcome_0/* isFailed */.Ix)(artifact)) {
        details = (0,log/* referTo */.cp)(artifact, steps);
    }
    else if (cost !== null) {
        const docs = page/* docsLink */._h(docsUrl, 'records.md#settle-an-open-hash');
        details = `${page/* sentence */.em(cost)} To settle it, see ${docs}`;
    }
    const url = (0,verification_url/* fillVerificationUrl */.B)(template, { hash: artifact.hash, record });
    return page/* formatRow */.iZ(`${sign}&nbsp;${words}`, artifact, { url, details, columns });
}
function transactionOf({ outcome }) {
    if (outcome.state !== 'registered')
        return '';
    return (0,format/* fieldText */.gF)(outcome.record['txId']) || (0,format/* fieldText */.gF)(outcome.record['txHash']);
}

;// CONCATENATED MODULE: ./report/report.js














const nothingSent = 'nothing was registered or charged';
async function report(end, options) {
    if (end.kind === 'completed')
        return reportCompleted(end, options);
    const { problems, checksumsPath } = end;
    const { host, inputs, recordsPath } = options;
    const how = host.halt.isCancelled && problems.length === 0 ? 'canceled' : 'stopped';
    const paths = { records: recordsPath, checksums: checksumsPath, evidence: '' };
    const shown = { paths, template: null, hasRelease: false, rerun: '' };
    return (0,deliver/* reportStop */.Dc)(problems, host, {
        verdict: `❌ ${inputs.dryRun ? 'DRY RUN, ' : ''}NOT NOTARIZED: ${how} before anything was sent`,
        nothing: nothingSent,
        page: 'failures.md#stopped-before-anything-was-sent',
        outputs: (0,report_outputs/* makeOutputs */.dj)([], 'stopped', shown),
        showSummary: inputs.showSummary,
    });
}
async function reportCompleted(end, options) {
    const { host, inputs, recordsPath } = options;
    const { runner, halt, secrets, environment } = host;
    const { attachment, checksumsPath } = end;
    const { showSummary, attachToRelease, keepRecords, verificationUrl } = inputs;
    const hasRelease = inputs.releaseTag !== null;
    const clean = (text) => secrets.redactLine(text);
    const cleanFault = (fault) => {
        const what = fault.what.map(clean);
        return { ...fault, short: clean(fault.short), what, remedy: clean(fault.remedy) };
    };
    const artifacts = end.artifacts.map(artifact => withoutSecrets(artifact, host));
    const ranked = (0,states/* rankArtifacts */.iR)(artifacts);
    const verdict = decideVerdict(artifacts, inputs.dryRun);
    const template = verificationUrl && clean(verificationUrl);
    const evidence = inputs.dryRun ? '' : await handOver(end, options);
    const isKept = keepRecords && environment.artifactService !== null;
    const foundBy = findReaders(end, isKept);
    const cost = describeCost(end, options, foundBy);
    const ofArtifacts = faults/* explainFailures */.vS(ranked, hasRelease);
    const ofHalt = faults/* explainHalt */.Fn(halt, cost, hasRelease).map(cleanFault);
    const about = { attachToRelease, keepRecords, isKept, cost };
    const ofRelease = faults/* explainAttachment */.Ng(attachment, about).map(cleanFault);
    const toActOn = halt.isCancelled ? ofHalt : [...ofHalt, ...ofRelease];
    const paths = { records: recordsPath, checksums: checksumsPath, evidence };
    const rerun = faults/* tellRerun */.Ij([...ofArtifacts, ...toActOn], { hasRelease, foundBy });
    const outputs = (0,report_outputs/* makeOutputs */.dj)(artifacts, verdict, { paths, template, hasRelease, rerun });
    const ofOutputs = (0,deliver/* deliverOutputs */.e)(outputs, runner, cost);
    const steps = faults/* orderSteps */.Qs(ofArtifacts, [...ofOutputs, ...toActOn]);
    const judgement = {
        ranked,
        verdict,
        cost,
        runFaults: [...ofHalt, ...ofOutputs, ...ofRelease],
        steps,
        rerun: faults/* tellRerun */.Ij(steps, { hasRelease, foundBy }),
        template,
        docsUrl: environment.docsUrl,
        recordsPath: clean(inputs.recordsPath),
    };
    (0,log/* formatLog */.eE)(judgement).forEach(runner.info);
    attachment?.warnings.forEach(runner.warning);
    const chargedAgain = (0,states/* countState */.xM)(ranked, states/* states */.xP.chargedAgain);
    if (chargedAgain > 0) {
        const what = `${(0,format/* pluralize */.td)(chargedAgain, 'artifact')} may have been charged more than once`;
        const why = 'an earlier call got no answer, or several runs registered the same hash';
        runner.warning(`${what}: ${why}. Check what the service charged`);
    }
    if (outputs['records'] === '') {
        const why = 'The output "records" is empty, because it would exceed 120,000 bytes';
        runner.warning(`${why}. Read the file in the output "records-path" instead`);
    }
    if (showSummary) {
        await (0,deliver/* deliverSummary */.ep)(formatSummary(judgement, runner.warnings.map(clean)), runner);
    }
    if (steps.length === 0)
        return 0;
    runner.error((0,log/* formatError */.Wk)(judgement));
    return 1;
}
function decideVerdict(artifacts, isDryRun) {
    if (isDryRun)
        return 'dry-run';
    if (artifacts.length === 0)
        return 'nothing-found';
    if (!artifacts.some(outcome_0/* isFailed */.Ix))
        return 'registered';
    return artifacts.some(outcome_0/* isRegistered */.zN) ? 'partial' : 'failed';
}
function withoutSecrets(artifact, { secrets }) {
    const name = secrets.redactText(artifact.name);
    if ((0,outcome_0/* isRegistered */.zN)(artifact)) {
        const record = secrets.redactJson(artifact.outcome.record);
        return { ...artifact, name, outcome: { ...artifact.outcome, record } };
    }
    if (!(0,outcome_0/* isFailed */.Ix)(artifact))
        return { ...artifact, name };
    const { failure } = artifact.outcome;
    const clean = (text) => secrets.redactLine(text);
    const [cause, detail] = [clean(failure.cause), clean(failure.detail)];
    const parts = { cause, detail, remedy: clean(failure.remedy) };
    return { ...artifact, name, outcome: (0,outcome_0/* failed */.gz)(failure.with(parts)) };
}
function findReaders({ artifacts, attachment }, isKept) {
    const isNew = (0,log/* countArtifacts */.vy)(artifacts).newlyRegistered > 0;
    if (!isNew || attachment?.hasAllLines === true)
        return 'all';
    return isKept ? 'reruns' : 'none';
}
function describeCost({ artifacts }, { host, inputs }, foundBy) {
    const isNothing = (0,states/* countState */.xM)(artifacts, states/* states */.xP.failed) === artifacts.length;
    if (inputs.dryRun || isNothing)
        return nothingSent;
    if (host.halt.unsaved.length > 0)
        return 'everything that is registered was charged';
    return costs[foundBy];
}
const costs = {
    all: 'what is registered is not paid for again',
    reruns: 're-running the failed jobs does not pay again for what is registered; any other run may',
    none: 'a run without the records file pays again',
};
async function handOver(end, options) {
    const { host, inputs, recordsPath } = options;
    const { runner, secrets, environment } = host;
    const registered = end.artifacts.filter(outcome_0/* isRegistered */.zN);
    const isAttached = end.attachment?.hasAllLines === true;
    if (registered.length === 0 && !isAttached)
        return '';
    try {
        const file = (0,disk/* readRegularFile */.XF)(recordsPath);
        if (isAttached)
            runner.saveState('attached', (0,external_node_crypto_.hash)('sha256', file));
        const hashes = new Set(registered.map(artifact => artifact.hash));
        const checksums = end.release?.checksums(hashes) ?? registered;
        const page = (0,evidence/* renderEvidence */.o)((0,lines/* parseRecords */.Q4)(file, inputs.recordsPath).entries, checksums);
        if (page === null || registered.length === 0)
            return '';
        const text = secrets.redactText(page);
        const path = await (0,deliver/* writeTemporary */.bW)(environment.tempFolder, own_files/* evidenceName */.Xc, text);
        runner.saveState('evidence-path', path);
        return path;
    }
    catch (error) {
        runner.warning(`The evidence page could not be written (${(0,system_error/* describeError */.U)(error)})`);
        return '';
    }
}

// EXTERNAL MODULE: ./runtime/clock.js
var clock = __webpack_require__(2748);
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
            core/* warning */.$e(toAnnotation(text));
        },
        error: text => {
            core/* error */.z3(toAnnotation(text));
        },
        get warnings() {
            return warnings.map(redact);
        },
        mask: core/* setSecret */.Pq,
        setOutput: core/* setOutput */.uH,
        saveState: core/* saveState */.LZ,
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
    const tools = { clock: clock/* systemClock */.m, random: Math.random, workerFile };
    const host = { environment, runner, secrets, halt, ...tools };
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
        exitCode = await run(host, rawInputs);
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
        runner.error(`${bug.code}: ${bug.detail}; ${bug.remedy}`);
    else if (isCancelled)
        runner.error('The run was canceled by a signal after its report');
    else
        return;
    process.exitCode = 1;
}

;// CONCATENATED MODULE: ./main.js














const workerPath = './hash-worker/index.js';
async function start(name, cancelled) {
    let action = notarizeAction;
    if (name === 'verify')
        action = (await __webpack_require__.e(/* import() */ 450).then(__webpack_require__.bind(__webpack_require__, 3450))).verifyAction;
    await runInHost(action, new URL(workerPath, import.meta.url), cancelled);
}
const notarizeAction = { inputNames: notarizeInputNames, run };
async function run(host, rawInputs) {
    const { environment, secrets, clock } = host;
    const reading = readInputs(rawInputs, clock.now());
    secrets.exempt(reading.exempt);
    secrets.add([...reading.secrets, ...environment.secrets]);
    const { inputs } = reading;
    const recordsPath = (0,external_node_path_.resolve)(environment.workspace, inputs.recordsPath);
    const job = { host, inputs, recordsPath };
    const prepared = await prepare(job, reading).catch((error) => stopped(error, job));
    if (prepared.kind === 'stopped')
        return report(prepared, job);
    const { checksumsPath } = prepared;
    const end = await spend(prepared, job).catch((error) => {
        return { ...stopped(error, job), checksumsPath };
    });
    return report(end, job);
}
async function prepare({ host, inputs, recordsPath }, reading) {
    const { environment, runner } = host;
    reading.warnings.forEach(runner.warning);
    const found = await (0,collect/* collectArtifacts */.k)(inputs, host, { skip: [recordsPath] });
    found.warnings.forEach(runner.warning);
    failure_0/* Stop */.VG.ifAny([...reading.problems, ...found.problems]);
    const kept = await RunArtifacts.open(inputs, host);
    const release = await release_release/* Release */.K.open(inputs, host);
    const places = release === null ? [kept] : [kept, release];
    places.flatMap(({ warnings }) => warnings).forEach(runner.warning);
    const hashed = await (0,hash/* hashFiles */.y)(found.files, host);
    const others = places.flatMap(({ records }) => records);
    const { recordsPath: name, baseUrl: service } = inputs;
    const records = (0,store/* readRecords */.T)({ path: recordsPath, name, others, service });
    records.warnings.forEach(runner.warning);
    const assets = release?.artifacts ?? [];
    const plan = makePlan({
        inputs,
        artifacts: [...hashed, ...found.listed, ...assets],
        counts: found.counts.concat(release?.counts ?? []),
        records,
        release: release?.facts ?? null,
        isBehind: release?.lacksLines(records.content) ?? false,
        source: environment.source,
        whyMissing: kept.whyMissing,
    });
    plan.warnings.forEach(runner.warning);
    const checksumsPath = await (0,deliver/* writeChecksumsFile */.SJ)(plan.checksums, environment.tempFolder);
    const { problems } = plan;
    if (problems.length > 0)
        return { kind: 'stopped', problems, checksumsPath };
    runner.info(describePlan(plan));
    return { kind: 'prepared', plan, records, release, checksumsPath };
}
async function spend({ plan, records, release, checksumsPath }, { host, inputs, recordsPath }) {
    const end = { kind: 'completed', artifacts: plan.artifacts, release, checksumsPath };
    if (inputs.dryRun)
        return { ...end, attachment: null };
    const source = release?.source ?? host.environment.source;
    const task = { host, inputs, recordsPath, records, source };
    const artifacts = await register(plan.artifacts, task);
    const hashes = new Set(artifacts.filter(outcome_0/* isRegistered */.zN).map(({ hash }) => hash));
    const { baseUrl: service, attachToRelease } = inputs;
    const evidence = { recordsPath, service, hashes, attachToRelease };
    const attachment = release === null ? null : await release.keep(evidence);
    return { ...end, artifacts, attachment };
}
function stopped(error, { host }) {
    if (!(error instanceof failure_0/* Stop */.VG))
        host.halt.noteBug(error, host.environment.reportTo);
    const problems = error instanceof failure_0/* Stop */.VG ? error.problems : [];
    return { kind: 'stopped', problems, checksumsPath: '' };
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
    openForAppending: async (path) => {
        await createFolder((0,node_path__WEBPACK_IMPORTED_MODULE_2__.dirname)(path));
        const handle = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.open)(path, 'a');
        const folder = await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.open)((0,node_path__WEBPACK_IMPORTED_MODULE_2__.dirname)(path), 'r').catch(() => null);
        await folder?.sync().catch(() => undefined);
        await folder?.close();
        return {
            append: data => handle.appendFile(data),
            truncate: bytes => (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.truncate)(path, bytes),
            sync: () => handle.datasync(),
            close: () => handle.close(),
        };
    },
};
async function createFolder(path) {
    if ((0,node_fs__WEBPACK_IMPORTED_MODULE_0__.existsSync)(path) || (0,node_path__WEBPACK_IMPORTED_MODULE_2__.dirname)(path) === path)
        return;
    await createFolder((0,node_path__WEBPACK_IMPORTED_MODULE_2__.dirname)(path));
    await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_1__.mkdir)(path);
}


/***/ }),

/***/ 259:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   o: () => (/* binding */ renderEvidence)
/* harmony export */ });
/* unused harmony export maxEvidenceLength */
/* harmony import */ var _text_format_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(1622);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8146);
/* harmony import */ var _known_records_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(3032);
/* harmony import */ var _lines_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(3243);




const maxEvidenceLength = 120_000;
const frameLength = 3_200;
function renderEvidence(entries, checksums) {
    const records = listRecords(entries);
    if (records.length === 0)
        return null;
    const space = maxEvidenceLength - frameLength;
    const files = joinFitting(listChecksums(checksums), _text_format_js__WEBPACK_IMPORTED_MODULE_3__/* .formatChecksum */ .rH, space * 0.75);
    const list = joinFitting(records, formatEntry, space - files.text.length);
    return formatPage((0,_text_format_js__WEBPACK_IMPORTED_MODULE_3__/* .pluralize */ .td)(records.length, 'registration'), files, list);
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
        const known = (0,_known_records_js__WEBPACK_IMPORTED_MODULE_1__/* .assess */ .n)(ofHash);
        if (known.state !== 'registered')
            continue;
        const { maybeChargedAgain } = known;
        const byLine = new Map(ofHash.filter(_lines_js__WEBPACK_IMPORTED_MODULE_2__/* .isGoodRecord */ .FK).map(record => [(0,_lines_js__WEBPACK_IMPORTED_MODULE_2__/* .formatLine */ .IL)(record), record]));
        for (const entry of byLine.values())
            records.push({ ...entry, maybeChargedAgain });
    }
    const keyOf = ({ at, hash }) => `${at ?? ''} ${hash}`;
    return records.sort((a, b) => (0,_text_format_js__WEBPACK_IMPORTED_MODULE_3__/* .compareCodeUnits */ .UF)(keyOf(b), keyOf(a)));
}
function listChecksums(checksums) {
    const listed = [];
    const sorted = checksums.toSorted((a, b) => (0,_text_format_js__WEBPACK_IMPORTED_MODULE_3__/* .compareCodeUnits */ .UF)(a.name, b.name));
    for (const [name, files] of Map.groupBy(sorted, file => (0,_text_format_js__WEBPACK_IMPORTED_MODULE_3__/* .baseName */ .Fl)(file.name))) {
        if (new Set(files.map(({ hash }) => hash)).size > 1)
            listed.push(...files);
        else
            listed.push(...files.slice(0, 1).map(({ hash }) => ({ name, hash })));
    }
    return listed;
}
function formatEntry(entry) {
    const { artifact, size, hash, service, record, source, verificationUrl } = entry;
    const { creationDate, userId, paymentId, blockchainType, txId, txHash } = record;
    const bytes = size === null ? 'size unknown: only its checksum was read' : (0,_text_format_js__WEBPACK_IMPORTED_MODULE_3__/* .pluralize */ .td)(size, 'byte');
    const transaction = (0,_text_format_js__WEBPACK_IMPORTED_MODULE_3__/* .fieldText */ .gF)(txId) === '' ? txHash : txId;
    const lines = [
        linkedSpan(hash, verificationUrl),
        '',
        `- File: ${span(artifact)}, ${bytes}`,
        `- Time (UTC), by the clock of the service: ${spanField((0,_text_format_js__WEBPACK_IMPORTED_MODULE_3__/* .formatTime */ .fU)(creationDate))}`,
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
    if (entry.maybeChargedAgain) {
        lines.push('- This registration may have been charged more than once.');
    }
    if (entry.at === null)
        lines.push('- Added by hand after a look-up; not an answer of the service.');
    return `${lines.join('\n')}\n\n`;
}
function formatRef(ref) {
    const [, kind, name] = /^refs\/(tags|heads)\/(.+)$/s.exec(ref) ?? [];
    if (name === undefined)
        return `- Ref: ${span(ref)}`;
    return `- ${kind === 'tags' ? 'Tag' : 'Branch'}: ${span(name)}`;
}
function spanField(value) {
    const text = (0,_text_format_js__WEBPACK_IMPORTED_MODULE_3__/* .fieldText */ .gF)(value);
    return text.trim() === '' ? 'not given by the service' : span(text);
}
function span(text) {
    return `\`${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .quote */ .hD)(text, 256).replaceAll('`', '\\u0060')}\``;
}
function linkedSpan(text, url) {
    const parsed = url === null ? null : URL.parse(url);
    if (parsed === null || !/^https?:$/.test(parsed.protocol))
        return span(text);
    const address = parsed.href.replace(/[`\\]/g, encodeURIComponent);
    return `[${span(text)}](<${address}>)`;
}
function formatPage(count, files, registrations) {
    const { text, left } = registrations;
    const rest = (0,_text_format_js__WEBPACK_IMPORTED_MODULE_3__/* .pluralize */ .td)(left, 'more registration is', 'more registrations are');
    const more = `**${rest} not shown**, because this page has a size limit.
The records files (\`notarization-records*.jsonl\`) contain every registration.

`;
    return `# Notarization evidence

This page shows ${count} of SHA-256 digests with a notarization service.
You can read and check it without an account.

## What this page proves, and what it does not

- Each entry records an answer from the service: this account registered this SHA-256 at this time,
  according to the service's clock. An entry that was added by hand says so.
- A file with the same SHA-256 contains exactly the bytes that were notarized.
- It does not prove who made the file, what source it was built from, or that it is free of defects.
- This page is plain text: anyone who can replace the file can change it. Compare it with what they
  cannot change: the service and, if available, the blockchain transaction and an attestation of the
  records.

## Compare downloaded files

${formatChecksumList(files)}To compare a single file, compute its SHA-256 and search for it on this page, ignoring case.

- Linux: \`sha256sum FILE\`
- macOS: \`shasum -a 256 FILE\`
- Windows PowerShell: \`Get-FileHash -Algorithm SHA256 FILE\`

## Registrations, newest first

${text}${left > 0 ? more : ''}## Look up a registration

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
    if (text === '' && left === 0)
        return '';
    const more = (0,_text_format_js__WEBPACK_IMPORTED_MODULE_3__/* .pluralize */ .td)(left, 'more file is', 'more files are');
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


/***/ }),

/***/ 3032:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   S: () => (/* binding */ KnownRecords),
/* harmony export */   n: () => (/* binding */ assess)
/* harmony export */ });
/* harmony import */ var _text_format_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1622);
/* harmony import */ var _lines_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3243);


class KnownRecords {
    #all;
    #byHash;
    constructor(entries, service) {
        this.#all = entries;
        const relevant = entries.filter(entry => entry.service === service);
        this.#byHash = Map.groupBy(relevant, ({ hash }) => hash);
    }
    find(hash) {
        return assess(this.#byHash.get(hash) ?? []);
    }
    goodRecords(hash) {
        return (this.#byHash.get(hash) ?? []).filter(_lines_js__WEBPACK_IMPORTED_MODULE_0__/* .isGoodRecord */ .FK);
    }
    hasEarlierAttempt({ runId, runAttempt }) {
        const attempt = Number(runAttempt);
        return this.#all.some(({ source }) => source.runId === runId && Number(source.runAttempt) < attempt);
    }
}
function assess(entries) {
    const records = entries.filter(_lines_js__WEBPACK_IMPORTED_MODULE_0__/* .isRecord */ .u4);
    const states = entries.filter(entry => 'state' in entry);
    const refuted = new Set(states.filter(({ state }) => state === 'not-registered').map(keyOf));
    const settled = refuted.union(new Set(records.map(keyOf)));
    const isSettled = records.some(({ at }) => at === null);
    const unsettled = states.filter(line => !isSettled && line.state === 'sent' && !settled.has(keyOf(line)));
    const good = records.filter(_lines_js__WEBPACK_IMPORTED_MODULE_0__/* .isGoodRecord */ .FK);
    const [entry] = good;
    if (entry !== undefined) {
        const maybeChargedAgain = unsettled.length > 0 || isChargedAgain(good);
        return { state: 'registered', from: 'records-file', record: entry.record, maybeChargedAgain };
    }
    const contradicted = records.find(record => !refuted.has(keyOf(record)));
    if (contradicted !== undefined) {
        return { state: 'contradicted', problems: contradicted.problems };
    }
    const times = unsettled.map(({ at }) => at).sort(_text_format_js__WEBPACK_IMPORTED_MODULE_1__/* .compareCodeUnits */ .UF);
    return { state: 'planned', openSince: times.at(-1) ?? null };
}
function keyOf({ at, service, source: { runId, runAttempt } }) {
    return JSON.stringify([at, service, runId, runAttempt]);
}
function isChargedAgain(good) {
    const times = new Set(good.map(({ at }) => at));
    return times.size > 1 || good.some(({ maybeChargedAgain }) => maybeChargedAgain);
}


/***/ }),

/***/ 3243:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   FK: () => (/* binding */ isGoodRecord),
/* harmony export */   IL: () => (/* binding */ formatLine),
/* harmony export */   Q4: () => (/* binding */ parseRecords),
/* harmony export */   dr: () => (/* binding */ sourceSchema),
/* harmony export */   u4: () => (/* binding */ isRecord),
/* harmony export */   uR: () => (/* binding */ missingLines)
/* harmony export */ });
/* harmony import */ var node_crypto__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7598);
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(4763);
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(2335);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8146);
/* harmony import */ var _text_json_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(7727);
/* harmony import */ var _record_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(5523);





const text = zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_4__/* ._minLength */ .m9(1));
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
    artifact: text,
    size: zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .nullable */ .mee(zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .int */ .Whr().check(zod_mini__WEBPACK_IMPORTED_MODULE_4__/* ._gte */ .qm(0))),
    hash: zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .string */ .YjP().check(zod_mini__WEBPACK_IMPORTED_MODULE_4__/* ._regex */ .Fk(/^[0-9a-fA-F]{64}$/), zod_mini__WEBPACK_IMPORTED_MODULE_4__/* ._toLowerCase */ .Il()),
    service: text,
    source: sourceSchema,
};
const recordLineSchema = zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .object */ .Ikc({
    ...headFields,
    at: zod_mini__WEBPACK_IMPORTED_MODULE_3__/* ._default */ .Rvf(zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .nullable */ .mee(isoTime), null),
    record: zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .custom */ .IeY(_text_json_js__WEBPACK_IMPORTED_MODULE_5__/* .isJsonObject */ .OW),
    verificationUrl: zod_mini__WEBPACK_IMPORTED_MODULE_3__/* ._default */ .Rvf(zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .nullable */ .mee(zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .string */ .YjP()), null),
    maybeChargedAgain: zod_mini__WEBPACK_IMPORTED_MODULE_3__/* ._default */ .Rvf(zod_mini__WEBPACK_IMPORTED_MODULE_3__/* .boolean */ .zMY(), false),
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
    let tail = 'whole';
    let goodBytes = bytes.length;
    let number = 0;
    const sources = new Map();
    for (const { line, isTerminated } of splitLines(bytes)) {
        number += 1;
        const parsed = parseLine(line);
        if ('entry' in parsed) {
            const key = JSON.stringify(parsed.entry.source);
            const source = sources.get(key) ?? parsed.entry.source;
            sources.set(key, source);
            entries.push({ ...parsed.entry, source });
            if (!isTerminated)
                tail = 'unterminated';
        }
        else if (!isTerminated && parsed.isBeginning) {
            tail = 'incomplete';
            goodBytes -= line.length;
            warnings.push(`The last line of "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .quote */ .hD)(name)}" is incomplete and was dropped: a run was killed while writing it`);
        }
        else {
            damage.push(`"${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .quote */ .hD)(name)}", line ${number} ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .quote */ .hD)(parsed.damage, _text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .maxMessageLength */ .sZ)}`);
        }
    }
    return { entries, damage, warnings, tail, goodBytes };
}
const beginning = '{"artifact":"';
const tooDeep = damaged('is nested too deeply');
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
function parseLine(bytes) {
    let value;
    try {
        value = (0,_text_json_js__WEBPACK_IMPORTED_MODULE_5__/* .parseJson */ .qF)(decoder.decode(bytes));
    }
    catch (error) {
        if (error instanceof RangeError)
            return tooDeep;
        return { damage: 'is not valid JSON', isBeginning: isCutOff(bytes) };
    }
    if (!(0,_text_json_js__WEBPACK_IMPORTED_MODULE_5__/* .isShallow */ .fE)(value, _text_json_js__WEBPACK_IMPORTED_MODULE_5__/* .maxJsonDepth */ .iC + 1))
        return tooDeep;
    const isState = (0,_text_json_js__WEBPACK_IMPORTED_MODULE_5__/* .isJsonObject */ .OW)(value) && 'state' in value && !('record' in value);
    const parsed = isState ? stateLineSchema.safeParse(value) : recordLineSchema.safeParse(value);
    if (!parsed.success) {
        const fields = (0,_text_json_js__WEBPACK_IMPORTED_MODULE_5__/* .rejectedFields */ .AO)(parsed.error).filter(field => field !== '');
        const where = fields.length === 0 ? '' : ` (wrong: ${fields.join(', ')})`;
        return damaged(`is not a line of a records file${where}`);
    }
    const entry = parsed.data;
    if (!isGoodRecord(entry))
        return { entry };
    const broken = (0,_record_js__WEBPACK_IMPORTED_MODULE_2__/* .checkRecord */ .E)(entry.record, { hash: entry.hash, paymentId: null });
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
function formatLine(entry) {
    const { artifact, size, hash, service, source } = entry;
    const head = { artifact, size, hash, service, at: entry.at ?? undefined };
    if (!isRecord(entry))
        return `${JSON.stringify({ ...head, state: entry.state, source })}\n`;
    const { record, problems } = entry;
    const verificationUrl = entry.verificationUrl ?? undefined;
    const maybeChargedAgain = entry.maybeChargedAgain || undefined;
    const line = { ...head, record, verificationUrl, maybeChargedAgain, problems, source };
    return `${JSON.stringify(line)}\n`;
}
const newline = Buffer.from('\n');
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
        const parsed = isTerminated ? null : parseLine(line);
        const isIncomplete = parsed !== null && 'damage' in parsed && parsed.isBeginning;
        if (line.length > 0 && !isIncomplete)
            lines.push(line);
    }
    return lines;
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
/* harmony import */ var zod_mini__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4763);
/* harmony import */ var _text_format_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1622);
/* harmony import */ var _text_json_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(7727);



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
    const isSamePayment = !isComparable || (0,_text_format_js__WEBPACK_IMPORTED_MODULE_0__/* .textOf */ .b6)(paymentId) === request.paymentId;
    check('paymentId', isSamePayment, 'the id of the subscription');
    return problems;
}
const text = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .string */ .YjP());
const integer = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .custom */ .IeY(_text_json_js__WEBPACK_IMPORTED_MODULE_2__/* .isInteger */ .Fq));
const specified = zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .object */ .Ikc({
    description: text,
    signer: text,
    signature: text,
    txHash: text,
    blockchainType: text,
    holder: text,
    txId: text,
    assetId: text,
    tags: zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .nullish */ .cl6(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .array */ .YOg(zod_mini__WEBPACK_IMPORTED_MODULE_1__/* .unknown */ .L5J())),
    paymentId: text,
    creationDate: integer,
    userId: integer,
});
function unexpectedTypes(record) {
    return (0,_text_json_js__WEBPACK_IMPORTED_MODULE_2__/* .rejectedFields */ .AO)(specified.safeParse(record).error);
}


/***/ }),

/***/ 5745:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   H: () => (/* binding */ readRecordsFile),
/* harmony export */   T: () => (/* binding */ readRecords)
/* harmony export */ });
/* harmony import */ var _failure_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7579);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8146);
/* harmony import */ var _text_system_error_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8343);
/* harmony import */ var _text_format_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(1622);
/* harmony import */ var _disk_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(9435);
/* harmony import */ var _known_records_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(3032);
/* harmony import */ var _lines_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(3243);







function readRecords(query) {
    const { path, name, others, service, disk = _disk_js__WEBPACK_IMPORTED_MODULE_3__/* .systemDisk */ .hY } = query;
    let bytes;
    try {
        bytes = (0,_disk_js__WEBPACK_IMPORTED_MODULE_3__/* .readIfThere */ .qC)(path, disk);
    }
    catch (error) {
        const text = `"${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_1__/* .quote */ .hD)(name)}" cannot be read: ${(0,_text_system_error_js__WEBPACK_IMPORTED_MODULE_2__/* .describeError */ .U)(error)}; fix that, then re-run the failed jobs`;
        throw new _failure_js__WEBPACK_IMPORTED_MODULE_0__/* .Stop */ .VG((0,_failure_js__WEBPACK_IMPORTED_MODULE_0__/* .problemAt */ .l4)('records-path', text));
    }
    const remedy = 'restore the file from the workflow artifact or the release, then re-run the failed jobs';
    const reading = (0,_lines_js__WEBPACK_IMPORTED_MODULE_5__/* .parseRecords */ .Q4)(bytes, name);
    const fromOthers = others.map(other => {
        return { ...(0,_lines_js__WEBPACK_IMPORTED_MODULE_5__/* .parseRecords */ .Q4)(other.bytes, other.name), remedy: other.remedy };
    });
    const readings = [{ ...reading, remedy }, ...fromOthers];
    const damaged = readings.filter(({ damage }) => damage.length > 0);
    const newline = Buffer.from(reading.tail === 'unterminated' ? '\n' : '');
    const missing = (0,_lines_js__WEBPACK_IMPORTED_MODULE_5__/* .missingLines */ .uR)([bytes], others.map(other => other.bytes));
    return {
        known: new _known_records_js__WEBPACK_IMPORTED_MODULE_4__/* .KnownRecords */ .S(readings.flatMap(({ entries }) => entries), service),
        damage: damaged.map(({ damage, remedy }) => {
            return `${(0,_text_format_js__WEBPACK_IMPORTED_MODULE_6__/* .joinFirst */ .FS)(damage, 5, { rest: 'more damaged lines' })}; ${remedy}`;
        }),
        warnings: readings.flatMap(({ warnings }) => warnings),
        reading,
        content: Buffer.concat([bytes.subarray(0, reading.goodBytes), newline, missing]),
        disk,
    };
}
function readRecordsFile(path, disk, mustExist) {
    try {
        return mustExist ? disk.read(path) : (0,_disk_js__WEBPACK_IMPORTED_MODULE_3__/* .readIfThere */ .qC)(path, disk);
    }
    catch (error) {
        const [cause, remedy] = ['the records file could not be read', 'find out what changed it'];
        throw new _failure_js__WEBPACK_IMPORTED_MODULE_0__/* .Failure */ .HR({ code: 'unreadable', cause, detail: (0,_text_system_error_js__WEBPACK_IMPORTED_MODULE_2__/* .describeError */ .U)(error), remedy });
    }
}


/***/ }),

/***/ 0:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  K: () => (/* binding */ Release)
});

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: ./artifacts/own-files.js
var own_files = __webpack_require__(1683);
// EXTERNAL MODULE: ./failure.js
var failure_0 = __webpack_require__(7579);
// EXTERNAL MODULE: ./outcome.js
var outcome_0 = __webpack_require__(1949);
// EXTERNAL MODULE: ./records/disk.js
var records_disk = __webpack_require__(9435);
// EXTERNAL MODULE: ./records/evidence.js
var evidence = __webpack_require__(259);
// EXTERNAL MODULE: ./records/lines.js
var lines = __webpack_require__(3243);
// EXTERNAL MODULE: ./records/store.js
var store = __webpack_require__(5745);
// EXTERNAL MODULE: ./text/escape.js
var text_escape = __webpack_require__(8146);
// EXTERNAL MODULE: ./text/format.js
var format = __webpack_require__(1622);
// EXTERNAL MODULE: external "node:assert"
var external_node_assert_ = __webpack_require__(4589);
// EXTERNAL MODULE: external "node:events"
var external_node_events_ = __webpack_require__(8474);
// EXTERNAL MODULE: external "node:stream/consumers"
var consumers_ = __webpack_require__(8321);
// EXTERNAL MODULE: external "node:stream/promises"
var promises_ = __webpack_require__(6466);
// EXTERNAL MODULE: ../node_modules/zod/v4/mini/schemas.js + 1 modules
var schemas = __webpack_require__(4763);
// EXTERNAL MODULE: ./runtime/halt.js
var runtime_halt = __webpack_require__(991);
// EXTERNAL MODULE: ../node_modules/zod/v4/core/errors.js
var errors = __webpack_require__(6150);
// EXTERNAL MODULE: ./service/transport.js
var transport = __webpack_require__(1456);
// EXTERNAL MODULE: ./text/system-error.js
var system_error = __webpack_require__(8343);
;// CONCATENATED MODULE: ./release/octokit.js






const answerMs = 60_000;
const transferMs = 600_000;
const maxWaitSeconds = 60;
const maxWaits = 3;
const octetStream = 'application/octet-stream';
async function connectToGitHub(host, token) {
    const { apiUrl, proxies } = host.environment;
    const problem = (0,transport/* proxyProblem */.w)(apiUrl, proxies);
    if (problem !== null)
        throw new failure_0/* Stop */.VG(problem);
    const { getOctokit } = await __webpack_require__.e(/* import() */ 20).then(__webpack_require__.bind(__webpack_require__, 2020));
    const { retry } = await Promise.all(/* import() */[__webpack_require__.e(133), __webpack_require__.e(553)]).then(__webpack_require__.bind(__webpack_require__, 6553));
    const { throttling } = await Promise.all(/* import() */[__webpack_require__.e(133), __webpack_require__.e(398)]).then(__webpack_require__.bind(__webpack_require__, 398));
    const silent = () => undefined;
    const onLimit = (seconds, { request }) => {
        const isShort = seconds <= maxWaitSeconds && Number(request['retryCount']) < maxWaits;
        const what = isShort ? 'waiting' : 'too long to wait';
        host.runner.info(`GitHub's rate limit lasts ${(0,format/* formatDuration */.a3)(seconds)} more: ${what}`);
        if (!isShort)
            request['retries'] = 0;
        return isShort;
    };
    const log = { debug: silent, info: silent, warn: silent, error: silent };
    const throttle = { onRateLimit: onLimit, onSecondaryRateLimit: onLimit };
    const limits = limitTries(host);
    const octokit = getOctokit(token, { baseUrl: apiUrl, log, throttle }, limits, throttling, retry);
    return {
        request: (route, parameters) => octokit.request(route, parameters),
        paginate: async (route, parameters) => ({ data: await octokit.paginate(route, parameters) }),
    };
}
function limitTries({ halt, runner, secrets }) {
    return ({ hook, request }) => {
        hook.wrap('request', async (send, options) => {
            const isTransfer = options.method === 'POST' || options.headers.accept === octetStream;
            const limitMs = isTransfer ? transferMs : answerMs;
            const timeout = AbortSignal.timeout(limitMs);
            options.request.signal = AbortSignal.any([timeout, halt.cancelled]);
            const fail = (message) => Object.assign(new Error(message), { status: 502, request: request.endpoint(options) });
            try {
                const answer = await send(options);
                const isWhole = typeof answer.data === 'object' && answer.data !== null;
                if (!isWhole && answer.status !== 204)
                    throw fail('the answer was cut off');
                return answer;
            }
            catch (error) {
                const failure = toFailure(error, secrets);
                const { status } = failure;
                if (status === null || status >= 500)
                    runner.info(describeFailure(failure));
                if (status === 409)
                    throw fail('HTTP 409');
                if (!timeout.aborted)
                    throw error;
                options.request['retries'] = 0;
                throw fail(`no answer within ${(0,format/* formatDuration */.a3)(limitMs / 1000)}`);
            }
        });
    };
}
const waitForGitHub = 'wait until GitHub is available again';
const explanations = {
    401: ['GitHub rejected the token', 'check the input "github-token"'],
    403: ['the token probably lacks the permission "contents: {access}"', 'give it that permission'],
    422: [
        'the release takes no more files',
        'download the workflow artifact with the records from the page of this run, and keep it elsewhere',
    ],
    429: ["GitHub's rate limit is used up", 'wait until it is reset, at most an hour'],
};
const octokitErrorSchema = schemas/* object */.Ikc({
    request: schemas/* object */.Ikc({ method: schemas/* string */.YjP(), url: schemas/* string */.YjP() }),
    response: schemas/* optional */.lqM(schemas/* object */.Ikc({
        status: schemas/* number */.aig(),
        data: schemas/* catch */.MfU(schemas/* object */.Ikc({ message: schemas/* string */.YjP() }), { message: '' }),
    })),
});
function toFailure(error, secrets) {
    if (error instanceof failure_0/* Failure */.HR)
        return error;
    const code = 'unreadable';
    const show = (text) => (0,text_escape/* quote */.hD)((0,text_escape/* maskWords */.QW)(secrets.redactText(text)), 200);
    const { request, response } = octokitErrorSchema.safeParse(error).data ?? {};
    const path = URL.parse(request?.url ?? '')?.pathname ?? '';
    const call = `${request?.method ?? ''} ${(0,text_escape/* quote */.hD)(path)}`.trim();
    if (response === undefined) {
        const reason = error instanceof errors/* $ZodError */.a$ ? 'wrong form' : show((0,system_error/* describeError */.U)(error));
        const detail = call === '' ? reason : `${reason}, ${call}`;
        return new failure_0/* Failure */.HR({
            code,
            cause: 'GitHub sent no valid answer',
            detail,
            remedy: waitForGitHub,
        });
    }
    const { status, data } = response;
    const isLimit = status === 403 && /\brate limit\b/i.test(data.message);
    const meaning = isLimit ? 429 : status === 404 ? 403 : status;
    const [likely, remedy] = explanations[meaning] ?? ['GitHub failed', waitForGitHub];
    const rerun = status === 422 ? null : 'failed-jobs';
    const cause = likely.replace('{access}', request?.method === 'GET' ? 'read' : 'write');
    const text = data.message === '' ? '' : `: "${show(data.message)}"`;
    return new failure_0/* Failure */.HR({
        code,
        cause,
        detail: `HTTP ${status} to ${call}${text}`,
        remedy,
        rerun,
        status,
    });
}
function describeFailure({ cause, detail }) {
    return detail === '' ? cause : `${cause} (${detail})`;
}

;// CONCATENATED MODULE: ./release/api.js












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
const releaseSchema = schemas/* object */.Ikc({
    id: schemas/* number */.aig(),
    tag_name: schemas/* string */.YjP(),
    draft: schemas/* boolean */.zMY(),
    immutable: schemas/* _default */.Rvf(schemas/* boolean */.zMY(), false),
    target_commitish: schemas/* _default */.Rvf(schemas/* string */.YjP(), ''),
    html_url: schemas/* _default */.Rvf(schemas/* string */.YjP(), ''),
    upload_url: schemas/* string */.YjP(),
});
const gitObjectSchema = schemas/* object */.Ikc({ object: schemas/* object */.Ikc({ sha: schemas/* string */.YjP(), type: schemas/* string */.YjP() }) });
const streamSchema = schemas/* custom */.IeY((data) => typeof data === 'object' && data !== null && Symbol.asyncIterator in data);
const maxUploads = 3;
class GitHubApi {
    #client;
    #host;
    #root;
    constructor(client, host, repository) {
        this.#client = client;
        this.#host = host;
        this.#root = `/repos/${repository}`;
    }
    async findRelease(tag) {
        const { request, paginate } = this.#client;
        const call = request(`GET ${this.#root}/releases/tags/{tag}`, { tag });
        const published = await nullIfMissing(this.#read(releaseSchema, call));
        if (published !== null)
            return published;
        const pages = paginate(`GET ${this.#root}/releases`, { per_page: 30 });
        const all = await this.#read(schemas/* array */.YOg(releaseSchema), pages);
        const releases = all.filter(({ tag_name }) => tag_name === tag);
        const [release] = releases;
        if (release !== undefined && releases.length === 1)
            return release;
        const urls = releases.map(({ html_url }) => (0,text_escape/* quote */.hD)(html_url));
        const problem = release === undefined
            ? 'was not found; check the tag, and for a draft give the job the permission contents: write'
            : `has ${releases.length} drafts (${(0,format/* joinFirst */.FS)(urls, 5)}); keep the one with the notarization records, if any, and delete the others`;
        throw new failure_0/* Stop */.VG((0,failure_0/* problemAt */.l4)('release-tag', `the release "${(0,text_escape/* quote */.hD)(tag)}" ${problem}`));
    }
    listAssets({ id }) {
        const route = `GET ${this.#root}/releases/{id}/assets`;
        return this.#read(schemas/* array */.YOg(assetSchema), this.#client.paginate(route, { id, per_page: 100 }));
    }
    async findTagCommit(tag) {
        const { request } = this.#client;
        const call = request(`GET ${this.#root}/git/ref/tags/{tag}`, { tag });
        let target = await nullIfMissing(this.#read(gitObjectSchema, call));
        while (target?.object.type === 'tag') {
            const { sha } = target.object;
            const next = request(`GET ${this.#root}/git/tags/{sha}`, { sha });
            target = await this.#read(gitObjectSchema, next);
        }
        return target?.object.sha ?? null;
    }
    readAsset(asset) {
        return this.#download(asset, consumers_.buffer);
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
    #download({ id }, read) {
        const route = `GET ${this.#root}/releases/assets/{id}`;
        const headers = { accept: octetStream };
        const request = { parseSuccessResponseBody: false };
        const download = async () => {
            const { data } = await this.#client.request(route, { id, headers, request });
            return read(streamSchema.parse(data));
        };
        return this.#untilSignal(download());
    }
    async uploadAsset(release, name, data) {
        const { clock, halt } = this.#host;
        const headers = { 'content-type': octetStream };
        const parameters = { name, data, headers, request: { retries: 0 } };
        let isOurs = name !== own_files/* recordsName */.Sv;
        for (let tries = 1;; tries++) {
            try {
                const call = this.#client.request(`POST ${release.upload_url}`, parameters);
                return await this.#read(assetSchema, call);
            }
            catch (error) {
                external_node_assert_(error instanceof failure_0/* Failure */.HR);
                const { status } = error;
                const mayHaveActed = status === null || status >= 500;
                if (!mayHaveActed && status !== 422)
                    throw error;
                isOurs ||= mayHaveActed;
                const assets = await this.listAssets(release);
                const asset = assets.find(listed => listed.name === name);
                if (asset?.isUploaded === true) {
                    return (await this.hashAsset(asset)) === (0,external_node_crypto_.hash)('sha256', data) ? asset : null;
                }
                if (asset !== undefined && !isOurs)
                    return null;
                if (tries === maxUploads)
                    throw error;
                if (asset !== undefined)
                    await this.deleteAsset(asset);
                else
                    await clock.sleep(1000 * tries ** 2, halt.cancelled);
            }
        }
    }
    async deleteAsset({ id }) {
        const call = this.#client.request(`DELETE ${this.#root}/releases/assets/{id}`, { id });
        await nullIfMissing(this.#read(schemas/* unknown */.L5J(), call));
    }
    #read(schema, call) {
        return this.#untilSignal(call.then(({ data }) => schema.parse(data)));
    }
    async #untilSignal(work) {
        const { halt, secrets } = this.#host;
        const signal = halt.isCancelled ? Promise.resolve() : (0,external_node_events_.once)(halt.cancelled, 'abort');
        try {
            return await Promise.race([work, signal.then(() => Promise.reject(runtime_halt/* cancelledFailure */.Yq))]);
        }
        catch (error) {
            throw halt.isCancelled ? runtime_halt/* cancelledFailure */.Yq : toFailure(error, secrets);
        }
    }
}
async function nullIfMissing(call) {
    try {
        return await call;
    }
    catch (error) {
        if (error instanceof failure_0/* Failure */.HR && error.status === 404)
            return null;
        throw error;
    }
}

;// CONCATENATED MODULE: ./release/release.js












const input = 'release-tag';
class Release {
    #api;
    #host;
    #answer;
    #assets = [];
    #records = new Map();
    #hashes = new Map();
    #before = [];
    artifacts = [];
    #tagCommit = null;
    constructor(api, host, answer) {
        this.#api = api;
        this.#host = host;
        this.#answer = answer;
    }
    static async open(inputs, host) {
        const { releaseTag: tag, githubToken: token } = inputs;
        const { connect = connectToGitHub, environment, halt } = host;
        const { repository } = environment.source;
        if (tag === null)
            return null;
        if (repository === null) {
            throw new failure_0/* Stop */.VG((0,failure_0/* problemWith */.CO)(input, 'needs a repository, but GITHUB_REPOSITORY is not set'));
        }
        const api = new GitHubApi(await connect(host, token), host, repository);
        try {
            const release = new Release(api, host, await api.findRelease(tag));
            await release.#refresh();
            release.#before = release.#published;
            release.artifacts = await release.#readArtifacts();
            release.#tagCommit = await api.findTagCommit(tag);
            return release;
        }
        catch (error) {
            if (!(error instanceof failure_0/* Failure */.HR))
                throw error;
            if (halt.isCancelled)
                throw new failure_0/* Stop */.VG();
            const what = `the release "${(0,text_escape/* quote */.hD)(tag)}" cannot be read: ${describeFailure(error)}`;
            throw new failure_0/* Stop */.VG((0,failure_0/* problemAt */.l4)(input, `${what}; ${error.remedy}, then re-run the failed jobs`));
        }
    }
    async #readArtifacts() {
        const artifacts = [];
        for (const asset of this.#before) {
            const artifact = { source: input, name: asset.name, size: asset.size };
            try {
                artifacts.push({ ...artifact, hash: await this.#hashOf(asset), outcome: outcome_0/* planned */.lM });
            }
            catch (error) {
                if (!(error instanceof failure_0/* Failure */.HR) || this.#host.halt.isCancelled)
                    throw error;
                const cause = `the release asset could not be read: ${error.cause}`;
                const outcome = (0,outcome_0/* failed */.gz)(error.with({ cause, status: null }));
                artifacts.push({ ...artifact, size: null, hash: null, outcome });
            }
        }
        return artifacts;
    }
    get facts() {
        const { tag_name: tag, draft: isDraft, immutable } = this.#answer;
        const { ref, sha } = this.#host.environment.source;
        return {
            tag,
            isDraft,
            isImmutable: immutable && !isDraft,
            assets: this.artifacts,
            tagCommit: this.#tagCommit,
            runCommit: ref === `refs/tags/${tag}` ? sha : null,
        };
    }
    get counts() {
        return [{ input, text: this.#answer.tag_name, count: this.artifacts.length }];
    }
    get warnings() {
        const unfinished = this.#assets.filter(({ isUploaded }) => !isUploaded);
        if (unfinished.length === 0)
            return [];
        return [`Skipped release assets that were never fully uploaded: ${listNames(unfinished)}`];
    }
    get source() {
        const { source, serverUrl } = this.#host.environment;
        const { tag_name: tag, draft, target_commitish: target } = this.#answer;
        const targetCommit = draft && /^[0-9a-f]{40,64}$/.test(target) ? target : null;
        const sha = this.#tagCommit ?? targetCommit;
        const { repository } = source;
        const commitUrl = repository && sha && `${serverUrl}/${repository}/commit/${sha}`;
        return { ...source, ref: `refs/tags/${tag}`, sha, commitUrl };
    }
    get records() {
        return this.#assets.flatMap(({ id }) => this.#records.get(id) ?? []);
    }
    lacksLines(file) {
        const known = this.records.map(({ bytes }) => bytes);
        return (0,lines/* missingLines */.uR)(known, [file]).length > 0;
    }
    checksums(hashes) {
        const checksums = [];
        for (const { id, name, hash: digest } of this.#published) {
            const hash = digest ?? this.#hashes.get(id);
            if (hash !== undefined && hashes.has(hash))
                checksums.push({ name, hash });
        }
        return checksums;
    }
    async keep(run) {
        const { halt, environment, disk = records_disk/* systemDisk */.hY } = this.#host;
        const { recordsPath, hashes, attachToRelease } = run;
        const warnings = [];
        let failure = null;
        let file = null;
        const isBehind = () => file === null || this.lacksLines(file);
        try {
            file = (0,store/* readRecordsFile */.H)(recordsPath, disk, hashes.size > 0);
            if (attachToRelease && this.lacksLines(file))
                await this.#attachRecords(file);
            let pageFailure = attachToRelease ? await this.#replacePage(hashes) : null;
            const newRecords = await this.#refresh();
            if (pageFailure !== null || (attachToRelease && newRecords.length > 0)) {
                pageFailure = await this.#replacePage(hashes);
            }
            const { replaced = [], added = [] } = await this.#findUnregistered(file, run);
            if (replaced.length > 0) {
                const cause = `replaced assets of ${this.#answer.tag_name} have no record`;
                const remedy = 'check the new files (new content is charged), and replace wrong ones';
                failure = {
                    cause,
                    detail: `replaced during this run: ${listNames(replaced)}`,
                    remedy,
                    rerun: 'failed-jobs',
                };
            }
            else if (attachToRelease && isBehind()) {
                const cause = 'records were deleted from the release during this run';
                failure = { cause, detail: '', remedy: 'find out what deleted them', rerun: 'failed-jobs' };
            }
            if (added.length > 0) {
                const text = 'New assets were uploaded to the release during this run, without a record';
                warnings.push(`${text}: ${listNames(added)}`);
            }
            const damage = newRecords.flatMap(({ name, bytes }) => (0,lines/* parseRecords */.Q4)(bytes, name).damage);
            if (damage.length > 0) {
                const remedy = 'delete that asset, and upload an intact copy from the workflow artifact';
                warnings.push(`Damaged records stop the next run: ${(0,format/* joinFirst */.FS)(damage, 5)}; ${remedy}`);
            }
            if (pageFailure !== null) {
                const text = 'The release has all records, but its evidence page could not be replaced';
                warnings.push(`${text}: ${describeFailure(pageFailure)}`);
            }
        }
        catch (error) {
            const text = 'The assets of the release were not compared again at the end';
            if (!(error instanceof failure_0/* Failure */.HR))
                halt.noteBug(error, environment.reportTo);
            else if (attachToRelease && isBehind())
                failure = error;
            else if (!halt.isCancelled)
                warnings.push(`${text}: ${describeFailure(error)}`);
        }
        return { tag: this.#answer.tag_name, failure, warnings, hasAllLines: !isBehind() };
    }
    async #refresh() {
        const assets = await this.#api.listAssets(this.#answer);
        const newRecords = [];
        for (const asset of assets) {
            if (!asset.isUploaded || !(0,own_files/* isRecordsAsset */.P)(asset.name) || this.#records.has(asset.id))
                continue;
            newRecords.push(this.#addRecords(asset, await this.#api.readAsset(asset)));
        }
        this.#assets = assets;
        return newRecords;
    }
    #addRecords({ id, name }, bytes) {
        const remedy = 'delete that asset, upload an intact copy from the workflow artifact, then re-run the failed jobs';
        const source = { name: `${name} of the release`, bytes, remedy };
        this.#records.set(id, source);
        return source;
    }
    get #published() {
        return this.#assets.filter(({ name, isUploaded }) => isUploaded && !(0,own_files/* isOwnFile */.Z4)(name));
    }
    get #entries() {
        return this.records.flatMap(({ name, bytes }) => (0,lines/* parseRecords */.Q4)(bytes, name).entries);
    }
    async #hashOf(asset) {
        const hash = this.#hashes.get(asset.id) ?? (await this.#api.hashAsset(asset));
        this.#hashes.set(asset.id, hash);
        return hash;
    }
    async #attachRecords(file) {
        const ownName = own_files/* recordsName */.Sv.replace('.', `-${(0,external_node_crypto_.hash)('sha256', file).slice(0, 12)}.`);
        const isTaken = this.#assets.some(({ name }) => name === own_files/* recordsName */.Sv);
        let asset = isTaken ? null : await this.#api.uploadAsset(this.#answer, own_files/* recordsName */.Sv, file);
        asset ??= await this.#api.uploadAsset(this.#answer, ownName, file);
        if (asset === null)
            throw nameTaken(ownName);
        this.#addRecords(asset, file);
        this.#assets = [...this.#assets, asset];
    }
    async #replacePage(hashes) {
        const entries = this.#entries;
        const registered = new Set(entries.filter(lines/* isGoodRecord */.FK).map(({ hash }) => hash));
        const page = (0,evidence/* renderEvidence */.o)(entries, this.checksums(registered.union(hashes)));
        if (page === null)
            return null;
        const bytes = Buffer.from(this.#host.secrets.redactText(page));
        const old = this.#assets.find(({ name }) => name === own_files/* evidenceName */.Xc);
        try {
            const oldHash = old?.isUploaded === true ? await this.#hashOf(old) : null;
            if (oldHash === (0,external_node_crypto_.hash)('sha256', bytes))
                return null;
            if (old !== undefined)
                await this.#api.deleteAsset(old);
            const asset = await this.#api.uploadAsset(this.#answer, own_files/* evidenceName */.Xc, bytes);
            return asset === null ? nameTaken(own_files/* evidenceName */.Xc) : null;
        }
        catch (error) {
            return failure_0/* Failure */.HR.from(error);
        }
    }
    async #findUnregistered(file, { recordsPath, service, hashes }) {
        const entries = this.#entries.concat((0,lines/* parseRecords */.Q4)(file, recordsPath).entries);
        const records = entries.filter(lines/* isGoodRecord */.FK).filter(entry => entry.service === service);
        const registered = new Set(records.map(({ hash }) => hash)).union(hashes);
        const found = [];
        for (const asset of this.#published) {
            if (this.#before.some(({ id }) => id === asset.id))
                continue;
            if (!registered.has(await this.#hashOf(asset)))
                found.push(asset);
        }
        return Object.groupBy(found, asset => this.#before.some(({ name }) => name === asset.name) ? 'replaced' : 'added');
    }
}
function listNames(assets) {
    const names = assets.map(({ name }) => `"${(0,text_escape/* quote */.hD)(name)}"`);
    return (0,format/* joinFirst */.FS)(names, 5, { separator: ', ' });
}
function nameTaken(name) {
    const cause = 'another file has the name of an upload';
    const remedy = 'delete that asset from the release';
    return new failure_0/* Failure */.HR({ code: 'unreadable', cause, detail: `"${name}"`, remedy });
}


/***/ }),

/***/ 1109:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Dc: () => (/* binding */ reportStop),
/* harmony export */   SJ: () => (/* binding */ writeChecksumsFile),
/* harmony export */   bW: () => (/* binding */ writeTemporary),
/* harmony export */   e: () => (/* binding */ deliverOutputs),
/* harmony export */   ep: () => (/* binding */ deliverSummary)
/* harmony export */ });
/* harmony import */ var node_fs_promises__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1455);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6760);
/* harmony import */ var _failure_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(7579);
/* harmony import */ var _text_format_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(1622);
/* harmony import */ var _text_system_error_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(8343);
/* harmony import */ var _faults_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(4167);
/* harmony import */ var _page_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(4973);







function deliverOutputs(outputs, runner, cost) {
    try {
        for (const [name, value] of Object.entries(outputs))
            runner.setOutput(name, value);
        return [];
    }
    catch (error) {
        const explanation = {
            cause: 'the outputs could not be written',
            detail: (0,_text_system_error_js__WEBPACK_IMPORTED_MODULE_3__/* .describeError */ .U)(error),
            remedy: 'on a self-hosted runner, free disk space',
            rerun: 'failed-jobs',
        };
        return [(0,_faults_js__WEBPACK_IMPORTED_MODULE_4__/* .explainRun */ .Df)(explanation, cost, 'failures.md#registered-but-the-run-is-red')];
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
        const text = checksums.map(_text_format_js__WEBPACK_IMPORTED_MODULE_6__/* .formatChecksum */ .rH).join('');
        return await writeTemporary(tempFolder, 'notarization-checksums.txt', text);
    }
    catch (error) {
        const message = `the checksums file could not be written to RUNNER_TEMP: ${(0,_text_system_error_js__WEBPACK_IMPORTED_MODULE_3__/* .describeError */ .U)(error)}; free disk space or fix the permissions, then re-run the failed jobs`;
        throw new _failure_js__WEBPACK_IMPORTED_MODULE_2__/* .Stop */ .VG({ input: null, message });
    }
}
async function writeTemporary(tempFolder, name, text) {
    const path = (0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.mkdtemp)((0,node_path__WEBPACK_IMPORTED_MODULE_1__.join)(tempFolder, 'notarization-')), name);
    await (0,node_fs_promises__WEBPACK_IMPORTED_MODULE_0__.writeFile)(path, text);
    return path;
}
const maxErrors = 10;
const maxStopMessageLength = 4000;
async function reportStop(problems, host, run) {
    const { verdict, nothing, page, outputs, showSummary } = run;
    const { runner, secrets, halt, environment } = host;
    const clean = (text) => (0,_text_format_js__WEBPACK_IMPORTED_MODULE_6__/* .toSentence */ .Re)(secrets.redactLine(text));
    const ofInputs = [...Map.groupBy(problems, ({ input }) => input)];
    const texts = ofInputs.map(([, group]) => {
        return [clean(group.map(({ message }) => message).join('; '))];
    });
    const faults = [...(0,_faults_js__WEBPACK_IMPORTED_MODULE_4__/* .explainHalt */ .Fn)(halt, nothing), ...deliverOutputs(outputs, runner, nothing)];
    const ofRun = faults.map(({ what, remedy }) => {
        return [clean(what.join(': ')), clean(remedy), (0,_faults_js__WEBPACK_IMPORTED_MODULE_4__/* .tellRerun */ .Ij)(faults)];
    });
    if (showSummary) {
        const items = [...texts, ...ofRun].map(parts => {
            return parts.map(text => (0,_page_js__WEBPACK_IMPORTED_MODULE_5__/* .sentence */ .em)(text, maxStopMessageLength)).join(' ');
        });
        const list = (0,_page_js__WEBPACK_IMPORTED_MODULE_5__/* .formatList */ .ki)(`<b>${(0,_page_js__WEBPACK_IMPORTED_MODULE_5__/* .sentence */ .em)(nothing)}</b>`, items);
        const more = `<p>More: ${(0,_page_js__WEBPACK_IMPORTED_MODULE_5__/* .docsLink */ ._h)(environment.docsUrl, page)}</p>`;
        await deliverSummary((0,_page_js__WEBPACK_IMPORTED_MODULE_5__/* .formatPage */ .Pd)(verdict, [...list, more]), runner);
    }
    const left = ofInputs.slice(maxErrors - ofRun.length - 1).map(([input]) => `"${input}"`);
    if (left.length > 1)
        texts.splice(-left.length, left.length, [`Also wrong: ${left.join(', ')}.`]);
    for (const [what, ...remedy] of [...texts, ...ofRun]) {
        runner.error([what, (0,_text_format_js__WEBPACK_IMPORTED_MODULE_6__/* .toSentence */ .Re)(nothing), ...remedy].join(' '));
    }
    return 1;
}


/***/ }),

/***/ 4167:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   A: () => (/* binding */ formatFault),
/* harmony export */   Df: () => (/* binding */ explainRun),
/* harmony export */   Fn: () => (/* binding */ explainHalt),
/* harmony export */   Ij: () => (/* binding */ tellRerun),
/* harmony export */   Ng: () => (/* binding */ explainAttachment),
/* harmony export */   Qs: () => (/* binding */ orderSteps),
/* harmony export */   WE: () => (/* binding */ explain),
/* harmony export */   vS: () => (/* binding */ explainFailures)
/* harmony export */ });
/* harmony import */ var node_assert__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4589);
/* harmony import */ var _outcome_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1949);
/* harmony import */ var _runtime_halt_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(991);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(8146);
/* harmony import */ var _text_format_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(1622);
/* harmony import */ var _states_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(9208);






const maxDetails = 3;
function explain(failure, hasRelease, artifacts = []) {
    const { code, status, rerun } = failure;
    const state = (0,_states_js__WEBPACK_IMPORTED_MODULE_4__/* .stateOfFailure */ .XY)(failure);
    const isUrgent = state === _states_js__WEBPACK_IMPORTED_MODULE_4__/* .states */ .xP.unsure;
    let { cause, remedy } = failure;
    if (code === 'internal-error')
        cause = `${cause} (${code})`;
    const ifFound = hasRelease ? 'upload its record to the release' : 'that is the proof';
    if (isUrgent)
        remedy = `look up the hash: if found, ${ifFound}; if not, ${remedy}`;
    const seen = artifacts.map(({ outcome }) => outcome.failure.detail);
    const details = [...new Set([failure.detail, ...seen])].slice(0, maxDetails);
    let page = 'records.md#settle-an-open-hash';
    if (state === _states_js__WEBPACK_IMPORTED_MODULE_4__/* .states */ .xP.failed)
        page = `failures.md#${code}`;
    if (state === _states_js__WEBPACK_IMPORTED_MODULE_4__/* .states */ .xP.known)
        page = 'failures.md#refused';
    return {
        code,
        short: status === null ? cause : `${cause} (HTTP ${status})`,
        what: [cause, ...details].filter(text => text !== ''),
        cost: state.cost,
        remedy,
        rerun,
        page,
        isUrgent,
        artifacts: new Set(artifacts),
    };
}
function formatFault({ what, cost, remedy }) {
    const parts = [...what, cost, remedy];
    return parts.map(text => (0,_text_format_js__WEBPACK_IMPORTED_MODULE_5__/* .toSentence */ .Re)((0,_text_escape_js__WEBPACK_IMPORTED_MODULE_3__/* .quote */ .hD)(text, _text_escape_js__WEBPACK_IMPORTED_MODULE_3__/* .maxMessageLength */ .sZ))).join(' ');
}
function tellRerun(faults, { hasRelease = false, foundBy = 'all' } = {}) {
    const reruns = new Set(faults.map(({ rerun }) => rerun));
    const isNew = reruns.has('new-run');
    if (!isNew && !reruns.has('failed-jobs'))
        return '';
    let text = 'Then re-run the failed jobs';
    if (isNew)
        text = 'Then start a new run (a re-run uses the old workflow)';
    const paysAgain = foundBy === 'none' || (isNew && foundBy === 'reruns');
    if (paysAgain)
        text += " with this run's records file, or you pay again";
    if (!hasRelease && faults.some(({ isUrgent }) => isUrgent)) {
        text += ', but only if something is left to register';
    }
    return `${text}.`;
}
const maxFaults = 20;
function explainFailures(ranked, hasRelease) {
    const groups = Map.groupBy(ranked.filter(_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .isFailed */ .Ix), ({ outcome }) => {
        const { cause, remedy } = outcome.failure;
        return JSON.stringify([cause, remedy, (0,_states_js__WEBPACK_IMPORTED_MODULE_4__/* .stateOf */ .L4)(outcome).words]);
    });
    return Array.from(groups.values().take(maxFaults), artifacts => {
        const [first] = artifacts;
        node_assert__WEBPACK_IMPORTED_MODULE_0__(first !== undefined, 'a group has an artifact');
        return explain(first.outcome.failure, hasRelease, artifacts);
    });
}
function explainHalt({ bug, isCancelled, unsaved, reason }, cost, hasRelease = false) {
    const failures = [];
    if (bug !== null)
        failures.push(bug);
    if (isCancelled)
        failures.push(_runtime_halt_js__WEBPACK_IMPORTED_MODULE_2__/* .cancelledFailure */ .Yq);
    if (unsaved.length === 0 && reason?.code === 'not-saved')
        failures.push(reason);
    const faults = failures.map((failure) => {
        return { ...explain(failure.with({ registered: 'no' }), hasRelease), cost };
    });
    if (unsaved.length === 0)
        return faults;
    const quoted = unsaved.map(name => `"${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_3__/* .quote */ .hD)(name)}"`);
    const names = (0,_text_format_js__WEBPACK_IMPORTED_MODULE_5__/* .joinFirst */ .FS)(quoted, 3, { separator: ', ' });
    const explanation = {
        cause: 'a record is only in the log',
        detail: `the answer of the service about ${names} could not be saved`,
        remedy: hasRelease
            ? 'upload its line from the log to the release'
            : 'keep its line from the log, which is the proof; no re-run can read it',
        rerun: hasRelease ? 'failed-jobs' : null,
    };
    const charged = 'it was charged, and a re-run may pay again unless it finds that record';
    const fault = explainRun(explanation, charged, 'records.md#add-lines');
    return [...faults, { ...fault, isUrgent: true }];
}
function explainRun(explanation, cost, page) {
    const { cause, detail, remedy, rerun } = explanation;
    const what = [cause, detail].filter(text => text !== '');
    const [code, isUrgent, artifacts] = [null, false, new Set()];
    return { code, short: cause, what, cost, remedy, rerun, page, isUrgent, artifacts };
}
function explainAttachment(attachment, run) {
    if (attachment?.failure == null)
        return [];
    const { attachToRelease, keepRecords, isKept, cost } = run;
    const { tag, failure } = attachment;
    if (attachment.hasAllLines || !attachToRelease) {
        return [explainRun(failure, cost, 'failures.md#registered-but-the-run-is-red')];
    }
    const { cause, detail, rerun } = failure;
    const canAttach = isKept && rerun !== null;
    let { remedy } = failure;
    if (!isKept) {
        const records = keepRecords ? 'the lines that the post step prints' : 'the records file';
        remedy = rerun === null ? `save ${records}` : `${remedy}, and upload ${records} to the release`;
    }
    const fault = explainRun({ cause, detail, remedy, rerun }, canAttach ? 're-running the failed jobs attaches the records without paying again' : cost, 'releases.md#if-attaching-fails');
    const short = `the records are not attached to ${tag}`;
    return [{ ...fault, short, what: [short, ...fault.what] }];
}
function orderSteps(ofArtifacts, ofRun) {
    const steps = [...ofArtifacts];
    for (const fault of ofRun) {
        const isTold = fault.code !== null && steps.some(({ code }) => code === fault.code);
        if (!isTold)
            steps.push(fault);
    }
    return steps.sort((a, b) => Number(b.isUrgent) - Number(a.isUrgent));
}


/***/ }),

/***/ 214:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Pu: () => (/* binding */ formatVerdict),
/* harmony export */   S0: () => (/* binding */ lookUpUrl),
/* harmony export */   Wk: () => (/* binding */ formatError),
/* harmony export */   cp: () => (/* binding */ referTo),
/* harmony export */   eE: () => (/* binding */ formatLog),
/* harmony export */   oN: () => (/* binding */ formatArtifact),
/* harmony export */   vy: () => (/* binding */ countArtifacts)
/* harmony export */ });
/* harmony import */ var node_assert__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4589);
/* harmony import */ var _outcome_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1949);
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8146);
/* harmony import */ var _text_format_js__WEBPACK_IMPORTED_MODULE_5__ = __webpack_require__(1622);
/* harmony import */ var _text_verification_url_js__WEBPACK_IMPORTED_MODULE_6__ = __webpack_require__(6318);
/* harmony import */ var _faults_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(4167);
/* harmony import */ var _states_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(9208);







function countArtifacts(artifacts) {
    const registered = artifacts.filter(_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .isRegistered */ .zN);
    return {
        total: artifacts.length,
        registered: registered.length,
        newlyRegistered: registered.filter(({ outcome }) => outcome.from === 'this-run').length,
        failed: artifacts.filter(_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .isFailed */ .Ix).length,
    };
}
function* formatLog(judgement) {
    const { ranked, steps, rerun, template, docsUrl } = judgement;
    for (const [index, step] of steps.entries()) {
        yield `${index + 1}. ${(0,_faults_js__WEBPACK_IMPORTED_MODULE_3__/* .formatFault */ .A)(step)} See ${docsUrl}/${step.page}`;
    }
    if (rerun !== '')
        yield rerun;
    for (const artifact of ranked) {
        const { sign, words } = (0,_states_js__WEBPACK_IMPORTED_MODULE_4__/* .stateOf */ .L4)(artifact.outcome);
        const parts = [formatArtifact(`${sign} ${words}`, artifact)];
        if ((0,_outcome_js__WEBPACK_IMPORTED_MODULE_1__/* .isFailed */ .Ix)(artifact)) {
            const { code, detail } = artifact.outcome.failure;
            const url = lookUpUrl(artifact, template);
            if (url !== undefined)
                parts.push(`look-up: ${url}`);
            parts.push(code, (0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .quote */ .hD)(detail, _text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .maxMessageLength */ .sZ), referTo(artifact, steps));
        }
        yield parts.filter(part => part !== '').join('; ');
    }
    yield formatVerdict(judgement);
}
function formatArtifact(state, { name, size, hash }) {
    return `${state}: "${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .quote */ .hD)(name)}" (${(0,_text_format_js__WEBPACK_IMPORTED_MODULE_5__/* .formatSize */ .Xq)(size)}, ${hash ?? 'not hashed'})`;
}
function lookUpUrl({ hash, outcome }, template) {
    if ((0,_states_js__WEBPACK_IMPORTED_MODULE_4__/* .stateOf */ .L4)(outcome) === _states_js__WEBPACK_IMPORTED_MODULE_4__/* .states */ .xP.failed)
        return undefined;
    return (0,_text_verification_url_js__WEBPACK_IMPORTED_MODULE_6__/* .fillVerificationUrl */ .B)(template, { hash, record: {} });
}
function referTo(artifact, steps) {
    const index = steps.findIndex(({ artifacts }) => artifacts.has(artifact));
    return index === -1 ? 'see the output "failures"' : `see ${index + 1} above`;
}
const titles = {
    registered: ['✅', 'NOTARIZED'],
    partial: ['❌', 'PARTLY NOTARIZED'],
    failed: ['❌', 'NOT NOTARIZED'],
    'nothing-found': ['⚠️', 'NOTHING NOTARIZED'],
    'dry-run': ['🔎', 'DRY RUN, nothing was sent'],
};
function formatVerdict({ ranked, verdict, runFaults, steps }) {
    const { total, registered, newlyRegistered, failed } = countArtifacts(ranked);
    const isDryRun = verdict === 'dry-run';
    const all = (0,_text_format_js__WEBPACK_IMPORTED_MODULE_5__/* .pluralize */ .td)(total, 'artifact');
    const before = registered - newlyRegistered;
    const apart = registered === 0 ? '' : ` (${newlyRegistered} new, ${before} registered before)`;
    const isCounted = !isDryRun && total > 0;
    const facts = [isCounted ? `${registered} of ${all} registered${apart}` : `${all} found`];
    const found = ranked.map(({ outcome }) => (0,_states_js__WEBPACK_IMPORTED_MODULE_4__/* .stateOf */ .L4)(outcome));
    const shown = isDryRun ? found : found.filter(({ cost }) => cost !== null);
    const groups = Map.groupBy(shown, ({ words }) => words);
    for (const [words, { length }] of groups)
        facts.push(`${length} ${words}`);
    const knownCount = (0,_states_js__WEBPACK_IMPORTED_MODULE_4__/* .countState */ .xM)(ranked, _states_js__WEBPACK_IMPORTED_MODULE_4__/* .states */ .xP.known);
    if (knownCount > 0)
        facts.push(`the service already has ${knownCount}`);
    const shorts = runFaults.map(({ short }) => short);
    let [sign, title] = titles[verdict];
    if (found.includes(_states_js__WEBPACK_IMPORTED_MODULE_4__/* .states */ .xP.chargedAgain))
        sign = '⚠️';
    if (steps.length > 0)
        sign = '❌';
    if (verdict === 'failed' && (0,_states_js__WEBPACK_IMPORTED_MODULE_4__/* .countState */ .xM)(ranked, _states_js__WEBPACK_IMPORTED_MODULE_4__/* .states */ .xP.failed) < failed)
        title = 'NOT CONFIRMED';
    if (verdict === 'registered' && shorts.length > 0)
        title += `, but ${shorts.join(', and ')}`;
    else
        facts.push(...shorts);
    return `${sign} ${title}: ${facts.join('; ')}`;
}
const maxCauseLength = 120;
function formatError(judgement) {
    const { steps, rerun } = judgement;
    const [next] = steps;
    node_assert__WEBPACK_IMPORTED_MODULE_0__(next !== undefined, 'a run that fails has a step');
    const worst = steps.find(({ artifacts }) => artifacts.size > 0);
    const facts = worst === undefined ? tellFaults(judgement, next) : tellFailures(judgement, worst);
    const number = steps.length === 1 ? '' : `step 1 of ${steps.length}: `;
    const sentences = [...facts, number + next.remedy].map(_text_format_js__WEBPACK_IMPORTED_MODULE_5__/* .toSentence */ .Re);
    if (steps.length === 1 && rerun !== '')
        sentences.push(rerun);
    return sentences.join(' ');
}
function tellFaults({ ranked, runFaults }, next) {
    const { total, registered } = countArtifacts(ranked);
    const [, why] = next.what;
    let what = runFaults.map(({ short }) => short).join(', and ');
    if (runFaults.length === 1 && why !== undefined)
        what += `: ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .cut */ .Jj)(why, maxCauseLength)}`;
    if (registered > 0) {
        const all = (0,_text_format_js__WEBPACK_IMPORTED_MODULE_5__/* .pluralize */ .td)(total, 'artifact is', 'artifacts are');
        what = `${registered} of ${all} registered, but ${what}`;
    }
    return [what, next.cost];
}
function tellFailures({ ranked, runFaults }, worst) {
    const { total, registered, failed } = countArtifacts(ranked);
    const unknown = failed - (0,_states_js__WEBPACK_IMPORTED_MODULE_4__/* .countState */ .xM)(ranked, _states_js__WEBPACK_IMPORTED_MODULE_4__/* .states */ .xP.failed) - (0,_states_js__WEBPACK_IMPORTED_MODULE_4__/* .countState */ .xM)(ranked, _states_js__WEBPACK_IMPORTED_MODULE_4__/* .states */ .xP.known);
    let cost = 'nothing was registered or charged in this run';
    if (registered > 0)
        cost = `${(0,_text_format_js__WEBPACK_IMPORTED_MODULE_5__/* .pluralize */ .td)(registered, 'artifact is', 'artifacts are')} registered`;
    if (unknown > 0)
        cost = `${unknown} may be registered and charged`;
    const shorts = runFaults.map(({ short }) => short).filter(short => short !== worst.short);
    const all = (0,_text_format_js__WEBPACK_IMPORTED_MODULE_5__/* .pluralize */ .td)(total, 'artifact');
    return [
        `${failed} of ${all} failed: ${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_2__/* .cut */ .Jj)(worst.short, maxCauseLength)}`,
        [...shorts, cost].join('; '),
    ];
}


/***/ }),

/***/ 7954:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   $X: () => (/* binding */ formatWhole),
/* harmony export */   dj: () => (/* binding */ makeOutputs)
/* harmony export */ });
/* unused harmony export maxRecordsBytes */
/* harmony import */ var _outcome_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1949);
/* harmony import */ var _text_verification_url_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(6318);
/* harmony import */ var _faults_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(4167);
/* harmony import */ var _log_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(214);




const maxRecordsBytes = 120_000;
const maxFailuresLength = 50_000;
const minEntryBytes = 64;
function formatWhole(items, toEntry) {
    if (items.length > maxRecordsBytes / minEntryBytes)
        return '';
    const text = JSON.stringify(items.map(toEntry));
    return Buffer.byteLength(text) > maxRecordsBytes ? '' : text;
}
function formatFitting(items) {
    const texts = [];
    let length = 1;
    for (const item of items) {
        const text = JSON.stringify(item);
        length += text.length + 1;
        if (length > maxFailuresLength)
            break;
        texts.push(text);
    }
    return `[${texts.join(',')}]`;
}
function makeOutputs(artifacts, verdict, run) {
    const { paths, template, hasRelease, rerun } = run;
    const isDryRun = verdict === 'dry-run';
    const counts = (0,_log_js__WEBPACK_IMPORTED_MODULE_2__/* .countArtifacts */ .vy)(artifacts);
    const registered = isDryRun ? [] : artifacts.filter(_outcome_js__WEBPACK_IMPORTED_MODULE_0__/* .isRegistered */ .zN);
    const records = formatWhole(registered, ({ name, size, hash, outcome }) => {
        const { from, record } = outcome;
        const maybeChargedAgain = outcome.maybeChargedAgain || undefined;
        const verificationUrl = (0,_text_verification_url_js__WEBPACK_IMPORTED_MODULE_3__/* .fillVerificationUrl */ .B)(template, { hash, record });
        return { artifact: name, size, hash, from, record, maybeChargedAgain, verificationUrl };
    });
    const failures = artifacts.values().filter(_outcome_js__WEBPACK_IMPORTED_MODULE_0__/* .isFailed */ .Ix);
    const reasons = failures.map(({ name, size, hash, outcome: { failure } }) => {
        const { code, registered: isRegisteredNow } = failure;
        const message = `${(0,_faults_js__WEBPACK_IMPORTED_MODULE_1__/* .formatFault */ .A)((0,_faults_js__WEBPACK_IMPORTED_MODULE_1__/* .explain */ .WE)(failure, hasRelease))} ${rerun}`.trimEnd();
        return { artifact: name, size, hash, code, registered: isRegisteredNow, message };
    });
    return {
        verdict,
        records,
        failures: formatFitting(reasons),
        'records-path': paths.records,
        'checksums-path': paths.checksums,
        'evidence-path': paths.evidence,
        'artifact-count': counts.total,
        'registered-count': registered.length,
        'newly-registered-count': isDryRun ? 0 : counts.newlyRegistered,
        'failed-count': counts.failed,
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
/* harmony export */   iZ: () => (/* binding */ formatRow),
/* harmony export */   jQ: () => (/* binding */ formatNotes),
/* harmony export */   ki: () => (/* binding */ formatList),
/* harmony export */   pj: () => (/* binding */ plain),
/* harmony export */   q: () => (/* binding */ linked)
/* harmony export */ });
/* harmony import */ var _text_escape_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8146);
/* harmony import */ var _text_format_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(1622);


const maxSummaryBytes = 1_000_000;
function formatPage(verdict, head, { table = null, foot = [], } = {}) {
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
        : [`<p>${(0,_text_format_js__WEBPACK_IMPORTED_MODULE_1__/* .joinFirst */ .FS)(notes, maxNotes, { separator: '<br>', rest })}</p>`];
}
function sentence(text, maxLength = _text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .maxMessageLength */ .sZ) {
    return breakable((0,_text_format_js__WEBPACK_IMPORTED_MODULE_1__/* .toSentence */ .Re)(text), maxLength);
}
const maxOpenRows = 50;
const reservedBytes = 3000;
function formatTable(table, maxBytes) {
    const { titles, total, plainCount, elsewhere } = table;
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
    const missing = (0,_text_format_js__WEBPACK_IMPORTED_MODULE_1__/* .pluralize */ .td)(total - rows.length, 'more artifact is', 'more artifacts are');
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
    const cells = [state, code(name), (0,_text_format_js__WEBPACK_IMPORTED_MODULE_1__/* .formatSize */ .Xq)(size).replace(' ', '&nbsp;'), digits];
    const html = cells.map(cell => `<td>${cell}</td>`);
    if (typeof details === 'string')
        html.push(`<td colspan="${columns}">${details}</td>`);
    else
        html.push(...details.map(cell => `<td nowrap>${cell}</td>`));
    return `<tr>${html.join('')}</tr>`;
}
function code(text) {
    return `<code>${breakable(text)}</code>`;
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
    if (url === undefined || !/^https?:\/\//i.test(url))
        return html;
    return `<a href="${(0,_text_escape_js__WEBPACK_IMPORTED_MODULE_0__/* .toAttribute */ .G6)(url, url.length)}">${html}</a>`;
}
function docsLink(docsUrl, page) {
    return linked(`docs/${page.replace(/#.*/, '')}`, `${docsUrl}/${page}`);
}


/***/ }),

/***/ 9208:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   L4: () => (/* binding */ stateOf),
/* harmony export */   XY: () => (/* binding */ stateOfFailure),
/* harmony export */   iR: () => (/* binding */ rankArtifacts),
/* harmony export */   xM: () => (/* binding */ countState),
/* harmony export */   xP: () => (/* binding */ states)
/* harmony export */ });
const states = {
    unsure: {
        sign: '❓',
        words: 'may be registered',
        cost: 'it may be registered and charged, and a re-run sends it again and may pay again',
    },
    contradicted: {
        sign: '❓',
        words: 'record in doubt',
        cost: 'it may be registered and charged, but it is not sent again until it is settled',
    },
    failed: {
        sign: '❌',
        words: 'not registered',
        cost: 'nothing was registered or charged for it in this run',
    },
    known: {
        sign: '❌',
        words: 'not registered',
        cost: 'the service has it already, and nothing was charged for it in this run',
    },
    open: {
        sign: '⚠️',
        words: 'would be sent again',
        cost: 'an earlier run sent it and saved no answer, so it may be charged again',
    },
    chargedAgain: {
        sign: '⚠️',
        words: 'registered, maybe charged more than once',
        cost: 'it may have been charged more than once',
    },
    planned: { sign: '🔎', words: 'would be registered', cost: null },
    registered: { sign: '✅', words: 'registered', cost: null },
    registeredBefore: { sign: '✅', words: 'registered before', cost: null },
};
function stateOf(outcome) {
    switch (outcome.state) {
        case 'planned':
            return outcome.openSince === null ? states.planned : states.open;
        case 'contradicted':
            return states.contradicted;
        case 'registered':
            if (outcome.maybeChargedAgain)
                return states.chargedAgain;
            return outcome.from === 'this-run' ? states.registered : states.registeredBefore;
        case 'failed':
            return stateOfFailure(outcome.failure);
    }
}
function stateOfFailure({ code, registered, isKnown }) {
    if (registered === 'no')
        return isKnown ? states.known : states.failed;
    return code === 'record-mismatch' ? states.contradicted : states.unsure;
}
function countState(artifacts, state) {
    return artifacts.filter(({ outcome }) => stateOf(outcome) === state).length;
}
function rankArtifacts(artifacts) {
    const order = Object.values(states);
    const rankOf = ({ outcome }) => order.indexOf(stateOf(outcome));
    return artifacts.toSorted((a, b) => rankOf(a) - rankOf(b));
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
const cancelledFailure = new _failure_js__WEBPACK_IMPORTED_MODULE_1__/* .Failure */ .HR({
    code: 'cancelled',
    cause: 'the run was canceled',
    remedy: 'find out what canceled the run, for example a timeout or a newer run',
    endsRun: true,
});
const notSavedFailure = new _failure_js__WEBPACK_IMPORTED_MODULE_1__/* .Failure */ .HR({
    code: 'not-saved',
    cause: 'the records file could not be written',
    remedy: 'on a self-hosted runner, free disk space or fix the permissions of the file',
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
/* harmony import */ var _text_format_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(1622);

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
        const left = rate > 0 ? `, about ${(0,_text_format_js__WEBPACK_IMPORTED_MODULE_0__/* .formatDuration */ .a3)((total - done) / rate)} left` : '';
        const more = detail === '' ? '' : `, ${detail}`;
        log(`${what}: ${done} of ${total}${more}, ${rate.toFixed(1)} per second${left}`);
    };
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
function isRetryableStatus(status) {
    return [408, 425, 429, 500, 502, 503, 504].includes(status);
}
function backoffMs(attempts, random) {
    return random * Math.min(30_000, 500 * 2 ** (attempts - 1));
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
/* harmony export */   w: () => (/* binding */ proxyProblem)
/* harmony export */ });
/* harmony import */ var _actions_http_client__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5889);
/* harmony import */ var _actions_http_client_lib_proxy__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(3689);
/* harmony import */ var node_timers_promises__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(8500);
/* harmony import */ var _text_system_error_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(8343);
/* harmony import */ var _retry_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(43);





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
        const handler = {
            prepareRequest: (options) => {
                options.signal = this.#abort.signal;
                options.host = options.host?.replace(/^\[|\]$/g, '');
            },
            canHandleAuthentication: () => false,
            handleAuthentication: () => Promise.reject(new Error('authentication is not supported')),
        };
        const socketTimeout = timeoutMs + 60_000;
        const options = { allowRedirects: false, keepAlive: true, maxSockets: 1, socketTimeout };
        this.#client = new _actions_http_client__WEBPACK_IMPORTED_MODULE_0__/* .HttpClient */ .Qq('notarize-release', [handler], options);
    }
    async send(request, signal) {
        const { promise: ended, resolve: end } = Promise.withResolvers();
        const onAbort = () => {
            end({ kind: 'ended', reason: 'the run ended the request' });
        };
        const onDeadline = async () => {
            for (let turn = 0; turn < turnsAfterDeadline; turn++)
                await (0,node_timers_promises__WEBPACK_IMPORTED_MODULE_2__.setImmediate)();
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
        const retryAfterMs = (0,_retry_js__WEBPACK_IMPORTED_MODULE_4__/* .parseRetryAfter */ .mu)(retryAfter, (0,_retry_js__WEBPACK_IMPORTED_MODULE_4__/* .parseHttpDate */ .m6)(date) ?? Date.now());
        const bytes = await readBody(message);
        const text = bytes === null ? null : new TextDecoder().decode(bytes);
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
function classify(error) {
    const code = (0,_text_system_error_js__WEBPACK_IMPORTED_MODULE_3__/* .errorCode */ .C)(error) ?? '';
    if (code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE') {
        return { kind: 'answer', status: 0, retryAfterMs: null, body: '' };
    }
    const reason = (0,_text_system_error_js__WEBPACK_IMPORTED_MODULE_3__/* .describeError */ .U)(error);
    if (certificateErrors.has(code))
        return { kind: 'untrusted', reason };
    const isTunnel = error instanceof Error && error.message.startsWith('tunneling socket');
    if (isTunnel)
        return { kind: 'no-tunnel', reason };
    return { kind: isUnconnected(error) ? 'not-sent' : 'lost', reason };
}
function isUnconnected(error) {
    if (!(error instanceof Error))
        return false;
    if (error instanceof AggregateError && error.errors.length > 0) {
        return error.errors.every(isUnconnected);
    }
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
function proxyProblem(url, env) {
    const target = new URL(url);
    const variable = `${target.protocol.slice(0, -1)}_proxy`;
    const name = [variable, variable.toUpperCase()].find(key => (env[key] ?? '') !== '');
    if (name === undefined || (0,_actions_http_client_lib_proxy__WEBPACK_IMPORTED_MODULE_1__/* .checkBypass */ .H)(target) || isUsable(env[name] ?? ''))
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

/***/ 1622:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   FS: () => (/* binding */ joinFirst),
/* harmony export */   Fl: () => (/* binding */ baseName),
/* harmony export */   Re: () => (/* binding */ toSentence),
/* harmony export */   UF: () => (/* binding */ compareCodeUnits),
/* harmony export */   Xq: () => (/* binding */ formatSize),
/* harmony export */   a3: () => (/* binding */ formatDuration),
/* harmony export */   b6: () => (/* binding */ textOf),
/* harmony export */   fU: () => (/* binding */ formatTime),
/* harmony export */   gF: () => (/* binding */ fieldText),
/* harmony export */   rH: () => (/* binding */ formatChecksum),
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
function toSentence(clause) {
    const isWord = /^[a-z]+(?:-[a-z]+)*[ :,;]/.test(clause);
    const start = isWord ? `${clause.slice(0, 1).toUpperCase()}${clause.slice(1)}` : clause;
    return /[.!?…\]]$/.test(clause) ? start : `${start}.`;
}
function compareCodeUnits(a, b) {
    return a < b ? -1 : a > b ? 1 : 0;
}
function baseName(name) {
    return name.slice(name.lastIndexOf('/') + 1);
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
    return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
function formatTime(value) {
    const date = new Date(typeof value === 'number' ? value : NaN);
    if (Number.isNaN(date.getTime()))
        return fieldText(value);
    return date.toISOString().slice(0, 19).replace('T', ' ');
}
function textOf(value) {
    if (typeof value === 'string')
        return value;
    const isScalar = typeof value === 'number' || typeof value === 'boolean' || JSON.isRawJSON(value);
    return isScalar ? JSON.stringify(value) : null;
}
function fieldText(value) {
    return textOf(value) ?? '';
}
function formatChecksum({ name, hash }) {
    if (name === '-')
        return `${hash}  ./-\n`;
    const escaped = name.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
    return `${escaped === name ? '' : '\\'}${hash}  ${escaped}\n`;
}


/***/ }),

/***/ 7727:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   AO: () => (/* binding */ rejectedFields),
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
function rejectedFields(error) {
    return [...new Set(error?.issues.map(({ path }) => path.join('.')))];
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
    if (/^https:\/{2,}[^/?#]*\{/i.test(template))
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


/***/ })

};
