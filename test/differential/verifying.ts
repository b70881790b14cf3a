/** Options and results of the `verify` scripts. */
import { parseArgs } from 'node:util';

/** Options with a value, and their defaults; '' if it is left out. */
export function options<const Defaults extends Record<string, string>>(defaults: Defaults) {
  const rows = Object.entries(defaults).map(([name, text]) => [name, { type: 'string', default: text }]);
  return parseArgs({ options: Object.fromEntries(rows) }).values as Record<keyof Defaults, string>;
}

export const listed = (text: string): string[] => text.split(',').filter((one) => one !== '');

/** One line for what was compared, one for each error; an error makes the exit code 1. */
export function printed(
  what: string,
  counts: Record<string, number | string>,
  wrong: readonly string[],
): void {
  for (const one of wrong) console.error(`${what}: ${one}`);
  const all = Object.entries({ ...counts, wrong: wrong.length });
  console.log(`${what}: ${all.map(([name, count]) => `${count} ${name}`).join(', ')}`);
  if (wrong.length > 0) process.exitCode = 1;
}
