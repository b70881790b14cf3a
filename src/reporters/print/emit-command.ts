/** The command that writes the code of one payload: printed in the answer, and in the head of the code. */
import type { PayloadReport, Run } from '../../model/documents/report.ts';
import { runtimeWord, usualChannel } from '../../model/names.ts';
import { STDIN } from '../../model/report/file-name.ts';

/**
 * Returns the words of a command that reads this payload alone, on the runtime and over the channel of `run`.
 *
 * @param file that the code is written to
 */
export function emitCommand(payload: PayloadReport, run: Run, file: string): string[] {
  const { id, source, traffic } = payload;
  const { runtime, channel, via } = run;
  const name = runtimeWord(runtime);
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
