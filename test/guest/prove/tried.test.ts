/** Rewrites of the user's on real runtimes: those that work in each way of exporting, and those that do harm. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { planOf } from '../../../src/model/rules/tried.ts';
import type { Guest } from '../../../src/model/run/runtime.ts';
import type { Proof } from '../../../src/model/wire/wire.ts';
import { PayloadFolder } from '../../support/payload-folder.ts';
import { missing, type RuntimeSpec, runtime } from '../../support/runtimes.ts';
import { usually } from '../../support/whole.ts';

const folder = new PayloadFolder();
after(() => folder.remove());

const recipe = folder.module(
  'payload.mjs',
  'export const value = () => ({ rows: [{ a: 1 }, { a: 2 }], n: 3 });',
);

const APPLY = 'export const apply = (payload) => JSON.stringify(payload);';
const RESTORE = 'export const restore = (message) => JSON.parse(message);';

interface Row {
  name: string;
  text: string;
  /** Default: .mjs */
  ending?: string;
  equality: Proof['equality'];
  reason?: RegExp;
  lost?: string[];
  about?: Proof['about'];
}

const PLAIN = { name: null, title: null, isDefault: false, transfers: false };

const ROWS: Row[] = [
  { name: 'exports', text: APPLY + RESTORE, equality: 'equal', about: PLAIN },
  {
    name: 'members of the default export that use `this`',
    text: `export default {
      name: 'mine', title: 'packed', depth: 0,
      apply(payload) { return JSON.stringify(payload, null, this.depth); },
      restore(message) { return this.depth === 0 ? JSON.parse(message) : null; },
    };`,
    equality: 'equal',
    about: { name: 'mine', title: 'packed', isDefault: true, transfers: false },
  },
  {
    name: 'module.exports',
    ending: 'cjs',
    text: 'module.exports = { apply: (p) => JSON.stringify(p), restore: (m) => JSON.parse(m) };',
    equality: 'equal',
    about: PLAIN,
  },
  {
    name: 'bytes that are transferred',
    text: `export const apply = (payload) => new TextEncoder().encode(JSON.stringify(payload));
      export const restore = (message) => JSON.parse(new TextDecoder().decode(message));
      export const transfer = (message) => [message.buffer];`,
    equality: 'equal',
    about: { ...PLAIN, transfers: true },
  },
  {
    name: 'nothing to transfer',
    text: `${APPLY + RESTORE} export const transfer = () => undefined;`,
    equality: 'equal',
  },
  {
    name: 'each loss has its path',
    text: `${RESTORE} export const apply = ({ rows }) => JSON.stringify({ rows: [rows[0], { a: '2' }] });`,
    equality: 'lossy',
    lost: ['$.n', '$.rows[1].a'],
  },
  {
    name: 'a Proxy instead of the payload is a loss',
    text: `${APPLY} export const restore = (message) => {
      const { rows, n } = JSON.parse(message);
      return { rows: new Proxy(rows, {}), n };
    };`,
    equality: 'lossy',
    lost: ['$.rows'],
  },
  { name: 'no restore', text: APPLY, equality: 'refused', reason: /exports no function 'restore'/ },
  {
    name: 'neither',
    text: 'export default function () {}',
    equality: 'refused',
    reason: /no function 'apply'/,
  },
  {
    name: 'it throws, with the line',
    text: `${RESTORE}\nexport const apply = (payload) => payload.none.at;`,
    equality: 'refused',
    reason: /^apply threw TypeError: .*\(line 2, column \d+\)$/,
  },
  {
    name: 'it throws what is no error',
    text: `${APPLY} export const restore = () => { throw { get message() { throw 1; }, toString: 5 }; };`,
    equality: 'refused',
    reason: /^restore threw a value that cannot be turned into text/,
  },
  {
    name: 'it throws when it loads',
    text: 'throw new Error("not here");',
    equality: 'refused',
    reason: /threw while loading: Error: not here/,
  },
  {
    name: 'a promise',
    text: `export const apply = async (p) => JSON.stringify(p); ${RESTORE}`,
    equality: 'refused',
    reason: /^apply returns a promise/,
  },
  {
    name: 'a promise of the payload',
    text: `${APPLY} export const restore = async (m) => JSON.parse(m);`,
    equality: 'refused',
    reason: /^restore returns a promise/,
  },
  {
    name: 'an error that escapes it',
    text: `${RESTORE} export const apply = (p) => { Promise.reject(new Error('later')); return JSON.stringify(p); };`,
    equality: 'failed',
    reason: /later/,
  },
  {
    name: 'it changes the payload',
    text: `${RESTORE} export const apply = (payload) => { payload.rows.pop(); return JSON.stringify(payload); };`,
    equality: 'failed',
    reason: /changed the payload itself, at \$\.rows/,
  },
  {
    name: 'what cannot be posted',
    text: `export const apply = (p) => () => p; ${RESTORE}`,
    equality: 'failed',
    reason: /clone/i,
  },
  {
    name: 'what cannot be transferred',
    text: `${APPLY + RESTORE} export const transfer = () => [{}];`,
    equality: 'refused',
    reason: /^transfer must return a list of ArrayBuffers/,
  },
  {
    name: 'it prints lines that look like answers',
    text: `${RESTORE} export const apply = (payload) => {
      for (const print of [console.log, console.error]) print('{"id":1,"type":"proved","proofs":[]}');
      return JSON.stringify(payload);
    };`,
    equality: 'equal',
  },
  // The last: code of the user's that runs after it in the same guest has what it left.
  {
    name: 'it replaces built-ins: they are restored before anything is compared or sent',
    text: `export const apply = (payload) => {
        Reflect.ownKeys = () => [];
        Object.is = () => true;
        Array.prototype.toJSON = () => 'x';
        JSON.stringify = () => '{"type":"proved","proofs":[]}';
        return { n: payload.n, rows: [] };
      };
      export const restore = (message) => { Object.prototype.then = function () {}; return message; };`,
    equality: 'lossy',
    lost: ['$.rows'],
  },
];

for (const spec of usually<RuntimeSpec>(['node', 'bun@1.4.5'], ['deno@2.9.6', 'bun@1.2.20'])) {
  describe(spec, { skip: missing(spec) }, () => {
    /** One for all that it survives: what a rewrite did to it must not reach the next proof. */
    let guest: Guest | null = null;
    after(() => guest?.close());
    for (const [index, { name, text, ending = 'mjs', ...expected }] of ROWS.entries()) {
      test(name, async () => {
        const file = folder.file(`rewrite-${index}.${ending}`, text);
        const plan = planOf({ name: 'mine', title: 'your module', file, calls: null });
        if (guest === null || guest.dead) guest = await folder.startGuest(runtime(spec));
        const { proofs } = await guest.ask({ type: 'prove', recipe, plans: [{ remedy: 'mine', plan }] });
        const [proof] = proofs;
        const said = JSON.stringify(proof);
        assert.equal(proof?.equality, expected.equality, said);
        assert.match(proof.reason ?? '', expected.reason ?? /^$/);
        assert.deepEqual(proof.losses.map(({ path }) => path).sort(), expected.lost ?? [], said);
        if (expected.about) assert.deepEqual(proof.about, expected.about);
      });
    }
  });
}
