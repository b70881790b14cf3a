import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestOf } from '../../src/model/wire/wire.ts';
import { answerTo, Mismatch } from '../../src/runtimes/guests/connected-guest.ts';
import { moduleRecipe } from '../make.ts';

const recipe = moduleRecipe('a', '*');
const PROVE: RequestOf<'prove'> = { type: 'prove', recipe, remedy: 'json-text', plan: { path: '$' } };
const PROOF = { id: 1, type: 'proved', equality: 'equal', losses: [], reason: null };

test('a proof has no plan, even if the answer names one', () => {
  const plan = JSON.parse('{"path": "$.other", "__proto__": {"code": "evil"}}') as object;
  const { id: _, ...proof } = PROOF;
  assert.deepEqual(answerTo(PROVE, { ...PROOF, remedy: 'constructor', plan }), proof);
});

test('opening gives recipes of the same file', () => {
  const open: RequestOf<'open'> = { type: 'open', recipe, exports: null };
  const other = {
    ...recipe,
    id: 'a#v',
    source: { file: 'b', export: 'v' },
    via: 'comlink',
    scale: { by: 'x' },
  };
  const build = { form: 'json', file: '/etc/passwd', export: 'v' };
  const message = { id: 1, type: 'opened', payloads: [{ ...other, build }], notes: [] };
  const payload = {
    id: 'a#v',
    source: { file: 'a.mjs', export: 'v' },
    build: { ...recipe.build, export: 'v' },
  };
  assert.deepEqual(answerTo(open, message), { type: 'opened', payloads: [payload], notes: [] });
});

test('checking ends at the first fault of a list', () => {
  let seen = 0;
  const losses = Array.from({ length: 1000 }, () => ({
    what: 'lost',
    get path() {
      seen++;
      return 1;
    },
  }));
  const isMismatch = (error: unknown) =>
    error instanceof Mismatch && error.message === '.losses[0].path: invalid type';
  assert.throws(() => answerTo(PROVE, { ...PROOF, losses }), isMismatch);
  assert.equal(seen, 1);
});
