import { execFile } from 'node:child_process';
import { realpathSync, statSync } from 'node:fs';
import type { ProcessRuntime } from '../../probe/running-runtime.ts';
import type { RuntimeKind } from '../process/kind.ts';
import { KINDS } from '../process/kinds.ts';

export interface Identity {
  name: ProcessRuntime;
  version: string;
}

const TIMEOUT_MS = 15_000;

/** First line of what a program prints; '' when it cannot be run. */
function firstLine(binary: string, args: string[]): Promise<string> {
  return new Promise((resolve) => {
    const options = {
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
      maxBuffer: 65_536,
      windowsHide: true,
    } as const;
    try {
      execFile(binary, args, options, (_error, stdout) => resolve(stdout.split('\n', 1)[0]!.trim()));
    } catch {
      // Not a program of this system (EACCES, UNKNOWN on Windows).
      resolve('');
    }
  });
}

async function identityAs(kind: RuntimeKind, binary: string, printed: string): Promise<Identity | null> {
  const version = kind.versionIn(printed);
  if (version === null) return null;
  const { confirm } = kind;
  const confirmed = confirm === null || confirm.matches(version, await firstLine(binary, confirm.args));
  return confirmed ? { name: kind.name, version } : null;
}

async function askVersion(binary: string): Promise<Identity | null> {
  const printed = await firstLine(binary, ['--version']);
  for (const kind of Object.values(KINDS)) {
    const identity = await identityAs(kind, binary, printed);
    if (identity) return identity;
  }
  return null;
}

const known = new Map<string, Promise<Identity | null>>();

/** Which runtime a binary is, by running it once as long as the file does not change; null for any other program. */
export function identify(binary: string): Promise<Identity | null> {
  const file = realpathSync(binary);
  const key = `${file}\0${statSync(file).mtimeMs}`;
  const identity = known.get(key) ?? askVersion(binary);
  known.set(key, identity);
  return identity;
}
