/**
 * docs/hosts.md against what is seen now, on each host that is here. Exit code 1 where they differ; --write writes it.
 * usage: npm run verify:hosts [-- --write]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { EXTENSION_CHANNELS } from '../../src/model/names.ts';
import { chromiumWithExtensions } from '../support/fetched.ts';
import { missing, runtime } from '../support/runtimes.ts';
import { HOSTS, hostSection, hostsDocument, seenOn } from './hosts/matrix.ts';

const FILE = fileURLToPath(new URL('../../docs/hosts.md', import.meta.url));
const { values: options } = parseArgs({ options: { write: { type: 'boolean', default: false } } });

const sections: string[] = [];
for (const [spec, channels] of HOSTS) {
  if (missing(spec) !== false) console.error(`${spec}: not here, left out`);
  else sections.push(hostSection(runtime(spec), await seenOn(runtime(spec), channels)));
}
const extended = await chromiumWithExtensions();
if (extended === null) console.error('chromium with extensions: not here, left out');
else sections.push(hostSection(extended, await seenOn(extended, ['worker', ...EXTENSION_CHANNELS])));
if (options.write) writeFileSync(FILE, hostsDocument(sections));
const written = readFileSync(FILE, 'utf8');
for (const section of sections) {
  const isSame = written.includes(section);
  console.log(
    `${section.split('\n', 1)[0]!.slice(3)}: ${isSame ? 'as in docs/hosts.md' : 'differs from docs/hosts.md'}`,
  );
  if (!isSame) process.exitCode = 1;
}
