import type { Session } from 'node:inspector';
import type { CpuProfile } from '../../../core/profile/self-times.ts';
import type { ProfilerName } from '../../../model/vocabulary/profile.ts';
import { thrownMessage } from '../../user-code/thrown.ts';

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
  /** Gap in its CPU profiles; null if they show everything. */
  readonly blindSpot: { what: string; why: string } | null;
  start(): Promise<void>;
  stop(): Promise<RawProfiles>;
}

/** Bun 1.3 has one profiler for all threads; its error names a setting that cannot be changed while it runs. */
export function firstLine(error: unknown): string {
  const [message = ''] = thrownMessage(error).split('\n');
  return message.includes('while profiler is running')
    ? 'Bun before 1.4 profiles one thread at a time'
    : message;
}

/**
 * The engine's own profiler, through the inspector of this thread. Node and Deno have both kinds of profile in every
 * thread; Bun has CPU profiles since 1.3, in one thread at a time before 1.4, and no sampling heap profile.
 */
export class InspectorProfiler implements Profiler {
  readonly by = 'inspector';
  readonly blindSpot: Profiler['blindSpot'];
  #session: Session | null = null;
  readonly #missing: RawProfiles['missing'] = [];

  constructor(blindSpot: Profiler['blindSpot'] = null) {
    this.blindSpot = blindSpot;
  }

  async start(): Promise<void> {
    try {
      const inspector = await import('node:inspector');
      this.#session = new inspector.Session();
      this.#session.connect();
      await this.#post('Profiler.enable');
      await this.#post('Profiler.setSamplingInterval', { interval: SAMPLE_US });
      await this.#post('Profiler.start');
    } catch (error) {
      this.#session = null;
      const why = firstLine(error);
      this.#missing.push({ what: 'cpuprofile', why }, { what: 'heapprofile', why });
      return;
    }
    await this.#startHeap();
  }

  async #startHeap(): Promise<void> {
    try {
      await this.#post('HeapProfiler.enable');
      // A message's allocations are garbage a moment later; without these options the profile would be empty.
      await this.#post('HeapProfiler.startSampling', {
        samplingInterval: SAMPLE_BYTES,
        includeObjectsCollectedByMajorGC: true,
        includeObjectsCollectedByMinorGC: true,
      });
    } catch (error) {
      this.#missing.push({ what: 'heapprofile', why: firstLine(error) });
    }
  }

  async stop(): Promise<RawProfiles> {
    if (this.#session === null) return { cpu: null, heap: null, missing: this.#missing };
    const cpu = (await this.#post('Profiler.stop')) as { profile: CpuProfile };
    const hasHeap = !this.#missing.some(({ what }) => what === 'heapprofile');
    const heap = hasHeap ? ((await this.#post('HeapProfiler.stopSampling')) as { profile: object }) : null;
    this.#session.disconnect();
    return { cpu: cpu.profile, heap: heap?.profile ?? null, missing: this.#missing };
  }

  #post(method: string, parameters: object = {}): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const session = this.#session;
      if (session === null) return reject(new Error('the session is closed'));
      session.post(method, parameters, (error: Error | null, result?: object) => {
        if (error) reject(error);
        else resolve(result);
      });
    });
  }
}
