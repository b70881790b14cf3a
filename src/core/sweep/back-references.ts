import { isPlainRecord } from '../copy/shallow-copy.ts';
import { isObject, ownData } from '../value/own-data.ts';

/** A value on the path from the root of a payload to one of its parts. */
export interface PathNode {
  /** Key or index in its parent; "" for the root. */
  key: string | number;
  node: unknown;
}

/** Whether anything on the path is also referenced from elsewhere: a parent link, or one list under two names. */
export function isReferencedElsewhere(nodes: readonly PathNode[]): boolean {
  const root = nodes[0]?.node;
  if (!isObject(root)) return false;
  const nextOf = new Map(nodes.map(({ node }, at) => [node, nodes[at + 1]]));
  const seen = new Set<object>([root]);
  const open: object[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!Array.isArray(node) && !isPlainRecord(node)) continue;
    for (const [key, child] of membersOf(node)) {
      if (!isObject(child)) continue;
      const next = nextOf.get(node);
      if (nextOf.has(child) && !(next?.node === child && String(next.key) === String(key))) return true;
      if (seen.has(child)) continue;
      seen.add(child);
      open.push(child);
    }
  }
  return false;
}

/** A getter is not called. */
function* membersOf(node: object): Generator<[string | number, unknown]> {
  if (Array.isArray(node)) yield* node.entries();
  else for (const key of Object.keys(node)) yield [key, ownData(node, key)];
}
