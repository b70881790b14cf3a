/** Starts the independent program, and counts what it writes to another process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type Channel, IPC_CHANNELS } from '../../../src/model/names.ts';
import type { FoundRuntime } from '../../../src/model/run/runtime.ts';
import type { MeasuredBytes } from './compared-bytes.ts';

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
