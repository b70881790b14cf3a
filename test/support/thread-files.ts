/** Hand-written files of recorded threads, as the recorder writes them. */

import type { Site, ThreadRecord } from '../../src/model/documents/recorded/recording.ts';
import type { ValueTree } from '../../src/model/documents/recorded/value-tree.ts';
import type { PostingApi } from '../../src/model/recording/recording.ts';
import {
  COUNTERS_MAGIC,
  GROUP,
  groupStart,
  HEADER,
  HISTOGRAM_STEPS,
  THREAD_FIELDS,
} from '../../src/record/threads/counters.ts';

export interface PostedHere {
  api: PostingApi;
  site: Site;
  count: number;
  /** Serialized bytes of each message, as `unitsOfTexts` counts them. */
  bytes: number | null;
  /** How long each call took, ns. */
  sendNs: number;
  tree?: ValueTree;
}

export interface WrittenThread {
  pid: number;
  thread: number;
  file: string | null;
  posted?: readonly PostedHere[];
  gaps?: readonly string[];
}

/** Content by name. */
export function threadFiles(...threads: readonly WrittenThread[]): Record<string, string | Uint8Array> {
  const files: Record<string, string | Uint8Array> = {};
  for (const one of threads) {
    const lines = recordsOf(one).map((record) => `${JSON.stringify(record)}\n`);
    files[`${one.pid}-${one.thread}.ndjson`] = lines.join('');
    files[`${one.pid}-${one.thread}.cnt`] = countersOf(one);
  }
  return files;
}

const RUNTIME = { name: 'node', version: '20.20.2' } as const;

function recordsOf({ pid, thread, file, posted = [], gaps = [] }: WrittenThread): ThreadRecord[] {
  const parent = thread === 0 ? null : { pid, thread: 0 };
  return [
    { record: 'thread', pid, thread, parent, ...{ runtime: RUNTIME, file, at: 1e12 + thread } },
    ...posted.flatMap(({ api, site, bytes, tree, count }, id): ThreadRecord[] => [
      { record: 'group', id, api, site, class: `class ${id}`, to: null, counter: id },
      ...[...new Set([0, count - 1])].map((nth): ThreadRecord => {
        const kept = tree ?? (bytes === null ? undefined : ({ is: 'text', units: bytes } as const));
        return { record: 'message', group: id, nth, extent: 100, ...(kept && { tree: kept }) };
      }),
    ]),
    ...gaps.map((what): ThreadRecord => ({ record: 'gap', what })),
    { record: 'end' },
  ];
}

function countersOf({ pid, thread, posted = [] }: WrittenThread): Uint8Array {
  const counters = new Float64Array(THREAD_FIELDS);
  counters[HEADER.magic] = COUNTERS_MAGIC;
  counters[HEADER.pid] = pid;
  counters[HEADER.thread] = thread;
  counters[HEADER.overheadMs] = 1.5;
  posted.forEach(({ count, sendNs }, group) => {
    const at = groupStart(group);
    counters[at + GROUP.count] = count;
    counters[at + GROUP.extent] = 100 * count;
    counters[at + GROUP.timed] = count;
    counters[at + GROUP.sendSumNs] = sendNs * count;
    counters[at + GROUP.sendMaxNs] = sendNs;
    const step = Math.min(HISTOGRAM_STEPS - 1, Math.max(0, Math.floor(2 * Math.log2(sendNs / 2 ** 8))));
    counters[at + GROUP.histogram + step] = count;
  });
  return new Uint8Array(counters.buffer);
}
