/** Items about a run: conditions of the measurement, the other serialization, and its largest parts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Measurement, RunNoise } from '../../src/model/documents/measurement.ts';
import type { OtherChannel, Run } from '../../src/model/documents/report.ts';
import type { Facts } from '../../src/model/documents/shape.ts';
import { nodesOf } from '../../src/report/nodes.ts';
import { phaseFacts } from '../../src/report/print/details.ts';
import { bytesItem, conditionItems } from '../../src/report/print/verdict.ts';
import { estimate, facts, measurement, run, shape } from '../make.ts';
import { itemTexts } from './node-texts.ts';

const quiet: RunNoise = {
  floor: { spread: 0.4, drift: 0.5, bursts: 0.07, modes: 5 },
  beyond: [],
  strain: { stolen: 0.06, throttled: 0.12 },
  widened: 0,
};

const measured = (more: Partial<Measurement>) => ({ measurement: measurement(400_000, more), noise: quiet });
const noisy = (more: Partial<RunNoise>) => ({ ...measured({}), noise: { ...quiet, ...more } });

const rows: [name: string, of: Partial<Run>, ...notes: string[]][] = [
  ['a quiet machine and short messages', measured({})],
  [
    'the receiver misses a frame',
    measured({ blocked: { senderNs: 2e6, receiverNs: 22e6, longestNs: 30e6, exceeds: 'frame' } }),
    '99 of 100 messages block the receiver for up to 22.0 ms (typically 176 µs), longer than a frame at 60 Hz (16 ms). The longest took 30.0 ms.',
  ],
  [
    'the sender has a long task, and there is no receiver',
    measured({ blocked: { senderNs: 62e6, receiverNs: null, longestNs: 63e6, exceeds: 'long-task' } }),
    '99 of 100 messages block the sender for up to 62.0 ms (typically 124 µs), a long task (over 50 ms): everything else on that thread waits. The longest took 63.0 ms.',
  ],
  [
    'a browser that opened the link on this machine',
    measured({ link: 'this-machine', page: { clockStepNs: 5000, sharesMemory: true }, peakMemory: null }),
    'Memory is not known: clone-prof did not start this browser and cannot look into its process.',
  ],
  [
    'one on the network',
    measured({
      ...{ link: 'network', page: { clockStepNs: 1e6, sharesMemory: false } },
      ...{ peakMemory: null, send: null, receive: null, blocked: null },
    }),
    'This page is not isolated: its threads share no memory, so receive and memory are not known, and its clock has steps of 1.00 ms: send is not known either.',
    'Over a network the page is only reloaded between samples, mostly in one process of the browser: earlier measurements may influence these times.',
  ],
  [
    'a receiver that was handed what it answers with',
    measured({
      answers: { with: 'handed', why: "the factory 'a' threw: ReferenceError: document is not defined" },
    }),
    "The receiver cannot build the payload (the factory 'a' threw: ReferenceError: document is not defined): it answers with copies of one that the page handed over.",
  ],
  [
    'a receiver that answers with empty messages',
    measured({ answers: { with: 'empty', why: 'x' } }),
    'The receiver cannot build the payload (x): only the page can have it, and it can only be moved: answers are empty, so that the round trip has the payload in one direction.',
  ],
  [
    'other load on the machine',
    noisy({ beyond: ['stolen', 'throttled', 'drift'], widened: 0.48 }),
    'CPU steal took 6.0 % of the time; CPU throttling took 12 % of the time; the empty message drifted by 65 % within a process. Intervals are widened by 48 %.',
  ],
  [
    'other programs on its cores',
    noisy({ beyond: ['waited'], waited: 0.42 }),
    'Sender and receiver waited for a core for 42 % of a round trip each, so that rewrites are compared by the time that they had one.',
  ],
  [
    'empty messages that differ',
    noisy({ beyond: ['spread', 'bursts', 'modes'] }),
    'The same empty message differed by 40 % between processes; 7.0 % of the empty messages took over five times as long; the empty message had two speeds.',
  ],
];

const notesOf = (runs: Run[]) => itemTexts(conditionItems(runs));

for (const [name, of, ...notes] of rows) {
  test(`notes: ${name}`, () => {
    const one = run('node@24.21.0', of);
    assert.deepEqual(notesOf([one]), notes);
    assert.deepEqual(
      notesOf([one, one]),
      [...notes, ...notes].map((note) => `node 24.21.0: ${note}`),
    );
  });
}

test('notes: reading a canvas back is mentioned if it takes at least as long as posting', () => {
  const canvas = (readBackNs: number, more: Partial<Run> = {}) =>
    notesOf([run('chromium@143.0.0', { ...measured({}), readBackNs, ...more })]);
  assert.match(
    String(canvas(200_000)[0]),
    /^Reading the canvas back takes 200 µs for each payload, posting it 200 µs\. If the receiver only draws it, /,
  );
  assert.deepEqual(canvas(199_000), []);
  assert.deepEqual(canvas(399_000, { channel: 'structured-clone' }), []);
  assert.deepEqual(canvas(200_000, { measurement: null }), []);
});

test('notes: a record of a database', () => {
  const estimate = { median: 22e6, ci: [21e6, 23e6] as [number, number] };
  const database = { transaction: estimate, result: estimate, floor: { transaction: 1, result: 1 } };
  const blocked = { senderNs: 2e6, receiverNs: 22e6, longestNs: 30e6, exceeds: 'frame' } as const;
  const notes = notesOf([
    run('chromium@143.0.0', { channel: 'indexeddb', ...measured({ database, blocked }) }),
  ]);
  assert.match(
    String(notes[0]),
    /^A round trip is one record that is put, .*: put clones the value and blocks the thread/,
  );
  assert.match(
    String(notes[1]),
    /^99 of 100 messages block the thread that reads request\.result for up to 22\.0 ms/,
  );
});

const phases: [unaccounted: number, facts: string[]][] = [
  [1000, ['transit 2.00 µs']],
  [30_000, ['transit 2.00 µs', '30.0 µs of each way (30 %) is unaccounted for']],
  [-20_000, ['transit 2.00 µs', '20.0 µs of each way (20 %) overlaps: both threads work at once']],
  // More than the shorter of both cannot overlap.
  [-23_000, ['transit 2.00 µs']],
  [-418_000, ['transit 2.00 µs']],
];

for (const [unaccounted, facts] of phases) {
  test(`phases: ${unaccounted} ns unaccounted for`, () => {
    const rest = { oneWay: 100_000, send: 40_000, receive: 20_000, transit: 2000 };
    assert.deepEqual(phaseFacts({ ...rest, unaccounted }), facts);
  });
}

const DATES = [{ rule: 'spec/json-date', path: '$[*].at', count: 3 }];

const told = (other: Partial<OtherChannel>): string[] => {
  const otherChannel: OtherChannel = {
    ...{ channel: 'ipc-advanced', ratio: estimate(0.4), outcome: 'faster', kept: [], lost: [] },
    ...other,
  };
  return itemTexts(conditionItems([run('node@20.20.2', { otherChannel })]));
};

const faster = "With serialization: 'advanced', for all messages of the child: 2.5x faster";

/** Beginnings of the sentences. */
const OTHERS: [what: string, other: Partial<OtherChannel>, ...sentences: string[]][] = [
  ['faster', {}, faster, 'What arrives is the same.'],
  [
    'faster, and it keeps more',
    { kept: DATES },
    faster,
    'Arrives there unchanged, and not here: $[*].at (Date that arrives as text, 3×).',
  ],
  [
    'faster, and it loses something',
    { channel: 'ipc-json', lost: DATES },
    faster.replace('advanced', 'json'),
    'Lost there: $[*].at (Date that arrives as text, 3×).',
  ],
  ['slower', { ratio: estimate(1.5), outcome: 'slower' }, faster.replace('2.5x faster', '1.5x slower')],
  [
    'not decided',
    { ratio: estimate(0.99), outcome: 'unsure' },
    faster.replace('2.5x faster', 'no difference is proven (1.01x faster ('),
  ],
  [
    'too few samples',
    { ratio: { ...estimate(0.99), samples: 1 }, outcome: 'unsure' },
    faster.replace('2.5x faster', 'not decided (too few samples: 1), timed in turns.'),
  ],
  ['refused', { ratio: null, outcome: 'refused' }, "serialization: 'advanced' would refuse this message."],
  ['not timed', { ratio: null, outcome: 'unsure' }, "serialization: 'advanced' could not be timed."],
];

