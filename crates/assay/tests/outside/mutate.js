// Changes a page in ways that make a claim about it false, or leave it true, and takes each change back.
//
// `plan(claim)` lists the changes for a claim, `apply(n)` makes one, `undo()` takes it back. Nothing here knows how
// claims are judged: a text is changed wherever the page has it, so a claim that names it cannot stay true.
window.__mutations = (() => {
  'use strict';
  let undo = [];
  /** Whether each part of the change is still in place: a page that draws itself anew takes changes back. */
  let kept = [];
  let planned = [];
  const squeeze = (text) => text.replace(/\s+/g, ' ');
  const later = (back) => undo.push(back);

  const textNodes = () => {
    const found = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
      const parent = walk.currentNode.parentElement;
      if (parent && !/^(script|style|template|noscript)$/i.test(parent.localName)) found.push(walk.currentNode);
    }
    return found;
  };
  const fold = (text) => squeeze(text).toLowerCase();
  const withText = (text) => textNodes().filter((node) => fold(node.data).includes(fold(text)));
  const NAMES = ['title', 'alt', 'placeholder', 'aria-label', 'value', 'label', 'content'];

  /** Replaces a text wherever the page has it. Returns the number of places. */
  function replace(text, by) {
    let places = 0;
    const pattern = new RegExp(text.trim().split(/\s+/).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('\\s+'), 'gi');
    for (const node of withText(text)) {
      const before = node.data;
      node.data = before.replace(pattern, () => by);
      if (node.data !== before) {
        places++;
        const changed = node.data;
        kept.push(() => node.isConnected && node.data === changed);
        later(() => { node.data = before; });
      }
    }
    const changedNow = new Set(withText(text));
    kept.push(() => withText(text).every((node) => changedNow.has(node)));
    for (const field of document.querySelectorAll('input,textarea')) {
      const before = field.value;
      if (/^(checkbox|radio|file|hidden)$/.test(field.type) || !fold(before).includes(fold(text))) continue;
      field.value = before.replace(pattern, () => by);
      kept.push(() => field.isConnected && field.value !== before);
      places++;
      later(() => { field.value = before; });
    }
    for (const element of document.querySelectorAll(NAMES.map((name) => '[' + name + ']').join(','))) {
      for (const name of NAMES) {
        const before = element.getAttribute(name);
        if (before === null || name === 'value' && !/^(submit|button|reset)$/.test(element.type) || !fold(before).includes(fold(text))) continue;
        element.setAttribute(name, before.replace(pattern, () => by));
        places++;
        later(() => element.setAttribute(name, before));
      }
    }
    const title = document.title;
    if (fold(title).includes(fold(text))) { document.title = title.replace(pattern, () => by); places++; later(() => { document.title = title; }); }
    return places;
  }

  /** Applies a style to every element around the text. */
  function hide(text, style) {
    let places = 0;
    for (const node of withText(text)) {
      const element = node.parentElement;
      // Vector images are drawn by other properties.
      if (element.ownerSVGElement) return 0;
      // An indent moves the first line of a box only.
      if (style['text-indent'] && [...element.childNodes].find((one) => one.nodeType === 1 || /\S/.test(one.data)) !== node) continue;
      const before = element.getAttribute('style');
      // A style that comes by and by has not changed anything yet.
      const atOnce = { transition: 'none', animation: 'none', ...style };
      for (const [name, value] of Object.entries(atOnce)) element.style.setProperty(name, value, 'important');
      const written = element.getAttribute('style');
      kept.push(() => element.isConnected && element.getAttribute('style') === written && element.contains(node));
      places++;
      later(() => (before === null ? element.removeAttribute('style') : element.setAttribute('style', before)));
    }
    const hidden = new Set(withText(text));
    kept.push(() => withText(text).every((node) => hidden.has(node)));
    return places;
  }

  function insert(html, where) {
    const holder = document.createElement('div');
    holder.innerHTML = html;
    const element = holder.firstElementChild;
    const main = document.querySelector('main,form,section,article,table') || document.body;
    if (where === 'start') document.body.prepend(element);
    else if (where === 'end') document.body.append(element);
    else if (where === 'main') (main === document.body || main.localName === 'table' ? document.body : main).prepend(element);
    else { element.style.cssText = 'position:fixed;top:12px;right:12px;background:#fff;color:#222;padding:8px;z-index:99999'; document.body.append(element); }
    later(() => element.remove());
    return 1;
  }

  /** Gives every list of so many entries one more or one less. */
  function recount(number, more, tags) {
    let places = 0;
    for (const parent of document.querySelectorAll('*')) {
      const kinds = new Map();
      for (const child of parent.children) {
        const kind = child.localName + '.' + child.className;
        // The head of a table is no entry.
        if (child.localName === 'tr' && [...child.children].every((cell) => cell.localName === 'th')) continue;
        kinds.set(kind, [...(kinds.get(kind) || []), child]);
      }
      for (const alike of kinds.values()) {
        if (alike.length !== number || (tags && !alike[0].matches(tags)) || alike.some((one) => !one.getClientRects().length) || /^(br|script|style|option|col|th|td)$/.test(alike[0].localName)) continue;
        const last = alike[alike.length - 1];
        if (more) { const copy = last.cloneNode(true); last.after(copy); later(() => copy.remove()); }
        else { const next = last.nextSibling; last.remove(); later(() => parent.insertBefore(last, next)); }
        places++;
      }
    }
    return places;
  }

  function flip(what) {
    let places = 0;
    // Other things than the control itself can disable it.
    if (what === 'disabled' && document.querySelector('[aria-disabled],fieldset[disabled]')) return 0;
    const isOff = (field) => getComputedStyle(field).pointerEvents === 'none';
    if (what === 'disabled' && [...document.querySelectorAll('button')].some(isOff)) return 0;
    // Switches that are drawn have no field to flip.
    if (what === 'checked' && document.querySelector('[role=switch]:not(input),[role=checkbox]:not(input)')) return 0;
    for (const field of document.querySelectorAll('input,button,select,textarea,option')) {
      if (what === 'checked' && /^(checkbox|radio)$/.test(field.type || '')) {
        const before = field.checked;
        field.checked = !before;
        kept.push(() => field.isConnected && field.checked !== before);
        places++;
        later(() => { field.checked = before; });
      }
      if (what === 'disabled' && field.localName !== 'option') {
        const before = field.disabled;
        field.disabled = !before;
        kept.push(() => field.isConnected && field.disabled !== before);
        places++;
        later(() => { field.disabled = before; });
      }
    }
    return places;
  }

  const nextLetter = (letter) => (/[a-y]/i.test(letter) ? String.fromCharCode(letter.charCodeAt(0) + 1) : /[0-8]/.test(letter) ? String(Number(letter) + 1) : letter === '9' ? '0' : letter === 'z' ? 'a' : letter === 'Z' ? 'A' : letter);
  const swapCase = (text) => [...text].map((letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase())).join('');
  const SIGHT = [
    { display: 'none' }, { visibility: 'hidden' }, { opacity: '0' }, { 'font-size': '0' }, { color: 'transparent' },
    { 'clip-path': 'inset(100%)' }, { position: 'absolute', left: '-9999px' }, { filter: 'opacity(0)' }, { transform: 'scale(0)', display: 'inline-block' },
    { 'text-indent': '-9999px', overflow: 'hidden', display: 'block', 'white-space': 'nowrap' }, { position: 'fixed', top: '-500px', bottom: 'auto', height: 'auto' }, { color: '#fff', background: '#fff' },
  ];
  const ERRORS = ['Something went wrong', 'Invalid password', 'Sorry, your card was declined.', 'Payment failed', 'Email already taken', 'This field is required', 'Please enter a valid email address', 'We could not save your changes', 'Access denied', 'An error occurred while saving'];

  function plan(claim) {
    planned = [];
    const add = (kind, truth, run) => planned.push({ kind, truth, run });
    for (const text of claim.texts) {
      const letters = [...text];
      if (claim.negated) continue;
      const places = letters.map((letter, at) => at).filter((at) => nextLetter(letters[at]) !== letters[at]);
      for (const at of places.slice(0, claim.most)) {
        const other = letters.map((letter, place) => (place === at ? nextLetter(letter) : letter)).join('');
        add('value', false, () => replace(text, other));
      }
      for (const at of places.slice(0, Math.floor(claim.most / 2))) {
        if (letters[at] === letters[at + 1] || letters[at] === letters[at - 1] || letters.length < 4 || (claim.loose && (at === 0 || at === letters.length - 1))) continue;
        add('value', false, () => replace(text, letters.filter((letter, place) => place !== at).join('')));
      }
      const words = text.split(' ');
      if (words.length > 1) {
        for (let at = 0; at < words.length; at++) add('value', false, () => replace(text, words.filter((word, place) => place !== at).join(' ')));
        add('order', false, () => replace(text, [...words].reverse().join(' ') === text ? text + 'q' : [...words].reverse().join(' ')));
      }
      if (/^[A-Za-z]{3,}$/.test(words[words.length - 1]) && !claim.loose) add('word', false, () => replace(text, text + 'q'));
      if (/^[A-Za-z]{3,}$/.test(words[0]) && !claim.loose) add('word', false, () => replace(text, 'un' + text.toLowerCase() === text ? text : 'Un' + text.toLowerCase()));
      if (/[A-Za-z]/.test(text)) add('case', false, () => replace(text, swapCase(text)));
      if (claim.shown && /^[A-Za-z]/.test(text) && !/\b(no|not|never|nothing|cannot|without)\b|n['’]t\b/i.test(text)) {
        add('denial', false, () => replace(text, 'Not ' + text));
        add('denial', false, () => replace(text, 'No ' + text));
      }
      if (claim.visible) for (const style of SIGHT) add('sight: ' + Object.keys(style).join('+'), false, () => hide(text, style));
    }
    for (const number of claim.numbers) {
      if (claim.negated || claim.count) continue;
      const written = [String(number), number.toFixed(2), number.toLocaleString('en-US'), number.toLocaleString('en-US', { minimumFractionDigits: 2 })];
      for (const text of new Set(written)) {
        for (const by of [number + 1, number - 1, number * 10, number + 0.5].map(String)) add('value', false, () => replace(text, by));
        add('sign', false, () => replace(text, '-' + text));
      }
    }
    if (claim.count !== null && !claim.negated && claim.count > 0) {
      add('count', false, () => recount(claim.count, true, claim.tags));
      if (claim.count > 1) add('count', false, () => recount(claim.count, false, claim.tags));
    }
    if (claim.absent) {
      for (const text of claim.texts) {
        const safe = text.replace(/[&<>"]/g, (letter) => '&#' + letter.charCodeAt(0) + ';');
        for (const tag of claim.absent) for (const where of ['start', 'end', 'main', 'fixed']) add('presence', false, () => insert('<' + tag + '>' + safe + '</' + tag + '>', where));
      }
    }
    if (claim.denies_errors) for (const text of ERRORS) for (const tag of ['p', 'div', 'h2', 'span']) for (const where of ['start', 'end', 'main', 'fixed']) add('error', false, () => insert('<' + tag + '>' + text + '</' + tag + '>', where));
    if (claim.state) add('state', false, () => flip(claim.state));
    // What leaves the claim true.
    for (const where of ['start', 'end', 'main']) add('unrelated text', true, () => insert('<p>Lorem ipsum dolor sit amet</p>', where));
    add('unrelated link', true, () => insert('<p><a href="/imprint">Imprint</a></p>', 'end'));
    add('class names', true, () => {
      let places = 0;
      for (const element of document.body.querySelectorAll('[class]')) { element.classList.add('x-' + (places % 7)); places++; }
      later(() => { for (const element of document.body.querySelectorAll('[class]')) for (let n = 0; n < 7; n++) element.classList.remove('x-' + n); });
      return places;
    });
    for (const text of claim.texts) add('wrapped', true, () => {
      let places = 0;
      for (const node of withText(text)) {
        if (/^(option|title|textarea|button)$/.test(node.parentElement.localName)) continue;
        const wrapper = document.createElement('span');
        node.replaceWith(wrapper);
        wrapper.append(node);
        places++;
        later(() => wrapper.replaceWith(node));
      }
      return places;
    });
    return planned.map((one) => [one.kind, one.truth]);
  }

  return {
    plan,
    apply: (number) => planned[number].run(),
    kept: () => kept.every((check) => check()),
    undo: () => { kept = []; for (const back of undo.reverse()) back(); undo = []; return true; },
  };
})();
