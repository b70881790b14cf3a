import type { RenderOptions } from '../../model/report/render-options.ts';
import type { FoundRuntime } from '../../model/run/runtime.ts';
import { columnsOf } from '../section/model/columns.ts';
import { muted } from '../section/model/sentence.ts';
import { terminalStyle } from './style.ts';
import { table } from './table.ts';

export function terminalRuntimes(runtimes: readonly FoundRuntime[], options: RenderOptions): string {
  if (runtimes.length === 0) return 'None.\n';
  const columns = columnsOf(runtimes, [
    { head: '', cell: ({ spec }) => spec },
    { head: '', cell: ({ engine }) => engine },
    {
      head: '',
      cell: ({ from, needs }) => (needs === undefined ? from : `${from}, too old: needs ${needs}`),
    },
    { head: '', cell: ({ binary }) => muted(binary) },
  ]);
  return `${table(columns, options.columns, terminalStyle(options)).join('\n')}\n`;
}
