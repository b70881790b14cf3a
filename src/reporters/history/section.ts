/** The commits of a gate as charts and tables: class, bytes and round trips of each payload. */
import { carries } from '../../core/evidence.ts';
import type { History, HistoryCommit, HistoryFacts } from '../../model/documents/history.ts';
import type { Interval } from '../../model/documents/measurement.ts';
import { COST_CLASSES } from '../../model/names.ts';
import type { Curve, CurvesChart } from '../section/model/charts.ts';
import { type Column, columnsOf, known } from '../section/model/columns.ts';
import { code } from '../section/model/sentence.ts';
import { CLASS_TONES } from '../section/model/texts.ts';
import { groupedBy } from '../text/grouped.ts';
import { bytes, changeText, counted, measuredChange } from '../text/numbers.ts';

export interface HistorySection {
  title: string;
  lead: string;
  payloads: readonly { name: string; charts: readonly CurvesChart[]; columns: readonly Column[] }[];
}

/** More commits are too close to each other. */
const MAX_COMMITS = 100;

interface Point {
  at: number;
  commit: HistoryCommit;
  facts: HistoryFacts;
}

export function historySection({ commits: all }: History): HistorySection {
  const commits = all.slice(-MAX_COMMITS);
  const [first, last] = [commits[0], commits.at(-1)];
  const left = all.length - commits.length;
  const earlier = left === 0 ? '' : ` ${counted(left, 'earlier commit')} not shown.`;
  const points = commits.flatMap((commit, at) =>
    commit.payloads.map((facts): Point => ({ at, commit, facts })),
  );
  const labels = commits.map(shortId);
  return {
    title: counted(commits.length, 'commit'),
    lead: first && last ? `From ${dayOf(first)} to ${dayOf(last)}.${earlier}` : 'No commit.',
    payloads: [...groupedBy(points, ({ facts }) => facts.payload)].map(([name, own]) => ({
      name,
      charts: chartsOf(own, labels),
      columns: columnsOfPoints(own),
    })),
  };
}

const shortId = ({ commit }: HistoryCommit): string => commit.slice(0, 7);
const dayOf = ({ time }: HistoryCommit): string => time.slice(0, 'yyyy-mm-dd'.length);

/** "node@24", "bun@1 message-port": a patch release goes on with the line. */
function placeOf({ runtime, channel }: HistoryFacts): string {
  const [, major = runtime] = /^([^@]*@\d+)/.exec(runtime) ?? [];
  return channel === 'worker' ? major : `${major} ${channel}`;
}

type Value = (facts: HistoryFacts) => { y: number; ci?: Interval } | null;

function chartsOf(points: readonly Point[], labels: readonly string[]): CurvesChart[] {
  const classes = COST_CLASSES.filter((name) => points.some(({ facts }) => facts.class === name)).reverse();
  const chart = (title: string, value: Value, more: Partial<CurvesChart>) =>
    curvesOf(points, labels, title, value, more);
  return [
    ...chart('Class', ({ class: name }) => ({ y: classes.indexOf(name) }), {
      labels: { x: labels, y: classes },
    }),
    ...chart('Bytes copied', ({ bytes: size }) => (size === null ? null : { y: size }), { yUnit: 'bytes' }),
    ...chart(
      'Round trip, over that of the commit before',
      ({ time }) => (time && carries(time, 'size') ? { y: time.change, ci: time.ci } : null),
      { yUnit: 'ratio' },
    ),
  ];
}

/** None where nothing is known. */
function curvesOf(
  points: readonly Point[],
  labels: readonly string[],
  title: string,
  value: Value,
  more: Partial<CurvesChart>,
): CurvesChart[] {
  const places = [...new Set(points.map(({ facts }) => placeOf(facts)))];
  const curves = places.flatMap((name, style): Curve[] => {
    const own = points.flatMap(({ at, facts }) => {
      const found = placeOf(facts) === name ? value(facts) : null;
      return found === null ? [] : [{ x: at, y: found.y, ci: found.ci ?? ([found.y, found.y] as Interval) }];
    });
    return own.length === 0 ? [] : [{ name, style, points: own }];
  });
  if (curves.length === 0) return [];
  const ys = curves.flatMap((curve) => curve.points.flatMap(({ y, ci }) => [y, ...ci]));
  const x: Interval = [0, labels.length - 1];
  return [
    {
      ...{ kind: 'curves', title, unit: 'commit', quantity: '', about: `${title}, by commit.`, curves, x },
      ...{
        y: [Math.min(...ys), Math.max(...ys)],
        labels: { x: labels },
        crossings: [],
        lanes: 0,
        published: [],
      },
      columns: columnsOfPoints(points),
      ...more,
    },
  ];
}

/** The newest first. */
function columnsOfPoints(points: readonly Point[]): Column[] {
  return columnsOf([...points].reverse(), [
    { head: 'commit', cell: ({ commit }) => code(shortId(commit)) },
    { head: 'day', cell: ({ commit }) => dayOf(commit), rank: 1 },
    { head: 'runtime', cell: ({ facts }) => facts.runtime },
    { head: 'channel', cell: ({ facts }) => (facts.channel === 'worker' ? '' : facts.channel), rank: 2 },
    { head: 'class', cell: ({ facts }) => ({ text: facts.class, tone: CLASS_TONES[facts.class] }) },
    { head: 'path', cell: ({ facts }) => facts.path, rank: 0 },
    { head: 'bytes', cell: ({ facts }) => known(facts.bytes, bytes), align: 'right' },
    { head: 'time', cell: ({ facts: { time } }) => (time ? shownTime(time) : ''), align: 'right' },
  ]);
}

const shownTime = (time: NonNullable<HistoryFacts['time']>): string =>
  carries(time, 'size') ? changeText(time.change) : measuredChange(time.change, time);
