import type { GuestRequest, LoadResult, MemoryUse } from '../../../src/model/wire/wire.ts';

/** Bytes of a message in flight: by remedy, or 'original'. */
export type FakeMemory = Readonly<Record<string, number>>;

const USUAL_BYTES = 10_000;
const BASELINE_BYTES = 50e6;

export function fakeOccupied(
  { variant, messages }: Extract<GuestRequest, { type: 'memory' }>,
  memory: FakeMemory,
): MemoryUse {
  const perMessage = memory[variant.remedy ?? variant.mode] ?? USUAL_BYTES;
  return {
    type: 'memory-use',
    bytes: perMessage * messages,
    perMessage,
    messages,
    baselineBytes: BASELINE_BYTES,
  };
}

const LOOKS = 100;
const MAX_MESSAGES = 1000;

/** One receiver that takes `serviceNs` for each message, in the order in which they come. */
export function fakeLoaded(
  { offer, ms, mostWaiting }: Extract<GuestRequest, { type: 'load' }>,
  serviceNs: number,
): LoadResult {
  const end = ms * 1e6;
  const gap = 'perSecond' in offer ? 1e9 / offer.perSecond : serviceNs;
  const ahead = 'window' in offer ? offer.window : 1;
  const due: number[] = [];
  const done: number[] = [];
  for (let at = 0; at < MAX_MESSAGES && gap * Math.max(0, at + 1 - ahead) < end; at++) {
    due.push(gap * Math.max(0, at + 1 - ahead));
    done.push(Math.max(due[at] ?? 0, done[at - 1] ?? 0) + serviceNs);
  }
  const elapsed = done.at(-1) ?? 0;
  const span = due.at(-1) ?? 0;
  const before = (times: readonly number[], at: number): number => times.filter((time) => time <= at).length;
  const waiting = Array.from({ length: LOOKS }, (_, look) => {
    const at = (span * look) / LOOKS;
    return before(due, at) - before(done, at);
  });
  return {
    type: 'load-result',
    latency: done.map((time, at) => Math.round(time - (due[at] ?? 0))),
    messages: done.length,
    elapsed,
    waiting,
    flooded: Math.max(...waiting) > mostWaiting,
  };
}
