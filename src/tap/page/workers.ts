/** Workers that a document or worker starts. */
import { addressOf } from '../../core/recording/threads/address.ts';
import { HEADER } from '../../core/recording/threads/counters.ts';
import { orElse } from '../../model/or-else.ts';
import { apply, getOwnPropertyDescriptor, getPrototypeOf } from '../realm/intrinsics.ts';
import type { WorkerLink } from './outbox.ts';
import { countFromWorker, type PageTap, type Posts } from './posts.ts';
import { watchConstructor } from './replace.ts';

type Getter = () => unknown;

/** Getter of a property that objects inherit, or that the global object has. */
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
  TrustedScriptURL?: { prototype: { toString: () => string } };
  SharedWorker?: { prototype: object };
};
const Address = URL;
const hrefOf = getterOf(URL.prototype, 'href')!;
const { document, location } = globals;
const baseUri = getterOf(document, 'baseURI');
const locationHref = getOwnPropertyDescriptor(location, 'href')?.get ?? getterOf(location, 'href');
const trustedText = globals.TrustedScriptURL?.prototype.toString;
const portOf = getterOf(globals.SharedWorker?.prototype, 'port');

const base = (): string =>
  (baseUri ? apply(baseUri, document, []) : locationHref && apply(locationHref, location, [])) as string;

/** A text, or an object by its slot. */
const textOf = (given: unknown): string =>
  typeof given === 'string' ? given : (apply(hrefOf, given, []) as string);

/** Address of a worker's script as a recording has it; null if reading it would run code of the page. */
function addressFrom(given: unknown): string | null {
  const text =
    orElse(() => textOf(given), null) ?? orElse(() => apply(trustedText!, given, []) as string, null);
  if (text === null) return null;
  const href = orElse(() => apply(hrefOf, new Address(text, base()), []) as string, null);
  return href === null ? null : addressOf(href);
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
  if (portOf === undefined) return;
  watchConstructor(globalThis, 'SharedWorker', (worker, args) => {
    const address = addressFrom(args[0]);
    const to = address === null ? null : `shared worker ${address}`;
    posts.know(apply(portOf, worker, []) as object, 'MessagePort.postMessage', to, HEADER.portsSent);
  });
}
