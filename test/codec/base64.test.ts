/** Base64 in engines that lack a part of what others have. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asJavaScript } from '../../src/codec/code/javascript.ts';
import { REMEDIES } from '../../src/codec/remedies/index.ts';

interface Codec {
  toMessage(payload: unknown): object;
  fromMessage(message: unknown): unknown;
}

const SOURCE = asJavaScript(REMEDIES.base64.codec({ path: '$', paths: ['$'] }).source);

const codecIn = (global: object) =>
  new Function('globalThis', `${SOURCE.replace(/^export /gm, '')}\nreturn { toMessage, fromMessage };`)(
    global,
  ) as Codec;

/** What the engine has, or has not. */
const OWN = [
  [Uint8Array.prototype, 'toBase64'],
  [Uint8Array, 'fromBase64'],
] as const;

function withEngine<T>(
  functions: readonly (((this: Uint8Array, text: string) => unknown) | undefined)[],
  use: () => T,
): T {
  const known = OWN.map(([holder, name]) => Object.getOwnPropertyDescriptor(holder, name));
  for (const [i, [holder, name]] of OWN.entries())
    Object.defineProperty(holder, name, { value: functions[i], configurable: true, writable: true });
  try {
    return use();
  } finally {
    for (const [i, [holder, name]] of OWN.entries()) {
      Reflect.deleteProperty(holder, name);
      if (known[i]) Object.defineProperty(holder, name, known[i]);
    }
  }
}

test('the text is the same by the engine, by Buffer and by btoa, and each reads it', () => {
  const bytes = new Uint8Array(30_000).map((_, i) => i * 7919);
  const expected = { base64: Buffer.from(bytes).toString('base64'), type: 'Uint8Array' };
  let calls = 0;
  const native = [
    function (this: Uint8Array) {
      calls++;
      return Buffer.from(this).toString('base64');
    },
    (text: string) => {
      calls++;
      return new Uint8Array(Buffer.from(text, 'base64'));
    },
  ];
  for (const [functions, global] of [
    [native, {}],
    [[], { Buffer }],
    [[], {}],
  ] as const)
    withEngine(functions, () => {
      const { toMessage, fromMessage } = codecIn(global);
      assert.deepEqual(toMessage(bytes), expected);
      assert.deepEqual(fromMessage(expected), bytes);
    });
  assert.equal(calls, 2);
});

test('a Buffer becomes a Uint8Array if Buffer is missing, and no name creates an object of a different class', () => {
  const message = codecIn({ Buffer }).toMessage(Buffer.from([1, 2]));
  assert.deepEqual(message, { base64: 'AQI=', type: 'Buffer' });
  assert.deepEqual(codecIn({}).fromMessage(message), new Uint8Array([1, 2]));
  const other = { base64: 'AQI=', type: 'Function' };
  assert.deepEqual(codecIn(globalThis).fromMessage(other), new Uint8Array([1, 2]));
});
