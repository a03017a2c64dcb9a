export const id = 592;
export const ids = [592];
export const modules = {

/***/ 8592:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  verify: () => (/* binding */ verify),
  verifyDefaults: () => (/* reexport */ verifyDefaults)
});

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: external "node:timers/promises"
var promises_ = __webpack_require__(8500);
// EXTERNAL MODULE: ./artifacts/collect.js
var collect = __webpack_require__(527);
// EXTERNAL MODULE: ./artifacts/files.js + 3 modules
var artifacts_files = __webpack_require__(665);
// EXTERNAL MODULE: ./artifacts/hash.js + 1 modules
var hash = __webpack_require__(2049);
// EXTERNAL MODULE: ./artifacts/merge.js
var merge = __webpack_require__(65);
// EXTERNAL MODULE: ./environment.js
var environment_0 = __webpack_require__(3544);
// EXTERNAL MODULE: ./input-texts.js
var input_texts = __webpack_require__(628);
// EXTERNAL MODULE: ./progress.js
var progress = __webpack_require__(3802);
// EXTERNAL MODULE: ./release/open.js + 5 modules
var release_open = __webpack_require__(7130);
// EXTERNAL MODULE: ./stop.js
var stop = __webpack_require__(2553);
// EXTERNAL MODULE: ./artifacts/artifact.js
var artifacts_artifact = __webpack_require__(7163);
// EXTERNAL MODULE: ./text/words.js
var words = __webpack_require__(4904);
;// CONCATENATED MODULE: ./verify/compare.js



function compareWithRecords({ artifacts, records: { known, registered }, sha, }) {
    const { merged, conflicts } = (0,merge/* mergeArtifacts */.O)(artifacts);
    const subjects = [...merged, ...otherAssets(artifacts)];
    const ofCommit = withoutReplaced(registered).filter(one => isOfCommit(one, sha));
    const namesakes = groupNamesakes(ofCommit, subjects);
    const verify = (subject) => {
        if (!(0,artifacts_artifact/* isHashed */.S)(subject))
            return notHashed(subject);
        const { name: artifact, size, hash } = subject;
        const found = { artifact, size, hash, why: '' };
        const match = bestMatch(known.linesOf(hash), { artifact, sha });
        if (match !== undefined)
            return { ...found, state: 'matched', recorded: match, reason: null };
        const others = namesakes.get((0,words/* baseName */.Fl)(artifact)) ?? [];
        const other = others.findLast(one => one.artifact === artifact) ?? others.at(-1);
        return other === undefined
            ? { ...found, state: 'unknown', recorded: null, ...whyUnknown(known.find(hash)) }
            : { ...found, state: 'altered', recorded: other, reason: 'altered' };
    };
    return {
        artifacts: subjects.map(verify).sort(byName),
        missing: findMissing(ofCommit, subjects).sort(byName),
        conflicts,
    };
}
function notHashed({ name, failure }) {
    return {
        ...{ artifact: name, size: null, hash: null, state: 'unknown', recorded: null },
        ...{ reason: 'that could not be hashed', why: `${failure.what}; ${failure.remedy}` },
    };
}
function groupNamesakes(records, subjects) {
    const names = new Set(subjects.map(({ name }) => (0,words/* baseName */.Fl)(name)));
    const asked = records.filter(({ artifact }) => names.has((0,words/* baseName */.Fl)(artifact)));
    return Map.groupBy(asked, ({ artifact }) => (0,words/* baseName */.Fl)(artifact));
}
function findMissing(records, subjects) {
    const hashes = new Set(subjects.map(one => ((0,artifacts_artifact/* isHashed */.S)(one) ? one.hash : '')));
    const absent = records.filter(({ hash }) => !hashes.has(hash));
    const lastOfEach = new Map(absent.map(one => [one.hash, one]));
    return Array.from(lastOfEach.values(), recorded => {
        const { artifact, size, hash } = recorded;
        return { artifact, size, hash, state: 'missing', recorded, reason: 'missing', why: '' };
    });
}
function isOfCommit(record, sha) {
    return sha === null || record.sha?.toLowerCase() === sha;
}
function otherAssets(artifacts) {
    const hashed = artifacts.filter(artifacts_artifact/* isHashed */.S);
    const local = Map.groupBy(hashed.filter(({ source }) => source !== 'release-tag'), ({ name }) => (0,words/* baseName */.Fl)(name));
    return hashed.filter(({ source, name, hash }) => {
        const same = source === 'release-tag' ? local.get(name) : undefined;
        return same?.every(one => one.hash !== hash) ?? false;
    });
}
function bestMatch(lines, { artifact, sha }) {
    const rankOf = (one) => (isOfCommit(one, sha) ? 0 : 4) +
        (one.artifact === artifact ? 0 : (0,words/* baseName */.Fl)(one.artifact) === (0,words/* baseName */.Fl)(artifact) ? 1 : 2);
    const records = lines.filter(({ kind }) => kind === 'registered');
    return records.sort((a, b) => rankOf(a) - rankOf(b)).at(0);
}
function withoutReplaced(records) {
    const keyOf = ({ runId, service, artifact }) => JSON.stringify([runId, service, artifact]);
    const later = records.filter(({ runId, runAttempt }) => runId !== null && runAttempt > 1);
    if (later.length === 0)
        return records;
    const newest = new Map();
    for (const one of later) {
        newest.set(keyOf(one), Math.max(newest.get(keyOf(one)) ?? 0, one.runAttempt));
    }
    return records.filter(one => one.runAttempt >= (newest.get(keyOf(one)) ?? 0));
}
function whyUnknown(known) {
    if (known?.state === 'contradicted') {
        const why = `its record has problems: ${known.entry.problems.join('; ')} (${known.lines})`;
        return { reason: 'with problems in the record', why };
    }
    if (known?.state === 'open') {
        const { at, runUrl, lines } = known.tries;
        const run = `the run of ${at}${runUrl === null ? '' : ` (${runUrl})`}`;
        const why = `it has no record: ${run} sent it and read no answer, so that it may be registered (${lines})`;
        return { reason: 'without a record, but sent', why };
    }
    return { reason: 'without a record', why: 'no record that counts has its hash or its name' };
}
function byName(a, b) {
    return (0,words/* compareCodeUnits */.UF)(a.artifact, b.artifact);
}

