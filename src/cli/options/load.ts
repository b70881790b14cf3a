import type { RequestedLoad } from '../../core/measure/load.ts';
import { ToolError } from '../../model/errors.ts';
import { splitRuntimes } from './values.ts';

const MAX_IN_WINDOW = 10_000;

/**
 * `--load`, `--load 16` (messages always in flight), `--load 5000/s` (messages due a second). A payload that follows a
 * bare `--load` is not a load and goes back to the payloads.
 */
export function splitLoad(flag: unknown): { load: RequestedLoad | null; payloads: string[] } {
  if (flag === undefined || flag === false) return { load: null, payloads: [] };
  if (typeof flag !== 'string') return { load: 'usual', payloads: [] };
  const { payloads } = splitRuntimes([flag]);
  if (payloads.length > 0 || flag === '-') return { load: 'usual', payloads: [flag] };
  return { load: loadOf(flag), payloads: [] };
}

function loadOf(text: string): RequestedLoad {
  const rate = Number(/^(\d+(?:\.\d+)?)\/s$/.exec(text)?.[1]);
  if (rate > 0) return { perSecond: rate };
  const window = Number(/^\d+$/.exec(text)?.[0]);
  if (window >= 1 && window <= MAX_IN_WINDOW) return { window };
  throw new ToolError('usage', {
    detail: `--load: '${text}' is not a valid load. Write 16 for 16 messages always in flight (at most ${MAX_IN_WINDOW}), or 5000/s for 5000 a second`,
  });
}
