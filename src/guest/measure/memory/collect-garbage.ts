import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

interface BunGlobal {
  Bun?: { gc(sync: boolean): void };
}

/**
 * Collects this thread's garbage now, where the engine can be asked: what lies about from building the payload would
 * be filled up first, and the memory that messages take be seen too late. Deno offers nothing at run time.
 */
export function collectGarbage(): void {
  const { Bun } = globalThis as BunGlobal;
  if (Bun) Bun.gc(true);
  else if (process.versions.deno === undefined) collectInNode();
}

function collectInNode(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
}
