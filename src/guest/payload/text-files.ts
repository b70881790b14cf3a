/// <reference path="./jsonc-parser.d.ts" />
/** JSON and text of files, and the lines of NDJSON. */
import { visit } from 'jsonc-parser/lib/esm/impl/parser.js';
import { fnv1a } from '../../model/cut.ts';
import { ToolError } from '../../model/errors.ts';
import { attempt } from '../../model/or-else.ts';
import type { Line, Recipe } from '../../model/report/recipe.ts';
import { counted } from '../../model/units.ts';
import type { Opened } from '../../model/wire/wire.ts';
import { filter, map } from '../../value/read/lists.ts';
import { currentPlatform } from '../platform/common/platform.ts';
import { readError } from '../platform/common/reading.ts';
import { thrownMessage } from '../user-code/user-code.ts';

/** Errors of the parser by their codes, from 1: its names for them stand in the module that loads its formatter too. */
const DETAILS = [
  'invalid symbol',
  'invalid number format',
  'property name expected',
  'value expected',
  'colon expected',
  'comma expected',
  'close brace expected',
  'close bracket expected',
  'end of file expected',
  'invalid comment token',
  'unexpected end of comment',
  'unexpected end of string',
  'unexpected end of number',
  'invalid unicode',
  'invalid escape character',
  'invalid character',
];

/**
 * Finds the end of the JSON in a text (RFC 8259) that `JSON.parse` refused: V8 gives the position in words that differ
 * by version, JavaScriptCore gives none. Both from 1, columns in UTF-16 units as editors count. Null if no error is
 * found: the text is JSON, or is nested too deeply for this parser.
 */
export function findJsonError(text: string): { line: number; column: number; detail: string } | null {
  let first: ReturnType<typeof findJsonError> = null;
  const onError = (code: number, _offset: number, _length: number, line: number, column: number) => {
    first = { line: line + 1, column: column + 1, detail: DETAILS[code - 1]! };
    // Ends the parser, which would read on: a text may have half a gigabyte.
    throw new Error(first.detail);
  };
  attempt(() => visit(text, { onError }, { disallowComments: true }));
  return first;
}

interface Start {
  file: string;
  line?: number;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Text of a file, or of a line of it, without a byte order mark. @throws ToolError 'file-unreadable', 'value-too-large' */
export function decoded(bytes: Uint8Array, start: Start): string {
  try {
    return decoder.decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw readError(error, start.file);
    throw new ToolError('file-unreadable', { ...start, detail: 'it is not UTF-8; save it as UTF-8' });
  }
}

function malformed(text: string, start: Start, error: unknown): ToolError {
  // Valid JSON, nested too deeply or too large for this engine.
  if (!(error instanceof SyntaxError))
    return new ToolError('value-too-large', { ...start, detail: thrownMessage(error) });
  const found = findJsonError(text);
  if (!found) return new ToolError('json-malformed', { ...start, detail: thrownMessage(error) });
  const line = found.line + (start.line ?? 1) - 1;
  return new ToolError('json-malformed', { ...start, ...found, line });
}

/** Parses, never executes. @throws ToolError 'file-empty', 'json-malformed' with line and column, 'value-too-large' */
export function parseJsonFile(text: string, start: Start): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (text.trim() === '') throw new ToolError('file-empty', { file: start.file });
    throw malformed(text, start, error);
  }
}

// Lines of NDJSON, in groups of one shape.

/** Objects with more keys count as maps: their keys are data, not shape. */
const MAX_KEYS = 64;
const MAX_DEPTH = 6;
const MAX_ITEMS = 1000;

const isMapLike = (keys: readonly unknown[]): boolean => keys.length > MAX_KEYS;

/** Distinct signatures of many values, in an order that does not depend on theirs. */
function union(values: readonly unknown[], depth: number): string {
  const seen = new Set(map(values.slice(0, MAX_ITEMS), (value) => lineSignature(value, depth)));
  return [...seen].sort().join('|');
}

/** Two parsed JSON values have the same signature when they have the same keys and types down to a few levels. */
export function lineSignature(value: unknown, depth = 0): string {
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value;
  if (depth === MAX_DEPTH) return Array.isArray(value) ? '[..]' : '{..}';
  if (Array.isArray(value)) return `[${union(value, depth + 1)}]`;
  const entries = Object.entries(value);
  if (isMapLike(entries)) return `{*:${union(Object.values(value), depth + 1)}}`;
  const members = map(entries, ([key, inner]) => `${JSON.stringify(key)}:${lineSignature(inner, depth + 1)}`);
  return `{${members.sort().join(',')}}`;
}

