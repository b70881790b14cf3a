import { randomBytes } from 'node:crypto';
import { cpSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { projectRoot } from '../../machine/folders.ts';
import { packageFile } from '../../machine/package-file.ts';
import { ownedFolder, ownedPath, WORK } from '../../machine/temp-folders.ts';
import type { ProcessRuntime } from '../../model/names.ts';
import {
  FILES_ENV,
  type FoundRuntime,
  PROJECT_ENV,
  type RuntimeDriver,
  type StartOptions,
} from '../../model/run/runtime.ts';
import { LINK_ENV } from '../../model/wire/wire.ts';
import { type Beginning, startGuest } from '../guests/start-guest.ts';
import { GuestServer } from './guest-server.ts';
import type { Environment } from './kind.ts';
import { RUNTIME_KINDS } from './kinds.ts';
import { silence } from './process-exit.ts';
import { ProcessGroup } from './supervisor.ts';

/** An inspector would make the guest wait, or take the port of the user's own session. */
const INSPECTOR = /(^|\s)--(?:inspect|debug)(?:-[a-z-]+)?(?:=\S+| \d+)?(?=\s|$)/g;

/** Set when this process has an IPC channel to its parent: the file descriptor does not exist in the guest. */
const IPC_VARIABLES = ['NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE', 'NODE_UNIQUE_ID'];

/** The user's environment without the variables that break a guest, and with the address of the host. */
export function guestEnv(user: Environment, kind: Environment, link: string): Record<string, string> {
  const env: Record<string, string | undefined> = { ...user, NO_COLOR: '1', FORCE_COLOR: undefined, ...kind };
  for (const name of IPC_VARIABLES) env[name] = undefined;
  for (const name of ['NODE_OPTIONS', 'BUN_OPTIONS']) {
    if (env[name] !== undefined) env[name] = env[name].replace(INSPECTOR, '$1').trim() || undefined;
  }
  env[LINK_ENV] = link;
  return Object.fromEntries(Object.entries(env).filter((e): e is [string, string] => e[1] !== undefined));
}

/** What CI services set (github.com/watson/ci-info). */
const OF_CI =
  /^(CI|CONTINUOUS_INTEGRATION|BUILD_(ID|NUMBER)|RUN_ID|NETLIFY|VERCEL|TF_BUILD|(CI|GITHUB|GITLAB|RUNNER|AGENT|TRAVIS|CIRCLE|CIRCLECI|CIRRUS|JENKINS|BUILDKITE|APPVEYOR|TEAMCITY|BITBUCKET|CODEBUILD|DRONE|SEMAPHORE)(_.*)?)$/;

/** The environment on a machine of a developer, for CI; the other way round elsewhere. */
function otherMachine(env: Environment): Environment {
  const own = Object.entries(env).filter(([name]) => !OF_CI.test(name));
  const isCi = own.length < Object.keys(env).length;
  return isCi ? Object.fromEntries(own) : { ...env, CI: 'true', GITHUB_ACTIONS: 'true' };
}

/**
 * Node reads a file of further certificates before anything else, which takes longer than all the rest of its start
 * (`crypto::UseExtraCaCerts`). Only code of the user's could need them: in the payload, or in what NODE_OPTIONS loads.
 */
export const neededCertificates = (user: Environment, forModules: boolean): Environment =>
  forModules || user.NODE_OPTIONS !== undefined ? {} : { NODE_EXTRA_CA_CERTS: undefined };

let copiedGuest: string | null = null;

/**
 * The file that a runtime starts as a guest. Bun takes a question mark in a path for the start of a query, and finds no such
 * file: it gets a copy in another folder.
 */
function guestFile(runtime: ProcessRuntime): string {
  const file = packageFile('dist/guest/main.mjs');
  if (runtime !== 'bun' || !file.includes('?')) return file;
  copiedGuest ??= copied(dirname(file));
  return join(copiedGuest, basename(file));
}

/** The copy is removed when this process ends, or by a later run. */
function copied(folder: string): string {
  const into = ownedFolder('clone-prof-guest-');
  process.once('exit', () => rmSync(into, { recursive: true, force: true }));
  cpSync(folder, into, { recursive: true, filter: (path) => path !== join(folder, 'page') });
  return into;
}

type LaunchOptions = Pick<StartOptions, 'cwd' | 'forModules' | 'elsewhere'>;

const server = new GuestServer();

function launch(
  { name, version, binary }: FoundRuntime,
  { cwd, forModules = false, elsewhere = false }: LaunchOptions,
  link: string,
  files: string,
): ProcessGroup {
  const kind = RUNTIME_KINDS[name as ProcessRuntime];
  const guest = guestFile(name as ProcessRuntime);
  const args = [...kind.guestArgs((forModules && kind.configFile?.(cwd)) || null, version, files), guest];
  const user = elsewhere ? otherMachine(process.env) : process.env;
  const certificates = neededCertificates(user, forModules);
  return new ProcessGroup(binary, args, {
    cwd: kind.readsWorkingFolder && !forModules ? dirname(guest) : cwd,
    env: {
      ...guestEnv(user, { ...kind.guestEnv, ...certificates, [PROJECT_ENV]: undefined }, link),
      ...{ [FILES_ENV]: files, ...(forModules && { [PROJECT_ENV]: projectRoot(cwd) }) },
    },
    ...{ endsStrays: forModules, folder: files },
  });
}

async function begin(runtime: FoundRuntime, options: StartOptions): Promise<Beginning> {
  const token = randomBytes(16).toString('hex');
  const { port, connected } = await server.expect(token);
  try {
    const files = ownedPath(WORK) + token.slice(0, 6);
    const body = launch(runtime, options, `${port}:${token}`, files);
    void body.exited.then(() => server.forget(token));
    const terms = { asksToExit: options.forModules === true };
    return { body, connected, lost: body.exited.then(silence), terms, sameVersion: true };
  } catch (error) {
    server.forget(token);
    throw error;
  }
}

/** Guests as processes of the runtimes in PROCESS_RUNTIMES. Every error is a ToolError; no guest outlives this process. */
export const processDriver: RuntimeDriver = {
  start: (runtime, options) => startGuest(runtime, options, () => begin(runtime, options)),
};
