/** Everything behind the answer for one payload, in folds. */

import type { Profile } from '../../model/documents/profile.ts';
import type { PayloadReport, Run } from '../../model/documents/report.ts';
import { WORKS, type Work } from '../../model/vocabulary/words.ts';
import { carries, lackText } from '../../stats/evidence.ts';
import { amounts, type Cell, known } from '../columns.ts';
import type { Node } from '../doc.ts';
import { alert, type Body, block, drawing, facts, fold, heading, list, tableOf, text } from '../nodes.ts';
import { groupedBy } from '../text/groups.ts';
import { bytes, count, counted, percent, time } from '../text/numbers.ts';
import { code, muted, type Span, sentence, type Tone, type Words } from '../words.ts';
import { payloadIcicle } from './icicle.ts';
import { conditionItems, memoryNode, timeNodes } from './measured.ts';
import { rewriteFolds } from './rewrites.ts';
import { fastestFirst } from './runs.ts';
import { onRun, runtimeNames, statusText } from './texts.ts';
import { alarmSentence, verdictItems } from './verdict.ts';

/** @param answer nodes of the answer, whose code is not repeated */
export function detailNodes(payload: PayloadReport, answer: readonly Node[]): Body {
  const { id } = payload;
  const runs = fastestFirst(payload.runs);
  return [
    drawing(payloadIcicle(runs)),
    fold(id, 'all that was found', foundNodes(payload, runs)),
    fold(id, 'times', timeNodes(runs)),
    rewriteFolds(id, runs),
    fold(id, 'memory', memoryNode(runs)),
    runs.map((run) => [
      run.byPath && fold(id, `what each branch costs${onRun(run, runs)}`, branchNodes(run.byPath), true),
      run.profile && fold(id, `profile${onRun(run, runs)}`, profileNodes(run.profile), true),
    ]),
    codeFolds(id, runs, answer),
  ];
}

/** Verdicts and findings of the engines. Runs with equal results share a heading. */
function foundNodes(payload: PayloadReport, runs: readonly Run[]): Body {
  const via = runs.find((run) => run.via !== undefined)?.via;
  return [
    text(sourceWords(payload), { tone: 'muted' }),
    via && text(envelopeWords(payload, via)),
    groupedBy(runs, foundKey).map(([, group]) => {
      const [run] = group;
      const alarm = alarmSentence(run);
      return [
        heading([statusText(run), ' · ', runtimeNames(group)], runFacts(group)),
        alarm && alert(alarm),
        block([verdictItems(run), conditionItems(group)]),
      ];
    }),
  ];
}

/** All that runs must share for a common heading. Runtimes of one engine share it unless it names versions. */
function foundKey(run: Run) {
  const { verdict, advice } = run;
  const upgrade = verdict?.upgrade ?? advice?.upgrade ?? null;
  const namesVersions = verdict?.confirmed === false || upgrade !== null;
  return [
    run.status === 'failed' ? null : run.runtime.engine,
    namesVersions ? run.runtime.name : null,
    run.channel,
    run.error?.message ?? null,
    verdict,
    run.findings,
    upgrade,
    advice?.action === 'apply' ? advice.remedy : advice === null,
  ];
}

function sourceWords({ source: { file, export: name, line }, runs, stands = 1 }: PayloadReport): Words {
  const shape = runs.find((run) => run.shape !== null)?.shape;
  return [
    [code(file), name !== null && [', export ', code(name)], line !== undefined && `, line ${count(line)}`],
    shape && ` · ${counted(shape.nodes, 'value')}`,
    shape && shape.depth > 0 && ` · ${counted(shape.depth, 'level')} deep`,
    shape?.jsonBytes != null && ` · ${bytes(shape.jsonBytes)} as JSON`,
    shape?.truncated.items && ' · too large to examine every part',
    stands > 1 && ` · stands for ${count(stands)} messages`,
  ];
}

/** The section has paths into two values, the message and the payload. */
function envelopeWords({ runs }: PayloadReport, via: NonNullable<Run['via']>): Words {
  const isRewritten = runs.some(({ trials, byPath }) => trials.length > 0 || byPath !== undefined);
  return [
    sentence`Verdict and findings are about the message that ${via.library} posts: the payload is ${code(via.path)} in it.`,
    isRewritten && ' Rewrites and branches are about the payload alone.',
  ];
}

/** The channel, and the fate of the bytes if all runs of the group agree on it. */
function runFacts(runs: readonly [Run, ...Run[]]): Words {
  const [fate, ...others] = new Set(runs.map(bytesText));
  return [runs[0].channel, others.length === 0 && fate];
}

