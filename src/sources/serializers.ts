import type { SerializerName } from '../model/names.ts';
import type { TriedCalls } from '../model/rules/tried.ts';

/**
 * Serializers that `--try` knows by name. What is timed is what is printed: both are made of these texts.
 *
 * Bytes are copied into an array of their own, and that is transferred. msgpackr and cbor-x return a view of a large
 * buffer that they keep: posted as it is, all of that buffer is copied, and transferred, they lose it
 * (github.com/anomalyco/opencode/pull/49696: 191 MB copied for 55 bytes). Measured with 21 kB of orders on Node 20 and
 * Bun 1.4: the view 1.17 and 1.30 of the time of the original, its copy 1.00 and 1.12, its copy transferred 0.99 and
 * 1.02. Bun refuses to transfer what its own `v8.serialize` returns.
 */
export interface Serializer {
  title: string;
  calls: TriedCalls;
}

const importing = (from: string, encode: string, decode: string): TriedCalls['imports'] => ({
  from,
  sender: `{ ${encode} }`,
  receiver: `{ ${decode} }`,
});

const bytes = (title: string, from: string, encode: string, decode: string): Serializer => ({
  title: `${title}, as bytes`,
  calls: {
    imports: importing(from, encode, decode),
    message: `new Uint8Array(${encode}(payload))`,
    transferList: '[message.buffer]',
    payload: `${decode}(message)`,
    content: 'bytes',
    comment: `A copy: ${encode} may return a view of a larger buffer.`,
  },
});

const text = (title: string, from: string, encode: string, decode: string): Serializer => ({
  title,
  calls: {
    imports: importing(from, encode, decode),
    message: `${encode}(payload)`,
    transferList: null,
    payload: `${decode}(message)`,
    content: 'text',
  },
});

/** A new serializer is a name in SERIALIZER_NAMES and a row here; test/sources/tries.test.ts proves each. */
export const SERIALIZERS: Readonly<Record<SerializerName, Serializer>> = {
  msgpackr: bytes('MessagePack by msgpackr', 'msgpackr', 'pack', 'unpack'),
  'cbor-x': bytes('CBOR by cbor-x', 'cbor-x', 'encode', 'decode'),
  v8: bytes('v8.serialize', 'node:v8', 'serialize', 'deserialize'),
  devalue: text('text by devalue', 'devalue', 'stringify', 'parse'),
  superjson: text('JSON text by superjson', 'superjson', 'stringify', 'parse'),
  // Not `serialize`: its text is a program that the receiver has to run. The tree of `toJSON` as a text takes a third
  // (Bun) to two thirds (Node) of the time of the tree itself.
  seroval: {
    title: 'JSON text by seroval',
    calls: {
      imports: importing('seroval', 'toJSON', 'fromJSON'),
      message: 'JSON.stringify(toJSON(payload))',
      transferList: null,
      payload: 'fromJSON(JSON.parse(message))',
      content: 'text',
    },
  },
};
