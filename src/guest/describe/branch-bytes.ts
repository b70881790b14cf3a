import { without } from '../../core/branches/without.ts';
import type { BranchBytes } from '../../model/profile.ts';
import type { RequestOf } from '../../model/wire.ts';
import { serialized } from '../../probe/serialized.ts';
import { build } from '../payload/materialize.ts';

/**
 * Wire bytes of the payload, and of the payload without each branch, by the engine's own serializer.
 *
 * @throws what building the payload throws
 */
export async function branchBytes({ recipe, paths }: RequestOf<'branch-bytes'>): Promise<BranchBytes> {
  const { value } = await build(recipe);
  const bytesOf = (part: unknown) => serialized(part)?.byteLength ?? null;
  return {
    type: 'branch-bytes',
    whole: bytesOf(value),
    without: paths.map((path) => bytesOf(without(value, path))),
  };
}
