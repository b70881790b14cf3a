/** Worker libraries, unmodified, on the runtimes where they work without a recorder. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { TASKS } from '../../fixtures/apps/tasks.mjs';
import { recordedApp, sumOf } from '../apps/recorded-app.ts';
import { missing, runtime } from '../support/runtimes.ts';
import { ROOT } from '../support/spawn-cli.ts';
import { usually } from '../support/whole.ts';

const folder = mkdtempSync(join(tmpdir(), 'clone-prof-libraries-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const LIBRARIES = {
  'bun@1.4.5': {
    flags: [],
    names: usually(['piscina', 'comlink'], ['jest-worker', 'tinypool', 'poolifier']),
  },
  'deno@2.9.6': {
    flags: ['run', '-A', '--quiet'],
    names: usually(['comlink', 'jest-worker'], ['piscina', 'workerpool']),
  },
} as const;

for (const spec of ['bun@1.4.5', 'deno@2.9.6'] as const) {
  const { flags, names } = LIBRARIES[spec];
  for (const name of names) {
    test(`${spec}: ${name}: the same output, all tasks and results`, { skip: missing(spec) }, async () => {
      const command = [runtime(spec).binary, ...flags, join(ROOT, 'fixtures', 'apps', `${name}.mjs`)];
      const { header, messages } = await recordedApp({ name: `${name}-${spec}`, command, cwd: ROOT }, folder);
      assert.equal(`${header.runtime?.name}@${header.runtime?.version}`, spec);
      assert.deepEqual(header.gaps, []);
      for (const direction of ['request', 'reply'] as const) {
        const own = messages.filter(({ envelope }) => envelope?.direction === direction);
        assert.equal(
          sumOf(own, ({ count }) => count),
          TASKS,
          direction,
        );
      }
    });
  }
}
