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
    Object.defineProperty(own, place, { value: { natives, turns, world: {}, document: null, windowsWait: false }, enumerable: false });

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
    // ---- windows that a page opens ------------------------------------------------------------------------

    // A window can be set up only when it is there, and its first document may come sooner. So it stays empty until the
    // driver has set it up and calls what is left there.
    const click = HTMLElement.prototype.click;
    const way = '__ASSAY_WAY__';
    const leave = (opened, value) => Object.defineProperty(opened, way, { value, configurable: true });
    /** What leads a window on as `open` would have: with the referrer, and with what the page has put there. To set the
        address would take its listeners away. */
    const guide = (href, referrerPolicy) => {
      const link = document.createElement('a');
      Object.assign(link, { href, referrerPolicy, target: way });
      return link;
    };
    const letWait = (opened, link, after) => {
      try {
        const isNew = opened.location.href === 'about:blank' && !opened[place] && opened[way] !== true;
        if (!isNew || !/^https?:$/.test(link.protocol)) return;
        opened.stop();
        leave(opened, () => {
          // A page that has gone cannot lead another one on. It leaves the address.
          if (!document.defaultView) return link.href;
          const { name } = opened;
          opened.name = way;
          apply(click, link, []);
          opened.name = name;
          after();
        });
        // The page sends it elsewhere.
        apply(listen, opened, ['pagehide', () => leave(opened, true)]);
      } catch {
        // It shows another site, so it is not new.
      }
    };
    const open = own.open;
    own.open = new Proxy(open, {
      apply(target, self, args) {
        const opened = apply(target, self, args);
        const [address = ''] = args;
        if (opened && own[place].windowsWait) letWait(opened, guide(address, ''), () => {});
        return opened;
      },
    });
    const follow = (link) => {
      const { relList } = link;
      const opened = apply(open, own, [link.href, '_blank']);
      if (!opened) return;
      const isAlone = relList.contains('noopener') || relList.contains('noreferrer') || !relList.contains('opener');
      const referrerPolicy = relList.contains('noreferrer') ? 'no-referrer' : link.referrerPolicy;
      letWait(opened, guide(link.href, referrerPolicy), () => {
        if (isAlone) opened.opener = null;
      });
      // Such a window begins with nothing of this one.
      if (isAlone) opened.sessionStorage.clear();
    };
    const leadsToNewWindow = (node) => node instanceof HTMLAnchorElement && node.target.toLowerCase() === '_blank' &&
      /^https?:$/.test(node.protocol) && !node.hasAttribute('download');
    apply(listen, own, ['click', (event) => {
      const isPlain = !event.button && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
      const link = own[place].windowsWait && isPlain && event.composedPath().find(leadsToNewWindow);
      if (!link) return;
      // Behind the listeners of the page, which may stop it.
      const last = (heard) => {
        if (heard !== event || heard.defaultPrevented) return;
        heard.preventDefault();
        follow(link);
      };
      apply(listen, own, ['click', last, { once: true }]);
    }, true]);

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
