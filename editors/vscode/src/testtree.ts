// The tree of the Test Explorer: contract, function, finding.
import * as vscode from 'vscode';
import { callsOf, findingsIn, oracleOf, type Finding } from './findings';
import type { SymbolStatus, SymbolStatuses } from './protocol';

export type Node =
  | { kind: 'contract'; contract: string; symbol: SymbolStatus }
  | { kind: 'function'; contract: string; symbol: SymbolStatus }
  | { kind: 'finding'; contract: string; finding: Finding };

export class TestTree {
  private readonly nodes = new WeakMap<vscode.TestItem, Node>();
  private readonly files = new Map<string, SymbolStatuses>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  /** Fires when the states or findings of a file change. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly controller: vscode.TestController) {}

  node(item: vscode.TestItem): Node | undefined {
    return this.nodes.get(item);
  }

  /** Stores the symbol statuses of a file. */
  take(statuses: SymbolStatuses) {
    const uri = vscode.Uri.parse(statuses.uri);
    this.files.set(uri.toString(), statuses);
    this.build(uri);
  }

  /** Updates the findings of a file. */
  refresh(uri: vscode.Uri) {
    if (this.files.has(uri.toString())) this.build(uri);
  }

  forget(uri: vscode.Uri) {
    this.files.delete(uri.toString());
    this.controller.items.forEach(item => {
      if (item.uri?.toString() === uri.toString()) this.controller.items.delete(item.id);
    });
  }

  contracts(): vscode.TestItem[] {
    const all: vscode.TestItem[] = [];
    this.controller.items.forEach(item => void all.push(item));
    return all;
  }

  /** The status of an item's contract. */
  state(item: vscode.TestItem): SymbolStatus | undefined {
    const node = this.node(item);
    if (!node || !item.uri) return undefined;
    return this.files.get(item.uri.toString())?.symbols.find(s => s.name === node.contract);
  }

  private build(uri: vscode.Uri) {
    const symbols = this.files.get(uri.toString())!.symbols;
    const findings = findingsIn(uri);
    const owners = new Map(findings.map(f => [f, ownerOf(f, symbols)]));
    const kept = new Set<string>();
    for (const symbol of symbols.filter(s => !s.name.includes('.'))) {
      const item = this.item(this.controller.items, `${uri}#${symbol.name}`, symbol.name, uri, symbol.range);
      item.description = symbol.text ?? symbol.state;
      item.busy = symbol.state === 'running';
      this.nodes.set(item, { kind: 'contract', contract: symbol.name, symbol });
      kept.add(item.id);
      const functions = symbols.filter(s => s.name.startsWith(symbol.name + '.'));
      const children = functions.map((f, i) => this.functionItem(item, uri, symbol.name, f, i, findings.filter(x => owners.get(x) === f)));
      children.push(...findings.filter(f => owners.get(f) === symbol).map(f => this.findingItem(item, symbol.name, f)));
      item.children.replace(children);
    }
    this.controller.items.forEach(item => {
      if (item.uri?.toString() === uri.toString() && !kept.has(item.id)) this.controller.items.delete(item.id);
    });
    this.changed.fire(uri);
  }

  private functionItem(parent: vscode.TestItem, uri: vscode.Uri, contract: string, symbol: SymbolStatus, i: number, findings: Finding[]) {
    const label = symbol.name.slice(contract.length + 1) || 'fallback';
    // Overloads differ by their order.
    const item = this.item(parent.children, `${uri}#${symbol.name}#${i}`, label, uri, symbol.range);
    item.description = symbol.text || (symbol.state === 'clean' ? '' : symbol.state);
    item.busy = symbol.state === 'running';
    item.sortText = String(i).padStart(4, '0');
    this.nodes.set(item, { kind: 'function', contract, symbol });
    item.children.replace(findings.map(f => this.findingItem(item, contract, f)));
    return item;
  }

  private findingItem(parent: vscode.TestItem, contract: string, finding: Finding) {
    const item = this.item(parent.children, `${parent.id}#${finding.id}`, oracleOf(finding), finding.uri, finding.diagnostic.range);
    item.description = finding.diagnostic.message.split('\n')[0];
    this.nodes.set(item, { kind: 'finding', contract, finding });
    return item;
  }

  /** Reuses an item: it keeps its results. */
  private item(among: vscode.TestItemCollection, id: string, label: string, uri: vscode.Uri, range: SymbolStatus['range'] | vscode.Range) {
    let item = among.get(id);
    if (!item) {
      item = this.controller.createTestItem(id, label, uri);
      among.add(item);
    }
    item.range = new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character);
    return item;
  }
}

/** The function of the last call, which fails, else the declaration above the finding. */
function ownerOf(finding: Finding, symbols: SymbolStatus[]): SymbolStatus | undefined {
  const last = callsOf(finding).at(-1)?.location;
  if (last && last.uri.toString() === finding.uri.toString()) {
    const called = symbols.find(s => s.range.start.line === last.range.start.line && s.range.start.character === last.range.start.character);
    if (called) return called;
  }
  const line = finding.diagnostic.range.start.line;
  return symbols.filter(s => s.range.start.line <= line).at(-1);
}