// EXTERNAL MODULE: ../node_modules/zod/v4/mini/schemas.js + 2 modules
var schemas = __webpack_require__(2417);
// EXTERNAL MODULE: ./input-values.js
var input_values = __webpack_require__(7872);
;// CONCATENATED MODULE: ./verify/inputs.js



const verifyDefaults = {
    path: '',
    checksums: '',
    'release-tag': '',
    records: 'notarization-records.jsonl',
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
    const { texts, usable, problems: wrong } = (0,input_texts/* readTexts */.Z7)(schema, verifyDefaults, given);
    const problems = [...(0,input_texts/* sharedNeeds */.hQ)(texts), ...wrong];
    return {
        inputs: problems.length > 0 ? null : usable,
        problems,
        secrets: [texts['github-token']],
        spared: [],
        usable,
    };
}

// EXTERNAL MODULE: ./memory.js
var memory = __webpack_require__(2506);
// EXTERNAL MODULE: ./records/known.js
var known = __webpack_require__(6707);
// EXTERNAL MODULE: ./records/reading.js
var records_reading = __webpack_require__(6240);
// EXTERNAL MODULE: ./text/escape.js
var text_escape = __webpack_require__(5765);
// EXTERNAL MODULE: ./text/system-error.js
var system_error = __webpack_require__(8343);
;// CONCATENATED MODULE: ./verify/records.js








