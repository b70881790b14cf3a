import { PROCESS_RUNTIMES } from '../../model/names.ts';
import type { FoundRuntime } from '../../model/run/runtime.ts';
import { listCached } from '../provision/provision.ts';
import { binariesOf, type FindOptions } from './find.ts';
import { uniqueBinaries } from './usable.ts';

/** Every runtime of the user's, too old ones included: running, installed on PATH, in the cache; and the browsers. */
export async function listRuntimes(options: FindOptions): Promise<FoundRuntime[]> {
  const all: FoundRuntime[] = [];
  for (const name of PROCESS_RUNTIMES) {
    for await (const runtime of binariesOf(name, options, false)) all.push(runtime);
  }
  const { listBrowsers } = await import('../browser/find.ts');
  const browsers = await listBrowsers(options.env, options.cwd);
  return uniqueBinaries([...all, ...(await listCached({ env: options.env })), ...browsers]);
}
