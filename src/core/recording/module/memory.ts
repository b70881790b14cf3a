/** Expressions for buffers and views. */
import type { BufferNode, ValueTree, ViewNode } from '../../../model/documents/recorded/value-tree.ts';
import { isObject } from '../../value/own-data.ts';
import { varintBytes } from '../../wire-estimate.ts';
import { has } from './attributes.ts';
import type { ModuleText } from './module-text.ts';

const ELEMENT_BYTES: Readonly<Record<string, number>> = {
  ...{ Int8Array: 1, Uint8Array: 1, Uint8ClampedArray: 1, DataView: 1, Buffer: 1 },
  ...{ Int16Array: 2, Uint16Array: 2, Float16Array: 2 },
  ...{ Int32Array: 4, Uint32Array: 4, Float32Array: 4 },
  ...{ Float64Array: 8, BigInt64Array: 8, BigUint64Array: 8 },
};
/** Larger buffers are not made. */
const MAX_BYTES = 2 ** 30;

/** The bytes of base64 text; none if it cannot be read. */
function contentText(text: ModuleText, base64: string): string {
  const isValid = /^[A-Za-z0-9+/]*={0,2}$/.test(base64) && base64.length % 4 === 0;
  if (!isValid) text.differs('bytes that cannot be read are left out');
  return text.call('bytes', JSON.stringify(isValid ? base64 : ''));
}

/** @param bytes number of its bytes that are made */
function bufferText(text: ModuleText, node: BufferNode, bytes: number): string {
  if (bytes > MAX_BYTES) text.differs('a buffer is smaller here');
  const type = node.shared === true ? 'SharedArrayBuffer' : 'ArrayBuffer';
  const size = Math.min(bytes, MAX_BYTES);
  if (has(node, 'untransferable')) text.differs('a buffer is not marked as untransferable here');
  if (has(node, 'detached'))
    return text.call('also', `new ${type}(8)`, '(o) => structuredClone(o, { transfer: [o] })');
  const options = has(node, 'resizable') ? `, { maxByteLength: ${size + 64} }` : '';
  const made = `new ${type}(${size}${options})`;
  if (node.content === undefined || size !== node.bytes) return made;
  return `${text.call('shown', `new Uint8Array(${made})`, contentText(text, node.content))}.buffer`;
}

/** @param on expression of the buffer behind it @param size of that buffer, in the module */
function viewText(text: ModuleText, node: ViewNode, on: string, size: number): string {
  const { offset, bytes, content, digits } = node;
  const unit = Object.hasOwn(ELEMENT_BYTES, node.type) ? ELEMENT_BYTES[node.type]! : null;
  const type = unit === null ? 'Uint8Array' : node.type;
  if (unit === null) text.differs(`a view of type ${JSON.stringify(node.type)} is a Uint8Array here`);
  if (has(node, 'detached')) {
    const own = type === 'DataView' ? 'new ArrayBuffer(8)' : '8';
    return text.call(
      'also',
      `new ${type}(${own})`,
      '(o) => structuredClone(o.buffer, { transfer: [o.buffer] })',
    );
  }
  if (has(node, 'out-of-bounds')) {
    const view = `new ${type}(new ArrayBuffer(16, { maxByteLength: 32 }), 8, ${8 / (unit ?? 1)})`;
    return text.call('also', view, '(o) => o.buffer.resize(4)');
  }
  const fits = offset % (unit ?? 1) === 0 && bytes % (unit ?? 1) === 0 && offset + bytes <= size;
  if (!fits) text.differs('a view does not fit its buffer, and shows all of it here');
  const range =
    fits && !(has(node, 'length-tracking') && offset === 0) ? `, ${offset}, ${bytes / (unit ?? 1)}` : '';
  const make = type === 'Buffer' ? 'Buffer.from' : `new ${type}`;
  const made = `${make}(${on}${range})`;
  if (!fits) return made;
  if (content !== undefined) return text.call('shown', made, contentText(text, content));
  return digits !== undefined && digits > 1 && type !== 'DataView' && !type.startsWith('Big')
    ? text.call('digits', made, Math.round(digits * 100) / 100)
    : made;
}

/** Larger buffers are not made if only the bytes of the message are wanted. */
const MAX_SIZED = 2 ** 20;

export class MemoryWriter {
  readonly #text: ModuleText;
  readonly #forBytes: boolean;
  /** Sizes of buffers that several views are on. */
  readonly #sizes = new Map<number, number>();
  /** Bytes of buffers that were not made, and of what views show of them. */
  readonly left = { buffers: 0, views: 0 };

  constructor(text: ModuleText, forBytes: boolean) {
    this.#text = text;
    this.#forBytes = forBytes;
  }

  buffer(node: BufferNode, id: number | null): string {
    const bytes = this.#sizeOf(node);
    const isCopied = node.moved !== true && node.shared !== true;
    if (bytes < node.bytes && isCopied) this.left.buffers += node.bytes + varintBytes(node.bytes) - 1;
    if (id !== null) this.#sizes.set(id, bytes);
    return bufferText(this.#text, node, bytes);
  }

  /** @param on expression of the buffer behind it */
  view(node: ViewNode, on: string): string {
    const size = this.#sizeBehind(node.on);
    const isLeft = this.#forBytes && size === 0 && node.bytes > 0;
    if (isLeft) {
      const length = varintBytes(node.bytes) - 1;
      this.left.views += node.bytes + length;
      this.left.buffers += length + varintBytes(node.offset) - 1;
    }
    return viewText(this.#text, isLeft ? { ...node, bytes: 0, offset: 0 } : node, on, size);
  }

  #sizeOf({ bytes, moved, shared }: BufferNode): number {
    const isLeft = this.#forBytes && (moved === true || shared === true || bytes > MAX_SIZED);
    return isLeft ? 0 : bytes;
  }

  #sizeBehind(on: ValueTree): number {
    if (!isObject(on)) return 0;
    if (on.is === 'same') return this.#sizes.get(on.id) ?? 0;
    return on.is === 'buffer' ? this.#sizeOf(on) : 0;
  }
}
