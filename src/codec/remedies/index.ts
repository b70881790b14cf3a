import type { Remedy } from '../../model/rules/remedy.ts';
import { compiled } from '../compiled/compiled.ts';
import { patch } from '../patch/patch.ts';
import { base64, blob, imageBuffer, share, sliceView, transfer } from './buffers.ts';
import { jsonText, ownString, parseText, unwrapString } from './texts.ts';
import { plain, rebuild, repack, typedArray } from './values.ts';

/** All remedies, in the order to try them unless a rule names some: the greatest observed gains first. */
export const REMEDIES = {
  transfer,
  'image-buffer': imageBuffer,
  'slice-view': sliceView,
  'unwrap-string': unwrapString,
  base64,
  blob,
  compiled,
  'json-text': jsonText,
  repack,
  'typed-array': typedArray,
  plain,
  rebuild,
  'own-string': ownString,
  share,
  'parse-text': parseText,
  patch,
} as const satisfies Record<string, Remedy>;

export type RemedyName = keyof typeof REMEDIES;

/** Undefined if the name is not a remedy of the tool, for example a user's rewrite. */
export const remedyNamed = (name: string): Remedy | undefined =>
  Object.hasOwn(REMEDIES, name) ? REMEDIES[name as RemedyName] : undefined;

/** By how much of a program changes, least first: an equal value, one text or buffer, another form of all, shared memory. */
export const SIMPLEST_FIRST: readonly RemedyName[] = [
  ...(['own-string', 'transfer', 'slice-view', 'image-buffer', 'repack', 'rebuild'] as const),
  ...(['base64', 'blob', 'json-text', 'parse-text', 'unwrap-string'] as const),
  ...(['typed-array', 'compiled', 'plain', 'patch', 'share'] as const),
];
