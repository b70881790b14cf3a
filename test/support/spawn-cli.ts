/** The built program in a process of its own. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Starts it without colours, 80 columns wide; in the folder of this project unless told otherwise. */
export function startCli(args: readonly string[], options: SpawnOptions = {}): ChildProcess {
  const env = { ...process.env, COLUMNS: '80', NO_COLOR: '1' };
  return spawn(process.execPath, [join(ROOT, 'bin/clone-prof.js'), ...args], { cwd: ROOT, env, ...options });
}

/** Starts another program, the first word of the command. */
export const runProgram = ([name, ...args]: readonly string[], options: SpawnOptions): ChildProcess =>
  spawn(name ?? '', args, options);

export async function endOf(child: ChildProcess): Promise<Ended> {
  const [stdout, stderr]: [string[], string[]] = [[], []];
  child.stdout?.on('data', (piece: Buffer) => stdout.push(piece.toString()));
  child.stderr?.on('data', (piece: Buffer) => stderr.push(piece.toString()));
  child.stdin?.end();
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, stdout: stdout.join(''), stderr: stderr.join('') };
}

export const spawnCli = (args: readonly string[], options: SpawnOptions = {}): Promise<Ended> =>
  endOf(startCli(args, options));
