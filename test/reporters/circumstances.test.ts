import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LoadPoint, Measurement, RunNoise } from '../../src/model/report.ts';
import { circumstanceNotes, loadGrid, phaseFacts } from '../../src/reporters/circumstances.ts';
import { measurement, run } from './frozen/build.ts';

const point = (over: Partial<LoadPoint>): LoadPoint => ({
  window: null,
  offered: null,
  throughput: 600,
  latency: { median: 2e6, p95: 3e6, p99: 4e6 },
  waiting: { median: 12, most: 1200 },
  growing: false,
  messages: 300,
  ...over,
});

const quiet: RunNoise = {
  floor: { spread: 0.4, drift: 0.5, bursts: 0.07, modes: 5 },
  beyond: [],
  strain: { stolen: 0.06, throttled: 0.12 },
  widened: 0,
};

const rows: [name: string, more: Partial<Measurement>, noise: RunNoise, notes: string[]][] = [
  ['a quiet machine and short messages', {}, quiet, []],
  [
    'the receiver misses a frame',
    { blocked: { senderNs: 2e6, receiverNs: 22e6, longestNs: 30e6, exceeds: 'frame' } },
    quiet,
    [
      'One message keeps the receiver from all else for up to 22.0 ms, longer than a frame at 60 Hz (16 ms). The longest of all took 30.0 ms.',
    ],
  ],
  [
    'the sender has a long task, and nobody receives',
    { blocked: { senderNs: 62e6, receiverNs: null, longestNs: 63e6, exceeds: 'long-task' } },
    quiet,
    [
      'One message keeps the sender from all else for up to 62.0 ms, a long task (50 ms): whatever else it serves has to wait. The longest of all took 63.0 ms.',
    ],
  ],
  [
    'a machine that is not ours alone',
    {},
    { ...quiet, beyond: ['stolen', 'throttled', 'drift'], widened: 0.48 },
    [
      'Noise: 6.0 % of the time was stolen by other machines; the CPU quota took away 12 % of the time; the empty message moved by 65 % within a process. Intervals are widened by 48 % for it.',
    ],
  ],
  [
    'empty messages that differ',
    {},
    { ...quiet, beyond: ['spread', 'bursts', 'modes'] },
    [
      'Noise: the same empty message differed by 40 % between processes; 7.0 % of the empty messages took over five times as long; the empty message had two speeds.',
    ],
  ],
  [
    'a queue that grows',
    { load: [point({ window: 16 }), point({ offered: 1000, growing: true })] },
    quiet,
    [
      'At 1,000/s the queue grows as long as it goes on: 600/s are taken, 2.12 MB a second on the wire alone. It looks like a leak and is none: wait for answers before sending more.',
    ],
  ],
];

for (const [name, more, noise, notes] of rows) {
  test(`notes: ${name}`, () => {
    const one = run('node@24.21.0', { measurement: measurement(400_000, more), noise });
    assert.deepEqual(circumstanceNotes([one]), notes);
    assert.deepEqual(
      circumstanceNotes([one, one]),
      [...notes, ...notes].map((note) => `node 24.21.0: ${note}`),
    );
  });
}

test('a load in its columns', () => {
  const points = [point({ window: 16 }), point({ offered: 1234.5, growing: true }), point({ offered: 5 })];
  const grid = loadGrid(points);
  assert.deepEqual(
    grid.map(({ head, cells }) => [head, ...cells]),
    [
      ['load', '16 on the way', '1,235/s due', '5/s due'],
      ['taken', '600/s', '600/s', '600/s'],
      ['latency', '2.00 ms', '2.00 ms', '2.00 ms'],
      ['p99', '4.00 ms', '4.00 ms', '4.00 ms'],
      ['waiting', '12', '12', '12'],
      ['at most', '1,200', '1,200', '1,200'],
      ['', '', 'grows', 'keeps up'],
    ],
  );
});

const phases: [unaccounted: number, facts: string[]][] = [
  [1000, ['transit 2.00 µs']],
  [30_000, ['transit 2.00 µs', '30.0 µs of one way (30 %) in none of the three']],
  [-30_000, ['transit 2.00 µs', '30.0 µs of one way (30 %) with both threads at work']],
];

for (const [unaccounted, facts] of phases) {
  test(`phases: ${unaccounted} ns unaccounted for`, () => {
    const rest = { oneWay: 100_000, send: 40_000, receive: 20_000, transit: 2000 };
    assert.deepEqual(phaseFacts({ ...rest, unaccounted }), facts);
  });
}
