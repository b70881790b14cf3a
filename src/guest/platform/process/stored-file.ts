// No global in Deno 2.0 to 2.3.
import { Buffer } from 'node:buffer';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { FileContent } from '../../../model/names.ts';
import { FILES_ENV } from '../../../model/run/runtime.ts';
import { type LocalChannel, type LocalEndpoint, noop } from '../common/platform.ts';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from './files.ts';

// Taken before user code loads, which may replace what is imported (`syncBuiltinESMExports`).
const [write, read] = [serialize, deserialize];

/** Named by the host, which removes it when this guest is killed. */
const FOLDER = process.env[FILES_ENV] ?? join(tmpdir(), `clone-prof-files-${process.pid}`);

const OPENS_JSON: readonly (number | undefined)[] = ['{'.charCodeAt(0), '['.charCodeAt(0)];

const contentOf = (message: unknown, content: FileContent): string | Uint8Array =>
  content === 'serialized' || (content === 'json' && typeof message !== 'string')
    ? write(message)
    : (message as string | Uint8Array);

/** What the code that is shown does, too (remedies/code/call.ts). */
function messageIn(bytes: Buffer, content: FileContent): unknown {
  if (content === 'bytes') return bytes;
  if (content === 'text' || (content === 'json' && OPENS_JSON.includes(bytes[0]))) return bytes.toString();
  return read(bytes);
}

/** Posting writes the file, receiving reads it: in the page cache, nothing waits for the disk. */
export function openStorage(): LocalChannel {
  const file = join(FOLDER, 'message');
  let written: string | Uint8Array | null = null;
  const store = (message: unknown, content: FileContent): void => {
    const next = contentOf(message, content);
    if (written === null) mkdirSync(FOLDER, { recursive: true, mode: 0o700 });
    written = next;
    writeFileSync(file, next);
  };
  const close = (): void => {
    written = null;
    rmSync(FOLDER, { recursive: true, force: true });
  };
  return {
    ...{ transfers: false, isRead: true },
    endpoint: (content): LocalEndpoint => ({
      ...{ transfers: false, onMessage: noop, onMessageError: noop, close },
      post: (message) => store(message, content),
      postWith: (message) => store(message, content),
      get received() {
        return messageIn(readFileSync(file), content);
      },
    }),
    bytes: () => (written === null ? null : Buffer.byteLength(written)),
    discard: () => rmSync(file, { force: true }),
    close,
  };
}
