/// <reference path="./cloudflare-workers.d.ts" />
/** Bindings that the host gives to the workers of a guest: runtimes/driver.ts. */
import { env } from 'cloudflare:workers';

/** The other service, called by RPC: `runtimes/driver.ts` has its class. */
interface PeerService {
  start(): Promise<void>;
  receive(message: unknown): Promise<unknown>;
  echo(nth: number, value: unknown): Promise<[unknown]>;
  /** The number of the last echo whose value arrived. */
  latest(): Promise<number>;
}

interface Bindings {
  /** Address at which the host serves this guest: "http://127.0.0.1:8123/<token>/" */
  ROOT: string;
  VERSION: string;
  /** Compiles code, which workers may not do otherwise. */
  UNSAFE: {
    newFunction(body: string, name: string, ...parameters: string[]): (...args: unknown[]) => unknown;
  };
  /** Only the guest has this binding. */
  PEER: PeerService;
}

export const bindings = env as Bindings;
