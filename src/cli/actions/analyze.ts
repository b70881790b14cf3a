import { analyze } from '../../app/analyze/analyze.ts';
import { atLeastOne } from '../../app/found-runtimes.ts';
import { ToolError } from '../../model/errors.ts';
import type { Services } from '../../services.ts';
import { EXIT, exitCodeOfReport } from '../exit-code.ts';
import type { AnalyzeOptions } from '../options/analyze.ts';
import { makeFolder } from '../output.ts';
import { fetchOptions, type Session, withSession } from '../session.ts';
import type { World } from '../world.ts';

/** `clone-prof analyze`: prints the report; the exit code follows from it. */
export const runAnalyze = (options: AnalyzeOptions, services: Services, world: World): Promise<number> =>
  withSession(services, world, (session) => analyzeIn(session, options));

async function analyzeIn(session: Session, options: AnalyzeOptions): Promise<number> {
  const { services, world, progress, signal, workdir } = session;
  const sources = await services.loadSources(options.payloads, { as: options.as, workdir, signal });
  if (signal.aborted) throw new ToolError('interrupted');
  const fetching = fetchOptions(session, options, sources);
  const { found, missing } = atLeastOne(await services.findRuntimes(options.runtimes, fetching));
  const profile = options.profile === null ? null : profileFolder(options.profile, world.cwd());
  const printed: Promise<void>[] = [];
  const analyzed = analyze(
    { ...options, profile, sources, runtimes: found, missing, cwd: world.cwd(), signal },
    {
      ...services.tools,
      emit: (event) => {
        progress.listen(event);
        if (event.type !== 'payload-done') return;
        progress.pause();
        printed.push(printing.then((printer) => printer.payload(event.payload)));
      },
    },
  );
  // The reporters load while the guest starts, which takes longer.
  const printing = import('./analyze-print.ts').then(({ printerFor }) => printerFor(options, world));
  const report = await analyzed;
  await Promise.all(printed);
  await (await printing).end(report);
  for (const { error } of missing) progress.listen({ type: 'warning', text: error.message });
  if (signal.aborted) return EXIT.interrupted;
  return Math.max(exitCodeOfReport(report), missing.length > 0 ? EXIT.failure : EXIT.ok);
}

/** Made before anything is measured: that a folder cannot be written must not be found out at the end. */
const profileFolder = (shown: string, cwd: string) => ({
  folder: makeFolder(shown, cwd),
  shown: shown.replace(/[\\/]+$/, '') || shown,
});
