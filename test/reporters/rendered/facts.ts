/** The facts of a report that a reader must find in every format, read from the report itself. */

import { lackText } from '../../../src/core/evidence.ts';
import type { Finding } from '../../../src/model/documents/classification.ts';
import type { PayloadReport, Report, Run } from '../../../src/model/documents/report.ts';
import type { Advice, Trial } from '../../../src/model/documents/trial.ts';
import { count, gainInterval, percent, ratio, speed, time } from '../../../src/reporters/text/numbers.ts';
import { foldedPath } from '../../../src/reporters/text/paths.ts';
import { FROZEN_WORDS as WORDS } from '../frozen/words.ts';
import { type Fact, recordingFacts, trafficFacts } from './recorded-facts.ts';

export type { Fact } from './recorded-facts.ts';

const UNKNOWNS: Record<string, string> = {
  'share-or-copy': 'whether the string is shared or copied',
  'delete-history': 'whether a property was ever deleted from it, which costs the fast path',
};

/** Longer lists end in a count. */
const MAX_SHOWN = 8;

const listed = (facts: readonly Fact[], what: string): Fact[] => {
  const rest = facts.length - MAX_SHOWN;
  return [...facts.slice(0, MAX_SHOWN), ...(rest > 0 ? [`and ${rest} more ${what}`] : [])];
};

const linesOf = (text: string) => text.split(/\r?\n/).map((line) => line.trim());

const times = (seen: number) => (seen > 1 ? ` ${count(seen)}×` : '');

export function reportFacts({ recordings = [], payloads, machine, seed, tool }: Report): Fact[] {
  const none = payloads.length === 0 ? ['No payloads.'] : [];
  return [
    ...[...none, machine.cpu, `seed ${seed}`, tool.version, ...payloads.flatMap(payloadFacts)],
    ...recordings.flatMap(recordingFacts),
  ];
}

function payloadFacts({ id, source, error, stands, traffic, runs }: PayloadReport): Fact[] {
  return [
    id,
    source.file,
    ...(source.export === null ? [] : [`export ${source.export}`]),
    ...(stands === undefined ? [] : [`stands for ${count(stands)} messages`]),
    ...(error === null ? [] : linesOf(error.message)),
    ...(traffic ? trafficFacts(id, traffic) : []),
    ...runs.flatMap((run) => [...sharedFacts(run), ...(runs.length > 1 ? comparedFacts(run) : [])]),
  ];
}

const label = ({ runtime }: Run) => `${runtime.name} ${runtime.version}`;

/** A row of the answer, and the heading of its findings, which several versions may share. */
function comparedFacts(run: Run): Fact[] {
  const { measurement, verdict, advice } = run;
  const median = measurement ? [time(measurement.roundTrip.median)] : [];
  const remedy = advice?.action === 'apply' ? [advice.remedy ?? ''] : [];
  const contradicted = verdict?.confirmed === false ? ['contradicted by the engine'] : [];
  return [
    [label(run), ...median, ...remedy],
    [run.runtime.version, verdict?.class ?? 'failed', ...contradicted],
  ];
}

/** What a section says of each of its runs, whether it has one or several. */
function sharedFacts(run: Run): Fact[] {
  return [
    run.runtime.version,
    run.channel,
    ...(run.error === null ? [] : [run.error.path ?? '', ...linesOf(run.error.message)]),
    ...verdictFacts(run),
    ...causeFacts(run),
    ...untriedFacts(run),
    ...run.trials.map(trialName),
    ...listed(run.trials.flatMap(trialNotes), 'notes'),
    ...noteFacts(run),
    ...profileFacts(run),
  ];
}

/** What only the section of a single run can say. */
export function singleRunFacts(run: Run): Fact[] {
  const { measurement } = run;
  return [
    label(run),
    ...(measurement ? timeFacts(measurement) : []),
    ...run.trials.flatMap(trialRow),
    ...adviceFacts(run),
    ...gainFacts(run.advice),
    ...possibleGainFacts(run),
  ];
}

const CONFIRMED = { true: 'Confirmed by the engine', false: ', confirmed by the engine' };

