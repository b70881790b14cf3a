/** What is told of posts with a transfer list, against real posts of the same payloads. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { GuestSlot } from '../../src/app/job/guest-slot.ts';
import { compareVersions } from '../../src/engines/versions/versions.ts';
import type { Report, Run } from '../../src/model/documents/report.ts';
import type { Channel } from '../../src/model/names.ts';
import type { FoundRuntime } from '../../src/model/run/runtime.ts';
import { BROWSERS } from '../../src/runtimes/browser/kinds.ts';
import { type Random, randomBelow, seeded, seedFor } from '../../src/stats/intervals/random.ts';
import { realCli } from '../support/real-cli.ts';
import { bundleScript } from '../support/run-script.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { pick } from './generate.ts';
import type { WrongLoss } from './losses.ts';
import { guestSlot, resultInGuest } from './losses-in-page.ts';
import type { ListedAnswer } from './posted-with-list.ts';

/** Its memory is a pool, which belongs to each such Buffer of the value. */
const POOLED = 'Buffer.from("abc")';
/** What may stand in a value and in its list: an expression, and the rules that may name it as refused. */
const ENTRIES: readonly (readonly [code: string, rules: readonly string[]])[] = [
  ['new ArrayBuffer(16)', []],
  ['new ArrayBuffer(8, { maxByteLength: 32 })', []],
  ['new Uint8Array(64)', []],
  ['new Uint8Array(new ArrayBuffer(64), 8, 8)', []],
  ['new DataView(new ArrayBuffer(8), 2)', []],
  ['Buffer.alloc(32)', []],
  ['new MessageChannel().port1', ['spec/listed-twice', 'spec/needs-transfer', 'spec/refused']],
  ['new ReadableStream()', ['spec/needs-transfer', 'spec/stream-refused', 'spec/refused']],
  ['new SharedArrayBuffer(8)', ['spec/listed-shared']],
  ['new Int32Array(new SharedArrayBuffer(8))', ['spec/listed-shared']],
  ['new WebAssembly.Memory({ initial: 1 }).buffer', ['spec/listed-fixed']],
  ['new Uint8Array(new WebAssembly.Memory({ initial: 1 }).buffer, 0, 8)', ['spec/listed-fixed']],
  [POOLED, ['spec/listed-fixed']],
  ['detached(new ArrayBuffer(8))', ['spec/listed-detached', 'spec/detached-buffer']],
  ['detachedView()', ['spec/listed-detached', 'spec/detached-buffer']],
  ['{ a: 1 }', ['spec/listed-other']],
  ['new Date(0)', ['spec/listed-other']],
  ['() => 1', ['spec/function', 'spec/listed-other']],
];
/** Pages have no Buffer. Deno before 2.9 detaches the pool that is listed, and can make no further Buffer. */
const WITHOUT_BUFFERS = ENTRIES.filter(([code]) => !/\bBuffer\./.test(code));
const hasBuffers = ({ name, version }: FoundRuntime) =>
  !(name in BROWSERS || (name === 'deno' && compareVersions(version, '2.9.0') < 0));

/** Places in a value, with the text around the entry that stands there and what reads it again. */
const PLACES: readonly (readonly [path: string, around: (code: string) => string, read: string])[] = [
  ['$.a', (code) => `a: ${code}`, 'value.a'],
  ['$.b[0]', (code) => `b: [${code}]`, 'value.b[0]'],
  ['$.c.d', (code) => `c: { d: ${code}, e: 1 }`, 'value.c.d'],
  ['$.m{value:0}', (code) => `m: new Map([["k", ${code}]])`, 'value.m.get("k")'],
];

export interface ListedValue {
  /** Of its entry at each place. */
  entries: { path: string; code: string; rules: readonly string[] }[];
  /** Paths of the entries that are listed, in order; '$' is one that is not in the value. */
  listed: string[];
  value: string;
  list: string;
}

/** Value number `index` of the sequence of `seed`. */
export function listedValueAt(seed: number, index: number, entries = ENTRIES): ListedValue {
  const random: Random = seeded(seedFor(seed, index));
  const isOdd = random() < 0.5;
  const places = PLACES.slice(0, 1 + randomBelow(PLACES.length, random));
  const chosen = places.map((place) => {
    const isAny = isOdd && random() < 0.4;
    const table = isAny ? entries : entries.filter(([, rules]) => rules.length === 0);
    return { place, entry: pick(table, random) };
  });
  const isItself = random() < 0.06;
  const named = chosen.filter(() => random() < 0.8);
  if (named.length > 0 && random() < 0.08) named.push(named[0]!);
  const reads = named.map(({ place: [, , read] }) => (isItself ? read : `memoryOf(${read})`));
  const isForeign = random() < 0.1;
  return {
    entries: chosen.map(({ place: [path], entry: [code, rules] }) => ({ path, code, rules })),
    listed: [...named.map(({ place: [path] }) => path), ...(isForeign ? ['$'] : [])],
    value: `({ ${chosen.map(({ place: [, around], entry: [code] }) => around(code)).join(', ')} })`,
    list: `[${[...reads, ...(isForeign ? ['new ArrayBuffer(8)'] : [])].join(', ')}]`,
  };
}

