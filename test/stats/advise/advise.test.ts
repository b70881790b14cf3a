import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SIMPLEST_FIRST } from '../../../src/codec/remedies/index.ts';
import type { Measurement, RatioEstimate } from '../../../src/model/documents/measurement.ts';
import type { Facts, Shape } from '../../../src/model/documents/shape.ts';
import type { Advice, Trial } from '../../../src/model/documents/trial.ts';
import type { EngineName } from '../../../src/model/names.ts';
import { type AdviceFacts, advise, withKeptTexts } from '../../../src/stats/advise/advise.ts';
import * as make from '../../make.ts';

function measurement(medianNs: number, floorNs: number): Measurement {
  const ratio = medianNs / floorNs;
  return make.measurement(medianNs, {
    floor: { roundTrip: floorNs, send: 1, receive: null },
    overFloor: { ratio, ci: [ratio * 0.999, ratio], samples: 300, processes: 3 },
  });
}

const ratio = (low: number, ratio: number, high: number): RatioEstimate => ({ ratio, ci: [low, high] });
const FASTER = ratio(0.4, 0.5, 0.6);
/** Of four messages on a busy machine. */
const NOTHING: RatioEstimate = { ...ratio(0.05, 0.66, 8.93), samples: 4, processes: 2 };
const SLOWER = ratio(1.4, 1.5, 1.6);
const SAME = ratio(0.97, 1, 1.03);
const OPEN = ratio(0.8, 1, 1.2);
/** One message of the original was timed. */
const ONE_SAMPLE: RatioEstimate = { ...ratio(0.001, 0.02, 0.3), samples: 1, processes: 1 };

const trial = (remedy: string, withConversion: RatioEstimate | null, over: Partial<Trial> = {}): Trial =>
  make.trial(remedy, null, {
    withConversion,
    outcome: withConversion === FASTER ? 'faster' : withConversion === SLOWER ? 'slower' : 'unsure',
    outcomeInPlace: 'unsure',
    ...over,
  });

const codeOf = (remedy: string) => ({ sender: `send(${remedy})`, receiver: `receive(${remedy})` });
const adviceOn = (trials: Trial[], over: Partial<AdviceFacts> = {}) =>
  advise({
    measurement: measurement(1_000_000, 100_000),
    verdict: make.verdict(),
    trials,
    untried: [],
    obstacle: null,
    spentMs: 5000,
    simplestFirst: SIMPLEST_FIRST,
    codeOf,
    costsOf: (remedy) => (remedy === 'transfer' ? ['the sender loses the buffers'] : []),
    ...over,
  });

const of = (remedy: string, low: number, middle: number, high: number): Trial =>
  trial(remedy, ratio(low, middle, high), { outcome: 'faster' });

const json = (gain: RatioEstimate | null, over?: Partial<Trial>) => trial('json-text', gain, over);
const compiled = (gain: RatioEstimate | null, over?: Partial<Trial>) => trial('compiled', gain, over);

test('a proven equal and faster rewrite is applied, with its code', () => {
  assert.deepEqual(adviceOn([compiled(SLOWER), json(FASTER)]), {
    action: 'apply',
    remedy: 'json-text',
    path: '$',
    gain: FASTER,
    code: '// sender\nsend(json-text)\n\n// receiver\nreceive(json-text)\n',
    saves: { ns: 500_000, mattersFromPerSecond: 20 },
  });
});

test('a rewrite that could not be tried never leads to the advice to do nothing', () => {
  const untried = [{ remedy: 'compiled', path: '$', plan: { path: '$' }, reason: 'took longer than 30 ms' }];
  const rejected = make.verdict({ path: 'rejected', class: 'rejected' });
  const rows: [name: string, advice: ReturnType<typeof adviceOn>, action: string][] = [
    ['no other', adviceOn([], { untried }), 'not-tried'],
    [
      'near the floor',
      adviceOn([], { untried, measurement: measurement(1_400_000, 1_000_000) }),
      'not-the-clone',
    ],
    ['rejected', adviceOn([], { untried, verdict: rejected, measurement: null }), 'not-tried'],
  ];
  for (const [name, advice, action] of rows) {
    assert.equal(advice?.action, action, name);
    assert.deepEqual(advice?.untried, untried, name);
  }
});