function verdictFacts({ verdict, runtime }: Run): Fact[] {
  if (verdict === null) return ['failed'];
  const { path, aspired, confirmed, refusal, upgrade } = verdict;
  const title = WORDS.paths[runtime.engine][path]?.title;
  return [
    verdict.class,
    ...(path === 'rejected' ? [] : [`Path: ${path}${title === undefined ? '' : ` (${title})`}`]),
    ...(confirmed === true && refusal === undefined ? [CONFIRMED[`${path === 'rejected'}`]] : []),
    ...(confirmed === false ? [`Contradicted by the engine: the rule book is wrong about ${path}`] : []),
    ...(confirmed === false ? [`${verdict.class}, contradicted by the engine`] : []),
    ...(aspired === null ? [] : [`below: ${aspired}`]),
    ...(refusal === undefined ? [] : [refusal.split('\n')[0] ?? '']),
    ...(upgrade === null ? [] : [`${upgrade.since} and newer take the ${upgrade.path} path`]),
  ];
}

function causeFacts({ verdict, findings }: Run): Fact[] {
  const blockers = verdict?.blockers ?? [];
  const isBlocker = ({ rule, path }: Finding) =>
    blockers.some((blocker) => blocker.rule === rule && blocker.path === path);
  const place = (finding: Finding, prefix = '') => {
    const { rule, path, what, count: seen } = finding;
    const title = WORDS.rules[rule]?.title ?? rule;
    const named = what === undefined || title.includes(what) ? title : `${title} (${what})`;
    return `${foldedPath(path)} ${prefix}${named}${times(seen)}`;
  };
  const others = findings.filter((finding) => !isBlocker(finding));
  const explained = blockers.flatMap(({ rule }) => [
    WORDS.rules[rule]?.why ?? '',
    WORDS.rules[rule]?.fix ?? '',
  ]);
  const unknowns = (verdict?.unknowns ?? []).map(
    ({ what, path, count: seen }) => `${path} ${UNKNOWNS[what] ?? what}${times(seen)}`,
  );
  return [
    ...listed(
      findings.filter(isBlocker).map((finding) => place(finding)),
      'places',
    ),
    ...explained,
    ...listed(
      others.map((finding) => place(finding, finding.level === 'lossy' ? 'changed on arrival: ' : '')),
      'places',
    ),
    ...listed(unknowns, 'places'),
  ];
}

const untriedFacts = ({ advice }: Run): Fact[] =>
  (advice?.untried ?? []).flatMap((one) => [one.remedy, one.reason]);

function adviceFacts({ advice, verdict }: Run): Fact[] {
  const isRejected = verdict?.class === 'rejected';
  if (advice === null) return isRejected ? ['cannot be posted'] : [];
  const { action, remedy, code } = advice;
  // A sentence may begin with the title.
  const title = WORDS.remedies[remedy ?? '']?.title.slice(1) ?? remedy ?? '';
  const texts = {
    apply: title,
    nothing: 'Post it as it is: no rewrite',
    'not-the-clone': 'The clone is not what is slow',
    unsure: isRejected ? 'cannot be posted' : 'Not decided',
    'not-tried': 'Not known',
  };
  const more = [
    ...(advice.costs ?? []),
    ...(advice.obstacle ? [advice.obstacle.path, advice.obstacle.what] : []),
  ];
  // A terminal names the sides in its own way.
  const lines = linesOf(code ?? '').map((line) => line.replace(/^\/\/ /, ''));
  return [texts[action], ...more, ...lines];
}

function gainFacts(advice: Advice | null): Fact[] {
  const gain = advice?.gain ?? null;
  if (gain === null) return [];
  return [speed(gain), lackText(gain, 'size') ?? gainInterval(gain)];
}

