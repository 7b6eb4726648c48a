  // ---- refs and their signatures -------------------------------------------------------------------

  let { next, owesHeading } = early.left();
  const refOf = new WeakMap();
  const elementOf = new Map();
  const remembered = new Map();
  const KEPT_REFS = 20000;

  const ITEM = 'tr,li,article,[role=row],[role=listitem],[role=article],[role=option],[role=treeitem],dd';
  let itemTexts = new Map();
  /** The text of the row or item around an element: it distinguishes elements with the same role and name. */
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
  /** The result of the last look at the whole page. */
  let lastSeen = { entries: [], asked: 0, counts: null };
  /** How many elements of a role and name that look found. Counts one pair at a time, or all at once after many requests. */
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
      // Headings and messages get the first refs, whether or not the answer on arrival included them.
      owesHeading = false;
      firsts({});
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