test('near the floor, cloning is not the cost; a rewrite that is proven faster comes first', () => {
  const near = (over: Partial<Measurement> = {}) => ({
    measurement: { ...measurement(1_400_000, 1_000_000), ...over },
  });
  const starved = { ratio: 1.22, ci: [0.4, 1.45] as [number, number], samples: 1, processes: 1 };
  const rows: [name: string, trials: Trial[], over: Partial<AdviceFacts>, action: string][] = [
    ['nothing was tried', [], near(), 'not-the-clone'],
    ['all are slower', [json(SLOWER)], near(), 'not-the-clone'],
    ['one is faster', [json(FASTER)], near(), 'apply'],
    ['one is faster by one sample', [trial('transfer', ONE_SAMPLE)], near(), 'not-the-clone'],
    ['one sample of each', [trial('transfer', ONE_SAMPLE)], near({ overFloor: starved }), 'unsure'],
    ['on the edge', [], { measurement: measurement(1_500_000, 1_000_000) }, 'not-the-clone'],
    ['beyond it', [], { measurement: measurement(1_600_000, 1_000_000) }, 'nothing'],
    ['the interval is beyond it', [], near({ overFloor: ratio(1.3, 1.4, 1.6) }), 'nothing'],
  ];
  for (const [name, trials, over, action] of rows) assert.equal(adviceOn(trials, over)?.action, action, name);
});

test('if gains have overlapping intervals the simpler rewrite is advised, otherwise the faster', () => {
  const rows: [trials: Trial[], remedy: string][] = [
    [[of('compiled', 0.4, 0.5, 0.6), of('json-text', 0.45, 0.55, 0.65)], 'json-text'],
    [[of('compiled', 0.2, 0.25, 0.3), of('json-text', 0.45, 0.55, 0.65)], 'compiled'],
    [[of('compiled', 0.2, 0.3, 0.9), of('json-text', 0.7, 0.8, 0.9)], 'compiled'],
    [[of('mine', 0.45, 0.5, 0.55), of('share', 0.46, 0.51, 0.56)], 'share'],
    [[of('mine', 0.3, 0.35, 0.4), of('share', 0.46, 0.51, 0.56)], 'mine'],
  ];
  for (const [trials, remedy] of rows) {
    assert.equal(adviceOn(trials)?.remedy, remedy);
    assert.equal(adviceOn([...trials].reverse())?.remedy, remedy, 'whatever the order');
  }
});

test('faster in place only: reported, not advised', () => {
  const owned = { inPlace: FASTER, outcomeInPlace: 'faster' } as const;
  assert.deepEqual(adviceOn([trial('typed-array', SLOWER, owned)]), {
    action: 'nothing',
    remedy: 'typed-array',
    path: '$',
    gain: FASTER,
    code: null,
    bound: 1,
    ownsBothForms: true,
  });
  assert.equal(adviceOn([trial('typed-array', OPEN, owned)])?.action, 'unsure');
  const both = adviceOn([trial('typed-array', SLOWER, owned), json(FASTER)]);
  assert.deepEqual([both?.action, both?.remedy, both?.ownsBothForms], ['apply', 'json-text', undefined]);
});

test('for a rejected payload the rewrite that was proven equal is advised', () => {
  const rejected = { measurement: null, verdict: make.verdict({ path: 'rejected', class: 'rejected' }) };
  const advice = adviceOn([trial('plain', null)], rejected);
  assert.deepEqual([advice?.action, advice?.remedy, advice?.gain], ['apply', 'plain', null]);
  assert.ok(advice?.code?.includes('send(plain)'));
  for (const more of [{ equality: 'lossy' }, { outcome: 'refused' }] as const)
    assert.equal(adviceOn([trial('plain', null, more)], rejected), null);
  assert.equal(adviceOn([], rejected), null);
});

test('a newer version with the fast path is always reported', () => {
  const newer = make.verdict({ upgrade: { since: '1.3.9', path: 'simple-array', class: 'in-memory' } });
  for (const trials of [[json(FASTER)], [], [compiled(OPEN)]]) {
    assert.deepEqual(adviceOn(trials, { verdict: newer })?.upgrade, { since: '1.3.9', path: 'simple-array' });
  }
  assert.equal(adviceOn([])?.upgrade, undefined);
});

test('no advice without a measurement, no code for an unknown remedy', () => {
  assert.equal(adviceOn([json(FASTER)], { measurement: null }), null);
  assert.equal(adviceOn([trial('mine', FASTER)], { codeOf: () => null })?.code, null);
});

