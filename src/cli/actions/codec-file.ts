import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { importSpecifier, type TestPlace } from '../../app/codec-test.ts';
import { helpersModule, MARKER } from '../../app/schema-codec.ts';
import { foldersUpFrom } from '../../machine/folders.ts';
import { foreignFile, startOf } from '../../machine/given-file.ts';
import { helpersFileOf, importedFrom, languageOf, testFileOf } from '../../services/codec-names.ts';
import type { CommandFiles } from '../session/command-files.ts';
import { type OutputFile, openOutputFile } from '../session/output-file.ts';
import type { World } from '../session/world.ts';
import { managerIn } from './init/project.ts';

/**
 * Files of codecs that a command writes: modules, and tests next to them.
 *
 * @param option option that names the files
 * @param files files of the command; null if they need not differ from its inputs
 */
export function codecFiles({ cwd, stderr }: World, option: string, files: CommandFiles | null) {
  const opened = new Map<string, OutputFile>();
  /** @throws ToolError 'usage', 'output-unwritable' */
  function open(shown: string): OutputFile {
    const path = resolve(cwd(), shown);
    files?.writes(shown, option);
    // A file that a person wrote by hand is never overwritten silently.
    if (existsSync(path) && (startOf(path, MARKER.length) ?? MARKER) !== MARKER)
      throw foreignFile(shown, MARKER);
    const output = openOutputFile(shown, cwd());
    opened.set(shown, output);
    return output;
  }
  async function write(shown: string, text: string): Promise<void> {
    await (opened.get(shown) ?? open(shown)).write(text);
    await stderr.line(`wrote ${shown}`);
  }
  /** Writes the test of a codec, if its sample is a file that a test can read. */
  async function writeTest(
    codec: string,
    sample: string,
    textOf: (where: TestPlace, sample: string) => string,
  ): Promise<void> {
    const shown = testFileOf(codec);
    const path = resolve(cwd(), shown);
    const read = resolve(cwd(), sample);
    if (!existsSync(read)) return;
    const where = { codec: basename(codec), runner: runnerFor(path), language: languageOf(codec) };
    await write(shown, textOf(where, importedFrom(path, read)));
  }
  return { open, write, writeTest };
}

export type CodecFiles = ReturnType<typeof codecFiles>;

/** The module that the codecs of a folder and language share. */
export function helpersBeside(codec: string, version: string, cwd: string) {
  const path = resolve(cwd, helpersFileOf(codec));
  const language = languageOf(codec);
  const text = helpersModule(version, language);
  return {
    text,
    /** True if the file exists and is exactly the module of this version. */
    isThere: startOf(path, text.length + 1) === text,
    /** Name that the codec imports it by. */
    from: importSpecifier(basename(path), { runner: runnerFor(path), language }),
  };
}

/** Import of a codec if a file of helpers is next to it; null if the codec includes them. */
export function helpersFor(codec: string, version: string, cwd: string): string | null {
  const { isThere, from } = helpersBeside(codec, version, cwd);
  return isThere ? from : null;
}

/** Test runner that the nearest package.json above a test mentions. */
function runnerFor(test: string): TestPlace['runner'] {
  const folder = foldersUpFrom(dirname(test)).find((one) => existsSync(join(one, 'package.json')));
  if (folder === undefined) return 'node';
  const text = startOf(join(folder, 'package.json')) ?? '';
  for (const name of ['vitest', 'jest'] as const) if (text.includes(`"${name}"`)) return name;
  const isBun = text.includes('bun test') || managerIn(folder, '')?.name === 'bun';
  return isBun ? 'bun' : 'node';
}