/** Keys whose value tells kinds of messages apart, the most telling first. */
const DISCRIMINATORS = 'type kind event op action method tag __typename $type @type'.split(' ');
/** Longer ones, or with other characters, are data rather than names. */
const NAMED_KEY = /^[A-Za-z_$][\w$-]{0,31}$/;
const NAMED_VALUE = /^[A-Za-z_][\w.:/-]{0,31}$/;
const KEYS_NAMED = 3;

/**
 * Kind of a line: "order" for `{ "type": "order", ... }`. Otherwise it is the first keys in alphabetical order,
 * "id+name+total", or the type. Lines of one signature may have several kinds, lines of one kind several signatures.
 */
function jsonKind(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value;
  if (Array.isArray(value)) return 'array';
  const fields = value as Record<string, unknown>;
  for (const key of DISCRIMINATORS) {
    const named = Object.hasOwn(fields, key) ? fields[key] : null;
    if (typeof named === 'string' && NAMED_VALUE.test(named)) return named;
  }
  const keys = Object.keys(fields);
  if (isMapLike(keys)) return 'map';
  const named = filter(keys, (key) => NAMED_KEY.test(key))
    .sort()
    .slice(0, KEYS_NAMED);
  return named.join('+') || (keys.length === 0 ? 'empty' : 'object');
}

/**
 * A name for each group: its kind, with a hash of the signature ("order~1x2y3z") for all but the simplest of a kind. Baselines
 * are found by these names: a further line, another order or another group must not change them.
 */
function nameGroups<T extends { kind: string; signature: string }>(groups: readonly T[]): Map<T, string> {
  // The simplest shape first: optional fields make a signature longer.
  const sorted = [...groups].sort(
    ({ signature: a }, { signature: b }) => a.length - b.length || (a < b ? -1 : 1),
  );
  const names = new Map<T, string>();
  const used = new Set<string>();
  for (const group of sorted) {
    let name = group.kind;
    for (let text = group.signature; used.has(name); text += '.')
      name = `${group.kind}~${fnv1a(text).toString(36)}`;
    used.add(name);
    names.set(group, name);
  }
  return names;
}

/** Maximum number of groups: a file in which every line differs must not fill the memory. */
const MAX_GROUPS = 1024;
/** Lines remembered of a group: enough for its median size. */
const LINES_KEPT = 1024;
const ERRORS_KEPT = 5;
/** Maximum number of lines that are kept before a group's representative, and their maximum bytes together. */
const BEFORE = 7;
const BEFORE_BYTES = 16e6;
/** Minimum length of a line for which this is done: shorter lines have little to save. */
const LEAST_BYTES = 1000;

interface GroupedLine extends Line {
  before: readonly Line[];
}

/** Lines of one kind and shape. Keeps an even selection of them, so that a million lines take the memory of a thousand. */
class LineGroup {
  count = 0;
  largest: GroupedLine = { line: 0, offset: 0, length: -1, before: [] };
  readonly kind: string;
  readonly signature: string;
  #kept: GroupedLine[] = [];
  #stride = 1;
  #last: Line[] = [];

  constructor(kind: string, signature: string) {
    this.kind = kind;
    this.signature = signature;
  }

