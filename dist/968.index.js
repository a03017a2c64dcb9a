export const id = 968;
export const ids = [968];
export const modules = {

/***/ 9968:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  verifyAction: () => (/* binding */ verifyAction)
});

// EXTERNAL MODULE: external "node:timers/promises"
var promises_ = __webpack_require__(8500);
// EXTERNAL MODULE: ./artifacts/collect.js + 1 modules
var collect = __webpack_require__(6159);
// EXTERNAL MODULE: ./artifacts/combine.js
var combine = __webpack_require__(5816);
// EXTERNAL MODULE: ./artifacts/files.js + 1 modules
var files = __webpack_require__(9583);
// EXTERNAL MODULE: ./artifacts/hash.js + 1 modules
var hash = __webpack_require__(9934);
// EXTERNAL MODULE: ./failure.js
var failure = __webpack_require__(7579);
// EXTERNAL MODULE: ../node_modules/zod/v4/mini/schemas.js + 2 modules
var schemas = __webpack_require__(2417);
// EXTERNAL MODULE: ./inputs/input-values.js
var input_values = __webpack_require__(6);
// EXTERNAL MODULE: ./inputs/parse-inputs.js
var parse_inputs = __webpack_require__(2668);
;// CONCATENATED MODULE: ./inputs/verify-inputs.js



const defaultRecords = 'notarization-records*.jsonl';
const schema = schemas/* object */.Ikc({
    path: schemas/* prefault */.SdS(schemas/* string */.YjP(), ''),
    checksums: schemas/* prefault */.SdS(schemas/* string */.YjP(), ''),
    releaseTag: (0,input_values/* optional */.lq)(input_values/* releaseTag */.aF),
    records: schemas/* prefault */.SdS(schemas/* string */.YjP(), defaultRecords),
    baseUrl: (0,input_values/* optional */.lq)(input_values/* baseUrl */.pc),
    sha: (0,input_values/* optional */.lq)(input_values/* commitId */.xk),
    requireAll: schemas/* prefault */.SdS(input_values/* boolean */.zM, 'false'),
    showSummary: schemas/* prefault */.SdS(input_values/* boolean */.zM, 'true'),
    githubToken: schemas/* prefault */.SdS(input_values/* githubToken */.bU, ''),
});
const verifyInputNames = (0,parse_inputs/* inputNames */.vj)(schema);
function readVerifyInputs(rawInputs) {
    const { inputs, problems } = (0,parse_inputs/* parseInputs */.TL)(schema, rawInputs);
    const secrets = [rawInputs['github-token'] ?? ''];
    return { inputs, problems: [...(0,parse_inputs/* checkShared */.sm)(rawInputs), ...problems], secrets };
}

// EXTERNAL MODULE: ./release/open.js + 7 modules
var release_open = __webpack_require__(3133);
// EXTERNAL MODULE: ./artifacts/artifact.js
var artifacts_artifact = __webpack_require__(7163);
// EXTERNAL MODULE: ./text/field.js
var field = __webpack_require__(1821);
// EXTERNAL MODULE: ./text/words.js
var words = __webpack_require__(4904);
;// CONCATENATED MODULE: ./verify/compare.js




