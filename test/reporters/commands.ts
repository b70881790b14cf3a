import assert from 'node:assert/strict';

const COLORS = new RegExp(`${String.fromCharCode(27)}\\[\\d+(;\\d+)*m`, 'g');

/** What is left of a colored text when the colours, ESC [ numbers m, are taken out; no other command is. */
export const withoutColors = (text: string): string => text.replace(COLORS, '');

/** Nothing in it commands a terminal, reorders a line or speaks to a CI runner. */
export function assertCommandsNothing(text: string): void {
  assert.doesNotMatch(text, /[^\P{Cc}\n]|\p{Bidi_C}|\p{Zl}|\p{Zp}|\p{Cs}/u, 'a control character');
  assert.doesNotMatch(text, /^\s*::[a-z]/im, 'a workflow command');
  assert.doesNotMatch(text, /##(\[|vso\[)/i, 'a workflow command of the older form');
}
