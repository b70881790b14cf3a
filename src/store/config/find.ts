/** The config file: where it is, and what is in it. The only user of lilconfig. */
import { relative } from 'node:path';
import { defaultLoaders, lilconfig } from 'lilconfig';
import { ToolError } from '../../model/errors.ts';
import { parseJson } from '../document.ts';

const NAME = 'clone-prof';
const PLACES = [...['json', 'mjs', 'js', 'ts'].map((ending) => `${NAME}.config.${ending}`), 'package.json'];

/** Imports a JavaScript file and gives its default export. */
const RUN = defaultLoaders['.mjs']!;

export interface ConfigOptions {
  /** Named by the user, absolute; null: the nearest one. */
  file: string | null;
  /** The outermost folder that is looked in. */
  root: string;
  /** Gives the path of a JavaScript file that a plain import can load. */
  compile: (file: string) => Promise<string>;
  /** Called before a config that is code runs. */
  onRun: (file: string) => void;
}

/**
 * The named file, or the nearest one from `cwd` up to `root`; null when there is none. A config that is code runs in
 * the tool's own process, as with every tool; payload modules never do.
 *
 * @throws ToolError 'file-missing', 'config-bad' when it cannot be loaded
 */
export async function findConfig(
  cwd: string,
  { file, root, compile, onRun }: ConfigOptions,
): Promise<{ path: string; content: unknown } | null> {
  const load = async (path: string, content: string): Promise<unknown> => {
    try {
      if (!/\.[cm]?[jt]s$/.test(path)) return parseJson(content);
      onRun(path);
      return await RUN(/\.m?ts$/.test(path) ? await compile(path) : path, content);
    } catch (error) {
      if (error instanceof ToolError) throw error;
      const detail = error instanceof Error ? error.message : String(error);
      throw new ToolError('config-bad', { file: relative(cwd, path), detail: `cannot be loaded: ${detail}` });
    }
  };
  const finder = lilconfig(NAME, {
    searchPlaces: PLACES,
    loaders: Object.fromEntries(
      ['.json', '.js', '.mjs', '.cjs', '.ts', '.mts', 'noExt'].map((e) => [e, load]),
    ),
    packageProp: NAME,
    stopDir: root,
    cache: false,
  });
  const found = await (file === null ? finder.search(cwd) : finder.load(file)).catch(
    (error: NodeJS.ErrnoException) => {
      throw file !== null && error.code === 'ENOENT' ? new ToolError('file-missing', { file }) : error;
    },
  );
  return found?.filepath ? { path: found.filepath, content: found.config ?? {} } : null;
}
