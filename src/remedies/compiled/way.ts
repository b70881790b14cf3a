import type { ValueType } from '../../model/documents/payload-schema.ts';

/** Place of long texts in a message: joined with all others, or in the list of cloned values. */
export type TextForm = 'joined' | 'listed';

/** Parameters of all write functions. */
export const VALUE = 'value/*: unknown */, path/*: string */';

/** Functions that write and read values of one way. */
export interface WayCall {
  /** Suffix of the `write` and `read` functions: `List`. */
  name: string;
  /** Suffixes of the functions for the inner values: `['Order']`. */
  inside: string[];
  /** True if the value does not contain others, so that one helper writes it. */
  isScalar?: boolean;
  /** Helpers for one value if all values fit; they do not need a path. */
  bare?: { write: string; read: string };
  /** For a list of scalars: the `known` of its items. */
  items?: string;
}

export interface TypeCall extends WayCall {
  /** `null|boolean`: constants that the place may hold instead of a value. */
  known: string;
}

/** Space of a value in a message, if it is equal for all values. */
export interface Places {
  ints: number;
  doubles: number;
  /** Integers that are lengths of texts. */
  texts: readonly number[];
  /** Integers that must equal a mark, as a sign that all fields fit. */
  marks: readonly (readonly [at: number, mark: number])[];
}

export const NO_PLACES: Places = { ints: 0, doubles: 0, texts: [], marks: [] };
export const ONE_INT: Places = { ...NO_PLACES, ints: 1 };
export const ONE_DOUBLE: Places = { ...NO_PLACES, doubles: 1 };

/** First place of a type of the schema, and its name in code. */
export interface Naming {
  /** Name in functions and interfaces of a type: `Orders`. */
  name: string;
  /** `$.orders[*]`, or `Order.items` below a record that occurs at several places. */
  path: string;
}

/** TypeScript of the inner types. */
export interface TypeTexts {
  text(at: number): string;
  type(at: number): Naming;
  record(at: number): Naming;
  /** True if the type contains itself without a record between. */
  isRecursive(at: number): boolean;
}

/**
 * Functions for inner values, which the code of a way requests. Each method returns the suffix of `write` and `read`.
 */
export interface Functions {
  readonly types: TypeTexts;
  call(at: number): TypeCall;
  /** A function with only the parameters value and path. */
  functionFor(at: number): string;
  /** Registers a function of this codec once. */
  later(name: string, write: (name: string) => string): string;
  record(at: number): string;
}

/** One way of writing the values of a place. A type can have several. */
export interface Way {
  /** `word`; it is part of the version of a codec. */
  name: string;
  fits(type: ValueType, form: TextForm): boolean;
  /** TypeScript of the values. */
  tsType(type: ValueType, types: TypeTexts): string;
  /** A condition on `value` that excludes values of other ways. Absent if the place never has other ways. */
  test?(type: ValueType): string;
  call(type: ValueType, functions: Functions): WayCall;
  /** Declarations that all codecs with this way share. */
  helpers?: readonly string[];
  /** Space of a value in a message. Absent if it differs between values of one type. */
  places?(type: ValueType): Places;
  /** The array that can hold a column of the values. */
  array?: 'Int32Array' | 'Float64Array';
}

/** `word` -> `Word` */
export const capitalized = (name: string): string => name[0]!.toUpperCase() + name.slice(1);

/** `OrderOrNull` */
export const orKnown = (name: string, known: string): string =>
  [name, ...(known === '' ? [] : known.split('|').map(capitalized))].join('Or');

/** Helper that calls a function for every value in a container. */
export const container = (name: string, fits: string, lines: string): string =>
  `function write${name}(${VALUE}, write/*: Write */, known = '')/*: void */ {
  if (!${fits}) return writeOther(value, path, known);
${lines}
}`;
