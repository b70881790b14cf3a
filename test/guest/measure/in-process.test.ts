/** Measuring in this process: whose turn it is, how long a sample is, what is received, and what bounds results have. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import { eventReceiver, timeOnPort } from '../../../src/guest/guest-and-peer.ts';
import { firstVariant, isSampled, Schedule } from '../../../src/guest/measure/interleave.ts';
import { measure, measureMemory } from '../../../src/guest/measure/measure.ts';
import { BlockLength, MessageFactory, ValueSource } from '../../../src/guest/measure/variants.ts';
import { type Endpoint, givePlatform, type Platform } from '../../../src/guest/platform/common/platform.ts';
import type { Recipe } from '../../../src/model/report/recipe.ts';
import type { Variant } from '../../../src/model/wire/wire.ts';
import { clockStep, median } from '../../../src/stats/intervals/intervals.ts';
import { randomBelow, seeded } from '../../../src/stats/intervals/random.ts';
import { platform } from '../../support/guest-platform.ts';
import { PayloadFolder } from '../../support/payload-folder.ts';
import { bothModes, FLOOR, measureRequest, ORIGINAL, specimen } from './requests.ts';

const EVERYBODY = [0, 1, 2, 3, 4];

function roundsOf(schedule: Schedule, rounds: number, size = EVERYBODY.length): number[][] {
  return Array.from({ length: rounds }, () =>
    Array.from({ length: size }, () => {
      const turn = schedule.current;
      schedule.advance();
      return turn;
    }),
  );
}

test('each round gives each variant one turn, in an order that the seed decides', () => {
  const rounds = roundsOf(new Schedule(EVERYBODY, 9), 50);
  for (const round of rounds) assert.deepEqual([...round].sort(), EVERYBODY);
  assert.deepEqual(roundsOf(new Schedule(EVERYBODY, 9), 50), rounds);
  assert.notDeepEqual(roundsOf(new Schedule(EVERYBODY, 10), 50), rounds);
  assert.ok(new Set(rounds.map(String)).size > 20, 'the order changes from round to round');
});

test('a given variant can have the first turn of the first round', () => {
  const schedule = new Schedule(EVERYBODY, 1, 3);
  assert.deepEqual([...(roundsOf(schedule, 1)[0] ?? [])].sort(), EVERYBODY);
  assert.equal(new Schedule(EVERYBODY, 1, 3).current, 3);
  assert.equal(new Schedule([0, 1], 1, 3).current < 2, true);
});

test('whenever variants are dropped, each of the others has one turn in each round', () => {
  const random = seeded(3);
  for (let run = 0; run < 100; run++) {
    const schedule = new Schedule(EVERYBODY, run);
    let [rounds, left] = [0, [...EVERYBODY]];
    while (left.length > 0) {
      const taken: number[] = [];
      do {
        if (random() < 0.9) {
          taken.push(schedule.current);
          schedule.advance();
        } else {
          const out = left[randomBelow(left.length, random)]!;
          schedule.drop(out);
          left = left.filter((one) => one !== out);
        }
      } while (left.length > 0 && schedule.rounds === rounds);
      assert.equal(new Set(taken).size, taken.length);
      assert.ok(left.every((one) => taken.includes(one)) || left.length === 0, `${left} of ${taken}`);
      assert.equal(schedule.atStart, true);
      assert.equal(schedule.empty, left.length === 0);
      rounds = schedule.rounds;
    }
  }
});

test('a repeated variant has its turns in each round, and never two in succession', () => {
  for (const turns of [2, 3]) {
    const schedule = new Schedule([0, 1, 2, 3, 4, 5, 6], 3, undefined, { index: 1, turns });
    const rounds = roundsOf(schedule, 200, 6 + turns);
    for (const round of rounds) {
      const once = round.filter((one, at) => one !== 1 || round.indexOf(1) === at);
      assert.deepEqual(once.sort(), [0, 1, 2, 3, 4, 5, 6], String(round));
      assert.equal(round.filter((one) => one === 1).length, turns);
    }
    const all = rounds.flat();
    assert.ok(!all.some((one, at) => one === 1 && all[at + 1] === 1));
    assert.equal(schedule.rounds, 200);
  }
});

test('a repeated variant has one turn where too few others are left, and none after it was dropped', () => {
  const schedule = new Schedule(EVERYBODY, 3, undefined, { index: 1, turns: 2 });
  schedule.drop(0);
  schedule.drop(2);
  do schedule.advance();
  while (!schedule.atStart);
  for (const round of roundsOf(schedule, 20, 3)) assert.deepEqual(round.sort(), [1, 3, 4]);
  schedule.drop(1);
  for (const round of roundsOf(schedule, 20, 2)) assert.deepEqual(round.sort(), [3, 4]);
});

test('the first message: the original for even seeds, the others in turn for odd ones', () => {
  const modes = ['floor', 'original', 'in-place', 'with-conversion'];
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5, 6, 7].map((seed) => firstVariant(modes, seed)),
    [1, 0, 1, 2, 1, 3, 1, 0],
  );
  assert.equal(firstVariant(['original'], 3), 0);
  assert.equal(firstVariant(modes, -2), 1);
});

const PACE: [name: string, rounds: number, midRound: boolean, elapsedMs: number, over: boolean][] = [
  ['not before one round, however long it took', 0, true, 10_000, false],
  ['not when time is left', 50, false, 99, false],
  ['when the slice has passed', 5, false, 100, true],
  ['not within a round', 50, true, 150, false],
  ['not before the least number of rounds', 4, false, 150, false],
  ['at the greatest number of rounds', 1000, false, 1, true],
  ['after three slices with too few rounds', 1, false, 300, true],
  ['after three slices, even within a round', 1, true, 300, true],
];

for (const [name, rounds, midRound, elapsedMs, over] of PACE) {
  test(`sampling ends ${name}: ${over}`, () => {
    const limits = { sliceMs: 100, minRounds: 5, maxRounds: 1000 };
    assert.equal(isSampled(limits, rounds, midRound, elapsedMs * 1e6), over);
  });
}

/** A clock that shows multiples of its step. */
const shown = (ns: number, step: number): number => (step === 0 ? ns : Math.floor(ns / step) * step);

