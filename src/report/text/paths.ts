/** Shortens names and paths for readers. Documents contain the whole names. */
import { parsePath } from '../../value/read/paths.ts';

/** Cuts a name in the middle, because paths differ at their end. `longest` counts characters, not UTF-16 units. */
export function shortenName(name: string, longest: number): string {
  const characters = [...name];
  if (characters.length <= longest) return name;
  const head = Math.floor((longest - 1) / 3);
  return `${characters.slice(0, head).join('')}…${characters.slice(head + 1 - longest).join('')}`;
}

/** A path into a payload of many levels, such as a linked list. */
const MAX_PATH_LENGTH = 80;

/** A text that is not a path is returned unchanged: a reader may copy it. */
export const cutPath = (text: string): string =>
  parsePath(text) === null ? text : shortenName(text, MAX_PATH_LENGTH);
