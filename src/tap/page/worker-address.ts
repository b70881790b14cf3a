/** Addresses of workers' scripts, without running code of the page's. */
import { addressOf } from '../../core/recording/threads/address.ts';
import { orElse } from '../../model/or-else.ts';
import { apply, getOwnPropertyDescriptor, getPrototypeOf } from '../realm/intrinsics.ts';

type Getter = () => unknown;

/** Getter of a property that objects inherit, or the global object has. */
export function getterOf(owner: object | undefined, key: string): Getter | undefined {
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
};
const Address = URL;
const hrefOf = getterOf(URL.prototype, 'href')!;
const { document, location } = globals;
const baseUri = getterOf(document, 'baseURI');
const locationHref = getOwnPropertyDescriptor(location, 'href')?.get ?? getterOf(location, 'href');
const trustedText = globals.TrustedScriptURL?.prototype.toString;

const base = (): string =>
  (baseUri ? apply(baseUri, document, []) : locationHref && apply(locationHref, location, [])) as string;

/** A text, or an object by its slot. */
const textOf = (given: unknown): string =>
  typeof given === 'string' ? given : (apply(hrefOf, given, []) as string);

/** The whole address; null where to ask would run code of the page's. */
export const hrefFrom = (given: unknown): string | null =>
  orElse(() => apply(hrefOf, new Address(textOf(given), base()), []) as string, null);

/** As it is in a recording. */
export function addressFrom(given: unknown): string | null {
  const text =
    orElse(() => textOf(given), null) ?? orElse(() => apply(trustedText!, given, []) as string, null);
  const href = text === null ? null : hrefFrom(text);
  return href === null ? null : addressOf(href);
}
