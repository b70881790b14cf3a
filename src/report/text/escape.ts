/**
 * Payload text made safe to print. Keys, strings, ids, file names, tags and error texts come from outside: they may hold
 * terminal commands (ECMA-48 C0/C1, OSC), bidirectional overrides that reorder a line (Trojan Source, CVE-2021-42574),
 * invisible characters, or workflow commands that a CI runner would obey (`::set-output`, `##[command]`, `##vso[`).
 * Every escape is also a JavaScript and JSON string escape, so that a pasted snippet means the same.
 */

/**
 * Controls, line and paragraph separators, bidi controls, invisible characters (Unicode's Default_Ignorable) and lone
 * surrogates. Joiners and variation selectors are kept, because scripts and emoji need them.
 */
const UNSAFE =
  /(?!\u200c|\u200d|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}])[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}\p{DI}\p{Cs}\ufff9-\ufffb]/gu;
const NOT_ASCII = /[^ -~]/gu;

const SHORT: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\b': '\\b', '\f': '\\f' };

/** `\u001b`, or two escapes for a character above U+FFFF: valid in JSON and in JavaScript. */
const codeEscape = (character: string): string =>
  Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');

/** Breaks up workflow commands: a runner obeys `::name` at the start of a line, and `##[name]` or `##vso[` anywhere. */
const withoutWorkflowCommands = (text: string): string =>
  text.replace(/::(?=[a-z])/gi, ':\\u003a').replace(/##(?=\[|vso\[)/gi, '#\\u0023');

/** One line of visible characters. `ascii` also escapes all characters beyond ASCII. */
export function visible(text: string, ascii = false): string {
  const escaped = text.replace(ascii ? NOT_ASCII : UNSAFE, (found) => SHORT[found] ?? codeEscape(found));
  return withoutWorkflowCommands(escaped);
}

const MAX_LINE_LENGTH = 1000;
const MAX_TAIL_LENGTH = 300;

/** One line for stderr. A long text is cut in the middle: it begins with a name and ends with the reason. */
export function visibleLine(text: string, longest = MAX_LINE_LENGTH): string {
  if (text.length <= longest) return visible(text);
  const tail = Math.min(MAX_TAIL_LENGTH, longest >> 1);
  return `${visible(text.slice(0, longest - tail - 1))}…${visible(text.slice(-tail))}`;
}

/** Text of several lines (code, output of a program): line ends stay, tabs become two spaces. */
export const visibleLines = (text: string, ascii = false): string[] =>
  text
    .replace(/\t/g, '  ')
    .split(/\r\n|\r|\n/)
    .map((line) => visible(line, ascii));

/** JSON text that is safe to print, and parses to the same value. */
export const visibleJson = (json: string): string =>
  withoutWorkflowCommands(json.replace(UNSAFE, (found) => (found === '\n' ? found : codeEscape(found))));

export const escapedJson = (value: unknown): string => `${visibleJson(JSON.stringify(value, null, 2))}\n`;

export const reference = (sign: string): string => `&#${sign.charCodeAt(0)};`;
