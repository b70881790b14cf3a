/**
 * A value as a small program: a tree of plain JSON. It is rendered to JavaScript, so that every runtime builds its own
 * value.
 */

import { CHANGES } from './lossy-tables.ts';
import { TEXTS } from './scalars.ts';
import { ARRAY_STEPS, ARRAYS, BULKS, HIDDEN_STATE_STEPS, OBJECT_STEPS, OBJECTS } from './structures.ts';

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

// A program as the body of a JavaScript function with the parameters `keep`, `again`, `otherRealm` and `own`.

const CONTAINERS: Readonly<Record<string, (parts: string[]) => string>> = {
  map: (parts) => `new Map([${parts.map((part, i) => `[${i % 2 ? part : `"k${i}"`}, ${part}]`).join(', ')}])`,
  set: (parts) => `new Set([${parts.join(', ')}])`,
  error: (parts) => `new Error("e", { cause: ${parts[0] ?? '1'} })`,
  'error with properties': (parts) => `Object.assign(new Error("e"), { code: ${parts[0] ?? '1'} })`,
};

/** Each program has some of them: merged once. */
const ALL_CONTAINERS = { ...CONTAINERS, ...CHANGES };
const ALL_OBJECT_STEPS = { ...HIDDEN_STATE_STEPS, ...OBJECT_STEPS };

/** Of the values of verdicts. */
export const CONTAINER_KINDS: readonly string[] = Object.keys(CONTAINERS);

export function sourceOf(program: Program): string {
  return `return ${expression(program)};`;
}

function expression(program: Program): string {
  switch (program.op) {
    case 'scalar':
      return program.code.startsWith('-') ? `(${program.code})` : program.code;
    case 'builtin':
      return `keep(${program.code})`;
    case 'text':
      return row(TEXTS, program.origin)(program.unit, program.units);
    case 'again':
      return `again(${program.which})`;
    case 'container':
      return `keep(${row(ALL_CONTAINERS, program.kind)(program.parts.map(expression))})`;
    case 'object':
      return `keep(${stepped(objectOf(program), ALL_OBJECT_STEPS, program.steps)})`;
    case 'array':
      return `keep(${stepped(arrayOf(program), ARRAY_STEPS, program.steps)})`;
  }
}

function row<T>(table: Readonly<Record<string, T>>, key: string): T {
  const found = table[key];
  if (found === undefined) throw new RangeError(`no such row: ${key}`);
  return found;
}

function objectOf({ origin, entries, bulk }: Extract<Program, { op: 'object' }>): string {
  const made = row(
    OBJECTS,
    origin,
  )(entries.map(([key, value]): [string, string] => [key, expression(value)]));
  if (bulk === 0) return made;
  return `((o) => { for (let i = 0; i < ${bulk}; i++) o["k" + i] = i; return o; })(${made})`;
}

function arrayOf({ origin, items, bulk }: Extract<Program, { op: 'array' }>): string {
  const list = items.map(expression);
  const made = row(ARRAYS, origin)(list.join(', '), list.length);
  return bulk === null ? made : withBulk(made, bulk);
}

function withBulk(made: string, { count, of }: Bulk): string {
  return `((a) => { try { for (let i = 0; i < ${count}; i++) a.push(${row(BULKS, of)}); } catch {} return a; })(${made})`;
}

/** A step that the value does not allow (a frozen object, no element) throws and is skipped. */
function stepped(made: string, table: typeof OBJECT_STEPS, steps: readonly Step[]): string {
  if (steps.length === 0) return made;
  const done = steps.map((step) => {
    const value = step.value === undefined ? '1' : expression(step.value);
    return `try { ${row(table, step.do)(step.at, value)}; } catch {}`;
  });
  return `((v) => { ${done.join(' ')} return v; })(${made})`;
}
