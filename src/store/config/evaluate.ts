import { statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Waiting } from '../../machine/given-file.ts';
import { ToolError } from '../../model/errors.ts';

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
 * @throws Error: it threw, ended, took too long, or exports what is not data; ToolError 'interrupted'
 */
export function evaluated(file: string, { timeoutMs, signal }: Waiting): Promise<unknown> {
  const url = pathToFileURL(file);
  // Of what a thread of this process loaded before, Bun has the old text.
  url.search = String(statSync(file).mtimeMs);
  const thread = new Worker(THREAD, { eval: true, workerData: url.href });
  const { promise, end } = answered(thread);
  const late = () => end({ failed: `it took longer than ${timeoutMs} ms` });
  const timer = timeoutMs === undefined ? undefined : setTimeout(late, timeoutMs);
  const onAbort = () => end(new ToolError('interrupted'));
  signal?.addEventListener('abort', onAbort, { once: true });
  return promise.finally(async () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    await thread.terminate();
  });
}

function answered(thread: Worker): { promise: Promise<unknown>; end: (answer: Answer | Error) => void } {
  let end: (answer: Answer | Error) => void = () => undefined;
  const promise = new Promise<unknown>((resolve, reject) => {
    end = (answer) => {
      if (answer instanceof Error) reject(answer);
      else if ('failed' in answer) reject(new Error(answer.failed));
      else resolve(answer.content);
    };
    thread.on('message', end);
    thread.on('error', end);
    thread.on('exit', (code) => end({ failed: `it ended (exit code ${code}) before its export was known` }));
  });
  return { promise, end };
}
