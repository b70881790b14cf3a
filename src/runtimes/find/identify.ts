import { execFile } from 'node:child_process';
import { realpathSync, statSync } from 'node:fs';
import { PROCESS_RUNTIMES, type ProcessRuntime } from '../../model/names.ts';
import type { Identity } from '../process/found-runtime.ts';
import { KINDS } from '../process/kinds.ts';

const TIMEOUT_MS = 15_000;

/** First line that a program prints; '' when it cannot be run. */
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

async function identityAs(name: ProcessRuntime, binary: string, printed: string): Promise<Identity | null> {
  const { versionIn, confirm } = KINDS[name];
  const version = versionIn(printed);
  if (version === null) return null;
  const confirmed = confirm === null || confirm.matches(version, await firstLine(binary, confirm.args));
  return confirmed ? { name, version } : null;
}

async function askVersion(binary: string): Promise<Identity | null> {
  const printed = await firstLine(binary, ['--version']);
  for (const name of PROCESS_RUNTIMES) {
    const identity = await identityAs(name, binary, printed);
    if (identity) return identity;
  }
  return null;
}

const identities = new Map<string, Promise<Identity | null>>();

/** Which runtime a binary is; null for any other program. Runs it once as long as the file does not change. */
export function identify(binary: string): Promise<Identity | null> {
  const file = realpathSync(binary);
  const key = `${file}\0${statSync(file).mtimeMs}`;
  const identity = identities.get(key) ?? askVersion(binary);
  identities.set(key, identity);
  return identity;
}
