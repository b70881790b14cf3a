/** Seeded changes of a value, after which it may not fit the codec of its sample. */
import { type Random, randomBelow } from '../../../src/stats/intervals/random.ts';
import { objectsIn } from './arrival.ts';
import { STRANGE_VALUES } from './strange-values.ts';

type Change = (target: Record<string, unknown>, key: string, random: Random) => void;

export const pick = <T>(list: readonly T[], random: Random): T => list[randomBelow(list.length, random)]!;
const strange = (random: Random): unknown => pick(STRANGE_VALUES, random)();

/** An own property, also where the name is `__proto__`. */
export function define(target: object, key: PropertyKey, value: unknown): void {
  Object.defineProperty(target, key, { value, configurable: true, enumerable: true, writable: true });
}

const NEW_KEYS = ['', 'a b', ...'extra 0 12 __proto__ constructor é \ud800 toJSON length'.split(' ')];

const OF_ANY: Record<string, Change> = {
  'other value': (target, key, random) => define(target, key, strange(random)),
  'other value, deep': (target, key, random) => define(target, key, { deep: [strange(random)] }),
  'value wrapped': (target, key) => define(target, key, [target[key]]),
  'missing key': (target, key) => delete target[key],
  'key twice': (target, key) => define(target, `${key}2`, target[key]),
  frozen: (target) => Object.freeze(target),
  // Registered, so that two values made alike have the same key.
  'symbol key': (target, _, random) => define(target, Symbol.for('s'), strange(random)),
};

const OF_OBJECTS: Record<string, Change> = {
  ...OF_ANY,
  'extra key': (target, _, random) => define(target, pick(NEW_KEYS, random), strange(random)),
  'reordered keys': (target) => {
    const entries = Object.entries(target).reverse();
    for (const [key] of entries) delete target[key];
    for (const [key, value] of entries) define(target, key, value);
  },
  'a getter': (target, key) => {
    const value = target[key];
    Object.defineProperty(target, key, { get: () => value, configurable: true, enumerable: true });
  },
  'a getter that throws': (target, key) =>
    Object.defineProperty(target, key, {
      get: () => {
        throw new Error('no');
      },
      configurable: true,
      enumerable: true,
    }),
  'a setter alone': (target, key) => Object.defineProperty(target, key, { set: () => {}, enumerable: true }),
  'not enumerable': (target, key) => Object.defineProperty(target, key, { enumerable: false }),
  'hidden key': (target) => Object.defineProperty(target, 'hidden', { value: 1 }),
  'no prototype': (target) => Object.setPrototypeOf(target, null),
  'other prototype': (target) => Object.setPrototypeOf(target, { inherited: 1 }),
  'many keys': (target) => {
    for (let at = 0; at < 400; at++) define(target, `many${at}`, at);
  },
};

/** Not what codecs tell that they leave out: accessors and hidden elements. */
const OF_ARRAYS: Record<string, Change> = {
  ...OF_ANY,
  'further item': (target, _, random) => (target as unknown as unknown[]).push(strange(random)),
  'many items': (target, key) => {
    const list = target as unknown as unknown[];
    for (let left = 20; left > 0; left--) list.push(list[Number(key) || 0]);
  },
  'raised length': (target, _, random) => Object.assign(target, { length: 3 + randomBelow(20, random) }),
  'far item': (target) => define(target, '5000', 1),
  reversed: (target) => (target as unknown as unknown[]).reverse(),
  'no prototype': (target) => Object.setPrototypeOf(target, null),
};

function changeContainer(target: Map<unknown, unknown> | Set<unknown>, random: Random): string {
  const value = strange(random);
  if (target instanceof Set) target.add(value);
  else if (randomBelow(2, random) === 0) target.set(value, value);
  else target.set([...target.keys()][0] ?? 'key', value);
  return 'another member';
}

function changeOne(target: object, random: Random): string {
  if (target instanceof Map || target instanceof Set) return changeContainer(target, random);
  const changes = Array.isArray(target) ? OF_ARRAYS : OF_OBJECTS;
  const name = pick(Object.keys(changes), random);
  const keys = Object.keys(target);
  const key = keys.length === 0 ? 'a' : pick(keys, random);
  try {
    changes[name]!(target as Record<string, unknown>, key, random);
  } catch {
    // Frozen, or a property that may not be changed.
    return `no ${name}`;
  }
  return name;
}

const ROOT_SHARE = 12;
const MAX_CHANGES = 3;

/** @param value is changed in place, where it is an object. @returns `what`: what was done */
export function mutated(value: unknown, random: Random): { value: unknown; what: string } {
  const targets = [...objectsIn(value)].filter((one) => !ArrayBuffer.isView(one));
  if (targets.length === 0 || randomBelow(ROOT_SHARE, random) === 0) {
    const isWrapped = randomBelow(2, random) === 0;
    return isWrapped
      ? { value: [value], what: 'wrapped' }
      : { value: strange(random), what: 'another value' };
  }
  const names = Array.from({ length: 1 + randomBelow(MAX_CHANGES, random) }, () =>
    changeOne(pick(targets, random), random),
  );
  return { value, what: names.join(', ') };
}