test('nothing and unsure say what the rewrites cannot gain', () => {
  const refused = trial('share', null, { outcome: 'refused' });
  const dropped = compiled(ratio(0.9, 1.2, 1.4), { outcome: 'dropped' });
  const lossy = trial('plain', ratio(0.1, 0.5, 0.8), { equality: 'lossy' });
  const rows: [name: string, trials: Trial[], action: string, bound: number | undefined][] = [
    ['the least of all', [compiled(ratio(0.96, 1, 1.02)), json(SAME)], 'nothing', 0.96],
    ['open', [compiled(SLOWER), json(OPEN)], 'unsure', 0.8],
    ['dropped behind one that is no faster', [dropped, json(SAME)], 'nothing', 0.9],
    [
      'dropped, and its own interval says nothing of it',
      [{ ...dropped, withConversion: ratio(0.6, 1.2, 1.4) }, json(SAME)],
      'unsure',
      0.6,
    ],
    [
      'an interval of a few messages that begins at a bound',
      [json({ ...ratio(0.96, 4, 22), samples: 7, processes: 1 })],
      'unsure',
      undefined,
    ],
    ['one says nothing', [json(SLOWER), trial('plain', NOTHING)], 'unsure', undefined],
    ['slower by a single sample', [json({ ...SLOWER, samples: 1, processes: 1 })], 'unsure', undefined],
    ['slower, nobody knows how much', [json(ratio(1.2, 9, 90))], 'nothing', 1],
    ['a lossy or refused one is none', [lossy, refused, json(SAME)], 'nothing', 0.97],
    ['only those timed', [compiled(null), json(SLOWER)], 'unsure', 1],
    ['refused alone', [refused], 'nothing', undefined],
  ];
  for (const [name, trials, action, bound] of rows) {
    const advice = adviceOn(trials);
    assert.deepEqual([advice?.action, advice?.bound], [action, bound], name);
    assert.equal(advice?.needs !== undefined, action === 'unsure', name);
  }
});

test('if there were too few samples, the advice names a budget that gives enough', () => {
  const rows: [gain: RatioEstimate, needs: number | null][] = [
    [{ ...ONE_SAMPLE, samples: 3, ci: [0.01, 1.2] }, 20_000],
    [ONE_SAMPLE, 60_000],
    [NOTHING, 15_000],
  ];
  for (const [gain, needs] of rows) {
    const advice = adviceOn([json(gain)]);
    assert.deepEqual([advice?.action, advice?.needs, advice?.bound], ['unsure', needs, undefined]);
  }
});

test('if no rewrite restores an equal payload, the advice names the value in the way', () => {
  const lossy = json(FASTER, {
    equality: 'lossy',
    losses: [{ path: '$.at', what: 'Date became string' }],
  });
  const refused = trial('plain', null, { equality: 'failed', outcome: 'refused', reason: 'has a cycle' });
  const ofJson = { path: '$.at', what: 'is a Date' };
  const rows: [name: string, trials: Trial[], obstacle: unknown][] = [
    ['none was tried', [], ofJson],
    ['one has a loss', [refused, lossy], { remedy: 'json-text', path: '$.at', what: 'Date became string' }],
    ['one was refused', [refused], { remedy: 'plain', path: '$', what: 'has a cycle' }],
    ['one is equal', [lossy, trial('transfer', SLOWER)], undefined],
  ];
  for (const [name, trials, obstacle] of rows)
    assert.deepEqual(adviceOn(trials, { obstacle: ofJson })?.obstacle, obstacle, name);
});

// What a rewrite must gain for its code, for what it costs, and against a simpler one.

test('a rewrite that saves less than 20 µs a message is never advised', () => {
  const rows: [medianNs: number, trials: Trial[], action: string, available: string | undefined][] = [
    [39_000, [trial('json-text', FASTER)], 'nothing', 'json-text'],
    [41_000, [trial('json-text', FASTER)], 'apply', undefined],
    [15_000, [trial('json-text', OPEN)], 'nothing', undefined],
    [41_000, [trial('json-text', ratio(0.45, 0.6, 1.2))], 'unsure', undefined],
  ];
  for (const [medianNs, trials, action, available] of rows) {
    const advice = adviceOn(trials, { measurement: measurement(medianNs, 1000) });
    assert.deepEqual([advice?.action, advice?.available?.remedy], [action, available], `${medianNs} ns`);
  }
});

test('a less simple rewrite is advised if it is 1.3 times as fast and saves 50 µs more; others are alternatives', () => {
  const json = of('json-text', 0.58, 0.6, 0.62);
  const rows: [name: string, medianNs: number, compiled: Trial, advised: string, beside: string[]][] = [
    ['1.2 times as fast', 1e6, of('compiled', 0.49, 0.5, 0.51), 'json-text', ['compiled']],
    ['1.5 times as fast', 1e6, of('compiled', 0.39, 0.4, 0.41), 'compiled', ['json-text']],
    ['1.5 times as fast, of 200 µs', 2e5, of('compiled', 0.39, 0.4, 0.41), 'json-text', ['compiled']],
    ['slower', 1e6, of('compiled', 0.69, 0.7, 0.71), 'json-text', []],
  ];
  for (const [name, medianNs, compiled, advised, beside] of rows) {
    const advice = adviceOn([json, compiled], { measurement: measurement(medianNs, 1000) });
    const names = (advice?.alternatives ?? []).map(({ remedy }) => remedy);
    assert.deepEqual([advice?.remedy, names], [advised, beside], name);
  }
});

