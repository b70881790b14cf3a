import type { AppEvent } from '../../model/run/events.ts';

type StepEvent = Extract<AppEvent, { type: 'step' }>;

/** Shorter times are not told, ms. */
const MIN_MS = 1000;
const MAX_SECONDS = 99;

/** Estimates how long a command still takes, from its events and a clock in ms. */
export class TimeLeft {
  readonly #now: () => number;
  #started: Extract<AppEvent, { type: 'started' }> | null = null;
  #began = 0;
  #done = 0;
  #lastDone = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  listen(event: AppEvent): void {
    if (event.type !== 'started' && event.type !== 'run-done') return;
    this.#lastDone = this.#now();
    if (event.type === 'run-done') this.#done += 1;
    else [this.#started, this.#began, this.#done] = [event, this.#lastDone, 0];
  }

  /** ms until the command ends; null where nothing says so. */
  inAll(): number | null {
    if (this.#started === null) return null;
    const { runs, runMs, totalMs } = this.#started;
    const now = this.#now();
    if (totalMs !== null) return totalMs - (now - this.#began);
    // What is done tells how long a run takes here. Before that, its budget does.
    const eachMs = this.#done === 0 ? runMs : (this.#lastDone - this.#began) / this.#done;
    return eachMs * (runs - this.#done) - (now - this.#lastDone);
  }

  /** ", about 3 s left; 12 s in all"; "" where it is not known, or soon over. */
  text({ step, done, of }: StepEvent): string {
    const all = durationText(this.inAll());
    const here = step === 'measure' ? durationText(of - done) : null;
    const isOne = this.#started === null || this.#started.runs === 1;
    const parts = isOne
      ? [leftText(all ?? here)]
      : [leftText(here), ...(all === null ? [] : [`${here === null ? 'about ' : ''}${all} in all`])];
    const text = parts.filter((part) => part !== '').join('; ');
    return text === '' ? '' : `, ${text}`;
  }
}

const leftText = (time: string | null): string => (time === null ? '' : `about ${time} left`);

/** "3 s", "12 min"; null when it is nearly over. */
function durationText(ms: number | null): string | null {
  if (ms === null || ms < MIN_MS) return null;
  const seconds = Math.round(ms / 1000);
  return seconds > MAX_SECONDS ? `${Math.round(seconds / 60)} min` : `${seconds} s`;
}
