/** The probe of a page. */
import { assumedStorage } from '../core/describe/assumed-storage.ts';
import type { Probe } from '../core/describe/inspect/probe.ts';
import type { EngineName } from '../model/names.ts';
import { firefoxOracle } from './firefox/oracle.ts';
import { v8Natives } from './natives/natives.page.ts';
import { notAnswered } from './oracle/oracle-result.ts';
import type { ProbeOptions } from './probe.ts';
import { runningRuntime } from './running-runtime.page.ts';
import type { RuntimeProbe } from './runtime-probe.ts';
import { typeDetection } from './type-detection/type-detection.ts';
import { pageV8Oracle } from './v8/page-oracle.ts';
import { v8Storage } from './v8/storage.ts';

const silent: RuntimeProbe = {
  storage: async () => null,
  confirm: async () => notAnswered('WebKit tells a page nothing of how it stores and sends values'),
  firstBuilds: 1,
  serialized: () => null,
  messageBytes: () => [],
};

/** What each browser tells a page. */
const PROBES: Readonly<Partial<Record<EngineName, RuntimeProbe>>> = {
  v8: {
    ...silent,
    storage: async (fromJson) => {
      const natives = v8Natives();
      return natives === null ? null : v8Storage(natives, fromJson);
    },
    confirm: pageV8Oracle,
  },
  spidermonkey: { ...silent, confirm: firefoxOracle },
};

export const runningProbe = (): RuntimeProbe => PROBES[runningRuntime().engine] ?? silent;

const utf8 = new TextEncoder();

/** What `describe` needs of this browser. */
export async function probeFor({ ask = true, fromJson = false, assume }: ProbeOptions = {}): Promise<Probe> {
  const storage = ask && !assume ? await runningProbe().storage(fromJson) : null;
  return {
    types: typeDetection,
    storage: storage ?? assumedStorage(assume ?? runningRuntime().engine, fromJson),
    utf8Bytes: (text) => utf8.encode(text).byteLength,
  };
}
