import { ToolError } from '../model/errors.ts';
import type { FoundRuntime, FoundRuntimes } from '../model/runtime.ts';

/** @throws the error of the first runtime that is missing, when none was found */
export function atLeastOne({ found, missing }: FoundRuntimes): FoundRuntimes {
  if (found.length === 0) throw missing[0]?.error ?? noneHere();
  return { found, missing };
}

/** @throws the error of the first runtime that is missing */
export function everyOne({ found, missing }: FoundRuntimes): FoundRuntime[] {
  const [first] = missing;
  if (first) throw first.error;
  return atLeastOne({ found, missing }).found;
}

const noneHere = () => new ToolError('runtime-missing', { value: 'any', detail: 'none is here' });
