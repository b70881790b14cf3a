import { ENGINE_OF, type ProcessRuntime } from '../model/names.ts';
import type { FoundRuntime } from '../model/runtime.ts';

/** What a binary is. */
export interface Identity {
  name: ProcessRuntime;
  version: string;
}

/** @param from see FoundRuntime */
export function foundRuntime({ name, version }: Identity, binary: string, from: string): FoundRuntime {
  return { name, version, engine: ENGINE_OF[name], spec: `${name}@${version}`, binary, from };
}
