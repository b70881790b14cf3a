/** Base64 in engines that lack a part of what others have. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asPasted } from '../../src/codec/code/javascript.ts';
import { REMEDIES } from '../../src/codec/remedies/index.ts';

const SOURCE = asPasted(REMEDIES.base64.codec({ path: '$', paths: ['$'] }).source);

const codecIn = (global: object) =>
  new Function('globalThis', `${SOURCE}\nreturn { toMessage, fromMessage };`)(global) as {
    toMessage(payload: unknown): object;
    fromMessage(message: unknown): unknown;
  };

test('the text is the same by the engine, by Buffer and by btoa, and each reads it', (t) => {
  const bytes = new Uint8Array(30_000).map((_, i) => i * 7919);
  const message = { base64: Buffer.from(bytes).toString('base64'), type: 'Uint8Array' };
  const calls: string[] = [];
  const setEngine = (has: boolean) => {
    function toBase64(this: Uint8Array) {
      calls.push('to');
      return Buffer.from(this).toString('base64');
    }
    const fromBase64 = (text: string) => calls.push('from') && new Uint8Array(Buffer.from(text, 'base64'));
    Object.assign(Uint8Array.prototype, { toBase64: has ? toBase64 : undefined });
    Object.assign(Uint8Array, { fromBase64: has ? fromBase64 : undefined });
  };
  const known = [Uint8Array.prototype, Uint8Array].map(Object.getOwnPropertyDescriptors);
  t.after(() => {
    for (const [at, name] of ['toBase64', 'fromBase64'].entries()) {
      const holder = [Uint8Array.prototype, Uint8Array][at]!;
      Reflect.deleteProperty(holder, name);
      Object.defineProperties(holder, known[at]!);
    }
  });
  for (const [has, global] of [
    [true, {}],
    [false, { Buffer }],
    [false, {}],
  ] as const) {
    setEngine(has);
    const { toMessage, fromMessage } = codecIn(global);
    assert.deepEqual(toMessage(bytes), message);
    assert.deepEqual(fromMessage(message), bytes);
  }
  assert.deepEqual(calls, ['to', 'from']);
});

test('a Buffer becomes a Uint8Array if Buffer is missing, and no name creates an object of a different class', () => {
  const message = codecIn({ Buffer }).toMessage(Buffer.from([1, 2]));
  assert.deepEqual(message, { base64: 'AQI=', type: 'Buffer' });
  assert.deepEqual(codecIn({}).fromMessage(message), new Uint8Array([1, 2]));
  const other = { base64: 'AQI=', type: 'Function' };
  assert.deepEqual(codecIn(globalThis).fromMessage(other), new Uint8Array([1, 2]));
});
