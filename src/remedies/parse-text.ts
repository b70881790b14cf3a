import type { Shape } from '../model/documents/shape.ts';
import type { Plan } from '../model/documents/trial.ts';
import type { Remedy } from '../model/rules/remedy.ts';
import { remedyFromCode } from './code/remedy-from-code.ts';
import { ShapeIndex } from './facts/shape-index.ts';

/** The shortest JSON texts of objects and arrays are `{}` and `[]`. */
const MIN_LENGTH = 2;

function plans(shape: Shape): Plan[] {
  const root = ShapeIndex.of(shape).root?.rows[0];
  return root?.kind === 'string' && (root.size?.max ?? 0) >= MIN_LENGTH ? [{ path: '$' }] : [];
}

/**
 * The reverse of json-text, for programs that stringify where it does not pay. Where the sender has the object anyway, the
 * comparison in place is the relevant one.
 */
export const parseText: Remedy = remedyFromCode({
  name: 'parse-text',
  title: 'send the object instead of its JSON text',
  plans,
  assumes: () => [{ path: '$', what: 'JSON text as JSON.stringify writes it' }],
  source: () => ({
    sender: `function toMessage(payload) {
  const value = typeof payload === 'string' ? JSON.parse(payload) : null;
  if (typeof value !== 'object' || value === null)
    throw new TypeError('not the JSON text of an object or array');
  if (JSON.stringify(value) !== payload)
    throw new TypeError('its JSON text is written in another way');
  return value;
}`,
    receiver: `function fromMessage(message) {
  return JSON.stringify(message);
}`,
  }),
});
