/** What the threads of a program told, without what the command knows of its run and its source maps. */

import type { Recording } from '../../src/model/documents/recorded/recording.ts';
import { isWhole } from '../../src/record/files/recording-files.ts';
import type { MapFrame, RecordedThread } from '../../src/record/threads/recorded-thread.ts';
import { type RecordedRun, recordingOf } from '../../src/record/threads/recording.ts';
import type { BytesOf } from '../../src/record/threads/sample-bytes.ts';

const RUN: RecordedRun = {
  ...{ command: [], values: 'none', version: '0.0.0', exit: null, elapsedMs: 0 },
  // No thread is no gap here.
  ...{ unreachable: '', hasLeft: false, isFull: false, gaps: [] },
};

export const merged = (
  threads: readonly RecordedThread[],
  root: string,
  bytesOf: BytesOf,
  mapFrame: MapFrame = (frame) => frame,
): Recording => recordingOf(threads, RUN, { root, bytesOf, isWhole, mapFrame });
