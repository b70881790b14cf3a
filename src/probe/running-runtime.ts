import type { RuntimeId } from '../model/documents/names.ts';
import { ENGINE_OF, PROCESS_RUNTIMES, type ProcessRuntime } from '../model/names.ts';

/**
 * The runtime that this code runs in. No other code asks. Others (Bun, Deno) also report the version of Node that they
 * imitate, so `node` is what remains.
 */
export function runningRuntime(): RuntimeId & { name: ProcessRuntime } {
  const { versions } = process;
  const name = PROCESS_RUNTIMES.find((known) => known !== 'node' && versions[known] !== undefined) ?? 'node';
  return { name, version: versions[name] as string, engine: ENGINE_OF[name] };
}
