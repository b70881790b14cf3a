import { subjectOf } from '../../app/world/analysis.ts';
import { toolsOf } from '../../app/world/services.ts';
import type { SweepSettings } from '../../cli/options/all.ts';
import { channelsOf, measuredOutputs } from '../../cli/options/shared.ts';
import { openOutputs } from '../../cli/session/output.ts';
import { foundRuntimes, type Session } from '../../cli/session/session.ts';
import { headlineOf, sayReasons } from '../../cli/session/world.ts';
import type { SweepReport } from '../../model/documents/sweep.ts';
import { EXIT, ToolError } from '../../model/errors.ts';
import { SWEEP_FORMATS } from '../../model/report/formats.ts';
import { placeOf } from '../../report/print/limits.ts';
import { draw } from '../../report/registry.ts';
import { groupedBy } from '../../report/text/groups.ts';
import { sweep } from '../run/sweep.ts';

/** `clone-prof sweep <payload>`: exit 3 if the original could not be timed at some size. */
export async function runSweep(settings: SweepSettings, session: Session): Promise<number> {
  const { world, cwd, signal } = session;
  const write = openOutputs(measuredOutputs(SWEEP_FORMATS, settings), settings.payloads, session);
  const subject = await subjectOf(session, settings);
  if (signal.aborted) throw new ToolError('interrupted');
  const runtimes = await foundRuntimes(session, settings);
  const { sender, budgetMs, totalMs, timeoutMs, seed } = settings;
  const terms = { sender, budgetMs, totalMs, timeoutMs, seed, channels: channelsOf(settings.channels) };
  const report = await sweep({ ...terms, subject, runtimes, cwd, signal }, toolsOf(session));
  session.progress.clear();
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
