import { ToolError } from '../model/errors.ts';
import type { FoundRuntimes } from '../model/run/runtime.ts';

/** @throws the error of the first runtime that is missing, when none was found */
export function atLeastOne(runtimes: FoundRuntimes): FoundRuntimes {
  const { found, missing } = runtimes;
  if (found.length === 0) throw missing[0]?.error ?? noneHere();
  return runtimes;
}

const noneHere = () => new ToolError('runtime-missing', { value: 'any', detail: 'none is here' });
