import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { analyze } from '../../app/analyze/analyze.ts';
import { namedMissing } from '../../app/analyze/missing-runtimes.ts';
import { toolVersion } from '../../machine/tool-version.ts';
import { type ErrorCode, ToolError, USAGE_CODES } from '../../model/errors.ts';
import type { PayloadReport, Report, RunError } from '../../model/report.ts';
import { chosenRuntimes } from '../chosen-runtimes.ts';
import { interruptible } from '../interrupt.ts';
import { EXIT } from '../main.ts';
import type { AnalyzeOptions } from '../options.ts';
import { makeFolder } from '../output.ts';
import { createProgress, type Progress } from '../progress.ts';
import type { Services } from '../services.ts';
import type { World } from '../world.ts';

/** `clone-prof analyze`: gathers what the app needs, prints what it says, turns the report into an exit code. */
export async function runAnalyze(options: AnalyzeOptions, services: Services, world: World): Promise<number> {
  const workdir = mkdtempSync(join(tmpdir(), 'clone-prof-'));
  const progress = createProgress(world);
  try {
    return await interruptible(world, (signal) =>
      analyzeIn(workdir, options, services, world, progress, signal),
    );
  } finally {
    progress.stop();
    rmSync(workdir, { recursive: true, force: true });
  }
}

async function analyzeIn(
  workdir: string,
  options: AnalyzeOptions,
  services: Services,
  world: World,
  progress: Progress,
  signal: AbortSignal,
): Promise<number> {
  const sources = await services.loadSources(options.payloads, { as: options.as, workdir, signal });
  if (signal.aborted) throw new ToolError('interrupted');
  const runtimes = await runtimesFor(options, services, progress, signal);
  const printed: Promise<void>[] = [];
  const analyzed = analyze(
    {
      ...options,
      profile: options.profile === null ? null : profileFolder(options.profile, world.cwd()),
      sources,
      runtimes: runtimes.found,
      missing: namedMissing(runtimes.missing),
      cwd: world.cwd(),
      signal,
    },
    {
      driver: services.driver,
      now: services.now,
      machine: services.machine,
      ...(services.contention ? { contention: services.contention } : {}),
      version: toolVersion(),
      emit: (event) => {
        progress.listen(event);
        if (event.type === 'payload-done') {
          progress.pause();
          printed.push(printing.then((printer) => printer.payload(event.payload)));
        }
      },
    },
  );
  // The reporters load while the guest starts, which takes longer.
  const printing = import('./analyze-print.ts').then(({ printerFor }) => printerFor(options, world));
  const report = await analyzed;
  await Promise.all(printed);
  await (await printing).end(report);
  for (const { error } of runtimes.missing) progress.listen({ type: 'warning', text: error.message });
  if (signal.aborted) return EXIT.interrupted;
  return Math.max(exitCodeOf(report), runtimes.missing.length > 0 ? EXIT.failure : EXIT.ok);
}

/** Made before anything is measured: a folder that cannot be written would be found out last. */
const profileFolder = (shown: string, cwd: string) => ({
  folder: makeFolder(shown, cwd),
  shown: shown.replace(/[\\/]+$/, '') || shown,
});

function runtimesFor(options: AnalyzeOptions, services: Services, progress: Progress, signal: AbortSignal) {
  const onNote = (text: string) => progress.listen({ type: 'note', text });
  return chosenRuntimes(options.runtimes, { offline: options.offline, onNote, signal }, services);
}

/** Input that could not be read is the user's to mend (2); a run that failed could not be measured (3). */
export function exitCodeOf(report: Report): number {
  const isUsage = (error: RunError | null) => error !== null && USAGE_CODES.has(error.code as ErrorCode);
  const unreadable = ({ error, runs }: PayloadReport) =>
    isUsage(error) || (runs.length > 0 && runs.every((run) => isUsage(run.error)));
  if (report.payloads.some(unreadable)) return EXIT.usage;
  const failed = report.payloads.some(
    (p) => p.error !== null || p.runs.some((run) => run.status === 'failed'),
  );
  return failed ? EXIT.failure : EXIT.ok;
}
