import type { Remedy } from '../model/remedy.ts';
import { jsonText } from './json-text.ts';
import { ownString } from './own-string.ts';
import { parseText } from './parse-text.ts';
import { plain } from './plain.ts';
import { rebuild } from './rebuild.ts';
import { repack } from './repack.ts';
import { sliceView } from './slice-view.ts';
import { transfer } from './transfer.ts';
import { unwrapString } from './unwrap-string.ts';

/** In the order to try them where no rule names one: the greatest gains seen first. */
export const REMEDIES = {
  transfer,
  'slice-view': sliceView,
  'unwrap-string': unwrapString,
  'json-text': jsonText,
  repack,
  plain,
  rebuild,
  'own-string': ownString,
  'parse-text': parseText,
} as const satisfies Record<string, Remedy>;

export type RemedyName = keyof typeof REMEDIES;

export const REMEDY_NAMES = Object.keys(REMEDIES) as RemedyName[];
