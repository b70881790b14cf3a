import { ToolError } from '../model/errors.ts';
import type { FoundRuntime } from '../model/runtime.ts';
import type { FetchOptions, Services } from './services.ts';

/** Runtimes of which each must be there: the first that is not ends the command with its own sentence. */
export async function requiredRuntimes(
  specs: string[],
  options: FetchOptions,
  services: Services,
): Promise<FoundRuntime[]> {
  const { found, missing } = await services.findRuntimes(specs, options);
  const [first] = missing;
  if (first) throw first.error;
  if (found.length === 0) throw new ToolError('runtime-missing', { value: 'any', detail: 'none is here' });
  return found;
}
