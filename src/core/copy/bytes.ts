import { ARRAY_BUFFER, accepts, realm, viewType } from '../value/intrinsics.ts';

export type Bytes = ArrayBuffer | ArrayBufferView;

export const isBytes = (value: object): value is Bytes =>
  ArrayBuffer.isView(value) || (!isOrdinary(value) && accepts(ARRAY_BUFFER.byteLength, value));

/** True for most objects of a payload. A getter that throws for each of them would take longer than the whole walk. */
const isOrdinary = (value: object): boolean =>
  Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;

/** Bytes of one element; 1 for buffers and DataViews. */
export function bytesPerElement(value: Bytes): number {
  const size = (value as Partial<Uint8Array>).BYTES_PER_ELEMENT;
  return ArrayBuffer.isView(value) && typeof size === 'number' ? size : 1;
}

type ViewConstructor = new (buffer: ArrayBufferLike, offset?: number, length?: number) => ArrayBufferView;

/** Built-in constructor of a view; undefined if this engine does not have this type of view. */
export function viewConstructor(view: ArrayBufferView): ViewConstructor | undefined {
  return realm[viewType(view)] as ViewConstructor | undefined;
}