function compareWithRecords(comparison) {
    const { artifacts, records, sha, requireAll } = comparison;
    const ofCommit = records.good.filter(record => isOfCommit(record, sha));
    const byBaseName = Map.groupBy(ofCommit, record => (0,words/* baseName */.Fl)(record.artifact));
    const verified = artifacts.map((artifact) => {
        const { name } = artifact;
        if (!(0,artifacts_artifact/* isHashed */.S)(artifact)) {
            const { what, remedy } = artifact.failure;
            return { name, size: null, hash: null, ...unknown(`${what}; ${remedy}`) };
        }
        const { size, hash } = artifact;
        const namesakes = byBaseName.get((0,words/* baseName */.Fl)(name)) ?? [];
        const finding = findMatch(artifact, comparison) ??
            findAltered(name, namesakes) ??
            explainUnknown(hash, comparison);
        return { name, size, hash, ...finding };
    });
    verified.sort(byName);
    return requireAll ? [...verified, ...findMissing(ofCommit, comparison)] : verified;
}
function findMatch({ name, hash }, { records, sha }) {
    const isNamed = (record) => (0,words/* baseName */.Fl)(record.artifact) === (0,words/* baseName */.Fl)(name);
    const all = records.known.goodRecords(hash);
    const ofCommit = all.filter(record => isOfCommit(record, sha));
    const candidates = ofCommit.length > 0 ? ofCommit : all;
    const recorded = candidates.find(isNamed) ?? candidates[0];
    if (recorded === undefined)
        return undefined;
    const notes = [];
    if (!isNamed(recorded))
        notes.push(`recorded under another name, "${recorded.artifact}"`);
    if (ofCommit.length === 0)
        notes.push(`recorded for another commit, ${recorded.source.sha ?? 'none'}`);
    return { state: 'matched', recorded, message: notes.join('; ') };
}
function isOfCommit({ source }, sha) {
    return sha === null || source.sha?.toLowerCase() === sha;
}
function findAltered(name, namesakes) {
    const recorded = namesakes.findLast(record => record.artifact === name) ?? namesakes.at(-1);
    if (recorded === undefined)
        return undefined;
    const message = `its name has a record with another hash, ${recorded.hash}, ${describeTime(recorded)}`;
    return { state: 'altered', recorded, message };
}
function explainUnknown(hash, { records, sha }) {
    const entry = records.known.find(hash);
    if (entry?.state === 'contradicted') {
        const problems = entry.entry.problems.join('; ');
        return unknown(`its record has problems: ${problems}; ask the service about the hash`);
    }
    if (entry?.state === 'open') {
        const why = `sent at ${entry.sent.at} without a saved answer, so it may be registered`;
        return unknown(`${why}; run the job that notarizes again, then verify with its records`);
    }
    if (sha === null)
        return unknown('no record has its hash or name');
    return unknown('no record has its hash, and no record of this commit has its name');
}
function unknown(message) {
    return { state: 'unknown', recorded: null, message };
}
function findMissing(ofCommit, { artifacts, records }) {
    const hashes = new Set(artifacts.map(artifact => ((0,artifacts_artifact/* isHashed */.S)(artifact) ? artifact.hash : '')));
    const newest = new Map(records.good.map(record => [record.artifact, record.at]));
    const isReplaced = ({ artifact, at }) => at !== null && at < (newest.get(artifact) ?? '');
    const required = ofCommit.filter(record => hashes.has(record.hash) || !isReplaced(record));
    if (required.length === 0) {
        const why = 'there is no record to require; check the records and "sha"';
        throw new failure/* Stop */.VG((0,failure/* problemWith */.CO)('require-all', `is true, but ${why}`));
    }
    const absent = required.filter(({ hash }) => !hashes.has(hash));
    const onePerHash = new Map(absent.map(record => [record.hash, record]));
    return Array.from(onePerHash.values(), (recorded) => {
        const { artifact: name, size, hash } = recorded;
        const message = `${describeTime(recorded)}, but no artifact has this hash`;
        return { name, size, hash, state: 'missing', recorded, message };
    }).sort(byName);
}
function describeTime({ record }) {
    const time = (0,field/* timeText */.Tc)(record['creationDate']);
    return time === '' ? 'registered' : `registered at ${time} UTC`;
}
function byName(a, b) {
    return (0,words/* compareCodeUnits */.UF)(a.name, b.name);
}

// EXTERNAL MODULE: ./records/disk.js
var disk = __webpack_require__(9435);
// EXTERNAL MODULE: ./records/known-records.js
var known_records = __webpack_require__(3032);
// EXTERNAL MODULE: ./records/line.js
var line = __webpack_require__(5924);
// EXTERNAL MODULE: ./records/parse-records.js
var parse_records = __webpack_require__(6672);
// EXTERNAL MODULE: ./text/escape.js
var text_escape = __webpack_require__(8146);
// EXTERNAL MODULE: ./text/system-error.js
var system_error = __webpack_require__(8343);
;// CONCATENATED MODULE: ./verify/verify-records.js









