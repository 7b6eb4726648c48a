// Builds one bundle per library. Run in a folder with the package.json of BUILD.md: node source/build.mjs OUT [NAME…]
import * as esbuild from 'esbuild';
const [out, ...names] = process.argv.slice(2);
const entries = { react: 'react.js', mui: 'mui.jsx', antd: 'antd.jsx', vuetify: 'vuetify.js', bootstrap: 'bootstrap.js' };
// Material UI and Ant Design use the React of react.js.
const sharedReact = {
  name: 'shared-react',
  setup(build) {
    build.onResolve({ filter: /^(react|react-dom|react-dom\/client|react\/jsx-runtime|dayjs)$/ }, (a) => ({ path: a.path, namespace: 'shared' }));
    build.onLoad({ filter: /.*/, namespace: 'shared' }, (a) => ({ contents: `module.exports = window.ReactParts[${JSON.stringify(a.path)}]` }));
  },
};
for (const name of names.length ? names : Object.keys(entries)) {
  const result = await esbuild.build({
    entryPoints: [{ in: `source/${entries[name]}`, out: name }],
    outdir: out,
    bundle: true, minify: true, treeShaking: true, format: 'iife', target: 'es2020', legalComments: 'none', metafile: true, charset: 'utf8',
    jsx: 'transform',
    loader: { '.woff': 'empty', '.woff2': 'empty', '.ttf': 'empty', '.eot': 'empty' },
    define: {
      'process.env.NODE_ENV': '"production"', '__VUE_OPTIONS_API__': 'true', '__VUE_PROD_DEVTOOLS__': 'false',
      '__VUE_PROD_HYDRATION_MISMATCH_DETAILS__': 'false',
    },
    plugins: name === 'mui' || name === 'antd' ? [sharedReact] : [],
    alias: { vue: 'vue/dist/vue.esm-bundler.js' },
  });
  const packages = new Set();
  for (const file of Object.values(result.metafile.outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(file.inputs)) {
      const m = path.match(/.*node_modules\/((?:@[^/]+\/)?[^/]+)/);
      if (m && bytesInOutput) packages.add(m[1]);
    }
  }
  for (const [path, o] of Object.entries(result.metafile.outputs)) console.log(path, o.bytes);
  console.log(name, [...packages].sort().join(' '));
}
