/** Expressions for buffers and views. */
import type { BufferNode, ViewNode } from '../../model/documents/recorded/value-tree.ts';
import { has } from './attributes.ts';
import type { ModuleText } from './module-text.ts';

const ELEMENT_BYTES: Readonly<Record<string, number>> = {
  ...{ Int8Array: 1, Uint8Array: 1, Uint8ClampedArray: 1, DataView: 1, Buffer: 1 },
  ...{ Int16Array: 2, Uint16Array: 2, Float16Array: 2 },
  ...{ Int32Array: 4, Uint32Array: 4, Float32Array: 4 },
  ...{ Float64Array: 8, BigInt64Array: 8, BigUint64Array: 8 },
};
/** The bytes of base64 text; none if it cannot be read. */
function contentText(text: ModuleText, base64: string): string {
  const isValid = /^[A-Za-z0-9+/]*={0,2}$/.test(base64) && base64.length % 4 === 0;
  if (!isValid) text.differs('bytes that cannot be read are left out');
  return text.call('bytes', JSON.stringify(isValid ? base64 : ''));
}

export function bufferText(text: ModuleText, node: BufferNode): string {
  const { bytes, content } = node;
  const type = node.shared === true ? 'SharedArrayBuffer' : 'ArrayBuffer';
  if (has(node, 'untransferable')) text.differs('a buffer is not marked as untransferable here');
  if (has(node, 'detached'))
    return text.call('also', `new ${type}(8)`, '(o) => structuredClone(o, { transfer: [o] })');
  const options = has(node, 'resizable') ? `, { maxByteLength: ${bytes + 64} }` : '';
  const made = `new ${type}(${bytes}${options})`;
  if (content === undefined) return made;
  return `${text.call('shown', `new Uint8Array(${made})`, contentText(text, content))}.buffer`;
}

/** @param on expression of the buffer behind it @param size of that buffer */
export function viewText(text: ModuleText, node: ViewNode, on: string, size: number): string {
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
