/** Recordings on disk (.cprof), untrusted: NDJSON, the header, then a line for each group; and the files that they are made of. */
import { constants, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as store from '../../app/store/documents.ts';
import { AT_ONCE, mib, startIn, startOf, type Waiting } from '../../machine/given-file.ts';
import * as documents from '../../model/documents/recorded/recording.ts';
import { type ThreadRecord, threadRecordSchema } from '../../model/documents/recorded/recording.ts';
import { ToolError } from '../../model/errors.ts';
import { RECORDING_SCHEMA } from '../../model/names.ts';
import { orElse } from '../../model/or-else.ts';
import { MAX_GROUPS, MAX_RECORDING_BYTES } from '../../model/recording/recording.ts';
import { parse, safeParse } from '../../model/schema.ts';
import { sumOf } from '../../model/sums.ts';
import { HEADER, readCounters, THREAD_FIELDS } from '../threads/counters.ts';
import { emptyThread, Gaps, type RecordedThread, type WrittenThread } from '../threads/recorded-thread.ts';

const HINT = 'Record again: clone-prof record -- node app.js';

const bad = (file: string, detail: string) =>
  new ToolError('document-bad', { file, value: RECORDING_SCHEMA, detail: `${detail}. ${HINT}` });

/** @throws ToolError 'file-missing', 'file-unreadable', 'document-bad' */
export async function readRecording(path: string, file: string, waiting: Waiting) {
  const tooLarge = () => bad(file, `larger than ${mib(MAX_RECORDING_BYTES)}`);
  return parseRecording(await store.readBounded(path, file, MAX_RECORDING_BYTES, tooLarge, waiting), file);
}

/** @throws ToolError 'document-bad' */
export function parseRecording(text: string, file: string): documents.Recording {
  const [first = '', ...lines] = text.split('\n', MAX_GROUPS + 3);
  if (lines.length > MAX_GROUPS + 1) throw bad(file, `more than ${MAX_GROUPS} lines`);
  refuseDeep(first, 1, file);
  const header = store.parseDocument(first, file, {
    id: RECORDING_SCHEMA,
    schema: documents.recordingHeaderSchema,
    hint: HINT,
  });
  const read = (line: string, index: number) => (line.trim() === '' ? [] : groupIn(line, index + 2, file));
  const messages = lines.flatMap(read);
  return { header, messages };
}

function groupIn(line: string, at: number, file: string): documents.RecordedMessages {
  refuseDeep(line, at, file);
  let data: unknown;
  try {
    data = store.parseJson(line);
  } catch (error) {
    throw bad(file, `line ${at} is not valid JSON (${(error as Error).message})`);
  }
  const result = safeParse(documents.recordedMessagesSchema, data);
  // The parsed line itself, not the schema's copy: fields of later versions stay.
  if (result.success) return data as documents.RecordedMessages;
  throw bad(file, `line ${at}: ${store.issuesText(result.error.issues)}`);
}

function refuseDeep(line: string, at: number, file: string): void {
  if (store.isTooDeep(line))
    throw bad(file, `line ${at} is nested more than ${store.MAX_JSON_DEPTH} levels deep`);
}

export const isWhole = (messages: documents.RecordedMessages): boolean =>
  safeParse(documents.recordedMessagesSchema, messages).success;

const TOO_LARGE = 'Messages left out: the file would be too large.';
const HEADER_BYTES = 2 ** 20;

/** Text of a recording. Values that do not fit are left out first, then messages. @param most maximum bytes */
export function recordingText({ header, messages }: documents.Recording, most = MAX_RECORDING_BYTES): string {
  let left = most - HEADER_BYTES;
  const lines = messages.flatMap((one) => {
    const fitting = [one, { ...one, sample: null }].find((form) => Buffer.byteLength(lineOf(form)) <= left);
    if (fitting === undefined) return [];
    const line = lineOf(fitting);
    left -= Buffer.byteLength(line);
    return line;
  });
  const lost = messages.length - lines.length;
  const gaps = lost === 0 ? header.gaps : [...header.gaps, { what: TOO_LARGE, count: lost }];
  return [lineOf({ ...header, gaps }), ...lines].join('');
}

const lineOf = (data: object): string => `${JSON.stringify(data)}\n`;

const START = `{"schema":${JSON.stringify(RECORDING_SCHEMA.replace(/\d+$/, '')).slice(0, -1)}`;

/** True if overwriting loses nothing: a recording, an empty file, a pipe or device, or a path without a file. */
export function mayBeReplaced(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isFile() || found.size === 0) return true;
  return startOf(path, START.length) === START;
}

// Files of threads, which the program can write too: no link is followed, sizes are limited, malformed parts counted.

