import { ToolError, USAGE_CODES } from '../model/errors.ts';
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

/**
 * Runtimes as far as they are here, each once, and what is missing. Ends the command when a name is unknown, or when
 * none of them is here.
 */
export async function chosenRuntimes(specs: string[], options: FetchOptions, services: Services) {
  const { found, missing } = await services.findRuntimes(specs, options);
  const wrong = missing.find(({ error }) => USAGE_CODES.has(error.code));
  if (wrong) throw wrong.error;
  if (found.length === 0)
    throw missing[0]?.error ?? new ToolError('runtime-missing', { value: 'any', detail: 'none is here' });
  const once = new Map(found.map((runtime) => [`${runtime.spec}\n${runtime.binary}`, runtime]));
  return { found: [...once.values()], missing };
}
