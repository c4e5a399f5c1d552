// The run profiles of the Test Explorer: run, debug, trace, coverage.
import * as vscode from 'vscode';
import { details, ServerFileCoverage, type CoverageStore } from './coverage';
import { callsOf, oracleOf, type Finding } from './findings';
import { startDebugging } from './debug';
import type { Coverage, SymbolStatuses } from './protocol';
import { childrenOf, type TestTree } from './testtree';

/** Limit for the start of a requested campaign, in ms. */
const beginning = 5000;

/** Limit for the findings that a state announces, in ms. */
const arrival = 1000;

export type Execute = (command: string, ...args: unknown[]) => Promise<unknown>;

export class TestRuns implements vscode.Disposable {
  private readonly profiles: vscode.TestRunProfile[];

  constructor(
    private readonly controller: vscode.TestController,
    private readonly tree: TestTree,
    private readonly store: CoverageStore,
    private readonly execute: Execute,
  ) {
    const run = controller.createRunProfile('Run', vscode.TestRunProfileKind.Run, (r, t) => this.run(r, t), true, undefined, true);
    const debug = controller.createRunProfile('Debug', vscode.TestRunProfileKind.Debug, (r, t) => this.debug(r, t), true);
    const trace = controller.createRunProfile('Trace', vscode.TestRunProfileKind.Debug, (r, t) => this.trace(r, t), false);
    const coverage = controller.createRunProfile('Coverage', vscode.TestRunProfileKind.Coverage, (r, t) => this.cover(r, t), true);
    coverage.loadDetailedCoverage = async (_, file) => (file instanceof ServerFileCoverage ? details(file.coverage) : []);
    this.profiles = [run, debug, trace, coverage];
  }

  /** Fuzzes contracts and runs tests. */
  private async run(request: vscode.TestRunRequest, token: vscode.CancellationToken) {
    if (request.continuous) return this.follow(request, token);
    const run = this.controller.createTestRun(request, 'Run');
    await this.campaigns(run, this.asked(request), token);
    run.end();
  }

  private async cover(request: vscode.TestRunRequest, token: vscode.CancellationToken) {
    const run = this.controller.createTestRun(request, 'Coverage');
    const touched = await this.campaigns(run, this.asked(request), token);
    for (const uri of touched) {
      const coverage: Coverage | undefined = this.store.of(uri);
      if (coverage) run.addCoverage(new ServerFileCoverage(coverage));
    }
    run.end();
  }

  /** Runs items one after the other and reports the results. */
  private async campaigns(run: vscode.TestRun, items: vscode.TestItem[], token: vscode.CancellationToken): Promise<vscode.Uri[]> {
    const stop = token.onCancellationRequested(() => void this.execute('leveret.stop').catch(() => {})); // no server, no campaign
    const touched = new Map<string, vscode.Uri>();
    for (const item of items) {
      if (token.isCancellationRequested || !item.uri) continue;
      await this.campaign(run, item, item.uri, token);
      touched.set(item.uri.toString(), item.uri);
    }
    stop.dispose();
    return [...touched.values()];
  }

  private async campaign(run: vscode.TestRun, item: vscode.TestItem, uri: vscode.Uri, token: vscode.CancellationToken) {
    const node = this.tree.node(item);
    if (!node) return;
    const document = await vscode.workspace.openTextDocument(uri); // the server fuzzes open files only
    descendants(item).forEach(i => run.started(i));
    const contract = node.kind === 'file' ? [] : [node.contract];
    const aim = node.kind === 'file' || node.kind === 'contract' ? [] : [aimOf(item, document)];
    const began = Date.now(), before = this.tree.of(uri);
    try {
      await this.execute('leveret.fuzz', uri.toString(), ...contract, ...aim);
      await this.settled(item, before, token);
      if (token.isCancellationRequested) return;
      this.report(run, item, Date.now() - began);
    } catch (error) {
      run.errored(item, failureOf(error));
    }
  }

  /** Waits for the end of a campaign. One that ends at once may only show by new statuses. */
  private async settled(item: vscode.TestItem, before: SymbolStatuses | undefined, token: vscode.CancellationToken) {
    const busy = () => this.tree.states(item).some(s => s.state === 'running' || s.state === 'queued');
    const changed = () => this.tree.of(item.uri!) !== before;
    await this.until(item, token, changed, before && beginning);
    await this.until(item, token, () => !busy());
    await this.until(item, token, () => this.shown(item), arrival);
  }

  /** Whether the findings that a state announces are there: the client shows diagnostics later than it gets them. */
  private shown(item: vscode.TestItem) {
    const node = this.tree.node(item);
    const symbols = node?.kind === 'function' ? [node.symbol] : this.tree.states(item);
    return !symbols.some(s => s.state === 'findings') || this.findings(item).length > 0;
  }

