import { filter, flatMap } from '../../core/value/lists.ts';
import type { Channel } from '../../model/names.ts';
import type { Shape } from '../../model/rules/shape.ts';
import { notAnswered, type OracleResult, rejectedWith } from '../oracle-result.ts';
import { valueAt } from '../value-at.ts';
import { LEAST_UNITS, stringPath } from './string-oracle.ts';

/** A string costs up to some tens of ms. */
const MOST_STRINGS = 8;
/** Ports copy every string: there is nothing to ask. */
const SHARING: readonly Channel[] = ['worker', 'structured-clone'];

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
  const strings = filter(
    shape.patterns,
    ({ kind, size }) => kind === 'string' && (size?.max ?? 0) >= LEAST_UNITS,
  );
  if (!isIsolated)
    return notAnswered('the clock of a page that is not isolated is too coarse to tell strings apart');
  if (strings.length === 0 || !SHARING.includes(channel))
    return notAnswered(
      'only long strings to a worker or to structuredClone can be told apart, by their time',
    );
  // Not of the value that was cloned: the first clone flattens what was joined.
  const asked = await fresh();
  const examples = flatMap(strings.slice(0, MOST_STRINGS), ({ pattern, example }) => {
    const text = valueAt(asked, example);
    const path = typeof text === 'string' ? stringPath(text) : null;
    return path === null ? [] : [{ pattern, example, path }];
  });
  const root = examples.find(({ pattern }) => pattern === '$')?.path ?? null;
  const all = examples.length === strings.length;
  return {
    confirmation: {
      path: typeof asked === 'string' ? root : all ? 'serializer' : null,
      evidence: `time of ${examples.length} of ${strings.length} long strings beside a shared and a copied one`,
      examples,
      hidden: [],
      refused: null,
    },
    wireBytes: null,
    rejected: null,
  };
}
