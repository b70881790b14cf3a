import { createSpinner } from 'nanospinner';
import { type AppEvent, STEPS } from '../../model/run/events.ts';
import { visibleLine } from '../../report/text/escape.ts';
import type { World } from './world.ts';

/** Progress on stderr: a spinner on a terminal, else an occasional line for a step; notes and warnings on both. */
export interface ProgressLine {
  listen(event: AppEvent): void;
  /** Clears the spinner, so that a result can be printed. The next event draws it again. */
  clear(): void;
}

/** @param now milliseconds, monotonic */
export function createProgress(world: World, now: () => number = () => performance.now()): ProgressLine {
  const timeLeft = new TimeLeft(now);
  const line = !canSpin(world) ? null : world.stdout.isTTY === true ? spinningLine() : plainLine();
  const show = line === null ? inLog(world, now, timeLeft) : onTerminal(world, line, timeLeft);
  const clear = () => line?.clear();
  return {
    listen(event) {
      timeLeft.listen(event);
      if (event.type === 'step' || event.type === 'classified') show(event);
      if (event.type !== 'note' && event.type !== 'warning') return;
      clear();
      void world.stderr.line(`${event.type}: ${event.text}`);
    },
    clear,
  };
}

/** A terminal of unknown width (0 columns) is excluded: a line on it could not be cleared. */
const canSpin = ({ stderr, env }: World): boolean =>
  stderr.isTTY && stderr.columns > 0 && env.TERM !== 'dumb' && env.CI === undefined;

type StepEvent = Extract<AppEvent, { type: 'step' }>;
type RunEvent = Extract<AppEvent, { type: 'step' | 'classified' }>;

/** "orders · bun 1.4.5" */
function runText({ payload, runtime, channel }: RunEvent): string {
  return [payload, runtime.replace('@', ' '), ...(channel === 'worker' ? [] : [channel])].join(' · ');
}

/** "measuring, 2.1x so far, about 3 s left; 12 s in all" */
function stepText(event: StepEvent, timeLeft: TimeLeft): string {
  const { step, done, of, gain } = event;
  const soFar = gain === undefined ? '' : `, ${gain.toFixed(1)}x so far`;
  const share = of > 1 && step !== 'measure' ? ` ${Math.min(100, Math.round((100 * done) / of))} %` : '';
  return `${STEPS[step]}${share}${soFar}${timeLeft.text(event)}`;
}

/** Minimum time before each step in a log, ms, or the share of the elapsed time. A nearly finished run gets none. */
const QUIET_MS = 5000;
const SOON_OVER_MS = 2000;
const QUIET_SHARE = 0.25;

/** Progress without a terminal: notes and warnings, and a line every few seconds if a run takes long. */
function inLog(world: World, now: () => number, timeLeft: TimeLeft) {
  const began = now();
  let last = began;
  const isDue = (at: number): boolean =>
    at - last >= Math.max(QUIET_MS, QUIET_SHARE * (at - began)) &&
    (timeLeft.inAll() ?? Number.POSITIVE_INFINITY) >= SOON_OVER_MS;
  return (event: RunEvent) => {
    // Classifying takes milliseconds and is not reported.
    if (event.type !== 'step' || event.step === 'describe' || !isDue(now())) return;
    last = now();
    void world.stderr.line(`${runText(event)} · ${stepText(event, timeLeft)}`);
  };
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Removes the spinner's listeners, which would end the process before the session has reported its results. */
function withoutSignals(start: () => void): void {
  const before = SIGNALS.map((name) => process.listeners(name));
  start();
  for (const [i, name] of SIGNALS.entries()) {
    for (const added of process.listeners(name)) if (!before[i]?.includes(added)) process.off(name, added);
  }
}

/** Columns of the spinner's sign, a blank and the cursor. */
const SIGN_COLUMNS = 3;
const MIN_CHARS = 20;

/** A terminal line that is replaced. It is written without escaping, because it has control sequences. */
interface ReplacedLine {
  draw(text: string): void;
  clear(): void;
}

function spinningLine(): ReplacedLine {
  const spinner = createSpinner('', { stream: process.stderr });
  return {
    draw(text) {
      if (spinner.isSpinning()) spinner.update({ text });
      else withoutSignals(() => spinner.start({ text }));
    },
    clear() {
      if (spinner.isSpinning()) spinner.clear().stop();
    },
  };
}

const CLEAR_LINE = '\r\u001b[2K';

/** Replaces the spinner: nanospinner turns only if stdout is a terminal too. */
function plainLine(): ReplacedLine {
  let isDrawn = false;
  return {
    draw(text) {
      process.stderr.write(`${CLEAR_LINE}${text}`);
      isDrawn = true;
    },
    clear() {
      if (isDrawn) process.stderr.write(CLEAR_LINE);
      isDrawn = false;
    },
  };
}

function onTerminal(world: World, line: ReplacedLine, timeLeft: TimeLeft) {
  // Verdict of each run once it is known. The report repeats it, so it disappears with the spinner.
  const classes = new Map<string, string>();
  const draw = (text: string) =>
    line.draw(visibleLine(text, Math.max(MIN_CHARS, world.stderr.columns - SIGN_COLUMNS)));
  return (event: RunEvent) => {
    const place = runText(event);
    const known = classes.get(place);
    if (event.type === 'step')
      return draw(`${place}${known === undefined ? '' : ` · ${known}`} · ${stepText(event, timeLeft)}`);
    classes.set(place, event.verdict.class);
    draw(`${place} · ${event.verdict.class} (${event.verdict.path})`);
  };
}

/** Shorter times are not printed, ms. */
const MIN_MS = 1000;
const MAX_SECONDS = 99;

/** Estimates how long a command still takes, from its events and a clock in ms. */
class TimeLeft {
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

  /** Time until the command ends, ms; null if it cannot be estimated. */
  inAll(): number | null {
    if (this.#started === null) return null;
    const { runs, runMs, totalMs } = this.#started;
    const now = this.#now();
    if (totalMs !== null) return totalMs - (now - this.#began);
    // Finished runs show the duration of a run here. Before the first has finished, its budget is used.
    const eachMs = this.#done === 0 ? runMs : (this.#lastDone - this.#began) / this.#done;
    return eachMs * (runs - this.#done) - (now - this.#lastDone);
  }

  /** ", about 3 s left; 12 s in all"; "" if the time is unknown or short. */
  text({ step, done, of }: StepEvent): string {
    const all = durationText(this.inAll());
    const here = step === 'measure' ? durationText(of - done) : null;
    const isOne = this.#started === null || this.#started.runs === 1;
    const soon = isOne ? (all ?? here) : here;
    const left = soon === null ? '' : `, about ${soon} left`;
    if (isOne || all === null) return left;
    return left === '' ? `, about ${all} in all` : `${left}; ${all} in all`;
  }
}

/** "3 s", "12 min"; null if it is nearly over. */
function durationText(ms: number | null): string | null {
  if (ms === null || ms < MIN_MS) return null;
  const seconds = Math.round(ms / 1000);
  return seconds > MAX_SECONDS ? `${Math.round(seconds / 60)} min` : `${seconds} s`;
}
