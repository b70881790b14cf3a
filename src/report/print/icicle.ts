/** Chart of a payload by the bytes of its parts. */

import type { Run } from '../../model/documents/report.ts';
import { COST_CLASSES, type CostClass } from '../../model/names.ts';
import { sumOf } from '../../model/sums.ts';
import { carries } from '../../stats/evidence.ts';
import { formatPath, type PathStep, parsePath } from '../../value/read/paths.ts';
import { rowEstimate } from '../../value/shape/wire-estimate.ts';
import { amounts, type Column, columnsOf, known } from '../columns.ts';
import type { IcicleCell, IcicleChart } from '../doc.ts';
import { groupedBy } from '../text/groups.ts';
import { bytes, count, percent } from '../text/numbers.ts';
import { code, listed } from '../words.ts';
import { causeTitle } from './texts.ts';

/** Chart of the run with most blockers, or of the first run; null if the payload does not have parts. */
export function payloadIcicle(runs: readonly Run[]): IcicleChart | null {
  const marks = ({ verdict, byPath = [] }: Run) => (verdict?.blockers.length ?? 0) + byPath.length;
  const [chart = null] = [...runs]
    .sort((a, b) => marks(b) - marks(a))
    .flatMap((run) => icicleChart(run) ?? []);
  return chart;
}

export function icicleChart(run: Run): IcicleChart | null {
  const sends = run.byPath?.flatMap(({ path, send }): [string, number][] =>
    carries(send, 'side') ? [[path, send.share]] : [],
  );
  const whole = cellOf(rowsOf(run), [], new Map(sends), 'serialized');
  if (whole.children.length === 0 || !(whole.bytes > 0)) return null;
  const root = shortened(pruned(whole));
  if (root.children.length === 0) return null;
  return {
    kind: 'icicle',
    title: 'Where the bytes are',
    columns: columnsFor(allCells(root), root.bytes),
    root,
  };
}

const FULL = 0.995;

/** Merges levels of a single full-width bar into one, with the path of the last: "$.orders[*]". */
function shortened(cell: IcicleCell): IcicleCell {
  const [only, ...others] = cell.children;
  const isFull = only !== undefined && others.length === 0 && only.bytes >= FULL * cell.bytes;
  if (!isFull || only.path === null || cell.path === null || cell.blockers.length > 0)
    return { ...cell, children: cell.children.map(shortened) };
  const name = `${cell.name}${only.path.slice(cell.path.length)}`;
  return shortened({ ...only, name, send: only.send ?? cell.send });
}

/** Minimum share of the payload that is drawn: narrower parts would be invisible. */
const MIN_SHARE = 0.015;

/** The cell without the parts that are not drawn: those of one container become one part, without its own parts. */
function pruned(cell: IcicleCell, least = MIN_SHARE * cell.bytes): IcicleCell {
  const isDrawn = (part: IcicleCell) =>
    part.bytes >= least || allCells(part).some(({ blockers }) => blockers.length > 0);
  const small = cell.children.filter((child) => !isDrawn(child));
  const joined = small.slice(0, 1).map((first) => ({
    ...{ name: `${count(small.length)} more`, path: null, class: first.class, send: null },
    ...{ kinds: [...new Set(small.flatMap(({ kinds }) => kinds))].slice(0, 3), blockers: [], children: [] },
    ...{ count: sumOf(small, (child) => child.count), bytes: sumOf(small, (child) => child.bytes) },
  }));
  const drawn = cell.children.filter(isDrawn).map((child) => pruned(child, least));
  return { ...cell, children: [...drawn, ...joined] };
}

const allCells = (cell: IcicleCell): IcicleCell[] => [cell, ...cell.children.flatMap(allCells)];

