/** What is told of a payload that was written to a file. */
import type { Run } from '../../model/documents/report.ts';
import type { Trial } from '../../model/documents/trial.ts';
import { bytes } from '../text/numbers.ts';

const POSTED = {
  ...{ done: 'posted', fewer: 'fewer, larger messages' },
  instead: 'an empty message. Post fewer, larger messages.',
};

const isStored = ({ channel }: Run): boolean => channel === 'storage';

/** Size of the file of a rewrite, over all runs of a section. */
export function fileText(trials: readonly Trial[]): string {
  const sizes = trials.flatMap(({ fileBytes }) => fileBytes ?? []).sort((a, b) => a - b);
  const ends = sizes.length === 0 ? [] : [sizes[0]!, sizes.at(-1)!];
  return [...new Set(ends.map(bytes))].join('–');
}

export const originalFile = ([first]: readonly Run[]): string =>
  first !== undefined && isStored(first) && first.wireBytes !== null ? bytes(first.wireBytes) : '';

export const fileSentences = (trial: Trial | undefined, { wireBytes }: Run): string[][] =>
  trial?.fileBytes === undefined || wireBytes === null
    ? []
    : [[`The file has ${bytes(trial.fileBytes)} instead of ${bytes(wireBytes)}.`]];

const IN_PAGE_CACHE =
  'A round trip is one new file in the temp folder, written and read back by one thread: bytes go into the page cache and come out of it, and nothing waits for the disk.';

export const storedText = (run: Run): string[] => (isStored(run) && run.measurement ? [IN_PAGE_CACHE] : []);

/** Names of both directions. */
export const directionsOf = (runs: readonly Run[]): { send: string; receive: string } =>
  runs.every(isStored) ? { send: 'write', receive: 'read' } : { send: 'send', receive: 'receive' };

/** What is done with a payload, for advice. */
export const adviceWords = (run: Run): { done: string; fewer: string; instead: string } =>
  isStored(run)
    ? { done: 'written', fewer: 'fewer, larger files', instead: 'an empty file. Write fewer, larger files.' }
    : POSTED;
