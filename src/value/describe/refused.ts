/**
 * Finds the value that made a post throw. Walks in the order of structured clone (HTML, StructuredSerializeInternal,
 * step 26), up to the first refused value. All earlier values were cloned, so the walk does not meet a Proxy, which a
 * page cannot detect. It runs no code of the user, so values of getters stay unknown.
 */
import type { FoundValue } from '../../model/documents/recorded/recording.ts';
import { type Kind, REFUSED_KINDS } from '../../model/vocabulary/shape.ts';
import { CONSTRUCTOR_OF, type TypeDetection } from '../read/built-in-types.ts';
import { callOn, DATA_VIEW, TYPED_ARRAY } from '../read/intrinsics.ts';
import { filter, map } from '../read/lists.ts';
import { isObject } from '../read/own-data.ts';
import { formatPath, type PathStep, pathStep } from '../read/paths.ts';
import { type Parts, partsOf, Walk } from '../read/walk.ts';
import { isKeyName, MAX_NAMES } from '../shape/masking.ts';
import { isDetached } from './inspect/built-ins.ts';

export interface RefusalOptions {
  types: TypeDetection;
  /** Maximum number of values to visit. */
  nodes: number;
  as: 'clone' | 'json';
  listed: readonly unknown[];
  /** Stops at the first getter, because the engine may have stopped there. */
  stopsAtGetter?: boolean;
}

export const REFUSED: ReadonlySet<Kind> = new Set<Kind>([...REFUSED_KINDS, 'arguments']);

function refusedWord(kind: Kind): string {
  const name = CONSTRUCTOR_OF[kind] ?? kind;
  return `${/^[ai]/.test(name) ? 'an' : 'a'} ${name}`;
}

const GETTER = Symbol('getter');

/** Whole, and without keys that are data. */
function pathsTo({ open, trail }: Walk<Parts>): Pick<FoundValue, 'path' | 'whole'> {
  const steps = map(open, (_, at) => pathStep(trail[at + 1]!));
  const named = map(steps, (step, at): PathStep => {
    if (step.type !== 'key') return step;
    const isMap = filter(open[at]!.steps, (one) => typeof one === 'string').length > MAX_NAMES;
    return isMap || !isKeyName(step.key) ? { type: 'any-key' } : step;
  });
  return { path: formatPath(named), whole: formatPath(steps) };
}

/** The first refused value, else the first getter, whose value may be refused; null if there is neither. */
export function refusedIn(root: unknown, options: RefusalOptions): FoundValue | null {
  const { types, nodes, as, stopsAtGetter } = options;
  const walk = new Walk<Parts>();
  const seen = new WeakSet<object>();
  const asJson = as === 'json';
  let getter: FoundValue | null = null;
  let refused: FoundValue | null = null;
  let visited = 0;
  const visit = (value: unknown): true | undefined => {
    if (value === GETTER) getter ??= { ...pathsTo(walk), what: 'a getter, whose value is not known' };
    else {
      const isCircle = asJson && walk.open.some(({ owner }) => owner === value);
      const what = isCircle ? 'a circular reference' : refusal(value, options);
      if (what !== null) refused = { ...pathsTo(walk), what };
    }
    if (refused !== null || ++visited > nodes || (getter !== null && stopsAtGetter)) return true;
    if (!isObject(value) || seen.has(value)) return undefined;
    seen.add(value);
    walk.open.push(partsOf(value, { types, asJson, most: nodes, read: () => GETTER }));
    return undefined;
  };
  if (visit(root) === undefined) walk.run(visit);
  return refused ?? getter;
}

function refusal(value: unknown, { types, as, listed }: RefusalOptions): string | null {
  if (as === 'json') return typeof value === 'bigint' ? 'a BigInt' : null;
  if (typeof value === 'symbol' || typeof value === 'function') return refusedWord(typeof value);
  if (!isObject(value)) return null;
  if (types.isProxy(value)) return refusedWord('proxy');
  const { kind, tag, transferable } = types.of(value);
  if (kind === 'not-cloneable') return `an object that cannot be cloned (${tag ?? 'of unknown type'})`;
  if (kind === 'platform' && transferable === true && !listed.includes(value))
    return `a ${tag ?? 'platform object'} that is not in the transfer list`;
  const slots = kind === 'typedarray' ? TYPED_ARRAY : kind === 'dataview' ? DATA_VIEW : null;
  const buffer = slots === null ? value : (callOn(slots.buffer, value) as object);
  if ((slots !== null || kind === 'arraybuffer') && isDetached(buffer)) return 'a detached buffer';
  return REFUSED.has(kind) ? refusedWord(kind) : null;
}
