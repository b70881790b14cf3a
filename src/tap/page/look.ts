/** Looks at a message of a page after it was posted. No interface of the engine is available there. */
import { assumedStorage } from '../../core/describe/assumed-storage.ts';
import type { Storage } from '../../core/describe/inspect/probe.ts';
import type { Mask } from '../../core/recording/values/sample-options.ts';
import type { FoundValue } from '../../model/documents/recorded/recording.ts';
import type { PageTapSettings } from '../../model/recording/page-tap.ts';
import { pageTypes } from '../../probe/type-detection/page-types.ts';
import { lookAt as lookAtMessage, refusedOf } from '../look/look.ts';
import type { Look, RefusalSearch, TypeTests } from '../realm/platform.ts';

/** Nothing tells a Proxy; what was posted holds none. The user's page is not started with natives. */
export const engine = pageTypes(null);
const { types: engineTypes } = engine;

export const types: TypeTests = {
  isProxy: () => false,
  isMap: engineTypes.isMap,
  isSet: engineTypes.isSet,
  isAnyArrayBuffer: (value) => engineTypes.isArrayBuffer(value) || engineTypes.isSharedArrayBuffer(value),
};

/** What is detached by now was transferred: a message with a buffer that was detached before is refused. */
export const lookAt = (
  value: unknown,
  transfer: unknown,
  nodes: number,
  mask: Mask,
  { salt }: Pick<PageTapSettings, 'salt'>,
): Look => lookAtMessage(value, transfer, { types, salt, engine: { withStorage }, nodes, mask });

const withStorage = <T>(run: (storage: Storage) => T): T => run(assumedStorage('v8', false));

/** V8's words for an object that it refuses, which may be a Proxy: `#<Object> could not be cloned.` */
const OBJECT = /(?:#<[^>]*>|\[object [^\]]*\]) could not be cloned/;

/** The value that made a post throw. Not searched for if a Proxy may be met: its traps would run. */
export function refusedInPage(value: unknown, transfer: unknown, search: RefusalSearch): FoundValue | null {
  const { message } = search;
  const isNoProxy = message.includes('could not be cloned') && !OBJECT.test(message);
  const isSafe = typeof value === 'function' || isNoProxy;
  return isSafe ? refusedOf(value, transfer, types, search, true) : null;
}
