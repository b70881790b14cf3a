import { envelopeFor } from '../../../core/recording/envelopes/envelopes.ts';
import { ToolError } from '../../../model/errors.ts';
import { type Channel, channelRow, type FileContent, type LibraryName } from '../../../model/names.ts';
import type { RequestOf, Variant } from '../../../model/wire/wire.ts';
import { type FarEnd, openChannel, PeerLife, spawnPeer } from '../../channel/channel.ts';
import { openLocal } from '../../channel/local.ts';
import {
  type Endpoint,
  type LocalEndpoint,
  nextMessage,
  noop,
  type Peer,
} from '../../platform/common/platform.ts';
import { currentPlatform } from '../../platform/current.ts';
import { contentOf, rewriteFor } from '../../prove/tried-module.ts';
import { hasSharedMemory, SharedInstructions } from '../peer/instructions.ts';

/** First message to a fresh receiver, on its own channel. */
export interface RetainStart {
  variant: Variant;
  via: LibraryName | null;
  far: FarEnd;
  /** Memory of the shared instructions; null for a frame. */
  memory: SharedArrayBuffer | null;
}

/** Announces the messages of one run. */
export interface RetainInstruction {
  messages: number;
  /** They are empty: nothing to restore. */
  empty: boolean;
}

/** Posted when the receiver has started, and when it has all messages: null, or the error. */
export type RetainResult = string | null;

/** What a receiver does with a message: the remedy's `restore` if the sender converts. */
export async function receiverFor(
  { remedy, plan, mode }: Variant,
  via: LibraryName | null | undefined,
): Promise<(message: unknown) => unknown> {
  const { unwrap } = envelopeFor(via, 'alone');
  if (remedy === null || plan === null || mode !== 'with-conversion') return unwrap;
  const { restore, receive = restore } = await rewriteFor(remedy, plan);
  return (message) => receive(unwrap(message), plan);
}

async function contentFor({ remedy, plan }: Variant): Promise<FileContent> {
  return remedy === null || plan === null ? 'serialized' : contentOf(await rewriteFor(remedy, plan), plan);
}

/** A channel on which messages can be kept in flight. */
export interface InFlightRun {
  /** False if messages are copied that a remedy would transfer. */
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

/** null for a frame, which runs in the thread of its page. */
function sharedFor(channel: Channel): SharedInstructions | null {
  const { elsewhere, toThread } = channelRow(channel);
  if (elsewhere) {
    const detail = 'memory cannot be attributed between processes';
    throw new ToolError('channel-unsupported', { value: channel, detail });
  }
  if (!toThread) return null;
  const detail = 'this page is not isolated, so that its threads share no memory';
  if (!hasSharedMemory()) throw new ToolError('measure-failed', { detail });
  return new SharedInstructions();
}

/** To a fresh worker or frame that retains what it receives. */
export async function openInFlightRun(request: RequestOf<'memory'>): Promise<InFlightRun> {
  const { channel, variant, recipe } = request;
  const shared = sharedFor(channel);
  const peer = await spawnPeer(channel, 'retaining-receiver');
  const { endpoint, far, transfer } = openChannel(channel, peer);
  const life = new PeerLife(peer);
  const start: RetainStart = { variant, via: recipe.via ?? null, far, memory: shared?.memory ?? null };
  await awaitResult(peer, life, () => peer.endpoint.postWith(start, transfer));
  return {
    transfers: endpoint.transfers,
    run: async (instruction, postAll, onQueued) => {
      shared?.reset();
      await awaitResult(peer, life, async () => {
        peer.endpoint.post(instruction);
        while (shared?.awaitReady() === false && !life.over) await currentPlatform().turnOfEventLoop();
        let posted = false;
        try {
          await postAll(endpoint);
          posted = true;
        } finally {
          shared?.reportPosted(posted);
        }
        onQueued();
      });
    },
    close: async () => {
      life.over = true;
      if (endpoint !== peer.endpoint) endpoint.close();
      await peer.end();
    },
  };
}

/** Does the work and waits for the receiver's next result. */
async function awaitResult(peer: Peer, life: PeerLife, work: () => void | Promise<void>): Promise<void> {
  const result = nextMessage(peer.endpoint, noop);
  await life.whileAlive(work());
  const failure = (await life.whileAlive(result)) as RetainResult;
  if (failure !== null) throw new ToolError('measure-failed', { detail: failure });
}

const unchanged = (message: unknown): unknown => message;

/** Such a channel has no queue: what is read is retained here. */
export async function localInFlightRun({
  channel,
  variant,
  recipe,
}: RequestOf<'memory'>): Promise<InFlightRun> {
  let retained: unknown[] = [];
  let restore = unchanged;
  const local = await openLocal(channel);
  const retaining = (endpoint: LocalEndpoint): Endpoint => ({
    ...{ transfers: local.transfers, onMessage: noop, onMessageError: noop, close: noop },
    post(message) {
      endpoint.post(message);
      retained.push(restore(endpoint.received));
    },
    postWith(message, transfer) {
      endpoint.postWith(message, transfer);
      retained.push(restore(endpoint.received));
    },
  });
  return {
    transfers: local.transfers,
    run: async ({ empty }, postAll, onQueued) => {
      retained = [];
      restore = empty ? unchanged : await receiverFor(variant, recipe.via);
      await postAll(retaining(local.endpoint(empty ? 'serialized' : await contentFor(variant))));
      onQueued();
    },
    close: async () => {
      retained = [];
      await local.close();
    },
  };
}
