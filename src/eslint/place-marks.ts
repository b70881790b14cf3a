/** Which call of a file a recorded line is now. Pure. */
import { fnv1aHex } from '../model/fnv1a.ts';
import type { PostingApi } from '../model/recording/recording.ts';
import type { Mark } from '../reporters/section/marks.ts';

/** As ESLint has it: lines from 1 on, columns from 0 on. */
export interface Range {
  start: { line: number; column: number };
  end: { line: number; column: number };
}

export interface Call {
  /** "postMessage" of `port.postMessage(x)`; null of what has no name. */
  name: string | null;
  line: number;
  /** From 1 on. */
  column: number;
  loc: Range;
}

export interface PlacedMark {
  mark: Mark;
  loc: Range;
}

interface Stale {
  loc: Range;
  text: string;
}

/**
 * A line is known by the hash of its text, which moves with it; where the document has none, by a call of the same name.
 *
 * @returns `stale`: lines that are there no longer, told once for the file
 */
export function placeMarks(
  marks: readonly Mark[],
  lines: readonly string[],
  calls: readonly Call[],
): { placed: PlacedMark[]; stale: Stale | null } {
  const placed: PlacedMark[] = [];
  const gone = new Set<number>();
  let linesOf: Map<string, number[]> | undefined;
  for (const mark of marks) {
    const { line, lineHash } = mark.place;
    linesOf ??= byHash(lineHash === null ? [] : lines);
    const loc = line === null ? wholeLine(1, lines) : placeOf(mark, line, linesOf, lines, calls);
    if (loc !== null) placed.push({ mark, loc });
    else gone.add(line ?? 1);
  }
  return {
    placed,
    stale:
      gone.size === 0
        ? null
        : staleAt(
            [...gone].sort((a, b) => a - b),
            lines,
          ),
  };
}

function placeOf(
  mark: Mark,
  recorded: number,
  linesOf: ReadonlyMap<string, number[]>,
  lines: readonly string[],
  calls: readonly Call[],
): Range | null {
  const { lineHash } = mark.place;
  if (lineHash === null) {
    if (mark.post === null) return recorded > lines.length ? null : wholeLine(recorded, lines);
    return callAt(mark, recorded, calls)?.loc ?? null;
  }
  const same = linesOf.get(lineHash) ?? [];
  const [line] = [...same].sort((a, b) => Math.abs(a - recorded) - Math.abs(b - recorded));
  return line === undefined ? null : (callAt(mark, line, calls)?.loc ?? wholeLine(line, lines));
}

/** Names of what is called, as they may stand in a program. */
const calledAs = (api: PostingApi): string =>
  api === 'workerData' ? 'Worker' : (api.split('.').at(-1) ?? api);

/** The one nearest to the recorded column; a library is called by any name. */
function callAt({ post, place }: Mark, line: number, calls: readonly Call[]): Call | undefined {
  const there = calls.filter((call) => call.line === line);
  const named = there.filter(({ name }) => post !== null && name === calledAs(post.api));
  const column = place.column ?? 0;
  const [nearest] = (named.length > 0 || post?.isDirect ? named : there).sort(
    (a, b) => Math.abs(a.column - column) - Math.abs(b.column - column),
  );
  return nearest;
}

function wholeLine(line: number, lines: readonly string[]): Range {
  const text = lines[line - 1] ?? '';
  const column = text.length - text.trimStart().length;
  return { start: { line, column }, end: { line, column: text.length } };
}

function byHash(lines: readonly string[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const [index, text] of lines.entries()) {
    const hash = fnv1aHex(text.trim());
    const own = found.get(hash);
    if (own) own.push(index + 1);
    else found.set(hash, [index + 1]);
  }
  return found;
}

function staleAt(gone: readonly number[], lines: readonly string[]): Stale {
  const [first = 1] = gone;
  const [are, they] = gone.length === 1 ? ['line', 'it has'] : ['lines', 'they have'];
  const text = `what posted at ${are} ${gone.join(', ')} of this file is not found: ${they} changed since it was recorded. Record again`;
  return { loc: wholeLine(Math.min(first, Math.max(1, lines.length)), lines), text };
}
