import type { MeasureAsk } from '../measure.ts';
import type { ProfilePlace } from '../profile/side-profiler.ts';
import type { Ground, Lane, Peer } from './endpoint.ts';
import { Faults } from './failures.ts';
import type { Ready, Start } from './handshake.ts';
import { ControlBlock, type Orders, PostedOrders } from './instructions.ts';

/** Where the sender stands: its end of each way to the peer. */
export interface Site {
  readonly lane: Lane;
  readonly orders: Orders;
  readonly faults: Faults;
  /** null between processes, where nothing can be taken in silence. */
  readonly control: ControlBlock | null;
  /** The lane of messages that are taken without an event; null where they take the measured one. */
  readonly quiet: Lane | null;
  /** Hands the peer its ends and waits until it is ready. */
  meet(): Promise<Ready>;
  close(): void;
}

/** What the two sides are to send each other, and how. */
export type Errand = Pick<MeasureAsk, 'channel' | 'recipe' | 'contestants'> & { profile?: ProfilePlace };

/** The ways of the asked channel. */
export function openSite(errand: Errand, ground: Ground, peer: Peer): Site {
  const { channel, recipe, contestants, profile = null } = errand;
  const token = crypto.randomUUID();
  const control = channel === 'ipc' ? null : new ControlBlock();
  const measured = channel === 'message-port' ? new MessageChannel() : null;
  const taken = control && ground.takesByPort ? new MessageChannel() : null;
  const start: Start = {
    recipe,
    contestants,
    channel,
    token,
    memory: control?.memory ?? null,
    port: measured?.port2 ?? null,
    quiet: taken?.port2 ?? null,
    profile,
  };
  const quiet = taken && ground.portLane(taken.port1);
  const lane = measured ? ground.portLane(measured.port1) : laneOf(channel, token, ground, peer);
  return {
    lane,
    orders: control ?? new PostedOrders(token),
    faults: new Faults(token),
    control,
    quiet,
    meet: () => hand(peer.lane, start),
    close: () => {
      lane.close();
      quiet?.close();
    },
  };
}

function laneOf(channel: MeasureAsk['channel'], token: string, ground: Ground, peer: Peer): Lane {
  return channel === 'broadcast' ? ground.broadcastLane(token) : peer.lane;
}

function hand(lane: Lane, start: Start): Promise<Ready> {
  return new Promise((resolve) => {
    lane.onMessage = (data) => resolve(data as Ready);
    lane.postWith(
      start,
      [start.port, start.quiet].filter((port) => port !== null),
    );
  });
}
