  // ---- visibility ----------------------------------------------------------------------------------

  // For each element the walk knows which area of its content can be scrolled into view (`reach`), which part of
  // that is in view now (`sight`), which part clip paths leave visible (`shape`), its opacity, and whether it is
  // `inert`. The walk passes these values down, so no code has to climb the tree again.

  const within = (box, area) => box.right > area.left && box.left < area.right && box.bottom > area.top && box.top < area.bottom;
  const meet = (one, other) => ({ left: Math.max(one.left, other.left), top: Math.max(one.top, other.top), right: Math.min(one.right, other.right), bottom: Math.min(one.bottom, other.bottom) });
  const isNothing = (area) => area.right - area.left <= 1 || area.bottom - area.top <= 1;
  const NOTHING = { left: 0, top: 0, right: 0, bottom: 0 };

  /** The content that a box can show along one axis: all of it if the box scrolls, otherwise the part it shows now. */
  function stretch(overflow, from, size, scrolled, whole, backwards) {
    if (overflow === 'hidden' || overflow === 'clip') return [from, from + size];
    const length = Math.max(whole, size);
    return backwards ? [from + size - scrolled - length, from + size - scrolled] : [from - scrolled, from - scrolled + length];
  }
  const runsLeft = (style) => (style.direction === 'rtl') !== (style.flexDirection === 'row-reverse') || /-rl/.test(style.writingMode);

  /** The element whose `overflow` applies to the whole viewport, and the starting values of a look. */
  function outlook(given) {
    const top = document.scrollingElement || document.documentElement;
    const own = getComputedStyle(document.documentElement);
    const scroller = own.overflowX === 'visible' && own.overflowY === 'visible' && document.body ? document.body : document.documentElement;
    const style = getComputedStyle(scroller);
    const view = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    const still = given && given.still;
    const across = stretch(still ? 'hidden' : style.overflowX, 0, innerWidth, scrollX, top.scrollWidth, own.direction === 'rtl' || /-rl/.test(own.writingMode));
    const down = stretch(still ? 'hidden' : style.overflowY, 0, innerHeight, scrollY, top.scrollHeight, false);
    const reach = { left: across[0], top: down[0], right: across[1], bottom: down[1] };
    const shape = given && still ? given.area : null;
    const base = { reach: shape ? meet(reach, shape) : reach, sight: shape ? meet(view, shape) : view, shape: null, opacity: opacityOf(own), inert: document.documentElement.hasAttribute('inert'), cut: false };
    const animations = document.getAnimations ? document.getAnimations() : NONE;
    return { scroller, view, base, inners: new Map(), fading: fadingOut(animations), moves: animations.length > 0, rests: !!document.querySelector('[inert]'), fades: true, backs: new Map(), canvas: undefined, painters: null };
  }
  /** The opacity of an element itself, with that of its filter and its mask. */
  function opacityOf(style) {
    const mask = style.maskImage || style.webkitMaskImage;
    if (mask && mask !== 'none' && isClearMask(mask)) return 0;
    const [, faded, percent] = style.filter === 'none' ? NONE : /opacity\(([\d.]+)(%?)\)/.exec(style.filter) || NONE;
    return Number(style.opacity) * (faded === undefined ? 1 : faded / (percent ? 100 : 1));
  }
  /** A mask that lets nothing through: all its colours are transparent. */
  function isClearMask(mask) {
    const colours = mask.match(/\b(rgb|color|lab|lch|oklab|oklch|hsl|hwb)a?\([^)]*\)/g);
    return !!colours && !/url\(|image-set/.test(mask) && colours.every((colour) => alphaOf(colour) < FAINT);
  }
  /** Elements that are fading out: they still exist, but will soon be invisible. */
  function fadingOut(animations) {
    const going = new Set();
    for (const animation of animations) {
      const { effect } = animation;
      if (animation.playState !== 'running' || !effect || !effect.target || effect.pseudoElement || !effect.getKeyframes) continue;
      const timing = effect.getComputedTiming();
      // An endless animation only blinks, and without a forwards fill the element comes back.
      const stays = globalThis.CSSTransition ? animation instanceof CSSTransition || /forwards|both/.test(timing.fill) : /forwards|both/.test(timing.fill);
      if (!stays || timing.iterations === Infinity || timing.direction === 'reverse') continue;
      const last = effect.getKeyframes().pop();
      if (last && last.opacity !== undefined && last.opacity < FAINT) going.add(effect.target);
    }
    return going;
  }

  /** The parent of an element in the flat tree. */
  const above = (node) => node.assignedSlot || up(node);
  const holdsFixed = (style) => style.transform !== 'none' || style.filter !== 'none' || style.perspective !== 'none' || (style.translate || 'none') !== 'none' ||
    (style.scale || 'none') !== 'none' || (style.rotate || 'none') !== 'none' || (style.backdropFilter || 'none') !== 'none' || /transform|filter|perspective/.test(style.willChange) || /paint|layout|strict|content/.test(style.contain);
  /** The surroundings of an element that its parent does not position: what clips the parent may not clip it. */
  function placed(element, position, around, look) {
    if (position === 'absolute' && !around.cut) return around;
    let held = false;
    let place = null;
    for (let node = above(element); node && !place; node = above(node)) {
      const style = getComputedStyle(node);
      held = held || (position === 'absolute' && style.position !== 'static') || holdsFixed(style);
      if (held) place = look.inners.get(node) || null;
    }
    const { reach, sight, cut } = place || (held || position === 'absolute' ? look.base : { reach: look.view, sight: look.view, cut: true });
    return { ...around, reach: around.shape ? meet(reach, around.shape) : reach, sight: around.shape ? meet(sight, around.shape) : sight, cut };
  }

  const lengthOf = (text, whole) => (text.endsWith('%') ? (parseFloat(text) / 100) * whole : parseFloat(text) || 0);
  /** The part of a box that a clip path leaves, as a box; null for unsupported shapes. */
  function shapeOf(shape, box) {
    const [, kind, inside] = /^([a-z]+)\((.*)\)/.exec(shape) || [];
    if (kind === 'inset') {
      const [top, right = top, bottom = top, left = right] = inside.split(' round ')[0].trim().split(/\s+/);
      return { left: box.left + lengthOf(left, box.width), top: box.top + lengthOf(top, box.height), right: box.right - lengthOf(right, box.width), bottom: box.bottom - lengthOf(bottom, box.height) };
    }
    if (kind === 'polygon') {
      const points = inside.replace(/^(nonzero|evenodd)\s*,/, '').split(',').map((point) => point.trim().split(/\s+/));
      if (points.some((point) => point.length !== 2 || point.some((part) => !/^-?[\d.]+(px|%)?$/.test(part)))) return null;
      const across = points.map(([x]) => box.left + lengthOf(x, box.width));
      const down = points.map(([, y]) => box.top + lengthOf(y, box.height));
      return { left: Math.min(...across), top: Math.min(...down), right: Math.max(...across), bottom: Math.max(...down) };
    }
    if (kind === 'circle' || kind === 'ellipse') return /^(0(px|%)?\s*)+(at\b|$)/.test(inside.trim()) ? NOTHING : null;
    return null;
  }
  /** `rect(top, right, bottom, left)`, the syntax of the old `clip` property. */
  function oldShapeOf(shape, box) {
    const [, inside] = /^rect\((.*)\)/.exec(shape) || [];
    if (inside === undefined) return null;
    const [top, right, bottom, left] = inside.split(/[\s,]+/);
    return { left: box.left + (parseFloat(left) || 0), top: box.top + (parseFloat(top) || 0), right: right === 'auto' ? box.right : box.left + parseFloat(right), bottom: bottom === 'auto' ? box.bottom : box.top + parseFloat(bottom) };
  }

  /** The surroundings of an element: its position, and the effect of its own clip path and opacity. */
  function aroundOf(element, style, box, before, look) {
    let around = before;
    const position = style.position;
    const apart = position === 'absolute' || position === 'fixed';
    if (apart) around = placed(element, position, around, look);
    if (element.shadowRoot) look.fades = true;
    if (style.opacity !== '1' || (look.fades && (style.filter !== 'none' || (style.maskImage || 'none') !== 'none'))) around = { ...around, opacity: look.fading.has(element) ? 0 : around.opacity * opacityOf(style) };
    if (look.rests && !around.inert && element.hasAttribute('inert')) around = { ...around, inert: true };
    const clipPath = style.clipPath;
    const shape = clipPath !== 'none' ? shapeOf(clipPath, box) : apart && style.clip !== 'auto' ? oldShapeOf(style.clip, box) : null;
    if (shape) around = { ...around, shape: around.shape ? meet(around.shape, shape) : shape, reach: meet(around.reach, shape), sight: meet(around.sight, shape), cut: true };
    // Elements positioned by this one have the same surroundings, whatever lies between.
    if (apart) look.inners.set(element, around);
    return around;
  }
  const UNCUT = /^(inline|contents|table-row|table-row-group|table-header-group|table-footer-group)$/;
  /** The surroundings of an element's children: clipped content is gone, scrollable content is within reach. */
  function insideOf(element, style, box, around, look) {
    const across = style.overflowX;
    const down = style.overflowY;
    if ((across === 'visible' && down === 'visible') || element === look.scroller || UNCUT.test(style.display)) return around;
    let reach = meet(around.reach, { left: across === 'visible' ? -Infinity : box.left, top: down === 'visible' ? -Infinity : box.top, right: across === 'visible' ? Infinity : box.right, bottom: down === 'visible' ? Infinity : box.bottom });
    const sight = meet(around.sight, reach);
    if (isNothing(reach)) reach = NOTHING;
    else if (/auto|scroll/.test(across + down)) {
      const sideways = element.offsetWidth ? box.width / element.offsetWidth : 1;
      const upright = element.offsetHeight ? box.height / element.offsetHeight : 1;
      const [left, right] = stretch(across, box.left + element.clientLeft * sideways, element.clientWidth * sideways, element.scrollLeft * sideways, element.scrollWidth * sideways, runsLeft(style));
      const [top, bottom] = stretch(down, box.top + element.clientTop * upright, element.clientHeight * upright, element.scrollTop * upright, element.scrollHeight * upright, style.flexDirection === 'column-reverse');
      const scrolls = (overflow) => overflow === 'auto' || overflow === 'scroll';
      reach = { left: scrolls(across) ? left : reach.left, top: scrolls(down) ? top : reach.top, right: scrolls(across) ? right : reach.right, bottom: scrolls(down) ? bottom : reach.bottom };
    }
    const inside = { ...around, reach, sight, cut: true };
    look.inners.set(element, inside);
    return inside;
  }
  const bare = document.createRange();
  /** The box of an element, or of its content if the element has no box. */
  function boxOf(element, display) {
    if (display !== 'contents') return element.getBoundingClientRect();
    bare.selectNodeContents(element);
    return bare.getBoundingClientRect();
  }
  /** Whether a user who scrolls the page can see an element. */
  function isSeen(element) {
    if (!isShown(element)) return false;
    const path = [];
    for (let node = element; node && node !== document.documentElement; node = above(node)) path.push(node);
    const look = outlook();
    let inside = look.base;
    let around = look.base;
    let box = NOTHING;
    for (const node of path.reverse()) {
      const style = getComputedStyle(node);
      box = boxOf(node, style.display);
      around = aroundOf(node, style, box, inside, look);
      inside = insideOf(node, style, box, around, look);
      if (around.opacity < FAINT) return false;
    }
    return within(box, around.reach) || [...element.children].some((child) => isSeen(child));
  }

  function lineInside(line, area) {
    const middle = (line.top + line.bottom) / 2;
    return line.left >= area.left - 2 && line.right <= area.right + 2 && middle > area.top && middle < area.bottom;
  }
  /** The visible words and letters of a run of text that may be clipped. */
  function seenPart(node, area) {
    bare.selectNodeContents(node);
    if (Array.from(bare.getClientRects()).every((line) => lineInside(line, area))) return node.textContent;
    let text = '';
    const rectOf = (holder, from, to) => { bare.setStart(holder, from); bare.setEnd(holder, to); return Array.from(bare.getClientRects()); };
    for (const holder of node.nodeType === 3 ? [node] : node.childNodes) {
      if (holder.nodeType !== 3) continue;
      for (const { 0: word, index } of holder.data.matchAll(/\s+|\S+/g)) {
        if (/^\s/.test(word)) { text += ' '; continue; }
        const lines = rectOf(holder, index, index + word.length);
        if (lines.every((line) => lineInside(line, area))) { text += word; continue; }
        if (!lines.some((line) => within(line, area))) continue;
        for (let at = index; at < index + word.length; at++) {
          const [letter] = rectOf(holder, at, at + 1);
          if (letter && within({ left: (letter.left + letter.right) / 2, right: (letter.left + letter.right) / 2, top: (letter.top + letter.bottom) / 2, bottom: (letter.top + letter.bottom) / 2 }, area)) text += holder.data[at];
        }
      }
    }
    return text;
  }
  const CLEAR = /^rgba\(.*, 0\)$|\/ 0\)$/;
  /** Transparent letters are visible only through a background clipped to the text, or by their shadow. */
  function isInked(element, style, ink, opacity) {
    // The text of a vector image is drawn by other properties.
    if (element.ownerSVGElement) {
      const isDrawn = (paint, share) => paint !== 'none' && !CLEAR.test(paint) && parseFloat(share) * opacity >= FAINT;
      return isDrawn(style.fill, style.fillOpacity) || isDrawn(style.stroke, style.strokeOpacity);
    }
    if (alphaOf(ink) * opacity >= FAINT || style.textShadow !== 'none' || parseFloat(style.webkitTextStrokeWidth)) return true;
    for (let node = element; node; node = above(node)) {
      const { backgroundClip, webkitBackgroundClip } = getComputedStyle(node);
      if (/text/.test(backgroundClip || webkitBackgroundClip || '')) return true;
    }
    return false;
  }

  /** The stacking order of an element within `common`; text without a position lies behind. */
  function frontOf(element, common) {
    let front = -0.5;
    for (let node = element; node && node !== common; node = above(node)) {
      const { position, zIndex } = getComputedStyle(node);
      // The outer element decides: its whole content is stacked with it.
      if (position !== 'static') front = zIndex === 'auto' ? Math.max(front, 0) : Number(zIndex);
    }
    return front;
  }
  /** Whether an opaque box lies in front of an element, by stacking order. For boxes that hit testing cannot find. */
  function liesBefore(veil, element, isLater) {
    if (composedContains(veil, element) || composedContains(element, veil)) return false;
    let common = above(veil);
    while (common && !composedContains(common, element)) common = above(common);
    const one = frontOf(veil, common);
    const other = frontOf(element, common);
    return one > other || (one === other && isLater);
  }

  const wordedPattern = once(() => new RegExp(`attr\\(|["'][^"']*[\\p{L}\\p{N}]{2}`, 'u'));
  const PSEUDO = /::?(before|after)\b/;
  const readSheets = new WeakMap();
  /** What a style sheet of another site does is not known. */
  const UNREADABLE = { selectors: NONE, fades: true };
  /** Selectors of the elements to which a style sheet adds words, and whether it has filters or masks. Most have neither, and checking every element would be slow. */
  function readSheet(sheet) {
    let rules;
    try { rules = sheet.cssRules; } catch { return UNREADABLE; }
    const known = readSheets.get(sheet);
    if (known && known.count === rules.length) return known;
    const selectors = [];
    let fades = false;
    const collect = (list) => {
      for (const rule of list) {
        if (rule.styleSheet || (rule.style && (rule.style.filter || rule.style.maskImage))) fades = true;
        if (rule.selectorText && PSEUDO.test(rule.selectorText) && wordedPattern().test(rule.style.content)) {
          for (const part of splitTop(rule.selectorText, (letter) => letter === ',')) {
            const found = PSEUDO.exec(part);
            if (found) selectors.push([part.replace(PSEUDO, '').trim() || '*', '::' + found[1]]);
          }
        }
        if (rule.cssRules) collect(rule.cssRules);
      }
    };
    collect(rules);
    const read = { count: rules.length, selectors, fades };
    readSheets.set(sheet, read);
    return read;
  }
  /** The words that style sheets insert before and after elements: users see them like any others. */
  function wordsPutIn(look) {
    const found = new Map();
    look.fades = look.moves || !!document.querySelector('[style*=filter],[style*=mask]');
    for (const sheet of [...document.styleSheets, ...(document.adoptedStyleSheets || NONE)]) {
      const read = readSheet(sheet);
      look.fades = look.fades || read.fades;
      for (const [selector, side] of read.selectors) {
        let elements = NONE;
        try { elements = document.querySelectorAll(selector); } catch { continue; }
        for (const element of elements) {
          const style = getComputedStyle(element, side);
          if (style.display === 'none' || style.visibility !== 'visible' || style.opacity < FAINT || /^matrix\(0, 0, 0, 0/.test(style.transform)) continue;
          const words = generated(element, side);
          if (words.trim()) found.set(element, { ...found.get(element), [side]: words });
        }
      }
    }
    return found;
  }

