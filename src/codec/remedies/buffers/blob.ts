import type { Facts, Shape } from '../../../model/documents/shape.ts';
import { isJson } from '../../../model/names.ts';
import type { ProposalFacts, Remedy } from '../../../model/rules/remedy.ts';
import { isBuffer } from '../../../value/shape/shape-facts.ts';
import { remedyFromCode } from '../../code/remedy-from-code.ts';
import { awaitedFromMessageCode, callTargets, fromMessageCode, toMessageCode } from '../../code/rewrite.ts';
import {
  BYTES_IN,
  BYTES_TO_TEXT,
  IS_OBJECT,
  TEXT_TO_BYTES,
  VIEW_OF,
} from '../../code/shared-declarations.ts';
import { isPlainMemory, type PathsPlan, planFor, ShapeIndex } from '../facts/shape-index.ts';

function base64Plans(shape: Shape, { channel }: ProposalFacts): PathsPlan[] {
  if (channel === undefined || !isJson(channel)) return [];
  return planFor(ShapeIndex.of(shape).rewritable(isBuffer, isPlainMemory));
}

/** Avoids JSON text of raw bytes: it has a key for each element of a typed array, and drops the content of a buffer. */
export const base64: Remedy = remedyFromCode<PathsPlan>({
  name: 'base64',
  title: 'send bytes as base64 text',
  plans: base64Plans,
  source: ({ paths }) => ({
    sender: toMessageCode(callTargets('bytesToText', paths), BYTES_TO_TEXT),
    receiver: fromMessageCode(callTargets('textToBytes', paths), TEXT_TO_BYTES),
  }),
});

/** Copying less is faster than a file: 64 KiB gain nothing in Chromium and WebKit, nor do 512 KiB in Firefox. */
const MIN_BYTES = 256 * 1024;

/** WebKit takes seven times as long to make a Blob as to clone the bytes, and all of it blocks the page. */
function plans(shape: Shape, { channel }: ProposalFacts): PathsPlan[] {
  if (channel !== 'indexeddb' || shape.representation.engine === 'webkit') return [];
  const isLarge = (row: Facts) => isBuffer(row) && (row.bytes?.max ?? 0) >= MIN_BYTES;
  return planFor(ShapeIndex.of(shape).rewritable(isLarge, isPlainMemory));
}

const IS_BYTES_BLOB = [
  IS_OBJECT,
  `const isBytesBlob = (value/*: unknown */)/*: value is { blob: Blob; type: string } */ =>
  isObject(value) && value.blob instanceof Blob && typeof value.type === 'string';`,
];

const TO_BLOB = [
  ...BYTES_IN,
  ...IS_BYTES_BLOB,
  `function bytesToBlob(value) {
  if (isBytesBlob(value)) throw new TypeError('it has a blob and a type of its own');
  const bytes = bytesIn(value);
  if (bytes === null || bytes.length < ${MIN_BYTES}) return value;
  return { blob: new Blob([bytes]), type: bytesType(value) };
}`,
];

const FROM_BLOB = [
  ...IS_BYTES_BLOB,
  ...VIEW_OF,
  `async function blobToBytes(value/*: unknown */)/*: Promise<unknown> */ {
  if (!isBytesBlob(value)) return value;
  const buffer = await value.blob.arrayBuffer();
  return value.type === 'ArrayBuffer' ? buffer : viewOf(buffer, value.type);
}`,
];

/** `put` clones its value before it returns. A Blob is cloned as a reference; another process writes its bytes. */
export const blob: Remedy = remedyFromCode<PathsPlan>({
  name: 'blob',
  title: 'put large bytes as a Blob',
  costs: ['the reader has to wait for the bytes: fromMessage is asynchronous'],
  plans,
  isAwaited: true,
  source: ({ paths }) => ({
    sender: toMessageCode(callTargets('bytesToBlob', paths), TO_BLOB),
    receiver: awaitedFromMessageCode(callTargets('blobToBytes', paths), FROM_BLOB),
  }),
});
