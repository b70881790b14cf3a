/** What workerd is started with: two services, whose code the host serves. */

/** Of the guest: all that it does belongs to this one request. */
const guestModule = (folder: string) => `
export default {
  async test(_, env) {
    const { answerHost } = await import('${folder}guest/service.mjs');
    await answerHost(env.ROOT);
  },
};
`;

/** The other service. What listens there is evaluated once more for each peer; `receive` is its function. */
const peerModule = (folder: string) => `
import { WorkerEntrypoint } from 'cloudflare:workers';
let started = 0;
let receive;
let arrived = 0;
export class Peer extends WorkerEntrypoint {
  async start(entry) {
    if (entry !== 'peer') throw new Error('no ' + entry);
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

/** "1.20261117.1": the behaviour of its own day. */
const compatibilityDate = (version: string): string =>
  version.replace(/^\d+\.(\d{4})(\d\d)(\d\d).*$/, '$1-$2-$3');

/**
 * The config as Cap'n Proto text. `unsafeEval` and natives are for the guest's own code: what the user's modules do is
 * refused as it is in production.
 *
 * @param root where the host serves the guest
 * @param modules "127.0.0.1:8124": the host's server for modules
 * @param outside modules of the user's may reach other hosts, as they may on every runtime
 */
export function configText(
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
