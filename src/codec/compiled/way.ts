import type { ValueType } from '../../model/documents/payload-schema.ts';

/** Place of long texts in a message: joined with all others, or in the list of cloned values. */
export type TextForm = 'joined' | 'listed';

/** Parameters of all write functions. */
export const VALUE = 'value/*: unknown */, path/*: string */';

/** Functions that write and read the values of a place. */
export interface TypeCall {
  /** Suffix of the `write` and `read` functions: `List`. */
  name: string;
  /** Suffixes of the functions for the inner values: `['Order']`. */
  inside: readonly string[];
  /** True if the value does not contain others, so that one helper writes it. */
  isScalar?: boolean | undefined;
  /** Helpers for one value if all values fit; they do not need a path. */
  bare?: { write: string; read: string } | undefined;
  /** For a list of scalars: the `known` of its items. */
  items?: string | undefined;
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

/** One way of writing the values of a place. A type can have several. */
export interface Way extends Pick<TypeCall, 'isScalar' | 'bare' | 'items'> {
  /** `word`; it is part of the version of a codec. */
  name: string;
  fits(type: ValueType, form: TextForm): boolean;
  /** Types of the values inside. Items of lists and fields of records have functions of their own. */
  inside?(type: ValueType): readonly number[];
  /**
   * TypeScript of the values.
   *
   * @param inside TypeScript of the values inside
   * @param isRecursive a type inside is an alias, because it contains itself without a record between
   */
  tsType(type: ValueType, inside: readonly string[], isRecursive: boolean): string;
  /** A condition on `value` that excludes values of other ways. Absent if the place never has other ways. */
  test?(type: ValueType): string;
  /** Suffix of the functions; default: the capitalized name. */
  suffix?(type: ValueType): string;
  /** The functions with this suffix, which each codec with it declares. */
  code?(name: string, type: ValueType): string;
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
export const container = (name: string, fits: string, lines: string, writers = 'write/*: Write */'): string =>
  `function write${name}(${VALUE}, ${writers}, known = '')/*: void */ {
  if (!${fits}) return writeOther(value, path, known);
${lines}
}`;
