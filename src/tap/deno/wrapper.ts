/** The code that starts a worker: the tap, then what the program has given. Deno runs no `--require` in workers. */

import { charCodeAt, quoted, startsWith } from '../realm/intrinsics.ts';
import { recordText } from '../records/record-text.ts';

/** What a worker's tap is told. */
export interface WorkerStart {
  thread: number;
  parent: number;
  kind: 'web' | 'node';
  file: string | null;
  /** Address that the program has given; null for code given as text. */
  address: string | null;
}

const encode = encodeURIComponent;
const OWN = __filename;

/** Where the tap writes, and what the main thread was started with. */
interface Taps {
  folder: string;
  preload: string;
}

/** Runs in modules and scripts; without names of its own. */
const starter = ({ folder, preload }: Taps, start: WorkerStart): string =>
  `process.getBuiltinModule("node:module").createRequire("file:///")(${quoted(OWN)}).startWorker(${quoted(folder)},${quoted(preload)},${recordText(start)});`;

const dataUrl = (text: string): string => `data:text/javascript,${encode(text)}`;

/**
 * Both are imported before either runs: a worker that waits for an import while it runs would get the first messages before
 * its own code listens to them.
 */
export const moduleWith = (taps: Taps, start: WorkerStart, address: string): string =>
  dataUrl(`import ${quoted(dataUrl(starter(taps, start)))};import ${quoted(address)};`);

export const scriptWith = (taps: Taps, start: WorkerStart, address: string): string =>
  dataUrl(`${starter(taps, start)}importScripts(${quoted(address)});`);

/** In the first line, so that the lines of the program's code keep their numbers. */
export function textWith(taps: Taps, start: WorkerStart, text: string): string {
  const isStrict = startsWith(text, '"use strict"') || startsWith(text, "'use strict'");
  return `${isStrict ? '"use strict";' : ''}${starter(taps, start)}${text}`;
}

/** It begins with a scheme. */
export function isAbsolute(address: string): boolean {
  for (let i = 0; i < address.length; i++) {
    const unit = charCodeAt(address, i);
    if (unit === 0x3a) return i > 0;
    const isLetter = (unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a;
    const isOther = (unit >= 0x30 && unit <= 0x39) || unit === 0x2b || unit === 0x2d || unit === 0x2e;
    if (!isLetter && !(i > 0 && isOther)) return false;
  }
  return false;
}
