/** Chart of a payload by the bytes of its parts. */

import { carries } from '../../core/evidence.ts';
import { formatPath, type PathStep, parsePath } from '../../core/paths.ts';
import { estimatedRowBytes } from '../../core/wire-estimate.ts';
import type { Run } from '../../model/documents/report.ts';
import type { Facts } from '../../model/documents/shape.ts';
import { COST_CLASSES, type CostClass } from '../../model/names.ts';
import type { Wording } from '../../model/report/wording.ts';
import type { IcicleCell, IcicleChart } from '../section/model/charts.ts';
import { type Column, columnsOf, known } from '../section/model/columns.ts';
import { code, listed } from '../section/model/sentence.ts';
import { bytes, count, counted, percent } from '../text/numbers.ts';
import { foldedPath } from '../text/paths.ts';

/** Chart of the run that shows most blockers, or of the first run; null if the payload does not have parts. */
export function payloadIcicle(runs: readonly Run[], words: Wording): IcicleChart | null {
  const charts = runs.flatMap((run) => icicleChart(run, words) ?? []);
  const marks = ({ root }: IcicleChart) =>
    allCells(root).filter(({ blockers, send }) => blockers.length > 0 || send !== null).length;
  return charts.reduce<IcicleChart | null>(
    (best, chart) => (best === null || marks(chart) > marks(best) ? chart : best),
    null,
  );
}

export function icicleChart(run: Run, words: Wording): IcicleChart | null {
  const whole = payloadParts(run, words);
  if (whole.children.size === 0 || !(whole.bytes > 0)) return null;
  const sends = new Map(
    run.byPath?.flatMap(({ path, send }) => (carries(send, 'side') ? [[path, send.share]] : [])),
  );
  const root = shortened(toCell(whole, { drawn: drawnParts(whole), sends }, 'serialized'));
  return root.children.length === 0 ? null : toIcicle(root, 'Where the bytes are');
}

/** Minimum share of a part that counts as wide as its container. */
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

/** @param isForest true if the root is only the sum of its children and is left out */
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
/** Minimum share of the payload that is drawn: narrower parts would be invisible. */
const MIN_SHARE = 0.015;

/** The largest parts, the largest blockers, and all their containers. */
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

function columnsFor(cells: readonly IcicleCell[], whole: number): Column[] {
  const isMixed = new Set(cells.map((cell) => cell.class)).size > 1;
  return columnsOf(cells, [
    { head: 'part', cell: ({ path, name }) => (path === null ? name : code(path)) },
    { head: 'kind', cell: ({ kinds }) => kinds },
    { head: 'values', cell: (cell) => count(cell.count), align: 'right' },
    { head: 'bytes', cell: (cell) => bytes(cell.bytes), align: 'right' },
    { head: 'share', cell: (cell) => percent(cell.bytes / whole), align: 'right' },
    { head: 'of send', cell: ({ send }) => known(send, percent), align: 'right' },
    { head: 'class', cell: (cell) => (isMixed ? cell.class : '') },
    { head: 'blocks', cell: ({ blockers }) => blockers.join(', ') },
  ]);
}

// Parts of a payload with their estimated bytes, from the rows of its shape.

interface PayloadPart {
  name: string;
  path: string | null;
  kinds: Set<string>;
  count: number;
  /** Bytes in the message, including all nested values. */
  bytes: number;
  class: CostClass | null;
  /** Titles of the rules that block a better path. */
  blockers: Set<string>;
  children: Map<string, PayloadPart>;
}

/** Maximum levels below the root; deeper values count for the last level. */
const MAX_DEPTH = 7;

type RowClass = Pick<PayloadPart, 'blockers'> & { class: CostClass };

const BUFFERS: ReadonlySet<string> = new Set(['arraybuffer', 'typedarray', 'dataview']);

/** Class of a row's values, taken from the findings at its path, else from the payload. */
function rowClassifier({ verdict, findings }: Run, words: Wording): (row: Facts) => RowClass {
  const worst = verdict?.class ?? 'serialized';
  const usual = worst === 'degraded' || worst === 'rejected' ? 'serialized' : worst;
  const titles = new Map<string, Set<string>>();
  for (const { path, rule } of verdict?.blockers ?? [])
    titles.set(path, (titles.get(path) ?? new Set()).add(words.rules[rule]?.title ?? rule));
  const levels = new Map<string, Set<string>>();
  for (const { path, level } of findings) levels.set(path, (levels.get(path) ?? new Set()).add(level));
  return ({ pattern, example, kind, flags }) => {
    const blockers = new Set([...(titles.get(pattern) ?? []), ...(titles.get(example) ?? [])]);
    const has = (level: string) => [pattern, example].some((path) => levels.get(path)?.has(level));
    const of = (name: CostClass) => ({ class: name, blockers });
    if (has('rejected')) return of('rejected');
    if (blockers.size > 0) return of(worst);
    if (has('slow')) return of('degraded');
    if (kind === 'sharedarraybuffer' || flags.includes('shared-backing')) return of('shared');
    return of(BUFFERS.has(kind) && usual === 'serialized' ? 'bulk' : usual);
  };
}

/** The whole payload as parts. Rows with an unreadable path are omitted. */
function payloadParts(run: Run, words: Wording): PayloadPart {
  const classify = rowClassifier(run, words);
  const root = newPart({ name: '$', path: '$' });
  for (const row of run.shape?.patterns ?? []) {
    const steps = parsePath(row.pattern);
    if (steps === null) continue;
    const size = Math.max(0, estimatedRowBytes(row)) || 0;
    let part = root;
    part.bytes += size;
    steps.slice(0, MAX_DEPTH).forEach((step, index) => {
      part = findChild(part, step, steps.slice(0, index + 1));
      part.bytes += size;
    });
    addRow(part, row, classify(row), steps.length <= MAX_DEPTH);
  }
  return root;
}

const newPart = (named: Pick<PayloadPart, 'name' | 'path'>): PayloadPart => ({
  ...named,
  ...{ kinds: new Set(), count: 0, bytes: 0, class: null, blockers: new Set(), children: new Map() },
});

function findChild({ children }: PayloadPart, step: PathStep, steps: readonly PathStep[]): PayloadPart {
  const text = formatPath([step]).slice(1);
  const known = children.get(text);
  if (known) return known;
  const name = step.type === 'key' ? step.key : text;
  const child = newPart({ name, path: formatPath(steps) });
  children.set(text, child);
  return child;
}

/** Adds a row. Parts that are too deep to be drawn contribute only their blockers. */
function addRow(part: PayloadPart, row: Facts, found: RowClass, isOwn: boolean): void {
  for (const title of found.blockers) part.blockers.add(title);
  if (!isOwn) return;
  part.kinds.add(row.kind);
  part.count += row.count;
  if (part.class === null || COST_CLASSES.indexOf(found.class) > COST_CLASSES.indexOf(part.class))
    part.class = found.class;
}
