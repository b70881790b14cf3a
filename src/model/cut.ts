/**
 * Texts from outside are cut once, where they enter: names by `cutName`, all else that people read by `cutText`. What
 * comes later (layout, escaping, files) then never meets a text of a million characters.
 */
import { fnv1aHex } from './fnv1a.ts';

/** Messages of engines that quote the payload, and the words of them that stay. V8 quotes ten characters on each side. */
const QUOTING: readonly [message: RegExp, kept: string][] = [
  [/\bUnexpected token .{1,80} is not valid JSON/gs, 'Unexpected token … is not valid JSON'],
  [/\bUnexpected token .{1,2} in JSON at position/gs, 'Unexpected token … in JSON at position'],
  [/(\bJSON Parse error: Unexpected identifier) "[^"\n]*"/g, '$1 …'],
  [/(\bJSON Parse error: (?:Unexpected|Unrecognized) token) '.{1,2}'/gs, '$1 …'],
  [/(\bJSON Parse error: Invalid escape character) \S+/g, '$1 …'],
  [/(\bJSON Parse error:) "[^"\n]{1,12}" is not/g, '$1 … is not'],
  [/\bCannot convert .* to a BigInt/gs, 'Cannot convert … to a BigInt'],
  [/(\bConverting circular structure to JSON)\n\s*-->(?:.*?closes the circle|.*)/gs, '$1'],
];

const REFUSED = ' could not be cloned';
/** Words of engines before it if they quote nothing: `#<Map>`, `[object Array]`, `Proxy object`, `A detached ArrayBuffer`. */
const NAMED_KIND = /(?:^|[\s:])(?:#<[\w$]+>|\[object [\w$ ]+\]|(?:An?|The)(?: [A-Za-z]+){1,4}|\w+ object)$/;
const MAX_KIND_LENGTH = 120;
const BEFORE_REFUSED =
  /^.*?(?:DataCloneError\]?: (?:Failed to execute '[^'\n]*' on '[^'\n]*': )?|Failed to execute '[^'\n]*' on '[^'\n]*': )/s;

/** V8 quotes the source text of a function and the description of a symbol. */
function withoutRefused(before: string): string {
  if (NAMED_KIND.test(before.slice(-MAX_KIND_LENGTH))) return before;
  const start = BEFORE_REFUSED.exec(before)?.[0] ?? '';
  const quoted = before.slice(start.length);
  if (quoted.startsWith('Symbol(')) return `${start}A symbol`;
  return start + (/=>|[({]/.test(quoted) ? 'A function' : 'A value');
}

/** Messages of engines without the content that they quote; all else as it was. Positions stay. */
export function withoutContent(text: string): string {
  let kept = text;
  for (const [message, words] of QUOTING) kept = kept.replace(message, words);
  if (!kept.includes(REFUSED)) return kept;
  const parts = kept.split(REFUSED);
  const last = parts.pop()!;
  return [...parts.map(withoutRefused), last].join(REFUSED);
}

/** A longer text is data, not a sentence: two lines of it are kept. */
const MAX_TEXT_LENGTH = 1000;
const TEXT_HEAD = 50;
const TEXT_TAIL = 30;

/** A text for people to read, without quoted content; if it is too long, its first and last characters and its length. */
export function cutText(whole: string, longest = MAX_TEXT_LENGTH): string {
  const text = withoutContent(whole);
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
