import type { Facts, Shape } from '../../../model/documents/shape.ts';
import type { Remedy } from '../../../model/rules/remedy.ts';
import { has } from '../../../value/shape/shape-facts.ts';
import { declareTransferList, isInline, plainKeys, readAt, replacedAt } from '../../code/at-paths.ts';
import { remedyFromCode } from '../../code/remedy-from-code.ts';
import { callTargets, toMessageCode } from '../../code/rewrite.ts';
import { TYPE_NAME } from '../../code/shared-declarations.ts';
import { type PathsPlan, type PatternRows, planFor, ShapeIndex } from '../facts/shape-index.ts';

interface SliceViewPlan extends PathsPlan {
  /** transferred: the fresh copies are in the transfer list, so that they are not copied a second time. */
  form: 'transferred' | 'copied';
  /** Method that copies the only view: `payload.data.slice()`. */
  inline?: keyof typeof COPY;
}

/** Minimum size of transferred bytes: below it, an entry of the transfer list costs more than a second copy. */
const MIN_TRANSFERRED = 64 * 1024;

const isPart = (row: Facts) =>
  (row.kind === 'typedarray' || row.kind === 'dataview') &&
  has(row, 'view-of-larger', 'pooled') &&
  !has(row, 'shared-backing', 'detached');

/** Buffer.prototype.slice copies nothing, and a subclass may override slice. */
function inlineWay(at: PatternRows): Pick<SliceViewPlan, 'inline'> {
  const [row] = at.rows;
  if (!isInline(at) || row?.kind !== 'typedarray' || has(row, 'subclass', 'extra-props', 'other-realm'))
    return {};
  return { inline: has(row, 'node-buffer') ? 'Uint8Array.prototype.slice' : 'slice' };
}

const FORMS = ['transferred', 'copied'] as const;

function plans(shape: Shape): SliceViewPlan[] {
  const index = ShapeIndex.of(shape);
  const isLarge = ({ bytes }: Facts) => (bytes?.max ?? 0) >= MIN_TRANSFERRED;
  return planFor(index.rewritable(isPart)).flatMap((plan) => {
    const pays = plan.paths.some((path) => index.at(path)!.rows.some(isLarge));
    const copy = plan.paths.length === 1 ? inlineWay(index.at(plan.paths[0]!)!) : {};
    return (pays ? FORMS : [FORMS[1]]).map((form) => ({ ...plan, form, ...copy }));
  });
}

/**
 * The constructor is that of the view's internal type, because Node's Buffer is cloned to a Uint8Array anyway. A view
 * of a whole buffer is copied too before a transfer: otherwise the sender would lose the original.
 */
const exact = (form: SliceViewPlan['form']) => `function exact(value) {
  if (!ArrayBuffer.isView(value)${form === 'copied' ? ' || value.byteLength === value.buffer.byteLength' : ''}) return value;
  const { buffer, byteOffset, byteLength } = value;
  if (!(buffer instanceof ArrayBuffer)) throw new TypeError('shared memory is not copied');
  const types/*: Record<string, unknown> */ = globalThis;
  const View = types[typeName.call(value) ?? 'DataView']/*as new (of: ArrayBuffer) => object */;
  return new View(buffer.slice(byteOffset, byteOffset + byteLength));
}`;

const FRESH = `function freshBuffer(value/*: unknown */)/*: ArrayBuffer | null */ {
  const isWhole = ArrayBuffer.isView(value) && value.byteLength === value.buffer.byteLength;
  return isWhole && value.buffer instanceof ArrayBuffer ? value.buffer : null;
}`;

const COPY = {
  slice: (view: string) => `${view}.slice()`,
  'Uint8Array.prototype.slice': (view: string) => `Uint8Array.prototype.slice.call(${view})`,
};

export const sliceView: Remedy = remedyFromCode<SliceViewPlan>({
  name: 'slice-view',
  title: 'send only the bytes that the view shows',
  ofMemory: true,
  costs: ['views that overlap no longer see each other'],
  transfers: true,
  plans,
  source: ({ paths, form, inline: copy }) => {
    const isTransferred = form === 'transferred';
    const inline = (path: string, copied: (view: string) => string) => ({
      message: replacedAt(path, copied),
      transferList: isTransferred ? `[${readAt('message', plainKeys(path))}.buffer]` : null,
    });
    return {
      sender: toMessageCode(callTargets('exact', paths), [TYPE_NAME, exact(form)]),
      ...(isTransferred ? { transfer: [FRESH, declareTransferList(paths, 'freshBuffer')] } : {}),
      ...(copy ? { inline: inline(paths[0]!, COPY[copy]) } : {}),
    };
  },
});