function patternProblem({ errors, patterns, unreadable }, redact) {
    const none = 'there is no pattern that includes anything; give one pattern a line';
    return problemOf([
        ...errors,
        ...(patterns.length + errors.length === 0 ? [none] : []),
        ...unreadable.map(name => `"${(0,text_escape/* quote */.hD)(redact(name))}" cannot be read: its name is not valid UTF-8`),
    ]);
}
const maxShown = 20;
function problemOf(texts, remedy = '') {
    return texts.length === 0 ? [] : [(0,stop/* problemAt */.l4)('records', `${(0,words/* someOf */.yU)(texts, maxShown)}${remedy}`)];
}
const largeBytes = 16 * 1024 * 1024;
function readAllRecords(found, { attached, ...options }) {
    const { sources, errors } = attached === null
        ? readFiles(found, options)
        : { sources: [{ bytes: attached, name: 'the records of the release' }], errors: [] };
    if (sources.some(({ bytes }) => bytes.length > largeBytes))
        (0,memory/* collectEarly */.E)();
    const readings = sources.map(({ bytes, name }) => (0,records_reading/* parseRecords */.Q4)(bytes, name));
    const damage = readings.flatMap(reading => reading.damage);
    const remedy = damage.length > 0 ? '; restore what was kept of this file' : '';
    stop/* Stop */.VG.ifAny(problemOf([...errors, ...damage], remedy));
    const index = indexRecords(readings, options);
    return { ...index, warnings: [...found.warnings, ...index.warnings] };
}
function readFiles({ files, patterns }, { redact }) {
    const errors = patterns
        .filter(({ count }) => count === 0)
        .map(({ text }) => `the pattern "${(0,text_escape/* quote */.hD)(text)}" matches no records file`);
    const sources = [];
    for (const { name, absolutePath } of files) {
        const shown = redact(name);
        try {
            sources.push({ bytes: (0,records_reading/* readRegularFile */.XF)(absolutePath), name: shown });
        }
        catch (error) {
            errors.push(`"${(0,text_escape/* quote */.hD)(shown)}" cannot be read: ${(0,system_error/* describeError */.U)(error)}`);
        }
    }
    return { sources, errors };
}
function indexRecords(readings, { baseUrl, redact }) {
    const lines = readings.flatMap(reading => reading.lines);
    const services = new Set(lines.map(({ service }) => service));
    const counts = (service) => baseUrl === null ? !(0,input_values/* isLoopback */.U9)(service) : service === baseUrl;
    const counting = new Set(services.values().filter(counts));
    const records = lines.filter(({ kind }) => kind !== 'state');
    const ignored = records.filter(({ service }) => !counting.has(service));
    const registered = records.filter(({ kind, service }) => kind === 'registered' && counting.has(service));
    return {
        known: new known/* KnownRecords */.S(readings, counting),
        registered,
        count: formatCount(registered, { baseUrl, redact }),
        warnings: [
            ...readings.flatMap(reading => (0,records_reading/* tailWarning */.VG)(reading)),
            ...ignoredWarning(ignored, { baseUrl, redact }),
        ],
    };
}
function ignoredWarning(ignored, { baseUrl, redact }) {
    if (ignored.length === 0)
        return [];
    const left = formatCount(ignored, { baseUrl: null, redact });
    const verb = ignored.length === 1 ? 'does' : 'do';
    const why = baseUrl === null
        ? 'a service on this machine is a simulator; to count its records give its address as "base-url"'
        : `"base-url" names another service, "${(0,text_escape/* quote */.hD)(baseUrl, maxServiceLength)}"`;
    return [`${left} ${verb} not count: ${why}`];
}
const maxServicesShown = 3;
const maxServiceLength = 200;
function formatCount(records, { baseUrl, redact }) {
    const services = new Set(baseUrl === null ? records.map(({ service }) => service) : [baseUrl]);
    const names = Array.from(services, service => `"${(0,text_escape/* quote */.hD)(redact(service), maxServiceLength)}"`);
    const of = (0,words/* someOf */.yU)(names, maxServicesShown, { separator: ', ', rest: 'more services' });
    return `${(0,words/* counted */.hS)(records.length, 'record')}${of === '' ? '' : ` of ${of}`}`;
}

// EXTERNAL MODULE: ./report/deliver.js
var deliver = __webpack_require__(1109);
// EXTERNAL MODULE: ./report/log.js
var log = __webpack_require__(214);
// EXTERNAL MODULE: ./report/outputs.js
var report_outputs = __webpack_require__(7954);
// EXTERNAL MODULE: ./report/stop.js
var report_stop = __webpack_require__(626);
// EXTERNAL MODULE: ./text/time.js
var text_time = __webpack_require__(5396);
;// CONCATENATED MODULE: ./verify/result.js




function makeResult(one, secrets) {
    const redact = (text) => secrets.redactText(text);
    const { artifact, size, hash, state, recorded } = one;
    const head = {
        artifact: redact(artifact),
        size,
        hash: hash === null ? null : redact(hash),
        state,
    };
    if (recorded === null)
        return { ...head, recorded: null, message: redact(one.why) };
    const { record } = secrets.redact((0,records_reading/* recordOf */.zv)(recorded).record);
    const known = {
        ...{ artifact: redact(recorded.artifact), hash: redact(recorded.hash) },
        ...{ service: redact(recorded.service), record },
        sha: recorded.sha === null ? null : redact(recorded.sha),
    };
    const time = (0,text_time/* formatTime */.f)(record['creationDate']);
    const when = `registered${time === '–' ? '' : ` at ${time} UTC`} with the service "${known.service}"`;
    const messages = {
        matched: '',
        altered: `the records have its name with another hash, ${known.hash}, ${when}`,
        missing: `${when}, but no artifact here has its hash`,
        unknown: '',
    };
    return { ...head, recorded: known, message: messages[state] };
}
function noteMatch({ artifact, state, recorded }, sha) {
    if (state !== 'matched' || recorded === null)
        return '';
    const isNamed = (0,words/* baseName */.Fl)(recorded.artifact) === (0,words/* baseName */.Fl)(artifact);
    return [
        ...(isNamed ? [] : [`recorded under another name, "${recorded.artifact}"`]),
        ...(isOfCommit(recorded, sha)
            ? []
            : [`recorded for another commit, ${recorded.sha ?? 'none'}`]),
    ].join('; ');
}

