export const id = 29;
export const ids = [29];
export const modules = {

/***/ 8029:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  verifyAction: () => (/* binding */ verifyAction)
});

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: external "node:timers/promises"
var promises_ = __webpack_require__(8500);
// EXTERNAL MODULE: ./artifacts/artifact.js
var artifacts_artifact = __webpack_require__(7163);
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
// EXTERNAL MODULE: ./inputs/input-texts.js
var input_texts = __webpack_require__(634);
// EXTERNAL MODULE: ./inputs/input-values.js
var input_values = __webpack_require__(6);
;// CONCATENATED MODULE: ./inputs/verify-inputs.js



const verifyDefaults = {
    path: '',
    checksums: '',
    'release-tag': '',
    records: 'notarization-records*.jsonl',
    'base-url': '',
    sha: '',
    'require-all': 'false',
    'show-summary': 'true',
    'github-token': '',
};
const schema = schemas/* object */.Ikc({
    path: schemas/* string */.YjP(),
    checksums: schemas/* string */.YjP(),
    releaseTag: input_values/* releaseTag */.aF,
    records: schemas/* string */.YjP(),
    baseUrl: input_values/* baseUrl */.pc,
    sha: input_values/* commitId */.xk,
    requireAll: input_values/* yesOrNo */.GX,
    showSummary: input_values/* yesOrNo */.GX,
    githubToken: input_values/* githubToken */.bU,
});
function readVerifyInputs(given) {
    const { texts, usable, problems } = (0,input_texts/* readTexts */.Z)(schema, verifyDefaults, given);
    return {
        usable,
        problems: [...(0,input_texts/* findSharedNeeds */.c)(texts), ...problems],
        secrets: [texts['github-token']],
    };
}

// EXTERNAL MODULE: ./release/open.js + 7 modules
var release_open = __webpack_require__(3133);
// EXTERNAL MODULE: ./runtime/progress.js
var progress = __webpack_require__(8491);
// EXTERNAL MODULE: ./text/words.js
var words = __webpack_require__(4904);
// EXTERNAL MODULE: ./text/field.js
var field = __webpack_require__(1821);
;// CONCATENATED MODULE: ./verify/compare.js




