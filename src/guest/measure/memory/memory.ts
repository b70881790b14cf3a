import type { GuestRequest, MemoryUse, Variant } from '../../../model/wire.ts';
import { currentPlatform } from '../../platform/platform.ts';
import { now } from '../loop/clock.ts';
import { MessageFactory } from '../loop/message-factory.ts';
import { ValueSource } from '../loop/value-source.ts';
import { collectGarbage } from './collect-garbage.ts';
import { markHighWater } from './high-water.ts';
import { type InFlightRun, keptClones, openInFlightRun } from './in-flight-run.ts';
import type { RetainInstruction } from './retaining-receiver.ts';

export type MemoryAsk = Extract<GuestRequest, { type: 'memory' }>;

const EMPTY_MESSAGE: Variant = { id: 'empty', remedy: null, plan: null, mode: 'floor' };

/**
 * Flown before the mark is set. An allocator that has seen a block of this size freed gives the next ones from its own
 * heap and keeps them (glibc's M_MMAP_THRESHOLD moves), as in every program that has run for a while. Beside few large
 * messages what the warm-up leaves resident would be missed.
 */
const WARM_MESSAGES = 2;
const MANY_MESSAGES = 8;
/** Values that are given away have to be there before the mark is set; building them takes no longer than this. */
const BUILD_NS = 150e6;

/**
 * What messages in flight add to the memory of this process, both threads together. They wait unread in the queue of a
 * receiver that stands still; then it takes them all and keeps them to the end. So the figure is the most that the
 * wire and the results took together; the values that are sent were there before and do not count, nor do those that
 * are given away. The peak of the same run with empty messages, just before in the same process, is taken off.
 *
 * @throws ToolError 'measure-failed' when a message cannot be taken, 'channel-unsupported' between processes, and what
 *   building or sending the payload throws
 */
export async function measureMemory(ask: MemoryAsk): Promise<MemoryUse> {
  const ground = currentPlatform();
  const flight = ask.channel === 'structured-clone' ? keptClones(ask) : await openInFlightRun(ask, ground);
  try {
    const source = new ValueSource(ask.recipe, ground.postingChangesValues);
    const empty = [await formOf(EMPTY_MESSAGE, source, flight)];
    await peakOf(flight, { forms: empty, messages: ask.messages, empty: true });
    if (ask.messages >= MANY_MESSAGES) {
      await peakOf(flight, await supplyOf(ask, WARM_MESSAGES, source, flight));
    }
    const supply = await supplyOf(ask, ask.messages, source, flight);
    const { messages } = supply;
    const baselineBytes = await peakOf(flight, { forms: empty, messages, empty: true });
    const bytes = Math.max(0, (await peakOf(flight, supply)) - baselineBytes);
    return { type: 'occupied', bytes, perMessage: bytes / messages, messages, baselineBytes };
  } finally {
    await flight.close();
  }
}

/** Messages, and what they are made of: one form for all, or one for each where a message takes its value along. */
interface Supply extends RetainInstruction {
  forms: readonly MessageFactory[];
}

async function formOf(variant: Variant, source: ValueSource, flight: InFlightRun): Promise<MessageFactory> {
  const form = new MessageFactory(variant, source);
  await form.prepare(variant, flight.transfers);
  return form;
}

/** Fewer messages than asked for when their values take too long to build. */
async function supplyOf(
  ask: MemoryAsk,
  messages: number,
  source: ValueSource,
  flight: InFlightRun,
): Promise<Supply> {
  const first = await formOf(ask.variant, source, flight);
  if (!first.consumesValue) return { forms: [first], messages, empty: false };
  const forms = [first];
  const began = now();
  while (forms.length < messages && now() - began < BUILD_NS) {
    forms.push(await formOf(ask.variant, source, flight));
  }
  return { forms, messages: forms.length, empty: false };
}

/** Bytes that the process held at most while these messages flew. */
async function peakOf(flight: InFlightRun, { forms, messages, empty }: Supply): Promise<number> {
  collectGarbage();
  let mark = markHighWater();
  await flight.post(
    { messages, empty },
    (lane) => {
      // By now the receiver has let go of what it kept from the run before.
      mark = markHighWater();
      for (let at = 0; at < messages; at++) (forms[at % forms.length] as MessageFactory).post(lane);
    },
    () => mark.look(),
  );
  return mark.peak();
}
