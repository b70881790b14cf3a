import type { RuntimeName } from '../model/words.ts';

/** The runtime that runs this very program, with its exact version. Bun and Deno also name the Node that they act as. */
export function runningRuntime(): { name: Extract<RuntimeName, 'node' | 'bun' | 'deno'>; version: string } {
  const { bun, deno, node } = process.versions;
  if (bun !== undefined) return { name: 'bun', version: bun };
  return deno === undefined ? { name: 'node', version: node } : { name: 'deno', version: deno };
}
