export const id = 818;
export const ids = [818];
export const modules = {

/***/ 818:
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
// EXTERNAL MODULE: ./report/log.js
var log = __webpack_require__(214);
// EXTERNAL MODULE: ./stop.js
var stop = __webpack_require__(2553);
// EXTERNAL MODULE: ./artifacts/artifact.js
var artifacts_artifact = __webpack_require__(7163);
// EXTERNAL MODULE: ./text/words.js
var words = __webpack_require__(4904);
;// CONCATENATED MODULE: ./verify/compare.js



function compareWithRecords({ artifacts, records: { heads, explain }, sha, }) {
    const { merged, conflicts } = (0,plan/* mergeArtifacts */.O7)(artifacts);
    const subjects = [...merged, ...otherAssets(artifacts)].sort(byName);
    const ofCommit = withoutReplaced(heads).filter(head => isOfCommit(head, sha));
    const hashes = new Set(subjects.map(one => ((0,artifacts_artifact/* isHashed */.S)(one) ? one.hash : '')));
    const names = new Set(subjects.map(({ name }) => (0,words/* baseName */.Fl)(name)));
    const byHash = Map.groupBy(heads.filter(({ hash }) => hashes.has(hash)), ({ hash }) => hash);
    const byBaseName = Map.groupBy(ofCommit.filter(({ artifact }) => names.has((0,words/* baseName */.Fl)(artifact))), ({ artifact }) => (0,words/* baseName */.Fl)(artifact));
    const verified = subjects.map((artifact) => {
        const { name } = artifact;
        if (!(0,artifacts_artifact/* isHashed */.S)(artifact)) {
            const why = `${artifact.failure.what}; ${artifact.failure.remedy}`;
            const nothing = { size: null, hash: null, recorded: null };
            return { name, ...nothing, state: 'unknown', kind: 'not hashed', why };
        }
        const { size, hash } = artifact;
        const match = bestMatch(byHash.get(hash) ?? [], { name, sha });
        if (match !== undefined)
            return { name, size, hash, state: 'matched', recorded: match };
        const others = byBaseName.get((0,words/* baseName */.Fl)(name)) ?? [];
        const other = others.findLast(head => head.artifact === name) ?? others.at(-1);
        if (other !== undefined)
            return { name, size, hash, state: 'altered', recorded: other };
        return { name, size, hash, state: 'unknown', recorded: null, ...whyUnknown(explain(hash)) };
    });
    const absent = new Map(ofCommit.filter(({ hash }) => !hashes.has(hash)).map(head => [head.hash, head]));
    const missing = Array.from(absent.values(), (recorded) => {
        const { artifact, size, hash } = recorded;
        return { name: artifact, size, hash, state: 'missing', recorded };
    }).sort(byName);
    return { artifacts: verified, missing, conflicts };
}
function isOfCommit(head, sha) {
    return sha === null || head.sha?.toLowerCase() === sha;
}
function otherAssets(artifacts) {
    const hashed = artifacts.filter(artifacts_artifact/* isHashed */.S);
    const local = Map.groupBy(hashed.filter(({ source }) => source !== 'release-tag'), ({ name }) => (0,words/* baseName */.Fl)(name));
    return hashed.filter(({ source, name, hash }) => {
        const same = source === 'release-tag' ? local.get(name) : undefined;
        return same?.every(one => one.hash !== hash) ?? false;
    });
}
function bestMatch(heads, { name, sha }) {
    const rankOf = (head) => (isOfCommit(head, sha) ? 0 : 4) +
        (head.artifact === name ? 0 : (0,words/* baseName */.Fl)(head.artifact) === (0,words/* baseName */.Fl)(name) ? 1 : 2);
    return heads.toSorted((a, b) => rankOf(a) - rankOf(b)).at(0);
}
function withoutReplaced(heads) {
    const keyOf = ({ runId, service, artifact }) => JSON.stringify([runId, service, artifact]);
    const newest = new Map();
    for (const head of heads) {
        if (head.runId === null || head.runAttempt === 1)
            continue;
        const key = keyOf(head);
        newest.set(key, Math.max(newest.get(key) ?? 0, head.runAttempt));
    }
    if (newest.size === 0)
        return heads;
    return heads.filter(head => head.runAttempt >= (newest.get(keyOf(head)) ?? 0));
}
function whyUnknown(known) {
    switch (known?.state) {
        case 'contradicted': {
            const why = `its record has problems: ${known.entry.problems.join('; ')} (${known.lines})`;
            return { kind: 'record with problems', why };
        }
        case 'open': {
            const { at, runUrl } = known.tries;
            const run = `the run of ${at}${runUrl === null ? '' : ` (${runUrl})`}`;
            const why = `it has no record: ${run} sent it and read no answer, so that it may be registered (${known.lines})`;
            return { kind: 'sent without an answer', why };
        }
        case 'registered':
        case undefined:
            return { kind: 'no record', why: 'no record that counts has its hash or its name' };
    }
}
function byName(a, b) {
    return (0,words/* compareCodeUnits */.UF)(a.name, b.name);
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
const schema = (raw) => schemas/* pipe */.FsL(schemas/* object */.Ikc({
    path: (0,input_values/* patterns */.qp)(raw.checksums + raw['release-tag']),
    checksums: schemas/* string */.YjP(),
    'release-tag': input_values/* releaseTag */.aF,
    records: schemas/* string */.YjP(),
    'base-url': input_values/* optionalBaseUrl */.Fu,
    sha: input_values/* commitId */.xk,
    'require-all': input_values/* yesOrNo */.GX,
    'show-summary': input_values/* yesOrNo */.GX,
    'github-token': (0,input_values/* githubToken */.bU)(raw['release-tag']),
}), schemas/* transform */.pdi(read => ({
    path: read.path,
    checksums: read.checksums,
    releaseTag: read['release-tag'],
    records: read.records,
    isDefaultRecords: read.records === verifyDefaults.records,
    baseUrl: read['base-url'],
    sha: read.sha,
    requireAll: read['require-all'],
    showSummary: read['show-summary'],
    githubToken: read['github-token'],
})));
function readVerifyInputs(given) {
    const raw = (0,input_values/* applyDefaults */.hq)(verifyDefaults, given);
    const parsed = schema(raw).safeParse(raw);
    const { path, checksums, records } = raw;
    return {
        inputs: parsed.success ? parsed.data : null,
        problems: parsed.success ? [] : (0,input_values/* inputProblems */.ri)(parsed.error.issues),
        secrets: [raw['github-token']],
        usable: {
            ...{ path, checksums, records },
            releaseTag: input_values/* releaseTag */.aF.safeParse(raw['release-tag']).data ?? null,
            baseUrl: input_values/* optionalBaseUrl */.Fu.safeParse(raw['base-url']).data ?? null,
            showSummary: input_values/* yesOrNo */.GX.safeParse(raw['show-summary']).data ?? true,
        },
    };
}

// EXTERNAL MODULE: ./memory.js
var memory = __webpack_require__(2506);
// EXTERNAL MODULE: ./records/known.js
var known = __webpack_require__(6707);
// EXTERNAL MODULE: ./records/line.js
var records_line = __webpack_require__(5924);
// EXTERNAL MODULE: ./records/reading.js
var reading = __webpack_require__(6240);
// EXTERNAL MODULE: ./text/escape.js
var text_escape = __webpack_require__(5765);
// EXTERNAL MODULE: ./text/system-error.js
var system_error = __webpack_require__(8343);
;// CONCATENATED MODULE: ./verify/records.js









function patternProblem({ errors, patterns, unreadable }) {
    const none = 'there is no pattern that includes anything; give one pattern a line';
    return problemOf([
        ...errors,
        ...(patterns.length + errors.length === 0 ? [none] : []),
        ...unreadable.map(name => `"${(0,text_escape/* quote */.hD)(name)}" cannot be read: its name is not valid UTF-8`),
    ]);
}
const maxShown = 20;
function problemOf(texts, remedy = '') {
    if (texts.length === 0)
        return [];
    return [{ input: 'records', message: `input "records": ${(0,words/* someOf */.yU)(texts, maxShown)}${remedy}` }];
}
const largeBytes = 16 * 1024 * 1024;
async function readAllRecords({ files, patterns, warnings }, { isDefaultRecords, baseUrl }, readAttached) {
    const attached = isDefaultRecords && files.length === 0 ? await readAttached() : null;
    const empty = attached === null ? patterns.filter(({ count }) => count === 0) : [];
    const errors = empty.map(({ text }) => `the pattern "${(0,text_escape/* quote */.hD)(text)}" matches no records file`);
    const sources = attached === null ? [] : [{ bytes: attached, name: 'the records of the release' }];
    for (const { name, absolutePath } of files) {
        try {
            sources.push({ bytes: (0,reading/* readRegularFile */.XF)(absolutePath), name });
        }
        catch (error) {
            errors.push(`"${(0,text_escape/* quote */.hD)(name)}" cannot be read: ${(0,system_error/* describeError */.U)(error)}`);
        }
    }
    if (sources.some(({ bytes }) => bytes.length > largeBytes))
        (0,memory/* collectEarly */.E)();
    const index = indexRecords(sources, baseUrl);
    const remedy = index.damage.length > 0 ? '; restore what was kept of this file' : '';
    stop/* Stop */.V.ifAny(problemOf([...errors, ...index.damage], remedy));
    return { ...index, warnings: [...warnings, ...index.warnings] };
}
function indexRecords(sources, baseUrl) {
    const known = new Map();
    const counts = (service) => {
        const isCounted = known.get(service) ?? (baseUrl === null ? !(0,input_values/* isLoopback */.U9)(service) : service === baseUrl);
        known.set(service, isCounted);
        return isCounted;
    };
    const heads = [];
    const ignored = [];
    const readings = sources.map(({ bytes, name }) => (0,reading/* parseRecords */.Q4)(bytes, name, (entry, line) => {
        if (!(0,records_line/* isRecord */.u4)(entry))
            return;
        const { artifact, size, hash, service, source, problems } = entry;
        if (!counts(service))
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
    let others = null;
    return {
        heads,
        explain: hash => {
            others ??= knownOthers(readings, heads, counts);
            return others.map(one => one.find(hash)).find(found => found !== undefined);
        },
        services: baseUrl === null ? [...new Set(heads.map(({ service }) => service))] : [baseUrl],
        damage: readings.flatMap(({ damage }) => damage),
        warnings: [...readings.flatMap(cutWarning), ...ignoredWarning(ignored, baseUrl)],
    };
}
function knownOthers(readings, heads, counts) {
    const good = new Set(heads.map(({ hash }) => hash));
    const others = readings.map(reading => ({
        ...reading,
        lines: reading.lines.filter(({ hash, service }) => counts(service) && !good.has(hash)),
    }));
    const services = new Set(others.flatMap(({ lines }) => lines.map(({ service }) => service)));
    return Array.from(services, service => new known/* KnownRecords */.S(others, service));
}
function cutWarning({ name, tail }) {
    if (tail.state !== 'incomplete')
        return [];
    return [
        `The last line of "${(0,text_escape/* quote */.hD)(name)}" is incomplete, as after a run that was killed while it wrote; it is left out`,
    ];
}
function ignoredWarning(ignored, baseUrl) {
    if (ignored.length === 0)
        return [];
    const why = baseUrl === null
        ? 'a service on this machine is a simulator; to count its records give its address as "base-url"'
        : `"base-url" names another service, ${formatServices([baseUrl])}`;
    const does = ignored.length === 1 ? 'does' : 'do';
    return [`${formatRecords(ignored.length, new Set(ignored))} ${does} not count: ${why}`];
}
function formatRecords(count, services) {
    const of = formatServices(services);
    return `${(0,words/* counted */.hS)(count, 'record')}${of === '' ? '' : ` of ${of}`}`;
}
const maxServicesShown = 3;
const maxServiceLength = 200;
function formatServices(services) {
    const names = Array.from(services, name => `"${(0,text_escape/* quote */.hD)(name, maxServiceLength)}"`);
    return (0,words/* someOf */.yU)(names, maxServicesShown, { separator: ', ', rest: 'more services' });
}

// EXTERNAL MODULE: ./report/deliver.js
var deliver = __webpack_require__(1109);
// EXTERNAL MODULE: ./report/outputs.js
var outputs = __webpack_require__(7954);
// EXTERNAL MODULE: ./report/page.js
var report_page = __webpack_require__(4973);
// EXTERNAL MODULE: ./text/size.js
var text_size = __webpack_require__(3004);
// EXTERNAL MODULE: ./text/time.js
var text_time = __webpack_require__(5396);
;// CONCATENATED MODULE: ./verify/summary.js





function explain(one) {
    switch (one.state) {
        case 'matched':
            return '';
        case 'altered':
            return `it has the hash ${one.hash ?? ''}, but the records have this name with the hash ${one.recorded.hash}, ${formatWhen(one.recorded)}`;
        case 'missing':
            return `${formatWhen(one.recorded)}, but no artifact here has its hash`;
        case 'unknown':
            return one.why;
    }
}
function formatWhen({ service, read }) {
    const time = (0,text_time/* formatTime */.f)(read().record['creationDate']);
    return `registered${time === '–' ? '' : ` at ${time} UTC`} with the service "${service}"`;
}
function noteMatch({ name, state, recorded }, sha) {
    if (state !== 'matched')
        return '';
    const { artifact } = recorded;
    const isNamed = (0,words/* baseName */.Fl)(artifact) === (0,words/* baseName */.Fl)(name);
    return [
        ...(isNamed ? [] : [`recorded under another name, "${artifact}"`]),
        ...(isOfCommit(recorded, sha)
            ? []
            : [`recorded for another commit, ${recorded.sha ?? 'none'}`]),
    ].join('; ');
}
function formatVerifySummary(input) {
    const { verdict, shown, sha, checkedAgainst, warnings, clean } = input;
    const noted = shown.filter(one => noteMatch(one, sha) !== '').length;
    const match = noted === 1 ? 'matches' : 'match';
    const elsewhere = `${(0,words/* counted */.hS)(noted, 'artifact')} ${match} a record of another name or commit; the table says which`;
    const groups = Map.groupBy(shown, one => (one.state === 'unknown' ? one.kind : one.state));
    const reasons = [...groups].flatMap(([kind, group]) => kind === 'matched' ? [] : [reasonItem(advice[kind], group, clean)]);
    const head = [
        ...[`## ${verdict}`, '', `<p>${(0,report_page/* sentence */.em)(checkedAgainst)}</p>`, ''],
        ...(0,report_page/* formatReasonItems */.ab)('Do not deploy.', reasons),
        ...(0,report_page/* formatNotes */.jQ)([...warnings, ...(noted === 0 ? [] : [elsewhere])]),
    ];
    const note = 'A match proves agreement with the records file, not who wrote that file.';
    const table = (0,report_page/* formatTable */.ku)({
        titles,
        rows: shown.values().map(one => rowOf(clean(one), sha)),
        total: shown.length,
        maxBytes: report_page/* maxSummaryBytes */.aH - Buffer.byteLength([...head, note].join('\n')),
        elsewhere: 'the output <code>results</code>, or the file named above, has all',
    });
    return [...head, ...table, note, ''].join('\n');
}
const titles = [
    ...['State', 'Artifact', 'Size', 'SHA-256'],
    ...['Registered at (UTC)', 'Service', 'Blockchain'],
];
function rowOf(one, sha) {
    const { name, size, hash, state, recorded } = one;
    const note = noteMatch(one, sha);
    const sign = `${state === 'matched' ? '✅' : '❌'}&nbsp;${state}`;
    const cells = [
        ...[note === '' ? sign : `${sign}<br>${(0,report_page/* breakable */.mo)(note)}`, (0,report_page/* code */.aY)(name), (0,report_page/* sizeCell */.I9)(size)],
        hash === null ? '–' : (0,report_page/* idCode */.r1)(hash),
    ];
    if (state !== 'matched') {
        return (0,report_page/* tableRow */.jD)(cells, { html: (0,report_page/* breakable */.mo)(explain(one), text_escape/* maxMessageLength */.sZ), span: 3 });
    }
    const { service, record } = recorded.read();
    const registered = [(0,text_time/* formatTime */.f)(record['creationDate']), (0,report_page/* code */.aY)(service)];
    return (0,report_page/* tableRow */.jD)([...cells, ...registered, (0,report_page/* code */.aY)(record['blockchainType'])]);
}
const maxExamples = 3;
function reasonItem({ title, meaning, remedy }, group, clean) {
    const names = group.slice(0, maxExamples).map(one => (0,report_page/* code */.aY)(clean(one).name));
    const left = group.length - names.length;
    const more = left > 0 ? ` and ${left} more` : '';
    return {
        title: `${(0,words/* counted */.hS)(group.length, ...title)}: ${names.join(', ')}${more}`,
        answers: { 'What it means:': meaning, 'What to do:': remedy },
    };
}
const advice = {
    altered: {
        title: ['artifact is altered', 'artifacts are altered'],
        meaning: 'The records know the name, with other bytes than these.',
        remedy: 'Find out who changed the bytes after the notarization. If that was a step of yours, notarize what you publish; else treat it as tampered with.',
    },
    missing: {
        title: ['recorded artifact is missing', 'recorded artifacts are missing'],
        meaning: 'It was notarized, and nothing here has its bytes.',
        remedy: 'Look for it in the job that should have handed it on; with records of several releases in one file, give the input sha.',
    },
    'not hashed': {
        title: ['artifact could not be hashed', 'artifacts could not be hashed'],
        meaning: 'Nothing is known of its bytes.',
        remedy: 'Correct what the table says, then run the job again.',
    },
    'no record': {
        title: ['artifact has no record', 'artifacts have no record'],
        meaning: 'No record that counts has its bytes or its name.',
        remedy: 'Check that these are the records of this release, whole and of the right service; if the patterns match more than was notarized, narrow them.',
    },
    'record with problems': {
        title: ['artifact has a record with problems', 'artifacts have records with problems'],
        meaning: 'The answer of the service contradicted the request, so that this is no proof.',
        remedy: 'Ask the service what became of the hash.',
    },
    'sent without an answer': {
        title: ['artifact has no record, but was sent', 'artifacts have no record, but were sent'],
        meaning: 'A run sent it and read no answer, so that it may be registered all the same.',
        remedy: 'Run the job that notarizes again with the same records file, or look the hash up at the service; then verify again.',
    },
};

;// CONCATENATED MODULE: ./verify/report.js










async function reportVerification(ending, options) {
    return ending.kind === 'stopped' ? reportStop(ending, options) : reportEnd(ending, options);
}
async function reportStop({ problems }, { runner, halt, secrets, source, baseUrl, showSummary }) {
    const outputs = { verdict: 'stopped', results: '[]', ...countOutputs(countStates([])) };
    const messages = [
        ...(0,log/* formatProblems */.C5)(problems).map(text => secrets.redactText(text)),
        ...(halt.isCancelled ? [`${cancelled}; nothing was verified`] : []),
        ...setOutputs(outputs, runner),
    ];
    if (showSummary) {
        const verdict = '❌ NOT VERIFIED: stopped before anything was checked against the records';
        const these = messages.length === 1 ? 'this' : 'these';
        const lead = `<b>Do not deploy.</b> Nothing is known of the artifacts. Correct ${these}, then run the job again:`;
        const page = { verdict, lead, messages, place: { source, service: baseUrl } };
        await (0,deliver/* deliverSummary */.ep)((0,report_page/* formatStopped */.Zh)(page), runner);
    }
    for (const message of messages)
        runner.error(message);
    return 1;
}
const cancelled = 'The run was cancelled by a signal';
function setOutputs(outputs, runner) {
    const failure = (0,deliver/* deliverOutputs */.e)(outputs, runner);
    if (failure === null)
        return [];
    return [
        `The outputs could not be written (${failure}); make room on the machine, then run the job again`,
    ];
}
async function reportEnd(end, options) {
    const { runner, halt, secrets, showSummary } = options;
    const { artifacts, missing, requireAll, sha, heads } = end;
    const redact = (text) => secrets.redactText(text);
    const clean = (one) => redactVerified(one, secrets);
    const counts = countStates([...artifacts, ...missing]);
    const listed = requireAll ? [...artifacts, ...missing] : artifacts;
    const shown = sortForReader(end);
    const line = formatVerdict(counts, requireAll);
    const checkedAgainst = `Checked against ${formatRecords(heads.length, end.services.map(redact))}`;
    for (const text of formatLog(shown, sha, clean))
        runner.info(text);
    runner.info(checkedAgainst);
    runner.info(line);
    const results = (0,outputs/* formatWhole */.$X)(listed.values().map(one => resultOf(one, secrets)));
    const verdict = decideVerdict(counts, requireAll);
    const outputFailures = setOutputs({ verdict, results, ...countOutputs(counts) }, runner);
    const tooLong = results === '' ? [await writeResults(listed, options)] : [];
    for (const warning of tooLong)
        runner.warning(warning);
    if (showSummary) {
        const warnings = [...end.warnings.map(redact), ...tooLong];
        const page = { verdict: line, shown, sha, checkedAgainst, warnings, clean };
        await (0,deliver/* deliverSummary */.ep)(formatVerifySummary(page), runner);
    }
    const first = shown.find(({ state }) => state !== 'matched');
    const errors = [
        ...(first === undefined ? [] : [formatError(clean(first), line)]),
        ...outputFailures,
        ...(halt.isCancelled ? [cancelled] : []),
    ];
    for (const error of errors)
        runner.error(error);
    return errors.length === 0 ? 0 : 1;
}
function redactVerified(one, secrets) {
    const redact = (text) => secrets.redactText(text);
    const name = redact(one.name);
    if (one.state === 'unknown')
        return { ...one, name, why: redact(one.why) };
    const { artifact, service, sha, read } = one.recorded;
    const recorded = {
        ...one.recorded,
        ...{ artifact: redact(artifact), service: redact(service) },
        sha: sha === null ? null : redact(sha),
        read: () => {
            const entry = read();
            return { ...entry, ...secrets.redact(entry.record), service: redact(entry.service) };
        },
    };
    return { ...one, name, recorded };
}
function countStates(all) {
    const counts = { matched: 0, altered: 0, unknown: 0, missing: 0 };
    for (const { state } of all)
        counts[state]++;
    return counts;
}
function countOutputs({ matched, altered, unknown, missing }) {
    return {
        ...{ 'matched-count': matched, 'altered-count': altered },
        ...{ 'unknown-count': unknown, 'missing-count': missing },
    };
}
function decideVerdict(counts, requireAll) {
    if (counts.altered > 0)
        return 'altered';
    if (counts.unknown > 0)
        return 'unknown';
    return requireAll && counts.missing > 0 ? 'missing' : 'matched';
}
function formatVerdict(counts, requireAll) {
    const { matched, altered, unknown, missing } = counts;
    const total = matched + altered + unknown;
    const absent = requireAll ? `, ${missing} recorded but missing` : '';
    return decideVerdict(counts, requireAll) === 'matched'
        ? `✅ VERIFIED: ${matched} of ${(0,words/* counted */.hS)(total, 'artifact')} match their notarization records${absent}`
        : `❌ NOT VERIFIED: ${matched} of ${(0,words/* counted */.hS)(total, 'artifact')} match; ${altered} altered, ${unknown} unknown${absent}`;
}
function sortForReader({ artifacts, missing, requireAll, sha }) {
    const { altered = [], unknown = [], matched = [] } = Object.groupBy(artifacts, one => one.state);
    const alteredFrom = new Set(altered.map(({ recorded }) => recorded?.hash));
    const absent = requireAll
        ? missing.filter(({ recorded }) => !alteredFrom.has(recorded?.hash))
        : [];
    const hasNote = (one) => noteMatch(one, sha) !== '';
    const plain = matched.filter(one => !hasNote(one));
    return [...altered, ...unknown, ...absent, ...matched.filter(hasNote), ...plain];
}
function formatError(first, line) {
    const why = (0,text_escape/* quote */.hD)(explain(first), text_escape/* maxMessageLength */.sZ);
    return `${line.replace(/^\S+ /, '')}. The first, "${(0,text_escape/* quote */.hD)(first.name)}": ${first.state}: ${why}`;
}
const maxLines = 100;
function formatLog(shown, sha, clean) {
    const lines = shown.slice(0, maxLines).map(given => {
        const one = clean(given);
        const { name, size, hash, state } = one;
        const text = state === 'matched' ? noteMatch(one, sha) : explain(one);
        const why = text === '' ? '' : `: ${(0,text_escape/* quote */.hD)(text, text_escape/* maxMessageLength */.sZ)}`;
        return `${state}: "${(0,text_escape/* quote */.hD)(name)}" (${(0,text_size/* formatSize */.X)(size)}, ${hash ?? 'not hashed'})${why}`;
    });
    const rest = shown.length - lines.length;
    return rest > 0 ? [...lines, `and ${rest} more, see the job summary`] : lines;
}
function resultOf(one, secrets) {
    const { name, size, hash, state, recorded } = one;
    const { artifact, service, sha, hash: recordedHash, read } = recorded ?? {};
    const known = read && { artifact, hash: recordedHash, service, sha, record: read().record };
    const message = explain(one);
    return secrets.redact({ artifact: name, size, hash, state, recorded: known ?? null, message })
        .record;
}
async function writeResults(listed, { secrets, tempFolder }) {
    const empty = 'The output "results" is empty, as it would have more than 120,000 bytes';
    try {
        const file = { name: 'verification-results.json', text: linesOf(listed, secrets) };
        const path = await (0,deliver/* writeTemporary */.bW)(tempFolder, file);
        return `${empty}; all results are in "${path}" until this job ends`;
    }
    catch (error) {
        return `${empty}, and the file for them could not be written to the folder for temporary files (RUNNER_TEMP): ${(0,system_error/* describeError */.U)(error)}`;
    }
}
function* linesOf(listed, secrets) {
    let before = '[\n';
    for (const one of listed) {
        yield `${before}${JSON.stringify(resultOf(one, secrets))}`;
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
    const checked = leaks.length > 0 ? Promise.reject(new stop/* Stop */.V(...leaks)) : checkAgainstRecords(host, reading);
    const ending = await checked.catch((error) => {
        const problems = halt.isCancelled ? [] : (0,log/* problemsOf */.GW)(error, environment.reportTo);
        return { kind: 'stopped', problems };
    });
    const source = (0,environment_0/* redactSource */.bH)(environment.source, text => secrets.redactText(text));
    return reportVerification(ending, { ...environment, ...host, ...reading.usable, source });
}
async function checkAgainstRecords(host, { inputs, usable, problems }) {
    const { environment, runner, secrets, halt, clock, workerFile } = host;
    const { workspace, home } = environment;
    const where = { place: { workspace, home, path: external_node_path_ }, halt: halt.signal };
    const files = await (0,artifacts_files/* findFiles */.l)(usable.records, where);
    const found = await (0,collect/* collectArtifacts */.k)({ ...usable, ifNoFilesFound: 'error' }, {
        ...where,
        remedy: 'correct the pattern',
        skip: files.files.map(({ absolutePath }) => absolutePath),
    });
    const wrong = [...problems, ...found.problems, ...patternProblem(files)];
    if (inputs === null || wrong.length > 0)
        throw new stop/* Stop */.V(...wrong);
    const release = await (0,release_open/* openRelease */.g)({ ...inputs, attachToRelease: false }, {
        ...{ ...host, ...environment, makeId: external_node_crypto_.randomUUID, log: runner.info },
        redact: text => secrets.redactText(text),
    });
    const records = await readAllRecords(files, inputs, release.readRecords);
    const warnings = [...found.warnings, ...release.warnings, ...records.warnings];
    warnings.forEach(runner.warning);
    const onProgress = (0,progress/* createProgress */.m)('hashing', clock, runner.info);
    const hashed = await (0,hash/* hashFiles */.y)(found.files, halt.signal, { workerFile, onProgress });
    const artifacts = [...found.listed, ...hashed, ...release.artifacts];
    if (artifacts.length === 0)
        throw new stop/* Stop */.V(nothingFound);
    const { sha, requireAll } = inputs;
    const isOfNone = !records.heads.some(head => isOfCommit(head, sha));
    if (requireAll && sha !== null && isOfNone)
        throw new stop/* Stop */.V(noRecordOfCommit);
    const compared = compareWithRecords({ artifacts, records, sha });
    stop/* Stop */.V.ifAny((0,plan/* conflictProblem */.KL)(compared.conflicts));
    await (0,promises_.setImmediate)();
    await (0,promises_.setImmediate)();
    const isAllGood = compared.artifacts.every(({ state }) => state === 'matched');
    if (halt.isCancelled && isAllGood)
        throw new stop/* Stop */.V();
    return { kind: 'ended', ...compared, ...records, sha, requireAll };
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
