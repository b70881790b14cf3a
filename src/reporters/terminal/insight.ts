import type { Profile } from '../../model/profile.ts';
import type { Run } from '../../model/report.ts';
import {
  BY_PATH_WORDS,
  type ByPath,
  branchGrid,
  NO_BRANCHES,
  profileFacts,
  spotGrid,
  WORK_GRADES,
  workShares,
} from '../insight.ts';
import { nameOf } from '../runs.ts';
import { bar } from './bars.ts';
import { cutMiddle, indented, wrapped } from './layout.ts';
import type { TerminalStyle } from './pen.ts';
import { table, written } from './table.ts';

const BAR_CELLS = 12;

/** What each branch costs, with a bar for its share of the send time; of several runs each has its own. */
export function branchLines(runs: readonly Run[], pen: TerminalStyle): string[] {
  return runs.flatMap((run) =>
    run.byPath === undefined ? [] : [...titled(run, runs, pen), ...indented(branchTable(run.byPath, pen))],
  );
}

function branchTable(branches: ByPath, pen: TerminalStyle): string[] {
  if (branches.length === 0) return wrapped(NO_BRANCHES, pen.columns - 2);
  const [paths, ...numbers] = written(branchGrid(branches), pen);
  const bars = branches.map((branch) => barOf(branch, pen));
  const columns = [
    { key: 'path', head: paths?.head ?? '', cells: shortened(paths?.cells ?? [], pen) },
    { key: 'bar', head: '', cells: bars, rank: 4 },
    ...numbers,
  ];
  const words = wrapped(pen.text(BY_PATH_WORDS), pen.columns - 2).map(pen.paint.quiet);
  return [...table(columns, pen.columns - 2, pen), ...words];
}

function barOf({ send, bytesShare }: ByPath[number], pen: TerminalStyle): string {
  const share = Math.min(1, send?.share ?? bytesShare ?? 0);
  return share > 0 ? pen.paint.grade.fair(bar(share, 1, BAR_CELLS, pen)) : '';
}

/** Shares of the busy time, the hottest functions, and the files. */
export function profileLines(runs: readonly Run[], pen: TerminalStyle): string[] {
  return runs.flatMap((run) =>
    run.profile === undefined ? [] : [...titled(run, runs, pen), ...indented(oneProfile(run.profile, pen))],
  );
}

function oneProfile(profile: Profile, pen: TerminalStyle): string[] {
  const shares = workShares(profile).map(({ work, words }) => pen.paint.grade[WORK_GRADES[work]](words));
  const width = pen.columns - 2;
  return [
    ...(shares.length === 0 ? [] : wrapped(shares.join(pen.marks.between), width)),
    ...(profile.top.length === 0 ? [] : spotTable(profile, pen)),
    ...[...profileFacts(profile), ...profile.files].flatMap((line) =>
      wrapped(pen.text(line), width).map(pen.paint.quiet),
    ),
  ];
}

function spotTable(profile: Profile, pen: TerminalStyle): string[] {
  const columns = written(spotGrid(profile), pen).map((column) =>
    column.key === 'name' || column.key === 'where'
      ? { ...column, cells: shortened(column.cells, pen) }
      : column,
  );
  return table(columns, pen.columns - 2, pen);
}

const shortened = (cells: readonly string[], pen: TerminalStyle): string[] =>
  cells.map((cell) => cutMiddle(cell, Math.max(14, Math.floor(pen.columns / 3)), pen));

/** Runs that share a verdict share no profile. */
const titled = (run: Run, runs: readonly Run[], pen: TerminalStyle): string[] =>
  runs.length === 1 ? [] : [`  ${pen.paint.title(pen.text(nameOf(run)))}`];
