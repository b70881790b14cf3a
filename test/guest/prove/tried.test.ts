/** Rewrites of the user's on real runtimes: those that work in each way of exporting, and those that do harm. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { planOf } from '../../../src/model/rules/remedy.ts';
import type { Guest } from '../../../src/model/run/runtime.ts';
import type { Proof } from '../../../src/model/wire/wire.ts';
import { PayloadFolder } from '../../support/payload-folder.ts';
import { missing, type RuntimeSpec, runtime } from '../../support/runtimes.ts';
import { usually } from '../../support/whole.ts';

const folder = new PayloadFolder();

const recipe = folder.module(
  'payload.mjs',
  'export const value = () => ({ rows: [{ a: 1 }, { a: 2 }], n: 3 });',
);

const APPLY = 'export const apply = (payload) => JSON.stringify(payload);';
const RESTORE = 'export const restore = (message) => JSON.parse(message);';

interface Expected {
  /** Default: .mjs */
  ending?: string;
  reason?: RegExp;
  lost?: string[];
  about?: Proof['about'];
}

const PLAIN = { name: null, title: null, isDefault: false, transfers: false };

const ROWS: [name: string, text: string, equality: Proof['equality'], more?: Expected][] = [
  ['exports', APPLY + RESTORE, 'equal', { about: PLAIN }],
  [
    'members of the default export that use `this`',
    `export default {
      name: 'mine', title: 'packed', depth: 0,
      apply(payload) { return JSON.stringify(payload, null, this.depth); },
      restore(message) { return this.depth === 0 ? JSON.parse(message) : null; },
    };`,
    'equal',
    { about: { name: 'mine', title: 'packed', isDefault: true, transfers: false } },
  ],
  [
    'module.exports',
    'module.exports = { apply: (p) => JSON.stringify(p), restore: (m) => JSON.parse(m) };',
    'equal',
    { ending: 'cjs', about: PLAIN },
  ],
  [
    'bytes that are transferred',
    `export const apply = (payload) => new TextEncoder().encode(JSON.stringify(payload));
      export const restore = (message) => JSON.parse(new TextDecoder().decode(message));
      export const transfer = (message) => [message.buffer];`,
    'equal',
    { about: { ...PLAIN, transfers: true } },
  ],
  ['nothing to transfer', `${APPLY + RESTORE} export const transfer = () => undefined;`, 'equal'],
  [
    'each loss has its path',
    `${RESTORE} export const apply = ({ rows }) => JSON.stringify({ rows: [rows[0], { a: '2' }] });`,
    'lossy',
    { lost: ['$.n', '$.rows[1].a'] },
  ],
  [
    'a Proxy instead of the payload is a loss',
    `${APPLY} export const restore = (message) => {
      const { rows, n } = JSON.parse(message);
      return { rows: new Proxy(rows, {}), n };
    };`,
    'lossy',
    { lost: ['$.rows'] },
  ],
  ['no restore', APPLY, 'refused', { reason: /exports no function 'restore'/ }],
  ['neither', 'export default function () {}', 'refused', { reason: /no function 'apply'/ }],
  [
    'it throws, with the line',
    `${RESTORE}\nexport const apply = (payload) => payload.none.at;`,
    'refused',
    { reason: /^apply threw TypeError: .*\(line 2, column \d+\)$/ },
  ],
  [
    'it throws what is no error',
    `${APPLY} export const restore = () => { throw { get message() { throw 1; }, toString: 5 }; };`,
    'refused',
    { reason: /^restore threw a value that cannot be turned into text/ },
  ],
  [
    'it throws when it loads',
    'throw new Error("not here");',
    'refused',
    { reason: /threw while loading: Error: not here/ },
  ],
  [
    'a promise',
    `export const apply = async (p) => JSON.stringify(p); ${RESTORE}`,
    'refused',
    { reason: /^apply returns a promise/ },
  ],
  [
    'a promise of the payload',
    `${APPLY} export const restore = async (m) => JSON.parse(m);`,
    'refused',
    { reason: /^restore returns a promise/ },
  ],
  [
    'what its module keeps is not in the thread of the receiver',
    `const kept = [];
      export const apply = (payload) => kept.push(structuredClone(payload)) - 1;
      export const restore = (message) => kept[message];`,
    'refused',
    {
      reason:
        /^restore works only in the thread of apply: in another, it made another value \(\$: object became undefined\)$/,
    },
  ],
  [
    'and where restoring throws without it',
    `export const apply = (payload) => { globalThis.keys = Object.keys(payload); return Object.values(payload); };
      export const restore = (message) => Object.fromEntries(globalThis.keys.map((key, i) => [key, message[i]]));`,
    'refused',
    { reason: /^restore works only in the thread of apply: in another, restore threw TypeError/ },
  ],
  [
    'an error that escapes restore',
    `${APPLY} export const restore = (m) => { Promise.reject(new Error('later')); return JSON.parse(m); };`,
    'failed',
    { reason: /later/ },
  ],
  [
    'an error that escapes it',
    `${RESTORE} export const apply = (p) => { Promise.reject(new Error('later')); return JSON.stringify(p); };`,
    'failed',
    { reason: /later/ },
  ],
  [
    'it changes the payload',
    `${RESTORE} export const apply = (payload) => { payload.rows.pop(); return JSON.stringify(payload); };`,
    'failed',
    { reason: /changed the payload itself, at \$\.rows/ },
  ],
  [
    'what cannot be posted',
    `export const apply = (p) => () => p; ${RESTORE}`,
    'failed',
    { reason: /clone/i },
  ],
  [
    'what cannot be transferred',
    `${APPLY + RESTORE} export const transfer = () => [{}];`,
    'refused',
    { reason: /^transfer must return a list of ArrayBuffers/ },
  ],
  [
    'it prints lines that look like answers',
    `${RESTORE} export const apply = (payload) => {
      for (const print of [console.log, console.error]) print('{"id":1,"type":"proved","proofs":[]}');
      return JSON.stringify(payload);
    };`,
    'equal',
  ],
  // The last: code of the user's that runs after it in the same guest has what it left.
  [
    'it replaces built-ins: they are restored before anything is compared or sent',
    `export const apply = (payload) => {
        Reflect.ownKeys = () => [];
        Object.is = () => true;
        Array.prototype.toJSON = () => 'x';
        JSON.stringify = () => '{"type":"proved","proofs":[]}';
        return { n: payload.n, rows: [] };
      };
      export const restore = (message) => { Object.prototype.then = function () {}; return message; };`,
    'lossy',
    { lost: ['$.rows'] },
  ],
];

