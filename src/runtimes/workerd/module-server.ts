/**
 * The fallback service of workerd's modules: whatever a worker imports that its config does not hold, workerd asks for
 * here. Bundles of the guest, and modules that requests name: each in the folder of a guest's secret token.
 */

import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { packageFile } from '../../machine/package-file.ts';
import type { PageSession } from '../browser/pages/page-session.ts';
import { notFound, sent } from '../browser/pages/responses.ts';
import { LoopbackServer } from '../loopback-server.ts';

const sessions = new Map<string, PageSession>();
const server = new LoopbackServer(() => createServer((request, response) => void answer(request, response)));

/** The address of the server, which answers for this guest from now on. */
export async function serveModules(session: PageSession): Promise<string> {
  sessions.set(session.token, session);
  return `127.0.0.1:${await server.port()}`;
}

/** Without guests the server ends. */
export function forgetModules(session: PageSession): void {
  sessions.delete(session.token);
  if (sessions.size === 0) server.close();
}

/** "/<token>/modules/1.mjs?fresh=2": a name with another query is another module. */
const NAME = /^\/([0-9a-f]+)\/(guest|modules)\/([\w-]+)\.mjs(?:\?[\w=]*)?$/;

async function answer({ url = '' }: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const name = new URL(url, 'http://localhost').searchParams.get('specifier') ?? '';
    const [, token = '', folder, key = ''] = NAME.exec(name) ?? [];
    const session = sessions.get(token);
    if (!session) return notFound(response);
    session.requests++;
    const code =
      folder === 'guest'
        ? await readFile(packageFile(`dist/guest/workerd/${key}.mjs`), 'utf8')
        : (await session.module(key))?.code;
    if (code === undefined) return notFound(response);
    sent(response, 'application/json', JSON.stringify({ name: name.slice(1), esModule: code }));
  } catch {
    // The guest asked for the error of a build before.
    notFound(response);
  }
}
