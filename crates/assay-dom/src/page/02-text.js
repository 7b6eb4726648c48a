  // ---- text ----------------------------------------------------------------------------------------

  // Most texts need no squeezing. Characters for private use are the pictures of icon fonts.
  const LOOSE = /[^\S ]|[\u200b\ufeff\ue000-\uf8ff\udb80-\udbff]|^ | $| {2}/;
  const PRIVATE = /[\ue000-\uf8ff]|[\udb80-\udbff][\udc00-\udfff]/g;
  const BLANKS = /(?:[\s\u00a0\u200b\ufeff\ue000-\uf8ff]|[\udb80-\udbff][\udc00-\udfff])+/g;
  const squeeze = (text) => (LOOSE.test(text) ? String(text).replace(BLANKS, ' ').trim() : String(text));
  const cut = (text, length) => (text.length > length ? text.slice(0, length - 1) + '\u2026' : text);
  const INLINE = new Set(['a', 'abbr', 'b', 'bdi', 'bdo', 'cite', 'code', 'data', 'dfn', 'em', 'font', 'i', 'kbd', 'mark', 'q', 's',
    'samp', 'small', 'span', 'strong', 'sub', 'sup', 'time', 'u', 'var', 'wbr', 'tt', 'ins', 'del']);
  /** Struck-out text does not count as content. */
  const STRUCK = new Set(['s', 'del', 'strike']);
  /** Elements that draw something themselves. */
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

  /** A word that an icon font may draw as a picture: `keyboard_arrow_down`. Digits alone are a number. */
  const LIGATURE = /^\s*[0-9_]*[a-z][a-z0-9_]*\s*$/;
  const ICON_CLASS = /(^|\s)material-(icons|symbols)/;
  const ICON_FONT = /^[^,]*(icons\b|\bicon\b|material symbols|font ?awesome|icomoon|codicon|remixicon|mdl2)/i;
  /** Whether a text of an element is drawn as a picture, by the font of the element. */
  function isIcon(element, text) {
    if (text.length > 60 || !LIGATURE.test(text)) return false;
    const style = getComputedStyle(element);
    return ICON_CLASS.test(element.getAttribute('class') || '') || ICON_FONT.test(style.fontFamily) || joinsLetters(style, text.trim());
  }
  const joined = new Map();
  let measure = null;
  /** Whether a font that the page brought draws other letters for a word than for the word read backwards. */
  function joinsLetters(style, word) {
    if (word.length < 3 || !document.fonts || !document.fonts.size) return false;
    const family = style.fontFamily.split(',')[0].replace(/["']/g, '').trim();
    const key = family + '\u0000' + word;
    if (joined.has(key)) return joined.get(key);
    const font = [...document.fonts].filter((face) => face.family.replace(/["']/g, '') === family);
    if (!font.some((face) => face.status === 'loaded')) return false;
    measure = measure || document.createElement('canvas').getContext('2d');
    if (!measure) return false;
    measure.font = style.fontWeight + ' 40px "' + family + '"';
    const [one, other] = [word, [...word].reverse().join('')].map((text) => measure.measureText(text).width);
    if (joined.size > 500) joined.clear();
    joined.set(key, Math.abs(one - other) > 0.3 * Math.max(one, other));
    return joined.get(key);
  }
  /** The name of the picture that an element shows in place of text, or ''. */
  function iconIn(element) {
    const { textContent } = element;
    if (textContent.length > 60 || !LIGATURE.test(textContent)) return '';
    let holder = element;
    while (holder) {
      const text = [...childrenOf(holder)].find((child) => child.textContent.trim() !== '');
      if (!text || text.nodeType !== 1) break;
      holder = text;
    }
    return isIcon(holder, textContent) ? textContent.trim() : '';
  }

  function isRendered(element) {
    if (element.checkVisibility ? element.checkVisibility() : element.getClientRects().length) return true;
    return getComputedStyle(element).display === 'contents' && !!element.parentElement && isRendered(element.parentElement);
  }

  function gather(node, out, options) {
    for (const child of childrenOf(node)) {
      if (child.nodeType === 3) {
        if (!isIcon(node, child.data)) out.push(child.data);
      } else if (child.nodeType === 1) {
        const tag = child.localName;
        if (NO_TEXT.has(tag) || child === options.skip) continue;
        if (options.accessible && child.getAttribute('aria-hidden') === 'true') continue;
        if (!options.hidden && !isRendered(child)) continue;
        const style = getComputedStyle(child);
        if (!options.hidden && style.visibility !== 'visible' && !child.firstElementChild) continue;
        // Screen readers speak a name, so it may be faint; visible text may not.
        if (!options.hidden && !options.accessible && opacityOf(style) < FAINT) continue;
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
  /** Nobody can read text below this opacity. */
  const FAINT = 0.05;
  const NAME_TEXT = { accessible: true, hidden: false, skip: null };
  const SHOWN_TEXT = { accessible: false, hidden: false, skip: null };
  function textOf(element, options = NAME_TEXT) {
    if (!element.firstElementChild && !element.shadowRoot && element.localName !== 'slot') {
      const text = squeeze(element.textContent);
      return isIcon(element, text) ? '' : text;
    }
    const out = [];
    gather(element, out, options);
    return squeeze(out.join(''));
  }
  function svgTitle(svg) {
    const title = svg.querySelector(':scope > title');
    return svg.getAttribute('aria-label') || (title ? title.textContent : '');
  }

