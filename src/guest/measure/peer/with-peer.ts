import { ToolError } from '../../../model/errors.ts';
import { currentPlatform } from '../../platform/current.ts';
import type { Peer } from '../../platform/endpoint.ts';
import type { Platform } from '../../platform/platform.ts';
import { type PreparedVariants, prepareVariants } from '../variants/prepare.ts';
import { ValueSource } from '../variants/value-source.ts';
import { type MeasureSpec, openPeerSession, type PeerSession } from './peer-session.ts';

/** A peer's life: `over` once it ended or is about to. */
export interface PeerLife {
  readonly over: boolean;
}

type Work<T> = (session: PeerSession, platform: Platform, life: PeerLife) => Promise<T>;

/**
 * Starts a fresh peer and does the work with it. The peer is gone when this ends.
 *
 * @throws ToolError 'measure-failed' when the peer dies, 'channel-unsupported', and what the work throws
 */
export async function withPeer<T>(spec: MeasureSpec, work: Work<T>): Promise<T> {
  const platform = currentPlatform();
  const peer = spawn(spec, platform);
  const life = { over: false };
  const died = new Promise<never>((_, reject) => {
    peer.onExit = (reason) => {
      life.over = true;
      reject(new ToolError('measure-failed', { detail: reason }));
    };
  });
  const session = openPeerSession(spec, platform, peer);
  try {
    return await Promise.race([work(session, platform, life), died]);
  } finally {
    life.over = true;
    session.close();
    await peer.end();
  }
}

function spawn({ channel }: MeasureSpec, platform: Platform): Peer {
  if (channel !== 'ipc') return platform.spawnWorker('peer');
  if (platform.spawnChild) return platform.spawnChild('peer');
  const detail = 'this runtime has no child process with process.send and advanced serialization';
  throw new ToolError('channel-unsupported', { value: channel, detail });
}

/** Both sides hold their first values when this is done. @throws ToolError when the payload cannot be built */
export async function prepareBothSides(
  session: PeerSession,
  { variants, recipe }: MeasureSpec,
  platform: Platform,
): Promise<PreparedVariants> {
  const source = new ValueSource(recipe, platform.postingChangesValues);
  const [ready, prepared] = await Promise.all([
    session.handshake(),
    prepareVariants(variants, source, session.endpoint.transfers),
  ]);
  if (ready.failed !== null) throw new ToolError('measure-failed', { detail: ready.failed });
  for (const [index, reason] of ready.failures) {
    const samples = prepared.samples[index];
    if (samples) samples.error ??= reason;
  }
  return prepared;
}
