import type { Plan, Remedy } from '../model/remedy.ts';
import type { Facts, Shape } from '../model/shape.ts';
import { TYPE_NAME } from './code/javascript.ts';
import { remedyFromCode } from './code/remedy-from-code.ts';
import { declareFromMessage, declareToMessage } from './code/rewrite.ts';
import { anyRow, commonPath, everyRow, has, ShapeIndex } from './facts/shape-index.ts';

interface SharePlan extends Plan {
  paths: string[];
}

/** Bytes of one buffer below which copying is cheap. */
const LEAST = 64 * 1024;

const isBuffer = (row: Facts) => ['arraybuffer', 'typedarray', 'dataview'].includes(row.kind);

function wanted(shape: Shape): Plan[] {
  const spots = new ShapeIndex(shape);
  const paths = spots
    .all()
    .filter(
      (spot) =>
        anyRow(spot, (row) => isBuffer(row) && (row.bytes?.max ?? 0) >= LEAST) &&
        everyRow(spot, (row) => !has(row, 'shared-backing', 'detached', 'resizable')) &&
        !spot.kinds.has('sharedarraybuffer') &&
        spots.isRewritable(spot.pattern),
    )
    .map((spot) => spot.pattern);
  return paths.length === 0 ? [] : [{ path: commonPath(paths), paths }];
}

/** Bytes of a buffer or view in new memory of another kind. */
const moved = (name: string, to: string, otherwise: string) => `${TYPE_NAME}
function ${name}(value) {
  const isView = ArrayBuffer.isView(value);
  const buffer = isView ? value.buffer : value;
  ${otherwise}
  const bytes = isView ? new Uint8Array(buffer, value.byteOffset, value.byteLength) : new Uint8Array(buffer);
  const memory = new ${to}(bytes.length);
  new Uint8Array(memory).set(bytes);
  return isView ? new globalThis[typeName.call(value) ?? 'DataView'](memory) : memory;
}`;

const TO_SHARED = moved(
  'toShared',
  'SharedArrayBuffer',
  `if (buffer instanceof SharedArrayBuffer) throw new TypeError('shared already');
  if (!(buffer instanceof ArrayBuffer)) return value;`,
);
const TO_OWN = moved('toOwn', 'ArrayBuffer', 'if (!(buffer instanceof SharedArrayBuffer)) return value;');

/** Wins where both ends keep the shared form: then nothing is copied, and both see each other's writes. */
export const share: Remedy = remedyFromCode({
  name: 'share',
  title: 'put the bytes into shared memory',
  loses: ['views that overlap no longer see each other'],
  wanted,
  source(plan) {
    const at = (name: string) =>
      (plan as SharePlan).paths.map((path) => ({ path, rewrite: (value: string) => `${name}(${value})` }));
    return {
      sender: `${TO_SHARED}\n${declareToMessage(at('toShared'))}`,
      receiver: `${TO_OWN}\n${declareFromMessage(at('toOwn'))}`,
    };
  },
});
