/** Everything behind the answer for one payload, in folds. */

import { carries, lackText } from '../../core/evidence.ts';
import type { Profile } from '../../model/documents/profile.ts';
import type { PayloadReport, Run } from '../../model/documents/report.ts';
import type { Wording } from '../../model/report/wording.ts';
import { WORKS } from '../../model/vocabulary/profile.ts';
import {
  alert,
  block,
  drawing,
  factsNode,
  fold,
  heading,
  item,
  list,
  type Node,
  tableNode,
  text,
} from '../doc.ts';
import { type Cell, columnsOf, known } from '../section/model/columns.ts';
import { largestParts } from '../section/model/largest-parts.ts';
import { runNames, runtimeNames, sectionGroups } from '../section/model/run-groups.ts';
import { code, muted, type Sentence, type Span, sentence } from '../section/model/sentence.ts';
import { WORK_WORDS } from '../section/model/texts.ts';
import { groupedBy } from '../text/grouped.ts';
import { bytes, count, counted, percent, time } from '../text/numbers.ts';
import { fastestFirst, gainChart } from './answer-rows.ts';
import { conditionItems } from './conditions.ts';
import { payloadIcicle } from './icicle.ts';
import { rewriteFolds } from './rewrites.ts';
import { memoryNodes, timeNodes } from './times.ts';
import {
  alarmSentence,
  blockerItems,
  findingItems,
  statusText,
  unknownItems,
  upgradeItems,
  verdictItems,
} from './verdict.ts';

/** Results of --by-path and --profile, for each run. */
const askedFolds = (id: string, runs: readonly Run[]): Node[] =>
  runs.flatMap((run) => {
    const { byPath, profile } = run;
    const on = runs.length === 1 ? '' : ` on ${runNames(runs)(run)}`;
    return [
      ...(byPath ? fold(id, [`what each branch costs${on}`], branchParts(byPath), true) : []),
      ...(profile ? fold(id, [`profile${on}`], profileParts(profile), true) : []),
    ];
  });

type Branches = NonNullable<Run['byPath']>;
type Send = NonNullable<Branches[number]['send']>;

function branchParts(branches: Branches): Node[] {
  if (branches.length === 0) return [factsNode(['No branch to leave out: the payload is one piece.'])];
  const columns = columnsOf(branches, [
    { head: 'branch', cell: ({ path }) => code(path) },
    { head: '', cell: branchBar, rank: 4 },
    { head: 'of send', cell: ({ send }) => known(send, sendShare) || 'not timed', align: 'right' },
    { head: '95 %', cell: ({ send }) => known(send, shareInterval), align: 'right', rank: 3 },
    { head: 'time', cell: ({ send }) => known(send, savedTime), align: 'right', rank: 1 },
    { head: 'bytes', cell: (branch) => known(branch.bytes, bytes), align: 'right', rank: 2 },
    { head: 'of bytes', cell: ({ bytesShare }) => known(bytesShare, shareText), align: 'right' },
  ]);
  const note = muted('Saved by leaving the branch out. Branches lie within branches: rows overlap.');
  return [...tableNode('What each branch costs', columns), factsNode([note])];
}

function branchBar({ send, bytesShare }: Branches[number]): Cell {
  const timed = send !== null && carries(send, 'side') ? send.share : null;
  const share = Math.min(1, timed ?? bytesShare ?? 0);
  return share > 0 ? { bar: share, tone: 'fair' } : '';
}

/** The time is at least 0: a negative saving is noise. */
const savedTime = (send: Send): string => (carries(send, 'side') ? time(Math.max(0, send.ns)) : '');

const sendShare = (send: Send): string => lackText(send, 'side') ?? shareText(send.share);

const shareText = (share: number): string => (share < 0.001 ? '0 %' : percent(share));

function shareInterval(send: Send): string {
  const [low, high] = send.ci.map((share) => Math.round(Math.max(0, share) * 100));
  return carries(send, 'side') ? `${low}–${high} %` : '';
}

