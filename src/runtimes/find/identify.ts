import { execFile } from 'node:child_process';
import { realpathSync, statSync } from 'node:fs';
import { BINARY_RUNTIMES, type BinaryRuntime, KINDS, type RuntimeKind } from '../process/kinds.ts';

export interface Identity {
  name: BinaryRuntime;
  version: string;
}

const ASK_MS = 15_000;

/** First line of what a program prints; '' when it cannot be run. */
function firstLine(binary: string, args: string[]): Promise<string> {
  return new Promise((resolve) => {
    const options = { timeout: ASK_MS, killSignal: 'SIGKILL', maxBuffer: 65_536, windowsHide: true } as const;
    try {
      execFile(binary, args, options, (_error, stdout) => resolve(stdout.split('\n', 1)[0]!.trim()));
    } catch {
      // Not a program of this system (EACCES, UNKNOWN on Windows).
      resolve('');
    }
  });
}

async function isKind(kind: RuntimeKind, binary: string, printed: string): Promise<Identity | null> {
  const version = kind.versionIn(printed);
  if (version === null) return null;
  const trusted = !kind.confirm || kind.confirm.says(version, await firstLine(binary, kind.confirm.args));
  return trusted ? { name: kind.name, version } : null;
}

async function ask(binary: string): Promise<Identity | null> {
  const printed = await firstLine(binary, ['--version']);
  for (const name of BINARY_RUNTIMES) {
    const identity = await isKind(KINDS[name], binary, printed);
    if (identity) return identity;
  }
  return null;
}

const known = new Map<string, Promise<Identity | null>>();

/** Which runtime a binary is, by running it; once per file as it is now. null: none that is known. */
export function identify(binary: string): Promise<Identity | null> {
  const file = realpathSync(binary);
  const key = `${file}\0${statSync(file).mtimeMs}`;
  const answer = known.get(key) ?? ask(binary);
  known.set(key, answer);
  return answer;
}