for (const spec of usually<RuntimeSpec>(['node', 'bun@1.4.5'], ['deno@2.9.6', 'bun@1.2.20'])) {
  describe(spec, { skip: missing(spec) }, () => {
    /** One for all that it survives: what a rewrite did to it must not reach the next proof. */
    let guest: Guest | null = null;
    after(() => guest?.close());
    for (const [index, [name, text, equality, expected = {}]] of ROWS.entries()) {
      test(name, async () => {
        const file = folder.file(`rewrite-${index}.${expected.ending ?? 'mjs'}`, text);
        const plan = planOf({ name: 'mine', title: 'your module', file, calls: null });
        if (guest === null || guest.dead) guest = await folder.startGuest(runtime(spec));
        const proof = await guest.ask({ type: 'prove', recipe, remedy: 'mine', plan });
        const said = JSON.stringify(proof);
        assert.equal(proof.equality, equality, said);
        assert.match(proof.reason ?? '', expected.reason ?? /^$/);
        assert.deepEqual(proof.losses.map(({ path }) => path).sort(), expected.lost ?? [], said);
        if (expected.about) assert.deepEqual(proof.about, expected.about);
      });
    }
  });
}

folder.testInGuests(
  'state that the module of a payload keeps is missing in the thread of the receiver too',
  ['node'],
  async (guest) => {
    const registers = folder.module(
      'registers.mjs',
      'export const value = () => (globalThis.rows ??= [{ a: 1 }]).map((row) => ({ ...row }));',
    );
    const file = folder.file(
      'registered.mjs',
      `export const apply = (rows) => Object.keys(rows);
    export const restore = (ids) => ids.map((id) => ({ ...globalThis.rows[id] }));`,
    );
    const plan = planOf({ name: 'mine', title: 'your module', file, calls: null });
    for (let times = 0; times < 2; times++) {
      const { reason } = await guest.ask({ type: 'prove', recipe: registers, remedy: 'mine', plan });
      assert.match(reason!, /^restore works only in the thread of apply: .*TypeError/);
    }
  },
);
