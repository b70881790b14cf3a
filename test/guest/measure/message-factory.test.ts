import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { MessageFactory } from '../../../src/guest/measure/variants/message-factory.ts';
import { ValueSource } from '../../../src/guest/measure/variants/value-source.ts';
import type { Endpoint } from '../../../src/guest/platform/common/platform.ts';
import type { Recipe } from '../../../src/model/report/recipe.ts';
import type { Variant } from '../../../src/model/wire/wire.ts';
import { PayloadFolder } from '../../support/payload-folder.ts';
import { bothModes, FLOOR, ORIGINAL } from './requests.ts';
import '../../support/guest-platform.ts';

const folder = new PayloadFolder();
after(() => folder.remove());
const recipe = folder.module(
  'list.mjs',
  'export const value = () => Array.from({ length: 3 }, (_, i) => ({ i }));',
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

test('if messages are new each time, each is built', async () => {
  const [one, ...others] = await posted(ORIGINAL, true);
  for (const other of others) {
    assert.deepEqual(other, one);
    assert.notEqual(other, one);
  }
  const [same, ...rest] = await posted(ORIGINAL, false);
  for (const other of rest) assert.equal(other, same);
});

test('rewrites are of new values too, and the empty message is what it was', async () => {
  const [inPlace] = bothModes('json-text');
  for (const isNew of [true, false])
    assert.deepEqual(
      await posted(inPlace!, isNew),
      Array(3).fill(JSON.stringify([{ i: 0 }, { i: 1 }, { i: 2 }])),
    );
  assert.equal(new Set(await posted(FLOOR, true)).size, 1);
});
