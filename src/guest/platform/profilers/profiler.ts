import type { CpuProfile } from '../../../core/profile/self-times.ts';
import type { ProfilerName } from '../../../model/vocabulary/profile.ts';

/** Between two samples, µs: fine enough for round trips of tens of µs, and cheap. */
export const SAMPLE_US = 200;
/** Between two allocation samples, bytes. */
export const SAMPLE_BYTES = 32 * 1024;

/** The profiles of one thread. null: not available there; `missing` says why. */
export interface RawProfiles {
  cpu: CpuProfile | null;
  /** A sampling heap profile (HeapProfiler.SamplingHeapProfile). */
  heap: object | null;
  missing: { what: 'cpuprofile' | 'heapprofile'; why: string }[];
}

/** A profiler of the thread that it runs in. */
export interface Profiler {
  readonly by: ProfilerName;
  /** What its CPU profiles cannot show; null when they show everything. */
  readonly blindSpot: { what: string; why: string } | null;
  start(): Promise<void>;
  stop(): Promise<RawProfiles>;
}
