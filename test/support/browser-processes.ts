/** Linux: what the browsers of a tool run as. */
import { readFileSync } from 'node:fs';
import { processIds, statOf } from '../../src/machine/machine.ts';
import { orElse } from '../../src/model/or-else.ts';

export interface BrowserProcess {
  pid: number;
  group: number;
  /** Its program and arguments. */
  command: string;
  /** Time of the processor, in ticks. */
  ticks: number;
}

function read(pid: number): (BrowserProcess & { environment: string }) | null {
  const [state, , group, ...fields] = statOf(pid);
  if (state === 'Z') return null;
  const text = (name: string) => readFileSync(`/proc/${pid}/${name}`, 'latin1').replaceAll('\0', ' ');
  const ticks = Number(fields[8]) + Number(fields[9]);
  return orElse(
    () => ({ pid, group: Number(group), ticks, command: text('cmdline'), environment: text('environ') }),
    null,
  );
}

/** Linux: all processes of browsers whose environment holds `mark`, with those of their groups. */
export function browserProcesses(mark: string): BrowserProcess[] {
  const all = processIds().flatMap((pid) => (pid === process.pid ? [] : (read(pid) ?? [])));
  const groups = new Set(
    all.filter(({ environment }) => environment.includes(mark)).map(({ group }) => group),
  );
  return all.filter(({ group }) => groups.has(group));
}

/** Processes of pages, as the browsers call them. */
export const isOfPage = ({ command }: BrowserProcess): boolean =>
  /--type=renderer|-isForBrowser|WebKitWebProcess/.test(command);
