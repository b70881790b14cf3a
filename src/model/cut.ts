/**
 * Texts from outside are shortened once, on entry: names by `cutName`, other texts for people by `cutText`. Later
 * stages (layout, escaping, files) then never handle a text of a million characters.
 */

/** Engine messages that quote the payload, and their words that are kept. V8 quotes ten characters on each side. */
const QUOTING: readonly [message: RegExp, kept: string][] = [
  [/\bUnexpected token .{1,80} is not valid JSON/gs, 'Unexpected token … is not valid JSON'],
  [/(\bJSON Parse error: Unexpected identifier) "[^"\n]*"/g, '$1 …'],
  [/(\bJSON Parse error: (?:Unexpected|Unrecognized) token) '.{1,2}'/gs, '$1 …'],
  [/(\bJSON Parse error: Invalid escape character) \S+/g, '$1 …'],
  [/(\bJSON Parse error:) "[^"\n]{1,12}" is not/g, '$1 … is not'],
  [/\bInvalid URL: '[^'\n]*'/g, 'Invalid URL: …'],
  [/"[^"\n]*" (cannot be parsed as a URL)/g, '… $1'],
  [/\b(Invalid regular expression: )\/.*\/(?=\w*: )/gs, '$1…'],
  [/\b(Invalid (?:currency code|time zone specified)) ?: \S+/g, '$1: …'],
  [/\bCannot convert .* to a BigInt/gs, 'Cannot convert … to a BigInt'],
  [/(\bConverting circular structure to JSON)\n\s*-->(?:.*?closes the circle|.*)/gs, '$1'],
];

const REFUSED = ' could not be cloned';
/** Words before a refusal that quote nothing: `#<Map>`, `[object Array]`, `Proxy object`, `A detached ArrayBuffer`. */
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

/** Removes from engine messages the payload content that they quote, and keeps positions and all other text. */
export function withoutContent(text: string): string {
  let kept = text;
  for (const [message, words] of QUOTING) kept = kept.replace(message, words);
  if (!kept.includes(REFUSED)) return kept;
  const parts = kept.split(REFUSED);
  const last = parts.pop()!;
  return [...parts.map(withoutRefused), last].join(REFUSED);
}

const MAX_TEXT_LENGTH = 1000;
const TEXT_HEAD = 50;
const TEXT_TAIL = 30;

/** Without quoted content. A long text keeps its length, and its start and end. */
export function cutText(whole: string, longest = MAX_TEXT_LENGTH): string {
  const text = withoutContent(whole);
  if (text.length <= longest) return text;
  const length = text.length.toLocaleString('en-US');
  return `${text.slice(0, TEXT_HEAD)}… (${length} characters) …${text.slice(-TEXT_TAIL)}`;
}

/** FNV-1a, 32 bits, of UTF-16 units. It is unfit for secrets: a text with the same hash is easy to find. */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

export const fnv1aHex = (text: string): string => fnv1a(text).toString(16).padStart(8, '0');

const MAX_NAME_LENGTH = 100;
const NAME_HEAD = 80;
/** No script puts more combining marks on a character; hundreds of them would overflow into the lines below. */
const TOO_MANY_MARKS = /(\p{M}{4})\p{M}+/gu;

/** A name that fits a line, the same in every process. A shortened name ends in a hash of the whole name. */
export function cutName(name: string): string {
  const few = name.slice(0, 10 * MAX_NAME_LENGTH).replace(TOO_MANY_MARKS, '$1');
  if (few === name && name.length <= MAX_NAME_LENGTH) return name;
  const head = few.length > NAME_HEAD ? `${few.slice(0, NAME_HEAD)}…` : few;
  return `${head}~${fnv1aHex(name)}`;
}
