/** The folder of a recording: what the recorder of each thread is started from, and where it writes. */
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFile } from '../../machine/package-file.ts';
import type { TapSettings } from '../../model/recording/settings.ts';

const TAP_OF_NODE = 'dist/tap/node.cjs';

export type RecordingSettings = Pick<TapSettings, 'values' | 'mask' | 'root'>;

/** Environment variables to be put before those that are there. */
export interface TapEnvironment {
  NODE_OPTIONS: string;
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
  const tap = join(preload, 'tap.cjs');
  const [real, written] = [packageFile(TAP_OF_NODE), folder].map((path) => JSON.stringify(path));
  await writeFile(join(folder, 'settings.json'), JSON.stringify(all), { mode: 0o600 });
  await writeFile(tap, `try { require(${real}).start(${written}, __filename); } catch {}\n`, { mode: 0o600 });
  return { NODE_OPTIONS: `--require ${quotedForNode(tap)}` };
}

/** In NODE_OPTIONS a backslash and a quote are escaped by a backslash inside quotes. */
const quotedForNode = (path: string): string => `"${path.replaceAll(/["\\]/g, '\\$&')}"`;
