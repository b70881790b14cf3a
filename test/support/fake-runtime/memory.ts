import type { GuestRequest, MemoryUse } from '../../../src/model/wire/wire.ts';

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
