import { emitFileOf } from './emit.ts';
import { type Fetching, fetchingOf, listOf, type Typed } from './typed.ts';
import { inputKindOf, milliseconds } from './values.ts';

/** `codec` options as the user gave them, validated. */
export interface CodecOptions extends Fetching {
  samples: string[];
  /** What reads the samples. */
  runtime: string;
  exports: string[] | null;
  /** Null: stdout. */
  output: string | null;
  /** With `viewMessage`. */
  withView: boolean;
  as: 'text' | 'bytes' | 'json' | null;
  timeoutMs: number;
}

const STDOUT = '-';

/** @throws ToolError 'usage' */
export function codecOptions({ args, flags }: Typed): CodecOptions {
  const output = flags.output === undefined ? STDOUT : String(flags.output);
  return {
    samples: args,
    runtime: String(flags.runtime),
    exports: flags.export === undefined ? null : listOf(flags.export),
    output: output === STDOUT ? null : emitFileOf(output, '--output'),
    withView: flags.view === true,
    as: flags.as === undefined ? null : inputKindOf(String(flags.as)),
    timeoutMs: milliseconds(String(flags.timeout), '--timeout'),
    ...fetchingOf(flags),
  };
}
