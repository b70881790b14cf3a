/** The sites of a recording as payloads of the gate's config. */
import type { LimitResult } from '../../model/documents/check.ts';
import type { LimitsConfig, PayloadConfig } from '../../model/documents/config.ts';
import type { Channel, LibraryName } from '../../model/names.ts';

/** Longer names are cut: file systems allow 255 bytes. */
const MAX_LENGTH = 80;

/** Names of files without an ending, each another: "src/pool.js:41#2" is "src-pool.js-41-2". */
export function fileNames(sites: readonly string[]): string[] {
  const taken = new Set<string>();
  return sites.map((site) => {
    const plain = site
      .replace(/[^\w.-]+/g, '-')
      .replace(/^[.-]+|[.-]+$/g, '')
      .slice(-MAX_LENGTH);
    const base = plain === '' ? 'site' : plain;
    let name = base;
    // Some file systems do not tell capitals apart.
    for (let i = 2; taken.has(name.toLowerCase()); i++) name = `${base}-${i}`;
    taken.add(name.toLowerCase());
    return name;
  });
}

export interface GateSite {
  id: string;
  /** Path, relative to the folder of the config. */
  input: string;
  via: LibraryName | null;
  channel: Channel;
  /** Runtime that it was recorded on; null if that is not known. */
  runtime: string | null;
}

type Common = Record<'runtimes' | 'channels', readonly string[]>;

/** No slower path than now, at most a tenth more bytes; on the recorded runtime if the config lacks its kind. */
export function gateEntry({ id, input, via, channel, runtime }: GateSite, common: Common): PayloadConfig {
  const isThere = runtime === null || common.runtimes.some((spec) => spec.split('@')[0] === runtime);
  const isUsual = common.channels.length === 1 && common.channels[0] === channel;
  return {
    id,
    input,
    export: 'default',
    ...(via === null ? {} : { via }),
    ...(isThere ? {} : { runtimes: [runtime] }),
    ...(isUsual ? {} : { channels: [channel] }),
    limits: { class: 'baseline', maxBytes: '+10%' },
  };
}

const ROOM = 1.1;

/** Loosens the limits that messages break already, so that the gate fails if a message becomes worse. */
export function loosened(unmet: readonly LimitResult[]): LimitsConfig {
  const limits: Record<string, number | 'off'> = {};
  for (const { limit, actual } of unmet) {
    const isNumber = limit === 'maxAmplification' && typeof actual === 'number';
    if (!isNumber) limits[limit] = 'off';
    else limits[limit] = Math.max(Number(limits[limit] ?? 0), Number((actual * ROOM).toFixed(2)));
  }
  return limits as LimitsConfig;
}
