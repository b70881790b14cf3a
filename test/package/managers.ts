/** README's first commands, in a project of each package manager, with the package from its tarball. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { NETWORK_ENV } from '../support/fetched.ts';
import { missing, runtime } from '../support/runtimes.ts';
import { onlyInWhole } from '../support/whole.ts';
import { filesBelow, type Installed, ROOT, run } from './install.ts';

interface Manager {
  name: string;
  /** Of a project of its own; null: in that of npm. */
  add: string[] | null;
  /** Before the name of the command. */
  start: string[];
  skip: string | false;
}

const throughNpm = (name: string) => ['npm', 'exec', '--yes', '--prefer-offline', name, '--'];
const PNPM = throughNpm('pnpm@12');
const YARN = throughNpm('@yarnpkg/cli-dist@4');

function managers(): Manager[] {
  const binaryOf = (spec: 'bun@1.4.5' | 'deno@2.9.6') => (missing(spec) ? spec : runtime(spec).binary);
  const [bun, deno] = [binaryOf('bun@1.4.5'), binaryOf('deno@2.9.6')];
  return [
    { name: 'npm', add: null, start: ['npx'], skip: false },
    { name: 'Bun', add: [bun, 'add'], start: [bun, 'x'], skip: onlyInWhole || missing('bun@1.4.5') },
    {
      name: 'Deno',
      add: null,
      start: [deno, 'run', '-A', '--node-modules-dir=manual', 'npm:'],
      skip: onlyInWhole || missing('deno@2.9.6'),
    },
    // It fails for a package with a build script, also for one that a dependency depends on.
    { name: 'pnpm', add: [...PNPM, 'add', '-D'], start: [...PNPM, 'exec'], skip: onlyInWhole },
    // Without node_modules: its packages are archives.
    { name: 'Yarn', add: [...YARN, 'add'], start: YARN, skip: onlyInWhole },
  ];
}

/** As README has them, after `npx`. */
const COMMANDS = [
  ...readFileSync(join(ROOT, 'README.md'), 'utf8').matchAll(
    /^npx (clone-prof (?:analyze payload\.json|record -- node app\.js)) +#/gm,
  ),
].map(([, command = '']) => command.split(' '));

/** What npm has linked: to start npm itself takes as long as to start the command. */
export const linkedIn = (project: string): string => join(project, 'node_modules', '.bin', 'clone-prof');

const PAYLOAD = '[{"id":1},{"id":2}]';
const PROGRAM = `import { Worker } from 'node:worker_threads';
const worker = new Worker('require("node:worker_threads").parentPort.once("message", () => {})', { eval: true });
worker.postMessage(Array.from({ length: 1000 }, (_, id) => ({ id })));
`;

/** A project of its own asks the registry that is configured here. */
async function settingsOf(project: string): Promise<Record<string, string>> {
  const registry = (await run('npm', ['config', 'get', 'registry'], ROOT)).stdout.trim();
  return {
    'package.json': '{ "private": true, "type": "module" }\n',
    '.npmrc': `registry=${registry}\nstore-dir=${join(project, '.store')}\n`,
    '.yarnrc.yml': `npmRegistryServer: ${registry}\nenableGlobalCache: false\nenableTelemetry: false\n`,
    'yarn.lock': '',
  };
}

export function managerTests(installed: Installed, unreachable: string | false): void {
  assert.equal(COMMANDS.length, 2, 'README begins with them');
  for (const { name, add, start, skip } of managers())
    test(`README's first commands: ${name}`, { skip: unreachable || skip }, async () => {
      const project = add ? join(installed.project, '..', `with-${name}`) : installed.project;
      const ran = async ([program = '', ...args]: string[]) => {
        const { stdout, stderr, code } = await run(program, args, project, add ? NETWORK_ENV : process.env);
        assert.equal(code, 0, `${program} ${args.join(' ')}\n${stdout}${stderr}`);
        return stdout + stderr;
      };
      mkdirSync(project, { recursive: true });
      const files = { ...(add && (await settingsOf(project))), 'payload.json': PAYLOAD, 'app.js': PROGRAM };
      for (const [file, text] of Object.entries(files)) writeFileSync(join(project, file), text);
      const tarball = filesBelow(installed.stage).find((file) => file.endsWith('.tgz'))!;
      if (add) await ran([...add, tarball]);
      const [analyze = [], record = []] = COMMANDS.map(([command = '', ...args]) =>
        start.at(-1) === 'npm:'
          ? [...start.slice(0, -1), `npm:${command}`, ...args]
          : [...start, command, ...args],
      );
      const again = (words: string[]) =>
        name === 'npm' ? [linkedIn(project), ...words.slice(start.length + 1)] : words;
      const quickly = ['--no-measure', '-r', 'node'];
      assert.match(await ran([...analyze, ...quickly]), /payload\.json · 19 B · to a worker/);
      assert.match(await ran(again(record)), /wrote app\.cprof: 1 message/);
      const recorded = analyze.map((word) => (word === 'payload.json' ? 'app.cprof' : word));
      assert.match(await ran(again([...recorded, ...quickly])), /app\.js:3/);
    });
}
