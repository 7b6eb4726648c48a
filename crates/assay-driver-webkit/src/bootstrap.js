// Runs in the page's own world, in every frame, before any script of the page. WebKit may run it twice in one
// global object: a frame of the same origin keeps the window of its first, empty document.
(() => {
  'use strict';
  const place = '__ASSAY_PLACE__';
  const apply = Reflect.apply;
  if (!globalThis[place]) {
    const NativeChannel = MessageChannel;
    const post = MessagePort.prototype.postMessage;
    const listen = EventTarget.prototype.addEventListener;
    const dispatch = EventTarget.prototype.dispatchEvent;
    const toggle = Element.prototype.toggleAttribute;
    const own = globalThis;
    // What the page script uses, out of reach of the page and of the half that watches the page.
    const natives = {
      window: {
        addEventListener: (...args) => apply(listen, own, args),
        dispatchEvent: (event) => apply(dispatch, own, [event]),
      },
      setTimeout: setTimeout.bind(own),
      clearTimeout: clearTimeout.bind(own),
      requestAnimationFrame: requestAnimationFrame.bind(own),
      cancelAnimationFrame: cancelAnimationFrame.bind(own),
      MessageChannel: function () {
        const channel = new NativeChannel();
        channel.port2.postMessage = (...args) => apply(post, channel.port2, args);
        return channel;
      },
      MutationObserver,
      Promise,
      JSON: { stringify: JSON.stringify.bind(JSON), parse: JSON.parse.bind(JSON) },
    };
    /** The next turn of a document's event loop. A message to oneself takes half a millisecond here, and this a twentieth. */
    const turns = () => {
      const waiting = [];
      const disclosure = document.createElement('details');
      apply(listen, disclosure, ['toggle', () => { for (const done of waiting.splice(0)) done(); }]);
      return () => new natives.Promise((done) => {
        waiting.push(done);
        apply(toggle, disclosure, ['open']);
      });
    };
    Object.defineProperty(own, place, { value: { natives, turns, world: {}, document: null }, enumerable: false });

    // ---- what is told without being asked -----------------------------------------------------------------

    const debug = console.debug.bind(console);
    const stringify = natives.JSON.stringify;
    let count = 0;
    // Numbered, because equal lines of the console are told only once.
    const tell = (what) => debug('__ASSAY_KEY__' + stringify({ ...what, count: ++count }));
    const asText = (value) => (value === undefined ? '' : String(value));
    for (const kind of ['alert', 'confirm', 'prompt']) {
      own[kind] = new Proxy(own[kind], {
        apply(target, self, args) {
          const message = asText(args[0]);
          tell({ told: 'dialog', kind, message, ...(kind === 'prompt' ? { default: asText(args[1]) } : {}) });
          try {
            return apply(target, self, args);
          } finally {
            tell({ told: 'closed' });
          }
        },
      });
    }
    // A link that a script follows by itself, to have a file saved, shows nowhere else.
    HTMLElement.prototype.click = new Proxy(HTMLElement.prototype.click, {
      apply(target, self, args) {
        if (self instanceof HTMLAnchorElement && self.hasAttribute('download')) tell({ told: 'saving' });
        return apply(target, self, args);
      },
    });
  }
  const held = globalThis[place];
  if (held.document === document && held.world.__assay) return;
  held.document = document;
  // In WebKit a part of a date that is complete does not lead on to the next one.
  held.world = { partsStay: true, nextTurn: held.turns() };
  __ASSAY_MAIN__
  ((globalThis, { window, setTimeout, clearTimeout, requestAnimationFrame, cancelAnimationFrame, MessageChannel, MutationObserver, Promise, JSON }) => {
    __ASSAY_PAGE__
  })(held.world, held.natives);
})();
