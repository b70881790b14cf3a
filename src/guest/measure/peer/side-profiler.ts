import type { Profile } from '../../../model/documents/profile.ts';
import { ToolError } from '../../../model/errors.ts';
import type { ProfiledSide, ProfilerName } from '../../../model/vocabulary/words.ts';
import { type FunctionTime, functionTimes } from '../../../stats/profile/summary.ts';
import { currentPlatform } from '../../platform/common/platform.ts';
import { thrownMessage } from '../../user-code/thrown.ts';

/** Names of the files that a thread writes: `<folder>/<name>.<side>.cpuprofile`. */
export interface ProfileTarget {
  folder: string;
  name: string;
}

/** The profile of one thread; small, because it is posted as a message. */
export interface SideProfile {
  by: ProfilerName | null;
  files: string[];
  spent: FunctionTime[];
  missing: Profile['missing'];
}

/**
 * Starts the profiler of this thread; the result ends it and writes its files.
 * @throws ToolError 'profiler-missing'; the result throws 'output-unwritable'
 */
export async function startProfile(
  side: ProfiledSide,
  { folder, name }: ProfileTarget,
): Promise<() => Promise<SideProfile>> {
  const { startProfiler } = currentPlatform();
  if (startProfiler === undefined) throw new ToolError('profiler-missing');
  const endProfiler = await startProfiler();
  return async () => {
    const { by, tool, cpu, heap, missing } = await endProfiler();
    return {
      by: cpu === null ? null : by,
      files: Object.entries({ cpuprofile: cpu, heapprofile: heap }).flatMap(([ending, content]) =>
        content === null ? [] : [written(folder, `${name}.${side}.${ending}`, content)],
      ),
      spent: cpu === null ? [] : functionTimes(cpu, { tool, by }),
      missing: missing.map(({ what, why }) => ({ what: `${side} ${what}`, why })),
    };
  };
}

function written(folder: string, file: string, content: object): string {
  try {
    currentPlatform().writeFile!(folder, file, JSON.stringify(content));
    return file;
  } catch (error) {
    throw new ToolError('output-unwritable', { file, detail: thrownMessage(error) });
  }
}
