import { ToolError } from '../../model/errors.ts';
import type { RecordingHeader } from '../../model/recording/recording.ts';
import { type Typed, textOf } from './typed.ts';
import { milliseconds } from './values.ts';

/** `record` options as the user gave them, validated. */
export interface RecordOptions {
  command: string[];
  file: string;
  values: RecordingHeader['values'];
  /** null: until the program ends. */
  forMs: number | null;
}

/** @throws ToolError 'usage' */
export function recordOptions({ args, flags }: Typed): RecordOptions {
  if (args.length === 0) throw usage('no command given. Name the program: clone-prof record -- node app.js');
  if (flags.mask === true && flags.values !== true)
    throw usage('--mask masks the texts of values, which are kept with --values only');
  const output = textOf(flags.output);
  if (output === '-' || output === '')
    throw usage('--output: stdout is that of the program. Name a file: -o app.cprof');
  return {
    command: args,
    file: output ?? recordingFileOf(args),
    values: flags.values === true ? (flags.mask === true ? 'masked' : 'kept') : 'none',
    forMs: flags.for === undefined ? null : milliseconds(String(flags.for), '--for'),
  };
}

const usage = (detail: string) => new ToolError('usage', { detail });

const SCRIPT = /\.[cm]?[jt]sx?$/i;
/** What only starts another program. */
const RUNNERS = new Set([
  ...[
    'node',
    'bun',
    'bunx',
    'deno',
    'npm',
    'npx',
    'pnpm',
    'pnpx',
    'yarn',
    'tsx',
    'ts-node',
    'env',
    'sh',
    'bash',
  ],
  ...['run', 'exec', 'dlx', 'x'],
]);

/** Options of Node, Bun and Deno whose value is the next word. */
const WITH_VALUE =
  /^(?:-r|-C|--(?:require|import|preload|loader|experimental-loader|conditions|env-file|config))$/;

/** "node --flag src/app.mjs" -> "app.cprof", "npx vitest run" -> "vitest.cprof" */
export function recordingFileOf(command: readonly string[]): string {
  const words = command
    .filter((word, i) => !word.startsWith('-') && !WITH_VALUE.test(command[i - 1] ?? ''))
    .map((word) => word.replace(/^.*[\\/]/s, ''));
  const named = words.find((word) => SCRIPT.test(word)) ?? words.find((word) => !RUNNERS.has(word));
  const name = (named ?? words[0] ?? '').replace(SCRIPT, '').replace(/[^\w.-]+/g, '_');
  return `${name.replace(/^\.+/, '').slice(0, 100) || 'program'}.cprof`;
}
