/** Rewrites of the tool's and of the user's, proven on real runtimes. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Plan } from '../../../src/model/documents/trial.ts';
import { type Channel, LIBRARIES } from '../../../src/model/names.ts';
import type { Recipe } from '../../../src/model/report/recipe.ts';
import { planOf } from '../../../src/model/rules/remedy.ts';
import type { Guest } from '../../../src/model/run/runtime.ts';
import type { AnswerTo, Proof } from '../../../src/model/wire/wire.ts';
import { PayloadFolder } from '../../support/payload-folder.ts';
import { MAIN_RUNTIMES, missing, runtime } from '../../support/runtimes.ts';

const folder = new PayloadFolder();

type Rewrite = { remedy: string; plan: Plan };

const JSON_TEXT: Rewrite = { remedy: 'json-text', plan: { path: '$', paths: ['$'] } };
/** Unchecked, so that it loses something. */
const UNCHECKED: Rewrite = { remedy: 'partial-text', plan: { path: '$' } };
const TRANSFER: Rewrite = { remedy: 'transfer', plan: { path: '$.bytes', paths: ['$.bytes'] } };

let files = 0;

/** A rewrite of the user's. */
function tried(text: string, ending = 'mjs'): Rewrite {
  const file = folder.file(`rewrite-${files++}.${ending}`, text);
  return { remedy: 'mine', plan: planOf({ name: 'mine', title: 'your module', file, calls: null }) };
}

const proofOf = (guest: Guest, recipe: Recipe, rewrite: Rewrite, channel: Channel = 'worker') =>
  guest.ask({ type: 'prove', recipe, channel, ...rewrite });

interface Expected {
  reason?: RegExp;
  /** Paths of the losses, in any order. */
  lost?: string[];
  about?: Proof['about'];
}

function assertProof(
  proof: AnswerTo<'prove'>,
  equality: Proof['equality'],
  { lost = [], reason = /^$/, about }: Expected,
): void {
  const said = JSON.stringify(proof);
  assert.equal(proof.equality, equality, said);
  assert.deepEqual([...new Set(proof.losses.map(({ path }) => path))].sort(), lost, said);
  assert.match(proof.reason ?? '', reason);
  if (about) assert.deepEqual(proof.about, about);
}

const PLAIN = { name: null, title: null, isDefault: false, transfers: false };

const HEAD = /^(.+): (equal|lossy|unchecked|refused|failed)(?: (.+))?$/;

