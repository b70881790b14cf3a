/** Exit codes, and a line on stderr for each reason why a code is not 0, independent of the result's destination. */
import type { PayloadReport, Report, Run, RunError } from '../../model/documents/report.ts';
import type { ToolError } from '../../model/errors.ts';
import { EXIT, isUsageCode } from '../../model/exit-codes.ts';
import { eachLine, type World } from './world.ts';

/** Exit 2 for unreadable input, which the user can fix; 3 for a failed run or an untried rewrite. */
export function exitCodeOfReport({ payloads }: Report): number {
  const isUsage = (error: RunError | null) => error !== null && isUsageCode(error.code);
  const unreadable = ({ error, runs }: PayloadReport) =>
    isUsage(error) || (runs.length > 0 && runs.every((run) => isUsage(run.error)));
  if (payloads.some(unreadable)) return EXIT.usage;
  const isIncomplete = ({ error, advice }: Run) => error !== null || advice?.untried !== undefined;
  const failed = payloads.some((p) => p.error !== null || p.runs.some(isIncomplete));
  return failed ? EXIT.failure : EXIT.ok;
}

const PRINTED = '\nIt printed:\n';
const MAX_REASONS = 20;

/** An error without the program's output and without its stack, which are in the result. */
export function headlineOf({ code, message }: RunError): string {
  const [said = ''] = message.split(PRINTED);
  return code === 'internal' ? (said.split('\n')[0] ?? said) : said;
}

/** Prints each reason once: `clone-prof: rows on bun@1.4.5: no answer within 30000 ms`. */
export async function sayReasons(reasons: readonly string[], { stderr }: World): Promise<void> {
  const distinct = [...new Set(reasons)];
  for (const reason of distinct.slice(0, MAX_REASONS)) await stderr.line(`clone-prof: ${reason}`);
  const more = distinct.length - MAX_REASONS;
  if (more > 0) await stderr.line(`clone-prof: and ${more} more`);
}

/** Prints an error that ended the command, with the program's output, which is not printed anywhere else. */
export async function sayError(error: ToolError, world: World): Promise<void> {
  await sayReasons([headlineOf(error)], world);
  const { output } = error.facts;
  if (output) await eachLine(world.stderr, output, '  ');
}
