/** A program as the body of a JavaScript function with the parameters `keep`, `again`, `otherRealm` and `own`. */
import { ARRAY_STEPS, ARRAYS, BULKS } from './arrays.ts';
import { CHANGES } from './lossy-tables.ts';
import { HIDDEN_STATE_STEPS, OBJECT_STEPS, OBJECTS } from './objects.ts';
import type { Bulk, Program, Step } from './program.ts';
import { TEXTS } from './texts.ts';

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