/** `tripNs`, and the step of the clock: of isolated pages, of others, of a process. */
const BLOCKS: [tripNs: number, stepNs: number, messages: [number, number]][] = [
  [700, 5_000, [143, 300]],
  [25_000, 1_000_000, [800, 2000]],
  [30_000_000, 1_000_000, [1, 1]],
  [25, 0, [1, 1]],
];

for (const [trip, step, [least, most]] of BLOCKS) {
  test(`a trip of ${trip} ns by a clock of ${step} ns: a sample of ${least} to ${most} messages, none of 0`, () => {
    const random = seeded(7);
    const block = new BlockLength(step);
    let at = 0;
    const samples = Array.from({ length: 60 }, () => {
      const began = shown(at, step);
      at += trip * block.messages;
      const spent = shown(at, step) - began;
      at += random() * 3 * step;
      const sample = spent / block.messages;
      block.took(spent);
      return sample;
    }).slice(20);
    assert.ok(block.messages >= least && block.messages <= most, `${block.messages}`);
    assert.ok(Math.min(...samples) > 0);
    assert.ok(Math.abs(median(samples) / trip - 1) <= 0.05);
    // The step of a mean of k messages.
    if (step > 0)
      assert.ok(clockStep([samples]) <= (1.01 * step) / block.messages || clockStep([samples]) === 0);
  });
}

test('a block that may take no step of the clock goes on; messages that are in flight together are limited', () => {
  const block = new BlockLength(1_000_000);
  assert.equal(block.mustGoOn(0), true);
  assert.equal(block.messages, 20);
  assert.equal(block.mustGoOn(9_000_000), true);
  // Ten steps: only the next ones are longer.
  assert.equal(block.mustGoOn(10_000_000), false);
  assert.equal(new BlockLength(0).mustGoOn(0), false);
  const limited = new BlockLength(1_000_000, 512);
  for (let time = 0; time < 3; time++) limited.took(0);
  assert.equal(limited.messages, 512);
});

// Messages that are posted and received.

const folder = new PayloadFolder();
const recipe = folder.module(
  'count.mjs',
  'let made = 0;\nexport const value = () => ({ made: ++made, list: [1] });',
);

