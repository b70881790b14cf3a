import { differences } from '../../core/compare/compare.ts';
import type { Channel } from '../../model/names.ts';
import type { LossesFound, RealLoss } from '../../model/rules/loss.ts';
import type { RequestOf } from '../../model/wire/wire.ts';
import { deliver, NotDelivered } from '../channel/deliver.ts';
import { build } from '../payload/materialize.ts';

/**
 * Posts the value for real and compares what arrives with it. A worker gets what a port gets.
 *
 * @returns null when the engine refuses the value
 */
export async function realLosses(value: unknown, channel: Channel): Promise<RealLoss[] | null> {
  try {
    const arrived = channel === 'structured-clone' ? { data: structuredClone(value) } : await deliver(value);
    return differences(value, arrived.data);
  } catch (error) {
    if (!(error instanceof NotDelivered)) return null;
    return [{ path: '$', what: error.message, kind: 'delivery', owner: '$' }];
  }
}

/** @throws ToolError of building the payload */
export async function findLosses({ recipe, channel }: RequestOf<'losses'>): Promise<LossesFound> {
  return { type: 'losses-found', losses: await realLosses((await build(recipe)).value, channel) };
}
