import type { Run } from '../../model/report.ts';
import type { Column } from '../grid.ts';
import { BY_PATH_WORDS, branchGrid, NO_BRANCHES, profileFacts, spotGrid, workShares } from '../insight.ts';
import { nameOf } from '../runs.ts';
import type { Block } from './markdown.ts';
import { cellCode, code, prose } from './spans.ts';
import { table } from './table.ts';

/** What --by-path and --profile found, each run for itself, folded away like the other numbers. */
export function insightBlocks(runs: readonly Run[]): Block[] {
  return runs.flatMap((run) => [...branchBlocks(run), ...profileBlocks(run)]);
}

function branchBlocks(run: Run): Block[] {
  const { byPath } = run;
  if (byPath === undefined) return [];
  if (byPath.length === 0) return [[prose(NO_BRANCHES)]];
  return folded(`What each branch costs on ${nameOf(run)}`, [
    spelled(branchGrid(byPath), ['path']),
    [prose(BY_PATH_WORDS)],
  ]);
}

function profileBlocks(run: Run): Block[] {
  const { profile } = run;
  if (profile === undefined) return [];
  const shares = workShares(profile).map(({ words }) => prose(words));
  return folded(`Profile on ${nameOf(run)}`, [
    shares.length === 0 ? [] : [shares.join(' · ')],
    profile.top.length === 0 ? [] : spelled(spotGrid(profile), ['name', 'where']),
    [...profileFacts(profile).map(prose), ...profile.files.map(code)].map((line) => `- ${line}`),
  ]);
}

const folded = (title: string, blocks: Block[]): Block[] => [
  [`<details><summary>${prose(title)}</summary>`],
  ...blocks,
  ['</details>'],
];

/** `names` are the columns that hold names of the user's. */
const spelled = (columns: readonly Column[], names: readonly string[]): Block =>
  table(
    columns.map((column) => ({
      ...column,
      cells: column.cells.map(names.includes(column.key) ? cellCode : prose),
    })),
  );
