import { openCodec } from './codec.ts';
import { original, PEERS } from './peers.ts';
import { arrivedWhole } from './same.ts';
import type { OpenWay, Way } from './way.ts';

/** What the program is asked, and tells its worker. */
export interface Ask {
  /** Address of JSON. */
  payload: string;
  /** Address of a module; null: there is none. */
  codec: string | null;
  seed: number;
  /** Messages in a row of each way: a program that posts one thing does not pay for another's garbage. */
  block: number;
  /** To time, after a quarter of that to warm up. */
  ms: number;
}

export interface Competitor extends Way {
  /** What it sends. Reading a value can change how engines store it, so those that matter most have their own. */
  value: unknown;
}

const messageOf = (error: unknown) => String(error).split('\n')[0]!.slice(0, 120);

/** Why not; null: what it sends arrives. */
function fault({ toMessage, fromMessage, transferList, isLenient }: Way, value: unknown): string | null {
  const message = toMessage(value);
  const got = fromMessage(structuredClone(message, { transfer: transferList(message) }));
  return arrivedWhole(value, got, isLenient) ? null : 'what arrives is not equal';
}

async function textAt(url: string): Promise<string> {
  if (!url.startsWith('file:')) return (await fetch(url)).text();
  return (await import('node:fs')).readFileSync(new URL(url), 'utf8');
}

/** Both sides open the same, in the same order. `cannot`: by name, why it takes no part. */
export async function openWays({
  payload,
  codec,
}: Ask): Promise<{ ways: Competitor[]; cannot: Record<string, string> }> {
  const text = await textAt(payload);
  const [posted, shared, own] = [text, text, text].map((json) => JSON.parse(json) as unknown);
  const codecs = codec === null ? {} : await openCodec(codec);
  const candidates: [string, OpenWay, unknown][] = [
    ['original', original, posted],
    ...Object.entries(PEERS).map(([name, open]): [string, OpenWay, unknown] => [name, open, shared]),
    ...Object.entries(codecs).map(([name, open]): [string, OpenWay, unknown] => [name, open, own]),
  ];
  const ways: Competitor[] = [];
  const cannot: Record<string, string> = {};
  for (const [name, open, value] of candidates) {
    try {
      const way = open(value);
      const why = fault(way, value);
      if (why === null) ways.push({ ...way, value });
      else cannot[name] = why;
    } catch (error) {
      cannot[name] = messageOf(error);
    }
  }
  return { ways, cannot };
}
