/** Advice for what was recorded of each site, beside that for a message that was really posted there. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeJob } from '../../src/app/job/describe.ts';
import { GuestSlot } from '../../src/app/job/guest-slot.ts';
import { Job, type Tools } from '../../src/app/job/job.ts';
import { proposalsFor } from '../../src/app/job/prove.ts';
import { realServices } from '../../src/app/world/services.ts';
import type { Recording } from '../../src/model/documents/recorded/recording.ts';
import type { Recipe, Recorded, Source } from '../../src/model/report/recipe.ts';
import type { FoundRuntime } from '../../src/model/run/runtime.ts';
import { valuePath } from '../../src/record/envelopes/envelopes.ts';
import { ALL_SITES, recordingSources } from '../../src/record/files/recipes.ts';
import { recordingText } from '../../src/record/files/recording-files.ts';
import { keyOfGroup } from './agreement.ts';
import type { Counted, Posted } from './counter/counted.ts';
import { TOLD_VALUE } from './runs.ts';

export interface AdviceAgreement {
  /** Name of the site in reports. */
  id: string;
  /** Verdict, rules and rewrites for the one only. */
  recorded: string[];
  posted: string[];
}

export const isOther = ({ recorded, posted }: AdviceAgreement): boolean =>
  recorded.length + posted.length > 0;

interface Place {
  folder: string;
  runtime: FoundRuntime;
}

const TIMEOUT_MS = 30_000;

const { tools: given } = realServices({ cwd: process.cwd, env: process.env, stdin: process.stdin });
const tools: Tools = { ...given, emit: () => undefined };

/** A module that makes a message which was posted; in a library's envelope its value alone. */
function moduleOf({ told }: Posted, { via }: Recipe): string {
  const inside = via ? valuePath(via).slice(1) : '';
  return `const exports = undefined;
${TOLD_VALUE}
const told = ${JSON.stringify(told)};
const lists = new Map();
export default () => {
  const { value, transfer } = madeValue(told);
  lists.set(value${inside}, transfer);
  return value${inside};
};
${(told as { listed: unknown[] }).listed.length === 0 || via ? '' : 'export const transfer = (value) => lists.get(value);'}
`;
}

const isReady = (source: Source): source is Extract<Source, { kind: 'ready' }> & { recorded: Recorded } =>
  source.kind === 'ready' && source.recorded !== undefined;

/** How far the bytes of the two may be apart: a sample of parts of a message tells them about. */
const APART = 0.02;
/** Messages that are alike may be stored otherwise, as the engine learns: what was recorded is one of them. */
const MAX_ALIKE = 3;

/** Those of the size of the recorded one. */
function likest(posted: readonly Posted[], size: number): Posted[] {
  const apart = (one: Posted) => (one.size === null ? Number.POSITIVE_INFINITY : Math.abs(one.size - size));
  return posted
    .filter((one) => apart(one) <= APART * size)
    .sort((a, b) => apart(a) - apart(b))
    .slice(0, MAX_ALIKE);
}

/** @param tellsSites else only calls are told apart */
export async function adviceOf(
  recording: Recording,
  { posted }: Counted,
  { folder, runtime }: Place,
  tellsSites = true,
): Promise<AdviceAgreement[]> {
  const path = join(folder, 'app.cprof');
  writeFileSync(path, recordingText(recording));
  const input = { path, shown: 'app.cprof', prefix: '', folder: join(folder, 'samples') };
  const all = { ...ALL_SITES, top: Number.MAX_SAFE_INTEGER };
  const sources = (await recordingSources(input, all)).filter(isReady);
  mkdirSync(join(folder, 'posted'));
  const pairs = sources.flatMap(({ recipe, recorded }, index) => {
    const { traffic } = recorded;
    if (traffic.typicalBytes == null) return [];
    const alike = likest(posted.get(keyOfGroup(traffic, tellsSites)) ?? [], traffic.typicalBytes);
    const real = alike.map((message, nth): Recipe => {
      const file = join(folder, 'posted', `${index}-${nth}.mjs`);
      writeFileSync(file, moduleOf(message, recipe));
      return {
        ...recipe,
        build: { form: 'module', file, original: file, export: 'default', generated: true },
      };
    });
    return real.length === 0 ? [] : [{ recorded, recipe, real }];
  });
  const realOf = new Map(pairs.map(({ recipe, real }) => [recipe.id, real[0]!]));
  const slot = new GuestSlot(tools, runtime, { timeoutMs: TIMEOUT_MS, cwd: folder });
  try {
    const agreements: AdviceAgreement[] = [];
    for (const { recorded, recipe, real } of pairs) {
      const samples = recorded.samples?.filter(({ id }) => realOf.has(id)) ?? [recipe];
      const ofRecorded = await wordsOf(slot, recorded, recipe, samples);
      const others = samples.map(({ id }) => realOf.get(id)!);
      const found: AdviceAgreement[] = [];
      for (const one of real) {
        const all = others.map((other) => (other === real[0] ? one : other));
        found.push(agreementOf(recipe.id, ofRecorded, await wordsOf(slot, recorded, one, all)));
        if (!isOther(found.at(-1)!)) break;
      }
      // The first, if none agrees.
      agreements.push(found.find((one) => !isOther(one)) ?? found[0]!);
    }
    return agreements;
  } finally {
    await slot.close();
  }
}

type Words = ReadonlySet<string>;

function agreementOf(id: string, recorded: Words, posted: Words): AdviceAgreement {
  const without = (words: Words, others: Words) => [...words].filter((one) => !others.has(one));
  return { id, recorded: without(recorded, posted), posted: without(posted, recorded) };
}

/** As many plans as are proven and timed. */
const MAX_PLANS = 6;

async function wordsOf(
  slot: GuestSlot,
  { channel, traffic }: Recorded,
  recipe: Recipe,
  samples: readonly Recipe[],
): Promise<Set<string>> {
  const transferring = traffic.transfer.listed > 0;
  const job = new Job({
    ...{ recipe, slot, channel: channel ?? 'worker', tools, seed: 1, samples, transferring },
  });
  const { verdict, findings, error } = await describeJob(job, { thorough: false });
  const terms = { isSequence: recipe.sequence !== undefined };
  const { proposals } = await proposalsFor(job, MAX_PLANS, terms);
  return new Set([
    error === null ? `${verdict?.class} ${verdict?.path}` : error.code,
    ...findings.map(({ level, rule }) => `${level} ${rule}`),
    ...proposals.map(({ remedy }) => `rewrite ${remedy}`),
  ]);
}
