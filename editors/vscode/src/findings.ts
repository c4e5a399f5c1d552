// Findings: the server's diagnostics.
import * as vscode from 'vscode';
import type { FindingData } from './protocol';

export interface Finding {
  id: string;
  uri: vscode.Uri;
  diagnostic: vscode.Diagnostic;
}

/** The finding of a diagnostic; the server's notes have none. */
export function findingOf(uri: vscode.Uri, diagnostic: vscode.Diagnostic): Finding | undefined {
  if (diagnostic.source !== 'leveret') return undefined;
  const data = (diagnostic as vscode.Diagnostic & { data?: FindingData }).data;
  return data?.finding ? { id: data.finding, uri, diagnostic } : undefined;
}

export function findingsIn(uri: vscode.Uri): Finding[] {
  return vscode.languages.getDiagnostics(uri).flatMap(d => findingOf(uri, d) ?? []);
}

/** The name of the oracle. */
export function oracleOf(finding: Finding): string {
  const code = finding.diagnostic.code;
  return String(typeof code === 'object' && code !== null ? code.value : (code ?? 'finding'));
}

/** The calls of a finding in order: "1. begin(31337)", at the declaration of the function. */
export function callsOf(finding: Finding): vscode.DiagnosticRelatedInformation[] {
  return (finding.diagnostic.relatedInformation ?? []).filter(r => /^\d+\. /.test(r.message));
}