function bytesText({ bytes: of }: Run): string | null {
  if (of === undefined) return null;
  const copied = `${of.by === 'shape' ? 'about ' : ''}${bytes(of.copied)} copied`;
  const rest = (['moved', 'shared'] as const).filter((fate) => of[fate] > 0);
  return [copied, ...rest.map((fate) => `${bytes(of[fate])} ${fate}`)].join(', ');
}

// Results of --by-path.

type Branches = NonNullable<Run['byPath']>;
type Send = NonNullable<Branches[number]['send']>;

function branchNodes(branches: Branches): Body {
  if (branches.length === 0) return facts('No branch to leave out: the payload is one piece.');
  return [
    tableOf('What each branch costs', branches, [
      { head: 'branch', cell: ({ path }) => code(path) },
      { head: '', cell: branchBar, rank: 4 },
      amounts('of send', ({ send }) => known(send, sendShare) || 'not timed'),
      amounts('95 %', ({ send }) => known(send, shareInterval), 3),
      amounts('time', ({ send }) => known(send, savedTime), 1),
      amounts('bytes', (branch) => known(branch.bytes, bytes), 2),
      amounts('of bytes', ({ bytesShare }) => known(bytesShare, shareText)),
    ]),
    facts(muted('Saved by leaving the branch out. Branches lie within branches: rows overlap.')),
  ];
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

// Results of --profile.

const WORK_WORDS = {
  clone: { text: 'cloning', tone: 'fair' },
  gc: { text: 'garbage collection', tone: 'poor' },
  user: { text: 'your code', tone: 'bad' },
  other: { text: 'other', tone: 'good' },
} as const satisfies Record<Work, { text: string; tone: Tone }>;

const MAX_SPOTS = 5;
/** Minimum share: smaller shares are noise of the sampling. */
const MIN_SHARE = 0.01;

function profileNodes(profile: Profile): Body {
  const { shares, files, top } = profile;
  const works = WORKS.map((work): Span => {
    const { text, tone } = WORK_WORDS[work];
    return { text: `${text} ${shareText(shares?.[work] ?? 0)}`, tone };
  });
  const spots = top.filter(({ share }) => share >= MIN_SHARE).slice(0, MAX_SPOTS);
  return [
    shares && facts(works),
    tableOf('Where the time of the profile is', spots, [
      { head: 'self time', cell: ({ name }) => code(name) },
      amounts('share', ({ share }) => percent(share)),
      amounts('per message', ({ ns }) => time(ns), 1),
      { head: 'thread', cell: ({ side }) => side, rank: 2 },
      { head: 'work', cell: ({ work }) => WORK_WORDS[work].text, rank: 4 },
      { head: 'where', cell: ({ where }): Cell => (where === null ? 'the engine' : code(where)), rank: 3 },
    ]),
    list([...profilerFacts(profile).map(muted), ...files.map(code)]),
  ];
}

/** "profiled by inspector, 332 messages", then the missing parts, by reason. */
function profilerFacts({ by, messages, missing }: Profile): string[] {
  const gaps = groupedBy(missing, ({ why }) => why).map(
    ([why, gap]) => `not available there: ${gap.map(({ what }) => what).join(', ')} (${why})`,
  );
  return by === null ? gaps : [`profiled by ${by}, ${count(messages)} messages`, ...gaps];
}

/** Code that the answer does not show, without duplicates. */
function codeFolds(id: string, runs: readonly Run[], answer: readonly Node[]): Body {
  const shown = new Set(answer.flatMap(codesIn));
  const codes = runs
    .flatMap((run) => [
      { run, title: 'code', language: 'js' as const, all: run.advice?.code },
      { run, title: moduleTitle(run.advice?.module), language: 'ts' as const, all: run.advice?.module },
    ])
    .flatMap(({ all, ...one }) => (all == null || shown.has(all.trimEnd()) ? [] : { ...one, all }));
  return groupedBy(codes, ({ all }) => all).map(([all, group]) => {
    const [{ title, language }] = group;
    const on = runs.length > 1 ? ` for ${runtimeNames(group.map(({ run }) => run))}` : '';
    return fold(id, `${title}${on}`, { type: 'code', text: all, language });
  });
}

const codesIn = (node: Node): string[] =>
  node.type === 'block' ? node.body.flatMap(codesIn) : node.type === 'code' ? [node.text] : [];

const moduleTitle = (module: string | null | undefined): string =>
  `codec, ${(module ?? '').trimEnd().split('\n').length} lines of TypeScript`;
