/** Seeded states that change step by step, through patches: each arrives as a plain clone brings it. Sizes of patches. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PatchMessage, patchModule } from '../../../src/codec/patch/patch.ts';
import { type Random, randomBelow, seeded, seedFor, shuffle } from '../../../src/stats/intervals/random.ts';
import { usually } from '../../support/whole.ts';
import { differencesBetween, hasOddElements, objectsIn, plainCopy } from '../compiled/arrival.ts';
import { define, pick, STRANGE_VALUES } from '../compiled/mutated.ts';
import { builderAt } from '../compiled/trial.ts';

type Keyed = Record<string, unknown>;

const KEYS = ['id', 'x', 'y', 'name', '__proto__', '7', '12', '0', 'toString', 'a b', ''];

const SCALARS = [0, -0, Number.NaN, 1.5, 'a', 'b', '', true, null, undefined, 5n];

let count = 0;
const entity = (random: Random): Keyed => ({
  id: ++count,
  x: randomBelow(9, random),
  y: -0,
  tags: [pick(SCALARS, random)],
  seen: new Date(randomBelow(3, random)),
});

function newValue(random: Random): unknown {
  const kind = randomBelow(12, random);
  if (kind < 6) return pick(SCALARS, random);
  if (kind < 8) return entity(random);
  if (kind < 10) return Array.from({ length: randomBelow(5, random) }, () => newValue(random));
  return kind === 10 ? builderAt(randomBelow(2 ** 31, random), 0)?.() : {};
}

const firstState = (random: Random): Keyed => ({
  session: { user: 'u', lastSeen: 1 },
  entities: Array.from({ length: 3 + randomBelow(12, random) }, () => entity(random)),
  byId: Object.fromEntries(Array.from({ length: 5 }, (_, at) => [at * 3, entity(random)])),
  words: ['a', 'b', 'c', 'd'],
  empty: {},
});

const CHANGES_OF_LISTS: readonly ((list: unknown[], random: Random) => void)[] = [
  (list, random) => void list.splice(randomBelow(list.length + 1, random), 0, newValue(random)),
  (list, random) => void list.splice(randomBelow(list.length + 1, random), 0, entity(random)),
  (list) => void list.unshift({ id: ++count, x: 1 }),
  (list, random) => void list.splice(randomBelow(list.length + 1, random), 1),
  (list, random) => void list.splice(randomBelow(list.length + 1, random), 0, ...list.splice(0, 1)),
  (list) => void list.reverse(),
  (list) => void list.splice(0, list.length, ...list),
  function fillHoles(list) {
    for (let at = 0; at < list.length; at++) if (!(at in list)) list[at] = undefined;
  },
  (list, random) => void list.splice(randomBelow(list.length + 1, random), 1, newValue(random)),
];

const CHANGES_OF_OBJECTS: readonly ((object: Keyed, random: Random) => void)[] = [
  (object, random) => define(object, pick(KEYS, random), newValue(random)),
  (object, random) => define(object, `k${++count}`, newValue(random)),
  (object, random) => void Reflect.deleteProperty(object, pick([...Object.keys(object), ''], random)),
  function changeOne(object, random) {
    const key = pick([...Object.keys(object), 'x'], random);
    define(object, key, newValue(random));
  },
  function reorder(object, random) {
    const entries = Object.entries(object);
    for (const [key] of entries) Reflect.deleteProperty(object, key);
    shuffle(entries, random);
    for (const [key, value] of entries) define(object, key, value);
  },
];

const isShort = (make: () => unknown) => {
  const value = make();
  return !Array.isArray(value) || value.length < 100;
};
const SHORT = STRANGE_VALUES.filter(isShort);
const strange = (random: Random): unknown => pick(SHORT, random)();

/** What is seldom in a state: it is taken out again after some steps. */
const STRANGE: readonly ((state: Keyed, random: Random) => unknown)[] = [
  (state) => state.session,
  (state) => state,
  (_, random) => strange(random),
  (state) => new Map<unknown, unknown>([['inside', state.session]]),
  () => Object.assign(new Array(4), { 1: 'holes' }),
  (_, random) => ({ deep: [strange(random)] }),
];

const isChangeable = (value: object): boolean =>
  !Object.isFrozen(value) && (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype);

/** Changes it in place. */
function change(state: Keyed, random: Random): void {
  if (randomBelow(3, random) === 0) Reflect.deleteProperty(state, 'strange');
  if (randomBelow(12, random) === 0) state.strange = pick(STRANGE, random)(state, random);
  changeInside(state, random);
}

function changeInside(state: Keyed, random: Random): void {
  const inside = [...objectsIn(state)].filter(isChangeable);
  for (let left = inside.length === 0 ? 0 : randomBelow(4, random); left > 0; left--) {
    const at = pick(inside, random);
    if (Array.isArray(at)) pick(CHANGES_OF_LISTS, random)(at, random);
    else pick(CHANGES_OF_OBJECTS, random)(at as Keyed, random);
  }
}

