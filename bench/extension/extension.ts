/**
 * Is a clone slower than JSON between a page of an extension and its service worker? Two plain extensions in one browser, which
 * share no code with the tool but the codecs that it writes: one message of each kind in turns, until an empty answer is there.
 *
 * `EXTENSION_BROWSERS=3` (fresh ones), `EXTENSION_ROUNDS=15` in each.
 */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXTENSION_CHANNELS, type ExtensionChannel } from '../../src/model/names.ts';
import type { FoundRuntime } from '../../src/model/run/runtime.ts';
import { chromiumWithExtensions, installedBrowser } from '../../test/support/fetched.ts';
import { medianOf } from '../interleave.ts';
import { codecFile } from '../peers/codec-file.ts';
import type { Row } from '../table.ts';
import { type Trip, withExtensions } from './browser.ts';
import { rows1000, rows5000 } from './files/payloads.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const BROWSERS = Number(process.env.EXTENSION_BROWSERS ?? 3);
const ROUNDS = Number(process.env.EXTENSION_ROUNDS ?? 15);
/** Not counted. */
const WARM_UP = 3;

const TITLES = {
  empty: 'an empty text',
  bytes: '256 KiB in a Uint8Array',
  rows1000: '1,000 rows of 5 keys',
  rows5000: '5,000 rows',
  text: 'text of 3 MB in an object',
} as const;
type Payload = keyof typeof TITLES;

/** Beside the payload itself, which is posted by a port and by sendMessage. */
const WAYS: Readonly<Record<Payload, readonly string[]>> = {
  empty: [],
  bytes: ['base64'],
  rows1000: ['JSON text', 'codec'],
  rows5000: ['JSON text', 'codec'],
  text: ['JSON text'],
};

interface Variant {
  payload: Payload;
  channel: ExtensionChannel;
  way: string;
  by: 'port' | 'sendMessage';
}

const keyOf = ({ payload, channel, way, by }: Variant): string => [payload, channel, way, by].join();
const isAsJson = (channel: ExtensionChannel) => channel === 'extension';

/** The first is what the others of its payload are compared with. Typed arrays are lost as JSON. */
const VARIANTS: readonly Variant[] = (Object.keys(TITLES) as Payload[]).flatMap((payload) =>
  EXTENSION_CHANNELS.flatMap((channel): Variant[] => [
    { payload, channel, way: 'raw', by: 'port' },
    ...WAYS[payload]
      .filter((way) => way !== 'codec' || !isAsJson(channel))
      .map((way): Variant => ({ payload, channel, way, by: 'port' })),
    { payload, channel, way: 'raw', by: 'sendMessage' },
  ]),
);

/** ms by variant: all of one browser. */
type Samples = Record<string, number[]>;

async function samplesIn(pages: Record<ExtensionChannel, Trip>): Promise<Samples> {
  const samples: Samples = Object.fromEntries(VARIANTS.map((variant) => [keyOf(variant), []]));
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    for (const variant of round % 2 === 0 ? VARIANTS : [...VARIANTS].reverse()) {
      const { payload, way, by } = variant;
      const ms = await pages[variant.channel](payload, way, by);
      if (typeof ms === 'string') throw new Error(`${keyOf(variant)}: ${ms}`);
      if (round >= 0) samples[keyOf(variant)]!.push(ms);
    }
  }
  return samples;
}

/** The codecs of rows, beside the files that post them. */
async function writeFiles(folder: string): Promise<void> {
  cpSync(join(import.meta.dirname, 'files'), folder, { recursive: true });
  for (const [name, rows] of Object.entries({ rows1000, rows5000 })) {
    const json = join(folder, `${name}.json`);
    writeFileSync(json, JSON.stringify(rows()));
    const { file, why } = await codecFile(root, folder, json, 'chromium');
    if (file === null) throw new Error(`no codec of ${name}: ${why}`);
    cpSync(file, join(folder, `${name}.codec.mjs`));
  }
}

const ms = (value: number) => `${value < 100 ? value.toPrecision(2) : value.toFixed(0)} ms`;

function rowOf(variant: Variant, browsers: readonly Samples[]): Row {
  const base = VARIANTS.find(({ payload }) => payload === variant.payload)!;
  const of = (one: Variant) => browsers.map((samples) => medianOf(samples[keyOf(one)]!));
  const [own, others] = [of(variant), of(base)];
  const ratios = own.map((median, at) => median / others[at]!);
  const { channel, way, by, payload } = variant;
  const how = [way === 'raw' ? '' : `${way}, `, isAsJson(channel) ? 'as JSON' : 'cloned'].join('');
  const span = [Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2)).join(' to ');
  return {
    ...{
      what: `${TITLES[payload]}: ${how}, by ${by} / as JSON, by port`,
      unit: 'x',
      budget: null,
      held: null,
    },
    value: medianOf(ratios),
    note: `${ms(medianOf(own))} / ${ms(medianOf(others))}; browsers ${span}`,
    raw: browsers.map((samples) => samples[keyOf(variant)]),
  };
}

/** A function is left out of JSON; a clone of it throws. */
async function functionRows(pages: Record<ExtensionChannel, Trip>): Promise<Row[]> {
  const rows: Row[] = [];
  for (const channel of EXTENSION_CHANNELS) {
    const seen = await pages[channel]('functions', 'raw', 'port');
    const threw = typeof seen === 'string' ? 1 : 0;
    const what = `an object with a function, ${isAsJson(channel) ? 'as JSON' : 'cloned'}: posts of 1 that throw`;
    const note = threw ? String(seen) : '';
    rows.push({
      what,
      value: threw,
      unit: '',
      budget: null,
      held: threw === (isAsJson(channel) ? 0 : 1),
      note,
    });
  }
  return rows;
}

async function measured(chromium: FoundRuntime, folder: string): Promise<Row[]> {
  const browsers: Samples[] = [];
  let rows: Row[] = [];
  for (let at = 0; at < BROWSERS; at++)
    await withExtensions(chromium, folder, async (pages) => {
      browsers.push(await samplesIn(pages));
      rows = await functionRows(pages);
    });
  return [...VARIANTS.map((variant) => rowOf(variant, browsers)), ...rows];
}

export async function extension(): Promise<Row[]> {
  const chromium = (await chromiumWithExtensions()) ?? (await installedBrowser('chromium'));
  if (chromium === null) {
    console.error('chromium: not here, so left out');
    return [];
  }
  const folder = mkdtempSync(join(tmpdir(), 'clone-prof-bench-extension-'));
  try {
    await writeFiles(folder);
    return await measured(chromium, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
