/** Buffers and views on them. */

export type Bytes = ArrayBuffer | ArrayBufferView;

const byteLengthOf = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'byteLength')?.get;

/** By the internal slot: works across realms, and a spoofed tag does not matter. */
export function isArrayBuffer(value: object): value is ArrayBuffer {
  try {
    byteLengthOf?.call(value);
    return true;
  } catch {
    return false;
  }
}

export const isBytes = (value: object): value is Bytes => ArrayBuffer.isView(value) || isArrayBuffer(value);

/** Bytes of one element; 1 for buffers and DataViews. */
export function elementBytes(value: Bytes): number {
  const size = (value as Partial<Uint8Array>).BYTES_PER_ELEMENT;
  return ArrayBuffer.isView(value) && typeof size === 'number' ? size : 1;
}

type ViewConstructor = new (buffer: ArrayBufferLike, offset?: number, length?: number) => ArrayBufferView;

/** The built-in constructor of a view; undefined for a view that this engine does not name. */
export function viewConstructor(view: ArrayBufferView): ViewConstructor | undefined {
  const name = (view as Partial<Uint8Array>)[Symbol.toStringTag] ?? 'DataView';
  return (globalThis as unknown as Record<string, ViewConstructor>)[name];
}
