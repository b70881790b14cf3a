import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownedPath, WORK } from '../../machine/temp-folders.ts';
import type { BundleForPage } from '../../model/page-module.ts';
import type { FoundRuntime, StartOptions } from '../../model/run/runtime.ts';
import { server } from '../browser/pages/page-server.ts';
import { PageSession } from '../browser/pages/page-session.ts';
import type { Beginning } from '../guests/start-guest.ts';
import { guestEnv } from '../process/driver.ts';
import { silence } from '../process/process-exit.ts';
import { ProcessGroup, startIn } from '../process/supervisor.ts';

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
 * @param root address at which the host serves the guest, and its modules
 * @param outside the user's modules may reach other hosts, as they may on every runtime
 */
function configText({ root, version }: { root: URL; version: string }, outside: boolean): string {
  const worker = (module: string, bindings: string) => `(
    modules = [(name = "main", esModule = ${text(module)})],
    compatibilityDate = ${text(compatibilityDate(version))},
    compatibilityFlags = ["nodejs_compat", "legacy_module_registry"],
    globalOutbound = "network",
    moduleFallback = ${text(root.host)},
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

/** Begins a guest as a worker of workerd: a test run, which listens on no port. Its guest connects to the host. */
export async function beginWorker(
  { binary, version }: FoundRuntime,
  { cwd, forModules = false }: StartOptions,
  bundle: BundleForPage,
): Promise<Beginning> {
  const session = new PageSession(HOST);
  session.cwd = cwd;
  session.bundle = (module, folder) => bundle(module, folder, 'workerd');
  session.isOfWorkerd = true;
  try {
    const root = new URL(await server.open(session));
    const body = startIn(ownedPath(WORK) + session.token.slice(0, 6), (folder) => {
      mkdirSync(folder, { mode: 0o700 });
      const config = join(folder, 'config.capnp');
      writeFileSync(config, configText({ root, version }, forModules), { mode: 0o600 });
      const env = guestEnv(process.env, {}, '');
      const args = ['test', '--experimental', '--no-verbose', config, 'guest'];
      return new ProcessGroup(binary, args, {
        ...{ cwd: forModules ? cwd : folder, env, endsStrays: true, folder },
      });
    });
    void body.exited.then(() => server.close(session));
    return { body, link: session, lost: body.exited.then(silence), terms: { asksToExit: false } };
  } catch (error) {
    server.close(session);
    throw error;
  }
}
