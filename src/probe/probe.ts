/** The probe of the runtime that this code runs in. */
import { assumedStorage } from '../core/describe/assumed-storage.ts';
import type { Probe } from '../core/describe/probe.ts';
import { bunProbe } from './bun.ts';
import { denoProbe } from './deno.ts';
import { nodeProbe } from './node.ts';
import { type ProcessRuntime, runningRuntime } from './running-runtime.ts';
import type { RuntimeProbe } from './runtime-probe.ts';
import { typeDetection } from './type-detection/type-detection.ts';

const PROBES = { node: nodeProbe, bun: bunProbe, deno: denoProbe } as const satisfies Record<
  ProcessRuntime,
  RuntimeProbe
>;

export interface ProbeOptions {
  /** Ask the engine (default), or only assume what is observable. */
  ask?: boolean;
  /** The values to be described come straight from JSON.parse. */
  fromJson?: boolean;
}

/** What `describe` needs of this runtime. */
export async function probeFor({ ask = true, fromJson = false }: ProbeOptions = {}): Promise<Probe> {
  const { name, engine } = runningRuntime();
  const storage = (ask ? await PROBES[name].storage() : null) ?? assumedStorage(engine, fromJson);
  return { types: typeDetection, storage, utf8Bytes: (text) => Buffer.byteLength(text) };
}

/** Asks this runtime's oracle: see RuntimeProbe. */
export const confirm: RuntimeProbe['confirm'] = (fresh, shape, channel) =>
  PROBES[runningRuntime().name].confirm(fresh, shape, channel);
