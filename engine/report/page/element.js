// Elements and texts. Every text of the page passes through text(), so nothing
// of a project becomes markup.

/** Characters that change how text around them is shown, or that show nothing. */
const unsafe = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** Returns a text with such characters written as escapes; tabs and line breaks stay. */
function printable(s) {
  return String(s).replace(unsafe, c => c === '\n' || c === '\t' ? c : `\\u{${c.codePointAt(0).toString(16)}}`);
}

function text(s) {
  return document.createTextNode(printable(s));
}

/** Adds children to an element: elements, texts, lists of them; null adds nothing. */
function fill(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : text(child));
  }
  return element;
}

function assign(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'value') element.value = value;
    else element.setAttribute(name, value === true ? '' : printable(value));
  }
  return element;
}

/** Makes an element of HTML. Attributes named on… are listeners. */
function h(name, attributes = {}, ...children) {
  return fill(assign(document.createElement(name), attributes), children);
}

/** Makes an element of SVG. */
function svg(name, attributes = {}, ...children) {
  return fill(assign(document.createElementNS('http://www.w3.org/2000/svg', name), attributes), children);
}

const number = new Intl.NumberFormat('en');
const count = n => number.format(n);

/** Short form of a number: 950, 12.3k, 4.5M. */
function brief(n) {
  for (const [size, unit] of [[1e9, 'G'], [1e6, 'M'], [1e3, 'k']]) {
    if (n >= size) return (n / size).toFixed(n < 100 * size ? 1 : 0).replace(/\.0$/, '') + unit;
  }
  return String(Math.round(n));
}

const plural = (n, noun, nouns = `${noun}s`) => `${count(n)} ${n === 1 ? noun : nouns}`;
const percent = (part, whole) => whole === 0 ? '–' : `${Math.floor(100 * part / whole)} %`;

function duration(seconds) {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 120 ? `${minutes} min ${Math.round(seconds % 60)} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A bar for a share, with the share in words. */
function meter(part, whole, what) {
  const share = whole === 0 ? 0 : part / whole;
  const bar = svg('svg', { class: 'meter', viewBox: '0 0 100 8', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    svg('rect', { class: 'rest', width: 100, height: 8 }), svg('rect', { class: 'part', width: 100 * share, height: 8 }));
  return h('span', { class: 'share', title: `${count(part)} of ${count(whole)} ${what}` }, bar, h('span', {}, percent(part, whole)));
}
