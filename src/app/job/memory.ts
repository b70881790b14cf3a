import { type FlightFacts, flightMs, type MemoryUses, messagesInFlight } from '../../core/measure/memory.ts';
import type { MemoryUse, Variant } from '../../model/wire/wire.ts';
import type { Job } from './job.ts';
import { runError } from './payloads.ts';

/** Duration of a process, assumed until one was measured, ms. */
const USUAL_PROCESS_MS = 250;

/** A variant, with the size and the duration of its messages. */
interface Weighed extends Pick<FlightFacts, 'bytes' | 'tripMs'> {
  variant: Variant;
}

interface Weighing {
  variants: readonly Weighed[];
  /** Number of processes that measure each variant. */
  processes: number;
  /** Time that all processes together may take once `done` of them have run, ms. */
  roomMs(done: number): number;
  /** Called with the error of a variant, which is then left out. Default: the error is printed as a warning. */
  onError?(variant: Variant, error: unknown): void;
}

/** Measures the memory of messages in flight, each variant in a separate process, while time is left. */
export async function weigh(
  job: Job,
  { variants, processes, roomMs, onError = (...failed) => warn(job, ...failed) }: Weighing,
): Promise<MemoryUses> {
  const { now, machine } = job.tools;
  const uses = new Map<Variant, MemoryUse[]>();
  const left = Array.from({ length: processes }, () => variants).flat();
  const failed = new Set<Variant>();
  const began = now();
  let [done, costMs] = [0, 0];
  for (const { variant, bytes, tripMs } of left) {
    if (failed.has(variant)) continue;
    const messages = messagesInFlight({ bytes, tripMs, machineBytes: machine.memoryBytes });
    const start = now();
    const ownMs = flightMs(messages, tripMs);
    if (job.slot.isStopped || start - began + (costMs || USUAL_PROCESS_MS + ownMs) > roomMs(done)) break;
    job.step('memory');
    const { recipe = job.recipe } = variant;
    const asked = { type: 'memory', recipe, channel: job.channel, variant, messages } as const;
    try {
      const use = await job.askFresh(asked, ownMs);
      uses.set(variant, [...(uses.get(variant) ?? []), use]);
    } catch (error) {
      failed.add(variant);
      onError(variant, error);
    }
    costMs = now() - start;
    done += 1;
  }
  return uses;
}

function warn({ name, slot, tools }: Job, { id }: Variant, error: unknown): void {
  const text = `${name}: memory of ${id} is not known: ${runError(error).message}`;
  if (!slot.isStopped) tools.emit({ type: 'warning', text });
}
