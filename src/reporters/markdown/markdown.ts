/** The report for a pull request or a job summary: GitHub Flavored Markdown. */
import type { RenderOptions } from '../../model/render-options.ts';
import type { PayloadReport, Report, RunError } from '../../model/report.ts';
import type { Wording } from '../../model/wording.ts';
import { machineFacts, sizeFacts } from '../facts.ts';
import { comparisonGrid } from '../grid.ts';
import { adviceDiffers, alike, fastestFirst } from '../runs.ts';
import { gradeOf } from '../words.ts';
import { sectionBlocks } from './section.ts';
import { code, codeBlock, prose } from './spans.ts';
import { MARKS, table } from './table.ts';

/** Blocks are parted by blank lines. */
export type Block = readonly string[];

export function markdown(report: Report, _look: RenderOptions, words: Wording): string {
  const payloads = report.payloads.flatMap((payload) => payloadBlocks(payload, words));
  const blocks: Block[] = [
    ['## clone-prof'],
    ...(payloads.length === 0 ? [['No payloads.']] : payloads),
    [`<sub>${prose(machineFacts(report).join(' · '))}</sub>`],
  ];
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')}\n`;
}

function payloadBlocks(payload: PayloadReport, words: Wording): Block[] {
  const { file, export: name } = payload.source;
  const place = [code(file), ...(name === null ? [] : [`export ${code(name)}`])].join(', ');
  return [
    [`### ${code(payload.id)}`],
    [[`File ${place}`, ...sizeFacts(payload).map(prose)].join(' · ')],
    ...bodyBlocks(payload, words),
  ];
}

function bodyBlocks(payload: PayloadReport, words: Wording): Block[] {
  if (payload.error !== null) return errorBlocks(payload.error);
  if (payload.runs.length === 0) return [['No runtime ran it.']];
  const differs = adviceDiffers(payload);
  return [
    comparison(payload, words),
    differs === null ? [] : [`**The advice differs**: ${prose(differs)}.`],
    ...alike(fastestFirst(payload.runs)).flatMap((runs) => sectionBlocks(runs, words)),
  ];
}

function comparison(payload: PayloadReport, words: Wording): Block {
  const runs = fastestFirst(payload.runs);
  const columns = comparisonGrid(payload, words).map((column) => ({
    ...column,
    cells: column.cells.map((cell, index) => {
      const run = runs[index];
      if (column.key !== 'verdict' || run === undefined) return prose(cell);
      const denied = run.verdict?.confirmed === false ? ' **denied**' : '';
      return `${MARKS[gradeOf(run)]} ${prose(cell)}${denied}`;
    }),
  }));
  return table(columns);
}

/** What a program printed has lines; a short sentence has one. Both are shown as they are. */
export function errorBlocks({ message, path }: RunError): Block[] {
  const where = path === undefined || message.includes(path) ? '' : `${path}: `;
  return [[`${MARKS.bad} **Failed**`], codeBlock(where + message, 'text')];
}
