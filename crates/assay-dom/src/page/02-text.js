  // ---- text ----------------------------------------------------------------------------------------

  // Most texts need no squeezing.
  const LOOSE = /[^\S ]|[\u200b\ufeff]|^ | $| {2}/;
  const squeeze = (text) => (LOOSE.test(text) ? String(text).replace(/[\s\u00a0\u200b\ufeff]+/g, ' ').trim() : String(text));
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
        // Screen readers speak a name, so it may be faint; visible text may not.
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
  /** Nobody can read text below this opacity. */
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

