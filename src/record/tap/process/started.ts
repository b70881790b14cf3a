/** Workers and children of a thread, the recorder in their environment, and the channels to them. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Serialization } from '../../../model/names.ts';
import { orElse } from '../../../model/or-else.ts';
import type { ProcessTapSettings } from '../../../model/recording/recording.ts';
import { isUnreachable, NEEDED_RIGHTS, optionsEnd } from '../../command-options.ts';
import { type CountedChannel, channelTo, queueIn } from '../messages/buckets.ts';
import { type Post, ports, type Receiver, receiverIn, watch, watchPosts } from '../messages/channels.ts';
import * as log from '../messages/log.ts';
import * as recorder from '../messages/recorder.ts';
import * as kept from '../realm.ts';
import { childProcess } from './thread.ts';

const OF_NODE = 'NODE_OPTIONS';
const { env: environment } = process;

const UNREACHABLE = `not recorded: --permission without ${NEEDED_RIGHTS[0]} and ${NEEDED_RIGHTS[1]}`;

function lineOf(words: unknown, first = 1): string {
  if (typeof words === 'string') return `${words} `;
  let line = '';
  if (!kept.isArray(words)) return line;
  const list: readonly unknown[] = words;
  const end = optionsEnd(list, first);
  for (let i = 0; i < end; i++) line += lineOf(list[i], 0);
  return line;
}

/** Into `NAME=value` pairs. @param words of the child's command line @returns false if it could not load the tap */
function intoPairs(pairs: unknown, words: unknown): boolean {
  const list = kept.isArray(pairs) ? (pairs as unknown[]) : [];
  const indexOf = (name: string): number => {
    let i = 0;
    for (; i < list.length; i++) {
      const pair = list[i];
      if (typeof pair === 'string' && kept.startsWith(pair, `${name}=`)) break;
    }
    return i;
  };
  const read = (name: string) => kept.slice(`${list[indexOf(name)] ?? ''}`, name.length + 1);
  return into(words, read, (name, value) => {
    list[indexOf(name)] = `${name}=${value}`;
  });
}

/** Options of a worker or child: a copy if its environment lacks the tap, or has a tap that it could not load. */
export function intoOptions(options: unknown, words?: unknown): unknown {
  const own = kept.canBeRead(options) ? options : {};
  const given = kept.dataOf(own, 'env');
  const before = kept.canBeRead(given) ? given : environment;
  let env = before;
  const read = (name: string) => {
    const value = kept.dataOf(env, name);
    return typeof value === 'string' ? value : '';
  };
  into(words, read, (name, value) => {
    env = withProperty(env, name, value);
  });
  return env === before ? options : withProperty(own, 'env', env);
}

function into(words: unknown, get: (name: string) => string, set: (name: string, value: string) => void) {
  const can = !isUnreachable(lineOf(words) + lineOf(get(OF_NODE)));
  if (!can) log.gap(UNREACHABLE);
  // The child may be of a different runtime.
  const { environment: variables } = kept.settings as ProcessTapSettings;
  for (let i = 0; i < variables.length; i++) {
    const { name, option } = variables[i]!;
    const given = get(name);
    const wanted = can || name !== OF_NODE ? withOption(option, given) : withoutOption(option, given);
    if (wanted !== given) set(name, wanted);
  }
  return can;
}

function withOption(option: string, options: string): string {
  if (options === '') return option;
  return kept.indexOf(options, option) < 0 ? `${option} ${options}` : options;
}

function withoutOption(option: string, options: string): string {
  const at = kept.indexOf(options, option);
  if (at < 0) return options;
  const end = at + option.length;
  return kept.slice(options, 0, at) + kept.slice(options, options[end] === ' ' ? end + 1 : end);
}

export function withProperty(original: object, key: string, value: unknown): object {
  const copy = kept.create(kept.getPrototypeOf(original)) as object;
  const keys = kept.ownKeys(original);
  for (let i = 0; i < keys.length; i++)
    kept.defineProperty(copy, keys[i]!, kept.getOwnPropertyDescriptor(original, keys[i]!)!);
  kept.setData(copy, key, value);
  return copy;
}

const urlPrototype = URL.prototype;
const hrefOf = kept.getter<string>(urlPrototype, 'href');

export function givenAddress(given: unknown): string | null {
  if (typeof given === 'string') return given;
  return kept.canBeRead(given) && kept.getPrototypeOf(given) === urlPrototype ? hrefOf(given) : null;
}

function fileOf(given: unknown, options: unknown): string | null {
  const address = givenAddress(given);
  if (address === null || kept.fieldOf(options, 'eval') === true) return null;
  if (kept.startsWith(address, 'data:') || kept.startsWith(address, 'blob:')) return null;
  return orElse(() => (kept.startsWith(address, 'file:') ? fileURLToPath(address) : resolve(address)), null);
}

/** Codes of errors before anything was posted: the file or an option is wrong. */
const OF_WORKER = /^ERR_(?:WORKER_|INVALID_ARG|INVALID_URL)/;