const maxShown = 3;
function patternProblems({ errors, patterns }, mayBeEmpty) {
    const wrong = [...errors];
    for (const { text, files } of patterns) {
        if (files.length > 0 || mayBeEmpty)
            continue;
        wrong.push(`"${(0,text_escape/* quote */.hD)(text)}" matches no file; download the records files first`);
    }
    if (patterns.length + errors.length === 0)
        wrong.push('it has no pattern; add one');
    return wrong.length === 0 ? [] : [(0,failure/* problemAt */.l4)('records', (0,words/* joinFirst */.FS)(wrong, maxShown))];
}
function readRecordsFiles({ files }) {
    return files.map(({ name, absolutePath }) => {
        try {
            return { name, bytes: (0,disk/* readRegularFile */.XF)(absolutePath) };
        }
        catch (error) {
            const why = `"${(0,text_escape/* quote */.hD)(name)}" cannot be read: ${(0,system_error/* describeError */.U)(error)}`;
            throw new failure/* Stop */.VG((0,failure/* problemAt */.l4)('records', why));
        }
    });
}
function selectRecords(sources, baseUrl) {
    const readings = sources.map(({ bytes, name }) => (0,parse_records/* parseRecords */.Q4)(bytes, name));
    const damage = readings.flatMap(reading => reading.damage);
    if (damage.length > 0) {
        const remedy = 'fetch an intact copy from the release, the workflow artifact, or the cache';
        throw new failure/* Stop */.VG((0,failure/* problemAt */.l4)('records', `${(0,words/* joinFirst */.FS)(damage, maxShown)}; ${remedy}`));
    }
    const entries = readings.flatMap(reading => reading.entries);
    const records = entries.filter(line/* isRecord */.u4);
    const service = baseUrl ?? onlyService(records);
    const services = new Set(service === null ? entries.map(entry => entry.service) : [service]);
    const good = records.filter(record => (0,line/* isGoodRecord */.FK)(record) && services.has(record.service));
    good.sort((a, b) => (0,words/* compareCodeUnits */.UF)(a.at ?? '', b.at ?? ''));
    const ignored = records.filter(record => !services.has(record.service)).length;
    const hashes = (0,words/* pluralize */.td)(new Set(good.map(({ hash }) => hash)).size, 'record');
    const count = service === null ? hashes : `${hashes} from "${(0,text_escape/* quote */.hD)(service)}"`;
    return {
        known: new known_records/* KnownRecords */.S(entries, services),
        good,
        count: ignored === 0 ? count : `${count}; ${ignored} from other services ignored`,
        warnings: readings.flatMap(reading => (0,parse_records/* tailWarning */.VG)(reading)),
    };
}
function onlyService(records) {
    const services = [...new Set(records.map(({ service }) => service))];
    const [service = null] = services;
    if (service === null || (services.length === 1 && !(0,input_values/* isLoopback */.U9)(service)))
        return service;
    const quoted = services.map(url => `"${(0,text_escape/* quote */.hD)(url)}"`);
    const names = (0,words/* joinFirst */.FS)(quoted, maxShown);
    const why = `is empty, and the records are from ${names}; set it to the URL of your service`;
    throw new failure/* Stop */.VG((0,failure/* problemWith */.CO)('base-url', why));
}

// EXTERNAL MODULE: ./report/deliver.js
var deliver = __webpack_require__(1109);
// EXTERNAL MODULE: ./report/explain.js
var explain = __webpack_require__(5327);
// EXTERNAL MODULE: ./report/log.js
var log = __webpack_require__(214);
// EXTERNAL MODULE: ./report/outputs.js
var outputs = __webpack_require__(7954);
// EXTERNAL MODULE: ./report/page.js
var page = __webpack_require__(4973);
// EXTERNAL MODULE: ./report/run-failures.js
var run_failures = __webpack_require__(3325);
// EXTERNAL MODULE: ./report/stop.js
var report_stop = __webpack_require__(626);
;// CONCATENATED MODULE: ./verify/verify-report.js










