/** Places and threads of a recorded program, in the form that readers know. */
import type { Frame, Site } from '../../model/documents/recorded/call-site.ts';
import { code, type Sentence, sentence } from '../section/model/sentence.ts';

const PACKAGES = 'node_modules/';

/** Path that starts at the package's name: the place of its installation does not matter. */
function shortPath(text: string): string {
  const at = text.lastIndexOf(PACKAGES);
  return at < 0 ? text : text.slice(at + PACKAGES.length);
}

export const threadText = (thread: string): string =>
  thread.includes(PACKAGES) ? `${thread.split(' ', 1)[0]} ${shortPath(thread)}` : thread;

export const lineText = ({ file, line }: Frame): string => `${shortPath(file)}:${line}`;

export const place = (frame: Frame): Sentence =>
  sentence`${code(`${lineText(frame)}:${frame.column}`)}${frame.name === null ? '' : [' in ', code(frame.name)]}`;

/** Frame of the program, or of the library if the program's frame is unknown. */
export const frameOf = ({ user, library }: Site): Frame | null => user ?? library?.frame ?? null;
