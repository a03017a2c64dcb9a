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
// EXTERNAL MODULE: ./report/outputs.js
var outputs = __webpack_require__(7954);
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
// EXTERNAL MODULE: ./records/assess.js
var assess = __webpack_require__(608);
// EXTERNAL MODULE: ./records/lines.js
var lines = __webpack_require__(3243);
// EXTERNAL MODULE: ./records/record.js
var records_record = __webpack_require__(5523);
// EXTERNAL MODULE: ./report/words.js
var words = __webpack_require__(649);
// EXTERNAL MODULE: ./text/names.js
var names = __webpack_require__(2117);
;// CONCATENATED MODULE: ./verify/compare.js










function selectRecords(found, baseUrl) {
    const { entries, problems, warnings } = (0,assess/* readFound */.$C)(found);
    failure/* Stop */.VG.ifAny(problems);
    const all = entries.filter(lines/* isRecord */.u4);
    const ofService = all.filter(({ service }) => service === baseUrl);
    ofService.sort((a, b) => (0,names/* compareCodeUnits */.UF)(ageOf(a), ageOf(b)));
    const ofOthers = all.filter(({ service }) => service !== baseUrl);
    const hashes = (0,phrases/* pluralize */.td)(new Set(ofService.map(({ hash }) => hash)).size, 'record');
    let count = `${hashes} of "${(0,text_escape/* quote */.hD)(baseUrl)}"`;
    if (ofOthers.length > 0)
        count += `; ${ofOthers.length} of other services do not count`;
    return { byHash: (0,assess/* groupByHash */.d6)(entries, baseUrl), ofService, ofOthers, count, warnings };
}
function ageOf({ at }) {
    return at ?? '';
}
function compareWithRecords(comparison) {
    const { artifacts, records, requireAll } = comparison;
    const byBaseName = Map.groupBy(records.ofService, record => (0,names/* baseName */.Fl)(record.artifact));
    const verified = artifacts.map(artifact => {
        if (!(0,outcome/* isHashed */.Sc)(artifact))
            return explainUnread(artifact);
        const namesakes = byBaseName.get((0,names/* baseName */.Fl)(artifact.name)) ?? [];
        const known = findMatch(artifact, records) ?? findAltered(artifact, namesakes);
        return known ?? explainUnknown(artifact, records);
    });
    if (!requireAll)
        return verified;
    return [...verified, ...findMissing(verified, records)];
}
function explainUnread(artifact) {
    external_node_assert_((0,outcome/* isFailed */.Ix)(artifact), 'an artifact without a hash has failed');
    const { observed, reason } = artifact.outcome.failure;
    const { cause, next } = words/* words */.aL[reason];
    const clauses = [cause, observed].filter(text => text !== '');
    return unknown(artifact, clauses.join(': '), next);
}
function findMatch({ name, size, hash }, { byHash }) {
    const isNamed = (record) => (0,names/* baseName */.Fl)(record.artifact) === (0,names/* baseName */.Fl)(name);
    const candidates = (byHash.get(hash) ?? []).filter(lines/* isRecord */.u4);
    const recorded = candidates.find(isNamed) ?? candidates[0];
    if (recorded === undefined)
        return undefined;
    const notes = [];
    if (!isNamed(recorded))
        notes.push(`under another name, "${recorded.artifact}"`);
    if (recorded.confirmed)
        notes.push('not from the service: a person confirmed it after a look-up');
    let why = '';
    if (notes.length > 0)
        why = `its record is ${notes.join(', and ')}`;
    return { name, size, hash, state: 'matched', recorded, why, remedy: '' };
}
function findAltered({ name, size, hash }, namesakes) {
    const recorded = namesakes.findLast(record => record.artifact === name) ?? namesakes.at(-1);
    if (recorded === undefined)
        return undefined;
    const why = `the record of this name has another hash, ${recorded.hash.slice(0, 12)}…; ${describeTime(recorded)}`;
    const remedy = 'if a step of yours changed the file, notarize the final file; if not, treat it as tampered with';
    return { name, size, hash, state: 'altered', recorded, why, remedy };
}
function explainUnknown(artifact, records) {
    const { hash } = artifact;
    const doubt = records.byHash.get(hash)?.at(-1);
    if (doubt !== undefined) {
        const why = `it was sent at ${doubt.at ?? 'an unknown time'}, without a record, and may be registered`;
        return unknown(artifact, why, 'finish the run that notarizes it, then verify with its records');
    }
    const other = records.ofOthers.find(record => record.hash === hash);
    if (other !== undefined) {
        const why = `its record is from another service, ${(0,text_escape/* quote */.hD)(other.service)}`;
        return unknown(artifact, why, 'set "base-url" to the service that notarized it');
    }
    const remedy = 'check that you have all records files, and that the patterns match only what was notarized';
    return unknown(artifact, 'no record has its hash or its name', remedy);
}
function unknown({ name, size, hash }, why, remedy) {
    return { name, size, hash, state: 'unknown', recorded: null, why, remedy };
}
function findMissing(verified, { ofService }) {
    const hashes = new Set(verified.map(({ hash }) => hash));
    const altered = verified.filter(({ state }) => state === 'altered');
    const alteredNames = new Set(altered.map(({ name }) => (0,names/* baseName */.Fl)(name)));
    const newest = new Map(ofService.map(record => [record.artifact, ageOf(record)]));
    const isReplaced = (record) => ageOf(record) < (newest.get(record.artifact) ?? '');
    if (ofService.length === 0) {
        const next = 'download the records of what was notarized';
        throw new failure/* Stop */.VG((0,failure/* problemWith */.CO)('require-all', 'is true, but there is no record to require', { next }));
    }
    const absent = ofService.filter(record => {
        const { artifact, hash } = record;
        return !hashes.has(hash) && !isReplaced(record) && !alteredNames.has((0,names/* baseName */.Fl)(artifact));
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
    const { time } = (0,records_record/* describeFields */.VO)(record);
    return time === '' ? 'it was registered' : `it was registered at ${time} UTC`;
}

// EXTERNAL MODULE: ./report/findings.js
var report_findings = __webpack_require__(8888);
// EXTERNAL MODULE: ./report/stop.js
var stop = __webpack_require__(626);
;// CONCATENATED MODULE: ./verify/verify-report.js








const comparisonStates = ['altered', 'unknown', 'missing', 'matched'];
function makeVerifyOutputs({ verified }, host) {
    const results = verified.map(result => redact(result, host));
    const text = (0,outputs/* formatWhole */.$X)(results.map(toJson));
    if (text === '') {
        host.runner.warning('The output "results" is empty, because it would exceed 120,000 bytes');
    }
    return outputsOf(worstOf(results).state, text, results);
}
function judgeCompared({ verified, checkedAgainst }, host, outputsError) {
    const ranked = rankResults(verified.map(result => redact(result, host)));
    const ofRun = (0,report_findings/* explainRun */.Df)({ outputsError, unsaved: [] }, { host, recordsPath: '' });
    const stepsOfRun = (0,report_findings/* toSteps */.fe)(ofRun, host);
    const isMatch = worstOf(ranked).state === 'matched';
    const errors = stepsOfRun.map(stop/* describeCause */.V);
    if (!isMatch)
        errors.unshift(describeMismatch(ranked));
    const warnings = [...host.runner.warnings];
    const trust = (0,words/* addressOf */.ci)('verify.md#what-is-left-to-trust', host);
    if (isMatch)
        warnings.push(`A match does not prove who wrote the records file: ${trust}`);
    return {
        exitCode: errors.length === 0 ? 0 : 1,
        title: describeTitle(ranked, ofRun),
        cost: `Compared with ${checkedAgainst}`,
        counts: [],
        lead: leadAt(host, isMatch ? 'What to do' : 'Do not deploy'),
        steps: [...findSteps(ranked, host), ...stepsOfRun],
        warnings,
        pointers: [],
        table: {
            columns: ['Registered at (UTC)', 'Blockchain'],
            rows: ranked.map(describeResult),
            isFolded: !isMatch,
            elsewhere: 'the output "results" lists all if they fit',
        },
        errors,
        failures: [],
    };
}
function judgeNotCompared(problems, host, outputsError) {
    const stopped = {
        problems,
        outputsError,
        title: '❌ NOT VERIFIED: stopped before anything was compared',
        cost: 'No artifact was verified, so do not deploy',
        lead: leadAt(host, 'What to do'),
        again: null,
        pointers: [],
    };
    return (0,stop/* judgeStop */.e)(stopped, host);
}
function leadAt(host, lead) {
    return `${lead} (${(0,words/* addressOf */.ci)('verify.md', host)})`;
}
const noOutputs = outputsOf('stopped', '[]', []);
function rankResults(results) {
    const rankOf = ({ state, why }) => comparisonStates.indexOf(state) + (why === '' ? 1 : 0);
    return results.toSorted((a, b) => rankOf(a) - rankOf(b));
}
function worstOf(results) {
    const [worst] = rankResults(results);
    external_node_assert_(worst !== undefined, 'a run without artifacts stops');
    return worst;
}
function redact(result, { secrets }) {
    const { recorded } = result;
    const name = secrets.redactText(result.name);
    const why = secrets.redactText(result.why);
    if (recorded === null)
        return { ...result, name, why };
    const artifact = secrets.redactText(recorded.artifact);
    const record = secrets.redactJson(recorded.record);
    return { ...result, name, why, recorded: { ...recorded, artifact, record } };
}
function toJson(result) {
    const { name: artifact, size, hash, state, recorded, why, remedy } = result;
    const message = (0,phrases/* toSentences */.Mc)([why, remedy]);
    if (recorded === null)
        return { artifact, size, hash, state, recorded, message };
    const { service, record, source } = recorded;
    const { artifact: recordedName, hash: recordedHash } = recorded;
    const known = { artifact: recordedName, hash: recordedHash, service, record, sha: source.sha };
    return { artifact, size, hash, state, recorded: known, message };
}
function countOf(results, state) {
    return results.filter(result => result.state === state).length;
}
function outputsOf(verdict, results, all) {
    const outputs = { verdict, results };
    for (const state of comparisonStates)
        outputs[`${state}-count`] = countOf(all, state);
    return outputs;
}
function describeTitle(ranked, ofRun) {
    const total = ranked.length - countOf(ranked, 'missing');
    const all = (0,phrases/* pluralize */.td)(total, 'artifact matches its notarization record', 'artifacts match their notarization records');
    const text = `${countOf(ranked, 'matched')} of ${all}`;
    const wrong = [...ofRun.map(({ cause }) => cause), ...countWrong(ranked)];
    if (wrong.length === 0)
        return `✅ VERIFIED: ${text}`;
    return `❌ NOT VERIFIED: ${wrong.join(', ')}; ${text}`;
}
function countWrong(ranked) {
    const groups = Map.groupBy(ranked, ({ state }) => state);
    groups.delete('matched');
    return Array.from(groups, ([state, { length }]) => `${length} ${state}`);
}
const maxReasonLength = 120;
function describeMismatch(ranked) {
    const { name, state, why, remedy } = worstOf(ranked);
    const first = `"${(0,text_escape/* quote */.hD)(name, 40)}" is ${state}: ${(0,text_escape/* cut */.Jj)(why, maxReasonLength)}`;
    return (0,phrases/* toSentences */.Mc)([`do not deploy: ${countWrong(ranked).join(', ')}`, first, remedy]);
}
const maxReasons = 3;
function findSteps(ranked, host) {
    const wrong = ranked.filter(({ state }) => state !== 'matched');
    const findings = wrong.map(({ name, state: cost, why: cause, remedy: next }) => {
        return { cause, next, observed: '', result: { cost, about: [{ name, url: null }] } };
    });
    const steps = (0,report_findings/* toSteps */.fe)(findings, host);
    return steps.map(step => ({ ...step, happened: step.happened.slice(0, maxReasons) }));
}
function describeResult(artifact) {
    const { state, recorded, why } = artifact;
    const row = { words: state, artifact, note: why, isPlain: why === '' };
    if (recorded === null || state !== 'matched')
        return { ...row, sign: '❌', url: null, cells: [] };
    const { time, blockchain } = (0,records_record/* describeFields */.VO)(recorded.record);
    return { ...row, sign: '✅', url: recorded.verificationUrl, cells: [time, blockchain] };
}

;// CONCATENATED MODULE: ./verify/verify.js














const verifyAction = {
    inputNames: verifyInputNames,
    run: async (host, rawInputs) => {
        const { environment, secrets, halt } = host;
        const reading = readVerifyInputs(rawInputs);
        secrets.add([...reading.secrets, ...environment.secrets]);
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
            const outputsError = (0,outputs/* setOutputs */.n0)(noOutputs, host);
            const report = judgeNotCompared(problems, host, outputsError);
            return (0,write/* writeReport */.u)(report, host, reading.inputs.showSummary);
        }
        const outputsError = (0,outputs/* setOutputs */.n0)(makeVerifyOutputs(compared, host), host);
        const report = judgeCompared(compared, host, outputsError);
        return (0,write/* writeReport */.u)(report, host, reading.inputs.showSummary);
    },
};
async function compare(host, { inputs, problems }) {
    const { runner, halt } = host;
    const { releaseTag, requireAll } = inputs;
    const recordsFiles = await (0,files/* findFiles */.lY)('records', inputs.records, host);
    const skip = recordsFiles.files.map(({ path }) => path);
    const found = await (0,collect/* collectArtifacts */.k)({ path: inputs.path, checksums: inputs.checksums, ifNoFilesFound: 'error' }, host, skip);
    const mayBeEmpty = inputs.records === defaultRecords && releaseTag !== null;
    const wrongPatterns = patternProblems(recordsFiles, mayBeEmpty);
    failure/* Stop */.VG.ifAny([...problems, ...found.problems, ...wrongPatterns]);
    const release = await (0,release_release/* readRelease */.i)(inputs, host);
    const either = [readRecordsFiles(recordsFiles, host), release?.records ?? []];
    const chosen = either.find(({ length }) => length > 0);
    if (chosen === undefined) {
        const why = 'neither the workspace nor the release has a records file';
        throw new failure/* Stop */.VG((0,failure/* problemAt */.l4)('records', why, { next: 'download the records files first' }));
    }
    const records = selectRecords(chosen, inputs.baseUrl);
    for (const { warnings } of [recordsFiles, found, records])
        warnings.forEach(runner.warning);
    const hashed = await (0,hash/* hashFiles */.y)(found.files, host);
    await (0,promises_.setImmediate)();
    await (0,promises_.setImmediate)();
    if (halt.reason !== null)
        throw new failure/* Stop */.VG();
    const assets = release?.artifacts ?? [];
    const { combined, problems: conflicts } = (0,plan/* combineArtifacts */.LP)([
        ...hashed,
        ...found.listed,
        ...assets,
    ]);
    failure/* Stop */.VG.ifAny(conflicts);
    if (combined.length === 0) {
        const why = 'the release has no assets to verify';
        throw new failure/* Stop */.VG((0,failure/* problemAt */.l4)('release-tag', why, { next: 'check the tag' }));
    }
    const verified = compareWithRecords({ artifacts: combined, records, requireAll });
    return { verified, checkedAgainst: records.count };
}
function patternProblems({ problems, patterns }, mayBeEmpty) {
    if (problems.length > 0)
        return problems;
    const wrong = [];
    for (const { text, paths } of patterns) {
        if (paths.size > 0 || mayBeEmpty)
            continue;
        wrong.push(`"${(0,text_escape/* quote */.hD)(text)}" matches no file`);
    }
    if (wrong.length === 0)
        return [];
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
