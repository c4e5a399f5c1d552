// The run profiles of the Test Explorer: fuzz, replay, coverage.
import * as vscode from 'vscode';
import { details, ServerFileCoverage, type CoverageStore } from './coverage';
import { callsOf, oracleOf, type Finding } from './findings';
import type { Coverage } from './protocol';
import type { TestTree } from './testtree';

/** Limit for the start of a requested campaign, in ms. */
const beginning = 5000;

export type Execute = (command: string, ...args: unknown[]) => Promise<unknown>;

export class TestRuns implements vscode.Disposable {
  private readonly profiles: vscode.TestRunProfile[];

  constructor(
    private readonly controller: vscode.TestController,
    private readonly tree: TestTree,
    private readonly store: CoverageStore,
    private readonly execute: Execute,
  ) {
    const fuzz = controller.createRunProfile('Fuzz', vscode.TestRunProfileKind.Run, (r, t) => this.fuzz(r, t), true, undefined, true);
    const replay = controller.createRunProfile('Replay', vscode.TestRunProfileKind.Run, (r, t) => this.replay(r, t));
    const coverage = controller.createRunProfile('Coverage', vscode.TestRunProfileKind.Coverage, (r, t) => this.cover(r, t), true);
    coverage.loadDetailedCoverage = async (_, file) => (file instanceof ServerFileCoverage ? details(file.coverage) : []);
    this.profiles = [fuzz, replay, coverage];
  }

  private async fuzz(request: vscode.TestRunRequest, token: vscode.CancellationToken) {
    if (request.continuous) return this.follow(request, token);
    const run = this.controller.createTestRun(request, 'Fuzz');
    await this.campaigns(run, request, token);
    run.end();
  }

  private async cover(request: vscode.TestRunRequest, token: vscode.CancellationToken) {
    const run = this.controller.createTestRun(request, 'Coverage');
    const touched = await this.campaigns(run, request, token);
    for (const uri of touched) {
      const coverage: Coverage | undefined = this.store.of(uri);
      if (coverage) run.addCoverage(new ServerFileCoverage(coverage));
    }
    run.end();
  }

  /** Fuzzes the requested items one after the other and reports the results. */
  private async campaigns(run: vscode.TestRun, request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<vscode.Uri[]> {
    const stop = token.onCancellationRequested(() => void this.execute('leveret.stop').catch(() => {})); // no server, no campaign
    const touched = new Map<string, vscode.Uri>();
    for (const item of this.asked(request)) {
      const node = this.tree.node(item);
      if (token.isCancellationRequested || !node || !item.uri) continue;
      run.started(item);
      item.children.forEach(child => run.started(child));
      const document = await vscode.workspace.openTextDocument(item.uri); // the server fuzzes open files only
      const aim = node.kind === 'contract' ? [] : [aimOf(item, document)];
      const began = Date.now();
      try {
        await this.execute('leveret.fuzz', item.uri.toString(), node.contract, ...aim);
        await this.settled(item, token);
        this.report(run, item, Date.now() - began);
      } catch (error) {
        run.errored(item, new vscode.TestMessage(String(error instanceof Error ? error.message : error)));
      }
      touched.set(item.uri.toString(), item.uri);
    }
    stop.dispose();
    return [...touched.values()];
  }

  /** Waits for the end of a campaign. */
  private async settled(item: vscode.TestItem, token: vscode.CancellationToken) {
    const busy = () => ['running', 'queued'].includes(this.tree.state(item)?.state ?? '');
    await this.until(item, token, busy, beginning);
    await this.until(item, token, () => !busy());
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
    const look = (item: vscode.TestItem) => {
      const state = this.tree.state(item)?.state ?? '';
      if (state === 'running' || (['queued', 'stale'].includes(state) && saved.has(item.id))) {
        busy.add(item.id);
      } else if (!['queued', 'stale'].includes(state) && busy.delete(item.id)) {
        saved.delete(item.id);
        const run = this.controller.createTestRun(new vscode.TestRunRequest([item], undefined, request.profile, true), 'Saved');
        this.report(run, item);
        run.end();
      }
    };
    const of = (uri: vscode.Uri) => this.asked(request).filter(i => i.uri?.toString() === uri.toString());
    const watch = this.tree.onDidChange(uri => of(uri).forEach(look));
    const save = vscode.workspace.onDidSaveTextDocument(document => {
      for (const item of of(document.uri)) {
        saved.add(item.id);
        if (this.tree.state(item)?.state === 'stale') look(item);
      }
    });
    token.onCancellationRequested(() => vscode.Disposable.from(watch, save).dispose());
  }

  private async replay(request: vscode.TestRunRequest, token: vscode.CancellationToken) {
    const run = this.controller.createTestRun(request, 'Replay');
    for (const item of this.asked(request).flatMap(i => this.findings(i))) {
      const node = this.tree.node(item);
      if (token.isCancellationRequested || node?.kind !== 'finding') continue;
      run.started(item);
      const began = Date.now();
      try {
        await this.execute('leveret.replay', node.finding.id);
        run.failed(item, messageOf(node.finding), Date.now() - began);
      } catch (error) {
        run.errored(item, new vscode.TestMessage(String(error instanceof Error ? error.message : error)));
      }
    }
    run.end();
  }

  private asked(request: vscode.TestRunRequest): vscode.TestItem[] {
    const excluded = new Set(request.exclude?.map(i => i.id));
    return [...(request.include ?? this.tree.contracts())].filter(i => !excluded.has(i.id));
  }

  private findings(item: vscode.TestItem): vscode.TestItem[] {
    if (this.tree.node(item)?.kind === 'finding') return [item];
    const all: vscode.TestItem[] = [];
    item.children.forEach(child => void all.push(...this.findings(child)));
    return all;
  }

  /** Findings fail, with their parents; a contract that is not fuzzed is skipped. */
  private report(run: vscode.TestRun, item: vscode.TestItem, took?: number) {
    item.children.forEach(child => this.report(run, child));
    const messages = this.findings(item).flatMap(i => {
      const node = this.tree.node(i);
      return node?.kind === 'finding' ? [messageOf(node.finding)] : [];
    });
    const state = this.tree.state(item);
    if (messages.length > 0) run.failed(item, messages, took);
    else if (state?.state === 'skipped') run.skipped(item);
    else run.passed(item, took);
    if (took !== undefined && state?.text) run.appendOutput(`${state.name}: ${state.text}\r\n`, undefined, item);
  }

  dispose() {
    this.profiles.forEach(p => p.dispose());
  }
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
