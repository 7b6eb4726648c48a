// Builds nodes. Data becomes text and attributes, never markup.

const SVG = 'http://www.w3.org/2000/svg';

/** An element: `h('a', { href: '/' , on: { click } }, 'Home')`. Children are nodes, texts, lists or nothing. */
export function h(tag, settings = {}, ...children) {
  return fill(document.createElement(tag), settings, children);
}

/** The same for SVG. */
export function svg(tag, settings = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), settings, children);
}

function fill(node, settings, children) {
  for (const [name, value] of Object.entries(settings)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === 'on') {
      for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
    } else if (name === 'class') {
      node.setAttribute('class', value);
    } else if (name === 'value') {
      node.value = value;
    } else if (name === 'vars') {
      // Through the object model: a strict policy allows no style in markup.
      for (const [property, text] of Object.entries(value)) node.style.setProperty(property, text);
    } else {
      node.setAttribute(name, value === true ? '' : String(value));
    }
  }
  node.append(...parts(children));
  return node;
}

/** Children as nodes and texts, without gaps. */
export function parts(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : String(child)));
}

/** Replaces what a node holds. */
export function put(node, ...children) {
  node.replaceChildren(...parts(children));
  return node;
}

let ids = 0;

/** An id that no other element has. */
export function freshId(name) {
  ids += 1;
  return `${name}-${ids}`;
}
