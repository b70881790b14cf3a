import { isBuffer } from '../../core/shape-facts.ts';
import type { Facts, Shape } from '../../model/documents/shape.ts';
import type { ProposalFacts, Remedy } from '../../model/rules/remedy.ts';
import { BYTES_IN, IS_OBJECT, VIEW_OF } from '../code/javascript.ts';
import { remedyFromCode } from '../code/remedy-from-code.ts';
import { declareAwaitedFromMessage, declareToMessage } from '../code/rewrite.ts';
import {
  anyRow,
  everyRow,
  isPlainMemory,
  type PathsPlan,
  planFor,
  ShapeIndex,
} from '../facts/shape-index.ts';
import { callTargets } from '../facts/target-trie.ts';

/** Fewer bytes are copied sooner than a file is made and read: of 64 KiB nothing is gained in Chromium and WebKit, of 512 KiB not in Firefox. */
const MIN_BYTES = 256 * 1024;

/** In WebKit it takes seven times as long to make a Blob as to clone the bytes, and all of that blocks the page. */
function plans(shape: Shape, { channel }: ProposalFacts): PathsPlan[] {
  if (channel !== 'indexeddb' || shape.representation.engine === 'webkit') return [];
  const isLarge = (row: Facts) => isBuffer(row) && (row.bytes?.max ?? 0) >= MIN_BYTES;
  return planFor(ShapeIndex.of(shape).rewritable((at) => anyRow(at, isLarge) && everyRow(at, isPlainMemory)));
}

const IS_BYTES_BLOB = `${IS_OBJECT}
const isBytesBlob = (value/*: unknown */)/*: value is { blob: Blob; type: string } */ =>
  isObject(value) && value.blob instanceof Blob && typeof value.type === 'string';`;

const TO_BLOB = `${BYTES_IN}
${IS_BYTES_BLOB}
function bytesToBlob(value) {
  if (isBytesBlob(value)) throw new TypeError('it has a blob and a type of its own');
  const bytes = bytesIn(value);
  if (bytes === null || bytes.length < ${MIN_BYTES}) return value;
  return { blob: new Blob([bytes]), type: bytesType(value) };
}`;

const FROM_BLOB = `${IS_BYTES_BLOB}
${VIEW_OF}
async function blobToBytes(value/*: unknown */)/*: Promise<unknown> */ {
  if (!isBytesBlob(value)) return value;
  const buffer = await value.blob.arrayBuffer();
  return value.type === 'ArrayBuffer' ? buffer : viewOf(buffer, value.type);
}`;

/** `put` clones its value before it returns. A Blob is only named there: its bytes are written by another process. */
export const blob: Remedy = remedyFromCode<PathsPlan>({
  name: 'blob',
  title: 'put large bytes as a Blob',
  costs: ['the reader has to wait for the bytes: fromMessage is asynchronous'],
  plans,
  isAwaited: true,
  source: ({ paths }) => ({
    sender: `${TO_BLOB}\n${declareToMessage(callTargets('bytesToBlob', paths))}`,
    receiver: `${FROM_BLOB}\n${declareAwaitedFromMessage(callTargets('blobToBytes', paths))}`,
  }),
});