function profileParts(profile: Profile): Node[] {
  const { shares, files } = profile;
  const works = WORKS.map((work): Span => {
    const { text, tone } = WORK_WORDS[work];
    return { text: `${text} ${shareText(shares?.[work] ?? 0)}`, tone };
  });
  const items = [...profilerFacts(profile).map(muted), ...files.map(code)].map((item) => [item]);
  return [...(shares ? [factsNode(works)] : []), ...hotSpotTable(profile), ...list(items)];
}

const MAX_SPOTS = 5;
/** Minimum share: smaller shares are noise of the sampling. */
const MIN_SHARE = 0.01;

function hotSpotTable({ top }: Profile): Node[] {
  const spots = top.filter(({ share }) => share >= MIN_SHARE).slice(0, MAX_SPOTS);
  if (spots.length === 0) return [];
  const columns = columnsOf(spots, [
    { head: 'self time', cell: ({ name }) => code(name) },
    { head: 'share', cell: ({ share }) => percent(share), align: 'right' },
    { head: 'per message', cell: ({ ns }) => time(ns), align: 'right', rank: 1 },
    { head: 'thread', cell: ({ side }) => side, rank: 2 },
    { head: 'work', cell: ({ work }) => WORK_WORDS[work].text, rank: 4 },
    { head: 'where', cell: ({ where }): Cell => (where === null ? 'the engine' : code(where)), rank: 3 },
  ]);
  return tableNode('Where the time of the profile is', columns);
}

/** "profiled by inspector, 332 messages", then the missing parts, by reason. */
function profilerFacts({ by, messages, missing }: Profile): string[] {
  const groups = [...groupedBy(missing, ({ why }) => why)];
  const whats = (gap: typeof missing) => gap.map(({ what }) => what).join(', ');
  const gaps = groups.map(([why, gap]) => `not available there: ${whats(gap)} (${why})`);
  return by === null ? gaps : [`profiled by ${by}, ${count(messages)} messages`, ...gaps];
}

/** @param answer nodes of the answer, whose code is not repeated */
export function detailNodes(payload: PayloadReport, words: Wording, answer: readonly Node[]): Node[] {
  const { id } = payload;
  const runs = fastestFirst(payload.runs);
  const icicle = payloadIcicle(runs, words);
  // For a single run, the answer already shows the times.
  const isCompared = runs.length > 1 && runs.some(({ measurement }) => measurement !== null);
  const gain = isCompared ? gainChart(payload) : null;
  return [
    ...drawing(icicle),
    ...fold(id, ['all that was found'], foundNodes(payload, runs, words)),
    ...fold(id, ['times'], [...drawing(gain), ...timeNodes(runs)]),
    ...rewriteFolds(id, runs, words),
    ...fold(id, ['memory'], memoryNodes(runs, words)),
    ...askedFolds(id, runs),
    ...codeFolds(id, runs, answer),
  ];
}

/** Verdicts and findings of the engines. Runs with equal results share a heading. */
function foundNodes(payload: PayloadReport, runs: readonly Run[], words: Wording): Node[] {
  const source: Sentence = [...sourceSentence(payload), ...sizeFacts(payload).map((fact) => ` · ${fact}`)];
  return [
    text(source, { tone: 'muted' }),
    ...envelopeSentences(payload).map((one) => text(one)),
    ...sectionGroups(runs).flatMap((group) => {
      const [run] = group as [Run];
      const alarm = alarmSentence(run);
      return [
        heading([statusText(run), ' · ', runtimeNames(group)], runFacts(group)),
        ...(alarm === null ? [] : [alert(alarm)]),
        ...block([
          ...verdictItems(run, words),
          ...blockerItems(run, words),
          ...bytesItems(run),
          ...upgradeItems(run),
          ...findingItems(run, words),
          ...unknownItems(run),
          ...conditionItems(group, words),
        ]),
      ];
    }),
  ];
}

