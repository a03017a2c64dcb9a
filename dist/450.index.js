export const id = 450;
export const ids = [450];
export const modules = {

/***/ 3450:
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
// EXTERNAL MODULE: ./artifacts/files.js
var files = __webpack_require__(9706);
// EXTERNAL MODULE: ./artifacts/hash.js
var hash = __webpack_require__(101);
// EXTERNAL MODULE: ./failure.js
var failure = __webpack_require__(7579);
// EXTERNAL MODULE: ../node_modules/zod/v4/mini/schemas.js + 1 modules
var schemas = __webpack_require__(4763);
// EXTERNAL MODULE: ./inputs/shared-inputs.js
var shared_inputs = __webpack_require__(1218);
;// CONCATENATED MODULE: ./inputs/verify-inputs.js


const defaultRecords = 'notarization-records*.jsonl';
const verifySchema = schemas/* object */.Ikc({
    ...shared_inputs/* commonInputs */.j$,
    records: schemas/* prefault */.SdS(schemas/* string */.YjP(), defaultRecords),
    requireAll: schemas/* prefault */.SdS(shared_inputs/* boolean */.zM, 'false'),
});
const verifyInputNames = shared_inputs/* inputNames */.vj(verifySchema);
const readVerifyInputs = (rawInputs) => shared_inputs/* parseInputs */.TL(verifySchema, rawInputs);

// EXTERNAL MODULE: ./plan.js
var plan = __webpack_require__(6894);
// EXTERNAL MODULE: ./release/release.js
var release_release = __webpack_require__(4030);
// EXTERNAL MODULE: ./report/write.js + 1 modules
var write = __webpack_require__(4720);
// EXTERNAL MODULE: ./text/escape.js
var text_escape = __webpack_require__(8146);
// EXTERNAL MODULE: ./text/phrases.js
var phrases = __webpack_require__(7999);
// EXTERNAL MODULE: external "node:assert"
var external_node_assert_ = __webpack_require__(4589);
// EXTERNAL MODULE: ./outcome.js
var outcome = __webpack_require__(1949);
// EXTERNAL MODULE: ./records/found.js
var records_found = __webpack_require__(5284);
// EXTERNAL MODULE: ./records/lines.js
var records_lines = __webpack_require__(3243);
// EXTERNAL MODULE: ./records/record.js
var records_record = __webpack_require__(5523);
// EXTERNAL MODULE: ./report/steps.js
var steps = __webpack_require__(6679);
// EXTERNAL MODULE: ./report/words.js
var words = __webpack_require__(649);
// EXTERNAL MODULE: ./text/names.js
var names = __webpack_require__(2117);
;// CONCATENATED MODULE: ./verify/compare.js











function selectRecords(found, baseUrl) {
    const { lines, problems, warnings } = (0,records_found/* readRecords */.T)(found);
    failure/* Stop */.VG.ifAny(problems);
    const entries = Array.from(lines.values(), ({ entry }) => entry);
    const all = entries.filter(records_lines/* isRecord */.u4);
    const ofService = all.filter(({ service }) => service === baseUrl);
    ofService.sort((a, b) => (0,names/* compareCodeUnits */.UF)(a.at, b.at));
    const ofOthers = all.filter(({ service }) => service !== baseUrl);
    const hashes = (0,phrases/* pluralize */.td)(new Set(ofService.map(({ hash }) => hash)).size, 'record');
    let count = `${hashes} of "${(0,text_escape/* quote */.hD)(baseUrl)}"`;
    if (ofOthers.length > 0)
        count += `; ${ofOthers.length} of other services do not count`;
    const byName = Map.groupBy(ofService, ({ artifact }) => (0,names/* baseName */.Fl)(artifact));
    const counted = entries.filter(({ service }) => service === baseUrl);
    const byHash = Map.groupBy(counted, ({ hash }) => hash);
    return { byHash, ofService, byName, ofOthers, count, warnings };
}
function compareWithRecords(artifacts, records, requireAll) {
    const verified = artifacts.map(artifact => compareOne(artifact, records));
    return requireAll ? verified.concat(findMissing(verified, records)) : verified;
}
function compareOne(artifact, records) {
    const { name, size, hash } = artifact;
    if (hash === null)
        return { name, size, hash, ...explainUnread(artifact) };
    const isNamed = (record) => (0,names/* baseName */.Fl)(record.artifact) === (0,names/* baseName */.Fl)(name);
    const candidates = (records.byHash.get(hash) ?? []).filter(records_lines/* isRecord */.u4);
    const match = candidates.find(isNamed) ?? candidates[0];
    if (match !== undefined) {
        const notes = [];
        if (!isNamed(match))
            notes.push(`under another name, "${match.artifact}"`);
        if (match.confirmed)
            notes.push('not from the service: a person confirmed it after a look-up');
        const why = notes.length === 0 ? '' : `its record is ${notes.join(', and ')}`;
        return { name, size, hash, state: 'matched', recorded: match, why, remedy: '' };
    }
    const namesakes = records.byName.get((0,names/* baseName */.Fl)(name)) ?? [];
    const recorded = namesakes.findLast(record => record.artifact === name) ?? namesakes.at(-1);
    if (recorded === undefined)
        return { name, size, hash, ...explainUnknown(hash, records) };
    let why = `the record of this name has another hash, ${recorded.hash.slice(0, 12)}…; ${describeTime(recorded)}`;
    let remedy = 'if a step of yours changed the file, notarize the final file; if not, treat it as tampered with';
    const doubt = describeDoubt(hash, records);
    if (doubt !== '') {
        why = `${doubt}; ${why}`;
        remedy = finishRun;
    }
    return { name, size, hash, state: 'altered', recorded, why, remedy };
}
const finishRun = 'finish the run that notarizes it, then verify with its records';
function describeDoubt(hash, { byHash }) {
    const doubt = byHash.get(hash)?.at(-1);
    if (doubt === undefined)
        return '';
    return `it was sent at ${doubt.at}, without a record, and may be registered`;
}
function explainUnread(artifact) {
    external_node_assert_((0,outcome/* isFailed */.Ix)(artifact), 'an artifact without a hash has failed');
    const { observed, reason } = artifact.outcome.failure;
    const { cause, next } = words/* words */.aL[reason];
    return unknown((0,steps/* summarize */.eh)(cause, observed), next);
}
function explainUnknown(hash, records) {
    const doubt = describeDoubt(hash, records);
    if (doubt !== '')
        return unknown(doubt, finishRun);
    const other = records.ofOthers.find(record => record.hash === hash);
    if (other !== undefined) {
        const why = `its record is from another service, ${(0,text_escape/* quote */.hD)(other.service)}`;
        return unknown(why, 'set "base-url" to the service that notarized it');
    }
    const remedy = 'check that you have all records files, and that the patterns match only what was notarized';
    return unknown('no record has its hash or its name', remedy);
}
function unknown(why, remedy) {
    return { state: 'unknown', recorded: null, why, remedy };
}
function findMissing(verified, { ofService }) {
    if (ofService.length === 0) {
        const next = 'download the records of what was notarized';
        const text = 'is true, but there is no record to require';
        throw new failure/* Stop */.VG((0,failure/* problemWith */.CO)('require-all', text, { next }));
    }
    const hashes = new Set(verified.map(({ hash }) => hash));
    const altered = verified.filter(({ state }) => state === 'altered');
    const alteredNames = new Set(altered.map(({ name }) => (0,names/* baseName */.Fl)(name)));
    const newest = new Map(ofService.map(record => [record.artifact, record.at]));
    const absent = ofService.filter(record => {
        const { artifact, hash, at } = record;
        const isReplaced = at < (newest.get(artifact) ?? '');
        return !hashes.has(hash) && !isReplaced && !alteredNames.has((0,names/* baseName */.Fl)(artifact));
    });
    const remedy = 'check the step that supplies the files';
    const onePerHash = new Map(absent.map(record => [record.hash, record]));
    const missing = Array.from(onePerHash.values(), (recorded) => {
        const { artifact: name, size, hash } = recorded;
        const why = `${describeTime(recorded)}, but no artifact has this hash`;
        return { name, size, hash, state: 'missing', recorded, why, remedy };
    });
    return missing.sort((a, b) => (0,names/* compareCodeUnits */.UF)(a.name, b.name));
}
function describeTime({ record }) {
    const { time } = (0,records_record/* describeFields */.V)(record);
    return time === '' ? 'it was registered' : `it was registered at ${time} UTC`;
}

// EXTERNAL MODULE: ./report/outputs.js
var outputs = __webpack_require__(7954);
// EXTERNAL MODULE: ./report/report.js
var report = __webpack_require__(4156);
;// CONCATENATED MODULE: ./verify/verify-report.js







const comparisonStates = ['altered', 'unknown', 'missing', 'matched'];
function reportCompared({ verified, checkedAgainst }, host) {
    const results = verified.map(result => redactResult(result, host));
    const ranked = rankResults(results);
    const [worst] = ranked;
    external_node_assert_(worst !== undefined, 'a run without artifacts stops');
    const tooLong = 'The output "results" is empty, because it would exceed 120,000 bytes';
    const counts = countStates(results);
    const json = (0,outputs/* formatWhole */.$X)(results.map(toJson), tooLong, host);
    const outputsError = (0,outputs/* setOutputs */.n0)(outputsOf(worst.state, json, counts), host);
    const ofRun = (0,steps/* explainRun */.Df)(outputsError, { host });
    const isMatch = worst.state === 'matched';
    const found = Array.from(counts).filter(([state, count]) => state !== 'matched' && count > 0);
    const wrong = found.map(([state, count]) => `${count} ${state}`);
    const errors = ofRun.map(finding => (0,steps/* formatFindings */.eg)([finding]));
    if (!isMatch)
        errors.unshift(describeMismatch(worst, wrong));
    const warnings = [...host.runner.warnings];
    if (isMatch) {
        const text = 'A match does not prove who wrote the records file.';
        warnings.push({ text, docs: 'verify.md#what-is-left-to-trust' });
    }
    const isGood = errors.length === 0;
    const causes = [...ofRun.map(({ cause }) => cause), ...wrong];
    return {
        ...emptyReport,
        exitCode: isGood ? 0 : 1,
        title: describeTitle(counts, causes),
        facts: [factOf(`compared with ${checkedAgainst}.`)],
        lead: isMatch ? 'What to do' : 'Do not deploy',
        steps: [...findSteps(ranked), ...(0,steps/* toSteps */.fe)(ofRun)],
        warnings,
        columns: ['Registered at (UTC)', 'Blockchain'],
        rows: ranked.map(makeVerifyRow),
        errors,
    };
}
function reportNotCompared(problems, host) {
    const outputsError = (0,outputs/* setOutputs */.n0)(outputsOf('stopped', '[]', countStates([])), host);
    const ofInputs = problems.map(problem => (0,steps/* explainProblem */.FR)(problem, host));
    const ofRun = (0,steps/* explainRun */.Df)(outputsError, { host });
    return {
        ...emptyReport,
        exitCode: 1,
        title: '❌ NOT VERIFIED: stopped before anything was compared',
        facts: [factOf('none. No file was verified, so do not deploy.')],
        lead: 'What to do',
        steps: (0,steps/* toSteps */.fe)([...ofInputs, ...ofRun]),
        warnings: host.runner.warnings,
        errors: [
            ...(0,steps/* describeProblems */.yg)(problems, host),
            ...ofRun.map(finding => (0,steps/* formatFindings */.eg)([finding])),
        ],
    };
}
const emptyReport = {
    pointers: [],
    columns: [],
    rows: [],
    hasPage: false,
    failures: [],
};
function factOf(text) {
    return { label: 'Comparison', warning: '', text };
}
function rankResults(results) {
    const rankOf = ({ state, why }) => comparisonStates.indexOf(state) + (why === '' ? 1 : 0);
    return results.toSorted((a, b) => rankOf(a) - rankOf(b));
}
function redactResult(result, { secrets }) {
    const { recorded } = result;
    const name = secrets.redactText(result.name);
    const why = secrets.redactText(result.why);
    if (recorded === null)
        return { ...result, name, why };
    const artifact = secrets.redactText(recorded.artifact);
    const record = secrets.redactJson(recorded.record);
    return { ...result, name, why, recorded: { ...recorded, artifact, record } };
}
function toJson({ name, recorded, why, remedy, ...rest }) {
    const entry = { artifact: name, ...rest, message: (0,phrases/* toSentences */.Mc)([why, remedy]) };
    if (recorded === null)
        return { ...entry, recorded };
    const { artifact, hash, service, record, source } = recorded;
    return { ...entry, recorded: { artifact, hash, service, record, sha: source.sha } };
}
function countStates(results) {
    const countOf = (wanted) => results.filter(({ state }) => state === wanted).length;
    return new Map(comparisonStates.map(state => [state, countOf(state)]));
}
function outputsOf(verdict, results, counts) {
    const entries = Array.from(counts, ([state, count]) => [`${state}-count`, count]);
    return { verdict, results, ...Object.fromEntries(entries) };
}
function describeTitle(counts, wrong) {
    const { matched = 0, altered = 0, unknown = 0 } = Object.fromEntries(counts);
    const all = (0,phrases/* pluralize */.td)(matched + altered + unknown, 'file matches its notarization record', 'files match their notarization records');
    if (wrong.length === 0)
        return `✅ VERIFIED: ${matched} of ${all}`;
    return `❌ NOT VERIFIED: ${wrong.join(', ')}; ${matched} of ${all}`;
}
function describeMismatch(worst, wrong) {
    const { name, state, why, remedy } = worst;
    const first = `"${(0,text_escape/* quote */.hD)(name)}" is ${state}: ${why}`;
    return (0,phrases/* toSentences */.Mc)([`do not deploy: ${wrong.join(', ')}`, first, remedy]);
}
function findSteps(ranked) {
    const wrong = ranked.filter(({ state }) => state !== 'matched');
    const steps = Map.groupBy(wrong, ({ remedy }) => remedy);
    return Array.from(steps, ([remedy, same]) => {
        const happened = new Set(same.map(({ state, why }) => (0,phrases/* toSentence */.Re)(`${state}: ${why}`)));
        const files = same.map(({ name }) => ({ name, hash: null, url: null }));
        const next = (0,phrases/* toSentence */.Re)(remedy);
        return { next, happened: [...happened].slice(0, report/* maxNames */.$), files };
    });
}
function makeVerifyRow(artifact) {
    const { state, recorded, why } = artifact;
    const isMatch = state === 'matched';
    const row = { artifact, url: null, note: why, hasFailed: !isMatch, isPlain: why === '' };
    if (recorded === null || !isMatch)
        return { ...row, state: `❌ ${state}`, cells: [] };
    const { time, blockchain } = (0,records_record/* describeFields */.V)(recorded.record);
    return { ...row, state: '✅ matched', cells: [time, blockchain] };
}

;// CONCATENATED MODULE: ./verify/verify.js













const verifyAction = {
    inputNames: verifyInputNames,
    run: async (host, rawInputs) => {
        const { environment, secrets, halt } = host;
        const reading = readVerifyInputs(rawInputs);
        secrets.add([...reading.secrets, environment.runtimeToken]);
        const { showSummary } = reading.inputs;
        let compared;
        try {
            compared = await compare(host, reading);
        }
        catch (error) {
            let problems = [];
            if (!halt.isCanceled) {
                if (error instanceof failure/* Stop */.VG)
                    problems = error.problems;
                else
                    halt.noteBug(error);
            }
            return (0,write/* writeReport */.u)(reportNotCompared(problems, host), host, showSummary);
        }
        return (0,write/* writeReport */.u)(reportCompared(compared, host), host, showSummary);
    },
};
async function compare(host, { inputs, problems }) {
    const { environment, halt, runner, secrets } = host;
    const { releaseTag, requireAll } = inputs;
    const recordsFiles = await (0,files/* findFiles */.lY)('records', inputs.records, host);
    const skip = recordsFiles.files.map(({ path }) => path);
    const found = await (0,collect/* collectArtifacts */.k)({ path: inputs.path, checksums: inputs.checksums, ifNoFilesFound: 'error' }, host, skip);
    const mayBeOnRelease = inputs.records === defaultRecords && releaseTag !== null;
    const ofRecords = mayBeOnRelease ? recordsFiles.problems : patternProblems(recordsFiles);
    secrets.exempt([...found.files, ...found.listed].map(({ name }) => name));
    secrets.addDetails(environment.passwords);
    failure/* Stop */.VG.ifAny([...problems, ...found.problems, ...ofRecords]);
    const release = await (0,release_release/* readRelease */.iJ)(inputs, host);
    const either = [readRecordsFiles(recordsFiles, host), release?.records ?? []];
    const chosen = either.find(({ length }) => length > 0);
    if (chosen === undefined) {
        const why = 'neither the workspace nor the release has a records file';
        throw new failure/* Stop */.VG((0,failure/* problemAt */.l4)('records', why, { next: 'download the records files first' }));
    }
    const records = selectRecords(chosen, inputs.baseUrl);
    for (const { warnings } of [recordsFiles, found, records]) {
        for (const text of warnings)
            runner.warning(text);
    }
    const hashed = await (0,hash/* hashFiles */.y)(found.files, host);
    await (0,promises_.setImmediate)();
    await (0,promises_.setImmediate)();
    if (halt.reason !== null)
        throw new failure/* Stop */.VG();
    const artifacts = hashed.concat(found.listed, release?.artifacts ?? []);
    const { combined, problems: conflicts } = (0,plan/* combineArtifacts */.LP)(artifacts);
    failure/* Stop */.VG.ifAny(conflicts);
    if (combined.length === 0) {
        const why = 'the release has no assets to verify';
        throw new failure/* Stop */.VG((0,failure/* problemAt */.l4)('release-tag', why, { next: 'check the tag' }));
    }
    const verified = compareWithRecords(combined, records, requireAll);
    return { verified, checkedAgainst: records.count };
}
function patternProblems({ problems, patterns }) {
    const empty = patterns.filter(({ paths }) => paths.size === 0);
    const wrong = empty.map(({ text }) => `"${(0,text_escape/* quote */.hD)(text)}" matches no file`);
    if (wrong.length === 0 || problems.length > 0)
        return problems;
    const next = 'download the records files first, or correct the pattern';
    return [(0,failure/* problemAt */.l4)('records', (0,phrases/* joinFirst */.FS)(wrong, 3), { next })];
}
function readRecordsFiles({ files }, { disk }) {
    return files.map(({ name, path }) => {
        try {
            return { name, bytes: disk.read(path), input: 'records' };
        }
        catch (error) {
            const why = `"${(0,text_escape/* quote */.hD)(name)}" cannot be read: ${(0,failure/* describeError */.Uc)(error)}`;
            throw new failure/* Stop */.VG((0,failure/* problemAt */.l4)('records', why, { next: 'make the file readable' }));
        }
    });
}


/***/ })

};
