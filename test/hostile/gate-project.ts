/** A project with a gate: its config, its baseline, and what changed since. */
import type { QuickCase } from './corpus.ts';

export const CONFIG = 'clone-prof.config.json';
export const BASELINE = 'clone-prof.baseline.json';
export const ROWS = '[{"id":1,"name":"Ada"},{"id":2,"name":"Alan"}]';
/** Bun would share longer names, and copy nothing of them. */
export const BIG = JSON.stringify(Array.from({ length: 23 }, (_, id) => ({ id, name: 'x'.repeat(200) })));
export const RUNTIMES = ['bun@1.4.5', 'node@24.0.0'];

export const config = (payloads: unknown[], more: object = {}) =>
  JSON.stringify({ runtimes: ['bun@1.4.5'], payloads, ...more });

/** What fails names its reason in the report; whether stderr repeats it is not the gate's business. */
export const broken = { exit: 1, stderr: [], mostLines: 9 } as const;
export const refused = (stderr: RegExp) => ({ exit: 2, stderr, mostLines: 9 }) as const;
export const kept = { exit: 0, stderr: null } as const;

/** A project with a baseline, and what changed since. */
export function since(
  files: Record<string, string>,
  changed: Record<string, string>,
): Pick<QuickCase, 'args' | 'files' | 'runtimes' | 'before' | 'changed'> {
  return { args: ['check'], files, runtimes: RUNTIMES, before: [['baseline']], changed };
}

export const rows = { 'rows.json': ROWS, [CONFIG]: config(['rows.json']) };

/** What the baseline says of `rows`. */
export const facts = {
  path: 'dense-array',
  class: 'in-memory',
  blockers: [],
  bytes: 46,
  nodes: 7,
  depth: 2,
  losses: [],
  heaviest: { $: 8, '$[*]': 16, '$[*].id': 16, '$[*].name': 7 },
};
export const baselineOf = (payloads: unknown, schema = 'clone-prof/baseline@1') =>
  JSON.stringify({ schema, payloads });
