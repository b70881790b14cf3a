/** A file that `v8.serialize` writes. */
import { type ChannelRows, PROCESSES } from '../common/row.ts';

const WRITTEN = 'writeFileSync(file, MESSAGE); // of node:fs';

export const storage = {
  storage: {
    of: PROCESSES,
    local: 'store',
    words: 'written by v8.serialize',
    lacking: 'a page has no files',
    call: 'writeFileSync(file, serialize(MESSAGE)); // of node:fs and node:v8',
    taken: 'const payload = <deserialize(readFileSync(file))>;',
    // Like channels/storage/guest/process.ts. Content is JSON text only if it begins with a JSON bracket.
    contents: {
      json: {
        call: `const message = MESSAGE;
writeFileSync(file, typeof message === 'string' ? message : serialize(message)); // of node:fs and node:v8`,
        taken: `const stored = readFileSync(file);
const isJson = stored[0] === 0x7b || stored[0] === 0x5b; // { and [
const message = isJson ? stored.toString() : deserialize(stored);
const payload = <message>;`,
      },
      text: { call: WRITTEN, taken: "const payload = <readFileSync(file, 'utf8')>;" },
      bytes: { call: WRITTEN, taken: 'const payload = <readFileSync(file)>;' },
    },
    thrower: 'v8.serialize, or v8.deserialize,',
    trip: 'A round trip is one new file in the temp folder, written and read back by one thread: bytes go into the page cache and come out of it, and nothing waits for the disk.',
    directions: { send: 'write', receive: 'read' },
    fewer: 'fewer, larger files',
  },
} as const satisfies ChannelRows;
