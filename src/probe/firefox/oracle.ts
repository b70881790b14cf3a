import { filter, flatMap } from '../../core/value/lists.ts';
import type { Facts, Shape } from '../../model/documents/shape.ts';
import type { Channel } from '../../model/names.ts';
import { notAnswered, type OracleResult, rejectedWith } from '../oracle/oracle-result.ts';
import { valueAt } from '../oracle/value-at.ts';
import { isLongEnough, stringPath } from './string-oracle.ts';

/** A string costs up to some tens of ms. */
const MAX_STRINGS = 8;
/** Ports copy every string: there is nothing to ask. */
const SHARING: readonly Channel[] = ['worker', 'structured-clone', 'window'];

/** JSON.parse gives texts above it a buffer to share, and shorter ones none: seen on Firefox 153. */
const PARSED_BYTES = 1024;

/** The answer for the example is that for all of its row. */
function isAsked({ kind, size, flags }: Facts): boolean {
  if (kind !== 'string' || size === undefined) return false;
  const isWide = flags.includes('two-byte');
  const hasBuffer = (units: number) => (isWide ? 2 * units : units) > PARSED_BYTES;
  return isLongEnough(size.min, isWide) && hasBuffer(size.min) === hasBuffer(size.max);
}

const { crossOriginIsolated: isIsolated } = globalThis as { crossOriginIsolated?: boolean };

/** Whether the strings of a payload are shared, by time; everything else has one path. Throws what `fresh` throws. */
export async function firefoxOracle(
  fresh: () => Promise<unknown>,
  shape: Shape,
  channel: Channel,
): Promise<OracleResult> {
  const value = await fresh();
  try {
    structuredClone(value);
  } catch (error) {
    return rejectedWith(error, value, shape);
  }
  if (!isIsolated)
    return notAnswered('the clock of a page that is not isolated is too coarse to tell strings apart');
  const strings = filter(shape.patterns, isAsked);
  if (strings.length === 0 || !SHARING.includes(channel))
    return notAnswered(
      'only long strings to a worker, a window or to structuredClone can be told apart, by their time',
    );
  // Not of the value that was cloned: the first clone flattens what was joined.
  const asked = await fresh();
  const examples = flatMap(strings.slice(0, MAX_STRINGS), ({ pattern, example }) => {
    const text = valueAt(asked, example);
    const path = typeof text === 'string' ? stringPath(text) : null;
    return path === null ? [] : [{ pattern, example, path }];
  });
  const root = examples.find(({ pattern }) => pattern === '$')?.path ?? null;
  return {
    confirmation: {
      path: typeof asked === 'string' ? root : examples.length > 0 ? 'serializer' : null,
      evidence: `time of ${examples.length} of ${strings.length} long strings beside a shared and a copied one`,
      examples,
      hidden: [],
      refused: null,
    },
    rejected: null,
  };
}
