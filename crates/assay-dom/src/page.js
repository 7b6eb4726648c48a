// What assay knows of a page: the element map, accessible roles and names, refs and signatures,
// selectors, actionability with a guard during real input, and what changed. Plain JavaScript for
// every engine; runs in an isolated world where the engine has one, when it is first asked: what must be there
// before any script of the page is in early.js, which gives us the rest of its tools.
(early) => {
  'use strict';
  const { channel, marked, now, sleep, frameTick, styled, observe, mutationCount, KEYS, listen, afterEvent, quiet, LOUD } = early;

  // ---- what is heard -------------------------------------------------------------------------------

  // Values change without mutations; these events tell.
  let inputs = 0;
  function onInput(event) {
    inputs++;
    // A choice that is moved by keys passes others on its way. Only where it ends is the page's business.
    const until = guard && guard.until;
    if (until && event.target === until.element && until.element.selectedIndex !== until.index) event.stopImmediatePropagation();
  }

  // ---- text ----------------------------------------------------------------------------------------

  // Most texts have nothing to be squeezed out of them.
  const LOOSE = /[^\S ]|[\u200b\ufeff]|^ | $| {2}/;
  const squeeze = (text) => (LOOSE.test(text) ? String(text).replace(/[\s\u00a0\u200b\ufeff]+/g, ' ').trim() : String(text));
  const cut = (text, length) => (text.length > length ? text.slice(0, length - 1) + '\u2026' : text);
  const INLINE = new Set(['a', 'abbr', 'b', 'bdi', 'bdo', 'cite', 'code', 'data', 'dfn', 'em', 'font', 'i', 'kbd', 'mark', 'q', 's',
    'samp', 'small', 'span', 'strong', 'sub', 'sup', 'time', 'u', 'var', 'wbr', 'tt', 'ins', 'del']);
  /** What is struck out is said no more. */
  const STRUCK = new Set(['s', 'del', 'strike']);
  /** Elements that draw something of their own. */
  const PAINTED = new Set(['img', 'svg', 'video', 'canvas', 'iframe', 'object', 'embed', 'input', 'select', 'textarea', 'button', 'progress', 'meter']);
  const NO_TEXT = new Set(['script', 'style', 'noscript', 'template', 'head', 'datalist', 'object', 'canvas', 'select', 'textarea', 'iframe', 'title', 'desc']);

  function childrenOf(element) {
    if (element.shadowRoot) return element.shadowRoot.childNodes;
    if (element.localName === 'slot') {
      const assigned = element.assignedNodes();
      if (assigned.length) return assigned;
    }
    return element.childNodes;
  }

  function isRendered(element) {
    if (element.checkVisibility ? element.checkVisibility() : element.getClientRects().length) return true;
    return getComputedStyle(element).display === 'contents' && !!element.parentElement && isRendered(element.parentElement);
  }

  function gather(node, out, options) {
    for (const child of childrenOf(node)) {
      if (child.nodeType === 3) {
        out.push(child.data);
      } else if (child.nodeType === 1) {
        const tag = child.localName;
        if (NO_TEXT.has(tag) || child === options.skip) continue;
        if (options.accessible && child.getAttribute('aria-hidden') === 'true') continue;
        if (!options.hidden && !isRendered(child)) continue;
        const style = getComputedStyle(child);
        if (!options.hidden && style.visibility !== 'visible' && !child.firstElementChild) continue;
        // A name is heard, so it may be faint; text that is shown may not.
        if (!options.hidden && !options.accessible && style.opacity < FAINT) continue;
        const block = !INLINE.has(tag) || !/^(inline|contents|none)/.test(style.display);
        if (block) out.push(' ');
        if (tag === 'br') out.push(' ');
        else if (options.accessible && child.hasAttribute('aria-label')) out.push(child.getAttribute('aria-label'));
        else if (tag === 'img') out.push(options.accessible ? child.alt || '' : '');
        else if (tag === 'svg') out.push(options.accessible ? svgTitle(child) : '');
        else gather(child, out, options);
        if (block) out.push(' ');
      }
    }
  }
  /** What is hardly there cannot be made out. */
  const FAINT = 0.05;
  const NAME_TEXT = { accessible: true, hidden: false, skip: null };
  const SHOWN_TEXT = { accessible: false, hidden: false, skip: null };
  function textOf(element, options = NAME_TEXT) {
    if (!element.firstElementChild && !element.shadowRoot && element.localName !== 'slot') return squeeze(element.textContent);
    const out = [];
    gather(element, out, options);
    return squeeze(out.join(''));
  }
  function svgTitle(svg) {
    const title = svg.querySelector(':scope > title');
    return svg.getAttribute('aria-label') || (title ? title.textContent : '');
  }

  // ---- roles and names ----------------------------------------------------------------------------

  const WIDGETS = new Set(['button', 'link', 'checkbox', 'radio', 'textbox', 'searchbox', 'combobox', 'listbox', 'option', 'menuitem',
    'menuitemcheckbox', 'menuitemradio', 'tab', 'switch', 'slider', 'spinbutton', 'treeitem', 'scrollbar', 'date', 'time', 'month', 'week',
    'datetime', 'color', 'file', 'clickable', 'gridcell']);
  const EDITABLE = new Set(['textbox', 'searchbox', 'combobox', 'spinbutton', 'slider', 'date', 'time', 'month', 'week', 'datetime', 'color',
    'listbox', 'file']);
  const NOTABLE = new Set(['heading', 'status', 'alert', 'log', 'timer', 'dialog', 'alertdialog', 'image', 'progressbar', 'meter', 'tooltip']);
  const STRUCTURE = new Set(['table', 'grid', 'treegrid', 'row', 'cell', 'columnheader', 'rowheader', 'list', 'listitem', 'group', 'frame']);
  const FROM_CONTENT = new Set(['button', 'link', 'heading', 'option', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'tab', 'treeitem',
    'checkbox', 'radio', 'switch', 'cell', 'gridcell', 'columnheader', 'rowheader', 'tooltip', 'clickable', 'status', 'alert', 'log', 'timer',
    'caption', 'row', 'listitem', 'term', 'definition', 'note', 'paragraph']);
  const INPUT_ROLE = { button: 'button', submit: 'button', reset: 'button', image: 'button', checkbox: 'checkbox', radio: 'radio', range: 'slider',
    number: 'spinbutton', search: 'searchbox', file: 'file', color: 'color', date: 'date', time: 'time', month: 'month', week: 'week',
    'datetime-local': 'datetime', hidden: '' };
  const TAG_ROLE = { button: 'button', summary: 'button', textarea: 'textbox', option: 'option', h1: 'heading', h2: 'heading', h3: 'heading',
    h4: 'heading', h5: 'heading', h6: 'heading', table: 'table', tr: 'row', td: 'cell', caption: 'caption', ul: 'list', ol: 'list',
    menu: 'list', li: 'listitem', nav: 'navigation', main: 'main', aside: 'complementary', article: 'article', dialog: 'dialog', details: 'group',
    fieldset: 'group', output: 'status', progress: 'progressbar', meter: 'meter', p: 'paragraph', hr: 'separator', iframe: 'frame', form: 'form',
    section: 'region', figure: 'figure', blockquote: 'blockquote', header: 'banner', footer: 'contentinfo', search: 'search', dt: 'term', dd: 'definition' };

  function implicitRole(element) {
    const tag = element.localName;
    switch (tag) {
      case 'a': case 'area': return element.hasAttribute('href') ? 'link' : '';
      case 'input': {
        // An engine that does not know a type shows a text field; what the page means by it is the same.
        const role = INPUT_ROLE[element.type === 'text' ? (element.getAttribute('type') || 'text').toLowerCase() : element.type];
        if (role !== undefined) return role;
        return element.hasAttribute('list') ? 'combobox' : 'textbox';
      }
      case 'select': return element.multiple || element.size > 1 ? 'listbox' : 'combobox';
      case 'img': return element.getAttribute('alt') === '' ? '' : 'image';
      case 'svg': return svgTitle(element) ? 'image' : '';
      case 'th': return element.getAttribute('scope') === 'row' ? 'rowheader' : 'columnheader';
      default: return TAG_ROLE[tag] || '';
    }
  }
  function roleOf(element) {
    const given = element.getAttribute('role');
    if (given) {
      const role = given.trim().split(/\s+/)[0].toLowerCase();
      if (role === 'img') return 'image';
      if (role !== 'none' && role !== 'presentation') return role;
      return WIDGETS.has(implicitRole(element)) ? implicitRole(element) : '';
    }
    const role = implicitRole(element);
    if (role) return role;
    // Asking `isContentEditable` of every element would cost a style lookup each; the attribute marks the root.
    const editable = element.getAttribute('contenteditable');
    return editable !== null && editable !== 'false' ? 'textbox' : '';
  }

  const GENERATED = new Set(['button', 'link', 'heading', 'tab', 'menuitem']);
  /** Text that a style sheet puts in. Signs of icon fonts are pictures, not text. */
  function generated(element, place) {
    const style = getComputedStyle(element, place);
    const content = style.content;
    if (content === 'none' || content === 'normal' || content[0] !== '"' || style.display === 'none' || style.visibility !== 'visible') return '';
    return content.slice(1, content.lastIndexOf('"')).replace(/\\"/g, '"').replace(/[\ue000-\uf8ff]/g, '');
  }

  function byIds(element, ids) {
    const root = element.getRootNode();
    const parts = [];
    for (const id of ids.trim().split(/\s+/)) {
      const other = root.getElementById ? root.getElementById(id) : null;
      if (other) parts.push(other.getAttribute('aria-label') || textOf(other, { accessible: true, hidden: true, skip: element }) || other.value || '');
    }
    return squeeze(parts.join(' '));
  }
  function nameOf(element, role) {
    const labelledBy = element.getAttribute('aria-labelledby');
    if (labelledBy) {
      const name = byIds(element, labelledBy);
      if (name) return name;
    }
    const label = element.getAttribute('aria-label');
    if (label && label.trim()) return squeeze(label);
    const tag = element.localName;
    switch (tag) {
      case 'input': case 'select': case 'textarea': case 'meter': case 'progress': case 'output': {
        if (element.labels && element.labels.length) {
          const name = squeeze(Array.from(element.labels, (one) => one.getAttribute('aria-label') || textOf(one, { accessible: true, hidden: false, skip: element })).join(' '));
          if (name && tag !== 'output') return name;
        }
        if (tag === 'input') {
          const type = element.type;
          if (type === 'button' || type === 'submit' || type === 'reset') {
            const name = element.value || { submit: 'Submit', reset: 'Reset', button: '' }[type];
            if (name) return squeeze(name);
          }
          if (type === 'image') return squeeze(element.alt || element.value || element.title || 'Submit');
        }
        break;
      }
      case 'img': case 'area':
        if (element.alt) return squeeze(element.alt);
        break;
      case 'svg': {
        const name = squeeze(svgTitle(element));
        if (name) return name;
        break;
      }
      case 'fieldset': {
        const legend = element.querySelector(':scope > legend');
        if (legend) return textOf(legend);
        break;
      }
      case 'table':
        if (element.caption) return textOf(element.caption);
        break;
      case 'figure': {
        const caption = element.querySelector(':scope > figcaption');
        if (caption) return textOf(caption);
        break;
      }
      case 'details': {
        const summary = element.querySelector(':scope > summary');
        if (summary) return textOf(summary);
        break;
      }
    }
    if (FROM_CONTENT.has(role)) {
      const text = textOf(element);
      // Asking for it costs; what has a text and no class is rarely dressed up.
      const name = GENERATED.has(role) && (element.className || !text) ? squeeze(generated(element, '::before') + text + generated(element, '::after')) : text;
      if (name) return name;
    }
    const title = element.getAttribute('title');
    if (title && title.trim()) return squeeze(title);
    return squeeze(element.getAttribute('placeholder') || element.getAttribute('aria-placeholder') || '');
  }

  const DISABLED = ':disabled,[aria-disabled=true],[aria-disabled=true] *,[inert],[inert] *';
  const isDisabled = (element) => element.matches(DISABLED);
  function isChecked(element) {
    if (element.localName === 'input' && (element.type === 'checkbox' || element.type === 'radio')) return element.indeterminate ? 'mixed' : element.checked ? 'true' : 'false';
    return element.getAttribute('aria-checked');
  }
  const TELLS_REFUSAL = CSS.supports('selector(:user-invalid)');
  /** The browser itself tells that a field is not filled in well: after somebody tried, not before. */
  const isRefused = (element) => TELLS_REFUSAL && !!element.willValidate && element.matches(':user-invalid');
  /** What may have a state. One question for all of them: most elements have none. */
  const STATED = DISABLED + ',input,select,textarea,summary,[aria-checked],[aria-expanded],[aria-pressed],[aria-selected],[aria-current],[aria-required],' +
    '[aria-readonly],[aria-invalid]' + (TELLS_REFUSAL ? ',:user-invalid' : '');
  function statesOf(element, role) {
    const states = [];
    if (!element.matches(STATED)) return states;
    if (isDisabled(element)) states.push('disabled');
    const checked = isChecked(element);
    if (checked === 'true') states.push('checked');
    else if (checked === 'mixed') states.push('mixed');
    const expanded = element.getAttribute('aria-expanded');
    if (expanded === 'true') states.push('expanded');
    else if (expanded === 'false') states.push('collapsed');
    else if (element.localName === 'summary' && element.parentElement && element.parentElement.localName === 'details') states.push(element.parentElement.open ? 'expanded' : 'collapsed');
    if (element.getAttribute('aria-pressed') === 'true') states.push('pressed');
    if (element.getAttribute('aria-selected') === 'true') states.push('selected');
    if (element.getAttribute('aria-current') && element.getAttribute('aria-current') !== 'false') states.push('current');
    if (element.required || element.getAttribute('aria-required') === 'true') states.push('required');
    if (EDITABLE.has(role) && (element.readOnly || element.getAttribute('aria-readonly') === 'true')) states.push('readonly');
    if ((element.getAttribute('aria-invalid') && element.getAttribute('aria-invalid') !== 'false') || isRefused(element)) states.push('invalid');
    return states;
  }
  /** What a control holds; null for what holds nothing. */
  function valueOf(element, role) {
    const tag = element.localName;
    if (tag === 'input') {
      const type = element.type;
      if (type === 'checkbox' || type === 'radio' || type === 'button' || type === 'submit' || type === 'reset' || type === 'image') return null;
      if (type === 'password') return element.value ? '\u2022'.repeat(Math.min(8, element.value.length)) : '';
      if (type === 'file') return Array.from(element.files || [], (file) => file.name).join(', ');
      return element.value;
    }
    if (tag === 'select') return Array.from(element.selectedOptions, (option) => squeeze(option.label || option.text)).join(', ');
    if (tag === 'textarea') return element.value;
    if (tag === 'progress' || tag === 'meter') return String(element.value);
    if (role === 'textbox' && element.isContentEditable) return textOf(element, SHOWN_TEXT);
    if (role === 'slider' || role === 'progressbar' || role === 'spinbutton') return element.getAttribute('aria-valuetext') || element.getAttribute('aria-valuenow');
    return null;
  }

  // ---- refs and what is remembered of them ---------------------------------------------------------

  let { next, owesHeading } = early.left();
  const refOf = new WeakMap();
  const elementOf = new Map();
  const remembered = new Map();
  const KEPT_REFS = 20000;

  const ITEM = 'tr,li,article,[role=row],[role=listitem],[role=article],[role=option],[role=treeitem],dd';
  let itemTexts = new Map();
  /** The row or item around an element, as text: tells apart what has the same role and name. */
  function placeOf(element) {
    const item = element.parentElement && element.parentElement.closest(ITEM);
    if (!item) return '';
    let text = itemTexts.get(item);
    if (text === undefined) {
      text = squeeze(item.textContent).slice(0, 160);
      itemTexts.set(item, text);
    }
    return text;
  }
  /** What was seen at the last look at the whole page. */
  let lastSeen = { entries: [], asked: 0, counts: null };
  /** How many of a role and name there were then. Counted for each that is asked for, and for all at once where many are. */
  function alikes(role, name) {
    if (lastSeen.counts === null && ++lastSeen.asked > 8) {
      lastSeen.counts = new Map();
      for (const entry of lastSeen.entries) {
        const key = entry.role + '\u0000' + entry.name;
        lastSeen.counts.set(key, (lastSeen.counts.get(key) || 0) + 1);
      }
    }
    if (lastSeen.counts !== null) return lastSeen.counts.get(role + '\u0000' + name) || 0;
    let count = 0;
    for (const entry of lastSeen.entries) if (entry.role === role && entry.name === name) count++;
    return count;
  }
  function giveRef(element, role, name) {
    if (owesHeading) {
      // What is read first has the first refs, whether or not it was told on arrival.
      owesHeading = false;
      firsts();
    }
    let id = refOf.get(element);
    if (id === undefined) {
      id = next++;
      refOf.set(element, id);
      elementOf.set(id, new WeakRef(element));
      if (elementOf.size > KEPT_REFS) {
        const oldest = elementOf.keys().next().value;
        elementOf.delete(oldest);
        remembered.delete(oldest);
      }
    }
    remembered.set(id, { role, name, tag: element.localName, type: element.type || '', id: element.id, testid: testIdOf(element),
      href: element.getAttribute('href') || '', place: placeOf(element), seen: next, alike: alikes(role, name) || 2 });
    return id;
  }
  const TEST_IDS = ['data-testid', 'data-test-id', 'data-test', 'data-cy', 'data-qa'];
  function testIdOf(element) {
    for (const name of TEST_IDS) {
      const value = element.getAttribute(name);
      if (value) return value;
    }
    return '';
  }
  const line = (element, role = describeRole(element), name = nameOf(element, role)) => ({ ref: giveRef(element, role, name), role, name: cut(name, 160) });
  function describeRole(element) {
    const role = roleOf(element);
    if (role) return role;
    return isClickable(element) ? 'clickable' : element.localName;
  }

  // ---- the walk ------------------------------------------------------------------------------------

  const SKIP = new Set(['script', 'style', 'noscript', 'template', 'head', 'meta', 'link', 'title', 'base', 'datalist', 'param', 'source', 'track', 'colgroup', 'col', 'br', 'wbr']);

  const isPointed = (element) => getComputedStyle(element).cursor === 'pointer';
  function isClickable(element, pointed = isPointed(element), parentPointed = !!element.parentElement && isPointed(element.parentElement)) {
    if (element.hasAttribute('onclick')) return true;
    const tabindex = element.getAttribute('tabindex');
    if (tabindex !== null && +tabindex >= 0 && element !== document.body) return true;
    if (pointed) return element.localName !== 'label' && (!parentPointed || marked.has(element));
    if (!marked.has(element) || element === document.body || element === document.documentElement) return false;
    // A listener alone also stands on containers that handle the clicks of what is inside them.
    return !element.querySelector('a[href],button,input,select,textarea,[role],[tabindex],[onclick]') && element.textContent.length < 100 &&
      !Array.from(element.children).some((child) => marked.has(child) || isPointed(child));
  }

  const BLOCKS_TEXT = 'a[href],button,input,select,textarea,img,svg,h1,h2,h3,h4,h5,h6,ul,ol,table,dl,output,[role],[tabindex],[onclick],[contenteditable],iframe,details,p,div,section,slot,label';

  const CONTROLS = 'a[href],button,input,select,textarea,[role=button],[role=link],[role=checkbox],[role=tab],[role=menuitem],[tabindex]';
  /** What holds controls of its own is not named by all of them together. */
  const containerName = (element) => squeeze(element.getAttribute('aria-label') || element.getAttribute('title') || ownText(element));
  const SEEN = { visibilityProperty: true };
  const NONE = Object.freeze([]);
  /** All that is shown, in document order: [{depth, element, role, name, value, states, act}]. A document that is only coming has no root. */
  function walk(root) {
    itemTexts = new Map();
    const out = [];
    if (!root) return out;
    const visit = (element, depth, named, overPointer) => {
      const tag = element.localName;
      if (SKIP.has(tag)) return;
      // One native question answers for nearly all elements; only the others need their style.
      let shown = element.checkVisibility ? element.checkVisibility(SEEN) : false;
      if (!shown) {
        const style = getComputedStyle(element);
        if (style.display === 'none') return;
        shown = style.visibility === 'visible' && (style.display === 'contents' || !element.checkVisibility);
        if (!shown && style.visibility === 'visible') return;
      }
      if (element.getAttribute('aria-hidden') === 'true') return;
      if (element.shadowRoot) observe(element.shadowRoot);
      let role = roleOf(element);
      let act = WIDGETS.has(role) && role !== 'gridcell' && !(role === 'option' && tag === 'option');
      let pointer = overPointer;
      if (!act && shown && (!NOTABLE.has(role) || role === 'image') && tag !== 'iframe') {
        pointer = isPointed(element);
        if (isClickable(element, pointer, overPointer)) {
          if (!STRUCTURE.has(role) && !FROM_CONTENT.has(role) && role !== 'image') role = 'clickable';
          act = true;
        }
      } else if (act) {
        // What is inside a control belongs to it, whatever its cursor.
        pointer = true;
      }
      let below = depth;
      let inside = named;
      if (shown && act) {
        const structure = STRUCTURE.has(role);
        const name = structure ? '' : role === 'clickable' && element.querySelector(CONTROLS) ? containerName(element) : nameOf(element, role);
        out.push({ depth, element, role, name, value: valueOf(element, role), states: statesOf(element, role), act: true });
        below++;
        if (tag === 'select' || tag === 'textarea' || role === 'textbox') return;
        inside = named || (!structure && FROM_CONTENT.has(role) && name !== '');
      } else if (shown && NOTABLE.has(role)) {
        const dialog = role === 'dialog' || role === 'alertdialog';
        const name = nameOf(element, role);
        if (name || dialog || role === 'progressbar' || role === 'meter') {
          out.push({ depth, element, role, name, value: valueOf(element, role), states: statesOf(element, role), act: false });
          below++;
        }
        inside = named || (FROM_CONTENT.has(role) && name !== '');
      } else if (STRUCTURE.has(role)) {
        if (role === 'group') {
          if (tag === 'details' && !element.open) {
            const summary = element.querySelector(':scope > summary');
            if (summary) visit(summary, depth, named, pointer);
            return;
          }
        } else if (role !== 'frame') {
          out.push({ depth, element, role, name: '', value: null, states: NONE, act: false });
          below++;
        }
      }
      if (!inside && shown && !act && hasOwnText(element)) {
        const leaf = !element.firstElementChild && !element.shadowRoot;
        const whole = leaf || (!element.shadowRoot && !element.querySelector(BLOCKS_TEXT));
        const text = whole ? textOf(element, SHOWN_TEXT) : ownText(element);
        if (text) out.push({ depth: below, element, role: 'text', name: text, value: null, states: NONE, act: false });
        if (leaf || (whole && !hasClickableChild(element))) return;
        if (whole) inside = true;
      }
      if (element.shadowRoot || tag === 'slot') {
        for (const child of childrenOf(element)) if (child.nodeType === 1) visit(child, below, inside, pointer);
      } else {
        for (let child = element.firstElementChild; child; child = child.nextElementSibling) visit(child, below, inside, pointer);
      }
    };
    visit(root, 0, false, !!root.parentElement && isPointed(root.parentElement));
    return out;
  }
  function hasOwnText(element) {
    for (let node = element.firstChild; node; node = node.nextSibling) if (node.nodeType === 3 && /\S/.test(node.data)) return true;
    return false;
  }
  function ownText(element) {
    let text = '';
    for (let node = element.firstChild; node; node = node.nextSibling) {
      if (node.nodeType === 3) text += ' ' + node.data;
      else if (node.nodeType === 1 && INLINE.has(node.localName) && !node.matches(BLOCKS_TEXT) && !node.querySelector(BLOCKS_TEXT)) text += textOf(node, SHOWN_TEXT);
    }
    return squeeze(text);
  }
  function hasClickableChild(element) {
    for (let child = element.firstElementChild; child; child = child.nextElementSibling) if (isClickable(child) || hasClickableChild(child)) return true;
    return false;
  }
  const pageRoot = () => document.body || document.documentElement;
  const fresh = () => walk(pageRoot());

  function map(args) {
    let root = pageRoot();
    if (args.selector) {
      const found = resolveOne(args.selector, 'read', args);
      if (found.status) return found;
      root = found.element;
    }
    const entries = walk(root);
    if (!args.selector) {
      sinceMap = index(entries);
      baseline = sinceMap;
    }
    const nodes = [];
    for (const entry of entries) {
      if (entry.role === 'text' && !args.all && !entry.element.closest(FOLDED)) continue;
      const ref = entry.act || NOTABLE.has(entry.role) ? giveRef(entry.element, entry.role, entry.name) : 0;
      const shownName = entry.name || (ref && entry.act && entry.element.id ? '#' + entry.element.id : '');
      nodes.push([entry.depth, ref, entry.role, cut(shownName, 200), entry.value === null ? null : cut(entry.value, 120), entry.states.join(' ')]);
    }
    return { status: 'ok', next, title: document.title, url: location.href, nodes };
  }
  /** Text belongs to the map where a row or item is shown on one line. */
  const FOLDED = 'td,th,li,tr,[role=row],[role=listitem],[role=cell]';

  // ---- what changed --------------------------------------------------------------------------------

  let sinceMap = null;
  let baseline = null;
  const stamp = () => mutationCount() + ':' + inputs + ':' + location.href;
  function index(entries) {
    lastSeen = { entries, asked: 0, counts: null };
    return { stamp: stamp(), entries };
  }
  /** The entries by their elements: of those that have two, which follow each other, the first. */
  function byElement(entries) {
    const found = new Map();
    for (const entry of entries) if (!found.has(entry.element)) found.set(entry.element, entry);
    return found;
  }
  function current() {
    if (!baseline || baseline.stamp !== stamp()) baseline = index(fresh());
    return baseline;
  }
  const sameEntry = (one, other) => one.role === other.role && one.name === other.name && one.value === other.value &&
    one.states.length === other.states.length && (!one.states.length || one.states.join() === other.states.join());
  /** What changed where the same elements are there as before, in the same order: most acts put nothing in and take nothing away. Else null. */
  function changedInPlace(before, after) {
    if (before.length !== after.length) return null;
    const changed = [];
    for (let at = 0; at < after.length; at++) {
      const entry = after[at];
      const old = before[at];
      if (old.element !== entry.element) return null;
      if (!sameEntry(old, entry) && (at === 0 || after[at - 1].element !== entry.element)) changed.push({ entry, old });
    }
    return changed;
  }
  function compare(before, after) {
    const added = [];
    const removed = [];
    const inPlace = changedInPlace(before.entries, after.entries);
    const changed = inPlace || [];
    const isRow = (entry) => entry.role === 'row' || entry.role === 'listitem';
    const spoken = (entry) => isRow(entry) || ((!STRUCTURE.has(entry.role) || entry.act) && !(entry.role === 'clickable' && !entry.name));
    if (!inPlace) {
      const was = byElement(before.entries);
      const is = byElement(after.entries);
      for (const [element, entry] of is) {
        const old = was.get(element);
        if (!old) {
          if (spoken(entry)) added.push(entry);
        } else if (!sameEntry(old, entry)) {
          changed.push({ entry, old });
        }
      }
      for (const [element, entry] of was) if (!is.has(element) && spoken(entry)) removed.push(entry);
    }
    // A row or item is one change: its text, and the controls in it. What is only inside it is left out.
    const fold = (list) => {
      const rows = new Set(list.filter(isRow).map((entry) => entry.element));
      if (!rows.size) return list;
      const insideRow = (element) => {
        for (let up = element.parentElement; up; up = up.parentElement) if (rows.has(up)) return true;
        return false;
      };
      const onlyControl = (entry) => isRow(entry) && list.some((other) => other.act && !isRow(other) && entry.element.contains(other.element) && other.name === textOf(entry.element, SHOWN_TEXT));
      return list.filter((entry) => !(isRow(entry) && (onlyControl(entry) || !entry.element.textContent.trim()))).filter((entry) => !insideRow(entry.element) || entry.role === 'alert' || entry.role === 'status' || entry.role === 'dialog' || (entry.act && !isRow(entry)));
    };
    const rowName = (entry) => (isRow(entry) && !entry.name ? textOf(entry.element, SHOWN_TEXT) || squeeze(entry.element.textContent) : entry.name);
    // Nodes that were replaced by equal ones are no change for anybody.
    const gone = new Map();
    for (const entry of fold(removed)) {
      const key = entry.role + '\u0000' + rowName(entry) + '\u0000' + (entry.value ?? '') + '\u0000' + entry.states.join(' ');
      if (!gone.has(key)) gone.set(key, []);
      gone.get(key).push(entry);
    }
    const out = [];
    for (const entry of fold(added)) {
      const name = rowName(entry);
      const key = entry.role + '\u0000' + name + '\u0000' + (entry.value ?? '') + '\u0000' + entry.states.join(' ');
      const twins = gone.get(key);
      if (twins && twins.length) {
        twins.pop();
        continue;
      }
      const ref = entry.act || NOTABLE.has(entry.role) ? giveRef(entry.element, entry.role, entry.name) : 0;
      out.push(['+', ref, entry.role, cut(name, 200), entry.value === null ? null : cut(entry.value, 120), entry.states.join(' '), null]);
    }
    for (const { entry, old } of changed) {
      const ref = entry.act || NOTABLE.has(entry.role) ? giveRef(entry.element, entry.role, entry.name) : 0;
      const was = old.name !== entry.name ? old.name : old.value !== entry.value ? old.value : old.states.join(' ');
      out.push(['~', ref, entry.role, cut(entry.name, 200), entry.value === null ? null : cut(entry.value, 120), entry.states.join(' '), was === null ? null : cut(was, 120)]);
    }
    for (const twins of gone.values()) {
      for (const entry of twins) out.push(['-', refOf.get(entry.element) || 0, entry.role, cut(rowName(entry), 200), null, '', null]);
    }
    return out;
  }
  function diff(args) {
    const after = index(fresh());
    const changes = sinceMap ? compare(sinceMap, after) : null;
    return { status: changes ? 'ok' : 'no_map', next, changes: changes || [] };
  }

  // ---- selectors -----------------------------------------------------------------------------------

  /** What may have a shadow tree: a page has many elements that cannot, and they need not be looked at. */
  const HOSTS = ':not(a,abbr,b,br,button,canvas,code,col,colgroup,dd,dl,dt,em,fieldset,figcaption,figure,form,g,head,hr,html,i,iframe,img,input,label,legend,' +
    'li,link,meta,ol,optgroup,option,output,path,picture,pre,script,select,small,source,strong,style,sub,summary,sup,svg,table,tbody,td,template,textarea,' +
    'tfoot,th,thead,title,tr,u,ul,use,video)';
  function roots(top) {
    const found = [top];
    for (let index = 0; index < found.length; index++) {
      if (found[index].shadowRoot && index === 0) found.push(found[index].shadowRoot);
      for (const element of found[index].querySelectorAll(HOSTS)) if (element.shadowRoot) found.push(element.shadowRoot);
    }
    return found;
  }
  function splitTop(text, separator) {
    const parts = [];
    let depth = 0;
    let quote = '';
    let start = 0;
    for (let index = 0; index < text.length; index++) {
      const letter = text[index];
      if (quote) {
        if (letter === '\\') index++;
        else if (letter === quote) quote = '';
      } else if (letter === '"' || letter === "'") quote = letter;
      else if (letter === '(' || letter === '[') depth++;
      else if (letter === ')' || letter === ']') depth--;
      else if (depth === 0 && separator(letter, text, index)) {
        parts.push(text.slice(start, index));
        start = index + 1;
      }
    }
    parts.push(text.slice(start));
    return parts;
  }
  const up = (node) => node.parentElement || (node.getRootNode() instanceof ShadowRoot ? node.getRootNode().host : null);
  function plainCss(tops, css) {
    const found = new Set();
    for (const top of tops) for (const element of top.querySelectorAll(css)) found.add(element);
    if (found.size) return found;
    // Across shadow boundaries only the descendant combinator can match.
    const parts = splitTop(css, (letter, text, at) => letter === ' ' && !/[>+~\s]/.test(text[at + 1] || '') && !/[>+~\s]/.test(text[at - 1] || '')).filter((part) => part.trim());
    if (parts.length < 2) return found;
    const last = parts.pop();
    for (const top of tops) {
      for (const element of top.querySelectorAll(last)) {
        let want = parts.length - 1;
        for (let above = up(element); above && want >= 0; above = up(above)) if (above.matches(parts[want])) want--;
        if (want < 0) found.add(element);
      }
    }
    return found;
  }
  function cssQuery(top, css) {
    const found = new Set();
    for (const one of splitTop(css, (letter) => letter === ',')) for (const element of cssOne(roots(top), one.trim())) found.add(element);
    return inOrder(found);
  }
  function cssOne(tops, css) {
    const at = css.indexOf(':has-text(');
    if (at < 0) return plainCss(tops, css);
    const open = at + ':has-text('.length;
    let end = open;
    let quote = '';
    for (; end < css.length; end++) {
      if (quote) {
        if (css[end] === quote) quote = '';
      } else if (css[end] === '"' || css[end] === "'") quote = css[end];
      else if (css[end] === ')') break;
    }
    if (end >= css.length) throw new SyntaxError(':has-text( is not closed');
    const wanted = squeeze(css.slice(open, end).replace(/^\s*(["'])([\s\S]*)\1\s*$/, '$2')).toLowerCase();
    const head = css.slice(0, at).trim() || '*';
    const rest = css.slice(end + 1);
    let kept = [...plainCss(tops, head)].filter((element) => showsText(element, wanted));
    if (!css.slice(0, at).trim() || /[\s>+~]$/.test(css.slice(0, at))) kept = innermost(kept);
    if (!rest) return new Set(kept);
    const found = new Set();
    if (/^[\s>+~]/.test(rest)) {
      for (const element of kept) for (const below of cssOne([element], ':scope' + rest)) found.add(below);
    } else {
      for (const element of kept) if (element.matches(rest)) found.add(element);
    }
    return found;
  }
  /** The way down to an element as it is shown: through shadow trees, and to what is slotted by way of its slot. */
  const wayTo = (element) => {
    const way = [];
    for (let node = element; node; node = node.assignedSlot || up(node)) way.push(node);
    return way.reverse();
  };
  /** Which of two ways leads to what is read first. */
  function inReading(one, other) {
    let at = 0;
    while (at < one.length && one[at] === other[at]) at++;
    if (at === one.length || at === other.length) return one.length - other.length;
    const position = one[at].compareDocumentPosition(other[at]);
    // What no slot takes is not shown, and follows the shadow tree.
    if (position & Node.DOCUMENT_POSITION_DISCONNECTED) return one[at].getRootNode() instanceof ShadowRoot ? -1 : 1;
    return position & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
  }
  function inOrder(set) {
    const list = [...set];
    if (list.length < 2) return list;
    // Within one tree the browser knows the order.
    if (roots(document).length === 1) return list.sort((one, other) => (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
    return list.map(wayTo).sort(inReading).map((way) => way[way.length - 1]);
  }
  const innermost = (elements) => elements.filter((element) => !elements.some((other) => other !== element && element.contains(other)));

  const everyElement = function* (top) {
    for (const root of roots(top)) {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
      while (walker.nextNode()) yield walker.currentNode;
    }
  };
  const same = (one, other) => one.toLowerCase() === other.toLowerCase();
  // Made when first needed: an engine takes its time over the letters of all scripts.
  const once = (make) => {
    let made = null;
    return () => (made ??= make());
  };
  const lettersPattern = once(() => new RegExp('[\\p{L}\\p{N}]+', 'gu'));
  const signsPattern = once(() => new RegExp('[^\\p{L}\\p{N}]+', 'gu'));
  const compact = (text) => text.toLowerCase().replace(signsPattern(), '');
  const wordsOf = (text) => text.toLowerCase().match(lettersPattern()) || [];

  function roleQuery(top, role, name) {
    const wanted = role === 'img' ? 'image' : role;
    const matches = [];
    if (wanted === 'clickable' || wanted === 'text') {
      for (const entry of walk(top === document ? pageRoot() : top)) if (entry.role === wanted) matches.push(entry.element);
    } else {
      for (const element of everyElement(top)) {
        const actual = roleOf(element);
        if (actual === wanted || (wanted === 'textbox' && actual === 'searchbox') || (wanted === 'dialog' && actual === 'alertdialog')) matches.push(element);
      }
    }
    if (name === null || name === undefined) return matches;
    const wantedName = squeeze(name);
    const named = matches.map((element) => [element, rowish(element) ? '' : nameOf(element, wanted)]);
    const exact = named.filter(([, actual]) => actual === wantedName);
    if (exact.length) return exact.map(([element]) => element);
    const loose = named.filter(([, actual]) => same(actual, wantedName)).map(([element]) => element);
    if (loose.length) return loose;
    // A row or item is named by what it shows in one of its cells, or by all of it.
    return matches.filter((element) => rowish(element) && (same(textOf(element, SHOWN_TEXT), wantedName) ||
      [...element.querySelectorAll('td,th,[role=cell],[role=gridcell],h1,h2,h3,h4,h5,h6,a,span,p,strong,b,label')].some((part) => same(textOf(part, SHOWN_TEXT), wantedName))));
  }
  const rowish = (element) => element.matches('tr,li,[role=row],[role=listitem]');

  function labelQuery(top, text) {
    const wanted = squeeze(text);
    const controls = [];
    for (const element of everyElement(top)) {
      const role = roleOf(element);
      if (EDITABLE.has(role) || role === 'checkbox' || role === 'radio' || role === 'switch') controls.push([element, nameOf(element, role)]);
    }
    const exact = controls.filter(([, name]) => same(name, wanted) || same(name.replace(/\s*[:*]+$/, ''), wanted));
    const chosen = exact.length ? exact : controls.filter(([, name]) => name.toLowerCase().includes(wanted.toLowerCase()));
    return chosen.map(([element]) => element);
  }
  /** Whether an element shows a text. What scripts and styles contain, and what is hidden, is not shown. */
  const showsText = (element, wanted) => squeeze(element.textContent).toLowerCase().includes(wanted) &&
    isRendered(element) && textOf(element, SHOWN_TEXT).toLowerCase().includes(wanted);
  function textQuery(top, text) {
    const wanted = squeeze(text).toLowerCase();
    const holding = [];
    for (const element of everyElement(top)) {
      if (NO_TEXT.has(element.localName) || SKIP.has(element.localName)) continue;
      if (showsText(element, wanted) || (element.localName === 'input' && /button|submit|reset/.test(element.type) && element.value.toLowerCase().includes(wanted))) holding.push(element);
    }
    const smallest = innermost(holding);
    const exact = smallest.filter((element) => textOf(element, SHOWN_TEXT).toLowerCase() === wanted);
    return exact.length ? exact : smallest;
  }
  function xpathQuery(top, xpath) {
    const result = document.evaluate(xpath, top, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
    const found = [];
    for (let index = 0; index < result.snapshotLength; index++) if (result.snapshotItem(index).nodeType === 1) found.push(result.snapshotItem(index));
    return found;
  }

  const FILLER = new Set(['the', 'a', 'an', 'labelled', 'labeled', 'named', 'called']);
  const ROLE_WORDS = { button: ['button', 'clickable', 'switch', 'tab', 'menuitem', 'file'], btn: ['button'], link: ['link'], field: ['textbox', 'searchbox', 'spinbutton', 'combobox', 'date', 'time', 'month', 'week', 'datetime', 'color', 'file'],
    input: ['textbox', 'searchbox', 'spinbutton', 'combobox', 'date', 'time', 'month', 'week', 'datetime', 'color', 'file', 'checkbox', 'radio', 'slider'], textbox: ['textbox', 'searchbox'], textarea: ['textbox'], box: ['textbox', 'searchbox', 'checkbox', 'combobox', 'spinbutton'],
    checkbox: ['checkbox', 'switch'], radio: ['radio'], toggle: ['switch', 'checkbox', 'button'], switch: ['switch', 'checkbox'], dropdown: ['combobox', 'listbox'], select: ['combobox', 'listbox'], combobox: ['combobox'], list: ['listbox', 'combobox', 'list'],
    tab: ['tab'], menu: ['menuitem', 'button'], item: ['menuitem', 'listitem', 'option', 'treeitem', 'link'], option: ['option', 'radio'], heading: ['heading'], title: ['heading'], image: ['image'], picture: ['image'], icon: ['button', 'link', 'image', 'clickable'],
    slider: ['slider'], dialog: ['dialog', 'alertdialog'], message: ['status', 'alert', 'log'], row: ['row'], header: ['heading', 'columnheader'] };

  /** 3 exact, 2 the same letters, 1 contains all the words, 0 no match; the fraction only ranks candidates. */
  function likeness(wanted, name) {
    if (!name || !wanted) return 0;
    const one = wanted.toLowerCase();
    const other = name.toLowerCase();
    if (one === other) return 3;
    const oneCompact = compact(one);
    if (oneCompact && oneCompact === compact(other)) return 2;
    const wantedWords = wordsOf(one);
    if (!wantedWords.length) return 0;
    const nameWords = new Set(wordsOf(other));
    const hits = wantedWords.filter((word) => nameWords.has(word)).length;
    if (hits === wantedWords.length) return 1;
    const part = hits / wantedWords.length;
    const prefix = wantedWords.some((word) => word.length > 2 && [...nameWords].some((own) => own.startsWith(word) || (own.length > 2 && word.startsWith(own)))) ? 0.3 : 0;
    const inside = oneCompact.length > 2 && compact(other).includes(oneCompact) ? 0.5 : 0;
    return Math.min(0.99, Math.max(part, prefix, inside) + letterLikeness(oneCompact, compact(other)) * 0.2);
  }
  function letterLikeness(one, other) {
    if (!one || !other) return 0;
    const pairs = new Set();
    for (let index = 0; index < one.length - 1; index++) pairs.add(one.slice(index, index + 2));
    let hits = 0;
    for (let index = 0; index < other.length - 1; index++) if (pairs.has(other.slice(index, index + 2))) hits++;
    return hits / Math.max(1, Math.max(one.length, other.length) - 1);
  }
  function suits(entry, kind) {
    if (kind === 'edit') return EDITABLE.has(entry.role);
    if (kind === 'choose') return entry.role === 'combobox' || entry.role === 'listbox';
    if (kind === 'check') return entry.role === 'checkbox' || entry.role === 'radio' || entry.role === 'switch' || entry.role === 'menuitemcheckbox' || entry.role === 'menuitemradio';
    if (kind === 'file') return entry.role === 'file' || entry.role === 'button';
    if (kind === 'act') return entry.act;
    return !STRUCTURE.has(entry.role) || entry.act;
  }
  function otherNames(entry) {
    const element = entry.element;
    const names = [element.getAttribute('placeholder'), element.getAttribute('title'), element.getAttribute('name'), element.id, testIdOf(element)];
    return names.filter(Boolean).map((name) => name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[-_]+/g, ' '));
  }
  /** The labels of a control; of a field also what else it is named by, other controls excepted. */
  function labelsOf(element, kind) {
    const labels = [...(element.labels || [])];
    const ids = kind === 'act' && EDITABLE.has(roleOf(element)) ? element.getAttribute('aria-labelledby') : null;
    for (const id of (ids || '').split(/\s+/).filter(Boolean)) {
      const label = element.getRootNode().querySelector('#' + CSS.escape(id));
      if (label && label !== element && !WIDGETS.has(roleOf(label))) labels.push(label);
    }
    return labels;
  }
  /** Exact name first; else the same letters; else the only one that has all the words. */
  function wordsQuery(top, text, kind) {
    const entries = walk(top === document ? pageRoot() : top).filter((entry) => suits(entry, kind));
    const whole = squeeze(text).replace(/^["'](.*)["']$/, '$1');
    const kept = whole.split(' ').filter((word) => !FILLER.has(word.toLowerCase()));
    const roleWord = kept.length > 1 ? kept.map((word) => word.toLowerCase()).findLast((word, at) => ROLE_WORDS[word] && (at === kept.length - 1 || at === 0)) : undefined;
    const roles = roleWord ? ROLE_WORDS[roleWord] : null;
    const bare = roles ? kept.filter((word) => word.toLowerCase() !== roleWord).join(' ') : kept.join(' ');
    const tiers = [[], [], []];
    for (const entry of entries) {
      let score = likeness(whole, entry.name);
      const fits = !roles || roles.includes(entry.role);
      if (fits) score = Math.max(score, likeness(bare, entry.name));
      if (score < 1 && fits) for (const name of otherNames(entry)) if (likeness(bare, name) >= 1) score = 1;
      if (score >= 3) tiers[0].push(entry.element);
      else if (score >= 2) tiers[1].push(entry.element);
      else if (score >= 1) tiers[2].push(entry.element);
    }
    for (const tier of tiers) {
      if (!tier.length) continue;
      // The label of a control that is meant as well is not a second thing.
      const labels = new Set(tier.flatMap((element) => labelsOf(element, kind)));
      const kept = tier.filter((element) => !labels.has(element) && !(labels.has(element.closest('label')) && !WIDGETS.has(roleOf(element))));
      // One thing inside another of the same name is one thing: the inner is clicked, the outer hears of it.
      const nameIn = (element) => nameOf(element, describeRole(element));
      return kind === 'act' ? kept.filter((element) => !kept.some((other) => other !== element && composedContains(element, other) && nameIn(other) !== '' && nameIn(other) === nameIn(element))) : kept;
    }
    // A role word alone: the only button, the only dialog.
    if (kept.length === 1 && ROLE_WORDS[kept[0].toLowerCase()]) {
      const only = ROLE_WORDS[kept[0].toLowerCase()][0];
      return entries.filter((entry) => entry.role === only).map((entry) => entry.element);
    }
    return [];
  }

  function stepQuery(top, step, kind) {
    switch (step.by) {
      case 'ref': {
        const element = elementFor(step.id);
        if (element && element.isConnected) return [element];
        const after = heir(step.id);
        return after && after.same.length === 1 ? after.same : [];
      }
      case 'css': {
        const found = cssQuery(top, step.css);
        if (!step.or_words) return found;
        if (kind === 'read') return found.length ? found : wordsQuery(top, step.css, kind);
        // A bare word can be a tag or a name. Only where one reading alone has something to act on is it clear.
        const fitting = found.filter((element) => suits({ role: describeRole(element), act: WIDGETS.has(describeRole(element)) }, kind));
        const worded = wordsQuery(top, step.css, kind);
        return fitting.length || worded.length ? inOrder(new Set([...fitting, ...worded])) : found;
      }
      case 'xpath': return xpathQuery(top, step.xpath);
      case 'role': return roleQuery(top, step.role, step.name);
      case 'label': return labelQuery(top, step.text);
      case 'text': return textQuery(top, step.text);
      case 'test-id': return [...everyElement(top)].filter((element) => TEST_IDS.some((name) => element.getAttribute(name) === step.id));
      case 'words': return wordsQuery(top, step.text, kind);
      default: throw new Error('unknown step ' + step.by);
    }
  }
  function resolveAll(selector, kind) {
    let found = [document];
    for (let at = 0; at < selector.steps.length; at++) {
      const step = selector.steps[at];
      if (step.by === 'nth') {
        found = found.slice(step.index - 1, step.index);
        continue;
      }
      const wanted = at === selector.steps.length - 1 || selector.steps[at + 1].by === 'nth' ? kind : 'read';
      const below = new Set();
      for (const top of found) for (const element of stepQuery(top, step, wanted)) below.add(element);
      found = inOrder(below);
    }
    return found;
  }
  function isShown(element) {
    if (!element.isConnected || !isRendered(element)) return false;
    if (getComputedStyle(element).visibility !== 'visible') return false;
    const box = element.getBoundingClientRect();
    if (box.width > 0 && box.height > 0) return true;
    return [...childrenOf(element)].some((child) => (child.nodeType === 1 ? isShown(child) : child.nodeType === 3 && rangeShown(child)));
  }
  function rangeShown(text) {
    if (!/\S/.test(text.data)) return false;
    const range = document.createRange();
    range.selectNodeContents(text);
    const box = range.getBoundingClientRect();
    return box.width > 0 && box.height > 0;
  }

  function candidate(element) {
    const item = element.parentElement && element.parentElement.closest(ITEM);
    return { ...line(element), place: item ? cut(textOf(item, SHOWN_TEXT), 60) : null };
  }
  const MAX_CANDIDATES = 5;
  function nearest(selector, kind) {
    const last = selector.steps.findLast((step) => step.by !== 'nth') || selector.steps[0];
    const wanted = last.text ?? last.name ?? last.id ?? last.css ?? '';
    const words = String(wanted).replace(/:has-text\(["']?|["']?\)/g, ' ').replace(/[#.[\]=>"':()*~^$|]/g, ' ');
    const role = last.by === 'role' ? last.role : null;
    const ranked = [];
    itemTexts = new Map();
    for (const element of document.querySelectorAll(LIKELY)) {
      const own = roleOf(element) || 'clickable';
      if (!(WIDGETS.has(own) || NOTABLE.has(own)) || (kind !== 'read' && !suits({ role: own, act: WIDGETS.has(own) }, kind))) continue;
      let score = likeness(squeeze(words), nameOf(element, own));
      for (const name of otherNames({ element })) score = Math.max(score, likeness(squeeze(words), name) * 0.9);
      if (role && role === own) score += 0.25;
      if (score > 0.2) ranked.push([score, element]);
    }
    ranked.sort((one, other) => other[0] - one[0]);
    // Whether it is shown is asked of the best ones only: that is the dear question.
    const best = [];
    for (const [, element] of ranked) {
      if (best.length === MAX_CANDIDATES) break;
      if (isShown(element)) best.push(candidate(element));
    }
    return best;
  }
  const LIKELY = 'a[href],button,input,select,textarea,summary,h1,h2,h3,h4,h5,h6,output,img,[role],[tabindex],[onclick],[contenteditable]';

  /** The signature decides whether an element that is gone has clearly been replaced by another. */
  function heir(id) {
    const past = remembered.get(id);
    if (!past) return null;
    const alike = [];
    itemTexts = new Map();
    for (const entry of fresh()) {
      if (entry.role !== past.role || entry.name !== past.name) continue;
      const element = entry.element;
      alike.push(element);
    }
    // One of several that only its place told apart is not told apart once its place is gone.
    const distinct = past.alike === 1 || past.id !== '' || past.testid !== '' || past.place !== '';
    const same = !distinct ? [] : alike.filter((element) => {
      // Whatever was on the page together with the lost element is another element.
      const known = refOf.get(element);
      if (known !== undefined && known < past.seen) return false;
      return element.localName === past.tag && (element.type || '') === past.type && element.id === past.id && testIdOf(element) === past.testid &&
        (element.getAttribute('href') || '') === past.href && placeOf(element) === past.place;
    });
    return { past, same, alike };
  }

  /** One element, or a status that says why not. */
  function resolveOne(selector, kind, args) {
    let found;
    try {
      found = resolveAll(selector, kind);
    } catch (error) {
      if (error instanceof SyntaxError || (error && /Syntax|InvalidExpression|XPath/.test(String(error.name) + String(error.message)))) return { status: 'bad_selector', message: String(error.message), next };
      throw error;
    }
    const only = selector.steps.length === 1 && selector.steps[0];
    if (!found.length && only && only.by === 'ref') {
      if (only.id >= next || (!elementOf.has(only.id) && !remembered.has(only.id))) return { status: 'unknown_ref', candidates: [], next };
      const after = heir(only.id);
      const list = after ? [...after.same, ...after.alike.filter((element) => !after.same.includes(element))] : [];
      return { status: 'stale_ref', was: after ? { role: after.past.role, name: after.past.name } : null, candidates: list.slice(0, MAX_CANDIDATES).map(candidate), next };
    }
    if (!found.length) return { status: 'not_found', candidates: args && args.quiet ? [] : nearest(selector, kind), next };
    if (found.length === 1) return { element: found[0], healed: only && only.by === 'ref' && elementFor(only.id) !== found[0] ? only.id : 0 };
    const shown = found.filter(isShown);
    if (shown.length === 1) return { element: shown[0] };
    const list = shown.length ? shown : found;
    return { status: 'ambiguous', total: list.length, candidates: list.slice(0, MAX_CANDIDATES).map(candidate), next };
  }

  // ---- questions -----------------------------------------------------------------------------------

  function query(args) {
    let found;
    try {
      found = resolveAll(args.selector, args.kind || 'read');
    } catch (error) {
      return { status: 'bad_selector', message: String(error.message), next };
    }
    if (!found.length && args.selector.steps.length === 1 && args.selector.steps[0].by === 'ref') return resolveOne(args.selector, 'read', args);
    const shown = found.filter(isShown);
    if (args.count_only) return { status: 'ok', next, total: found.length, shown: shown.length, elements: [] };
    if (!found.length) return { status: 'not_found', candidates: args.quiet ? [] : nearest(args.selector, 'read'), next };
    const elements = (args.shown_first && shown.length ? shown : found).slice(0, args.limit).map((element) => {
      const role = describeRole(element);
      return { ...line(element, role), value: valueOf(element, role), states: statesOf(element, role).join(' ') };
    });
    return { status: 'ok', next, total: found.length, shown: shown.length, elements };
  }

  function pageText() {
    const body = pageRoot();
    return body ? (body.innerText ?? body.textContent) : '';
  }
  /** Text as shown, an element's inner text; for a control, what it holds. */
  function shownText(element) {
    const role = roleOf(element);
    if (EDITABLE.has(role)) return valueOf(element, role) ?? '';
    return (element.innerText ?? element.textContent ?? '').replace(/\u00a0/g, ' ').trim();
  }
  function read(args) {
    if (!args.selector) {
      if (args.what === 'text') return { status: 'ok', next, text: pageText() };
      return { status: 'ok', next, text: '<!doctype html>\n' + document.documentElement.outerHTML };
    }
    if (args.what === 'text') {
      const all = query({ ...args, limit: 1, count_only: true });
      if (all.status === 'ok' && all.total > 1) {
        const found = resolveAll(args.selector, 'read');
        const shown = found.filter(isShown);
        return { status: 'ok', next, texts: (shown.length ? shown : found).map(shownText) };
      }
    }
    const found = resolveOne(args.selector, args.what === 'value' || args.what === 'editable' ? 'edit' : args.what === 'checked' ? 'check' : 'read', args);
    if (found.status) return found;
    const element = found.element;
    const role = roleOf(element);
    switch (args.what) {
      case 'text': return { status: 'ok', next, text: shownText(element) };
      case 'html': return { status: 'ok', next, text: element.outerHTML };
      case 'value': {
        const value = element.localName === 'input' && element.type === 'password' ? element.value : element.localName === 'select' ? element.value : valueOf(element, role);
        return { status: 'ok', next, text: value === null ? (element.value === undefined ? null : String(element.value)) : value };
      }
      case 'attr': return { status: 'ok', next, text: element.getAttribute(args.name) };
      case 'visible': return { status: 'ok', next, holds: isSeen(element) };
      case 'enabled': return { status: 'ok', next, holds: !isDisabled(element) };
      case 'editable': return { status: 'ok', next, holds: isEditable(element, role) === true };
      case 'checked': {
        const checked = isChecked(element);
        if (checked === null) return { status: 'wrong_kind', next, ...line(element), message: 'has no checked state' };
        return { status: 'ok', next, text: checked };
      }
      case 'box': {
        const box = element.getBoundingClientRect();
        return { status: 'ok', next, box: [box.x + scrollX, box.y + scrollY, box.width, box.height] };
      }
      default: throw new Error('unknown question ' + args.what);
    }
  }
  function isEditable(element, role) {
    if (isDisabled(element)) return 'it is disabled';
    if (element.readOnly || element.getAttribute('aria-readonly') === 'true') return 'it is read-only';
    const tag = element.localName;
    if (tag === 'input') return ['checkbox', 'radio', 'button', 'submit', 'reset', 'image', 'file', 'hidden'].includes(element.type) ? 'it is a ' + (role || element.type) + ', not a text field' : true;
    if (tag === 'textarea' || tag === 'select' || element.isContentEditable) return true;
    return 'it is not a text field';
  }

  // ---- the guard: while real input is on its way, only the chosen element may receive it --------------

  let guard = null;
  /** What a click on the element is passed on to by its label. */
  function controlOf(element) {
    const label = element.closest('label');
    return label && label.control;
  }
  /** True when the event was held back. */
  function onGuarded(event) {
    if (!guard || !event.isTrusted) return false;
    const keys = KEYS.includes(event.type);
    if (guard.keys !== keys) return false;
    const path = event.composedPath();
    if (guard.allowed.some((element) => path.includes(element))) {
      guard.received.push(event.type);
      if (guard.arrived && event.type === guard.last) {
        // A page may keep the event from going on to where we would hear of it last.
        if (event.type === 'input') setTimeout(guard.arrived, 0);
        else guard.arrived();
      }
      return false;
    }
    // A label passes its click on to its control; that second click is the first one's consequence.
    if (event.type === 'click' && guard.received.includes('click') && (event.detail === 0 || guard.allowed.some((element) => controlOf(element) === path[0]))) return false;
    // These come after the fact.
    if (event.type === 'keyup' || event.type === 'input') return false;
    event.preventDefault();
    event.stopImmediatePropagation();
    const target = path[0] && path[0].nodeType === 1 ? path[0] : document.documentElement;
    if (!guard.blocked) guard.blocked = { type: event.type, element: target };
    if (guard.arrived) guard.arrived();
    return true;
  }
  /** The last to hear of a click: whether the page kept the browser from following a link. */
  function onClicked(event) {
    if (guard && event.isTrusted) guard.prevented = event.defaultPrevented;
  }
  function onTyped(event) {
    if (guard && guard.arrived && guard.last === 'input' && event.isTrusted) guard.arrived(true);
  }
  let hush = null;
  /** What a user has typed, as it was then: that is not what the page itself shows. */
  const typed = new WeakMap();
  function onHushed(event) {
    if (!event.isTrusted) return;
    if (event.type === 'input') typed.set(event.composedPath()[0], event.composedPath()[0].value);
    if (hush) hush(event);
  }
  early.hear({ onInput, onGuarded, onClicked, onTyped, onHushed });
  function shield(args) {
    listen();
    guard = { allowed: [], keys: !!args.keys, received: [], blocked: null };
    return { status: 'ok', next };
  }

  // ---- actionability -----------------------------------------------------------------------------------

  function deepest(x, y) {
    let element = document.elementFromPoint(x, y);
    while (element && element.shadowRoot) {
      const inner = element.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === element) break;
      element = inner;
    }
    return element;
  }
  function composedContains(outer, inner) {
    for (let node = inner; node; node = up(node)) if (node === outer) return true;
    return false;
  }
  const inViewport = (box) => box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
  function isMoving(element) {
    if (element.getRootNode() === document && document.getAnimations && !document.getAnimations().length) return false;
    for (let node = element; node; node = up(node)) {
      if (!node.getAnimations) return false;
      for (const animation of node.getAnimations()) {
        if (animation.playState !== 'running') continue;
        const frames = animation.effect && animation.effect.getKeyframes ? animation.effect.getKeyframes() : [];
        const moves = frames.some((frame) => Object.keys(frame).some((key) => /transform|translate|rotate|scale|left|right|top|bottom|width|height|margin|padding|inset|offset|font/i.test(key)));
        if (moves) return true;
      }
    }
    return false;
  }
  function boxKey(element) {
    const box = element.getBoundingClientRect();
    return box.x + ',' + box.y + ',' + box.width + ',' + box.height;
  }
  const RESTLESS = 150;
  /** Whether scripts have just written the style of the element or of something it is in. */
  function isBeingMoved(element) {
    for (let node = element; node; node = up(node)) if (now() - (styled.get(node) ?? -1e9) < RESTLESS) return true;
    return false;
  }
  // Whether the element stays where it is. Time is only spent when something may be moving: an animation of
  // the browser's, or scripts that write styles.
  async function isStable(element) {
    mutationCount();
    if (now() - early.lastStyling() > RESTLESS && !isMoving(element)) return true;
    const before = boxKey(element);
    await frameTick();
    if (boxKey(element) !== before) return false;
    await frameTick();
    mutationCount();
    return boxKey(element) === before && !isBeingMoved(element);
  }

  const SPOTS = [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75], [0.1, 0.1], [0.9, 0.9], [0.1, 0.9], [0.9, 0.1]];
  function pointsOf(element) {
    const rects = [...element.getClientRects()].filter((rect) => rect.width > 0 && rect.height > 0);
    const points = [];
    for (const rect of rects.slice(0, 4)) {
      const left = Math.max(rect.left, 0);
      const top = Math.max(rect.top, 0);
      const right = Math.min(rect.right, innerWidth);
      const bottom = Math.min(rect.bottom, innerHeight);
      if (right <= left || bottom <= top) continue;
      for (const [across, down] of SPOTS) points.push([left + (right - left) * across, top + (bottom - top) * down]);
    }
    return points;
  }
  function describe(element) {
    const role = describeRole(element);
    let named = element;
    // A backdrop has no name of its own: the nearest element that has one says more.
    for (let node = element, step = 0; node && step < 6; node = up(node), step++) {
      const own = roleOf(node);
      if (own && (WIDGETS.has(own) || NOTABLE.has(own))) { named = node; break; }
    }
    const chosen = named === element ? role : describeRole(named);
    const name = nameOf(named, chosen) || (named.id ? '#' + named.id : '');
    return { ...line(named, chosen, nameOf(named, chosen)), label: name };
  }
  /** A control of its own between what is hit and what is meant: it would take the click for itself. */
  function innerControl(hit, hosts) {
    for (let node = hit; node && !hosts.includes(node); node = up(node)) {
      if (WIDGETS.has(roleOf(node)) || node.hasAttribute('onclick')) return node;
    }
    return null;
  }
  function hitsAt(hosts, x, y) {
    const hit = deepest(x, y);
    return { hit, ok: !!hit && hosts.some((host) => composedContains(host, hit)) };
  }

  const stopped = (reason, extra = {}) => ({ status: 'not_actionable', reason, next, ...extra });

  /** Checks once; gives a point, or a reason why not yet. */
  async function checkPointer(element) {
    if (!element.isConnected) return stopped('it is no longer on the page');
    let target = element;
    if (element.localName === 'input' && (element.type === 'checkbox' || element.type === 'radio' || element.type === 'file') && element.labels && element.labels.length) {
      const box = element.getBoundingClientRect();
      const style = getComputedStyle(element);
      // A control that is only painted by its label is clicked through the label, as people do.
      if (!isSeen(element) || style.pointerEvents === 'none' || box.width < 2 || box.height < 2) target = [...element.labels].find(isShown) || element;
    }
    if (!isShown(target)) return stopped('it is hidden');
    if (isDisabled(element)) return stopped('it is disabled');
    const box = target.getBoundingClientRect();
    if (!inViewport(box)) {
      target.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      // What was scrolled by a part of a pixel may be moved once more, to a whole one.
      await frameTick();
      await frameTick();
    }
    if (!(await isStable(target))) return stopped('it is moving');
    const hosts = [target, element, ...(element.labels || [])];
    let covering = null;
    let points = pointsOf(target);
    if (!points.length) {
      target.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
      points = pointsOf(target);
      if (!points.length) return stopped('it is outside the visible part of the page and cannot be scrolled into it');
    }
    for (const attempt of [0, 1]) {
      for (const [x, y] of attempt ? pointsOf(target) : points) {
        const { hit, ok } = hitsAt(hosts, x, y);
        if (ok && !innerControl(hit, hosts)) return { status: 'ready', x, y, hosts };
        covering = covering || hit;
      }
      // A sticky header may lie over it: other places in the viewport are tried once.
      if (!attempt) target.scrollIntoView({ block: covering && covering.getBoundingClientRect().top > innerHeight / 2 ? 'start' : 'end', inline: 'nearest', behavior: 'instant' });
    }
    return stopped('it is covered', covering ? { covered_by: describe(covering) } : {});
  }

  const KIND_OF = { click: 'act', dblclick: 'act', hover: 'act', focus: 'act', fill: 'edit', type: 'edit', clear: 'edit', select: 'choose', check: 'check', uncheck: 'check', upload: 'file', drag: 'read', drop: 'read', scroll: 'read', highlight: 'read', press: 'act' };

  /** Where an element is drawn, for pictures. */
  function areaOf(element) {
    const box = element.getBoundingClientRect();
    return [box.x, box.y, box.width, box.height];
  }
  const isSameArea = (one, other) => one.every((length, at) => Math.abs(length - other[at]) < 1);
  /** Finds the target, waits until it can be acted on, and arms the guard. */
  let beginning = null;
  function begin(args) {
    beginning = find(args);
    return beginning;
  }
  async function find(args) {
    const until = now() + args.patience;
    const keys = args.kind === 'fill' || args.kind === 'type' || args.kind === 'clear' || args.kind === 'press' || args.kind === 'focus' || args.kind === 'select';
    let last = null;
    let first = null;
    listen();
    if (args.watch) startWatching();
    for (;;) {
      const found = resolveOne(args.selector, KIND_OF[args.kind], args);
      if (found.status) {
        if (!(args.wait && found.status === 'not_found') || now() > until) return found;
        last = found;
      } else {
        const element = found.element;
        const role = describeRole(element);
        // What is scrolled to, or comes to rest, is elsewhere than pictures of before show it.
        first = first || { element, area: areaOf(element) };
        const aim = (shown) => ({ area: areaOf(shown), view: [innerWidth, innerHeight], moved: first.element !== element || !isSameArea(first.area, areaOf(element)) });
        const result = args.kind === 'upload' ? checkFile(element) : args.kind === 'scroll' || args.kind === 'highlight' ? { status: 'ready', hosts: [element] } : keys ? checkKeys(element, role, args) : await checkPointer(element);
        if (result.status === 'ready') {
          if (args.kind === 'scroll') element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
          // The page may have run while the checks waited; the element must still be the one.
          if (!element.isConnected) continue;
          // Many keys have no last one that could be told from the others.
          if (result.strokes || (globalThis.typesByKeys && args.kind === 'fill' && !takesText(element))) args.last = null;
          else if (args.guard && args.kind === 'fill' && !listensForKeys(element)) args.last = 'input';
          if (args.guard) guard = { allowed: keys ? [element] : result.hosts, keys, received: [], blocked: null, last: args.last || null, arrived: null };
          if (args.guard && args.kind === 'select' && !result.list && result.indexes) guard.until = { element, index: result.indexes[0] };
          acted = element;
          aimed = result.hosts[0];
          delete result.hosts;
          return { ...result, ...aim(aimed), next, url: location.href, element: { ...line(element, role), value: valueOf(element, role), states: statesOf(element, role).join(' ') }, healed: found.healed || 0, checked: isChecked(element), keys: listensForKeys(element), awaits: !!(guard && guard.last), secret: isSecret(element), length: isSecret(element) ? element.value.length : 0 };
        }
        if (result.status !== 'not_actionable') return { ...result, next };
        last = { ...result, ...aim(element), element: line(element, role), healed: found.healed || 0 };
        if (result.final) return last;
      }
      if (now() > until) return last;
      await Promise.race([frameTick(), sleep(30)]);
    }
  }
  let acted = null;
  /** What was pointed at for it: itself, or its label. */
  let aimed = null;
  const listensForKeys = (element) => channel.hasAttribute('keys') || !!element.closest('[onkeyup],[onkeydown],[onkeypress]');
  /** A link that the browser itself follows: to another page, or to a file. */
  function leadsAway(element) {
    const link = element.closest('a[href],area[href]');
    const address = link && addressOf(link.getAttribute('href'));
    if (!address || !/^(https?|file|blob|data):$/.test(address.protocol)) return false;
    // A place in the same document, or a frame beside: the page itself stays.
    if (address.hash && address.href.split('#')[0] === location.href.split('#')[0]) return false;
    const beside = link.getAttribute('target');
    return !beside || ![...document.querySelectorAll('iframe[name],frame[name]')].some((frame) => frame.name === beside);
  }
  /** What a page gives as an address; null where it is none. */
  function addressOf(text) {
    try { return new URL(text, document.baseURI); } catch { return null; }
  }
  /** What a form says of how it is sent, or the control that sends it in its place: `action`, `method`, `target`. */
  const saidOf = (form, control, name) => (control && control.getAttribute('form' + name)) || form.getAttribute(name) || '';
  const isSecret = (element) => element.localName === 'input' && element.type === 'password';

  function checkFile(element) {
    let input = element;
    if (element.localName === 'label' && element.control) input = element.control;
    if (input.localName !== 'input' || input.type !== 'file') {
      const inner = input.querySelector && input.querySelector('input[type=file]');
      if (!inner) return stopped('it is not a file input', { final: true, advice: document.querySelector('input[type=file]') ? 'find-all input[type=file]' : null });
      input = inner;
    }
    if (isDisabled(input)) return stopped('it is disabled');
    return { status: 'ready', hosts: [input], file: giveRef(input, 'file', nameOf(input, 'file')), multiple: input.multiple };
  }

  function focused() {
    let element = document.activeElement;
    while (element && element.shadowRoot && element.shadowRoot.activeElement) element = element.shadowRoot.activeElement;
    return element;
  }
  const DATED = new Set(['date', 'time', 'datetime-local', 'month', 'week']);
  function checkKeys(element, role, args) {
    if (!element.isConnected) return stopped('it is no longer on the page');
    if (!isShown(element)) return stopped('it is hidden');
    if (args.kind === 'fill' || args.kind === 'type' || args.kind === 'clear') {
      const editable = isEditable(element, role);
      if (editable !== true) return stopped(editable, { final: !/disabled|read-only/.test(editable) });
      if (element.localName === 'select') return stopped('it is a list of choices', { final: true, advice: 'select' });
    } else if (isDisabled(element)) {
      return stopped('it is disabled');
    }
    if (args.kind === 'select') {
      const plan = planSelect(element, args.options);
      if (plan.status) return plan;
      if (!inViewport(element.getBoundingClientRect())) element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
      const cover = coveredBy(element);
      if (cover) return cover;
      focusOn(element);
      if (focused() !== element) return stopped('it does not take the focus');
      return { status: 'ready', hosts: [element], ...plan };
    }
    if (!inViewport(element.getBoundingClientRect())) element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
    const cover = coveredBy(element);
    if (cover && args.kind !== 'focus' && args.kind !== 'press') return cover;
    focusOn(element);
    const holder = focused();
    if (holder !== element && !(holder && element.contains(holder))) return stopped('it does not take the focus', holder && holder !== document.body ? { covered_by: null, focus_at: describe(holder) } : {});
    if (args.kind === 'focus' || args.kind === 'press') return { status: 'ready', hosts: [element] };
    const type = element.localName === 'input' ? element.type : '';
    if (DATED.has(type) || type === 'range' || type === 'color') {
      // From its first part on, wherever the last visit ended.
      element.blur();
      focusOn(element);
      const plan = planSpecial(element, type, args.kind === 'clear' ? '' : args.text);
      return plan.status ? plan : { status: 'ready', hosts: [element], ...plan };
    }
    if (args.kind === 'type') return { status: 'ready', hosts: [element], end_first: caretToEnd(element) };
    selectContent(element);
    return { status: 'ready', hosts: [element] };
  }
  /** Nobody types into a field that lies behind something else. */
  function coveredBy(element) {
    const hosts = [element, ...(element.labels || [])];
    let covering = null;
    for (const [x, y] of pointsOf(element)) {
      const { hit, ok } = hitsAt(hosts, x, y);
      if (ok) return null;
      covering = covering || hit;
    }
    // A field that is too small to be hit is drawn by something else on purpose.
    return covering ? stopped('it is covered', { covered_by: describe(covering) }) : null;
  }
  function focusOn(element) {
    if (focused() !== element) element.focus({ preventScroll: true });
  }
  function selectContent(element) {
    if (element.select && element.localName !== 'select') {
      element.select();
    } else {
      const range = document.createRange();
      range.selectNodeContents(element);
      const selection = getSelection();
      selection.removeAllRanges();
      selection.addRange(range);
    }
  }
  /** Where one goes on writing, as node and offset: behind the last text, or in the empty paragraph after it. */
  function lastSpot(element) {
    const nodes = element.childNodes;
    for (let at = nodes.length - 1; at >= 0; at--) {
      const child = nodes[at];
      if (child.nodeType === 3 && /\S/.test(child.data)) return [child, child.data.trimEnd().length];
      if (child.nodeType !== 1 || child.localName === 'br') continue;
      // Behind what cannot be written in.
      if (!child.isContentEditable) return [element, at + 1];
      const inner = lastSpot(child);
      if (inner) return inner;
      if (/^(p|div|li|h[1-6]|blockquote|pre)$/.test(child.localName)) return [child, 0];
    }
    return null;
  }
  /** True when only the End key can do it. */
  function caretToEnd(element) {
    if (element.isContentEditable) {
      selectContent(element);
      const last = lastSpot(element);
      if (last) getSelection().collapse(...last);
      else getSelection().collapseToEnd();
      return false;
    }
    try {
      element.setSelectionRange(element.value.length, element.value.length);
    } catch {
      // Email and number fields have no caret that scripts may move; a key can.
      return true;
    }
    return false;
  }

  // Fields that are made of parts are typed part by part, in the order the browser shows them.
  function planSpecial(element, type, text) {
    if (type === 'color') return stopped('a colour field opens a picker of the system, which takes no real input here', { final: true, unsupported: true });
    if (type === 'range') {
      const low = element.min === '' ? 0 : +element.min;
      const high = element.max === '' ? 100 : +element.max;
      const step = element.step === 'any' || element.step === '' ? 1 : +element.step;
      const wanted = text === '' ? low + (high - low) / 2 : Number(text);
      if (!(wanted >= low && wanted <= high)) return { status: 'bad_value', next, message: 'expected a number from ' + low + ' to ' + high + ', found `' + text + '`' };
      const steps = Math.round((wanted - low) / step);
      if (steps > 2000) return stopped('it has too many steps to be moved by keys', { final: true, unsupported: true });
      return { strokes: ['Home', ...new Array(steps).fill('ArrowRight')], expected: String(+(low + steps * step).toFixed(10)) };
    }
    if (text === '') return { strokes: ['Backspace', 'Tab', 'Backspace', 'Tab', 'Backspace'].slice(0, type === 'month' || type === 'week' ? 3 : 5), expected: '' };
    const shapes = { date: /^(\d{4,6})-(\d\d)-(\d\d)$/, month: /^(\d{4,6})-(\d\d)$/, week: /^(\d{4,6})-W(\d\d)$/, time: /^(\d\d):(\d\d)(?::(\d\d))?$/, 'datetime-local': /^(\d{4,6})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)$/ };
    const shown = { date: '2026-05-31', month: '2026-05', week: '2026-W22', time: '13:45', 'datetime-local': '2026-05-31T13:45' };
    const match = shapes[type].exec(text);
    if (!match) return { status: 'bad_value', next, message: 'expected a ' + type + ' like `' + shown[type] + '`, found `' + text + '`' };
    const strokes = [];
    // Whether a part that is complete leads on to the next one by itself is the engine's way; its driver says so.
    const onward = () => { if (globalThis.partsStay) strokes.push('ArrowRight'); };
    const digits = (part) => { strokes.push(...part); onward(); };
    const clock = (hour, minute, second) => {
      const twelve = new Intl.DateTimeFormat(undefined, { hour: 'numeric' }).resolvedOptions().hour12;
      digits(twelve ? String(((+hour + 11) % 12) + 1).padStart(2, '0') : hour);
      digits(minute);
      // Seconds have a part of their own where the field counts in them.
      if (element.step === 'any' || (+element.step || 60) % 60) digits(second || '00');
      if (twelve) strokes.push(+hour < 12 ? 'a' : 'p');
    };
    const dateParts = (year, month, day) => {
      const order = new Intl.DateTimeFormat(undefined, { year: 'numeric', month: '2-digit', day: '2-digit' }).formatToParts(new Date(2026, 4, 31)).map((part) => part.type);
      for (const part of order) {
        if (part === 'day') digits(day);
        else if (part === 'month') digits(month);
        else if (part === 'year') { digits(year); if (!globalThis.partsStay && !globalThis.yearLeadsOn) strokes.push('ArrowRight'); }
      }
    };
    if (type === 'date') dateParts(match[1], match[2], match[3]);
    else if (type === 'month') { strokes.push('Backspace', ...new Array(+match[2]).fill('ArrowUp'), 'ArrowRight'); digits(match[1]); }
    else if (type === 'week') { digits(match[2]); digits(match[1]); }
    else if (type === 'time') clock(match[1], match[2], match[3]);
    else { dateParts(match[1], match[2], match[3]); clock(match[4], match[5]); }
    return { strokes, expected: text.replace(' ', 'T') };
  }

  /** The options that keys and clicks can reach. */
  const openOptions = (element) => [...element.options].filter((option) => !option.disabled && !option.hidden && getComputedStyle(option).display !== 'none' &&
    !(option.parentElement.localName === 'optgroup' && option.parentElement.disabled));
  function planSelect(element, options) {
    if (element.localName !== 'select') return stopped('it is a ' + (roleOf(element) || element.localName) + ', not a list of choices', { final: true, advice: 'click' });
    const all = [...element.options];
    const open = openOptions(element);
    const wanted = [];
    for (const text of options) {
      const by = [(option) => squeeze(option.label || option.text) === text || option.value === text, (option) => same(squeeze(option.label || option.text), text)];
      let hits = [];
      for (const test of by) {
        hits = all.filter(test);
        if (hits.length) break;
      }
      const free = hits.filter((option) => open.includes(option));
      const names = all.map((option) => squeeze(option.label || option.text));
      if (!hits.length) return { status: 'no_option', next, wanted: text, options: names.slice(0, 20), total: names.length };
      if (!free.length) return stopped('the option "' + text + '" is disabled');
      if (hits.length > 1 && new Set(hits.map((option) => option.value)).size > 1) return { status: 'no_option', next, wanted: text, several: true, options: hits.map((option) => squeeze(option.label || option.text) + ' (value ' + option.value + ')'), total: hits.length };
      wanted.push(free[0]);
    }
    const list = element.multiple || element.size > 1;
    if (!element.multiple && wanted.length > 1) return { status: 'bad_value', next, message: 'expected one option, found ' + wanted.length + ': this list takes a single choice' };
    return { list, indexes: wanted.map((option) => option.index), from: open.indexOf(all[element.selectedIndex]), to: wanted.map((option) => open.indexOf(option)), expected: wanted.map((option) => squeeze(option.label || option.text)).join(', '),
      chosen: wanted.every((option) => option.selected) && element.selectedOptions.length === wanted.length };
  }
  /** A point on one option of an open list, to be clicked. */
  function optionPoint(args) {
    const element = elementFor(args.element);
    if (!element) return stopped('it is no longer on the page');
    const option = openOptions(element)[args.index];
    option.scrollIntoView({ block: 'nearest', behavior: 'instant' });
    element.scrollIntoView({ block: 'nearest', behavior: 'instant' });
    const box = option.getBoundingClientRect();
    guard = { allowed: [element], keys: false, received: [], blocked: null };
    return { status: 'ready', next, x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  // ---- settling and the effect ------------------------------------------------------------------------

  let watching = null;
  let acts = 0;
  let lastGuard = null;
  function startWatching() {
    guard = null;
    lastGuard = null;
    acted = null;
    channel.setAttribute('armed', '');
    channel.removeAttribute('pending');
    channel.removeAttribute('posted');
    channel.removeAttribute('requests');
    channel.setAttribute('act', String(++acts));
    watching = { before: current(), title: document.title, url: location.href, mutations: mutationCount(), inputs };
    early.answers = (seen) => seen !== watching.mutations || inputs !== watching.inputs;
  }
  function watch(args) {
    startWatching();
    return { status: 'ok', next };
  }
  /** Waits until the input that is on its way has been received or held back. False when it did not come in time. */
  async function inputCame() {
    const held = guard;
    if (!held || !held.last || held.blocked || held.received.includes(held.last)) return true;
    const came = await new Promise((done) => {
      const late = setTimeout(() => done(null), 1000);
      held.arrived = (heardLast) => { clearTimeout(late); done({ last: heardLast === true }); };
    });
    // Told first of all, the page's own listeners and the browser's part are still to come. Told last, they are
    // done, and the page can be looked at before it is painted.
    if (!came || !came.last) await afterEvent();
    return !!came;
  }
  async function settle(args) {
    // Asked together with `begin`, so that it is there when the input comes.
    if (args.after_begin && ((await beginning).status !== 'ready' || !guard || !guard.last)) return { status: 'skipped' };
    // A browser that has not given the input yet may still do so, whatever its reasons: the guard stays up until
    // it has, or the same press would be taken for lost and be given twice.
    if (!(await inputCame()) && args.after_begin) return { status: 'no_input', next };
    const busy = await quiet(args, early.answers);
    // All that is still known of a document that was replaced is who received the input.
    if (!early.isHome()) return { status: 'ok', next, url: location.href, title: document.title, ...heardBy(lowered()) };
    // What a page that is going still shows is of use to nobody.
    if (args.after_begin && isLeaving()) {
      // It may come back as it is now, with whatever is up.
      return { status: 'ok', leaving: true, next, url: location.href, title: document.title, ...heardBy(lowered()) };
    }
    return { ...finish(), busy, requests: Number(channel.getAttribute('requests') || 0) };
  }
  /** Takes the guard down, and gives back what it knows; also when it was down already. */
  function lowered() {
    lastGuard = guard || lastGuard;
    guard = null;
    return lastGuard;
  }
  /** Who received the input, or had it kept from them. */
  const heardBy = (shut) => ({ guarded: !!shut && (early.isHome() || shut.received.length > 0), received: shut ? shut.received : [], blocked: shut && shut.blocked ? { type: shut.blocked.type, ...describe(shut.blocked.element) } : null });
  const SENDERS = 'button,input[type=submit],input[type=image]';
  /** Whether the click had a form sent, whose answer takes the place of this page. */
  function isLeaving() {
    const { event, form, act } = early.sent;
    if (!event || act !== acts || event.defaultPrevented || isInFrame() || !acted || !acted.matches(SENDERS)) return false;
    const said = (name) => saidOf(form, event.submitter, name);
    const base = document.querySelector('base[target]');
    const address = addressOf(said('action') || location.href);
    return /^(|_self|_top|_parent)$/i.test(said('target') || (base ? base.target : '')) && said('method').toLowerCase() !== 'dialog' && !!address && /^https?:$/.test(address.protocol);
  }
  /** What changed since the act began. */
  function finish() {
    const held = watching;
    const shut = lowered();
    // Looked at afresh: styles and properties change without a trace.
    if (held) baseline = index(fresh());
    const changes = held ? compare(held.before, baseline) : [];
    const report = { status: 'ok', next, url: location.href, title: document.title, moved: !!held && (held.url !== location.href || held.title !== document.title), changes, ...heardBy(shut) };
    report.leads = !!acted && !!shut && !shut.prevented && !shut.received.includes('contextmenu') && leadsAway(acted);
    if (acted && !acted.isConnected) {
      // The page may have drawn it anew because of the act.
      const after = refOf.has(acted) ? heir(refOf.get(acted)) : null;
      acted = after && after.same.length === 1 ? after.same[0] : null;
    }
    if (acted) {
      const role = describeRole(acted);
      report.element = { ...line(acted, role), value: isSecret(acted) ? acted.value : valueOf(acted, role), states: statesOf(acted, role).join(' ') };
      report.checked = isChecked(acted);
      if (aimed && aimed.isConnected) report.area = areaOf(aimed);
      report.indexes = acted.localName === 'select' ? [...acted.selectedOptions].map((option) => option.index) : [];
    }
    return report;
  }

  // ---- what can be seen ----------------------------------------------------------------------------

  // Of every place it is known how far what is in it can be brought into view (`reach`), what of that is in view
  // now (`sight`), what shapes leave of it (`shape`), how opaque it is, and whether it takes no part (`inert`).
  // These are carried down the walk, so that nobody has to look up again.

  const within = (box, area) => box.right > area.left && box.left < area.right && box.bottom > area.top && box.top < area.bottom;
  const meet = (one, other) => ({ left: Math.max(one.left, other.left), top: Math.max(one.top, other.top), right: Math.min(one.right, other.right), bottom: Math.min(one.bottom, other.bottom) });
  const isNothing = (area) => area.right - area.left <= 1 || area.bottom - area.top <= 1;
  const NOTHING = { left: 0, top: 0, right: 0, bottom: 0 };

  /** How far along one axis a box can show what is in it: where it can be scrolled, all; else what it shows now. */
  function stretch(overflow, from, size, scrolled, whole, backwards) {
    if (overflow === 'hidden' || overflow === 'clip') return [from, from + size];
    const length = Math.max(whole, size);
    return backwards ? [from + size - scrolled - length, from + size - scrolled] : [from - scrolled, from - scrolled + length];
  }
  const runsLeft = (style) => (style.direction === 'rtl') !== (style.flexDirection === 'row-reverse') || /-rl/.test(style.writingMode);

  /** The element whose `overflow` is that of the whole view, and the places from which a look begins. */
  function outlook(given) {
    const top = document.scrollingElement || document.documentElement;
    const own = getComputedStyle(document.documentElement);
    const scroller = own.overflowX === 'visible' && own.overflowY === 'visible' && document.body ? document.body : document.documentElement;
    const style = getComputedStyle(scroller);
    const view = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    const still = given && given.still;
    const across = stretch(still ? 'hidden' : style.overflowX, 0, innerWidth, scrollX, top.scrollWidth, own.direction === 'rtl' || /-rl/.test(own.writingMode));
    const down = stretch(still ? 'hidden' : style.overflowY, 0, innerHeight, scrollY, top.scrollHeight, false);
    const reach = { left: across[0], top: down[0], right: across[1], bottom: down[1] };
    const shape = given && still ? given.area : null;
    const base = { reach: shape ? meet(reach, shape) : reach, sight: shape ? meet(view, shape) : view, shape: null, opacity: Number(own.opacity), inert: document.documentElement.hasAttribute('inert'), cut: false };
    return { scroller, view, base, inners: new Map(), fading: fadingOut(), rests: !!document.querySelector('[inert]') };
  }
  /** What is on its way out: it is still there, but not to stay. */
  function fadingOut() {
    const going = new Set();
    for (const animation of document.getAnimations ? document.getAnimations() : []) {
      const { effect } = animation;
      if (animation.playState !== 'running' || !effect || !effect.target || effect.pseudoElement || !effect.getKeyframes) continue;
      const timing = effect.getComputedTiming();
      // What runs for ever only blinks, and what is not kept comes back.
      const stays = globalThis.CSSTransition ? animation instanceof CSSTransition || /forwards|both/.test(timing.fill) : /forwards|both/.test(timing.fill);
      if (!stays || timing.iterations === Infinity || timing.direction === 'reverse') continue;
      const last = effect.getKeyframes().pop();
      if (last && last.opacity !== undefined && last.opacity < FAINT) going.add(effect.target);
    }
    return going;
  }

  /** The element around another one as it is drawn. */
  const above = (node) => node.assignedSlot || up(node);
  const holdsFixed = (style) => style.transform !== 'none' || style.filter !== 'none' || style.perspective !== 'none' || (style.translate || 'none') !== 'none' ||
    (style.scale || 'none') !== 'none' || (style.rotate || 'none') !== 'none' || (style.backdropFilter || 'none') !== 'none' || /transform|filter|perspective/.test(style.willChange) || /paint|layout|strict|content/.test(style.contain);
  /** What is around an element that is not placed by its parent: what cuts the parent need not cut it. */
  function placed(element, position, around, look) {
    if (position === 'absolute' && !around.cut) return around;
    let held = false;
    let place = null;
    for (let node = above(element); node && !place; node = above(node)) {
      const style = getComputedStyle(node);
      held = held || (position === 'absolute' && style.position !== 'static') || holdsFixed(style);
      if (held) place = look.inners.get(node) || null;
    }
    const { reach, sight, cut } = place || (held || position === 'absolute' ? look.base : { reach: look.view, sight: look.view, cut: true });
    return { ...around, reach: around.shape ? meet(reach, around.shape) : reach, sight: around.shape ? meet(sight, around.shape) : sight, cut };
  }

  const lengthOf = (text, whole) => (text.endsWith('%') ? (parseFloat(text) / 100) * whole : parseFloat(text) || 0);
  /** What a shape leaves of a box, as a box; null for shapes that are not looked into. */
  function shapeOf(shape, box) {
    const [, kind, inside] = /^([a-z]+)\((.*)\)/.exec(shape) || [];
    if (kind === 'inset') {
      const [top, right = top, bottom = top, left = right] = inside.split(' round ')[0].trim().split(/\s+/);
      return { left: box.left + lengthOf(left, box.width), top: box.top + lengthOf(top, box.height), right: box.right - lengthOf(right, box.width), bottom: box.bottom - lengthOf(bottom, box.height) };
    }
    if (kind === 'polygon') {
      const points = inside.replace(/^(nonzero|evenodd)\s*,/, '').split(',').map((point) => point.trim().split(/\s+/));
      if (points.some((point) => point.length !== 2 || point.some((part) => !/^-?[\d.]+(px|%)?$/.test(part)))) return null;
      const across = points.map(([x]) => box.left + lengthOf(x, box.width));
      const down = points.map(([, y]) => box.top + lengthOf(y, box.height));
      return { left: Math.min(...across), top: Math.min(...down), right: Math.max(...across), bottom: Math.max(...down) };
    }
    if (kind === 'circle' || kind === 'ellipse') return /^(0(px|%)?\s*)+(at\b|$)/.test(inside.trim()) ? NOTHING : null;
    return null;
  }
  /** `rect(top, right, bottom, left)`, as the old property has it. */
  function oldShapeOf(shape, box) {
    const [, inside] = /^rect\((.*)\)/.exec(shape) || [];
    if (inside === undefined) return null;
    const [top, right, bottom, left] = inside.split(/[\s,]+/);
    return { left: box.left + (parseFloat(left) || 0), top: box.top + (parseFloat(top) || 0), right: right === 'auto' ? box.right : box.left + parseFloat(right), bottom: bottom === 'auto' ? box.bottom : box.top + parseFloat(bottom) };
  }

  /** What is around an element itself: where it is placed, and what its own shape and opacity leave of it. */
  function aroundOf(element, style, box, before, look) {
    let around = before;
    const position = style.position;
    const apart = position === 'absolute' || position === 'fixed';
    if (apart) around = placed(element, position, around, look);
    if (style.opacity !== '1') around = { ...around, opacity: look.fading.has(element) ? 0 : around.opacity * style.opacity };
    if (look.rests && !around.inert && element.hasAttribute('inert')) around = { ...around, inert: true };
    const clipPath = style.clipPath;
    const shape = clipPath !== 'none' ? shapeOf(clipPath, box) : apart && style.clip !== 'auto' ? oldShapeOf(style.clip, box) : null;
    if (shape) around = { ...around, shape: around.shape ? meet(around.shape, shape) : shape, reach: meet(around.reach, shape), sight: meet(around.sight, shape), cut: true };
    // What is placed by this one has the same around it, whatever else it stands in.
    if (apart) look.inners.set(element, around);
    return around;
  }
  const UNCUT = /^(inline|contents|table-row|table-row-group|table-header-group|table-footer-group)$/;
  /** What is around the children of an element: what it cuts off for good is gone, what it scrolls is in reach. */
  function insideOf(element, style, box, around, look) {
    const across = style.overflowX;
    const down = style.overflowY;
    if ((across === 'visible' && down === 'visible') || element === look.scroller || UNCUT.test(style.display)) return around;
    let reach = meet(around.reach, { left: across === 'visible' ? -Infinity : box.left, top: down === 'visible' ? -Infinity : box.top, right: across === 'visible' ? Infinity : box.right, bottom: down === 'visible' ? Infinity : box.bottom });
    const sight = meet(around.sight, reach);
    if (isNothing(reach)) reach = NOTHING;
    else if (/auto|scroll/.test(across + down)) {
      const sideways = element.offsetWidth ? box.width / element.offsetWidth : 1;
      const upright = element.offsetHeight ? box.height / element.offsetHeight : 1;
      const [left, right] = stretch(across, box.left + element.clientLeft * sideways, element.clientWidth * sideways, element.scrollLeft * sideways, element.scrollWidth * sideways, runsLeft(style));
      const [top, bottom] = stretch(down, box.top + element.clientTop * upright, element.clientHeight * upright, element.scrollTop * upright, element.scrollHeight * upright, style.flexDirection === 'column-reverse');
      const scrolls = (overflow) => overflow === 'auto' || overflow === 'scroll';
      reach = { left: scrolls(across) ? left : reach.left, top: scrolls(down) ? top : reach.top, right: scrolls(across) ? right : reach.right, bottom: scrolls(down) ? bottom : reach.bottom };
    }
    const inside = { ...around, reach, sight, cut: true };
    look.inners.set(element, inside);
    return inside;
  }
  const bare = document.createRange();
  /** The box of an element, or of what is in it where it has none of its own. */
  function boxOf(element, display) {
    if (display !== 'contents') return element.getBoundingClientRect();
    bare.selectNodeContents(element);
    return bare.getBoundingClientRect();
  }
  /** Whether somebody who looks at the page, and scrolls, can see an element. */
  function isSeen(element) {
    if (!isShown(element)) return false;
    const path = [];
    for (let node = element; node && node !== document.documentElement; node = above(node)) path.push(node);
    const look = outlook();
    let inside = look.base;
    let around = look.base;
    let box = NOTHING;
    for (const node of path.reverse()) {
      const style = getComputedStyle(node);
      box = boxOf(node, style.display);
      around = aroundOf(node, style, box, inside, look);
      inside = insideOf(node, style, box, around, look);
      if (around.opacity < FAINT) return false;
    }
    return within(box, around.reach) || [...element.children].some((child) => isSeen(child));
  }

  function lineInside(line, area) {
    const middle = (line.top + line.bottom) / 2;
    return line.left >= area.left - 2 && line.right <= area.right + 2 && middle > area.top && middle < area.bottom;
  }
  /** Of a run of text that is cut off somewhere, the words and letters that are left to be seen. */
  function seenPart(node, area) {
    bare.selectNodeContents(node);
    if (Array.from(bare.getClientRects()).every((line) => lineInside(line, area))) return node.textContent;
    let text = '';
    const rectOf = (holder, from, to) => { bare.setStart(holder, from); bare.setEnd(holder, to); return Array.from(bare.getClientRects()); };
    for (const holder of node.nodeType === 3 ? [node] : node.childNodes) {
      if (holder.nodeType !== 3) continue;
      for (const { 0: word, index } of holder.data.matchAll(/\s+|\S+/g)) {
        if (/^\s/.test(word)) { text += ' '; continue; }
        const lines = rectOf(holder, index, index + word.length);
        if (lines.every((line) => lineInside(line, area))) { text += word; continue; }
        if (!lines.some((line) => within(line, area))) continue;
        for (let at = index; at < index + word.length; at++) {
          const [letter] = rectOf(holder, at, at + 1);
          if (letter && within({ left: (letter.left + letter.right) / 2, right: (letter.left + letter.right) / 2, top: (letter.top + letter.bottom) / 2, bottom: (letter.top + letter.bottom) / 2 }, area)) text += holder.data[at];
        }
      }
    }
    return text;
  }
  const CLEAR = /^rgba\(.*, 0\)$|\/ 0\)$/;
  /** Letters without colour are seen only where a background shines through them, or by their shadow. */
  function isInked(element, style) {
    if (!CLEAR.test(style.webkitTextFillColor) || style.textShadow !== 'none' || parseFloat(style.webkitTextStrokeWidth)) return true;
    for (let node = element; node; node = above(node)) {
      const { backgroundClip, webkitBackgroundClip } = getComputedStyle(node);
      if (/text/.test(backgroundClip || webkitBackgroundClip || '')) return true;
    }
    return false;
  }

  /** How far to the front an element stands among what is inside of `common`; text that is not placed stands behind. */
  function frontOf(element, common) {
    let front = -0.5;
    for (let node = element; node && node !== common; node = above(node)) {
      const { position, zIndex } = getComputedStyle(node);
      // What is around decides: inside of it, all stand together.
      if (position !== 'static') front = zIndex === 'auto' ? Math.max(front, 0) : Number(zIndex);
    }
    return front;
  }
  /** Whether a box that is drawn over others lies before an element: known by their order, where no point can tell. */
  function liesBefore(veil, element, isLater) {
    if (composedContains(veil, element) || composedContains(element, veil)) return false;
    let common = above(veil);
    while (common && !composedContains(common, element)) common = above(common);
    const one = frontOf(veil, common);
    const other = frontOf(element, common);
    return one > other || (one === other && isLater);
  }

  const wordedPattern = once(() => new RegExp(`attr\\(|["'][^"']*[\\p{L}\\p{N}]{2}`, 'u'));
  const PSEUDO = /::?(before|after)\b/;
  const wordingRules = new WeakMap();
  /** What a style sheet puts words before or after of, as selectors. Few do, and asking every element would cost. */
  function wordedBy(sheet) {
    let rules;
    // The sheet of another site may not be read.
    try { rules = sheet.cssRules; } catch { return NONE; }
    const known = wordingRules.get(sheet);
    if (known && known.count === rules.length) return known.selectors;
    const selectors = [];
    const collect = (list) => {
      for (const rule of list) {
        if (rule.selectorText && PSEUDO.test(rule.selectorText) && wordedPattern().test(rule.style.content)) {
          for (const part of splitTop(rule.selectorText, (letter) => letter === ',')) {
            const found = PSEUDO.exec(part);
            if (found) selectors.push([part.replace(PSEUDO, '').trim() || '*', '::' + found[1]]);
          }
        }
        if (rule.cssRules) collect(rule.cssRules);
      }
    };
    collect(rules);
    wordingRules.set(sheet, { count: rules.length, selectors });
    return selectors;
  }
  /** The words that style sheets put before and after elements: they are seen like all others. */
  function wordsPutIn() {
    const found = new Map();
    for (const sheet of [...document.styleSheets, ...(document.adoptedStyleSheets || NONE)]) {
      for (const [selector, side] of wordedBy(sheet)) {
        let elements = NONE;
        try { elements = document.querySelectorAll(selector); } catch { continue; }
        for (const element of elements) {
          const style = getComputedStyle(element, side);
          if (style.display === 'none' || style.visibility !== 'visible' || style.opacity < FAINT || /^matrix\(0, 0, 0, 0/.test(style.transform)) continue;
          const words = generated(element, side);
          if (words.trim()) found.set(element, { ...found.get(element), [side]: words });
        }
      }
    }
    return found;
  }

  // ---- the scene -----------------------------------------------------------------------------------

  // A scene is whole, or says that it is not.
  const SCENE_LIMIT = 30000;
  const LETTERS_LIMIT = 4000000;
  const NAME_LIMIT = 2000;
  const VALUE_LIMIT = 100000;
  const OPTIONS_LIMIT = 5000;
  const MARKS = ['id', 'name', 'placeholder', 'title', 'alt', 'href', 'autocomplete', 'for'];
  const TABLE = 'table,[role=table],[role=grid],[role=treegrid]';
  const isHead = (cell) => roleOf(cell) === 'columnheader';
  /** The words of the heads of a table's columns by the place of a cell, those that span several counted so often. */
  function headsOf(table) {
    const rows = table.rows ? [...table.rows] : [...table.querySelectorAll('[role=row]')];
    const places = new Map();
    // Of each column how many rows a cell from above still reaches down, and the last head that was in it.
    const taken = [];
    const heads = [];
    const inHead = (row) => (table.tHead ? row.parentElement === table.tHead : row === rows[0]);
    for (const row of rows) {
      let at = 0;
      for (const cell of row.cells || row.children) {
        while (taken[at] > 0) at++;
        places.set(cell, at);
        const across = Number(cell.colSpan || cell.getAttribute('aria-colspan')) || 1;
        const head = inHead(row) && isHead(cell) ? textOf(cell) : null;
        for (let step = 0; step < across && step < 1000; step++, at++) {
          taken[at] = (cell.rowSpan === 0 ? Infinity : Number(cell.rowSpan || cell.getAttribute('aria-rowspan')) || 1);
          if (head !== null) heads[at] = head;
        }
      }
      for (let column = 0; column < taken.length; column++) if (taken[column] > 0) taken[column]--;
    }
    return { places, heads, headRow: table.tHead ? null : rows[0] };
  }
  /** The words of a column's head, for a cell of a table. */
  function columnOf(cell, tables) {
    if (cell.headers && cell.localName !== 'th') {
      const named = cell.headers.split(/\s+/).map((id) => cell.ownerDocument.getElementById(id)).filter((head) => head && isHead(head));
      if (named.length) return squeeze(named.map((head) => textOf(head)).join(' '));
    }
    const table = cell.closest(TABLE);
    const row = table && cell.closest('tr,[role=row]');
    if (!row) return '';
    let known = tables.get(table);
    if (!known) tables.set(table, known = headsOf(table));
    return row === known.headRow ? '' : known.heads[known.places.get(cell)] || '';
  }
  /** Where a control's form is sent, without the host: `post /login`. */
  function sending(control, form) {
    const address = addressOf(saidOf(form, control, 'action'));
    return (saidOf(form, control, 'method') || 'get').toLowerCase() + ' ' + (address ? address.pathname : '');
  }
  /** What a form sends along without anybody entering it: `item=12`. Not what is made up anew for every page. */
  function carrying(form) {
    const kept = [];
    for (const input of form.querySelectorAll('input[type=hidden][name]')) {
      if (input.value.length < 24 && !/token|csrf|nonce|utf8|_method|state|time/i.test(input.name)) kept.push(input.name + '=' + input.value);
    }
    return kept.sort().join('&');
  }
  function attributesOf(element, role, tables) {
    const found = { tag: element.localName };
    for (const name of MARKS) {
      const value = element.getAttribute(name);
      if (value) found[name] = cut(value, 120);
    }
    const classes = element.getAttribute('class');
    if (classes) found.class = cut(classes, 120);
    const testid = testIdOf(element);
    if (testid) found.testid = testid;
    // A button sends a form only where there is one.
    if (element.localName === 'input' || element.localName === 'button') found.type = /^(submit|image|reset)$/.test(element.type) && !element.form ? 'button' : element.type;
    if (element.form && element.form.localName === 'form') {
      const submits = /^(submit|image)$/.test(found.type);
      found[submits ? 'submits' : 'sends'] = sending(element, element.form);
      const carried = submits && carrying(element.form);
      if (carried) found.carries = cut(carried, 120);
    }
    if (/^(submit|radio|checkbox)$/.test(found.type) && element.getAttribute('value')) found.choice = cut(element.getAttribute('value'), 60);
    if (element.labels && element.labels.length) found.label = cut(squeeze(Array.from(element.labels, (one) => textOf(one, { accessible: true, hidden: false, skip: element })).join(' ')), 120);
    const described = squeeze((element.getAttribute('aria-describedby') || '') + ' ' + (element.getAttribute('aria-errormessage') || ''));
    if (described) found.description = cut(byIds(element, described), 200);
    if (role === 'heading') found.level = element.getAttribute('aria-level') || element.localName.slice(1);
    if (element.localName === 'img' && element.src) found.src = cut(element.src.split('/').pop(), 60);
    if (role === 'cell' || role === 'gridcell') { const column = columnOf(element, tables); if (column) found.column = column; }
    if (element.getAttribute('aria-modal') === 'true' || (element.localName === 'dialog' && element.matches(':modal'))) found.modal = 'true';
    if (element.getAttribute('aria-haspopup')) found.haspopup = element.getAttribute('aria-haspopup');
    return found;
  }
  /** An image that did not come. One of vectors may have no size of its own. */
  const isBroken = (image) => image.complete && !image.naturalWidth && !!(image.currentSrc || image.src) && !/\.svg\b|image\/svg/i.test(image.currentSrc || image.src);
  /** A frame that does not yet hold what it is to show. One that waits to be scrolled to shows nothing. */
  function isLoading(frame, inView) {
    const held = frame.contentDocument;
    // What is of another origin tells by itself.
    if (!held || (frame.loading === 'lazy' && !inView)) return false;
    const wanted = frame.hasAttribute('srcdoc') || /^(?!about:|javascript:)./i.test(frame.src || frame.data || '');
    return held.readyState === 'loading' || (wanted && held.URL === 'about:blank');
  }
  /** Which of its parent's frames a window is; -1 where the parent does not count it, as in a shadow root. */
  function numberOf(child, holder) {
    for (let at = 0; at < holder.length; at++) if (holder[at] === child) return at;
    return -1;
  }
  const FRAME_TAGS = new Set(['iframe', 'frame', 'object', 'embed']);
  /** An `embed` does not tell what it holds: it is the next of the frames that belong to nobody else. */
  function numberOfEmbed(known) {
    const others = new Set(Array.from(document.querySelectorAll('iframe,frame,object'), (frame) => frame.contentWindow));
    const { defaultView } = document;
    for (let at = 0; at < defaultView.length; at++) if (!others.has(defaultView[at]) && !known.some((row) => row[0] === at)) return at;
    return null;
  }
  // Not `window`: where there is no world of our own, that name is one for a few functions only.
  const isInFrame = () => parent !== document.defaultView;
  /** What the document around says of the frame that this one is shown in. */
  function shownIn(frames) {
    if (!frames || !isInFrame()) return { number: -1, given: null, hidden: false };
    const number = numberOf(document.defaultView, parent);
    const rows = frames.filter((row) => row[0] === number);
    // Those that are not counted cannot be told apart, so the one that shows most stands for all.
    const [row] = rows.sort((one, other) => (other[3] - other[1]) * (other[4] - other[2]) - (one[3] - one[1]) * (one[4] - one[2]));
    if (!row) return { number, given: null, hidden: true };
    const area = { left: row[1], top: row[2], right: row[3], bottom: row[4] };
    return { number, given: { area, still: row[5], covered: row[6] }, hidden: isNothing(area) };
  }

  /** Fields that are often drawn by something else, and lie over it or beside it unseen. */
  const DRAWN = 'input[type=checkbox],input[type=radio],input[type=file],input[type=range],input[type=color],select';
  /** What is named by what it says; if not all of that is seen, its name is what is. */
  const SAYING = new Set(['heading', 'status', 'alert', 'log', 'timer', 'tooltip', 'cell', 'gridcell', 'columnheader', 'rowheader']);
  /** Whether an element without a role stands for something. Entries of a list are often bare boxes side by side. */
  function isMarked(element) {
    if (element.id || element.className || element.hasAttribute('aria-label') || STRUCK.has(element.localName) || testIdOf(element)) return true;
    const twin = element.previousElementSibling || element.nextElementSibling;
    return element.localName === 'div' && element.childElementCount > 1 && !!twin && twin.localName === 'div';
  }
  /** What is not there when it has no size and nothing in it. */
  const SOLID = new Set(['heading', 'button', 'link', 'image', 'listitem', 'row', 'article', 'treeitem', 'menuitem', 'tab']);
  const ENTRIES = new Set(['listitem', 'row', 'article', 'treeitem']);
  const PRESSED = new Set(['button', 'link', 'tab', 'menuitem']);
  const PICTURES = 'img,svg,canvas,video,picture,object,embed,iframe,input,meter,progress';
  const NAMED_PARTS = new Set(['table', 'group', 'figure', 'form', 'region', 'navigation', 'list']);
  const CELLS = new Set(['cell', 'columnheader', 'rowheader', 'gridcell']);
  /** Letters lower than this cannot be read. */
  const LEGIBLE = 2.5;

  /** Everything that is seen, whole, as sentences are judged by it. */
  function scene(args) {
    // Whoever reads all of the page may not act on it: the look in advance is left to who does.
    clearTimeout(soon);
    itemTexts = new Map();
    const rows = [];
    const frames = [];
    const tables = new Map();
    let truncated = false;
    let letters = 0;
    // How much was said or shown, and how much was left out as unseen.
    let told = 0;
    let hid = 0;
    let covers = 0;
    // Opaque boxes that no point can tell of: they are out of view, or let clicks through.
    const veils = [];
    const drawn = [];
    const place = shownIn(args && args.frames);
    const answer = () => ({ status: 'ok', next, title: document.title, url: location.href, view: [innerWidth, innerHeight], rows, frames, number: place.number, truncated: truncated || (isInFrame() && document.readyState === 'loading') });
    const root = pageRoot();
    if (!root || place.hidden) return answer();
    const look = outlook(place.given);
    const worded = wordsPutIn();
    const behind = !!place.given && place.given.covered;
    const modal = [...document.querySelectorAll('dialog:modal,[aria-modal=true]')].filter(isSeen).pop() || null;
    const holder = focused();
    let lids;
    /** Fixed elements that lie over the whole view, and so over all that could be scrolled into it. */
    const lidsOver = () => {
      if (lids !== undefined) return lids;
      lids = new Set();
      for (const part of [[0.5, 0.5], [0.02, 0.02], [0.98, 0.02], [0.02, 0.98], [0.98, 0.98], [0.5, 0.02], [0.5, 0.98], [0.02, 0.5], [0.98, 0.5]]) {
        let hit = deepest(innerWidth * part[0], innerHeight * part[1]);
        while (hit && getComputedStyle(hit).position !== 'fixed') hit = above(hit);
        if (!hit) return (lids = null);
        lids.add(hit);
      }
      return lids;
    };
    const isUnderLid = (element) => {
      if (!lidsOver()) return false;
      for (let node = element; node; node = above(node)) if (lids.has(node)) return false;
      return ![...lids].some((lid) => composedContains(element, lid));
    };
    const isBehind = (element) => behind || (!!modal && !composedContains(modal, element) && !composedContains(element, modal));
    /** Whether something is drawn there by what lies over an element: one reads through an empty box. */
    const paints = (hit, element) => {
      for (let node = hit; node && !composedContains(node, element); node = above(node)) {
        const style = getComputedStyle(node);
        if (PAINTED.has(node.localName) || style.backgroundImage !== 'none' || style.backdropFilter && style.backdropFilter !== 'none' || !CLEAR.test(style.backgroundColor)) return true;
        if (node === hit && hasOwnText(node)) return true;
      }
      return false;
    };
    const isCovered = (element, area, reading = false) => {
      const y = Math.min(Math.max((area.top + area.bottom) / 2, 0), innerHeight - 1);
      // What can be seen in part is seen.
      return [0.5, 0.02, 0.98].every((part) => {
        const x = Math.min(Math.max(area.left + (area.right - area.left) * part, 0), innerWidth - 1);
        const hit = deepest(x, y);
        return !!hit && hit !== element && !composedContains(element, hit) && !composedContains(hit, element) && !(element.labels && [...element.labels].some((label) => composedContains(label, hit))) && (!reading || paints(hit, element));
      });
    };
    const whole = (text, length) => {
      letters += text.length;
      if (text.length <= length) return text;
      truncated = true;
      return cut(text, length);
    };
    const push = (parent, element, role, name, more) => {
      const { box, states, around } = more;
      const inView = within(box, around.sight);
      if (!inView) states.push('offscreen');
      // A modal dialog lies over all that is not in it, whatever is drawn there.
      if (more.look && (isBehind(element) || (inView ? isCovered(element, meet(box, around.sight), role === 'text') : isUnderLid(element)))) { states.push('covered'); covers++; }
      if (more.look) {
        told++;
        drawn.push([rows.length, element]);
      }
      // Text is called by its element, which keeps what is remembered of it.
      const ref = !more.ref ? 0 : role === 'text' && refOf.has(element) ? refOf.get(element) : giveRef(element, role, name);
      rows.push([parent, ref, role, whole(name, role === 'text' ? VALUE_LIMIT : NAME_LIMIT), more.value === null ? null : whole(more.value, VALUE_LIMIT), states.join(' '), more.attributes, more.options,
        Math.round(box.left), Math.round(box.top), Math.round(box.width), Math.round(box.height)]);
      return rows.length - 1;
    };
    const pushElement = (element, parent, role, act, name, box, style, around) => {
      const tag = element.localName;
      const states = statesOf(element, role);
      if (states[0] !== 'disabled' && (around.inert || (PRESSED.has(role) && style.pointerEvents === 'none'))) states.unshift('disabled');
      if (role === 'clickable') states.push('clickable');
      if (element === holder && element !== document.body) states.push('focused');
      if (isSecret(element)) states.push('secret');
      if (role === 'option' && tag === 'option' && element.selected) states.push('selected');
      if (tag === 'img' && isBroken(element)) states.push('broken');
      if (element.getAttribute('aria-busy') === 'true') states.push('busy');
      let options = 0;
      if (tag === 'select') {
        options = Array.from(element.options, (option) => squeeze(option.label || option.text));
        if (options.length > OPTIONS_LIMIT) { options.length = OPTIONS_LIMIT; truncated = true; }
      }
      return push(parent, element, role || 'generic', name, { box, states, around, look: act || NOTABLE.has(role), ref: !!role, value: role ? valueOf(element, role) : null, attributes: attributesOf(element, role, tables), options });
    };
    /** Fields inside of something unseen that are drawn by something else: by their labels, or by what they lie over. */
    const pushDrawn = (element, parent, around) => {
      const fields = element.matches(DRAWN) ? [element] : element.firstElementChild ? element.querySelectorAll(DRAWN) : [];
      for (const field of fields) {
        if (field !== element && !isRendered(field)) continue;
        const label = field.labels && [...field.labels].find((one) => !composedContains(element, one) && isSeen(one));
        const box = field.getBoundingClientRect();
        const onTop = field === element && around.opacity >= FAINT && !isNothing(meet(box, around.reach));
        if (!label && !onTop) continue;
        const role = roleOf(field);
        pushElement(field, parent, role, true, nameOf(field, role), label ? label.getBoundingClientRect() : box, getComputedStyle(field), label ? { ...look.base, inert: around.inert } : around);
      }
    };
    const pushFrame = (element, number, box, around) => {
      const content = contentOf(element);
      const whole = { left: content.left, top: content.top, right: content.left + element.clientWidth * content.across, bottom: content.top + element.clientHeight * content.down };
      const area = meet(whole, around.reach);
      const inView = within(box, around.sight);
      const covered = isBehind(element) || (inView ? isCovered(element, meet(box, around.sight)) : isUnderLid(element));
      frames.push([number, Math.floor((area.left - content.left) / content.across), Math.floor((area.top - content.top) / content.down),
        Math.ceil((area.right - content.left) / content.across), Math.ceil((area.bottom - content.top) / content.down), /^(no|off|noscroll)$/i.test(element.getAttribute('scrolling') || ''), covered]);
      if (!isNothing(area) && isLoading(element, inView)) truncated = true;
    };
    const isVeil = (style, box, around) => (style.position === 'absolute' || style.position === 'fixed') && (!within(box, around.sight) || style.pointerEvents === 'none') &&
      box.width > 20 && box.height > 8 && around.opacity > 0.9 && style.backgroundColor.startsWith('rgb(') && style.backfaceVisibility !== 'hidden' && style.clipPath === 'none';
    /** Marks what lies behind boxes that no point could tell of. */
    const veil = () => {
      for (const [since, element, box] of veils.slice(0, 100)) {
        for (const [at, behind] of drawn) {
          const row = rows[at];
          if (!row || row[8] < box.left - 1 || row[9] < box.top - 1 || row[8] + row[10] > box.right + 1 || row[9] + row[11] > box.bottom + 1 || / ?covered/.test(row[5])) continue;
          if (liesBefore(element, behind, at < since)) row[5] = squeeze(row[5] + ' covered');
        }
      }
    };
    const visit = (element, parent, outer, pointed) => {
      const tag = element.localName;
      if (SKIP.has(tag)) return;
      if (rows.length >= SCENE_LIMIT || letters >= LETTERS_LIMIT) { truncated = true; return; }
      const style = getComputedStyle(element);
      const display = style.display;
      if (display === 'none' || style.contentVisibility === 'hidden') return;
      const box = boxOf(element, display);
      const around = aroundOf(element, style, box, outer, look);
      const gone = !within(box, around.reach) && (box.width > 0 || box.height > 0);
      if (around.opacity < FAINT) {
        hid++;
        pushDrawn(element, parent, outer);
        return;
      }
      const shown = style.visibility === 'visible';
      if (shown && look.inners.has(element) && isVeil(style, box, around)) veils.push([rows.length, element, box]);
      let role = roleOf(element);
      let act = WIDGETS.has(role) && role !== 'gridcell';
      const pointer = style.cursor === 'pointer';
      if (!act && shown && tag !== 'iframe' && isClickable(element, pointer, pointed)) {
        if (!role) role = 'clickable';
        act = true;
      }
      const inner = insideOf(element, style, box, around, look);
      let own = parent;
      const before = hid;
      if (shown && !gone && (role || act || isMarked(element))) {
        const structural = !act && !NOTABLE.has(role);
        const name = role === 'clickable' && element.querySelector(CONTROLS) ? containerName(element)
          : structural && !CELLS.has(role) ? squeeze(element.getAttribute('aria-label') || (NAMED_PARTS.has(role) ? nameOf(element, role) : ''))
            : nameOf(element, role);
        own = pushElement(element, parent, role, act, name, box, style, around);
        if (tag === 'select' || tag === 'textarea' || role === 'textbox' || role === 'searchbox') return;
      } else if (shown && gone && element.matches(DRAWN)) {
        pushDrawn(element, parent, around);
        return;
      } else if (!shown && !element.firstElementChild) {
        hid++;
        return;
      }
      if (shown && !gone && FRAME_TAGS.has(tag)) {
        const number = element.contentWindow ? numberOf(element.contentWindow, document.defaultView) : tag === 'embed' ? numberOfEmbed(frames) : null;
        if (number !== null) pushFrame(element, number, box, around);
      }
      if (tag === 'details' && !element.open) {
        const summary = element.querySelector(':scope > summary');
        if (summary) visit(summary, own, inner, pointer);
        return;
      }
      const toldBefore = told;
      const coversBefore = covers;
      readInside(element, own, style, inner, shown, pointer, box);
      if (own === parent) return;
      // What holds others is covered when all of them are.
      if (!act && !NOTABLE.has(role) && told > toldBefore && covers - coversBefore === told - toldBefore) rows[own][5] = squeeze(rows[own][5] + ' covered');
      const nothingInside = rows.length === own + 1;
      if (nothingInside && SOLID.has(role) && (box.width < 1 || box.height < 1)) {
        rows.pop();
        if (drawn.length && drawn[drawn.length - 1][0] === own) drawn.pop();
      } else if (ENTRIES.has(role) && told === toldBefore && !element.querySelector(PICTURES) && style.backgroundImage === 'none') rows[own][5] = squeeze(rows[own][5] + ' hollow');
      else if (hid > before && SAYING.has(role) && !element.hasAttribute('aria-label') && !element.hasAttribute('aria-labelledby')) {
        rows[own][3] = cut(squeeze(rows.slice(own + 1).map((row) => (row[2] === 'text' || row[2] === 'image' ? row[3] : '')).join(' ')), NAME_LIMIT);
      }
    };
    /** What is inside an element: runs of text, each with its plain marks, and elements. */
    const readInside = (element, own, style, inner, shown, pointer, box) => {
      let run = '';
      let area = null;
      let inked;
      const flush = () => {
        const text = squeeze(run);
        const covers = area;
        run = ''; area = null;
        if (text && covers) push(own, element, 'text', text, { box: covers, states: [], around: inner, look: true, ref: true, value: null, attributes: 0, options: 0 });
      };
      const add = (node, text) => {
        bare.selectNodeContents(node);
        const box = bare.getBoundingClientRect();
        if (inked === undefined) inked = isInked(element, style);
        if (!shown || !inked || box.height < LEGIBLE || box.width < 0.5 || !within(box, inner.reach)) { hid++; return; }
        const fits = box.left >= inner.reach.left && box.top >= inner.reach.top && box.right <= inner.reach.right && box.bottom <= inner.reach.bottom;
        const seen = fits ? box : meet(box, inner.reach);
        const part = fits ? text : seenPart(node, inner.reach);
        if (part.length < text.length) hid++;
        if (!/\S/.test(part)) return;
        run += part;
        widen(seen);
      };
      const widen = (seen) => {
        if (!area) {
          area = { left: seen.left, top: seen.top, right: seen.right, bottom: seen.bottom, width: seen.right - seen.left, height: seen.bottom - seen.top };
          return;
        }
        const left = Math.min(area.left, seen.left);
        const top = Math.min(area.top, seen.top);
        const right = Math.max(area.right, seen.right);
        const bottom = Math.max(area.bottom, seen.bottom);
        area = { left, top, right, bottom, width: right - left, height: bottom - top };
      };
      /** Whether an inline element only marks some words of the text that it stands in. */
      const isPlain = (child) => {
        if (!INLINE.has(child.localName) || STRUCK.has(child.localName) || child.firstElementChild || child.id || child.className || roleOf(child) || marked.has(child) || worded.has(child)) return false;
        const own = getComputedStyle(child);
        return own.display === 'inline' && own.cursor === style.cursor && own.visibility === style.visibility && own.opacity === '1' && own.clipPath === 'none' && CLEAR.test(own.webkitTextFillColor) === CLEAR.test(style.webkitTextFillColor);
      };
      const words = shown && worded.get(element);
      const addWords = (side) => {
        const seen = meet(box, inner.reach);
        if (!words || !words[side] || isNothing(seen)) return;
        run += words[side];
        widen(seen);
      };
      addWords('::before');
      for (const child of childrenOf(element)) {
        if (child.nodeType === 3) {
          if (/\S/.test(child.data)) add(child, child.data);
          else run += ' ';
        } else if (child.nodeType === 1) {
          if (child.localName === 'br') run += ' ';
          else if (isPlain(child)) add(child, child.textContent);
          else { flush(); visit(child, own, inner, pointer); }
        }
      }
      addWords('::after');
      flush();
    };
    visit(root, -1, look.base, false);
    veil();
    return answer();
  }

  const PAUSE = 25;
  let soon = 0;
  // The first act compares with this; it is looked at while nobody waits.
  function lookSoon() {
    clearTimeout(soon);
    soon = setTimeout(current, PAUSE);
  }
  if (owesHeading) lookSoon();
  const FIRST = 'h1,h2,h3,[role=heading],' + LOUD;
  /** What is to be read first: a heading, messages, dialogs. */
  function firsts() {
    const changes = [];
    let headings = 0;
    for (const element of document.querySelectorAll(FIRST)) {
      const role = roleOf(element);
      if ((role === 'heading' && headings > 0) || !isSeen(element) || element.closest('[aria-hidden=true]')) continue;
      const name = nameOf(element, role);
      if (!name && role !== 'dialog' && role !== 'alertdialog') continue;
      if (role === 'heading') headings++;
      changes.push(['+', giveRef(element, role, name), role, cut(name, 200), null, '', null]);
    }
    return changes;
  }
  /** What a new document says first, now that it has arrived. */
  function firstSeen(args) {
    sinceMap = null;
    const changes = firsts();
    lookSoon();
    return { status: 'ok', next, url: location.href, title: document.title, loading: args.loading, changes };
  }

  /** Whether anything would receive keys that are typed now. */
  function focus() {
    const holder = focused();
    return { status: 'ok', next, holds: !!holder && holder !== document.body && holder !== document.documentElement };
  }
  const page = () => ({ status: 'ok', next, url: location.href, title: document.title, ready: document.readyState });

  // ---- pictures -------------------------------------------------------------------------------------------

  let overlay = null;
  function unmark() {
    if (overlay) overlay.remove();
    overlay = null;
    baseline = null;
    return { status: 'ok', next };
  }
  function overlayOn(draw) {
    unmark();
    overlay = document.createElement('div');
    overlay.style.cssText = 'all:initial;position:absolute;left:0;top:0;width:0;height:0;z-index:2147483647;pointer-events:none';
    overlay.setAttribute('aria-hidden', 'true');
    const root = overlay.attachShadow({ mode: 'closed' });
    document.documentElement.append(overlay);
    // The overlay itself may be moved by a positioned root element: measure where it really is.
    const origin = overlay.getBoundingClientRect();
    draw(root, -origin.left, -origin.top);
  }
  const COLOURS = ['#d6336c', '#1971c2', '#2f9e44', '#e8590c', '#7048e8', '#0c8599'];
  function annotate(args) {
    const entries = fresh().filter((entry) => entry.act);
    const labels = [];
    overlayOn((root, dx, dy) => {
      entries.forEach((entry) => {
        const box = entry.element.getBoundingClientRect();
        if (box.width < 1 || box.height < 1) return;
        if (!args.full_page && (box.bottom < 0 || box.right < 0 || box.top > innerHeight || box.left > innerWidth)) return;
        const ref = giveRef(entry.element, entry.role, entry.name);
        const colour = COLOURS[ref % COLOURS.length];
        const frame = document.createElement('div');
        frame.style.cssText = `position:absolute;box-sizing:border-box;left:${box.left + dx}px;top:${box.top + dy}px;width:${box.width}px;height:${box.height}px;outline:2px solid ${colour};outline-offset:-1px;border-radius:2px`;
        const tag = document.createElement('div');
        const above = box.top + scrollY >= 14;
        tag.textContent = 'e' + ref;
        tag.style.cssText = `position:absolute;left:-1px;${above ? 'bottom:100%' : 'top:0'};font:bold 11px/13px monospace;color:#fff;background:${colour};padding:0 3px;border-radius:2px;white-space:nowrap`;
        frame.append(tag);
        root.append(frame);
        labels.push(ref);
      });
    });
    return { status: 'ok', next, labels };
  }
  function highlight(args) {
    const held = elementOf.get(args.element);
    const element = held && held.deref();
    if (!element) return stopped('it is no longer on the page');
    overlayOn((root, dx, dy) => {
      const box = element.getBoundingClientRect();
      const frame = document.createElement('div');
      frame.style.cssText = `position:absolute;left:${box.left + dx - 4}px;top:${box.top + dy - 4}px;width:${box.width + 8}px;height:${box.height + 8}px;box-sizing:border-box;border:3px solid #d6336c;border-radius:6px;box-shadow:0 0 0 4px #d6336c44`;
      root.append(frame);
    });
    const mine = overlay;
    setTimeout(() => { if (overlay === mine) unmark(); }, args.ms);
    return { status: 'ok', next };
  }

  // ---- faults: what is made to go wrong on purpose -----------------------------------------------------

  // All of it sleeps until a fault is asked for. How often one has struck is told with every answer from then
  // on, as one sum for this document: an answer that gets lost takes nothing along.
  let struck = 0;
  let sumOf = 0;
  let faulty = false;
  function beginFaults() {
    hush = hold;
    if (faulty) return;
    faulty = true;
    struck = 0;
    sumOf = Math.floor(Math.random() * 2 ** 48);
  }
  const sufferers = new Map();

  /** The element that a fault is about, or what the page has clearly drawn in its place. */
  function sufferer(one) {
    if (one.element.isConnected) return one.element;
    const after = heir(one.id);
    if (after && after.same.length === 1) {
      release(one);
      one.element = after.same[0];
      if (one.disables) disable(one);
    }
    return one.element;
  }
  const CAN_BE_DISABLED = new Set(['button', 'input', 'select', 'textarea', 'fieldset', 'option', 'optgroup']);
  /** Disables as a page would, and keeps it so against the page, whose last wish counts when the fault is lifted. */
  function disable(one) {
    const element = one.element;
    const native = CAN_BE_DISABLED.has(element.localName);
    one.attribute = native ? 'disabled' : 'aria-disabled';
    one.wish = element.getAttribute(one.attribute);
    one.deaf = !native;
    const isOff = () => (native ? one.wish !== null : one.wish === 'true');
    const put = () => {
      if (!isOff()) struck++;
      element.setAttribute(one.attribute, native ? '' : 'true');
    };
    put();
    one.keeper = new MutationObserver(() => {
      one.wish = element.getAttribute(one.attribute);
      put();
      one.keeper.takeRecords();
    });
    one.keeper.observe(element, { attributes: true, attributeFilter: [one.attribute] });
  }
  function release(one) {
    if (!one.keeper) return;
    one.keeper.disconnect();
    one.keeper = null;
    if (one.wish === null) one.element.removeAttribute(one.attribute);
    else one.element.setAttribute(one.attribute, one.wish);
  }
  function hold(event) {
    for (const one of sufferers.values()) {
      if (!one.deaf) continue;
      const element = sufferer(one);
      if (!event.composedPath().includes(element) && event.submitter !== element) continue;
      event.preventDefault();
      event.stopImmediatePropagation();
      // The last to hear of a click does not hear of this one.
      if (guard && event.type === 'click') guard.prevented = true;
      struck++;
      return;
    }
  }
  /** Makes one element deaf or disabled. */
  function fault(args) {
    // So that what is drawn in its place can be told from others.
    fresh();
    const found = resolveOne(args.selector, 'act', args);
    if (found.status) return found;
    const element = found.element;
    const { ref } = line(element);
    beginFaults();
    if (sufferers.has(ref)) release(sufferers.get(ref));
    const one = { id: ref, element, deaf: args.kind === 'deaf', disables: args.kind === 'disabled', keeper: null };
    sufferers.set(ref, one);
    if (one.disables) disable(one);
    return { status: 'ok', next, total: 1, shown: 1, elements: [line(element)] };
  }

  /** Texts that are taken away or changed wherever they are shown: an expression for all, and what becomes of each. */
  let wording = null;
  let wordingKeeper = null;
  let kept = new WeakSet();
  /** What was changed, and to what: it is not changed twice, and is as it was when the fault is lifted. */
  let reworded = new Map();
  const READ_OUT = ['placeholder', 'alt', 'aria-label', 'title', 'aria-placeholder', 'aria-description', 'aria-valuetext', 'label'];
  const HAS_READ_OUT = READ_OUT.map((name) => '[' + name + ']').join();
  const FIELDS = 'textarea,input:not([type=password],[type=hidden],[type=checkbox],[type=radio],[type=file],[type=range],[type=color],[type=image])';
  const SILENT = new Set(['script', 'style', 'noscript', 'template', 'textarea', 'iframe', 'object']);
  const wordsAt = (node, name) => (name === '' ? node.data : name === '=' ? node.value : node.getAttribute(name));
  function setWords(node, name, text) {
    if (name === '') node.data = text;
    else if (name === '=') node.value = text;
    else node.setAttribute(name, text);
  }
  function isReworded(node, name) {
    const known = reworded.get(node);
    return !!known && !!known[name] && known[name].after === wordsAt(node, name);
  }
  function reword(node, name, text) {
    const known = reworded.get(node) || {};
    const before = isReworded(node, name) ? known[name].before : wordsAt(node, name);
    setWords(node, name, text);
    // A field may make something else of it.
    known[name] = { before, after: wordsAt(node, name) };
    reworded.set(node, known);
  }
  const insteadOf = (found) => wording.instead.get(squeeze(found));
  function rewordWhole(node, name) {
    const text = wordsAt(node, name);
    if (!text || isReworded(node, name) || text.search(wording.expression) < 0) return;
    reword(node, name, text.replace(wording.expression, insteadOf));
    struck++;
  }
  /** Pieces of text that are read as one, since only inline elements lie between them. None stands for a line break. */
  function runsIn(root) {
    const runs = [];
    let run = [];
    const cutOff = () => { if (run.length) runs.push(run); run = []; };
    const visit = (node) => {
      for (const child of node.childNodes) {
        if (child.nodeType === 3) run.push(child);
        if (child.nodeType !== 1 || SILENT.has(child.localName)) continue;
        // What stands in an editor is the user's.
        if (child.hasAttribute('contenteditable') && child.isContentEditable) continue;
        if (child.localName === 'br') { run.push(null); continue; }
        const inline = /^(inline|contents)/.test(getComputedStyle(child).display);
        if (!inline) cutOff();
        visit(child);
        if (!inline) cutOff();
      }
    };
    visit(root);
    cutOff();
    return runs;
  }
  function rewordRun(run) {
    const done = run.filter((piece) => piece && isReworded(piece, ''));
    let from = 0;
    for (;;) {
      const text = run.map((piece) => (piece ? piece.data : '\n')).join('');
      wording.expression.lastIndex = from;
      const found = wording.expression.exec(text);
      wording.expression.lastIndex = 0;
      if (!found) return;
      const end = found.index + found[0].length;
      const parts = [];
      let start = 0;
      for (const piece of run) {
        const length = piece ? piece.data.length : 1;
        if (piece && start < end && start + length > found.index) parts.push({ piece, first: Math.max(found.index - start, 0), last: Math.min(end - start, length) });
        start += length;
      }
      if (!parts.length || parts.every(({ piece }) => done.includes(piece))) { from = end; continue; }
      const instead = insteadOf(found[0]);
      parts.forEach(({ piece, first, last }, at) => reword(piece, '', piece.data.slice(0, first) + (at ? '' : instead) + piece.data.slice(last)));
      struck++;
      from = found.index + instead.length;
    }
  }
  function rewordRoot(root) {
    if (!kept.has(root)) {
      kept.add(root);
      wordingKeeper.observe(root, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: READ_OUT });
    }
    const text = (root.documentElement || root).textContent;
    // Spread over elements or not, its letters stand there in this order; where they do not, the dear look is saved.
    if (wording.likely.test(text)) runsIn(root).forEach(rewordRun);
    for (const element of root.querySelectorAll(HAS_READ_OUT)) for (const name of READ_OUT) rewordWhole(element, name);
    for (const field of root.querySelectorAll(FIELDS)) if (typed.get(field) !== field.value) rewordWhole(field, '=');
  }
  const rootsBelow = (root) => [root, ...[...root.querySelectorAll('*')].flatMap((element) => (element.shadowRoot ? rootsBelow(element.shadowRoot) : []))];
  function rewordAll() {
    if (!wording || !document.documentElement) return;
    rootsBelow(document).forEach(rewordRoot);
    // Our own changes are no news.
    wordingKeeper.takeRecords();
  }
  const GLANCE = 50;
  /** Values, and what is shown by a shadow root that is new, change without a word. */
  function glance() {
    if (!wording) return;
    rewordAll();
    setTimeout(glance, GLANCE);
  }
  function armWording(pairs, key) {
    const quoted = (text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    // The longest first: of two that begin alike it is the one that is meant.
    const texts = pairs.map(([text]) => squeeze(text)).filter(Boolean).sort((one, other) => other.length - one.length);
    const spaced = (text, gap) => text.split(' ').map(quoted).join(gap);
    if (!texts.length) return;
    wording = {
      key,
      expression: new RegExp(texts.map((text) => spaced(text, '[\\s\\u00a0\\u200b\\ufeff]+')).join('|'), 'g'),
      // Line breaks and block ends may stand for a space; nothing is lost by a look too many.
      likely: new RegExp(texts.map((text) => spaced(text, '[\\s\\u00a0\\u200b\\ufeff]*')).join('|')),
      instead: new Map(pairs.map(([text, other]) => [squeeze(text), other])),
    };
    wordingKeeper = new MutationObserver(rewordAll);
    beginFaults();
    glance();
  }
  function liftWording() {
    if (!wording) return;
    wording = null;
    wordingKeeper.disconnect();
    for (const [node, names] of reworded) {
      for (const [name, { before, after }] of Object.entries(names)) if (wordsAt(node, name) === after) setWords(node, name, before);
    }
    kept = new WeakSet();
    reworded = new Map();
  }
  function lift() {
    liftWording();
    for (const one of sufferers.values()) release(one);
    sufferers.clear();
    hush = null;
    faulty = false;
    return { status: 'ok', next, struck: [sumOf, struck] };
  }
  // Before every answer: what was drawn anew suffers as well, and no text is told that is to be taken away. Texts
  // are asked for by every question for as long as they are meant.
  function keepFaults(pairs) {
    for (const one of sufferers.values()) sufferer(one);
    const key = pairs ? JSON.stringify(pairs) : '';
    if (wording && wording.key === key) {
      rewordAll();
    } else {
      liftWording();
      if (pairs) armWording(pairs, key);
    }
  }

  // ---- waiting and the rest --------------------------------------------------------------------------------

  function holdsState(args) {
    let found;
    try {
      found = resolveAll(args.selector, 'read');
    } catch (error) {
      return { status: 'bad_selector', message: String(error.message), next };
    }
    const shown = found.filter(isShown);
    const seen = shown.filter(isSeen);
    const holds = { visible: seen.length > 0, hidden: seen.length === 0, attached: found.length > 0, detached: found.length === 0, enabled: shown.some((element) => !isDisabled(element)) }[args.state];
    const first = seen[0] || shown[0] || found[0];
    return { status: 'ok', holds, next, found: found.length, shown: shown.length, first };
  }
  /** Waits within one document for at most `patience`; a new document is the caller's to follow. */
  async function waitFor(args) {
    const until = now() + args.patience;
    for (;;) {
      let result;
      if (args.selector) {
        result = holdsState(args);
        if (result.first) {
          const role = describeRole(result.first);
          if (result.holds) result.element = { ...line(result.first, role), value: valueOf(result.first, role), states: statesOf(result.first, role).join(' ') };
        }
        delete result.first;
      } else {
        const wanted = squeeze(args.text).toLowerCase();
        const holds = squeeze(pageText()).toLowerCase().includes(wanted) || (!!pageRoot() && textOf(pageRoot(), SHOWN_TEXT).toLowerCase().includes(wanted));
        result = { status: 'ok', next, holds: holds !== args.gone };
      }
      if (result.status !== 'ok' || result.holds || now() > until) return { ...result, next };
      const seen = mutationCount();
      await frameTick();
      if (mutationCount() === seen) await sleep(15);
    }
  }
  function scrollInfo() {
    const top = document.scrollingElement || document.documentElement;
    return { status: 'ok', next, x: Math.round(top.scrollLeft), y: Math.round(top.scrollTop), bottom: Math.max(0, Math.round(top.scrollHeight - top.scrollTop - innerHeight)), width: innerWidth, height: innerHeight };
  }
  function scrollEdge(args) {
    const top = document.scrollingElement || document.documentElement;
    top.scrollTo({ top: args.edge === 'top' ? 0 : top.scrollHeight, behavior: 'instant' });
    return scrollInfo();
  }
  function localStore(args) {
    if (args.set) for (const { name, value } of args.set) localStorage.setItem(name, value);
    return { status: 'ok', next, origin: location.origin, items: Array.from({ length: localStorage.length }, (_, at) => ({ name: localStorage.key(at), value: localStorage.getItem(localStorage.key(at)) })) };
  }
  /** Whether the page hears as much of text that is put in at once as of keys. */
  function takesText(holder) {
    const plain = holder.localName === 'textarea' || (holder.localName === 'input' && /^(text|search|email|url|tel|password)$/.test(holder.type));
    return plain && !channel.hasAttribute('beforeinput') && !holder.closest('[onbeforeinput]');
  }
  /** Puts text in by the editor's own command. False, and nothing done, where the page could hear more of keys. */
  function putIn(text) {
    const holder = focused();
    if (!holder || !takesText(holder)) return false;
    document.execCommand('insertText', false, text);
    return true;
  }
  const elementFor = (id) => { const held = elementOf.get(id); return held && held.deref(); };
  function centre(args) {
    const element = elementFor(args.element);
    if (!element || !element.isConnected) return stopped('it is no longer on the page');
    const box = element.getBoundingClientRect();
    const x = box.x + box.width / 2;
    const y = box.y + box.height / 2;
    if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) return stopped('it cannot be seen at the same time as what is dragged');
    const { hit, ok } = hitsAt([element], x, y);
    return ok ? { status: 'ready', next, x, y } : stopped('it is covered', hit ? { covered_by: describe(hit) } : {});
  }
  /** Whether a point of this document shows a frame, and not something that lies over it. */
  const FRAMES = 'iframe,frame,object,embed';
  const framesIn = (root) => [...root.querySelectorAll('*')].flatMap((element) => (element.matches(FRAMES) ? [element] : element.shadowRoot ? framesIn(element.shadowRoot) : []));
  /** Where the content of a frame begins, and how large its pixels are here: it may be scaled. */
  function contentOf(frame) {
    const box = frame.getBoundingClientRect();
    const style = getComputedStyle(frame);
    const across = frame.offsetWidth ? box.width / frame.offsetWidth : 1;
    const down = frame.offsetHeight ? box.height / frame.offsetHeight : 1;
    return { across, down, left: box.left + (frame.clientLeft + parseFloat(style.paddingLeft)) * across, top: box.top + (frame.clientTop + parseFloat(style.paddingTop)) * down };
  }
  function frameAt(args) {
    // Of all frames it is the one whose content begins there.
    const begins = (frame) => {
      const content = contentOf(frame);
      return Math.abs(content.left - args.left) < 2 && Math.abs(content.top - args.top) < 2;
    };
    const candidates = framesIn(document).filter(begins);
    let hit = null;
    for (const frame of candidates) {
      const content = contentOf(frame);
      const x = content.left + args.x * content.across;
      const y = content.top + args.y * content.down;
      hit = deepest(x, y);
      if (hit === frame) return { status: 'ready', next, x, y, across: content.across, down: content.down, view: [innerWidth, innerHeight] };
    }
    // What is inside was scrolled to in the frame; the frame itself may still be out of sight.
    if (candidates.length === 1) candidates[0].scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
    return stopped('it is covered', hit ? { covered_by: describe(hit) } : {});
  }
  // What lies at a point: the refs of it and of what is around it, as far as they were given out, the nearest first; of
  // a label, those of its control too. In a frame, where in it the point is.
  function at(args) {
    const hit = deepest(args.x, args.y);
    const refs = [];
    const add = (element) => { if (element && refOf.has(element) && !refs.includes(refOf.get(element))) refs.push(refOf.get(element)); };
    for (let node = hit; node; node = up(node)) {
      add(node);
      if (node.localName === 'label') add(node.control);
    }
    const elements = refs.map((ref) => {
      const role = describeRole(elementFor(ref));
      return { ...line(elementFor(ref), role), value: valueOf(elementFor(ref), role), states: statesOf(elementFor(ref), role).join(' ') };
    });
    const text = hit && hit !== document.body && hit !== document.documentElement ? squeeze(shownText(hit)) : '';
    const content = hit && hit.matches(FRAMES) ? contentOf(hit) : null;
    return { status: 'ok', next, elements, tag: hit ? hit.localName : '', text: text.length > FEW_WORDS ? '' : text, view: [innerWidth, innerHeight],
      frame: content && [content.left, content.top], inner: content && [(args.x - content.left) / content.across, (args.y - content.top) / content.down] };
  }
  /** More words than these are those of a whole part of the page, not of what is pointed at. */
  const FEW_WORDS = 80;

  // Refs may be given out at any point of an answer's making: the first free one is put in last.
  function written(answer) {
    answer.next = next;
    if (faulty) answer.struck = [sumOf, struck];
    return early.written(answer);
  }
  const questions = { map, query, read, begin, shield, watch, settle, firstSeen, focus, page, diff, annotate, unmark, highlight, waitFor, scrollInfo, scrollEdge, localStore, optionPoint, centre, frameAt, at, scene, fault, lift };
  const api = { elementFor, putIn };
  for (const [name, question] of Object.entries(questions)) {
    api[name] = (args) => {
      early.stayHome();
      if (args && args.next) next = Math.max(next, args.next);
      if (faulty || (args && args.faults)) keepFaults(args && args.faults);
      const answer = question(args);
      if (!(answer instanceof Promise)) return written(answer);
      return answer.then(
        (given) => { if (question !== settle) early.stayedHome(); return written(given); },
        (error) => { early.stayedHome(); throw error; });
    };
  }
  return api;
}
