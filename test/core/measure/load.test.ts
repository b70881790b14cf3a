import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstOffer, loadPoint, mostWaiting, nextOffer } from '../../../src/core/measure/load.ts';
import type { LoadOffer, LoadResult } from '../../../src/model/wire/wire.ts';

const SECOND = 1e9;

/** A second of load; `depth` gives the queue at each share of it. */
function second(taken: number, depth: (share: number) => number, over: Partial<LoadResult> = {}): LoadResult {
  return {
    type: 'load-result',
    latency: Array.from({ length: taken }, (_, at) => 1000 + at),
    messages: taken,
    elapsed: SECOND,
    waiting: Array.from({ length: 100 }, (_, at) => depth(at / 100)),
    flooded: false,
    ...over,
  };
}

const thousand: LoadOffer = { perSecond: 1000 };

const queues: [name: string, offer: LoadOffer, processes: LoadResult[], growing: boolean][] = [
  ['keeps up', thousand, [second(1000, () => 1)], false],
  ['grows', thousand, [second(600, (share) => 400 * share)], true],
  [
    'a stall in the middle empties again',
    thousand,
    [second(1000, (s) => (s > 0.4 && s < 0.6 ? 200 : 1))],
    false,
  ],
  [
    'a stall at the end was not all the load',
    thousand,
    [second(980, (share) => (share > 0.9 ? 80 : 1))],
    false,
  ],
  ['only one process fell behind', thousand, [second(600, (s) => 400 * s), second(1000, () => 1)], false],
  ['flooded before it had begun', thousand, [second(3, () => 0, { flooded: true, waiting: [1] })], true],
  ['a window never grows', { window: 16 }, [second(600, () => 16)], false],
];

for (const [name, offer, processes, growing] of queues) {
  test(`queue: ${name}`, () => assert.equal(loadPoint(offer, processes)?.growing, growing));
}

test('results of a load over all processes', () => {
  const point = loadPoint({ window: 4 }, [second(100, () => 4), second(300, () => 2)]);
  assert.deepEqual(
    [point?.window, point?.offered, point?.throughput, point?.messages, point?.waiting],
    [4, null, 200, 400, { median: 3, most: 4 }],
  );
  assert.equal(loadPoint({ window: 4 }, []), null);
});

test('offers: a window first, then a share of its throughput', () => {
  const first = loadPoint({ window: 16 }, [second(1234, () => 16)]);
  assert.deepEqual(firstOffer('usual'), { window: 16 });
  assert.deepEqual(nextOffer('usual', first), { perSecond: 990 });
  assert.equal(nextOffer({ window: 16 }, first), null);
  assert.equal(nextOffer('usual', null), null);
  assert.deepEqual(firstOffer(thousand), thousand);
});

const limits: [offer: LoadOffer, bytes: number, most: number][] = [
  [thousand, 10, 20_000],
  [thousand, 1e6, 128],
  [thousand, 1e9, 16],
  [{ window: 100 }, 1e9, 200],
];

for (const [offer, bytes, most] of limits) {
  test(`at most ${most} wait of ${bytes} bytes`, () => assert.equal(mostWaiting(offer, bytes), most));
}
