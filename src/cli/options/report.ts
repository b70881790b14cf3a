import { ToolError } from '../../model/errors.ts';
import { REPORT_FORMATS, type ReportFormat } from '../../model/report/render-options.ts';
import { emitFileOf } from './emit.ts';
import { type Output, outputsOf } from './outputs.ts';
import { listOf, type Typed } from './typed.ts';

export interface ReportOptions {
  /** One at least; '-' is stdin. */
  files: [string, ...string[]];
  join: boolean;
  outputs: Output<ReportFormat>[];
  emit: string | null;
}

/** @throws ToolError 'usage' */
export function reportOptions({ args, flags }: Typed): ReportOptions {
  const { outputs, payloads } = outputsOf(REPORT_FORMATS, listOf(flags.format), listOf(flags.output));
  const [file, ...others] = [...args, ...payloads];
  if (file === undefined)
    throw new ToolError('usage', { detail: 'report: name a file that clone-prof analyze -f json wrote' });
  const emit = flags.emit === undefined ? null : emitFileOf(String(flags.emit));
  // Who asks for the module alone gets no report besides.
  const isAsked = flags.format !== undefined || flags.output !== undefined;
  return {
    files: [file, ...others],
    join: flags.join === true,
    emit,
    outputs: emit !== null && !isAsked ? [] : outputs,
  };
}
