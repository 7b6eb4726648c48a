  // ---- the scene -----------------------------------------------------------------------------------

  // A scene is complete, or says that it is not.
  const SCENE_LIMIT = 30000;
  const LETTERS_LIMIT = 4000000;
  const NAME_LIMIT = 2000;
  const VALUE_LIMIT = 100000;
  const OPTIONS_LIMIT = 5000;
  const MARKS = ['id', 'name', 'placeholder', 'title', 'alt', 'href', 'autocomplete', 'for'];
  const TABLE = 'table,[role=table],[role=grid],[role=treegrid]';
  const isHead = (cell) => roleOf(cell) === 'columnheader';
  /** The column headers of a table for each cell. A header that spans several columns counts for each of them. */
  function headsOf(table) {
    const rows = table.rows ? [...table.rows] : [...table.querySelectorAll('[role=row]')];
    const places = new Map();
    // For each column: for how many more rows a cell from above continues, and its last header.
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
  /** The column header of a table cell. */
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
  /** Where a control sends its form, without the host: `post /login`. */
  function sending(control, form) {
    const address = addressOf(saidOf(form, control, 'action'));
    return (saidOf(form, control, 'method') || 'get').toLowerCase() + ' ' + (address ? address.pathname : '');
  }
  /** The hidden fields that a form sends: `item=12`. Without tokens, which are new on every page. */
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
    // A button submits only if it has a form.
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
    const controls = element.getAttribute('aria-controls') || element.getAttribute('aria-owns');
    if (controls) found.controls = cut(controls, 120);
    if (element.getAttribute('aria-haspopup')) found.haspopup = element.getAttribute('aria-haspopup');
    return found;
  }
  /** An image that did not load. A vector image may have no intrinsic size. */
  const isBroken = (image) => image.complete && !image.naturalWidth && !!(image.currentSrc || image.src) && !/\.svg\b|image\/svg/i.test(image.currentSrc || image.src);
  /** A frame whose content has not arrived yet. A lazy frame out of view is not loading. */
  function isLoading(frame, inView) {
    const held = frame.contentDocument;
    // A frame of another origin reports its own state.
    if (!held || (frame.loading === 'lazy' && !inView)) return false;
    const wanted = frame.hasAttribute('srcdoc') || /^(?!about:|javascript:)./i.test(frame.src || frame.data || '');
    return held.readyState === 'loading' || (wanted && held.URL === 'about:blank');
  }
  /** The index of a window among its parent's frames; -1 if the parent does not count it, as in a shadow root. */
  function numberOf(child, holder) {
    for (let at = 0; at < holder.length; at++) if (holder[at] === child) return at;
    return -1;
  }
  const FRAME_TAGS = new Set(['iframe', 'frame', 'object', 'embed']);
  /** An `embed` does not expose its window: take the next frame that no other element owns. */
  function numberOfEmbed(known) {
    const others = new Set(Array.from(document.querySelectorAll('iframe,frame,object'), (frame) => frame.contentWindow));
    const { defaultView } = document;
    for (let at = 0; at < defaultView.length; at++) if (!others.has(defaultView[at]) && !known.some((row) => row[0] === at)) return at;
    return null;
  }
  // Not `window`: without an isolated world, that name only stands for a few functions.
  const isInFrame = () => parent !== document.defaultView;
  /** The outer document's information about the frame that contains this document. */
  function shownIn(frames) {
    if (!frames || !isInFrame()) return { number: -1, given: null, hidden: false };
    const number = numberOf(document.defaultView, parent);
    const rows = frames.filter((row) => row[0] === number);
    // Frames without an index cannot be distinguished, so the most visible one stands for all of them.
    const [row] = rows.sort((one, other) => (other[3] - other[1]) * (other[4] - other[2]) - (one[3] - one[1]) * (one[4] - one[2]));
    if (!row) return { number, given: null, hidden: true };
    const area = { left: row[1], top: row[2], right: row[3], bottom: row[4] };
    return { number, given: { area, still: row[5], covered: row[6] }, hidden: isNothing(area) };
  }

  /** Fields that are often invisible, over or beside another element that draws them. */
  const DRAWN = 'input[type=checkbox],input[type=radio],input[type=file],input[type=range],input[type=color],select';
  /** Controls and entries that are called by their words, unless they show a picture. */
  const PLAINLY = new Set(['link', 'button', 'clickable', 'tab', 'menuitem', 'listitem', 'option', 'treeitem', 'row', 'article', 'menuitemradio', 'menuitemcheckbox']);
  /** Roles that take their name from their text; if only a part of it is visible, the name is that part. */
  const SAYING = new Set(['heading', 'status', 'alert', 'log', 'timer', 'tooltip', 'cell', 'gridcell', 'columnheader', 'rowheader']);
  /** Whether an element without a role has a meaning. Entries of a list are often plain boxes side by side. */
  function isMarked(element) {
    if (element.id || element.className || element.hasAttribute('aria-label') || STRUCK.has(element.localName) || testIdOf(element)) return true;
    const twin = element.previousElementSibling || element.nextElementSibling;
    return element.localName === 'div' && element.childElementCount > 1 && !!twin && twin.localName === 'div';
  }
  /** Roles whose elements do not count if they have no size and no content. */
  const SOLID = new Set(['heading', 'button', 'link', 'image', 'listitem', 'row', 'article', 'treeitem', 'menuitem', 'tab', 'clickable']);
  const ENTRIES = new Set(['listitem', 'row', 'article', 'treeitem']);
  const PRESSED = new Set(['button', 'link', 'tab', 'menuitem']);
  const PICTURES = 'img,svg,canvas,video,picture,object,embed,iframe,input,meter,progress';
  /** Content inside these is for browsers that cannot draw them. */
  const REPLACED = new Set(['canvas', 'video', 'audio']);
  const NAMED_PARTS = new Set(['table', 'group', 'figure', 'form', 'region', 'navigation', 'list']);
  const CELLS = new Set(['cell', 'columnheader', 'rowheader', 'gridcell']);
  /** The scene lists a picture without a name if its area is at least this many pixels. */
  const LARGE = 20000;
  /** The handle of a slider is no larger than this. */
  const HANDLE = 64;
  /** Letters smaller than this are not legible. */
  const LEGIBLE = 2.5;

  /** How long until the page's timers have run and what they asked for is there. A late timer is still due. */
  function dueTime() {
    const timers = Number(channel.getAttribute('later') || 0);
    const left = timers - performance.now();
    // A timer that is much too late was cancelled in a way that nobody saw.
    const due = timers && left > -2000 ? Math.max(1, Math.round(left)) : 0;
    return Number(channel.getAttribute('awaited') || 0) > 0 ? Math.max(due, 100) : due;
  }

  /** Everything visible, in full: the basis for judging sentences. */
  function scene(args) {
    // A caller that reads the whole page may never act on it, so cancel the look in advance.
    clearTimeout(soon);
    itemTexts = new Map();
    const rows = [];
    const frames = [];
    const tables = new Map();
    let truncated = false;
    let letters = 0;
    // How many entries are in the scene, and how many were left out as invisible.
    let told = 0;
    let hid = 0;
    let covers = 0;
    // How many pictures of icon fonts there are.
    let pictured = 0;
    // Opaque boxes that hit testing cannot find: they are out of view, or let clicks through.
    const veils = [];
    const drawn = [];
    const place = shownIn(args && args.frames);
    const answer = () => ({ status: 'ok', next, title: document.title, url: location.href, view: [innerWidth, innerHeight], rows, frames, number: place.number, due: dueTime(), truncated: truncated || (isInFrame() && document.readyState === 'loading') });
    const root = pageRoot();
    if (!root || place.hidden) return answer();
    const look = outlook(place.given);
    const worded = wordsPutIn(look);
    const behind = !!place.given && place.given.covered;
    const modal = [...document.querySelectorAll('dialog:modal,[aria-modal=true]')].filter(isSeen).pop() || null;
    const holder = focused();
    let lids;
    /** Fixed elements that cover the whole viewport, and with it everything that could be scrolled into view. */
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
    /** Whether an element on top paints anything: text is readable through an empty box. */
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
      // A partly visible element is visible.
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
      // A modal dialog covers everything outside it, whatever is drawn there.
      if (more.look && (isBehind(element) || (inView ? isCovered(element, meet(box, around.sight), role === 'text') : isUnderLid(element)))) { states.push('covered'); covers++; }
      if (more.look) {
        told++;
        drawn.push([rows.length, element]);
      }
      // Text uses the ref of its element, and the element keeps its signature.
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
      if ((element === holder && element !== document.body) || (holder && role === 'textbox' && isCodeEditor(element) && element.contains(holder))) states.push('focused');
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
    const isHandle = (element) => {
      const box = element.getBoundingClientRect();
      return box.width <= HANDLE && box.height <= HANDLE && isSeen(element);
    };
    /** Fields inside an invisible element that other elements draw: their labels, or an element below them. */
    const pushDrawn = (element, parent, around) => {
      const fields = element.matches(DRAWN) ? [element] : element.firstElementChild ? element.querySelectorAll(DRAWN) : [];
      for (const field of fields) {
        if (field !== element && !isRendered(field)) continue;
        // Drawn sliders keep the field inside the handle.
        const handle = field.type === 'range' && field === element && field.parentElement;
        const label = handle && isHandle(handle) ? handle : field.labels && [...field.labels].find((one) => !composedContains(element, one) && isSeen(one));
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
    /** Marks elements behind boxes that hit testing cannot find. */
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
      // A large picture without a name may still show something that people read.
      if (!role && tag === 'img' && box.width * box.height >= LARGE) role = 'image';
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
      if (REPLACED.has(tag)) return;
      const toldBefore = told;
      const picturedBefore = pictured;
      const coversBefore = covers;
      readInside(element, own, style, inner, shown, pointer, box);
      if (own === parent) return;
      // A container is covered if all of its content is.
      if (!act && !NOTABLE.has(role) && told > toldBefore && covers - coversBefore === told - toldBefore) rows[own][5] = squeeze(rows[own][5] + ' covered');
      const nothingInside = rows.length === own + 1;
      if (nothingInside && SOLID.has(role) && (box.width < 1 || box.height < 1)) {
        rows.pop();
        if (drawn.length && drawn[drawn.length - 1][0] === own) drawn.pop();
      } else {
        const isNameless = !element.hasAttribute('aria-label') && !element.hasAttribute('aria-labelledby');
        const isBare = style.backgroundImage === 'none' && pictured === picturedBefore && !element.querySelector(PICTURES);
        if (ENTRIES.has(role) && told === toldBefore && isBare) rows[own][5] = squeeze(rows[own][5] + ' hollow');
        if (hid > before && isNameless && (SAYING.has(role) || (PLAINLY.has(role) && isBare))) {
          rows[own][3] = cut(squeeze(rows.slice(own + 1).map((row) => (row[2] === 'text' || row[2] === 'image' ? row[3] : '')).join(' ')), NAME_LIMIT);
        }
      }
    };
    /** The content of an element: elements, and runs of text including plain inline markup. */
    const readInside = (element, own, style, inner, shown, pointer, box) => {
      let run = '';
      let area = null;
      let inked;
      let pale;
      const isPaleHere = () => (pale ??= isPale(element, style, style.webkitTextFillColor, look));
      const flush = () => {
        const text = squeeze(run);
        const covers = area;
        run = ''; area = null;
        const drawnAs = style.textTransform;
        const attributes = drawnAs === 'uppercase' || drawnAs === 'lowercase' || drawnAs === 'capitalize' ? { transform: drawnAs } : 0;
        if (text && covers) push(own, element, 'text', text, { box: covers, states: [], around: inner, look: true, ref: true, value: null, attributes, options: 0 });
      };
      const add = (node, text) => {
        if (isIcon(element, text)) {
          pictured++;
          if (own >= 0) rows[own][6].icon = text.trim();
          return;
        }
        bare.selectNodeContents(node);
        const box = bare.getBoundingClientRect();
        if (inked === undefined) {
          const ink = style.webkitTextFillColor;
          inked = isInked(element, style, ink, inner.opacity);
          pale ??= isPale(element, style, ink, look);
        }
        if (!shown || !inked || box.height < LEGIBLE || box.width < 0.5 || !within(box, inner.reach) || (pale && isLost(element, style, box, look))) { hid++; return; }
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
      /** Whether an inline element only marks some words of the surrounding text. */
      const isPlain = (child) => {
        if (!INLINE.has(child.localName) || STRUCK.has(child.localName) || child.firstElementChild || child.id || child.className || roleOf(child) || marked.has(child) || worded.has(child)) return false;
        const own = getComputedStyle(child);
        const ink = own.webkitTextFillColor;
        return own.display === 'inline' && own.cursor === style.cursor && own.visibility === style.visibility && opacityOf(own) === 1 && own.clipPath === 'none' &&
          (alphaOf(ink) < FAINT) === (alphaOf(style.webkitTextFillColor) < FAINT) && isPale(child, own, ink, look) === isPaleHere() && !isIcon(child, child.textContent);
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
  // The first act compares with this look, so take it while no caller waits.
  function lookSoon() {
    clearTimeout(soon);
    soon = setTimeout(current, PAUSE);
  }
  if (owesHeading) lookSoon();
  const FIRST = 'h1,h2,h3,[role=heading],' + LOUD;
  /** The most important content: a heading, messages, dialogs. */
  function firsts(args) {
    const changes = [];
    let headings = 0;
    for (const element of document.querySelectorAll(FIRST)) {
      const role = roleOf(element);
      if ((role === 'heading' && headings > 0) || !isSeen(element) || element.closest('[aria-hidden=true]')) continue;
      const name = nameOf(element, role);
      const isDialog = role === 'dialog' || role === 'alertdialog';
      if (!name && !isDialog) continue;
      if (role === 'heading') headings++;
      const shown = name || textOf(element.querySelector(HEADS) || element, SHOWN_TEXT);
      changes.push(['+', giveRef(element, role, name), role, cut(shown, 200), null, '', null]);
    }
    const told = new Set([document.title, ...changes.map((change) => change[3])]);
    for (const text of openingTexts(args.headings)) {
      if (told.has(text)) continue;
      told.add(text);
      changes.push(['+', 0, 'paragraph', cut(text, 160), null, '', null]);
    }
    return changes;
  }
  const MESSAGES = ['alert', 'error', 'message', 'flash', 'toast', 'notice', 'notification', 'success', 'warning'].map((word) => '[class*=' + word + ' i]').join();
  const MESSAGE = /(^|[\s_-])(alert|errors?|messages?|flash|toast|notice|notification|success|warning)([\s_-]|$)/i;
  const GREETS = /^(welcome|hello|hi|hey|good (morning|afternoon|evening)|(signed|logged) in)\b/i;
  const BESIDE = 'nav,header,footer,aside,[role=navigation],[role=banner],[role=contentinfo],[role=search],button,a[href],select,label,legend,th,h1,h2,h3,h4,h5,h6,[role=heading],[role=button],[aria-hidden=true],script,style,noscript,template,' + LOUD;
  const MOST_TEXTS = 300;
  /** What a person reads first on a new page: messages, a greeting, the beginning of the main text. */
  function openingTexts(whole) {
    const texts = [];
    const took = [];
    for (const element of document.querySelectorAll(MESSAGES)) {
      if (texts.length === 2) break;
      if (!MESSAGE.test(element.getAttribute('class')) || took.some((taken) => taken.contains(element)) || element.closest(LOUD) || element.querySelector(CONTROLS + ',' + LOUD) || !isSeen(element)) continue;
      const text = textOf(element, SHOWN_TEXT);
      if (text && text.length <= 200) { texts.push(text); took.push(element); }
    }
    const main = document.querySelector('main,[role=main]') || pageRoot();
    if (!main || !whole) return texts;
    let greeting = '';
    const opening = [];
    const walker = document.createTreeWalker(document.body || main, NodeFilter.SHOW_TEXT);
    for (let count = 0, node = walker.nextNode(); node && count < MOST_TEXTS; node = walker.nextNode()) {
      const holder = node.parentElement;
      if (!holder || !/\p{L}/u.test(node.data)) continue;
      count++;
      const greets = !greeting && node.data.length < 80 && GREETS.test(node.data.trim());
      const opens = opening.length < 2 && main.contains(holder) && !holder.closest(BESIDE);
      if ((!greets && !opens) || !isSeen(holder) || isIcon(holder, node.data)) continue;
      // A sentence goes on in the words that are marked in it.
      let block = holder;
      while (INLINE.has(block.localName) && block.parentElement) block = block.parentElement;
      const text = block.querySelector(CONTROLS) || block.textContent.length > 400 ? squeeze(node.data) : textOf(block, SHOWN_TEXT);
      if (greets) greeting = text;
      else if (!opening.includes(text)) opening.push(text);
      if (greeting && opening.length === 2) break;
    }
    if (greeting) texts.push(greeting);
    return texts.concat(opening);
  }
  /** The most important content of a document that has just arrived. */
  function firstSeen(args) {
    sinceMap = null;
    const changes = firsts(args);
    lookSoon();
    return { status: 'ok', next, url: location.href, title: document.title, loading: args.loading, lacks: args.lacks, changes };
  }

  /** Whether any element would receive keys now. */
  function focus() {
    const holder = focused();
    return { status: 'ok', next, holds: !!holder && holder !== document.body && holder !== document.documentElement };
  }
  const page = () => ({ status: 'ok', next, url: location.href, title: document.title, ready: document.readyState });

