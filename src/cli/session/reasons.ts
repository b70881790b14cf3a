/** Why the exit code is not 0: one line on stderr each, wherever the result itself goes. */
import type { RunError } from '../../model/documents/report.ts';
import type { ToolError } from '../../model/errors.ts';
import { eachLine, type World } from './world.ts';

const PRINTED = '\nIt printed:\n';
const MAX_REASONS = 20;

/** An error without what the program printed, and without its stack: those are in the result. */
export function headlineOf({ code, message }: RunError): string {
  const [said = ''] = message.split(PRINTED);
  return code === 'internal' ? (said.split('\n')[0] ?? said) : said;
}

/** Each once: `clone-prof: rows on bun@1.4.5: no answer within 30000 ms`. */
export async function sayReasons(reasons: readonly string[], { stderr }: World): Promise<void> {
  const distinct = [...new Set(reasons)];
  for (const reason of distinct.slice(0, MAX_REASONS)) await stderr.line(`clone-prof: ${reason}`);
  const more = distinct.length - MAX_REASONS;
  if (more > 0) await stderr.line(`clone-prof: and ${more} more`);
}

/** An error that ended the command. What the program printed has no other place. */
export async function sayError(error: ToolError, world: World): Promise<void> {
  await sayReasons([headlineOf(error)], world);
  const { output } = error.facts;
  if (output) await eachLine(world.stderr, output, '  ');
}
