import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ToolError } from '../../model/errors.ts';
import { orElse } from '../../model/or-else.ts';
import { counted } from '../../reporters/text/numbers.ts';
import type { Services } from '../../services/services.ts';
import { sayError } from './exit.ts';
import { withSignal } from './session.ts';
import type { World } from './world.ts';

/** Time without changes, ms. Editors write a file in steps, or write a new file and rename it. */
const QUIET_MS = 100;
/** Interval of looking at the files, ms: removed folders and network file systems report no changes by themselves. */
const LOOK_MS = 250;

/** Identity, size and time of a file; "" if it does not exist. */
function stampOf(path: string): string {
  const found = orElse(() => statSync(path, { throwIfNoEntry: false }), undefined);
  return found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeMs}`;
}

/** Files that a command has read; detects a change of any of them. */
class ReadFiles {
  readonly #stamps = new Map<string, string>();

  /** @param before files of an earlier run, since a broken file may not name its imports now */
  constructor(before: Iterable<string> = []) {
    for (const path of before) this.add(path);
  }

  /** Called before the file is read, so that a write during the read counts as a change. */
  add(path: string): void {
    if (!this.#stamps.has(path)) this.#stamps.set(path, stampOf(path));
  }

  get paths(): string[] {
    return [...this.#stamps.keys()];
  }

  /** Waits until a file differs from its state when read, and none changes any more. @throws when the signal aborts */
  async change(signal: AbortSignal): Promise<void> {
    const read = [...this.#stamps.values()].join();
    for (let before = read; ; ) {
      await sleep(before === read ? LOOK_MS : QUIET_MS, undefined, { signal });
      const now = this.#now();
      if (now !== read && now === before) return;
      before = now;
    }
  }

  #now(): string {
    return [...this.#stamps.keys()].map(stampOf).join();
  }
}

type Run<Options> = (options: Options, world: World, services: Services) => Promise<number>;

/**
 * `--watch`: runs the command again each time a file that it read has changed. Ctrl-C ends it. Errors of a temporarily
 * broken file are reported like in any run, and the next change is awaited.
 */
export const watching =
  <Options>(run: Run<Options>): Run<Options> =>
  async (options, world, services) => {
    for (let files = new ReadFiles(); ; files = new ReadFiles(files.paths)) {
      try {
        await run(options, world, withFiles(services, files));
      } catch (error) {
        const isOver = !(error instanceof ToolError) || error.code === 'interrupted';
        // If no file was read, a change cannot fix the error.
        if (isOver || files.paths.length === 0) throw error;
        await sayError(error, world);
      }
      await withSignal(world, async (signal) => {
        // Printed once the Ctrl-C handler is set, because a reader may press it at once.
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
