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
// EXTERNAL MODULE: ./artifacts/files.js + 1 modules
var files = __webpack_require__(9583);
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
    path: schemas/* prefault */.SdS(schemas/* string */.YjP(), ''),
    checksums: schemas/* prefault */.SdS(schemas/* string */.YjP(), ''),
    releaseTag: shared_inputs/* optional */.lq(shared_inputs/* releaseTag */.aF),
    records: schemas/* prefault */.SdS(schemas/* string */.YjP(), defaultRecords),
    baseUrl: schemas/* prefault */.SdS(shared_inputs/* baseUrl */.pc, shared_inputs/* defaultBaseUrl */.Ip),
    sha: shared_inputs/* optional */.lq(shared_inputs/* commitId */.xk),
    requireAll: schemas/* prefault */.SdS(shared_inputs/* boolean */.zM, 'false'),
    showSummary: schemas/* prefault */.SdS(shared_inputs/* boolean */.zM, 'true'),
    githubToken: schemas/* prefault */.SdS(shared_inputs/* githubToken */.bU, ''),
});
const verifyInputNames = shared_inputs/* inputNames */.vj(verifySchema);
const readVerifyInputs = (rawInputs) => shared_inputs/* parseInputs */.TL(verifySchema, rawInputs);

// EXTERNAL MODULE: ./plan.js
var plan = __webpack_require__(6894);
// EXTERNAL MODULE: ./release/release.js
var release_release = __webpack_require__(4030);
// EXTERNAL MODULE: ./report/report.js + 1 modules
var report = __webpack_require__(5887);
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
    const ofService = entries.filter(({ service }) => service === baseUrl);
    const good = ofService.filter(lines/* isGoodRecord */.FK);
    good.sort((a, b) => (0,names/* compareCodeUnits */.UF)(ageOf(a), ageOf(b)));
    const hashes = (0,phrases/* pluralize */.td)(new Set(good.map(({ hash }) => hash)).size, 'record');
    let count = `${hashes} of "${(0,text_escape/* quote */.hD)(baseUrl)}"`;
    const others = entries.filter(lines/* isRecord */.u4).filter(({ service }) => service !== baseUrl);
    if (others.length > 0)
        count += `; ${others.length} of other services do not count`;
    const ofOthers = others.filter(lines/* isGoodRecord */.FK);
    return { byHash: (0,assess/* groupByHash */.d6)(entries, baseUrl), good, ofOthers, count, warnings };
}
function ageOf({ at }) {
    return at ?? '';
}
function compareWithRecords(comparison) {
    const { artifacts, records, sha, requireAll } = comparison;
    const ofCommit = records.good.filter(record => isOfCommit(record, sha));
    const byBaseName = Map.groupBy(ofCommit, record => (0,names/* baseName */.Fl)(record.artifact));
    const verified = artifacts.map(artifact => {
        if (!(0,outcome/* isHashed */.Sc)(artifact))
            return explainUnread(artifact);
        const namesakes = byBaseName.get((0,names/* baseName */.Fl)(artifact.name)) ?? [];
        const known = findMatch(artifact, comparison) ?? findAltered(artifact, namesakes);
        return known ?? explainUnknown(artifact, comparison);
    });
    if (!requireAll)
        return verified;
    return [...verified, ...findMissing(ofCommit, verified, comparison)];
}
function explainUnread(artifact) {
    external_node_assert_((0,outcome/* isFailed */.Ix)(artifact), 'an artifact without a hash has failed');
    const { observed, reason } = artifact.outcome.failure;
    const { cause, next } = words/* words */.aL[reason];
    const clauses = [cause, observed].filter(text => text !== '');
    return unknown(artifact, clauses.join(': '), next);
}
function findMatch({ name, size, hash }, { records, sha }) {
    const isNamed = (record) => (0,names/* baseName */.Fl)(record.artifact) === (0,names/* baseName */.Fl)(name);
    const all = (records.byHash.get(hash) ?? []).filter(lines/* isGoodRecord */.FK);
    const ofCommit = all.filter(record => isOfCommit(record, sha));
    const candidates = [ofCommit, all].find(({ length }) => length > 0) ?? [];
    const recorded = candidates.find(isNamed) ?? candidates[0];
    if (recorded === undefined)
        return undefined;
    const notes = [];
    if (!isNamed(recorded))
        notes.push(`under another name, "${recorded.artifact}"`);
    if (ofCommit.length === 0)
        notes.push(`for another commit, ${recorded.source.sha ?? 'none'}`);
    if (recorded.confirmed)
        notes.push('not from the service: a person confirmed it after a look-up');
    let why = '';
    if (notes.length > 0)
        why = `its record is ${notes.join(', and ')}`;
    return { name, size, hash, state: 'matched', recorded, why, remedy: '' };
}
function isOfCommit({ source }, sha) {
    return sha === null || source.sha?.toLowerCase() === sha;
}
function findAltered({ name, size, hash }, namesakes) {
    const recorded = namesakes.findLast(record => record.artifact === name) ?? namesakes.at(-1);
    if (recorded === undefined)
        return undefined;
    const why = `the record of this name has another hash, ${recorded.hash.slice(0, 12)}…; ${describeTime(recorded)}`;
    const remedy = 'if a step of yours changed the file, notarize the final file; if not, treat it as tampered with';
    return { name, size, hash, state: 'altered', recorded, why, remedy };
}
function explainUnknown(artifact, { records, sha }) {
    const { hash } = artifact;
    const outcome = (0,assess/* assess */.no)(records.byHash.get(hash) ?? []);
    if (outcome.state === 'contradicted') {
        const why = `its record does not match it: ${outcome.problems.join(', ')}`;
        return unknown(artifact, why, 'ask the service whether the file is registered');
    }
    if (outcome.state === 'planned' && outcome.openSince !== null) {
        const why = `it was sent at ${outcome.openSince}, without a response, and may be registered`;
        return unknown(artifact, why, 'finish the run that notarizes it, then verify with its records');
    }
    const other = records.ofOthers.find(record => record.hash === hash);
    if (other !== undefined) {
        const why = `its record is from another service, ${(0,text_escape/* quote */.hD)(other.service)}`;
        return unknown(artifact, why, 'set "base-url" to the service that notarized it');
    }
    let ofCommit = 'no record has its name';
    if (sha !== null)
        ofCommit = 'no record of this commit has its name';
    const remedy = 'check that you have all records files, and that the patterns match only what was notarized';
    return unknown(artifact, `no record has its hash, and ${ofCommit}`, remedy);
}
function unknown({ name, size, hash }, why, remedy) {
    return { name, size, hash, state: 'unknown', recorded: null, why, remedy };
}
function findMissing(ofCommit, verified, { records, sha }) {
    const hashes = new Set(verified.map(({ hash }) => hash));
    const altered = verified.filter(({ state }) => state === 'altered');
    const alteredNames = new Set(altered.map(({ name }) => (0,names/* baseName */.Fl)(name)));
    const newest = new Map(records.good.map(record => [record.artifact, ageOf(record)]));
    const isReplaced = (record) => ageOf(record) < (newest.get(record.artifact) ?? '');
    const required = ofCommit.filter(record => hashes.has(record.hash) || !isReplaced(record));
    if (required.length === 0) {
        const why = 'there is no record to require; check the records and "sha"';
        throw new failure/* Stop */.VG((0,failure/* problemWith */.CO)('require-all', `is true, but ${why}`));
    }
    const absent = required.filter(({ artifact, hash }) => {
        return !hashes.has(hash) && !alteredNames.has((0,names/* baseName */.Fl)(artifact));
    });
    let remedy = 'check the step that supplies the files';
    if (sha === null)
        remedy += ', and set "sha" if the records cover several releases';
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

// EXTERNAL MODULE: ./report/judge.js
var judge = __webpack_require__(6039);
// EXTERNAL MODULE: ./report/log.js
var log = __webpack_require__(214);
// EXTERNAL MODULE: ./report/outputs.js
var report_outputs = __webpack_require__(7954);
// EXTERNAL MODULE: ./report/page.js
var page = __webpack_require__(4973);
// EXTERNAL MODULE: ./report/run-again.js
var run_again = __webpack_require__(1704);
;// CONCATENATED MODULE: ./verify/verify-report.js









const comparisonStates = ['altered', 'unknown', 'missing', 'matched'];
async function reportCompared({ verified, checkedAgainst }, host, { showSummary }) {
    const { runner } = host;
    const results = verified.map(result => redactResult(result, host));
    const ranked = results.toSorted((a, b) => rankOf(a) - rankOf(b));
    const [worst] = ranked;
    external_node_assert_(worst !== undefined, 'a run without artifacts stops');
    const json = (0,report_outputs/* formatWhole */.$X)(results, toJson);
    const cost = 'all artifacts were compared';
    const outputs = makeVerifyOutputs(worst.state, json, results);
    const findings = (0,judge/* explainRun */.Df)(host, { unsaved: [], outputsError: (0,report_outputs/* setOutputs */.n0)(outputs, host), cost });
    const again = (0,run_again/* tellAgain */.G)(findings, null);
    for (const result of ranked) {
        const parts = [(0,log/* formatArtifact */.oN)(result.state, result), (0,text_escape/* quote */.hD)(messageOf(result), text_escape/* maxMessageLength */.sZ)];
        runner.info(parts.filter(text => text !== '').join('; '));
    }
    const verdict = formatTitle(ranked, findings);
    const against = `Compared with ${checkedAgainst}`;
    runner.info(against);
    runner.info(verdict);
    if (json === '') {
        runner.warning('The output "results" is empty, because it would exceed 120,000 bytes');
    }
    if (showSummary) {
        const { docsUrl } = host.environment;
        const steps = (0,run_again/* withLast */.j)(findSteps(ranked).concat(findings), again);
        const isMatch = worst.state === 'matched';
        let foot = page/* sentence */.em(against);
        if (isMatch) {
            const docs = page/* docsLink */._h(docsUrl, 'verify.md#what-is-left-to-trust');
            foot += ` A match does not prove who wrote the records file: ${docs}`;
        }
        const head = [
            ...page/* formatSteps */.rN('Do not deploy', { steps, docs: 'verify.md#verdicts', docsUrl }),
            ...page/* formatNotes */.jQ(runner.warnings, docsUrl),
            `<p>${foot}</p>`,
        ];
        const table = {
            titles: ['Registered at (UTC)', 'Blockchain'],
            rows: ranked.values().map(formatResultRow),
            total: ranked.length,
            plainCount: ranked.filter(({ why }) => why === '').length,
            isFolded: !isMatch,
            elsewhere: 'the output <code>results</code> lists all if they fit',
        };
        await (0,report_outputs/* writeSummary */.Sy)(page/* formatPage */.Pd(verdict, head, table), host);
    }
    if (worst.state !== 'matched')
        runner.error(formatMismatch(ranked, worst));
    for (const finding of findings)
        runner.error(`${(0,log/* formatStepText */.D0)(finding)} ${again?.next ?? ''}`);
    return worst.state === 'matched' && findings.length === 0 ? 0 : 1;
}
function rankOf({ state, why }) {
    const rank = comparisonStates.indexOf(state);
    return why === '' ? rank + 1 : rank;
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
function messageOf({ why, remedy }) {
    const clauses = [why, remedy].filter(text => text !== '');
    return clauses.map(phrases/* toSentence */.Re).join(' ');
}
function toJson(result) {
    const { name: artifact, size, hash, state, recorded } = result;
    const message = messageOf(result);
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
function makeVerifyOutputs(verdict, results, all) {
    const outputs = { verdict, results };
    for (const state of comparisonStates)
        outputs[`${state}-count`] = countOf(all, state);
    return outputs;
}
const notCompared = {
    title: '❌ NOT VERIFIED: stopped before anything was compared',
    nothing: 'no artifact was verified, so do not deploy',
    outputs: makeVerifyOutputs('stopped', '[]', []),
    docs: 'verify.md#verdicts',
    place: null,
};
function formatTitle(ranked, findings) {
    const total = ranked.length - countOf(ranked, 'missing');
    const all = (0,phrases/* pluralize */.td)(total, 'artifact matches its notarization record', 'artifacts match their notarization records');
    const text = `${countOf(ranked, 'matched')} of ${all}`;
    const wrong = [...findings.map(({ short }) => short), ...countWrong(ranked)];
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
function formatMismatch(ranked, worst) {
    const { name, state, why, remedy } = worst;
    const first = `"${(0,text_escape/* quote */.hD)(name, 40)}" is ${state}: ${(0,text_escape/* cut */.Jj)(why, maxReasonLength)}`;
    const clauses = [`do not deploy: ${countWrong(ranked).join(', ')}`, first, remedy];
    return clauses.map(phrases/* toSentence */.Re).join(' ');
}
const maxReasons = 3;
function findSteps(ranked) {
    const wrong = ranked.filter(({ state }) => state !== 'matched');
    const groups = Map.groupBy(wrong, ({ state, remedy }) => JSON.stringify([state, remedy]));
    return Array.from(groups.values(), group => {
        const [first] = group;
        external_node_assert_(first !== undefined, 'a group has a result');
        const whys = [...new Set(group.map(({ why }) => why))].slice(0, maxReasons);
        const about = group.map(({ name }) => ({ name, url: null }));
        const { remedy: next, state: cost } = first;
        return { next, hint: '', happened: whys.join('; '), cost, docs: null, about };
    });
}
function formatResultRow(result) {
    const { state, recorded, why } = result;
    const note = page/* sentence */.em(why);
    const columns = 2;
    if (recorded === null || state !== 'matched') {
        return page/* formatRow */.iZ(`❌&nbsp;${state}`, result, { url: null, details: note, columns });
    }
    const { time, blockchain } = (0,records_record/* describeFields */.VO)(recorded.record);
    const details = [time, blockchain].map(page/* plain */.pj);
    const { verificationUrl: url } = recorded;
    const match = ['✅&nbsp;matched', note].filter(text => text !== '').join('<br>');
    return page/* formatRow */.iZ(match, result, { url, details, columns });
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
            const { showSummary } = reading.inputs;
            return (0,report/* reportStop */.Dc)(problems, host, { ...notCompared, showSummary });
        }
        return reportCompared(compared, host, reading.inputs);
    },
};
async function compare(host, { inputs, problems }) {
    const { runner, halt } = host;
    const { releaseTag, sha, requireAll } = inputs;
    const recordsFiles = await (0,files/* findFiles */.l)(inputs.records, host);
    const skip = recordsFiles.files.map(({ absolutePath }) => absolutePath);
    const found = await (0,collect/* collectArtifacts */.k)({ path: inputs.path, checksums: inputs.checksums, ifNoFilesFound: 'error' }, host, { skip, remedy: 'correct the pattern' });
    const mayBeEmpty = inputs.records === defaultRecords && releaseTag !== null;
    const wrongPatterns = patternProblems(recordsFiles, mayBeEmpty);
    failure/* Stop */.VG.ifAny([...problems, ...found.problems, ...wrongPatterns]);
    const release = await (0,release_release/* readRelease */.i)(inputs, host);
    const either = [readRecordsFiles(recordsFiles, host), release?.records ?? []];
    const chosen = either.find(({ length }) => length > 0);
    if (chosen === undefined) {
        const why = 'neither the workspace nor the release has a records file';
        throw new failure/* Stop */.VG((0,failure/* problemAt */.l4)('records', why));
    }
    const records = selectRecords(chosen, inputs.baseUrl);
    for (const { warnings } of [recordsFiles, found, records])
        warnings.forEach(runner.warning);
    release?.warnings.forEach(runner.warning);
    const hashed = await (0,hash/* hashFiles */.y)(found.files, host);
    await (0,promises_.setImmediate)();
    await (0,promises_.setImmediate)();
    if (halt.reason !== null)
        throw failure/* Stop */.VG.canceled();
    const assets = release?.artifacts ?? [];
    const { combined, problems: conflicts } = (0,plan/* combineArtifacts */.LP)([
        ...hashed,
        ...found.listed,
        ...assets,
    ]);
    failure/* Stop */.VG.ifAny(conflicts);
    if (combined.length === 0) {
        const why = 'the release has no assets to verify; check the tag';
        throw new failure/* Stop */.VG((0,failure/* problemAt */.l4)('release-tag', why));
    }
    const verified = compareWithRecords({ artifacts: combined, records, sha, requireAll });
    return { verified, checkedAgainst: records.count };
}
function patternProblems({ errors, patterns }, mayBeEmpty) {
    const wrong = [...errors];
    for (const { text, files } of patterns) {
        if (files.length > 0 || mayBeEmpty)
            continue;
        wrong.push(`"${(0,text_escape/* quote */.hD)(text)}" matches no file; download the records files first`);
    }
    if (patterns.length + errors.length === 0)
        wrong.push('it has no pattern; add one');
    if (wrong.length === 0)
        return [];
    return [(0,failure/* problemAt */.l4)('records', (0,phrases/* joinFirst */.FS)(wrong, 3))];
}
function readRecordsFiles({ files }, { disk }) {
    return files.map(({ name, absolutePath }) => {
        try {
            return { name, bytes: disk.read(absolutePath), input: 'records' };
        }
        catch (error) {
            const why = `"${(0,text_escape/* quote */.hD)(name)}" cannot be read: ${(0,failure/* describeError */.Uc)(error)}`;
            throw new failure/* Stop */.VG((0,failure/* problemAt */.l4)('records', why));
        }
    });
}


/***/ })

};
