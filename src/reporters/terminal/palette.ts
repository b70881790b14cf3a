import { Chalk } from 'chalk';
import type { Grade } from '../words.ts';

export type Paint = (text: string) => string;

/** The 16 colours of the reader's own theme; every colour repeats what a word says already. */
export interface Palette {
  title: Paint;
  quiet: Paint;
  code: Paint;
  alarm: Paint;
  grade: Record<Grade, Paint>;
}

export function paletteOf(color: boolean): Palette {
  const chalk = new Chalk({ level: color ? 1 : 0 });
  // One argument only: chalk prints them all, and `lines.map(paint)` would pass the index as the second.
  const only =
    (paint: Paint): Paint =>
    (text) =>
      paint(text);
  return {
    title: only(chalk.bold),
    quiet: only(chalk.dim),
    code: only(chalk.cyan),
    alarm: only(chalk.bold.red),
    grade: {
      good: only(chalk.green),
      fair: only(chalk.yellow),
      poor: only(chalk.yellow),
      bad: only(chalk.red),
    },
  };
}
