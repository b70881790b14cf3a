import { formatPath, parsePath, type Step } from '../../core/paths.ts';

/** Source of an expression made from the source of another: `x` -> `new Date(x)`. */
export type Change = (expression: string) => string;

/** A trie of the places that a remedy changes. */
export interface Place {
  pattern: string;
  steps: Step[];
  keys: Map<string, Place>;
  items: Place | null;
  anyKey: Place | null;
  change: Change | null;
}

export interface Target {
  /** Path pattern of `key`, `[*]` and `.*` steps. */
  path: string;
  change: Change;
}

const place = (steps: Step[]): Place => ({
  pattern: formatPath(steps),
  steps,
  keys: new Map(),
  items: null,
  anyKey: null,
  change: null,
});

/** Whether code can be made for the path: through objects and arrays, and never through a key that sets a prototype. */
export function isReachable(path: string): boolean {
  return (
    parsePath(path)?.every(
      (step) =>
        step.type === 'any-key' ||
        (step.type === 'key' && step.key !== '__proto__') ||
        (step.type === 'index' && step.index === null),
    ) ?? false
  );
}

function childOf(parent: Place, step: Step): Place {
  const below = () => place([...parent.steps, step]);
  if (step.type === 'key') {
    const child = parent.keys.get(step.key) ?? below();
    parent.keys.set(step.key, child);
    return child;
  }
  if (step.type === 'index') {
    parent.items ??= below();
    return parent.items;
  }
  parent.anyKey ??= below();
  return parent.anyKey;
}

export function trieOf(targets: readonly Target[]): Place {
  const root = place([]);
  for (const { path, change } of targets) {
    if (!isReachable(path)) throw new TypeError(`no code can be made for the path ${path}`);
    let at = root;
    for (const step of parsePath(path)!) {
      const above = at;
      at = childOf(above, step);
      if (above.anyKey !== null && above.keys.size > 0)
        throw new TypeError(`${above.pattern}.* also stands for keys that are named apart`);
    }
    at.change = change;
  }
  return root;
}
