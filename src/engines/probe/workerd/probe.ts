/** The probe of workerd: V8's natives, which its config allows, and Node's modules without threads. */
import { Buffer } from 'node:buffer';
import { types } from 'node:util';
import type { RuntimeId } from '../../../model/documents/names.ts';
import { ENGINE_OF } from '../../../model/names.ts';
import type { RuntimeProbe } from '../probe.ts';
import { v8InPage } from '../v8-storage.ts';
import { bindings } from './bindings.ts';

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
