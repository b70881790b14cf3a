/** The probe of the runtime that this guest runs in. */

import { assumedStorage } from '../core/describe/assumed-storage.ts';
import type { Probe, Storage } from '../core/describe/probe.ts';
import type { EngineName } from '../model/names.ts';
import { bunJsc } from './bun/jsc.ts';
import { bunStorage } from './bun/storage.ts';
import { typeDetection } from './type-detection/type-detection.ts';
import { v8Natives } from './v8/natives.ts';
import { v8Storage } from './v8/storage.ts';

const utf8Bytes = (text: string) => Buffer.byteLength(text);

export interface ProbeOptions {
  /** Ask the engine (default), or only assume what is observable. */
  ask?: boolean;
  /** The values to be described come straight out of JSON.parse. */
  fromJson?: boolean;
}

/** Bun is the only runtime of the three with process.versions.bun; Deno and Node both run V8. */
export async function probeFor(options: ProbeOptions = {}): Promise<Probe> {
  const engine: EngineName = process.versions.bun === undefined ? 'v8' : 'jsc';
  const asked = options.ask === false ? null : await storageOf(engine);
  return { types: typeDetection, storage: asked ?? assumedStorage(engine, options.fromJson), utf8Bytes };
}

async function storageOf(engine: EngineName): Promise<Storage | null> {
  if (engine === 'jsc') return bunStorage(await bunJsc());
  const natives = v8Natives();
  return natives === null ? null : v8Storage(natives);
}
