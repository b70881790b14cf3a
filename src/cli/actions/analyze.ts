import { analyze } from '../../app/analyze/analyze.ts';
import { ToolError } from '../../model/errors.ts';
import { EXIT } from '../../model/exit-codes.ts';
import type { Source } from '../../model/report/recipe.ts';
import { REPORT_FORMATS } from '../../model/report/render-options.ts';
import type { Emit } from '../../model/run/events.ts';
import { loadInputs, runtimesFor } from '../../services/analysis.ts';
import { fetchOptions, type Services } from '../../services/services.ts';
import type { AnalyzeSettings } from '../options/analyze.ts';
import { measuredOutputs } from '../options/outputs.ts';
import { channelsOf, namesOrAll } from '../options/shared.ts';
import { exitCodeOfReport, sayReasons } from '../session/exit.ts';
import { openDestinations } from '../session/output.ts';
import { makeFolder } from '../session/output-file.ts';
import { type Session, withSession } from '../session/session.ts';
import type { World } from '../session/world.ts';
import { openEmitted } from './emit.ts';

/** `clone-prof analyze`: prints the report, which determines the exit code. */
export const runAnalyze = (options: AnalyzeSettings, world: World, services: Services): Promise<number> =>
  withSession(services, world, (session) => {
    if (options.channels.includes('ipc')) session.progress.listen({ type: 'note', text: IPC_NOTE });
    if (options.channels.includes('storage') && options.tries.length === 0 && options.measure)
      session.progress.listen({ type: 'note', text: STORAGE_NOTE });
    return analyzeInSession(session, options);
  });

const IPC_NOTE =
  "-c ipc is two channels: ipc-json, the default of fork, and ipc-advanced, { serialization: 'advanced' }";

const STORAGE_NOTE =
  'JSON text and a compiled codec are timed beside v8.serialize; --try msgpackr cbor-x adds these, where the project has them';

async function analyzeInSession(session: Session, options: AnalyzeSettings): Promise<number> {
  const { services, world, progress, signal, cwd } = session;
  const { payloads, runtimes: specs, quiet, details, keys } = options;
  session.files.reads(payloads);
  const destinations = openDestinations(measuredOutputs(REPORT_FORMATS, options), session.files, world);
  const inputs = await loadInputs(payloads, options, session);
  const hasRecording = inputs.sources.some(({ recorded }) => recorded);
  if (signal.aborted) throw new ToolError('interrupted');
  const emitted = emittedFor(options, inputs.sources, session);
  const runtimes = await runtimesFor(specs, inputs, services, fetchOptions(session, options));
  const printed: Promise<void>[] = [];
  const emit: Emit = (event) => {
    progress.listen(event);
    // The costliest site of a recording comes first, which is known only at the end.
    if (event.type !== 'payload-done' || hasRecording) return;
    progress.pause();
    printed.push(printing.then(({ printer }) => printer.payload(event.payload)));
  };
  const request = { ...measuring(options), ...inputs, runtimes, cwd, signal };
  const analyzed = analyze({ ...request, profile: profileFolder(options, cwd) }, { ...services.tools, emit });
  // The reporters load while the guest starts: their packages for measuring text take about the same time.
  const printing = import('./analyze-print.ts').then(({ printerFor, analyzeReasons }) => {
    const printer = printerFor(destinations, world, { oneByOne: !hasRecording, quiet, details, keys });
    return { printer, analyzeReasons };
  });
  const report = await analyzed;
  await Promise.all(printed);
  const { printer, analyzeReasons } = await printing;
  const unwritten = await printer.end(report);
  const emitCode = signal.aborted ? EXIT.ok : ((await emitted?.write(report)) ?? EXIT.ok);
  await sayReasons(analyzeReasons(report, runtimes.missing), world);
  if (signal.aborted) throw new ToolError('interrupted');
  const failed = Math.max(exitCodeOfReport(report), runtimes.missing.length > 0 ? EXIT.failure : EXIT.ok);
  return failed || unwritten || emitCode;
}

/** Settings are read by name, because a test fails for settings that are never read. */
const measuring = (settings: AnalyzeSettings) => ({
  channels: channelsOf(settings.channels),
  sender: settings.sender ?? undefined,
  exports: namesOrAll(settings.exports),
  transfer: settings.transfer,
  via: settings.via,
  budgetMs: settings.budgetMs,
  totalMs: settings.totalMs,
  measure: settings.measure,
  byPath: settings.byPath,
  assumeIntegers: settings.assumeIntegers,
  withView: settings.withView,
  one: settings.one,
  seed: settings.seed,
  timeoutMs: settings.timeoutMs,
});

/** The files of `--emit`; null if it was not typed. */
function emittedFor({ emit, one }: AnalyzeSettings, sources: readonly Source[], session: Session) {
  if (emit === null) return null;
  const ids = sources.map((source) => ({ id: source.kind === 'failed' ? source.id : source.recipe.id }));
  return openEmitted(emit, one ? ids.slice(0, 1) : ids, { files: session.files, areOne: one }, session.world);
}

/** The folder is made before anything is measured, so that an error does not waste a measurement. */
const profileFolder = ({ profile: shown }: AnalyzeSettings, cwd: string) =>
  shown === null ? null : { folder: makeFolder(shown, cwd), shown: shown.replace(/[\\/]+$/, '') || shown };
