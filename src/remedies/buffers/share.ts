import { has, isBuffer } from '../../core/shape-facts.ts';
import { isStore } from '../../model/names.ts';
import type { Remedy } from '../../model/rules/remedy.ts';
import { TYPE_NAME } from '../code/javascript.ts';
import { remedyFromCode } from '../code/remedy-from-code.ts';
import { declareFromMessage, declareToMessage } from '../code/rewrite.ts';
import { anyRow, everyRow, type PathsPlan, planFor, ShapeIndex } from '../facts/shape-index.ts';
import { callTargets } from '../facts/target-trie.ts';

/** Copying smaller buffers is cheap, bytes. */
const MIN_BYTES = 64 * 1024;

/** Copies the bytes of a buffer or view into new memory of type `to`. */
const converter = (name: string, to: string, checks: string) => `${TYPE_NAME}
function ${name}(value) {
  const isView = ArrayBuffer.isView(value);
  const buffer = isView ? value.buffer : value;
  ${checks}
  const bytes = isView ? new Uint8Array(buffer, value.byteOffset, value.byteLength) : new Uint8Array(buffer);
  const memory = new ${to}(bytes.length);
  new Uint8Array(memory).set(bytes);
  const types/*: Record<string, unknown> */ = globalThis;
  const View = types[typeName.call(value) ?? 'DataView']/*as new (of: ArrayBufferLike) => object */;
  return isView ? new View(memory) : memory;
}`;

const TO_SHARED = converter(
  'toShared',
  'SharedArrayBuffer',
  `if (buffer instanceof SharedArrayBuffer) throw new TypeError('already shared memory');
  if (!(buffer instanceof ArrayBuffer)) return value;`,
);
const TO_OWN = converter('toOwn', 'ArrayBuffer', 'if (!(buffer instanceof SharedArrayBuffer)) return value;');

/** Faster where both ends keep the shared form: nothing is copied, and both see each other's writes. */
export const share: Remedy = remedyFromCode<PathsPlan>({
  name: 'share',
  title: 'put the bytes into shared memory',
  ofMemory: true,
  costs: ['views that overlap no longer see each other'],
  plans: (shape, { channel }) =>
    channel !== undefined && isStore(channel)
      ? []
      : planFor(
          ShapeIndex.of(shape).rewritable(
            (at) =>
              anyRow(at, (row) => isBuffer(row) && (row.bytes?.max ?? 0) >= MIN_BYTES) &&
              everyRow(at, (row) => !has(row, 'shared-backing', 'detached', 'resizable')) &&
              !at.kinds.has('sharedarraybuffer'),
          ),
        ),
  source: ({ paths }) => ({
    sender: `${TO_SHARED}\n${declareToMessage(callTargets('toShared', paths))}`,
    receiver: `${TO_OWN}\n${declareFromMessage(callTargets('toOwn', paths))}`,
  }),
});
