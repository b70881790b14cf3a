import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RatioEstimate } from '../../src/model/documents/measurement.ts';
import {
  bytes,
  count,
  counted,
  gainFactor,
  measuredChange,
  percent,
  ratio,
  ratioInterval,
  speed,
  time,
  timeInterval,
} from '../../src/report/text/numbers.ts';

const TIMES: [number, string][] = [
  [0, '0 ns'],
  [0.4, '0 ns'],
  [850, '850 ns'],
  [999.4, '999 ns'],
  [999.6, '1.00 µs'],
  [9100, '9.10 µs'],
  [41_250, '41.3 µs'],
  [412_000, '412 µs'],
  [999_960, '1.00 ms'],
  [1_240_000, '1.24 ms'],
  [61_000_000_000, '61.0 s'],
  [7_200_000_000_000, '7,200 s'],
  [Number.NaN, 'unknown'],
];
for (const [ns, text] of TIMES) test(`${ns} ns is ${text}`, () => assert.equal(time(ns), text));

const BYTES: [number, string][] = [
  [0, '0 B'],
  [999, '999 B'],
  [5120, '5.12 kB'],
  [999_999, '1.00 MB'],
  [8_321_499_136, '8.32 GB'],
  [-2048, '-2.05 kB'],
];
for (const [value, text] of BYTES) test(`${value} bytes are ${text}`, () => assert.equal(bytes(value), text));

const SPEEDS: [number, string][] = [
  [0.34, '2.9x faster'],
  [0.01, '100x faster'],
  [0.97, '1.03x faster'],
  [1, 'the same'],
  [1.004, 'the same'],
  [1.31, '1.3x slower'],
  [640, '640x slower'],
];
for (const [value, text] of SPEEDS) {
  test(`a ratio of ${value} is ${text}`, () =>
    assert.equal(speed({ ratio: value, ci: [value, value] }), text));
}

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
  assert.equal(ratio(640.2), '640');
});

test('counts are grouped by thousands, and one is one', () => {
  assert.equal(count(1204), '1,204');
  assert.equal(count(1234567), '1,234,567');
  assert.equal(counted(1, 'process', 'processes'), '1 process');
  assert.equal(counted(5, 'process', 'processes'), '5 processes');
});

test('shares are percents', () => {
  assert.equal(percent(0.013), '1.3 %');
  assert.equal(percent(0.42), '42 %');
  assert.equal(percent(0), '0 %');
  assert.equal(percent(0.0003), '<0.1 %');
  assert.equal(percent(0.0005), '0.1 %');
});
