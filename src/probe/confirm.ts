/** Asks the engine of this process which path a payload really takes, and what of it cannot be cloned. */

import type { Channel } from '../model/names.ts';
import type { Shape } from '../model/shape.ts';
import { bunJsc } from './bun/jsc.ts';
import { bunOracle } from './bun/oracle.ts';
import { type Confirmed, nothing } from './confirmed.ts';
import { v8Oracle } from './v8/oracle.ts';

/**
 * @param fresh builds the payload anew: posting changes strings, and transfers would detach buffers. Its errors pass through
 * @param shape what `describe` says of the payload
 * @param channel Bun's fast paths are the same on every channel but `ipc`, which has none and no oracle
 */
export async function confirm(
  fresh: () => Promise<unknown>,
  shape: Shape,
  channel: Channel,
): Promise<Confirmed> {
  if (process.versions.bun === undefined) return v8Oracle(fresh, shape, channel);
  if (channel === 'ipc') return nothing('messages to another process are always serialized');
  return bunOracle(await bunJsc(), fresh, shape);
}
