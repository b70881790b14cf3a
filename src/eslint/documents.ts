/** Reads what the rule is about: a recording, or a report as JSON. ESLint asks for each file; a document is read when it has changed. */
import { statSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { startOf } from '../machine/given-file.ts';
import { ToolError } from '../model/errors.ts';
import { orElse } from '../model/or-else.ts';
import { MAX_RECORDING_BYTES } from '../model/recording/recording.ts';
import type { Mark } from '../reporters/section/marks.ts';
import { type MarksByFile, marksIn } from './marks-in.ts';

export interface MarkedDocument {
  /** As the user wrote it. */
  shown: string;
  /** Why it cannot be read; null where it can. */
  problem: string | null;
  /** @param path of a source file, absolute */
  marksIn(path: string): Mark[];
}

interface Read {
  stamp: string;
  marks: MarksByFile | null;
  problem: string | null;
}

const known = new Map<string, Read>();

export function documentAt(shown: string, cwd: string): MarkedDocument {
  const path = resolve(cwd, shown);
  const { marks, problem } = readDocument(path, shown, cwd);
  const folders = [cwd, dirname(path)];
  return {
    ...{ shown, problem },
    marksIn: (source) =>
      [...(marks ?? [])].flatMap(([file, load]) => (isFile(file, source, folders) ? load() : [])),
  };
}

function readDocument(path: string, shown: string, cwd: string): Read {
  const found = orElse(() => statSync(path), null);
  const stamp = found === null ? 'missing' : `${found.mtimeMs} ${found.size}`;
  const before = known.get(path);
  if (before?.stamp === stamp) return before;
  const read = { stamp, ...parsed(path, shown, cwd) };
  known.set(path, read);
  return read;
}

const HINT =
  'Write one with clone-prof record -- node app.js, or clone-prof analyze app.cprof -o report.json';

function parsed(path: string, shown: string, cwd: string): Omit<Read, 'stamp'> {
  const text = startOf(path, MAX_RECORDING_BYTES + 1);
  if (text === null) return { marks: null, problem: `${shown}: there is no such file. ${HINT}` };
  try {
    const folders = [cwd, dirname(path)];
    const head = (file: string) =>
      orElseFirst(folders.map((folder) => startOf(resolve(folder, file), HEAD_BYTES)));
    return { marks: marksIn(text, shown, head), problem: null };
  } catch (error) {
    if (error instanceof ToolError) return { marks: null, problem: error.message };
    throw error;
  }
}

/** Of a payload's module: who posted what it stands for. */
const HEAD_BYTES = 8192;
const orElseFirst = (texts: readonly (string | null)[]): string => texts.find((text) => text !== null) ?? '';

/**
 * Whether it is the file that a document names: from the folder of the command, which is that of ESLint or of the document; or as a
 * server names it.
 */
function isFile(named: string, source: string, folders: readonly string[]): boolean {
  const [, address] = /^https?:\/\/[^/]+(\/[^?#]*)/i.exec(named) ?? [];
  if (address === undefined) return folders.some((folder) => resolve(folder, named) === source);
  return folders.some((folder) =>
    `/${relative(folder, source).split(sep).join('/')}`.endsWith(decoded(address)),
  );
}

const decoded = (address: string): string => orElse(() => decodeURIComponent(address), address);