/** Maximum sizes: the rest is a gap. All threads together are held in memory at once. */
const LIMITS = { files: 4000, fileBytes: 32 * 2 ** 20, allBytes: 256 * 2 ** 20 };
const MAX_LINE = 8 * 2 ** 20;

/** One byte more than a file of counters has: a longer file is not read as counters. */
const COUNTERS_BYTES = 8 * THREAD_FIELDS + 1;

const NAME = /^(\d{1,10})-(\d{1,10})\.ndjson$/;

export function readThreadFiles(folder: string, limits = LIMITS) {
  const gaps = new Gaps();
  const found = orElse(() => readdirSync(folder), []).flatMap((name) => {
    const [, pid, thread] = NAME.exec(name) ?? [];
    return pid === undefined ? [] : [{ name, pid: Number(pid), thread: Number(thread) }];
  });
  found.sort((a, b) => a.pid - b.pid || a.thread - b.thread);
  gaps.miss('A thread beyond the most that are read.', found.length - limits.files);
  let left = limits.allBytes;
  const threads: WrittenThread[] = [];
  for (const { name, pid, thread } of found.slice(0, limits.files)) {
    const bytes = readStart(join(folder, name), Math.min(left, limits.fileBytes), gaps);
    if (bytes === null) continue;
    left -= bytes.length;
    const counters = readStart(join(folder, name.replace(/ndjson$/, 'cnt')), COUNTERS_BYTES, gaps);
    // The last line may have been cut off.
    const lines = bytes.toString('utf8', 0, Math.max(0, bytes.lastIndexOf('\n')));
    threads.push({ pid, thread, lines, counters });
  }
  return { threads, gaps: gaps.list };
}

const UNREADABLE = 'A file of a thread could not be read.';

/** Reads up to `most` bytes; null if it is not a regular file. It never waits for a link or a pipe. */
function readStart(path: string, most: number, gaps: Gaps): Buffer | null {
  try {
    const found = startIn(path, most, AT_ONCE | (constants.O_NOFOLLOW ?? 0));
    if (found === null) gaps.miss(UNREADABLE);
    else if (found.size > most) gaps.miss('The end of a file of a thread was left out: it is too large.');
    return found?.bytes ?? null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') gaps.miss(UNREADABLE);
    return null;
  }
}

export function postedSoFar(folder: string): number {
  const names = orElse(() => readdirSync(folder), []).filter((name) => name.endsWith('.cnt'));
  return sumOf(names.slice(0, LIMITS.files), (name) => {
    const bytes = readStart(join(folder, name), COUNTERS_BYTES, new Gaps());
    return Math.max(0, (bytes && readCounters(bytes))?.[HEADER.total] ?? 0);
  });
}

export function readThreads(folder: string) {
  const { threads, gaps } = readThreadFiles(folder);
  return { threads: threads.map(readThread), gaps };
}

export function readThread({ pid, thread, lines, counters }: WrittenThread): RecordedThread {
  const read = { ...emptyThread(pid, thread), counters: counters && readCounters(counters) };
  for (const line of lines.split('\n')) {
    if (line === '') continue;
    const isRead = line.length <= MAX_LINE && !store.isTooDeep(line);
    const one = !isRead ? null : orElse(() => parse(threadRecordSchema, JSON.parse(line)), null);
    if (one === null || !take(read, one)) read.unreadable++;
  }
  read.messages.sort((a, b) => a.nth - b.nth);
  return read;
}

function take(thread: RecordedThread, one: ThreadRecord): boolean {
  if (one.record === 'message' && !thread.groups.has(one.group)) return false;
  if (one.record === 'throws' && !thread.thrown.has(one.id)) return false;
  if (one.record === 'thread') thread.started ??= one;
  else if (one.record === 'group') thread.groups.set(one.id, one);
  else if (one.record === 'message') {
    // More is known of an error once it was posted: its message is written again.
    const last = thread.messages.at(-1);
    if (last?.group === one.group && last.nth === one.nth) thread.messages.pop();
    thread.messages.push(one);
  } else if (one.record === 'cancelled') {
    const last = thread.messages.findLastIndex(({ group }) => group === one.group);
    if (last >= 0) thread.messages.splice(last, 1);
  } else if (one.record === 'thrown') thread.thrown.set(one.id, { ...one, count: 1 });
  else if (one.record === 'throws') thread.thrown.get(one.id)!.count = one.count;
  else if (one.record === 'child') thread.children.push(one);
  else if (one.record === 'arrived') thread.arrived.set(one.pid, one.count);
  else if (one.record === 'gap') thread.gaps.push(one.what);
  else thread.ended = true;
  return true;
}