function compareWithRecords(comparison) {
    const { artifacts, records, sha, requireAll } = comparison;
    const ofCommit = records.good.filter(record => isOfCommit(record, sha));
    const byBaseName = Map.groupBy(ofCommit, record => (0,words/* baseName */.Fl)(record.artifact));
    const verified = artifacts.map((artifact) => {
        const { name } = artifact;
        if (!(0,artifacts_artifact/* isHashed */.S)(artifact)) {
            const { what, remedy } = artifact.failure;
            return { artifact: name, size: null, hash: null, ...unknown(`${what}; ${remedy}`) };
        }
        const { size, hash } = artifact;
        const namesakes = byBaseName.get((0,words/* baseName */.Fl)(name)) ?? [];
        const other = namesakes.findLast(record => record.artifact === name) ?? namesakes.at(-1);
        const match = findMatch(artifact, comparison);
        const otherwise = other === undefined ? withoutRecord(hash, records) : altered(other);
        const finding = match ?? otherwise;
        return { artifact: name, size, hash, ...finding };
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
function altered(recorded) {
    const message = `its name has a record with another hash, ${recorded.hash}, ${describeTime(recorded)}`;
    return { state: 'altered', recorded, message };
}
function withoutRecord(hash, { known }) {
    const found = known.find(hash);
    if (found?.state === 'contradicted') {
        const problems = found.entry.problems.join('; ');
        return unknown(`its record has problems: ${problems}; ask the service about the hash`);
    }
    if (found?.state === 'open') {
        const why = `sent at ${found.sent.at} without a saved answer, so it may be registered`;
        return unknown(`${why}; run the job that notarizes again, then verify with its records`);
    }
    return unknown('no record has its hash or name');
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
        const why = 'no record is required, so nothing would be proven; check the records and "sha"';
        throw new failure/* Stop */.VG((0,failure/* problemWith */.CO)('require-all', `is true, but ${why}`));
    }
    const absent = required.filter(({ hash }) => !hashes.has(hash));
    const onePerHash = new Map(absent.map(record => [record.hash, record]));
    return Array.from(onePerHash.values(), (recorded) => {
        const { artifact, size, hash } = recorded;
        const message = `${describeTime(recorded)}, but no artifact has this hash`;
        return { artifact, size, hash, state: 'missing', recorded, message };
    }).sort(byName);
}
function describeTime({ record }) {
    const time = (0,field/* timeText */.T)(record['creationDate']);
    return time === '' ? 'registered' : `registered at ${time} UTC`;
}
function byName(a, b) {
    return (0,words/* compareCodeUnits */.UF)(a.artifact, b.artifact);
}

// EXTERNAL MODULE: ./records/known.js
var known = __webpack_require__(6707);
// EXTERNAL MODULE: ./records/line.js
var line = __webpack_require__(5924);
// EXTERNAL MODULE: ./records/reading.js
var records_reading = __webpack_require__(6240);
// EXTERNAL MODULE: ./text/escape.js
var text_escape = __webpack_require__(8146);
// EXTERNAL MODULE: ./text/system-error.js
var system_error = __webpack_require__(8343);
;// CONCATENATED MODULE: ./verify/verify-records.js








const maxShown = 3;
function patternProblems({ errors, patterns }, mayBeEmpty) {
    const wrong = [...errors];
    for (const { text, count } of patterns) {
        if (count > 0 || mayBeEmpty)
            continue;
        wrong.push(`"${(0,text_escape/* quote */.hD)(text)}" matches no file; download the records files first`);
    }
    if (patterns.length + errors.length === 0)
        wrong.push('it includes nothing; give a pattern');
    return wrong.length === 0 ? [] : [(0,failure/* problemAt */.l4)('records', (0,words/* someOf */.yU)(wrong, maxShown))];
}
function readRecordsFiles({ files }) {
    return files.map(({ name, absolutePath }) => {
        try {
            return { name, bytes: (0,records_reading/* readRegularFile */.XF)(absolutePath) };
        }
        catch (error) {
            const why = `"${(0,text_escape/* quote */.hD)(name)}" cannot be read: ${(0,system_error/* describeError */.U)(error)}`;
            throw new failure/* Stop */.VG((0,failure/* problemAt */.l4)('records', why));
        }
    });
}
function selectRecords(sources, baseUrl) {
    const readings = sources.map(({ bytes, name }) => (0,records_reading/* parseRecords */.Q4)(bytes, name));
    const damage = readings.flatMap(reading => reading.damage);
    if (damage.length > 0) {
        const remedy = 'fetch an intact copy from the release, the workflow artifact, or the cache';
        throw new failure/* Stop */.VG((0,failure/* problemAt */.l4)('records', `${(0,words/* someOf */.yU)(damage, maxShown)}; ${remedy}`));
    }
    const entries = readings.flatMap(reading => reading.entries);
    const records = entries.filter(line/* isRecord */.u4);
    const service = baseUrl ?? onlyService(records);
    const counting = new Set(service === null ? entries.map(one => one.service) : [service]);
    const good = records.filter(one => (0,line/* isGoodRecord */.FK)(one) && counting.has(one.service));
    good.sort((a, b) => (0,words/* compareCodeUnits */.UF)(a.at ?? '', b.at ?? ''));
    const ignored = records.filter(one => !counting.has(one.service)).length;
    const hashes = (0,words/* counted */.hS)(new Set(good.map(({ hash }) => hash)).size, 'record');
    const of = service === null ? hashes : `${hashes} of "${(0,text_escape/* quote */.hD)(service)}"`;
    return {
        known: new known/* KnownRecords */.S(entries, counting),
        good,
        count: ignored === 0 ? of : `${of}; ${ignored} of other services ignored`,
        warnings: readings.flatMap(reading => (0,records_reading/* tailWarning */.VG)(reading)),
    };
}
function onlyService(records) {
    const services = [...new Set(records.map(({ service }) => service))];
    const [service = null] = services;
    if (service === null || (services.length === 1 && !(0,input_values/* isLoopback */.U9)(service)))
        return service;
    const names = (0,words/* someOf */.yU)(services.map(one => `"${(0,text_escape/* quote */.hD)(one)}"`), maxShown);
    const why = `is empty, and the records are of ${names}; give the URL of the service that counts`;
    throw new failure/* Stop */.VG((0,failure/* problemWith */.CO)('base-url', why));
}

// EXTERNAL MODULE: ./report/deliver.js
var deliver = __webpack_require__(1109);
// EXTERNAL MODULE: ./report/log.js
var log = __webpack_require__(214);
// EXTERNAL MODULE: ./report/outputs.js
var report_outputs = __webpack_require__(7954);
// EXTERNAL MODULE: ./report/stop.js
var stop = __webpack_require__(626);
// EXTERNAL MODULE: ./report/page.js
var report_page = __webpack_require__(4973);
;// CONCATENATED MODULE: ./verify/verify-summary.js




const advice = {
    altered: 'Find out what changed it after it was notarized. If that was a step of yours, notarize the final file; otherwise treat it as tampered with.',
    unknown: 'See the table. Where no record has it, check that the records files are those of this release and that the patterns match only what was notarized.',
    missing: 'Check the job that passes the files on. If the records are of several releases, give the input "sha".',
};
function formatVerifySummary(page) {
    const { verdict, shown, checkedAgainst, warnings, docsUrl, secrets } = page;
    const reasons = [];
    for (const [state, group] of Map.groupBy(shown, one => one.state)) {
        if (state === 'matched')
            continue;
        const title = `${(0,words/* counted */.hS)(group.length, 'artifact')} ${state}`;
        reasons.push({ title, answers: { 'What to do:': advice[state] } });
    }
    const isPlain = ({ state, message }) => state === 'matched' && message === '';
    return (0,report_page/* formatPage */.Pd)({
        verdict,
        head: [
            `<p>${(0,report_page/* sentence */.em)(`Compared with ${checkedAgainst}`)}</p>`,
            '',
            ...(0,report_page/* formatReasonItems */.ab)('Do not deploy.', reasons),
            ...(0,report_page/* formatNotes */.jQ)(warnings),
        ],
        table: {
            titles: ['Registered at (UTC)', 'Blockchain'],
            rows: shown.values().map(one => formatRow(one, secrets)),
            total: shown.length,
            plainCount: shown.filter(isPlain).length,
            elsewhere: 'the output <code>results</code> lists all if they fit',
        },
        foot: [
            `A match proves agreement with the records file, not who wrote that file. More: ${(0,report_page/* docsLink */._h)(docsUrl, 'verify.md#what-is-left-to-trust')}`,
        ],
    });
}
function formatRow(one, secrets) {
    const { artifact, size, hash, state, recorded, message } = one;
    const sign = `${state === 'matched' ? '✅' : '❌'}&nbsp;${state}`;
    const verificationUrl = state === 'matched' ? recorded?.verificationUrl : null;
    const row = { artifact: { name: artifact, size, hash, verificationUrl } };
    if (state !== 'matched') {
        return { ...row, state: sign, details: (0,report_page/* breakable */.mo)(message, text_escape/* maxMessageLength */.sZ) };
    }
    const { creationDate, blockchainType } = recorded?.record ?? {};
    const texts = [(0,field/* timeText */.T)(creationDate), (0,field/* fieldText */.g)(blockchainType)];
    const details = texts.map(text => (0,report_page/* code */.aY)(secrets.redactText(text)));
    return { ...row, state: message === '' ? sign : `${sign}<br>${(0,report_page/* breakable */.mo)(message)}`, details };
}

;// CONCATENATED MODULE: ./verify/verify-report.js







async function reportVerification(ending, { host, inputs }) {
    if (ending.kind === 'ended')
        return reportEnd(ending, { host, inputs });
    const texts = {
        verdict: '❌ NOT VERIFIED: stopped before anything was compared with the records',
        lead: '<b>Do not deploy.</b> No artifact was verified.',
        nothing: 'nothing was verified',
        page: 'verify.md#verdicts',
        outputs: makeOutputs('stopped', '[]', []),
    };
    const { baseUrl, showSummary } = inputs;
    return (0,stop/* reportStop */.D)(ending.problems, texts, { ...host, baseUrl, showSummary });
}
async function reportEnd(ending, { host, inputs }) {
    const { runner, secrets, halt, environment } = host;
    const { checkedAgainst } = ending;
    const redact = (text) => secrets.redactText(text);
    const verified = ending.verified.map(one => {
        return { ...one, artifact: redact(one.artifact), message: redact(one.message) };
    });
    const shown = sortForReader(verified);
    const verdict = formatVerdict(shown);
    for (const one of shown.slice(0, maxLines))
        runner.info(formatLine(one));
    const rest = shown.length - maxLines;
    if (rest > 0)
        runner.info(`and ${rest} more, see the job summary`);
    runner.info(`Compared with ${checkedAgainst}`);
    runner.info(verdict);
    const [worst] = shown;
    const results = (0,report_outputs/* formatWhole */.$X)(verified.values().map(one => resultOf(one, secrets)));
    const outputs = makeOutputs(worst?.state ?? 'matched', results, verified);
    const outputsFailure = (0,deliver/* deliverOutputs */.e)(outputs, runner);
    const warnings = ending.warnings.map(redact);
    if (results === '') {
        runner.warning(tooLong);
        warnings.push(tooLong);
    }
    if (inputs.showSummary) {
        const { docsUrl } = environment;
        const page = { verdict, shown, checkedAgainst, warnings, docsUrl, secrets };
        await (0,deliver/* deliverSummary */.ep)(formatVerifySummary(page), runner);
    }
    const faults = (0,stop/* describeFaults */.Z)(halt, outputsFailure);
    const isGreen = worst?.state === 'matched' && faults.length === 0;
    if (worst !== undefined && worst.state !== 'matched')
        runner.error(formatError(verdict, worst));
    faults.forEach(runner.error);
    return isGreen ? 0 : 1;
}
const tooLong = 'The output "results" is empty: it would be longer than 120,000 bytes';
function resultOf(one, secrets) {
    const { artifact, size, hash, state, recorded, message } = one;
    if (recorded === null)
        return { artifact, size, hash, state, recorded, message };
    const { service, source, record } = recorded;
    const entry = { artifact: recorded.artifact, hash: recorded.hash, service, record };
    const { value } = secrets.redactJson({ ...entry, sha: source.sha });
    return { artifact, size, hash, state, recorded: value, message };
}
const states = ['altered', 'unknown', 'missing', 'matched'];
function countOf(all, state) {
    return all.filter(one => one.state === state).length;
}
function makeOutputs(verdict, results, all) {
    const outputs = { verdict, results };
    for (const state of states)
        outputs[`${state}-count`] = countOf(all, state);
    return outputs;
}
function sortForReader(all) {
    const rankOf = ({ state, message }) => states.indexOf(state) + (state === 'matched' && message === '' ? 1 : 0);
    return all.toSorted((a, b) => rankOf(a) - rankOf(b));
}
function formatVerdict(shown) {
    const total = shown.length - countOf(shown, 'missing');
    const matched = countOf(shown, 'matched');
    const match = total === 1 ? 'matches its notarization record' : 'match their notarization records';
    const line = `VERIFIED: ${matched} of ${(0,words/* counted */.hS)(total, 'artifact')} ${match}`;
    if (matched === shown.length)
        return `✅ ${line}`;
    const bad = states.filter(state => state !== 'matched' && countOf(shown, state) > 0);
    return `❌ NOT ${line}; ${bad.map(state => `${countOf(shown, state)} ${state}`).join(', ')}`;
}
const maxLines = 100;
function formatLine({ artifact, size, hash, state, message }) {
    const line = (0,log/* formatArtifact */.oN)(state, { name: artifact, size, hash });
    return message === '' ? line : `${line}: ${(0,text_escape/* quote */.hD)(message, text_escape/* maxMessageLength */.sZ)}`;
}
const verify_report_maxShown = 200;
function formatError(verdict, { artifact, state, message }) {
    const first = `First: "${(0,text_escape/* quote */.hD)(artifact, verify_report_maxShown)}" is ${state}: ${(0,text_escape/* quote */.hD)(message, verify_report_maxShown)}`;
    return `${verdict.replace('❌ ', '')}. Do not deploy. ${first}`;
}

;// CONCATENATED MODULE: ./verify/verify.js
















const verifyAction = { defaults: verifyDefaults, run };
async function run(host, given) {
    const reading = readVerifyInputs(given);
    host.secrets.add([...reading.secrets, ...host.environment.secrets]);
    const ending = await verify(host, reading);
    return reportVerification(ending, { host, inputs: reading.usable });
}
async function verify(host, reading) {
    const { environment, halt } = host;
    try {
        return await compare(host, reading);
    }
    catch (error) {
        if (halt.isCancelled)
            return { kind: 'stopped', problems: [] };
        if (error instanceof failure/* Stop */.VG)
            return { kind: 'stopped', problems: error.problems };
        halt.noteBug(error, environment.reportTo);
        return { kind: 'stopped', problems: [] };
    }
}
async function compare(host, { usable, problems }) {
    const { environment, runner, halt, clock, workerFile } = host;
    const place = { workspace: environment.workspace, home: environment.home, path: external_node_path_ };
    const options = { place, halt: halt.signal };
    const { releaseTag, githubToken, sha, requireAll } = usable;
    const recordsFiles = await (0,files/* findFiles */.l)(usable.records, options);
    const skip = recordsFiles.files.map(({ absolutePath }) => absolutePath);
    const found = await (0,collect/* collectArtifacts */.k)({ path: usable.path, checksums: usable.checksums, ifNoFilesFound: 'error' }, { ...options, skip, remedy: 'correct the pattern' });
    const mayBeEmpty = usable.records === verifyDefaults.records && releaseTag !== null;
    const wrongPatterns = patternProblems(recordsFiles, mayBeEmpty);
    failure/* Stop */.VG.ifAny([...problems, ...found.problems, ...wrongPatterns]);
    const releaseInputs = { releaseTag, githubToken, attachToRelease: false };
    const release = await (0,release_open/* openRelease */.g)(releaseInputs, { ...host, makeId: external_node_crypto_.randomUUID });
    const hasFiles = recordsFiles.files.length > 0;
    const sources = hasFiles ? readRecordsFiles(recordsFiles) : release.records;
    if (sources.length === 0)
        throw new failure/* Stop */.VG(noRecords);
    const records = selectRecords(sources, usable.baseUrl);
    const missed = [...recordsFiles.warnings, ...found.warnings];
    const warnings = [...missed, ...release.warnings, ...records.warnings];
    warnings.forEach(runner.warning);
    const onProgress = (0,progress/* createProgress */.m)('hashing', clock, runner.info);
    const hashed = await (0,hash/* hashFiles */.y)(found.files, halt.signal, { workerFile, onProgress });
    await (0,promises_.setImmediate)();
    await (0,promises_.setImmediate)();
    if (halt.reason !== null)
        throw new failure/* Stop */.VG();
    const artifacts = combineAll([...found.listed, ...hashed, ...release.artifacts]);
    if (artifacts.length === 0)
        throw new failure/* Stop */.VG(nothingFound);
    const verified = compareWithRecords({ artifacts, records, sha, requireAll });
    return { kind: 'ended', verified, checkedAgainst: records.count, warnings };
}
const noRecords = (0,failure/* problemAt */.l4)('records', 'neither the workspace nor the release has a records file');
const nothingFound = (0,failure/* problemAt */.l4)('release-tag', 'the release has no assets to verify; check the tag');
function combineAll(artifacts) {
    const { combined, conflicts } = (0,combine/* combineArtifacts */.L)(artifacts);
    failure/* Stop */.VG.ifAny((0,combine/* conflictProblem */.K)(conflicts));
    const keyOf = (artifact) => `${(0,artifacts_artifact/* isHashed */.S)(artifact) ? artifact.hash : ''} ${(0,words/* baseName */.Fl)(artifact.name)}`;
    const known = new Set(combined.map(keyOf));
    const others = artifacts.filter(one => one.source === 'release-tag' && !known.has(keyOf(one)));
    return [...combined, ...others];
}


/***/ })

};
