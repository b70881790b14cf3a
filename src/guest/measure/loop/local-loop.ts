import { now } from '../../platform/common/clock.ts';
import { currentPlatform, type LocalChannel, type LocalEndpoint } from '../../platform/common/platform.ts';
import type { PreparedVariant, VariantSamples } from '../variants/prepare.ts';
import { type Schedule, type TimedLoop, takeTurns } from './interleave.ts';

/** Times in ns (sums of a block, later per message): until the message can be requested, all after that, reading it. */
interface Parts {
  written: number;
  receive: number;
  result: number;
}

/** Keeps the last received value alive until the next value comes. */
type Latest = { received?: unknown };

/** @returns the time at which the posted message can be requested */
async function arrived(endpoint: LocalEndpoint, parts: Parts, latest: Latest): Promise<number> {
  const posted = now();
  await endpoint.written?.();
  const written = now();
  parts.written += written - posted;
  await endpoint.asked?.();
  const asked = now();
  // Read here once, it is not deserialized again.
  latest.received = endpoint.received;
  parts.result += now() - asked;
  return written;
}

function keep(
  samples: VariantSamples,
  trip: number,
  { written, receive, result }: Parts,
  { isRead, isReadLate }: LocalChannel,
): void {
  samples.roundTrip.push(trip);
  samples.send.push(trip - receive - written);
  if (isRead) samples.receive.push(receive);
  if (isReadLate !== undefined) samples.written.push(written);
  if (isReadLate) samples.result.push(result);
}

/**
 * Loop of a channel without a peer. One call of structuredClone serializes and deserializes, so it counts as the round
 * trip and as the send; with conversion the round trip ends when the clone is restored. A receiver cannot be timed. For
 * a file, writing it is the send, and reading it back is the receive. For a database, the call that puts a record is
 * the send, because it blocks this thread. The wait for the end of the transaction is timed apart.
 */
export function localLoop(
  channel: LocalChannel,
  variants: readonly PreparedVariant[],
  schedule: Schedule,
): TimedLoop {
  const latest: Latest = {};
  let cold = true;

  /** A block of messages: one message, unless the clock is coarse. The time for building values does not count. */
  const pass = async ({ factory, samples }: PreparedVariant): Promise<void> => {
    const endpoint = channel.endpoint(factory.content);
    const isSplit = channel.isRead || factory.converts;
    const parts: Parts = { written: 0, receive: 0, result: 0 };
    let [spent, done] = [0, 0];
    const prepare = async () => {
      if (factory.consumed) await factory.fill();
      channel.discard?.();
    };
    await prepare();
    let began = now();
    do {
      for (; done < samples.trips.messages; done++) {
        if (factory.consumed || (done > 0 && channel.isRead)) {
          spent += now() - began;
          await prepare();
          began = now();
        }
        factory.post(endpoint);
        const sent = endpoint.written ? await arrived(endpoint, parts, latest) : isSplit ? now() : 0;
        const restored = factory.restore(endpoint.received);
        latest.received = factory.isAwaited ? await restored : restored;
        if (isSplit) parts.receive += now() - sent;
      }
      const at = now();
      spent += at - began;
      began = at;
    } while (samples.trips.mustGoOn(spent));
    const trip = spent / done;
    if (cold && samples.trips.isLongEnough(trip)) samples.cold = Math.round(trip);
    cold = false;
    if (trip < samples.fastest) samples.fastest = trip;
    for (const part of ['written', 'receive', 'result'] as const) parts[part] /= done;
    if (loop.keeping) keep(samples, trip, parts, channel);
    samples.trips.took(spent);
  };

  const loop: TimedLoop = {
    keeping: false,
    schedule,
    async run(stop) {
      // Finalizers of the garbage collector and the link to the host need the event loop.
      await currentPlatform().turnOfEventLoop();
      await takeTurns(schedule, variants, stop, pass);
      latest.received = undefined;
    },
  };
  return loop;
}
