// Charts: lines over time, in SVG. Colours come from the style sheet.

const chart = { width: 320, height: 130, left: 42, bottom: 18, top: 8, right: 8 };

/** Returns a round number that is not below n, for an axis from 0. */
function roundUp(n) {
  if (n <= 0) return 1;
  const unit = 10 ** Math.floor(Math.log10(n));
  return [1, 2, 2.5, 5, 10].map(f => f * unit).find(v => v >= n);
}

/** The label of a value on an axis: small ones have their decimals. */
const tick = v => v < 10 ? String(Number(v.toFixed(2))) : brief(v);

/**
 * Draws series over seconds. Each has a name, points [seconds, value] and, if
 * it changes at once, step; said is the value in words, else that of the last point.
 * The unit follows values.
 */
function drawChart({ title, series, unit = '', most }) {
  const points = series.flatMap(s => s.points);
  const said = s => brief(s.said ?? s.points.at(-1)?.[1] ?? 0) + unit;
  const end = Math.max(0.001, ...points.map(p => p[0]));
  const top = most ?? roundUp(Math.max(...points.map(p => p[1]), 0));
  const x = s => chart.left + (chart.width - chart.left - chart.right) * s / end;
  const y = v => chart.height - chart.bottom - (chart.height - chart.bottom - chart.top) * v / top;
  const last = series.map(s => `${s.name} ${said(s)}`).join(', ');
  const picture = svg('svg', { class: 'chart', viewBox: `0 0 ${chart.width} ${chart.height}`, role: 'img', 'aria-label': `${title} over ${duration(end)}: ${last}` });
  for (const share of [0, 0.5, 1]) {
    fill(picture, [
      svg('line', { class: 'grid', x1: chart.left, x2: chart.width - chart.right, y1: y(share * top), y2: y(share * top) }),
      svg('text', { x: chart.left - 5, y: y(share * top) + 3, 'text-anchor': 'end' }, tick(share * top) + unit),
    ]);
  }
  fill(picture, [
    svg('text', { x: chart.left, y: chart.height - 5 }, '0'),
    svg('text', { x: chart.width - chart.right, y: chart.height - 5, 'text-anchor': 'end' }, duration(end)),
  ]);
  series.forEach((s, i) => {
    if (s.points.length > 0) picture.append(svg('path', { class: `line line-${i}`, d: pathOf(s, x, y) }));
  });
  return h('figure', { class: 'figure' }, h('figcaption', {}, title, h('span', { class: 'legend' }, series.map((s, i) =>
    h('span', { class: series.length > 1 ? `key key-${i}` : 'key' }, series.length > 1 || s.said !== undefined ? `${s.name} ` : '', h('b', {}, said(s)))))), picture);
}

function pathOf(s, x, y) {
  let d = '';
  s.points.forEach(([at, value], i) => {
    if (i === 0) d += `M${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
    else d += (s.step ? `H${x(at).toFixed(1)}` : '') + `L${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
  });
  return d;
}

/** The fewest seconds that a rate is measured over. */
const shortest = 0.15;

/** The charts of one campaign, or of several one after another. */
function charts(list) {
  const rate = [], instructions = [], branches = [], found = [], paths = [];
  const inputs = list.reduce((n, c) => n + c.contract.stats.inputs, 0);
  const all = { instructions: total(list.map(c => c.contract.stats.instructions)), branches: total(list.map(c => c.contract.stats.branches)) };
  const whole = points => Math.floor(points.at(-1)[1]); // as elsewhere on the page, 99.9 % are not all
  const base = { seconds: 0, instructions: 0, branches: 0, findings: 0, paths: 0 };
  for (const { campaign, contract } of list) {
    let before = { seconds: 0, inputs: 0 };
    for (const s of campaign.samples ?? []) {
      const at = base.seconds + s.seconds;
      if (s.seconds - before.seconds >= shortest) {
        rate.push([at, (s.inputs - before.inputs) / (s.seconds - before.seconds)]);
        before = s;
      }
      instructions.push([at, 100 * (base.instructions + s.instructions) / Math.max(1, all.instructions.total)]);
      branches.push([at, 100 * (base.branches + s.branches) / Math.max(1, all.branches.total)]);
      found.push([at, base.findings + s.findings]);
      paths.push([at, base.paths + s.paths]);
    }
    base.seconds += contract.stats.seconds;
    base.instructions += contract.stats.instructions.covered;
    base.branches += contract.stats.branches.covered;
    base.findings += contract.findings.length;
    base.paths += contract.stats.paths;
  }
  if (found.length === 0) return h('p', { class: 'soft' }, 'No samples over time.');
  return h('div', { class: 'charts' },
    drawChart({ title: 'Inputs per second', series: [{ name: 'mean', points: rate, said: inputs / Math.max(0.001, base.seconds) }] }),
    drawChart({ title: 'Coverage', unit: ' %', most: 100, series: [{ name: 'instructions', points: instructions, said: whole(instructions) }, { name: 'branches', points: branches, said: whole(branches) }] }),
    drawChart({ title: 'Findings', series: [{ name: 'findings', points: found, step: true }] }),
    drawChart({ title: 'Paths', series: [{ name: 'paths', points: paths }] }));
}
