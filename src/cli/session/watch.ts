import { type FSWatcher, statSync, watch } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ToolError } from '../../model/errors.ts';
import { orElse } from '../../model/or-else.ts';
import { counted } from '../../reporters/text/numbers.ts';
import type { Services } from '../../services/services.ts';
import { sayError } from './exit.ts';
import { withSignal } from './session.ts';
import type { World } from './world.ts';

/** Editors write a file in steps, or write another and rename it. */
const QUIET_MS = 100;
/** Where the system tells of no change: folders that were removed, file systems of a network. */
const LOOK_MS = 1000;

/** "" where nothing is there. */
function stampOf(path: string): string {
  const found = orElse(() => statSync(path, { throwIfNoEntry: false }), undefined);
  return found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeMs}`;
}

/** Files that a command read, and when one of them is another. */
class ReadFiles {
  readonly #stamps = new Map<string, string>();

  /** @param before files of an earlier run: one that is broken now may name none */
  constructor(before: Iterable<string> = []) {
    for (const path of before) this.add(path);
  }

  /** Called before it is read: what is written meanwhile is a change. */
  add(path: string): void {
    if (!this.#stamps.has(path)) this.#stamps.set(path, stampOf(path));
  }

  get paths(): string[] {
    return [...this.#stamps.keys()];
  }

  /** Until one is not as it was read, and all have been left alone for a moment. @throws when the signal aborts */
  async change(signal: AbortSignal): Promise<void> {
    const folders = new Set([...this.#stamps.keys()].map(dirname));
    let wake = () => {};
    const watchers = [...folders].flatMap((folder) => watcherOf(folder, () => wake()));
    try {
      for (let before = this.#now(), read = [...this.#stamps.values()].join(); ; ) {
        if (before === read) {
          const woken = new Promise<void>((resolve) => (wake = resolve));
          await Promise.race([woken, sleep(LOOK_MS, undefined, { signal })]);
        } else await sleep(QUIET_MS, undefined, { signal });
        const now = this.#now();
        if (now !== read && now === before) return;
        before = now;
      }
    } finally {
      for (const one of watchers) one.close();
    }
  }

  #now(): string {
    return [...this.#stamps.keys()].map(stampOf).join();
  }
}

const watcherOf = (folder: string, onChange: () => void): FSWatcher[] =>
  orElse(() => [watch(folder, onChange).on('error', () => {})], []);

type Run<Options> = (options: Options, world: World, services: Services) => Promise<number>;

/**
 * `--watch`: the command again, each time that a file that it read has changed. Ctrl-C ends it. What is broken for a moment is
 * told like in any run, and the next change is waited for.
 */
export const watching =
  <Options>(run: Run<Options>): Run<Options> =>
  async (options, world, services) => {
    for (let files = new ReadFiles(); ; files = new ReadFiles(files.paths)) {
      try {
        await run(options, world, withFiles(services, files));
      } catch (error) {
        const isOver = !(error instanceof ToolError) || error.code === 'interrupted';
        // Where nothing was read, no change can mend it.
        if (isOver || files.paths.length === 0) throw error;
        await sayError(error, world);
      }
      await withSignal(world, async (signal) => {
        // Told once Ctrl-C is listened for: who reads it may press it at once.
        await world.stderr.line(`watching ${counted(files.paths.length, 'file')} (Ctrl-C ends)`);
        await files.change(signal).catch((error) => {
          throw signal.aborted ? new ToolError('interrupted') : error;
        });
      });
    }
  };

const withFiles = (services: Services, files: ReadFiles): Services => ({
  ...services,
  onRead: (path) => files.add(path),
  loadSources: (inputs, options) =>
    services.loadSources(inputs, { ...options, onRead: (path) => files.add(path) }),
});
