// The findings: filter, order, and what each of them is.

const filter = { text: '', severity: '', oracle: '', contract: '', order: 'severity' };

const orders = {
  severity: ['severity', (a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity)],
  place: ['place', (a, b) => (a.at?.file ?? '').localeCompare(b.at?.file ?? '') || (a.at?.line ?? 0) - (b.at?.line ?? 0)],
  oracle: ['oracle', (a, b) => a.oracle.localeCompare(b.oracle)],
  inputs: ['inputs until found', (a, b) => a.inputs - b.inputs],
};

function matches(f) {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const all = [f.id, f.group.id, f.message, f.oracle, f.swc, f.function, f.at?.file, ...f.group.contracts, ...(f.steps ?? []).map(s => s.text)].join('\n').toLowerCase();
  return words.every(w => all.includes(w)) && (filter.severity === '' || f.severity === filter.severity) &&
    (filter.oracle === '' || f.group.oracles.includes(filter.oracle)) && (filter.contract === '' || f.group.contracts.includes(filter.contract));
}

function chooser(label, key, values) {
  return h('label', { class: 'choice' }, `${label} `, h('select', { id: `filter-${key}`, onchange: e => { filter[key] = e.target.value; listFindings(); } },
    values.map(([value, name]) => h('option', { value, selected: filter[key] === value }, name))));
}

function filterBar(all) {
  const each = of => [['', 'all'], ...[...new Set(all.flatMap(of))].sort().map(v => [v, v])];
  return h('form', { class: 'filter', role: 'search', onsubmit: e => e.preventDefault() },
    h('label', { class: 'choice grow' }, 'Filter ', h('input', { id: 'filter-text', type: 'search', value: filter.text, placeholder: 'words in messages, calls, files', oninput: e => { filter.text = e.target.value; listFindings(); } })),
    chooser('Severity', 'severity', [['', 'all'], ...severities.map(s => [s, s])]),
    chooser('Oracle', 'oracle', each(f => f.group.oracles)),
    chooser('Contract', 'contract', each(f => f.group.contracts)),
    chooser('Order', 'order', Object.entries(orders).map(([key, [name]]) => [key, name])));
}

/** The lines around a place, with the blamed ones marked. */
function excerpt(f) {
  const file = f.at && fileNamed(f.at.file);
  if (!file || file.omitted) return null;
  const lines = highlight(file.text);
  const from = Math.max(1, f.start.line - 2), to = Math.min(lines.length, Math.min(f.end.line, f.start.line + 8) + 2);
  const rows = [];
  for (let n = from; n <= to; n++) {
    const blamed = n >= f.start.line && n <= f.end.line;
    rows.push(h('div', { class: blamed ? 'line found' : 'line' }, h('a', { class: 'num', href: address.source(file.name, n) }, n), h('code', {}, codeOf(lines[n - 1]))));
  }
  return h('div', { class: 'code excerpt', tabindex: 0, role: 'region', 'aria-label': `Source of ${f.at.file} at line ${f.at.line}` }, rows);
}

function stepList(f) {
  return h('section', {}, h('h4', {}, 'What happens'),
    f.deployment?.length > 0 && h('ul', { class: 'deployment' }, f.deployment.map(s => h('li', {}, s))),
    h('ol', { class: 'steps' }, (f.steps ?? []).map(s => h('li', {}, s.when && h('span', { class: 'soft' }, `${s.when}, `), h('span', { class: 'call' }, s.text), ' ', placeLink(s.at)))));
}

function facts(f) {
  const others = f.group.oracles.filter(o => o !== f.oracle);
  const rows = [...(f.evidence ?? []).map(e => [e.name, h('code', { class: 'wrap' }, e.value)]),
    f.function && ['function', h('code', { class: 'wrap' }, f.function)],
    others.length > 0 && ['same cause', others.join(', ')], f.group.contracts.length > 1 && ['contracts', f.group.contracts.join(', ')],
    f.group.baseline && ['baseline', f.group.baseline], (f.inputs > 0 || f.seconds > 0) && ['found after', `${plural(f.inputs, 'input')}, ${duration(f.seconds)}`],
    ['replay', h('code', { class: 'wrap' }, `leveret replay --id ${f.id}`)]];
  return h('dl', { class: 'facts' }, rows.filter(Boolean).map(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]));
}

