// Asks for what the page begins with while its modules still come. A classic script, so that it does not wait for them.
(() => {
  const paths = ['/server/caller'];
  if (['/', '/console', '/console/'].includes(location.pathname)) paths.push('/server/overview');
  globalThis.early = new Map(paths.map((path) => {
    const asked = fetch(path, { credentials: 'same-origin' });
    // Who reads the answer hears of the trouble.
    asked.catch(() => {});
    return [path, asked];
  }));
})();
