export const id = 450;
export const ids = [450];
export const modules = {

/***/ 3450:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  runVerify: () => (/* binding */ runVerify)
});

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
const readVerifyInputs = (rawInputs) => shared_inputs/* parseInputs */.TL(verifySchema, rawInputs);

// EXTERNAL MODULE: ./plan.js
var plan = __webpack_require__(6894);
// EXTERNAL MODULE: ./release/release.js
var release_release = __webpack_require__(4030);
// EXTERNAL MODULE: ./report/write.js
var write = __webpack_require__(5823);
// EXTERNAL MODULE: ./text/escape.js
var text_escape = __webpack_require__(8146);
// EXTERNAL MODULE: ./text/phrases.js
var phrases = __webpack_require__(7999);
// EXTERNAL MODULE: external "node:assert"
var external_node_assert_ = __webpack_require__(4589);
// EXTERNAL MODULE: ./outcome.js
var outcome = __webpack_require__(1949);
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










function compareWithRecords(artifacts, records, requireAll) {
    const verified = artifacts.map(artifact => compareOne(artifact, records));
    return requireAll ? verified.concat(findMissing(verified, records)) : verified;
}
function selectRecords(found, service) {
    const { lines, problems, warnings } = (0,records_lines/* readRecords */.T3)(found);
    failure/* Stop */.VG.ifAny(problems);
    const entries = Array.from(lines.values(), ({ entry }) => entry);
    const counted = entries.filter(entry => entry.service === service);
    const ofOthers = entries.filter(records_lines/* isRecord */.u4).filter(entry => entry.service !== service);
    const ofService = counted.filter(records_lines/* isRecord */.u4).sort((a, b) => (0,names/* compareCodeUnits */.UF)(a.at, b.at));
    const byHash = Map.groupBy(counted, ({ hash }) => hash);
    const byName = Map.groupBy(ofService, ({ artifact }) => (0,names/* baseName */.Fl)(artifact));
    const hashes = new Set(ofService.map(({ hash }) => hash));
    let summary = `${(0,phrases/* pluralize */.td)(hashes.size, 'record')} of "${(0,text_escape/* quote */.hD)(service)}"`;
    if (ofOthers.length > 0)
        summary += `; ${ofOthers.length} of other services do not count`;
    return { byHash, byName, ofService, ofOthers, summary, warnings };
}
function compareOne(artifact, records) {
    const { name, size, hash } = artifact;
    if (hash === null) {
        external_node_assert_((0,outcome/* isFailed */.Ix)(artifact), 'an artifact without a hash has failed');
        const { observed, reason } = artifact.outcome.failure;
        const { cause, next: remedy } = words/* words */.a[reason];
        const why = (0,steps/* summarize */.eh)(cause, observed);
        return { name, size, hash, state: 'unknown', recorded: null, why, remedy };
    }
    const isNamed = (record) => (0,names/* baseName */.Fl)(record.artifact) === (0,names/* baseName */.Fl)(name);
    const entries = records.byHash.get(hash) ?? [];
    const candidates = (0,records_lines/* findRecords */.gP)(entries);
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
    const exact = namesakes.findLast(record => record.artifact === name);
    const recorded = exact ?? namesakes.at(-1) ?? null;
    const state = recorded === null ? 'unknown' : 'altered';
    const other = records.ofOthers.find(record => record.hash === hash);
    let why = 'no record has its hash or its name';
    let remedy = 'check that you have all records files, and that the patterns match only what was notarized';
    if (recorded !== null) {
        why = `the record of this name has another hash, ${recorded.hash.slice(0, 12)}…; ${describeTime(recorded)}`;
        remedy =
            'if one of your steps changed the file, notarize the final file; if not, treat it as tampered with';
    }
    else if (other !== undefined) {
        why = `its record is from another service, ${(0,text_escape/* quote */.hD)(other.service)}`;
        remedy = 'set "base-url" to the service that notarized it';
    }
    const doubt = entries.at(-1);
    if (doubt !== undefined) {
        const sent = `it was sent on ${(0,phrases/* formatTime */.fU)(Date.parse(doubt.at))} UTC, without a record, and may be registered`;
        why = recorded === null ? sent : `${sent}; ${why}`;
        remedy = 'finish the run that notarizes it, then verify with its records';
    }
    return { name, size, hash, state, recorded, why, remedy };
}
function findMissing(verified, { ofService, ofOthers }) {
    if (ofService.length === 0) {
        let next = 'download the records of what was notarized';
        if (ofOthers.length > 0)
            next = 'set "base-url" to the service of these records';
        const text = 'is true, but there is no record to require';
        throw new failure/* Stop */.VG((0,failure/* problemWith */.CO)('require-all', text, { next }));
    }
    const hashes = new Set(verified.map(({ hash }) => hash));
    const altered = verified.filter(({ state }) => state === 'altered');
    const alteredNames = new Set(altered.map(({ name }) => (0,names/* baseName */.Fl)(name)));
    const newest = new Map(ofService.map(record => [record.artifact, record.at]));
    const absent = ofService.filter(({ artifact, hash, at }) => {
        const isReplaced = newest.get(artifact) !== at || alteredNames.has((0,names/* baseName */.Fl)(artifact));
        return !hashes.has(hash) && !isReplaced;
    });
    const remedy = 'check the step that supplies the files';
    const onePerHash = new Map(absent.map(record => [record.hash, record]));
    const missing = Array.from(onePerHash.values(), (recorded) => {
        const { artifact: name, size, hash } = recorded;
        const why = `${describeTime(recorded)}, but no file has this hash`;
        return { name, size, hash, state: 'missing', recorded, why, remedy };
    });
    return missing.sort((a, b) => (0,names/* compareCodeUnits */.UF)(a.name, b.name));
}
function describeTime({ record }) {
    const { time } = (0,records_record/* describeFields */.V)(record);
    return time === '' ? 'it was registered' : `it was registered at ${time} UTC`;
}

