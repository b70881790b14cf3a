/** Looks at a message of a page, when it was posted: nothing of the engine can be asked there. */
import { assumedStorage } from '../../core/describe/assumed-storage.ts';
import type { FoundValue } from '../../model/documents/recorded/recording.ts';
import type { Shape } from '../../model/documents/shape.ts';
import type { EngineName } from '../../model/names.ts';
import type { SocketTapSettings } from '../../model/recording/page-tap.ts';
import { types as engineTypes } from '../../probe/type-detection/engine-types.page.ts';
import { described, refusedOf, told } from '../look/look.ts';
import { transferList } from '../look/transfer-lint.ts';
import type { Look, RefusalSearch, TypeTests } from '../realm/platform.ts';
import { counted, trusted } from '../size/counted.ts';

/** Nothing tells a Proxy; what was posted holds none. */
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
  { salt, values, mask, engine }: Pick<SocketTapSettings, 'salt' | 'values' | 'mask' | 'engine'>,
): Look {
  const listed = transferList(transfer, types);
  const shape = asPosted(described(value, assumedStorage(engine, false), nodes));
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
/** Words for what is no Proxy. WebKit has the same for all. */
const NO_PROXY: Readonly<Record<EngineName, (message: string) => boolean>> = {
  v8: (message) => message.includes('could not be cloned') && !OBJECT.test(message),
  spidermonkey: (message) => /^(?!Proxy )\w+ object could not be cloned|^unsupported type/.test(message),
  webkit: () => false,
  jsc: () => false,
};

/** What made a post throw. Not looked for where a Proxy may be met: its traps would run. */
export function refusedInPage(
  value: unknown,
  transfer: unknown,
  search: RefusalSearch,
  engine: EngineName,
): FoundValue | null {
  const isSafe = typeof value === 'function' || NO_PROXY[engine](search.message);
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
