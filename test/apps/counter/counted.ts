/** What the counter in a program wrote, by call and site. It shares no code with the recorder. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

export interface CountedSite {
  count: number;
  /** null where the counter could not size a message. */
  bytes: number | null;
}

export interface Counted {
  threads: number;
  /** By "api site": the site is a file and line below the folder of the program, or the name of a library. */
  sites: Map<string, CountedSite>;
}

interface Line {
  api: string;
  site: string;
  bytes: number | null;
  threw?: true;
}

/** @param folder where the counter wrote @param root folder of the program */
export function counted(folder: string, root: string): Counted {
  const sites: Counted['sites'] = new Map();
  const names = readdirSync(folder).filter((name) => name.endsWith('.ndjson'));
  for (const name of names) {
    const lines = readFileSync(join(folder, name), 'utf8').split('\n').slice(0, -1);
    for (const line of lines) add(sites, JSON.parse(line) as Line, root + sep);
  }
  return { threads: names.length, sites };
}

function add(sites: Counted['sites'], { api, site, bytes, threw }: Line, root: string): void {
  const key = `${api} ${site.startsWith(root) ? site.slice(root.length) : site}`;
  const known = sites.get(key) ?? { count: 0, bytes: 0 };
  const sign = threw ? -1 : 1;
  const isSized = known.bytes !== null && (bytes !== null || threw);
  sites.set(key, {
    count: known.count + sign,
    bytes: isSized ? known.bytes! + sign * (bytes ?? 0) : null,
  });
}
