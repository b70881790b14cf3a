/** Worker libraries, unmodified, on the runtimes where they work without a recorder. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkRuns } from '../../apps/check-app.ts';
import { libraryApp, modulesOf } from '../../apps/corpus/app.ts';
import { missing } from '../../support/runtimes.ts';
import { usually } from '../../support/whole.ts';

const LIBRARIES = {
  'bun@1.4.5': {
    start: ['bun'],
    names: usually(['piscina'], ['comlink', 'jest-worker', 'tinypool', 'poolifier']),
  },
  'deno@2.9.6': {
    start: ['deno', 'run', '-A', '--quiet'],
    names: usually([], ['comlink', 'jest-worker', 'piscina', 'workerpool']),
  },
} as const;

for (const spec of ['bun@1.4.5', 'deno@2.9.6'] as const) {
  const { start, names } = LIBRARIES[spec];
  for (const name of names) {
    test(`${spec}: ${name}: the same output, all tasks and results`, { skip: missing(spec) }, async () => {
      const app = { ...libraryApp(name), runtime: spec, command: [...start, `${name}.mjs`] };
      const { differences, told } = await checkRuns(app, await modulesOf(app));
      const { header } = told;
      assert.equal(`${header.runtime?.name}@${header.runtime?.version}`, spec);
      assert.deepEqual([differences, header.gaps], [[], []]);
    });
  }
}
