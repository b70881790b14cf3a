import type { Run } from '../../model/report.ts';
import { loadGrid } from '../circumstances.ts';
import { measuringFacts } from '../facts.ts';
import { isMeasured, timesGrid, trialsGrid, triedName, versionsGrid } from '../grid.ts';
import { nameOf } from '../runs.ts';
import { sharedOutcome, slowest, type Tried, triedOn, wasTimed } from '../tried.ts';
import { equalityWords, type Grade, OUTCOME_GRADES } from '../words.ts';
import { barDrawing, histogramDrawing } from './drawings.ts';
import { html, type Markup } from './markup.ts';
import { table } from './table.ts';

export function timesOf(runs: readonly Run[]): Markup | null {
  const measured = runs.filter(isMeasured);
  const [only, ...others] = measured;
  if (only === undefined) return null;
  if (others.length === 0) {
    const facts = html`<p class="quiet">${measuringFacts(only.measurement).join(' · ')}</p>`;
    return html`${table('Times', timesGrid(only.measurement))}${histogramDrawing(only.measurement.roundTrip)}${facts}`;
  }
  const distribution = {
    key: 'distribution',
    head: 'distribution',
    cells: measured.map(() => ''),
  };
  return table('Times', [...versionsGrid(measured), distribution], {
    distribution: (_, row) => histogramDrawing((measured[row] ?? only).measurement.roundTrip),
  });
}

export function loadsOf(runs: readonly Run[]): Markup[] {
  return runs.flatMap((run) => {
    const load = run.measurement?.load ?? [];
    return load.length === 0 ? [] : [table(`Under load on ${nameOf(run)}`, loadGrid(load))];
  });
}

/** What was tried, with bars; then what a rewrite loses, or why it was refused. */
export function trialsOf(runs: readonly Run[]): Markup | null {
  const tried = triedOn(runs);
  if (tried.length === 0) return null;
  const timed = tried.filter(wasTimed);
  const [names, ...numbers] = trialsGrid(timed);
  const columns = names === undefined ? [] : [names, { ...names, key: 'bar', head: '' }, ...numbers];
  const drawn = {
    bar: (_: string, row: number) => barOf(timed[row]),
    outcome: (text: string, row: number) =>
      html`<span class="${gradeOf(timed[row]) ?? 'plain'}">${text}</span>`,
  };
  return html`${timed.length === 0 ? null : table('Tried, time as a share of the original', columns, drawn)}${notes(tried)}`;
}

/** Without a row: the original, the measure of all. */
function barOf(row: Tried | undefined): Markup | null {
  const ratio = row === undefined ? 1 : slowest(row, 'withConversion');
  return ratio === null ? null : barDrawing(ratio, gradeOf(row));
}

function gradeOf(row: Tried | undefined): Grade | null {
  const outcome = row === undefined ? null : sharedOutcome(row);
  return outcome === null ? null : OUTCOME_GRADES[outcome];
}

function notes(tried: readonly Tried[]): Markup | null {
  const items = tried.flatMap((row) => {
    const reasons = new Set(row.trials.filter(({ equality }) => equality !== 'equal').map(equalityWords));
    const verb = wasTimed(row) ? 'is' : 'was refused:';
    return [...reasons].map((reason) => html`<li><code>${triedName(row)}</code> ${verb} ${reason}</li>`);
  });
  return items.length === 0 ? null : html`<ul class="says">${items}</ul>`;
}
