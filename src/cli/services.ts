import { arch, cpus, platform, release, totalmem } from 'node:os';
import type { ToolError } from '../model/errors.ts';
import type { Source } from '../model/recipe.ts';
import type { Machine } from '../model/report.ts';
import type { FoundRuntime, RuntimeDriver } from '../model/runtime.ts';
import { findRuntimes } from '../runtimes/find.ts';
import { processDriver } from '../runtimes/process.ts';
import { loadSources } from '../sources/load.ts';
import type { World } from './world.ts';

/** Everything with I/O that the commands use; the tests of the CLI put a fake in its seat. */
export interface Services {
  driver: RuntimeDriver;
  findRuntimes(
    specs: string[],
    options: { offline: boolean; onNote: (text: string) => void; signal?: AbortSignal },
  ): Promise<{ found: FoundRuntime[]; missing: { spec: string; error: ToolError }[] }>;
  loadSources(
    inputs: string[],
    options: { as: 'text' | 'bytes' | 'json' | null; workdir: string },
  ): Promise<Source[]>;
  now(): number;
  machine: Machine;
}

/** The real world behind the commands. */
export function realServices(world: World): Services {
  return {
    driver: processDriver,
    findRuntimes: (specs, options) => findRuntimes(specs, { cwd: world.cwd(), env: world.env, ...options }),
    loadSources: (inputs, { as, workdir }) =>
      loadSources(inputs, { cwd: world.cwd(), as, workdir, stdin: () => world.stdin }),
    now: () => performance.now(),
    machine: {
      os: `${platform()} ${release()}`,
      arch: arch(),
      cpu: cpus()[0]?.model.trim() ?? 'unknown',
      cores: cpus().length,
      memoryBytes: totalmem(),
    },
  };
}
