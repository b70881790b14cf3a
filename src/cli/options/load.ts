import type { LoadWish } from '../../core/measure/load.ts';
import { ToolError } from '../../model/errors.ts';
import { splitRuntimes } from './values.ts';

const MOST_IN_WINDOW = 10_000;

/**
 * `--load`, `--load 16` (so many messages always on the way), `--load 5000/s` (so many due a second). A payload that
 * follows a bare `--load` is no load, so it goes back to the payloads.
 */
export function splitLoad(flag: unknown): { load: LoadWish | null; payloads: string[] } {
  if (flag === undefined || flag === false) return { load: null, payloads: [] };
  if (typeof flag !== 'string') return { load: 'usual', payloads: [] };
  const { payloads } = splitRuntimes([flag]);
  if (payloads.length > 0 || flag === '-') return { load: 'usual', payloads: [flag] };
  return { load: offerOf(flag), payloads: [] };
}

function offerOf(text: string): LoadWish {
  const rate = Number(/^(\d+(?:\.\d+)?)\/s$/.exec(text)?.[1]);
  if (rate > 0) return { perSecond: rate };
  const window = Number(/^\d+$/.exec(text)?.[0]);
  if (window >= 1 && window <= MOST_IN_WINDOW) return { window };
  throw new ToolError('usage', {
    detail: `--load: '${text}' is no load. Write 16 for 16 messages always on the way (at most ${MOST_IN_WINDOW}), or 5000/s for 5000 a second`,
  });
}
