import { isBuffer } from '../../core/shape-facts.ts';
import type { Shape } from '../../model/documents/shape.ts';
import { isJson } from '../../model/names.ts';
import type { ProposalFacts, Remedy } from '../../model/rules/remedy.ts';
import { BYTES_TO_TEXT, TEXT_TO_BYTES } from '../code/base64-code.ts';
import { remedyFromCode } from '../code/remedy-from-code.ts';
import { declareFromMessage, declareToMessage } from '../code/rewrite.ts';
import {
  anyRow,
  everyRow,
  isPlainMemory,
  type PathsPlan,
  planFor,
  ShapeIndex,
} from '../facts/shape-index.ts';
import { callTargets } from '../facts/target-trie.ts';

function plans(shape: Shape, { channel }: ProposalFacts): PathsPlan[] {
  if (channel === undefined || !isJson(channel)) return [];
  return planFor(
    ShapeIndex.of(shape).rewritable((at) => anyRow(at, isBuffer) && everyRow(at, isPlainMemory)),
  );
}

/** JSON text has an object with a key for each element of a typed array, and nothing of a buffer. */
export const base64: Remedy = remedyFromCode<PathsPlan>({
  name: 'base64',
  title: 'send bytes as base64 text',
  plans,
  source: ({ paths }) => ({
    sender: `${BYTES_TO_TEXT}\n${declareToMessage(callTargets('bytesToText', paths))}`,
    receiver: `${TEXT_TO_BYTES}\n${declareFromMessage(callTargets('textToBytes', paths))}`,
  }),
});
