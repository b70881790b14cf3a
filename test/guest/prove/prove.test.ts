import assert from 'node:assert/strict';
import { after, afterEach, test } from 'node:test';
import type { Plan } from '../../../src/model/remedy.ts';
import type { Proof } from '../../../src/model/wire.ts';
import { killAll } from '../../../src/runtimes/process/process-group.ts';
import { Workshop } from '../../runtimes/workshop.ts';
import { runtime } from '../../support/runtimes.ts';

const work = new Workshop();
after(() => work.remove());
afterEach(killAll);

const JSON_TEXT = { remedy: 'json-text', plan: { path: '$', paths: ['$'] } };
const TRANSFER = { remedy: 'transfer', plan: { path: '$.bytes', paths: ['$.bytes'] } };

let modules = 0;

async function proofOf(
  spec: string,
  text: string,
  { remedy, plan }: { remedy: string; plan: Plan },
): Promise<Proof> {
  const guest = await work.start(await runtime(spec));
  const recipe = work.module(`payload-${modules++}.mjs`, text);
  const { proofs } = await guest.ask({ type: 'prove', recipe, plans: [{ remedy, plan }] });
  await guest.close();
  assert.equal(proofs.length, 1);
  assert.deepEqual([proofs[0]?.remedy, proofs[0]?.plan], [remedy, plan]);
  return proofs[0] as Proof;
}

interface Row {
  name: string;
  payload: string;
  by?: typeof JSON_TEXT;
  equality: Proof['equality'];
  /** Paths of the losses, in any order. */
  lost?: string[];
  reason?: RegExp;
}

const ROWS: Row[] = [
  { name: 'rows as JSON text', payload: '() => [{ a: 1, b: "x" }, { a: 2, b: "y" }]', equality: 'equal' },
  {
    name: 'what JSON drops is lost, each with its path',
    payload: '() => ({ u: undefined, nan: NaN, zero: -0, date: new Date(3), list: [1, undefined], kept: 1 })',
    equality: 'lossy',
    lost: ['$.date', '$.list[1]', '$.nan', '$.u', '$.zero'],
  },
  {
    name: 'a shared object that becomes two is a loss',
    payload: '() => { const one = { a: 1 }; return { x: one, y: one }; }',
    equality: 'lossy',
    lost: ['$.y'],
  },
  {
    name: 'a class is no loss of the rewrite: plain cloning drops it too',
    payload: '(class Point { x = 1; static make = () => ({ at: new Point(), list: [new Point()] }) }).make',
    equality: 'equal',
  },
  {
    name: 'a symbol key and a non-enumerable one neither',
    payload: '() => Object.defineProperty({ a: 1, [Symbol.for("s")]: 2 }, "hidden", { value: 3 })',
    equality: 'equal',
  },
  {
    name: 'what cannot be cloned is compared with itself',
    payload: '() => ({ call() {}, a: 1 })',
    equality: 'lossy',
    lost: ['$.call'],
  },
  {
    name: 'a factory that is never the same twice is compared with its own clone',
    payload: '() => ({ at: Math.random(), id: crypto.randomUUID(), rows: [1, 2] })',
    equality: 'equal',
  },
  {
    name: 'and its losses are found all the same',
    payload: '() => ({ at: Math.random(), id: crypto.randomUUID(), date: new Date(), now: Date.now() })',
    equality: 'lossy',
    lost: ['$.date'],
  },
  {
    name: 'a cycle is refused, with the reason',
    payload: '() => { const a = {}; a.self = a; return a; }',
    equality: 'refused',
    reason: /circular|cyclic/i,
  },
  {
    name: 'a rewrite that changes the payload fails',
    payload:
      '(class Counter { n = 1; toJSON() { this.n += 1; return { n: 1 }; } static make = () => new Counter() }).make',
    equality: 'failed',
    reason: /changed the payload itself, at \$\.n/,
  },
  {
    name: 'transferred bytes arrive',
    payload: '() => ({ bytes: new Uint8Array(70000).fill(3), n: 1 })',
    by: TRANSFER,
    equality: 'equal',
  },
  {
    name: 'a constant export can be transferred too',
    payload: '({ bytes: new Uint8Array(70000).fill(3), n: 1 })',
    by: TRANSFER,
    equality: 'equal',
  },
  {
    name: 'a message that cannot be posted fails',
    payload: '() => ({ bytes: new Uint8Array(9), call() {} })',
    by: TRANSFER,
    equality: 'failed',
    reason: /DataCloneError/,
  },
  {
    name: 'an unknown remedy fails',
    payload: '() => 1',
    by: { remedy: 'toString', plan: { path: '$', paths: [] } },
    equality: 'failed',
    reason: /unknown remedy 'toString'/,
  },
];

function assertProof(proof: Proof, { equality, lost = [], reason }: Row): void {
  const said = JSON.stringify(proof);
  assert.equal(proof.equality, equality, said);
  assert.deepEqual([...new Set(proof.losses.map(({ path }) => path))].sort(), lost, said);
  if (reason) assert.match(proof.reason ?? '', reason);
  else assert.equal(proof.reason, null);
}

for (const row of ROWS) {
  test(`node: ${row.name}`, async () => {
    assertProof(await proofOf('node', `export const value = ${row.payload};`, row.by ?? JSON_TEXT), row);
  });
}

// What depends on the runtime: delivery, transfer, what a clone loses.
for (const spec of ['bun@1.4.5', 'bun@1.2.20', 'deno@2.9.6']) {
  test(`${spec}: the same proofs`, async () => {
    for (const row of ROWS) {
      assertProof(await proofOf(spec, `export const value = ${row.payload};`, row.by ?? JSON_TEXT), row);
    }
  });
}

test('one request proves many plans, each on a value of its own', async () => {
  const guest = await work.start(await runtime('node'));
  const recipe = work.module(
    'many.mjs',
    'export const value = { bytes: new Uint8Array(9000).fill(3), n: 1 };',
  );
  const plans = [TRANSFER, TRANSFER, JSON_TEXT, TRANSFER];
  const { proofs } = await guest.ask({ type: 'prove', recipe, plans });
  await guest.close();
  assert.deepEqual(
    proofs.map(({ equality }) => equality),
    ['equal', 'equal', 'lossy', 'equal'],
  );
});
