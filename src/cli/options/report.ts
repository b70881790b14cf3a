import { REPORT_FORMATS } from '../../model/report/render-options.ts';
import { emitFileOf } from '../../services/codec-names.ts';
import { type CommandFlags, EMIT, formatsOption, OUTPUT } from './flags.ts';
import { outputsOf } from './outputs.ts';
import { parseOptional, type Typed, usage } from './values.ts';

export const REPORT: CommandFlags = {
  name: 'report',
  help: 'print stored reports and sweeps in any format, join or compare them, or write a codec',
  argument: {
    form: '<report...>',
    help: 'files that clone-prof analyze or sweep wrote with -f json or html; - for stdin',
    checkedByCommand: true,
  },
  options: [
    formatsOption(REPORT_FORMATS),
    OUTPUT,
    ['--join', 'show one payload on several versions of a runtime side by side, instead of comparing them'],
    EMIT,
  ],
  example: 'clone-prof report before.json now.json',
};

export type ReportOptions = ReturnType<typeof reportOptions>;

/** What the user typed, validated. @throws ToolError 'usage' */
export function reportOptions({ args, flags }: Typed) {
  const { outputs, payloads } = outputsOf(REPORT_FORMATS, flags);
  const [file, ...others] = [...args, ...payloads];
  if (file === undefined) throw usage('report: name a file that clone-prof analyze -f json wrote');
  const emit = parseOptional(flags.emit, emitFileOf);
  // Who asks for the module alone gets no report besides.
  const isAsked = flags.format !== undefined || flags.output !== undefined;
  return {
    /** '-' is stdin. */
    files: [file, ...others] as [string, ...string[]],
    join: flags.join === true,
    emit,
    outputs: emit !== null && !isAsked ? [] : outputs,
  };
}
