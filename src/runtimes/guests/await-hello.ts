import { ToolError } from '../../model/errors.ts';
import type { StartOptions } from '../../model/run/runtime.ts';
import type { Body } from './body.ts';

/**
 * What a guest that is being started connects with. When it does not in time, its body is killed, and has ended when this
 * rejects.
 *
 * @param ended the body, or what is alive in it, has ended before, with the reason for the error
 * @throws ToolError 'guest-silent', 'interrupted'
 */
export function awaitHello<T>(
  spec: string,
  connected: Promise<T>,
  ended: Promise<string>,
  body: Body,
  { timeoutMs, signal }: Pick<StartOptions, 'timeoutMs' | 'signal'>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    const stopWaiting = () => {
      isOver = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', interrupted);
    };
    const giveUp = (error: ToolError) => {
      stopWaiting();
      body.kill();
      void body.ended.then(() => reject(error));
    };
    const silent = (detail: string) => {
      if (!isOver) giveUp(new ToolError('guest-silent', { value: spec, detail, output: body.excerpt() }));
    };
    const interrupted = () => giveUp(new ToolError('interrupted'));
    const timer = setTimeout(() => silent(`nothing within ${timeoutMs} ms`), timeoutMs);
    signal?.addEventListener('abort', interrupted, { once: true });
    void connected.then((connection) => {
      if (isOver) return;
      stopWaiting();
      resolve(connection);
    });
    void ended.then(silent);
  });
}
