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
  const timeLeft = timeLeftBy(now);
  const line = !canSpin(world) ? null : world.stdout.isTTY === true ? spinningLine() : plainLine();
  const show = line === null ? inLog(world, now, timeLeft) : onTerminal(world, line, timeLeft);
  const clear = () => line?.clear();
  return {
    listen(event) {
      timeLeft.listen(event);
      if (event.type === 'step') show(event);
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

function inLog(world: World, now: () => number, timeLeft: TimeLeft) {
  const began = now();
  let last = began;
  return (event: StepEvent) => {
    const at = now();
    const isQuiet = at - last < Math.max(QUIET_MS, QUIET_SHARE * (at - began));
    // Classifying takes milliseconds, and what is nearly over needs no line.
    if (isQuiet || event.step === 'describe' || timeLeft.text(event) === '') return;
    last = at;
    void world.stderr.line(stepText(event, timeLeft));
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

type ReplacedLine = ReturnType<typeof spinningLine>;

function spinningLine() {
  const spinner = createSpinner('', { stream: process.stderr });
  return {
    draw(text: string): void {
      if (spinner.isSpinning()) spinner.update({ text });
      else withoutSignals(() => spinner.start({ text }));
    },
    clear(): void {
      if (spinner.isSpinning()) spinner.clear().stop();
    },
  };
}

const CLEAR_LINE = '\r\u001b[2K';

/** Replaces the spinner: nanospinner turns only if stdout is a terminal too. Control sequences are not escaped. */
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

const onTerminal = (world: World, line: ReplacedLine, timeLeft: TimeLeft) => (event: StepEvent) =>
  line.draw(visibleLine(stepText(event, timeLeft), Math.max(MIN_CHARS, world.stderr.columns - SIGN_COLUMNS)));

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
