/** Told against real losses of many values on one runtime, and those that differ. */
import { lossErrors, toldLosses } from '../../src/engines/classify/observed.ts';
import { compareVersions } from '../../src/engines/versions/versions.ts';
import type { Shape } from '../../src/model/documents/shape.ts';
import { type Channel, channelRow, IPC_CHANNELS, isJson } from '../../src/model/names.ts';
import type { Engine } from '../../src/model/rules/rule.ts';
import type { FoundRuntime } from '../../src/model/run/runtime.ts';
import type { Flag } from '../../src/model/vocabulary/shape.ts';
import type { RealLoss } from '../../src/model/wire/wire.ts';
import { pageRunner } from './losses-in-page.ts';
import type { LossAnswer } from './losses-in-runtime.ts';
import { lossyProgramAt } from './lossy-values.ts';
import { type ValueRunner, valueRunner } from './oracle-runner.ts';
import { sourceOf } from './program.ts';

export type LossRunner = ValueRunner<LossAnswer>;
export const lossRunner = (channel: Channel, isInPage = false): Promise<LossRunner> =>
  isInPage ? pageRunner(channel) : valueRunner<LossAnswer>('./losses-in-runtime.ts', channel);

export interface Against {
  runner: LossRunner;
  runtime: FoundRuntime;
  channel: Channel;
  engine: Engine;
}

export type WrongLoss = { index: number; source: string; why: string };

const BATCH = 250;

/** The user may have put a number or an object in the place of the text. */
const losesStackOfException = ({ patterns }: Shape, losses: readonly RealLoss[]): boolean =>
  patterns.some(({ tag }) => tag === 'DOMException') &&
  losses.some(({ path, what }) => path.endsWith('.stack') && what.endsWith(' became absent'));

/** More are not listed one by one. */
const MAX_LISTED = 100;

/** Up to 1.3 one value that it cannot send, which a getter may give, makes others arrive in the place of others. */
const isOldBun = ({ name, version }: FoundRuntime) => name === 'bun' && compareVersions(version, '1.4.0') < 0;

/** `types.isBigIntObject` of Bun up to 1.3.14 is false once the object has a property, and its prototype is another's. */
const LOST_SLOT = /setPrototypeOf.*Object\(1n\)/;

