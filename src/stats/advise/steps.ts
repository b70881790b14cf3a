/** Ranking of all steps for a payload: rejections, losses, then the largest saving first. */
import type { Traffic, TrafficFinding } from '../../model/documents/recorded/traffic.ts';
import type { PayloadReport, Run, Step } from '../../model/documents/report.ts';
import { groupedBy } from '../../model/sums.ts';
import { carries, LEAST_SAVED_NS } from '../evidence.ts';

/** Minimum saving of a step, as a share of the cost of the site. */
const LEAST_SHARE = 0.05;

/** The most important first. The result depends only on the report, which may be a stored one. */
export function stepsOf({ runs, traffic }: Pick<PayloadReport, 'runs' | 'traffic'>): Step[] {
  const ofRuns = joined(runs.flatMap((run) => runSteps(run, traffic)));
  const ofTraffic = (traffic?.lint ?? []).flatMap((finding) => trafficStep(finding, traffic!, runs));
  return [...ofRuns, ...ofTraffic].sort((a, b) => rank(a) - rank(b) || saved(b) - saved(a));
}

const spec = ({ runtime }: Run): string => `${runtime.name}@${runtime.version}`;

function runSteps(run: Run, traffic: Traffic | undefined): Step[] {
  const { verdict, findings, advice } = run;
  const known = { runtimes: [spec(run)], savesNs: null, savesMs: null };
  const isRejected = verdict?.class === 'rejected';
  const kind = isRejected ? 'rejected' : 'lost';
  const causes = findings.filter(({ level }) => level === (isRejected ? 'rejected' : 'lossy'));
  const steps = causes.map(({ path, rule, what }): Step => {
    // If no rule describes the cause, the engine's message is all that is known.
    const refusal = rule === 'spec/refused' ? verdict?.refusal : undefined;
    const told = isRejected ? refusal : what;
    return { kind, ...known, path, rule, ...(told && { what: told }) };
  });
  if (isRejected && steps.length === 0) steps.push({ kind, ...known, path: '$' });
  if (!isRejected && advice?.action === 'not-the-clone') steps.push({ kind: 'fewer', ...known });
  return [...steps, ...rewriteSteps(run, traffic)];
}

function rewriteSteps(run: Run, traffic: Traffic | undefined): Step[] {
  const { advice, measurement } = run;
  if (advice?.action !== 'apply' || advice.remedy === null) return [];
  const { gain, remedy, path } = advice;
  const share = carries(gain, 'size') ? 1 - gain.ratio : null;
  const savesNs = share === null || measurement === null ? null : share * measurement.roundTrip.median;
  const savesMs = share === null || !traffic?.cost ? null : share * traffic.cost.totalMs;
  if (savesNs !== null && savesNs < LEAST_SAVED_NS) return [];
  if (savesMs !== null && savesMs < leastMs(traffic)) return [];
  return [
    {
      ...{ kind: 'rewrite', runtimes: [spec(run)], path: path ?? '$', remedy },
      ...(gain && { gain }),
      ...{ savesNs, savesMs },
    },
  ];
}

const leastMs = (traffic: Traffic | undefined): number => LEAST_SHARE * (traffic?.cost?.totalMs ?? 0);

function trafficStep({ rule, savesMs }: TrafficFinding, traffic: Traffic, runs: readonly Run[]): Step[] {
  if (savesMs !== null && savesMs < leastMs(traffic)) return [];
  const savesNs = savesMs === null ? null : (savesMs * 1e6) / Math.max(1, traffic.count);
  return [{ kind: 'traffic', traffic: rule, runtimes: runs.map(spec), savesNs, savesMs }];
}

function joined(steps: readonly Step[]): Step[] {
  const groups = groupedBy(steps, ({ kind, path, rule, remedy, what }) =>
    JSON.stringify([kind, path, rule, remedy, what]),
  );
  return [...groups.values()].map((same) => {
    const most = same.reduce((best, step) => (saved(step) > saved(best) ? step : best));
    return { ...most, runtimes: same.flatMap(({ runtimes }) => runtimes) };
  });
}

const saved = ({ savesMs, savesNs }: Step): number => savesMs ?? savesNs ?? 0;

function rank(step: Step): number {
  if (step.kind === 'rejected') return 0;
  if (step.kind === 'lost') return 1;
  if (saved(step) > 0) return 2;
  if (step.kind === 'rewrite') return 3;
  return step.kind === 'traffic' ? 4 : 5;
}