  private until(item: vscode.TestItem, token: vscode.CancellationToken, holds: () => boolean, within?: number): Promise<void> {
    return new Promise(resolve => {
      const ends: vscode.Disposable[] = [];
      const done = () => {
        ends.forEach(e => e.dispose());
        resolve();
      };
      const check = () => {
        if (holds()) done();
      };
      if (within !== undefined) {
        const timer = setTimeout(done, within);
        ends.push(new vscode.Disposable(() => clearTimeout(timer)));
      }
      ends.push(this.tree.onDidChange(uri => uri.toString() === item.uri?.toString() && check()), token.onCancellationRequested(done));
      check();
    });
  }

  /** Reports the result of each save until the run is cancelled. A known text is not fuzzed again. */
  private follow(request: vscode.TestRunRequest, token: vscode.CancellationToken) {
    const saved = new Set<string>();
    const busy = new Set<string>();
    const items = () => this.asked(request).flatMap(i => this.tree.contracts(i));
    const look = (item: vscode.TestItem) => {
      const state = this.tree.states(item)[0]?.state ?? '';
      if (state === 'running' || (['queued', 'stale'].includes(state) && saved.has(item.id))) {
        busy.add(item.id);
      } else if (!['queued', 'stale'].includes(state) && busy.delete(item.id)) {
        saved.delete(item.id);
        void this.until(item, token, () => this.shown(item), arrival).then(() => {
          if (token.isCancellationRequested) return;
          const run = this.controller.createTestRun(new vscode.TestRunRequest([item], undefined, request.profile, true), 'Saved');
          this.report(run, item);
          run.end();
        });
      }
    };
    const watch = this.tree.onDidChange(uri => items().filter(i => i.uri?.toString() === uri.toString()).forEach(look));
    const save = vscode.workspace.onDidSaveTextDocument(document => {
      for (const item of items()) {
        saved.add(item.id); // it may import the file
        if (item.uri?.toString() === document.uri.toString() && this.tree.states(item)[0]?.state === 'stale') look(item);
      }
    });
    token.onCancellationRequested(() => vscode.Disposable.from(watch, save).dispose());
  }

  /** Opens the traces of findings, or that of a test that does not fail. */
  private async trace(request: vscode.TestRunRequest, token: vscode.CancellationToken) {
    const run = this.controller.createTestRun(request, 'Trace');
    for (const item of this.asked(request)) {
      const node = this.tree.node(item);
      const test = node?.kind === 'function' && node.symbol.test;
      if (node?.kind === 'function' && !test && this.findings(item).length === 0) await this.campaigns(run, [item], token);
      const findings = this.findings(item);
      for (const finding of findings) await this.traceFinding(run, finding, token);
      if (findings.length === 0) await this.traceTest(run, item, token);
    }
    run.end();
  }

  /** Debugs the first finding of the first item, or its test, until the session ends. */
  private async debug(request: vscode.TestRunRequest, token: vscode.CancellationToken) {
    const run = this.controller.createTestRun(request, 'Debug');
    const [item] = this.asked(request);
    const node = item && this.tree.node(item);
    if (node?.kind === 'function' && !node.symbol.test && this.findings(item).length === 0) await this.campaigns(run, [item], token);
    const finding = item && this.findings(item)[0];
    const debugged = finding ?? item;
    if (debugged && !token.isCancellationRequested) await this.debugItem(run, debugged, token);
    run.end();
  }

  private async debugItem(run: vscode.TestRun, item: vscode.TestItem, token: vscode.CancellationToken) {
    const node = this.tree.node(item);
    const test = node?.kind === 'function' && node.symbol.test;
    if (!item.uri || !node || (node.kind !== 'finding' && !test)) return run.skipped(item);
    run.started(item);
    try {
      await vscode.workspace.openTextDocument(item.uri); // the server knows the ranges of open files
      const launch = node.kind === 'finding'
        ? await this.execute('leveret.debug', node.finding.id)
        : await this.execute('leveret.debugTest', item.uri.toString(), test && node.kind === 'function' && node.symbol.range);
      await this.session(run, launch as vscode.DebugConfiguration, token);
      if (node.kind === 'finding') run.failed(item, messageOf(node.finding));
      else if (test && test.status === 'passed') run.passed(item, test.seconds * 1000);
      else run.skipped(item);
    } catch (error) {
      run.errored(item, failureOf(error));
    }
  }

  /** Starts a debug session and waits for its end. */
  private async session(run: vscode.TestRun, launch: vscode.DebugConfiguration, token: vscode.CancellationToken) {
    const id = `${Date.now()}`; // tells the session from others
    let end = () => {};
    const ended = new Promise<void>(resolve => (end = resolve));
    let session: vscode.DebugSession | undefined;
    const listeners = vscode.Disposable.from(
      vscode.debug.onDidStartDebugSession(s => s.configuration.testRun === id && (session = s)),
      vscode.debug.onDidTerminateDebugSession(s => s.configuration.testRun === id && end()),
      // The first stop of a session only cancels its run.
      ...[token, run.token].map(t => t.onCancellationRequested(() => session && void vscode.debug.stopDebugging(session))),
    );
    try {
      if (await startDebugging({ ...launch, testRun: id }, { testRun: run })) await ended;
    } finally {
      listeners.dispose();
    }
  }

