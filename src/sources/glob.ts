/** Finds the files that a glob matches. An interruption ends a walk over a whole disk at once. */
import { readdir, realpath, stat } from 'node:fs';
import { resolve, sep } from 'node:path';
import { isDynamicPattern, glob as walk } from 'tinyglobby';
import { ToolError } from '../model/errors.ts';

/** Absolute paths of the matches; null if the argument is not a glob. @throws ToolError 'interrupted' */
export async function glob(pattern: string, cwd: string, signal?: AbortSignal): Promise<string[] | null> {
  if (!isDynamicPattern(pattern)) return null;
  const matches = await walk(sep === '\\' ? pattern.replaceAll('\\', '/') : pattern, {
    cwd,
    absolute: true,
    expandDirectories: false,
    ignore: pattern.includes('node_modules') ? [] : ['**/node_modules/**'],
    ...(signal && { signal, fs: endingWith(signal) }),
  }).catch((error: unknown) => {
    throw signal?.aborted ? new ToolError('interrupted') : error;
  });
  if (signal?.aborted) throw new ToolError('interrupted');
  return matches.map((match) => resolve(match)).sort();
}

type Callback = (...results: unknown[]) => void;

/** Maximum number of running calls: a call that has begun cannot be cancelled, and the process must wait for it. */
const AT_ONCE = 32;

/** Functions for a walk that run a few calls at a time. After an interruption, waiting calls get an error. */
function endingWith(signal: AbortSignal) {
  const waiting: (() => void)[] = [];
  let running = 0;
  const next = () => {
    while (waiting.length > 0 && (running < AT_ONCE || signal.aborted)) waiting.pop()!();
  };
  signal.addEventListener('abort', next, { once: true });
  const gated = <Call extends typeof readdir | typeof realpath | typeof stat>(call: Call): Call =>
    new Proxy(call, {
      apply(_, self, [...args]: unknown[]) {
        const whenDone = args.pop() as Callback;
        waiting.push(() => {
          if (signal.aborted) return whenDone(new ToolError('interrupted'));
          running++;
          const done: Callback = (...results) => {
            running--;
            whenDone(...results);
            next();
          };
          Reflect.apply(call, self, [...args, done]);
        });
        next();
      },
    });
  return { readdir: gated(readdir), realpath: gated(realpath), stat: gated(stat) };
}
