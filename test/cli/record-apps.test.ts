/** Programs with worker libraries, unmodified. `npm run record:apps` has all of them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { checkLibrary, isInstalled } from '../apps/library-app.ts';

const folder = mkdtempSync(join(tmpdir(), 'clone-prof-apps-'));
after(() => rmSync(folder, { recursive: true, force: true }));

for (const library of ['piscina', 'comlink', 'jest-worker'] as const) {
  test(`${library}: the same output, all messages, their bytes and its envelope`, {
    skip: !isInstalled(library) && `${library} is not installed`,
  }, async () => {
    await checkLibrary(library, folder);
  });
}
