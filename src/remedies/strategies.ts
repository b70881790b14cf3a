import type { Plan } from '../model/documents/trial.ts';
import type { Remedy } from '../model/rules/remedy.ts';
import type { StrategyName } from '../model/vocabulary/sweep.ts';
import { remedyFromCode } from './code/remedy-from-code.ts';
import { jsonText } from './json-text.ts';

/** The JSON text as UTF-8 in a buffer that is transferred, not copied. */
const bytesTransferred: Remedy = remedyFromCode({
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

/** The form that Nolan Lawson's benchmark of 2016 calls partly stringified. */
const partialText: Remedy = remedyFromCode({
  name: 'partial-text',
  title: 'send { msg: JSON text }',
  plans: () => [{ path: '$' }],
  source: () => ({
    sender: `function toMessage(payload) {
  if (typeof payload !== 'object') throw new TypeError('JSON text is for objects and arrays');
  return { msg: JSON.stringify(payload) };
}`,
    receiver: 'function fromMessage(message) {\n  return JSON.parse(message.msg);\n}',
  }),
});

/** What a sweep times besides remedies, for comparison with published advice. `json-text` is a remedy as well. */
export const STRATEGIES = {
  'json-text': jsonText,
  'partial-text': partialText,
  'bytes-transferred': bytesTransferred,
} as const satisfies Record<StrategyName, Remedy>;

/** The plan of every strategy: the whole payload. */
export const WHOLE: Plan = { path: '$', paths: ['$'] };
