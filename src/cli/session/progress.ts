import { type AppEvent, STEPS } from '../../model/run/events.ts';
import { visibleLine } from '../../report/text/escape.ts';
import type { World } from './world.ts';

/** Progress on stderr: a spinner on a terminal, else an occasional line for a step; notes and warnings on both. */
export interface ProgressLine {
  listen(event: AppEvent): void;
  /** Clears the spinner, so that a result can be printed. The next event draws it again. */
  clear(): void;
}

export function createProgress(world: World): ProgressLine {
  const timeLeft = timeLeftBy(world.now);
  const line = canSpin(world) ? replacedLine(Math.max(MIN_CHARS, world.stderr.columns - SIGN_COLUMNS)) : null;
  const show = inLog(world, timeLeft);
  const clear = () => line?.clear();
  return {
    listen(event) {
      timeLeft.listen(event);
      if (event.type === 'step' && line) line.draw(stepText(event, timeLeft));
      else if (event.type === 'step') show(event);
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

/** "orders · bun 1.4.5 · measuring, 2.1x so far, about 12 s left" */
function stepText(event: StepEvent, timeLeft: TimeLeft): string {
  const { payload, runtime, channel, step, done, of, gain } = event;
  const place = [payload, runtime.replace('@', ' '), ...(channel === 'worker' ? [] : [channel])];
  const share = of > 1 && step !== 'measure' ? ` ${Math.min(100, Math.round((100 * done) / of))} %` : '';
  const soFar = gain === undefined ? '' : `, ${gain.toFixed(1)}x so far`;
  return [...place, `${STEPS[step]}${share}${soFar}${timeLeft.text(event)}`].join(' · ');
}

/** Minimum time before each line of a log, ms, or the share of the elapsed time. */
const QUIET_MS = 5000;
const QUIET_SHARE = 0.25;

function inLog({ now, stderr }: World, timeLeft: TimeLeft) {
  const began = now();
  let last = began;
  return (event: StepEvent) => {
    const at = now();
    const isQuiet = at - last < Math.max(QUIET_MS, QUIET_SHARE * (at - began));
    // Classifying takes milliseconds, and what is nearly over needs no line.
    if (isQuiet || event.step === 'describe' || timeLeft.text(event) === '') return;
    last = at;
    void stderr.line(stepText(event, timeLeft));
  };
}

/** Columns of the turning sign, a blank and the cursor. */
const SIGN_COLUMNS = 3;
const MIN_CHARS = 20;

const CLEAR_LINE = '\r\u001b[2K';
const SIGNS = ['-', '\\', '|', '/'];
const TURN_MS = 100;

/** A line that is drawn over itself, with a sign that turns between events too. Control sequences are not escaped. */
function replacedLine(chars: number) {
  let [shown, turn] = ['', 0];
  let timer: NodeJS.Timeout | null = null;
  const redraw = () => process.stderr.write(`${CLEAR_LINE}${SIGNS[turn++ % SIGNS.length]} ${shown}`);
  return {
    draw(text: string): void {
      shown = visibleLine(text, chars);
      redraw();
      timer ??= setInterval(redraw, TURN_MS).unref();
    },
    clear(): void {
      if (timer === null) return;
      clearInterval(timer);
      timer = null;
      process.stderr.write(CLEAR_LINE);
    },
  };
}

/** Shorter times are not printed, ms. */
const MIN_MS = 1000;
const MAX_SECONDS = 99;

/** Estimates how long a command still takes, from its events and a clock in ms. */
function timeLeftBy(now: () => number) {
  let started: Extract<AppEvent, { type: 'started' }> | null = null;
  let [began, done, lastDone] = [0, 0, 0];
  /** Time until the command ends, ms; without an estimate that of the step; null if that is not known either. */
  const leftMs = (event: StepEvent): number | null => {
    if (started === null) return event.step === 'measure' ? event.of - event.done : null;
    const { runs, runMs, totalMs } = started;
    if (totalMs !== null) return totalMs - (now() - began);
    // Finished runs show the duration of a run here. Before the first has finished, its budget is used.
    const eachMs = done === 0 ? runMs : (lastDone - began) / done;
    return eachMs * (runs - done) - (now() - lastDone);
  };
  return {
    listen(event: AppEvent): void {
      if (event.type !== 'started' && event.type !== 'run-done') return;
      lastDone = now();
      if (event.type === 'run-done') done += 1;
      else [started, began, done] = [event, lastDone, 0];
    },
    /** ", about 3 s left"; "" if the time is unknown, or it is nearly over. */
    text(event: StepEvent): string {
      const ms = leftMs(event);
      if (ms === null || ms < MIN_MS) return '';
      const seconds = Math.round(ms / 1000);
      return `, about ${seconds > MAX_SECONDS ? `${Math.round(seconds / 60)} min` : `${seconds} s`} left`;
    },
  };
}

type TimeLeft = ReturnType<typeof timeLeftBy>;
