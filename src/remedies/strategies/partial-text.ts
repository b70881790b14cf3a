import type { Remedy } from '../../model/rules/remedy.ts';
import { remedyFromCode } from '../code/remedy-from-code.ts';

/** The form that Nolan Lawson's benchmark of 2016 calls partly stringified. */
export const partialText: Remedy = remedyFromCode({
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
