import type { Contestant } from '../../model/wire.ts';
import { Faults } from './fault.ts';
import type { MeasureAsk } from './index.ts';
import type { Ground, Lane, Peer } from './lane.ts';
import type { Ready, Start } from './meet.ts';
import { ControlBlock, type Orders, PostedOrders } from './orders.ts';

/** Where the sender stands: its end of each way to the peer. */
export interface Site {
  readonly lane: Lane;
  readonly orders: Orders;
  readonly faults: Faults;
  /** null where nothing can be taken without an event loop. */
  readonly quiet: { lane: Lane; control: ControlBlock } | null;
  /** Hands the peer its ends and waits until it is ready. */
  meet(): Promise<Ready>;
  close(): void;
}

/** The ways of the asked channel. */
export function openSite({ channel, recipe, contestants }: MeasureAsk, ground: Ground, peer: Peer): Site {
  const token = crypto.randomUUID();
  const faults = new Faults(token);
  const common = { recipe, contestants: contestants as Contestant[], channel, token };
  if (channel === 'ipc') {
    const start: Start = { ...common, memory: null, port: null, quiet: null };
    const meet = () => hand(peer.lane, start, []);
    return {
      lane: peer.lane,
      orders: new PostedOrders(),
      faults,
      quiet: null,
      meet,
      close: () => peer.lane.close(),
    };
  }
  const control = new ControlBlock();
  const measured = channel === 'message-port' ? new MessageChannel() : null;
  const taken = new MessageChannel();
  const quiet = { lane: ground.portLane(taken.port1), control };
  const lane = measured
    ? ground.portLane(measured.port1)
    : channel === 'broadcast'
      ? ground.broadcastLane(token)
      : peer.lane;
  const ports = [taken.port2, ...(measured ? [measured.port2] : [])];
  const start: Start = {
    ...common,
    memory: control.memory,
    port: measured?.port2 ?? null,
    quiet: taken.port2,
  };
  return {
    lane,
    orders: control,
    faults,
    quiet,
    meet: () => hand(peer.lane, start, ports),
    close: () => {
      lane.close();
      quiet.lane.close();
    },
  };
}

function hand(lane: Lane, start: Start, ports: MessagePort[]): Promise<Ready> {
  return new Promise((resolve) => {
    lane.onMessage = (data) => resolve(data as Ready);
    lane.postWith(start, ports);
  });
}
