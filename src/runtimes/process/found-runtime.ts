import { compareVersions } from '../../core/versions.ts';
import { ENGINE_OF, type ProcessRuntime } from '../../model/names.ts';
import type { FoundRuntime } from '../../model/run/runtime.ts';
import { KINDS } from './kinds.ts';

/** What a binary is. */
export interface Identity {
  name: ProcessRuntime;
  version: string;
}

/** @param from see FoundRuntime */
export function foundRuntime({ name, version }: Identity, binary: string, from: string): FoundRuntime {
  const { oldest } = KINDS[name];
  return {
    ...{ name, version, engine: ENGINE_OF[name], spec: `${name}@${version}`, binary, from },
    ...(compareVersions(version, oldest) < 0 && { needs: oldest }),
  };
}
