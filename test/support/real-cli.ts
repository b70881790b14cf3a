/** The program in this process: to start one more takes longer than most commands. */
import { EventEmitter } from 'node:events';
import { main } from '../../src/cli/main.ts';
import type { ProcessLike } from '../../src/cli/session/world.ts';
import { type Ended, ROOT } from './spawn-cli.ts';

/** A stream that keeps what is written. */
export const captured = (isTTY: boolean, columns: number) => ({
  ...{ text: '', isTTY, columns },
  write(text: string, done?: (error?: Error | null) => void) {
    this.text += text;
    done?.();
    return true;
  },
});

export interface Seen {
  /** Default: the folder of this project. */
  cwd?: string;
  /** What the command reads; guests get that of this process. */
  env?: NodeJS.ProcessEnv;
  tty?: boolean;
  columns?: number;
  stdin?: string | undefined;
  now?: () => number;
}

/** The process that a command sees. Its emitter sends signals. */
export function fakeProcess(
  args: readonly string[],
  { cwd = ROOT, env = process.env, tty = false, columns = 80, stdin, ...clock }: Seen,
) {
  const [stdout, stderr] = [captured(tty, columns), captured(false, columns)];
  return Object.assign(new EventEmitter(), {
    argv: [process.execPath, 'clone-prof', ...args],
    ...{ env: { COLUMNS: String(columns), ...env }, execPath: process.execPath, cwd: () => cwd },
    stdin: (async function* () {
      if (stdin !== undefined) yield new TextEncoder().encode(stdin);
    })(),
    ...{ stdout, stderr, ...clock },
  });
}

export type FakeProcess = ReturnType<typeof fakeProcess>;

/** With real runtimes: what `spawnCli` gives, where neither streams nor signals nor the end of the process are asked about. */
export async function realCli(args: readonly string[], { env, ...seen }: Seen = {}): Promise<Ended> {
  const world = fakeProcess(args, {
    ...seen,
    env: { ...(env ?? process.env), COLUMNS: '80', NO_COLOR: '1' },
  });
  const code = await main(world as unknown as ProcessLike);
  return { code, stdout: world.stdout.text, stderr: world.stderr.text };
}
