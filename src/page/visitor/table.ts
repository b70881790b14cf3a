/** The results of a report, as a table in a page. All texts are set as text: names of payloads come from anywhere. */

import type { Report, Run } from '../../model/documents/report.ts';
import { runtimeWord } from '../../model/names.ts';
import { speed, time } from '../../reporters/text/numbers.ts';

const HEADS = ['payload', 'runtime', 'verdict', 'round trip', 'advice'];

function adviceOf({ advice, error }: Run): string {
  if (error) return error.message;
  if (advice === null) return '';
  const { action, remedy, gain } = advice;
  return action === 'apply' ? `${remedy}${gain ? `: ${speed(gain)}` : ''}` : action;
}

function row(cells: readonly string[], type: 'th' | 'td'): HTMLElement {
  const line = document.createElement('tr');
  for (const [at, textContent] of cells.entries()) {
    const cell = Object.assign(document.createElement(type), { textContent });
    // A narrow page shows it beside the cell.
    cell.dataset.head = HEADS[at];
    line.append(cell);
  }
  return line;
}

/** Replaces what is in `into`. */
export function drawTable(into: HTMLElement, { payloads }: Report): void {
  const rows = payloads.flatMap(({ id, runs }) =>
    runs.map((run) => {
      const { runtime, channel, verdict, measurement } = run;
      const where = `${runtimeWord(runtime)} ${runtime.version}${channel === 'worker' ? '' : ` ${channel}`}`;
      const trip = measurement ? time(measurement.roundTrip.median) : '';
      return row([id, where, verdict?.class ?? '', trip, adviceOf(run)], 'td');
    }),
  );
  const table = document.createElement('table');
  table.append(row(HEADS, 'th'), ...rows);
  into.replaceChildren(...(rows.length > 0 ? [table] : []));
}
