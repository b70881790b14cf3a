import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { stop } from 'esbuild';
import { loadTries } from '../../../src/app/sources/tries.ts';
import type { Recipe } from '../../../src/model/report/recipe.ts';
import { planOf } from '../../../src/model/rules/remedy.ts';
import type { Guest } from '../../../src/model/run/runtime.ts';
import { openRequest, PayloadFolder } from '../../support/payload-folder.ts';
import { missing, runtime } from '../../support/runtimes.ts';
import { ROOT } from '../../support/spawn-cli.ts';

const folder = new PayloadFolder();

let guest: Guest;

const describing = (recipe: Recipe) =>
  guest.ask({ type: 'describe', recipe, channel: 'worker', confirm: false });

function testPlaces(): void {
  test('the position of an error is that of the file, also in a module that it imports', async () => {
    folder.file(
      'deep.ts',
      'interface A { a: 1 }\nexport const deep = () => {\n  throw new RangeError("deep");\n};\n',
    );
    const outer = folder.module(
      'outer.ts',
      "import { deep } from './deep';\nexport const value = () => deep();",
    );
    const { path } = folder;
    await assert.rejects(describing(outer), ({ message }: Error) => {
      assert.match(message, /the factory 'value' threw: RangeError: deep \(deep\.ts, line 3, column 9\)$/);
      return !message.includes(path.concat('/deep.ts'));
    });
    const loading = folder.module('loading.mjs', '\n  null.x;\nexport const value = 1;');
    await assert.rejects(
      guest.ask(openRequest(loading)),
      /threw while loading: TypeError: .*\(line 2, column 8\)$/,
    );
  });

  test('rewrites of --try are bundled too: proven in the page, or refused in one line', async () => {
    folder.file(
      'mine.ts',
      'export const apply = (v: unknown): string => JSON.stringify(v);\nexport const restore = JSON.parse;',
    );
    symlinkSync(join(ROOT, 'node_modules'), join(folder.path, 'node_modules'));
    const options = { cwd: folder.path, workdir: join(folder.path, 'work') };
    const tries = await loadTries(
      ['mine.ts', 'msgpackr', 'cbor-x', 'devalue', 'superjson', 'seroval', 'v8'],
      options,
    );
    const recipe = folder.value('() => [{ a: 1, b: "x" }, { a: 2, b: "y" }]');
    const proofs: unknown[] = [];
    for (const tried of tries) {
      const asked = { type: 'prove', recipe, remedy: tried.name, plan: planOf(tried) } as const;
      const { equality, reason } = await guest.ask(asked);
      proofs.push([tried.name, equality, reason]);
    }
    const equal = ['mine.ts', 'msgpackr', 'cbor-x', 'devalue', 'superjson', 'seroval'];
    assert.deepEqual(proofs, [
      ...equal.map((name) => [name, 'equal', null]),
      ['v8', 'refused', "v8: this runtime cannot load it: it imports 'node:v8', which no browser has"],
    ]);
  });
}

describe('modules of the user in a page', { skip: missing('chromium') }, () => {
  before(async () => {
    guest = await folder.startGuest(runtime('chromium'));
  });
  after(async () => {
    await guest.close();
    await stop();
  });

  testPlaces();
});
