/** How tests count the bytes of recorded messages. */

import { countBytes } from '../../src/record/program/recorder.ts';
import type { CountBytes } from '../../src/record/threads/sample-bytes.ts';

/** By processes, as the command does. @param bun binary of the program where it runs on Bun */
export const countedIn =
  (folder: string, bun: string | null = null): CountBytes =>
  async (runtime, requests) =>
    runtime === 'bun' && bun === null
      ? requests.map(() => null)
      : countBytes(requests, { binary: runtime === 'bun' ? bun : null, folder, env: process.env });

/** Of hand-written messages: as many as their texts have units. */
export const unitsOfTexts: CountBytes = async (_, requests) =>
  requests.map(({ body }) => {
    const units = [...body.matchAll(/\btext\((\d+)/g)].map(([, text]) => Number(text));
    return { bytes: units.reduce((sum, one) => sum + one, 0), error: 0 };
  });
