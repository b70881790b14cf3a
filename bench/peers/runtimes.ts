/** Where the program runs. A new one is a row here. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { BrowserName } from '../../src/model/names.ts';
import { provision } from '../../src/runtimes/provision/provision.ts';
import { installedBrowser } from '../../test/support/fetched.ts';
import type { Timed } from './inside/compete.ts';
import type { Ask } from './inside/open.ts';
import { timedInPage } from './page.ts';

export interface Runtime {
  name: string;
  isBrowser: boolean;
  /** In a process of its own. `ask` names files. */
  timed(ask: Ask): Promise<Timed>;
}

const run = promisify(execFile);
const DEADLINE_MS = 180_000;
const LARGEST_OUTPUT = 2 ** 28;

const urlOf = (file: string) => pathToFileURL(file).href;

/** `args`: before the script. `folder` holds the bundles. */
function processOf(name: string, binary: string, args: readonly string[], folder: string): Runtime {
  const program = join(folder, 'program.mjs');
  return {
    name,
    isBrowser: false,
    async timed({ payload, codec, ...ask }) {
      const urls = { payload: urlOf(payload), codec: codec && urlOf(codec) };
      const all = [...args, program, JSON.stringify({ ...ask, ...urls })];
      const { stdout } = await run(binary, all, { timeout: DEADLINE_MS, maxBuffer: LARGEST_OUTPUT });
      return JSON.parse(stdout) as Timed;
    },
  };
}

/** null: it is not here. */
async function browserOf(name: BrowserName, folder: string): Promise<Runtime | null> {
  const found = await installedBrowser(name);
  return found && { name, isBrowser: true, timed: (ask) => timedInPage(folder, found, ask) };
}

export const RUNTIMES: Readonly<Record<string, (folder: string) => Promise<Runtime | null>>> = {
  node: async (folder) => processOf('node', process.execPath, [], folder),
  bun: async (folder) => processOf('bun', (await provision('bun@1.4.5')).binary, [], folder),
  deno: async (folder) =>
    processOf('deno', (await provision('deno@2.9.6')).binary, ['run', '-A', '--no-config'], folder),
  chromium: (folder) => browserOf('chromium', folder),
  firefox: (folder) => browserOf('firefox', folder),
  webkit: (folder) => browserOf('webkit', folder),
};
