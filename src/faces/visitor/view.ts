/** View on a visitor's page: the current step, and the results so far. A hidden page shows nothing. */
import type { Run } from '../../model/documents/report.ts';
import { runtimeWord } from '../../model/names.ts';
import type { PageView } from '../../model/wire/wire.ts';
import { speed, time } from '../../report/text/numbers.ts';

function adviceLine({ advice, error }: Run): string {
  if (error || advice === null) return error?.message ?? '';
  const { action, remedy, gain } = advice;
  return action === 'apply' ? `${remedy}${gain ? `: ${speed(gain)}` : ''}` : action;
}

function lineOf({ payload, run }: PageView['runs'][number]): string {
  const { runtime, channel, verdict, measurement } = run;
  const where = `${runtimeWord(runtime)} ${runtime.version}${channel === 'worker' ? '' : ` ${channel}`}`;
  const trip = measurement ? `${time(measurement.roundTrip.median)} a message` : '';
  const parts = [payload, where, verdict?.class ?? '', trip, adviceLine(run)];
  return parts.filter((part) => part !== '').join(' · ');
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
  const items = runs.map((run) => Object.assign(document.createElement('li'), { textContent: lineOf(run) }));
  results.replaceChildren(...items);
  await new Promise<void>((resolve) => {
    nextFrame(() => later(resolve));
    later(resolve, MAX_FRAME_MS);
  });
}

export function showEnd(): void {
  if (status && !isOver) status.textContent = 'The connection has ended. clone-prof was stopped, or is done.';
}
