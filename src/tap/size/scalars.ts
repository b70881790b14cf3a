/** Numbers, texts and buffers, as an engine stores them. */
import { typeDetection } from '../../probe/type-detection/type-detection.ts';
import { byteLength } from '../realm/intrinsics.ts';
import type { TypeTests } from '../realm/platform.ts';
import type { ContentHash } from '../records/hash.ts';
import { sharedBufferBytes } from './built-ins.ts';
import { Tally } from './tally.ts';
import { Texts } from './texts.ts';
import { DOUBLE, integerBytes, isSmall, TAG, varint } from './wire-format.ts';

const UNITS_OF_NODE = 256;

const Bytes = Uint8Array;

/** What an engine tells without reading. */
export interface SizeEngine {
  types: TypeTests;
  /** Bits of small integers. */
  smallBits: 31 | 32;
  /** Whether a text is stored as two bytes a unit. */
  isWide?: (text: string) => boolean;
  /** Whether holes are possible; 'unknown' for an array that may have other properties. */
  elements?: (array: readonly unknown[]) => 'packed' | 'holey' | 'unknown';
  /** Of views only the bytes that they show are written, each time. */
  viewsAlone?: boolean;
}

export class Scalars extends Tally {
  protected readonly engine: SizeEngine;
  readonly #texts: Texts;

  /** @param hash gets all content, where it is asked for */
  constructor(engine: SizeEngine, hash: ContentHash | null) {
    super(hash);
    this.engine = engine;
    this.#texts = new Texts(engine.isWide, hash);
  }

  protected number(value: number): void {
    this.add(isSmall(value, this.engine.smallBits) ? integerBytes(value) : DOUBLE);
    this.hash?.number(value);
  }

  get isHashed(): boolean {
    return this.#texts.isHashed;
  }

  protected text(text: string): void {
    this.visited += text.length / UNITS_OF_NODE;
    this.add(this.#texts.bytes(text, this.bytes));
  }

  protected buffer(buffer: object): void {
    const bytes = byteLength(buffer);
    const isShared = bytes === 0 && typeDetection().of(buffer).kind === 'sharedarraybuffer';
    if (isShared) this.isSafe = false;
    this.add(isShared ? sharedBufferBytes : TAG + varint(bytes) + bytes);
    if (!isShared) this.hash?.bytes(new Bytes(buffer as ArrayBuffer));
  }
}