/** "# name: outcome", with the paths that are lost, the reason of a refusal, or what is known of a module; then the code. */
const casesIn = (text: string) =>
  text
    .split(/^# /m)
    .slice(1)
    .map((one) => {
      const [head = '', ...lines] = one.trimEnd().split('\n');
      const [, name = '', outcome = '', rest = ''] = HEAD.exec(head)!;
      const by = outcome === 'unchecked' ? UNCHECKED : JSON_TEXT;
      const equality = (outcome === 'unchecked' ? 'lossy' : outcome) as Proof['equality'];
      return { name, code: lines.join('\n'), equality, by, more: expectedBy(outcome, rest) };
    });

function expectedBy(outcome: string, rest: string): Expected {
  if (rest === '') return {};
  if (outcome === 'equal') return { about: { ...PLAIN, ...JSON.parse(rest) } };
  return outcome === 'refused' || outcome === 'failed'
    ? { reason: new RegExp(rest) }
    : { lost: rest.split(' ') };
}

/** Proofs of remedies for values of their own. */
const OWN = casesIn(`
# rows as JSON text: equal
() => [{ a: 1, b: "x" }, { a: 2, b: "y" }]
# what JSON drops is a loss, each with its path: unchecked $.date $.list[1] $.nan $.u $.zero
() => ({ u: undefined, nan: NaN, zero: -0, date: new Date(3), list: [1, undefined], kept: 1 })
# a shared object that becomes two is a loss: lossy $.y
() => { const one = { a: 1 }; return { x: one, y: one }; }
# a class that plain cloning drops too is not a loss of the rewrite: equal
(class Point { x = 1; static make = () => ({ at: new Point(), list: [new Point()] }) }).make
# a factory whose values all differ is compared with its own clone: equal
() => ({ at: Math.random(), id: crypto.randomUUID(), rows: [1, 2] })
# and its losses are still found: unchecked $.date
() => ({ at: Math.random(), id: crypto.randomUUID(), date: new Date(), now: Date.now() })
# a cycle is refused, with the reason: refused [Cc]all stack
() => { const a = {}; a.self = a; return a; }`);

const APPLY = 'export const apply = (payload) => JSON.stringify(payload);';
const RESTORE = 'export const restore = (message) => JSON.parse(message);';

/**
 * Proofs of the user's modules: those that work in each way of exporting, and those that do harm. What the last leaves has
 * code of the user's that runs after it in the same guest.
 */
const TRIED = casesIn(String.raw`
# exports: equal {}
${APPLY}${RESTORE}
# members of the default export that use 'this': equal {"name":"mine","title":"packed","isDefault":true}
export default {
  name: 'mine', title: 'packed', depth: 0,
  apply(payload) { return JSON.stringify(payload, null, this.depth); },
  restore(message) { return this.depth === 0 ? JSON.parse(message) : null; },
};
# module.exports: equal {}
module.exports = { apply: (p) => JSON.stringify(p), restore: (m) => JSON.parse(m) };
# bytes that are transferred: equal {"transfers":true}
export const apply = (payload) => new TextEncoder().encode(JSON.stringify(payload));
export const restore = (message) => JSON.parse(new TextDecoder().decode(message));
export const transfer = (message) => [message.buffer];
# nothing to transfer: equal
${APPLY}${RESTORE} export const transfer = () => undefined;
# each loss has its path: lossy $.n $.rows[1].a
${RESTORE} export const apply = ({ rows }) => JSON.stringify({ rows: [rows[0], { a: '2' }] });
# a Proxy instead of the payload is a loss: lossy $.rows
${APPLY} export const restore = (message) => {
  const { rows, n } = JSON.parse(message);
  return { rows: new Proxy(rows, {}), n };
};
# no restore: refused exports no function 'restore'
${APPLY}
# neither: refused no function 'apply'
export default function () {}
# it throws, with the line: refused ^apply threw TypeError: .*\(line 2, column \d+\)$
${RESTORE}
export const apply = (payload) => payload.none.at;
# it throws what is no error: refused ^restore threw a value that cannot be turned into text
${APPLY} export const restore = () => { throw { get message() { throw 1; }, toString: 5 }; };
# it throws when it loads: refused threw while loading: Error: not here
throw new Error("not here");
# a promise: refused ^apply returns a promise
export const apply = async (p) => JSON.stringify(p); ${RESTORE}
# what its module keeps is not in the thread of the receiver: refused ^restore works only in the thread of apply: in another, it made another value \(\$: object became undefined\)$
const kept = [];
export const apply = (payload) => kept.push(structuredClone(payload)) - 1;
export const restore = (message) => kept[message];
# and where restoring throws without it: refused ^restore works only in the thread of apply: in another, restore threw TypeError
export const apply = (payload) => { globalThis.keys = Object.keys(payload); return Object.values(payload); };
export const restore = (message) => Object.fromEntries(globalThis.keys.map((key, i) => [key, message[i]]));
# an error that escapes restore: failed later
${APPLY} export const restore = (m) => { Promise.reject(new Error('later')); return JSON.parse(m); };
# an error that escapes it: failed later
${RESTORE} export const apply = (p) => { Promise.reject(new Error('later')); return JSON.stringify(p); };
# it changes the payload: failed changed the payload itself, at \$\.rows
${RESTORE} export const apply = (payload) => { payload.rows.pop(); return JSON.stringify(payload); };
# what cannot be posted: failed [Cc]lone
export const apply = (p) => () => p; ${RESTORE}
# what cannot be transferred: refused ^transfer must return a list of ArrayBuffers
${APPLY}${RESTORE} export const transfer = () => [{}];
# it replaces built-ins: they are restored before anything is compared or sent: lossy $.rows
export const apply = (payload) => {
  Reflect.ownKeys = () => [];
  Object.is = () => true;
  Array.prototype.toJSON = () => 'x';
  JSON.stringify = () => '{"type":"proved","proofs":[]}';
  return { n: payload.n, rows: [] };
};
export const restore = (message) => { Object.prototype.then = function () {}; return message; };`);

for (const spec of MAIN_RUNTIMES) {
  describe(spec, { skip: missing(spec) }, () => {
    /** One for all that it survives: what a rewrite did to it must not reach the next proof. */
    let guest: Guest | null = null;
    after(() => guest?.close());
    const living = async () => {
      if (guest === null || guest.dead) guest = await folder.startGuest(runtime(spec));
      return guest;
    };
    for (const { name, code, by, equality, more } of OWN)
      test(name, async () =>
        assertProof(await proofOf(await living(), folder.value(code), by), equality, more),
      );
    const recipe = folder.value('() => ({ rows: [{ a: 1 }, { a: 2 }], n: 3 })');
    for (const { name, code, equality, more } of TRIED)
      test(name, async () => {
        const ending = code.startsWith('module.exports') ? 'cjs' : 'mjs';
        assertProof(await proofOf(await living(), recipe, tried(code, ending)), equality, more);
      });
  });
}

folder.testInGuests(
  'over a channel of JSON text a rewrite is proven by JSON text, in a file by what is written',
  ['node'],
  async (guest) => {
    const recipe = folder.value('() => Array.from({ length: 100 }, (_, i) => i / 3)');
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
    const bytes = folder.value(
      '() => ({ at: new Date(0), b: Buffer.from("abc"), rows: [{ f: new Float64Array([1 / 3]) }] })',
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
    const recipe = folder.value(
      '() => ({ bytes: new Uint8Array(9000).fill(3), text: { a: 1 }, at: new Date(3) })',
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
  const recipe = folder.value('{ bytes: new Uint8Array(9000).fill(3), n: 1 }');
  for (const [one, equality] of [
    [TRANSFER, 'equal'],
    [TRANSFER, 'equal'],
    [UNCHECKED, 'lossy'],
    [TRANSFER, 'equal'],
  ] as const)
    assert.equal((await proofOf(guest, recipe, one)).equality, equality);
});

folder.testInGuests(
  'state that the module of a payload keeps is missing in the thread of the receiver too',
  ['node'],
  async (guest) => {
    const registers = folder.value('() => (globalThis.rows ??= [{ a: 1 }]).map((row) => ({ ...row }))');
    const rewrite = tried(
      `export const apply = (rows) => Object.keys(rows);
      export const restore = (ids) => ids.map((id) => ({ ...globalThis.rows[id] }));`,
    );
    for (let times = 0; times < 2; times++) {
      const { reason } = await proofOf(guest, registers, rewrite);
      assert.match(reason!, /^restore works only in the thread of apply: .*TypeError/);
    }
  },
);
