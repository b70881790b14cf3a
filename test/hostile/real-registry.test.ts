/** What a folder's .npmrc says has no effect: no registry of its own is asked, and no secret is sent. */
import assert from 'node:assert/strict';
import { after } from 'node:test';
import { localRegistry, VERSION } from '../support/local-registry.ts';
import { usually } from '../support/whole.ts';
import { type HostileCase, testHostile } from './corpus.ts';

const registry = await localRegistry();
after(() => registry.close());

const user = `${registry.url}/user/`;
const project = `${registry.url}/project/`;
const host = new URL(registry.url).host;

/** Every way to name a registry and to send it a secret of the environment. */
const NPMRC = [
  `registry=${project}`,
  `@oven:registry=${project}`,
  `//${host}/project/:_authToken=\${SECRET_ENV}`,
  `//${host}/user/:_authToken=\${SECRET_ENV}`,
  'userconfig=./own.npmrc',
  'globalconfig=./own.npmrc',
  `user-agent=\${SECRET_ENV}`,
].join('\n');

/** A shell without npm around it. What the user chose: the registry of the user. */
const SHELL = {
  ...{ NPM_CONFIG_REGISTRY: user, npm_config_userconfig: '', npm_config_globalconfig: '' },
  ...{ npm_config_prefix: '', npm_config_cache: '', npm_execpath: '', npm_command: '' },
  npm_lifecycle_event: '',
};
const add = ['runtimes', 'add', `bun@${VERSION}`];
const files = { '.npmrc': NPMRC, 'own.npmrc': NPMRC, 'package.json': '{"workspaces":["**"],"name":"evil"}' };
const FETCHED = new RegExp(`^note: fetching bun@${VERSION} through npm \\(@oven/bun-[\\w-]+\\) into `);

type Row = Partial<HostileCase> & Pick<HostileCase, 'name'> & { asked: string[] };

/** @param asked which registries the requests were for: no request may hold the secret */
const row = ({ asked, env, ...rest }: Row): HostileCase => ({
  args: add,
  files,
  exit: 0,
  stderr: FETCHED,
  mostLines: 2,
  ...rest,
  env: { ...SHELL, ...env },
  also: () => {
    const requests = registry.requests.splice(0);
    assert.deepEqual([...new Set(requests.map((one) => one.split('/')[1]))], asked);
    assert.doesNotMatch(requests.join('\n'), /marked-secret/);
  },
});

testHostile(
  'registry',
  usually(
    [row({ name: 'the .npmrc of the working folder', asked: ['user'] })],
    [
      row({
        name: 'what npx and npm run pass on of it',
        env: {
          ...{ npm_execpath: process.env.npm_execpath ?? '', npm_command: 'exec' },
          ...{ npm_config_registry: project, 'npm_config_@oven:registry': project },
          ...{ npm_config_userconfig: '<folder>/own.npmrc', npm_config_globalconfig: '<folder>/own.npmrc' },
          ...{ npm_config_prefix: '<folder>', npm_config_local_prefix: '<folder>' },
        },
        asked: ['user'],
      }),
      row({
        name: '--project-npmrc: asked for, and named',
        files: { '.npmrc': `registry=${project}` },
        args: [...add, '--project-npmrc'],
        env: { NPM_CONFIG_REGISTRY: '' },
        stderr: /^note: fetching bun@\S+ through npm \(@oven\/bun-[\w-]+, with \/\S+\.npmrc\) into /,
        asked: ['project'],
      }),
      row({
        name: 'what came from there is not used elsewhere',
        files: { 'a/.npmrc': `registry=${project}`, '.npmrc': `registry=${project}` },
        before: [[...add, '--project-npmrc']],
        args: ['runtimes', 'add', `bun@${VERSION}`, '--offline'],
        env: { NPM_CONFIG_REGISTRY: '' },
        exit: 3,
        stderr: /^clone-prof: bun@9\.9\.9: not in the cache/,
        asked: ['project'],
      }),
      row({
        name: 'the .npmrc of a folder above, to analyze',
        files: { ...files, 'a/x.json': '[1]' },
        cwd: 'a',
        args: ['analyze', 'x.json', '--no-measure', '-r', 'node', `bun@${VERSION}`],
        exit: 3,
        mostLines: 4,
        asked: ['user'],
      }),
      row({
        name: 'a cache inside the project, whose package.json calls all folders its workspaces',
        env: { XDG_CACHE_HOME: '<folder>/.cache' },
        asked: ['user'],
      }),
      row({
        name: "the user's own .npmrc counts",
        files: { ...files, 'me/.npmrc': `registry=${user}` },
        env: { HOME: '<folder>/me', NPM_CONFIG_REGISTRY: '' },
        asked: ['user'],
      }),
      row({
        name: 'credentials in the address of the user are not printed or kept',
        env: { NPM_CONFIG_REGISTRY: user.replace('//', '//me:hidden-password@') },
        never: /hidden-password/,
        asked: ['user'],
      }),
    ],
  ),
  // The cases look at what one registry was asked.
  1,
);
