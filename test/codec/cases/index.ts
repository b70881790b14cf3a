import type { RemedyName } from '../../../src/codec/remedies/index.ts';
import { blob, imageBuffer, share, sliceView, transfer } from './bytes.ts';
import { type Case, compiled, patch, plain, rebuild, repack, typedArray } from './objects.ts';
import { base64, jsonText, ownString, parseText, unwrapString } from './texts.ts';

export const CASES: Record<RemedyName, Case[]> = {
  base64,
  blob,
  compiled,
  'json-text': jsonText,
  'parse-text': parseText,
  'unwrap-string': unwrapString,
  patch,
  repack,
  rebuild,
  plain,
  transfer,
  'image-buffer': imageBuffer,
  'slice-view': sliceView,
  'own-string': ownString,
  'typed-array': typedArray,
  share,
};
