import { realServices, withWorkFolder } from '../services/services.ts';
import type { Fetching, Work } from '../services/work.ts';
import type { RunOptions } from './run-options.ts';

export const fetchingOf = ({ offline, projectNpmrc }: RunOptions): Fetching => ({
  offline: offline ?? false,
  projectNpmrc: projectNpmrc ?? false,
});

export function withWork<T>(options: RunOptions, run: (work: Work) => Promise<T>): Promise<T> {
  const { cwd = process.cwd(), onEvent: emit = () => {} } = options;
  const { env, stdin } = process;
  const services = realServices({ cwd: () => cwd, env, stdin });
  // One that nobody aborts.
  const signal = options.signal ?? new AbortController().signal;
  return withWorkFolder((workdir) => run({ services, cwd, env, emit, signal, workdir }));
}
