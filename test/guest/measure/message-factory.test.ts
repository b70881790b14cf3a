import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageFactory, ValueSource } from '../../../src/guest/measure/variants.ts';
import type { Endpoint } from '../../../src/guest/platform/common/platform.ts';
import type { Recipe } from '../../../src/model/report/recipe.ts';
import type { Variant } from '../../../src/model/wire/wire.ts';
import { PayloadFolder } from '../../support/payload-folder.ts';
import { bothModes, FLOOR, ORIGINAL } from './requests.ts';
import '../../support/guest-platform.ts';

const folder = new PayloadFolder();
const recipe = folder.module(
  'count.mjs',
  'let made = 0;\nexport const value = () => ({ made: ++made, list: [1] });',
);

/** What is posted of three messages. */
async function posted(variant: Variant, isNewEachTime: boolean): Promise<unknown[]> {
  const source: Recipe = { ...recipe, isNewEachTime };
  const factory = new MessageFactory(variant, new ValueSource(source, 'alone'));
  await factory.prepare(false);
  const messages: unknown[] = [];
  const endpoint = { post: (message: unknown) => messages.push(message) } as unknown as Endpoint;
  for (let i = 0; i < 3; i++) {
    if (factory.consumed) await factory.fill();
    factory.post(endpoint);
  }
  return messages;
}

const MODES: [what: string, variant: Variant][] = [
  ['the payload', ORIGINAL],
  ['a rewrite that is applied before', bothModes('json-text')[0]!],
  ['a rewrite that is applied to each message', bothModes('json-text')[1]!],
];
for (const [what, variant] of MODES)
  test(`if messages are new each time, each is of a value that was just built: ${what}`, async () => {
    assert.equal(new Set((await posted(variant, true)).map((one) => JSON.stringify(one))).size, 3);
    assert.equal(new Set((await posted(variant, false)).map((one) => JSON.stringify(one))).size, 1);
  });

test('the empty message is always the same', async () => {
  assert.equal(new Set(await posted(FLOOR, true)).size, 1);
});
