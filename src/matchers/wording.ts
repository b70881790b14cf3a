/** Message of a failed claim: one line, then each path with its reason and fix. */
import type { ExplainedFinding } from '../library/explain.ts';
import { visible } from '../reporters/text/escape.ts';

const MAX_SHOWN = 5;

function place({ path, example, count, title, what }: ExplainedFinding): string {
  const where = count > 1 && example !== path ? `${path} (${count} values, first at ${example})` : path;
  const named = what === undefined || title.toLowerCase().includes(what.toLowerCase()) ? '' : ` (${what})`;
  return visible(`${where}: ${title}${named}`);
}

function lines(finding: ExplainedFinding): string[] {
  const { why, fix } = finding;
  return [
    `  ${place(finding)}`,
    ...(why === '' ? [] : [`    why: ${why}`]),
    ...(fix === null ? [] : [`    fix: ${fix}`]),
  ];
}

/** `$.rows[*].geo (200 values, first at $.rows[0].geo): object inside a row`, with why and fix below. */
export function failureMessage(
  headline: string,
  findings: readonly ExplainedFinding[],
  notes: readonly string[] = [],
) {
  const more = findings.length - MAX_SHOWN;
  return [
    visible(headline),
    ...findings.slice(0, MAX_SHOWN).flatMap(lines),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...notes.map((note) => `  ${visible(note)}`),
  ].join('\n');
}
