/**
 * Counters of threads as memory that is the file: all threads of a process map the files of those that they post to, and what is
 * counted stays when a thread or its process is killed.
 */

import * as fs from 'node:fs';
import { MAPPED, THREAD_FIELDS } from '../../core/recording/threads/counters.ts';
import { attempt } from '../../model/or-else.ts';
import { withRoom } from '../node/files.ts';
import { named } from '../node/thread.ts';

declare const Bun: { mmap?: (path: string, options: { shared: boolean }) => Uint8Array };

const { linkSync, unlinkSync, writeFileSync } = fs;
const { mmap } = Bun;
const { pid } = process;
const Doubles = Float64Array;

/**
 * Counters of a thread of this process, for whoever asks first. Its blocks are written before it is mapped: writing to mapped
 * memory that a full disk has no place for would end the program.
 *
 * @returns null where files cannot be mapped (Windows)
 * @throws where the folder cannot be written
 */
export function mappedCounters(folder: string, thread: number, self: number): Float64Array | null {
  if (mmap === undefined) return null;
  const path = `${folder}/${pid}-${thread}.cnt`;
  const own = `${path}.${self}`;
  const empty = named(new Doubles(THREAD_FIELDS), thread, MAPPED, null);
  withRoom(folder, () => writeFileSync(own, empty, { mode: 0o600 }));
  // It may be there.
  attempt(() => linkSync(own, path));
  unlinkSync(own);
  const bytes = mmap(path, { shared: true });
  return new Doubles(bytes.buffer, bytes.byteOffset, THREAD_FIELDS);
}
