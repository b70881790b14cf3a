/** Items about a run: conditions of the measurement, the other serialization, and its largest parts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Measurement, RunNoise } from '../../src/model/documents/measurement.ts';
import type { OtherChannel, Run } from '../../src/model/documents/report.ts';
import type { Facts } from '../../src/model/documents/shape.ts';
import type { Rule } from '../../src/model/rules/rule.ts';
import { bytesItem, conditionItems, ruleHint, verdictItems } from '../../src/report/print/verdict.ts';
import { estimate, facts, finding, measurement, run, shape, trial } from '../make.ts';
import { itemTexts } from './node-texts.ts';

const quiet: RunNoise = {
  floor: { spread: 0.4, drift: 0.5, bursts: 0.07, modes: 5 },
  beyond: [],
  strain: { stolen: 0.06, throttled: 0.12 },
  widened: 0,
};

const measured = (more: Partial<Measurement>) => ({ measurement: measurement(400_000, more), noise: quiet });

const rows: [name: string, of: Partial<Run>, ...notes: string[]][] = [
  ['a quiet machine and short messages', measured({})],
  [
    'the receiver misses a frame',
    measured({ blocked: { senderNs: 2e6, receiverNs: 22e6, longestNs: 30e6, exceeds: 'frame' } }),
    'The longest message blocked its thread for 30.0 ms, longer than a frame at 60 Hz (16 ms).',
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
    'This page is not isolated: its threads share no memory, and its clock has steps of 1.00 ms, so send, receive and memory are not known.',
    'Over a network the page is only reloaded between samples, mostly in one process of the browser: earlier measurements may influence these times.',
  ],
  [
    'a receiver that was handed what it answers with',
    measured({
      answers: { with: 'handed', why: "the factory 'a' threw: ReferenceError: document is not defined" },
    }),
    "The receiver cannot build the payload (the factory 'a' threw: ReferenceError: document is not defined): it answers with copies of one that the page handed over.",
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
  [
    'faster, and it keeps more',
    { kept: DATES },
    faster,
    'Arrives there unchanged, and not here: $[*].at Date that arrives as text 3×.',
  ],
  [
    'faster, and it loses something',
    { channel: 'ipc-json', lost: DATES },
    faster.replace('advanced', 'json'),
    'Lost there: $[*].at Date that arrives as text 3×.',
  ],
  [
    'too few samples',
    { ratio: { ...estimate(0.99), samples: 1 }, outcome: 'unsure' },
    faster.replace('2.5x faster', 'no difference is proven (too few samples: 1).'),
  ],
  ['refused', { ratio: null, outcome: 'refused' }, "serialization: 'advanced' would refuse this message."],
  ['not timed', { ratio: null, outcome: 'unsure' }, faster.replace('2.5x faster', 'not timed.')],
];

for (const [what, other, ...sentences] of OTHERS)
  test(`the other serialization: ${what}`, () => {
    const all = told(other);
    assert.equal(all.length, sentences.length, all.join('\n'));
    for (const [at, start] of sentences.entries()) assert.ok(all[at]!.startsWith(start), all[at]);
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
  const spread = many.map((_, i) => texts(`$.${'abc'[i % 3]}.k${i}`, 1, 100));
  assert.deepEqual(said(spread), ['spread over 40 paths, each under 5 %, by estimate.']);
  assert.deepEqual(said([texts('$', 1, 900)]), []);
  assert.equal(bytesItem(run('node@24.21.0', { shape: null })), null);
});

test('a stack that ended is explained by levels if there are too many, else by its rule', () => {
  const error = { code: 'failed', message: 'RangeError: Maximum call stack size exceeded' };
  const failed = run('node@20.20.2', { status: 'failed', error });
  const isNamed = (of: Run, title: RegExp) => itemTexts(verdictItems(of)).some((text) => title.test(text));
  assert.ok(isNamed(failed, /more levels than the stack has room for/));
  const deep = { ...failed, findings: [finding('v8/deep-nesting', '$.a')] };
  assert.ok(isNamed(deep, /^\$\.a deep nesting/));
  // A factory of the user has overflowed it: nothing is known of a payload.
  assert.deepEqual(itemTexts(verdictItems({ ...failed, verdict: null })), []);
});

test('an object that arrives empty is told once, and what else is lost at its place is told too', () => {
  const lost = (rule: string, what: string) => finding(rule, '$.at', { level: 'lossy', what });
  const findings = [
    lost('v8/platform-emptied', 'class URL'),
    lost('spec/class-instance', 'class URL'),
    lost('spec/class-instance', 'class User'),
    lost('spec/frozen', 'class URL'),
  ];
  const told = itemTexts(verdictItems(run('node@20.20.2', { verdict: null, findings })));
  assert.deepEqual(
    told.map((text) => text.replace(/^.*: /, '')),
    [
      'web object that arrives empty (class URL)',
      'class instance (class User)',
      'frozen, sealed or non-extensible (class URL)',
    ],
  );
});

test('a hint follows from what the run tried', () => {
  const rule: Rule = {
    ...{ id: 'jsc/nested-value', at: 'any', when: {}, title: 'nested', why: 'It is slow.', source: 'here' },
    ...{ fix: 'Flatten it.', level: 'slow', remedies: ['compiled', 'json-text'] },
  };
  const refused: Rule = { ...rule, level: 'rejected', fixIn: { comlink: 'Wrap it.' } };
  const through = (library: 'comlink' | 'piscina'): Partial<Run> => ({
    ...{ advice: null, via: { library, path: '$', transfers: true, shape: null } },
  });
  const rows: [name: string, rule: Rule, run: Partial<Run>, hint: string | null][] = [
    ['not measured', rule, { advice: null }, 'Flatten it.'],
    ['a library with a way of its own', refused, through('comlink'), 'Wrap it.'],
    ['another library', refused, through('piscina'), 'Flatten it.'],
    ['rewrites for it were tried', rule, { trials: [trial('json-text', null)] }, null],
    ['others were tried', rule, { trials: [trial('transfer', null)] }, 'Flatten it.'],
    ['nothing is tried for what is refused', refused, {}, 'Flatten it.'],
    [
      'a channel that copies',
      { ...rule, remedies: ['transfer'] },
      { advice: null, channel: 'ipc-advanced' },
      null,
    ],
  ];
  for (const [name, fired, more, hint] of rows)
    assert.equal(ruleHint(fired, run('bun@1.4.5', more)), hint, name);
});
