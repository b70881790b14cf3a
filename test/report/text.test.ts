import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RatioEstimate } from '../../src/model/documents/measurement.ts';
import { visible, visibleJson, visibleLine, visibleLines } from '../../src/report/text/escape.ts';
import {
  bytes,
  gainFactor,
  measuredChange,
  percent,
  ratioInterval,
  ratioText,
  speed,
  time,
  timeInterval,
} from '../../src/report/text/numbers.ts';
import { cutPath, shortenName } from '../../src/report/words.ts';

const speedOf = (ratio: number): string => speed({ ratio, ci: [ratio, ratio] });

const NUMBERS: [write: (value: number) => string, value: number, text: string][] = [
  [time, 0.4, '0 ns'],
  [time, 999.4, '999 ns'],
  [time, 999.6, '1.00 µs'],
  [time, 9100, '9.10 µs'],
  [time, 61_000_000_000, '61.0 s'],
  [time, 7_200_000_000_000, '7,200 s'],
  [time, Number.NaN, 'unknown'],
  [bytes, 999, '999 B'],
  [bytes, 999_999, '1.00 MB'],
  [bytes, 8_321_499_136, '8.32 GB'],
  [bytes, -2048, '-2.05 kB'],
  [speedOf, 0.34, '2.9x faster'],
  [speedOf, 0.97, '1.03x faster'],
  [speedOf, 1.004, 'the same'],
  [speedOf, 1.31, '1.3x slower'],
];
for (const [write, value, text] of NUMBERS)
  test(`${write.name} of ${value} is ${text}`, () => assert.equal(write(value), text));

test('both ends of an interval share a unit', () => {
  assert.equal(timeInterval({ ci: [950_000, 1_240_000] }), '0.95–1.24 ms');
  assert.equal(ratioInterval({ ci: [0.332, 0.351] }), '0.33–0.35');
  assert.equal(timeInterval({ ci: [0, 0] }), '0–0 ns');
});

test('an interval that says nothing is replaced by the reason', () => {
  const [few, noisy] = [
    { samples: 3, processes: 3 },
    { samples: 300, processes: 5 },
  ];
  assert.equal(ratioInterval({ ci: [0.05, 8.93], ...few }), 'too few samples: 3');
  assert.equal(timeInterval({ ci: [100, 2_000_000], ...noisy }), 'too wide an interval');
  assert.equal(measuredChange(1.26, { ci: [0.03, 62.89], ...few }), 'too few samples: 3');
  assert.equal(measuredChange(1.26, { ci: [1.15, 1.38], ...few }), '+26 % (95 %: +15 % to +38 %)');
  const gains: [gain: RatioEstimate, speed: string, factor: string][] = [
    [{ ratio: 1 / 138, ci: [0.0005, 0.07], samples: 1 }, 'not known', 'not known'],
    [{ ratio: 1 / 138, ci: [0.0005, 0.07], ...few }, 'at least 14x faster', 'at least 14x'],
    [{ ratio: 20, ci: [2, 200], ...few }, 'at least 2.0x slower', 'at least 2.0x slower'],
    [{ ratio: 0.5, ci: [0.05, 5], ...noisy }, 'not known', 'not known'],
  ];
  for (const [gain, words, factor] of gains)
    assert.deepEqual([speed(gain), gainFactor(gain)], [words, factor]);
  assert.equal(ratioText(640.2), '640');
});

test('shares are percents', () => {
  const told = [0.013, 0.42, 0, 0.0003, 0.0005].map(percent);
  assert.deepEqual(told, ['1.3 %', '42 %', '0 %', '<0.1 %', '0.1 %']);
});

test('a long path is cut in the middle, and nothing else is', () => {
  assert.match(cutPath(`$${'.next'.repeat(90)}.id`), /^\$[.next]{25}…[.next]{50}\.id$/);
  for (const whole of ['$', '$.a.a.a', 'orders#small', `npx clone-prof analyze ${'x'.repeat(200)}`])
    assert.equal(cutPath(whole), whole);
});

test('a long name is cut between characters, not inside of one', () => {
  assert.equal(shortenName('👍👍👍👍', 4), '👍👍👍👍');
  assert.equal(shortenName('👍👍👍👍a👍👍', 4), '👍…👍👍');
});

const SHOWN: { given: string; shown: string; ascii?: string }[] = [
  { given: 'plain $.a[3]', shown: 'plain $.a[3]' },
  {
    given: '日本 é 👍🏽',
    shown: '日本 é 👍🏽',
    ascii: '\\u65e5\\u672c \\u00e9 \\ud83d\\udc4d\\ud83c\\udffd',
  },
  { given: '\u001b[31m', shown: '\\u001b[31m' },
  { given: '\u009b2J', shown: '\\u009b2J' },
  { given: 'a\nb\r\tc', shown: 'a\\nb\\r\\tc' },
  { given: 'a\u202eb', shown: 'a\\u202eb' },
  { given: '\u2066\u2069\u200f\u061c', shown: '\\u2066\\u2069\\u200f\\u061c' },
  { given: '\u200b\ufeff\u2028', shown: '\\u200b\\ufeff\\u2028' },
  { given: '\u{e0041}', shown: '\\udb40\\udc41' },
  { given: '\ud83d.', shown: '\\ud83d.' },
  { given: '::error::x', shown: ':\\u003aerror:\\u003ax' },
  { given: 'std :: x', shown: 'std :: x' },
  { given: '##[group]', shown: '#\\u0023[group]' },
  { given: '##vso[task]', shown: '#\\u0023vso[task]' },
];

for (const { given, shown, ascii } of SHOWN) {
  test(`${JSON.stringify(given)} is shown as ${shown}`, () => {
    assert.equal(visible(given), shown);
    if (ascii !== undefined) assert.equal(visible(given, true), ascii);
  });
}

test('an escape means the same in JavaScript and JSON strings', () => {
  for (const { given } of SHOWN) {
    const literal = JSON.stringify(given);
    assert.equal(JSON.parse(visible(literal)), given);
    assert.equal(JSON.parse(visible(literal, true)), given);
    assert.equal(JSON.parse(visibleJson(literal)), given);
  }
});

test('line ends are kept', () => {
  assert.deepEqual(visibleLines('if (a) {\n\treturn;\r\n}'), ['if (a) {', '  return;', '}']);
});

test('a long line keeps its beginning and its end', () => {
  const line = `name ${'x'.repeat(2000)} the reason`;
  assert.match(visibleLine(line), /^name x+…x+ the reason$/);
  assert.equal(visibleLine(line).length, 1000);
  assert.match(visibleLine(line, 40), /^name x+…x+ the reason$/);
  assert.equal(visibleLine('short'), 'short');
});
