/** Payloads that no rule, remedy or test was written for: data of npm packages, 20 kB to 2 MB as JSON. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

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

const PAYLOADS: Record<string, () => unknown | Promise<unknown>> = {
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

/** Writes each payload as a JSON file of `folder`: name of the payload -> file. */
export async function writeRealData(folder: string): Promise<Record<string, string>> {
  mkdirSync(folder, { recursive: true });
  const files: Record<string, string> = {};
  for (const [name, value] of Object.entries(PAYLOADS)) {
    files[name] = join(folder, `${name}.json`);
    writeFileSync(files[name], JSON.stringify(await value()));
  }
  return files;
}
