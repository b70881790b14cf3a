import { FLOOR } from '../../../core/measure/variant.ts';
import type { MemoryUse, RequestOf, Variant } from '../../../model/wire.ts';
import { now } from '../../platform/clock.ts';
import { currentPlatform } from '../../platform/current.ts';
import type { Platform } from '../../platform/platform.ts';
import { MessageFactory } from '../variants/message-factory.ts';
import { ValueSource } from '../variants/value-source.ts';
import { cloneInFlightRun, type InFlightRun, openInFlightRun } from './in-flight-run.ts';
import type { RetainInstruction } from './retaining-receiver.ts';

/**
 * Posted before the watch begins. An allocator that has seen a block of this size freed takes the next ones from its own
 * heap and keeps them (glibc's M_MMAP_THRESHOLD moves), as in every program that has run for a while. Not for few large
 * messages: what the warm-up leaves resident would then be missing from the result.
 */
const WARMUP_MESSAGES = 2;
const MANY_MESSAGES = 8;
/** Values that are given away must exist before the watch begins; building them takes no longer than this. */
const BUILD_NS = 150e6;

/**
 * Memory that messages in flight add to this process, both threads together. They wait unread in the queue of a receiver
 * that is blocked; then it receives them all and keeps them to the end. The figure is thus the peak of wire and results
 * together; the values that are sent existed before and do not count, nor do those that are given away. The peak of the
 * same run with empty messages, just before in the same process, is subtracted.
 *
 * @throws ToolError 'measure-failed' when a message cannot be received, 'channel-unsupported' between processes, and
 *   what building or sending the payload throws
 */
export async function measureMemory(request: RequestOf<'memory'>): Promise<MemoryUse> {
  const platform = currentPlatform();
  const run =
    request.channel === 'structured-clone' ? cloneInFlightRun(request) : await openInFlightRun(request);
  try {
    const source = new ValueSource(request.recipe);
    const empty = [await factoryFor(FLOOR, source, run)];
    await peakOf(run, platform, { factories: empty, messages: request.messages, empty: true });
    if (request.messages >= MANY_MESSAGES) {
      await peakOf(run, platform, await supplyOf(request, WARMUP_MESSAGES, source, run));
    }
    const supply = await supplyOf(request, request.messages, source, run);
    const { messages } = supply;
    const baselineBytes = await peakOf(run, platform, { factories: empty, messages, empty: true });
    const bytes = Math.max(0, (await peakOf(run, platform, supply)) - baselineBytes);
    return { type: 'memory-use', bytes, perMessage: bytes / messages, messages, baselineBytes };
  } finally {
    await run.close();
  }
}

/** Messages and their factories: one factory for all, or one for each where a message takes its value along. */
interface Supply extends RetainInstruction {
  factories: readonly MessageFactory[];
}

async function factoryFor(variant: Variant, source: ValueSource, run: InFlightRun): Promise<MessageFactory> {
  const factory = new MessageFactory(variant, source);
  await factory.prepare(variant, run.transfers);
  return factory;
}

/** Fewer messages than asked for when their values take too long to build. */
async function supplyOf(
  { variant }: RequestOf<'memory'>,
  messages: number,
  source: ValueSource,
  run: InFlightRun,
): Promise<Supply> {
  const first = await factoryFor(variant, source, run);
  if (!first.consumesValue) return { factories: [first], messages, empty: false };
  const factories = [first];
  const began = now();
  while (factories.length < messages && now() - began < BUILD_NS) {
    factories.push(await factoryFor(variant, source, run));
  }
  return { factories, messages: factories.length, empty: false };
}

/** Peak of the process in bytes while these messages are in flight. */
async function peakOf(
  run: InFlightRun,
  platform: Platform,
  { factories, messages, empty }: Supply,
): Promise<number> {
  platform.collectGarbage();
  let peak = platform.markPeakMemory();
  await run.run(
    { messages, empty },
    (endpoint) => {
      // By now the receiver has released what it kept from the run before.
      peak = platform.markPeakMemory();
      for (let at = 0; at < messages; at++) {
        (factories[at % factories.length] as MessageFactory).post(endpoint);
      }
    },
    () => peak.sample(),
  );
  return peak.bytes();
}
