/** Programs under Node's permission model: without all rights to files they could not load the tap, and would not start. */
import { indexOf, isArray } from '../realm/intrinsics.ts';

const FLAGS = ['--permission', '--experimental-permission'];
const NEEDED = ['--allow-fs-read=*', '--allow-fs-write=*'];

export const UNREACHABLE = 'not recorded: --permission without --allow-fs-read=* and --allow-fs-write=*';

/** @param words of a command line: texts, and lists of them; one may be a line of a shell @param options in NODE_OPTIONS */
export function isUnreachable(words: ArrayLike<unknown>, options: string): boolean {
  const asks = (flag: string) => hasWord(options, flag) || someHas(words, flag);
  return (asks(FLAGS[0]!) || asks(FLAGS[1]!)) && !(asks(NEEDED[0]!) && asks(NEEDED[1]!));
}

function someHas(words: ArrayLike<unknown>, flag: string): boolean {
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if (typeof word === 'string' ? hasWord(word, flag) : isArray(word) && someHas(word, flag)) return true;
  }
  return false;
}

function hasWord(text: string, word: string): boolean {
  for (let at = indexOf(text, word); at >= 0; at = indexOf(text, word, at + 1))
    if (isEdge(text, at - 1) && isEdge(text, at + word.length)) return true;
  return false;
}

/** An end of the text, white space, or what a shell reads as the end of a word. */
function isEdge(text: string, at: number): boolean {
  return at < 0 || at >= text.length || indexOf(' \t\n\'"`();&|', text[at]!) >= 0;
}
