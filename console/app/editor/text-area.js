// A field for the text of a test, with numbers of lines and marks at those with mistakes.

import { h, put } from '../view/element.js';

export function textArea(text, { label, isLocked, changed, save }) {
  const numbers = h('ol', { class: 'line-numbers', 'aria-hidden': 'true' });
  const field = h('textarea', { class: 'text-area-field', spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off', wrap: 'off', 'aria-label': label, value: text, readonly: isLocked });
  let marked = [];
  const count = () => field.value.split('\n').length;
  const draw = () => {
    put(numbers, Array.from({ length: count() }, (_, at) => h('li', { class: marked.includes(at + 1) ? 'is-bad' : undefined }, at + 1)));
    field.rows = Math.min(40, Math.max(14, count() + 1));
  };
  let lines = 0;
  field.addEventListener('input', () => {
    if (count() !== lines) {
      lines = count();
      draw();
    }
    changed(field.value);
  });
  field.addEventListener('scroll', () => { numbers.scrollTop = field.scrollTop; });
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      save();
    } else if (event.key === 's' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      save();
    } else if (event.key === 'Enter' && !event.shiftKey) {
      goOn(event, field);
    }
  });
  draw();
  return {
    node: h('div', { class: 'text-area' }, numbers, field),
    set(next) {
      field.value = next;
      draw();
    },
    marks(list) {
      marked = list;
      draw();
    },
    /** Scrolls to a line without taking the focus. */
    show(line) {
      field.scrollTop = Math.max(0, (line - 5) * 20);
    },
    goTo(line) {
      const before = field.value.split('\n').slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0);
      field.focus();
      field.setSelectionRange(before, before + (field.value.split('\n')[line - 1]?.length ?? 0));
      field.scrollTop = Math.max(0, (line - 5) * 20);
    },
  };
}

/** A new line begins as the one before: with its indentation, and with a dash in a list. */
function goOn(event, field) {
  const before = field.value.slice(0, field.selectionStart);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const begin = /^(\s*)(- )?/.exec(line);
  const isEmptyEntry = begin[2] && line.trim() === '-';
  const next = isEmptyEntry ? '' : line.trimEnd().endsWith(':') ? `${begin[1]}  - ` : begin[1] + (begin[2] ?? '');
  if (!next) return;
  event.preventDefault();
  field.setRangeText(`\n${next}`, field.selectionStart, field.selectionEnd, 'end');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
