import type { Run } from '../../model/report.ts';
import { loadGrid } from '../circumstances.ts';
import { measuringFacts } from '../facts.ts';
import { isMeasured, timesGrid, trialsGrid, triedName, versionsGrid } from '../grid.ts';
import { ends, sparkline } from '../histogram.ts';
import { time } from '../numbers.ts';
import { nameOf } from '../runs.ts';
import { triedOn, wasTimed } from '../tried.ts';
import { equalityWords } from '../words.ts';
import type { Block } from './markdown.ts';
import { cellCode, prose } from './spans.ts';
import { table } from './table.ts';

const HISTOGRAM_CELLS = 24;

/** The times and the trials, folded away: they prove what is said above. */
export function numberBlocks(runs: readonly Run[]): Block[] {
  const blocks = [...timeBlocks(runs), ...loadBlocks(runs), ...trialBlocks(runs)].filter(
    (block) => block.length > 0,
  );
  if (blocks.length === 0) return [];
  return [['<details><summary>Times and trials</summary>'], ...blocks, ['</details>']];
}

function timeBlocks(runs: readonly Run[]): Block[] {
  const measured = runs.filter(isMeasured);
  const [only, ...others] = measured;
  if (only === undefined) return [];
  const grid = others.length === 0 ? timesGrid(only.measurement) : versionsGrid(measured);
  const columns = grid.map((column) => ({ ...column, cells: column.cells.map(prose) }));
  if (others.length > 0) return [table(columns)];
  return [
    table(columns),
    spread(only.measurement.roundTrip),
    [prose(measuringFacts(only.measurement).join(' · '))],
  ];
}

function loadBlocks(runs: readonly Run[]): Block[] {
  return runs.flatMap((run) => {
    const load = run.measurement?.load ?? [];
    if (load.length === 0) return [];
    const columns = loadGrid(load).map((column) => ({ ...column, cells: column.cells.map(prose) }));
    return [[prose(`Under load on ${nameOf(run)}`)], table(columns)];
  });
}

function spread({ histogram }: { histogram?: Parameters<typeof sparkline>[0] }): Block {
  if (histogram === undefined) return [];
  const [from, to] = ends(histogram);
  return [
    `Spread ${prose(time(from))} \`${sparkline(histogram, HISTOGRAM_CELLS, true)}\` ${prose(time(to))}`,
  ];
}

function trialBlocks(runs: readonly Run[]): Block[] {
  const tried = triedOn(runs);
  const timed = tried.filter(wasTimed);
  const columns = trialsGrid(timed).map(({ key, cells, ...column }) => ({
    ...column,
    key,
    cells: cells.map((cell, index) =>
      key === 'name' && index < timed.length ? cellCode(cell) : prose(cell),
    ),
  }));
  const notes = tried.flatMap((row) => {
    const reasons = new Set(row.trials.filter(({ equality }) => equality !== 'equal').map(equalityWords));
    const verb = wasTimed(row) ? 'is' : 'was refused:';
    return [...reasons].map((reason) => `- ${cellCode(triedName(row))} ${verb} ${prose(reason)}`);
  });
  return [timed.length === 0 ? [] : table(columns), notes];
}
