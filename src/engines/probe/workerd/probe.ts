/// <reference path="./cloudflare-workers.d.ts" />
/**
 * Bindings that the host gives to the workers of a guest in workerd (runtimes/driver.ts), and the probe there: V8's
 * natives, which its config allows, and Node's modules without threads.
 */
import { env } from 'cloudflare:workers';
import { Buffer } from 'node:buffer';
import { types } from 'node:util';
import type { RuntimeId } from '../../../model/documents/names.ts';
import { ENGINE_OF } from '../../../model/names.ts';
import type { RuntimeProbe } from '../probe.ts';
import { v8InPage } from '../v8-storage.ts';

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

/** A worker does not know the version of workerd: the host binds it. */
export const runningWorkerd = (): RuntimeId => ({
  name: 'workerd',
  version: bindings.VERSION,
  engine: ENGINE_OF.workerd,
});

const utf8 = new TextEncoder();

/** Called before user code runs, because it compiles V8's natives. */
export const workerdProbe = (): RuntimeProbe => ({
  engine: ENGINE_OF.workerd,
  // Each small buffer has separate memory.
  types: { types, bufferPrototype: Buffer.prototype },
  sendsErrorProps: Object.hasOwn(structuredClone(Object.assign(new Error(), { sent: true })), 'sent'),
  utf8Bytes: (text) => utf8.encode(text).byteLength,
  ...v8InPage(),
  messageBytes: () => [],
});
