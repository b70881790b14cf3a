/** Buffers and views of a message as data, read by built-ins kept from the start: the program may change the rest. */
import type { BufferNode, ViewNode } from '../../model/documents/recorded/value-tree.ts';
import { orElse } from '../../model/or-else.ts';
import type { KeptValues } from '../../model/recording/recording.ts';
import type { Kind } from '../../model/vocabulary/shape.ts';
import { type BufferFacts, bufferFacts, viewFacts } from '../../value/describe/inspect/built-ins.ts';
import { BUFFER, listFlags } from '../../value/describe/inspect/flags.ts';
import type { Prototypes } from '../../value/describe/inspect/properties.ts';
import { callOn, execOn, TYPED_ARRAY, viewRange } from '../../value/read/intrinsics.ts';
import { spreadShare } from '../../value/read/spread.ts';

const Bytes = Uint8Array;

export interface SeenBuffer {
  node: BufferNode;
  buffer: object;
  bytes: number;
  /** Bytes that the views of the message show of it; more than it has if views overlap. */
  shown: number;
  /** It is shared, is Node's pool, or cannot be transferred. */
  stays: boolean;
  pooled: number;
}

export interface SeenMemory {
  node: BufferNode | ViewNode;
  behind: SeenBuffer;
}

const STAYS = BUFFER.untransferable | BUFFER.detached | BUFFER['wasm-memory'];
const OF_BUFFER = STAYS | BUFFER.resizable;
/** Flags of a view that follow from its size, its type and the buffer behind it. */
const IMPLIED =
  BUFFER.empty |
  BUFFER['view-of-larger'] |
  BUFFER['node-buffer'] |
  BUFFER['shared-backing'] |
  BUFFER['after-bigint'];

/** A buffer that still had bytes before the post is not detached in the message. */
const ofPost = (bytes: number): number => (bytes > 0 ? ~BUFFER.detached : ~0);

const unitOf = (name: string): number => Number(execOn(/\d+/, name)?.[0] ?? 8) / 8;

const MAX_ELEMENTS = 1 << 12;

export interface MemoryOptions {
  /** Replaced by others of their class are all values (none is kept), or texts and keys that are data. */
  values: KeptValues;
  maxBytes: number;
  /** Buffers in the transfer list, with their bytes before the post. */
  listed?: ReadonlyMap<unknown, number>;
  /** Elements of views are written as JSON text: their digits are counted. */
  isText?: boolean;
}

export class Memory {
  readonly #options: MemoryOptions;
  readonly buffers = new Map<object, SeenBuffer>();
  #left: number;

  constructor(options: MemoryOptions) {
    this.#options = options;
    this.#left = options.maxBytes;
  }

  spend(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  of(value: object, kind: Kind, prototypes: Prototypes): SeenMemory | null {
    if (kind === 'arraybuffer' || kind === 'sharedarraybuffer') {
      const behind = this.#seen(bufferFacts(value, kind, prototypes));
      behind.shown += behind.bytes;
      this.#keep(behind.node, value, 0, behind.bytes);
      return { node: behind.node, behind };
    }
    if (kind !== 'typedarray' && kind !== 'dataview') return null;
    return this.#view(value, viewFacts(value, prototypes));
  }

  #seen({ kind, bits, buffer, backing, shared }: BufferFacts): SeenBuffer {
    const known = this.buffers.get(buffer);
    if (known !== undefined) return known;
    const moved = this.#options.listed?.get(buffer);
    const isShared = kind === 'sharedarraybuffer' || (bits & BUFFER['shared-backing']) !== 0;
    const bytes = isShared ? shared : (moved ?? backing);
    const flags = listFlags('arraybuffer', bits & OF_BUFFER & ofPost(bytes), 0);
    const node: BufferNode = {
      ...{ is: 'buffer', bytes, ...(isShared && { shared: true }) },
      ...(moved !== undefined && { moved: true }),
      ...(flags.length > 0 && { flags }),
    };
    const stays = isShared || (bits & STAYS) !== 0;
    const seen = { node, buffer, bytes, shown: 0, stays, pooled: 0 };
    this.buffers.set(buffer, seen);
    return seen;
  }

  #view(view: object, facts: BufferFacts): SeenMemory {
    const behind = this.#seen(facts);
    const { tag = 'DataView' } = facts;
    const bits = facts.bits & ofPost(behind.bytes);
    // The part of a transferred buffer that a view showed is not known: most show all.
    const bytes = bits === facts.bits ? facts.bytes : behind.bytes - (behind.bytes % unitOf(tag));
    const offset = offsetOf(view);
    behind.shown += bytes;
    if ((bits & BUFFER.pooled) !== 0) {
      behind.pooled++;
      behind.stays = true;
    }
    const type = (bits & BUFFER['node-buffer']) !== 0 ? 'Buffer' : tag;
    const flags = listFlags('typedarray', bits & ~(IMPLIED | (OF_BUFFER & ~BUFFER.detached)), 0);
    const node: ViewNode = { is: 'view', type, bytes, offset, on: behind.node };
    if (flags.length > 0) node.flags = flags;
    this.#keep(node, behind.buffer, offset, bytes);
    if (this.#options.isText === true && node.content === undefined)
      node.digits = digitsOf(view, type === 'Buffer');
    return { node, behind };
  }

  #keep(node: { content?: string }, buffer: object, from: number, length: number): void {
    if (this.#options.values !== 'kept') return;
    // No bytes of a buffer that is detached by now.
    const bytes = orElse(() => new Bytes(buffer as ArrayBuffer, from, length), null);
    if (bytes !== null && bytes.length > 0 && this.spend(2 * bytes.length)) node.content = base64Of(bytes);
  }
}

const offsetOf = (view: object): number => orElse(() => viewRange(view).offset, 0);

/** Mean number of digits in JSON text: for the bytes of a Buffer, else for the elements of a typed array. */
function digitsOf(view: object, isBuffer: boolean): number {
  if (callOn(TYPED_ARRAY.name, view) === undefined) return 0;
  return orElse(() => {
    const length = callOn(TYPED_ARRAY.length, view) as number;
    const read = Math.min(length, MAX_ELEMENTS);
    let digits = 0;
    for (let i = 0; i < read; i++) {
      const one = (view as ArrayLike<unknown>)[length === read ? i : Math.floor(spreadShare(i) * length)];
      const isText = typeof one === 'number' && (isBuffer || one - one === 0);
      // JSON text has `null` for what is not a number.
      digits += isText ? String(one).length : 4;
    }
    return read === 0 ? 0 : digits / read;
  }, 0);
}

const CHUNK = 1 << 12;
const toBase64 = btoa;

/** The platform's function from the start: the program may replace it. */
function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let from = 0; from < bytes.length; from += CHUNK)
    text += Reflect.apply(String.fromCharCode, null, bytes.subarray(from, from + CHUNK));
  return toBase64(text);
}
