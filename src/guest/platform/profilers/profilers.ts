import { realpathSync } from 'node:fs';
import type { Session } from 'node:inspector/promises';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { orElse } from '../../../model/or-else.ts';
import { PROJECT_ENV } from '../../../model/run/runtime.ts';
import type { ProfilerName } from '../../../model/vocabulary/words.ts';
import type { CallFrame, CpuProfile } from '../../../stats/profile/summary.ts';
import { thrownMessage } from '../../user-code/user-code.ts';

/** Between two samples, µs: fine enough for round trips of tens of µs, and cheap. */
const SAMPLE_US = 200;
/** Between two allocation samples, bytes. */
const SAMPLE_BYTES = 32 * 1024;

export type Missing = { what: string; why: string };

/** The profiles of one thread. null if they are not available; `missing` has the reason. */
interface RawProfiles {
  by: ProfilerName;
  /** Folder of the guest's code, as a URL. */
  tool: string;
  cpu: CpuProfile | null;
  /** A sampling heap profile (HeapProfiler.SamplingHeapProfile). */
  heap: object | null;
  missing: Missing[];
}

export type EndProfiler = () => Promise<RawProfiles>;

const tool = new URL('.', import.meta.url).href;

/** Bun 1.3 has one profiler for all threads; its error names a setting that cannot be changed while it runs. */
function firstLine(error: unknown): string {
  const [message = ''] = thrownMessage(error).split('\n');
  return message.includes('while profiler is running')
    ? 'Bun before 1.4 profiles one thread at a time'
    : message;
}

const startHeap = (session: Session): Promise<string | null> =>
  session
    .post('HeapProfiler.enable')
    .then(() =>
      // A message's allocations are garbage a moment later; without these options the profile would be empty.
      session.post('HeapProfiler.startSampling', {
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
  try {
    const inspector = await import('node:inspector/promises');
    session = new inspector.Session();
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_US });
    await session.post('Profiler.start');
  } catch (error) {
    const why = firstLine(error);
    const missing = ['cpuprofile', 'heapprofile'].map((what) => ({ what, why }));
    return async () => ({ ...profiles, cpu: null, heap: null, missing });
  }
  const withoutHeap = await startHeap(session);
  return async () => {
    const { profile: cpu } = (await session.post('Profiler.stop')) as { profile: CpuProfile };
    const missing = blindSpot ? [blindSpot] : [];
    let heap: object | null = null;
    if (withoutHeap !== null) missing.unshift({ what: 'heapprofile', why: withoutHeap });
    else ({ profile: heap } = await session.post('HeapProfiler.stopSampling'));
    session.disconnect();
    return { ...profiles, cpu, heap, missing };
  };
}

/** The part of v8-profiler-next 1.10 that is used; its own types lack the flat factory. */
interface V8ProfilerNext {
  /** 1: a flat list of nodes, as a .cpuprofile has it. */
  setGenerateType(type: 0 | 1): void;
  /** µs. */
  setSamplingInterval(interval: number): void;
  startProfiling(name: string, samples: boolean): void;
  stopProfiling(name: string): CpuProfile & { delete(): void };
  startSamplingHeapProfiling(interval: number, depth: number): void;
  stopSamplingHeapProfiling(): { head: HeapNode; samples?: unknown[] };
}

interface HeapNode {
  callFrame: CallFrame;
  selfSize: number;
  children?: HeapNode[];
}

const STACK_DEPTH = 64;
const NAME = 'clone-prof';

/**
 * Starts v8-profiler-next if the user has installed it, next to this tool or in the project of `cwd`; null without it. `why`:
 * it does not load, as a native addon without a build for this version of Node. Data may lie in any project, so a guest
 * for data does not load it from there.
 */
export async function startV8ProfilerNext(cwd: string): Promise<EndProfiler | { why: string } | null> {
  const project = process.env[PROJECT_ENV];
  const file =
    resolvedFrom(import.meta.url, '') ??
    (project === undefined ? null : resolvedFrom(join(cwd, 'package.json'), project));
  if (file === null) return null;
  try {
    const loaded = (await import(pathToFileURL(file).href)) as { default: V8ProfilerNext };
    return startAddon(loaded.default);
  } catch (error) {
    return { why: `installed, but it does not load in Node ${process.versions.node}: ${firstLine(error)}` };
  }
}

/** null if it is not installed, or not below `folder`. */
const resolvedFrom = (from: string, folder: string): string | null =>
  orElse(() => {
    const file = createRequire(from).resolve('v8-profiler-next');
    return file.startsWith(folder === '' ? '' : join(realpathSync(folder), sep)) ? file : null;
  }, null);

function startAddon(addon: V8ProfilerNext): EndProfiler {
  addon.setGenerateType(1);
  addon.setSamplingInterval(SAMPLE_US);
  addon.startProfiling(NAME, true);
  addon.startSamplingHeapProfiling(SAMPLE_BYTES, STACK_DEPTH);
  return async () => {
    const profile = addon.stopProfiling(NAME);
    const heap = addon.stopSamplingHeapProfiling();
    const cpu = toCpuProfile(profile);
    profile.delete();
    // Readers of a .heapprofile request for both fields.
    let nodes = 0;
    const head = heapNode(heap.head, () => ++nodes);
    const missing = [{ what: 'deserializing', why: 'this profiler has it in (program), with its own work' }];
    return { by: 'v8-profiler-next', tool, cpu, heap: { head, samples: heap.samples ?? [] }, missing };
  };
}

/** The profile without the addon's fields. It is a copy, because the original is about to be deleted. */
const toCpuProfile = ({ nodes, startTime, endTime, samples, timeDeltas }: CpuProfile): CpuProfile => ({
  nodes: nodes.map((node) => ({ ...node, callFrame: fromZero(node.callFrame) })),
  ...{ startTime, endTime, samples: [...samples], timeDeltas: [...timeDeltas] },
});

/** The addon leaves out the ids; STACK_DEPTH bounds the depth. */
const heapNode = ({ callFrame, selfSize, children = [] }: HeapNode, next: () => number): object => ({
  callFrame: fromZero(callFrame),
  ...{ selfSize, id: next() },
  children: children.map((child) => heapNode(child, next)),
});

/** Lines and columns as V8 counts them, from 1; the profile formats count from 0. */
const fromZero = (frame: CallFrame): CallFrame => ({
  ...frame,
  lineNumber: Math.max(0, frame.lineNumber - 1),
  columnNumber: Math.max(0, frame.columnNumber - 1),
});
