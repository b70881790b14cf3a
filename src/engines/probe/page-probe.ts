/** The probe of a page. */
import { type EngineName, isJson } from '../../model/names.ts';
import { orElse } from '../../model/or-else.ts';
import type { PathBytes } from '../../model/wire/wire.ts';
import { runningBrowser } from './browser.ts';
import { firefoxOracle } from './firefox/oracle.ts';
import { notAnswered } from './oracle/oracle-result.ts';
import type { RuntimeProbe } from './probe.ts';
import { guestPageTypes } from './type-detection/page-types.ts';
import { v8InPage } from './v8/in-page.ts';

const utf8 = new TextEncoder();

/** Bytes of JSON text as UTF-8; none for a value without JSON text. */
const jsonTextBytes = (value: unknown): PathBytes[] =>
  orElse(() => [{ path: 'json', bytes: utf8.encode(JSON.stringify(value)).byteLength }], []);

const PROBES: Readonly<Partial<Record<EngineName, () => Partial<RuntimeProbe>>>> = {
  v8: () => ({
    ...v8InPage(),
    messageBytes: (value, _, channel) => (isJson(channel) ? jsonTextBytes(value) : []),
  }),
  spidermonkey: () => ({ confirm: firefoxOracle }),
};

/** Call this before user code runs, because it compiles V8's natives. */
export function pageProbe(): RuntimeProbe {
  const { engine } = runningBrowser();
  return {
    engine,
    types: guestPageTypes(),
    utf8Bytes: (text) => utf8.encode(text).byteLength,
    storage: async () => null,
    confirm: async () => notAnswered('WebKit tells a page nothing of how it stores and sends values'),
    firstBuilds: 1,
    serialized: () => null,
    messageBytes: () => [],
    ...PROBES[engine]?.(),
  };
}
