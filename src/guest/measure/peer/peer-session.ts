import type { RequestOf } from '../../../model/wire.ts';
import type { Endpoint, Peer } from '../../platform/endpoint.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ProfileTarget } from '../profile/side-profiler.ts';
import { openChannel } from './channel.ts';
import { PeerFailures } from './failures.ts';
import type { PeerReady, PeerResults, PeerStart } from './handshake.ts';
import { FINISH, type Instructions, PostedInstructions, SharedInstructions } from './instructions.ts';

/** What is measured with a peer, and how. */
export type MeasureSpec = Pick<RequestOf<'measure'>, 'channel' | 'recipe' | 'variants'> & {
  profile?: ProfileTarget;
};

/** Everything that is open towards one peer. */
export interface PeerSession {
  readonly endpoint: Endpoint;
  readonly instructions: Instructions;
  readonly failures: PeerFailures;
  /** null between processes, where nothing can be timed one way. */
  readonly shared: SharedInstructions | null;
  /** Endpoint of messages that are received without an event; null where they use the measured one. */
  readonly oneWay: Endpoint | null;
  /** Passes the peer its ends and waits until it is ready. */
  handshake(): Promise<PeerReady>;
  /** Posts the last instruction and waits for the results. */
  finish(): Promise<PeerResults>;
  close(): void;
}

/** Opens the channels that the spec asks for. */
export function openPeerSession(spec: MeasureSpec, platform: Platform, peer: Peer): PeerSession {
  const { channel, recipe, variants, profile = null } = spec;
  const { endpoint, far, transfer } = openChannel(channel, platform, peer);
  const shared = channel === 'ipc' ? null : new SharedInstructions();
  const oneWay = shared && platform.receiveOnPort ? new MessageChannel() : null;
  const start: PeerStart = {
    recipe,
    variants,
    far,
    memory: shared?.memory ?? null,
    oneWay: oneWay?.port2 ?? null,
    profile,
  };
  const oneWayEndpoint = oneWay && platform.portEndpoint(oneWay.port1);
  const instructions = shared ?? new PostedInstructions(far.token);
  return {
    endpoint,
    instructions,
    failures: new PeerFailures(far.token),
    shared,
    oneWay: oneWayEndpoint,
    handshake: () =>
      answerOf(peer.endpoint, () =>
        peer.endpoint.postWith(start, [...transfer, ...(oneWay ? [oneWay.port2] : [])]),
      ),
    finish: () => answerOf(endpoint, () => instructions.post(endpoint, FINISH, 0)),
    close: () => {
      endpoint.close();
      oneWayEndpoint?.close();
    },
  };
}

function answerOf<T>(endpoint: Endpoint, post: () => void): Promise<T> {
  return new Promise((resolve) => {
    endpoint.onMessage = (data) => resolve(data as T);
    post();
  });
}
