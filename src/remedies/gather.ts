import { parsePath, type Step } from '../core/paths.ts';
import { literal, member } from './javascript.ts';

/** Code that visits places of a message, Map and Set entries included, and reads them only. */

export function isGatherable(path: string): boolean {
  return parsePath(path)?.every((step) => step.type !== 'deeper' && step.type !== 'cut') ?? false;
}

/** The statement that goes one step down; `inside` is what to do with `held`. */
function visit(step: Step, value: string, held: string): { open: string; close: string } {
  switch (step.type) {
    case 'key':
      return {
        open: `{ const ${held} = ${step.key === '__proto__' ? `Object.getOwnPropertyDescriptor(Object(${value}), ${literal(step.key)})?.value` : `${value}?.${member(step.key).replace(/^\./, '')}`};`,
        close: '}',
      };
    case 'index':
      return { open: `if (Array.isArray(${value})) for (const ${held} of ${value}) {`, close: '}' };
    case 'entry':
      return entryVisit(step.part, value, held);
    default:
      return { open: `for (const ${held} of Object.values(${value} ?? {})) {`, close: '}' };
  }
}

function entryVisit(part: 'key' | 'value' | 'member', value: string, held: string) {
  const type = part === 'member' ? 'Set' : 'Map';
  const listed = part === 'key' ? 'keys' : 'values';
  return {
    open: `if (${value} instanceof ${type}) for (const ${held} of ${value}.${listed}()) {`,
    close: '}',
  };
}

function statement(path: string, pick: string): string {
  const steps = parsePath(path)!;
  const names = ['message', ...steps.map((_, depth) => `value${depth + 1}`)];
  const visits = steps.map((step, depth) => visit(step, names[depth]!, names[depth + 1]!));
  const lines = visits.map(({ open }, depth) => `${'  '.repeat(depth + 1)}${open}`);
  const found = `${'  '.repeat(steps.length + 1)}add(${pick}(${names.at(-1)}));`;
  const closing = visits.map(({ close }, depth) => `${'  '.repeat(depth + 1)}${close}`).reverse();
  return [...lines, found, ...closing].join('\n');
}

/** Declares `transferList(message)`: each buffer that `pick` finds at the paths, once; engines refuse doubles. */
export function gatheringAt(paths: readonly string[], pick: string): string {
  return [
    'function transferList(message) {',
    '  const found = new Set();',
    '  const add = (buffer) => { if (buffer !== null) found.add(buffer); };',
    ...paths.map((path) => statement(path, pick)),
    '  return [...found];',
    '}',
  ].join('\n');
}