async function reportNotCompared(problems, host, { showSummary }) {
    const stop = {
        problems,
        verdict: '❌ NOT VERIFIED: stopped before anything was compared with the records',
        nothing: 'no artifact was verified, so do not deploy',
        page: 'verify.md#verdicts',
        outputs: makeOutputs('stopped', '[]', []),
        showSummary,
    };
    return (0,report_stop/* reportStop */.D)(stop, host);
}
const maxLines = 100;
const tooLong = 'The output "results" is empty, because it would exceed 120,000 bytes';
async function reportCompared(compared, host, { showSummary }) {
    const { runner, secrets, halt } = host;
    const verified = compared.verified.map(result => {
        const name = secrets.redactText(result.name);
        return { ...result, name, message: secrets.redactText(result.message) };
    });
    const ranked = verified.toSorted((a, b) => rankOf(a) - rankOf(b));
    const [worst] = ranked;
    const state = worst?.state ?? 'unknown';
    const results = (0,outputs/* formatWhole */.$X)(verified.values().map(result => resultEntry(result, secrets)));
    const outputsFailure = (0,deliver/* deliverOutputs */.e)(makeOutputs(state, results, verified), runner);
    const runFailures = (0,run_failures/* findRunFailures */.ae)(halt, outputsFailure, 'all artifacts were compared');
    const verdict = formatVerdict(ranked, runFailures);
    ranked.slice(0, maxLines).map(formatLine).forEach(runner.info);
    const rest = ranked.length - maxLines;
    if (rest > 0)
        runner.info(`and ${rest} more, see the job summary`);
    runner.info(`Compared with ${compared.checkedAgainst}`);
    runner.info(verdict);
    const warnings = compared.warnings.map(text => secrets.redactText(text));
    if (results === '') {
        runner.warning(tooLong);
        warnings.push(tooLong);
    }
    if (showSummary) {
        const head = [`<p>${page/* sentence */.em(`Compared with ${compared.checkedAgainst}`)}</p>`];
        head.push(...adviseOn(ranked), ...page/* formatNotes */.jQ(warnings));
        await (0,deliver/* deliverSummary */.ep)(formatSummary(ranked, { verdict, head, host }), runner);
    }
    if (worst !== undefined && state !== 'matched')
        runner.error(formatError(verdict, worst));
    for (const runFailure of runFailures)
        runner.error((0,explain/* formatExplanation */.vZ)(runFailure));
    return state === 'matched' && runFailures.length === 0 ? 0 : 1;
}
function resultEntry(result, secrets) {
    const { name: artifact, size, hash, state, recorded, message } = result;
    if (recorded === null)
        return { artifact, size, hash, state, recorded, message };
    const { service, source, record } = recorded;
    const entry = { artifact: recorded.artifact, hash: recorded.hash, service, record };
    const { value } = secrets.redactJson({ ...entry, sha: source.sha });
    return { artifact, size, hash, state, recorded: value, message };
}
const states = ['altered', 'unknown', 'missing', 'matched'];
function rankOf(result) {
    return isPlain(result) ? states.length : states.indexOf(result.state);
}
function isPlain({ state, message }) {
    return state === 'matched' && message === '';
}
function countOf(results, state) {
    return results.filter(result => result.state === state).length;
}
function makeOutputs(verdict, results, all) {
    const outputs = { verdict, results };
    for (const state of states)
        outputs[`${state}-count`] = countOf(all, state);
    return outputs;
}
function formatVerdict(results, runFailures) {
    const total = results.length - countOf(results, 'missing');
    const matched = countOf(results, 'matched');
    const match = total === 1 ? 'matches its notarization record' : 'match their notarization records';
    const text = `${matched} of ${(0,words/* pluralize */.td)(total, 'artifact')} ${match}`;
    const wrong = runFailures.map(({ short }) => short);
    for (const state of states) {
        const count = countOf(results, state);
        if (state !== 'matched' && count > 0)
            wrong.push(`${count} ${state}`);
    }
    if (wrong.length === 0)
        return `✅ VERIFIED: ${text}`;
    return `❌ NOT VERIFIED: ${wrong.join(', ')}; ${text}`;
}
function formatLine(result) {
    const line = (0,log/* formatArtifact */.oN)(result.state, result);
    return result.message === '' ? line : `${line}: ${(0,text_escape/* quote */.hD)(result.message, text_escape/* maxMessageLength */.sZ)}`;
}
const maxErrorName = 60;
const maxErrorMessage = 160;
function formatError(verdict, { name, state, message }) {
    const first = `"${(0,text_escape/* quote */.hD)(name, maxErrorName)}" is ${state}: ${(0,text_escape/* quote */.hD)(message, maxErrorMessage)}`;
    return `${verdict.replace('❌ ', '')}. Do not deploy. First: ${first}`;
}
const advice = {
    altered: 'Find out what changed the file after it was notarized. If it was one of your own steps, notarize the final file. If not, treat the file as tampered with.',
    unknown: 'The table says why. If there is no record, check that you have all records files of this release, and that the patterns match only what was notarized.',
    missing: 'Check the job that supplies the files. If the records cover several releases, set the input "sha" to the commit of this release.',
};
function adviseOn(results) {
    const items = [];
    for (const state of ['altered', 'unknown', 'missing']) {
        const count = countOf(results, state);
        if (count > 0)
            items.push(`<b>${(0,words/* pluralize */.td)(count, 'artifact')} ${state}</b><br>${advice[state]}`);
    }
    return page/* formatList */.ki('<b>Do not deploy.</b>', items);
}
function formatSummary(ranked, parts) {
    const { verdict, head, host } = parts;
    const { docsUrl } = host.environment;
    const isMatch = ranked.every(({ state }) => state === 'matched');
    const proof = 'A match proves agreement with the records file, not who wrote that file. ';
    const more = page/* docsLink */._h(docsUrl, `verify.md#${isMatch ? 'what-is-left-to-trust' : 'verdicts'}`);
    const table = {
        titles: ['Registered at (UTC)', 'Blockchain'],
        rows: ranked.values().map(result => formatRow(result, host.secrets)),
        total: ranked.length,
        plainCount: ranked.filter(isPlain).length,
        elsewhere: 'the output <code>results</code> lists all if they fit',
    };
    return page/* formatPage */.Pd({
        verdict,
        head,
        table,
        foot: [`<p>${isMatch ? proof : ''}More: ${more}</p>`],
    });
}
function formatRow(result, secrets) {
    const { state, recorded } = result;
    if (state !== 'matched') {
        const details = page/* sentence */.em(result.message);
        return { state: `❌&nbsp;${state}`, artifact: result, url: null, details };
    }
    const { creationDate, blockchainType } = recorded?.record ?? {};
    const texts = [(0,field/* timeText */.Tc)(creationDate), (0,field/* fieldText */.gF)(blockchainType)];
    const details = texts.map(text => page/* code */.aY(secrets.redactText(text)));
    const note = result.message === '' ? '' : `<br>${page/* sentence */.em(result.message)}`;
    const url = recorded?.verificationUrl;
    return { state: `✅&nbsp;matched${note}`, artifact: result, url, details };
}

