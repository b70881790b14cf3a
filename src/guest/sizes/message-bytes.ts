/** Bytes of recorded messages, by the serializer of the running engine: the messages are made again from their samples. */
import { classify, postBytes } from '../../engines/classify/classify.ts';
import { jsc } from '../../engines/jsc/index.ts';
import { bunJsc, bunStorage } from '../../engines/probe/bun-storage.ts';
import { directBytes } from '../../engines/probe/message-cost.ts';
import { runningRuntime } from '../../engines/probe/process.ts';
import { ipcBytes, postedWire, serialized } from '../../engines/probe/process-serializer.ts';
import { typeDetection } from '../../engines/probe/type-detection.ts';
import { orElse } from '../../model/or-else.ts';
import type { ByteRequest, SizedSample } from '../../model/recording/recording.ts';
import { groupedBy, sumOf } from '../../model/sums.ts';
import { describe } from '../../value/describe/describe.ts';
import { filter, map } from '../../value/read/lists.ts';

type Serializes = (value: unknown) => number | null;

/** Uses the same test as `analyze`: a fast path of Bun hands a value over without writing it. */
async function postedInBun(): Promise<Serializes> {
  const api = await bunJsc();
  const where = { runtime: runningRuntime(), channel: 'worker' } as const;
  return (value) => {
    if (api === null) return serialized(value)?.byteLength ?? null;
    const probe = { types: typeDetection(), storage: bunStorage(api, false), utf8Bytes: () => 0 };
    // Before it is serialized, which changes how texts are stored.
    const shape = describe(value, probe);
    const wire = serialized(value)?.byteLength;
    if (wire === undefined) return null;
    // Without the rules of the standard: a refused value does not have bytes anyway.
    const { path } = classify(shape, jsc, where).verdict;
    const message = [{ path: 'serializer' as const, bytes: wire }, ...directBytes(value)];
    return postBytes(shape, path, jsc, where, message)?.copied ?? null;
  };
}

const posted: Serializes = (value) => orElse(() => postedWire(value).byteLength, null);

async function counterOf({ channel, listsViews }: ByteRequest): Promise<Serializes> {
  if (channel !== 'worker') return (value) => ipcBytes(value, channel, listsViews)[0]?.bytes ?? null;
  return runningRuntime().name === 'bun' ? postedInBun() : posted;
}

export async function messageBytes(request: ByteRequest): Promise<SizedSample> {
  const { body, left, channel } = request;
  const { value, parts } = new Function(body)() as Made;
  const isText = channel === 'ipc-json';
  const around = channel === 'worker' ? left.buffers : left.views;
  const bytesOf = await counterOf(request);
  const own = bytesOf(value);
  if (own === null) return null;
  const sizes = map(parts, (part) => sizeOfItems(part, own, () => bytesOf(value)));
  const items = filter(sizes, (size) => size !== null);
  if (items.length < sizes.length) return null;
  const known = map([...groupedBy(items, ({ like }) => like).values()], bytesOfOthers);
  const others = sumOf(known, ({ bytes }) => bytes);
  const bytes = own + others + (isText ? 0 : around);
  const variance = sumOf(known, (one) => one.variance);
  const inside = known.reduce((most, one) => Math.max(most, one.inside), 0);
  return {
    bytes: Math.round(bytes),
    error: Math.hypot((FACTOR_95 * Math.sqrt(variance)) / Math.max(1, bytes), inside),
  };
}

type Part = [of: number, inside: number, container: object];
interface Made {
  value: unknown;
  parts: Part[];
}

/** Times the standard error of a mean of few groups: half width of its 95 % interval. */
const FACTOR_95 = 2.4;
/** Items are left out in turn, in this many groups. */
const GROUPS = 8;

function itemsOf(container: object): { all: unknown[]; hold(items: readonly unknown[]): void } {
  if (Array.isArray(container))
    return {
      all: [...container],
      hold: (items) => {
        container.length = 0;
        for (const one of items) container.push(one);
      },
    };
  if (container instanceof Map || container instanceof Set)
    return {
      all: [...container],
      hold: (items) => {
        container.clear();
        for (const one of items)
          if (container instanceof Set) container.add(one);
          else container.set(...(one as [unknown, unknown]));
      },
    };
  return {
    all: Object.entries(container),
    hold: (items) => {
      for (const key of Object.keys(container)) Reflect.deleteProperty(container, key);
      for (const one of items) Reflect.set(container, ...(one as [string, unknown]));
    },
  };
}

/**
 * Bytes of the items of a container that are there. Each counts with what it adds to the message, so that an object
 * with several references counts once: `mean` bytes, and the variance of that. `like` is the same for containers that
 * are alike, such as the records of a list; `inside`: the share of the `others`, which are missing, that is met inside
 * of others.
 * @param own bytes of the unchanged message
 */
function sizeOfItems([of, inside, container]: Part, own: number, count: () => number | null) {
  const { all, hold } = itemsOf(container);
  const there = all.length;
  const groups = Math.min(GROUPS, there);
  if (groups === 0) return null;
  const each: number[] = [];
  for (let group = 0; group < groups; group++) {
    hold(filter(all, (_, i) => i % groups !== group));
    const bytes = count();
    hold(all);
    if (bytes === null) return null;
    each.push((own - bytes) / Math.ceil((there - group) / groups));
  }
  const mean = sumOf(each, (one) => one) / groups;
  const squares = sumOf(each, (one) => (one - mean) ** 2);
  // A single one says nothing of how much they vary.
  const variance = groups > 1 ? squares / (groups - 1) / groups : mean ** 2;
  const like = `${Object.prototype.toString.call(container)} ${of}`;
  return { like, there, others: of - there, inside, mean, variance };
}

/**
 * Bytes of the missing items, estimated from the present ones of all containers that are alike: of a record in which a
 * large field was visited there are fewer other ones, so that the mean of each alone would be too large.
 */
function bytesOfOthers(alike: readonly NonNullable<ReturnType<typeof sizeOfItems>>[]) {
  const [there, others] = [sumOf(alike, (one) => one.there), sumOf(alike, (one) => one.others)];
  const mean = sumOf(alike, (one) => one.there * one.mean) / there;
  const inside = alike.reduce((most, one) => Math.max(most, (one.inside * one.others) / one.there), 0);
  const { length } = alike;
  const squares = sumOf(alike, (one) => (one.there * (one.mean - mean)) ** 2);
  const own = alike[0]!;
  const variance =
    length > 1
      ? ((others / there) ** 2 * squares * length) / (length - 1)
      : own.others * (own.others + own.there) * own.variance;
  return { bytes: others * mean, variance, inside };
}
