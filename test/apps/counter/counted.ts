/** What the counter in a program wrote, by call and site. It shares no code with the recorder. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

export interface CountedSite {
  count: number;
  /** null where the counter could not size a message. */
  bytes: number | null;
}

/** A message that was posted, as `told-value.cjs` tells it. */
export interface Posted {
  /** Serialized. */
  size: number | null;
  told: unknown;
}

export interface Counted {
  threads: number;
  /** By "api site": the site is a file and line below the folder of the program, the name of a library, or not told. */
  sites: Map<string, CountedSite>;
  /** Posts that threw, by api. */
  thrown: Map<string, number>;
  /** Some of the messages of each site. */
  posted: Map<string, Posted[]>;
}

interface Line {
  api: string;
  site: string;
  bytes: number | null;
  threw?: true;
  message?: Posted | null;
}

/** @param root folder of the program */
export function countedOf(lines: readonly Line[], root: string): Omit<Counted, 'threads'> {
  const sites: Counted['sites'] = new Map();
  const thrown: Counted['thrown'] = new Map();
  const posted: Counted['posted'] = new Map();
  for (const line of lines) {
    const key = keyOf(line, root + sep);
    add(sites, line, key);
    if (line.message) posted.set(key, [...(posted.get(key) ?? []), line.message]);
    if (line.threw) thrown.set(line.api, (thrown.get(line.api) ?? 0) + 1);
  }
  return { sites, thrown, posted };
}

/** @param folder where the counter wrote @param root folder of the program */
export function counted(folder: string, root: string): Counted {
  const names = readdirSync(folder).filter((name) => name.endsWith('.ndjson'));
  const texts = names.map((name) => readFileSync(join(folder, name), 'utf8'));
  const lines = texts.flatMap((text) => text.split('\n').slice(0, -1));
  return {
    threads: names.length,
    ...countedOf(
      lines.map((line) => JSON.parse(line) as Line),
      root,
    ),
  };
}

const keyOf = ({ api, site }: Line, root: string): string =>
  `${api} ${site.startsWith(root) ? site.slice(root.length) : site}`.trimEnd();

function add(sites: Counted['sites'], { bytes, threw }: Line, key: string): void {
  const known = sites.get(key) ?? { count: 0, bytes: 0 };
  const sign = threw ? -1 : 1;
  const isSized = known.bytes !== null && (bytes !== null || threw);
  sites.set(key, {
    count: known.count + sign,
    bytes: isSized ? known.bytes! + sign * (bytes ?? 0) : null,
  });
}
