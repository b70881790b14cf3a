/** The files that NODE_OPTIONS and BUN_OPTIONS name: they start the recorder in each thread, before the program's own code. */
import { cp, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
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
async function compiledTap(): Promise<Buffer> {
  const filename = tapOf('node');
  const source = `${BEFORE}${await readFile(filename, 'utf8')}${AFTER}`;
  // Stacks have the name that it was compiled with.
  return orElse(() => new Script(source, { filename }).createCachedData(), Buffer.alloc(0));
}

/** @param folder where threads write @param compiled file of `compiledTap` */
const preloadOfNode = (folder: string, compiled: string): string => `try {
  if (typeof Deno === 'object') require(${quoted(tapOf('deno'))}).start(${quoted(folder)}, __filename);
  else {
    const { readFileSync } = require('node:fs');
    const { Script } = require('node:vm');
    const filename = ${quoted(tapOf('node'))};
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
  await writeFile(compiled, await compiledTap(), OWN);
  await writeFile(node, preloadOfNode(folder, compiled), OWN);
  const tap = quoted(await tapForBun(preload));
  await writeFile(bun, `try { require(${tap}).start(${quoted(folder)}, __filename); } catch {}\n`, OWN);
  return { node, bun };
}

/** Bun finds no file below a folder with a question mark in its name: it gets a copy beside the file that names it. */
async function tapForBun(preload: string): Promise<string> {
  const own = tapOf('bun');
  if (!own.includes('?')) return own;
  await cp(dirname(own), join(preload, 'tap'), { recursive: true });
  return join(preload, 'tap', basename(own));
}
