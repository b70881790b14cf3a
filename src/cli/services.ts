import type { ToolError } from '../model/errors.ts';
import type { Source } from '../model/recipe.ts';
import type { Machine } from '../model/report.ts';
import type { FoundRuntime, RuntimeDriver } from '../model/runtime.ts';

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
