// Serves folders: node static.mjs PORT /prefix=folder ...   (loopback only)
import http from 'node:http'; import fs from 'node:fs'; import path from 'node:path';
const [port, ...maps] = process.argv.slice(2);
const M = maps.map(m => { const i = m.indexOf('='); return [m.slice(0, i), m.slice(i + 1)]; }).sort((a, b) => b[0].length - a[0].length);
const T = { html: 'text/html; charset=utf-8', js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8', json: 'application/json', svg: 'image/svg+xml', png: 'image/png', jpg: 'image/jpeg', gif: 'image/gif', woff: 'font/woff', woff2: 'font/woff2', ttf: 'font/ttf' };
http.createServer((q, r) => {
  const u = decodeURIComponent(new URL(q.url, 'http://x').pathname);
  for (const [p, d] of M) {
    if (!u.startsWith(p)) continue;
    let f = path.join(d, path.normalize('/' + u.slice(p.length)));
    try {
      if (fs.statSync(f).isDirectory()) { if (!u.endsWith('/')) { r.writeHead(301, { location: u + '/' }); return r.end(); } f = path.join(f, 'index.html'); }
      const b = fs.readFileSync(f);
      r.writeHead(200, { 'content-type': T[path.extname(f).slice(1)] || 'application/octet-stream', 'cache-control': 'no-cache' }); return r.end(b);
    } catch { /* next */ }
  }
  r.writeHead(404, { 'content-type': 'text/plain' }); r.end('not found');
}).listen(+port, '127.0.0.1');
