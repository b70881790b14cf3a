import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Plan } from '../../../src/model/documents/trial.ts';
import type { Channel } from '../../../src/model/names.ts';
import { LIBRARIES } from '../../../src/model/names.ts';
import type { Recipe } from '../../../src/model/report/recipe.ts';
import type { Guest } from '../../../src/model/run/runtime.ts';
import type { AnswerTo, Proof } from '../../../src/model/wire/wire.ts';
import { PayloadFolder } from '../../support/payload-folder.ts';
import { MAIN_RUNTIMES, missing, runtime } from '../../support/runtimes.ts';

const folder = new PayloadFolder();

const JSON_TEXT = { remedy: 'json-text', plan: { path: '$', paths: ['$'] } };
/** Unchecked, so that it loses something. */
const UNCHECKED = { remedy: 'partial-text', plan: { path: '$' } };
const TRANSFER = { remedy: 'transfer', plan: { path: '$.bytes', paths: ['$.bytes'] } };

let modules = 0;

const proofOf = (
  guest: Guest,
  recipe: Recipe,
  { remedy, plan }: { remedy: string; plan: Plan },
  channel: Channel = 'worker',
) => guest.ask({ type: 'prove', recipe, channel, remedy, plan });

interface Expected {
  by?: { remedy: string; plan: Plan };
  /** Paths of the losses, in any order. */
  lost?: string[];
  reason?: RegExp;
}

const ROWS: [name: string, payload: string, equality: Proof['equality'], more?: Expected][] = [
  ['rows as JSON text', '() => [{ a: 1, b: "x" }, { a: 2, b: "y" }]', 'equal'],
  [
    'what JSON drops is a loss, each with its path',
    '() => ({ u: undefined, nan: NaN, zero: -0, date: new Date(3), list: [1, undefined], kept: 1 })',
    'lossy',
    { by: UNCHECKED, lost: ['$.date', '$.list[1]', '$.nan', '$.u', '$.zero'] },
  ],
  [
    'a shared object that becomes two is a loss',
    '() => { const one = { a: 1 }; return { x: one, y: one }; }',
    'lossy',
    { lost: ['$.y'] },
  ],
  [
    'a class that plain cloning drops too is not a loss of the rewrite',
    '(class Point { x = 1; static make = () => ({ at: new Point(), list: [new Point()] }) }).make',
    'equal',
  ],
  [
    'a symbol key or a non-enumerable one is not a loss of the rewrite',
    '() => Object.defineProperty({ a: 1, [Symbol.for("s")]: 2 }, "hidden", { value: 3 })',
    'equal',
  ],
  [
    'a value that cannot be cloned is compared with itself',
    '() => ({ call() {}, a: 1 })',
    'lossy',
    { by: UNCHECKED, lost: ['$.call'] },
  ],
  [
    'a factory whose values all differ is compared with its own clone',
    '() => ({ at: Math.random(), id: crypto.randomUUID(), rows: [1, 2] })',
    'equal',
  ],
  [
    'and its losses are still found',
    '() => ({ at: Math.random(), id: crypto.randomUUID(), date: new Date(), now: Date.now() })',
    'lossy',
    { by: UNCHECKED, lost: ['$.date'] },
  ],
  [
    'a cycle is refused, with the reason',
    '() => { const a = {}; a.self = a; return a; }',
    'refused',
    { reason: /call stack/i },
  ],
  [
    'a rewrite that changes the payload fails',
    '(class Counter { n = 1; toJSON() { this.n += 1; return { n: 1 }; } static make = () => new Counter() }).make',
    'failed',
    { by: UNCHECKED, reason: /changed the payload itself, at \$\.n/ },
  ],
  [
    'transferred bytes arrive',
    '() => ({ bytes: new Uint8Array(70000).fill(3), n: 1 })',
    'equal',
    { by: TRANSFER },
  ],
  [
    'a message that cannot be posted fails',
    '() => ({ bytes: new Uint8Array(9), call() {} })',
    'failed',
    { by: TRANSFER, reason: /DataCloneError/ },
  ],
  [
    'an unknown remedy fails',
    '() => 1',
    'failed',
    { by: { remedy: 'toString', plan: { path: '$', paths: [] } }, reason: /unknown remedy 'toString'/ },
  ],
];

