import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type SigningKey, signatureOf } from '../../src/core/signature.ts';

/** vectors_hsip64 of github.com/veorq/SipHash from length 4 on: the first word is the count. Both words little-endian. */
const VECTORS = [
  '178ae7d5a12ee55b',
  '3f7c9dcb80b53d2f',
  '35913ece25bca28a',
  '282720ff84c67bb0',
  '20e8feed8c85e4bc',
];
const KEY: SigningKey = [0x03020100, 0x07060504];
const FIRST = 0x03020100;
const bytes = Uint8Array.from({ length: VECTORS.length }, (_, i) => 4 + i);

for (const [length, expected] of VECTORS.entries()) {
  test(`the published vector of ${4 + length} bytes`, () => {
    assert.equal(signatureOf(KEY, FIRST, bytes.subarray(0, length)), expected);
  });
}

test('another key, count or text has another signature', () => {
  const signatures = [
    signatureOf(KEY, 0, bytes),
    signatureOf([KEY[0], KEY[1] + 1], 0, bytes),
    signatureOf(KEY, 1, bytes),
    signatureOf(
      KEY,
      0,
      bytes.map((byte) => byte ^ 1),
    ),
  ];
  assert.equal(new Set(signatures).size, signatures.length);
});