// EXTERNAL MODULE: ./report/outputs.js
var report_outputs = __webpack_require__(7954);
// EXTERNAL MODULE: ./report/report.js
var report = __webpack_require__(4156);
;// CONCATENATED MODULE: ./verify/verify-report.js






const comparisonStates = ['altered', 'unknown', 'missing', 'matched'];
function reportVerified({ verified, checkedAgainst, problems }, host) {
    const results = verified.map(result => redactResult(result, host));
    const ranked = results.toSorted((a, b) => rankOf(a) - rankOf(b));
    const [worst] = ranked;
    const verdict = worst?.state ?? 'stopped';
    const counts = comparisonStates.map(state => {
        return { state, count: results.filter(result => result.state === state).length };
    });
    const countOutputs = counts.map(({ state, count }) => [`${state}-count`, count]);
    const tooLong = 'The output "results" is empty, because it would exceed 120,000 bytes';
    const json = (0,report_outputs/* formatWhole */.$X)(results.map(toJson), tooLong, host);
    const outputs = { verdict, results: json, ...Object.fromEntries(countOutputs) };
    const outputsError = (0,report_outputs/* setOutputs */.n0)(outputs, host);
    const mismatches = ranked.filter(({ state }) => state !== 'matched');
    const ofFiles = mismatches.map(artifact => {
        const { state, why, remedy: next } = artifact;
        return { cause: `${state}: ${why}`, next, observed: '', brief: '', artifact };
    });
    const ofInputs = problems.map(problem => steps/* explainProblem */.FR(problem, host));
    const ofRun = steps/* explainRun */.Df(outputsError, host);
    const found = counts.filter(({ state, count }) => state !== 'matched' && count > 0);
    const wrong = found.map(({ state, count }) => `${count} ${state}`);
    const { docsUrl } = host.environment;
    const errorsOfRun = ofRun.map(finding => steps/* formatFindings */.eg([finding], docsUrl));
    const errors = [...steps/* describeProblems */.yg(problems, host), ...errorsOfRun];
    const warnings = [...host.runner.warnings];
    let comparison = `${checkedAgainst}.`;
    if (worst === undefined)
        comparison = 'nothing. No file was verified, so do not deploy.';
    else if (worst.state === 'matched') {
        const text = 'A match does not prove who wrote the records file.';
        warnings.push({ text, docs: 'verify.md#what-is-left-to-trust' });
    }
    else {
        const { name, state, why, remedy } = worst;
        const first = `"${(0,text_escape/* quote */.hD)(name)}" is ${state}: ${why}`;
        errors.unshift((0,phrases/* toSentences */.Mc)([`do not deploy: ${wrong.join(', ')}`, first, remedy]));
    }
    return {
        exitCode: verdict === 'matched' && errors.length === 0 ? 0 : 1,
        title: describeTitle(results, [...ofRun.map(({ cause }) => cause), ...wrong]),
        facts: [(0,report/* makeFact */.l)('Compared with', '', comparison)],
        steps: [...steps/* toSteps */.fe(ofFiles, 1), ...steps/* toSteps */.fe([...ofInputs, ...ofRun])],
        warnings,
        pointers: [],
        rows: ranked.map(makeVerifyRow),
        hasPage: false,
        errors,
    };
}
function rankOf({ state, why }) {
    return comparisonStates.indexOf(state) + (why === '' ? 1 : 0);
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
function describeTitle(results, causes) {
    if (results.length === 0)
        return '❌ NOT VERIFIED: stopped before anything was compared';
    const files = results.filter(({ state }) => state !== 'missing');
    const all = (0,phrases/* pluralize */.td)(files.length, 'file matches its notarization record', 'files match their notarization records');
    const matching = `${files.filter(({ state }) => state === 'matched').length} of ${all}`;
    if (causes.length === 0)
        return `✅ VERIFIED: ${matching}`;
    return `❌ NOT VERIFIED, do not deploy: ${causes.join(', ')}; ${matching}`;
}
function makeVerifyRow(artifact) {
    const { state, recorded, why } = artifact;
    const row = { artifact, url: null, note: why };
    if (recorded === null || state !== 'matched') {
        return { ...row, state: `❌ ${state}`, cells: [], rank: 1 };
    }
    const { time, blockchain } = (0,records_record/* describeFields */.V)(recorded.record);
    return { ...row, state: '✅ matched', cells: [time, blockchain], rank: why === '' ? 3 : 2 };
}

;// CONCATENATED MODULE: ./verify/verify.js












const runVerify = async (host, rawInputs) => {
    const { environment, secrets, halt } = host;
    const reading = readVerifyInputs(rawInputs);
    secrets.add([...reading.keys, environment.runtimeToken]);
    secrets.addDetails(environment.passwords);
    let end = { verified: [], checkedAgainst: '', problems: [] };
    try {
        end = await compare(host, reading);
    }
    catch (error) {
        if (error instanceof failure/* Stop */.VG && !halt.isCanceled)
            end = { ...end, problems: error.problems };
        else if (!halt.isCanceled)
            halt.noteBug(error);
    }
    return (0,write/* writeReport */.u)(reportVerified(end, host), host, reading.inputs.showSummary);
};
async function compare(host, { inputs, problems }) {
    const { environment, halt, runner, secrets } = host;
    const { releaseTag, requireAll } = inputs;
    const recordsFiles = await (0,files/* findFiles */.lY)('records', inputs.records, host);
    const skip = recordsFiles.files.map(({ path }) => path);
    const found = await (0,collect/* collectArtifacts */.k)({ ...inputs, ifNoFilesFound: 'error' }, host, skip);
    const isDefault = inputs.records === defaultRecords;
    const ofRecords = isDefault && releaseTag !== null ? recordsFiles.problems : findEmpty(recordsFiles, isDefault);
    failure/* Stop */.VG.ifAny([...problems, ...(0,release_release/* checkServer */.i6)(inputs, environment), ...found.problems, ...ofRecords]);
    const release = await (0,release_release/* readRelease */.iJ)(inputs, host);
    const { repository, ref } = environment.source;
    const named = [found.files, found.listed, release?.artifacts ?? []].flat();
    const names = named.map(({ name }) => name);
    secrets.maskDetails([...names, repository ?? '', ref ?? '', releaseTag ?? '', inputs.baseUrl]);
    const local = recordsFiles.files.map(({ name, path }) => {
        try {
            return { name, bytes: host.disk.read(path), input: 'records' };
        }
        catch (error) {
            const why = `"${(0,text_escape/* quote */.hD)(name)}" cannot be read: ${(0,failure/* describeError */.Uc)(error)}`;
            throw new failure/* Stop */.VG((0,failure/* problemAt */.l4)('records', why, { next: 'make the file readable' }));
        }
    });
    const chosen = local.length > 0 ? local : (release?.records ?? []);
    if (chosen.length === 0) {
        const why = 'neither the workspace nor the release has a records file';
        throw new failure/* Stop */.VG((0,failure/* problemAt */.l4)('records', why, { next: 'download the records files first' }));
    }
    const records = selectRecords(chosen, inputs.baseUrl);
    for (const text of records.warnings)
        runner.warning(text);
    const hashed = await Array.fromAsync(found.files, file => (0,hash/* hashFile */.D)(file, halt.ended));
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
    return { verified, checkedAgainst: records.summary, problems: [] };
}
function findEmpty({ problems, patterns }, isDefault) {
    const empty = patterns.filter(({ paths }) => paths.size === 0);
    const wrong = empty.map(({ text }) => `"${(0,text_escape/* quote */.hD)(text)}" matches no file`);
    if (wrong.length === 0 || problems.length > 0)
        return problems;
    const next = `download the records files first${isDefault ? '' : ', or correct the pattern'}`;
    return [(0,failure/* problemAt */.l4)('records', (0,phrases/* joinFirst */.FS)(wrong, 3), { next })];
}


/***/ })

};
