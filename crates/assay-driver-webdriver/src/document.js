// One question to a document, in the page's own world: WebDriver has no other. Tells at the same time
// which document answers and which frames it has. Arguments: the key that no page knows, the function
// of the page script (none only looks), its arguments as JSON.
const [key, name, given] = arguments;
const mark = Symbol.for(key);
const framesIn = (root, found) => {
  for (const element of root.querySelectorAll('*')) {
    if (element.localName === 'iframe' || element.localName === 'frame') found.push(element);
    else if (element.shadowRoot) framesIn(element.shadowRoot, found);
  }
  return found;
};
// A frame keeps its number for as long as its element lives, wherever it is moved to.
const numberOf = (element) => {
  if (!element[mark]) {
    document[mark] = (document[mark] || 0) + 1;
    Object.defineProperty(element, mark, { value: document[mark] });
  }
  return element[mark];
};
const look = () => ({
  origin: performance.timeOrigin,
  ready: document.readyState,
  url: location.href,
  frames: framesIn(document, []).map((element) => ({
    number: numberOf(element), name: element.getAttribute('name') || element.id || '', url: element.src || '', element,
  })),
});
if (!name) return { look: look() };
if (typeof globalThis.__assay === 'undefined') return { missing: true, look: look() };
return (async () => {
  try {
    const text = await globalThis.__assay[name](JSON.parse(given));
    return { text, look: look() };
  } catch (error) {
    const message = String((error && error.message) || error);
    if (message.includes('__assay is not defined')) return { missing: true, look: look() };
    if (message.includes('__assay has left its document')) return { left: true, look: look() };
    return { error: message, look: look() };
  }
})();