function assertProof(
  proof: AnswerTo<'prove'>,
  equality: Proof['equality'],
  { lost = [], reason }: Expected,
): void {
  const said = JSON.stringify(proof);
  assert.equal(proof.equality, equality, said);
  assert.deepEqual([...new Set(proof.losses.map(({ path }) => path))].sort(), lost, said);
  if (reason) assert.match(proof.reason ?? '', reason);
  else assert.equal(proof.reason, null);
}

for (const spec of MAIN_RUNTIMES) {
  describe(spec, { skip: missing(spec) }, () => {
    let guest: Guest;
    before(async () => {
      guest = await folder.startGuest(runtime(spec));
    });
    after(() => guest.close());
    for (const [name, payload, equality, more = {}] of ROWS)
      test(name, async () => {
        const recipe = folder.module(`payload-${modules++}.mjs`, `export const value = ${payload};`);
        assertProof(await proofOf(guest, recipe, more.by ?? JSON_TEXT), equality, more);
      });
  });
}

folder.testInGuests(
  'over a channel of JSON text a rewrite is proven by JSON text, in a file by what is written',
  ['node'],
  async (guest) => {
    const recipe = folder.module(
      'numbers.mjs',
      'export const value = () => Array.from({ length: 100 }, (_, i) => i / 3);',
    );
    const typed = {
      remedy: 'typed-array',
      plan: { path: '$', lists: [{ path: '$', type: 'Float64Array' }] },
    };
    const equality = async (channel: Channel) => {
      const proofs = [JSON_TEXT, typed].map((one) => proofOf(guest, recipe, one, channel));
      return (await Promise.all(proofs)).map((one) => one.equality);
    };
    assert.deepEqual(await equality('worker'), ['equal', 'equal']);
    // Its typed arrays arrive as objects.
    assert.notEqual((await equality('ipc-json'))[1], 'equal');
    assert.equal((await equality('ipc-json'))[0], 'equal');
    // What JSON loses of the rest is no loss of the rewrite: the date arrives as text either way.
    const bytes = folder.module(
      'bytes.mjs',
      'export const value = () => ({ at: new Date(0), b: Buffer.from("abc"), rows: [{ f: new Float64Array([1 / 3]) }] });',
    );
    const asText = { remedy: 'base64', plan: { path: '$', paths: ['$.b', '$.rows[*].f'] } };
    assertProof(await proofOf(guest, bytes, asText, 'ipc-json'), 'equal', {});
    const text = JSON.stringify(Array.from({ length: 100 }, (_, i) => i / 3));
    const inFile = await proofOf(guest, recipe, JSON_TEXT, 'storage');
    // UTF-8 and nothing else.
    assert.deepEqual([inFile.equality, inFile.fileBytes], ['equal', text.length]);
    const asBytes = await proofOf(guest, recipe, typed, 'storage');
    assert.deepEqual([asBytes.equality, asBytes.fileBytes! - 800 < 30], ['equal', true]);
  },
);

folder.testInGuests(
  'the payload inside the envelope of a library is rewritten, and losses have paths in the payload',
  ['node'],
  async (guest) => {
    const recipe = folder.module(
      'enveloped.mjs',
      'export const value = () => ({ bytes: new Uint8Array(9000).fill(3), text: { a: 1 }, at: new Date(3) });',
    );
    const partial = { remedy: 'json-text', plan: { path: '$.text', paths: ['$.text'] } };
    for (const via of LIBRARIES) {
      const inside = { ...recipe, via };
      for (const one of [TRANSFER, partial])
        assert.equal((await proofOf(guest, inside, one)).equality, 'equal', via);
      assertProof(await proofOf(guest, inside, UNCHECKED), 'lossy', { lost: ['$.at', '$.bytes'] });
    }
  },
);

folder.testInGuests('each proof has its own value', ['node'], async (guest) => {
  const recipe = folder.module(
    'many.mjs',
    'export const value = { bytes: new Uint8Array(9000).fill(3), n: 1 };',
  );
  for (const [one, equality] of [
    [TRANSFER, 'equal'],
    [TRANSFER, 'equal'],
    [UNCHECKED, 'lossy'],
    [TRANSFER, 'equal'],
  ] as const)
    assert.equal((await proofOf(guest, recipe, one)).equality, equality);
});
