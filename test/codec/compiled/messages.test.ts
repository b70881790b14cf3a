/** Messages that no codec of this version has written, or that were cut on their way: one clear error, and no damage. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { asJavaScript } from '../../../src/codec/code/javascript.ts';
import { compiledCodec } from '../../../src/codec/compiled/compiled.ts';
import { type Random, randomBelow, seeded } from '../../../src/stats/intervals/random.ts';
import { type CompiledCodec, codecFrom, FORMS, type Streams, schemaOf } from './codec.ts';

const SEED = 4;
const MAX_INT = 2 ** 31 - 1;
const MIN_INT = -(2 ** 31);
/** From docs/codec.md: integers below are marks. */
const FIRST_INT = -2147483640;

const words = (count: number): string[] => Array.from({ length: count }, (_, at) => `w${at % 5}`);
const tables = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ [`k ${at % 3}`]: at + 0.5, 'k-': 1.5 }));

/** Every way of a codec once. */
const SAMPLE = {
  id: 1,
  share: 0.25,
  ok: true,
  name: 'first',
  long: 'a text that is long enough to be listed, in that form',
  words: words(64),
  when: new Date(5),
  big: 5n,
  numbers: [1.5, 2.5],
  lists: [
    [
      [1, 'a'],
      [2, 'b'],
    ],
    [[3]],
  ],
  open: Object.fromEntries(words(5).map((_, at) => [`${at}.5`, [{ x: at + 0.5, y: at }]])),
  tables: tables(60),
  map: new Map([['a', { x: 0.5, y: 1 }]]),
  set: new Set(['a', 'b']),
  mixed: [1, 'x', null, { z: 1 }, [2.5], true, undefined].filter((one) => one !== undefined),
  rest: new Uint8Array([1, 2]),
  tree: { value: 1.5, children: [{ value: 2.5, children: [{ value: 3.5, children: [] }] }] },
};

interface Ends {
  codec: CompiledCodec;
  message: Streams;
}

function ends(form: (typeof FORMS)[number]): Ends {
  const codec = codecFrom(SAMPLE, form);
  const message = structuredClone(codec.toMessage(SAMPLE));
  assert.ok(!('asIs' in message));
  assert.ok(message.ints.length > 200 && message.doubles.length > 50 && message.rest.length > 0);
  return { codec, message };
}

const PARTS = ['ints', 'doubles', 'text', 'words', 'rest'] as const;

const CUT = { name: 'TypeError', message: /^the message of codec [0-9a-f]{8} is cut, damaged or too deep$/ };
const OTHER = { name: 'TypeError', message: /^codec [0-9a-f]{8} cannot read a message of codec / };

/** A right message is read afterwards, twice. */
function isWhole({ codec, message }: Ends): void {
  assert.deepEqual(codec.fromMessage(message), SAMPLE);
  assert.deepEqual(codec.fromMessage(structuredClone(codec.toMessage(SAMPLE))), SAMPLE);
}

for (const form of FORMS) {
  const both = ends(form);
  const { codec, message } = both;

  test(`${form}: a value that is not a message of this codec is refused, with both versions in the error`, () => {
    const strangers = [null, undefined, 5, Number.NaN, 'text', '', true, 5n, {}, [], new Map(), new Date(0)];
    for (const one of strangers) assert.throws(() => codec.fromMessage(one), OTHER);
    const other = { ...message, version: '00000000' };
    assert.throws(
      () => codec.fromMessage(other),
      new TypeError(`codec ${message.version} cannot read a message of codec 00000000`),
    );
    assert.throws(() => codec.fromMessage({ ...message, version: undefined }), OTHER);
    assert.throws(() => codec.fromMessage(codecFrom({ other: 1 }).toMessage({ other: 2 })), OTHER);
    isWhole(both);
  });

  const { ints, doubles, text, words, rest } = message;
  const kinds = [null, undefined, 5, {}, { length: MAX_INT }, [], new Array(MAX_INT), new Map()];
  const single = [0, 1, 2, 1000, MAX_INT, MIN_INT, FIRST_INT, FIRST_INT - 5];
  const zeros = new Float64Array(1000);
  const DAMAGED: Record<string, object[]> = {
    'is cut anywhere': PARTS.flatMap((part) =>
      Array.from({ length: message[part].length }, (_, left) => ({ [part]: message[part].slice(0, left) })),
    ),
    'has something more': [
      ...[{ ints: Int32Array.of(...ints, 0) }, { doubles: Float64Array.of(...doubles, 1.5) }],
      ...[{ text: `${text} ` }, { words: `${words} ` }, { rest: [...rest, undefined] }],
    ],
    'has parts of other kinds': PARTS.flatMap((part) => kinds.map((kind) => ({ [part]: kind }))),
    'is of a single integer, even with long lists': single.flatMap((int) =>
      [[], new Array(MAX_INT)].map((holes) => ({
        ...{ ints: new Int32Array(20_000).fill(int), doubles: zeros, rest: holes },
      })),
    ),
  };

  for (const [what, changes] of Object.entries(DAMAGED))
    test(`${form}: a message that ${what} is refused`, () => {
      for (const [at, change] of changes.entries())
        assert.throws(
          () => codec.fromMessage({ ...message, ...change }),
          CUT,
          `${Object.keys(change)} ${at}`,
        );
      isWhole(both);
    });
}

