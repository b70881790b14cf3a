/** The value at a concrete path, by descriptors and internal slots: runs no getter and no Proxy trap. */

import { type PathStep, parsePath } from '../../core/paths.ts';
import { entriesIn } from '../../core/value/collections.ts';
import { typeDetection } from '../type-detection/type-detection.ts';

function childAt(value: object, step: PathStep): unknown {
  if (step.type === 'key') return Reflect.getOwnPropertyDescriptor(value, step.key)?.value;
  if (step.type === 'index') return Reflect.getOwnPropertyDescriptor(value, String(step.index))?.value;
  if (step.type !== 'entry' || step.index === null) return undefined;
  if (step.part === 'member')
    return typeDetection().of(value).kind === 'set' ? entriesIn(value, 'set').values[step.index] : undefined;
  if (typeDetection().of(value).kind !== 'map') return undefined;
  return entriesIn(value, 'map').values[2 * step.index + (step.part === 'key' ? 0 : 1)];
}

/** undefined for a path that does not exist, or whose middle was cut out. */
export function valueAt(root: unknown, path: string): unknown {
  let value = root;
  for (const step of parsePath(path) ?? []) {
    if (typeof value !== 'object' || value === null || typeDetection().isProxy(value)) return undefined;
    value = childAt(value, step);
  }
  return value;
}
