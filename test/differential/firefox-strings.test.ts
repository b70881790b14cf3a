/** The quick part of `npm run verify:strings`: time may not tell on a busy machine, but it never tells what is not so. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missing, runtime } from '../support/runtimes.ts';
import { usually } from '../support/whole.ts';
import { askedStrings, knownStrings } from './firefox-strings.ts';

for (const [channel, count] of usually<readonly [channel: 'worker' | 'message-port', count: number]>(
  [],
  [
    ['worker', 20],
    ['message-port', 4],
  ],
)) {
  test(`firefox: none of ${count} strings of known origin is misjudged over ${channel}`, {
    skip: missing('firefox'),
  }, async () => {
    const answers = await askedStrings(runtime('firefox'), knownStrings(3, count), channel);
    assert.equal(answers.length, count);
    assert.deepEqual(
      answers.filter(({ told, expected }) => told !== null && told !== expected),
      [],
    );
  });
}
