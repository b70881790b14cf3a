import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { satisfies } from 'semver';
import { messageBytes } from '../../../src/guest/sizes/message-bytes.ts';
import type { Flag } from '../../../src/model/vocabulary/shape.ts';
import { bytesModuleOf, moduleOf } from '../../../src/record/module/module-of.ts';
import { built } from '../../differential/built-value.ts';
import { programAt } from '../../differential/generate.ts';
import { sourceOf } from '../../differential/program.ts';
import { usually } from '../../support/whole.ts';
import * as kit from './made-again.ts';

const SEED = 20_261_122;
const fixtures = fileURLToPath(new URL('../../../fixtures/', import.meta.url));
/** Kept, the value has the same values too; masked, it has others of the same size. */
const OPTIONS = { kept: kit.KEPT, masked: kit.MASKED };

/** A sample has one at most. */
const OF_GIGABYTES = ['spec-buffer-too-large.js', 'spec-message-too-large.js'];

/** V8 may keep an integer as a double, which cannot be seen. */
const isNear = ({ was, is }: kit.MadeAgain['bytes']): boolean =>
  was === null || is === null ? was === is : Math.abs(is - was) <= was / 200;

function failures({ counts, bytes, classes }: kit.MadeAgain, isKept: boolean): string[] {
  return [
    ...(isKept ? counts : []),
    ...(isNear(bytes) ? [] : [`${bytes.was} bytes became ${bytes.is}`]),
    ...(classes.was === classes.is ? [] : [`${classes.was} became ${classes.is}`]),
  ];
}

for (const [name, options] of Object.entries(OPTIONS)) {
  const isKept = options === kit.KEPT;

  test(`${name}: JSON fixtures have the same counts, flags, bytes and class`, async () => {
    for (const file of readdirSync(fixtures).filter((one) => one.endsWith('.json'))) {
      const made = await kit.madeAgain(() => JSON.parse(readFileSync(`${fixtures}${file}`, 'utf8')), options);
      assert.deepEqual(failures(made, isKept), [], file);
      assert.deepEqual(isKept ? made.flags : [], [], file);
      assert.deepEqual(made.module.differences, [], file);
    }
  });

  test(`${name}: payloads of the rules are made again unchanged, or the difference is reported`, async () => {
    const files = readdirSync(`${fixtures}payloads`);
    const EACH = usually([16], [1]).at(-1)!;
    let compared = 0;
    for (const file of files.filter((_, i) => i % EACH === 0)) {
      if (OF_GIGABYTES.includes(file)) continue;
      const all = (await import(`${fixtures}payloads/${file}`)) as PayloadModule;
      // Some are made of what this Node does not have.
      if (all.runtimes && !satisfies(process.versions.node, all.runtimes.node ?? '<0.0.0')) continue;
      for (const part of ['fires', 'nearMiss'] as const) {
        const value = all[part];
        const made = await kit.madeAgain(typeof value === 'function' ? () => value() : () => value, options);
        if (made.module.differences.length > 0) continue;
        assert.deepEqual(failures(made, isKept), [], `${file}#${part}\n${made.module.text}`);
        compared++;
      }
    }
    assert.ok(compared > files.length / EACH / 2, `only ${compared} of ${files.length}`);
  });

  test(`${name}: generated values are made again unchanged, or the difference is reported (SEED=${SEED})`, async () => {
    const VALUES = usually([60], [800]).at(-1)!;
    const wrong: string[] = [];
    let told = 0;
    for (let i = 0; i < VALUES; i++) {
      const source = sourceOf(programAt(SEED, i));
      const made = await kit.madeAgain(() => built(source), options);
      if (made.module.differences.length > 0) told++;
      else {
        const found = failures(made, isKept);
        if (found.length > 0)
          wrong.push(`value ${i}: ${source.slice(0, 200)}\n  ${found.slice(0, 3).join('\n  ')}`);
      }
    }
    // A tree does not say all of how an engine came to store a value.
    assert.ok(wrong.length < VALUES / 15, wrong.join('\n'));
    assert.ok(told < VALUES / 3, `${told} with differences`);
  });
}

interface PayloadModule {
  runtimes?: { node?: string };
  fires: unknown;
  nearMiss: unknown;
}

test('representation: ropes, holes, hash tables', async () => {
  const kinds: [Flag, () => unknown][] = [
    ['rope', () => ({ text: [...'ab'].map((unit) => unit.repeat(100)).reduce((all, one) => all + one) })],
    ['holey-kind', () => new Array(20).fill(0.5)],
    ['holey-kind', () => new Array(5000).fill(null).map((_, i) => ({ i }))],
    ['holey-kind', () => ({ twice: [0, 1].fill(new Array(5000).fill(0.5) as never) })],
    ['dictionary', () => Object.assign(Object.create(null), { a: 1 })],
    ['dictionary-elements', () => Object.assign([], { 1000000: 1 })],
    ['ascii-in-two-byte', () => Buffer.from('text '.repeat(9), 'utf16le').toString('utf16le')],
  ];
  let seen = 0;
  for (const [flag, build] of kinds) {
    const has = (value: unknown) => kit.shapeOf(value).patterns.some(({ flags }) => flags.includes(flag));
    // What this Node cannot tell is not in the tree.
    if (!has(build())) continue;
    seen++;
    for (const options of [kit.KEPT, kit.MASKED]) {
      const make = await kit.factoryOf(moduleOf(kit.treeOf(build(), options), 'masked'));
      assert.ok(has(make()), flag);
    }
  }
  assert.ok(seen >= 3);
});

const record = (i: number) => ({
  ...{ id: i, name: `name ${i}`, note: 'x'.repeat(20 + ((i * 7) % 80)), list: [i, i / 3] },
});
const list = <T>(length: number, of: (i: number) => T): T[] => Array.from({ length }, (_, i) => of(i));

