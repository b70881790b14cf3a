import type { Session } from 'node:inspector';
import { promisify } from 'node:util';
import type { CpuProfile } from '../../../core/profile/summary.ts';
import type { ProfilerName } from '../../../model/vocabulary/profile.ts';
import { thrownMessage } from '../../user-code/thrown.ts';

/** Between two samples, µs: fine enough for round trips of tens of µs, and cheap. */
export const SAMPLE_US = 200;
/** Between two allocation samples, bytes. */
export const SAMPLE_BYTES = 32 * 1024;

/** Something that a profiler does not see or write, and the reason. */
export type Missing = { what: string; why: string };

/** The profiles of one thread. null: not available there; `missing` says why. */
interface RawProfiles {
  by: ProfilerName;
  /** Folder of the guest's code, as a URL. */
  tool: string;
  cpu: CpuProfile | null;
  /** A sampling heap profile (HeapProfiler.SamplingHeapProfile). */
  heap: object | null;
  missing: Missing[];
}

/** Ends a profiler, which runs in the thread that started it. */
export type EndProfiler = () => Promise<RawProfiles>;

/** The folder of this code: the bundle of the guest. */
export const tool = new URL('.', import.meta.url).href;

/** Bun 1.3 has one profiler for all threads; its error names a setting that cannot be changed while it runs. */
export function firstLine(error: unknown): string {
  const [message = ''] = thrownMessage(error).split('\n');
  return message.includes('while profiler is running')
    ? 'Bun before 1.4 profiles one thread at a time'
    : message;
}

/** Its own types know each method apart. */
type Call = (
  method: string,
  parameters: object,
  done: (error: Error | null, result?: unknown) => void,
) => void;
type Post = (method: string, parameters?: object) => Promise<unknown>;

/** null, or why there will be no heap profile. */
const startHeap = (post: Post): Promise<string | null> =>
  post('HeapProfiler.enable')
    .then(() =>
      // A message's allocations are garbage a moment later; without these options the profile would be empty.
      post('HeapProfiler.startSampling', {
        samplingInterval: SAMPLE_BYTES,
        includeObjectsCollectedByMajorGC: true,
        includeObjectsCollectedByMinorGC: true,
      }),
    )
    .then(() => null, firstLine);

/**
 * The engine's own profiler, through the inspector of this thread. Node and Deno have both kinds of profile in every
 * thread; Bun has CPU profiles since 1.3, in one thread at a time before 1.4, and no sampling heap profile.
 */
export async function startInspector(blindSpot: Missing | null = null): Promise<EndProfiler> {
  const profiles = { by: 'inspector', tool } as const;
  let session: Session;
  let post: Post;
  try {
    const inspector = await import('node:inspector');
    session = new inspector.Session();
    session.connect();
    const call = promisify(session.post.bind(session) as unknown as Call);
    post = (method, parameters = {}) => call(method, parameters);
    await post('Profiler.enable');
    await post('Profiler.setSamplingInterval', { interval: SAMPLE_US });
    await post('Profiler.start');
  } catch (error) {
    const why = firstLine(error);
    const missing = ['cpuprofile', 'heapprofile'].map((what) => ({ what, why }));
    return async () => ({ ...profiles, cpu: null, heap: null, missing });
  }
  const withoutHeap = await startHeap(post);
  return async () => {
    const { profile: cpu } = (await post('Profiler.stop')) as { profile: CpuProfile };
    const missing = blindSpot ? [blindSpot] : [];
    let heap: object | null = null;
    if (withoutHeap !== null) missing.unshift({ what: 'heapprofile', why: withoutHeap });
    else ({ profile: heap } = (await post('HeapProfiler.stopSampling')) as { profile: object });
    session.disconnect();
    return { ...profiles, cpu, heap, missing };
  };
}
