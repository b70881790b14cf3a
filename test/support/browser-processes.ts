/** Linux: what the browsers of a tool run as. */
import { readdirSync, readFileSync } from 'node:fs';

export interface BrowserProcess {
  pid: number;
  group: number;
  /** Its program and arguments. */
  command: string;
  /** Time of the processor, in ticks. */
  ticks: number;
}

function read(pid: string): (BrowserProcess & { environment: string }) | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state, , group, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z') return null;
    const text = (name: string) => readFileSync(`/proc/${pid}/${name}`, 'latin1').replaceAll('\0', ' ');
    const ticks = Number(fields[8]) + Number(fields[9]);
    return {
      ...{ pid: Number(pid), group: Number(group), ticks },
      command: text('cmdline'),
      environment: text('environ'),
    };
  } catch {
    return null;
  }
}

/** Linux: all processes of browsers whose environment holds `mark`, with those of their groups. */
export function browserProcesses(mark: string): BrowserProcess[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => read(pid) ?? []);
  const groups = new Set(
    all.filter(({ environment }) => environment.includes(mark)).map(({ group }) => group),
  );
  return all.filter(({ group }) => groups.has(group));
}

/** Processes of pages, as the browsers call them. */
export const isOfPage = ({ command }: BrowserProcess): boolean =>
  /--type=renderer|-isForBrowser|WebKitWebProcess/.test(command);
