// Findings: the server's diagnostics.
import * as vscode from 'vscode';
import type { FindingData } from './protocol';

export interface Finding {
  id: string;
  uri: vscode.Uri;
  diagnostic: vscode.Diagnostic;
}

/** The data of a finding's diagnostic; the server's notes have none. */
function dataOf(diagnostic: vscode.Diagnostic): FindingData | undefined {
  return diagnostic.source === 'leveret' ? (diagnostic as vscode.Diagnostic & { data?: FindingData }).data : undefined;
}

/** The findings in a file, if asked also those that only lead through it. */
export function findingsIn(uri: vscode.Uri, related = false): Finding[] {
  return vscode.languages.getDiagnostics(uri).flatMap(diagnostic => {
    const data = dataOf(diagnostic);
    return data?.finding && (related || !data.related) ? [{ id: data.finding, uri, diagnostic }] : [];
  });
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
