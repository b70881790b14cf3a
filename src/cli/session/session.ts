/** A command while it runs: its signals, its progress, its link for browsers, and `--watch`. */
import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { atLeastOne } from '../../app/job/job.ts';
import { type Fetching, fetchOptions, type Services, type Work } from '../../app/world/services.ts';
import { withWorkFolder } from '../../machine/temp-folders.ts';
import { onSignals } from '../../machine/waiting.ts';
import { ToolError } from '../../model/errors.ts';
import type { Channel, CostClass } from '../../model/names.ts';
import { orElse } from '../../model/or-else.ts';
import { type AppEvent, STEPS } from '../../model/run/events.ts';
import type { FoundRuntimes, OpenLink } from '../../model/run/runtime.ts';
import { visibleLine } from '../../report/text/escape.ts';
import { counted } from '../../report/text/numbers.ts';
import { CommandFiles } from './output.ts';
import { sayError, sayReasons, type World } from './world.ts';

/** Light modules around the code for a phone's camera (ISO/IEC 18004 requires four). */
const QUIET_ZONE = 4;

const WARNING =
  'warning: --listen: whoever has the link can take part, and the network can read what is sent: it is http. Such pages are not isolated: times come in blocks';

/** Prints the link, and on a terminal that is wide enough also its code for a camera. */
export async function showLink(
  { url, browsers, timeoutMs, isPublic }: OpenLink,
  { stderr }: Pick<World, 'stderr'>,
): Promise<void> {
  if (isPublic) await stderr.line(WARNING);
  const { renderUnicodeCompact } = await import('uqr');
  const code = renderUnicodeCompact(url, { border: QUIET_ZONE }).split('\n');
  if (stderr.isTTY && stderr.columns > (code[0]?.length ?? 0))
    for (const line of code) await stderr.line(line);
  const where = isPublic ? 'on any device of the network' : 'on this machine';
  await stderr.line(
    `waiting up to ${timeoutMs / 1000} s for ${counted(browsers, 'browser')} ${where} to open ${url} (Ctrl-C ends)`,
  );
}

export type Action<Settings> = (settings: Settings, world: World, services: Services) => Promise<number>;

/** Environment of an action while it runs. Ctrl-C aborts its signal. */
export interface Session extends Work {
  world: World;
  progress: ReturnType<typeof createProgress>;
  files: CommandFiles;
}

async function withSignal<T>(world: World, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const abort = () => {
    controller.abort();
    release();
  };
  const release = onSignals(world, { SIGINT: abort, SIGTERM: abort, SIGHUP: abort });
  try {
    return await work(controller.signal);
  } finally {
    release();
  }
}

/** Ctrl-C kills guests, and results so far are still reported. A second one ends the process: the listener is gone then. */
export const inSession =
  <Settings>(work: (settings: Settings, session: Session) => Promise<number>): Action<Settings> =>
  (settings, world, services) =>
    withWorkFolder(async (workdir) => {
      const progress = createProgress(world);
      const place = { cwd: world.cwd(), env: world.env, workdir, world, progress, emit: progress.listen };
      const files = new CommandFiles(place.cwd);
      const onLink = (link: OpenLink) => {
        progress.clear();
        void showLink(link, world);
      };
      try {
        return await withSignal(world, (signal) =>
          work(settings, { ...place, services: files.guarding(services), files, signal, onLink }),
        );
      } finally {
        progress.clear();
      }
    });

/** Installed runtimes; missing ones are reported. @throws the error of the first if none is installed */
export async function foundRuntimes(
  session: Session,
  settings: Fetching & { runtimes: string[] },
): Promise<FoundRuntimes> {
  const { services, world } = session;
  const options = fetchOptions(session, settings);
  const found = atLeastOne(await services.findRuntimes(settings.runtimes, options));
  await sayReasons(
    found.missing.map(({ error }) => error.message),
    world,
  );
  return found;
}

/** Time without changes, ms. Editors write a file in steps, or write a new file and rename it. */
const QUIET_MS = 100;
/** Interval of looking at the files, ms: removed folders and network file systems report no changes by themselves. */
const LOOK_MS = 250;

