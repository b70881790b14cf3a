/**
 * Payloads that no rule, remedy or test was written for: data of npm packages. The known ones, 20 kB to 2 MB as JSON, were
 * there while advice was improved; the held-out ones and those of parsers tell whether that helps others.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { HELD_OUT } from './held-out.ts';
import { PARSER_DATA } from './parser-data.ts';

const load = createRequire(import.meta.url);

interface CaniuseLite {
  agents: unknown;
  features: Record<string, unknown>;
  feature(packed: unknown): unknown;
}

/** The first features of Can I use, unpacked: the format of the package is not what a program posts. */
function features(count: number): unknown {
  const { features: packed, feature } = load('caniuse-lite') as CaniuseLite;
  return Object.fromEntries(
    Object.entries(packed)
      .slice(0, count)
      .map(([name, data]) => [name, feature(data)]),
  );
}

const compatData = (part: string): unknown =>
  (load('@mdn/browser-compat-data') as Record<string, unknown>)[part];

const KNOWN: Record<string, () => unknown | Promise<unknown>> = {
  'atlas-counties': () => load('us-atlas/counties-10m.json'),
  'atlas-states': () => load('us-atlas/states-albers-10m.json'),
  'cldr-subtags': () => load('cldr-core/supplemental/likelySubtags.json'),
  'cldr-zones': () => load('cldr-core/supplemental/metaZones.json'),
  'cldr-territories': () => load('cldr-core/supplemental/territoryInfo.json'),
  'cldr-currencies': () => load('cldr-core/supplemental/currencyData.json'),
  'mdn-browsers': () => compatData('browsers'),
  'mdn-javascript': () => compatData('javascript'),
  'caniuse-agents': () => (load('caniuse-lite') as CaniuseLite).agents,
  'caniuse-features': () => features(60),
  'mime-types': () => load('mime-db'),
  'iso-subdivisions': async () => (await import('iso-3166')).iso31662,
};

export const GROUPS = { known: KNOWN, 'held-out': HELD_OUT, parsers: PARSER_DATA } as const;
export type Group = keyof typeof GROUPS;

/** Those of an environment variable, such as `known`; all where it is not set. */
export function groupsOf(wanted: string | undefined): Group[] {
  const all = Object.keys(GROUPS) as Group[];
  const chosen = wanted ? all.filter((group) => wanted.split(',').includes(group)) : all;
  if (chosen.length === 0) throw new Error(`unknown group: ${wanted}. Known: ${all.join(', ')}`);
  return chosen;
}

/** Writes each payload of a group as a JSON file of `folder`: name of the payload -> file. */
export async function writeRealData(folder: string, group: Group = 'known'): Promise<Record<string, string>> {
  mkdirSync(folder, { recursive: true });
  const files: Record<string, string> = {};
  for (const [name, value] of Object.entries(GROUPS[group])) {
    files[name] = join(folder, `${name}.json`);
    writeFileSync(files[name], JSON.stringify(await value()));
  }
  return files;
}
