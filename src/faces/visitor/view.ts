/** View on a visitor's page: the current step, and the results so far. A hidden page shows nothing. */
import type { Run } from '../../model/documents/report.ts';
import { runtimeWord } from '../../model/names.ts';
import type { PageView } from '../../model/wire/wire.ts';
import { speed, time } from '../../report/text/numbers.ts';

const HEADS = ['payload', 'runtime', 'verdict', 'round trip', 'advice'];

function adviceLine({ advice, error }: Run): string {
  if (error || advice === null) return error?.message ?? '';
  const { action, remedy, gain } = advice;
  return action === 'apply' ? `${remedy}${gain ? `: ${speed(gain)}` : ''}` : action;
}

function row(cells: readonly string[], type: 'th' | 'td'): HTMLElement {
  const line = document.createElement('tr');
  for (const [at, textContent] of cells.entries()) {
    const cell = Object.assign(document.createElement(type), { textContent });
    // A narrow page shows the head next to the cell.
    cell.dataset.head = HEADS[at];
    line.append(cell);
  }
  return line;
}

function drawTable(into: HTMLElement, runs: PageView['runs']): void {
  const rows = runs.map(({ payload, run }) => {
    const { runtime, channel, verdict, measurement } = run;
    const where = `${runtimeWord(runtime)} ${runtime.version}${channel === 'worker' ? '' : ` ${channel}`}`;
    const trip = measurement ? time(measurement.roundTrip.median) : '';
    return row([payload, where, verdict?.class ?? '', trip, adviceLine(run)], 'td');
  });
  const table = document.createElement('table');
  table.append(row(HEADS, 'th'), ...rows);
  into.replaceChildren(...(rows.length > 0 ? [table] : []));
}

// References to page functions are taken before the user's code loads.
const status = globalThis.document?.getElementById('status');
const results = globalThis.document?.getElementById('results');
const later = setTimeout;
const nextFrame = globalThis.requestAnimationFrame;

/** Maximum wait for a frame, ms: a page that is not visible does not draw any. */
const MAX_FRAME_MS = 100;

let isOver = false;

export async function showView({ status: text, runs, over }: PageView): Promise<void> {
  if (status === null || results === null) return;
  isOver = over;
  status.textContent = text;
  drawTable(results, runs);
  await new Promise<void>((resolve) => {
    nextFrame(() => later(resolve));
    later(resolve, MAX_FRAME_MS);
  });
}

export function showEnd(): void {
  if (status && !isOver) status.textContent = 'The connection has ended. clone-prof was stopped, or is done.';
}
