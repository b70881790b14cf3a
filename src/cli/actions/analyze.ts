import { analyze } from '../../app/analyze/analyze.ts';
import { finished } from '../../app/analyze/recorded/finished.ts';
import { atLeastOne } from '../../app/found-runtimes.ts';
import { ToolError } from '../../model/errors.ts';
import type { Source } from '../../model/report/recipe.ts';
import type { Services } from '../../services/services.ts';
import type { AnalyzeOptions } from '../options/analyze.ts';
import { refuseWithoutRecording } from '../options/sites.ts';
import { EXIT, exitCodeOfReport } from '../session/exit-code.ts';
import { openDestinations } from '../session/output.ts';
import { makeFolder } from '../session/output-file.ts';
import { sayReasons } from '../session/reasons.ts';
import { fetchOptions, type Session, withSession } from '../session/session.ts';
import type { World } from '../session/world.ts';
import { runtimesFor } from './recorded-runtimes.ts';

/** `clone-prof analyze`: prints the report; the exit code follows from it. */
export const runAnalyze = (options: AnalyzeOptions, services: Services, world: World): Promise<number> =>
  withSession(services, world, (session) => {
    if (options.isEveryIpc) session.progress.listen({ type: 'note', text: IPC_NOTE });
    return analyzeInSession(session, options);
  });

const IPC_NOTE =
  "-c ipc is two channels: ipc-json, the default of fork, and ipc-advanced, { serialization: 'advanced' }";

async function analyzeInSession(session: Session, options: AnalyzeOptions): Promise<number> {
  const { services, world, progress, signal, workdir } = session;
  const destinations = openDestinations(options.outputs, options.payloads, world);
  const { as, payloads } = options;
  const sources = await services.loadSources(payloads, { as, workdir, signal, recordings: options });
  refuseWithoutRecording(
    options,
    sources.some(({ recorded, kind }) => recorded || kind === 'failed'),
  );
  if (options.one && sources.some(({ recorded }) => recorded))
    throw new ToolError('usage', { detail: '--one is for samples of one payload. A recording has many' });
  const tries = await services.loadTries(options.tries, { workdir });
  if (signal.aborted) throw new ToolError('interrupted');
  const emitted = await emittedFor(options, sources, world);
  const fetching = fetchOptions(session, options, sources, tries.length > 0);
  const runtimes = await runtimesFor(options.runtimes, sources, services, fetching);
  const { found, missing, visitors } = atLeastOne(runtimes);
  const profile = options.profile === null ? null : profileFolder(options.profile, world.cwd());
  // What costs most comes first, which is known at the end.
  const isRanked = sources.some(({ recorded }) => recorded);
  const printed: Promise<void>[] = [];
  const analyzed = analyze(
    { ...options, tries, profile, sources, runtimes: found, missing, cwd: world.cwd(), signal },
    {
      ...services.tools,
      emit: (event) => {
        progress.listen(event);
        visitors?.show(event);
        if (event.type !== 'payload-done' || isRanked) return;
        progress.pause();
        printed.push(printing.then((printer) => printer.payload(event.payload)));
      },
    },
  );
  // The reporters load while the guest starts, which takes longer.
  const printing = import('./analyze-print.ts').then(({ printerFor }) =>
    printerFor(destinations, world, { oneByOne: !isRanked, quiet: options.quiet }),
  );
  const report = await finished(await analyzed, sources);
  await Promise.all([...printed, visitors?.end()]);
  const unwritten = await (await printing).end(report);
  const emitCode = signal.aborted ? EXIT.ok : ((await emitted?.write(report)) ?? EXIT.ok);
  const { analyzeReasons } = await import('./analyze-reasons.ts');
  await sayReasons(analyzeReasons(report, missing), world);
  if (signal.aborted) throw new ToolError('interrupted');
  const failed = Math.max(exitCodeOfReport(report), missing.length > 0 ? EXIT.failure : EXIT.ok);
  return failed || unwritten || emitCode;
}

/** Loaded only where it is asked for. */
async function emittedFor({ emit, payloads, one }: AnalyzeOptions, sources: readonly Source[], world: World) {
  if (emit === null) return null;
  const { openEmitted } = await import('./emit.ts');
  const ids = sources.map((source) => ({ id: source.kind === 'failed' ? source.id : source.recipe.id }));
  return openEmitted(emit, one ? ids.slice(0, 1) : ids, { inputs: payloads, areOne: one }, world);
}

/** Made before anything is measured: that a folder cannot be written must not be found out at the end. */
const profileFolder = (shown: string, cwd: string) => ({
  folder: makeFolder(shown, cwd),
  shown: shown.replace(/[\\/]+$/, '') || shown,
});
