// The colours of Solidity. A text is cut into tokens without being understood.

const token = new RegExp([
  String.raw`(?<comment>\/\/[^\n\r]*|\/\*[^]*?(?:\*\/|$))`,
  String.raw`(?<string>(?:hex|unicode)?(?:"(?:\\.|[^"\\\n\r])*"?|'(?:\\.|[^'\\\n\r])*'?))`,
  String.raw`(?<number>\b(?:0x[\da-fA-F_]+|\d[\d_]*(?:\.\d+)?(?:e-?\d+)?)\b)`,
  String.raw`(?<type>\b(?:u?int\d*|bytes\d*|address|bool|string|mapping|u?fixed\w*|function)\b)`,
  String.raw`(?<keyword>\b(?:abstract|anonymous|as|assembly|break|calldata|case|catch|constant|constructor|continue|contract|default|delete|do|else|emit|enum|error|event|external|fallback|false|for|from|if|immutable|import|indexed|interface|internal|is|leave|let|library|memory|modifier|new|override|payable|pragma|private|public|pure|receive|return|returns|revert|storage|struct|super|switch|this|throw|transient|true|try|type|unchecked|using|var|view|virtual|while)\b)`,
  String.raw`(?<builtin>\b(?:assert|require|msg|block|tx|abi|keccak256|sha256|ecrecover|selfdestruct|blockhash|gasleft)\b)`,
].join('|'), 'g');

const lineEnd = /\r\n|\n|\r/;

/** Returns the lines of a source as lists of [class, text]; the class may be empty. */
function highlight(source) {
  const lines = [[]];
  const add = (kind, part) => {
    part.split(lineEnd).forEach((piece, i) => {
      if (i > 0) lines.push([]);
      if (piece !== '') lines.at(-1).push([kind, piece]);
    });
  };
  let at = 0;
  for (const match of source.matchAll(token)) {
    if (match.index > at) add('', source.slice(at, match.index));
    const [kind] = Object.entries(match.groups).find(([, value]) => value !== undefined);
    add(kind, match[0]);
    at = match.index + match[0].length;
  }
  add('', source.slice(at));
  return lines;
}

/** Makes the elements of a highlighted line. */
function codeOf(line) {
  return line.map(([kind, part]) => kind === '' ? text(part) : h('span', { class: `s-${kind}` }, part));
}
