import { ENGINE_OF, type RuntimeId } from '../model/names.ts';

/** Runtimes that are a program of their own, where `process.versions` exists. */
export type ProcessRuntime = 'node' | 'bun' | 'deno';

/**
 * The runtime that this code runs in. The only place that asks: Bun and Deno also report the version of Node that they
 * imitate.
 */
export function runningRuntime(): RuntimeId & { name: ProcessRuntime } {
  const { bun, deno, node } = process.versions;
  if (bun !== undefined) return { name: 'bun', version: bun, engine: ENGINE_OF.bun };
  if (deno !== undefined) return { name: 'deno', version: deno, engine: ENGINE_OF.deno };
  return { name: 'node', version: node, engine: ENGINE_OF.node };
}
