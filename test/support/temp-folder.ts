import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new empty folder, with a blank in its name. `scripts/test.mjs` removes all of them when the tests have ended. */
export const tempFolder = (name: string): string =>
  realpathSync(mkdtempSync(join(tmpdir(), `clone-prof ${name} `)));
