import { entriesOf, isMap, setOwn, shallowCopy } from '../copy/copies.ts';
import { type PathStep, parsePath } from '../paths.ts';
import { isObject, ownData } from '../value/own-data.ts';

/** Containers on the path to the branch, each with its copy. */
type Copies = Map<object, object>;

/**
 * `value` without what lies at `path`, a pattern whose last step is a key: the property is absent from every object
 * there. Only the containers on the path are copied; everything else is shared with the input, which does not change. A
 * container that is reached twice has one copy. A getter or an absent key on the path changes nothing.
 */
export function without(value: unknown, path: string): unknown {
  const steps = parsePath(path) ?? [];
  const last = steps.at(-1);
  if (last?.type !== 'key' || !isObject(value)) return value;
  const omitted = (level: number) => (level === steps.length - 1 ? last.key : null);
  const root = shallowCopy(value, omitted(0));
  let copies: Copies = new Map([[value, root]]);
  for (const [level, step] of steps.slice(0, -1).entries()) {
    copies = copyBelow(copies, step, omitted(level + 1));
  }
  return root;
}

/** Replaces the children that match the step by copies. */
function copyBelow(copies: Copies, step: PathStep, omitted: string | null): Copies {
  const made: Copies = new Map();
  const copyOf = (child: object): object => {
    const copy = made.get(child) ?? shallowCopy(child, omitted);
    made.set(child, copy);
    return copy;
  };
  for (const [original, copy] of copies) {
    const map = isMap(copy) ? copy : null;
    for (const [key, child] of childrenAt(original, step)) {
      if (!isObject(child)) continue;
      if (map) map.set(key, copyOf(child));
      else setOwn(copy, key as string | number, copyOf(child));
    }
  }
  return made;
}

function* childrenAt(container: object, step: PathStep): Iterable<[unknown, unknown]> {
  if (step.type === 'entry' && step.part === 'value' && isMap(container)) yield* entriesOf(container);
  else if (step.type === 'index' && step.index === null && Array.isArray(container))
    yield* objectsIn(container);
  else if (step.type === 'key') yield* childAt(container, step.key);
  else if (step.type === 'index' && step.index !== null) yield* childAt(container, step.index);
  else if (step.type === 'any-key') for (const key of Object.keys(container)) yield* childAt(container, key);
}

/** Holes stay holes. */
function* objectsIn(array: readonly unknown[]): Iterable<[number, unknown]> {
  for (let index = 0; index < array.length; index++) {
    const child = ownData(array, index);
    if (isObject(child)) yield [index, child];
  }
}

function* childAt(container: object, key: string | number): Iterable<[string | number, unknown]> {
  const child = ownData(container, key);
  if (child !== undefined) yield [key, child];
}
