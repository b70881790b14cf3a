import { differences } from '../../core/compare/compare.ts';
import type { Channel } from '../../model/names.ts';
import type { LossesFound, RealLoss } from '../../model/rules/loss.ts';
import type { RequestOf } from '../../model/wire/wire.ts';
import { observePost } from '../channel/observed.ts';
import { build } from '../payload/materialize.ts';

/**
 * Posts the value for real over the channel and compares what arrives with it.
 *
 * @returns null when the engine refuses the value, or nothing can be seen
 */
export async function realLosses(value: unknown, channel: Channel): Promise<RealLoss[] | null> {
  const observed = await observePost(channel, value);
  if (observed === undefined) return null;
  const { lost, arrived } = observed;
  if (lost !== null) return [{ path: '$', what: lost, kind: 'delivery', owner: '$' }];
  return arrived && differences(value, arrived.data);
}

/** @throws ToolError of building the payload */
export async function findLosses({ recipe, channel }: RequestOf<'losses'>): Promise<LossesFound> {
  return { type: 'losses-found', losses: await realLosses((await build(recipe)).value, channel) };
}
