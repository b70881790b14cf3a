// Prints the CHANGELOG section of a version as an output of a GitHub step: `node scripts/release-notes.mjs 0.1.0`.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { releaseNotes } from './changelog.mjs';

const read = (name) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
const version = process.argv[2] ?? '';
const files = JSON.parse(read('package.json')).homepage.replace(/#.*/, `/blob/v${version}/`);
const end = randomUUID();
process.stdout.write(`notes<<${end}\n${releaseNotes(read('CHANGELOG.md'), version, files)}\n${end}\n`);