;// CONCATENATED MODULE: ./verify/verify.js











const verifyAction = { inputNames: verifyInputNames, run };
async function run(host, rawInputs) {
    const reading = readVerifyInputs(rawInputs);
    const { environment, secrets, halt } = host;
    secrets.add([...reading.secrets, ...environment.secrets]);
    let compared;
    try {
        compared = await compare(host, reading);
    }
    catch (error) {
        const isStop = error instanceof failure/* Stop */.VG;
        if (!isStop && !halt.isCancelled)
            halt.noteBug(error, environment.reportTo);
        const problems = isStop && !halt.isCancelled ? error.problems : [];
        return reportNotCompared(problems, host, reading.inputs);
    }
    return reportCompared(compared, host, reading.inputs);
}
async function compare(host, { inputs, problems }) {
    const { runner, halt } = host;
    const { releaseTag, githubToken, sha, requireAll } = inputs;
    const recordsFiles = await (0,files/* findFiles */.l)(inputs.records, host);
    const skip = recordsFiles.files.map(({ absolutePath }) => absolutePath);
    const found = await (0,collect/* collectArtifacts */.k)({ path: inputs.path, checksums: inputs.checksums, ifNoFilesFound: 'error' }, host, { skip, remedy: 'correct the pattern' });
    const mayBeEmpty = inputs.records === defaultRecords && releaseTag !== null;
    const wrongPatterns = patternProblems(recordsFiles, mayBeEmpty);
    failure/* Stop */.VG.ifAny([...problems, ...found.problems, ...wrongPatterns]);
    const releaseInputs = { releaseTag, githubToken, attachToRelease: false };
    const release = await (0,release_open/* openRelease */.g)(releaseInputs, host);
    const hasFiles = recordsFiles.files.length > 0;
    const sources = hasFiles ? readRecordsFiles(recordsFiles) : release.records;
    if (sources.length === 0)
        throw new failure/* Stop */.VG(noRecords);
    const records = selectRecords(sources, inputs.baseUrl);
    const missed = [...recordsFiles.warnings, ...found.warnings];
    const warnings = [...missed, ...release.warnings, ...records.warnings];
    warnings.forEach(runner.warning);
    const hashed = await (0,hash/* hashFiles */.y)(found.files, host);
    await (0,promises_.setImmediate)();
    await (0,promises_.setImmediate)();
    if (halt.reason !== null)
        throw new failure/* Stop */.VG();
    const { combined: artifacts, problems: conflicts } = (0,combine/* combineArtifacts */.L)([
        ...hashed,
        ...found.listed,
        ...release.artifacts,
    ]);
    failure/* Stop */.VG.ifAny(conflicts);
    if (artifacts.length === 0)
        throw new failure/* Stop */.VG(nothingFound);
    const verified = compareWithRecords({ artifacts, records, sha, requireAll });
    return { verified, checkedAgainst: records.count, warnings };
}
const noRecords = (0,failure/* problemAt */.l4)('records', 'neither the workspace nor the release has a records file');
const nothingFound = (0,failure/* problemAt */.l4)('release-tag', 'the release has no assets to verify; check the tag');


/***/ })

};