function sourceSentence({ source: { file, export: name, line } }: PayloadReport): Sentence {
  const place = line === undefined ? '' : `, line ${count(line)}`;
  return sentence`${code(file)}${name === null ? '' : [', export ', code(name)]}${place}`;
}

/** The section has paths into two values, the message and the payload. */
function envelopeSentences({ runs }: PayloadReport): Sentence[] {
  const via = runs.find((run) => run.via !== undefined)?.via;
  if (via === undefined) return [];
  const message = sentence`Verdict and findings are about the message that ${via.library} posts: the payload is ${code(via.path)} in it.`;
  const isRewritten = runs.some(({ trials, byPath }) => trials.length > 0 || byPath !== undefined);
  return [isRewritten ? sentence`${message} Rewrites and branches are about the payload alone.` : message];
}

function sizeFacts({ runs, stands = 1 }: PayloadReport): string[] {
  const shape = runs.find((run) => run.shape !== null)?.shape;
  return [
    ...(shape ? [counted(shape.nodes, 'value')] : []),
    ...(shape?.depth ? [`${counted(shape.depth, 'level')} deep`] : []),
    ...(shape?.jsonBytes == null ? [] : [`${bytes(shape.jsonBytes)} as JSON`]),
    ...(shape?.truncated.items ? ['too large to examine every part'] : []),
    ...(stands > 1 ? [`stands for ${count(stands)} messages`] : []),
  ];
}

/** The channel, and the fate of the bytes if all runs of the group agree on it. */
function runFacts(runs: readonly Run[]): string[] {
  const [fate, ...others] = new Set(runs.map(bytesText));
  return [(runs[0] as Run).channel, ...(fate && others.length === 0 ? [fate] : [])];
}

export function bytesText({ bytes: of }: Run): string | null {
  if (of === undefined) return null;
  const copied = `${of.by === 'shape' ? 'about ' : ''}${bytes(of.copied)} copied`;
  const rest = (['moved', 'shared'] as const).filter((fate) => of[fate] > 0);
  return [copied, ...rest.map((fate) => `${bytes(of[fate])} ${fate}`)].join(', ');
}

/** Shows shares only: engines write the same value in different sizes, and a shape lacks the length of all keys. */
export function bytesItems(run: Run): Node[] {
  const largest = largestParts(run);
  if (largest === null) return [];
  const { parts, paths } = largest;
  const shown = parts.map(({ name, share }, at): Sentence => {
    return [at === 0 ? '' : ', ', ...name, ` ${Math.round(100 * share)} %`];
  });
  const where = shown.length === 0 ? [`spread over ${counted(paths, 'path')}, each under 5 %`] : shown.flat();
  return [item('bytes', [sentence`${where}, by estimate.`])];
}

/** Code that the answer does not show, without duplicates. */
function codeFolds(id: string, runs: readonly Run[], answer: readonly Node[]): Node[] {
  const shown = new Set(answer.flatMap((node) => codesIn(node)));
  const codes = runs
    .flatMap((run) => [
      { run, title: 'code', language: 'js' as const, all: run.advice?.code },
      { run, title: moduleTitle(run.advice?.module), language: 'ts' as const, all: run.advice?.module },
    ])
    .flatMap(({ all, ...one }) => (all == null || shown.has(all.trimEnd()) ? [] : { ...one, all }));
  return [...groupedBy(codes, ({ all }) => all).values()].flatMap((group) => {
    const [{ title, language, all }] = group as [(typeof codes)[number]];
    const on = runs.length > 1 ? ` for ${runtimeNames(group.map(({ run }) => run))}` : '';
    return fold(id, [`${title}${on}`], [{ type: 'code', text: all, language }]);
  });
}

const codesIn = (node: Node): string[] =>
  node.type === 'block' ? node.body.flatMap(codesIn) : node.type === 'code' ? [node.text] : [];

const moduleTitle = (module: string | null | undefined): string =>
  `codec, ${(module ?? '').trimEnd().split('\n').length} lines of TypeScript`;