/** What is posted of three messages. */
async function posted(variant: Variant, isNewEachTime: boolean): Promise<unknown[]> {
  const source: Recipe = { ...recipe, isNewEachTime };
  const factory = new MessageFactory(variant, new ValueSource(source, 'alone'));
  await factory.prepare(false);
  const messages: unknown[] = [];
  const endpoint = { post: (message: unknown) => messages.push(message) } as unknown as Endpoint;
  for (let i = 0; i < 3; i++) {
    if (factory.consumed) await factory.fill();
    factory.post(endpoint);
  }
  return messages;
}

const MODES: [what: string, variant: Variant][] = [
  ['the payload', ORIGINAL],
  ['a rewrite that is applied before', bothModes('json-text')[0]!],
  ['a rewrite that is applied to each message', bothModes('json-text')[1]!],
];
for (const [what, variant] of MODES)
  test(`if messages are new each time, each is of a value that was just built: ${what}`, async () => {
    assert.equal(new Set((await posted(variant, true)).map((one) => JSON.stringify(one))).size, 3);
    assert.equal(new Set((await posted(variant, false)).map((one) => JSON.stringify(one))).size, 1);
    assert.equal(new Set(await posted(FLOOR, true)).size, 1);
  });

// All messages of a burst are received, whatever becomes of one of them.

const restored: unknown[] = [];
const factory = {
  restore: (message: unknown) => {
    restored.push(message);
    if (message === 2) throw new Error('not this one');
  },
} as unknown as MessageFactory;

test('on a port: those after a failure are taken from the queue, and not restored', () => {
  const { port1, port2 } = new MessageChannel();
  for (const message of [1, 2, 3, 4, 'next']) port1.postMessage(message);
  const receive = receiveMessageOnPort as unknown as NonNullable<Platform['receiveOnPort']>;
  restored.length = 0;
  const take = () => timeOnPort(port2 as unknown as MessagePort, receive, factory, 4);
  assert.throws(take, /not this one/);
  assert.deepEqual(restored, [1, 2]);
  assert.deepEqual(receiveMessageOnPort(port2), { message: 'next' });
  port1.close();
});

for (const [what, second] of [
  ['cannot be restored', (receiver: ReturnType<typeof eventReceiver>) => receiver.arrived(2)],
  ['cannot be deserialized', (receiver: ReturnType<typeof eventReceiver>) => receiver.lost('not this one')],
] as const) {
  test(`a message that ${what} is reported after the last event has come`, () => {
    let reports = 0;
    const receiver = eventReceiver(() => reports++);
    receiver.begin(factory, 3);
    assert.equal(receiver.arrived(1), true);
    assert.equal(second(receiver), true);
    assert.throws(() => receiver.arrived(3), /not this one/);
    assert.equal(receiver.arrived('next'), false);
    assert.equal(reports, 0);
    receiver.begin(factory, 1);
    assert.equal(receiver.arrived(1), true);
    assert.equal(reports, 1);
  });
}

// Results stay within their bounds if the readings of the runtime do not.

async function withPlatform<T>(more: Partial<Platform>, work: () => Promise<T>): Promise<T> {
  givePlatform({ ...platform, ...more });
  return work().finally(() => givePlatform(platform));
}

test('pauses of the collector that exceed the time are all of it', async () => {
  const watchGc = () => ({ stop: () => ({ count: 3, ns: 1e15 }) });
  const request = measureRequest(specimen('rows'), { channel: 'structured-clone', maxRounds: 5 });
  const { gc } = await withPlatform({ watchGc }, () => measure(request));
  assert.deepEqual(gc, { count: 3, share: 1 });
});

test('messages that leave less memory in use than empty ones take none', async () => {
  let bytes = 1e9;
  const markPeakMemory = async () => {
    bytes -= 1e6;
    return { sample: () => undefined, bytes: () => bytes };
  };
  const terms = { channel: 'structured-clone', variant: ORIGINAL, messages: 2 } as const;
  const ask = () => measureMemory({ type: 'memory', recipe: specimen('rows'), ...terms });
  const { bytes: added, perMessage } = await withPlatform({ markPeakMemory }, ask);
  assert.deepEqual([added, perMessage], [0, 0]);
});
