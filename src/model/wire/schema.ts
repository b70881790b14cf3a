/**
 * Checks of what another process sent. A check returns the value in its type: without unknown keys, with texts that people
 * read cut. The types of messages are inferred from their checks. Not zod: it takes 12 ms to load and 16 to check the
 * samples of one slice, in a command whose whole answer takes 120.
 */
import { cutText } from '../cut.ts';

/** @throws Mismatch */
export type Check<T> = (value: unknown) => T;

/** What a value is not, and where in the message. */
export class Mismatch extends Error {
  override name = 'Mismatch';

  /** The same one step further out. */
  within(step: string): Mismatch {
    return new Mismatch(`${step}${this.message}`);
  }
}

/** @param wanted "a number" */
export const fail = (wanted: string): never => {
  throw new Mismatch(`: ${wanted} expected`);
};

/** With the step in front of the path of what was thrown. */
function at<T>(step: string, check: Check<T>, value: unknown): T {
  try {
    return check(value);
  } catch (error) {
    throw error instanceof Mismatch ? error.within(step) : error;
  }
}

const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);

export const number: Check<number> = (value) => (isNumber(value) ? (value as number) : fail('a number'));
export const boolean: Check<boolean> = (value) =>
  typeof value === 'boolean' ? value : fail('true or false');
/** A text that the program reads: a path, a name to ask for. */
export const exact: Check<string> = (value) => (typeof value === 'string' ? value : fail('a text'));
/** A text that people read. */
export const text: Check<string> = (value) => cutText(exact(value));

export const nullable =
  <T>(check: Check<T>): Check<T | null> =>
  (value) =>
    value === null ? null : check(value);

/** For a field that may be absent. */
export const optional =
  <T>(check: Check<T>): Check<T | undefined> =>
  (value) =>
    value === undefined ? undefined : check(value);

export const oneOf = <const T extends string>(names: readonly T[]): Check<T> => {
  const known: ReadonlySet<unknown> = new Set(names);
  return (value) => (known.has(value) ? (value as T) : fail('a known name'));
};

export const list =
  <T>(check: Check<T>): Check<T[]> =>
  (value) => {
    if (!Array.isArray(value)) return fail('a list');
    return value.map((item, index) => at(`[${index}]`, check, item));
  };

/** A list that may have a hundred thousand items: looked through, not copied. */
export const numbers: Check<number[]> = (value) => {
  if (!Array.isArray(value)) return fail('a list of numbers');
  for (let i = 0; i < value.length; i++) if (!isNumber(value[i])) return fail('a list of numbers');
  return value as number[];
};

type Fields = Readonly<Record<string, Check<unknown>>>;
type Values<F extends Fields> = { [K in keyof F]: ReturnType<F[K]> };
/** What may be undefined may be absent. */
type Sparse<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};
type Plain<T> = { [K in keyof T]: T[K] };

/** An object with these fields; others are dropped, `__proto__` included. */
export const object = <F extends Fields>(fields: F): Check<Plain<Sparse<Values<F>>>> => {
  const names = Object.keys(fields);
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return fail('an object');
    const checked: Record<string, unknown> = {};
    for (const name of names) {
      const own = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
      const field = at(`.${name}`, fields[name]!, own);
      if (field !== undefined) checked[name] = field;
    }
    return checked as Plain<Sparse<Values<F>>>;
  };
};

/** The same for a type that is defined elsewhere: the compiler compares them field by field. */
export const typed = <T extends object>(
  fields: {
    [K in keyof T]-?: Check<T[K]> | Check<T[K] | undefined>;
  },
): Check<T> => object(fields as Fields) as Check<unknown> as Check<T>;

/** A field that names the type of its object. */
export const literal =
  <T extends string>(name: T): Check<T> =>
  (value) =>
    value === name ? name : fail(`'${name}'`);
