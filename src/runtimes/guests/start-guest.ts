/** The start of a guest of any runtime: its link, its hello, and how long it is waited for. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { limitReached } from '../../machine/machine.ts';
import { deferred, inTime } from '../../machine/waiting.ts';
import { ToolError } from '../../model/errors.ts';
import type { FoundRuntime, StartOptions } from '../../model/run/runtime.ts';
import type { Hello, NumberedRequest } from '../../model/wire/wire.ts';
import {
  type Body,
  ConnectedGuest,
  type GuestTerms,
  type HostLink,
  helloIn,
  Mismatch,
  messageIn,
} from './connected-guest.ts';

export const HELLO_BYTES = 16_384;

/**
 * The host's end of the link to one guest, over any transport. The first message is the hello, with the token of this
 * link. User code can write to it too: an invalid message ends it.
 */
export abstract class GuestLink implements HostLink {
  readonly token = randomBytes(16).toString('hex');
  onMessage: (message: unknown) => void = () => undefined;
  mostBytes = HELLO_BYTES;
  readonly #closed = deferred<string | null>();
  readonly closed = this.#closed.promise;
  readonly #connected = deferred<Hello>();
  readonly connected = this.#connected.promise;
  #isKnown = false;

  abstract send(message: NumberedRequest): void;
  abstract close(): void;

  /** @throws Mismatch if the first message is not a hello */
  receive(bytes: Uint8Array): void {
    try {
      if (this.#isKnown) this.onMessage(messageIn(bytes));
      else this.#begin(helloIn(messageIn(bytes)));
    } catch (error) {
      if (!(this.#isKnown && error instanceof Mismatch)) throw error;
      this.refuse(error.message);
    }
  }

  /** Ends the link for this reason. Messages that have already arrived are not read. */
  refuse(reason: string): void {
    this.onMessage = () => undefined;
    this.ended(reason);
    this.close();
  }

  ended(reason: string | null = null): void {
    this.#closed.resolve(reason);
  }

  #begin(hello: Hello): void {
    if (hello.token !== this.token) return;
    this.#isKnown = true;
    // Until the first request no message may arrive.
    this.mostBytes = 0;
    this.#connected.resolve(hello);
  }
}

export type Listening = Awaited<ReturnType<typeof listenOn>>;

/** A random port of one host of this machine. @throws ToolError 'port-unavailable', 'too-many-files' */
export async function listenOn(server: Server | HttpServer, host = '127.0.0.1') {
  server.unref();
  // `once` has the error; nobody waits for a later one.
  server.on('error', () => undefined);
  server.listen({ host, port: 0 });
  try {
    await once(server, 'listening');
  } catch (cause) {
    const { message: detail } = cause as Error;
    throw limitReached(cause) ?? new ToolError('port-unavailable', { value: host, detail }, { cause });
  }
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
    },
  };
}

export interface Beginning {
  body: Body;
  link: GuestLink;
  terms: Omit<GuestTerms, 'timeoutMs'>;
  /** The version must also be equal to the found one. */
  sameVersion?: true;
}

/**
 * If the guest does not connect in time, its body is killed, and has ended when this rejects.
 * @throws ToolError 'guest-silent', 'interrupted', 'runtime-missing', and what `begin` throws
 */
export async function startGuest(
  runtime: FoundRuntime,
  options: StartOptions,
  begin: () => Promise<Beginning>,
  helloMs = options.timeoutMs,
): Promise<ConnectedGuest> {
  const { signal, timeoutMs } = options;
  if (signal?.aborted) throw new ToolError('interrupted');
  const { body, link, terms, sameVersion = false } = await begin();
  const silent = (detail: string) =>
    new ToolError('guest-silent', { value: runtime.spec, detail, output: body.excerpt() });
  const late = () => silent(`nothing within ${helloMs} ms; --timeout says how long to wait`);
  const isLost = [
    body.ended.then(({ facts, message }) => `it ended: ${facts.detail ?? message}`),
    link.closed.then((refused) => refused ?? 'its page ended, perhaps for lack of memory'),
  ].map(async (reason): Promise<never> => {
    throw silent(await reason);
  });
  let hello: Hello;
  try {
    hello = await inTime(Promise.race([link.connected, ...isLost]), helloMs, late, signal);
  } catch (error) {
    body.kill();
    await body.ended;
    throw error;
  }
  const guest = new ConnectedGuest(hello, link, body, { timeoutMs, ...terms });
  guest.stopWith(signal);
  guest.mustBe(runtime, sameVersion);
  return guest;
}
