import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { analyze } from '../../app/analyze.ts';
import { namedMissing } from '../../app/missing-runtimes.ts';
import { wordsOf } from '../../app/wording.ts';
import { toolVersion } from '../../host/tool-version.ts';
import { type ErrorCode, ToolError, USAGE_CODES } from '../../model/errors.ts';
import type { PayloadReport, Report } from '../../model/report.ts';
import type { FoundRuntime } from '../../model/runtime.ts';
import { REPORTERS, terminalMachine, terminalPayload } from '../../reporters/index.ts';
import { interruptible } from '../interrupt.ts';
import { EXIT } from '../main.ts';
import type { AnalyzeOptions } from '../options.ts';
import { lookOf, makeFolder, write, writeOutputFile } from '../output.ts';
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
  const sources = await services.loadSources(options.payloads, { as: options.as, workdir });
  const runtimes = await runtimesFor(options, services, progress, signal);
  const printed: Promise<void>[] = [];
  const report = await analyze(
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
      version: toolVersion(),
      emit: (event) => {
        progress.listen(event);
        if (streams(options) && event.type === 'payload-done') {
          progress.pause();
          printed.push(printPayload(event.payload, world));
        }
      },
    },
  );
  await Promise.all(printed);
  if (streams(options)) await write(world.stdout, terminalMachine(report, lookOf(world.stdout, world.env)));
  else await deliver(report, options, world);
  for (const { error } of runtimes.missing) progress.listen({ type: 'warning', text: error.message });
  if (signal.aborted) return EXIT.interrupted;
  return Math.max(exitCodeOf(report), runtimes.missing.length > 0 ? EXIT.failure : EXIT.ok);
}

/** Made before anything is measured: a folder that cannot be written would be found out last. */
const profileFolder = (shown: string, cwd: string) => ({
  folder: makeFolder(shown, cwd),
  shown: shown.replace(/[\\/]+$/, '') || shown,
});

/** On a terminal each payload is printed as soon as it is done; a file or another format wants the whole report. */
const streams = (options: AnalyzeOptions) => options.format === 'terminal' && options.output === null;

async function runtimesFor(
  options: AnalyzeOptions,
  services: Services,
  progress: Progress,
  signal: AbortSignal,
) {
  const onNote = (text: string) => progress.listen({ type: 'note', text });
  const runtimes = await services.findRuntimes(options.runtimes, {
    offline: options.offline,
    onNote,
    signal,
  });
  const wrong = runtimes.missing.find(({ error }) => USAGE_CODES.has(error.code));
  if (wrong) throw wrong.error;
  if (runtimes.found.length === 0)
    throw runtimes.missing[0]?.error ?? new ToolError('runtime-missing', { value: 'any' });
  return { ...runtimes, found: dedupe(runtimes.found) };
}

function dedupe(found: FoundRuntime[]): FoundRuntime[] {
  return [...new Map(found.map((runtime) => [`${runtime.spec}\n${runtime.binary}`, runtime])).values()];
}

function printPayload(payload: PayloadReport, world: World): Promise<void> {
  return write(world.stdout, `${terminalPayload(payload, lookOf(world.stdout, world.env), wordsOf())}\n`);
}

async function deliver(report: Report, options: AnalyzeOptions, world: World): Promise<void> {
  const look =
    options.output === null ? lookOf(world.stdout, world.env) : { color: false, columns: 100, unicode: true };
  const text = REPORTERS[options.format](report, look, wordsOf());
  if (options.output === null) await write(world.stdout, text);
  else writeOutputFile(options.output, text, world.cwd());
}

/** Input that could not be read is the user's to mend (2); a run that failed could not be measured (3). */
export function exitCodeOf(report: Report): number {
  const unreadable = (payload: PayloadReport) =>
    payload.error !== null && USAGE_CODES.has(payload.error.code as ErrorCode);
  if (report.payloads.some(unreadable)) return EXIT.usage;
  const failed = report.payloads.some(
    (p) => p.error !== null || p.runs.some((run) => run.status === 'failed'),
  );
  return failed ? EXIT.failure : EXIT.ok;
}
