/**
 * A value as a small program: a tree of plain JSON. It is rendered to JavaScript, so that every runtime builds its own
 * value.
 */

export type Program =
  | { op: 'scalar'; code: string }
  | { op: 'text'; origin: string; unit: string; units: number }
  /** `bulk` more keys k0, k1, ... hold their own number. */
  | { op: 'object'; origin: string; entries: Entry[]; bulk: number; steps: Step[] }
  /** `bulk` more elements of one sort follow the items. */
  | { op: 'array'; origin: string; items: Program[]; bulk: Bulk | null; steps: Step[] }
  /** A Map, Set, Error or boxed value around other values. */
  | { op: 'container'; kind: string; parts: Program[] }
  /** Anything else, as an expression. */
  | { op: 'builtin'; code: string }
  /** A reference to an earlier object; 1 where there is none. */
  | { op: 'again'; which: number };

export type Entry = readonly [key: string, value: Program];

export interface Bulk {
  count: number;
  of: string;
}

/** One change of an object or array, by name; see the tables of steps. */
export interface Step {
  do: string;
  /** Which key, index or number it changes, modulo their count. */
  at: number;
  value?: Program;
}

export const ONE: Program = { op: 'scalar', code: '1' };

/** Direct children. */
export function partsOf(program: Program): Program[] {
  if (program.op === 'container') return program.parts;
  if (program.op !== 'object' && program.op !== 'array') return [];
  const own = program.op === 'object' ? program.entries.map(([, value]) => value) : program.items;
  return [...own, ...program.steps.flatMap(({ value }) => value ?? [])];
}

/** Every step of the program, at any depth. */
export function allSteps(program: Program): Step[] {
  const own = program.op === 'object' || program.op === 'array' ? program.steps : [];
  return [...own, ...partsOf(program).flatMap(allSteps)];
}
