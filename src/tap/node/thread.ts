/** What recorders in processes have in common, whichever runtime they are in. */
import { types } from 'node:util';
import { COUNTERS_MAGIC, HEADER } from '../../core/recording/threads/counters.ts';
import type { ThreadStarted } from '../../model/documents/recorded/thread-file.ts';
import type { TapSettings } from '../../model/recording/settings.ts';
import type { LookEngine } from '../look/look.ts';
import { Recorder } from '../messages/recorder.ts';
import { builtInsAreIntact } from '../realm/intact.ts';
import type { TapPlatform } from '../realm/platform.ts';
import { keptOf } from '../records/kept.ts';
import { appendTo, packageVersion, readText } from './files.ts';

const FLUSH_MS = 100;

const { parse } = JSON;
const { pid, ppid, argv } = process;
const { setInterval } = require('node:timers') as typeof import('node:timers');
const today = Date.now;

/** Runs what starts a recorder; the program runs without one where that fails. */
export function tryToStart(begin: () => void): void {
  try {
    begin();
  } catch {
    // Nothing of the program's has changed.
  }
}

interface RecorderOptions {
  folder: string;
  thread: number;
  counters: Float64Array;
  /** Loads what the engine tells. */
  engine: () => LookEngine;
  /** Runs what may make errors without calling formatters of the program's; null where that cannot be done. */
  alone: <T>(run: () => T) => T | null;
  own: Pick<TapPlatform, 'frames' | 'writeCounters'> & Partial<TapPlatform>;
}

export function threadRecorder({ folder, thread, counters, own, ...looks }: RecorderOptions): Recorder {
  const settings = parse(readText(`${folder}/settings.json`)) as TapSettings;
  const platform: TapPlatform = {
    types,
    packageVersion,
    append: (lines) => appendTo(folder, thread, lines),
    ...looking(settings, looks),
    ...own,
  };
  return new Recorder(platform, counters, settings, today());
}

function giveTypesOfProcess(): void {
  const { giveTypes } =
    require('../../probe/type-detection/type-detection.ts') as typeof import('../../probe/type-detection/type-detection.ts');
  const { processTypes } =
    require('../../probe/type-detection/process-types.ts') as typeof import('../../probe/type-detection/process-types.ts');
  giveTypes(processTypes);
}

/** Loads what looks at messages for the first. null for each message after the program has replaced built-ins. */
function looking(
  { salt, values, mask }: TapSettings,
  { engine: engineHere, alone }: Pick<RecorderOptions, 'engine' | 'alone'>,
): Pick<TapPlatform, 'look' | 'loadLook' | 'refused'> {
  const load = () => {
    giveTypesOfProcess();
    const engine = engineHere();
    const { lookAt, refusedOf } = require('../look/look.ts') as typeof import('../look/look.ts');
    return { engine, lookAt, refusedOf };
  };
  let loaded: ReturnType<typeof load> | null = null;
  const kept = keptOf({ values, mask });
  return {
    loadLook() {
      if (loaded === null && builtInsAreIntact()) loaded = alone(load);
    },
    look(value, transfer, nodes, isKept, serialization) {
      if (loaded === null || !builtInsAreIntact()) return null;
      const { engine, lookAt } = loaded;
      const masks = isKept ? kept : 'all';
      return alone(() => lookAt(value, transfer, { types, salt, engine, nodes, mask: masks, serialization }));
    },
    refused(value, transfer, search) {
      if (loaded === null || !builtInsAreIntact()) return null;
      const { refusedOf } = loaded;
      return alone(() => refusedOf(value, transfer, types, search));
    },
  };
}

/** @param parent the thread of this process that started it; null for the main thread */
export const threadStarted = (
  runtime: ThreadStarted['runtime'],
  thread: number,
  parent: number | null,
  file: string | null,
): ThreadStarted => ({
  record: 'thread',
  ...{ pid, thread },
  parent: parent === null ? { pid: ppid, thread: 0 } : { pid, thread: parent },
  runtime,
  file: parent === null ? (argv[1] ?? null) : file,
  at: today(),
});

/** Counters with the name of their thread. @param parent as in `threadStarted` */
export function named(counters: Float64Array, thread: number, shared: number, parent: number | null) {
  counters[HEADER.magic] = COUNTERS_MAGIC;
  counters[HEADER.pid] = pid;
  counters[HEADER.thread] = thread;
  counters[HEADER.shared] = shared;
  counters[HEADER.parentThread] = parent ?? -1;
  return counters;
}

export function flushRegularly({ log }: Recorder): void {
  setInterval(() => log.flush(), FLUSH_MS).unref();
}
