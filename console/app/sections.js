// The pages of the console: where each is, how it is called, and who may see it.

/** `key`: after `g`, opens the page. */
export const SECTIONS = [
  { name: 'Home', path: '/', key: 'h', icon: 'M3 9l7-6 7 6v8h-5v-5H8v5H3z' },
  { name: 'Runs', path: '/console/runs', key: 'r', icon: 'M6 4l10 6-10 6z' },
  { name: 'Tests', path: '/console/tests', key: 't', icon: 'M5 3h8l3 3v11H5zM8 9h5M8 12h5' },
  { name: 'Atlas', path: '/console/atlas', key: 'a', icon: 'M3 4h14v9H9l-4 4v-4H3z' },
  { name: 'Heals', path: '/console/heals', key: 'e', icon: 'M10 4v12M4 10h12' },
  { name: 'Flaky', path: '/console/flaky', key: 'f', icon: 'M2 12c2-7 5-7 8-2s6 5 8-2' },
  { name: 'Requirements', path: '/console/requirements', key: 'q', icon: 'M3 4h6v5H3zM11 4h6v5h-6zM3 11h6v5H3zM11 11h6v5h-6z' },
  { name: 'Navigation', path: '/console/navigation', key: 'n', icon: 'M5 5h.1M15 6h.1M10 15h.1M5 5l10 1-5 9z' },
  { name: 'Devices', path: '/console/devices', key: 'd', icon: 'M3 4h14v9H3zM8 17h4M10 13v4' },
  { name: 'Incidents', path: '/console/incidents', key: 'i', icon: 'M10 3l8 14H2zM10 8v4M10 14.5v.2' },
  { name: 'Schedules', path: '/console/schedules', key: 'c', icon: 'M10 3a7 7 0 1 0 .01 0M10 6v4l3 2' },
  { name: 'Webhooks', path: '/console/webhooks', key: 'w', icon: 'M4 7h9l-3-3M16 13H7l3 3' },
  { name: 'Audit', path: '/console/audit', key: 'u', role: 'admin', icon: 'M4 4h12M4 8h12M4 12h8M4 16h5' },
  { name: 'Settings', path: '/console/settings', key: 's', icon: 'M3 6h9M16 6h1M3 14h1M8 14h9M14 4v4M6 12v4' },
];

/** Patterns of addresses with the module of their page. `:name` is one part, `*name` is the rest. */
export const ROUTES = [
  ['/', () => import('./pages/home.js')],
  ['/console', () => import('./pages/home.js')],
  ['/console/runs', () => import('./pages/runs.js')],
  ['/console/runs/:run', () => import('./pages/run.js')],
  ['/console/tests', () => import('./pages/tests.js')],
  ['/console/tests/*file', () => import('./pages/test.js')],
  ['/console/bin', () => import('./pages/bin.js')],
  ['/console/atlas', () => import('./pages/atlas.js')],
  ['/console/atlas/:session', () => import('./pages/conversation.js')],
  ['/console/heals', () => import('./pages/heals.js')],
  ['/console/flaky', () => import('./pages/flaky.js')],
  ['/console/requirements', () => import('./pages/requirements.js')],
  ['/console/navigation', () => import('./pages/navigation.js')],
  ['/console/navigation/:tree', () => import('./pages/navigation.js')],
  ['/console/devices', () => import('./pages/devices.js')],
  ['/console/live/:page', () => import('./pages/live.js')],
  ['/console/incidents', () => import('./pages/incidents.js')],
  ['/console/incidents/:incident', () => import('./pages/incident.js')],
  ['/console/schedules', () => import('./pages/schedules.js')],
  ['/console/webhooks', () => import('./pages/webhooks.js')],
  ['/console/audit', () => import('./pages/audit.js')],
  ['/console/settings', () => import('./pages/settings.js')],
];
