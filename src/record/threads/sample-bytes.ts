/** Bytes of the messages that were looked at: requests to their runtimes, and the answers. */
import type { ThreadRecordOf } from '../../model/documents/recorded/recording.ts';
import type { ValueTree } from '../../model/documents/recorded/value-tree.ts';
import type { RuntimeName } from '../../model/names.ts';
import { orElse } from '../../model/or-else.ts';
import type { ByteRequest, SizedSample } from '../../model/recording/recording.ts';
import { groupedBy, sumOf } from '../../model/sums.ts';
import { isObject } from '../../value/read/own-data.ts';
import { bytesModuleOf, USUAL_STACK } from '../module/module-of.ts';
import { has } from '../module/module-text.ts';
import { workOf } from '../module/tree-facts.ts';
import { childrenOf, nodesOf } from '../values/tree-children.ts';
import { type RecordedThread, serializations } from './recorded-thread.ts';

export type CountBytes = (runtime: RuntimeName, requests: readonly ByteRequest[]) => Promise<SizedSample[]>;

interface Wanted {
  message: ThreadRecordOf<'message'>;
  group: ThreadRecordOf<'group'>;
  runtime: RuntimeName;
  request: ByteRequest;
}

type Known = Map<ThreadRecordOf<'message'>, SizedSample>;

const MAX_TEXT = 2 ** 26;
const UNTRUSTED = 1;
/** Engines may store numbers and texts in ways that cannot be seen; JSON text of other numbers has other digits. */
const UNSEEN = 0.002;
/** Largest difference of the bytes of an unknown stack from the usual ones, as a share. */
const STACK_ERROR = 0.6;

export type BytesOf = (message: ThreadRecordOf<'message'>) => SizedSample;

export async function sampleBytes(threads: readonly RecordedThread[], count: CountBytes): Promise<BytesOf> {
  const known: Known = new Map();
  const wanted: Wanted[] = [];
  const written = serializations(threads);
  let left = MAX_TEXT;
  for (const thread of threads) {
    const runtime = thread.started?.runtime.name ?? 'node';
    const alike = new Map<number, number>();
    for (const message of thread.messages) {
      const group = thread.groups.get(message.group)!;
      const { serialization } = written(thread, group);
      // JSON text, which is the default of Node, also if it is not known how a process writes.
      const channel =
        serialization === undefined ? 'worker' : serialization === 'advanced' ? 'ipc-advanced' : 'ipc-json';
      const { tree, bytes } = message;
      // The engine gave them while the message was posted.
      const isGiven = bytes !== undefined && channel !== 'ipc-json';
      if (isGiven) known.set(message, { bytes, error: 0 });
      const compared = alike.get(group.id) ?? 0;
      if (tree === undefined || !hasBytes(tree, channel) || (isGiven && compared === MAX_COMPARED)) continue;
      const made = orElse(() => bytesModuleOf(tree), null);
      left -= made?.body.length ?? 0;
      if (made === null || left < 0) continue;
      if (isGiven) alike.set(group.id, compared + 1);
      wanted.push({ message, group, runtime, request: { ...made, channel, listsViews: runtime === 'deno' } });
    }
  }
  // In groups that the engine has sized, nothing is left to ask.
  const open = new Set(wanted.flatMap(({ message, group }) => (known.has(message) ? [] : group)));
  const asked = wanted.filter(({ group }) => open.has(group));
  for (const [runtime, all] of groupedBy(asked, (one) => one.runtime)) {
    const requests = all.map(({ request }) => request);
    const answers = await count(runtime, requests);
    const sized = all.map((one, i) => ({ ...one, sized: trusted(answers[i] ?? null, one) }));
    for (const own of groupedBy(sized, ({ group }) => group).values()) addSizes(own, known);
  }
  return (message) => known.get(message) ?? null;
}

const MAX_COMPARED = 4;

/** Messages that the engine has sized itself correct the others of their group: some storage cannot be seen. */
function addSizes(own: readonly (Wanted & { sized: SizedSample })[], known: Known): void {
  const ratios = own.flatMap(({ message, sized }) => {
    const given = known.get(message);
    return given && sized && sized.bytes > 0 ? given.bytes / sized.bytes : [];
  });
  const ratio = ratios.length === 0 ? 1 : sumOf(ratios, (one) => one) / ratios.length;
  const spread = Math.max(Math.abs(ratio - 1) / 2, ...ratios.map((one) => Math.abs(one - ratio)));
  for (const { message, sized } of own) {
    const error = Math.hypot(sized?.error ?? 0, spread);
    if (!known.has(message)) known.set(message, sized && { bytes: Math.round(sized.bytes * ratio), error });
  }
}

const LEFT_OUT: ReadonlySet<string> = new Set(['function', 'symbol']);

/** False for a message that is refused, or whose size code of the program's decides. */
function hasBytes(tree: ValueTree, channel: ByteRequest['channel']): boolean {
  const isText = channel === 'ipc-json';
  return [...nodesOf(tree)].every((node) => {
    if (node.is === 'left') return isText && LEFT_OUT.has(node.left);
    if (has(node, 'accessor')) return false;
    const own = node.is === 'object' ? node.entries.find(([key]) => key === 'toJSON')?.[1] : undefined;
    const isOwn = isObject(own) && own.is === 'left' && own.left === 'function';
    return !isText || (!has(node, 'to-json') && !isOwn);
  });
}

/** True for fractions, because others have other digits, and for views: only the mean of their digits is known. */
const hasDigits = (tree: ValueTree): boolean => {
  if (typeof tree === 'number') return !Number.isInteger(tree);
  return isObject(tree) && (tree.is === 'view' || childrenOf(tree).some(hasDigits));
};

function trusted(sized: SizedSample, { message: { tree = null }, request: { channel } }: Wanted) {
  if (sized === null) return null;
  const { bytes } = sized;
  const stack = (workOf(tree).stacks * USUAL_STACK * STACK_ERROR) / Math.max(1, bytes);
  const error = Math.hypot(sized.error, stack, channel === 'ipc-json' && !hasDigits(tree) ? 0 : UNSEEN);
  return error >= UNTRUSTED ? null : { bytes, error };
}
