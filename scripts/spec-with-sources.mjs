// Reporter of node:test: what `spec` prints, with positions in the sources. Node itself would read the map of each bundle
// that it loads, in every process, which takes a twentieth of the time of all tests: here it is done for failures alone.
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';

const maps = new Map();

function mapOf(bundle) {
  if (!maps.has(bundle)) {
    try {
      maps.set(bundle, new SourceMap(JSON.parse(readFileSync(`${bundle}.map`, 'utf8'))));
    } catch {
      maps.set(bundle, null);
    }
  }
  return maps.get(bundle);
}

/** @returns null for what is no bundle */
function sourceAt(bundle, line, column) {
  const { originalSource, originalLine, originalColumn } =
    mapOf(bundle)?.findEntry(line - 1, column - 1) ?? {};
  if (originalSource === undefined) return null;
  const file = resolve(dirname(bundle), originalSource);
  return { file, line: originalLine + 1, column: originalColumn + 1 };
}

const FRAME = /(file:\/\/[^\s()]+\.mjs):(\d+):(\d+)/g;

const withSources = (text) =>
  text.replace(FRAME, (frame, url, line, column) => {
    const at = sourceAt(fileURLToPath(url), Number(line), Number(column));
    return at === null ? frame : `${at.file}:${at.line}:${at.column}`;
  });

function pointedToSources({ type, data }) {
  if (data?.file && data.line) Object.assign(data, sourceAt(data.file, data.line, data.column));
  if (typeof data?.message === 'string') data.message = withSources(data.message);
  for (let error = data?.details?.error; error instanceof Error; error = error.cause)
    if (error.stack) error.stack = withSources(error.stack);
  return { type, data };
}

export default async function* specWithSources(events) {
  async function* pointed() {
    for await (const event of events) yield pointedToSources(event);
  }
  yield* Readable.from(pointed()).pipe(new spec());
}
