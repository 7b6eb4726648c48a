  // ---- selectors -----------------------------------------------------------------------------------

  /** Elements that may have a shadow tree. Many elements of a page cannot have one and need no check. */
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
  /** The path down to an element in the flat tree: through shadow trees, and through the slot for slotted elements. */
  const wayTo = (element) => {
    const way = [];
    for (let node = element; node; node = node.assignedSlot || up(node)) way.push(node);
    return way.reverse();
  };
  /** Compares two paths by reading order. */
  function inReading(one, other) {
    let at = 0;
    while (at < one.length && one[at] === other[at]) at++;
    if (at === one.length || at === other.length) return one.length - other.length;
    const position = one[at].compareDocumentPosition(other[at]);
    // A child without a slot is not shown, and follows the shadow tree.
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
  // Built on first use: compiling a pattern for the letters of all scripts is slow.
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
        if (actual === wanted || (wanted === 'textbox' && actual === 'searchbox') || (wanted === 'dialog' && actual === 'alertdialog') || (wanted === 'group' && actual === 'date' && isDateGroup(element))) matches.push(element);
      }
    }
    if (name === null || name === undefined) return matches;
    const wantedName = squeeze(name);
    const named = matches.map((element) => [element, rowish(element) ? '' : nameOf(element, wanted)]);
    const exact = named.filter(([, actual]) => actual === wantedName);
    if (exact.length) return exact.map(([element]) => element);
    const loose = named.filter(([, actual]) => same(actual, wantedName)).map(([element]) => element);
    if (loose.length) return loose;
    // The name of a row or item is the text of one of its cells, or its whole text.
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
  /** Whether an element shows a text. Scripts, styles and hidden content do not count. */
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
    if (kind === 'choose') return opensList(entry.element, entry.role);
    if (kind === 'check') return entry.role === 'checkbox' || entry.role === 'radio' || entry.role === 'switch' || entry.role === 'menuitemcheckbox' || entry.role === 'menuitemradio';
    if (kind === 'file') return entry.role === 'file' || entry.role === 'button';
    if (kind === 'act') return entry.act;
    return !STRUCTURE.has(entry.role) || entry.act;
  }
  /** Whether a person can choose from it: lists, and what opens one. */
  function opensList(element, role) {
    return role === 'combobox' || role === 'listbox' || role === 'radiogroup' || /^(listbox|menu|true|tree|grid|dialog)$/.test(element.getAttribute('aria-haspopup')) ||
      (element.hasAttribute('aria-expanded') && role !== 'link' && role !== 'treeitem' && role !== 'row') || ((role === 'clickable' || role === 'textbox' || role === 'searchbox') && LISTLIKE.test(listWords(element)));
  }
  const LISTLIKE = /(^|[\s_-]|[a-z](?=[A-Z]))(dropdown|combobox|select|selectbox|picklist|autocomplete)(?![a-z])/i;
  /** What a page calls a control and what is close around it. */
  const listWords = (element) => [element, element.parentElement, element.parentElement && element.parentElement.parentElement].map((one) => (one && one !== document.body && one.getAttribute('class')) || '').join(' ');
  /** What opens a list and stands behind its label, where nothing else joins the two. */
  function behindLabel(top, text, entries) {
    for (const label of calledSo(text)) {
      let box = label;
      for (let height = 0; height < 3 && up(box) && up(box) !== document.body; height++) {
        box = up(box);
        const behind = entries.filter((entry) => box.contains(entry.element) && !label.contains(entry.element) && label.compareDocumentPosition(entry.element) & Node.DOCUMENT_POSITION_FOLLOWING);
        if (behind.length) return [behind[0].element];
      }
    }
    return [];
  }
  function otherNames(entry) {
    const element = entry.element;
    const names = [element.getAttribute('placeholder'), element.getAttribute('title'), element.getAttribute('name'), element.id, testIdOf(element), iconIn(element)];
    return names.filter(Boolean).map((name) => name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[-_]+/g, ' '));
  }
  /** The labels of a control; for a field, also other elements that name it, except controls. */
  function labelsOf(element, kind) {
    const labels = [...(element.labels || [])];
    const ids = kind === 'act' && EDITABLE.has(roleOf(element)) ? element.getAttribute('aria-labelledby') : null;
    for (const id of (ids || '').split(/\s+/).filter(Boolean)) {
      const label = element.getRootNode().querySelector('#' + CSS.escape(id));
      if (label && label !== element && !WIDGETS.has(roleOf(label))) labels.push(label);
    }
    return labels;
  }
  /** Prefers an exact name, then the same letters, then the only element with all the words. */
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
      // If a control and its label both match, they count as one.
      const labels = new Set(tier.flatMap((element) => labelsOf(element, kind)));
      // The group of a date stands for its parts.
      const dates = kind === 'edit' ? tier.filter(isDateGroup) : NONE;
      const kept = tier.filter((element) => !labels.has(element) && !(labels.has(element.closest('label')) && !WIDGETS.has(roleOf(element))) && !dates.some((date) => date !== element && date.contains(element)));
      // An element inside another with the same name counts as one: a click on the inner one reaches the outer one.
      const nameIn = (element) => nameOf(element, describeRole(element));
      return kind === 'act' ? kept.filter((element) => !kept.some((other) => other !== element && composedContains(element, other) && nameIn(other) !== '' && nameIn(other) === nameIn(element))) : kept;
    }
    // A role word alone: the only button, the only dialog.
    if (kept.length === 1 && ROLE_WORDS[kept[0].toLowerCase()]) {
      const only = ROLE_WORDS[kept[0].toLowerCase()][0];
      return entries.filter((entry) => entry.role === only).map((entry) => entry.element);
    }
    return kind === 'choose' ? behindLabel(top, whole, entries) : [];
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
        // A bare word can be a tag or a name. It is clear only if one of the two readings has something to act on.
        const fitting = found.filter((element) => suits({ element, role: describeRole(element), act: WIDGETS.has(describeRole(element)) }, kind));
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

  /** Where an element stands, in words that tell it from the other candidates: a row and its column, or what the place around it is called. */
  function candidate(element, at, list) {
    const own = line(element);
    return { ...own, place: inItem(element, own.name, list) || (list.length > 1 ? around(element, own.name, list) : null) };
  }
  const quoted = (text) => '"' + cut(text, 60) + '"';
  function inItem(element, name, list) {
    const item = element.parentElement && element.parentElement.closest(ITEM);
    const text = item ? textOf(item, SHOWN_TEXT) : '';
    if (!text || text === name) return null;
    const cell = element.closest('td,th');
    const table = cell && cell.closest('table');
    const isAlone = !list.some((other) => other !== element && item.contains(other));
    const head = isAlone || !table || !table.rows[0] || table.rows[0].contains(cell) ? null : table.rows[0].cells[cell.cellIndex];
    return quoted(text) + (head && textOf(head) ? ', column ' + quoted(textOf(head)) : '');
  }
  const PLACES = new Set(['navigation', 'main', 'contentinfo', 'banner', 'complementary', 'region', 'group', 'dialog', 'alertdialog', 'form', 'search', 'article', 'tabpanel', 'toolbar', 'menu']);
  const HEADS = 'h1,h2,h3,h4,h5,h6,[role=heading],legend,caption';
  /** The nearest place that has a name, or the text of the largest part that holds no other candidate. */
  function around(element, name, list) {
    let kind = '';
    let text = '';
    for (let box = up(element); box && box !== document.body && !list.some((other) => other !== element && composedContains(box, other)); box = up(box)) {
      const role = roleOf(box);
      if (PLACES.has(role)) kind = role;
      const head = box.querySelector(HEADS);
      const called = (PLACES.has(role) && nameOf(box, role)) || (head && textOf(head));
      if (called && called !== name) return (kind ? kind + ' ' : '') + quoted(called);
      const whole = textOf(box, SHOWN_TEXT);
      if (!text && whole !== name) text = whole;
    }
    return kind && text ? kind + ' ' + quoted(text) : kind || (text && quoted(text)) || null;
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
      if (!(WIDGETS.has(own) || NOTABLE.has(own)) || (kind !== 'read' && !suits({ element, role: own, act: WIDGETS.has(own) }, kind))) continue;
      let score = likeness(squeeze(words), nameOf(element, own));
      for (const name of otherNames({ element })) score = Math.max(score, likeness(squeeze(words), name) * 0.9);
      if (role && role === own) score += 0.25;
      if (score > 0.2) ranked.push([score, element]);
    }
    ranked.sort((one, other) => other[0] - one[0]);
    // Visibility is expensive to compute, so only the best candidates are checked.
    const best = [];
    for (const [, element] of ranked) {
      if (best.length === MAX_CANDIDATES) break;
      if (isShown(element)) best.push(element);
    }
    return best.map(candidate);
  }
  const LIKELY = 'a[href],button,input,select,textarea,summary,h1,h2,h3,h4,h5,h6,output,img,[role],[tabindex],[onclick],[contenteditable]';

  /** Finds the element that has clearly replaced a lost one, by its signature. */
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
    // If only its position distinguished an element from others, nothing identifies it once the position is gone.
    const distinct = past.alike === 1 || past.id !== '' || past.testid !== '' || past.place !== '';
    const same = !distinct ? [] : alike.filter((element) => {
      // An element that was on the page together with the lost one is a different element.
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