/** Shows the Markdown of an oracle's page: headings, paragraphs, lists, code. */
function explanation(f) {
  const page = state.doc.oracles[f.oracle];
  if (!page) return null;
  const parts = [];
  for (const block of page.split(/(```[^]*?```)/)) {
    if (block.startsWith('```')) {
      const [, code] = block.match(/^```\w*\n([^]*?)```$/) ?? [null, block];
      parts.push(h('pre', { class: 'code' }, highlight(code.trimEnd()).map(line => [codeOf(line), '\n'])));
      continue;
    }
    for (const paragraph of block.trim().split(/\n\n+/).filter(Boolean)) parts.push(markdown(paragraph));
  }
  return h('details', { class: 'explanation' }, h('summary', {}, 'What it means and how to fix it'), parts);
}

function markdown(paragraph) {
  if (/^# /.test(paragraph)) return null; // the title repeats the finding
  if (/^#+ /.test(paragraph)) return h('h4', {}, paragraph.replace(/^#+ /, ''));
  if (/^- /.test(paragraph)) return h('ul', {}, paragraph.split(/\n- /).map(item => h('li', {}, linked(item.replace(/^- /, '')))));
  return h('p', {}, linked(paragraph));
}

/** A text with code and links of Markdown. */
function linked(s) {
  return s.replace(/\s*\n\s*/g, ' ').split(/(\[[^\]]+\]\([^)]+\))/).map(part => {
    const [, label, target] = part.match(/^\[([^\]]+)\]\((https:\/\/[^)]+)\)$/) ?? [];
    return target ? h('a', { href: target, rel: 'noreferrer' }, label) : prose(part);
  });
}

function findingCard(f) {
  const body = () => [excerpt(f), stepList(f), f.related?.length > 0 && h('section', {}, h('h4', {}, 'See also'), h('ul', {}, f.related.map(r => h('li', {}, placeLink(r.at), ' ', prose(r.message))))),
    trace(f), facts(f), explanation(f)];
  const details = h('details', { class: 'finding', 'data-id': f.id, open: state.open.has(f.id) }, h('summary', {},
    h('span', { class: `badge ${f.severity}` }, f.severity), h('span', { class: 'message' }, prose(f.message)),
    h('span', { class: 'meta' }, placeLink(f.at), ` · ${f.group.contracts.join(', ')} · ${f.oracle}${f.swc ? `, ${f.swc}` : ''}`)));
  const content = h('div', { class: 'body' });
  const show = () => { if (!content.hasChildNodes()) fill(content, body()); };
  details.addEventListener('toggle', () => {
    if (details.open) { state.open.add(f.id); show(); } else state.open.delete(f.id);
  });
  details.show = () => { details.open = true; state.open.add(f.id); show(); };
  if (details.open) show();
  return fill(details, [content]);
}

/** Shows the findings that the filter lets through. */
function listFindings() {
  const all = findings(state.doc);
  const shown = all.filter(matches).sort(orders[filter.order][1]);
  const place = document.getElementById('finding-list');
  place.replaceChildren(...shown.map(findingCard));
  const said = all.length === 0 ? 'No findings.' : `${count(shown.length)} of ${plural(all.length, 'finding')}`;
  document.getElementById('finding-count').textContent = said + (state.doc.accepted > 0 ? `; ${count(state.doc.accepted)} more in the baseline` : '');
}

function findingsView(doc) {
  return [filterBar(findings(doc)), h('p', { id: 'finding-count', class: 'soft', role: 'status' }), h('div', { id: 'finding-list' })];
}

/** Opens a finding and goes there. */
function openFinding(id) {
  const cards = () => [...document.querySelectorAll('details.finding')];
  let card = cards().find(c => c.dataset.id === printable(id));
  if (!card) { // the filter hides it
    Object.assign(filter, { text: '', severity: '', oracle: '', contract: '' });
    render();
    card = cards().find(c => c.dataset.id === printable(id));
  }
  if (!card) return;
  card.show();
  card.scrollIntoView({ block: 'start' });
  card.querySelector('summary').focus({ preventScroll: true });
}
