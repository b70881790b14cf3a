/**
 * Flags as bits, so that a walk over millions of values compares two integers per value and allocates nothing.
 * `observed` bits are what plain JavaScript can see, `stored` bits are how the engine stores the value.
 */
import type { Flag, Kind } from '../../model/shape.ts';

type Bits<F extends Flag> = Readonly<Record<F, number>>;

function bitsOf<const F extends Flag>(names: readonly F[]): Bits<F> {
  const table: Partial<Record<F, number>> = {};
  names.forEach((name, i) => {
    table[name] = 1 << i;
  });
  return table as Bits<F>;
}

export const STRING = bitsOf([
  'units-over-128',
  'units-from-256',
  'bytes-from-514',
  'lone-surrogate',
  'repeated',
]);

export const NUMBER = bitsOf(['int32', 'double', 'nan', 'negative-zero', 'infinite', 'beyond-smi31']);

/** Objects, arrays and every other kind except strings, numbers and buffers. */
export const STRUCTURE = bitsOf([
  'empty',
  'class-instance',
  'null-prototype',
  'other-realm',
  'subclass',
  'accessor',
  'enumerable-accessor',
  'non-enumerable',
  'non-configurable',
  'read-only',
  'symbol-key',
  'indexed-key',
  'proto-key',
  'named-props',
  'holes',
  'to-json',
  'non-extensible',
  'sealed',
  'frozen',
  'repeated',
  'cycle',
  'too-many-keys',
  'too-many-items',
  'extra-props',
  'aggregate',
  'has-cause',
  'transferable',
]);

export const BUFFER = bitsOf([
  'empty',
  'view-of-larger',
  'pooled',
  'node-buffer',
  'detached',
  'resizable',
  'length-tracking',
  'shared-backing',
  'wasm-memory',
  'subclass',
  'other-realm',
  'extra-props',
  'repeated',
  'cycle',
  'transferable',
]);

/** How the engine stores the value. One list for all kinds. */
export const STORED = bitsOf([
  'one-byte',
  'two-byte',
  'ascii-in-two-byte',
  'rope',
  'substring',
  'atom',
  'share-unknown',
  'dictionary',
  'dictionary-unknown',
  'uncacheable-dictionary',
  'indexed-storage',
  'hidden-state',
  'packed-smi',
  'packed-double',
  'packed-elements',
  'holey-kind',
  'dictionary-elements',
  'not-fast-elements',
  'undecided',
  'int32-storage',
  'double-storage',
  'contiguous',
  'array-storage',
  'slow-put',
  'named-props-history',
  'prototype-indexed',
  'vacuously-frozen',
]);

const BUFFERS: ReadonlySet<Kind> = new Set<Kind>([
  'arraybuffer',
  'sharedarraybuffer',
  'typedarray',
  'dataview',
]);

function observedBits(kind: Kind): Readonly<Partial<Record<Flag, number>>> {
  if (kind === 'string') return STRING;
  if (kind === 'number') return NUMBER;
  return BUFFERS.has(kind) ? BUFFER : STRUCTURE;
}

function namesIn(bits: Readonly<Partial<Record<Flag, number>>>, mask: number): Flag[] {
  return (Object.keys(bits) as Flag[]).filter((name) => (mask & bits[name]!) !== 0);
}

/** The flags of two masks, for a value of this kind; observed ones first. */
export function flagsOf(kind: Kind, observed: number, stored: number): Flag[] {
  return [...namesIn(observedBits(kind), observed), ...namesIn(STORED, stored)];
}
