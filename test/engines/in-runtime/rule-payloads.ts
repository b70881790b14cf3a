/**
 * Runs in the runtime under test: describes `fires` and `nearMiss` of the modules named on the command line, and asks
 * the engine what it does with fresh ones.
 * usage: rule-payloads <file for the answer> <module URL...>
 */

import { writeFileSync } from 'node:fs';
import { rejectedWith } from '../../../src/engines/probe/oracle-result.ts';
import { noteWasmMemory } from '../../../src/engines/probe/type-detection.ts';
import { refusedEntry } from '../../../src/guest/describe/describe-payload.ts';
import type { Shape } from '../../../src/model/documents/shape.ts';
import { type Channel, channelRow } from '../../../src/model/names.ts';
import type { Versions } from '../../../src/model/rules/rule.ts';
import type { Confirmation } from '../../../src/model/wire/wire.ts';
import { describe } from '../../../src/value/describe/describe.ts';
import { withHidden } from '../../../src/value/describe/shape-rows.ts';
import { probeFor, runningProbe } from '../../support/probe.ts';

export interface PayloadModule {
  fires: () => unknown;
  nearMiss: () => unknown;
  channel?: Channel;
  runtimes?: Versions;
  transfer?: (value: unknown) => unknown[];
}

export interface Described {
  shape: Shape;
  transferring: boolean;
  /** Null for what the oracle is not asked about: transfers and other processes. */
  confirmation: Confirmation | null;
}

export type Answer = Record<string, { fires: Described; nearMiss: Described }>;

async function described(
  make: () => unknown,
  { channel = 'worker', transfer }: PayloadModule,
): Promise<Described> {
  const probe = await probeFor();
  const value = await make();
  const list = (transfer?.(value) ?? []) as Transferable[];
  const transferring = list.length > 0;
  const shape = describe(value, probe, { channel, jsonBytes: true });
  if (transferring) return { shape, transferring, confirmation: refusalOf({ value, transfer: list }, shape) };
  if (channelRow(channel).elsewhere) return { shape, transferring, confirmation: null };
  const confirmation = await runningProbe().confirm(async () => make(), shape, channel);
  return { shape: withHidden(shape, confirmation.hidden), transferring, confirmation };
}

/** As the guest tells what a post with its list throws. */
function refusalOf(built: { value: unknown; transfer: Transferable[] }, shape: Shape): Confirmation | null {
  try {
    structuredClone(built.value, { transfer: built.transfer });
    return null;
  } catch (error) {
    const confirmation = rejectedWith(error, built.value, shape);
    return { ...confirmation, ...refusedEntry({ ...built, how: 'built' }) };
  }
}

noteWasmMemory();
const [answerFile = '', ...urls] = process.argv.slice(2);
const answer: Answer = {};
for (const url of urls) {
  const payload = (await import(url)) as PayloadModule;
  answer[url] = {
    fires: await described(payload.fires, payload),
    nearMiss: await described(payload.nearMiss, payload),
  };
}
writeFileSync(answerFile, JSON.stringify(answer));
