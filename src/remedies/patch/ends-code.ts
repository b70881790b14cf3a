/** The end that sends, with types in comments (code/dialect.ts). It keeps what it sent. */
export const SENDER = `/** One for each receiver, or for all that get each of its messages. */
export function createSender({ wholeEvery = 100, immutable = false }/*: SenderOptions */ = {})/*: Sender */ {
  const from = Math.random().toString(36).slice(2);
  let kept/*: unknown */ = NOTHING;
  let [at, since] = [0, 0];
  return {
    toMessage(next) {
      const writer = new PatchWriter(!immutable);
      const patch = writer.patch(since < wholeEvery ? kept : NOTHING, next);
      const isWhole = patch[patch.length - 2] === SET;
      // What is no tree of plain data is not copied, so there is nothing to compare the next one with.
      const isCopied = !isWhole || isScalar(next) || patch[0] !== next;
      const own = writer.isPlain ? patch : (withoutOthers(patch)/*as Patch */);
      kept = !isCopied ? NOTHING : immutable ? next : applyPatch(kept, own);
      since = isWhole ? 1 : since + 1;
      const whole = patch[0]/*as Payload */;
      return isWhole ? { from, at: at++, whole } : { from, at: at++, patch };
    },
    reset() {
      kept = NOTHING;
    },
  };
}`;

/** The end that receives. It keeps what it has received. */
export const RECEIVER = `export function createReceiver({ onMiss }/*: ReceiverOptions */ = {})/*: Receiver */ {
  let kept/*: unknown */;
  let [from, at, isMissing] = ['', 0, false];
  return {
    fromMessage(message) {
      if ('whole' in message) kept = message.whole;
      else if (message.from === from && message.at === at) kept = applyPatch(kept, message.patch);
      else {
        if (!isMissing) onMiss?.();
        isMissing = true;
        return undefined;
      }
      [from, at, isMissing] = [message.from, message.at + 1, false];
      return kept/*as Payload */;
    },
  };
}`;

export const END_TYPES = [
  '/** A list of steps, which is read from its end. */',
  'export type Patch = unknown[];',
  '',
  'export interface SenderOptions {',
  '  /** The payload is sent whole once in so many messages, for receivers that came later or have missed one: 100. */',
  '  wholeEvery?: number;',
  '  /** No object that was sent is changed afterwards: what is the same object is not read, and nothing is copied. */',
  '  immutable?: boolean;',
  '}',
  '',
  'export interface Sender {',
  '  /** Post each message, in this order. */',
  '  toMessage(next: Payload): Message;',
  '  /** The next message is whole: for a receiver that has missed one. */',
  '  reset(): void;',
  '}',
  '',
  'export interface ReceiverOptions {',
  '  /** A message was missed: ask the sender for a whole one. */',
  '  onMiss?: () => void;',
  '}',
  '',
  'export interface Receiver {',
  '  /** Read it, do not change it: the next payload shares what is equal. Undefined until a whole message comes. */',
  '  fromMessage(message: Message): Payload | undefined;',
  '}',
];