/** The same without changing it: what has not changed is the same object in both. */
function changedCopy(state: Keyed, random: Random): Keyed {
  const key = pick(Object.keys(state), random);
  const copy = { ...state };
  const inside = structuredClone(state[key]);
  if (typeof inside === 'object' && inside !== null) changeInside(inside as Keyed, random);
  define(copy, key, inside);
  if (randomBelow(3, random) === 0) define(copy, pick(KEYS, random), newValue(random));
  return copy;
}

const { applyPatch, createReceiver, createSender, toPatch } = patchModule();

const SEED = 20_261_125;
const SEQUENCES = usually([4], [100]).at(-1)!;
const STEPS = 50;
/** What was handed out is looked at again so many steps later. */
const LATER = 4;

interface Seen {
  messages: number;
  whole: number;
  lost: number;
  complaints: string[];
}

interface Arrived {
  step: number;
  received: unknown;
  plain: unknown;
}

/** @param immutable what has not changed is the same object, and objects at two places may arrive as two */
function complaintOf({ step, received, plain }: Arrived, immutable: boolean): string[] {
  return differencesBetween(plain, received, immutable)
    .slice(0, 1)
    .map((what) => `step ${step}: ${what}`);
}

/** One sender and one receiver, which misses some messages. */
function sequence(random: Random, immutable: boolean): Seen {
  let state = firstState(random);
  const seen: Seen = { messages: 0, whole: 0, lost: 0, complaints: [] };
  const sender = createSender({ wholeEvery: 25, immutable });
  const receiver = createReceiver({ onMiss: () => sender.reset() });
  const arrived: Arrived[] = [];
  for (let step = 0; step < STEPS; step++) {
    if (immutable) state = changedCopy(state, random);
    else change(state, random);
    const plain = plainCopy(state);
    const posted = post(() => sender.toMessage(state));
    const isOdd = plain === null || hasOddElements(state);
    if (isOdd) state = firstState(random);
    if (posted === null) continue;
    seen.messages++;
    if ('whole' in posted) seen.whole++;
    if (randomBelow(15, random) === 0) seen.lost++;
    else {
      const received = receiver.fromMessage(posted);
      if (received === undefined || isOdd) continue;
      arrived.push({ step, received, plain: plain.copy });
      seen.complaints.push(...complaintOf(arrived.at(-1)!, immutable));
      const earlier = arrived.at(-1 - LATER);
      if (earlier) seen.complaints.push(...complaintOf(earlier, immutable));
    }
  }
  return seen;
}

/** As a channel brings it; null where it refuses. */
function post(make: () => PatchMessage): PatchMessage | null {
  try {
    return structuredClone(make());
  } catch {
    return null;
  }
}

for (const immutable of [false, true])
  test(`${SEQUENCES * STEPS} states arrive as a clone does${immutable ? ', compared by identity' : ''} (seed ${SEED})`, () => {
    const all = Array.from({ length: SEQUENCES }, (_, at) => sequence(seeded(seedFor(SEED, at)), immutable));
    const complaints = all.flatMap((one, at) => one.complaints.map((text) => `sequence ${at}: ${text}`));
    assert.deepEqual(complaints.slice(0, 5), []);
    const sum = (of: 'messages' | 'whole' | 'lost') => all.reduce((total, one) => total + one[of], 0);
    assert.ok(sum('lost') > SEQUENCES, `${sum('lost')} lost`);
    assert.ok(
      sum('whole') < 0.5 * sum('messages'),
      `${sum('whole')} of ${sum('messages')} messages were whole`,
    );
  });

test(`a patch is made of two values, and changes neither (seed ${SEED})`, () => {
  const random = seeded(SEED);
  for (let round = 0; round < 200; round++) {
    const previous = firstState(random);
    const next = structuredClone(previous);
    change(next, random);
    const before = plainCopy([previous, next]);
    const patch = plainCopy(toPatch(previous, next));
    if (before === null || patch === null || hasOddElements(next)) continue;
    const made = plainCopy(applyPatch(previous, patch.copy as unknown[]))!.copy;
    assert.deepEqual(differencesBetween(structuredClone(next), made, false), [], `round ${round}`);
    assert.deepEqual(differencesBetween(before.copy, structuredClone([previous, next]), false), []);
  }
});

/** Sends each state to a receiver. */
function ends(options = {}): (state: unknown) => unknown {
  const [sender, receiver] = [createSender(options), createReceiver()];
  return (state) => receiver.fromMessage(structuredClone(sender.toMessage(state)));
}

class Point {
  x = 1;
}

test('values that are sent whole are sent again after a change in place', () => {
  const holey = Object.assign(new Array<unknown>(3), { 0: 'a' });
  const point = new Point();
  const state: Record<string, unknown> = { list: holey, point, map: new Map([['a', 1]]), kept: { b: 1 } };
  const arrived = ends();
  const CHANGES: readonly (() => unknown)[] = [
    () => null,
    () => holey.splice(1, 2, 'b', 'c'),
    () => Object.assign(point, { x: 2 }),
    () => Object.assign(state, { point: { x: 2 } }),
    () => (state.map as Map<string, number>).set('a', 2),
    () =>
      Object.assign(state, {
        point: Object.setPrototypeOf(Object.assign(point, { x: 3 }), Object.prototype) as object,
      }),
  ];
  for (const [at, change] of CHANGES.entries()) {
    change();
    assert.deepEqual(differencesBetween(structuredClone(state), arrived(state), false), [], `change ${at}`);
  }
});