interface WorkerClass<Start> {
  owner: object;
  /** Puts the recorder into the arguments, if that can be done. @param file null for code given as text */
  starting(args: unknown[], file: string | null): Start;
  /** @param know is called with the object that posts to the worker */
  started(start: Start, worker: object, know: Know): void;
  failed?(start: Start): void;
}

/** @param target worker, or the port to it @param fields its counters @returns counter of messages from the worker */
type Know = (target: object, fields: Float64Array | null) => Receiver;

/** Workers of one file share their classes of messages. */
function channel(api: CountedChannel['api'], file: string | null, queue: CountedChannel['queue']) {
  const to = `worker ${file ?? ''}`;
  return channelTo(to, api, queue, api + to);
}

export function watchWorkers<Start>({ owner, starting, started, failed }: WorkerClass<Start>): void {
  watch(owner, 'Worker', {
    kind: 'class',
    before(_, args, patch) {
      const options = args[1];
      const file = fileOf(args[0], options);
      const value = kept.fieldOf(options, 'workerData');
      const listed = kept.listedIn(kept.fieldOf(options, 'transferList'));
      // The runtime posts it to the worker while that is constructed.
      const data = recorder.messageOf(channel('workerData', file, null), value, listed, patch);
      return { file, data, start: starting(args, file) };
    },
    after({ file, data, start }, worker) {
      started(start, worker as object, (target, fields) => {
        const receiver = receiverIn(fields, 'up');
        const queue = fields && queueIn(fields, 'down');
        ports.know(target, channel('Worker.postMessage', file, queue), receiver);
        return receiver;
      });
      if (data.value !== undefined) recorder.end(data);
    },
    threw({ data, start }, error) {
      failed?.(start);
      const code = kept.fieldOf(error, 'code');
      const isOfWorker = typeof code === 'string' && kept.matches(OF_WORKER, code);
      if (data.value !== undefined && !isOfWorker) recorder.refused(data, error);
    },
  });
}

/** The runtime's own, of cluster and of handles that are sent. */
function isInternal(message: unknown): boolean {
  const command = kept.fieldOf(message, 'cmd');
  return typeof command === 'string' && kept.startsWith(command, 'NODE_');
}

export const sends = (owner: object, to: (owner: object) => CountedChannel | null): Post => ({
  owner,
  key: 'send',
  to(receiver, patch, value) {
    const channel = isInternal(value) ? null : to(receiver);
    if (channel === null || kept.fieldOf(receiver, 'connected') !== false) return channel;
    // Its error is not thrown: a callback or an event gets it.
    recorder.refused(recorder.messageOf(channel, value, [], patch), { code: recorder.CLOSED });
    return null;
  },
  // The argument after the message may be a handle.
  transferOf: () => undefined,
});

export function sendsToParent(): Post {
  // The parent knows the format.
  const parent = { ...channelTo('parent', 'process.send'), serialization: null };
  return sends(process, () => parent);
}

/** Children of one command share their classes of messages. */
export function channelToChild(pid: number, serialization: Serialization | null, command: unknown) {
  const of = kept.recordText([serialization, command]);
  return { ...channelTo(`process ${pid}`, 'ChildProcess.send', null, of), serialization };
}

type Child = Partial<Record<'pid', number> & Record<'spawnfile' | 'spawnargs', unknown>>;

/** @param started is called for a child that there is a channel to */
export function watchChildren(started?: (child: object, pid: number) => void): void {
  // Every way to start a child that runs parallel to its parent ends here.
  watch(childProcess.ChildProcess.prototype, 'spawn', {
    before(child, args) {
      const options = args[0];
      const can = intoPairs(kept.fieldOf(options, 'envPairs'), kept.fieldOf(options, 'args'));
      const asked = kept.fieldOf(options, 'serialization') ?? 'json';
      const format: Serialization | null = asked === 'json' || asked === 'advanced' ? asked : null;
      return { child: child as Child, can, format };
    },
    after({ child, can, format }) {
      const { pid, spawnfile: file } = child;
      const serialization = typeof kept.dataOf(child, 'send') === 'function' ? format : null;
      if (can && pid !== undefined && typeof file === 'string') {
        const program = kept.slice(file, kept.lastIndexOf(file, '/') + 1);
        const written = serialization && { serialization };
        log.add({ record: 'child', pid, thread: 0, program, ...written });
      }
      const channel = channelToChild(pid ?? 0, serialization, child.spawnargs);
      watchPosts([sends(child, () => channel)]);
      if (serialization !== null && pid !== undefined) started?.(child, pid);
    },
  });
  for (const name of ['spawnSync', 'execSync', 'execFileSync'])
    watch(childProcess, name, {
      before(_, args) {
        const last = args.length > 1 && !kept.isArray(args[args.length - 1]) ? args.length - 1 : args.length;
        const options = intoOptions(args[last], args);
        if (options !== undefined) args[last] = options;
        return undefined;
      },
    });
}
