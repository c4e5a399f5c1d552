// The overview: figures, charts, contracts, sources of inputs, functions, the run.

function card(label, value, more) {
  return h('div', { class: 'card' }, h('div', { class: 'label' }, label), h('div', { class: 'value' }, value), h('div', { class: 'soft' }, more));
}

/** A table. A column is [title, cell of a row, whether it is a number]. */
function table(caption, columns, rows, attributes = () => ({})) {
  return h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption }, h('table', {}, h('caption', {}, caption),
    h('thead', {}, h('tr', {}, columns.map(([title, , n]) => h('th', { scope: 'col', class: n ? 'n' : null }, title)))),
    h('tbody', {}, rows.map(row => h('tr', attributes(row), columns.map(([, cell, n]) => h('td', { class: n ? 'n' : null }, cell(row))))))));
}

const nouns = { error: ['error'], warning: ['warning'], information: ['note'], hint: ['hint'] };

function cards(doc, list) {
  const found = findings(doc);
  const stats = list.map(c => c.contract.stats);
  const inputs = stats.reduce((n, s) => n + s.inputs, 0), seconds = stats.reduce((n, s) => n + s.seconds, 0);
  const instructions = total(stats.map(s => s.instructions)), branches = total(stats.map(s => s.branches));
  const each = severities.map(s => [s, found.filter(f => f.severity === s).length]).filter(([, n]) => n > 0);
  return h('div', { class: 'cards' },
    card('Findings', h('a', { href: address.findings() }, count(found.length)), each.length === 0 ? 'none' : each.map(([s, n]) => h('span', { class: `count ${s}` }, plural(n, ...nouns[s])))),
    card('Contracts', count(list.length), `of ${count(doc.report.contracts.length)} fuzzed`),
    card('Inputs', brief(inputs), seconds > 0 ? `${brief(inputs / seconds)} per second` : ''),
    card('Instructions', percent(instructions.covered, instructions.total), `${count(instructions.covered)} of ${count(instructions.total)}`),
    card('Branches', percent(branches.covered, branches.total), `${count(branches.covered)} of ${count(branches.total)}`),
    card('Time', duration(seconds), doc.run.workers > 0 ? plural(doc.run.workers, 'worker') : ''));
}

/** Why a contract was hardly covered. */
function blocker(b) {
  return h('div', { class: 'soft wrap' }, 'Few branches were reached: ', h('code', {}, b.condition), ' (', placeLink(b), `) had one outcome only, in ${plural(b.inputs, 'input')}.`);
}

function contracts(doc) {
  const found = findings(doc);
  const rows = doc.report.contracts.map((c, i) => ({ c, i, n: found.filter(f => f.group.contracts.includes(c.name)).length }));
  return table('Contracts', [
    ['Contract', ({ c }) => [h('b', {}, c.name), h('div', { class: 'soft wrap' }, c.file), c.note && h('div', { class: 'soft wrap' }, c.note), c.blocker && blocker(c.blocker)]],
    ['Findings', ({ c, n }) => c.stats.inputs > 0 || n > 0 ? count(n) : '–', true],
    ['Inputs', ({ c }) => count(c.stats.inputs), true],
    ['Per second', ({ c }) => c.stats.seconds > 0 ? count(Math.round(c.stats.inputs / c.stats.seconds)) : '–', true],
    ['Paths', ({ c }) => count(c.stats.paths), true],
    ['Instructions', ({ c }) => meter(c.stats.instructions.covered, c.stats.instructions.total, 'instructions')],
    ['Branches', ({ c }) => meter(c.stats.branches.covered, c.stats.branches.total, 'branches')],
    ['Compiler', ({ c }) => c.compiler.version && [c.compiler.version, h('div', { class: 'soft' }, [c.compiler.optimizer ? `optimiser ${c.compiler.optimizerRuns}` : 'no optimiser', c.compiler.viaIR ? ', via IR' : ''])]],
  ], rows);
}

/** The workers of a campaign on several machines. */
function team(doc) {
  const rows = doc.run.team ?? [];
  if (rows.length === 0) return null;
  return table('Workers', [['Worker', w => h('code', {}, w.id)], ['Threads', w => count(w.threads), true], ['Contract', w => w.contract || 'none'],
    ['Per second', w => count(Math.round(w.rate)), true],
    ['Unpublished', w => [count(w.waiting), w.dropped > 0 && `, ${count(w.dropped)} dropped`, w.problem && h('div', { class: 'soft wrap' }, w.problem)], true]], rows);
}

function sourcesOfInputs(list) {
  const sum = new Map();
  for (const { contract } of list) {
    for (const [name, s] of Object.entries(contract.stats.sources ?? {})) {
      const have = sum.get(name) ?? { name, tried: 0, repeats: 0, newPaths: 0, findings: 0 };
      for (const key of ['tried', 'repeats', 'newPaths', 'findings']) have[key] += s[key];
      sum.set(name, have);
    }
  }
  const rows = [...sum.values()].sort((a, b) => b.tried - a.tried);
  if (rows.length === 0) return null;
  return table('Sources of inputs', [['Source', r => r.name], ['Inputs', r => count(r.tried), true], ['New paths', r => count(r.newPaths), true],
    ['Findings', r => count(r.findings), true], ['Repeats', r => count(r.repeats), true]], rows);
}

function functions(list) {
  const rows = list.flatMap(c => (c.campaign.functions ?? []).map(f => ({ ...f, contract: c.contract.name })));
  if (rows.length === 0) return null;
  return table('Functions', [['Function', r => h('code', { class: 'wrap' }, list.length > 1 ? `${r.contract}.${r.signature}` : r.signature)],
    ['Inputs', r => count(r.inputs), true], ['Paths', r => count(r.paths), true]], rows);
}

function runFacts(doc) {
  const { run, report } = doc;
  const rows = [
    ['Leveret', [report.tool, run.revision ? ` (${run.revision})` : '']], ['Project', report.root], ['Seed', report.seed ? String(report.seed) : null], // workers of a campaign have their own
    ['Started', run.started ? new Date(run.started).toISOString().replace(/\.\d+Z$/, 'Z').replace('T', ' ') : null],
    ['Duration', run.seconds > 0 ? duration(run.seconds) : null],
    ['Files', report.sources.total > 0 ? `${count(report.sources.compiled)} of ${plural(report.sources.total, 'file')} compiled` : null],
    ...(run.settings ?? []).map(s => [`--${s.name}`, s.value]),
    ...(report.sources.failures ?? []).map(f => ['Not compiled', f]),
  ];
  return [h('h2', {}, 'Run'), h('dl', { class: 'facts' }, rows.filter(([, value]) => value).map(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]))];
}

/** Chooses the contract whose charts are shown. */
function contractChoice(list) {
  if (list.length < 2) return null;
  return h('label', { class: 'choice' }, 'Contract ', h('select', { id: 'contract', onchange: e => { state.contract = Number(e.target.value); render(); } },
    h('option', { value: -1, selected: state.contract < 0 }, 'all, one after another'),
    list.map(({ contract, i }) => h('option', { value: i, selected: state.contract === i }, contract.name))));
}

function overview(doc) {
  const all = fuzzed(doc);
  const chosen = all.filter(c => state.contract < 0 || c.i === state.contract);
  return [cards(doc, all), contracts(doc), team(doc), h('div', { class: 'row' }, h('h2', {}, 'Over time'), contractChoice(all)), charts(chosen),
    h('div', { class: 'pair' }, sourcesOfInputs(chosen), functions(chosen)), runFacts(doc)];
}
