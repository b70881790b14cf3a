import type { RuntimeId } from '../../model/documents/names.ts';
import { ENGINE_OF, PROCESS_RUNTIMES, type ProcessRuntime } from '../../model/names.ts';

/**
 * The runtime that this code runs in. Bun and Deno also report the version of Node that they imitate, so `node` is what
 * remains. Electron that was started as Node (ELECTRON_RUN_AS_NODE) does not set `process.type`.
 */
export function runningRuntime(): RuntimeId & { name: ProcessRuntime } {
  const { versions } = process;
  const isThis = (known: ProcessRuntime) =>
    known !== 'node' && versions[known] !== undefined && (known !== 'electron' || 'type' in process);
  const name = PROCESS_RUNTIMES.find(isThis) ?? 'node';
  return { name, version: versions[name] as string, engine: ENGINE_OF[name] };
}
