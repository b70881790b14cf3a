import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Spent, spentBy } from '../../../core/profile/summary.ts';
import { ToolError } from '../../../model/errors.ts';
import type { Profile, ProfilerName, Side } from '../../../model/profile.ts';
import { messageOf } from '../../user-code/user-code.ts';
import { InspectorProfiler } from './inspector.ts';
import type { Profiler, RawProfiles } from './profiler.ts';
import { v8ProfilerNext } from './v8-profiler-next.ts';

/** Where a thread writes its files: `<folder>/<name>.<side>.cpuprofile`. */
export interface ProfilePlace {
  folder: string;
  name: string;
}

/** What a thread says of its part; small, for it travels as a message. */
export interface SideProfile {
  by: ProfilerName | null;
  files: string[];
  spent: Spent[];
  missing: Profile['missing'];
}

/** Bun 1.3 has one profiler for all threads, and says so by what it cannot change. */
const plainly = (why: string): string =>
  why.includes('while profiler is running') ? 'Bun before 1.4 profiles one thread at a time' : why;

/** All of the tool's own code lies beside this bundle. */
const TOOL = new URL('./', import.meta.url).href;

/** The profile of one thread, from `start` to `stop`. */
export class SideProfiler {
  readonly #side: Side;
  readonly #place: ProfilePlace;
  #profiler: Profiler = new InspectorProfiler();

  constructor(side: Side, place: ProfilePlace) {
    this.#side = side;
    this.#place = place;
  }

  async start(): Promise<void> {
    this.#profiler = (await v8ProfilerNext(process.cwd())) ?? this.#profiler;
    await this.#profiler.start();
  }

  /** Writes the files. @throws ToolError 'output-unwritable' */
  async stop(): Promise<SideProfile> {
    const taken = await this.#profiler.stop();
    const { cpu } = taken;
    const missing = [
      ...taken.missing.map(({ what, why }) => ({ what: `${this.#side} ${what}`, why: plainly(why) })),
    ];
    if (cpu !== null && process.versions.bun !== undefined) missing.push(this.#onlyJavaScript());
    return {
      by: cpu === null ? null : this.#profiler.by,
      files: this.#written(taken),
      spent: cpu === null ? [] : spentBy(cpu, { tool: TOOL }),
      missing,
    };
  }

  /** JavaScriptCore's profiler looks at the stack of the interpreter and finds nothing while none is running. */
  #onlyJavaScript(): Profile['missing'][number] {
    return {
      what: `${this.#side} deserializing and garbage collection`,
      why: "Bun's profiler samples JavaScript only",
    };
  }

  #written({ cpu, heap }: RawProfiles): string[] {
    const parts = { cpuprofile: cpu, heapprofile: heap };
    return Object.entries(parts).flatMap(([ending, content]) => {
      if (content === null) return [];
      const file = `${this.#place.name}.${this.#side}.${ending}`;
      this.#write(file, JSON.stringify(content));
      return [file];
    });
  }

  #write(file: string, text: string): void {
    try {
      writeFileSync(join(this.#place.folder, file), text);
    } catch (error) {
      throw new ToolError('output-unwritable', { file, detail: messageOf(error) });
    }
  }
}