test('members of a Set and keys of a Map that are masked stay as many', async () => {
  const of = [...list(1200, (i) => i - 200), ...list(40, (i) => `name ${i}`)];
  for (const build of [() => new Set(of), () => new Map(of.map((i) => [i, 1]))]) {
    const make = await kit.factoryOf(moduleOf(kit.treeOf(build(), kit.MASKED), 'masked'));
    const made = make() as ReturnType<typeof build>;
    assert.equal(made.size, of.length);
    assert.notDeepEqual([...made.keys()], of);
    assert.equal(kit.wireBytes(made), kit.wireBytes(build()));
  }
});

/** Larger than what is visited of them. */
const LARGE: Record<string, () => unknown> = {
  rows: () => list(20_000, record),
  'rows within a message': () => ({ type: 'all', data: list(5000, record) }),
  'a dictionary': () => Object.fromEntries(list(5000, (i) => [`user:${i}`, record(i)])),
  'keys of any length': () =>
    Object.fromEntries(list(3000, (i) => ['k'.repeat(1 + ((i * 13) % 90)) + i, i % 50])),
  'integer keys': () => Object.fromEntries(list(3000, (i) => [i, record(i)])),
  'a Map': () => new Map(list(5000, (i) => [`user ${i}`, record(i)])),
  'a Set': () => new Set(list(5000, (i) => `member ${i}`)),
  doubles: () => list(50_000, (i) => i / 3),
  integers: () => list(50_000, (i) => i * 977),
  'lists in lists': () => list(300, (i) => list(300, (k) => `cell ${i} ${k}`)),
  'rows that share objects': () => {
    const shared = list(10, (i) => ({ i, rules: list(300, (k) => `rule ${k}`) }));
    return list(2000, (id) => ({ id, of: shared[id % 10] }));
  },
};

for (const [name, build] of Object.entries(LARGE))
  test(`some items of a large message stand for all: ${name}`, async () => {
    const value = build();
    const tree = kit.treeOf(value, { ...kit.MASKED, nodes: 2000 });
    const { text } = moduleOf(tree, 'masked');
    assert.ok(text.length < 200_000, `${text.length}`);
    const make = await kit.factoryOf({ text, differences: [] });
    const [one, other] = [make(), make()];
    // Before they are compared: reading arrays may change how they are stored.
    const bytes = kit.wireBytes(value)!;
    const made = kit.wireBytes(one)! / bytes;
    assert.notEqual(one, other);
    assert.deepEqual(one, other);
    assert.ok(made > 0.85 && made < 1.15, `${made}`);
    const request = { ...bytesModuleOf(tree), channel: 'ipc-advanced', listsViews: false } as const;
    const sized = (await messageBytes(request))!;
    const ratio = Math.abs(sized.bytes / bytes - 1);
    assert.ok(ratio <= sized.error + 0.01 && sized.error < 0.35, JSON.stringify({ bytes, sized }));
  });

/** Their numbers and keys are of other lengths than usual. */
const AS_TEXT: Readonly<Record<string, unknown>> = {
  'short fractions': list(500, (i) => ({ at: (i % 9) + 0.25, to: (i % 7) + 0.5 })),
  'long fractions': list(500, (i) => [Math.sqrt(i + 0.5), 'text']),
  digits: list(300, (i) => ({ one: i % 10, flag: i % 2 === 0, none: null })),
  'long integers': list(300, (i) => ({ id: 1_000_000 + i * 17, price: 10.5 + (i % 80) })),
  'map-like': Object.fromEntries(list(300, (i) => [`user-${1000 + i}`, { n: i, ok: true }])),
  'dates and texts': list(100, (i) => ({ at: new Date(i * 1e9), name: `näme €${i} "quoted"\n`, more: [] })),
  views: {
    bytes: Uint8Array.from(list(500, (i) => (i * 37) % 256)),
    floats: new Float64Array(50).fill(1.25),
  },
};

for (const [name, was] of Object.entries(AS_TEXT))
  test(`JSON text of the value made again is about as long as the text of the message: ${name}`, async () => {
    const bytes = Buffer.byteLength(JSON.stringify(was));
    const make = await kit.factoryOf(moduleOf(kit.treeOf(was, { ...kit.MASKED, isText: true }), 'masked'));
    const ratio = Buffer.byteLength(JSON.stringify(make())) / bytes;
    assert.ok(Math.abs(ratio - 1) < 0.03, `${ratio}`);
  });

test('an array with a read-only length has one again', () => {
  const was = Object.defineProperty([1, 2, 3], 'length', { writable: false });
  const { text, differences } = moduleOf(kit.treeOf(was, kit.KEPT), 'kept');
  assert.match(text, /"length", \{ writable: false \}/);
  assert.deepEqual(differences, []);
});

test('large buffers keep their sizes, and are not made for their bytes', async () => {
  const pixels = new Uint8Array(40_000_000).subarray(1000, 31_000);
  const tree = kit.treeOf({ pixels }, kit.MASKED);
  for (const [channel, bytes] of [['worker', 40_000_000] as const, ['ipc-advanced', 30_000] as const]) {
    const sized = await messageBytes({ ...bytesModuleOf(tree), channel, listsViews: false });
    assert.ok(Math.abs(sized!.bytes - bytes) < 100, JSON.stringify(sized));
  }
  const made = (await kit.factoryOf(moduleOf(tree, 'masked')))() as { pixels: Uint8Array };
  const { length, byteOffset, buffer } = made.pixels;
  assert.deepEqual([length, byteOffset, buffer.byteLength], [30_000, 1000, 40_000_000]);
});
