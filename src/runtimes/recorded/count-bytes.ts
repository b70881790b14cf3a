/** Counts the bytes of recorded messages by a process of their runtime, which makes them again. */
import { readFile, writeFile } from 'node:fs/promises';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { packageFile } from '../../machine/package-file.ts';
import { orElse } from '../../model/or-else.ts';
import type { ByteRequest, SizedSample } from '../../model/recording/sizes.ts';
import type { Environment } from '../process/kind.ts';
import { runToEnd } from '../process/run-to-end.ts';

const TIMEOUT_MS = 60_000;
/** Maximum number of messages that one process measures. */
const MAX_REQUESTS = 20_000;

interface CountOptions {
  /** Path of a Bun binary; null: use this program's own runtime, which writes the same bytes as others with V8. */
  binary: string | null;
  /** Empty, the user's own (mode 700). */
  folder: string;
  env: Environment;
}

/** @returns null for messages that could not be counted */
export async function countBytes(
  requests: readonly ByteRequest[],
  { binary, folder, env }: CountOptions,
): Promise<SizedSample[]> {
  const asked = requests.slice(0, MAX_REQUESTS);
  const [file, told] = [join(folder, 'requests.json'), join(folder, 'sizes.json')];
  await writeFile(file, asked.map((one) => `${JSON.stringify(one)}\n`).join(''), { mode: 0o600 });
  const counter = packageFile('dist/guest/sizes.mjs');
  const args = binary === null ? [] : ['--no-install', `--config=${devNull}`, `--env-file=${devNull}`];
  await runToEnd(binary ?? process.execPath, [...args, counter, file, told], {
    ...{ cwd: folder, timeoutMs: TIMEOUT_MS },
    env: { ...env, NODE_OPTIONS: undefined, BUN_OPTIONS: undefined, NODE_V8_COVERAGE: undefined },
  }).catch(() => undefined);
  const lines = (await readFile(told, 'utf8').catch(() => '')).split('\n');
  const answers = lines.map((line) => orElse(() => JSON.parse(line) as SizedSample, null));
  return requests.map((_, i) => answers[i] ?? null);
}
