// Coverage: stored as the server sends it, shown beside the lines, and
// converted for VS Code's coverage API.
import * as vscode from 'vscode';
import type { Coverage } from './protocol';

type Class = 'covered' | 'partial' | 'uncovered';
const classes: Class[] = ['covered', 'partial', 'uncovered'];

const colors: Record<Class, string> = {
  covered: 'charts.green',
  partial: 'charts.yellow',
  uncovered: 'charts.red',
};

export class CoverageStore implements vscode.Disposable {
  private readonly byFile = new Map<string, Coverage>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;

  /** Stores a notification of the server. */
  take(coverage: Coverage) {
    const uri = vscode.Uri.parse(coverage.uri);
    this.byFile.set(uri.toString(), coverage);
    this.changed.fire(uri);
  }

  of(uri: vscode.Uri): Coverage | undefined {
    return this.byFile.get(uri.toString());
  }

  dispose() {
    this.changed.dispose();
  }
}

function classOf(line: { covered: number; total: number }): Class {
  if (line.covered === 0) return 'uncovered';
  return line.covered < line.total ? 'partial' : 'covered';
}

/** Marks each line with code while coverage is shown. */
export class Gutter implements vscode.Disposable {
  private readonly types: Record<Class, vscode.TextEditorDecorationType>;
  private readonly listeners: vscode.Disposable;

  constructor(private readonly store: CoverageStore, private readonly memory: vscode.Memento) {
    this.types = Object.fromEntries(classes.map(c => [c, decoration(c)])) as typeof this.types;
    this.listeners = vscode.Disposable.from(
      store.onDidChange(() => this.draw()),
      vscode.window.onDidChangeVisibleTextEditors(() => this.draw()),
    );
  }

  get shown(): boolean {
    return this.memory.get('coverage', false);
  }

  async toggle() {
    await this.memory.update('coverage', !this.shown);
    this.draw();
    const uri = vscode.window.activeTextEditor?.document.uri;
    if (this.shown && uri && !this.store.of(uri)) {
      void vscode.window.showInformationMessage('Leveret: this file was not fuzzed yet; coverage appears after the first campaign.');
    }
  }

  private draw() {
    for (const editor of vscode.window.visibleTextEditors) {
      const coverage = this.shown ? this.store.of(editor.document.uri) : undefined;
      for (const c of classes) {
        const lines = coverage?.lines.filter(l => classOf(l) === c && l.line < editor.document.lineCount) ?? [];
        editor.setDecorations(this.types[c], lines.map(l => ({
          range: new vscode.Range(l.line, 0, l.line, 0),
          hoverMessage: `Leveret: ${l.hits} inputs ran this line; ${l.covered} of ${l.total} instructions covered`,
        })));
      }
    }
  }

  dispose() {
    this.listeners.dispose();
    for (const c of classes) this.types[c].dispose();
  }
}

/** A bar at the left of the line; the gutter has the icons of the Testing view. */
function decoration(c: Class): vscode.TextEditorDecorationType {
  const color = new vscode.ThemeColor(colors[c]);
  return vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    borderWidth: '0 0 0 3px',
    borderStyle: 'solid',
    borderColor: color,
    overviewRulerColor: color,
    overviewRulerLane: vscode.OverviewRulerLane.Left,
  });
}

/** A statement is a line: the server counts instructions by line. */
export function details(coverage: Coverage): vscode.FileCoverageDetail[] {
  const branches = new Map<number, vscode.BranchCoverage[]>();
  for (const b of coverage.branches) {
    const at = range(b.range);
    const list = branches.get(at.start.line) ?? [];
    list.push(...b.arms.map((arm, i) => new vscode.BranchCoverage(arm.taken, at, armName(i, arm.distance))));
    branches.set(at.start.line, list);
  }
  const list = coverage.lines.map(l => {
    const arms = branches.get(l.line);
    branches.delete(l.line);
    return new vscode.StatementCoverage(l.hits, new vscode.Position(l.line, 0), arms);
  });
  for (const [line, arms] of branches) {
    list.push(new vscode.StatementCoverage(arms.some(a => a.executed), new vscode.Position(line, 0), arms));
  }
  return list;
}

function armName(i: number, distance?: string): string {
  const name = i === 0 ? 'falls through' : 'jumps';
  return distance === undefined ? name : `${name} (closest distance ${distance})`;
}

function range(r: Coverage['branches'][number]['range']): vscode.Range {
  return new vscode.Range(r.start.line, r.start.character, r.end.line, r.end.character);
}

/** The summary of a file, with its details. */
export class ServerFileCoverage extends vscode.FileCoverage {
  constructor(readonly coverage: Coverage) {
    const arms = coverage.branches.flatMap(b => b.arms);
    super(
      vscode.Uri.parse(coverage.uri),
      new vscode.TestCoverageCount(coverage.lines.filter(l => l.covered > 0).length, coverage.lines.length),
      arms.length > 0 ? new vscode.TestCoverageCount(arms.filter(a => a.taken).length, arms.length) : undefined,
    );
  }
}
