/** Payloads of other sizes and kinds than those that the tool was improved with: data of npm packages, 4 kB to 4 MB. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { parse } from 'acorn';
import { marked } from 'marked';

const load = createRequire(import.meta.url);

const installed = (file: string): URL => new URL(`../../node_modules/${file}`, import.meta.url);
const textOf = (file: string): string => readFileSync(installed(file), 'utf8');

interface Topojson {
  feature(topology: unknown, object: unknown): unknown;
}

function countries(): unknown {
  const topology = load('world-atlas/countries-50m.json') as { objects: { countries: unknown } };
  return (load('topojson-client') as Topojson).feature(topology, topology.objects.countries);
}

interface MomentTimezone {
  tz: { unpack(packed: string): unknown };
}

/** Of each time zone, its changes as lists of moments, offsets and abbreviations. */
function zoneChanges(): unknown {
  const { tz } = load('moment-timezone') as MomentTimezone;
  const { zones } = load('moment-timezone/data/packed/latest.json') as { zones: string[] };
  return zones.map((packed) => tz.unpack(packed));
}

/** So many words of a dictionary; all 134,000 take a quarter of a second. */
const WORDS = 20_000;

async function pronunciations(): Promise<unknown> {
  const { dictionary } = await contentOf('cmu-pronouncing-dictionary/index.js');
  return Object.fromEntries(Object.entries(dictionary as Record<string, string>).slice(0, WORDS));
}

/** As a registry tells them: of the packages that this project is developed with. */
function manifests(): unknown {
  const own = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const names = Object.keys(own.devDependencies as Record<string, string>);
  return names.map((name) => JSON.parse(textOf(`${name}/package.json`)) as unknown);
}

const example = (file: string): unknown => JSON.parse(textOf(`@readme/oas-examples/${file}`));

const contentOf = async (file: string): Promise<Record<string, unknown>> =>
  import(fileURLToPath(installed(file)));

export const HELD_OUT: Record<string, () => unknown | Promise<unknown>> = {
  'openapi-petstore': () => example('2.0/json/petstore-expanded.json'),
  'openapi-star-trek': () => example('3.0/json/star-trek.json'),
  'syntax-tree': () => parse(textOf('topojson-client/dist/topojson-client.js'), { ecmaVersion: 2022 }),
  'markdown-tokens': () => marked.lexer(textOf('cbor-x/README.md')),
  'emoji-groups': () => load('unicode-emoji-json/data-by-group.json'),
  'country-borders': countries,
  'zone-changes': zoneChanges,
  pronunciations,
  languages: async () => (await contentOf('iso-639-3/index.js')).iso6393,
  currencies: () => load('currency-codes/data.js'),
  elements: () => (load('chemical-elements') as { elementsAndIsotopes: unknown }).elementsAndIsotopes,
  'package-manifests': manifests,
};
