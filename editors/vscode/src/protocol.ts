// The notifications that LSP does not define. lsp/present defines them.
import type { Range } from 'vscode-languageclient/node';

export const statusMethod = 'leveret/status';
export const symbolStatusMethod = 'leveret/symbolStatus';
export const coverageMethod = 'leveret/coverage';

export interface Status {
  text: string;
  tooltip?: string;
  busy: boolean;
  errors: number;
  others: number;
}

export type State = 'stale' | 'queued' | 'running' | 'findings' | 'clean' | 'skipped';

/** A contract ("Vault") or one of its functions ("Vault.withdraw"). */
export interface SymbolStatus {
  name: string;
  range: Range; // of the name
  state: State;
  text?: string;
  test?: TestStatus; // of a test that has run
}

export interface TestStatus {
  status: 'passed' | 'failed' | 'skipped';
  reason?: string;
  seconds: number;
  runs: number; // inputs
  lines?: string[]; // of console.log
}

export interface SymbolStatuses {
  uri: string;
  version: number;
  symbols: SymbolStatus[];
}

export interface Coverage {
  uri: string;
  version: number;
  lines: { line: number; hits: number; covered: number; total: number }[];
  branches: { range: Range; arms: { taken: boolean; distance?: string }[] }[];
}

/** The data of a finding's diagnostic. */
export interface FindingData {
  finding: string;
  source: string;
  related?: boolean; // the diagnostic is at another place than the finding
}
