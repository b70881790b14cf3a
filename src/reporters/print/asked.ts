/** Results of --by-path and --profile, for each run. */
import { carries, lackText } from '../../core/evidence.ts';
import type { Profile } from '../../model/documents/profile.ts';
import type { Run } from '../../model/documents/report.ts';
import { WORKS } from '../../model/vocabulary/profile.ts';
import { fold, type Node, tableNode } from '../doc.ts';
import { type Cell, columnsOf, known } from '../section/model/columns.ts';
import { runNames } from '../section/model/run-groups.ts';
import { code, muted, type Span } from '../section/model/sentence.ts';
import { WORK_WORDS } from '../section/model/texts.ts';
import { groupedBy } from '../text/grouped.ts';
import { bytes, count, percent, time } from '../text/numbers.ts';

export const askedFolds = (id: string, runs: readonly Run[]): Node[] =>
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
  if (branches.length === 0)
    return [{ type: 'facts', facts: ['No branch to leave out: the payload is one piece.'] }];
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
  return [...tableNode('What each branch costs', columns), { type: 'facts', facts: [note] }];
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
  return [
    ...(shares ? [{ type: 'facts', facts: works } as const] : []),
    ...hotSpotTable(profile),
    { type: 'list', items },
  ];
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
