/** Commands that a reader can copy into a shell. */
import type { PayloadReport, Run } from '../../model/documents/report.ts';
import { runtimeWord, usualChannel } from '../../model/names.ts';
import { STDIN } from '../../model/report/recipe.ts';

const PLAIN_WORD = /^[\w./@%+=:,-]+$/;

const shellWord = (word: string): string =>
  PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

export const shellCommand = (words: readonly string[]): string => words.map(shellWord).join(' ');

/** Words of a command that reads this payload alone, like `run`, and writes the advised code to the file. */
export function emitCommand({ id, source, traffic }: PayloadReport, run: Run, file: string): string[] {
  const { runtime, channel, via, spec } = run;
  const name = spec ?? runtimeWord(runtime);
  const input = source.line === undefined ? source.file : `${source.file}${kindOfLines(id, via?.library)}`;
  return [
    ...['clone-prof', 'analyze', source.file === STDIN ? '-' : input],
    ...(source.export === null ? [] : ['-e', source.export]),
    // A recorded message has the envelope that its program gave it.
    ...(traffic !== undefined ? ['--site', id] : via === undefined ? [] : ['--via', via.library]),
    ...(name === 'node' ? [] : ['-r', name]),
    ...(channel === usualChannel(runtime.name) ? [] : ['-c', channel]),
    ...['--emit', file],
  ];
}

/** "#order" of "log#order" and of "log#order via piscina": each kind of lines of an NDJSON file is a payload. */
function kindOfLines(id: string, library = ''): string {
  const end = ` via ${library}`;
  const own = id.endsWith(end) ? id.slice(0, -end.length) : id;
  return own.slice(own.lastIndexOf('#'));
}
