import { once } from 'node:events';
import { statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Waiting } from '../../machine/given-file.ts';

/** What the thread posts. */
type Answer = { content: unknown } | { failed: string };

/** Only data leaves the thread. */
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads');
const tell = (failed) => parentPort.postMessage({ failed });
const post = ({ default: content }) => {
  try {
    parentPort.postMessage({ content });
  } catch {
    tell('its default export is more than data: a function, or a class');
  }
};
import(workerData).then(post, (error) => tell(String(error?.message ?? error)));
`;

/**
 * The default export of a module, evaluated in a thread of its own: a config that calls `process.exit(0)`, listens to the
 * end of the process or changes globals does so there, and the gate goes on.
 *
 * @throws Error: it threw, ended, took too long, was interrupted, or exports what is not data
 */
export async function evaluated(file: string, { timeoutMs = MOST_MS, signal }: Waiting): Promise<unknown> {
  const url = pathToFileURL(file);
  // Of what a thread of this process loaded before, Bun has the old text.
  url.search = String(statSync(file).mtimeMs);
  const late = AbortSignal.timeout(timeoutMs);
  const stop = { signal: AbortSignal.any(signal ? [late, signal] : [late]) };
  const thread = new Worker(THREAD, { eval: true, workerData: url.href });
  const ended = ([code]: unknown[]): [Answer] => [
    { failed: `it ended (exit code ${code}) before its export was known` },
  ];
  try {
    const [answer]: Answer[] = await Promise.race([
      once(thread, 'message', stop),
      once(thread, 'exit', stop).then(ended),
    ]);
    if (answer && 'content' in answer) return answer.content;
    throw new Error(answer?.failed);
  } catch (error) {
    throw late.aborted ? new Error(`it took longer than ${timeoutMs} ms`) : error;
  } finally {
    await thread.terminate();
  }
}

/** As long as a timer can wait. */
const MOST_MS = 2 ** 31 - 1;
