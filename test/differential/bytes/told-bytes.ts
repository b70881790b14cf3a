/** What `analyze` tells of the bytes of each export. */
import type { PostBytes } from '../../../src/model/documents/classification.ts';
import type { Report } from '../../../src/model/documents/report.ts';
import type { Channel } from '../../../src/model/names.ts';
import type { FoundRuntime } from '../../../src/model/run/runtime.ts';
import { spawnCli } from '../../support/spawn-cli.ts';

/** Processes that mostly wait: memory and bytes do not depend on what runs beside them. */
const RUNNING = 4;

export async function inTurns<I, T>(items: readonly I[], run: (item: I) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let from = 0; from < items.length; from += RUNNING)
    results.push(...(await Promise.all(items.slice(from, from + RUNNING).map(run))));
  return results;
}

/** Values that share a process. What ran before decides how JavaScriptCore stores an array. */
const AT_ONCE = { v8: 20, jsc: 1 };

/** By "name channel". */
export async function toldBytes(
  runtime: FoundRuntime,
  file: string,
  names: readonly string[],
  channels: readonly Channel[],
): Promise<Map<string, PostBytes | null>> {
  const told = new Map<string, PostBytes | null>();
  const size = runtime.engine === 'jsc' ? AT_ONCE.jsc : AT_ONCE.v8;
  const groups = Array.from({ length: Math.ceil(names.length / size) }, (_, at) =>
    names.slice(at * size, (at + 1) * size),
  );
  await inTurns(groups, async (group) => {
    const args = ['analyze', file, '-e', ...group, '-r', runtime.binary, '-c', ...channels];
    const { stdout } = await spawnCli([...args, '--no-measure', '-f', 'json']);
    const { payloads } = JSON.parse(stdout) as Report;
    for (const { source, runs } of payloads)
      for (const { channel, bytes, verdict } of runs)
        if (bytes || verdict?.class === 'rejected') told.set(`${source.export} ${channel}`, bytes ?? null);
  });
  return told;
}
