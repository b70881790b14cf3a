/** Chromium for a page of the user's: a fresh profile that goes with it, the network, a window where there is a display. */
import { mkdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ownedFolder } from '../../../machine/temp-folders.ts';
import type { ToolError } from '../../../model/errors.ts';
import { drivenArgs } from '../../browser/kinds/chromium.ts';
import { MARK_ENV, newMark } from '../../process/marked-children.ts';
import { PROFILE } from '../../process/orphan-reaper.ts';
import { ProcessGroup } from '../../process/process-group.ts';
import { DevTools } from './devtools.ts';

type BrowserEnvironment = Readonly<Record<string, string | undefined>>;

/** macOS and Windows always have one. */
export const hasDisplay = (env: BrowserEnvironment): boolean =>
  process.platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);

/** Chromium reads commands from its file descriptor 3 and writes to 4. */
const PIPES = 2;

export class DrivenBrowser {
  readonly devtools: DevTools;
  readonly ended: Promise<ToolError>;
  readonly #group: ProcessGroup;

  /** @param env the user's: proxies, certificates, the display */
  constructor(binary: string, env: BrowserEnvironment, isHeadless: boolean) {
    const home = ownedFolder(PROFILE);
    const profile = join(home, 'profile');
    mkdirSync(profile);
    const mark = newMark();
    const given = Object.entries({ ...env, [MARK_ENV]: mark }).filter(
      (one): one is [string, string] => one[1] !== undefined,
    );
    this.#group = new ProcessGroup(
      binary,
      drivenArgs(profile, { isHeadless }),
      { cwd: home, env: Object.fromEntries(given), pipes: PIPES },
      mark,
    );
    const remove = () => rmSync(home, { recursive: true, force: true, maxRetries: 3 });
    // After the one that kills the group.
    process.on('exit', remove);
    this.ended = this.#group.ended.then(async (error) => {
      await rm(home, { recursive: true, force: true, maxRetries: 3 });
      process.off('exit', remove);
      return error;
    });
    this.devtools = new DevTools(this.#group.pipe(4), this.#group.pipe(3));
  }

  async close(): Promise<void> {
    this.#group.kill();
    await this.ended;
  }
}
