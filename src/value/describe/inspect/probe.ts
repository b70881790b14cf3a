import type { Shape } from '../../../model/documents/shape.ts';
import type { EngineName } from '../../../model/names.ts';
import type { TypeDetection } from '../../read/types.ts';

/** Facts about the elements of an array that were read. */
export interface ElementFacts {
  length: number;
  holes: boolean;
  /** 'none' for an empty array, 'int32' or 'double' if every present element is such a number. */
  content: 'none' | 'int32' | 'double' | 'mixed';
  /** True if there is a NaN: JSC cannot keep it in double storage. */
  nan: boolean;
  /** Observed STRUCTURE bits of flags.ts. */
  observed: number;
}

/** Storage facts: STORED bits of flags.ts. `depth` is 0 for the root. Never called with a Proxy. */
export interface Storage {
  by: Shape['representation']['by'];
  engine: EngineName;
  /** Called before anything else reads the string: reading flattens a rope. */
  string(value: string, depth: number): number;
  object(value: object, depth: number, observed: number, keys: number): number;
  array(value: readonly unknown[], depth: number, facts: ElementFacts): number;
  /**
   * The engine guarantees that every index below length is a plain data element or absent: it is neither an accessor
   * nor frozen. 'packed': none is absent. Undefined: every index must be read by its descriptor.
   */
  elements?(value: readonly unknown[]): 'packed' | 'holey' | undefined;
  /**
   * True if both have the same hidden class: the same prototype and named properties with the same attributes. `known`
   * has no dictionary properties, `value` is not a Proxy. Absent if the engine does not expose hidden classes.
   */
  sameHiddenClass?: (value: object, known: object) => boolean;
}

export interface Probe {
  types: TypeDetection;
  storage: Storage;
  /** True if own properties of errors are sent, as newer versions of workerd do. */
  sendsErrorProps?: boolean;
  utf8Bytes(text: string): number;
}
