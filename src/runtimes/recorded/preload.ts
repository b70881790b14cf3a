/** The files that NODE_OPTIONS and BUN_OPTIONS name: they start the recorder in each thread, before the program's own code. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { packageFile } from '../../machine/package-file.ts';
import { orElse } from '../../model/or-else.ts';

/** Neither of the group nor of others: what is in these files is run. */
const OWN = { mode: 0o600 };

const tapOf = (name: 'node' | 'deno' | 'bun'): string => packageFile(`dist/tap/${name}.cjs`);

/** As Node wraps a module; the length of this is a part of what V8 knows compiled code by. */
const BEFORE = '(function (exports, require, module, __filename) { ';
const AFTER = '\n})';

/**
 * Code of the recorder for Node, compiled: to compile it takes longer than all else that the recorder does before a program
 * starts. V8 compiles the source where it is another version, or has other flags. Empty where this runtime has nothing of the
 * kind.
 *
 * @see https://v8.dev/blog/code-caching
 */
async function compiledTap(filename: string): Promise<Buffer> {
  const source = `${BEFORE}${await readFile(filename, 'utf8')}${AFTER}`;
  // Stacks have the name that it was compiled with.
  return orElse(() => new Script(source, { filename }).createCachedData(), Buffer.alloc(0));
}

/** @param folder where threads write @param taps for Node and Deno @param compiled file of `compiledTap` */
const preloadOfNode = (
  folder: string,
  taps: { node: string; deno: string },
  compiled: string,
): string => `try {
  if (typeof Deno === 'object') require(${quoted(taps.deno)}).start(${quoted(folder)}, __filename);
  else {
    const { readFileSync } = require('node:fs');
    const { Script } = require('node:vm');
    const filename = ${quoted(taps.node)};
    const source = ${quoted(BEFORE)} + readFileSync(filename, 'utf8') + ${quoted(AFTER)};
    const tap = { exports: {} };
    new Script(source, { filename, cachedData: readFileSync(${quoted(compiled)}) })
      .runInThisContext()
      .call(tap.exports, tap.exports, require, tap, filename);
    tap.exports.start(${quoted(folder)}, __filename);
  }
} catch {}
`;

const quoted = (text: string): string => JSON.stringify(text);

/**
 * @param folder where threads write @param preload where the files are written; emptied by others
 * @returns the file for Node, which Deno from 2.6.8 on takes too, and the one for Bun
 */
export async function writePreloads(folder: string, preload: string): Promise<{ node: string; bun: string }> {
  const [node, bun, compiled] = ['tap.cjs', 'tap-bun.cjs', 'tap.compiled'].map((name) =>
    join(preload, name),
  ) as [string, string, string];
  const taps = { node: await readableTap('node', preload), deno: await readableTap('deno', preload) };
  await writeFile(compiled, await compiledTap(taps.node), OWN);
  await writeFile(node, preloadOfNode(folder, taps, compiled), OWN);
  const tap = quoted(await readableTap('bun', preload));
  await writeFile(bun, `try { require(${tap}).start(${quoted(folder)}, __filename); } catch {}\n`, OWN);
  return { node, bun };
}

/**
 * Where every program can read it. Bun finds no file below a folder with a question mark in its name; in an archive of Yarn's
 * (without `node_modules`) only its own loader finds one, which may come later. They get a copy beside the file that names it.
 */
async function readableTap(name: 'node' | 'deno' | 'bun', preload: string): Promise<string> {
  const own = tapOf(name);
  if (!/\?|\.zip[\\/]/.test(own)) return own;
  const copy = join(preload, `own-${name}.cjs`);
  await writeFile(copy, await readFile(own), OWN);
  return copy;
}
