import { PerformanceObserver } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type MessagePort as NodePort, parentPort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { GcWatch, Platform } from './common/platform.ts';
import { ipcParentEndpoint, spawnChild } from './process/child-process.ts';
import { freshQueryUrl } from './process/module-loader.ts';
import { NodeEndpoint, spawnNodeWorker } from './process/node-worker.ts';
import { PROCESS_BUILT_INS, processPlatform } from './process/process-platform.ts';
import type { Profiler } from './profilers/profiler.ts';

// Taken before user code loads, which may replace what is imported (`syncBuiltinESMExports`).
const GcObserver = PerformanceObserver;
const [setFlags, runIn] = [setFlagsFromString, runInNewContext];

function watchGc(): GcWatch {
  let count = 0;
  let ns = 0;
  const add = (entries: PerformanceEntry[]) => {
    for (const entry of entries) {
      count++;
      ns += entry.duration * 1e6;
    }
  };
  const observer = new GcObserver((list) => add(list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  return {
    stop: () => {
      add(observer.takeRecords());
      observer.disconnect();
      return { count, ns };
    },
  };
}

function collectGarbage(): void {
  setFlags('--expose-gc');
  const collect = runIn('gc') as () => void;
  collect();
}

async function createProfiler(): Promise<Profiler> {
  const { v8ProfilerNext } = await import('./profilers/v8-profiler-next.ts');
  const { InspectorProfiler } = await import('./profilers/inspector.ts');
  return (await v8ProfilerNext(process.cwd())) ?? new InspectorProfiler();
}

export const node: Platform = {
  ...processPlatform(freshQueryUrl),
  builtIns: [...PROCESS_BUILT_INS, Worker.prototype],
  spawnWorker: spawnNodeWorker,
  spawnNodeWorker: null,
  spawnChild,
  parentEndpoint: () => ipcParentEndpoint() ?? new NodeEndpoint(parentPort as NodePort),
  portEndpoint: (port) => new NodeEndpoint(port as typeof port & NodePort),
  receiveOnPort: (port) => receiveMessageOnPort(port as typeof port & NodePort),
  postingChangesValues: false,
  mayBlock: true,
  watchGc,
  collectGarbage,
  createProfiler,
};
