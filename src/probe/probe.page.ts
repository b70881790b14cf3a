/** The probe of a page. */
import { assumedStorage } from '../core/describe/assumed-storage.ts';
import type { Probe } from '../core/describe/inspect/probe.ts';
import { type EngineName, isJson } from '../model/names.ts';
import { orElse } from '../model/or-else.ts';
import type { PathBytes } from '../model/wire/wire.ts';
import { firefoxOracle } from './firefox/oracle.ts';
import { v8Natives } from './natives/natives.page.ts';
import { JSON_ANSWER, notAnswered } from './oracle/oracle-result.ts';
import type { ProbeOptions } from './probe.ts';
import { runningRuntime } from './running-runtime.page.ts';
import type { RuntimeProbe } from './runtime-probe.ts';
import { typeDetection } from './type-detection/type-detection.ts';
import { pageV8Oracle } from './v8/page-oracle.ts';
import { v8Storage } from './v8/storage.ts';

const utf8 = new TextEncoder();

const silent: RuntimeProbe = {
  storage: async () => null,
  confirm: async () => notAnswered('WebKit tells a page nothing of how it stores and sends values'),
  firstBuilds: 1,
  serialized: () => null,
  messageBytes: () => [],
};

/** Bytes of JSON text as UTF-8; none where there is none. */
const jsonTextBytes = (value: unknown): PathBytes[] =>
  orElse(() => [{ path: 'json', bytes: utf8.encode(JSON.stringify(value)).byteLength }], []);

/** What each browser tells a page. */
const PROBES: Readonly<Partial<Record<EngineName, RuntimeProbe>>> = {
  v8: {
    ...silent,
    storage: async (fromJson) => {
      const natives = v8Natives();
      return natives === null ? null : v8Storage(natives, fromJson);
    },
    confirm: async (fresh, shape, channel) => (isJson(channel) ? JSON_ANSWER : pageV8Oracle(fresh, shape)),
    messageBytes: (value, _, channel) => (isJson(channel) ? jsonTextBytes(value) : []),
  },
  spidermonkey: { ...silent, confirm: firefoxOracle },
};

export const runningProbe = (): RuntimeProbe => PROBES[runningRuntime().engine] ?? silent;

/** What `describe` needs of this browser. */
export async function probeFor({ ask = true, fromJson = false, assume }: ProbeOptions = {}): Promise<Probe> {
  const storage = ask && !assume ? await runningProbe().storage(fromJson) : null;
  return {
    types: typeDetection,
    storage: storage ?? assumedStorage(assume ?? runningRuntime().engine, fromJson),
    utf8Bytes: (text) => utf8.encode(text).byteLength,
  };
}
