import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Subject } from '../../app/sweep/request.ts';
import { sweep } from '../../app/sweep/sweep.ts';
import { toolVersion } from '../../machine/tool-version.ts';
import { ToolError } from '../../model/errors.ts';
import type { SweepReport } from '../../model/sweep.ts';
import { sweepJson } from '../../reporters/sweep-json.ts';
import { terminalSweep } from '../../reporters/terminal/sweep.ts';
import { chosenRuntimes } from '../chosen-runtimes.ts';
import { interruptible } from '../interrupt.ts';
import { EXIT } from '../main.ts';
import { lookOf, write, writeOutputFile } from '../output.ts';
import { createProgress, type Progress } from '../progress.ts';
import type { Services } from '../services.ts';
import type { SweepOptions } from '../sweep-options.ts';
import type { World } from '../world.ts';

/** `clone-prof sweep <payload>`: exit 3 when the payload as it is could not be timed at some size. */
export async function runSweep(options: SweepOptions, services: Services, world: World): Promise<number> {
  const workdir = mkdtempSync(join(tmpdir(), 'clone-prof-'));
  const progress = createProgress(world);
  try {
    return await interruptible(world, async (signal) => {
      const { report, missing } = await sweepIn(workdir, options, services, world, progress, signal);
      progress.stop();
      await deliver(report, options, world);
      if (signal.aborted) return EXIT.interrupted;
      return missing || report.points.some(isUntimed) ? EXIT.failure : EXIT.ok;
    });
  } finally {
    progress.stop();
    rmSync(workdir, { recursive: true, force: true });
  }
}

const isUntimed = ({ strategy, roundTrip }: SweepReport['points'][number]) =>
  strategy === 'raw' && roundTrip === null;

async function sweepIn(
  workdir: string,
  options: SweepOptions,
  services: Services,
  world: World,
  progress: Progress,
  signal: AbortSignal,
): Promise<{ report: SweepReport; missing: boolean }> {
  const onNote = (text: string) => progress.listen({ type: 'note', text });
  const subject = await subjectOf(options, services, workdir, signal);
  if (signal.aborted) throw new ToolError('interrupted');
  const fetching = { offline: options.offline, onNote, signal };
  const { found: runtimes, missing } = await chosenRuntimes(options.runtimes, fetching, services);
  for (const { error } of missing) progress.listen({ type: 'warning', text: error.message });
  const { channels, budgetMs, timeoutMs, seed } = options;
  const report = await sweep(
    { subject, runtimes, channels, budgetMs, timeoutMs, seed, cwd: world.cwd(), signal },
    {
      driver: services.driver,
      now: services.now,
      machine: services.machine,
      version: toolVersion(),
      emit: progress.listen,
    },
  );
  return { report, missing: missing.length > 0 };
}

async function subjectOf(
  { preset, payloads, as, exports, via, by, scale, steps }: SweepOptions,
  services: Services,
  workdir: string,
  signal: AbortSignal,
): Promise<Subject> {
  if (preset) return { kind: 'preset', preset };
  const sources = await services.loadSources(payloads, { as, workdir, signal });
  return { kind: 'payload', sources, exports, via, by, scale, steps };
}

async function deliver(report: SweepReport, { format, output }: SweepOptions, world: World): Promise<void> {
  const look =
    output === null ? lookOf(world.stdout, world.env) : { color: false, columns: 100, unicode: true };
  const text = format === 'json' ? sweepJson(report) : terminalSweep(report, look);
  if (output === null) await write(world.stdout, text);
  else writeOutputFile(output, text, world.cwd());
}
