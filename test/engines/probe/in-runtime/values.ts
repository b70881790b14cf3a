/** Values whose path through an engine is known: factories, because posting changes strings. */
import { runInThisContext } from 'node:vm';
import * as workerThreads from 'node:worker_threads';

const noise = () => String(Math.random());
const long = 'p'.repeat(5000) + noise();

function scarred(value: Record<string, unknown>): Record<string, unknown> {
  value.gone = 1;
  // Not the last property: V8 undoes the addition of the last one.
  value.last = 1;
  Reflect.deleteProperty(value, 'gone');
  return value;
}

class Branded {
  a = 1;
  #secret(): number {
    return this.a;
  }
  tell(): number {
    return this.#secret();
  }
}

/** Node 22.10, Bun 1.4; elsewhere it stays unmarked. */
function marked<T extends object>(value: T): T {
  const { markAsUncloneable } = workerThreads as { markAsUncloneable?: (value: object) => void };
  markAsUncloneable?.(value);
  return value;
}

/** (module (type (struct)) (func (export "f") (result (ref 0)) struct.new_default 0)); undefined before Wasm GC. */
const WASM_STRUCT = `(() => {
  const bytes = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 8, 2, 95, 0, 96, 0, 1, 100, 0, 3, 2, 1, 1,
    7, 5, 1, 1, 102, 0, 0, 10, 7, 1, 5, 0, 251, 1, 0, 11]);
  if (!WebAssembly.validate(bytes)) return undefined;
  return new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports.f();
})()`;

export const VALUES: Record<string, () => unknown> = {
  undefined: () => undefined,
  number: () => 5,
  shortString: () => `abc${noise()}`,
  ownString: () => 'x'.repeat(300) + noise(),
  flatObject: () => ({ a: 1, b: 'xx', c: null, d: undefined }),
  nested: () => ({ a: {} }),
  scarred: () => scarred({ a: 1 }),
  branded: () => new Branded(),
  ints: () => [1, 2, 3],
  sameCost: () => [0, 0, 0, 0, 0, 7, 8],
  rows: () => [
    { id: 1, name: 'one' },
    { id: 2, name: 'two' },
  ],
  symbolName: () => Object.assign(new Error('x'), { name: Symbol('s') }),
  longTexts: () => [{ text: 's'.repeat(400) + noise() }, { text: long.slice(3, 900) }],
  scarredRows: () =>
    Array.from({ length: 500 }, (_, i) => (i === 7 || i === 300 ? scarred({ a: i }) : { a: i, b: 'x' })),
  twice: () => {
    const row = { a: 1 };
    return [row, row];
  },
  cloned: () => structuredClone([1, 2]),
  map: () => new Map([['k', runInThisContext('[1, , 3]')]]),
  smallView: () => ({ part: new Uint8Array(1e6).subarray(0, 100) }),
  segmentIterator: () => new Intl.Segmenter('en').segment('a')[Symbol.iterator](),
  callback: () => ({ done: () => 1 }),
  port: () => new MessageChannel().port1,
  throwing: () => ({
    get a() {
      throw new RangeError('of the payload');
    },
  }),
  throwingRow: () => ({
    rows: new Map([
      ['first', [1, { a: 1 }]],
      [
        'second',
        [
          1,
          {
            get 'odd key'() {
              throw new RangeError('of the payload');
            },
          },
        ],
      ],
    ]),
  }),
  getterOfFunctions: () => ({
    get tools() {
      return [{ run: () => 1 }];
    },
  }),
  marked: () => marked({ a: 1 }),
  markedRow: () => Array.from({ length: 9 }, (_, i) => ({ owner: i === 6 ? marked({ a: 1 }) : { a: 1 } })),
  markedBlob: () => marked(new Blob(['x'])),
  namedLikeWebClass: () => new (class Response {})(),
  callbackInLikeNamed: () =>
    new (class Response {
      done = () => 1;
    })(),
  unmarkedBlob: () => new Blob(['x']),
  outOfBounds: () => {
    const buffer = Reflect.construct(ArrayBuffer, [16, { maxByteLength: 64 }]) as ArrayBuffer & {
      resize(bytes: number): void;
    };
    const views = [new DataView(buffer, 8), new Uint8Array(buffer, 8)];
    buffer.resize(4);
    return views;
  },
  proxy: () => new Proxy({}, {}),
  wasmStruct: () => runInThisContext(WASM_STRUCT) as unknown,
};
