import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIBRARIES } from '../../../src/model/names.ts';
import {
  type EnvelopeSide,
  envelopeFor,
  inEnvelope,
  valuePath,
} from '../../../src/record/envelopes/envelopes.ts';

/** Where the user's value is in each library's request. */
const PATHS: Record<string, string> = {
  comlink: '$.argumentList[0].value',
  piscina: '$.task',
  tinypool: '$.task',
  threads: '$.args[0]',
  workerpool: '$.params[0]',
  synckit: '$.args[0]',
  'jest-worker': '$[3][0]',
  'promise-worker': '$[1]',
  poolifier: '$.data',
};

test('the path of the value in each request', () => {
  assert.deepEqual(Object.fromEntries(LIBRARIES.map((name) => [name, valuePath(name)])), PATHS);
});

const PAIRS: [EnvelopeSide, EnvelopeSide][] = [
  ['sender', 'receiver'],
  ['receiver', 'sender'],
  ['alone', 'alone'],
  ['alone', 'receiver'],
];

for (const library of [null, ...LIBRARIES]) {
  for (const [from, to] of PAIRS) {
    test(`${library ?? 'no library'}: the ${to} gets what the ${from} posts`, () => {
      const value = { a: 1 };
      const message = envelopeFor(library, from).wrap(value, []);
      assert.equal(envelopeFor(library, to).unwrap(message), value);
      assert.deepEqual(envelopeFor(library, to).unwrap(structuredClone(message)), value);
    });
  }
}

test('a request holds the value itself, a reply is another message', () => {
  const value = { a: 1 };
  for (const library of LIBRARIES) {
    const request = inEnvelope(library, value);
    assert.deepEqual(envelopeFor(library, 'sender').wrap(value, []), request);
    assert.notDeepEqual(envelopeFor(library, 'receiver').wrap(value, []), request);
  }
});

test('poolifier posts its transfer list as well', () => {
  const buffer = new ArrayBuffer(8);
  const message = envelopeFor('poolifier', 'sender').wrap({ buffer }, [buffer]);
  const sent = structuredClone(message, { transfer: [buffer] }) as {
    data: { buffer: ArrayBuffer };
    transferList: ArrayBuffer[];
  };
  assert.equal(sent.transferList[0], sent.data.buffer);
});
