import { realpathSync } from 'node:fs';
import { ToolError } from '../../model/errors.ts';
import {
  type FoundRuntime,
  type FoundRuntimes,
  FROM_LINK,
  type MissingRuntime,
} from '../../model/run/runtime.ts';

/** Each binary once, also when several links lead to it. */
export function uniqueBinaries(runtimes: FoundRuntime[]): FoundRuntime[] {
  const files = runtimes.map(({ binary, from }) => (from === FROM_LINK ? binary : realpathSync(binary)));
  return runtimes.filter((_, i) => files.indexOf(files[i]!) === i);
}

/** Too old ones are missing, each under the version that was found. */
export function usable(all: FoundRuntime[], missing: readonly MissingRuntime[]): FoundRuntimes {
  const unique = uniqueBinaries(all);
  const old = unique.flatMap(({ spec, name, binary, needs }): MissingRuntime[] => {
    if (needs === undefined) return [];
    const facts = { runtime: spec, binary, oldest: `${name}@${needs}` };
    return [{ spec, error: new ToolError('runtime-too-old', facts) }];
  });
  return { found: unique.filter(({ needs }) => needs === undefined), missing: [...missing, ...old] };
}
