// Addresses: of routes of the service, and of pages of the console.

const part = encodeURIComponent;
const rest = (path) => path.split('/').map(part).join('/');

export const route = {
  run: (run) => `/server/runs/${part(run)}`,
  artifact: (run, path) => `/server/runs/${part(run)}/artifacts/${rest(path)}`,
  session: (session) => `/server/agent/sessions/${part(session)}`,
  tree: (tree) => `/server/trees/${part(tree)}`,
  incident: (number) => `/server/incidents/${part(number)}`,
  live: (page) => `/server/live/${part(page)}`,
};

export const page = {
  run: (run) => `/console/runs/${part(run)}`,
  testOfRun: (run, test) => `/console/runs/${part(run)}?test=${part(test)}`,
  test: (file, test) => `/console/tests/${rest(file)}${test ? `?test=${part(test)}` : ''}`,
  session: (session) => `/console/atlas/${part(session)}`,
  tree: (tree) => `/console/navigation/${part(tree)}`,
  incident: (number) => `/console/incidents/${part(number)}`,
  live: (name) => `/console/live/${part(name)}`,
};
