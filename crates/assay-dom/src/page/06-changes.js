  // ---- what changed --------------------------------------------------------------------------------

  let sinceMap = null;
  let baseline = null;
  const stamp = () => mutationCount() + ':' + inputs + ':' + location.href;
  function index(entries) {
    lastSeen = { entries, asked: 0, counts: null };
    return { stamp: stamp(), entries };
  }
  /** The entries by element. A cell or an item has two: itself, and the text in it. */
  function byElement(entries) {
    const found = new Map();
    const texts = new Map();
    for (const entry of entries) (found.has(entry.element) ? texts : found).set(entry.element, entry);
    return { found, texts };
  }
  function current() {
    if (!baseline || baseline.stamp !== stamp()) baseline = index(fresh());
    return baseline;
  }
  const sameEntry = (one, other) => one.role === other.role && one.name === other.name && one.value === other.value &&
    one.states.length === other.states.length && (!one.states.length || one.states.join() === other.states.join());
  /** The changes if the same elements exist in the same order, otherwise null. Most acts neither add nor remove elements. */
  function changedInPlace(before, after) {
    if (before.length !== after.length) return null;
    const changed = [];
    for (let at = 0; at < after.length; at++) {
      const entry = after[at];
      const old = before[at];
      if (old.element !== entry.element) return null;
      const last = changed[changed.length - 1];
      if (!sameEntry(old, entry) && !(last && last.entry.element === entry.element)) changed.push({ entry, old });
    }
    return changed;
  }
  const unnumbered = (text) => text.replace(/\d+/g, '0');
  const FOLDS = new Set(['expanded', 'collapsed']);
  /** What a look shows that an earlier one did not: new texts, values and states. That something opened or closed is none. */
  function newsSince(before, after) {
    const keyOf = (entry) => entry.role + '\u0000' + entry.name + '\u0000' + (entry.value ?? '') + '\u0000' + entry.states.filter((state) => !FOLDS.has(state)).join(' ');
    const counts = new Map();
    for (const entry of before) counts.set(keyOf(entry), (counts.get(keyOf(entry)) || 0) + 1);
    return after.filter((entry) => {
      if (!entry.name && !entry.value && !entry.states.length) return false;
      const left = (counts.get(keyOf(entry)) || 0) - 1;
      counts.set(keyOf(entry), left);
      return left < 0;
    });
  }
  const never = () => false;
  function compare(before, after, { isForeign, isRenewed } = { isForeign: never, isRenewed: never }) {
    const added = [];
    const removed = [];
    const inPlace = changedInPlace(before.entries, after.entries);
    const changed = inPlace || [];
    const isRow = (entry) => entry.role === 'row' || entry.role === 'listitem';
    const spoken = (entry) => isRow(entry) || ((!STRUCTURE.has(entry.role) || entry.act) && !(entry.role === 'clickable' && !entry.name));
    if (!inPlace) {
      const was = byElement(before.entries);
      const is = byElement(after.entries);
      for (const [element, entry] of is.found) {
        const old = was.found.get(element);
        const [text, oldText] = [is.texts.get(element), was.texts.get(element)];
        if (!old) {
          if (spoken(entry)) added.push(entry);
        } else if (!sameEntry(old, entry)) {
          changed.push({ entry, old });
        } else if (text && oldText) {
          if (!sameEntry(oldText, text)) changed.push({ entry: text, old: oldText });
        } else if (text || oldText) {
          (text ? added : removed).push(text || oldText);
        }
      }
      for (const [element, entry] of was.found) if (!is.found.has(element) && spoken(entry)) removed.push(entry);
    }
    const placesIn = ({ entries }) => new Map(entries.map((entry, place) => [entry, place]));
    let places = null;
    /** What a row or item said when it was looked at: an element that is gone has no text that shows. */
    const wordsIn = (entry) => {
      places ||= [placesIn(before), placesIn(after)];
      const [entries, place] = places[0].has(entry) ? [before.entries, places[0].get(entry)] : [after.entries, places[1].get(entry)];
      const words = [];
      for (let at = place + 1; at < entries.length && entries[at].depth > entry.depth; at++) if (entries[at].name) words.push(entries[at].name);
      return squeeze(words.join(' '));
    };
    const rowName = (entry) => (isRow(entry) && !entry.name ? wordsIn(entry) : entry.name);
    // A row or item is one change: its text and its controls. Its other content is left out.
    const fold = (list) => {
      const rows = new Set(list.filter(isRow).map((entry) => entry.element));
      if (!rows.size) return list;
      const insideRow = (element) => {
        for (let up = element.parentElement; up; up = up.parentElement) if (rows.has(up)) return true;
        return false;
      };
      const onlyControl = (entry) => isRow(entry) && list.some((other) => other.act && !isRow(other) && entry.element.contains(other.element) && other.name === rowName(entry));
      return list.filter((entry) => !(isRow(entry) && (onlyControl(entry) || !entry.element.textContent.trim()))).filter((entry) => !insideRow(entry.element) || entry.role === 'alert' || entry.role === 'status' || entry.role === 'dialog' || (entry.act && !isRow(entry)));
    };
    // A node replaced by an equal one is not a change.
    const gone = new Map();
    for (const entry of fold(removed)) {
      const key = entry.role + '\u0000' + rowName(entry) + '\u0000' + (entry.value ?? '') + '\u0000' + entry.states.join(' ');
      if (!gone.has(key)) gone.set(key, []);
      gone.get(key).push(entry);
    }
    const goneButNumbers = new Map();
    for (const twins of gone.values()) {
      const key = twins[0].role + unnumbered(rowName(twins[0]));
      if (!goneButNumbers.has(key)) goneButNumbers.set(key, []);
      goneButNumbers.get(key).push(twins);
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
      const alike = goneButNumbers.get(entry.role + unnumbered(name)) || [];
      const renewed = alike.find((left) => left.length && isRenewed(entry, left[left.length - 1]));
      if (renewed) {
        renewed.pop();
        continue;
      }
      const ref = entry.act || NOTABLE.has(entry.role) ? giveRef(entry.element, entry.role, entry.name) : 0;
      out.push(['+', ref, entry.role, cut(name, 200), entry.value === null ? null : cut(entry.value, 120), entry.states.join(' '), null]);
    }
    for (const { entry, old } of changed) {
      if (isForeign(entry, old)) continue;
      const ref = entry.act || NOTABLE.has(entry.role) ? giveRef(entry.element, entry.role, entry.name) : 0;
      const was = old.name !== entry.name ? old.name : old.value !== entry.value ? old.value : old.states.join(' ');
      // Of what grew, the new part counts.
      const grew = entry.role === 'log' && old.name && entry.name.startsWith(old.name);
      out.push(['~', ref, entry.role, cut(grew ? '\u2026' + entry.name.slice(old.name.length) : entry.name, 200), entry.value === null ? null : cut(entry.value, 120), entry.states.join(' '), was === null ? null : cut(was, 120)]);
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

