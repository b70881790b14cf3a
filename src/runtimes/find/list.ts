import { realpathSync } from 'node:fs';
import type { FoundRuntime } from '../../model/runtime.ts';
import { BINARY_RUNTIMES } from '../process/kinds.ts';
import { listCached } from '../provision/provision.ts';
import { type FindWorld, here } from './find.ts';

/** Every runtime that is on this machine for the tool: running, on PATH, in node_modules, in the cache. */
export async function listRuntimes(world: FindWorld): Promise<FoundRuntime[]> {
  const all: FoundRuntime[] = [];
  for (const name of BINARY_RUNTIMES) for await (const runtime of here(name, world)) all.push(runtime);
  all.push(...(await listCached({ env: world.env })));
  const files = all.map(({ binary }) => realpathSync(binary));
  return all.filter((_, i) => files.indexOf(files[i]!) === i);
}
