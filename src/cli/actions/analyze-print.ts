import { sharedReport } from '../../core/masking.ts';
import type { PayloadReport, Report, Run, RunError } from '../../model/documents/report.ts';
import type { ErrorCode } from '../../model/errors.ts';
import { isUsageCode } from '../../model/exit-codes.ts';
import { runtimeWord } from '../../model/names.ts';
import type { RenderOptions, ReportFormat } from '../../model/report/render-options.ts';
import type { MissingRuntime } from '../../model/run/runtime.ts';
import { placeOf } from '../../reporters/print/limits.ts';
import { answersOnly, payloadNodes, reportDocument, reportFrame } from '../../reporters/print/report.ts';
import { draw } from '../../reporters/registry.ts';
import { terminalNodes, terminalText } from '../../reporters/terminal/nodes.ts';
import { groupedBy } from '../../reporters/text/groups.ts';
import { counted } from '../../reporters/text/numbers.ts';
import { reportWords } from '../../rule-book/wording.ts';
import { headlineOf } from '../session/exit.ts';
import { type Destination, fromRepository, printResult, writeEach } from '../session/output.ts';
import type { World } from '../session/world.ts';

type ReportDestination = Destination<ReportFormat>;

const isLive = ({ format, isStdout }: ReportDestination) => isStdout && format === 'terminal';

/**
 * Prints the result of one run. On a terminal each payload is printed once it is done. Files and other formats need the
 * whole report, and so does the table of answers.
 */
export function printerFor(
  destinations: readonly ReportDestination[],
  world: World,
  { oneByOne, quiet, details, keys }: Record<'oneByOne' | 'quiet' | 'details' | 'keys', boolean>,
) {
  const live = oneByOne && !quiet && destinations.some(isLive);
  const failures: unknown[] = [];
  let printed = 0;
  /** The report without inputs whose whole error is on stderr already. */
  const shown = (report: Report): Report => ({
    ...report,
    payloads: report.payloads.filter((payload) => !isSaid(payload)),
  });
  return {
    /** Prints one payload, if payloads are printed one by one. */
    payload: async (payload: PayloadReport): Promise<void> => {
      if (!live || isSaid(payload)) return;
      const between = printed++ === 0 ? '' : '\n';
      await printResult(
        (options) =>
          `${between}${terminalNodes(payloadNodes(payload, reportWords()), { ...options, details })}`,
        world,
      ).catch((error) => failures.push(error));
    },
    /** @returns the exit code of a failed output, or 0 */
    end: (report: Report): Promise<number> =>
      writeEach(
        destinations,
        (one, options) => {
          if (failures.length > 0 && isLive(one)) throw failures[0];
          const { format } = one;
          const seen = isLive(one) ? shown(report) : report;
          // stderr already has the whole result.
          if (seen.payloads.length === 0 && report.payloads.length > 0) return '';
          if (live && isLive(one)) return endOf(seen, { ...options, details }, printed);
          if (quiet && format === 'terminal') return terminalNodes(answersOnly(seen, reportWords()), options);
          const folder = fromRepository(world, world.cwd());
          // Other formats are stored and shared.
          const written = keys || format === 'terminal' ? seen : sharedReport(seen);
          return draw(written, format, { ...options, folder, details }, reportWords());
        },
        world,
      ),
  };
}

const UNREADABLE: ReadonlySet<string> = new Set<ErrorCode>([
  ...(['file-missing', 'file-unreadable', 'file-empty', 'not-a-file', 'unknown-input'] as const),
]);

/** True for a file that could not be read: the line on stderr says all that is known of it. */
const isSaid = ({ error }: PayloadReport): boolean => error !== null && UNREADABLE.has(error.code);

/** Rest of the document after its payloads have been printed. */
function endOf(report: Report, options: RenderOptions, printed: number): string {
  const end = terminalText(
    report.payloads.length === 0 ? reportDocument(report, reportWords()) : reportFrame(report),
    options,
  ).trimStart();
  return end === '' || printed === 0 ? end : `\n${end}`;
}

/** Inputs that could not be read, failed runs, rewrites that could not be tried, and missing runtimes. */
export function analyzeReasons({ payloads }: Report, missing: readonly MissingRuntime[]): string[] {
  const absent = missing.map(({ error }) => error.message);
  const inPayloads = payloads.flatMap((payload) => [
    ...(payload.error ? [headlineOf(payload.error)] : []),
    ...payload.runs.flatMap((run) => reasonOfRun(run, payload)),
  ]);
  const withoutTime = payloads.flatMap(({ runs }) => runs.filter(hadNoTime));
  const untimed = withoutTime.map(
    ({ error }) => `${counted(withoutTime.length, 'run')} not measured: ${error?.message}`,
  );
  // A missing runtime fails a run of each payload, but is reported once.
  return [
    ...inPayloads.filter((reason) => !absent.some((text) => reason.endsWith(text))),
    ...absent,
    ...untimed,
  ];
}

/** True if time ran out before the run. Such runs are reported together in one line. */
const hadNoTime = ({ error }: Run): boolean => error?.code === 'total-spent';

function reasonOfRun({ status, error, runtime, channel, advice }: Run, payload: PayloadReport): string[] {
  const place = placeOf({
    payload: payload.id,
    runtime: `${runtimeWord(runtime)}@${runtime.version}`,
    channel,
  });
  if (status !== 'failed')
    return groupedBy(advice?.untried ?? [], ({ reason }) => reason).map(([reason, group]) => {
      const names = new Set(group.map(({ remedy }) => remedy));
      return `${place}: not tried: ${[...names].join(', ')}: ${reason}`;
    });
  if (error === null || error.code === 'interrupted') return [];
  return [isUsageCode(error.code) ? headlineOf(error) : `${place}: ${withoutFile(error, payload)}`];
}

/** The place already names the file that the error belongs to. */
function withoutFile(error: RunError, { source: { file } }: PayloadReport): string {
  const text = headlineOf(error);
  return text.startsWith(`${file}: `) ? text.slice(file.length + 2) : text;
}
