import { readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { compareVersions } from '../../core/versions.ts';
import { ToolError } from '../../model/errors.ts';
import { ENGINE_OF, PROGRAM_RUNTIMES, type ProgramRuntime } from '../../model/names.ts';
import { orElse } from '../../model/or-else.ts';
import {
  type FoundRuntime,
  type FoundRuntimes,
  FROM_LINK,
  type MissingRuntime,
} from '../../model/run/runtime.ts';
import { runningRuntime } from '../../probe/running-runtime.ts';
import type { Environment } from './kind.ts';
import { RUNTIME_KINDS } from './kinds.ts';
import { runToEnd } from './run-to-end.ts';

const TIMEOUT_MS = 15_000;

/** First line that a program prints; '' when it cannot be run. */
async function firstLine(binary: string, args: string[], env: Environment = {}): Promise<string> {
  const run = { cwd: process.cwd(), env: { ...process.env, ...env }, timeoutMs: TIMEOUT_MS };
  // An empty text stands for a file that is not a program of this system (UNKNOWN on Windows).
  const { stdout } = await runToEnd(binary, args, run).catch(() => ({ stdout: '' }));
  return stdout.split('\n', 1)[0]!.trim();
}

/** Reads the version of the package if the binary prints all but the last part. */
function exactVersion(told: string, file: string): string {
  const read = () => (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
  const version = orElse(read, told);
  const known = told.slice(0, told.lastIndexOf('.') + 1);
  return version.startsWith(known) && /^\d+$/.test(version.slice(known.length)) ? version : told;
}

async function askVersion(binary: string): Promise<Identity | null> {
  for (const name of PROGRAM_RUNTIMES) {
    const { askedBy, versionIn } = RUNTIME_KINDS[name];
    if (!askedBy?.name.test(basename(binary))) continue;
    const version = versionIn(await firstLine(binary, askedBy.args, askedBy.env));
    if (version !== null) return { name, version };
  }
  const printed = await firstLine(binary, ['--version']);
  for (const name of PROGRAM_RUNTIMES) {
    const { askedBy, versionIn, versionFile, confirm } = RUNTIME_KINDS[name];
    if (askedBy) continue;
    const told = versionIn(printed);
    if (told === null) continue;
    const version =
      versionFile === undefined ? told : exactVersion(told, join(dirname(realpathSync(binary)), versionFile));
    if (!confirm || confirm.matches(version, await firstLine(binary, confirm.args))) return { name, version };
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

/** Name and version of a binary. */
interface Identity {
  name: ProgramRuntime;
  version: string;
}

/** @param program its name for `-r` @param oldest version that works */
export const foundProgram = (
  program: string,
  found: Pick<FoundRuntime, 'name' | 'version' | 'binary' | 'from'>,
  oldest: string,
): FoundRuntime => ({
  ...{ ...found, engine: ENGINE_OF[found.name], spec: `${program}@${found.version}` },
  ...(compareVersions(found.version, oldest) < 0 && { needs: oldest }),
});

/** @param from see FoundRuntime */
export const foundRuntime = ({ name, version }: Identity, binary: string, from: string): FoundRuntime =>
  foundProgram(name, { name, version, binary, from }, RUNTIME_KINDS[name].oldest);

/** The runtime that this code runs in. */
export const running = (): FoundRuntime => foundRuntime(runningRuntime(), process.execPath, 'running');

/** Each binary once, also when several links lead to it. */
export function uniqueBinaries(runtimes: FoundRuntime[]): FoundRuntime[] {
  const files = runtimes.map(({ binary, from }) => (from === FROM_LINK ? binary : realpathSync(binary)));
  return runtimes.filter((_, i) => files.indexOf(files[i]!) === i);
}

/** Too old ones are missing, each under the version that was found. */
export function usable(all: FoundRuntime[], missing: readonly MissingRuntime[]): FoundRuntimes {
  const unique = uniqueBinaries(all);
  const old = unique.flatMap(({ spec, name, binary, needs }): MissingRuntime[] => {
    if (needs === undefined) return [];
    const facts = { runtime: spec, binary, oldest: `${name}@${needs}` };
    return [{ spec, error: new ToolError('runtime-too-old', facts) }];
  });
  return { found: unique.filter(({ needs }) => needs === undefined), missing: [...missing, ...old] };
}