test('a small gain at a cost is available, not advised', () => {
  const costs = ['the sender loses the buffers'];
  const rows: [gain: RatioEstimate, action: string][] = [
    [ratio(0.88, 0.91, 0.94), 'nothing'],
    [ratio(0.7, 0.8, 0.84), 'apply'],
  ];
  for (const [gain, action] of rows) {
    const advice = adviceOn([trial('transfer', gain, { outcome: 'faster' })]);
    assert.deepEqual([advice?.action, advice?.costs], [action, action === 'apply' ? costs : undefined]);
    const told = { remedy: 'transfer', path: '$', gain, lines: 2, costs };
    assert.deepEqual(advice?.available, action === 'apply' ? undefined : told);
  }
  const free = adviceOn([trial('json-text', ratio(0.88, 0.91, 0.94), { outcome: 'faster' })]);
  assert.equal(free?.action, 'apply', 'without a cost');
});

test('a small gain through many lines is available, not advised', () => {
  const long = (remedy: string) => ({
    sender: `${'\n// a line\n'.repeat(remedy === 'compiled' ? 80 : 1)}`,
    receiver: 'x\n\ny',
  });
  const compiled = of('compiled', 0.88, 0.91, 0.94);
  const told = { remedy: 'compiled', path: '$', gain: compiled.withConversion, lines: 82 };
  const rows: [name: string, trials: Trial[], over: Partial<AdviceFacts>, action: string, left: unknown][] = [
    ['beside an open one that may gain more', [compiled, trial('json-text', OPEN)], {}, 'unsure', told],
    [
      'dropped behind it, and simple',
      [compiled, { ...of('json-text', 0.9, 0.93, 0.96), outcome: 'dropped' }],
      {},
      'apply',
      undefined,
    ],
    [
      'dropped behind one that gains enough',
      [{ ...of('json-text', 0.4, 0.6, 0.9), outcome: 'dropped' }, of('compiled', 0.4, 0.5, 0.6)],
      {},
      'apply',
      undefined,
    ],
    ['gains enough for a file of its own', [of('compiled', 0.7, 0.74, 0.78)], {}, 'apply', undefined],
    [
      'gains enough for some lines, not for so many',
      [{ ...compiled, withConversion: ratio(0.7, 0.84, 0.9) }],
      {},
      'nothing',
      { ...told, gain: ratio(0.7, 0.84, 0.9) },
    ],
    ['near the floor', [compiled], { measurement: measurement(1_400_000, 1_000_000) }, 'not-the-clone', told],
  ];
  for (const [name, trials, over, action, available] of rows) {
    const advice = adviceOn(trials, { codeOf: long, ...over });
    assert.deepEqual([advice?.action, advice?.available], [action, available], name);
    if (action === 'apply') assert.equal(advice?.remedy, trials.at(-1)?.remedy, name);
  }
});

const texts = (total: number, max: number, flags: Facts['flags'] = []): Facts =>
  make.row('$[*]', 'string', flags, { count: 100, size: { min: 1, max, total } });

const ofForm = (form: string) => compiled(FASTER, { plan: { path: '$', form } });

const apply = (remedy: string): Advice => ({ action: 'apply', remedy, path: '$', gain: FASTER, code: null });

test('a note warns that keeping one text keeps the whole text of the message, if that matters', () => {
  const long = texts(217_000, 40);
  const all = (amount: string) => [`a kept text of 13+ characters keeps all ${amount} characters`];
  const rows: [
    name: string,
    shape: Shape,
    told: string[] | undefined,
    engine?: EngineName,
    form?: string,
    remedy?: string,
  ][] = [
    ['long texts', make.shapeOf('v8', long), all('217 thousand')],
    ['very much text', make.shapeOf('v8', texts(2_140_000, 40)), all('2.1 million')],
    ['little text', make.shapeOf('v8', texts(50_000, 40)), undefined],
    ['short texts are copied', make.shapeOf('v8', texts(217_000, 12)), undefined],
    ['texts that repeat are sent once', make.shapeOf('v8', texts(217_000, 400, ['repeated'])), undefined],
    ['another engine', make.shapeOf('v8', long), undefined, 'jsc'],
    ['texts apart', make.shapeOf('v8', long), undefined, 'v8', 'listed'],
    ['another rewrite', make.shapeOf('v8', long), undefined, 'v8', 'joined', 'json-text'],
  ];
  for (const [name, shape, told, engine = 'v8', form = 'joined', remedy = 'compiled'] of rows) {
    const advice = withKeptTexts(apply(remedy), [ofForm(form)], shape, engine);
    assert.deepEqual(advice?.costs, told, name);
  }
  assert.equal(withKeptTexts(null, [], null, 'v8'), null);
});
