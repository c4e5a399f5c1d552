// Call traces: nested lists whose lines link to the source.

function traceLine(node) {
  return [h('span', { class: 'call' }, node.text), node.here && h('strong', { class: 'here' }, `← here: ${node.here}`), ' ', placeLink(node.at)];
}

function traceNode(node) {
  const nodes = node.nodes ?? [];
  const after = (node.after ?? []).map(s => h('li', { class: 'soft' }, s));
  if (nodes.length + after.length === 0) return h('li', {}, h('div', { class: 'leaf' }, traceLine(node)));
  return h('li', {}, h('details', { open: true }, h('summary', {}, traceLine(node)), h('ul', {}, nodes.map(traceNode), after)));
}

/** A call trace; nothing if there is none. */
function trace(f) {
  if (!f.trace?.length) return null;
  return h('section', { class: 'trace' }, h('h4', {}, 'Call trace'), h('ul', {}, f.trace.map(traceNode)),
    f.cut && h('p', { class: 'soft' }, 'The trace is longer. leveret replay prints all of it.'));
}
