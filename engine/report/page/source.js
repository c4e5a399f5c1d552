// The coverage map and the sources, with coverage in the gutter.

/** How much of a line ran, as a class. */
function shade([, , covered, all]) {
  if (covered === 0) return 'missed';
  return covered < all ? 'partly' : 'covered';
}

/** Draws the lines of a file as a strip: covered, partly covered, not covered, no code. */
function strip(file) {
  const lines = file.lines ?? [];
  const height = file.omitted ? lines.at(-1)?.[0] ?? 1 : file.text.split(lineEnd).length;
  const picture = svg('svg', { class: 'strip', viewBox: `0 0 ${height} 10`, preserveAspectRatio: 'none', 'aria-hidden': 'true' }, svg('rect', { class: 'empty', width: height, height: 10 }));
  const runs = [];
  for (const l of lines) {
    const kind = shade(l), run = runs.at(-1);
    if (run?.kind === kind && run.to === l[0] - 1) run.to = l[0];
    else runs.push({ kind, from: l[0] - 1, to: l[0] });
  }
  fill(picture, runs.map(r => svg('rect', { class: r.kind, x: r.from, width: r.to - r.from, height: 10 })));
  return picture;
}

function coverageView(doc) {
  const found = findings(doc);
  const files = (doc.files ?? []).map(file => ({ file, found: found.filter(f => f.at?.file === file.name).length, ...coverageOf(file) }));
  if (files.length === 0) return h('p', {}, 'No coverage was recorded.');
  const key = [['covered', 'covered'], ['partly', 'partly covered'], ['missed', 'not covered'], ['empty', 'no code']];
  return [h('p', { class: 'keys' }, key.map(([kind, name]) => h('span', {}, h('span', { class: `swatch ${kind}`, 'aria-hidden': 'true' }), ` ${name}`))),
    table('Coverage of files', [
      ['File', r => h('a', { class: 'wrap', href: address.source(r.file.name) }, r.file.name)],
      ['Lines', r => meter(r.lines.covered, r.lines.total, 'lines')], ['Branches', r => meter(r.arms.covered, r.arms.total, 'outcomes of conditions')],
      ['Findings', r => count(r.found), true], ['Map', r => h('a', { href: address.source(r.file.name), 'aria-label': `Source of ${r.file.name}`, tabindex: -1 }, strip(r.file))],
    ], files)];
}

/** The marks of a line in the gutter. */
function gutter(line, branches) {
  const said = line ? line[2] === 0 ? 'not covered' : `${plural(line[1], 'input')} ran this line${line[2] < line[3] ? ', not all of it' : ''}` : '';
  const arms = branches?.flatMap(b => b.taken) ?? [];
  const taken = arms.filter(Boolean).length;
  const conditions = branches?.map(b => `${b.text}: ${['neither outcome', 'one of two outcomes', 'both outcomes'][b.taken.filter(Boolean).length]}`).join('\n');
  return [h('span', { class: 'hits', title: said || null, 'aria-label': said || null, role: said ? 'img' : null }, line && line[2] > 0 ? brief(line[1]) : line ? '0' : ''),
    h('span', { class: `arms ${arms.length === 0 ? '' : taken === arms.length ? 'covered' : taken > 0 ? 'partly' : 'missed'}`, title: conditions, 'aria-label': conditions, role: conditions ? 'img' : null }, arms.length > 0 ? `${taken}/${arms.length}` : '')];
}

function sourceLines(file, found) {
  const covered = new Map((file.lines ?? []).map(l => [l[0], l]));
  const branches = Map.groupBy(file.branches ?? [], b => b.line);
  return highlight(file.text).map((line, i) => {
    const n = i + 1;
    const here = found.filter(f => f.at.line === n);
    const kind = covered.has(n) ? shade(covered.get(n)) : '';
    const row = h('div', { class: `line ${kind} ${here.length > 0 ? 'found' : ''}`, id: `L${n}`, tabindex: -1 },
      h('a', { class: 'num', href: address.source(file.name, n) }, n), gutter(covered.get(n), branches.get(n)), h('code', {}, codeOf(line)));
    return [row, here.map(f => h('a', { class: `mark ${f.severity}`, href: address.finding(f.id) }, h('b', {}, f.severity), ': ', prose(f.message)))];
  });
}

function sourceView(doc) {
  const files = doc.files ?? [];
  const file = fileNamed(state.file) ?? files[0];
  if (!file) return h('p', {}, 'The report has no sources.');
  state.file = file.name;
  const { lines, arms } = coverageOf(file);
  const found = findings(doc).filter(f => f.at?.file === file.name);
  return [h('div', { class: 'row file' },
    h('label', { class: 'choice grow' }, 'File ', h('select', { id: 'file', onchange: e => { location.hash = address.source(e.target.value); } },
      files.map(f => h('option', { value: f.name, selected: f === file }, f.name)))),
    h('span', {}, 'Lines ', meter(lines.covered, lines.total, 'lines')), h('span', {}, 'Branches ', meter(arms.covered, arms.total, 'outcomes of conditions'))),
  strip(file),
  file.omitted ? h('p', {}, 'The text of this file is too large for the report.') : h('div', { class: 'code source', tabindex: 0, role: 'region', 'aria-label': `Source of ${file.name}` }, sourceLines(file, found))];
}

/** Goes to the chosen line. */
function goToLine() {
  document.querySelectorAll('.line.target').forEach(l => l.classList.remove('target'));
  const line = state.line > 0 && document.getElementById(`L${state.line}`);
  if (!line) return;
  line.classList.add('target');
  line.scrollIntoView({ block: 'center' });
  line.focus({ preventScroll: true });
}
