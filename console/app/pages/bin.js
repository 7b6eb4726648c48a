// Test files that were deleted, and can be brought back.

import { read, write } from '../api/client.js';
import { page } from '../api/paths.js';
import { whyNot } from '../shell/caller.js';
import { go } from '../shell/router.js';
import { attempt, notice } from '../shell/said.js';
import { h } from '../view/element.js';
import { button, head, table } from '../view/parts.js';
import { ago } from '../view/time.js';
import { empty } from '../view/trouble.js';

export async function open(place) {
  const found = await read('/server/tests/bin', { limit: 200 }, place.signal);
  const restore = (entry) => (pressed) => attempt(async () => {
    const file = await write('POST', '/server/tests/bin/restore', { entry });
    notice(`Restored ${file.path}.`);
    go(page.test(file.path));
  }, pressed);
  place.show('Bin', head('Bin', { above: h('a', { href: '/console/tests' }, 'Tests'), says: 'Deleted test files stay here until somebody restores them.' }),
    found.items.length === 0 ? empty('The bin is empty.') : table('Deleted files', [
      ['File', (file) => h('code', {}, file.path)],
      ['Deleted', (file) => ago(file.deleted_at)],
      ['By', (file) => file.by],
      ['', (file) => button('Restore', restore(file.entry), { whyNot: whyNot('run') })],
    ], found.items));
}
