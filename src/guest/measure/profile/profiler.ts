import type { CpuProfile } from '../../../core/profile/self-times.ts';
import type { ProfilerName } from '../../../model/profile.ts';

/** Between two looks, µs: fine enough for round trips of some ten µs, and no burden. */
export const SAMPLE_US = 200;
/** Between two looks at what is allocated, bytes. */
export const SAMPLE_BYTES = 32 * 1024;

/** What one thread gave. Null: not available there, `missing` says why. */
export interface RawProfiles {
  cpu: CpuProfile | null;
  /** A sampling heap profile (HeapProfiler.SamplingHeapProfile). */
  heap: object | null;
  missing: { what: 'cpuprofile' | 'heapprofile'; why: string }[];
}

/** A profiler of this very thread. */
export interface Profiler {
  readonly by: ProfilerName;
  start(): Promise<void>;
  stop(): Promise<RawProfiles>;
}
