/** How an engine stores values, and what is assumed of engines that do not reveal it. */

import type { Shape } from '../../../model/documents/shape.ts';
import type { EngineName } from '../../../model/names.ts';
import type { TypeDetection } from '../../read/built-in-types.ts';
import { STORED, STRUCTURE } from './flags.ts';

export interface ElementFacts {
  length: number;
  content: 'none' | 'int32' | 'double' | 'mixed';
  /** JSC cannot keep a NaN in double storage. */
  nan: boolean;
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
  /** 'packed': each index below length is plain data, readable without its descriptor; 'holey': or it is absent. */
  elements?(value: readonly unknown[]): 'packed' | 'holey' | undefined;
  /** True for the same prototype, named properties and attributes. Absent if the engine does not expose it. */
  sameHiddenClass?: (value: object, known: object) => boolean;
}

export interface Probe {
  types: TypeDetection;
  storage: Storage;
  /** True if own properties of errors are sent, as newer versions of workerd do. */
  sendsErrorProps?: boolean;
  utf8Bytes(text: string): number;
}

// Assumed is the usual storage of such a value, as far as plain JavaScript can judge. The shape says so
// (`representation.by`); facts that stay unknown have separate flags (`share-unknown`).

const LOCKED = STRUCTURE['non-extensible'] | STRUCTURE.sealed | STRUCTURE.frozen;
const ATTRIBUTES =
  STRUCTURE.accessor |
  STRUCTURE['read-only'] |
  STRUCTURE['non-configurable'] |
  STRUCTURE['non-enumerable'] |
  STRUCTURE['sent-fixed'];

/** Maximum named properties in a descriptor array of V8 (kMaxNumberOfDescriptors, property-details.h). */
const V8_DESCRIPTORS = 1020;
/** Minimum wasted elements that make V8 keep them in a hash table instead (ShouldConvertToSlowElements). */
const V8_SPARSE = 1 << 25;

/** Minimum named properties that make JSON.parse use a dictionary (kMapCacheSize, contexts.h; Node 20 to 26). */
const V8_PARSED = 128;

export function v8Object(observed: number, keys: number): number {
  const slow = STRUCTURE['null-prototype'] | STRUCTURE.accessor;
  return (observed & slow) !== 0 || keys > V8_DESCRIPTORS ? STORED.dictionary : 0;
}

export function v8Array(facts: ElementFacts): number {
  if ((facts.observed & LOCKED) !== 0) return STORED['not-fast-elements'];
  if ((facts.observed & ATTRIBUTES) !== 0) return STORED['dictionary-elements'];
  if ((facts.observed & STRUCTURE.holes) !== 0)
    return facts.length > V8_SPARSE ? STORED['dictionary-elements'] : STORED['holey-kind'];
  if (facts.content === 'mixed') return STORED['packed-elements'];
  return facts.content === 'double' ? STORED['packed-double'] : STORED['packed-smi'];
}

export const jscObject = (observed: number): number =>
  (observed & STRUCTURE['indexed-key']) === 0 ? 0 : STORED['indexed-storage'];

/** The history of a JSC object matters only for a root and for the elements of a root array. */
export const jscHistory = (depth: number): number => (depth <= 1 ? STORED['history-unknown'] : 0);

/** JSC indexing types as JSArray chooses them (runtime/JSObject.cpp); NaN does not fit double storage. */
export function jscArray(facts: ElementFacts): number {
  if ((facts.observed & (LOCKED | ATTRIBUTES)) !== 0) return STORED['array-storage'];
  if (facts.content === 'none') return STORED.undecided;
  if (facts.content === 'mixed' || facts.nan) return STORED.contiguous;
  return facts.content === 'double' ? STORED['double-storage'] : STORED['int32-storage'];
}

/** V8 compiles this to "never matches" for a one-byte subject, so it costs nothing for most strings. */
const BEYOND_LATIN1 = /[\u0100-\uffff]/;

export const isLatin1 = (text: string): boolean => !BEYOND_LATIN1.test(text);

/** As narrow as the content allows, which is how engines usually store strings. */
export const byContent = (text: string): number => (isLatin1(text) ? STORED['one-byte'] : STORED['two-byte']);

/** `fromJson` means that the values come from JSON.parse, whose strings own their buffers. */
export function assumedStorage(engine: EngineName, fromJson = false): Storage {
  const jsc = engine === 'jsc';
  const known = !jsc || fromJson;
  return {
    by: 'assumed',
    engine,
    string: (value) => byContent(value) | (known || value.length < 256 ? 0 : STORED['share-unknown']),
    object: (_value, depth, observed, keys) => {
      if (engine === 'v8') {
        if (!fromJson || keys < V8_PARSED) return v8Object(observed, keys);
        // The limit of JSON.parse counts only named keys, so it is unknown whether this object exceeds it.
        const isUnknown = (observed & STRUCTURE['indexed-key']) !== 0;
        return v8Object(observed, keys) | (isUnknown ? STORED['dictionary-unknown'] : STORED.dictionary);
      }
      return jsc ? jscObject(observed) | (known ? 0 : jscHistory(depth)) : 0;
    },
    array: (_value, depth, facts) => {
      if (engine === 'v8') return v8Array(facts);
      if (!jsc) return 0;
      const stored = jscArray(facts);
      const told = known || depth > 0 || stored === STORED['array-storage'];
      return told ? stored : stored | STORED['storage-unknown'];
    },
  };
}
