import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownedPath, WORK } from '../../machine/temp-folders.ts';
import { ToolError } from '../../model/errors.ts';
import type { BundleForPage } from '../../model/page-module.ts';
import type { FoundRuntime, RuntimeDriver, StartOptions } from '../../model/run/runtime.ts';
import { PageServer } from '../browser/pages/page-server.ts';
import { PageSession } from '../browser/pages/page-session.ts';
import { type Beginning, startGuest } from '../guests/start-guest.ts';
import { guestEnv } from '../process/driver.ts';
import { silence } from '../process/process-exit.ts';
import { ProcessGroup, startIn } from '../process/supervisor.ts';
import { configText } from './config.ts';
import { forgetModules, serveModules } from './module-server.ts';

const HOST = '127.0.0.1';

/** Files of its guests and its links, as those of pages. */
const server = new PageServer(async () => {
  throw new Error('a worker makes room for no other');
});

/** A test run of workerd listens on no port: its guest connects to the host. */
async function launch(
  { binary, version }: FoundRuntime,
  session: PageSession,
  { cwd, forModules = false }: StartOptions,
): Promise<ProcessGroup> {
  const root = new URL(await server.open(session));
  const modules = await serveModules(session);
  return startIn(ownedPath(WORK) + session.token.slice(0, 6), (folder) => {
    mkdirSync(folder, { mode: 0o700 });
    const config = join(folder, 'config.capnp');
    writeFileSync(config, configText({ root, modules, version }, forModules), { mode: 0o600 });
    const env = guestEnv(process.env, {}, '');
    const args = ['test', '--experimental', '--no-verbose', config, 'guest'];
    return new ProcessGroup(binary, args, {
      ...{ cwd: forModules ? cwd : folder, env, endsStrays: true, folder },
    });
  });
}

/** Place in the text of an error that a guest reports for a bundled module. */
const PLACE = /\(modules\/([\w-]+)\.mjs, line (\d+), column (\d+)\)/;

/** The error with the place in the user's file instead of that in its bundle. */
async function located(error: ToolError, session: PageSession): Promise<ToolError> {
  const { detail = '' } = error.facts;
  const [place, key = '', line, column] = PLACE.exec(detail) ?? [];
  const module = place === undefined ? null : await session.module(key).catch(() => null);
  if (place === undefined || !module) return error;
  const found = module.originalOf(Number(line), Number(column));
  const file = found?.file === undefined ? '' : `${found.file}, `;
  const where = found ? `(${file}line ${found.line}, column ${found.column})` : '';
  return ToolError.again(error.code, { ...error.facts, detail: detail.replace(place, where).trimEnd() });
}

async function begin(
  runtime: FoundRuntime,
  options: StartOptions,
  bundle: BundleForPage,
): Promise<Beginning> {
  if (options.sender === 'worker') throw new ToolError('sender-unsupported', { value: runtime.spec });
  const session = new PageSession(HOST);
  session.cwd = options.cwd;
  session.bundle = (module, folder) => bundle(module, folder, 'workerd');
  const release = () => {
    server.close(session);
    forgetModules(session);
  };
  try {
    const body = await launch(runtime, session, options);
    void body.exited.then(release);
    const terms = { asksToExit: false, located: (error: ToolError) => located(error, session) };
    return { body, connected: session.connected, lost: body.exited.then(silence), terms };
  } catch (error) {
    release();
    throw error;
  }
}

/** Guests as workers of workerd, each in a process of its own. Every error is a ToolError; none outlives this process. */
export const workerdDriver = (bundle: BundleForPage): RuntimeDriver => ({
  start: (runtime, options) => startGuest(runtime, options, () => begin(runtime, options, bundle)),
});
