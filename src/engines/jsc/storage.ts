import type { Rule } from '../../model/rules/rule.ts';
import { ANYWHERE, SHARED_MEMORY } from '../standard/common.ts';
import { EXTRA_PROPS } from '../standard/lossy.ts';
import { EVERY_FAST_PATH } from './fast-paths.ts';

const INTO_FILE = {
  ...ANYWHERE.lossy,
  scope: { channels: ['storage'] },
  source: 'seen on Bun 1.3.14 and 1.4.5',
} as const satisfies Partial<Rule>;

/** Into a file, by the v8.serialize of Bun: the serializer of JavaScriptCore, as for storage. */
export const storage = [
  {
    id: 'jsc/to-file',
    level: 'slow',
    at: 'root',
    when: { kind: ['string', 'object', 'array'] },
    blocks: EVERY_FAST_PATH,
    scope: { channels: ['storage'] },
    title: 'value in a file',
    why: 'A file holds no memory of the program. What v8.serialize of Bun writes is the format of JavaScriptCore, which Node and Deno cannot read.',
    fix: 'Write JSON text where the payload is JSON.',
    remedies: ['json-text', 'compiled'],
    source: 'SerializedScriptValue.cpp, for storage; seen on Bun 1.2.20 to 1.4.5',
  },
  {
    ...INTO_FILE,
    id: 'jsc/shared-to-file',
    when: SHARED_MEMORY,
    loses: 'value',
    title: 'SharedArrayBuffer into a file',
    why: 'An ordinary ArrayBuffer with a copy of the bytes is read back. Node and Deno refuse it.',
    fix: 'Share it with the Worker that needs it.',
  },
  {
    ...INTO_FILE,
    ...EXTRA_PROPS,
    id: 'jsc/platform-props-to-file',
    when: { kind: 'platform', all: ['extra-props'] },
  },
  {
    ...INTO_FILE,
    id: 'jsc/node-buffer-to-file',
    when: { kind: 'typedarray', all: ['node-buffer'] },
    loses: 'class',
    scope: { runtimes: { bun: '<1.4.0' }, channels: ['storage'] },
    title: 'Buffer into a file',
    why: 'Up to Bun 1.3 a Uint8Array is read back; Node, Deno and Bun 1.4 give a Buffer.',
    fix: 'Wrap it again: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).',
    source: 'seen on Bun 1.3.14 (Uint8Array) and 1.4.5 (Buffer)',
  },
] as const satisfies readonly Rule[];
