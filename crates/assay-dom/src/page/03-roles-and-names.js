  // ---- roles and names ----------------------------------------------------------------------------

  const WIDGETS = new Set(['button', 'link', 'checkbox', 'radio', 'textbox', 'searchbox', 'combobox', 'listbox', 'option', 'menuitem',
    'menuitemcheckbox', 'menuitemradio', 'tab', 'switch', 'slider', 'spinbutton', 'treeitem', 'scrollbar', 'date', 'time', 'month', 'week',
    'datetime', 'color', 'file', 'clickable', 'gridcell']);
  const EDITABLE = new Set(['textbox', 'searchbox', 'combobox', 'spinbutton', 'slider', 'date', 'time', 'month', 'week', 'datetime', 'color',
    'listbox', 'file']);
  const NOTABLE = new Set(['heading', 'status', 'alert', 'log', 'timer', 'dialog', 'alertdialog', 'image', 'progressbar', 'meter', 'tooltip']);
  const STRUCTURE = new Set(['table', 'grid', 'treegrid', 'row', 'cell', 'columnheader', 'rowheader', 'list', 'listitem', 'group', 'frame']);
  const FROM_CONTENT = new Set(['button', 'link', 'heading', 'option', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'tab', 'treeitem',
    'checkbox', 'radio', 'switch', 'cell', 'gridcell', 'columnheader', 'rowheader', 'tooltip', 'clickable', 'status', 'alert', 'log', 'timer',
    'caption', 'row', 'listitem', 'term', 'definition', 'note', 'paragraph']);
  const INPUT_ROLE = { button: 'button', submit: 'button', reset: 'button', image: 'button', checkbox: 'checkbox', radio: 'radio', range: 'slider',
    number: 'spinbutton', search: 'searchbox', file: 'file', color: 'color', date: 'date', time: 'time', month: 'month', week: 'week',
    'datetime-local': 'datetime', hidden: '' };
  const TAG_ROLE = { button: 'button', summary: 'button', textarea: 'textbox', option: 'option', h1: 'heading', h2: 'heading', h3: 'heading',
    h4: 'heading', h5: 'heading', h6: 'heading', table: 'table', tr: 'row', td: 'cell', caption: 'caption', ul: 'list', ol: 'list',
    menu: 'list', li: 'listitem', nav: 'navigation', main: 'main', aside: 'complementary', article: 'article', dialog: 'dialog', details: 'group',
    fieldset: 'group', output: 'status', progress: 'progressbar', meter: 'meter', p: 'paragraph', hr: 'separator', iframe: 'frame', form: 'form',
    section: 'region', figure: 'figure', blockquote: 'blockquote', header: 'banner', footer: 'contentinfo', search: 'search', dt: 'term', dd: 'definition' };

  function implicitRole(element) {
    const tag = element.localName;
    switch (tag) {
      case 'a': case 'area': return element.hasAttribute('href') ? 'link' : '';
      case 'input': {
        // An engine shows a text field for a type that it does not know; the page still means the same.
        const role = INPUT_ROLE[element.type === 'text' ? (element.getAttribute('type') || 'text').toLowerCase() : element.type];
        if (role !== undefined) return role;
        return element.hasAttribute('list') ? 'combobox' : 'textbox';
      }
      case 'select': return element.multiple || element.size > 1 ? 'listbox' : 'combobox';
      case 'img': return element.getAttribute('alt') === '' ? '' : 'image';
      case 'svg': return svgTitle(element) ? 'image' : '';
      case 'th': return element.getAttribute('scope') === 'row' ? 'rowheader' : 'columnheader';
      // What stands in the head of a table heads its columns, whatever its tag.
      case 'td': return element.parentElement && element.parentElement.parentElement && element.parentElement.parentElement.localName === 'thead' ? 'columnheader' : 'cell';
      default: return TAG_ROLE[tag] || '';
    }
  }
  function roleOf(element) {
    const given = element.getAttribute('role');
    if (given) {
      const role = given.trim().split(/\s+/)[0].toLowerCase();
      if (role === 'img') return 'image';
      if (role === 'group' && isDateGroup(element)) return 'date';
      if (role !== 'none' && role !== 'presentation') return role;
      return WIDGETS.has(implicitRole(element)) ? implicitRole(element) : '';
    }
    const role = implicitRole(element);
    if (role) return role;
    if (isCodeEditor(element)) return 'textbox';
    // Reading `isContentEditable` would cost a style lookup per element; the attribute marks the root.
    const editable = element.getAttribute('contenteditable');
    return editable !== null && editable !== 'false' ? 'textbox' : '';
  }

  /** Code editors that take keys in a hidden field and draw the text themselves, by the classes of their documentation. */
  const isCodeEditor = (element) => element.localName === 'div' && (element.classList.contains('CodeMirror') || element.classList.contains('ace_editor') || element.classList.contains('monaco-editor'));
  const inputOf = (editor) => editor.querySelector('textarea,[contenteditable=true]');
  const isScrolled = (editor) => Array.from(editor.querySelectorAll('.CodeMirror-scroll,.ace_scrollbar-v,.monaco-scrollable-element'), (part) => part.scrollHeight - part.clientHeight > 60).includes(true);
  const codeOf = (editor) => Array.from(editor.querySelectorAll('.CodeMirror-line,.ace_line,.view-line'), (line) => line.textContent.replace(/\u200b/g, '')).join('\n');

  const GENERATED = new Set(['button', 'link', 'heading', 'tab', 'menuitem']);
  /** Text that a style sheet inserts. Glyphs of icon fonts are pictures, not text. */
  function generated(element, place) {
    const style = getComputedStyle(element, place);
    const content = style.content;
    if (content === 'none' || content === 'normal' || content[0] !== '"' || style.display === 'none' || style.visibility !== 'visible') return '';
    const text = content.slice(1, content.lastIndexOf('"')).replace(/\\"/g, '"').replace(PRIVATE, '');
    return LIGATURE.test(text) && ICON_FONT.test(style.fontFamily) ? '' : text;
  }

  function byIds(element, ids) {
    const root = element.getRootNode();
    const parts = [];
    for (const id of ids.trim().split(/\s+/)) {
      const other = root.getElementById ? root.getElementById(id) : null;
      if (other) parts.push(other.getAttribute('aria-label') || textOf(other, { accessible: true, hidden: true, skip: element }) || other.value || '');
    }
    return squeeze(parts.join(' '));
  }
  function nameOf(element, role) {
    const labelledBy = element.getAttribute('aria-labelledby');
    if (labelledBy) {
      const name = byIds(element, labelledBy);
      if (name) return name;
    }
    const label = element.getAttribute('aria-label');
    if (label && label.trim()) return squeeze(label);
    const tag = element.localName;
    switch (tag) {
      case 'input': case 'select': case 'textarea': case 'meter': case 'progress': case 'output': {
        if (element.labels && element.labels.length) {
          const name = squeeze(Array.from(element.labels, (one) => one.getAttribute('aria-label') || textOf(one, { accessible: true, hidden: false, skip: element })).join(' '));
          if (name && tag !== 'output') return name;
        }
        if (tag === 'input') {
          const type = element.type;
          if (type === 'button' || type === 'submit' || type === 'reset') {
            const name = element.value || { submit: 'Submit', reset: 'Reset', button: '' }[type];
            if (name) return squeeze(name);
          }
          if (type === 'image') return squeeze(element.alt || element.value || element.title || 'Submit');
        }
        break;
      }
      case 'img': case 'area':
        if (element.alt) return squeeze(element.alt);
        break;
      case 'svg': {
        const name = squeeze(svgTitle(element));
        if (name) return name;
        break;
      }
      case 'fieldset': {
        const legend = element.querySelector(':scope > legend');
        if (legend) return textOf(legend);
        break;
      }
      case 'table':
        if (element.caption) return textOf(element.caption);
        break;
      case 'figure': {
        const caption = element.querySelector(':scope > figcaption');
        if (caption) return textOf(caption);
        break;
      }
      case 'details': {
        const summary = element.querySelector(':scope > summary');
        if (summary) return textOf(summary);
        break;
      }
    }
    if (FROM_CONTENT.has(role)) {
      const text = textOf(element);
      // The lookup is expensive, and an element with text and no class rarely has inserted content.
      const name = GENERATED.has(role) && (element.className || !text) ? squeeze(generated(element, '::before') + text + generated(element, '::after')) : text;
      if (name) return name;
    }
    const title = element.getAttribute('title');
    if (title && title.trim()) return squeeze(title);
    return squeeze(element.getAttribute('placeholder') || element.getAttribute('aria-placeholder') || '');
  }

  const DISABLED = ':disabled,[aria-disabled=true],[aria-disabled=true] *,[inert],[inert] *';
  const isDisabled = (element) => element.matches(DISABLED);
  function isChecked(element) {
    if (element.localName === 'input' && (element.type === 'checkbox' || element.type === 'radio')) return element.indeterminate ? 'mixed' : element.checked ? 'true' : 'false';
    return element.getAttribute('aria-checked');
  }
  const TELLS_REFUSAL = CSS.supports('selector(:user-invalid)');
  /** The browser itself marks a field as invalid: only after the user has tried, not before. */
  const isRefused = (element) => TELLS_REFUSAL && !!element.willValidate && element.matches(':user-invalid');
  /** Elements that may have a state. One selector for all of them, because most elements have none. */
  const STATED = DISABLED + ',input,select,textarea,summary,[aria-checked],[aria-expanded],[aria-pressed],[aria-selected],[aria-current],[aria-required],' +
    '[aria-readonly],[aria-invalid]' + (TELLS_REFUSAL ? ',:user-invalid' : '');
  /** An element says that it is expanded, while the part that it opens is not to be seen. */
  function hidesWhatItOpens(element) {
    const id = element.getAttribute('aria-controls');
    const part = id && element.getRootNode().getElementById?.(id);
    return !!part && !isRendered(part);
  }
  function statesOf(element, role) {
    const states = [];
    if (!element.matches(STATED)) return states;
    if (isDisabled(element)) states.push('disabled');
    const checked = isChecked(element);
    if (checked === 'true') states.push('checked');
    else if (checked === 'mixed') states.push('mixed');
    const expanded = element.getAttribute('aria-expanded');
    if (expanded === 'true') states.push(hidesWhatItOpens(element) ? 'collapsed' : 'expanded');
    else if (expanded === 'false') states.push('collapsed');
    else if (element.localName === 'summary' && element.parentElement && element.parentElement.localName === 'details') states.push(element.parentElement.open ? 'expanded' : 'collapsed');
    if (element.getAttribute('aria-pressed') === 'true') states.push('pressed');
    if (element.getAttribute('aria-selected') === 'true') states.push('selected');
    if (element.getAttribute('aria-current') && element.getAttribute('aria-current') !== 'false') states.push('current');
    if (element.required || element.getAttribute('aria-required') === 'true') states.push('required');
    if (EDITABLE.has(role) && (element.readOnly || element.getAttribute('aria-readonly') === 'true')) states.push('readonly');
    if ((element.getAttribute('aria-invalid') && element.getAttribute('aria-invalid') !== 'false') || isRefused(element)) states.push('invalid');
    return states;
  }
  /** The value of a control; null if it cannot hold one. */
  function valueOf(element, role) {
    const tag = element.localName;
    if (tag === 'input') {
      const type = element.type;
      if (type === 'checkbox' || type === 'radio' || type === 'button' || type === 'submit' || type === 'reset' || type === 'image') return null;
      if (type === 'password') return element.value ? '\u2022'.repeat(Math.min(8, element.value.length)) : '';
      if (type === 'file') return Array.from(element.files || [], (file) => file.name).join(', ');
      return element.value;
    }
    if (tag === 'select') return Array.from(element.selectedOptions, (option) => squeeze(option.label || option.text)).join(', ');
    if (tag === 'textarea') return element.value;
    if (tag === 'progress' || tag === 'meter') return String(element.value);
    // Such an editor draws only the lines in view.
    if (role === 'textbox' && isCodeEditor(element)) return isScrolled(element) ? null : codeOf(element);
    if (role === 'textbox' && element.isContentEditable) return textOf(element, SHOWN_TEXT);
    if (role === 'date' && isDateGroup(element)) return dateOf(element);
    if (role === 'slider' || role === 'progressbar' || role === 'spinbutton') return element.getAttribute('aria-valuetext') || element.getAttribute('aria-valuenow');
    return null;
  }

