// Folding of traces by indentation. The server provides text and links.
import * as vscode from 'vscode';

const traceLanguage = 'leveret-trace';

export function registerTrace(): vscode.Disposable {
  return vscode.languages.registerFoldingRangeProvider(traceLanguage, { provideFoldingRanges: folds });
}

/** Folds a line with the more indented lines below it. */
function folds(document: vscode.TextDocument): vscode.FoldingRange[] {
  const ranges: vscode.FoldingRange[] = [];
  const open: { line: number; depth: number }[] = [];
  let last = 0;
  const close = (depth: number) => {
    while (open.length > 0 && open[open.length - 1].depth >= depth) {
      const start = open.pop()!.line;
      if (last > start) ranges.push(new vscode.FoldingRange(start, last));
    }
  };
  for (let line = 0; line < document.lineCount; line++) {
    const text = document.lineAt(line);
    if (text.isEmptyOrWhitespace) continue;
    const depth = text.firstNonWhitespaceCharacterIndex;
    close(depth);
    open.push({ line, depth });
    last = line;
  }
  close(0);
  return ranges;
}
