/** The probe of the runtime that this code runs in. */
// No global in Deno 2.0 to 2.3.
import { Buffer } from 'node:buffer';
import { assumedStorage } from '../core/describe/assumed-storage.ts';
import type { Probe } from '../core/describe/inspect/probe.ts';
import type { EngineName, ProcessRuntime } from '../model/names.ts';
import { bunProbe } from './bun.ts';
import { denoProbe } from './deno.ts';
import { nodeProbe } from './node.ts';
import { runningRuntime } from './running-runtime.ts';
import type { RuntimeProbe } from './runtime-probe.ts';
import { typeDetection } from './type-detection/type-detection.ts';

const PROBES: Readonly<Record<ProcessRuntime, RuntimeProbe>> = {
  node: nodeProbe,
  bun: bunProbe,
  deno: denoProbe,
};

export const runningProbe = (): RuntimeProbe => PROBES[runningRuntime().name];

export interface ProbeOptions {
  /** Ask the engine (default), or only assume what is observable. */
  ask?: boolean;
  /** The values to describe come straight from JSON.parse. */
  fromJson?: boolean;
  /** Only assume, how this engine stores such values. */
  assume?: EngineName;
}

/** What `describe` needs of this runtime. */
export async function probeFor({ ask = true, fromJson = false, assume }: ProbeOptions = {}): Promise<Probe> {
  const storage = ask && !assume ? await runningProbe().storage(fromJson) : null;
  return {
    types: typeDetection,
    storage: storage ?? assumedStorage(assume ?? runningRuntime().engine, fromJson),
    utf8Bytes: (text) => Buffer.byteLength(text),
  };
}
