import type { Remedy } from '../../model/rules/remedy.ts';
import { remedyFromCode } from '../code/remedy-from-code.ts';

/** The JSON text as UTF-8 in a buffer that is transferred, not copied. */
export const bytesTransferred: Remedy = remedyFromCode({
  name: 'bytes-transferred',
  title: 'transfer the JSON text as UTF-8 bytes',
  transfers: true,
  plans: () => [{ path: '$' }],
  source: () => ({
    sender: `const encoder = new TextEncoder();
function toMessage(payload) {
  if (typeof payload !== 'object') throw new TypeError('JSON text is for objects and arrays');
  return encoder.encode(JSON.stringify(payload)).buffer;
}`,
    receiver: `const decoder = new TextDecoder();
function fromMessage(message) {
  return JSON.parse(decoder.decode(message));
}`,
    transfer: 'function transferList(message) {\n  return [message];\n}',
  }),
});