// EXTERNAL MODULE: ./report/page.js
var page = __webpack_require__(4973);
;// CONCATENATED MODULE: ./verify/summary.js





function formatVerifySummary(input) {
    const { verdict, shown, sha, checkedAgainst, warnings, describe } = input;
    const noted = shown.filter(one => noteMatch(one, sha) !== '').length;
    const match = noted === 1 ? 'matches' : 'match';
    const elsewhere = `${(0,words/* counted */.hS)(noted, 'artifact')} ${match} a record of another name or commit; the table says which`;
    const reasons = [...Map.groupBy(shown, ({ reason }) => reason)].flatMap(([reason, group]) => {
        if (reason === null)
            return [];
        const names = group.slice(0, maxExamples).map(one => (0,page/* code */.aY)(describe(one).artifact));
        const title = `${(0,words/* counted */.hS)(group.length, 'artifact')} ${reason}: ${(0,page/* formatExamples */.$B)(names, group.length)}`;
        return [{ title, answers: advice[reason] }];
    });
    return (0,page/* formatPage */.Pd)({
        verdict,
        head: [
            ...[`<p>${(0,page/* sentence */.em)(checkedAgainst)}</p>`, ''],
            ...(0,page/* formatReasonItems */.ab)('Do not deploy.', reasons),
            ...(0,page/* formatNotes */.jQ)([...warnings, ...(noted === 0 ? [] : [elsewhere])]),
        ],
        table: {
            titles: ['Registered at (UTC)', 'Service', 'Blockchain'],
            rows: shown.values().map(one => rowOf(describe(one), sha)),
            total: shown.length,
            elsewhere: 'the output <code>results</code>, or the file named above, has all',
        },
        foot: ['A match proves agreement with the records file, not who wrote that file.'],
    });
}
const maxExamples = 3;
function rowOf(result, sha) {
    const { artifact: name, size, hash, state, recorded, message } = result;
    const note = noteMatch(result, sha);
    const sign = `${state === 'matched' ? '✅' : '❌'}&nbsp;${state}`;
    const isMatch = state === 'matched' && recorded !== null;
    return {
        state: note === '' ? sign : `${sign}<br>${(0,page/* breakable */.mo)(note)}`,
        artifact: { name, size, hash },
        details: isMatch
            ? [
                (0,text_time/* formatTime */.f)(recorded.record['creationDate']),
                ...[(0,page/* code */.aY)(recorded.service), (0,page/* code */.aY)(recorded.record['blockchainType'])],
            ]
            : (0,page/* breakable */.mo)(message, text_escape/* maxMessageLength */.sZ),
    };
}
const advice = {
    altered: {
        'What it means:': 'The records know the name, with other bytes than these.',
        'What to do:': 'Find out who changed the bytes after the notarization. If that was a step of yours, notarize what you publish; else treat it as tampered with.',
    },
    missing: {
        'What it means:': 'It was notarized, and nothing here has its bytes.',
        'What to do:': 'Look for it in the job that should have handed it on; with records of several releases in one file, give the input sha.',
    },
    'that could not be hashed': {
        'What it means:': 'Nothing is known of its bytes.',
        'What to do:': 'Correct what the table says, then run the job again.',
    },
    'without a record': {
        'What it means:': 'No record that counts has its bytes or its name.',
        'What to do:': 'Check that these are the records of this release, whole and of the right service; if the patterns match more than was notarized, narrow them.',
    },
    'with problems in the record': {
        'What it means:': 'The answer of the service contradicted the request, so that this is no proof.',
        'What to do:': 'Ask the service what became of the hash.',
    },
    'without a record, but sent': {
        'What it means:': 'A run sent it and read no answer, so that it may be registered all the same.',
        'What to do:': 'Run the job that notarizes again with the same records file, or look the hash up at the service; then verify again.',
    },
};

