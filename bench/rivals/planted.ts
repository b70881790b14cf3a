/** Remedies of a known effect, for a guest that is otherwise the real one. */

import { STRATEGIES as REAL } from '../../src/codec/remedies/texts.ts';
import type { Plan } from '../../src/model/documents/trial.ts';
import type { Remedy } from '../../src/model/rules/remedy.ts';

export * from '../../src/codec/remedies/texts.ts';

/** By how many percent the message of each is larger. */
export const GROWTH = { same: 0, 'larger-5': 5, 'larger-10': 10, 'larger-30': 30 } as const;

const made = new Map<string, WeakMap<object, unknown>>();

/** Longer by repeating its first rows. Made once a value, so that nothing but the size of the message differs. */
function grown(name: string, percent: number, value: unknown): unknown {
  if (!Array.isArray(value) || percent === 0) return value;
  const known = made.get(name) ?? new WeakMap<object, unknown>();
  made.set(name, known);
  const found = known.get(value);
  if (found !== undefined) return found;
  const longer: unknown[] = JSON.parse(JSON.stringify(value));
  longer.push(...JSON.parse(JSON.stringify(value.slice(0, Math.round((value.length * percent) / 100)))));
  known.set(value, longer);
  return longer;
}

const planted = (name: string, percent: number): Remedy => ({
  name,
  title: name,
  plans: (): Plan[] => [],
  apply: (value) => grown(name, percent, value),
  restore: (message) => message,
  codec: () => ({ source: '', calls: { sender: '', receiver: '' }, messageType: 'Payload', assumes: [] }),
});

export const STRATEGIES: Record<string, Remedy> = {
  ...REAL,
  ...Object.fromEntries(Object.entries(GROWTH).map(([name, percent]) => [name, planted(name, percent)])),
};
