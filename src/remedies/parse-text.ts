import type { Plan, Remedy } from '../model/remedy.ts';
import type { Shape } from '../model/shape.ts';
import { remedyFromCode } from './code/remedy-from-code.ts';
import { ShapeIndex } from './facts/shape-index.ts';

/** `{}` and `[]` are the shortest texts that hold anything. */
const SHORTEST = 2;

function wanted(shape: Shape): Plan[] {
  const root = new ShapeIndex(shape).root?.rows[0];
  return root?.kind === 'string' && (root.size?.max ?? 0) >= SHORTEST ? [{ path: '$' }] : [];
}

/**
 * The reverse of json-text, for senders that stringify out of habit. Where the program holds the object anyway, the
 * comparison that counts is the one in place.
 */
export const parseText: Remedy = remedyFromCode({
  name: 'parse-text',
  title: 'send the object instead of its JSON text',
  loses: ['white space and the spelling of numbers and escapes in the text'],
  wanted,
  source: () => ({
    sender: `function toMessage(payload) {
  const value = typeof payload === 'string' ? JSON.parse(payload) : null;
  if (typeof value !== 'object' || value === null) throw new TypeError('not the JSON text of an object or array');
  return value;
}`,
    receiver: `function fromMessage(message) {
  return JSON.stringify(message);
}`,
  }),
});
