// The page: views, addresses, keys, colours.

const views = [
  ['overview', 'Overview', overview],
  ['findings', 'Findings', findingsView],
  ['coverage', 'Coverage', coverageView],
  ['source', 'Source', sourceView],
];

const keys = [
  ['1 – 4', 'Overview, Findings, Coverage, Source'], ['/', 'filter the findings'], ['j, k', 'next and previous finding'],
  ['Enter', 'open or close the finding'], ['s', 'source of the finding'], ['t', 'dark or light'], ['?', 'these keys'], ['Esc', 'leave the filter'],
];

let current = 'overview';

function helpDialog() {
  return h('dialog', { id: 'help', 'aria-labelledby': 'help-title' }, h('h2', { id: 'help-title' }, 'Keys'),
    h('dl', { class: 'facts' }, keys.map(([key, what]) => [h('dt', {}, h('kbd', {}, key)), h('dd', {}, what)])),
    h('form', { method: 'dialog' }, h('button', {}, 'Close')));
}

function frame() {
  document.getElementById('app').replaceChildren(
    h('header', {}, h('div', { class: 'title' }, h('h1', {}, 'Leveret'), h('span', { id: 'project', class: 'soft' }), h('span', { id: 'live', role: 'status' })),
      h('nav', { 'aria-label': 'Views' }, views.map(([name, title]) => h('a', { href: `#${name}`, id: `to-${name}` }, title))),
      h('div', { class: 'tools' }, h('button', { type: 'button', id: 'theme', title: 'Dark or light (t)', 'aria-label': 'Dark or light', onclick: switchTheme }, '◐'),
        h('button', { type: 'button', id: 'keys', title: 'Keys (?)', 'aria-label': 'Keys', onclick: () => document.getElementById('help').showModal() }, '?'))),
    h('main', {}, views.map(([name, title]) => h('section', { id: name, 'aria-label': title }))), helpDialog());
}

/** Says whether the run goes on. */
function showLink(lost) {
  state.lost = lost;
  document.body.classList.toggle('lost', lost);
  document.getElementById('live').replaceChildren(text(lost ? 'connection lost' : state.doc.live ? state.doc.run.state || 'running' : state.followed ? 'ended' : ''));
}

/** Fills the view that is shown, and for print the others. */
function render(names = [current]) {
  const { doc } = state;
  const project = doc.report.root.split(/[\\/]/).filter(Boolean).at(-1) ?? '';
  document.title = `Leveret: ${printable(project)}`;
  document.getElementById('project').replaceChildren(text(project));
  showLink(state.lost);
  for (const [name, , view] of views) {
    const section = document.getElementById(name);
    section.hidden = name !== current;
    const link = document.getElementById(`to-${name}`);
    if (name === current) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
    if (names.includes(name)) section.replaceChildren(...fill(document.createDocumentFragment(), [view(doc)]).childNodes);
  }
  if (names.includes('findings')) listFindings();
}

/** Shows a view from its top; the sources at the chosen line. */
function show(name) {
  current = name;
  render();
  scrollTo(0, 0);
  if (name === 'source') goToLine();
}

/** Goes to an address at once, where following a link takes an event. */
function visit(hash) {
  if (location.hash !== hash) history.pushState(null, '', hash);
  go();
}

/** Shows what the address names. */
function go() {
  const hash = location.hash.slice(1);
  const [, kind, rest] = hash.match(/^(finding|source)=(.*)$/) ?? [];
  if (kind === 'finding') {
    show('findings');
    openFinding(decodeURIComponent(rest));
  } else if (kind === 'source') {
    const [, file, line] = rest.match(/^(.*?)(?::(\d+))?$/);
    state.file = decodeURIComponent(file);
    state.line = Number(line ?? 0);
    show('source');
  } else {
    show(views.some(([name]) => name === hash) ? hash : 'overview');
  }
}

const dark = () => (document.documentElement.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';

function switchTheme() {
  document.documentElement.dataset.theme = dark() ? 'light' : 'dark';
}

/** Moves the focus to the next finding, or to the one before. */
function step(by) {
  const all = [...document.querySelectorAll('details.finding > summary')];
  if (all.length === 0) return;
  const at = all.findIndex(s => s.parentElement.contains(document.activeElement));
  const next = all[at < 0 ? 0 : Math.max(0, Math.min(all.length - 1, at + by))];
  next.focus();
  next.scrollIntoView({ block: 'nearest' });
}

const commands = {
  '/': () => { visit(address.findings()); document.getElementById('filter-text').focus(); },
  j: () => { if (current !== 'findings') visit(address.findings()); step(1); },
  k: () => { if (current !== 'findings') visit(address.findings()); step(-1); },
  s: () => document.activeElement.closest?.('details.finding')?.querySelector('a.place')?.click(),
  t: switchTheme,
  '?': () => document.getElementById('help').showModal(),
};
views.forEach(([name], i) => { commands[i + 1] = () => visit(`#${name}`); });

document.addEventListener('keydown', e => {
  if (e.ctrlKey || e.metaKey || e.altKey || document.querySelector('dialog[open]')) return;
  if (e.target.matches('input, select')) {
    if (e.key === 'Escape') e.target.blur();
    return;
  }
  const command = Object.hasOwn(commands, e.key) && commands[e.key];
  if (!command) return;
  e.preventDefault();
  command();
});

// Print has the overview, all findings and the coverage of files.
addEventListener('beforeprint', () => {
  render(['overview', 'findings', 'coverage'].filter(name => name !== current));
  document.querySelectorAll('details.finding').forEach(d => d.show());
  document.querySelectorAll('details').forEach(d => { d.open = true; });
});

function update(doc) {
  const first = state.doc === null;
  const was = state.doc;
  state.doc = doc;
  if (first) {
    frame();
    go();
    return;
  }
  const news = was.report.groups.length !== doc.report.groups.length || was.live !== doc.live;
  const typing = document.activeElement?.matches('input, select');
  if (current === 'overview' && !typing) render();
  else if (current === 'findings' && news) listFindings();
  else if (current !== 'findings' && !typing) { // sources keep their place
    const at = scrollY;
    render();
    scrollTo(0, at);
  }
}

addEventListener('hashchange', go);
const embedded = JSON.parse(document.getElementById('document').textContent);
if (embedded) update(embedded);
else follow().catch(error => document.getElementById('app').replaceChildren(h('p', {}, `The run has ended or cannot be reached: ${error.message}`)));
