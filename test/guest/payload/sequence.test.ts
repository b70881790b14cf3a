import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildSequence, nextIn } from '../../../src/guest/payload/materialize.ts';
import { open } from '../../../src/guest/payload/module.ts';
import { prove } from '../../../src/guest/prove/prove-rewrites.ts';
import type { Recipe } from '../../../src/model/report/recipe.ts';
import { PayloadFolder } from '../../support/payload-folder.ts';
import '../../support/guest-platform.ts';

const folder = new PayloadFolder();

const state = (step: number) => ({
  session: { lastSeen: step },
  items: Array.from({ length: 60 }, (_, at) => ({ id: at, name: `item number ${at}`, done: at % 3 === 0 })),
});

/** The payload of a file of lines. */
async function opened(name: string, lines: readonly unknown[]): Promise<Recipe> {
  const file = join(folder.path, name);
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const build = { form: 'ndjson', file, line: 0, offset: 0, length: 0 } as const;
  const recipe = { id: name, source: { file, export: null }, build };
  const { payloads } = await open({ type: 'open', recipe, exports: null });
  assert.equal(payloads.length, 1);
  return payloads[0]!;
}

const proofOf = (recipe: Recipe) => prove({ type: 'prove', recipe, remedy: 'patch', plan: { path: '$' } });

test('lines form a sequence up to the line that represents them, and a patch is proven on all of it', async () => {
  const recipe = await opened('states.ndjson', [1, 2, 3, 4, 5].map(state));
  const sequence = (await buildSequence(recipe)) as ReturnType<typeof state>[];
  assert.deepEqual(sequence, [state(1), state(2), state(3)]);
  assert.equal(new Set(sequence.map(({ items }) => items)).size, 1);
  assert.deepEqual(await proofOf(recipe), {
    ...{ type: 'proved', equality: 'equal', losses: [], reason: null },
  });
});

test('lines that are not states are refused; short lines and a single line do not form a sequence', async () => {
  const others = [1, 2, 3].map((n) => ({ text: String(n).repeat(1500), n }));
  const proof = await proofOf(await opened('others.ndjson', others));
  assert.equal(proof.equality, 'refused');
  assert.match(proof.reason ?? '', /sent whole/);
  const short = await opened('short.ndjson', [{ a: 1 }, { a: 2 }]);
  const alone = await opened('alone.ndjson', [state(1)]);
  assert.deepEqual([short.sequence, alone.sequence], [undefined, undefined]);
});

test('states made from a recorded payload keep the parts that stayed equal', async () => {
  const recipe = folder.value(`() => (${JSON.stringify(state(0))})`);
  const sequence = { equal: 0.97, paths: ['$.session.lastSeen', '$.items[*].name', '$.missing[*]'] };
  const made = (await buildSequence({ ...recipe, sequence })) as ReturnType<typeof state>[];
  assert.deepEqual(made[0], state(0));
  const changed = made
    .slice(1)
    .map((one, at) => one.items.filter(({ name }, i) => name !== made[at]!.items[i]!.name));
  assert.ok(
    changed.every(({ length }) => length > 0 && length < 10),
    changed.map(({ length }) => length).join(),
  );
  assert.equal(new Set(changed.map(([first]) => first?.id)).size, changed.length);
  const odd =
    'export const value = () => ({ at: new Date(1), map: new Map([["a", { b: 1 }]]), hole: [, 1], none: undefined, n: -0 })';
  const states = await buildSequence({
    ...folder.module('odd.mjs', odd),
    sequence: { equal: 0.9, paths: ['$.n'] },
  });
  assert.ok(states.every((one) => Object.keys(one as object).join() === 'at,map,hole,none,n'));
  assert.equal((await proofOf({ ...recipe, sequence })).equality, 'equal');
});

test('states are made of values whose objects stand at many places, or in themselves', async () => {
  const sequence = { equal: 0.9, paths: ['$.n', '$.of'] };
  const nested = folder.value(
    '() => { let of = { n: 1 }; for (let i = 0; i < 60; i++) of = { a: of, b: of }; return { of, n: 1 }; }',
  );
  const states = (await buildSequence({ ...nested, sequence })) as {
    n: number;
    of: { a: object; b: object };
  }[];
  assert.deepEqual([states.length, states[0]!.n, states.at(-1)!.n > 1], [8, 1, true]);
  assert.ok(states.every(({ of }) => of.a === of.b));
  const cyclic = folder.value(
    '() => { const of = { n: 1, list: [] }; of.list.push(of); return { of, n: 1 }; }',
  );
  const cycles = (await buildSequence({ ...cyclic, sequence })) as { of: { list: object[] } }[];
  assert.ok(cycles.every(({ of }) => of.list[0] === of));
});

test('a sequence is posted there and back', () => {
  const order = (length: number, count: number): number[] => {
    const found: number[] = [];
    for (let step = { index: 0, at: 0 }; found.length < count; found.push(step.index))
      step = nextIn(length, step.at);
    return found;
  };
  assert.deepEqual(order(4, 8), [0, 1, 2, 3, 2, 1, 0, 1]);
  assert.deepEqual(order(2, 4), [0, 1, 0, 1]);
  assert.deepEqual(order(1, 3), [0, 0, 0]);
});
