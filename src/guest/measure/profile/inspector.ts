import type { Session } from 'node:inspector';
import type { CpuProfile } from '../../../core/profile/self-times.ts';
import { messageOf } from '../../user-code/user-code.ts';
import { type Profiler, type RawProfiles, SAMPLE_BYTES, SAMPLE_US } from './profiler.ts';

/**
 * The engine's own profiler, by the inspector of this thread. Node and Deno have both kinds of profile in every thread;
 * Bun has CPU profiles from 1.3 on, in one thread at a time before 1.4, and no sampling heap profile.
 */
export class InspectorProfiler implements Profiler {
  readonly by = 'inspector';
  #session: Session | null = null;
  readonly #missing: RawProfiles['missing'] = [];

  async start(): Promise<void> {
    try {
      const inspector = await import('node:inspector');
      this.#session = new inspector.Session();
      this.#session.connect();
      await this.#ask('Profiler.enable');
      await this.#ask('Profiler.setSamplingInterval', { interval: SAMPLE_US });
      await this.#ask('Profiler.start');
    } catch (error) {
      this.#session = null;
      const why = messageOf(error);
      this.#missing.push({ what: 'cpuprofile', why }, { what: 'heapprofile', why });
      return;
    }
    await this.#startHeap();
  }

  async #startHeap(): Promise<void> {
    try {
      await this.#ask('HeapProfiler.enable');
      // What a message allocates is garbage a moment later: without these a profile would show what is left, nothing.
      await this.#ask('HeapProfiler.startSampling', {
        samplingInterval: SAMPLE_BYTES,
        includeObjectsCollectedByMajorGC: true,
        includeObjectsCollectedByMinorGC: true,
      });
    } catch (error) {
      this.#missing.push({ what: 'heapprofile', why: messageOf(error) });
    }
  }

  async stop(): Promise<RawProfiles> {
    if (this.#session === null) return { cpu: null, heap: null, missing: this.#missing };
    const cpu = (await this.#ask('Profiler.stop')) as { profile: CpuProfile };
    const heap = this.#misses('heapprofile')
      ? null
      : ((await this.#ask('HeapProfiler.stopSampling')) as { profile: object });
    this.#session.disconnect();
    return { cpu: cpu.profile, heap: heap?.profile ?? null, missing: this.#missing };
  }

  #misses(what: string): boolean {
    return this.#missing.some((one) => one.what === what);
  }

  #ask(method: string, parameters: object = {}): Promise<unknown> {
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
