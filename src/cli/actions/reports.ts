/** Commands that end with a document: `analyze`, `sweep`, and `report`, which draws stored ones. */

import { analyze } from '../../app/analyze/analyze.ts';
import { loadInputs, runtimesFor, subjectOf } from '../../app/world/analysis.ts';
import { toolsOf } from '../../app/world/services.ts';
import type { openEmitted } from '../../codec/command/codec.ts';
import type { PayloadReport, Report, Run, RunError } from '../../model/documents/report.ts';
import type { SweepReport } from '../../model/documents/sweep.ts';
import { type ErrorCode, EXIT, isUsageCode, ToolError, usage } from '../../model/errors.ts';
import { REPORT_SCHEMA, runtimeWord } from '../../model/names.ts';
import { type FormatOf, REPORT_FORMATS, SWEEP_FORMATS } from '../../model/report/formats.ts';
import { sourceFile } from '../../model/report/recipe.ts';
import type { Emit } from '../../model/run/events.ts';
import type { MissingRuntime } from '../../model/run/runtime.ts';
import { placeOf } from '../../report/print/limits.ts';
import type * as stored from '../../report/stored/stored-reports.ts';
import { groupedBy } from '../../report/text/groups.ts';
import { counted } from '../../report/text/numbers.ts';
import { sharedReport } from '../../value/shape/masking.ts';
import type { AnalyzeSettings, ReportSettings, SweepSettings } from '../options/all.ts';
import { channelsOf, measuredOutputs, type Output, outputsOf } from '../options/shared.ts';
import { CommandFiles, fromRepository, openFolder, openOutputs, printResult } from '../session/output.ts';
import { foundRuntimes, type Session } from '../session/session.ts';
import { headlineOf, sayReasons, type World } from '../session/world.ts';

/** `clone-prof analyze`: a report in each requested format, reasons, and an exit code. */
export async function analyzeInSession(options: AnalyzeSettings, session: Session): Promise<number> {
  const { services, world, progress, signal, cwd, files } = session;
  const { emit: file, one, profile: folder } = options;
  const asked = requestOf(options);
  const printerFor = openPrinter(options, session);
  const inputs = await loadInputs(session, options);
  if (signal.aborted) throw new ToolError('interrupted');
  const known = inputs.sources.map((source) => (source.kind === 'failed' ? source : source.recipe));
  const emitted = { files, samples: one ? inputs.sources.map(sourceFile) : null };
  const codecs = file === null ? null : await emitInto(file, one ? known.slice(0, 1) : known, emitted, world);
  const runtimes = await runtimesFor(session, options, inputs);
  // It is made before anything is measured, so that an error does not waste a measurement.
  const profile = folder === null ? null : openFolder(folder, cwd);
  const request = { ...asked, ...inputs, runtimes, profile, cwd, signal };
  // The costliest site of a recording comes first, which is known only at the end.
  const isRecorded = inputs.sources.some(({ recorded }) => recorded);
  const printer = printerFor(!isRecorded);
  const printed: Promise<void>[] = [];
  const emit: Emit = (event) => {
    progress.listen(event);
    void drawing();
    if (event.type !== 'payload-done') return;
    progress.clear();
    printed.push(printer.payload(event.payload));
  };
  const report = await analyze(request, { ...services.tools, emit });
  await Promise.all(printed);
  const unwritten = await printer.end(report);
  const emitCode = signal.aborted ? EXIT.ok : ((await codecs?.(report)) ?? EXIT.ok);
  await sayReasons(analyzeReasons(report, runtimes.missing), world);
  if (signal.aborted) throw new ToolError('interrupted');
  return exitCodeOf(report, runtimes.missing) || unwritten || emitCode;
}

/** A tenth of a start of `analyze`: it is loaded while the first guest starts. */
const drawing = () => import('../../report/registry.ts');

// Code of one command or option alone is loaded on demand: with sweeps, another tenth.
const storedReports = async (...given: Parameters<typeof stored.storedReports>) =>
  (await import('../../report/stored/stored-reports.ts')).storedReports(...given);
const emitInto = async (...given: Parameters<typeof openEmitted>) =>
  (await import('../../codec/command/codec.ts')).openEmitted(...given);

/** Settings are read by name, because a test fails for settings that are never read. */
function requestOf(settings: AnalyzeSettings) {
  const { channels, sender, exports, transfer, via, budgetMs, totalMs, measure } = settings;
  const { byPath, assumeIntegers, withView, one, seed, timeoutMs } = settings;
  return {
    ...{ sender, exports, transfer, via, budgetMs, totalMs, measure },
    ...{ byPath, assumeIntegers, withView, one, seed, timeoutMs },
    channels: channelsOf(channels),
  };
}

/** Exit 2 for unreadable input, which the user can fix; 3 for a failed run, a missing runtime or an untried rewrite. */
function exitCodeOf({ payloads }: Report, missing: readonly MissingRuntime[]): number {
  if (missing.length > 0) return EXIT.failure;
  const isUsage = (error: RunError | null) => error !== null && isUsageCode(error.code);
  const unreadable = ({ error, runs }: PayloadReport) =>
    isUsage(error) || (runs.length > 0 && runs.every((run) => isUsage(run.error)));
  if (payloads.some(unreadable)) return EXIT.usage;
  const isIncomplete = ({ error, advice }: Run) => error !== null || advice?.untried !== undefined;
  const failed = payloads.some((p) => p.error !== null || p.runs.some(isIncomplete));
  return failed ? EXIT.failure : EXIT.ok;
}

