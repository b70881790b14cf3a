import type { Shape } from '../../../model/documents/shape.ts';
import type { EngineName } from '../../../model/names.ts';
import type { Kind } from '../../../model/vocabulary/shape.ts';

/** Object kinds only: what a check of internal slots can answer. */
export interface BuiltInType {
  kind: Kind;
  /** Name of the constructor where the kind does not say it. */
  tag?: string;
  /** It has transfer steps (MessagePort, streams). */
  transferable?: boolean;
  /** An object of a web class without clone steps, which this runtime clones as an ordinary object. */
  web?: boolean;
}

/** Type of an object by its internal slots; runs no user code. */
export interface TypeDetection {
  /** True for a Proxy, revoked ones included. Asked before anything else touches the object. */
  isProxy(value: object): boolean;
  /** `value` is not a Proxy. */
  of(value: object): BuiltInType;
  isNodeBuffer(view: object): boolean;
  /** An ArrayBuffer that was marked as untransferable; absent where that cannot be asked. */
  isUntransferable?(buffer: object): boolean;
  /** False where stacks are made in another way than the program's: then they are not read. */
  readsStacks?: boolean;
  /** Bytes of the pool that small Node Buffers are cut from; 0 where there is none. */
  poolBytes: number;
}

/** What is known about the elements of an array after they were read. */
export interface ElementFacts {
  length: number;
  holes: boolean;
  /** 'none' for an empty array, 'int32' and 'double' when every present element is such a number. */
  content: 'none' | 'int32' | 'double' | 'mixed';
  /** NaN among them: JSC cannot keep it in double storage. */
  nan: boolean;
  /** Observed STRUCTURE bits of flags.ts. */
  observed: number;
}

/** Storage facts: STORED bits of flags.ts. `depth` is 0 for the root. Never asked about a Proxy. */
export interface Storage {
  by: Shape['representation']['by'];
  engine: EngineName;
  /** Asked before anything else reads the string: reading flattens a rope. */
  string(value: string, depth: number): number;
  object(value: object, depth: number, observed: number, keys: number): number;
  array(value: readonly unknown[], depth: number, facts: ElementFacts): number;
  /** The elements, where the engine guarantees that each is a number and none is absent; valid until the next call. */
  numbers(value: readonly unknown[]): Float64Array | null;
  /**
   * The engine guarantees that every index below length is a plain data element, or absent: no accessor, nothing
   * frozen. 'packed': none is absent. 'unknown': every index must be read by descriptor.
   */
  elements(value: readonly unknown[]): 'packed' | 'holey' | 'unknown';
  /**
   * Both have the same hidden class: the same prototype, the same named properties with the same attributes. `known` has
   * no dictionary properties, `value` is not a Proxy. Null where the engine does not expose hidden classes.
   */
  sameHiddenClass: ((value: object, known: object) => boolean) | null;
}

export interface Probe {
  types: TypeDetection;
  storage: Storage;
  utf8Bytes(text: string): number;
}
