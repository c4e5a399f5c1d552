// The tree of the Test Explorer: file, contract, function or test, finding.
import * as path from 'node:path';
import * as vscode from 'vscode';
import { callsOf, findingsIn, oracleOf, type Finding } from './findings';
import type { SymbolStatus, SymbolStatuses } from './protocol';

export type Node =
  | { kind: 'file' }
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

  /** Adds a file whose contracts are not known yet: they are once it is opened. */
  add(uri: vscode.Uri) {
    const item = this.fileItem(uri);
    if (!this.files.has(uri.toString())) item.canResolveChildren = true;
  }

  forget(uri: vscode.Uri) {
    this.files.delete(uri.toString());
    this.controller.items.delete(uri.toString());
  }

  all(): vscode.TestItem[] {
    return childrenOf(this.controller.items);
  }

  /** The items of the contracts that an item stands for. */
  contracts(item: vscode.TestItem): vscode.TestItem[] {
    return this.node(item)?.kind === 'file' ? childrenOf(item.children) : [item];
  }

  /** The last statuses of a file. */
  of(uri: vscode.Uri): SymbolStatuses | undefined {
    return this.files.get(uri.toString());
  }

  /** The statuses of an item's contract, or of the contracts of a file. */
  states(item: vscode.TestItem): SymbolStatus[] {
    const node = this.node(item);
    const symbols = this.files.get(item.uri?.toString() ?? '')?.symbols ?? [];
    if (!node) return [];
    return symbols.filter(s => (node.kind === 'file' ? !s.name.includes('.') : s.name === node.contract));
  }

  private build(uri: vscode.Uri) {
    const symbols = this.files.get(uri.toString())!.symbols;
    const findings = findingsIn(uri);
    const owners = new Map(findings.map(f => [f, ownerOf(f, symbols)]));
    const contracts = symbols.filter(s => !s.name.includes('.'));
    const file = this.fileItem(uri);
    file.canResolveChildren = false;
    file.busy = contracts.some(c => c.state === 'running');
    file.children.replace(contracts.map(symbol => {
      const item = this.item(file.children, `${uri}#${symbol.name}`, symbol.name, uri, symbol.range);
      item.description = symbol.text ?? symbol.state;
      item.busy = symbol.state === 'running';
      this.nodes.set(item, { kind: 'contract', contract: symbol.name, symbol });
      const functions = symbols.filter(s => s.name.startsWith(symbol.name + '.'));
      const children = functions.map((f, i) => this.functionItem(item, uri, symbol.name, f, i, findings.filter(x => owners.get(x) === f)));
      children.push(...findings.filter(f => owners.get(f) === symbol).map(f => this.findingItem(item, symbol.name, f)));
      item.children.replace(children);
      return item;
    }));
    this.changed.fire(uri);
  }

  private fileItem(uri: vscode.Uri) {
    const item = this.item(this.controller.items, uri.toString(), path.basename(uri.path), uri);
    const folder = path.dirname(vscode.workspace.asRelativePath(uri));
    item.description = folder === '.' ? '' : folder;
    this.nodes.set(item, { kind: 'file' });
    return item;
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
  private item(among: vscode.TestItemCollection, id: string, label: string, uri: vscode.Uri, range?: SymbolStatus['range'] | vscode.Range) {
    let item = among.get(id);
    if (!item) {
      item = this.controller.createTestItem(id, label, uri);
      among.add(item);
    }
    if (range) item.range = new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character);
    return item;
  }
}

export function childrenOf(items: vscode.TestItemCollection): vscode.TestItem[] {
  const all: vscode.TestItem[] = [];
  items.forEach(item => void all.push(item));
  return all;
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
