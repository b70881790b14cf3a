import { without } from '../../core/branches/without.ts';
import { envelopeFor } from '../../core/recording/envelopes/envelopes.ts';
import { map } from '../../core/value/lists.ts';
import type { BranchBytes } from '../../model/wire/profiled.ts';
import type { RequestOf } from '../../model/wire/wire.ts';
import { runningProbe } from '../../probe/probe.ts';
import { buildPayload } from '../payload/materialize.ts';

/**
 * Wire bytes of the payload, and of the payload without each branch, by the engine's own serializer; in the envelope of
 * its library.
 *
 * @throws ToolError of building the payload
 */
export async function branchBytes({ recipe, paths }: RequestOf<'branch-bytes'>): Promise<BranchBytes> {
  const { value } = await buildPayload(recipe);
  const probe = runningProbe();
  const { wrap } = envelopeFor(recipe.via, 'alone');
  const serializedBytes = (part: unknown) => probe.serialized(wrap(part, []))?.byteLength ?? null;
  return {
    type: 'branch-bytes',
    whole: serializedBytes(value),
    without: map(paths, (path) => serializedBytes(without(value, path))),
  };
}