;// CONCATENATED MODULE: ./verify/report.js









async function reportVerification(ending, options) {
    if (ending.kind === 'ended')
        return reportEnd(ending, options);
    const texts = {
        verdict: '❌ NOT VERIFIED: stopped before anything was checked against the records',
        lead: '<b>Do not deploy.</b> Nothing is known of the artifacts.',
        nothing: 'nothing was verified',
        outputs: makeOutputs('stopped', '[]', []),
    };
    return (0,report_stop/* reportStop */.D)(ending.problems, texts, options);
}
async function reportEnd({ artifacts, missing, records, sha, requireAll }, options) {
    const { runner, halt, secrets, showSummary } = options;
    const describe = (one) => makeResult(one, secrets);
    const listed = requireAll ? [...artifacts, ...missing] : artifacts;
    const shown = sortForReader(listed, sha);
    const [worst] = shown;
    const verdict = formatVerdict(listed, requireAll);
    const checkedAgainst = `Checked against ${records.count}`;
    for (const one of shown.slice(0, maxLines))
        runner.info(lineOf(describe(one), sha));
    const rest = shown.length - maxLines;
    if (rest > 0)
        runner.info(`and ${rest} more, see the job summary`);
    runner.info(checkedAgainst);
    runner.info(verdict);
    const results = (0,report_outputs/* formatWhole */.$X)(listed.values().map(describe));
    const outputs = makeOutputs(worst?.state ?? 'matched', results, [...artifacts, ...missing]);
    const failure = (0,deliver/* deliverOutputs */.e)(outputs, runner);
    const tooLong = results === '' ? [await writeResults(listed.values().map(describe), options)] : [];
    for (const warning of tooLong)
        runner.warning(warning);
    if (showSummary) {
        const warnings = [...records.warnings.map(text => secrets.redactText(text)), ...tooLong];
        const page = { verdict, shown, sha, checkedAgainst, warnings, describe };
        await (0,deliver/* deliverSummary */.ep)(formatVerifySummary(page), runner);
    }
    const errors = [
        ...(worst === undefined || worst.state === 'matched'
            ? []
            : [`${verdict.replace(/^\S+ /, '')}. The first: ${lineOf(describe(worst), sha)}`]),
        ...(0,report_stop/* describeFaults */.Z)(halt, failure),
    ];
    for (const error of errors)
        runner.error(error);
    return errors.length === 0 ? 0 : 1;
}
function makeOutputs(verdict, results, all) {
    const counts = states.map(state => [`${state}-count`, countOf(all, state)]);
    return { verdict, results, ...Object.fromEntries(counts) };
}
const states = ['altered', 'unknown', 'missing', 'matched'];
function countOf(all, state) {
    return all.filter(one => one.state === state).length;
}
function formatVerdict(listed, requireAll) {
    const matched = countOf(listed, 'matched');
    const missing = countOf(listed, 'missing');
    const of = (0,words/* counted */.hS)(listed.length - missing, 'artifact');
    const absent = requireAll ? `, ${missing} recorded but missing` : '';
    return matched === listed.length
        ? `✅ VERIFIED: ${matched} of ${of} match their notarization records${absent}`
        : `❌ NOT VERIFIED: ${matched} of ${of} match; ${countOf(listed, 'altered')} altered, ${countOf(listed, 'unknown')} unknown${absent}`;
}
function sortForReader(listed, sha) {
    const groups = Map.groupBy(listed, one => (noteMatch(one, sha) === '' ? one.state : 'noted'));
    const alteredFrom = new Set(groups.get('altered')?.map(({ recorded }) => recorded?.hash ?? null));
    const absent = groups.get('missing')?.filter(({ hash }) => !alteredFrom.has(hash));
    const of = (state) => groups.get(state) ?? [];
    return [...of('altered'), ...of('unknown'), ...(absent ?? []), ...of('noted'), ...of('matched')];
}
const maxLines = 100;
function lineOf(result, sha) {
    const text = result.message || noteMatch(result, sha);
    const why = text === '' ? '' : `: ${(0,text_escape/* quote */.hD)(text, text_escape/* maxMessageLength */.sZ)}`;
    return `${(0,log/* formatArtifact */.oN)(result.state, { ...result, name: result.artifact })}${why}`;
}
async function writeResults(results, { tempFolder }) {
    const empty = 'The output "results" is empty, as it would have more than 120,000 bytes';
    try {
        const file = { name: 'verification-results.json', text: linesOf(results) };
        const path = await (0,deliver/* writeTemporary */.bW)(tempFolder, file);
        return `${empty}; all results are in "${path}" until this job ends`;
    }
    catch (error) {
        return `${empty}, and the file for them could not be written to the folder for temporary files (RUNNER_TEMP): ${(0,system_error/* describeError */.U)(error)}`;
    }
}
function* linesOf(results) {
    let before = '[\n';
    for (const result of results) {
        yield `${before}${JSON.stringify(result)}`;
        before = ',\n';
    }
    yield '\n]\n';
}