/** No code of a page can see there that a value is a Proxy: the tool takes the refusal of the engine. */
const HIDES_PROXIES: readonly string[] = ['firefox', 'webkit'];
const PROXY = /new Proxy\(/;
const isRefused = (answer: LossAnswer | Error): boolean =>
  !(answer instanceof Error) && typeof answer.refused === 'string';

/**
 * What `describe` does not tell apart, so that a rule says too much or too little of it; the tool shows what it saw there.
 * JSON and a bridge write elements of an array that are not enumerable, of its named properties none, of a Map and a Set no content (so
 * an object in it and beside it is written once).
 * A bridge hands a Blob over, so it comes back as itself; null arrives in place of the Map around a module of WebAssembly.
 * What a Proxy says of itself is not asked. What a symbol key holds, which a bridge copies too, is not described.
 * The stack of an error is not read. In Chromium a DOMException that the browser threw has one, one that a program makes has none
 * until it is set, and no clone brings it.
 */
function isUntold(
  { shape, losses }: LossAnswer,
  { channel, runtime }: Pick<Against, 'channel' | 'runtime'>,
): boolean {
  const rows = (kind: string, ...flags: string[]) =>
    shape.patterns.some(
      (row) => row.kind === kind && flags.every((flag) => row.flags.includes(flag as never)),
    );
  const { ownRules: hasOwnRules = false } = channelRow(channel);
  const isBridge = channel === 'electron-bridge';
  const isHandedOver = shape.patterns.some(({ tag }) => ['Blob', 'File'].includes(tag ?? ''));
  const hasModuleInside = shape.patterns.some(
    ({ tag, pattern }) => tag === 'Module' && pattern.includes('{'),
  );
  const hasGetter = shape.patterns.some(({ flags }) => flags.includes('accessor'));
  const isRepeated = shape.patterns.some(({ flags }) => flags.includes('repeated'));
  return (
    losses!.length > MAX_LISTED ||
    (hasOwnRules && (rows('array', 'non-enumerable') || rows('array', 'named-props', 'sent-fixed'))) ||
    (hasOwnRules && isRepeated && (rows('map') || rows('set'))) ||
    (hasOwnRules && (rows('proxy') || rows('arguments', 'class-instance'))) ||
    (isBridge && (isHandedOver || hasModuleInside || losses!.some(({ path }) => path.includes('Symbol(')))) ||
    (runtime.name === 'chromium' && losesStackOfException(shape, losses!)) ||
    (isOldBun(runtime) && (hasGetter || (IPC_CHANNELS.includes(channel) && rows('platform'))))
  );
}

/**
 * What a getter or toJSON gives, what is in the own properties of a built-in over JSON, a built-in without its methods over
 * v8.serialize. Of a Proxy over JSON the methods of its target run, and a bridge copies what a symbol key holds.
 */
const REFUSES_UNTOLD: readonly Flag[] = ['accessor', 'to-json', 'extra-props', 'subclass'];

/** "" when told and real losses agree. */
export function complaintOf(
  answer: LossAnswer | Error,
  { runtime, channel, engine }: Omit<Against, 'runner'>,
): string {
  if (answer instanceof Error) return `the runtime crashed: ${answer.message.slice(0, 300)}`;
  const told = toldLosses(answer.shape, engine, { runtime, channel });
  const undelivered = answer.losses?.find(({ kind }) => kind === 'delivery')?.what;
  const refused = answer.refused ?? undelivered ?? null;
  const mayRefuse = answer.shape.patterns.some(
    ({ kind, flags }) =>
      (kind === 'proxy' && isJson(channel)) ||
      (channel === 'electron-bridge' && flags.includes('symbol-key')) ||
      REFUSES_UNTOLD.some((flag) => flags.includes(flag)),
  );
  if (refused !== null && !mayRefuse && told.every(({ kinds }) => !kinds.includes('delivery')))
    return `untold: it is refused: ${refused}`;
  if (answer.losses === null || undelivered !== undefined || isUntold(answer, { channel, runtime }))
    return '';
  const errors = lossErrors(told, answer.losses);
  return [
    ...errors.untold.map(({ kind, path, what, owner }) => `untold: ${kind} at ${owner}: ${path} ${what}`),
    ...errors.false.map(({ rule, example, count }) => `false: ${rule} at ${example} (${count})`),
  ].join('; ');
}

/** @param count values, from the first of the seed's sequence */
export async function compareLosses(against: Against, seed: number, count: number) {
  const { runner, runtime } = against;
  const comparison = {
    values: count,
    /** The engine refuses them. */
    refused: 0,
    /** Something was lost, and told. */
    lost: 0,
    /** Agree only in a process of their own: in Bun an array with an index getter on its prototype chain breaks later ones. */
    alone: 0,
    wrong: [] as WrongLoss[],
    /** They end the renderer of Electron 33.2: the tool tells that, and nothing of them arrives. More than one in a hundred are wrong. */
    crashed: 0,
  };
  for (let from = 0; from < count; from += BATCH) {
    const size = Math.min(BATCH, count - from);
    const programs = Array.from({ length: size }, (_, i) => lossyProgramAt(seed, from + i));
    const answers = await runner.ask(runtime, programs.map(sourceOf));
    for (const [i, answer] of answers.entries()) {
      if (!(answer instanceof Error) && answer.losses === null) comparison.refused++;
      else if (!(answer instanceof Error) && answer.losses!.length > 0) comparison.lost++;
      const source = sourceOf(programs[i]!);
      const isKnown = against.channel === 'electron-bridge' && comparison.crashed < count / 100;
      if (answer instanceof Error && isKnown) {
        comparison.crashed++;
        continue;
      }
      if (complaintOf(answer, against) === '' || (isOldBun(runtime) && LOST_SLOT.test(source))) continue;
      if (PROXY.test(source) && HIDES_PROXIES.includes(runtime.name) && isRefused(answer)) continue;
      const [again] = await runner.ask(runtime, [source]);
      if (complaintOf(again!, against) === '') comparison.alone++;
      else comparison.wrong.push({ index: from + i, source, why: complaintOf(again!, against) });
    }
  }
  return comparison;
}

export const printedLoss = ({ index, why, source }: WrongLoss): string =>
  `value ${index}: ${why}\n  ${source}`;
