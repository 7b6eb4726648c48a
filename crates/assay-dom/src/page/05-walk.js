  // ---- the walk ------------------------------------------------------------------------------------

  const SKIP = new Set(['script', 'style', 'noscript', 'template', 'head', 'meta', 'link', 'title', 'base', 'datalist', 'param', 'source', 'track', 'colgroup', 'col', 'br', 'wbr', 'defs', 'symbol', 'clipPath', 'mask', 'marker', 'pattern', 'desc', 'metadata']);

  const isPointed = (element) => getComputedStyle(element).cursor === 'pointer';
  function isClickable(element, pointed = isPointed(element), parentPointed = !!element.parentElement && isPointed(element.parentElement)) {
    if (element.hasAttribute('onclick')) return true;
    const tabindex = element.getAttribute('tabindex');
    if (tabindex !== null && +tabindex >= 0 && element !== document.body) return true;
    if (pointed) return element.localName !== 'label' && (!parentPointed || marked.has(element));
    if (!marked.has(element) || element === document.body || element === document.documentElement) return false;
    // A listener alone is not enough: containers also listen, for the clicks of their content.
    return !element.querySelector('a[href],button,input,select,textarea,[role],[tabindex],[onclick]') && element.textContent.length < 100 &&
      !Array.from(element.children).some((child) => marked.has(child) || isPointed(child));
  }

  const BLOCKS_TEXT = 'a[href],button,input,select,textarea,img,svg,h1,h2,h3,h4,h5,h6,ul,ol,table,dl,output,[role],[tabindex],[onclick],[contenteditable],iframe,details,p,div,section,slot,label';

  const CONTROLS = 'a[href],button,input,select,textarea,[role=button],[role=link],[role=checkbox],[role=tab],[role=menuitem],[tabindex]';
  /** The name of an element that contains controls: the text of those controls is not part of it. */
  const containerName = (element) => squeeze(element.getAttribute('aria-label') || element.getAttribute('title') || ownText(element));
  const SEEN = { visibilityProperty: true };
  const NONE = Object.freeze([]);
  /** Everything shown, in document order: [{depth, element, role, name, value, states, act}]. A document that is still arriving has no root. */
  function walk(root) {
    itemTexts = new Map();
    const out = [];
    if (!root) return out;
    const visit = (element, depth, named, overPointer) => {
      const tag = element.localName;
      if (SKIP.has(tag)) return;
      // One native call decides for nearly all elements; only the others need their style.
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
        // The content of a control belongs to it, whatever its cursor.
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
        // What stands in a region with a label of its own is not in its name.
        const isLabelled = LIVE_ROLES.has(role) && (element.hasAttribute('aria-label') || element.hasAttribute('aria-labelledby'));
        inside = named || (FROM_CONTENT.has(role) && name !== '' && !isLabelled);
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
      if (!inside && shown && (!act || STRUCTURE.has(role)) && hasOwnText(element)) {
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
  const LIVE_ROLES = new Set(['alert', 'status', 'log', 'timer', 'marquee']);
  function hasOwnText(element) {
    for (let node = element.firstChild; node; node = node.nextSibling) if (node.nodeType === 3 && /\S/.test(node.data)) return true;
    return false;
  }
  function ownText(element) {
    let text = '';
    for (let node = element.firstChild; node; node = node.nextSibling) {
      if (node.nodeType === 3) text += isIcon(element, node.data) ? '' : ' ' + node.data;
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
      const shownName = entry.name || (ref && entry.act ? aliasOf(entry.element) : '');
      nodes.push([entry.depth, ref, entry.role, cut(shownName, 200), entry.value === null ? null : cut(entry.value, 120), entry.states.join(' ')]);
    }
    return { status: 'ok', next, title: document.title, url: location.href, nodes };
  }
  /** What the map calls a control without a name: by its id, by the name that its form gives it, or by its picture. */
  function aliasOf(element) {
    if (element.id) return '#' + element.id;
    const given = element.getAttribute('name');
    if (given && EDITABLE.has(describeRole(element))) return '[name=' + CSS.escape(given) + ']';
    const icon = iconIn(element);
    return icon && 'icon ' + icon;
  }
  /** Rows and items, which the map shows on one line: their text is part of that line. */
  const FOLDED = 'td,th,li,tr,[role=row],[role=listitem],[role=cell]';

