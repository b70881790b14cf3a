import { sweep } from '../../app/sweep/sweep.ts';
import type { SweepPoint, SweepReport } from '../../model/documents/sweep.ts';
import { ToolError } from '../../model/errors.ts';
import { EXIT } from '../../model/exit-codes.ts';
import type { RenderOptions } from '../../model/report/render-options.ts';
import { SWEEP_FORMATS, type SweepFormat } from '../../model/vocabulary/sweep.ts';
import { placeOf } from '../../reporters/print/gate/check-results.ts';
import { drawing } from '../../reporters/registry.ts';
import { groupedBy } from '../../reporters/text/grouped.ts';
import { reportWords } from '../../rule-book/wording.ts';
import { type Services, toolsOf } from '../../services/services.ts';
import { sourcesOf, subjectOf } from '../../services/sweep.ts';
import { measuredOutputs } from '../options/outputs.ts';
import { channelsOf, namesOrAll } from '../options/shared.ts';
import type { SweepSettings } from '../options/sweep.ts';
import { headlineOf, sayReasons } from '../session/exit.ts';
import { type Destination, openDestinations, writeEach } from '../session/output.ts';
import { foundRuntimes, type Session, withSession } from '../session/session.ts';
import type { World } from '../session/world.ts';

/** `clone-prof sweep <payload>`: exit 3 if the original could not be timed at some size. */
export const runSweep = (settings: SweepSettings, world: World, services: Services): Promise<number> =>
  withSession(services, world, async (session) => {
    session.files.reads(settings.payloads);
    const destinations = openDestinations(measuredOutputs(SWEEP_FORMATS, settings), session.files, world);
    const { report, missing } = await swept(session, settings);
    session.progress.stop();
    const drawOf = async ({ format }: Destination<SweepFormat>) => {
      const draw = drawing(report, format);
      return (renderOptions: RenderOptions) => draw(renderOptions, reportWords());
    };
    const unwritten = await writeEach(destinations, drawOf, world);
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

const placeOfPoint = ({ payload, runtime: { name, version }, channel }: SweepPoint) =>
  placeOf({ payload, runtime: `${name}@${version}`, channel });

const whyOf = ({ error }: SweepPoint) => (error === null ? 'no message was timed' : headlineOf(error));

/** Sizes without a time of the original, in one line per cause. */
function sweepReasons({ points }: SweepReport): string[] {
  const untimed = points.filter(
    ({ strategy, roundTrip, error }) =>
      strategy === 'raw' && roundTrip === null && error?.code !== 'interrupted',
  );
  const groups = groupedBy(untimed, (point) => JSON.stringify([placeOfPoint(point), whyOf(point)]));
  return [...groups.values()].map((same) => {
    const [first] = same as [SweepPoint];
    const sizes = same.map(({ size }) => size).join(', ');
    return `${placeOfPoint(first)}: not timed at ${sizes} ${first.unit}: ${whyOf(first)}`;
  });
}
