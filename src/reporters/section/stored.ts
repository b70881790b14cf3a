/** What is told of a payload that was stored: in a file, or in a database of IndexedDB. */
import type { Measurement } from '../../model/documents/measurement.ts';
import type { Run } from '../../model/documents/report.ts';
import type { Trial } from '../../model/documents/trial.ts';
import type { Channel } from '../../model/names.ts';
import { bytes, medianText, time } from '../text/numbers.ts';

const isFile = ({ channel }: Run): boolean => channel === 'storage';

/** Size of the file of a rewrite, over all runs of a section. */
export function fileText(trials: readonly Trial[]): string {
  const sizes = trials.flatMap(({ fileBytes }) => fileBytes ?? []).sort((a, b) => a - b);
  const ends = sizes.length === 0 ? [] : [sizes[0]!, sizes.at(-1)!];
  return [...new Set(ends.map(bytes))].join('–');
}

export const originalFile = ([first]: readonly Run[]): string =>
  first !== undefined && isFile(first) && first.wireBytes !== null ? bytes(first.wireBytes) : '';

/** How long the call blocks the thread, over all runs of a section. */
export function blocksText(trials: readonly Trial[]): string {
  const times = trials.flatMap(({ blocksNs }) => blocksNs ?? []).sort((a, b) => a - b);
  const ends = times.length === 0 ? [] : [times[0]!, times.at(-1)!];
  return [...new Set(ends.map(time))].join('–');
}

export const originalBlocks = (runs: readonly Run[]): string =>
  runs.length === 1 && runs[0]!.measurement?.database ? medianText(runs[0]!.measurement.send!) : '';

/** What else an advised rewrite changes. */
export function storedSentences(trial: Trial | undefined, { wireBytes, measurement }: Run): string[][] {
  const { fileBytes, blocksNs } = trial ?? {};
  const send = measurement?.send ?? null;
  const isSmaller = fileBytes !== undefined && wireBytes !== null;
  return [
    ...(isSmaller ? [[`The file has ${bytes(fileBytes)} instead of ${bytes(wireBytes)}.`]] : []),
    ...(blocksNs !== undefined && send !== null
      ? [[`Until put returns, the thread is blocked for ${time(blocksNs)} instead of ${time(send.median)}.`]]
      : []),
  ];
}

const WHERE: Partial<Record<Channel, string>> = {
  storage:
    'A round trip is one new file in the temp folder, written and read back by one thread: bytes go into the page cache and come out of it, and nothing waits for the disk.',
  indexeddb:
    'A round trip is one record that is put, with a key out of line and the default durability, and got back when its transaction is complete: put clones the value and blocks the thread; transaction and get are waited for.',
  'electron-bridge':
    'A round trip is one argument of a function that contextBridge exposes, and one result of another: each is a copy between the worlds of a page, and blocks its one thread.',
};

export const storedText = ({ channel, measurement }: Run): string[] => {
  const text = WHERE[channel];
  return text !== undefined && measurement ? [text] : [];
};

/** Names of both directions. */
const POSTED = {
  ...{ done: 'posted', fewer: 'fewer, larger messages' },
  instead: 'an empty message. Post fewer, larger messages.',
};
const WORDS: Partial<Record<Channel, typeof POSTED>> = {
  storage: {
    ...{ done: 'written', fewer: 'fewer, larger files' },
    instead: 'an empty file. Write fewer, larger files.',
  },
  indexeddb: {
    ...{ done: 'stored', fewer: 'fewer, larger records' },
    instead: 'an empty record. Put fewer, larger records.',
  },
};

/** What is done with a payload, for advice. */
export const adviceWords = ({ channel }: Run): typeof POSTED => WORDS[channel] ?? POSTED;

const DIRECTIONS: Partial<Record<Channel, { send: string; receive: string }>> = {
  storage: { send: 'write', receive: 'read' },
  indexeddb: { send: 'put (blocks)', receive: 'get' },
  'electron-bridge': { send: 'argument (blocks)', receive: 'result (blocks)' },
};

export function directionsOf(runs: readonly Run[]): { send: string; receive: string } {
  const [first, ...others] = new Set(runs.map(({ channel }) => channel));
  const names = first !== undefined && others.length === 0 ? DIRECTIONS[first] : undefined;
  return names ?? { send: 'send', receive: 'receive' };
}

/** Rows of the times of one run, beside those of both directions. */
export const databaseRows = ({ database }: Measurement) =>
  database === undefined
    ? []
    : [
        {
          name: 'transaction',
          estimate: database.transaction,
          p95: '',
          floor: database.floor.transaction,
        },
        ...(database.result === null
          ? []
          : [
              {
                name: 'request.result (blocks)',
                estimate: database.result,
                p95: '',
                floor: database.floor.result,
              },
            ]),
      ];
