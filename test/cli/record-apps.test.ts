/** Programs with worker libraries, unmodified. `npm run record:apps` has all of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkApp } from '../apps/check-app.ts';
import { isInstalled, libraryApp, modulesOf } from '../apps/corpus/apps.ts';
import { usually } from '../support/whole.ts';

/** An interval holds with 95 %. */
const BESIDE = 0.1;

for (const library of usually(['piscina'], ['comlink', 'jest-worker'])) {
  test(`${library}: the same output, all messages, their bytes and its envelope`, {
    skip: !isInstalled(library) && `${library} is not installed`,
  }, async () => {
    const app = libraryApp(library);
    const { differences, varies, counts, sites } = await checkApp(app, await modulesOf(app));
    assert.deepEqual([differences, varies, counts.wrong, counts.tail], [[], [], [], 0]);
    assert.ok(counts.counted >= 80);
    for (const { key, bytes } of sites) {
      const isHeld =
        bytes === null ||
        (bytes.low * (1 - BESIDE) <= bytes.counted && bytes.counted <= bytes.high * (1 + BESIDE));
      assert.ok(isHeld, `${key}: ${JSON.stringify(bytes)}`);
    }
    assert.ok(sites.some(({ bytes }) => bytes !== null));
  });
}
