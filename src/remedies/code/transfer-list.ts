import { parsePath, type Step } from '../../core/paths.ts';
import { literal, member } from './javascript.ts';

/** Code that visits places of a message, Map and Set entries included, and reads them only. */

export function canCollect(path: string): boolean {
  return parsePath(path)?.every((step) => step.type !== 'deeper' && step.type !== 'cut') ?? false;
}

/** A property that may not be there; `__proto__` only as an own one. */
function property(value: string, key: string): string {
  if (key === '__proto__') return `Object.getOwnPropertyDescriptor(${value} ?? {}, ${literal(key)})?.value`;
  return `${value}?.${member(key).replace(/^\./, '')}`;
}

/** The loop over what is one step below `value`. */
function loop(step: Step, value: string, held: string): string {
  if (step.type === 'index') return `if (Array.isArray(${value})) for (const ${held} of ${value})`;
  if (step.type !== 'entry') return `for (const ${held} of Object.values(${value} ?? {}))`;
  const type = step.part === 'member' ? 'Set' : 'Map';
  const listed = step.part === 'key' ? 'keys' : 'values';
  return `if (${value} instanceof ${type}) for (const ${held} of ${value}.${listed}())`;
}

function statement(path: string, pick: string): string {
  let value = 'message';
  const loops: string[] = [];
  for (const step of parsePath(path)!)
    if (step.type === 'key') value = property(value, step.key);
    else {
      const held = `held${loops.length + 1}`;
      loops.push(loop(step, value, held));
      value = held;
    }
  return [...loops, `add(${pick}(${value}));`]
    .map((line, depth) => `${'  '.repeat(depth + 1)}${line}`)
    .join('\n');
}

/** Declares `transferList(message)`: each buffer that `pick` finds at the paths, once; engines refuse doubles. */
export function declareTransferList(paths: readonly string[], pick: string): string {
  return [
    'function transferList(message) {',
    '  const found = new Set();',
    '  const add = (buffer) => {',
    '    if (buffer !== null) found.add(buffer);',
    '  };',
    ...paths.map((path) => statement(path, pick)),
    '  return [...found];',
    '}',
  ].join('\n');
}
