import { RUNTIME_NAMES } from '../../model/names.ts';
import { emitFileOf } from '../../services/codec-names.ts';
import { AS, type CommandFlags, EXPORTS, FETCHING, timeoutOption, VIEW } from './flags.ts';
import { fetchingOf, readingOf, type Typed, timeoutOf, usage } from './values.ts';

export const CODEC: CommandFlags = {
  name: 'codec',
  help: 'write a codec compiled from the schema of samples, without measuring',
  argument: {
    form: '<sample...>',
    help: 'files, globs, or - for JSON on stdin: one schema is made from all',
  },
  options: [
    [
      '-o, --output <file>',
      'write the module, with a test next to it; the extension sets the language: .ts .mts .js .mjs .cjs (default: TypeScript on stdout)',
    ],
    EXPORTS,
    ['-r, --runtime <spec>', 'runtime that reads samples', { preset: 'node', values: RUNTIME_NAMES }],
    AS,
    VIEW,
    ['--patch', 'a codec for a state that is posted repeatedly: it sends only what has changed'],
    timeoutOption(),
    ...FETCHING,
  ],
  example: 'clone-prof codec samples/*.json -o src/orders.codec.ts',
};

export type CodecOptions = ReturnType<typeof codecOptions>;

const STDOUT = '-';

/** What the user typed, validated. @throws ToolError 'usage' */
export function codecOptions({ args, flags }: Typed) {
  const output = String(flags.output ?? STDOUT);
  if (flags.patch === true && flags.view === true)
    throw usage('--view cannot be combined with --patch: a patch has nothing to read by column');
  return {
    samples: args,
    runtime: String(flags.runtime),
    ...readingOf(flags),
    /** null: stdout. */
    output: output === STDOUT ? null : emitFileOf(output, '--output'),
    withView: flags.view === true,
    isPatch: flags.patch === true,
    timeoutMs: timeoutOf(flags),
    ...fetchingOf(flags),
  };
}
