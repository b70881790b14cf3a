/** Facts of ArrayBuffers and of the views on them, by internal slots. */
import type { Kind } from '../../../model/vocabulary/shape.ts';
import { CONSTRUCTOR_OF, isOfBuiltIn } from '../../read/built-in-names.ts';
import {
  ARRAY_BUFFER,
  callOn,
  isInBounds,
  isResizable,
  SHARED_BUFFER,
  TYPED_ARRAY,
  viewRange,
} from '../../read/intrinsics.ts';
import { isIndexKey } from '../../read/own-data.ts';
import type { HeldMemory } from '../../read/platform-class.ts';
import type { TypeDetection } from '../../read/types.ts';
import { BUFFER } from './flags.ts';
import type { Prototypes } from './prototypes.ts';

export interface BufferFacts extends HeldMemory {
  kind: Kind;
  bits: number;
  tag?: string;
  buffer: object;
}

/** Maximum length of an array whose keys are listed: each index is a key, and listing millions takes seconds. */
const MAX_LISTED = 1024;

/** Bits of a buffer or view, without the bits of the memory behind it. */
function ownBits(value: object, name: string, length: number, prototypes: Prototypes): number {
  let bits = Object.isExtensible(value) ? 0 : BUFFER['non-extensible'];
  const depth = name === 'Buffer' ? 3 : 2;
  if (!isOfBuiltIn(value, (one) => one === name, depth, prototypes.types.isProxy)) bits |= BUFFER.subclass;
  if (length > MAX_LISTED) return bits;
  for (const key of Reflect.ownKeys(value))
    if (typeof key === 'symbol' || !isIndexKey(key)) bits |= BUFFER['extra-props'];
  return bits;
}

export function isDetached(buffer: object): boolean {
  if (ARRAY_BUFFER.detached !== undefined) return callOn(ARRAY_BUFFER.detached, buffer) === true;
  try {
    // Engines without the getter: creating a view on a detached buffer throws (ES2023, 23.2.5.1.3 step 5).
    new Uint8Array(buffer as ArrayBuffer);
    return false;
  } catch {
    return true;
  }
}

function memoryFacts(buffer: object, kind: Kind, types: TypeDetection): BufferFacts {
  const isShared = kind === 'sharedarraybuffer';
  const bytes = callOn(isShared ? SHARED_BUFFER.byteLength! : ARRAY_BUFFER.byteLength, buffer) as number;
  let bits = bytes === 0 ? BUFFER.empty : 0;
  if (isResizable(buffer)) bits |= BUFFER.resizable;
  // WebAssembly JS API, "create a fixed length memory buffer": the buffer of a shared memory is the only frozen one.
  if (isShared && Object.isFrozen(buffer)) bits |= BUFFER['wasm-memory'];
  if (isShared) return { kind, bits, bytes, buffer, backing: 0, shared: bytes };
  if (bytes === 0 && isDetached(buffer)) bits |= BUFFER.detached;
  if (types.isUntransferable?.(buffer) === true) bits |= BUFFER.untransferable;
  if (types.isWasmMemory?.(buffer) === true) bits |= BUFFER['wasm-memory'];
  return { kind, bits, bytes, buffer, backing: bytes, shared: 0 };
}

export function bufferFacts(buffer: object, kind: Kind, prototypes: Prototypes): BufferFacts {
  const facts = memoryFacts(buffer, kind, prototypes.types);
  facts.bits |= ownBits(buffer, CONSTRUCTOR_OF[kind]!, 0, prototypes);
  if (prototypes.hasToJson(buffer)) facts.bits |= BUFFER['to-json'];
  return facts;
}

/** Flags that a view inherits from its buffer. */
const INHERITED = BUFFER.detached | BUFFER.resizable | BUFFER['wasm-memory'] | BUFFER.untransferable;

function nodeBufferBits(bits: number, behind: BufferFacts, types: TypeDetection): number {
  const whole = bits | BUFFER['node-buffer'];
  const pooled = (bits & BUFFER['view-of-larger']) !== 0 && behind.bytes === types.poolBytes;
  return pooled ? (whole | BUFFER.pooled) & ~BUFFER.untransferable : whole;
}

/** The whole buffer behind a view is cloned, even if the view is small (HTML StructuredSerializeInternal). */
export function viewFacts(view: object, prototypes: Prototypes): BufferFacts {
  const { types } = prototypes;
  const name = callOn(TYPED_ARRAY.name, view) as string | undefined;
  const { buffer, offset, bytes } = viewRange(view);
  const behind = memoryFacts(buffer, types.of(buffer).kind, types);
  const kind: Kind = name === undefined ? 'dataview' : 'typedarray';
  let bits = behind.bits & INHERITED;
  const { backing, shared } = behind;
  const facts = { kind, tag: name ?? 'DataView', bytes, buffer, backing, shared };
  if ((bits & (BUFFER.resizable | BUFFER.detached)) === BUFFER.resizable && !isInBounds(view))
    return { ...facts, bits: bits | BUFFER['out-of-bounds'] };
  if (bytes === 0) bits |= BUFFER.empty;
  if (bytes < behind.bytes) bits |= BUFFER['view-of-larger'];
  if (behind.kind === 'sharedarraybuffer') bits |= BUFFER['shared-backing'];
  // A fixed view of the same extent looks the same, but the usual constructor call makes a length-tracking view.
  if ((behind.bits & BUFFER.resizable) !== 0 && offset + bytes === behind.bytes)
    bits |= BUFFER['length-tracking'];
  const isNodeBuffer = types.isNodeBuffer(view);
  // The length in elements is at most the length in bytes.
  bits |= ownBits(view, isNodeBuffer ? 'Buffer' : facts.tag, name === undefined ? 0 : bytes, prototypes);
  // Every Buffer inherits one.
  const hasToJson = isNodeBuffer ? Object.hasOwn(view, 'toJSON') : prototypes.hasToJson(view);
  if (hasToJson || (name?.startsWith('Big') && prototypes.hasToJson(BigInt.prototype)))
    bits |= BUFFER['to-json'];
  return { ...facts, bits: isNodeBuffer ? nodeBufferBits(bits, behind, types) : bits };
}