for (const [what, other, ...sentences] of OTHERS)
  test(`the other serialization: ${what}`, () => {
    const all = told(other);
    assert.equal(all.length, sentences.length, all.join('\n'));
    for (const [at, start] of sentences.entries()) assert.ok(all[at]!.startsWith(start), all[at]);
  });

test('nothing is reported about other channels unless they were tried', () => {
  assert.deepEqual(nodesOf(conditionItems([run('node@20.20.2')])), []);
});

const texts = (pattern: string, count: number, total: number): Facts =>
  facts(pattern, 'string', { count, bytes: { max: total, total } });

const said = (patterns: Facts[]): string[] =>
  itemTexts(bytesItem(run('node@24.21.0', { shape: shape({ patterns }) })));

test('the paths with most bytes are named, with what is in them by several kinds', () => {
  const patterns = [
    texts('$.rows[*].note', 10, 6000),
    facts('$.rows[*].note', 'number', { count: 200 }),
    texts('$.rows[*].id', 10, 1500),
    texts('$.head', 1, 900),
    texts('$.rest', 1, 800),
    texts('$.small', 1, 10),
  ];
  assert.deepEqual(said(patterns), ['$.rows[*].note 73 %, $.rows[*].id 13 %, $.head 7 %, by estimate.']);
});

test('bytes that are everywhere, and messages of few bytes', () => {
  const many = Array.from({ length: 40 }, (_, i) => texts(`$.k${i}`, 1, 100));
  assert.deepEqual(said(many), ['$.* 100 %, by estimate.']);
  const unlike = many.map((one, i) => ({ ...one, tag: `class ${i % 4}` }));
  assert.deepEqual(said(unlike), ['spread over 40 paths, each under 5 %, by estimate.']);
  assert.deepEqual(said([texts('$', 1, 900)]), []);
  assert.equal(bytesItem(run('node@24.21.0', { shape: null })), null);
});

test('if there were too many patterns, the place that contains them all is named', () => {
  assert.deepEqual(said([texts('$.versions.*..', 10, 6000)]), [
    'everything in $.versions.* 100 %, by estimate.',
  ]);
});
