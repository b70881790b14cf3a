/** Sites of a recording that were measured: what they cost, in which order, and which serialization would be faster. */
import { classify } from '../../engines/classify/classify.ts';
import { ENGINES } from '../../engines/index.ts';
import type { RecordedMessages } from '../../model/documents/recorded/recording.ts';
import type { AnalyzedRecording, Traffic, TrafficCost } from '../../model/documents/recorded/traffic.ts';
import type { OtherChannel, PayloadReport, Report, Run } from '../../model/documents/report.ts';
import type { Facts, Shape } from '../../model/documents/shape.ts';
import type { Source } from '../../model/report/recipe.ts';
import { mainRun } from '../../model/report/runs.ts';
import { sumOf } from '../../model/sums.ts';
import { PRIMITIVE_KINDS } from '../../model/vocabulary/shape.ts';
import { stepsOf } from '../../stats/advise/steps.ts';
import { carries, NO_DIFFERENCE } from '../../stats/evidence.ts';
import { shapeBelow, valuePath } from '../envelopes/envelopes.ts';
import { costsOf, lintOf, sendNs } from '../sites/sites.ts';

/** A longer text is content, such as a document or JSON, and not a signal. */
const MAX_TEXT = 64;

const PRIMITIVES: ReadonlySet<string> = new Set(PRIMITIVE_KINDS);
const CONTAINERS: ReadonlySet<string> = new Set(['object', 'array', 'map', 'set']);

type SiteEnvelope = RecordedMessages['envelope'];

export function isSignal(shape: Shape, envelope: SiteEnvelope): boolean {
  const rows = valueRows(shape, envelope);
  return (
    rows.length > 0 &&
    rows.every(({ kind, size }) => {
      const longest = size?.max ?? 0;
      // An empty container lacks rows below it, so its own row decides.
      return CONTAINERS.has(kind) ? longest === 0 : PRIMITIVES.has(kind) && longest <= MAX_TEXT;
    })
  );
}

/** Facts of the value inside the envelope. If the envelope is a list, its own numbers share a row with the value's. */
function valueRows(shape: Shape, envelope: SiteEnvelope): readonly Facts[] {
  if (envelope === null) return shape.patterns;
  const path = valuePath(envelope.library, envelope.direction);
  const value = shapeBelow(shape, path);
  if (value !== null) return value.patterns;
  return path.startsWith('$[') ? shape.patterns.filter(({ pattern }) => pattern !== '$') : [];
}

interface ProcessSite {
  posted: Pick<RecordedMessages, 'from' | 'to' | 'serialization'>;
  cost: TrafficCost | null;
  other: OtherChannel | undefined;
}

const linkOf = ({ posted: { from, to, serialization } }: ProcessSite): string =>
  JSON.stringify([[from, to ?? ''].sort(), serialization ?? 'json']);

const loses = ({ other }: ProcessSite): boolean =>
  other !== undefined && (other.outcome === 'refused' || other.lost.length > 0);

/** Null if this site does not gain, any site of the same child loses something, or all sites together do not gain. */
export function fasterSerialization(site: ProcessSite, all: readonly ProcessSite[]) {
  const { other } = site;
  if (other?.outcome !== 'faster' || !carries(other.ratio, 'size')) return null;
  const link = all.filter((one) => linkOf(one) === linkOf(site));
  if (link.some(loses)) return null;
  let [now, then] = [0, 0];
  for (const { cost, other: one } of link) {
    if (cost?.of !== 'measured' || one?.ratio == null) continue;
    now += cost.totalMs;
    then += cost.totalMs * one.ratio.ratio;
  }
  if (now > 0 && then > NO_DIFFERENCE.from * now) return null;
  return { channel: other.channel, share: other.ratio.ratio };
}

type RecordedPayload = PayloadReport & { traffic: Traffic };

interface RecordedSite extends ProcessSite {
  payload: RecordedPayload;
  posted: Traffic;
  run: Run | null;
}

export function withRecordings(report: Report, sources: readonly Source[]): Report {
  const sites = sources.flatMap((source) => source.recorded ?? []);
  const recordings = new Map(sites.map(({ recording, allNs }) => [recording, allNs]));
  if (recordings.size === 0) return report;
  const finished = [...recordings].map(([recording, allNs]) => finishedRecording(report, recording, allNs));
  const others = report.payloads.filter(({ traffic }) => traffic === undefined);
  return {
    ...report,
    recordings: finished.map(({ recording }) => recording),
    payloads: [...finished.flatMap(({ payloads }) => payloads), ...others],
  };
}

function finishedRecording(report: Report, recording: AnalyzedRecording, allNs: number) {
  const payloads = report.payloads.filter(
    (one): one is RecordedPayload => one.traffic !== undefined && one.source.file === recording.file,
  );
  const leftNs = allNs - sumOf(payloads, ({ traffic }) => sendNs(traffic) ?? 0);
  // Traffic that was not requested, or that an interrupted run did not reach.
  const groups = recording.left.groups - payloads.length;
  const messages = recording.left.messages - sumOf(payloads, ({ traffic }) => traffic.count);
  const runs = payloads.map((payload) => mainRun(payload, recording.runtime));
  const { costs, leftShare } = costsOf(
    payloads.map(({ traffic: posted }, at) => ({ posted, measurement: runs[at]?.measurement ?? null })),
    leftNs,
  );
  const sites = payloads.map((payload, at): RecordedSite => {
    const run = runs[at] ?? null;
    return { payload, posted: payload.traffic, run, cost: costs[at] ?? null, other: run?.otherChannel };
  });
  const finished = sites.map((site) => {
    const { payload, posted, cost } = site;
    const lint = lintOf(posted, lintContext(site, sites, recording));
    const runs = payload.runs.map((run) => withBare(run, posted));
    const traffic = { ...posted, cost, lint };
    return { ...payload, traffic, steps: stepsOf({ runs, traffic }), runs };
  });
  // Measured sites come first: the duration of the call alone is a different kind of cost.
  const rank = ({ traffic: { cost } }: RecordedPayload) =>
    cost === null ? -1 : cost.share + (cost.of === 'measured' ? 1 : 0);
  return {
    recording: { ...recording, left: { groups, messages, share: leftShare } },
    payloads: finished.sort((a, b) => rank(b) - rank(a)),
  };
}

function lintContext(site: RecordedSite, sites: readonly RecordedSite[], { runtime }: AnalyzedRecording) {
  const { posted, run, cost } = site;
  const { runs } = site.payload;
  const shape = runs.find((one) => one.shape !== null)?.shape ?? null;
  return {
    ...{ cost, measurement: run?.measurement ?? null, faster: fasterSerialization(site, sites) },
    isSignal: shape !== null && isSignal(shape, posted.envelope),
    isLike: run?.runtime.engine === (posted.runtime ?? runtime)?.engine,
    hasRewrite: runs.some(({ advice }) => advice?.action === 'apply' && advice.remedy !== null),
  };
}

function withBare(run: Run, { envelope }: Traffic): Run {
  if (!envelope || run.shape === null) return run;
  const { library, direction } = envelope;
  const shape = run.via ? run.via.shape : shapeBelow(run.shape, valuePath(library, direction));
  if (shape === null) return run;
  const { runtime, channel } = run;
  const { verdict } = classify(shape, ENGINES[runtime.engine], { runtime, channel });
  return { ...run, bare: { class: verdict.class, path: verdict.path } };
}
