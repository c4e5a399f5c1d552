// The document of the page, and what views ask of it.

/** Severities, gravest first. */
const severities = ['error', 'warning', 'information', 'hint'];

/** The page's state: the document, what the user chose, and the link to the run. */
const state = { doc: null, contract: -1, open: new Set(), file: null, line: 0, followed: false, lost: false };

/** Lists the findings as the page shows them, one of each group. */
function findings(doc) {
  const all = new Map();
  for (const c of doc.report.contracts) for (const f of c.findings) all.set(f.id, f);
  const list = [];
  for (const group of doc.report.groups) {
    const id = group.findings[0];
    if (doc.details[id]) list.push({ ...all.get(id), ...doc.details[id], id, group });
  }
  return list;
}

/** Returns the file of the document with a name. */
const fileNamed = name => state.doc.files?.find(f => f.name === name);

/** The contracts that were fuzzed, with their numbers. */
function fuzzed(doc) {
  return doc.report.contracts.map((contract, i) => ({ contract, campaign: doc.campaigns[i], i })).filter(c => c.contract.stats.inputs > 0);
}

/** Sums coverage up. */
function total(list) {
  return list.reduce((sum, c) => ({ covered: sum.covered + c.covered, total: sum.total + c.total }), { covered: 0, total: 0 });
}

/** The coverage of a file: lines with code, and arms of conditions. */
function coverageOf(file) {
  const lines = file.lines ?? [], branches = file.branches ?? [];
  return {
    lines: { covered: lines.filter(l => l[2] > 0).length, total: lines.length },
    arms: { covered: branches.reduce((n, b) => n + b.taken.filter(Boolean).length, 0), total: 2 * branches.length },
  };
}

/** Addresses within the page. */
const address = {
  findings: () => '#findings',
  finding: id => `#finding=${encodeURIComponent(id)}`,
  source: (file, line) => `#source=${encodeURIComponent(file)}${line ? `:${line}` : ''}`,
};

/** A link to a line of a source; plain text if the document lacks the file. */
function placeLink(at) {
  if (!at) return null;
  const label = `${at.file}:${at.line}`;
  return fileNamed(at.file) ? h('a', { class: 'place', href: address.source(at.file, at.line) }, label) : h('span', { class: 'place' }, label);
}

/** A text with `code` in backquotes. */
function prose(s) {
  return s.split(/(`[^`]+`)/).map(part => part.length > 2 && part.startsWith('`') && part.endsWith('`') ? h('code', {}, part.slice(1, -1)) : part);
}
