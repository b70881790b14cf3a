import { ToolError } from '../../../model/errors.ts';
import { turnOfEventLoop } from '../loop/one-way-loop.ts';
import { openWay } from '../peer/channel.ts';
import { CloneLane } from '../peer/clone-endpoint.ts';
import type { Ground, Lane, Peer } from '../peer/endpoint.ts';
import { ControlBlock } from '../peer/instructions.ts';
import type { MemoryAsk } from './memory.ts';
import { type KeepOrder, type KeepStart, type Kept, wayBack } from './retaining-receiver.ts';

/** Beside the guest's own bundle. */
const KEEPER = new URL('./retaining-receiver.mjs', import.meta.url);
/** Between two looks at the event loop: see `takes.ts`. */
const BLOCKED_MS = 2;

/** A way on which messages can be kept in flight. */
export interface Flight {
  /** False where what a remedy would transfer is copied. */
  readonly transfers: boolean;
  /**
   * Gets ready for the messages, then calls `depart`, which posts them, and ends when all have arrived and are
   * kept. `queued` is called when all are posted and none is taken yet.
   */
  fly(order: KeepOrder, depart: (lane: Lane) => void, queued: () => void): Promise<void>;
  close(): Promise<void>;
}

/** To a fresh worker that keeps what it gets. */
export async function openFlight({ channel, contestant }: MemoryAsk, ground: Ground): Promise<Flight> {
  if (channel === 'ipc') {
    const detail = 'the memory of messages is only known within one process';
    throw new ToolError('channel-unsupported', { value: channel, detail });
  }
  const peer = ground.spawnWorker(KEEPER);
  const control = new ControlBlock();
  const { lane, far, list } = openWay(channel, ground, peer);
  const flight = new WorkerFlight(peer, lane, control);
  const start: KeepStart = { contestant, far, memory: control.memory };
  await flight.told(() => peer.lane.postWith(start, list));
  return flight;
}

class WorkerFlight implements Flight {
  readonly #peer: Peer;
  readonly #lane: Lane;
  readonly #control: ControlBlock;
  readonly #died: Promise<never>;
  #over = false;

  constructor(peer: Peer, lane: Lane, control: ControlBlock) {
    this.#peer = peer;
    this.#lane = lane;
    this.#control = control;
    this.#died = new Promise((_, reject) => {
      peer.onDeath = (why) => {
        this.#over = true;
        reject(new ToolError('measure-failed', { detail: why }));
      };
    });
    this.#died.catch(() => undefined);
  }

  get transfers(): boolean {
    return this.#lane.transfers;
  }

  async fly(order: KeepOrder, depart: (lane: Lane) => void, queued: () => void): Promise<void> {
    const control = this.#control;
    control.clear();
    await this.told(async () => {
      this.#peer.lane.post(order);
      while (!control.awaitReady(BLOCKED_MS) && !this.#over) await turnOfEventLoop();
      let posted = false;
      try {
        depart(this.#lane);
        posted = true;
      } finally {
        control.handOver(posted);
      }
      queued();
    });
  }

  /** Does it, and waits for the keeper's next word. */
  async told(what: () => void | Promise<void>): Promise<void> {
    const word = new Promise<Kept>((resolve) => {
      this.#peer.lane.onMessage = (data) => resolve(data as Kept);
    });
    await Promise.race([what(), this.#died]);
    const fault = await Promise.race([word, this.#died]);
    if (fault !== null) throw new ToolError('measure-failed', { detail: fault });
  }

  async close(): Promise<void> {
    this.#over = true;
    if (this.#lane !== this.#peer.lane) this.#lane.close();
    await this.#peer.end();
  }
}

const asItIs = (message: unknown): unknown => message;

/** `structuredClone` has no queue: clones are made and kept here. */
export function keptClones({ contestant }: MemoryAsk): Flight {
  const back = wayBack(contestant);
  let undo = asItIs;
  let kept: unknown[] = [];
  const lane = new CloneLane();
  const keeping: Lane = {
    transfers: true,
    onMessage: lane.onMessage,
    onBroken: lane.onBroken,
    post: (message) => {
      lane.post(message);
      kept.push(undo(lane.got));
    },
    postWith: (message, transfer) => {
      lane.postWith(message, transfer);
      kept.push(undo(lane.got));
    },
    close: () => undefined,
  };
  return {
    transfers: true,
    fly: async ({ empty }, depart, queued) => {
      kept = [];
      undo = empty ? asItIs : back;
      depart(keeping);
      queued();
    },
    close: async () => {
      kept = [];
    },
  };
}
