import { type FunctionTime, functionTimes } from '../../../core/profile/summary.ts';
import type { Profile } from '../../../model/documents/profile.ts';
import { ToolError } from '../../../model/errors.ts';
import type { ProfiledSide, ProfilerName } from '../../../model/vocabulary/profile.ts';
import { currentPlatform } from '../../platform/common/platform.ts';
import type { Profiler } from '../../platform/profilers/inspector.ts';
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

/** Profiles one thread, from `start` to `stop`. @throws ToolError 'profiler-missing' */
export function sideProfiler(side: ProfiledSide, { folder, name }: ProfileTarget) {
  const { createProfiler, toolFolder } = currentPlatform();
  if (!createProfiler || toolFolder === undefined) throw new ToolError('profiler-missing');
  let profiler: Profiler | null = null;
  return {
    async start(): Promise<void> {
      profiler = await createProfiler();
      await profiler.start();
    },
    /** Writes the files. @throws ToolError 'output-unwritable' */
    async stop(): Promise<SideProfile> {
      if (profiler === null) throw new Error('the profiler was not started');
      const { by, blindSpot } = profiler;
      const { cpu, heap, missing } = await profiler.stop();
      const all = cpu !== null && blindSpot !== null ? [...missing, blindSpot] : missing;
      return {
        by: cpu === null ? null : by,
        files: Object.entries({ cpuprofile: cpu, heapprofile: heap }).flatMap(([ending, content]) =>
          content === null ? [] : [written(folder, `${name}.${side}.${ending}`, content)],
        ),
        spent: cpu === null ? [] : functionTimes(cpu, { tool: toolFolder, by }),
        missing: all.map(({ what, why }) => ({ what: `${side} ${what}`, why })),
      };
    },
  };
}

function written(folder: string, file: string, content: object): string {
  try {
    currentPlatform().writeFile(folder, file, JSON.stringify(content));
    return file;
  } catch (error) {
    throw new ToolError('output-unwritable', { file, detail: thrownMessage(error) });
  }
}
