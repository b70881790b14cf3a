import { sweep } from '../../app/sweep/sweep.ts';
import type { SweepReport } from '../../model/documents/sweep.ts';
import { ToolError } from '../../model/errors.ts';
import { EXIT } from '../../model/exit-codes.ts';
import { SWEEP_FORMATS } from '../../model/vocabulary/sweep.ts';
import { placeOf } from '../../reporters/print/limits.ts';
import { draw } from '../../reporters/registry.ts';
import { groupedBy } from '../../reporters/text/groups.ts';
import { reportWords } from '../../rule-book/wording.ts';
import { type Services, toolsOf } from '../../services/services.ts';
import { sourcesOf, subjectOf } from '../../services/sweep.ts';
import { measuredOutputs } from '../options/outputs.ts';
import { channelsOf, namesOrAll } from '../options/shared.ts';
import type { SweepSettings } from '../options/sweep.ts';
import { headlineOf, sayReasons } from '../session/exit.ts';
import { openDestinations, writeEach } from '../session/output.ts';
import { foundRuntimes, type Session, withSession } from '../session/session.ts';
import type { World } from '../session/world.ts';

/** `clone-prof sweep <payload>`: exit 3 if the original could not be timed at some size. */
export const runSweep = (settings: SweepSettings, world: World, services: Services): Promise<number> =>
  withSession(services, world, async (session) => {
    session.files.reads(settings.payloads);
    const destinations = openDestinations(measuredOutputs(SWEEP_FORMATS, settings), session.files, world);
    const { report, missing } = await swept(session, settings);
    session.progress.stop();
    const unwritten = await writeEach(
      destinations,
      ({ format }, options) => draw(report, format, options, reportWords()),
      world,
    );
    const untimed = sweepReasons(report);
    await sayReasons(untimed, world);
    if (session.signal.aborted) throw new ToolError('interrupted');
    return missing || untimed.length > 0 ? EXIT.failure : unwritten;
  });

async function swept(session: Session, settings: SweepSettings) {
  const { preset, payloads, as, exports, via, by, scale, steps, timeoutMs } = settings;
  const subject = await subjectOf(session, {
    ...{ preset, payloads, as, by, scale, steps, timeoutMs },
    exports: namesOrAll(exports),
    via: via === null ? [] : [via],
  });
  if (session.signal.aborted) throw new ToolError('interrupted');
  const { cwd, signal } = session;
  const runtimes = await foundRuntimes(session, settings.runtimes, settings, sourcesOf(subject));
  const report = await sweep(
    {
      ...{ subject, runtimes, timeoutMs, cwd, signal },
      channels: channelsOf(settings.channels),
      sender: settings.sender ?? undefined,
      budgetMs: settings.budgetMs,
      totalMs: settings.totalMs,
      seed: settings.seed,
    },
    toolsOf(session),
  );
  return { report, missing: runtimes.missing.length > 0 };
}

/** Sizes without a time of the original, in one line per cause. */
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
