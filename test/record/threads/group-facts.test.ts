import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { GROUP, groupStart, THREAD_FIELDS } from '../../../src/record/threads/counters.ts';
import * as facts from '../../../src/record/threads/group-facts.ts';
import { seeded } from '../../../src/stats/intervals/random.ts';

const seen = (
  nth: number,
  extent: number,
  bytes: number | null,
  more: { group?: number; error?: number } = {},
) => ({ record: 'message', group: 0, nth, extent, bytes, ...more }) as const;

test('changes: the mean, and the paths that differed most often', () => {
  const compared = (equal: number, ...paths: string[]) => ({
    ...seen(0, 1, 1000),
    changes: { equal, paths },
  });
  assert.deepEqual(facts.changesIn([seen(0, 1, 1000)]), {});
  assert.deepEqual(
    facts.changesIn([compared(1), compared(0.5, '$.a', '$.b'), compared(0.75, '$.b')]).changes,
    {
      compared: 3,
      same: 1,
      equal: 0.75,
      paths: [
        { path: '$.b', count: 2 },
        { path: '$.a', count: 1 },
      ],
    },
  );
});

describe('messages of one class from several sites', () => {
  const of = (group: number, nth: number) => seen(nth, 10, 12, { group });

  test('counts are exact if each message was looked at', () => {
    const shares = facts.sharesOf([of(0, 0), of(1, 1), of(0, 2)], 3, 30);
    assert.deepEqual(shares, [
      { group: 0, count: 2, extent: 20, estimated: false, countError: 0 },
      { group: 1, count: 1, extent: 10, estimated: false, countError: 0 },
    ]);
  });

  test('else each that was looked at stands for those since the one before it', () => {
    const shares = facts.sharesOf([of(0, 0), of(1, 9), of(0, 19)], 200, 2000);
    const actual = shares.map(({ count }) => count);
    assert.deepEqual(actual, [110, 90]);
    assert.equal(shares[0]?.estimated, true);
    assert.ok(shares[0].countError > 0.5 && shares[1]!.countError > shares[0].countError);
  });
});

const part = (sizeClass: number, count: number, each: number) => ({
  ...{ sizeClass, count, extent: count * each, countError: 0 },
});

const MAGNITUDES: [string, ReturnType<typeof part>[], number[][]][] = [
  ['sizes of each magnitude are one', [part(2, 9, 6e3), part(0, 90, 150), part(1, 30, 900)], [[0, 1, 2]]],
  ['a gap within them parts them', [part(0, 9, 100), part(1, 9, 900), part(5, 1, 3e6)], [[0, 1], [5]]],
];
const classes = (group: ReturnType<typeof part>[]) => group.map(({ sizeClass }) => sizeClass);
for (const [name, parts, wanted] of MAGNITUDES)
  test(name, () => assert.deepEqual(facts.magnitudesOf(parts).map(classes), wanted));

test('bytes are estimated from messages of the same class if none of the messages was sized', () => {
  const small = { ...part(0, 10, 50), seen: [], alike: [seen(0, 50, 60)] };
  const large = { ...part(2, 2, 5000), seen: [], alike: [] };
  assert.equal(facts.groupBytes([small, large])?.total, 12_600);
});

test('an uncertain number of messages makes their bytes uncertain', () => {
  const all = [seen(0, 50, 60), seen(1, 50, 60)];
  const { total, ci } = facts.groupBytes([{ ...part(0, 2, 50), countError: 0.5, seen: all, alike: [] }])!;
  assert.deepEqual([total, ci], [120, [60, 180]]);
});

test('messages that came later stand for more others', () => {
  const looked = [0, 1, 2, 3, 100].map((nth) => seen(nth, 7, nth < 100 ? 4 : 6));
  const { total } = facts.groupBytes([{ ...part(0, 1000, 7), seen: looked, alike: [] }])!;
  assert.ok(total > 5500, `${total}`);
});

// Bytes of all messages.

const sized = (...points: [extent: number, bytes: number][]): facts.SizedMessage[] =>
  points.map(([extent, bytes]) => ({ extent, bytes }));
const all = (count: number, extent: number) => ({ count, extent });

const TOTALS: [string, Parameters<typeof facts.totalBytes>, ReturnType<typeof facts.totalBytes>][] = [
  ['none was sized', [[], all(10, 50)], null],
  ['all were sized', [sized([1, 20], [2, 30]), all(2, 3)], { total: 50, ci: [50, 50], max: 30 }],
  ['one that is only like it', [sized([4, 40]), all(1, 4), false], { total: 40, ci: [10, 160], max: 40 }],
  ['one size', [sized([5, 40], [5, 40]), all(1000, 5000)], { total: 40_000, ci: [38_053, 42_047], max: 40 }],
  ['sizes of nothing', [sized([1, 0], [1, 0]), all(10, 10)], { total: 0, ci: [0, 0], max: 0 }],
];

const IN_PART: facts.SizedMessage = { extent: 1000, bytes: 1100, error: 0.2 };

