/**
 * Storage where the engine cannot be asked: how such a value is usually stored, judged by what plain JavaScript sees. The
 * shape says so (`representation.by`); what cannot be judged has a flag of its own (`share-unknown`).
 */
import type { EngineName } from '../../model/names.ts';
import { STORED, STRUCTURE } from './inspect/flags.ts';
import type { ElementFacts, Storage } from './inspect/probe.ts';

const LOCKED = STRUCTURE['non-extensible'] | STRUCTURE.sealed | STRUCTURE.frozen;
const ATTRIBUTES =
  STRUCTURE.accessor |
  STRUCTURE['read-only'] |
  STRUCTURE['non-configurable'] |
  STRUCTURE['non-enumerable'] |
  STRUCTURE['sent-fixed'];

/** V8 abandons descriptor arrays beyond this many named properties (kMaxNumberOfDescriptors, property-details.h). */
const V8_DESCRIPTORS = 1020;
/** V8 keeps elements in a hash table when the array would waste this much (ShouldConvertToSlowElements). */
const V8_SPARSE = 1 << 25;

/** JSON.parse makes a dictionary of so many named properties (kMapCacheSize, contexts.h; seen in Node 20 to 26). */
const V8_PARSED = 128;

export function v8Object(observed: number, keys: number): number {
  const slow = STRUCTURE['null-prototype'] | STRUCTURE.accessor;
  return (observed & slow) !== 0 || keys > V8_DESCRIPTORS ? STORED.dictionary : 0;
}

export function v8Array(facts: ElementFacts): number {
  if ((facts.observed & LOCKED) !== 0) return STORED['not-fast-elements'];
  if ((facts.observed & ATTRIBUTES) !== 0) return STORED['dictionary-elements'];
  if (facts.holes) return facts.length > V8_SPARSE ? STORED['dictionary-elements'] : STORED['holey-kind'];
  if (facts.content === 'mixed') return STORED['packed-elements'];
  return facts.content === 'double' ? STORED['packed-double'] : STORED['packed-smi'];
}

export const jscObject = (observed: number): number =>
  (observed & STRUCTURE['indexed-key']) === 0 ? 0 : STORED['indexed-storage'];

/** Where a JSC object's history matters: a root, and the elements of a root array. */
export const jscHistory = (depth: number): number => (depth <= 1 ? STORED['history-unknown'] : 0);

/** JSC indexing types as JSArray chooses them (runtime/JSObject.cpp); NaN does not fit double storage. */
export function jscArray(facts: ElementFacts): number {
  if ((facts.observed & (LOCKED | ATTRIBUTES)) !== 0) return STORED['array-storage'];
  if (facts.content === 'none') return STORED.undecided;
  if (facts.content === 'mixed' || facts.nan) return STORED.contiguous;
  return facts.content === 'double' ? STORED['double-storage'] : STORED['int32-storage'];
}

/** V8 compiles it to "never matches" for a one-byte subject, so that it costs nothing on most strings. */
const BEYOND_LATIN1 = /[\u0100-\uffff]/;

/** Every unit is <= 0xFF. */
export const isLatin1 = (text: string): boolean => !BEYOND_LATIN1.test(text);

/** As narrow as the content allows, which is how engines usually store strings. */
export const byContent = (text: string): number => (isLatin1(text) ? STORED['one-byte'] : STORED['two-byte']);

/** `fromJson`: the values come out of JSON.parse, whose strings own their buffers. */
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
        // Indices among the keys do not count.
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
    numbers: () => null,
    elements: () => 'unknown',
    sameHiddenClass: null,
  };
}
