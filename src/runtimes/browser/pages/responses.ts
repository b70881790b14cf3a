/** Responses of the server, and the reading of posted data. */
import { createReadStream, existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { ToolError } from '../../../model/errors.ts';
import { MODULE_KIND, type PageModule } from '../../../model/page-module.ts';
import { MEMORY_QUESTIONS, type MemoryQuestion, type PageMemory } from './page-memory.ts';
import type { PageSession } from './page-session.ts';

/** Answers without a body. The posted data is not read: the connection ends. */
export function notFound(response: ServerResponse): void {
  response.statusCode = 404;
  response.setHeader('connection', 'close');
  response.end();
}

export function sent(response: ServerResponse, type: string, body: string): void {
  response.setHeader('content-type', `${type}; charset=utf-8`);
  response.end(body);
}

export function script(response: ServerResponse, path: string): void {
  response.setHeader('content-type', 'text/javascript; charset=utf-8');
  if (existsSync(path)) createReadStream(path).pipe(response);
  else notFound(response);
}

export function answerListen(session: PageSession, response: ServerResponse): void {
  response.setHeader('content-type', 'text/event-stream');
  response.flushHeaders();
  if (!session.listen(response)) response.end();
}

/** Answers with `{bytes}`, or with `{reason}` if they are unknown. */
function answerMemory(page: PageMemory | null, question: MemoryQuestion, response: ServerResponse): void {
  let answer: { bytes: number } | { reason: string };
  try {
    if (page === null) throw new Error('the browser was not started by clone-prof');
    answer = { bytes: page(question) };
  } catch (error) {
    answer = { reason: error instanceof Error ? error.message : String(error) };
  }
  sent(response, 'application/json', JSON.stringify(answer));
}

function refused(session: PageSession, response: ServerResponse, reason: string): void {
  session.refuse(reason);
  notFound(response);
}

/** All of it, or more than may come: then the link ends. */
async function receive(
  session: PageSession,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // Pages post one after the other: no page can fill the memory with several.
  if (session.isReceiving) return refused(session, response, 'two answers at once');
  session.isReceiving = true;
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const part of request as AsyncIterable<Uint8Array>) {
      bytes += part.byteLength;
      if (bytes > session.mostBytes) {
        const most = session.mostBytes.toLocaleString('en-US');
        return refused(session, response, `an answer of more than ${most} bytes`);
      }
      parts.push(part);
    }
  } finally {
    // A browser posts again over another connection when one was lost.
    session.isReceiving = false;
  }
  session.receive(Buffer.concat(parts));
  response.statusCode = 204;
  response.end();
}

/**
 * The current content of a file that a request named. `range: bytes=a-b` for one line of a large one. There is no
 * length, because the file may grow or shrink while it is read.
 */
export async function file(
  path: string | null,
  { headers }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
  const range = from === undefined ? {} : { start: Number(from), end: Number(to) };
  if (path === null) return notFound(response);
  try {
    const opened = await open(path);
    response.setHeader('content-type', 'application/octet-stream');
    await pipeline(opened.createReadStream(range), response);
  } catch (error) {
    // Its reading failed, or the page left.
    if (response.destroyed || response.headersSent) return void response.destroy();
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') notFound(response);
    else failed(response, new ToolError('file-unreadable', { file: path, detail: message }));
  }
}

/** The page knows the name of what it asked for. */
function failed(response: ServerResponse, { code, facts }: ToolError): void {
  response.statusCode = 422;
  sent(response, 'application/json', JSON.stringify({ code, facts }));
}

export async function userModule(
  bundled: Promise<PageModule | null>,
  response: ServerResponse,
): Promise<void> {
  try {
    const module = await bundled;
    if (module === null) return notFound(response);
    response.setHeader(MODULE_KIND, module.kind);
    sent(response, 'text/javascript', module.code);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    failed(response, error);
  }
}

/** `at`: line and column of the bundle. */
export async function position(
  bundled: Promise<PageModule | null>,
  at: string,
  response: ServerResponse,
): Promise<void> {
  const module = await bundled;
  const [line = 1, column = 1] = at.split(':').map(Number);
  sent(response, 'application/json', JSON.stringify(module?.originalOf(line, column) ?? null));
}

/** Handles data that a guest posts. */
export async function answerPost(
  session: PageSession,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (path === 'answers') return receive(session, request, response);
  const question = MEMORY_QUESTIONS.find((one) => path === `memory/${one}`);
  if (question) return answerMemory(session.memory, question, response);
  if (path !== 'compile' || session.compile === null) return notFound(response);
  await session.compile();
  response.writeHead(204).end();
}
