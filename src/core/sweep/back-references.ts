import { isPlainRecord } from './own-copy.ts';

/** A place on the way from the root of a value to one of its parts. */
export interface Stop {
  /** By which its parent holds it; "" for the root. */
  key: string | number;
  node: unknown;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Is anything on the way also held from elsewhere: a parent link, or the same list under two names? */
export function isHeldFromElsewhere(way: readonly Stop[]): boolean {
  const root = way[0]?.node;
  if (!isObject(root)) return false;
  const onTheWay = new Map(way.map(({ node }, at) => [node, way[at + 1]]));
  const held = new Set(onTheWay.keys());
  const seen = new Set<object>([root]);
  const open: object[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!Array.isArray(node) && !isPlainRecord(node)) continue;
    for (const [key, child] of membersOf(node)) {
      if (!isObject(child)) continue;
      const next = onTheWay.get(node);
      if (held.has(child) && !(next?.node === child && String(next.key) === String(key))) return true;
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
  else for (const key of Object.keys(node)) yield [key, Object.getOwnPropertyDescriptor(node, key)?.value];
}
