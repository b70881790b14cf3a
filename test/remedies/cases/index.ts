import type { RemedyName } from '../../../src/remedies/index.ts';
import { base64 } from './base64.ts';
import { blob } from './blob.ts';
import type { Case } from './build.ts';
import { compiled } from './compiled.ts';
import { imageBuffer } from './image-buffer.ts';
import { jsonText } from './json-text.ts';
import { ownString } from './own-string.ts';
import { parseText } from './parse-text.ts';
import { patch } from './patch.ts';
import { plain } from './plain.ts';
import { rebuild } from './rebuild.ts';
import { repack } from './repack.ts';
import { share } from './share.ts';
import { sliceView } from './slice-view.ts';
import { transfer } from './transfer.ts';
import { typedArray } from './typed-array.ts';
import { unwrapString } from './unwrap-string.ts';

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
