/** Turns the words of `--try` into modules for guests. It reads paths and does not run the user's code. */

import { existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectFolders } from '../../machine/folders.ts';
import type { Waiting } from '../../machine/given-file.ts';
import { cutName } from '../../model/cut.ts';
import { ToolError } from '../../model/errors.ts';
import { SERIALIZER_NAMES, type SerializerName } from '../../model/names.ts';
import type { TriedCalls, TriedRewrite } from '../../model/rules/remedy.ts';
import { bundleModule } from './bundle.ts';
import { fileKindOf, filesOf, type InputFile, nameFor, type SourceOptions } from './load.ts';

type TryOptions = Waiting & Pick<SourceOptions, 'cwd' | 'workdir'>;

/**
 * Rewrites in the order of the words, without duplicates. A glob stands for all its matches.
 * @throws ToolError 'serializer-unknown' | 'serializer-missing' | 'try-unfit' | 'file-missing' | ...
 */
export async function loadTries(words: readonly string[], options: TryOptions): Promise<TriedRewrite[]> {
  const tries = new Map<string, TriedRewrite>();
  for (const word of new Set(words)) {
    const known = SERIALIZER_NAMES.find((name) => name === word);
    const found = known ? [serializerAt(known, options)] : await modulesAt(word, options);
    for (const one of found) if (!tries.has(one.name)) tries.set(one.name, one);
  }
  return [...tries.values()];
}

/** A word that cannot be a path: it has neither a separator nor an extension. */
const BARE_WORD = /^@?[\w-]+(\/[\w-]+)?$/;

async function modulesAt(word: string, options: TryOptions): Promise<TriedRewrite[]> {
  const files = await filesOf(word, options.cwd, options.signal);
  if (files.some(({ error }) => error?.code === 'file-missing') && BARE_WORD.test(word)) {
    throw new ToolError('serializer-unknown', { value: word, names: SERIALIZER_NAMES });
  }
  return Promise.all(files.map((file) => moduleAt(file, options)));
}

async function moduleAt(found: InputFile, options: TryOptions): Promise<TriedRewrite> {
  const { path, shown } = found;
  if (found.error) throw found.error;
  if (found.pipe) throw new ToolError('file-unreadable', { file: shown, detail: 'not a regular file' });
  const kind = fileKindOf(path, null);
  if (kind !== 'module' && kind !== 'script') {
    throw new ToolError('try-unfit', { file: shown, detail: 'is not a module' });
  }
  const rewrite = { name: cutName(shown), title: 'your module', calls: null };
  if (kind === 'module') return { ...rewrite, file: path };
  const file = await bundleModule(path, join(folderIn(options), nameFor(path)), options.cwd, options);
  return { ...rewrite, file, source: path };
}

function folderIn({ workdir }: TryOptions): string {
  const folder = join(workdir, 'tries');
  mkdirSync(folder, { recursive: true });
  return folder;
}

/**
 * Writes a module around a serializer. It lies outside the project, next to a link to the package, so that each runtime
 * chooses the package's file by its conditions ("bun", "node"), as it would for the user's import.
 */
function serializerAt(name: SerializerName, options: TryOptions): TriedRewrite {
  const { title, calls } = SERIALIZERS[name];
  const { from } = calls.imports;
  const folder = folderIn(options);
  if (!from.startsWith('node:')) {
    const link = join(folder, 'node_modules', from);
    mkdirSync(dirname(link), { recursive: true });
    // Windows lets every user make a junction.
    if (!existsSync(link)) symlinkSync(packageFolder(from, options), link, 'junction');
  }
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, moduleText(calls));
  return { name, title, file, calls };
}

function packageFolder(name: string, { cwd }: TryOptions): string {
  const folders = projectFolders(cwd);
  const all = folders.map((folder) => join(folder, 'node_modules', name));
  const found = all.find((folder) => existsSync(join(folder, 'package.json')));
  if (found === undefined)
    throw new ToolError('serializer-missing', { value: name, folder: folders[0] ?? '' });
  return realpathSync(found);
}

const moduleText = ({ imports, message, payload, transferList }: TriedCalls): string =>
  [
    `import ${imports.sender} from '${imports.from}';`,
    `import ${imports.receiver} from '${imports.from}';`,
    `export const apply = (payload) => ${message};`,
    `export const restore = (message) => ${payload};`,
    ...(transferList === null ? [] : [`export const transfer = (message) => ${transferList};`]),
    '',
  ].join('\n');

/**
 * Serializers that `--try` knows by name. The timed code and the printed code are made of the same texts.
 * Bytes are copied into a separate array, which is transferred. msgpackr and cbor-x return a view of a large buffer
 * that they keep: posting the view copies all of that buffer, and transferring it takes the buffer away from them
 * (github.com/anomalyco/opencode/pull/49696: 191 MB copied for 55 bytes). Measured with 21 kB of orders on Node 20 and
 * Bun 1.4, as a share of the original's time: the view 1.17 and 1.30, its copy 1.00 and 1.12, its copy transferred 0.99
 * and 1.02. Bun refuses to transfer the result of `v8.serialize`.
 */
type Serializer = Pick<TriedRewrite, 'title'> & { calls: TriedCalls };

/** @param content bytes are copied: a serializer may return a view of a larger buffer */
const serializer = (
  content: 'bytes' | 'text',
  title: string,
  from: string,
  [encode, decode]: [encode: string, decode: string],
): Serializer => ({
  title,
  calls: {
    imports: { from, sender: `{ ${encode} }`, receiver: `{ ${decode} }` },
    payload: `${decode}(message)`,
    content,
    ...(content === 'text'
      ? { message: `${encode}(payload)`, transferList: null }
      : {
          message: `new Uint8Array(${encode}(payload))`,
          transferList: '[message.buffer]',
          comment: `A copy: ${encode} may return a view of a larger buffer.`,
        }),
  },
});

const ofTree = ({ title, calls }: Serializer): Serializer => ({
  title,
  calls: { ...calls, message: `JSON.stringify(${calls.message})`, payload: 'fromJSON(JSON.parse(message))' },
});

/** For a new serializer, add a name to SERIALIZER_NAMES and a row here; test/app/sources/tries.test.ts proves each. */
export const SERIALIZERS: Readonly<Record<SerializerName, Serializer>> = {
  msgpackr: serializer('bytes', 'MessagePack by msgpackr, as bytes', 'msgpackr', ['pack', 'unpack']),
  'cbor-x': serializer('bytes', 'CBOR by cbor-x, as bytes', 'cbor-x', ['encode', 'decode']),
  v8: serializer('bytes', 'v8.serialize, as bytes', 'node:v8', ['serialize', 'deserialize']),
  devalue: serializer('text', 'text by devalue', 'devalue', ['stringify', 'parse']),
  superjson: serializer('text', 'JSON text by superjson', 'superjson', ['stringify', 'parse']),
  // The text of `serialize` is a program that the receiver would have to run, so `toJSON` is used. Its tree as text
  // takes a third (Bun) to two thirds (Node) of the time of the tree itself.
  seroval: ofTree(serializer('text', 'JSON text by seroval', 'seroval', ['toJSON', 'fromJSON'])),
};
