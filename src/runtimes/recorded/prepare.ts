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
 * @param folder empty, the user's own (mode 700)
 * @returns what the recorded command needs in its environment: before the value that is there, with a space between
 */
export async function prepareRecording(folder: string, settings: RecordingSettings): Promise<TapEnvironment> {
  const all: TapSettings = { ...settings, startedAt: Date.now(), salt: randomBytes(12).toString('hex') };
  await writeFile(join(folder, 'settings.json'), JSON.stringify(all), { mode: 0o600 });
  const tap = join(folder, 'tap.cjs');
  const bun = join(folder, 'tap-bun.cjs');
  const ofNode = `typeof Deno === 'object' ? ${fileText(TAP_OF_DENO)} : ${fileText(TAP_OF_NODE)}`;
  await writeFile(tap, `require(${ofNode}).start(__dirname);\n`, { mode: 0o600 });
  await writeFile(bun, `require(${fileText(TAP_OF_BUN)}).start(__dirname);\n`, { mode: 0o600 });
  return { NODE_OPTIONS: `--require ${quoted(tap)}`, BUN_OPTIONS: quoted(`--preload=${bun}`) };
}

const fileText = (tap: string): string => JSON.stringify(packageFile(tap));

/** In both variables a backslash and a quote are escaped by a backslash inside quotes. */
const quoted = (path: string): string => `"${path.replaceAll(/["\\]/g, '\\$&')}"`;
