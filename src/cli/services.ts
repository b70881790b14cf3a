import { contentionCounters } from '../machine/cpu-contention.ts';
import { thisMachine } from '../machine/machine.ts';
import type { ContentionCounters } from '../model/cpu-contention.ts';
import type { ToolError } from '../model/errors.ts';
import type { Source } from '../model/recipe.ts';
import type { Machine } from '../model/report.ts';
import type { FoundRuntime, RuntimeDriver } from '../model/runtime.ts';
import { findRuntimes } from '../runtimes/find/find.ts';
import { processDriver } from '../runtimes/process/driver.ts';
import { loadSources } from '../sources/load.ts';
import type { World } from './world.ts';

export interface FetchOptions {
  offline: boolean;
  onNote: (text: string) => void;
  signal?: AbortSignal;
}

/** Everything with I/O that the commands use; the tests of the CLI put a fake in its slot. */
export interface Services {
  driver: RuntimeDriver;
  findRuntimes(
    specs: string[],
    options: FetchOptions,
  ): Promise<{ found: FoundRuntime[]; missing: { spec: string; error: ToolError }[] }>;
  loadSources(
    inputs: string[],
    /** `cwd`: where paths start from, if it is not the user's own folder. */
    options: { as: 'text' | 'bytes' | 'json' | null; workdir: string; cwd?: string; signal?: AbortSignal },
  ): Promise<Source[]>;
  /** Every runtime that is here: running, on PATH, in node_modules, in the cache. */
  listRuntimes(): Promise<FoundRuntime[]>;
  addRuntime(spec: string, options: FetchOptions): Promise<FoundRuntime>;
  removeRuntimes(spec: string): Promise<FoundRuntime[]>;
  now(): number;
  machine: Machine;
  contention?(): ContentionCounters | null;
}

/** The real world behind the commands. */
export function realServices(world: World): Services {
  return {
    driver: processDriver,
    findRuntimes: (specs, options) => findRuntimes(specs, { cwd: world.cwd(), env: world.env, ...options }),
    loadSources: (inputs, options) =>
      loadSources(inputs, { cwd: world.cwd(), ...options, stdin: () => world.stdin }),
    listRuntimes: async () =>
      (await import('../runtimes/find/list.ts')).listRuntimes({ cwd: world.cwd(), env: world.env }),
    addRuntime: async (spec, options) =>
      (await provisioning()).provision(spec, { cwd: world.cwd(), env: world.env, ...options }),
    removeRuntimes: async (spec) => (await provisioning()).removeCached(spec, { env: world.env }),
    now: () => performance.now(),
    machine: thisMachine(),
    contention: contentionCounters,
  };
}

/** Versions and archives: only a run that adds or removes a runtime needs them. */
const provisioning = () => import('../runtimes/provision/provision.ts');