  add(line: Line): void {
    const before = this.#last;
    this.#last = [...before.slice(before.length < BEFORE ? 0 : 1), line];
    const grouped = { ...line, before };
    if (line.length > this.largest.length) this.largest = grouped;
    if (this.count++ % this.#stride !== 0) return;
    this.#kept.push(grouped);
    if (this.#kept.length < LINES_KEPT) return;
    this.#kept = filter(this.#kept, (_: GroupedLine, i: number) => i % 2 === 0);
    this.#stride *= 2;
  }

  representative(): GroupedLine {
    const bySize = this.#kept.toSorted((a, b) => a.length - b.length || a.line - b.line);
    return bySize[(bySize.length - 1) >> 1]!;
  }
}

const groupKey = (kind: string, signature: string): string => `${kind} ${signature}`;

/** Groups that become payloads; a note counts the others. */
const GROUPS_SHOWN = 8;
/** Number of groups if each group is wanted: a gate must not depend on the frequency of a kind of line. */
const GROUPS_CHECKED = 256;

/** Empty for short lines, and for the first line of a group. */
function sequenceOf(line: Line, before: readonly Line[]): Pick<Recipe, 'sequence'> {
  const lines = [line];
  let bytes = line.length;
  for (const one of before.toReversed()) {
    bytes += one.length;
    if (bytes < BEFORE_BYTES) lines.unshift(one);
  }
  return lines.length < 2 || line.length < LEAST_BYTES ? {} : { sequence: { lines } };
}

/**
 * Groups the lines of an NDJSON file by shape; the line of median size (`worst`: the largest) represents its group and
 * `stands` for all of it. A malformed line is a separate error. Memory does not grow with the file.
 */
export async function openLines(recipe: Recipe, file: string, worst: boolean): Promise<Opened> {
  const name = recipe.source.file;
  const groups = new Map<string, LineGroup>();
  const errors: ToolError[] = [];
  let [others, malformed] = [0, 0];
  const add = (value: unknown, line: Line) => {
    const [kind, signature] = [jsonKind(value), lineSignature(value)];
    const key = groupKey(kind, signature);
    const group = groups.get(key) ?? (groups.size < MAX_GROUPS ? new LineGroup(kind, signature) : null);
    if (group === null) return void others++;
    groups.set(key, group);
    group.add(line);
  };
  await readLines(file, name, add, (error) => {
    if (malformed++ < ERRORS_KEPT) errors.push(error);
  });
  const ranked = [...groups.values()].sort((a, b) => b.count - a.count);
  if (ranked.length + errors.length === 0) throw new ToolError('file-empty', { file: name });
  const names = nameGroups(ranked);
  const shown = ranked.splice(0, worst ? GROUPS_CHECKED : GROUPS_SHOWN);
  const payloads = map(shown, (group): Recipe => {
    const { before, ...line } = worst ? group.largest : group.representative();
    const build = { form: 'ndjson', file, ...line } as const;
    const source = { ...recipe.source, line: line.line };
    return {
      ...{ ...recipe, id: `${recipe.id}#${names.get(group)}`, source, build, stands: group.count },
      ...sequenceOf(line, before),
    };
  });
  const failed = map(errors, ({ code, facts }) => ({ id: `${recipe.id}#${facts.line}`, code, facts }));
  others += ranked.reduce((sum, group) => sum + group.count, 0);
  const more = malformed - errors.length;
  const notes = [
    others > 0 && `${counted(others, 'further line', 'further lines')} of rarer shapes are not analyzed`,
    more > 0 && `${counted(more, 'more line is', 'more lines are')} malformed`,
  ];
  const told = filter(notes, (note) => note !== false);
  return { type: 'opened', payloads, notes: told, ...(failed.length > 0 && { failed }) };
}

/** Values of the lines in the group of the line at `offset` if it has a length, else of all lines. Opening has reported malformed ones. */
export async function allLines(
  { file, offset, length }: Omit<Line, 'line'> & { file: string },
  name: string,
): Promise<unknown[]> {
  const values: { value: unknown; key: string }[] = [];
  let wanted = '';
  const keep = (value: unknown, line: Line) => {
    const key = length === 0 ? '' : groupKey(jsonKind(value), lineSignature(value));
    if (line.offset === offset) wanted = key;
    values.push({ value, key });
  };
  await readLines(file, name, keep, () => undefined);
  return map(
    filter(values, ({ key }) => key === wanted),
    ({ value }) => value,
  );
}

const NEWLINE = 10;
/** V8 has no longer text: 512 MiB, less 24 bytes. */
const MAX_LINE_BYTES = 536_870_888;

function joined(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0]!;
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Reads each line that is not blank, one at a time. @throws ToolError of the file, and for a line that is not UTF-8 */
async function readLines(
  file: string,
  name: string,
  onValue: (value: unknown, line: Line) => void,
  onMalformed: (error: ToolError) => void,
): Promise<void> {
  let parts: Uint8Array[] = [];
  let [number, offset, length] = [1, 0, 0];
  const parse = (text: string, line: Line) => {
    try {
      onValue(parseJsonFile(text, { file: name, line: line.line }), line);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      onMalformed(error);
    }
  };
  const endLine = () => {
    const bytes = joined(parts);
    [parts, length] = [[], 0];
    const text = decoded(bytes, { file: name, line: number });
    const line = { line: number++, offset, length: bytes.length };
    if (text.trim() !== '') parse(text, line);
    offset += bytes.length + 1;
  };
  for await (const chunk of currentPlatform().sources.chunks({ file, name })) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      parts.push(chunk.subarray(from, end));
      endLine();
      from = end + 1;
    }
    if (from < chunk.length) parts.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > MAX_LINE_BYTES)
      throw new ToolError('value-too-large', { file: name, line: number, detail: 'larger than 512 MiB' });
  }
  if (parts.length > 0) endLine();
}
