  // ---- ink: whether letters differ from what is behind them ----------------------------------------

  const colours = new Map();
  /** Red, green and blue from 0 to 255, and alpha; null for other notations than `rgb`. */
  function colourOf(text) {
    let known = colours.get(text);
    if (known === undefined) {
      if (colours.size > 500) colours.clear();
      const found = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.e-]+))?\)$/.exec(text);
      known = found ? [Number(found[1]), Number(found[2]), Number(found[3]), found[4] === undefined ? 1 : Number(found[4])] : null;
      colours.set(text, known);
    }
    return known;
  }
  function alphaOf(text) {
    const colour = colourOf(text);
    if (colour) return colour[3];
    const found = /\/ ([\d.e-]+)\)$/.exec(text);
    return found ? Number(found[1]) : 1;
  }
  /** A colour on a solid one. */
  const mixed = (over, under) => (over[3] === 1 ? over : [0, 1, 2].map((at) => over[at] * over[3] + under[at] * (1 - over[3])).concat(1));
  const luminance = (colour) => {
    const [red, green, blue] = colour.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  /** The largest difference of a part, and the smallest contrast, that nobody sees. */
  const MOST_ALIKE = 16;
  const LEAST_CONTRAST = 1.05;
  function isAlike(one, other) {
    if (Math.abs(one[0] - other[0]) > MOST_ALIKE || Math.abs(one[1] - other[1]) > MOST_ALIKE || Math.abs(one[2] - other[2]) > MOST_ALIKE) return false;
    const [light, dark] = [luminance(one), luminance(other)].sort((first, second) => second - first);
    return (light + 0.05) / (dark + 0.05) < LEAST_CONTRAST;
  }

  /** The colour of an empty page; null if it is not known to be white. */
  function canvasColour() {
    const meta = document.querySelector('meta[name=color-scheme]');
    const isDark = /dark/.test(getComputedStyle(document.documentElement).colorScheme) || (!!meta && /dark/.test(meta.content));
    return isInFrame() || isDark ? null : [255, 255, 255, 1];
  }
  /** The colour behind an element by the backgrounds of its ancestors; null if it is not known. Each is looked up once. */
  function backOf(element, style, look) {
    let back = look.backs.get(element);
    if (back === undefined) {
      const own = colourOf(style.backgroundColor);
      const under = own === null || own[3] === 1 ? own : backAround(element, look);
      back = under && own[3] > 0 ? mixed(own, under) : under;
      look.backs.set(element, back);
    }
    return back;
  }
  function backAround(element, look) {
    const holder = above(element);
    if (holder) return look.backs.get(holder) ?? backOf(holder, getComputedStyle(holder), look);
    if (look.canvas === undefined) look.canvas = canvasColour();
    return look.canvas;
  }
  /** Whether letters have nearly the colour that seems to be behind them. */
  function isPale(element, style, fill, look) {
    const ink = colourOf(fill);
    const back = ink && backOf(element, style, look);
    return !!back && isAlike(mixed(ink, back), back);
  }
  /** Whether pale letters cannot be read: nothing but their ancestors lies behind them, and these are plain. */
  function isLost(element, style, box, look) {
    if (element.namespaceURI !== document.documentElement.namespaceURI || style.textShadow !== 'none' || parseFloat(style.webkitTextStrokeWidth)) return false;
    for (let node = element; node; node = above(node)) {
      const own = getComputedStyle(node);
      const colour = colourOf(own.backgroundColor);
      const isPlain = own.backgroundImage === 'none' && own.filter === 'none' && own.mixBlendMode === 'normal' && !/inset/.test(own.boxShadow) && !/text/.test(own.backgroundClip);
      if (!isPlain || !colour) return false;
      if (colour[3] === 0) continue;
      const area = node.getBoundingClientRect();
      const isCanvas = node === document.body || node === document.documentElement;
      // What sticks out of its container lies on something else.
      if (!isCanvas && (box.left < area.left - 1 || box.top < area.top - 1 || box.right > area.right + 1 || box.bottom > area.bottom + 1)) return false;
      // Whatever else lies behind a solid box is not seen.
      if (colour[3] === 1 && !isCanvas) return true;
      if (colour[3] === 1) break;
    }
    look.painters = look.painters || paintersOf();
    return !look.painters.some(([painter, area]) => within(area, box) && !(painter && composedContains(painter, element)));
  }
  /** Everything that paints an area, with the area. What a style sheet inserts has no element. */
  function paintersOf() {
    const found = [];
    for (const element of everyElement(document)) {
      const style = getComputedStyle(element);
      if (style.display === 'none' || style.visibility !== 'visible' || opacityOf(style) < FAINT) continue;
      const paints = (own) => own.backgroundImage !== 'none' || alphaOf(own.backgroundColor) > 0;
      if (PAINTED.has(element.localName) || paints(style)) found.push([element, element.getBoundingClientRect()]);
      for (const side of ['::before', '::after']) {
        const own = getComputedStyle(element, side);
        if (own.content === 'none' || own.content === 'normal' || own.display === 'none' || !paints(own)) continue;
        let holder = element;
        if (/absolute|fixed/.test(own.position)) while (above(holder) && getComputedStyle(holder).position === 'static') holder = above(holder);
        found.push([null, holder.getBoundingClientRect()]);
      }
    }
    return found;
  }

