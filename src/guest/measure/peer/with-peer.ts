import { ToolError } from '../../../model/errors.ts';
import { spawnPeer } from '../../channel/channel.ts';
import { PeerLife } from '../../channel/peer-life.ts';
import { type PreparedVariant, prepareVariants } from '../variants/prepare.ts';
import { type MeasureSpec, openPeerSession, type PeerSession } from './peer-session.ts';

type WorkWithPeer<T> = (session: PeerSession, life: PeerLife) => Promise<T>;

/**
 * Starts a fresh peer and does the work with it. The peer has ended when this settles.
 *
 * @throws ToolError 'measure-failed' when the peer dies, 'channel-unsupported', and what the work throws
 */
export async function withPeer<T>(spec: MeasureSpec, work: WorkWithPeer<T>): Promise<T> {
  const peer = await spawnPeer(spec.channel, 'peer');
  const life = new PeerLife(peer);
  const session = openPeerSession(spec, peer);
  try {
    return await life.whileAlive(work(session, life));
  } finally {
    life.over = true;
    session.close();
    await peer.end();
  }
}

/** Both sides hold their first values when this resolves. @throws ToolError when the payload cannot be built */
export async function prepareBothSides(
  session: PeerSession,
  { variants, recipe }: MeasureSpec,
): Promise<PreparedVariant[]> {
  const [ready, prepared] = await Promise.all([
    session.handshake(),
    prepareVariants(variants, recipe, session.endpoint.transfers, 'sender'),
  ]);
  if (ready.failed !== null) throw new ToolError('measure-failed', { detail: ready.failed });
  for (const [index, reason] of ready.failures) {
    prepared[index]!.samples.error ??= reason;
  }
  return prepared;
}
