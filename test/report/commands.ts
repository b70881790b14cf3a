import assert from 'node:assert/strict';

const COLORS = new RegExp(`${String.fromCharCode(27)}\\[\\d+(;\\d+)*m`, 'g');

/** The text without its colours (ESC [ numbers m); other control sequences are kept. */
export const withoutColors = (text: string): string => text.replace(COLORS, '');

/** No control character, no reordering of a line, no workflow command of a CI runner. */
export function assertNoCommands(text: string): void {
  assert.doesNotMatch(text, /[^\P{Cc}\n]|\p{Bidi_C}|\p{Zl}|\p{Zp}|\p{Cs}/u, 'a control character');
  assert.doesNotMatch(text, /^\s*::[a-z]/im, 'a workflow command');
  assert.doesNotMatch(text, /##(\[|vso\[)/i, 'a workflow command of the older form');
}
