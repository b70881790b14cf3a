/** What the page of a visitor shows: what goes on, and the results so far. Pages that nobody looks at show nothing. */
import type { PageView } from '../../model/wire/page-view.ts';
import { drawTable } from './table.ts';

// Taken before user code loads.
const status = document.getElementById('status');
const results = document.getElementById('results');
const later = setTimeout;
const nextFrame = requestAnimationFrame;

/** A page that is not visible draws no frame. */
const MAX_FRAME_MS = 100;

let isOver = false;

const drawn = () =>
  new Promise<void>((resolve) => {
    nextFrame(() => later(resolve));
    later(resolve, MAX_FRAME_MS);
  });

/** Resolves when it is on the screen. */
export async function showView({ status: text, report, over }: PageView): Promise<void> {
  if (status === null || results === null) return;
  isOver = over;
  status.textContent = text;
  if (report) drawTable(results, report);
  await drawn();
}

export function showEnd(): void {
  if (status && !isOver) status.textContent = 'The connection has ended. clone-prof was stopped, or is done.';
}
