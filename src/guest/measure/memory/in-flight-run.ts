import { ToolError } from '../../../model/errors.ts';
import { isIpc } from '../../../model/names.ts';
import type { RequestOf } from '../../../model/wire/wire.ts';
import { openChannel, spawnPeer } from '../../channel/channel.ts';
import { PeerLife } from '../../channel/peer-life.ts';
import { CloneEndpoint } from '../../platform/clone-endpoint.ts';
import { type Endpoint, nextMessage, noop, type Peer } from '../../platform/common/endpoint.ts';
import { turnOfEventLoop } from '../../platform/event-loop.ts';
import { hasSharedMemory, SharedInstructions } from '../peer/instructions.ts';
import {
  type RetainInstruction,
  type RetainResult,
  type RetainStart,
  restoreOf,
} from './retaining-receiver.ts';

/** A channel on which messages can be kept in flight. */
export interface InFlightRun {
  /** False where messages are copied that a remedy would transfer. */
  readonly transfers: boolean;
  /**
   * Prepares the receiver, calls `postAll`, and resolves when all messages have arrived and are retained. `onQueued` is
   * called when all are posted and none is received yet.
   */
  run(
    instruction: RetainInstruction,
    postAll: (endpoint: Endpoint) => Promise<void>,
    onQueued: () => void,
  ): Promise<void>;
  close(): Promise<void>;
}

/** To a fresh worker or frame that retains what it receives. */
export async function openInFlightRun({
  channel,
  variant,
  recipe,
}: RequestOf<'memory'>): Promise<InFlightRun> {
  if (isIpc(channel)) {
    const detail = 'memory cannot be attributed between processes';
    throw new ToolError('channel-unsupported', { value: channel, detail });
  }
  const isFrame = channel === 'window';
  if (!isFrame && !hasSharedMemory()) {
    const detail = 'this page is not isolated, so that its threads share no memory';
    throw new ToolError('measure-failed', { detail });
  }
  const peer = await spawnPeer(channel, 'retaining-receiver');
  const shared = isFrame ? null : new SharedInstructions();
  const { endpoint, far, transfer } = openChannel(channel, peer);
  const run = new PeerInFlightRun(peer, endpoint, shared);
  const start: RetainStart = { variant, via: recipe.via ?? null, far, memory: shared?.memory ?? null };
  await run.awaitResult(() => peer.endpoint.postWith(start, transfer));
  return run;
}

class PeerInFlightRun implements InFlightRun {
  readonly #peer: Peer;
  readonly #endpoint: Endpoint;
  readonly #shared: SharedInstructions | null;
  readonly #life: PeerLife;

  constructor(peer: Peer, endpoint: Endpoint, shared: SharedInstructions | null) {
    this.#peer = peer;
    this.#endpoint = endpoint;
    this.#shared = shared;
    this.#life = new PeerLife(peer);
  }

  get transfers(): boolean {
    return this.#endpoint.transfers;
  }

  async run(
    instruction: RetainInstruction,
    postAll: (endpoint: Endpoint) => Promise<void>,
    onQueued: () => void,
  ): Promise<void> {
    const shared = this.#shared;
    shared?.reset();
    await this.awaitResult(async () => {
      this.#peer.endpoint.post(instruction);
      while (shared?.awaitReady() === false && !this.#life.over) await turnOfEventLoop();
      let posted = false;
      try {
        await postAll(this.#endpoint);
        posted = true;
      } finally {
        shared?.reportPosted(posted);
      }
      onQueued();
    });
  }

  /** Does the work and waits for the receiver's next result. */
  async awaitResult(work: () => void | Promise<void>): Promise<void> {
    const result = nextMessage(this.#peer.endpoint, noop);
    await this.#life.whileAlive(work());
    const failure = (await this.#life.whileAlive(result)) as RetainResult;
    if (failure !== null) throw new ToolError('measure-failed', { detail: failure });
  }

  async close(): Promise<void> {
    this.#life.over = true;
    if (this.#endpoint !== this.#peer.endpoint) this.#endpoint.close();
    await this.#peer.end();
  }
}

const unchanged = (message: unknown): unknown => message;

/** `structuredClone` has no queue: the clones are made and retained here. */
export function cloneInFlightRun({ variant, recipe }: RequestOf<'memory'>): InFlightRun {
  let retained: unknown[] = [];
  let restore = unchanged;
  class RetainingEndpoint extends CloneEndpoint {
    override post(message: unknown): void {
      super.post(message);
      retained.push(restore(this.received));
    }
    override postWith(message: unknown, transfer: Transferable[]): void {
      super.postWith(message, transfer);
      retained.push(restore(this.received));
    }
  }
  const endpoint = new RetainingEndpoint();
  return {
    transfers: true,
    run: async ({ empty }, postAll, onQueued) => {
      retained = [];
      restore = empty ? unchanged : await restoreOf(variant, recipe.via);
      await postAll(endpoint);
      onQueued();
    },
    close: async () => {
      retained = [];
    },
  };
}