/** Identity, size and time of a file; "" if it does not exist. */
function stampOf(path: string): string {
  const found = orElse(() => statSync(path, { throwIfNoEntry: false }), undefined);
  return found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeMs}`;
}

/** Files that a command has read, each with its stamp from before, so that a write during the read counts as a change. */
type ReadFiles = Map<string, string>;

/** Waits until a file differs from its state when read, and none changes any more. @throws when the signal aborts */
async function changeOf(files: ReadFiles, signal: AbortSignal): Promise<void> {
  const read = [...files.values()].join();
  for (let before = read; ; ) {
    await sleep(before === read ? LOOK_MS : QUIET_MS, undefined, { signal });
    const now = [...files.keys()].map(stampOf).join();
    if (now !== read && now === before) return;
    before = now;
  }
}

/** `--watch`: errors of a temporarily broken file are reported like in any run, and the next change is awaited. */
export const watching =
  <Settings>(run: Action<Settings>): Action<Settings> =>
  async (settings, world, services) => {
    for (let paths: string[] = []; ; ) {
      // Files of the run before stay: a broken file may not name its imports now.
      const files: ReadFiles = new Map(paths.map((path) => [path, stampOf(path)]));
      const onRead = (path: string) => void (files.has(path) || files.set(path, stampOf(path)));
      const loadSources: Services['loadSources'] = (inputs, options) =>
        services.loadSources(inputs, { ...options, onRead });
      try {
        await run(settings, world, { ...services, onRead, loadSources });
      } catch (error) {
        const isOver = !(error instanceof ToolError) || error.code === 'interrupted';
        // If no file was read, a change cannot fix the error.
        if (isOver || files.size === 0) throw error;
        await sayError(error, world);
      }
      await withSignal(world, async (signal) => {
        // Printed once the Ctrl-C handler is set, because a reader may press it at once.
        await world.stderr.line(`watching ${counted(files.size, 'file')} (Ctrl-C ends)`);
        await changeOf(files, signal).catch((error) => {
          throw signal.aborted ? new ToolError('interrupted') : error;
        });
      });
      paths = [...files.keys()];
    }
  };

/** Progress on stderr: a spinner on a terminal, else an occasional line for a step; notes and warnings on both. */
export function createProgress(world: World) {
  const timeLeft = timeLeftBy(world.now);
  const line = canSpin(world) ? replacedLine(world.stderr) : null;
  /** Classes by payload and place: the first result, soon after the start. */
  const classes = new Map<string, CostClass>();
  const textOf = (event: StepEvent) => stepText(event, classes.get(placeText(event)), timeLeft);
  const show = inLog(world, timeLeft, textOf);
  /** Clears the spinner, so that a result can be printed. The next event draws it again. */
  const clear = () => line?.clear();
  return {
    listen(event: AppEvent): void {
      timeLeft.listen(event);
      if (event.type === 'classified') classes.set(placeText(event), event.verdict.class);
      if (event.type === 'step' && line) line.draw(textOf(event));
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

/** "orders · bun 1.4.5" */
const placeText = ({ payload, runtime, channel }: Extract<AppEvent, { channel: Channel }>): string =>
  [payload, runtime.replace('@', ' '), ...(channel === 'worker' ? [] : [channel])].join(' · ');

/** "orders · bun 1.4.5 · serialized · measuring, 2.1x so far, about 12 s left" */
function stepText(event: StepEvent, cost: CostClass | undefined, timeLeft: TimeLeft): string {
  const { step, done, of, gain } = event;
  const share = of > 1 && step !== 'measure' ? ` ${Math.min(100, Math.round((100 * done) / of))} %` : '';
  const soFar = gain === undefined ? '' : `, ${gain.toFixed(1)}x so far`;
  const progress = `${STEPS[step]}${share}${soFar}${timeLeft.text(event)}`;
  return [placeText(event), ...(cost === undefined ? [] : [cost]), progress].join(' · ');
}

/** Minimum time before each line of a log, ms, or the share of the elapsed time. */
const LOG_MS = 5000;
const LOG_SHARE = 0.25;

function inLog({ now, stderr }: World, timeLeft: TimeLeft, textOf: (event: StepEvent) => string) {
  const began = now();
  let last = began;
  return (event: StepEvent) => {
    const at = now();
    const isQuiet = at - last < Math.max(LOG_MS, LOG_SHARE * (at - began));
    // Classifying takes milliseconds, and what is nearly over needs no line.
    if (isQuiet || event.step === 'describe' || timeLeft.text(event) === '') return;
    last = at;
    void stderr.line(textOf(event));
  };
}

/** Columns of the turning sign, a blank and the cursor. */
const SIGN_COLUMNS = 3;
const MIN_CHARS = 20;

const CLEAR_LINE = '\r\u001b[2K';
const SIGNS = ['-', '\\', '|', '/'];
const TURN_MS = 100;

/** A line that is drawn over itself, with a sign that turns between events too. Control sequences are not escaped. */
function replacedLine(stderr: World['stderr']) {
  let [shown, turn] = ['', 0];
  let timer: NodeJS.Timeout | null = null;
  const redraw = () => {
    // The window may be narrower by now. Only the last row of a line that is too long would be cleared.
    const text = visibleLine(shown, Math.max(MIN_CHARS, stderr.columns - SIGN_COLUMNS));
    process.stderr.write(`${CLEAR_LINE}${SIGNS[turn++ % SIGNS.length]} ${text}`);
  };
  return {
    draw(text: string): void {
      shown = text;
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
