import type { ValueType } from '../../model/documents/payload-schema.ts';

/** Where long texts stand in a message: joined with all others, or in the list of what is cloned. */
export type TextForm = 'joined' | 'listed';

/** Parameters of all functions that write. */
export const VALUE = 'value/*: unknown */, path/*: string */';

/** How values of one way are written and read: the functions that are called. */
export interface WayCall {
  /** What comes after `write` and `read`: `List`. */
  name: string;
  /** Functions for what is inside, by the same part of their names: `['Order']`. */
  inside: string[];
  /** True for a value without others inside, which one helper writes. */
  isScalar?: boolean;
  /** Helpers for one value, if all fit: they are told no path. */
  bare?: { write: string; read: string };
  /** For a list of scalars: the `known` of its items. */
  items?: string;
}

export interface TypeCall extends WayCall {
  /** `null|boolean`: what may stand there instead without being a misfit. */
  known: string;
}

/** What values take of a message, if all of them take as much. */
export interface Places {
  ints: number;
  doubles: number;
  /** Integers that are lengths of texts. */
  texts: readonly number[];
  /** Integers that say that all fits. */
  marks: readonly (readonly [at: number, mark: number])[];
}

export const NO_PLACES: Places = { ints: 0, doubles: 0, texts: [], marks: [] };
export const ONE_INT: Places = { ...NO_PLACES, ints: 1 };
export const ONE_DOUBLE: Places = { ...NO_PLACES, doubles: 1 };

/** TypeScript of what is inside. */
export interface TypeTexts {
  text(at: number): string;
  record(at: number): string;
  /** True if the type holds itself without a record between. */
  isRecursive(at: number): boolean;
}

/**
 * What the code of one way may ask for: functions for what is inside. Each gives the part of a name after `write` and `read`.
 */
export interface Functions {
  readonly types: TypeTexts;
  call(at: number): TypeCall;
  /** A function that takes a value and a path alone. */
  functionFor(at: number): string;
  /** Functions of this codec, each once. */
  later(name: string, write: (name: string) => string): string;
  record(at: number): string;
  /** The first place of values of the type. */
  path(at: number): string;
}

/** One way of writing the values of a place: all that is known of it. A type can have several. */
export interface Way {
  /** `word`; the version of a codec depends on it. */
  name: string;
  fits(type: ValueType, form: TextForm): boolean;
  /** TypeScript of the values. */
  tsType(type: ValueType, types: TypeTexts): string;
  /** A condition on `value` that tells it from values of other ways at the place. Absent if there are never others. */
  test?(type: ValueType): string;
  call(type: ValueType, functions: Functions): WayCall;
  /** Declarations that all codecs with this way share. */
  helpers?: readonly string[];
  /** What a value takes of a message. Absent if values of one type differ in it. */
  places?(type: ValueType): Places;
  /** The array that can hold a column of the values. */
  array?: 'Int32Array' | 'Float64Array';
}

/** `word` -> `Word` */
export const capitalized = (name: string): string => name[0]!.toUpperCase() + name.slice(1);

/** `OrderOrNull` */
export const orKnown = (name: string, known: string): string =>
  [name, ...(known === '' ? [] : known.split('|').map(capitalized))].join('Or');

/** Helper that asks a function for one value about all values in a container. */
export const container = (name: string, fits: string, lines: string): string =>
  `function write${name}(${VALUE}, write/*: Write */, known = '')/*: void */ {
  if (!${fits}) return writeOther(value, path, known);
${lines}
}`;
