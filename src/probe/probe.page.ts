/** The probe of a page. */
import { assumedStorage } from '../core/describe/assumed-storage.ts';
import type { Probe } from '../core/describe/inspect/probe.ts';
import { pageProbe } from './page.ts';
import type { ProbeOptions } from './probe.ts';
import { runningRuntime } from './running-runtime.page.ts';
import type { RuntimeProbe } from './runtime-probe.ts';
import { typeDetection } from './type-detection/type-detection.ts';

export const runningProbe = (): RuntimeProbe => pageProbe(runningRuntime().engine);

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
