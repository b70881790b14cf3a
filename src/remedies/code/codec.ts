import { typed } from './dialect.ts';
import { indent } from './javascript.ts';

/** Self-contained declarations in plain JavaScript; types may stand in comments (dialect.ts). */
export interface RemedyCode {
  /** Declares `toMessage(payload)`: never mutates the payload, throws when this value cannot be rewritten. */
  sender: string;
  /** Declares `fromMessage(message)`: may reuse the message, which nothing else refers to. */
  receiver: string;
  /** `fromMessage` is asynchronous. */
  isAwaited?: boolean;
  /** Declares `transferList(message)`. */
  transfer?: string;
  /**
   * What `toMessage` returns. text: a string. closed: an array, or an object that never has a key `asIs`. Default: anything.
   * The first two take `payload` and `message` as the names of the parameters.
   */
  message?: 'text' | 'closed';
  /** TypeScript, in terms of `Payload`. */
  messageType?: string;
  /** Expressions that do the same to payloads like the sample: shown instead of the functions. */
  inline?: { message: string; transferList: string | null };
}

/** `toMessage` of a remedy that posts the payload itself. */
export const SENDS_ORIGINAL = 'function toMessage(payload) {\n  return payload;\n}';
/** `fromMessage` of a remedy whose message equals the payload. */
export const RECEIVES_ORIGINAL = 'function fromMessage(message) {\n  return message;\n}';

/** Declarations of one end: what the user calls, then what that calls. */
interface CodecEnd {
  exported: string[];
  inner: string[];
}

/** Cast for results of functions without types. */
const AS_PAYLOAD = '/*as Payload */';
const HOOK = '/*?: (reason: unknown) => void */';

/** A payload that does not fit is sent as it is, in an object with this key alone. */
const AS_IS = `const isAsIs = (message${typed('unknown')})${typed('message is { asIs: Payload }')} =>
  typeof message === 'object' && message !== null && Object.hasOwn(message, 'asIs');`;

function sending(body: string, otherwise: string): string {
  return `export function toMessage(payload${typed('Payload')}, onMiss${HOOK})${typed('Message')} {
  try {
${indent(body, '    ')}
  } catch (reason) {
    onMiss?.(reason);
    return ${otherwise};
  }
}`;
}

function receiving(body: string, isAwaited = false): string {
  const [async, type] = isAwaited ? ['async ', 'Promise<Payload>'] : ['', 'Payload'];
  return `export ${async}function fromMessage(message${typed('Message')})${typed(type)} {
${indent(body)}
}`;
}

/** Top-level declarations with the comments before them. */
function splitDeclarations(text: string): string[] {
  const all: string[] = [];
  let isComment = false;
  for (const line of text.split('\n')) {
    const starts = /^(\/\*\*|\/\/|function|async|const|let|class)\b|^\/[*/]/.test(line);
    if (starts && !isComment) all.push(line);
    else if (all.length > 0 && line !== '') all.push(`${all.pop()}\n${line}`);
    isComment = /^\/[*/]/.test(line);
  }
  return all;
}

interface Main {
  body: string;
  others: string[];
}

function splitMain(text: string, name: string): Main {
  const all = splitDeclarations(text);
  const main = all.find((one) => one.includes(`function ${name}(`))!;
  const lines = main.slice(main.indexOf(`function ${name}(`)).split('\n');
  const body = lines.slice(1, -1).map((line) => line.replace(/^ {2}/, ''));
  return { body: body.join('\n'), others: all.filter((one) => one !== main) };
}

const renamed = (text: string, name: string, to: string) =>
  text.replace(`function ${name}(`, `function ${to}(`);

function writeSender({ sender, receiver, message, transfer }: RemedyCode): CodecEnd {
  const lists = transfer === undefined ? [] : splitDeclarations(transfer);
  const isList = (text: string) => text.includes('function transferList(');
  const transferList = lists.filter(isList).map((text) => `export ${text}`);
  const end = { exported: transferList, inner: lists.filter((text) => !isList(text)) };
  if (sender === SENDS_ORIGINAL) return end;
  const { exported, inner } = writeToMessage(sender, receiver === RECEIVES_ORIGINAL, message !== undefined);
  return { exported: [...exported, ...end.exported], inner: [...inner, ...end.inner] };
}

function writeToMessage(sender: string, isPlain: boolean, isMarked: boolean): CodecEnd {
  if (!isPlain && isMarked) {
    const { body, others } = splitMain(sender, 'toMessage');
    return { exported: [sending(body, '{ asIs: payload }')], inner: others };
  }
  const inner = splitDeclarations(renamed(sender, 'toMessage', 'encode'));
  if (isPlain) return { exported: [sending(`return encode(payload)${AS_PAYLOAD};`, 'payload')], inner };
  const body = `const message = encode(payload);
if (isAsIs(message)) throw new TypeError("the message has a key 'asIs'");
return message;`;
  return { exported: [sending(body, '{ asIs: payload }')], inner: [AS_IS, ...inner] };
}

function writeReceiver({ receiver, message, isAwaited = false }: RemedyCode): CodecEnd {
  if (receiver === RECEIVES_ORIGINAL) return { exported: [], inner: [] };
  if (message !== undefined) {
    const { body, others } = splitMain(receiver, 'fromMessage');
    const isAsIs = message === 'text' ? "typeof message !== 'string'" : "'asIs' in message";
    return { exported: [receiving(`if (${isAsIs}) return message.asIs;\n${body}`)], inner: others };
  }
  const inner = splitDeclarations(renamed(receiver, 'fromMessage', 'decode'));
  const decoded = isAwaited ? '(await decode(message))' : 'decode(message)';
  const body = `return isAsIs(message) ? message.asIs : ${decoded}${AS_PAYLOAD};`;
  return { exported: [receiving(body, isAwaited)], inner: [AS_IS, ...inner] };
}

const isLong = (text: string) => text.includes('\n');

/** Blank lines around what takes several lines. */
function joined(declarations: readonly string[]): string {
  return [...new Set(declarations)].reduce((text, one, at, all) => {
    const before = all[at - 1];
    if (before === undefined) return one;
    return `${text}${isLong(before) || isLong(one) ? '\n\n' : '\n'}${one}`;
  }, '');
}

/** The parts of the codec, with types in comments. */
export function codecText(code: RemedyCode): { sender: string; receiver: string; module: string } {
  const [sender, receiver] = [writeSender(code), writeReceiver(code)];
  const of = (...ends: CodecEnd[]) =>
    joined([...ends.flatMap(({ exported }) => exported), ...ends.flatMap(({ inner }) => inner)]);
  return { sender: of(sender), receiver: of(receiver), module: of(sender, receiver) };
}

export function writeMessageType({ receiver, message, messageType }: RemedyCode): string {
  if (receiver === RECEIVES_ORIGINAL) return 'Payload';
  const type = messageType ?? (message === 'text' ? 'string' : null);
  return type === null ? 'unknown' : `${type} | { asIs: Payload }`;
}
