/** Answers of the page's server, with the recorder in them. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import zlib from 'node:zlib';
import { hasHead, htmlWith, isUtf16, typeWithCharset } from '../../../../core/recording/injection/html.ts';
import { type Needed, policyWith } from '../../../../core/recording/injection/policy.ts';
import { looksLikeModule, workerScriptWith } from '../../../../core/recording/injection/worker-script.ts';
import { randomHex } from '../open-page.ts';
import type { PageTarget } from '../page-messages.ts';
import type { Realms } from './realms.ts';

/** Of one connection only. */
export const HOPS =
  /^(?:connection|keep-alive|proxy-connection|proxy-authorization|proxy-authenticate|te|trailer|transfer-encoding)$/i;

const BODY = /^(?:content-length|content-encoding|etag|last-modified)$/i;
const POLICY = /^content-security-policy(?:-report-only)?$/i;

/** `name, value, name, value...`, as Node has headers in their order. */
export function headersOf(raw: readonly string[], isKept: (name: string) => boolean): [string, string][] {
  const pairs: [string, string][] = [];
  for (let i = 0; i + 1 < raw.length; i += 2)
    if (!HOPS.test(raw[i]!) && isKept(raw[i]!)) pairs.push([raw[i]!, raw[i + 1]!]);
  return pairs;
}

/** What is asked for, and runs code of the page's. Browsers say it (w3.org/TR/fetch-metadata). */
export type Asked = 'document' | Exclude<PageTarget['kind'], 'document'>;

const WORKERS: Readonly<Record<string, Asked>> = {
  ...{ worker: 'worker', sharedworker: 'shared worker', serviceworker: 'service worker' },
};

/** null for all else. Those that come by http from another machine are not told apart, but for documents. */
export function askedFor({ headers, method }: IncomingMessage): Asked | null {
  const { 'sec-fetch-dest': to, 'sec-fetch-mode': mode, accept = '' } = headers;
  if (headers['service-worker'] === 'script') return 'service worker';
  if (mode === 'navigate' || (mode === undefined && accept.startsWith('text/html'))) return 'document';
  // Modules that a worker imports are asked for in another mode.
  return method === 'GET' && mode === 'same-origin' ? (WORKERS[String(to)] ?? null) : null;
}

/** null where the encoding is not known here. */
function decoded(answer: IncomingMessage): Readable | null {
  const decoders: Record<string, (() => Transform) | undefined> = {
    gzip: zlib.createGunzip,
    'x-gzip': zlib.createGunzip,
    deflate: zlib.createInflate,
    br: zlib.createBrotliDecompress,
    zstd: (zlib as unknown as { createZstdDecompress?: () => Transform }).createZstdDecompress,
  };
  const encoding = answer.headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return answer;
  const decoder = decoders[encoding]?.();
  if (decoder === undefined) return null;
  answer.on('error', (error) => decoder.destroy(error));
  return answer.pipe(decoder);
}

const NOT_READ = 'A document or worker in an encoding that cannot be read here: it is not recorded.';

/** Most of a worker's script that is read. */
const MAX_SCRIPT = 2 ** 26;

/** The beginning of a body, as far as `isEnough` wants it. */
async function beginning(body: Readable, isEnough: (text: string) => boolean): Promise<string> {
  const parts: string[] = [];
  let units = 0;
  for await (const part of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    parts.push(part.toString('latin1'));
    units += part.length;
    if (units > MAX_SCRIPT || isEnough(parts.join(''))) break;
  }
  return parts.join('');
}

/** @param url what was asked for @returns whether it is answered */
export async function answerWith(
  asked: Asked,
  url: URL,
  answer: IncomingMessage,
  response: ServerResponse,
  realms: Realms,
): Promise<boolean> {
  const { statusCode = 200, statusMessage } = answer;
  const type = answer.headers['content-type'] ?? '';
  const isDocument = asked === 'document';
  const isMeant = isDocument ? /^text\/html\b/i.test(type) : statusCode === 200;
  if (!isMeant || statusCode === 204 || statusCode === 304 || statusCode === 206) return false;
  const body = decoded(answer);
  if (body === null) {
    realms.miss(NOT_READ);
    return false;
  }
  const needed: Needed = {
    script: `${url.origin}${realms.folder}`,
    ...{ socket: realms.socketSource, nonce: randomHex() },
  };
  const injected = isDocument
    ? await documentWith(body, type, needed, realms)
    : await workerWith(body, asked, url, realms);
  const headers = headersOf(answer.rawHeaders, (name) => !BODY.test(name)).map(([name, value]) => {
    if (POLICY.test(name)) return [name, policyWith(value, needed)];
    return /^content-type$/i.test(name) ? [name, injected.type ?? value] : [name, value];
  });
  // The same address may be asked for as something else.
  headers.push(isDocument ? ['Vary', 'Sec-Fetch-Dest'] : ['Cache-Control', 'no-store']);
  response.writeHead(statusCode, statusMessage, headers.flat());
  response.write(injected.text, 'latin1');
  await pipeline(body, response);
  return true;
}

interface Injected {
  /** Bytes, a character each. */
  text: string;
  type?: string;
}

async function documentWith(body: Readable, type: string, needed: Needed, realms: Realms): Promise<Injected> {
  const head = await beginning(body, hasHead);
  if (isUtf16(head, type)) {
    realms.miss(NOT_READ);
    return { text: head };
  }
  const script = realms.add({ kind: 'document', parent: null });
  return { text: htmlWith(head, script, needed), type: typeWithCharset(type, head) };
}

async function workerWith(
  body: Readable,
  kind: Exclude<Asked, 'document'>,
  { href }: URL,
  realms: Realms,
): Promise<Injected> {
  const [code, announced] = await Promise.all([beginning(body, () => false), realms.announced(href)]);
  const isModule = announced?.type ? announced.type === 'module' : looksLikeModule(code);
  const script = realms.add({ kind, parent: kind === 'worker' ? (announced?.parent ?? null) : null });
  const start = workerScriptWith(code, script, isModule);
  realms.moved(script, start.moved);
  return { text: start.code };
}
