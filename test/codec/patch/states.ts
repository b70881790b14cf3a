/** Random states that change step by step, as programs have them. */
import { type Random, randomBelow, shuffle } from '../../../src/stats/intervals/random.ts';
import { objectsIn } from '../compiled/arrival.ts';
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

export const firstState = (random: Random): Keyed => ({
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
export function change(state: Keyed, random: Random): void {
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
export function changedCopy(state: Keyed, random: Random): Keyed {
  const key = pick(Object.keys(state), random);
  const copy = { ...state };
  const inside = structuredClone(state[key]);
  if (typeof inside === 'object' && inside !== null) changeInside(inside as Keyed, random);
  define(copy, key, inside);
  if (randomBelow(3, random) === 0) define(copy, pick(KEYS, random), newValue(random));
  return copy;
}
