import { now } from '../../platform/common/clock.ts';
import type { LocalChannel, LocalEndpoint } from '../../platform/common/platform.ts';
import { currentPlatform } from '../../platform/current.ts';
import type { PreparedVariant, VariantSamples } from '../variants/prepare.ts';
import { type TimedLoop, takeTurns } from './interleave.ts';
import type { Schedule } from './schedule.ts';

/** Of a block of messages, then of one of them, ns: until what was posted can be asked for, all that comes after, and reading the value in it. */
interface Parts {
  written: number;
  receive: number;
  result: number;
}

/** What came last lives until the next comes. */
type Latest = { received?: unknown };

/** @returns when what was posted could be asked for */
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
  samples.roundTrip.add(trip);
  samples.send.add(trip - receive - written);
  if (isRead) samples.receive.add(receive);
  if (isReadLate !== undefined) samples.written.add(written);
  if (isReadLate) samples.result.add(result);
}

/**
 * Without a peer. One call of structuredClone serializes and deserializes, so it counts as the round trip and as the send; with
 * conversion the round trip ends when the clone is restored. There is no receiver to time. Of a file, writing it is the
 * send, reading it back the receive. Of a database, the call that puts a record is the send: it blocks this thread. What is
 * waited for then, until the transaction is complete, is timed apart.
 */
export function localLoop(
  channel: LocalChannel,
  variants: readonly PreparedVariant[],
  schedule: Schedule,
): TimedLoop {
  const latest: Latest = {};
  let cold = true;

  /** A block of messages: one, unless the clock is coarse. The time in which values are built does not count. */
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
