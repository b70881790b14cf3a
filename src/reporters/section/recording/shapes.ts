/** The bytes of a recording, by site and by path. */
import type { Run } from '../../../model/documents/report.ts';
import type { Traffic } from '../../../model/documents/traffic.ts';
import type { Wording } from '../../../model/report/wording.ts';
import { count } from '../../text/numbers.ts';
import { icicleChart, icicleOf } from '../charts/icicle.ts';
import type { IcicleCell, IcicleChart } from '../model/charts.ts';

export interface ShapedSite {
  id: string;
  traffic: Traffic;
  run: Run | null;
}

const MAX_SITES = 10;
/** Levels below a site: its own section has all of them. */
const MAX_DEPTH = 4;
/** Least share of all bytes that is drawn; narrower parts could not be seen. */
const MIN_SHARE = 0.008;

/** Shapes of the sites that cost most; null where fewer than two have a known size. */
export function shapesChart(sites: readonly ShapedSite[], words: Wording): IcicleChart | null {
  const cells = sites.slice(0, MAX_SITES).flatMap((site) => siteCell(site, words));
  if (cells.length < 2) return null;
  const sum = (of: (cell: IcicleCell) => number) => cells.reduce((all, cell) => all + of(cell), 0);
  const bytes = sum((cell) => cell.bytes);
  if (!Number.isFinite(bytes)) return null;
  const children = cells.map((cell) => pruned(cell, MIN_SHARE * bytes, MAX_DEPTH));
  const all = { path: null, send: null, kinds: '', class: 'serialized', blockers: [] } as const;
  const root: IcicleCell = { ...all, name: 'all sites', count: sum((cell) => cell.count), bytes, children };
  return icicleOf(root, `Where the bytes of ${cells.length} sites are`, true);
}

/** All messages of a site: as many bytes as were recorded, in the parts of its shape. */
function siteCell({ id, traffic: { bytes, count: sent }, run }: ShapedSite, words: Wording): IcicleCell[] {
  const total = bytes?.total ?? 0;
  if (!(total > 0) || !Number.isFinite(total)) return [];
  const root = run === null ? undefined : icicleChart(run, words)?.root;
  const children = root?.children.map((cell) => scaled(cell, total / root.bytes, sent, id)) ?? [];
  const verdict = run?.verdict?.class ?? 'serialized';
  return [
    {
      ...{ name: id, path: null, kinds: root?.kinds || 'messages', count: sent, bytes: total, send: null },
      ...{ class: root?.class ?? verdict, blockers: root?.blockers ?? [], children },
    },
  ];
}

const scaled = (cell: IcicleCell, factor: number, messages: number, id: string): IcicleCell => ({
  ...cell,
  path: cell.path === null ? null : `${id} ${cell.path}`,
  bytes: cell.bytes * factor,
  // A time would be that of one message, not of all.
  send: null,
  count: cell.count * messages,
  children: cell.children.map((child) => scaled(child, factor, messages, id)),
});

/** Small parts as one. */
function pruned(cell: IcicleCell, least: number, levels: number): IcicleCell {
  const isSeen = ({ bytes }: IcicleCell) => levels > 0 && bytes >= least;
  const small = cell.children.filter((child) => !isSeen(child));
  const [first] = small;
  const sum = (of: (child: IcicleCell) => number) => small.reduce((all, child) => all + of(child), 0);
  const joined: IcicleCell[] =
    first === undefined || levels === 0
      ? []
      : [
          {
            ...first,
            ...{ name: `${count(small.length)} more`, path: null, send: null, blockers: [], children: [] },
            ...{ count: sum((child) => child.count), bytes: sum((child) => child.bytes) },
          },
        ];
  const seen = cell.children.filter(isSeen).map((child) => pruned(child, least, levels - 1));
  return { ...cell, children: [...seen, ...joined] };
}
