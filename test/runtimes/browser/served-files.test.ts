import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Recipe } from '../../../src/model/report/recipe.ts';
import { planOf, type TriedRewrite } from '../../../src/model/rules/remedy.ts';
import type { PageModule } from '../../../src/model/run/runtime.ts';
import { ServedFiles } from '../../../src/runtimes/browser/pages/page-session.ts';

const SECRET = '/home/somebody';
const recipe = (build: Recipe['build']): Recipe => ({ id: 'a', source: { file: 'a', export: null }, build });
const json = recipe({ form: 'json', file: `${SECRET}/a.json` });
const typed = recipe({
  ...{ form: 'module', file: `${SECRET}/bundle.mjs`, source: `${SECRET}/a.ts` },
  ...{ original: 'a.ts', export: 'rows' },
});
const same = recipe({ form: 'module', file: `${SECRET}/a.json`, original: 'a.json', export: 'rows' });
const tried: TriedRewrite = { name: 'mine', title: 't', file: `${SECRET}/mine.mjs`, calls: null };
const plan = planOf(tried);
const variant = { id: 'v', remedy: 'mine', plan, mode: 'with-conversion' } as const;

test('a page gets keys instead of paths, and only what they stand for', async () => {
  const files = new ServedFiles();
  const asked = [
    files.inKeys({ type: 'open', id: 1, recipe: typed, exports: null }),
    files.inKeys({ type: 'prove', id: 2, recipe: json, remedy: 'mine', plan }),
    files.inKeys({ type: 'memory', id: 3, recipe: same, channel: 'worker', variant, messages: 1 }),
    files.inKeys({
      ...{ type: 'measure', id: 4, recipe: json, channel: 'worker', sliceMs: 1, warmupMs: 1 },
      ...{ minRounds: 1, maxRounds: 1, seed: 1, variants: [variant, { ...variant, recipe: typed }] },
    }),
    files.inKeys({ type: 'schema', id: 5, recipes: [json, typed] }),
  ];
  assert.doesNotMatch(JSON.stringify(asked), new RegExp(SECRET));
  const bundled: string[] = [];
  const bundle = async ({ file, name }: { file: string; name: string }): Promise<PageModule> => {
    bundled.push(`${name} ${file}`);
    return { code: file, kind: 'esm', originalOf: () => null };
  };
  const keys = ['0', '1', '2', '3', '4', '5', '../1', ''];
  const codes = await Promise.all(
    keys.map(async (key) => (await files.moduleOf(key, bundle, '/'))?.code ?? null),
  );
  const data = keys.map((key) => files.fileOf(key));
  assert.deepEqual(codes, [
    null,
    `${SECRET}/a.ts`,
    null,
    `${SECRET}/mine.mjs`,
    `${SECRET}/a.json`,
    null,
    null,
    null,
  ]);
  assert.deepEqual(data, [null, null, `${SECRET}/a.json`, null, null, null, null, null]);
  await files.moduleOf('1', bundle, '/');
  assert.equal(bundled.length, 3);
});
