  // ---- dates made of parts -------------------------------------------------------------------------

  // Some libraries build a date field of small number fields, one for each part. Their group is the field.
  const PART = '[role=spinbutton]:not(input)';
  const DATE_PARTS = ['year', 'month', 'day'];
  const TIME_PARTS = ['hour', 'minute', 'second', 'dayPeriod'];
  const KNOWN_PARTS = [...DATE_PARTS, ...TIME_PARTS];
  /** The words for the parts in the language of the page, as libraries label them. */
  const localParts = once(() => {
    const words = new Map(KNOWN_PARTS.map((part) => [part.toLowerCase(), part]));
    try {
      const names = new Intl.DisplayNames([document.documentElement.lang || navigator.language, 'en'], { type: 'dateTimeField' });
      for (const part of KNOWN_PARTS) words.set(names.of(part).toLowerCase(), part);
    } catch {
      // An engine that does not know these names knows the English ones.
    }
    return words;
  });
  /** Which part of a date or time a number field is; '' if it is none. */
  function partOf(element) {
    const said = element.getAttribute('data-type') || element.getAttribute('data-segment') || '';
    if (KNOWN_PARTS.includes(said)) return said;
    const [label] = nameOf(element, 'spinbutton').toLowerCase().split(',');
    if (localParts().has(label.trim())) return localParts().get(label.trim());
    const low = Number(element.getAttribute('aria-valuemin'));
    const high = Number(element.getAttribute('aria-valuemax'));
    if (low === 1 && high === 12) return 'month';
    if (low === 1 && high >= 28 && high <= 31) return 'day';
    return high >= 1000 ? 'year' : '';
  }
  /** The parts of a date in a group, by their names; null if the group is no date. */
  function dateParts(group) {
    const fields = group.querySelectorAll(PART);
    if (fields.length < 3 || group.querySelector(':scope [role=group] ' + PART)) return null;
    const parts = {};
    for (const field of fields) {
      const part = partOf(field);
      if (!DATE_PARTS.includes(part) || parts[part]) return null;
      parts[part] = field;
    }
    return parts;
  }
  const isDateGroup = (element) => element.getAttribute('role') === 'group' && dateParts(element) !== null;
  /** A number field of a date or time that takes digits one by one. */
  function isDatePart(element) {
    if (!element.matches(PART) || !(element.isContentEditable || element.hasAttribute('tabindex'))) return false;
    const group = element.closest('[role=group]');
    return !!group && group.querySelectorAll(PART).length > 1 && partOf(element) !== '';
  }
  /** The number that a part shows; null if it is empty. */
  function numberIn(part) {
    const now = part.getAttribute('aria-valuenow') ?? part.textContent.trim();
    return /^\d+$/.test(now) ? Number(now) : null;
  }
  /** A date as date fields write it; '' if a part is empty. */
  function dateOf(group) {
    const parts = dateParts(group);
    const [year, month, day] = DATE_PARTS.map((part) => parts && numberIn(parts[part]));
    return year && month && day ? writtenDate(year, month, day) : '';
  }
  const writtenDate = (year, month, day) => String(year).padStart(4, '0') + '-' + String(month).padStart(2, '0') + '-' + String(day).padStart(2, '0');

  const isInCalendar = (year, month, day) => month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year + 400, month, 0)).getUTCDate();
  /** Year, month and day: as date fields write them, or in the order in which the field shows its parts. */
  function readDate(text, parts) {
    const numbers = text.split(/[-/.\s]+/);
    if (numbers.length !== 3 || !numbers.every((number) => /^\d{1,4}$/.test(number))) return null;
    const isPlain = /^\d{4}-\d\d-\d\d$/.test(text);
    const shown = [...DATE_PARTS].sort((one, other) => (parts[one].compareDocumentPosition(parts[other]) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
    const [year, month, day] = DATE_PARTS.map((part, at) => numbers[isPlain ? at : shown.indexOf(part)]);
    if (!isPlain && (year.length !== 4 || month.length > 2 || day.length > 2)) return null;
    const date = [year, month, day].map(Number);
    return isInCalendar(...date) ? date : null;
  }
  /** What each part gets. The day comes last, because the month decides how many there are. */
  function planParts(group, text, kind) {
    if (kind === 'type') return stopped('it is a date of several parts', { final: true, advice: 'fill' });
    const parts = dateParts(group);
    const date = text === '' ? ['', '', ''] : readDate(text, parts);
    if (!date) return { status: 'bad_value', next, message: 'expected a date like `2026-05-31`, found `' + text + '`' };
    const given = DATE_PARTS.map((part, at) => [line(parts[part], 'spinbutton').ref, String(date[at])]);
    return { status: 'ready', hosts: [group], parts: given, expected: text && writtenDate(...date) };
  }
  /** What the field of a part is meant to hold after the act. */
  let asked = null;
  function planPart(element, text) {
    const part = partOf(element);
    asked = { part, text };
    // Beyond its last digit, a key may lead to the part before.
    if (text === '') return { strokes: new Array(part === 'dayPeriod' ? 1 : String(numberIn(element) ?? '').length).fill('Backspace') };
    if (part === 'dayPeriod') {
      if (!/^[ap]\.?m?\.?$/i.test(text)) return { status: 'bad_value', next, message: 'expected AM or PM, found `' + text + '`' };
      return { strokes: [text[0].toLowerCase()] };
    }
    const low = Number(element.getAttribute('aria-valuemin') ?? 0);
    const high = Number(element.getAttribute('aria-valuemax') ?? Infinity);
    const isWithin = part === 'hour' || (Number(text) >= low && Number(text) <= high);
    if (!/^\d{1,4}$/.test(text) || !isWithin) return { status: 'bad_value', next, message: 'expected a number from ' + low + ' to ' + high + ', found `' + text + '`' };
    // With all its digits a part is complete, and the page need not wait for more.
    return { strokes: [...String(Number(text)).padStart(part === 'year' ? 4 : 2, '0')] };
  }
  /** Whether the part holds what was typed; null if the act was no such typing. */
  function isTaken(element) {
    if (!asked) return null;
    if (asked.text === '') return !element.hasAttribute('aria-valuenow');
    const shown = element.getAttribute('aria-valuetext') || element.textContent;
    if (asked.part === 'dayPeriod') return shown.trim().toLowerCase().startsWith(asked.text[0].toLowerCase());
    return numberIn(element) === Number(asked.text) || (asked.part === 'hour' && parseInt(shown, 10) === Number(asked.text));
  }

