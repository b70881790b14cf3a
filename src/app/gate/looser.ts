import { contractResults } from '../../core/gate/contract.ts';
import { comesFrom, withRemovals } from '../../core/gate/unmatched.ts';
import type { LimitResult, Unchecked } from '../../model/documents/check.ts';
import { type BaseRequest, commitOf } from './base.ts';

/**
 * With what the other commit demands and now is gone or looser. `new: "ok"` of that commit lets exports and files of a glob
 * go, not what its config names.
 */
export function withContract(
  results: readonly LimitResult[],
  unchecked: readonly Unchecked[],
  { contract, newPolicy, ...commit }: BaseRequest,
): LimitResult[] {
  const base = commitOf(commit);
  const gone = contract.loosened.flatMap(({ what, payload }) => (what === 'payload' ? payload : []));
  const isNamed = ({ payload }: { payload: string }) =>
    gone.some((name) => comesFrom(payload, name) || comesFrom(payload, `${name}/`));
  const others = unchecked.filter((one) => !isNamed(one));
  const level = newPolicy === 'ok' ? 'warn' : 'error';
  return withRemovals([...results, ...contractResults(contract, base)], others, {
    file: null,
    base,
    level,
  });
}
