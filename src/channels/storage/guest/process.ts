import { Buffer } from 'node:buffer';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { LocalChannel, LocalEndpoint } from '../../../guest/platform/common/platform.ts';
import type { FileContent } from '../../../model/names.ts';
import { FILES_ENV } from '../../../model/run/runtime.ts';

// Taken before user code loads, which may replace what is imported (`syncBuiltinESMExports`).
const files = { ...fs };
const [write, read] = [serialize, deserialize];

/** Named by the host, which removes it when this guest is killed. */
const FOLDER = process.env[FILES_ENV] ?? join(tmpdir(), `clone-prof-files-${process.pid}`);

const OPENS_JSON: readonly (number | undefined)[] = ['{'.charCodeAt(0), '['.charCodeAt(0)];

const contentOf = (message: unknown, content: FileContent): string | Uint8Array =>
  content === 'serialized' || (content === 'json' && typeof message !== 'string')
    ? write(message)
    : (message as string | Uint8Array);

/** The code that is shown does the same (codec/code/call.ts). */
function messageIn(bytes: Buffer, content: FileContent): unknown {
  if (content === 'bytes') return bytes;
  if (content === 'text' || (content === 'json' && OPENS_JSON.includes(bytes[0]))) return bytes.toString();
  return read(bytes);
}

/** Posting writes the file, receiving reads it. Both use the page cache, so they do not wait for the disk. */
export function openStorage(): LocalChannel {
  const file = join(FOLDER, 'message');
  let written: string | Uint8Array | null = null;
  const store = (message: unknown, content: FileContent): void => {
    const next = contentOf(message, content);
    if (written === null) files.mkdirSync(FOLDER, { recursive: true, mode: 0o700 });
    written = next;
    files.writeFileSync(file, next);
  };
  return {
    ...{ transfers: false, isRead: true },
    endpoint: (content): LocalEndpoint => ({
      post: (message) => store(message, content),
      get received() {
        return messageIn(files.readFileSync(file), content);
      },
    }),
    bytes: () => (written === null ? null : Buffer.byteLength(written)),
    discard: () => files.rmSync(file, { force: true }),
    close: () => {
      written = null;
      files.rmSync(FOLDER, { recursive: true, force: true });
    },
  };
}
