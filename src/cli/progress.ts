import { createSpinner } from 'nanospinner';
import type { AppEvent } from '../model/events.ts';
import type { World } from './world.ts';

/** Progress on stderr: a spinner and verdicts on a terminal; elsewhere only notes and warnings. */
export interface Progress {
  listen(event: AppEvent): void;
  /** Clears the spinner, so that a result can be printed. */
  pause(): void;
  stop(): void;
}

/** Keys and file names come from outside: their control characters must not reach the terminal. */
export function plain(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Bidi_Control}]/gu,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const STEPS = {
  describe: 'describing',
  prove: 'proving rewrites',
  measure: 'measuring',
  memory: 'measuring memory',
  load: 'under load',
  profile: 'profiling',
  'by-path': 'leaving out branches',
} as const;

function lineOf(event: AppEvent): string | null {
  switch (event.type) {
    case 'classified':
      return `  ${plain(event.payload)}  ${event.runtime}${event.channel === 'worker' ? '' : ` ${event.channel}`}  ${event.verdict.path} (${event.verdict.class})`;
    case 'note':
      return `note: ${plain(event.text)}`;
    case 'warning':
      return `warning: ${plain(event.text)}`;
    default:
      return null;
  }
}

export function createProgress(world: World): Progress {
  return world.stderr.isTTY && world.env.TERM !== 'dumb' ? onTerminal(world) : quiet(world);
}

/** Without a terminal: notes and warnings only. */
function quiet(world: World): Progress {
  return {
    listen(event) {
      const line = event.type === 'classified' ? null : lineOf(event);
      if (line !== null) world.stderr.write(`${line}\n`);
    },
    pause() {},
    stop() {},
  };
}

/** On a terminal of unknown width (0 columns, as in some CI) the spinner would clear lines without end. */
const canSpin = (world: World) => (world.stderr.columns ?? 0) > 0;

function onTerminal(world: World): Progress {
  const spinner = createSpinner('', { stream: process.stderr });
  let spinning = false;
  const pause = () => {
    if (spinning) spinner.clear().stop();
    spinning = false;
  };
  const spin = (text: string) => {
    if (!canSpin(world)) return;
    if (spinning) spinner.update({ text });
    else spinner.start({ text });
    spinning = true;
  };
  return {
    listen(event) {
      const line = lineOf(event);
      if (line !== null) {
        pause();
        world.stderr.write(`${line}\n`);
      } else if (event.type === 'step') {
        const share = event.of > 1 ? ` ${Math.min(100, Math.round((100 * event.done) / event.of))} %` : '';
        spin(`${plain(event.payload)} on ${event.runtime}: ${STEPS[event.step]}${share}`);
      }
    },
    pause,
    stop: pause,
  };
}