/** How wide the interval is, as the ratio of its ends. */
const WIDTHS: [string, Parameters<typeof facts.totalBytes>, least: number, most: number][] = [
  ['one message that the extent tells', [sized([1000, 1010]), all(60, 60_000)], 1.1, 1.3],
  ['one that it tells about', [sized([1000, 1200]), all(60, 60_000)], 1.3, 2.1],
  ['one that it does not tell', [sized([1, 1100]), all(60, 60)], 10, 17],
  ['one that is only like them', [sized([5, 40]), all(10, 50), false], 10, 17],
  [
    'two, and another one that could not be sized',
    [sized([1000, 1010], [1000, 1020]), { ...all(60, 60_000), isOther: true }],
    ...([10, 17] as const),
  ],
  ['two of which parts were seen', [[IN_PART, IN_PART], all(60, 60_000)], 1.3, 1.45],
  ['one of which a part was seen, and no other', [[IN_PART], all(1, 1000)], 1.43, 1.45],
];

interface Population {
  /** Makes its messages one by one. */
  of: (random: () => number) => () => facts.SizedMessage;
  /** The widest of nine in ten intervals from 2 and from 10 looks, as the ratio of their ends. */
  widest: [of2: number, of10: number];
}

/** About normal, of mean 0 and standard deviation 1. */
const normal = (random: () => number) =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

const POPULATIONS: Record<string, Population> = {
  'texts of as many units as the extent': {
    of: (random) => () => {
      const extent = Math.round(100 + 2000 * random());
      return { extent, bytes: extent + 3 };
    },
    widest: [1.12, 1.03],
  },
  'lists of any length': {
    of: (random) => {
      const slope = 0.6 + 1.5 * random();
      return () => {
        const extent = 40 + 400 * random() ** 2;
        return { extent, bytes: Math.round((10 + slope * extent) * (1 + 0.15 * normal(random))) };
      };
    },
    widest: [4, 1.5],
  },
  'records that the extent tells nothing of': {
    of: (random) => () => ({ extent: 1, bytes: Math.round(800 * Math.exp(0.5 * normal(random))) }),
    widest: [12, 3],
  },
};

describe('bytes of all messages are estimated from the sized messages', () => {
  for (const [name, args, wanted] of TOTALS)
    test(name, () => assert.deepEqual(facts.totalBytes(...args), wanted));

  for (const [name, args, least, most] of WIDTHS)
    test(`the interval: ${name}`, () => {
      const { total, ci } = facts.totalBytes(...args)!;
      const width = ci[1] / ci[0];
      assert.ok(ci[0] < total && total < ci[1] && width >= least && width <= most, `${width}: ${ci}`);
    });

  for (const [name, { of, widest }] of Object.entries(POPULATIONS))
    for (const looks of [2, 3, 5, 10])
      test(`${looks} looks at ${name}: the interval holds the truth, and is not useless`, () => {
        const random = seeded(7);
        const widths: number[] = [];
        let held = 0;
        const runs = 400;
        for (let run = 0; run < runs; run++) {
          const messages = Array.from({ length: 600 }, of(random));
          // The first two, then at growing gaps.
          const at = new Set([
            0,
            ...Array.from({ length: looks - 1 }, (_, i) => Math.floor(messages.length ** (i / looks))),
          ]);
          const sum = (field: 'extent' | 'bytes') => messages.reduce((sum, one) => sum + one[field], 0);
          const looked = messages.filter((_, i) => at.has(i));
          const { ci } = facts.totalBytes(looked, all(messages.length, sum('extent')))!;
          if (ci[0] <= sum('bytes') && sum('bytes') <= ci[1]) held++;
          widths.push(ci[1] / ci[0]);
        }
        widths.sort((a, b) => a - b);
        const wide = widths[Math.floor(runs * 0.9)]!;
        assert.ok(held / runs >= 0.9, `held ${held} of ${runs}`);
        assert.ok(wide <= widest[looks === 10 ? 1 : 0], `${wide} wide`);
      });
});

// Times of calls, and when messages were posted.

const CALLS: [why: string, count: number, timed: number[], total: number][] = [
  ['all were timed', 3, [10, 20, 30], 60],
  ['one long call is counted once', 100, [10, 10, 10, 970], 1000 + 96 * 10],
  ['one call is all there is', 100, [10], 1000],
];

for (const [why, count, timed, total] of CALLS) {
  test(`time of all calls: ${why}`, () => {
    const counters = new Float64Array(THREAD_FIELDS);
    const start = groupStart(2);
    counters[start + GROUP.count] = count;
    counters[start + GROUP.timed] = timed.length;
    counters[start + GROUP.sendSumNs] = timed.reduce((sum, ns) => sum + ns, 0);
    counters[start + GROUP.sendMaxNs] = Math.max(...timed);
    assert.equal(facts.sendTimes([{ counters, counter: 2, share: 1 }])?.total, total);
  });
}

type Times = Parameters<typeof facts.joinedTimes>[0][number];

const times = (stepMs: number, ...counts: number[]): Times => ({ stepMs, counts });
const JOINED: [what: string, all: Times[], joined: Times][] = [
  ['nothing', [], times(1)],
  ['shorter steps are added to longer ones', [times(10, 1, 2, 3, 4, 5), times(20, 9)], times(20, 12, 7, 5)],
  ['nothing posted has no steps', [times(1e308), times(0, 9), times(2, 3)], times(2, 3)],
  ['steps of any length end', [times(1e308, 0, 0, 1), times(Number.MIN_VALUE, 1, 1)], times(1e308, 2, 0, 1)],
];

describe('when the messages of several sites were posted', () => {
  for (const [what, all, joined] of JOINED)
    test(what, () => assert.deepEqual(facts.joinedTimes(all), joined));
});
