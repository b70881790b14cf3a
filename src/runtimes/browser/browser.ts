import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ownedFolder } from '../../machine/temp-folders.ts';
import type { ToolError } from '../../model/errors.ts';
import type { FoundRuntime } from '../../model/run/runtime.ts';
import type { Body } from '../guests/body.ts';
import { MARK_ENV, newMark } from '../process/marked-children.ts';
import { PROFILE } from '../process/orphan-reaper.ts';
import { ProcessGroup } from '../process/process-group.ts';
import { commandOf } from './command.ts';
import type { BrowserKind } from './kinds/kind.ts';

/** Folders that programs take from these variables lie in the profile: nothing else of the user's is read or written. */
const HOMES = ['HOME', 'TMPDIR', 'XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME', 'XDG_RUNTIME_DIR'];

/** Variables of the user's environment that a program needs to start. */
const KEPT = ['PATH', 'LANG', 'LD_LIBRARY_PATH', 'SYSTEMROOT', 'WINDIR', 'PROGRAMFILES', 'LOCALAPPDATA'];

function environment(home: string, kind: BrowserKind, mark: string): Record<string, string> {
  const env: Record<string, string | undefined> = { [MARK_ENV]: mark };
  for (const name of KEPT) env[name] = process.env[name];
  for (const name of HOMES) env[name] = home;
  Object.assign(env, kind.env);
  return Object.fromEntries(Object.entries(env).filter((e): e is [string, string] => e[1] !== undefined));
}

/** A browser without a window, with a fresh profile that goes with it. */
export class Browser implements Body {
  readonly ended: Promise<ToolError>;
  readonly #group: ProcessGroup;

  constructor({ binary }: FoundRuntime, kind: BrowserKind, url: string) {
    const home = ownedFolder(PROFILE);
    const remove = () => rmSync(home, { recursive: true, force: true, maxRetries: 3 });
    const profile = join(home, 'profile');
    mkdirSync(profile);
    for (const [name, content] of Object.entries(kind.profile())) {
      writeFileSync(join(profile, name), content, { mode: 0o600 });
    }
    const mark = newMark();
    const env = { ...environment(home, kind, mark), XAUTHORITY: join(profile, 'xauthority') };
    const [file, args] = commandOf(kind, binary, kind.args(profile, url));
    this.#group = new ProcessGroup(file, args, { cwd: home, env }, mark);
    // After the one that kills the group.
    process.on('exit', remove);
    this.ended = this.#group.ended.then(async (error) => {
      await rm(home, { recursive: true, force: true, maxRetries: 3 });
      process.off('exit', remove);
      return error;
    });
  }

  kill(): void {
    this.#group.kill();
  }

  /** Idle, it takes no time from guests that are measured: Firefox for one is busy with itself for long after its start. */
  pause(): void {
    this.#group.pause();
  }

  goOn(): void {
    this.#group.goOn();
  }

  /** Group of all its processes; 0 when it did not start. */
  get processGroup(): number {
    return this.#group.id;
  }

  excerpt(): string {
    return this.#group.excerpt();
  }
}
