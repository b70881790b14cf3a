/**
 * Texts from outside are cut once, where they enter: names by `cutName`, all else that people read by `cutText`. What
 * comes later (layout, escaping, files) then never meets a text of a million characters.
 */
import { fnv1aHex } from './fnv1a.ts';

/** A longer text is data, not a sentence: two lines of it are kept. */
const MAX_TEXT_LENGTH = 1000;
const TEXT_HEAD = 50;
const TEXT_TAIL = 30;

/** The first and the last characters of a text that is too long to be read, and how long it is. */
export function cutText(text: string, longest = MAX_TEXT_LENGTH): string {
  if (text.length <= longest) return text;
  const length = text.length.toLocaleString('en-US');
  return `${text.slice(0, TEXT_HEAD)}… (${length} characters) …${text.slice(-TEXT_TAIL)}`;
}

const MAX_NAME_LENGTH = 100;
const NAME_HEAD = 80;
/** No script puts more marks on a character; hundreds of them run down the page. */
const TOO_MANY_MARKS = /(\p{M}{4})\p{M}+/gu;

/** A name that fits a line, the same for the same name in every process; one that was cut ends in a hash of the whole. */
export function cutName(name: string): string {
  const few = name.slice(0, 10 * MAX_NAME_LENGTH).replace(TOO_MANY_MARKS, '$1');
  if (few === name && name.length <= MAX_NAME_LENGTH) return name;
  const head = few.length > NAME_HEAD ? `${few.slice(0, NAME_HEAD)}…` : few;
  return `${head}~${fnv1aHex(name)}`;
}
