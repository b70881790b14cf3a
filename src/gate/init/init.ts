import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { write } from '../../cli/session/output.ts';
import type { World } from '../../cli/session/world.ts';
import { projectFolders } from '../../machine/folders.ts';
import { startOf } from '../../machine/given-file.ts';
import { EXIT, ToolError } from '../../model/errors.ts';
import { visible } from '../../report/text/escape.ts';
import { between, manifestIn, type Project, projectOf } from './project.ts';
import { jsonConfig, typedConfig, workflowTemplate } from './templates.ts';

/** `clone-prof check --init [payload...]`: a config and a CI workflow. Existing files are kept. */
export async function runInit(
  { payloads, shards }: { payloads: readonly string[]; shards: number | null },
  world: World,
): Promise<number> {
  const project = projectOf(world.cwd());
  const found = payloads.length > 0 ? [...payloads] : payloadFilesIn(project.cwd);
  const inputs = found.slice(0, MAX_PAYLOADS);
  const config = keptConfig(project.cwd) ?? putConfig(project, inputs);
  const lines = [
    `${config.done} ${config.file}`,
    putWorkflow(project, shards ?? 1),
    ...(config.done === WROTE
      ? payloadLines(inputs, found.length - inputs.length, config.file)
      : missingLines(inputs, config.file, project.cwd)),
    'Next: run npx clone-prof check, and commit the files. Each pull request is then compared with its base commit.',
    ...(project.dependsOnTool
      ? []
      : ['Add clone-prof to the devDependencies, so that all machines use the same version.']),
  ];
  await write(world.stdout, `${lines.map((line) => visible(line)).join('\n')}\n`);
  return EXIT.ok;
}

const MAX_PAYLOADS = 12;
const WROTE = 'wrote';
const KEPT = 'kept ';

interface Put {
  done: typeof WROTE | typeof KEPT;
  file: string;
}

const CONFIG = /^clone-prof\.config\.(json|m?js|ts)$/;

/** Finds an existing config, even if it is invalid: it is not loaded, because loading may run it. */
function keptConfig(cwd: string): Put | null {
  for (const folder of projectFolders(cwd)) {
    const own = namesIn(folder).find((one) => CONFIG.test(one));
    const name = own ?? (Object.hasOwn(manifestIn(folder), 'clone-prof') ? 'package.json' : undefined);
    if (name !== undefined) return { done: KEPT, file: between(cwd, join(folder, name)) };
  }
  return null;
}

/** Writes a new config. Packages of a workspace may be installed at its root. */
function putConfig({ cwd, root, isTyped, manager }: Project, inputs: readonly string[]): Put {
  if (isTyped) return put(cwd, 'clone-prof.config.ts', typedConfig(inputs));
  const own = join(cwd, 'node_modules/clone-prof');
  const installed = existsSync(own)
    ? own
    : join(manager ? join(root, manager.folder) : cwd, 'node_modules/clone-prof');
  const schema = between(cwd, join(installed, 'dist/config.schema.json'));
  const text = jsonConfig(inputs, schema.startsWith('.') ? schema : `./${schema}`);
  return put(cwd, 'clone-prof.config.json', text);
}

/** GitHub reads workflows at the root of the repository only. */
function putWorkflow(project: Project, shards: number): string {
  const { cwd, root, folder, manager } = project;
  const name = ['clone-prof', ...folder.split('/').filter(Boolean)].join('-').replace(/[^\w.-]/g, '_');
  const { done, file } = put(root, `.github/workflows/${name}.yml`, workflowTemplate(project, shards));
  const lock = manager?.lockFile ? `, by ${manager.lockFile}` : '';
  const by = manager === null ? '' : ` (installs with ${manager.name}${lock})`;
  return `${done} ${between(cwd, join(root, file))}${done === WROTE ? by : ''}`;
}

function payloadLines(inputs: readonly string[], more: number, config: string): string[] {
  if (inputs.length === 0) return [`No payloads found: name yours under "payloads" in ${config}.`];
  const rest = more > 0 ? `, and ${more} more that are not listed` : '';
  return [
    `Payloads: ${inputs.join(', ')}${rest}.`,
    `They were chosen by their names: change the list in ${config}. Each export of a module is a payload.`,
  ];
}

/** Payloads that the text of a config that is kept names neither by their files nor by a glob of their folder. */
function missingLines(inputs: readonly string[], config: string, cwd: string): string[] {
  const text = startOf(join(cwd, config)) ?? '';
  const own = inputs.map((input) => between(join(cwd, dirname(config)), join(cwd, input)));
  const missing = own.filter((input) => !text.includes(input) && !text.includes(`${dirname(input)}/*`));
  return missing.length === 0
    ? []
    : [`Not named in ${config}: ${missing.join(', ')}. Add yours: "payloads": ["${missing[0]}"]`];
}

function put(folder: string, file: string, text: string): Put {
  const path = join(folder, file);
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: 'wx' });
    return { done: WROTE, file };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return { done: KEPT, file };
    throw new ToolError('output-unwritable', { file, detail: (error as Error).message });
  }
}

const SAMPLES = ['payloads', 'samples', 'fixtures', '__fixtures__'];
const FOLDERS = [
  '.',
  ...['.', 'test', 'tests', 'src'].flatMap((parent) => SAMPLES.map((name) => join(parent, name))),
];

const DATA = /\.(json|ndjson|jsonl)$/i;
const MODULE = /\.[mc]?[jt]s$/i;
/** Modules in the project folder count only if their names end in "payload" or "payloads". */
const NAMED_MODULE = /\bpayloads?\.[mc]?[jt]s$/i;

/** Files of tools, tests and declarations are not payloads. */
const OTHER_DATA =
  /^((package(-lock)?|npm-shrinkwrap|composer|biome|deno|bun|turbo|nx|lerna|renovate|vercel|[jt]sconfig.*|clone-prof.*|.*\.config|.*\.schema)\.json)$/i;
const OTHER_MODULE = /^(index|setup|generate)\b|\.(d|test|spec|config|setup)\.[mc]?[jt]s$/i;

/** Files that look like sample payloads, by their names and folders; nothing is read or run. Sorted in each folder. */
function payloadFilesIn(cwd: string): string[] {
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

/** Sorted names of the files in a folder; empty if it cannot be read. */
function namesIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isFile() ? entry.name : [])).sort();
  } catch {
    return [];
  }
}