const HEAD = `
const detached = (buffer) => { structuredClone(0, { transfer: [buffer] }); return buffer; };
const detachedView = () => { const view = new Uint8Array(8); detached(view.buffer); return view; };
const memoryOf = (one) => (ArrayBuffer.isView(one) ? one.buffer : one);
`;
const moduleOf = (values: readonly ListedValue[]): string =>
  [
    HEAD,
    ...values.map(({ value }, at) => `export const v${at} = () => ${value};`),
    `const lists = { ${values.map(({ list }, at) => `v${at}: (value) => ${list}`).join(',\n')} };`,
    'export const transfer = (value, name) => lists[name](value);',
  ].join('\n');

/** "" when told and real agree. */
function complaintOf({ entries, listed }: ListedValue, told: Run, real: ListedAnswer): string {
  if (told.error !== undefined && told.error !== null) return `it failed: ${told.error.message}`;
  const isTold = told.verdict?.path === 'rejected';
  if (isTold !== (real.refused !== null)) return isTold ? 'false: rejected' : `untold: ${real.refused}`;
  if (!isTold) {
    const moved = told.bytes?.moved ?? 0;
    return moved === real.moved ? '' : `told as moved: ${moved}, moved: ${real.moved}`;
  }
  const rejected = told.findings.filter(({ level }) => level === 'rejected');
  /** The same for places that have one memory. */
  const memoryAt = (path: string) => {
    const code = entries.find((one) => one.path === path)?.code;
    return code === POOLED ? code : path;
  };
  const memories = listed.map(memoryAt);
  const wrong = rejected.filter(({ path, rule }) => {
    const entry = entries.find((one) => one.path === path);
    const memory = memoryAt(path);
    const isTwice = memories.indexOf(memory) !== memories.lastIndexOf(memory) && rule === 'spec/listed-twice';
    const isItself = rule === 'spec/listed-other' && listed.includes(path);
    return !(isTwice || isItself || entry?.rules.includes(rule));
  });
  const { culprit } = real;
  const isNamed = culprit === null || rejected.some(({ path }) => memoryAt(path) === memories[culprit]);
  return [
    ...wrong.map(({ rule, path }) => `false: ${rule} at ${path}`),
    ...(isNamed ? [] : [`untold: ${listed[culprit!]} is refused by itself: ${real.refused}`]),
  ].join('; ');
}

const BATCH = 250;

const fileBeside = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** A list that is refused by a receiver is waited for: see posted-with-list.ts. */
const DEADLINE_MS = 300_000;

/** Posts the values of a module in a guest. */
async function postedIn(slot: GuestSlot, file: string, channel: Channel): Promise<ListedAnswer[]> {
  const poster = file.replace('.mjs', '-posted.mjs');
  await writeFile(
    poster,
    `import * as lists from ${JSON.stringify(file)};
     import { postedWithLists } from './posted-with-list.mjs';
     export const answers = () => postedWithLists(lists, ${JSON.stringify(channel)});`,
  );
  return JSON.parse((await resultInGuest(slot, poster, 'answers'))!) as ListedAnswer[];
}

/** What the tool tells of each value of a module. */
async function toldOf(file: string, { binary }: FoundRuntime, channel: Channel): Promise<Map<string, Run>> {
  const args = ['analyze', file, '-r', binary, '-c', channel, '--no-measure', '-f', 'json'];
  const { payloads } = JSON.parse((await realCli(args)).stdout) as Report;
  return new Map(payloads.map(({ id, runs }) => [id.split('#').at(-1)!, runs[0]!]));
}

/** @param count values, from the first of the seed's sequence */
export async function compareLists(runtime: FoundRuntime, channel: Channel, seed: number, count: number) {
  const folder = tempFolder('transfer-lists');
  await bundleScript(fileBeside('./posted-with-list.ts'), join(folder, 'posted-with-list.mjs'));
  const slot = guestSlot(runtime, folder, DEADLINE_MS);
  const comparison = { refused: 0, moved: 0, wrong: [] as WrongLoss[] };
  const complaintAlone = async (value: ListedValue, real: ListedAnswer): Promise<string> => {
    const file = join(folder, 'alone.mjs');
    await writeFile(file, moduleOf([value]));
    return complaintOf(value, (await toldOf(file, runtime, channel)).get('v0')!, real);
  };
  for (let from = 0; from < count; from += BATCH) {
    const values = Array.from({ length: Math.min(BATCH, count - from) }, (_, i) =>
      listedValueAt(seed, from + i, hasBuffers(runtime) ? ENTRIES : WITHOUT_BUFFERS),
    );
    const file = join(folder, `lists${from}.mjs`);
    await writeFile(file, moduleOf(values));
    const real = await postedIn(slot, file, channel);
    const told = await toldOf(file, runtime, channel);
    for (const [i, value] of values.entries()) {
      const { refused, moved } = real[i]!;
      if (refused !== null) comparison.refused++;
      else if (moved > 0) comparison.moved++;
      if (complaintOf(value, told.get(`v${i}`)!, real[i]!) === '') continue;
      // Old versions of Bun crash now and then after some thousands of values.
      const why = await complaintAlone(value, real[i]!);
      const source = `${value.value} with ${value.list}`;
      if (why !== '') comparison.wrong.push({ index: from + i, source, why });
    }
  }
  await slot.close();
  return comparison;
}
