import type { Facts } from '../../model/documents/shape.ts';
import type { Remedy } from '../../model/rules/remedy.ts';
import { remedyFromCode } from '../code/remedy-from-code.ts';
import { callTargets, fromMessageCode, toMessageCode } from '../code/rewrite.ts';
import { declareTransferList } from '../code/transfer-list.ts';
import { type PathsPlan, planFor, ShapeIndex } from '../facts/shape-index.ts';

const isImageData = ({ kind, tag }: Facts) => kind === 'platform' && tag === 'ImageData';

/** An object that already has such a key would be restored as an image, so it is refused. */
const TO_BUFFER = `function toBuffer(value) {
  if (imageBuffer(value) !== null) throw new TypeError('it has a buffer imageData of its own');
  if (Object.prototype.toString.call(value) !== '[object ImageData]') return value;
  const { data, width, height, colorSpace } = value/*as ImageData */;
  const isWhole = data instanceof Uint8ClampedArray && data.byteLength === data.buffer.byteLength;
  if (!isWhole) throw new TypeError('its pixels are no bytes, or part of a larger buffer');
  return { imageData: data.buffer, width, height, colorSpace };
}`;

const TO_IMAGE = `/*type Moved = { imageData?: unknown; width: number; height: number; colorSpace: PredefinedColorSpace }; */
function toImage(value) {
  const { imageData, width, height, colorSpace } = (value ?? {})/*as Moved */;
  if (!(imageData instanceof ArrayBuffer)) return value;
  return new ImageData(new Uint8ClampedArray(imageData), width, height, { colorSpace });
}`;

const BUFFER = `function imageBuffer(value/*: unknown */)/*: ArrayBuffer | null */ {
  const { imageData } = (value ?? {})/*as { imageData?: unknown } */;
  return imageData instanceof ArrayBuffer ? imageData : null;
}`;

/** Chromium copies the pixels of an ImageData even if their buffer is in the transfer list. */
export const imageBuffer: Remedy = remedyFromCode<PathsPlan>({
  name: 'image-buffer',
  title: 'move the pixels, and build the ImageData again',
  ofMemory: true,
  costs: [
    'the sender loses the pixels: after the post its ImageData is empty',
    'posting the same object again sends an empty image, or throws',
  ],
  transfers: true,
  plans: (shape) => planFor(ShapeIndex.of(shape).rewritable(isImageData)),
  source: ({ paths }) => ({
    sender: toMessageCode(callTargets('toBuffer', paths), [TO_BUFFER]),
    receiver: fromMessageCode(callTargets('toImage', paths), [TO_IMAGE]),
    transfer: [BUFFER, declareTransferList(paths, 'imageBuffer', 'unknown')],
  }),
});
