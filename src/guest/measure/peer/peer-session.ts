import { type Channel, isIpc } from '../../../model/names.ts';
import type { RequestOf } from '../../../model/wire/wire.ts';
import { openChannel } from '../../channel/channel.ts';
import { type Endpoint, nextMessage, type Peer } from '../../platform/common/endpoint.ts';
import { currentPlatform } from '../../platform/current.ts';
import { PeerFailures } from './failures.ts';
import type { PeerReady, PeerResults, PeerStart } from './handshake.ts';
import {
  FINISH,
  hasSharedMemory,
  type Instructions,
  PostedInstructions,
  SharedInstructions,
} from './instructions.ts';
import type { ProfileTarget } from './side-profiler.ts';

/** What is measured with a peer, and how. */
export type MeasureSpec = Pick<RequestOf<'measure'>, 'channel' | 'recipe' | 'variants'> & {
  profile?: ProfileTarget;
};

/** All that is open to one peer. */
export interface PeerSession {
  readonly endpoint: Endpoint;
  readonly instructions: Instructions;
  readonly failures: PeerFailures;
  /** null between processes, in one thread, and between threads that share no memory: one way cannot be timed. */
  readonly shared: SharedInstructions | null;
  /** Endpoint of messages that are received without an event; null where one-way messages use `endpoint`. */
  readonly oneWay: Endpoint | null;
  /** Sends the peer its ends of the channels and waits until it is ready. */
  handshake(): Promise<PeerReady>;
  /** Posts the last instruction and waits for the results. */
  finish(): Promise<PeerResults>;
  close(): void;
}

/**
 * Between processes there is no shared memory. A frame runs in the thread of its page: neither may block for the other, so
 * that one way cannot be timed, and WebKit copies shared memory that is posted to a window.
 */
const isApart = (channel: Channel): boolean => isIpc(channel) || channel === 'window';

/** Opens the channels that the spec asks for. */
export function openPeerSession(spec: MeasureSpec, peer: Peer): PeerSession {
  const { channel, recipe, variants, profile = null } = spec;
  const platform = currentPlatform();
  const { endpoint, far, transfer } = openChannel(channel, peer);
  const shared = isApart(channel) || !hasSharedMemory() ? null : new SharedInstructions();
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
    handshake: () => {
      const ports = oneWay ? [...transfer, oneWay.port2] : transfer;
      return nextMessage(peer.endpoint, () => peer.endpoint.postWith(start, ports)) as Promise<PeerReady>;
    },
    finish: () => nextMessage(endpoint, () => instructions.post(endpoint, FINISH, 0)) as Promise<PeerResults>,
    close: () => {
      endpoint.close();
      oneWayEndpoint?.close();
    },
  };
}
