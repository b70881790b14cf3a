import { PROCESS_RUNTIMES } from '../../model/names.ts';
import type { FoundRuntime } from '../../model/runtime.ts';
import { listCached } from '../provision/provision.ts';
import { binariesOf, type FindOptions, uniqueBinaries } from './find.ts';

/** Every runtime on this machine, too old ones included: running, on PATH, in node_modules, in the cache. */
export async function listRuntimes(options: FindOptions): Promise<FoundRuntime[]> {
  const all: FoundRuntime[] = [];
  for (const name of PROCESS_RUNTIMES) {
    for await (const runtime of binariesOf(name, options)) all.push(runtime);
  }
  return uniqueBinaries([...all, ...(await listCached({ env: options.env }))]);
}
