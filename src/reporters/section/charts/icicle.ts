/** A payload by the bytes of its parts. */
import { carries } from '../../../core/evidence.ts';
import type { Run } from '../../../model/documents/report.ts';
import type { Wording } from '../../../model/report/wording.ts';
import { bytes, count, counted, percent } from '../../text/numbers.ts';
import { foldedPath } from '../../text/paths.ts';
import type { IcicleCell, IcicleChart } from '../model/charts.ts';
import { type Column, columnsOf, known } from '../model/columns.ts';
import { code, listed } from '../model/sentence.ts';
import { newPart, type PayloadPart, payloadParts } from './payload-parts.ts';

/** Chart of each run; null where it has no parts, or looks as that of an earlier run. */
export function icicleCharts(runs: readonly Run[], words: Wording): (IcicleChart | null)[] {
  const charts = runs.map((run) => icicleChart(run, words));
  const looks = charts.map((chart) => chart && JSON.stringify(allCells(chart.root).map(lookOf)));
  return charts.map((chart, at) => (looks.indexOf(looks[at]!) === at ? chart : null));
}

/** Engines store the same text in more or fewer bytes, so these are no difference. */
const lookOf = (cell: IcicleCell) => [cell.name, cell.class, cell.blockers];

export function icicleChart(run: Run, words: Wording): IcicleChart | null {
  const whole = payloadParts(run, words);
  if (whole.children.size === 0 || !(whole.bytes > 0)) return null;
  const sends = new Map(
    run.byPath?.flatMap(({ path, send }) => (carries(send, 'side') ? [[path, send.share]] : [])),
  );
  return toIcicle(toCell(whole, { drawn: drawnParts(whole), sends }, 'serialized'), 'Where the bytes are');
}

/** @param isForest the root is only the sum of its children: it is neither drawn nor told */
export function toIcicle(root: IcicleCell, title: string, isForest = false): IcicleChart {
  const cells = isForest ? root.children.flatMap(allCells) : allCells(root);
  return {
    kind: 'icicle',
    title,
    about: aboutCells(cells, root),
    columns: columnsFor(cells, root.bytes),
    isDrawnOnly: true,
    root,
    ...(isForest && { isForest }),
  };
}

const MAX_PARTS = 40;
const MAX_BLOCKERS = 8;
/** Least share of the payload that is drawn; narrower parts could not be seen. */
const MIN_SHARE = 0.015;

/** The largest parts, the largest blockers, and all that holds one of them. */
function drawnParts(whole: PayloadPart): Set<PayloadPart> {
  const bySize = flattened(whole).sort((a, b) => b.part.bytes - a.part.bytes);
  const large = bySize
    .slice(0, MAX_PARTS)
    .filter(({ part }) => part.bytes >= MIN_SHARE * whole.bytes || part === whole);
  const blocking = bySize.filter(({ part }) => part.blockers.size > 0).slice(0, MAX_BLOCKERS);
  return new Set([...large, ...blocking].flatMap(({ part, above }) => [part, ...above]));
}

const flattened = (
  part: PayloadPart,
  above: readonly PayloadPart[] = [],
): { part: PayloadPart; above: readonly PayloadPart[] }[] => [
  { part, above },
  ...[...part.children.values()].flatMap((child) => flattened(child, [...above, part])),
];

interface KnownPart {
  drawn: ReadonlySet<PayloadPart>;
  /** Shares of the send time, by path. */
  sends: ReadonlyMap<string | null, number>;
}

function toCell(part: PayloadPart, about: KnownPart, above: IcicleCell['class']): IcicleCell {
  const { drawn, sends } = about;
  const children = [...part.children.values()].sort((a, b) => b.bytes - a.bytes);
  const shown = children.filter((child) => drawn.has(child));
  const own = part.class ?? above;
  return {
    ...part,
    kinds: listed([...part.kinds]),
    send: sends.get(part.path) ?? null,
    class: own,
    blockers: [...part.blockers],
    children: [...shown, ...joined(children.filter((child) => !drawn.has(child)))].map((child) =>
      toCell(child, about, own),
    ),
  };
}

function joined(parts: readonly PayloadPart[]): PayloadPart[] {
  const [first] = parts;
  if (first === undefined) return [];
  const sum = (of: (part: PayloadPart) => number) => parts.reduce((total, part) => total + of(part), 0);
  const kinds = [...new Set(parts.flatMap((part) => [...part.kinds]))].slice(0, 3);
  return [
    {
      ...newPart({ name: `${count(parts.length)} more`, path: null }),
      kinds: new Set(kinds),
      count: sum((part) => part.count),
      bytes: sum((part) => part.bytes),
      class: first.class,
    },
  ];
}

const allCells = (cell: IcicleCell): IcicleCell[] => [cell, ...cell.children.flatMap(allCells)];

function aboutCells(cells: readonly IcicleCell[], root: IcicleCell): string {
  const cellText = (cell: IcicleCell) =>
    `${foldedPath(cell.path ?? cell.name)}, ${percent(cell.bytes / root.bytes)}`;
  const others = cells.filter((cell) => cell !== root);
  const largest = [...others].sort((a, b) => b.bytes - a.bytes).slice(0, 3);
  const blockers = [...others, root].filter((cell) => cell.blockers.length > 0);
  const blocked = blockers.length === 0 ? '' : ` Blocks a better path: ${blockers.map(cellText).join('; ')}.`;
  return `${counted(cells.length, 'part')}. The largest: ${largest.map(cellText).join('; ')}.${blocked}`;
}

const columnsFor = (cells: readonly IcicleCell[], whole: number): Column[] =>
  columnsOf(cells, [
    { head: 'part', cell: ({ path, name }) => (path === null ? name : code(path)) },
    { head: 'kind', cell: ({ kinds }) => kinds },
    { head: 'values', cell: (cell) => count(cell.count), align: 'right' },
    { head: 'bytes', cell: (cell) => bytes(cell.bytes), align: 'right' },
    { head: 'share', cell: (cell) => percent(cell.bytes / whole), align: 'right' },
    { head: 'of send', cell: ({ send }) => known(send, percent), align: 'right' },
    { head: 'class', cell: (cell) => cell.class },
    { head: 'blocks', cell: ({ blockers }) => blockers.join(', ') },
  ]);
