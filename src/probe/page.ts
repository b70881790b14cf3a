import type { EngineName } from '../model/names.ts';
import { firefoxOracle } from './firefox/oracle.ts';
import { v8Natives } from './natives/natives.page.ts';
import { notAnswered } from './oracle/oracle-result.ts';
import type { RuntimeProbe } from './runtime-probe.ts';
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
    confirm: (fresh, shape) => pageV8Oracle(fresh, shape),
  },
  spidermonkey: { ...silent, confirm: firefoxOracle },
};

export const pageProbe = (engine: EngineName): RuntimeProbe => PROBES[engine] ?? silent;
