/** Bytes of pixels, samples and encoded data of a platform object, read by its getters. */
import type { PlatformMemoryPlace } from '../../../model/vocabulary/platform-classes.ts';
import { accepts, callOn, TYPED_ARRAY } from '../../value/intrinsics.ts';
import { ownData } from '../../value/own-data.ts';
import type { PlatformClass } from '../../value/platform-class.ts';

/** Memory that is copied into the message (`isCopied`) or used by both sides. */
export interface PlatformMemory {
  bytes: number;
  isCopied: boolean;
}

type Read = (name: string) => unknown;

const PIXEL_BYTES = 4;
/** Bytes of a sample, by the first part of its format: "f32-planar". */
const SAMPLE_BYTES: Readonly<Record<string, number>> = { u8: 1, s16: 2, s32: 4, f32: 4 };

const product = (read: Read, ...names: string[]): number =>
  names.reduce((bytes, name) => bytes * Number(read(name) ?? 0), 1);

function frameBytes(read: Read, value: object, { allocationSize }: PlatformClass): number {
  // This method throws for pixels of an unknown format.
  if (allocationSize !== undefined && accepts(allocationSize, value))
    return Number(callOn(allocationSize, value));
  return PIXEL_BYTES * product(read, 'codedWidth', 'codedHeight');
}

function dataBytes(read: Read, value: object): number {
  const data = ownData(value, 'data') ?? read('data');
  return ArrayBuffer.isView(data) ? (callOn(TYPED_ARRAY.byteLength, data) as number) : 0;
}

const BYTES: Readonly<
  Record<PlatformMemoryPlace, (read: Read, value: object, one: PlatformClass) => number>
> = {
  data: dataBytes,
  frame: frameBytes,
  pixels: (read) => PIXEL_BYTES * product(read, 'width', 'height'),
  samples: (read) =>
    product(read, 'numberOfFrames', 'numberOfChannels') *
    (SAMPLE_BYTES[String(read('format')).split('-')[0]!] ?? 0),
  byteLength: (read) => product(read, 'byteLength'),
};

/** Memory of a platform object; 0 bytes if it was closed or detached. */
export function platformMemory(value: object, one: PlatformClass): PlatformMemory {
  const { memory, isCopied = false } = one.facts;
  const read = (name: string): unknown => {
    const getter = one.state.get(name);
    return getter === undefined ? undefined : callOn(getter, value);
  };
  return { bytes: memory === undefined ? 0 : BYTES[memory](read, value, one), isCopied };
}
