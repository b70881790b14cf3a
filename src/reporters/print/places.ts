/** Places and threads of a recorded program, as a reader knows them. */
import type { Frame, Site } from '../../model/documents/recorded/call-site.ts';
import { code, type Sentence, sentence } from '../section/model/sentence.ts';

const PACKAGES = 'node_modules/';

/** Path from the package's name on: where it is installed says nothing. */
function shortPath(text: string): string {
  const at = text.lastIndexOf(PACKAGES);
  return at < 0 ? text : text.slice(at + PACKAGES.length);
}

export const threadText = (thread: string): string =>
  thread.includes(PACKAGES) ? `${thread.split(' ', 1)[0]} ${shortPath(thread)}` : thread;

export const lineText = ({ file, line }: Frame): string => `${shortPath(file)}:${line}`;

export const place = (frame: Frame): Sentence =>
  sentence`${code(`${lineText(frame)}:${frame.column}`)}${frame.name === null ? '' : [' in ', code(frame.name)]}`;

/** Of the program's own; of the library where there is none. */
export const frameOf = ({ user, library }: Site): Frame | null => user ?? library?.frame ?? null;
