import { createReadStream } from 'node:fs';
import { type ErrorFacts, ToolError } from '../../model/errors.ts';
import type { Recipe } from '../../model/recipe.ts';
import type { Opened } from '../../model/wire.ts';
import { signatureOf } from './line-signature.ts';
import { parseJson, unreadable } from './read-file.ts';

/** How many kinds of lines become payloads; the rest is named in a note. */
const GROUPS_SHOWN = 8;
/** Kinds of lines that are told apart at all, so that a file of strangers keeps memory flat. */
const GROUPS_KEPT = 1024;
/** Lines remembered of a group: enough for its median size. */
const LINES_KEPT = 1024;
const FAULTS_SHOWN = 5;

interface Line {
  line: number;
  offset: number;
  length: number;
}

/** Lines of one shape; an even thinning of them is kept, so that a million lines take the memory of a thousand. */
class Group {
  count = 0;
  #kept: Line[] = [];
  #stride = 1;

  add(line: Line): void {
    if (this.count++ % this.#stride !== 0) return;
    this.#kept.push(line);
    if (this.#kept.length < LINES_KEPT) return;
    this.#kept = this.#kept.filter((_, i) => i % 2 === 0);
    this.#stride *= 2;
  }

  /** The line of median size stands for all. */
  representative(): Line {
    const bySize = this.#kept.toSorted((a, b) => a.length - b.length || a.line - b.line);
    return bySize[(bySize.length - 1) >> 1]!;
  }
}

interface Groups {
  bySignature: Map<string, Group>;
  /** Lines of shapes met after the table was full. */
  beyond: number;
  faults: ErrorFacts[];
  faulty: number;
}

function sort(text: string, at: Line, groups: Groups, name: string): void {
  let value: unknown;
  try {
    value = parseJson(text, name, at.line);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    if (groups.faulty++ < FAULTS_SHOWN) groups.faults.push(error.facts);
    return;
  }
  const signature = signatureOf(value);
  const group = groups.bySignature.get(signature);
  if (group) group.add(at);
  else if (groups.bySignature.size >= GROUPS_KEPT) groups.beyond++;
  else {
    const first = new Group();
    first.add(at);
    groups.bySignature.set(signature, first);
  }
}

/** Each line that is not blank, with its place in bytes; holds one line at a time. */
async function eachLine(file: string, take: (text: string, at: Line) => void): Promise<void> {
  let parts: Buffer[] = [];
  let line = 1;
  let offset = 0;
  const finish = () => {
    const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    parts = [];
    const mark = line === 1 && bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? 3 : 0;
    const text = bytes.toString('utf8', mark);
    if (text.trim() !== '') take(text, { line, offset: offset + mark, length: bytes.length - mark });
    line++;
    offset += bytes.length + 1;
  };
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) {
    const bytes = chunk as Buffer;
    let from = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, from)) {
      parts.push(bytes.subarray(from, end));
      finish();
      from = end + 1;
    }
    if (from < bytes.length) parts.push(bytes.subarray(from));
  }
  if (parts.length > 0) finish();
}

async function grouped(file: string, name: string): Promise<Groups> {
  const groups: Groups = { bySignature: new Map(), beyond: 0, faults: [], faulty: 0 };
  try {
    await eachLine(file, (text, at) => sort(text, at, groups, name));
  } catch (error) {
    throw error instanceof ToolError ? error : unreadable(error, name);
  }
  if (groups.bySignature.size === 0 && groups.faulty === 0) throw new ToolError('file-empty', { file: name });
  return groups;
}

const counted = (n: number, one: string, many: string) =>
  `${n.toLocaleString('en-US')} ${n === 1 ? one : many}`;

/**
 * Groups the lines of an NDJSON file by shape; the line of median size represents its group and `stands` for all of
 * it. A malformed line is a failure of its own and loses no other line. Memory stays flat, whatever the file's size.
 *
 * @throws ToolError 'file-empty' | 'file-missing' | 'file-unreadable'
 */
export async function openLines(recipe: Recipe, file: string): Promise<Opened> {
  const groups = await grouped(file, recipe.source.file);
  const ranked = [...groups.bySignature.values()].sort((a, b) => b.count - a.count);
  const payloads = ranked.slice(0, GROUPS_SHOWN).map((group): Recipe => {
    const at = group.representative();
    return {
      ...recipe,
      id: `${recipe.id}#${at.line}`,
      build: { form: 'ndjson', file, ...at },
      stands: group.count,
    };
  });
  const rarer = ranked.slice(GROUPS_SHOWN);
  const lines = rarer.reduce((sum, group) => sum + group.count, groups.beyond);
  const shapes = rarer.length + (groups.beyond > 0 ? 1 : 0);
  const notes: string[] = [];
  if (lines > 0) {
    const atLeast = groups.beyond > 0 ? 'at least ' : '';
    const what = `${counted(lines, 'further line', 'further lines')} of ${atLeast}${counted(shapes, 'rarer shape', 'rarer shapes')}`;
    notes.push(`${what} are not analyzed`);
  }
  const unnamed = groups.faulty - groups.faults.length;
  if (unnamed > 0) notes.push(`${counted(unnamed, 'more line is', 'more lines are')} malformed`);
  const failed = groups.faults.map((facts) => ({
    id: `${recipe.id}#${facts.line}`,
    code: 'json-malformed' as const,
    facts,
  }));
  return { type: 'opened', payloads, notes, ...(failed.length > 0 ? { failed } : {}) };
}
