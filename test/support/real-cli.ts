/** The program with real runtimes, in this process: to start one more takes longer than most commands. */
import { EventEmitter } from 'node:events';
import { main } from '../../src/cli/main.ts';
import type { ProcessLike } from '../../src/cli/session/world.ts';
import { type Ended, ROOT } from './spawn-cli.ts';

export interface RealCliOptions {
  /** Default: the folder of this project. */
  cwd?: string;
  /** What the command reads; guests get that of this process. */
  env?: NodeJS.ProcessEnv;
}

/** What `spawnCli` gives, where neither streams nor signals nor the end of the process are asked about. */
export async function realCli(
  args: readonly string[],
  { cwd = ROOT, env = process.env }: RealCliOptions = {},
): Promise<Ended> {
  const [stdout, stderr] = [captured(), captured()];
  const world = Object.assign(new EventEmitter(), {
    argv: [process.execPath, 'clone-prof', ...args],
    env: { ...env, COLUMNS: '80', NO_COLOR: '1' },
    cwd: () => cwd,
    stdin: (async function* (): AsyncGenerator<Uint8Array> {})(),
    ...{ stdout, stderr },
  }) as unknown as ProcessLike;
  const code = await main(world);
  return { code, stdout: stdout.text, stderr: stderr.text };
}

const captured = () => ({
  text: '',
  write(text: string, done?: () => void) {
    this.text += text;
    done?.();
    return true;
  },
});
