import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { packageFile } from '../../machine/package-file.ts';
import { ownedPath, WORK } from '../../machine/temp-folders.ts';
import { ToolError } from '../../model/errors.ts';
import type { BundleForPage } from '../../model/page-module.ts';
import type { FoundRuntime, RuntimeDriver, StartOptions } from '../../model/run/runtime.ts';
import { notFound, PageServer, sent } from '../browser/pages/page-server.ts';
import { PageSession } from '../browser/pages/page-session.ts';
import { type Beginning, startGuest } from '../guests/start-guest.ts';
import { LoopbackServer } from '../loopback-server.ts';
import { guestEnv } from '../process/driver.ts';
import { silence } from '../process/process-exit.ts';
import { ProcessGroup, startIn } from '../process/supervisor.ts';

/**
 * The fallback service of workerd's modules: bundles of the guest, and modules that requests name, each in the folder
 * of a guest's secret token. workerd requests from it every module that its config does not hold.
 */
const moduleServer = new LoopbackServer(() =>
  createServer((request, response) => void answer(request, response)),
);

/** "/<token>/modules/1.mjs?fresh=2": a name with another query is another module. */
const NAME = /^\/([0-9a-f]+)\/(guest|modules)\/([\w-]+)\.mjs(?:\?[\w=]*)?$/;

async function answer({ url = '' }: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const name = new URL(url, 'http://localhost').searchParams.get('specifier') ?? '';
    const [, token = '', folder, key = ''] = NAME.exec(name) ?? [];
    const session = server.find(token);
    if (!session) return notFound(response);
    session.requests++;
    const code =
      folder === 'guest'
        ? await readFile(packageFile(`dist/guest/workerd/${key}.mjs`), 'utf8')
        : (await session.module(key))?.code;
    if (code === undefined) return notFound(response);
    sent(response, 'application/json', JSON.stringify({ name: name.slice(1), esModule: code }));
  } catch {
    // The guest asked for the error of a build before.
    notFound(response);
  }
}

/** Module of the guest: all that it does belongs to this one request. */
const guestModule = (folder: string) => `
export default {
  async test(_, env) {
    const { answerHost } = await import('${folder}guest/service.mjs');
    await answerHost(env.ROOT);
  },
};
`;

/** Module of the other service. It is evaluated once more for each peer; `receive` is its function. */
const peerModule = (folder: string) => `
import { WorkerEntrypoint } from 'cloudflare:workers';
let started = 0;
let receive;
let arrived = 0;
export class Peer extends WorkerEntrypoint {
  async start() {
    await import('${folder}guest/service.mjs?' + ++started);
    receive = globalThis.cloneProfReceive;
  }
  receive(message) {
    return receive(message);
  }
  echo(nth, value) {
    arrived = nth;
    return [value];
  }
  latest() {
    return arrived;
  }
}
export default {};
`;

const text = (value: string): string => JSON.stringify(value);

/** "1.20261117.1": the behaviour of the day in the version. */
const compatibilityDate = (version: string): string =>
  version.replace(/^\d+\.(\d{4})(\d\d)(\d\d).*$/, '$1-$2-$3');

/**
 * The config as Cap'n Proto text. `unsafeEval` and natives are for the guest's own code: the user's modules are refused
 * the same things that production refuses.
 *
 * @param root address at which the host serves the guest
 * @param modules "127.0.0.1:8124": the host's server for modules
 * @param outside the user's modules may reach other hosts, as they may on every runtime
 */
function configText(
  { root, modules, version }: { root: URL; modules: string; version: string },
  outside: boolean,
): string {
  const worker = (module: string, bindings: string) => `(
    modules = [(name = "main", esModule = ${text(module)})],
    compatibilityDate = ${text(compatibilityDate(version))},
    compatibilityFlags = ["nodejs_compat", "legacy_module_registry"],
    globalOutbound = "network",
    moduleFallback = ${text(modules)},
    bindings = [
      (name = "ROOT", text = ${text(root.href)}),
      (name = "VERSION", text = ${text(version)}),
      (name = "UNSAFE", unsafeEval = void),${bindings}
    ],
  )`;
  const network = outside
    ? 'allow = ["public", "private"], tlsOptions = (trustBrowserCas = true)'
    : 'allow = ["private"]';
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  v8Flags = ["--allow-natives-syntax", "--expose-gc"],
  services = [
    (name = "guest", worker = .guest),
    (name = "peer", worker = .peer),
    (name = "network", network = (${network})),
  ],
);
const guest :Workerd.Worker = ${worker(
    guestModule(root.pathname),
    `
      (name = "PEER", service = (name = "peer", entrypoint = "Peer")),`,
  )};
const peer :Workerd.Worker = ${worker(peerModule(root.pathname), '')};
`;
}

const HOST = '127.0.0.1';

/** Serves the files and links of its guests in the same way as pages. */
const server = new PageServer();

/** A test run of workerd listens on no port: its guest connects to the host. */
async function launch(
  { binary, version }: FoundRuntime,
  session: PageSession,
  { cwd, forModules = false }: StartOptions,
): Promise<ProcessGroup> {
  const root = new URL(await server.open(session));
  const modules = `${HOST}:${await moduleServer.port()}`;
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
    if (server.isIdle) moduleServer.close();
  };
  try {
    const body = await launch(runtime, session, options);
    void body.exited.then(release);
    const lost = body.exited.then(silence);
    return { body, link: session, lost, terms: { asksToExit: false } };
  } catch (error) {
    release();
    throw error;
  }
}

/** Guests as workers of workerd, each in a separate process. Every error is a ToolError; none outlives this process. */
export const workerdDriver = (bundle: BundleForPage): RuntimeDriver => ({
  start: (runtime, options) => startGuest(runtime, options, () => begin(runtime, options, bundle)),
});
