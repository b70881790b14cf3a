/** The probe of workerd: V8's natives, which its config allows. */
import { assumedStorage } from '../core/describe/assumed-storage.ts';
import type { Probe } from '../core/describe/inspect/probe.ts';
import { v8Natives } from './natives/natives.page.ts';
import type { ProbeOptions } from './probe.ts';
import type { RuntimeProbe } from './runtime-probe.ts';
import { typeDetection } from './type-detection/type-detection.ts';
import { pageV8Oracle } from './v8/page-oracle.ts';
import { v8Storage } from './v8/storage.ts';

const probe: RuntimeProbe = {
  storage: async (fromJson) => {
    const natives = v8Natives();
    return natives && v8Storage(natives, fromJson);
  },
  confirm: pageV8Oracle,
  firstBuilds: 1,
  serialized: () => null,
  messageBytes: () => [],
};

export const runningProbe = (): RuntimeProbe => probe;

const utf8 = new TextEncoder();

/** What `describe` needs of it. */
export async function probeFor({ ask = true, fromJson = false, assume }: ProbeOptions = {}): Promise<Probe> {
  const storage = ask && !assume ? await probe.storage(fromJson) : null;
  return {
    types: typeDetection,
    storage: storage ?? assumedStorage(assume ?? 'v8', fromJson),
    utf8Bytes: (text) => utf8.encode(text).byteLength,
  };
}