  private async traceFinding(run: vscode.TestRun, item: vscode.TestItem, token: vscode.CancellationToken) {
    const node = this.tree.node(item);
    if (token.isCancellationRequested || node?.kind !== 'finding') return;
    run.started(item);
    const began = Date.now();
    try {
      await this.execute('leveret.replay', node.finding.id);
      run.failed(item, messageOf(node.finding), Date.now() - began);
    } catch (error) {
      run.errored(item, failureOf(error));
    }
  }

  private async traceTest(run: vscode.TestRun, item: vscode.TestItem, token: vscode.CancellationToken) {
    const node = this.tree.node(item);
    if (token.isCancellationRequested || !item.uri || node?.kind !== 'function' || !node.symbol.test) return run.skipped(item);
    run.started(item);
    const { status, seconds } = node.symbol.test;
    try {
      await vscode.workspace.openTextDocument(item.uri); // the server knows the ranges of open files
      await this.execute('leveret.traceTest', item.uri.toString(), node.symbol.range);
      if (status === 'passed') run.passed(item, seconds * 1000);
      else run.skipped(item);
    } catch (error) {
      run.errored(item, failureOf(error));
    }
  }

  private asked(request: vscode.TestRunRequest): vscode.TestItem[] {
    const excluded = new Set(request.exclude?.map(i => i.id));
    return [...(request.include ?? this.tree.all())].filter(i => !excluded.has(i.id));
  }

  private findings(item: vscode.TestItem): vscode.TestItem[] {
    return descendants(item).filter(i => this.tree.node(i)?.kind === 'finding');
  }

  /** Findings fail, with their parents; a contract that is not fuzzed is skipped. */
  private report(run: vscode.TestRun, item: vscode.TestItem, took?: number) {
    item.children.forEach(child => this.report(run, child));
    const node = this.tree.node(item);
    const messages = this.findings(item).flatMap(i => {
      const node = this.tree.node(i);
      return node?.kind === 'finding' ? [messageOf(node.finding)] : [];
    });
    const test = node?.kind === 'function' ? node.symbol.test : undefined;
    const time = test ? test.seconds * 1000 : took;
    const states = this.tree.states(item);
    if (test?.status === 'failed' && messages.length === 0) messages.push(new vscode.TestMessage(test.reason ?? 'failed'));
    if (messages.length > 0) run.failed(item, messages, time);
    else if (test?.status === 'skipped' || (states.length > 0 && states.every(s => s.state === 'skipped'))) run.skipped(item);
    else run.passed(item, time);
    if (test) run.appendOutput([`${item.label}: ${node?.kind === 'function' && node.symbol.text}`, ...(test.lines ?? []).map(l => `  ${l}`), ''].join('\r\n'), undefined, item);
    else if (took !== undefined && node?.kind !== 'file' && states[0]?.text) run.appendOutput(`${states[0].name}: ${states[0].text}\r\n`, undefined, item);
  }

  dispose() {
    this.profiles.forEach(p => p.dispose());
  }
}

/** An item and all items below it. */
function descendants(item: vscode.TestItem): vscode.TestItem[] {
  return [item, ...childrenOf(item.children).flatMap(descendants)];
}

function failureOf(error: unknown): vscode.TestMessage {
  return new vscode.TestMessage(String(error instanceof Error ? error.message : error));
}

/** The LSP range that a campaign targets: from a function's name to the next declaration. */
function aimOf(item: vscode.TestItem, document: vscode.TextDocument) {
  const start = item.range!.start;
  let next = document.lineCount;
  item.parent?.children.forEach(other => {
    const line = other.range?.start.line ?? 0;
    if (line > start.line && line < next) next = line;
  });
  const end = document.lineAt(Math.max(next - 1, start.line)).range.end;
  return { start: { line: start.line, character: start.character }, end: { line: end.line, character: end.character } };
}

/** The message of a finding. Its stack has the calls, the last one on top. */
export function messageOf(finding: Finding): vscode.TestMessage {
  const calls = callsOf(finding);
  const message = new vscode.TestMessage([`${oracleOf(finding)}: ${finding.diagnostic.message}`, ...calls.map(c => c.message)].join('\n'));
  message.location = new vscode.Location(finding.uri, finding.diagnostic.range);
  message.stackTrace = [
    new vscode.TestMessageStackFrame(oracleOf(finding), finding.uri, finding.diagnostic.range.start),
    ...calls.reverse().map(call => new vscode.TestMessageStackFrame(call.message, call.location.uri, call.location.range.start)),
  ];
  return message;
}