;// CONCATENATED MODULE: ./verify/main.js

















async function verify(host) {
    const { environment, secrets, halt } = host;
    const reading = (0,input_texts/* maskAndRead */.wm)(host.raw, readVerifyInputs, { secrets, others: environment.secrets });
    const ending = await checkAgainstRecords(host, reading).catch((error) => {
        if (halt.isCancelled)
            return { kind: 'stopped', problems: [] };
        if (error instanceof stop/* Stop */.VG)
            return { kind: 'stopped', problems: error.problems };
        halt.noteBug(error, environment.reportTo);
        return { kind: 'stopped', problems: [] };
    });
    const source = (0,environment_0/* redactSource */.bH)(environment.source, text => secrets.redactText(text));
    return reportVerification(ending, { ...environment, ...host, ...reading.usable, source });
}
async function checkAgainstRecords(host, reading) {
    const { inputs, artifacts, records } = await prepare(host, reading);
    const { sha, requireAll } = inputs;
    const isOfNone = !records.registered.some(one => isOfCommit(one, sha));
    if (requireAll && sha !== null && isOfNone)
        throw new stop/* Stop */.VG(noRecordOfCommit);
    const compared = compareWithRecords({ artifacts, records, sha });
    stop/* Stop */.VG.ifAny((0,merge/* conflictProblem */.K)(compared.conflicts));
    await (0,promises_.setImmediate)();
    await (0,promises_.setImmediate)();
    const isAllGood = compared.artifacts.every(({ state }) => state === 'matched');
    if (host.halt.reason !== null && isAllGood)
        throw new stop/* Stop */.VG();
    return { kind: 'ended', ...compared, records, sha, requireAll };
}
async function prepare(host, { inputs, usable, problems }) {
    const { environment, runner, secrets, halt, clock, workerFile } = host;
    const { workspace, home } = environment;
    const redact = (text) => secrets.redactText(text);
    const where = { place: { workspace, home, path: external_node_path_ }, halt: halt.signal };
    const files = await (0,artifacts_files/* findFiles */.l)(usable.records, where);
    const skip = files.files.map(({ absolutePath }) => absolutePath);
    const found = await (0,collect/* collectArtifacts */.k)({ ...usable, ifNoFilesFound: 'error' }, { ...where, skip, remedy: 'correct the pattern' });
    const wrong = [...problems, ...found.problems, ...patternProblem(files, redact)];
    if (inputs === null || wrong.length > 0)
        throw new stop/* Stop */.VG(...wrong);
    const release = await (0,release_open/* openRelease */.g)({ ...inputs, attachToRelease: false }, { ...host, ...environment, redact, makeId: external_node_crypto_.randomUUID, log: runner.info });
    const isLeftToRelease = inputs.records === verifyDefaults.records && files.files.length === 0;
    const attached = isLeftToRelease ? await release.readRecords() : null;
    const records = readAllRecords(files, { attached, baseUrl: inputs.baseUrl, redact });
    const warnings = [...found.warnings, ...release.warnings, ...records.warnings];
    warnings.forEach(runner.warning);
    const onProgress = (0,progress/* createProgress */.m)('hashing', clock, runner.info);
    const hashed = await (0,hash/* hashFiles */.y)(found.files, halt.signal, { workerFile, onProgress });
    const artifacts = [...found.listed, ...hashed, ...release.artifacts];
    if (artifacts.length === 0)
        throw new stop/* Stop */.VG(nothingFound);
    return { inputs, artifacts, records };
}
const noRecordOfCommit = (0,stop/* problemAt */.l4)('sha', 'no record that counts is of this commit, so that "require-all" would prove nothing; give the commit that was notarized');
const nothingFound = (0,stop/* problemAt */.l4)('release-tag', 'no artifact was found, so that nothing could be checked against the records; check the tag');


/***/ })

};
