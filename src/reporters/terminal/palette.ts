import { Chalk } from 'chalk';
import type { Tone } from '../section/sentence.ts';

export type Paint = (text: string) => string;

/** The 16 colours of the reader's own theme. Each colour repeats what a word or a mark already says. */
export type Palette = Record<Tone | 'title' | 'code' | 'alarm', Paint>;

export function paletteOf(color: boolean): Palette {
  const chalk = new Chalk({ level: color ? 1 : 0 });
  // One argument only: chalk prints them all, and `lines.map(paint)` would pass the index as the second.
  const only =
    (paint: Paint): Paint =>
    (text) =>
      paint(text);
  return {
    title: only(chalk.bold),
    code: only(chalk.cyan),
    alarm: only(chalk.bold.red),
    muted: only(chalk.dim),
    good: only(chalk.green),
    fair: only(chalk.yellow),
    poor: only(chalk.yellow),
    bad: only(chalk.red),
  };
}
