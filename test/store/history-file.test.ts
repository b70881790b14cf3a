import assert from 'node:assert/strict';
import { test } from 'node:test';
import { historyText, isHistory, parseHistory } from '../../src/store/history-file.ts';
import { commitLine } from '../reporters/frozen/history.ts';

const line = (nth: number, more: object = {}) => `${JSON.stringify({ ...commitLine(nth), ...more })}\n`;
const ids = (text: string) =>
  parseHistory(text, 'h.ndjson').map(({ commit }) => Number.parseInt(commit.slice(0, 4), 16));

test('a commit is there once, as it was written last', () => {
  const twice = line(1) + line(2) + line(1, { payloads: [] });
  assert.deepEqual(ids(twice), [2, 1]);
  assert.deepEqual(parseHistory(twice, 'h').at(-1)?.payloads, []);
  const kept = parseHistory(line(1) + line(2), 'h');
  assert.equal(historyText(kept, { ...commitLine(1), payloads: [] }), line(2) + line(1, { payloads: [] }));
});

for (const [what, text, found] of [
  ['nothing', '', []],
  [
    'empty lines, a byte order mark, line ends of Windows',
    `\ufeff${line(1)}\r\n\n${line(2).replace('\n', '\r\n')}`,
    [1, 2],
  ],
  ['a last line that was cut off', line(1) + line(2).slice(0, 40), [1]],
  ['a last line without its end', line(1) + line(2).trimEnd(), [1, 2]],
  ['fields of later versions', line(1, { more: 1 }), [1]],
] as const)
  test(`it is read: ${what}`, () => assert.deepEqual(ids(text), found));

for (const [what, text, says] of [
  ['a line that is not JSON', `${line(1)}{\n${line(2)}`, /line 2 is not valid JSON/],
  ['another document', `${line(1)}{"schema":"clone-prof/report@1"}\n`, /line 2: \$\.schema: /],
  ['a commit that is no id', line(1, { commit: '<script>' }), /line 1: \$\.commit: /],
  ['a time that is none', line(1, { time: 'today' }), /line 1: \$\.time: /],
  [
    'values that are too deep',
    `${line(1)}${'['.repeat(600)}\n${line(2)}`,
    /line 2 is nested more than 500 levels deep/,
  ],
  ['numbers for a class', line(1, { payloads: [{ class: 7 }] }), /line 1: \$\.payloads\[0\]\.payload: /],
  ['too many lines', '\n'.repeat(100_002), /more than 100000 lines/],
] as const)
  test(`one clear error: ${what}`, () => {
    assert.throws(
      () => parseHistory(text, 'h.ndjson'),
      (error: Error) => {
        assert.match(error.message, says);
        assert.doesNotMatch(error.message, /\n/);
        return error.message.startsWith('h.ndjson: ');
      },
    );
  });

test('it is known by its first line', () => {
  assert.equal(isHistory(line(1)), true);
  assert.equal(isHistory(JSON.stringify({ schema: commitLine(1).schema, commits: [] })), false);
  assert.equal(isHistory('{"schema":"clone-prof/report@1"}'), false);
  assert.equal(isHistory('<html>'), false);
});
