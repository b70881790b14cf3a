import type { MeasureAsk } from '../measure.ts';
import type { ProfilePlace } from '../profile/side-profiler.ts';
import type { Endpoint, Peer, Platform } from './endpoint.ts';
import { PeerFailures } from './failures.ts';
import type { PeerReady, PeerStart } from './handshake.ts';
import { type Instructions, PostedInstructions, SharedInstructions } from './instructions.ts';

/** Where the sender stands: its end of each way to the peer. */
export interface PeerSession {
  readonly endpoint: Endpoint;
  readonly instructions: Instructions;
  readonly failures: PeerFailures;
  /** null between processes, where nothing can be taken in silence. */
  readonly shared: SharedInstructions | null;
  /** The lane of messages that are taken without an event; null where they take the measured one. */
  readonly oneWay: Endpoint | null;
  /** Hands the peer its ends and waits until it is ready. */
  handshake(): Promise<PeerReady>;
  close(): void;
}

/** What the two sides are to send each other, and how. */
export type MeasureSpec = Pick<MeasureAsk, 'channel' | 'recipe' | 'variants'> & { profile?: ProfilePlace };

/** The ways of the asked channel. */
export function openPeerSession(errand: MeasureSpec, ground: Platform, peer: Peer): PeerSession {
  const { channel, recipe, variants, profile = null } = errand;
  const token = crypto.randomUUID();
  const control = channel === 'ipc' ? null : new SharedInstructions();
  const measured = channel === 'message-port' ? new MessageChannel() : null;
  const taken = control && ground.receivesByPort ? new MessageChannel() : null;
  const start: PeerStart = {
    recipe,
    variants,
    channel,
    token,
    memory: control?.memory ?? null,
    port: measured?.port2 ?? null,
    oneWay: taken?.port2 ?? null,
    profile,
  };
  const quiet = taken && ground.portEndpoint(taken.port1);
  const lane = measured ? ground.portEndpoint(measured.port1) : laneOf(channel, token, ground, peer);
  return {
    endpoint: lane,
    instructions: control ?? new PostedInstructions(token),
    failures: new PeerFailures(token),
    shared: control,
    oneWay: quiet,
    handshake: () => hand(peer.endpoint, start),
    close: () => {
      lane.close();
      quiet?.close();
    },
  };
}

function laneOf(channel: MeasureAsk['channel'], token: string, ground: Platform, peer: Peer): Endpoint {
  return channel === 'broadcast' ? ground.broadcastEndpoint(token) : peer.endpoint;
}

function hand(lane: Endpoint, start: PeerStart): Promise<PeerReady> {
  return new Promise((resolve) => {
    lane.onMessage = (data) => resolve(data as PeerReady);
    lane.postWith(
      start,
      [start.port, start.oneWay].filter((port) => port !== null),
    );
  });
}