const hide = (state: object, key: string) => Object.defineProperty(state, key, { enumerable: false });
const show = (state: object, key: string) => Object.defineProperty(state, key, { enumerable: true });

test('a property that is hidden, and shown again, is as a clone has it', () => {
  for (const immutable of [false, true])
    for (const key of ['0', 'name']) {
      const arrived = ends({ immutable });
      for (const change of [null, hide, show, hide]) {
        const state = { 0: 1, name: 'n', list: [1, 2, 3, 4, 5, 6, 7, 8] };
        if (change !== null) hide(state, key);
        if (change === show) show(state, key);
        assert.deepEqual(arrived(state), structuredClone(state), `${key} ${immutable}`);
      }
    }
});

test('a first state that contains itself, and what is no plain data, arrives', () => {
  for (const inside of [new Map([[1, 2]]), new Point(), new Array<unknown>(2), new Error('e')]) {
    const state: Record<string, unknown> = { inside };
    state.me = state;
    const arrived = ends();
    for (let times = 0; times < 2; times++)
      assert.deepEqual(differencesBetween(structuredClone(state), arrived(state), false), []);
  }
});

const MORE = { of: ['what', 'stays', 'equal'] };

test('a receiver that has missed a message says so once, and goes on with the next whole one', () => {
  let misses = 0;
  const [sender, other] = [createSender(), createSender()];
  const receiver = createReceiver({ onMiss: () => misses++ });
  const messages = [1, 2, 3, 4].map((step) => sender.toMessage({ step, ...MORE }));
  assert.deepEqual(
    messages.map((message) => 'whole' in message),
    [true, false, false, false],
  );
  assert.deepEqual(receiver.fromMessage(messages[0]!), { step: 1, ...MORE });
  assert.equal(receiver.fromMessage(messages[2]!), undefined);
  assert.equal(receiver.fromMessage(messages[3]!), undefined);
  assert.equal(misses, 1);
  // One of another sender is no next one either, whatever its number.
  other.toMessage({ step: 1, ...MORE });
  assert.equal(receiver.fromMessage(other.toMessage({ step: 2, ...MORE })), undefined);
  sender.reset();
  assert.deepEqual(receiver.fromMessage(sender.toMessage({ step: 5 })), { step: 5 });
  assert.equal(receiver.fromMessage(messages[2]!), undefined);
  assert.equal(misses, 2);
});

/** Values and keys that a clone writes. */
function weight(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  const inside = Object.values(value).reduce((sum: number, inner) => sum + weight(inner), 1);
  return Array.isArray(value) ? inside : inside + Object.keys(value).length;
}

/** A patch of a small payload has its own names of keys and a few steps besides. */
const most = (payload: unknown) => 1.1 * weight(payload) + 8;

const numbers = (count: number, add: number) => Array.from({ length: count }, (_, at) => at + add);
const record = (id: number, add: number) => ({ id, name: `n${id}`, x: id + add, y: id - add });
const records = (count: number, add: number) => Array.from({ length: count }, (_, id) => record(id, add));

/** Without a limit: the patch is the whole. */
const CHANGED: [name: string, previous: unknown, next: unknown, limit?: number][] = [
  ['every number of a list', numbers(50, 0), numbers(50, 1)],
  ['every value of an object', { a: 1, b: 2, c: 3, d: 4 }, { a: 2, b: 3, c: 4, d: 5 }],
  ['half of each record', records(40, 0), records(40, 1)],
  ['one number of a list', numbers(50, 0), Object.assign(numbers(50, 0), { 7: -1 }), 8],
  ['one value of one record', records(50, 0), records(50, 0).with(7, { ...record(7, 0), x: -1 }), 12],
  ['nothing', records(50, 0), records(50, 0), 4],
];

for (const [name, previous, next, limit = most(next)] of CHANGED)
  test(`${name} has changed: the patch holds little else`, () => {
    const patch = toPatch(previous, next);
    assert.deepEqual(applyPatch(structuredClone(previous), structuredClone(patch)), next);
    assert.ok(weight(patch) <= limit, `${weight(patch)} values of ${weight(next)}`);
  });

test('the payload is sent whole at regular intervals, for receivers that join later', () => {
  const sender = createSender({ wholeEvery: 5 });
  const isWhole = Array.from({ length: 16 }, (_, add) => {
    const payload = { add, records: records(20, 0) };
    return 'whole' in sender.toMessage(payload);
  });
  assert.deepEqual(
    isWhole.flatMap((whole, at) => (whole ? at : [])),
    [0, 5, 10, 15],
  );
});
