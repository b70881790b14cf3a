import { formatPath, type PathStep, parsePath } from '../../core/paths.ts';

/** Source of an expression made from the source of another: `x` -> `new Date(x)`. */
type ExpressionRewrite = (expression: string) => string;

/** A node of the trie of the paths that a remedy rewrites. */
export interface TargetNode {
  pattern: string;
  steps: PathStep[];
  keys: Map<string, TargetNode>;
  items: TargetNode | null;
  anyKey: TargetNode | null;
  rewrite: ExpressionRewrite | null;
}

export interface RewriteTarget {
  /** Path pattern of `key`, `[*]` and `.*` steps. */
  path: string;
  rewrite: ExpressionRewrite;
}

/** Targets whose values are passed to a function of this name. */
export const callTargets = (name: string, paths: readonly string[]): RewriteTarget[] =>
  paths.map((path) => ({ path, rewrite: (value) => `${name}(${value})` }));

const newNode = (steps: PathStep[]): TargetNode => ({
  pattern: formatPath(steps),
  steps,
  keys: new Map(),
  items: null,
  anyKey: null,
  rewrite: null,
});

/** Whether code can be generated for the path: through objects and arrays, never through a key that sets a prototype. */
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

function childNode(parent: TargetNode, step: PathStep): TargetNode {
  const below = () => newNode([...parent.steps, step]);
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

export function buildTrie(targets: readonly RewriteTarget[]): TargetNode {
  const root = newNode([]);
  for (const { path, rewrite } of targets) {
    if (!isReachable(path)) throw new TypeError(`no code can be generated for the path ${path}`);
    let at = root;
    for (const step of parsePath(path)!) {
      const parent = at;
      at = childNode(parent, step);
      if (parent.anyKey !== null && parent.keys.size > 0)
        throw new TypeError(`${parent.pattern}.* also matches keys that are listed separately`);
    }
    at.rewrite = rewrite;
  }
  return root;
}