const MARKS = [MAX_INT, MIN_INT, -1, -2, ...Array.from({ length: 8 }, (_, at) => FIRST_INT - at)];

/** @param at each place among the integers once */
type Forge = (message: Streams, random: Random, at: number) => object;

const HOSTILE: Record<string, Forge> = {
  forged(message, random) {
    const [ints, doubles] = [message.ints.slice(), message.doubles.slice()];
    for (let times = randomBelow(9, random); times >= 0; times--) {
      const isMark = randomBelow(2, random) === 0;
      ints[randomBelow(ints.length, random)] = isMark
        ? MARKS[randomBelow(MARKS.length, random)]!
        : randomBelow(2 ** 32, random) | 0;
      doubles[randomBelow(doubles.length, random)] = Number.NaN;
    }
    return { ...message, ints, doubles };
  },
  'of a huge length'(message, random, at) {
    const ints = message.ints.slice();
    ints[at] = MAX_INT >> randomBelow(4, random);
    return { ...message, ints };
  },
};

for (const form of FORMS)
  test(`${form}: messages of a hostile sender are read in 48 MB of memory (seed ${SEED})`, async () => {
    const random = seeded(SEED);
    const { message } = ends(form);
    const text = asJavaScript(compiledCodec({ schema: schemaOf(SAMPLE)!, name: 'payload', form }).source);
    const codec = `data:text/javascript,${encodeURIComponent(text)}`;
    const reader = new Worker(new URL('./hostile-reader.mjs', import.meta.url), {
      workerData: { codec },
      resourceLimits: { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 8 },
    });
    const answerTo = async (one: object): Promise<unknown> => {
      const answer = once(reader, 'message');
      reader.postMessage(one);
      return (await answer)[0];
    };
    try {
      for (const [kind, forge] of Object.entries(HOSTILE))
        for (let at = 0; at < message.ints.length; at++) {
          const said = String(await answerTo(forge(message, random, at)));
          if (said !== 'a value') assert.match(said.replace('TypeError: ', ''), CUT.message, kind);
        }
      assert.equal(await answerTo(message), 'a value');
    } finally {
      await reader.terminate();
    }
  });

/** Refuses each of the forged messages, and reads the right one afterwards. */
function refuses(sample: unknown, forge: (message: Streams) => object[]): void {
  const codec = codecFrom(sample);
  const message = structuredClone(codec.toMessage(sample)) as Streams;
  for (const forged of forge(message)) assert.throws(() => codec.fromMessage({ ...message, ...forged }), CUT);
  assert.deepEqual(codec.fromMessage(message), sample);
}

/** Lists of lists, whose lengths say more than there is: each again as much as all together. */
const NESTED: [name: string, sample: unknown][] = [
  ['lists of doubles', { lists: [[0.5, 1, 2.5], [1.5]] }],
  ['lists of records', [[{ a: 1.5, b: 2.5 }], [{ a: 0.5, b: 1.5 }], []]],
  ['tables', tables(60)],
  ['dictionaries', { a: Array.from({ length: 9 }, (_, at) => ({ [`${at}.5`]: 'x', [`${at}.7`]: 'y' })) }],
];

for (const [name, sample] of NESTED)
  test(`${name}: lengths that add up to more than there is are refused`, () =>
    refuses(sample, (message) =>
      [2, 3, 10, 200].flatMap((share) =>
        [0, 1, 2].map((last) => {
          const ints = new Int32Array(60_000).fill(60_000 / share);
          ints.set(message.ints.slice(last + 1, 2), last + 1);
          return { ints, text: 'x'.repeat(60_000) };
        }),
      ),
    ));

test('levels of a forged tree beyond the stack are refused', () =>
  // A record, a list of one, a record, ...
  refuses(SAMPLE.tree, () => [
    { ints: Int32Array.from({ length: 400_000 }, (_, at) => at % 2), doubles: new Float64Array(200_000) },
  ]));

test('a text is not read twice by lengths below 0', () =>
  refuses(
    Array.from({ length: 9 }, (_, at) => ({ [`${at}.5`]: 1, [`${at}.25`]: 2 })),
    ({ ints }) => [{ ints: ints.map((int) => (int > 2 ? -int : int)) }],
  ));
