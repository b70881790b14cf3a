/** Looks at a message of a page after it was posted. No interface of the engine is available there. */
import { assumedStorage } from '../../core/describe/assumed-storage.ts';
import type { FoundValue } from '../../model/documents/recorded/recording.ts';
import type { Shape } from '../../model/documents/shape.ts';
import type { PageTapSettings } from '../../model/recording/page-tap.ts';
import { pageTypes } from '../../probe/type-detection/page-types.ts';
import { described, refusedOf, told } from '../look/look.ts';
import { transferList } from '../look/transfer-lint.ts';
import type { Look, RefusalSearch, TypeTests } from '../realm/platform.ts';
import { counted, trusted } from '../size/counted.ts';

/** Nothing tells a Proxy; what was posted holds none. The user's page is not started with natives. */
export const engine = pageTypes(null);
const { types: engineTypes } = engine;

export const types: TypeTests = {
  isProxy: () => false,
  isMap: engineTypes.isMap,
  isSet: engineTypes.isSet,
  isAnyArrayBuffer: (value) => engineTypes.isArrayBuffer(value) || engineTypes.isSharedArrayBuffer(value),
};

/** @param nodes most values to visit @param stored shape and value are told */
export function lookAt(
  value: unknown,
  transfer: unknown,
  nodes: number,
  stored: boolean,
  { salt, values, mask }: Pick<PageTapSettings, 'salt' | 'values' | 'mask'>,
): Look {
  const listed = transferList(transfer, types);
  const shape = asPosted(described(value, assumedStorage('v8', false), nodes));
  const look = told(value, shape, nodes, listed, { types, values, mask, stored });
  return { ...look, sized: (most) => (listed.length === 0 ? sized(value, most, salt) : null) };
}

function sized(value: unknown, nodes: number, salt: string) {
  const all = trusted((most) => counted(value, { types, smallBits: 31 }, most, salt), nodes);
  if (all === null) return null;
  const { bytes, error, visited, content } = all;
  return { visited, bytes, ...(content === null ? { error } : { content }) };
}

/** V8's words for an object that it refuses, which may be a Proxy: `#<Object> could not be cloned.` */
const OBJECT = /(?:#<[^>]*>|\[object [^\]]*\]) could not be cloned/;

/** The value that made a post throw. Not searched for if a Proxy may be met: its traps would run. */
export function refusedInPage(value: unknown, transfer: unknown, search: RefusalSearch): FoundValue | null {
  const { message } = search;
  const isNoProxy = message.includes('could not be cloned') && !OBJECT.test(message);
  const isSafe = typeof value === 'function' || isNoProxy;
  return isSafe ? refusedOf(value, transfer, types, search, true) : null;
}

/** What is detached now was transferred: a message with a buffer that was detached before is refused. */
const asPosted = (shape: Shape): Shape => ({
  ...shape,
  patterns: shape.patterns.map((facts) => ({
    ...facts,
    flags: facts.flags.filter((flag) => flag !== 'detached'),
  })),
});
