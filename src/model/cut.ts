/**
 * Texts from outside are cut once, where they enter: names by `cutName`, all else that people read by `cutText`. What
 * comes later (layout, escaping, files) then never meets a text of a million characters.
 */

/** A longer text is data, not a sentence: two lines of it are kept. */
const LONGEST_TEXT = 1000;
const TEXT_HEAD = 50;
const TEXT_TAIL = 30;

/** The first and the last characters of a text that is too long to be read, and how long it is. */
export function cutText(text: string, longest = LONGEST_TEXT): string {
  if (text.length <= longest) return text;
  const length = text.length.toLocaleString('en-US');
  return `${text.slice(0, TEXT_HEAD)}… (${length} characters) …${text.slice(-TEXT_TAIL)}`;
}

const LONGEST_NAME = 100;
const NAME_HEAD = 80;
/** No script puts more marks on a character; hundreds of them run down the page. */
const TOO_MANY_MARKS = /(\p{M}{4})\p{M}+/gu;

/** FNV-1a over UTF-16 units: names that are cut alike stay distinct. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

/** A name that fits a line, the same for the same name in every process; one that was cut ends in a hash of the whole. */
export function cutName(name: string): string {
  const few = name.slice(0, 10 * LONGEST_NAME).replace(TOO_MANY_MARKS, '$1');
  if (few === name && name.length <= LONGEST_NAME) return name;
  const head = few.length > NAME_HEAD ? `${few.slice(0, NAME_HEAD)}…` : few;
  return `${head}~${hashOf(name)}`;
}
