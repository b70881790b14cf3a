/** Memory of messages in flight. */
import { ToolError } from '../../model/errors.ts';
import { type Channel, channelRow, isLocal } from '../../model/names.ts';
import type { MemoryUse, RequestOf, Variant } from '../../model/wire/wire.ts';
import { FLOOR } from '../../stats/intervals/variant-samples.ts';
import { withLocal } from '../channel/channel.ts';
import { now } from '../platform/common/clock.ts';
import {
  currentPlatform,
  type LocalChannel,
  nextMessage,
  noop,
  type Outlet,
} from '../platform/common/platform.ts';
import { failureIn, hasSharedMemory, type PeerSession, RETAIN, withPeer } from './peer-session.ts';
import { MessageFactory, ValueSource } from './variants.ts';

/**
 * Posted before the watch begins. An allocator that has freed a block of this size takes the next ones from its own
 * heap and keeps them (glibc's M_MMAP_THRESHOLD moves), as in every program that has run for a while. Few large
 * messages get no warm-up: memory that it leaves resident would then be missing from the result.
 */
const WARMUP_MESSAGES = 2;
const MANY_MESSAGES = 8;
/** Longest time to build values that are transferred, which must exist before the watch begins. */
const BUILD_NS = 150e6;

/** Messages with their factories: one factory for all, or one factory each if a message consumes its value. */
interface MessageSupply {
  factories: readonly MessageFactory[];
  messages: number;
  empty: boolean;
}

interface Flight {
  readonly transfers: boolean;
  /** Resolves when all messages are received and retained. `onQueued`: all are posted and none is received yet. */
  run(supply: MessageSupply, postAll: (outlet: Outlet) => Promise<void>, onQueued: () => void): Promise<void>;
}

/**
 * Memory that messages in flight add to this process, both threads together. They wait unread in the queue of a blocked
 * receiver; then it receives and retains them all. The result is the peak of wire and received values together; posted
 * and transferred values existed before and do not count. The peak of the same run with empty messages, just before in
 * the same process, is subtracted.
 * @throws ToolError 'measure-failed' when a message cannot be received, 'channel-unsupported' between processes, and
 * what building or sending the payload throws
 */
export async function measureMemory(request: RequestOf<'memory'>): Promise<MemoryUse> {
  const { channel, variant } = request;
  if (isLocal(channel)) return withLocal(channel, (local) => memoryOf(request, localFlight(local)));
  requireOneProcess(channel);
  const spec = { ...request, variants: [FLOOR, variant], retains: true };
  return withPeer(spec, async (session) => {
    const { failed, failures } = await session.handshake();
    requireReceived(failed ?? failures[0]?.[1] ?? null);
    return memoryOf(request, flightTo(session));
  });
}

/** A frame runs in the thread of its page, and needs no memory that both share. */
function requireOneProcess(channel: Channel): void {
  const { elsewhere, toThread } = channelRow(channel);
  if (elsewhere) {
    const detail = 'memory cannot be attributed between processes';
    throw new ToolError('channel-unsupported', { value: channel, detail });
  }
  const detail = 'this page is not isolated, so that its threads share no memory';
  if (toThread && !hasSharedMemory()) throw new ToolError('measure-failed', { detail });
}

function requireReceived(failure: string | null): void {
  if (failure !== null) throw new ToolError('measure-failed', { detail: failure });
}

const flightTo = ({ peer, endpoint, instructions, shared, token }: PeerSession): Flight => ({
  transfers: endpoint.transfers,
  async run({ messages, empty }, postAll, onQueued) {
    const received = nextMessage(endpoint, noop);
    shared?.reset();
    instructions.messages = messages;
    instructions.post(endpoint, RETAIN, empty ? 0 : 1);
    while (shared?.awaitReady() === false && !peer.over) await currentPlatform().turnOfEventLoop();
    let posted = false;
    try {
      await postAll(endpoint);
      posted = true;
    } finally {
      shared?.reportPosted(posted);
    }
    onQueued();
    requireReceived(failureIn(token, await received));
  },
});

/** Flight over a channel that does not have a queue: values that are read are retained here. */
function localFlight(local: LocalChannel): Flight {
  let retained: unknown[] = [];
  return {
    transfers: local.transfers,
    async run({ factories }, postAll, onQueued) {
      const factory = factories[0]!;
      const endpoint = local.endpoint(factory.content);
      retained = [];
      await postAll({
        post(message, transfer) {
          endpoint.post(message, transfer);
          retained.push(factory.restore(endpoint.received));
        },
      });
      onQueued();
    },
  };
}

async function memoryOf(request: RequestOf<'memory'>, flight: Flight): Promise<MemoryUse> {
  const source = new ValueSource(request.recipe, 'alone');
  const floor = { factories: [await factoryFor(FLOOR, source, flight)], empty: true };
  await measurePeak(flight, { ...floor, messages: request.messages });
  if (request.messages >= MANY_MESSAGES)
    await measurePeak(flight, await makeSupply(request, WARMUP_MESSAGES, source, flight));
  const supply = await makeSupply(request, request.messages, source, flight);
  const { messages } = supply;
  const baselineBytes = await measurePeak(flight, { ...floor, messages });
  const bytes = Math.max(0, (await measurePeak(flight, supply)) - baselineBytes);
  return { type: 'memory-use', bytes, perMessage: bytes / messages, messages, baselineBytes };
}

async function factoryFor(variant: Variant, source: ValueSource, flight: Flight): Promise<MessageFactory> {
  const factory = new MessageFactory(variant, source);
  await factory.prepare(flight.transfers);
  return factory;
}

async function makeSupply(
  { variant }: RequestOf<'memory'>,
  messages: number,
  source: ValueSource,
  flight: Flight,
): Promise<MessageSupply> {
  const first = await factoryFor(variant, source, flight);
  const factories = [first];
  if (!first.consumesValue) return { factories, messages, empty: false };
  for (const began = now(); factories.length < messages && now() - began < BUILD_NS; )
    factories.push(await factoryFor(variant, source, flight));
  return { factories, messages: factories.length, empty: false };
}

async function measurePeak(flight: Flight, supply: MessageSupply): Promise<number> {
  const platform = currentPlatform();
  platform.collectGarbage();
  let peak = await platform.markPeakMemory!();
  await flight.run(
    supply,
    async (outlet) => {
      const { factories, messages } = supply;
      // The receiver has released the messages of the run before.
      peak = await platform.markPeakMemory!();
      for (let at = 0; at < messages; at++) factories[at % factories.length]!.post(outlet);
    },
    () => peak.sample(),
  );
  return peak.bytes();
}
