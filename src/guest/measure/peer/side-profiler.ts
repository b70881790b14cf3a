import { type FunctionTime, functionTimes } from '../../../core/profile/summary.ts';
import type { Profile } from '../../../model/documents/profile.ts';
import { ToolError } from '../../../model/errors.ts';
import type { ProfilerName, Side } from '../../../model/vocabulary/profile.ts';
import { currentPlatform } from '../../platform/current.ts';
import type { Profiler, RawProfiles } from '../../platform/profilers/inspector.ts';
import { messageOf } from '../../user-code/thrown.ts';

/** Where a thread writes its files: `<folder>/<name>.<side>.cpuprofile`. */
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

/** The tool's own code is in the folder of this bundle. */
const TOOL = new URL('.', import.meta.url).href;

/** Profiles one thread, from `start` to `stop`. */
export class SideProfiler {
  readonly #side: Side;
  readonly #target: ProfileTarget;
  readonly #create: () => Promise<Profiler>;
  #profiler: Profiler | null = null;

  /** @throws ToolError 'profiler-missing' */
  constructor(side: Side, target: ProfileTarget) {
    const { createProfiler } = currentPlatform();
    if (!createProfiler) throw new ToolError('profiler-missing');
    this.#create = createProfiler;
    this.#side = side;
    this.#target = target;
  }

  async start(): Promise<void> {
    this.#profiler = await this.#create();
    await this.#profiler.start();
  }

  /** Writes the files. @throws ToolError 'output-unwritable' */
  async stop(): Promise<SideProfile> {
    if (this.#profiler === null) throw new Error('the profiler was not started');
    const { by, blindSpot } = this.#profiler;
    const raw = await this.#profiler.stop();
    const { cpu } = raw;
    const missing: Profile['missing'] = cpu !== null && blindSpot !== null ? [blindSpot] : [];
    return {
      by: cpu === null ? null : by,
      files: this.#writeFiles(raw),
      spent: cpu === null ? [] : functionTimes(cpu, { tool: TOOL }),
      missing: [...raw.missing, ...missing].map(({ what, why }) => ({ what: `${this.#side} ${what}`, why })),
    };
  }

  #writeFiles({ cpu, heap }: RawProfiles): string[] {
    const parts = { cpuprofile: cpu, heapprofile: heap };
    return Object.entries(parts).flatMap(([ending, content]) => {
      if (content === null) return [];
      const file = `${this.#target.name}.${this.#side}.${ending}`;
      try {
        currentPlatform().writeFile(this.#target.folder, file, JSON.stringify(content));
      } catch (error) {
        throw new ToolError('output-unwritable', { file, detail: messageOf(error) });
      }
      return [file];
    });
  }
}
