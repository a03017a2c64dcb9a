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
// EXTERNAL MODULE: ./artifacts/files.js + 2 modules
var artifacts_files = __webpack_require__(8722);
// EXTERNAL MODULE: ./artifacts/hash.js + 1 modules
var hash = __webpack_require__(2049);
// EXTERNAL MODULE: ./environment.js
var environment_0 = __webpack_require__(3544);
// EXTERNAL MODULE: ./inputs.js
var inputs = __webpack_require__(8888);
// EXTERNAL MODULE: ./plan.js + 1 modules
var plan = __webpack_require__(8008);
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



function compareWithRecords({ artifacts, records: { heads, explain }, sha, }) {
    const { merged, conflicts } = (0,plan/* mergeArtifacts */.O7)(artifacts);
    const subjects = [...merged, ...otherAssets(artifacts)];
    const ofCommit = withoutReplaced(heads).filter(head => isOfCommit(head, sha));
    const hashes = new Set(subjects.map(one => ((0,artifacts_artifact/* isHashed */.S)(one) ? one.hash : '')));
    const names = new Set(subjects.map(({ name }) => (0,words/* baseName */.Fl)(name)));
    const byHash = Map.groupBy(heads.filter(({ hash }) => hashes.has(hash)), ({ hash }) => hash);
    const byBaseName = Map.groupBy(ofCommit.filter(({ artifact }) => names.has((0,words/* baseName */.Fl)(artifact))), ({ artifact }) => (0,words/* baseName */.Fl)(artifact));
    const verify = (subject) => {
        const artifact = subject.name;
        if (!(0,artifacts_artifact/* isHashed */.S)(subject)) {
            const why = `${subject.failure.what}; ${subject.failure.remedy}`;
            const reason = 'that could not be hashed';
            return { artifact, size: null, hash: null, ...unknown, reason, why };
        }
        const { size, hash } = subject;
        const found = { artifact, size, hash, why: '' };
        const match = bestMatch(byHash.get(hash) ?? [], { artifact, sha });
        if (match !== undefined)
            return { ...found, state: 'matched', recorded: match, reason: null };
        const others = byBaseName.get((0,words/* baseName */.Fl)(artifact)) ?? [];
        const other = others.findLast(head => head.artifact === artifact) ?? others.at(-1);
        return other === undefined
            ? { ...found, ...unknown, ...whyUnknown(explain(hash)) }
            : { ...found, state: 'altered', recorded: other, reason: 'altered' };
    };
    const absent = new Map(ofCommit.filter(({ hash }) => !hashes.has(hash)).map(head => [head.hash, head]));
    const missing = Array.from(absent.values(), (recorded) => {
        const { artifact, size, hash } = recorded;
        return { artifact, size, hash, state: 'missing', recorded, reason: 'missing', why: '' };
    });
    return {
        artifacts: subjects.map(verify).sort(byName),
        missing: missing.sort(byName),
        conflicts,
    };
}
const unknown = { state: 'unknown', recorded: null };
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
function bestMatch(heads, { artifact, sha }) {
    const rankOf = (head) => (isOfCommit(head, sha) ? 0 : 4) +
        (head.artifact === artifact ? 0 : (0,words/* baseName */.Fl)(head.artifact) === (0,words/* baseName */.Fl)(artifact) ? 1 : 2);
    return heads.toSorted((a, b) => rankOf(a) - rankOf(b)).at(0);
}
function withoutReplaced(heads) {
    const keyOf = ({ runId, service, artifact }) => JSON.stringify([runId, service, artifact]);
    const later = heads.filter(({ runId, runAttempt }) => runId !== null && runAttempt > 1);
    const newest = new Map();
    for (const head of later) {
        newest.set(keyOf(head), Math.max(newest.get(keyOf(head)) ?? 0, head.runAttempt));
    }
    if (later.length === 0)
        return heads;
    return heads.filter(head => head.runAttempt >= (newest.get(keyOf(head)) ?? 0));
}
function whyUnknown(known) {
    if (known?.state === 'contradicted') {
        const why = `its record has problems: ${known.entry.problems.join('; ')} (${known.lines})`;
        return { reason: 'with problems in the record', why };
    }
    if (known?.state === 'open') {
        const { at, runUrl } = known.tries;
        const run = `the run of ${at}${runUrl === null ? '' : ` (${runUrl})`}`;
        const why = `it has no record: ${run} sent it and read no answer, so that it may be registered (${known.lines})`;
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
    const { texts, usable, problems: wrong } = (0,input_values/* readTexts */.Z7)(schema, verifyDefaults, given);
    const problems = [...(0,input_values/* sharedNeeds */.hQ)(texts), ...wrong];
    return {
        inputs: problems.length > 0 ? null : usable,
        problems,
        secrets: [texts['github-token']],
        usable,
    };
}

// EXTERNAL MODULE: ./memory.js
var memory = __webpack_require__(2506);
// EXTERNAL MODULE: ./records/known.js
var records_known = __webpack_require__(6707);
// EXTERNAL MODULE: ./records/line.js
var records_line = __webpack_require__(5924);
// EXTERNAL MODULE: ./records/reading.js
var reading = __webpack_require__(6240);
// EXTERNAL MODULE: ./text/escape.js
var text_escape = __webpack_require__(5765);
// EXTERNAL MODULE: ./text/system-error.js
var system_error = __webpack_require__(8343);
;// CONCATENATED MODULE: ./verify/records.js









function patternProblem({ errors, patterns, unreadable }, { redact }) {
    const none = 'there is no pattern that includes anything; give one pattern a line';
    return problemOf([
        ...errors,
        ...(patterns.length + errors.length === 0 ? [none] : []),
        ...unreadable.map(name => `"${(0,text_escape/* quote */.hD)(redact(name))}" cannot be read: its name is not valid UTF-8`),
    ]);
}
const maxShown = 20;
function problemOf(texts, remedy = '') {
    if (texts.length === 0)
        return [];
    return [{ input: 'records', message: `input "records": ${(0,words/* someOf */.yU)(texts, maxShown)}${remedy}` }];
}
const largeBytes = 16 * 1024 * 1024;
function readAllRecords({ files, patterns, warnings }, { attached, ...options }) {
    const errors = [];
    const sources = attached === null ? [] : [{ bytes: attached, name: 'the records of the release' }];
    for (const { text, count } of attached === null ? patterns : []) {
        if (count === 0)
            errors.push(`the pattern "${(0,text_escape/* quote */.hD)(text)}" matches no records file`);
    }
    for (const { name, absolutePath } of files) {
        const shown = options.redact(name);
        try {
            sources.push({ bytes: (0,reading/* readRegularFile */.XF)(absolutePath), name: shown });
        }
        catch (error) {
            errors.push(`"${(0,text_escape/* quote */.hD)(shown)}" cannot be read: ${(0,system_error/* describeError */.U)(error)}`);
        }
    }
    if (sources.some(({ bytes }) => bytes.length > largeBytes))
        (0,memory/* collectEarly */.E)();
    const index = indexRecords(sources, options);
    const remedy = index.damage.length > 0 ? '; restore what was kept of this file' : '';
    stop/* Stop */.VG.ifAny(problemOf([...errors, ...index.damage], remedy));
    return { ...index, warnings: [...warnings, ...index.warnings] };
}
function indexRecords(sources, { baseUrl, redact }) {
    const counts = new Map();
    const isCounted = (service) => {
        const does = counts.get(service) ?? (baseUrl === null ? !(0,input_values/* isLoopback */.U9)(service) : service === baseUrl);
        counts.set(service, does);
        return does;
    };
    const heads = [];
    const ignored = [];
    const readings = sources.map(({ bytes, name }) => (0,reading/* parseRecords */.Q4)(bytes, name, (entry, line) => {
        if (!(0,records_line/* isRecord */.u4)(entry))
            return;
        const { artifact, size, hash, service, source, problems } = entry;
        if (!isCounted(service))
            ignored.push(service);
        else if (problems.length === 0) {
            const { sha, runId } = source;
            const runAttempt = Math.max(Number(source.runAttempt) || 1, 1);
            const read = () => {
                const again = (0,reading/* entryOf */.Ms)({ bytes }, line);
                if ((0,records_line/* isRecord */.u4)(again))
                    return again;
                throw new Error('a record of the records file is not one any more');
            };
            heads.push({ artifact, size, hash, service, sha, runId, runAttempt, read });
        }
    }));
    const good = new Set(heads.map(({ hash }) => hash));
    const others = readings.map(reading => ({
        ...reading,
        lines: reading.lines.filter(({ hash, service }) => isCounted(service) && !good.has(hash)),
    }));
    const known = Array.from(new Set(others.flatMap(({ lines }) => lines.map(({ service }) => service))), service => new records_known/* KnownRecords */.S(others, service));
    const services = new Set(baseUrl === null ? heads.map(({ service }) => service) : [baseUrl]);
    const left = formatCount(ignored.length, Array.from(new Set(ignored), redact));
    const verb = ignored.length === 1 ? 'does' : 'do';
    const why = baseUrl === null
        ? 'a service on this machine is a simulator; to count its records give its address as "base-url"'
        : `"base-url" names another service, "${(0,text_escape/* quote */.hD)(baseUrl, maxServiceLength)}"`;
    return {
        heads,
        explain: hash => known.map(one => one.find(hash)).find(found => found !== undefined),
        count: formatCount(heads.length, Array.from(services, redact)),
        damage: readings.flatMap(({ damage }) => damage),
        warnings: [
            ...readings.flatMap(cutWarning),
            ...(ignored.length === 0 ? [] : [`${left} ${verb} not count: ${why}`]),
        ],
    };
}
function cutWarning({ name, tail }) {
    if (tail.state !== 'incomplete')
        return [];
    return [
        `The last line of "${(0,text_escape/* quote */.hD)(name)}" is incomplete, as after a run that was killed while it wrote; it is left out`,
    ];
}
const maxServicesShown = 3;
const maxServiceLength = 200;
function formatCount(count, services) {
    const names = services.map(name => `"${(0,text_escape/* quote */.hD)(name, maxServiceLength)}"`);
    const of = (0,words/* someOf */.yU)(names, maxServicesShown, { separator: ', ', rest: 'more services' });
    return `${(0,words/* counted */.hS)(count, 'record')}${of === '' ? '' : ` of ${of}`}`;
}

// EXTERNAL MODULE: ./failure.js
var failure = __webpack_require__(7579);
// EXTERNAL MODULE: ./report/deliver.js
var deliver = __webpack_require__(1109);
// EXTERNAL MODULE: ./report/log.js
var log = __webpack_require__(214);
// EXTERNAL MODULE: ./report/outputs.js
var outputs = __webpack_require__(7954);
// EXTERNAL MODULE: ./report/page.js
var report_page = __webpack_require__(4973);
// EXTERNAL MODULE: ./text/size.js
var text_size = __webpack_require__(3004);
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
    const { record } = secrets.redact(recorded.read().record);
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

;// CONCATENATED MODULE: ./verify/summary.js





function formatVerifySummary(input) {
    const { verdict, shown, sha, checkedAgainst, warnings, describe } = input;
    const noted = shown.filter(one => noteMatch(one, sha) !== '').length;
    const match = noted === 1 ? 'matches' : 'match';
    const elsewhere = `${(0,words/* counted */.hS)(noted, 'artifact')} ${match} a record of another name or commit; the table says which`;
    const groups = Map.groupBy(shown, ({ reason }) => reason);
    const reasons = [...groups].flatMap(([reason, group]) => {
        if (reason === null)
            return [];
        const [meaning, remedy] = advice[reason];
        const names = group.slice(0, maxExamples).map(one => (0,report_page/* code */.aY)(describe(one).artifact));
        const left = group.length - names.length;
        const more = left > 0 ? ` and ${left} more` : '';
        return [
            {
                title: `${(0,words/* counted */.hS)(group.length, 'artifact')} ${reason}: ${names.join(', ')}${more}`,
                answers: { 'What it means:': meaning, 'What to do:': remedy },
            },
        ];
    });
    const head = [
        ...[`## ${verdict}`, '', `<p>${(0,report_page/* sentence */.em)(checkedAgainst)}</p>`, ''],
        ...(0,report_page/* formatReasonItems */.ab)('Do not deploy.', reasons),
        ...(0,report_page/* formatNotes */.jQ)([...warnings, ...(noted === 0 ? [] : [elsewhere])]),
    ];
    const note = 'A match proves agreement with the records file, not who wrote that file.';
    const table = (0,report_page/* formatTable */.ku)({
        titles,
        rows: shown.values().map(one => rowOf(describe(one), sha)),
        total: shown.length,
        maxBytes: report_page/* maxSummaryBytes */.aH - Buffer.byteLength([...head, note].join('\n')),
        elsewhere: 'the output <code>results</code>, or the file named above, has all',
    });
    return [...head, ...table, note, ''].join('\n');
}
const maxExamples = 3;
const titles = [
    ...['State', 'Artifact', 'Size', 'SHA-256'],
    ...['Registered at (UTC)', 'Service', 'Blockchain'],
];
function rowOf(result, sha) {
    const { artifact, size, hash, state, recorded, message } = result;
    const note = noteMatch(result, sha);
    const sign = `${state === 'matched' ? '✅' : '❌'}&nbsp;${state}`;
    const cells = [
        ...[note === '' ? sign : `${sign}<br>${(0,report_page/* breakable */.mo)(note)}`, (0,report_page/* code */.aY)(artifact), (0,report_page/* sizeCell */.I9)(size)],
        hash === null ? '–' : (0,report_page/* idCode */.r1)(hash),
    ];
    if (state !== 'matched' || recorded === null) {
        return (0,report_page/* tableRow */.jD)(cells, { html: (0,report_page/* breakable */.mo)(message, text_escape/* maxMessageLength */.sZ), span: 3 });
    }
    const { service, record } = recorded;
    const registered = [(0,text_time/* formatTime */.f)(record['creationDate']), (0,report_page/* code */.aY)(service)];
    return (0,report_page/* tableRow */.jD)([...cells, ...registered, (0,report_page/* code */.aY)(record['blockchainType'])]);
}
const advice = {
    altered: [
        'The records know the name, with other bytes than these.',
        'Find out who changed the bytes after the notarization. If that was a step of yours, notarize what you publish; else treat it as tampered with.',
    ],
    missing: [
        'It was notarized, and nothing here has its bytes.',
        'Look for it in the job that should have handed it on; with records of several releases in one file, give the input sha.',
    ],
    'that could not be hashed': [
        'Nothing is known of its bytes.',
        'Correct what the table says, then run the job again.',
    ],
    'without a record': [
        'No record that counts has its bytes or its name.',
        'Check that these are the records of this release, whole and of the right service; if the patterns match more than was notarized, narrow them.',
    ],
    'with problems in the record': [
        'The answer of the service contradicted the request, so that this is no proof.',
        'Ask the service what became of the hash.',
    ],
    'without a record, but sent': [
        'A run sent it and read no answer, so that it may be registered all the same.',
        'Run the job that notarizes again with the same records file, or look the hash up at the service; then verify again.',
    ],
};

;// CONCATENATED MODULE: ./verify/report.js











async function reportVerification(ending, options) {
    const errors = ending.kind === 'stopped'
        ? await reportStop(ending.problems, options)
        : await reportEnd(ending, options);
    for (const error of errors)
        options.runner.error(error);
    return ending.kind === 'ended' && errors.length === 0 ? 0 : 1;
}
async function reportStop(problems, { runner, halt, secrets, source, baseUrl, showSummary }) {
    const messages = [
        ...(0,log/* formatProblems */.C5)(problems).map(text => secrets.redactText(text)),
        ...(halt.bug === null ? [] : [(0,failure/* describeBug */.WP)(halt.bug)]),
        ...(halt.isCancelled ? [`${cancelled}; nothing was verified`] : []),
        ...setOutputs({ verdict: 'stopped', results: '[]', all: [] }, runner),
    ];
    if (showSummary) {
        const verdict = '❌ NOT VERIFIED: stopped before anything was checked against the records';
        const these = messages.length === 1 ? 'this' : 'these';
        const lead = `<b>Do not deploy.</b> Nothing is known of the artifacts. Correct ${these}, then run the job again:`;
        const page = { verdict, lead, messages, place: { source, service: baseUrl } };
        await (0,deliver/* deliverSummary */.ep)((0,report_page/* formatStopped */.Zh)(page), runner);
    }
    return messages;
}
const cancelled = 'The run was cancelled by a signal';
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
    const results = (0,outputs/* formatWhole */.$X)(listed.values().map(describe));
    const all = [...artifacts, ...missing];
    const failures = setOutputs({ verdict: worst?.state ?? 'matched', results, all }, runner);
    const tooLong = results === '' ? [await writeResults(listed.values().map(describe), options)] : [];
    for (const warning of tooLong)
        runner.warning(warning);
    if (showSummary) {
        const warnings = [...records.warnings.map(text => secrets.redactText(text)), ...tooLong];
        const page = { verdict, shown, sha, checkedAgainst, warnings, describe };
        await (0,deliver/* deliverSummary */.ep)(formatVerifySummary(page), runner);
    }
    return [
        ...(worst === undefined || worst.state === 'matched'
            ? []
            : [`${verdict.replace(/^\S+ /, '')}. The first: ${lineOf(describe(worst), sha)}`]),
        ...failures,
        ...(halt.bug === null ? [] : [(0,failure/* describeBug */.WP)(halt.bug)]),
        ...(halt.isCancelled ? [cancelled] : []),
    ];
}
function setOutputs({ all, ...outputs }, runner) {
    const counts = states.map(state => [`${state}-count`, countOf(all, state)]);
    const failure = (0,deliver/* deliverOutputs */.e)({ ...outputs, ...Object.fromEntries(counts) }, runner);
    if (failure === null)
        return [];
    return [
        `The outputs could not be written (${failure}); make room on the machine, then run the job again`,
    ];
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
    const { artifact, size, hash, state, message } = result;
    const text = message || noteMatch(result, sha);
    const why = text === '' ? '' : `: ${(0,text_escape/* quote */.hD)(text, text_escape/* maxMessageLength */.sZ)}`;
    return `${state}: "${(0,text_escape/* quote */.hD)(artifact)}" (${(0,text_size/* formatSize */.X)(size)}, ${hash ?? 'not hashed'})${why}`;
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
    secrets.add([...readVerifyInputs(host.raw).secrets, ...environment.secrets]);
    const { raw, leaks } = (0,inputs/* leaveOutSecrets */.nr)(host.raw, secrets);
    const reading = readVerifyInputs(raw);
    const checked = leaks.length > 0 ? Promise.reject(new stop/* Stop */.VG(...leaks)) : checkAgainstRecords(host, reading);
    const ending = await checked.catch((error) => {
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
async function checkAgainstRecords(host, { inputs, usable, problems }) {
    const { environment, runner, secrets, halt, clock, workerFile } = host;
    const { workspace, home } = environment;
    const redact = (text) => secrets.redactText(text);
    const where = { place: { workspace, home, path: external_node_path_ }, halt: halt.signal };
    const files = await (0,artifacts_files/* findFiles */.l)(usable.records, where);
    const skip = files.files.map(({ absolutePath }) => absolutePath);
    const found = await (0,collect/* collectArtifacts */.k)({ ...usable, ifNoFilesFound: 'error' }, { ...where, skip, remedy: 'correct the pattern' });
    const wrong = [...problems, ...found.problems, ...patternProblem(files, { redact })];
    if (inputs === null || wrong.length > 0)
        throw new stop/* Stop */.VG(...wrong);
    const { baseUrl, sha, requireAll } = inputs;
    const release = await (0,release_open/* openRelease */.g)({ ...inputs, attachToRelease: false }, { ...host, ...environment, redact, makeId: external_node_crypto_.randomUUID, log: runner.info });
    const isLeftToRelease = usable.records === verifyDefaults.records && files.files.length === 0;
    const attached = isLeftToRelease ? await release.readRecords() : null;
    const records = readAllRecords(files, { attached, baseUrl, redact });
    const warnings = [...found.warnings, ...release.warnings, ...records.warnings];
    warnings.forEach(runner.warning);
    const onProgress = (0,progress/* createProgress */.m)('hashing', clock, runner.info);
    const hashed = await (0,hash/* hashFiles */.y)(found.files, halt.signal, { workerFile, onProgress });
    const artifacts = [...found.listed, ...hashed, ...release.artifacts];
    if (artifacts.length === 0)
        throw new stop/* Stop */.VG(nothingFound);
    const isOfNone = !records.heads.some(head => isOfCommit(head, sha));
    if (requireAll && sha !== null && isOfNone)
        throw new stop/* Stop */.VG(noRecordOfCommit);
    const compared = compareWithRecords({ artifacts, records, sha });
    stop/* Stop */.VG.ifAny((0,plan/* conflictProblem */.KL)(compared.conflicts));
    await (0,promises_.setImmediate)();
    await (0,promises_.setImmediate)();
    const isAllGood = compared.artifacts.every(({ state }) => state === 'matched');
    if (halt.reason !== null && isAllGood)
        throw new stop/* Stop */.VG();
    return { kind: 'ended', ...compared, records, sha, requireAll };
}
const noRecordOfCommit = {
    input: 'sha',
    message: 'input "sha": no record that counts is of this commit, so that "require-all" would prove nothing; give the commit that was notarized',
};
const nothingFound = {
    input: 'release-tag',
    message: 'input "release-tag": no artifact was found, so that nothing could be checked against the records; check the tag',
};


/***/ })

};
