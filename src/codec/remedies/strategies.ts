import type { Plan } from '../../model/documents/trial.ts';
import type { Remedy } from '../../model/rules/remedy.ts';
import type { StrategyName } from '../../model/vocabulary/words.ts';
import { remedyFromCode } from '../code/remedy-from-code.ts';
import { jsonText } from './texts.ts';

const IS_JSON =
  "if (typeof payload !== 'object') throw new TypeError('JSON text is for objects and arrays');";

/** Sends JSON text as UTF-8 in a buffer that is transferred, not copied. */
const bytesTransferred: Remedy = remedyFromCode({
  name: 'bytes-transferred',
  title: 'transfer the JSON text as UTF-8 bytes',
  transfers: true,
  plans: () => [{ path: '$' }],
  helpers: 'const encoder = new TextEncoder();\n\nconst decoder = new TextDecoder();',
  source: () => ({
    sender: {
      takes: 'payload',
      body: `${IS_JSON}\nreturn encoder.encode(JSON.stringify(payload)).buffer;`,
    },
    receiver: { takes: 'message', body: 'return JSON.parse(decoder.decode(message));' },
    transfer: 'export function transferList(message) {\n  return [message];\n}',
  }),
});

/** The form that Nolan Lawson's benchmark of 2016 calls "partly stringified". */
const partialText: Remedy = remedyFromCode({
  name: 'partial-text',
  title: 'send { msg: JSON text }',
  plans: () => [{ path: '$' }],
  source: () => ({
    sender: { takes: 'payload', body: `${IS_JSON}\nreturn { msg: JSON.stringify(payload) };` },
    receiver: { takes: 'message', body: 'return JSON.parse(message.msg);' },
  }),
});

/** Strategies that sweeps time to compare remedies with published advice. `json-text` is a remedy as well. */
export const STRATEGIES = {
  'json-text': jsonText,
  'partial-text': partialText,
  'bytes-transferred': bytesTransferred,
} as const satisfies Record<StrategyName, Remedy>;

export const WHOLE: Plan = { path: '$', paths: ['$'] };
