import { ToolError } from '../../../model/errors.ts';
import { turnOfEventLoop } from '../loop/one-way-loop.ts';
import { openChannel } from '../peer/channel.ts';
import { CloneEndpoint } from '../peer/clone-endpoint.ts';
import type { Endpoint, Peer, Platform } from '../peer/endpoint.ts';
import { SharedInstructions } from '../peer/instructions.ts';
import type { MemoryAsk } from './memory.ts';
import {
  type RetainInstruction,
  type RetainResult,
  type RetainStart,
  restoreOf,
} from './retaining-receiver.ts';

/** Beside the guest's own bundle. */
const KEEPER = new URL('./retaining-receiver.mjs', import.meta.url);
/** Between two looks at the event loop: see `takes.ts`. */
const BLOCKED_MS = 2;

/** A way on which messages can be kept in flight. */
export interface InFlightRun {
  /** False where what a remedy would transfer is copied. */
  readonly transfers: boolean;
  /**
   * Gets ready for the messages, then calls `depart`, which posts them, and ends when all have arrived and are
   * kept. `queued` is called when all are posted and none is taken yet.
   */
  post(order: RetainInstruction, depart: (lane: Endpoint) => void, queued: () => void): Promise<void>;
  close(): Promise<void>;
}

/** To a fresh worker that keeps what it gets. */
export async function openInFlightRun(
  { channel, variant }: MemoryAsk,
  ground: Platform,
): Promise<InFlightRun> {
  if (channel === 'ipc') {
    const detail = 'the memory of messages is only known within one process';
    throw new ToolError('channel-unsupported', { value: channel, detail });
  }
  const peer = ground.spawnWorker(KEEPER);
  const control = new SharedInstructions();
  const { endpoint: lane, far, transfer: list } = openChannel(channel, ground, peer);
  const flight = new WorkerInFlightRun(peer, lane, control);
  const start: RetainStart = { variant, far, memory: control.memory };
  await flight.told(() => peer.endpoint.postWith(start, list));
  return flight;
}

class WorkerInFlightRun implements InFlightRun {
  readonly #peer: Peer;
  readonly #lane: Endpoint;
  readonly #control: SharedInstructions;
  readonly #died: Promise<never>;
  #over = false;

  constructor(peer: Peer, lane: Endpoint, control: SharedInstructions) {
    this.#peer = peer;
    this.#lane = lane;
    this.#control = control;
    this.#died = new Promise((_, reject) => {
      peer.onExit = (why) => {
        this.#over = true;
        reject(new ToolError('measure-failed', { detail: why }));
      };
    });
    this.#died.catch(() => undefined);
  }

  get transfers(): boolean {
    return this.#lane.transfers;
  }

  async post(order: RetainInstruction, depart: (lane: Endpoint) => void, queued: () => void): Promise<void> {
    const control = this.#control;
    control.clear();
    await this.told(async () => {
      this.#peer.endpoint.post(order);
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
    const word = new Promise<RetainResult>((resolve) => {
      this.#peer.endpoint.onMessage = (data) => resolve(data as RetainResult);
    });
    await Promise.race([what(), this.#died]);
    const fault = await Promise.race([word, this.#died]);
    if (fault !== null) throw new ToolError('measure-failed', { detail: fault });
  }

  async close(): Promise<void> {
    this.#over = true;
    if (this.#lane !== this.#peer.endpoint) this.#lane.close();
    await this.#peer.end();
  }
}

const asItIs = (message: unknown): unknown => message;

/** `structuredClone` has no queue: clones are made and kept here. */
export function keptClones({ variant }: MemoryAsk): InFlightRun {
  const back = restoreOf(variant);
  let undo = asItIs;
  let kept: unknown[] = [];
  const lane = new CloneEndpoint();
  const keeping: Endpoint = {
    transfers: true,
    onMessage: lane.onMessage,
    onMessageError: lane.onMessageError,
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
    post: async ({ empty }, depart, queued) => {
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
