import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { projectRoot } from '../../machine/folders.ts';
import { ToolError } from '../../model/errors.ts';
import { readConfig } from '../../store/config/config.ts';
import { EXIT } from '../exit-code.ts';
import { write } from '../output.ts';
import type { World } from '../world.ts';
import { configTemplate, workflowTemplate } from './init-files.ts';

const CONFIG = 'clone-prof.config.mjs';
const WORKFLOW = '.github/workflows/clone-prof.yml';

/** `clone-prof check --init [payload...]`: a config and a CI workflow. Existing files are kept. */
export async function runInit(payloads: readonly string[], world: World): Promise<number> {
  const cwd = world.cwd();
  const inputs = payloads.length > 0 ? payloads : payloadsIn(cwd);
  const lines = [
    (await hasConfig(cwd)) ?? put(cwd, CONFIG, configTemplate(inputs)),
    put(cwd, WORKFLOW, workflowTemplate()),
    inputs.length > 0
      ? 'Next: clone-prof check, then clone-prof baseline to keep the current facts.'
      : `Next: name your payloads in ${CONFIG}, then clone-prof check.`,
  ];
  await write(world.stdout, `${lines.join('\n')}\n`);
  return EXIT.ok;
}

/** Any config counts, also one that cannot be read. One that is code is not run. */
async function hasConfig(cwd: string): Promise<string | null> {
  const compile = async (file: string) => file;
  const onRun = (file: string) => {
    throw new ToolError('config-bad', { file });
  };
  try {
    const { file } = await readConfig(cwd, { file: null, root: projectRoot(cwd), compile, onRun });
    return file === null ? null : `kept  ${file}`;
  } catch (error) {
    if (error instanceof ToolError) return `kept  ${relative(cwd, resolve(cwd, error.facts.file ?? CONFIG))}`;
    throw error;
  }
}

function put(cwd: string, file: string, text: string): string {
  const path = join(cwd, file);
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: 'wx' });
    return `wrote ${file}`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return `kept  ${file}`;
    throw new ToolError('output-unwritable', { file, detail: (error as Error).message });
  }
}

/** Where sample payloads usually are. */
const FOLDERS = ['.', 'payloads', 'fixtures', 'test/fixtures'];
const PAYLOAD = /\.(json|ndjson|jsonl)$/i;
/** Files of tools are not payloads. */
const OF_TOOLS =
  /^(\..*|(package(-lock)?|npm-shrinkwrap|composer|biome|deno|turbo|nx|lerna|renovate|vercel|[jt]sconfig.*|clone-prof.*|.*\.config|.*\.schema)\.json)$/i;
const MOST = 5;

function payloadsIn(cwd: string): string[] {
  return FOLDERS.flatMap((folder) => filesIn(cwd, folder)).slice(0, MOST);
}

function filesIn(cwd: string, folder: string): string[] {
  try {
    return readdirSync(join(cwd, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile() && PAYLOAD.test(entry.name) && !OF_TOOLS.test(entry.name))
      .map(({ name }) => (folder === '.' ? name : `${folder}/${name}`))
      .sort();
  } catch {
    return [];
  }
}
