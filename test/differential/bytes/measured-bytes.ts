/** Bytes of messages: measured by the independent program, which counts what it writes, and told by `analyze`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { PostBytes } from '../../../src/model/documents/classification.ts';
import type { Report } from '../../../src/model/documents/report.ts';
import { type Channel, IPC_CHANNELS } from '../../../src/model/names.ts';
import type { FoundRuntime } from '../../../src/model/run/runtime.ts';
import { spawnCli } from '../../support/spawn-cli.ts';

/** `structured-clone` has no message that could be on its way. */
const PORTS: readonly Channel[] = ['worker', 'message-port', 'broadcast'];
export const MEASURED: Readonly<Record<string, readonly Channel[]>> = {
  node: [...PORTS, 'ipc-json', 'ipc-advanced'],
  bun: [...PORTS, 'ipc-json', 'ipc-advanced'],
  deno: [...PORTS, 'node-worker', 'ipc-json', 'ipc-advanced'],
};

const FLAGS: Readonly<Record<string, readonly string[]>> = {
  node: ['--expose-gc'],
  bun: [],
  deno: ['run', '-A', '--no-lock', '--no-config', '--unstable-broadcast-channel', '--v8-flags=--expose-gc'],
};
const PROGRAM = fileURLToPath(new URL('./measured.mjs', import.meta.url));
const TIMEOUT_MS = 60_000;

interface Printed {
  memory?: number;
  event?: number | null;
  refused?: string;
}

/** What the program printed, and the bytes that went through its connection. */
async function printed(
  { name, binary }: FoundRuntime,
  args: readonly string[],
  channel: Channel,
): Promise<{ answer: Printed; written: number }> {
  const child = spawn(binary, [...FLAGS[name]!, PROGRAM, ...args], {
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    timeout: TIMEOUT_MS,
    env: {
      ...process.env,
      // glibc gives what is freed back at once, and a message pages of its own.
      MALLOC_MMAP_THRESHOLD_: '65536',
      ...(IPC_CHANNELS.includes(channel) && {
        NODE_CHANNEL_FD: '3',
        NODE_CHANNEL_SERIALIZATION_MODE: channel === 'ipc-json' ? 'json' : 'advanced',
      }),
    },
  });
  let written = 0;
  let text = '';
  (child.stdio[3] as Readable).on('data', (chunk: Buffer) => {
    written += chunk.length;
  });
  child.stdout!.on('data', (chunk: Buffer) => {
    text += chunk;
  });
  await once(child, 'close');
  return { answer: text === '' ? { refused: 'it ended' } : (JSON.parse(text) as Printed), written };
}

export async function measuredBytes(
  runtime: FoundRuntime,
  file: string,
  name: string,
  channel: Channel,
): Promise<MeasuredBytes> {
  if (IPC_CHANNELS.includes(channel)) {
    const one = await printed(runtime, [file, name, channel, '1'], channel);
    if (one.answer.refused !== undefined) return { refused: one.answer.refused };
    // Without what is written once, such as the version of the protocol.
    const three = await printed(runtime, [file, name, channel, '3'], channel);
    return { bytes: (three.written - one.written) / 2 };
  }
  const { answer } = await printed(runtime, [file, name, channel], channel);
  if (answer.refused !== undefined) return { refused: answer.refused };
  // Bun's event counts what is shared too; memory what the allocator adds.
  return { bytes: Math.min(answer.memory!, answer.event ?? Number.POSITIVE_INFINITY) };
}

/** Bytes of one message; the error where it is refused. */
export type MeasuredBytes = { bytes: number } | { refused: string };

const MAX_OFF = 0.05;
/** The envelope of a message, and the page that an allocation ends with. */
const ENVELOPE = 6000;

/**
 * `off`: share by which the told bytes are off; null where one of both is none. `complaint`: "" when they agree.
 * @param told null when it is refused, undefined when nothing was told
 */
export function comparedBytes(name: string, told: PostBytes | null | undefined, measured: MeasuredBytes) {
  if (told === undefined) return { name, off: null, complaint: 'nothing was told' };
  if ('refused' in measured) {
    const complaint = told === null ? '' : `told ${told.copied} bytes, refused: ${measured.refused}`;
    return { name, off: null, complaint };
  }
  const { bytes } = measured;
  if (told === null) return { name, off: null, complaint: `told to be refused, ${bytes} bytes` };
  const apart = Math.abs(told.copied - bytes);
  const off = apart <= ENVELOPE ? 0 : apart / Math.max(bytes, told.copied);
  const complaint =
    off <= MAX_OFF ? '' : `told ${told.copied} bytes (${told.by}), measured ${Math.round(bytes)}`;
  return { name, off, complaint };
}

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
