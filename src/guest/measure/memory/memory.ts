import { FLOOR } from '../../../core/stats/variant-samples.ts';
import { isLocal } from '../../../model/names.ts';
import type { MemoryUse, RequestOf, Variant } from '../../../model/wire/wire.ts';
import { now } from '../../platform/common/clock.ts';
import type { Platform } from '../../platform/common/platform.ts';
import { currentPlatform } from '../../platform/current.ts';
import { MessageFactory } from '../variants/message-factory.ts';
import { ValueSource } from '../variants/value-source.ts';
import {
  type InFlightRun,
  localInFlightRun,
  openInFlightRun,
  type RetainInstruction,
} from './in-flight-run.ts';

/**
 * Posted before the watch begins. An allocator that has freed a block of this size takes the next ones from its own heap
 * and keeps them (glibc's M_MMAP_THRESHOLD moves), as in every program that has run for a while. Not for few large
 * messages: what the warm-up leaves resident would then be missing from the result.
 */
const WARMUP_MESSAGES = 2;
const MANY_MESSAGES = 8;
/** Longest time to build values that are transferred, which must exist before the watch begins. */
const BUILD_NS = 150e6;

/**
 * Memory that messages in flight add to this process, both threads together. They wait unread in the queue of a blocked
 * receiver; then it receives and retains them all. The result is the peak of wire and received values together; posted
 * and transferred values existed before and do not count. The peak of the same run with empty messages, just before in
 * the same process, is subtracted.
 *
 * @throws ToolError 'measure-failed' when a message cannot be received, 'channel-unsupported' between processes, and
 *   what building or sending the payload throws
 */
export async function measureMemory(request: RequestOf<'memory'>): Promise<MemoryUse> {
  const platform = currentPlatform();
  const run = isLocal(request.channel) ? await localInFlightRun(request) : await openInFlightRun(request);
  try {
    const source = new ValueSource(request.recipe, 'alone');
    const empty = [await factoryFor(FLOOR, source, run)];
    await measurePeak(run, platform, { factories: empty, messages: request.messages, empty: true });
    if (request.messages >= MANY_MESSAGES) {
      await measurePeak(run, platform, await makeSupply(request, WARMUP_MESSAGES, source, run));
    }
    const supply = await makeSupply(request, request.messages, source, run);
    const { messages } = supply;
    const baselineBytes = await measurePeak(run, platform, { factories: empty, messages, empty: true });
    const bytes = Math.max(0, (await measurePeak(run, platform, supply)) - baselineBytes);
    return { type: 'memory-use', bytes, perMessage: bytes / messages, messages, baselineBytes };
  } finally {
    await run.close();
  }
}

/** Messages with their factories: one for all, or one for each if a message consumes its value. */
interface MessageSupply extends RetainInstruction {
  factories: readonly MessageFactory[];
}

async function factoryFor(variant: Variant, source: ValueSource, run: InFlightRun): Promise<MessageFactory> {
  const factory = new MessageFactory(variant, source);
  await factory.prepare(run.transfers);
  return factory;
}

/** Fewer messages than requested when their values take too long to build. */
async function makeSupply(
  { variant }: RequestOf<'memory'>,
  messages: number,
  source: ValueSource,
  run: InFlightRun,
): Promise<MessageSupply> {
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
async function measurePeak(
  run: InFlightRun,
  platform: Platform,
  { factories, messages, empty }: MessageSupply,
): Promise<number> {
  platform.collectGarbage();
  let peak = await platform.markPeakMemory();
  await run.run(
    { messages, empty },
    async (endpoint) => {
      // The receiver has released the messages of the run before.
      peak = await platform.markPeakMemory();
      for (let at = 0; at < messages; at++) {
        (factories[at % factories.length] as MessageFactory).post(endpoint);
      }
    },
    () => peak.sample(),
  );
  return peak.bytes();
}
