// The Testing view: its tree and the reports of its profiles.
const assert = require('node:assert/strict');

const children = item => {
  const all = [];
  item?.children.forEach(c => all.push(c));
  return all;
};
const named = (items, label) => items.find(i => i.label === label);
const labels = reports => reports.map(r => r.item.label);

/** Runs a profile as VS Code does and returns the records of its runs. */
async function runs({ vscode, seen }, profile, request, token) {
  const before = seen.runs.length;
  await seen.profiles[profile].runHandler(request, token ?? new vscode.CancellationTokenSource().token);
  return seen.runs.slice(before);
}

/** Waits until a debugger has stopped and returns its frames. */
function stopped({ vscode, until }) {
  return until(async () => {
    const session = vscode.debug.activeDebugSession;
    if (!session || !(vscode.debug.activeStackItem instanceof vscode.DebugStackFrame)) return undefined;
    return (await session.customRequest('stackTrace', { threadId: 1 })).stackFrames;
  }, 'the debugger has stopped');
}

/** Checks that the stack frames are the calls, last call first, with their source positions. */
function checkStack(message, { file, faulty }) {
  const frames = message.stackTrace.map(f => `${f.position.line + 1} ${f.label}`);
  assert.equal(frames.length, 3, frames.join('\n'));
  assert.equal(frames[0], `${faulty + 1} assertion`);
  assert.match(frames[1], /^17 2\. .*finish\(\)/);
  assert.match(frames[2], /^8 1\. .*begin\(31337\)/);
  assert.ok(message.stackTrace.every(f => f.uri.toString() === file.toString()));
  assert.equal(message.location.range.start.line, faulty);
  assert.match(String(message.message), /this assertion can fail/);
}

/** Replaces a text in the contract and saves it. */
async function save({ vscode, file }, from, to) {
  const document = await vscode.workspace.openTextDocument(file);
  const at = document.getText().indexOf(from);
  assert.ok(at >= 0, `${from} in the contract`);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(file, new vscode.Range(document.positionAt(at), document.positionAt(at + from.length)), to);
  await vscode.workspace.applyEdit(edit);
  await document.save();
}

module.exports.children = children;
module.exports.named = named;
module.exports.runs = runs;
module.exports.stopped = stopped;
module.exports.steps = {
  async tree(s) {
    const { seen, until } = s;
    assert.deepEqual(seen.controllers.map(c => `${c.id} ${c.label}`), ['leveret Leveret']);
    const files = [];
    seen.controllers[0].items.forEach(i => files.push(i));
    assert.deepEqual(files.map(i => `${i.label} ${i.description}`), ['Wallet.sol src']);
    s.wallet = named(children(files[0]), 'Wallet');
    assert.deepEqual(children(s.wallet).map(i => i.label), ['begin', 'add', 'finish']);
    s.finish = named(children(s.wallet), 'finish');
    s.assertion = await until(() => named(children(s.finish), 'assertion'), 'the finding below the function whose call fails');
    assert.equal(s.finish.range.start.line, 16);
  },

  async profiles({ vscode, seen }) {
    const { Run, Debug, Trace, Coverage } = seen.profiles;
    assert.equal(Object.keys(seen.profiles).length, 4);
    assert.equal(Run.kind, vscode.TestRunProfileKind.Run);
    assert.ok(Run.supportsContinuousRun && Run.isDefault);
    assert.ok(Debug.kind === vscode.TestRunProfileKind.Debug && Debug.isDefault && !Debug.supportsContinuousRun);
    assert.ok(Trace.kind === vscode.TestRunProfileKind.Debug && !Trace.isDefault && !Trace.supportsContinuousRun);
    assert.equal(Coverage.kind, vscode.TestRunProfileKind.Coverage);
  },

  async running(s) {
    const [run] = await runs(s, 'Run', new s.vscode.TestRunRequest([s.finish]));
    assert.ok(run.ended);
    assert.deepEqual(labels(run.started), ['finish', 'assertion']);
    assert.deepEqual(labels(run.failed), ['assertion', 'finish']);
    for (const failed of run.failed) checkStack(failed.messages[0], s);
  },

  async tracing(s) {
    const [run] = await runs(s, 'Trace', new s.vscode.TestRunRequest([s.wallet]));
    assert.ok(run.ended);
    assert.deepEqual(labels(run.failed), ['assertion']);
    checkStack(run.failed[0].messages[0], s);
    assert.equal(s.vscode.window.activeTextEditor.document.languageId, 'leveret-trace');
  },

  // The debugger stops where the finding fails. The end of the session ends the run.
  async debugging(s) {
    const { vscode } = s;
    const running = runs(s, 'Debug', new vscode.TestRunRequest([s.finish]));
    const stack = await stopped(s);
    assert.deepEqual(stack.map(f => `${f.name} ${f.line}`), [`Wallet.finish ${s.faulty + 1}`]);
    assert.ok(stack[0].source.path.endsWith(s.file.fsPath), stack[0].source.path);
    await vscode.debug.stopDebugging(vscode.debug.activeDebugSession);
    const [run] = await running;
    assert.ok(run.ended);
    assert.deepEqual(labels(run.failed), ['assertion']);
    checkStack(run.failed[0].messages[0], s);
  },

  async coverage(s) {
    const { vscode, seen } = s;
    const [run] = await runs(s, 'Coverage', new vscode.TestRunRequest([s.wallet]));
    assert.deepEqual(labels(run.failed), ['assertion', 'finish', 'Wallet']);
    assert.deepEqual(new Set(labels(run.passed)), new Set(['begin', 'add']));
    const [file] = run.coverage;
    assert.equal(file.uri.toString(), s.file.toString());
    assert.ok(file.statementCoverage.covered > 3 && file.statementCoverage.total >= file.statementCoverage.covered);
    assert.ok(file.branchCoverage.covered > 3 && file.branchCoverage.total >= file.branchCoverage.covered);
    const details = await seen.profiles.Coverage.loadDetailedCoverage(run, file, new vscode.CancellationTokenSource().token);
    const condition = details.find(d => d.location.line === 8);
    assert.ok(condition.executed > 0, 'the condition was executed');
    assert.deepEqual(condition.branches.map(b => b.executed > 0 || b.executed === true), [true, true], 'both arms were taken');
  },

  // A continuous run reports each save until it is cancelled.
  async continuous(s) {
    const { vscode, seen, until } = s;
    const source = new vscode.CancellationTokenSource();
    const before = seen.runs.length;
    const saved = () => seen.runs.slice(before).filter(r => r.ended);
    await runs(s, 'Run', new vscode.TestRunRequest([s.wallet], undefined, seen.profiles.Run, true), source.token);
    assert.equal(saved().length, 0, 'nothing was saved yet');
    await save(s, 'assert(step == 0)', 'assert(step <= 1)');
    const fixed = await until(() => saved()[0], 'a report of the first save');
    assert.ok(fixed.failed.length === 0 && labels(fixed.passed).includes('Wallet'));
    await save(s, 'assert(step <= 1)', 'assert(step == 0)');
    const broken = await until(() => saved()[1], 'a report of the second save');
    checkStack(broken.failed.find(f => f.item.label === 'assertion').messages[0], s);
    source.cancel();
    const after = seen.runs.length;
    await save(s, 'assert(step == 0)', 'assert(step <= 1)');
    await until(() => s.ours().length === 0 && seen.items[0].text.includes('no findings'), 'the save was fuzzed');
    assert.equal(seen.runs.length, after, 'runs after the end of the continuous one');
    await save(s, 'assert(step <= 1)', 'assert(step == 0)');
    await until(() => s.ours().length === 1, 'the finding again');
  },
};
