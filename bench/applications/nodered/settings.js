module.exports = { uiHost: "127.0.0.1", uiPort: 18504, flowFile: "flows.json", credentialSecret: "greenhouse", diagnostics: { enabled: true, ui: true }, runtimeState: { enabled: false, ui: false },
  telemetry: { enabled: false, updateNotification: false }, logging: { console: { level: "info", metrics: false, audit: false } },
  externalModules: { palette: { allowInstall: false } },
  editorTheme: { tours: false, palette: {}, projects: { enabled: false }, codeEditor: { lib: "ace" }, page: { title: "Greenhouse flows" }, header: { title: "Greenhouse" } } };
