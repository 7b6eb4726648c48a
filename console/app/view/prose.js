// A text with the marks that models like: headings, lists, code, strong words. It becomes nodes; nothing in it is taken for markup.

import { h } from './element.js';

export function prose(text) {
  const blocks = [];
  let list = null;
  let code = null;
  let words = [];
  const endWords = () => {
    if (words.length > 0) blocks.push(h('p', {}, inline(words.join('\n'))));
    words = [];
  };
  for (const line of text.split('\n')) {
    if (/^\s*```/.test(line)) {
      endWords();
      list = null;
      if (code) blocks.push(h('pre', { tabindex: 0 }, code.join('\n')));
      code = code ? null : [];
      continue;
    }
    if (code) {
      code.push(line);
      continue;
    }
    const entry = /^\s*(?:[-*]|(\d+)[.)])\s+(.*)/.exec(line);
    if (entry) {
      endWords();
      const tag = entry[1] ? 'ol' : 'ul';
      if (list?.localName !== tag) blocks.push(list = h(tag, { start: entry[1] }));
      list.append(h('li', {}, inline(entry[2])));
      continue;
    }
    list = null;
    const title = /^#{1,6}\s+(.*)/.exec(line);
    if (title || line.trim() === '') endWords();
    if (title) blocks.push(h('p', {}, h('strong', {}, inline(title[1]))));
    else if (line.trim() !== '') words.push(line);
  }
  endWords();
  if (code) blocks.push(h('pre', { tabindex: 0 }, code.join('\n')));
  return h('div', { class: 'prose' }, blocks);
}

function inline(text) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (part.length > 2 && part.startsWith('`') && part.endsWith('`')) return h('code', {}, part.slice(1, -1));
    if (part.length > 4 && part.startsWith('**') && part.endsWith('**')) return h('strong', {}, part.slice(2, -2));
    return part;
  });
}
