// Bundles the applications of apps/react and apps/vue: node build.mjs FOLDER_WITH_NODE_MODULES OUT
import { createRequire } from 'node:module';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
const here = dirname(fileURLToPath(import.meta.url)), [node, out] = process.argv.slice(2).map(p => resolve(p));
const esbuild = createRequire(join(node, 'x.js'))('esbuild');
for (const [app, entry] of [['react', 'main.jsx'], ['vue', 'main.js']]) {
  const src = join(node, 'src', app), to = join(out, app);
  cpSync(join(here, app), src, { recursive: true });          // beside node_modules, so that imports resolve
  mkdirSync(to, { recursive: true });
  await esbuild.build({ entryPoints: [join(src, entry)], bundle: true, splitting: true, format: 'esm', outdir: join(to, 'assets'), minify: true, jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"', __VUE_OPTIONS_API__: 'true', __VUE_PROD_DEVTOOLS__: 'false', __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false' },
    loader: { '.woff': 'dataurl', '.woff2': 'dataurl', '.ttf': 'dataurl', '.eot': 'dataurl', '.svg': 'dataurl' }, logLevel: 'error' });
  const css = app === 'vue' ? '<link rel="stylesheet" href="/assets/main.css">' : '';
  writeFileSync(join(to, 'index.html'), `<!doctype html><html lang="en"><meta charset="utf-8"><title>Timber yard</title>${css}<div id="root"></div><script type="module" src="/assets/main.js"></script>\n`);
}
