import type { GuestRequest, Measured } from '../../model/wire.ts';
import { measureClones } from './loop/structured-clone-loop.ts';
import { measureWithPeer } from './peer/with-peer.ts';

export type MeasureAsk = Extract<GuestRequest, { type: 'measure' }>;
/** Rounds done, of the most there can be, what. */
export type TellProgress = (done: number, of: number, what: string) => void;

/**
 * Times the variants of one request against each other, in turns, in this process and one fresh peer. Every sample
 * is one message, in ns; none is dropped.
 *
 * @throws ToolError 'measure-failed' when the peer dies, 'channel-unsupported' where the runtime has no such channel,
 *   and what building the payload throws
 */
export function measure(ask: MeasureAsk, progress: TellProgress = () => undefined): Promise<Measured> {
  return ask.channel === 'structured-clone' ? measureClones(ask, progress) : measureWithPeer(ask, progress);
}
