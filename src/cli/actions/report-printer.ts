/** Prints the report of `clone-prof analyze` in each requested format, on a terminal one payload after the other. */
import type { PayloadReport, Report } from '../../model/documents/report.ts';
import type { ErrorCode } from '../../model/errors.ts';
import { type FormatOf, REPORT_FORMATS, type RenderOptions } from '../../model/report/formats.ts';
import { answersOnly, payloadNodes, reportDocument, reportFrame } from '../../report/print/report.ts';
import { draw } from '../../report/registry.ts';
import { terminalNodes, terminalText } from '../../report/terminal/nodes.ts';
import { sharedReport } from '../../value/shape/masking.ts';
import type { AnalyzeSettings } from '../options/all.ts';
import { measuredOutputs, type Output } from '../options/shared.ts';
import { fromRepository, openOutputs, printResult } from '../session/output.ts';
import type { Session } from '../session/session.ts';

const isLive = ({ format, file }: Output<FormatOf<'report'>>) => file === null && format === 'terminal';

/**
 * Opens the outputs, and returns a function that makes their printer. `oneByOne`: on a terminal each payload is printed
 * once it is done. Files, other formats and the table of answers need all of them.
 * @throws ToolError 'usage', 'output-unwritable'
 */
export function openPrinter(settings: AnalyzeSettings, session: Session) {
  const { quiet, details, keys, emit } = settings;
  const { world } = session;
  const outputs = measuredOutputs(REPORT_FORMATS, settings);
  const write = openOutputs(outputs, settings.payloads, session);
  const isEmitted = emit !== null;

  return (oneByOne: boolean) => {
    const live = oneByOne && !quiet && outputs.some(isLive);
    const failures: unknown[] = [];
    let printed = 0;
    return {
      payload: async (payload: PayloadReport): Promise<void> => {
        if (!live || isSaid(payload)) return;
        const between = printed++ === 0 ? '' : '\n';
        await printResult(
          (options) =>
            `${between}${terminalNodes(payloadNodes(payload, isEmitted), { ...options, details })}`,
          world,
        ).catch((error) => failures.push(error));
      },
      /** @returns the exit code of a failed output, or 0 */
      end: (report: Report): Promise<number> =>
        write((one, options) => {
          if (failures.length > 0 && isLive(one)) throw failures[0];
          const { format } = one;
          const seen = isLive(one) ? shown(report) : report;
          // stderr already has the whole result.
          if (seen.payloads.length === 0 && report.payloads.length > 0) return '';
          if (live && isLive(one)) return endOf(seen, { ...options, details }, printed);
          if (quiet && format === 'terminal') return terminalNodes(answersOnly(seen), options);
          const folder = fromRepository(world, world.cwd());
          // Other formats are stored and shared.
          const written = keys || format === 'terminal' ? seen : sharedReport(seen);
          return draw(written, format, { ...options, folder, details, isEmitted });
        }),
    };
  };
}

/** The report without inputs whose whole error is on stderr already. */
const shown = (report: Report): Report => ({
  ...report,
  payloads: report.payloads.filter((payload) => !isSaid(payload)),
});

const UNREADABLE: ReadonlySet<string> = new Set<ErrorCode>([
  ...(['file-missing', 'file-unreadable', 'file-empty', 'not-a-file', 'unknown-input'] as const),
]);

/** True for a file that could not be read: the line on stderr says all that is known of it. */
const isSaid = ({ error }: PayloadReport): boolean => error !== null && UNREADABLE.has(error.code);

function endOf(report: Report, options: RenderOptions, printed: number): string {
  const end = terminalText(
    report.payloads.length === 0 ? reportDocument(report) : reportFrame(report),
    options,
  ).trimStart();
  return end === '' || printed === 0 ? end : `\n${end}`;
}
