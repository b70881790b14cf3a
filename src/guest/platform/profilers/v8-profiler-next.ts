import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CallFrame, CpuProfile } from '../../../core/profile/summary.ts';
import { PROJECT_ENV } from '../../../model/run/runtime.ts';
import { type EndProfiler, firstLine, SAMPLE_BYTES, SAMPLE_US, tool } from './inspector.ts';

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
function resolvedFrom(from: string, folder: string): string | null {
  try {
    const file = createRequire(from).resolve('v8-profiler-next');
    return file.startsWith(folder === '' ? '' : join(realpathSync(folder), sep)) ? file : null;
  } catch {
    return null;
  }
}

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
function toCpuProfile({ nodes, startTime, endTime, samples, timeDeltas }: CpuProfile): CpuProfile {
  return {
    nodes: nodes.map((node) => ({ ...node, callFrame: fromZero(node.callFrame) })),
    startTime,
    endTime,
    samples: [...samples],
    timeDeltas: [...timeDeltas],
  };
}

/** The addon leaves out the ids; STACK_DEPTH bounds the depth. */
function heapNode({ callFrame, selfSize, children = [] }: HeapNode, next: () => number): object {
  return {
    callFrame: fromZero(callFrame),
    selfSize,
    id: next(),
    children: children.map((child) => heapNode(child, next)),
  };
}

/** Lines and columns as V8 counts them, from 1; the profile formats count from 0. */
function fromZero(frame: CallFrame): CallFrame {
  const { lineNumber, columnNumber } = frame;
  return {
    ...frame,
    lineNumber: Math.max(0, lineNumber - 1),
    columnNumber: Math.max(0, columnNumber - 1),
  };
}
