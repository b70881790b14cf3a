import type { RemedyName } from '../../../src/remedies/index.ts';
import { bigintArray } from './bigint-array.ts';
import type { Case } from './build.ts';
import { columns } from './columns.ts';
import { datesAsNumbers } from './dates-as-numbers.ts';
import { dedupe } from './dedupe.ts';
import { flatRows } from './flat-rows.ts';
import { flatten } from './flatten.ts';
import { joinedText } from './joined-text.ts';
import { jsonText } from './json-text.ts';
import { ownString } from './own-string.ts';
import { parseText } from './parse-text.ts';
import { plain } from './plain.ts';
import { rebuild } from './rebuild.ts';
import { repack } from './repack.ts';
import { share } from './share.ts';
import { sliceView } from './slice-view.ts';
import { transfer } from './transfer.ts';
import { typedArray } from './typed-array.ts';
import { unwrapString } from './unwrap-string.ts';

export const CASES: Record<RemedyName, Case[]> = {
  'json-text': jsonText,
  'dates-as-numbers': datesAsNumbers,
  'bigint-array': bigintArray,
  'joined-text': joinedText,
  'parse-text': parseText,
  'unwrap-string': unwrapString,
  repack,
  rebuild,
  plain,
  transfer,
  'slice-view': sliceView,
  'own-string': ownString,
  flatten,
  'flat-rows': flatRows,
  columns,
  'typed-array': typedArray,
  dedupe,
  share,
};