function columnsFor(cells: readonly IcicleCell[], whole: number): Column[] {
  const isMixed = new Set(cells.map((cell) => cell.class)).size > 1;
  return columnsOf(cells, [
    { head: 'part', cell: ({ path, name }) => (path === null ? name : code(path)) },
    { head: 'kind', cell: ({ kinds }) => listed(kinds) },
    amounts('values', (cell) => count(cell.count)),
    amounts('bytes', (cell) => bytes(cell.bytes)),
    amounts('share', (cell) => percent(cell.bytes / whole)),
    amounts('of send', ({ send }) => known(send, percent)),
    { head: 'class', cell: (cell) => (isMixed ? cell.class : '') },
    { head: 'blocks', cell: ({ blockers }) => blockers.join(', ') },
  ]);
}

/** Maximum levels below the root; deeper values count for the last level. */
const MAX_DEPTH = 7;

const BUFFERS: ReadonlySet<string> = new Set(['arraybuffer', 'typedarray', 'dataview']);

type Row = ReturnType<typeof rowsOf>[number];

/**
 * Values at each path, with the titles of the rules that block a better path. Their class is taken from the findings at
 * the path, else from the payload. Rows with an unreadable path are omitted.
 */
function rowsOf({ shape, verdict, findings }: Run) {
  const worst = verdict?.class ?? 'serialized';
  const usual = worst === 'degraded' || worst === 'rejected' ? 'serialized' : worst;
  const blockersAt = new Map(groupedBy(verdict?.blockers ?? [], ({ path }) => path));
  const findingsAt = new Map(groupedBy(findings, ({ path }) => path));
  const bytesOf = rowEstimate(shape?.patterns ?? []);
  return (shape?.patterns ?? []).flatMap((facts) => {
    const { pattern, example, kind, flags } = facts;
    const steps = parsePath(pattern);
    const paths = [...new Set([pattern, example])];
    const rules = paths.flatMap((path) => blockersAt.get(path) ?? []).map(({ rule }) => rule);
    const levels = paths.flatMap((path) => findingsAt.get(path) ?? []).map(({ level }) => level);
    const classOf = (): CostClass => {
      if (levels.includes('rejected')) return 'rejected';
      if (rules.length > 0) return worst;
      if (levels.includes('slow')) return 'degraded';
      if (kind === 'sharedarraybuffer' || flags.includes('shared-backing')) return 'shared';
      return BUFFERS.has(kind) && usual === 'serialized' ? 'bulk' : usual;
    };
    const size = Math.max(0, bytesOf(facts)) || 0;
    const blockers = rules.map((rule) => causeTitle(rule));
    return steps === null ? [] : [{ facts, steps, bytes: size, class: classOf(), blockers }];
  });
}

/** @param rows of the part and of all below it @param sends shares of the send time @param above class of its container */
function cellOf(
  rows: readonly Row[],
  steps: readonly PathStep[],
  sends: ReadonlyMap<string, number>,
  above: CostClass,
): IcicleCell {
  const { length: depth } = steps;
  const [last] = steps.slice(-1);
  const path = formatPath(steps);
  const own = rows.filter((row) => row.steps.length === depth);
  const below = rows.filter((row) => row.steps.length > depth);
  const [worst = above] = own
    .map((row) => row.class)
    .sort((a, b) => COST_CLASSES.indexOf(b) - COST_CLASSES.indexOf(a));
  // Parts that are too deep to be drawn contribute only their blockers.
  const isLast = depth === MAX_DEPTH;
  const groups = isLast ? [] : groupedBy(below, (row) => row.steps.slice(0, depth + 1));
  return {
    name: last === undefined ? '$' : last.type === 'key' ? last.key : formatPath([last]).slice(1),
    path,
    kinds: [...new Set(own.map(({ facts }) => facts.kind))],
    count: sumOf(own, ({ facts }) => facts.count),
    bytes: sumOf(rows, (row) => row.bytes),
    send: sends.get(path) ?? null,
    class: worst,
    blockers: [...new Set((isLast ? rows : own).flatMap((row) => row.blockers))],
    children: groups
      .map(([start, group]) => cellOf(group, start, sends, worst))
      .sort((a, b) => b.bytes - a.bytes),
  };
}