/** The gain that is still possible, the rewrite for it, and its price. */
function possibleGainFacts({ advice, measurement }: Run): Fact[] {
  const { action, bound, needs, available } = advice ?? {};
  const saved = Math.ceil(Number(((1 - (bound ?? 1)) * 100).toFixed(6)));
  const seconds = (needs ?? 0) / 1000;
  const isBound = bound !== undefined && action !== 'apply';
  return [
    ...(isBound ? [saved === 0 ? 'saves anything' : `saves more than ${saved} %`] : []),
    ...(isBound && bound >= 0.95 ? ['Proven: no rewrite'] : []),
    ...(needs === null ? ['no budget up to five minutes'] : []),
    ...(needs == null ? [] : [`-b ${seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`} would`]),
    ...(available === undefined
      ? []
      : [
          `${time((1 - available.gain.ratio) * (measurement?.roundTrip.median ?? 0))} a message for ${available.lines} lines`,
          ...(available.costs ?? []),
        ]),
  ];
}

const trialName = ({ remedy, path }: Trial) => (path === '$' ? remedy : `${remedy} ${path}`);

/** Name, ratio, outcome and equality. */
function trialRow(trial: Trial): Fact[] {
  const { withConversion, outcome, equality } = trial;
  if (withConversion === null) return [];
  const isEven = outcome === 'unsure' && withConversion.ci[0] >= 0.95 && withConversion.ci[1] <= 1.05;
  const lossy = equality === 'lossy' ? ', lossy' : '';
  return [[trialName(trial), ratio(withConversion.ratio), `${isEven ? 'no difference' : outcome}${lossy}`]];
}

function trialNotes(trial: Trial): Fact[] {
  const { equality, losses, reason, withConversion, inPlace } = trial;
  const name = trialName(trial);
  if (equality === 'failed') return [`${name} was refused: ${reason}`];
  if (equality === 'lossy') return losses.map(({ path, what }) => `${name} is lossy: ${path}: ${what}`);
  return withConversion === null && inPlace === null ? [`${name} is equal, not timed`] : [];
}

const NOISES = {
  stolen: 'CPU steal took',
  throttled: 'CPU throttling took',
  spread: 'differed by',
  drift: 'drifted by',
  bursts: 'took over five times as long',
  modes: 'had two speeds',
} as const;

function noteFacts({ noise, measurement }: Run): Fact[] {
  const blocked = measurement?.blocked;
  return [
    ...(noise?.beyond ?? []).map((kind) => NOISES[kind]),
    ...(noise?.widened ? [`widened by ${percent(noise.widened)}`] : []),
    ...(blocked?.exceeds ? [`The longest took ${time(blocked.longestNs)}`] : []),
  ];
}

type Measured = NonNullable<Run['measurement']>;

const samplesFacts = ({ samples, processes, messagesPerSample = 1 }: Measured['roundTrip']): Fact[] =>
  messagesPerSample === 1
    ? [`${count(samples)} messages in ${processes} processes`]
    : [`${count(samples)} blocks of ${messagesPerSample} messages`];

function timeFacts({ roundTrip, send, receive, cold, phases, peakMemory, gc }: Measured): Fact[] {
  const share = phases ? phases.unaccounted / phases.oneWay : 0;
  return [
    [
      'round trip',
      time(roundTrip.median),
      ...(roundTrip.p95 === null || roundTrip.samples < 20 ? [] : [time(roundTrip.p95)]),
    ],
    ...(send ? [['send', time(send.median)]] : []),
    ...(receive ? [['receive', time(receive.median)]] : []),
    ...samplesFacts(roundTrip),
    ...(cold.roundTrip === null ? [] : [`first message ${time(cold.roundTrip)}`]),
    ...(phases ? [`transit ${time(phases.transit)}`] : []),
    ...(share > 0.15 ? [`(${percent(share)}) is unaccounted for`] : []),
    ...(peakMemory ? [`${peakMemory.messages} in flight`] : []),
    ...(gc ? [`garbage collection ${percent(gc.share)}`] : []),
  ];
}

function profileFacts({ profile, byPath }: Run): Fact[] {
  const spots = (profile?.top ?? []).filter(({ share }) => share >= 0.01);
  return [
    ...spots.map(({ name, share, where }) => [name, percent(share), ...(where === null ? [] : [where])]),
    ...(profile?.files ?? []),
    ...(profile?.missing ?? []).map(({ why }) => why),
    ...(byPath ?? []).map(({ path, send }) => [path, send ? percent(Math.max(0, send.share)) : 'not timed']),
    ...(byPath?.length === 0 ? ['No branch to leave out'] : []),
  ];
}
