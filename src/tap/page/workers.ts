/** Workers that a document or worker starts. */
import { addressOf } from '../../core/recording/threads/address.ts';
import { HEADER } from '../../core/recording/threads/counters.ts';
import { orElse } from '../../model/or-else.ts';
import { apply, getOwnPropertyDescriptor, getPrototypeOf } from '../realm/intrinsics.ts';
import type { WorkerLink } from './outbox.ts';
import type { PageTap, Posts } from './posts.ts';
import { countFromWorker } from './receipts.ts';
import { watchConstructor } from './replace.ts';

type Getter = () => unknown;

/** Getter of a property that objects inherit, or the global object has. */
function getterOf(owner: object | undefined, key: string): Getter | undefined {
  for (let at: object | null = owner ?? null; at !== null; at = getPrototypeOf(at)) {
    const found = getOwnPropertyDescriptor(at, key);
    if (found !== undefined) return found.get;
  }
  return undefined;
}

const globals = globalThis as typeof globalThis & {
  document?: object;
  location: object;
  SharedWorker?: { prototype: object };
  TrustedScriptURL?: { prototype: { toString: () => string } };
};
const Address = URL;
const hrefOf = getterOf(URL.prototype, 'href')!;
const { document, location } = globals;
const baseUri = getterOf(document, 'baseURI');
const locationHref = getOwnPropertyDescriptor(location, 'href')?.get ?? getterOf(location, 'href');
const portOf = getterOf(globals.SharedWorker?.prototype, 'port');
const trustedText = globals.TrustedScriptURL?.prototype.toString;

const base = (): string =>
  (baseUri ? apply(baseUri, document, []) : locationHref && apply(locationHref, location, [])) as string;

/** Address of a worker's script, as it is in a recording; null where to ask would run code of the page's. */
function addressFrom(given: unknown): string | null {
  return orElse(() => {
    // An object by its slot.
    const text =
      typeof given === 'string'
        ? given
        : ((orElse(() => apply(hrefOf, given, []), null) ?? apply(trustedText!, given, [])) as string);
    return addressOf(apply(hrefOf, new Address(text, base()), []) as string);
  }, null);
}

export function watchWorkers(
  posts: Posts,
  tap: PageTap,
  linkTo: (address: string) => WorkerLink | null,
): void {
  watchConstructor(globalThis, 'Worker', (worker, args) => {
    const address = addressFrom(args[0]);
    const link = address === null ? null : linkTo(address);
    posts.know(worker, 'Worker.postMessage', address === null ? null : `worker ${address}`, link);
    if (link !== null) countFromWorker(tap, worker, link);
  });
}

export function watchSharedWorkers(posts: Posts): void {
  if (portOf === undefined) return;
  watchConstructor(globalThis, 'SharedWorker', (worker, args) => {
    const address = addressFrom(args[0]);
    const to = address === null ? null : `shared worker ${address}`;
    posts.know(apply(portOf, worker, []) as object, 'MessagePort.postMessage', to, HEADER.portsSent);
  });
}
