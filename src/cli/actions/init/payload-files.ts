import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Where sample payloads usually are. */
const SAMPLES = ['payloads', 'samples', 'fixtures', '__fixtures__'];
const FOLDERS = [
  '.',
  ...['.', 'test', 'tests', 'src'].flatMap((parent) => SAMPLES.map((name) => join(parent, name))),
];

const DATA = /\.(json|ndjson|jsonl)$/i;
const MODULE = /\.[mc]?[jt]s$/i;
/** Beside other files, only what calls itself a payload. */
const NAMED_MODULE = /\bpayloads?\.[mc]?[jt]s$/i;

/** Files of tools, tests and declarations are not payloads. */
const OTHER_DATA =
  /^((package(-lock)?|npm-shrinkwrap|composer|biome|deno|bun|turbo|nx|lerna|renovate|vercel|[jt]sconfig.*|clone-prof.*|.*\.config|.*\.schema)\.json)$/i;
const OTHER_MODULE = /^(index|setup|generate)\b|\.(d|test|spec|config|setup)\.[mc]?[jt]s$/i;

/** Files that look like sample payloads, by their names and folders; nothing is read or run. Sorted in each folder. */
export function payloadFilesIn(cwd: string): string[] {
  return FOLDERS.flatMap((folder) => {
    const isPayload = (name: string) =>
      DATA.test(name)
        ? !OTHER_DATA.test(name)
        : (folder === '.' ? NAMED_MODULE : MODULE).test(name) && !OTHER_MODULE.test(name);
    return namesIn(join(cwd, folder))
      .filter((name) => !/^[._]/.test(name) && isPayload(name))
      .map((name) => join(folder, name).replaceAll('\\', '/'));
  });
}

/** Names of its files, sorted; none where it cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isFile() ? entry.name : [])).sort();
  } catch {
    return [];
  }
}
