/** Recordings on disk (.cprof), untrusted: NDJSON, the header, then a line for each group of messages. */
import { statSync } from 'node:fs';
import * as store from '../../app/store/documents.ts';
import { mib, startOf, type Waiting } from '../../machine/given-file.ts';
import * as documents from '../../model/documents/recorded/recording.ts';
import { ToolError } from '../../model/errors.ts';
import { RECORDING_SCHEMA } from '../../model/names.ts';
import { MAX_GROUPS, MAX_RECORDING_BYTES } from '../../model/recording/recording.ts';
import { safeParse } from '../../model/schema.ts';

const HINT = 'Record again: clone-prof record -- node app.js';

const bad = (file: string, detail: string) =>
  new ToolError('document-bad', { file, value: RECORDING_SCHEMA, detail: `${detail}. ${HINT}` });

/** @throws ToolError 'file-missing', 'file-unreadable', 'document-bad' */
export async function readRecording(
  path: string,
  file: string,
  waiting: Waiting,
): Promise<documents.Recording> {
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
