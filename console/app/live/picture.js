// The live picture: pointer and keyboard go to the page, marks lie over it.

import { h, put } from '../view/element.js';

const DOUBLE_MS = 220;
const TYPED_MS = 120;
const REST_MS = 350;
const MOVED = 6;
const NAMED = ['Enter', 'Backspace', 'Delete', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown'];

/** `act(act)` gets what is done, `picked({x, y})` a point while `isPicking()`. */
export function livePicture({ act, picked, isPicking, whyNot }) {
  const image = h('img', { alt: '', draggable: 'false' });
  const marks = h('div', { class: 'live-marks', 'aria-hidden': 'true' });
  const veil = h('p', { class: 'live-veil' }, 'The browser is being opened…');
  const keys = h('p', { class: 'hidden', id: 'live-keys' }, 'While it has the focus, what you type goes to the page. Tab leaves it. The list of elements below does the same with plain controls.');
  const node = h('div', { class: 'live-picture', tabindex: 0, role: 'application', 'aria-label': 'Live picture of the page', 'aria-describedby': 'live-keys' }, image, marks, veil);
  let view = [1280, 720];
  let down = null;
  let single = null;
  let rest = null;
  let typed = '';
  let typing = null;

  const at = (event) => {
    const area = image.getBoundingClientRect();
    const inside = (value, most) => Math.min(most - 1, Math.max(0, value));
    return { x: inside(((event.clientX - area.left) * view[0]) / area.width, view[0]), y: inside(((event.clientY - area.top) * view[1]) / area.height, view[1]) };
  };
  const isOff = () => Boolean(whyNot()) || !image.src;
  const click = (point, times, button = 'left') => {
    flush();
    act({ act: 'pointer', input: { kind: 'click', at: point, button, times } });
  };
  /** What was typed goes out before anything else. */
  const flush = () => {
    clearTimeout(typing);
    if (typed) act({ act: 'type', text: typed });
    typed = '';
  };

  node.addEventListener('pointerdown', (event) => {
    if (isOff() || event.button !== 0) return;
    down = { ...at(event), clientX: event.clientX, clientY: event.clientY };
    node.focus({ preventScroll: true });
    event.preventDefault();
  });
  node.addEventListener('pointerup', (event) => {
    if (isOff() || !down || event.button !== 0) return;
    const from = { x: down.x, y: down.y };
    const isDrag = Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > MOVED;
    down = null;
    if (isPicking()) {
      picked(from);
    } else if (isDrag) {
      flush();
      act({ act: 'pointer', input: { kind: 'drag', at: from, through: [at(event)] } });
    } else if (single) {
      clearTimeout(single);
      single = null;
      click(from, 2);
    } else {
      // Two clicks in one place are a double-click; one waits for the other.
      single = setTimeout(() => { single = null; click(from, 1); }, DOUBLE_MS);
    }
  });
  node.addEventListener('pointercancel', () => { down = null; });
  node.addEventListener('contextmenu', (event) => {
    if (isOff()) return;
    event.preventDefault();
    if (isPicking()) picked(at(event)); else click(at(event), 1, 'right');
  });
  node.addEventListener('pointermove', (event) => {
    clearTimeout(rest);
    if (isOff() || isPicking() || document.activeElement !== node || event.pointerType === 'touch') return;
    const point = at(event);
    rest = setTimeout(() => act({ act: 'pointer', input: { kind: 'move', at: point } }), REST_MS);
  });
  node.addEventListener('pointerleave', () => clearTimeout(rest));
  // Without the focus the wheel scrolls this page, as everywhere.
  node.addEventListener('wheel', (event) => {
    if (isOff() || document.activeElement !== node) return;
    event.preventDefault();
    clearTimeout(rest);
    act({ act: 'pointer', input: { kind: 'scroll', at: at(event), by_x: Math.round(event.deltaX), by_y: Math.round(event.deltaY) } });
  }, { passive: false });
  node.addEventListener('keydown', (event) => {
    if (isOff() || event.isComposing || event.key === 'Tab') return;
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (isPlain && event.key.length === 1) {
      typed += event.key;
      clearTimeout(typing);
      typing = setTimeout(flush, TYPED_MS);
    } else if (isPlain && (NAMED.includes(event.key) || event.key === 'Escape')) {
      flush();
      act({ act: 'press', keys: [event.key === ' ' ? 'Space' : event.key] });
    } else if (event.ctrlKey && ['a', 'z', 'c', 'x'].includes(event.key)) {
      flush();
      act({ act: 'press', keys: [`Control+${event.key}`] });
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  });
  node.addEventListener('paste', (event) => {
    if (isOff()) return;
    const text = event.clipboardData.getData('text/plain');
    if (!text) return;
    event.preventDefault();
    flush();
    act({ act: 'type', text });
  });
  node.addEventListener('blur', flush);

  return {
    node: h('div', { class: 'live-frame' }, node, keys),
    show({ media_type, data }) {
      image.src = `data:${media_type};base64,${data}`;
      veil.hidden = true;
    },
    describe(page) {
      if (page.view[0] > 0) view = page.view;
      image.alt = page.title ? `The page “${page.title}”` : 'The page';
      if (page.status === 'ended') {
        veil.hidden = false;
        veil.textContent = page.note || 'This page has ended.';
      }
    },
    /** Candidates with their numbers; those out of view have no box. */
    mark(list) {
      const part = (value, of) => `${(100 * value) / of}%`;
      put(marks, list.map((one, index) => one.box && h('span', {
        class: 'live-mark',
        vars: { left: part(one.box[0], view[0]), top: part(one.box[1], view[1]), width: part(one.box[2], view[0]), height: part(one.box[3], view[1]) },
      }, h('b', {}, index + 1))));
    },
    picking(is) {
      node.classList.toggle('is-picking', is);
    },
    flush,
  };
}
