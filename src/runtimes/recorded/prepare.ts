/** The folder of a recording: what the recorder of each thread is started from, and where it writes. */
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFile } from '../../machine/package-file.ts';
import type { TapSettings } from '../../model/recording/settings.ts';

const TAP_OF_NODE = 'dist/tap/node.cjs';
const TAP_OF_BUN = 'dist/tap/bun.cjs';
const TAP_OF_DENO = 'dist/tap/deno.cjs';

export type RecordingSettings = Pick<TapSettings, 'values' | 'mask' | 'root'>;

/** Environment variables to be put before those that are there. */
export interface TapEnvironment {
  /** Node, and Deno from 2.6.8 on. */
  NODE_OPTIONS: string;
  BUN_OPTIONS: string;
}

/**
 * @param folder empty, the user's own (mode 700): where threads write
 * @param preload the same or another one, which stays while a process may still load from it
 * @returns what the recorded command needs in its environment: before the value that is there, with a space between
 */
export async function prepareRecording(
  folder: string,
  settings: RecordingSettings,
  preload = folder,
): Promise<TapEnvironment> {
  const all: TapSettings = { ...settings, startedAt: Date.now(), salt: randomBytes(12).toString('hex') };
  const written = JSON.stringify(folder);
  const starting = (tap: string) => `try { require(${tap}).start(${written}, __filename); } catch {}\n`;
  const [node, bun, deno] = [TAP_OF_NODE, TAP_OF_BUN, TAP_OF_DENO].map((tap) =>
    JSON.stringify(packageFile(tap)),
  );
  const ofNode = join(preload, 'tap.cjs');
  const ofBun = join(preload, 'tap-bun.cjs');
  await writeFile(join(folder, 'settings.json'), JSON.stringify(all), { mode: 0o600 });
  await writeFile(ofNode, starting(`typeof Deno === 'object' ? ${deno} : ${node}`), { mode: 0o600 });
  await writeFile(ofBun, starting(bun!), { mode: 0o600 });
  return { NODE_OPTIONS: `--require ${quoted(ofNode)}`, BUN_OPTIONS: quoted(`--preload=${ofBun}`) };
}

/** In both variables a backslash and a quote are escaped by a backslash inside quotes. */
const quoted = (path: string): string => `"${path.replaceAll(/["\\]/g, '\\$&')}"`;