function analyzeReasons({ payloads }: Report, missing: readonly MissingRuntime[]): string[] {
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

const isLive = ({ format, file }: Output<FormatOf<'report'>>) => file === null && format === 'terminal';

/**
 * Opens the outputs, and returns a function that makes their printer. `oneByOne`: on a terminal each payload is printed
 * once it is done. Files, other formats and the table of answers need all of them.
 * @throws ToolError 'usage', 'output-unwritable'
 */
function openPrinter(settings: AnalyzeSettings, session: Session) {
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
        const { drawPayload } = await drawing();
        // The next payload's steps may have drawn their line meanwhile.
        session.progress.clear();
        await printResult(
          (options) => `${between}${drawPayload(payload, { ...options, details, isEmitted })}`,
          world,
        ).catch((error) => failures.push(error));
      },
      /** @returns the exit code of a failed output, or 0 */
      end: async (report: Report): Promise<number> => {
        const { draw, drawAnswers, drawRest } = await drawing();
        return write((one, options) => {
          if (failures.length > 0 && isLive(one)) throw failures[0];
          const { format } = one;
          // An input whose whole error is on stderr already is not printed again.
          const payloads = report.payloads.filter((payload) => !(isLive(one) && isSaid(payload)));
          const seen = { ...report, payloads };
          // stderr already has the whole result.
          if (seen.payloads.length === 0 && report.payloads.length > 0) return '';
          if (live && isLive(one)) {
            const rest = drawRest(seen, { ...options, details });
            return rest === '' || printed === 0 ? rest : `\n${rest}`;
          }
          if (quiet && format === 'terminal') return drawAnswers(seen, options);
          const folder = fromRepository(world, world.cwd());
          // Other formats are stored and shared.
          const written = keys || format === 'terminal' ? seen : sharedReport(seen);
          return draw(written, format, { ...options, folder, details, isEmitted });
        });
      },
    };
  };
}

const UNREADABLE: ReadonlySet<string> = new Set<ErrorCode>([
  ...(['file-missing', 'file-unreadable', 'file-empty', 'not-a-file', 'unknown-input'] as const),
]);

/** True for a file that could not be read: the line on stderr says all that is known of it. */
const isSaid = ({ error }: PayloadReport): boolean => error !== null && UNREADABLE.has(error.code);

/** `clone-prof sweep <payload>`: exit 3 if the original could not be timed at some size. */
export async function runSweep(settings: SweepSettings, session: Session): Promise<number> {
  const { world, cwd, signal } = session;
  const write = openOutputs(measuredOutputs(SWEEP_FORMATS, settings), settings.payloads, session);
  const subject = await subjectOf(session, settings);
  if (signal.aborted) throw new ToolError('interrupted');
  const runtimes = await foundRuntimes(session, settings);
  const { sender, budgetMs, totalMs, timeoutMs, seed } = settings;
  const terms = { sender, budgetMs, totalMs, timeoutMs, seed, channels: channelsOf(settings.channels) };
  const { sweep } = await import('../../sweep/run/sweep.ts');
  const report = await sweep({ ...terms, subject, runtimes, cwd, signal }, toolsOf(session));
  session.progress.clear();
  const { draw } = await drawing();
  const unwritten = await write(({ format }, options) => draw(report, format, options));
  const untimed = sweepReasons(report);
  await sayReasons(untimed, world);
  if (signal.aborted) throw new ToolError('interrupted');
  return runtimes.missing.length > 0 || untimed.length > 0 ? EXIT.failure : unwritten;
}

function sweepReasons({ points }: SweepReport): string[] {
  const untimed = points.filter(
    ({ strategy, roundTrip, error }) =>
      strategy === 'raw' && roundTrip === null && error?.code !== 'interrupted',
  );
  const causes = untimed.map(({ payload, runtime: { name, version }, channel, unit, error, size }) => ({
    place: placeOf({ payload, runtime: `${name}@${version}`, channel }),
    why: `${unit}: ${error === null ? 'no message was timed' : headlineOf(error)}`,
    size,
  }));
  return groupedBy(causes, ({ place, why }) => [place, why]).map(
    ([[place, why], same]) => `${place}: not timed at ${same.map(({ size }) => size).join(', ')} ${why}`,
  );
}

/** `clone-prof report`: stored results, drawn again, joined or compared. It does not measure. */
export async function runReport(settings: ReportSettings, world: World): Promise<number> {
  const { join, emit, formats, output, details, keys } = settings;
  const files = settings.files as [string, ...string[]];
  // If --emit is the only output, just the module is written.
  const isPrinted = emit === null || formats.length > 0 || output.length > 0;
  const outputs = isPrinted ? outputsOf(REPORT_FORMATS, settings) : [];
  const opened = new CommandFiles(world.cwd());
  const write = openOutputs(outputs, files, { files: opened, world });
  const result = await storedReports(files, join, { cwd: world.cwd(), stdin: () => world.stdin });
  const emitted =
    emit === null ? null : await emitInto(emit, advising(result).payloads, { files: opened }, world);
  const folder = fromRepository(world, world.cwd());
  const { draw } = await drawing();
  const unwritten = await write(({ format }, options) => {
    const isShared = !keys && format !== 'terminal' && result.schema === REPORT_SCHEMA;
    const shown = isShared ? sharedReport(result) : result;
    return draw(shown, format, { ...options, folder, details, isEmitted: emit !== null });
  });
  return Math.max(unwritten, emitted === null ? EXIT.ok : await emitted(advising(result)));
}

/** @throws ToolError 'usage' */
function advising(result: stored.StoredResult): Report {
  if (result.schema === REPORT_SCHEMA) return result;
  throw usage('--emit: only a report of clone-prof analyze advises a codec');
}
