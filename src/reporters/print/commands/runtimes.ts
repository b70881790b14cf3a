/** `clone-prof runtimes`. */
import type { FoundRuntime } from '../../../model/run/runtime.ts';
import { type Node, tableNode, text } from '../../doc.ts';
import { columnsOf } from '../../section/model/columns.ts';
import { muted } from '../../section/model/sentence.ts';

export function runtimeNodes(runtimes: readonly FoundRuntime[]): Node[] {
  if (runtimes.length === 0) return [text(['None.'])];
  const columns = columnsOf(runtimes, [
    { head: '', cell: ({ spec }) => spec },
    { head: '', cell: ({ engine }) => engine },
    {
      head: '',
      cell: ({ from, needs }) => (needs === undefined ? from : `${from}, too old: needs ${needs}`),
    },
    { head: '', cell: ({ binary }) => muted(binary) },
  ]);
  return tableNode('Runtimes', columns, { hasLongCells: true });
}
