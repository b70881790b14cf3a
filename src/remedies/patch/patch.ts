import type { Plan } from '../../model/documents/trial.ts';
import { type CallTarget, type Codec, type Remedy, RemedyRefused } from '../../model/rules/remedy.ts';
import { postLines, receiveLines, TO_WORKER } from '../code/call.ts';
import { asJavaScript } from '../code/dialect.ts';
import { MATCHES, VALUES } from './compare-code.ts';
import { END_TYPES, RECEIVER, SENDER } from './ends-code.ts';
import { READ_PATCH } from './read-code.ts';
import { STEPS, TO_PATCH, WRITE_PATCH } from './write-code.ts';

const WRITING = [WRITE_PATCH, VALUES, MATCHES];

/** The whole module but the type of its payload: it is the same for all. */
export const PATCH_SOURCE = [SENDER, RECEIVER, TO_PATCH, STEPS, ...WRITING, READ_PATCH].join('\n\n');

export interface PatchMessage {
  from: string;
  at: number;
  whole?: unknown;
  patch?: unknown[];
}

export interface PatchModule {
  toPatch(previous: unknown, next: unknown): unknown[];
  applyPatch(previous: unknown, patch: unknown[]): unknown;
  createSender(options?: { wholeEvery?: number; immutable?: boolean }): {
    toMessage(next: unknown): PatchMessage;
    reset(): void;
  };
  createReceiver(options?: { onMiss?: () => void }): { fromMessage(message: PatchMessage): unknown };
}

/** Compiles what is emitted. */
export function patchModule(): PatchModule {
  const code = asJavaScript(PATCH_SOURCE).replace(/^export /gm, '');
  const names = 'toPatch, applyPatch, createSender, createReceiver';
  // biome-ignore lint/style/noRestrictedGlobals: the code that the user gets is the code that is proven.
  return new Function(`"use strict";\n${code}\nreturn { ${names} };`)() as PatchModule;
}

/** As many as in the module: the first message is whole, and each after so many more. */
const WHOLE_EVERY = 100;

interface Pair {
  sender: ReturnType<PatchModule['createSender']>;
  receiver: ReturnType<PatchModule['createReceiver']>;
}

/** The ends in one thread: of what it sends, and of what it gets from its peer. */
interface Ends extends Pair {
  sent: number;
  /** Ends of messages that are not counted. */
  warming: Pair;
}

function openEnds(): Ends {
  const { createSender, createReceiver } = patchModule();
  const pair = () => ({ sender: createSender({ wholeEvery: WHOLE_EVERY }), receiver: createReceiver() });
  return { ...pair(), sent: 0, warming: pair() };
}

/** Each thread that proves or measures has plans of its own. */
const endsByPlan = new WeakMap<Plan, Ends>();

function endsOf(plan: Plan): Ends {
  const ends = endsByPlan.get(plan) ?? openEnds();
  endsByPlan.set(plan, ends);
  return ends;
}

function apply(value: unknown, plan: Plan): PatchMessage {
  const ends = endsOf(plan);
  const message = ends.sender.toMessage(value);
  const nth = ends.sent++;
  // A later one may be whole for once: that is timed.
  if (nth === 1 && 'whole' in message)
    throw new RemedyRefused('it is sent whole: most of it changes, or an object stands at two places');
  return message;
}

function restore(message: unknown, plan: Plan): unknown {
  const payload = endsOf(plan).receiver.fromMessage(message as PatchMessage);
  if (payload === undefined) throw new RemedyRefused('a message was missed');
  return payload;
}

const CREATE = {
  sender: 'const sender = createSender(); // one for each receiver',
  receiver: 'const receiver = createReceiver(); // onMiss: ask the sender to reset()',
};

const callsTo = (target: CallTarget) => ({
  sender: [
    CREATE.sender,
    ...postLines({ message: 'sender.toMessage(payload)', transferList: null }, target),
  ].join('\n'),
  receiver: [CREATE.receiver, ...receiveLines('receiver.fromMessage(message)', target)].join('\n'),
});

const pasted = (...parts: string[]) => asJavaScript(parts.join('\n\n')).replace(/^export /gm, '');

const MESSAGE_TYPE = '{ from: string; at: number } & ({ whole: Payload } | { patch: Patch })';

/** Only what has changed since the message before. */
export const patch: Remedy = {
  name: 'patch',
  title: 'send what has changed since the message before',
  costs: [
    'the sender keeps a copy of what it sent, and compares all of the next payload with it',
    'the receiver must get every message, or ask for a whole one, and must not change what it gets',
  ],
  ofSequence: true,
  plans: (_, { isSequence = false }) => (isSequence ? [{ path: '$' }] : []),
  compile: (plan) => void endsOf(plan),
  apply,
  restore,
  warmUp(value, plan) {
    const { sender, receiver } = endsOf(plan).warming;
    receiver.fromMessage(sender.toMessage(value));
  },
  code(_, target = TO_WORKER) {
    const calls = callsTo(target);
    return {
      sender: pasted(SENDER, STEPS, ...WRITING, READ_PATCH, calls.sender),
      receiver: pasted(RECEIVER, STEPS, READ_PATCH, calls.receiver),
    };
  },
  codec: (_, target = TO_WORKER): Codec => ({
    source: PATCH_SOURCE,
    calls: callsTo(target),
    messageType: MESSAGE_TYPE,
    declares: END_TYPES,
    assumes: [],
  }),
};
