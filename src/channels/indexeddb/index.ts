/** A record of IndexedDB. */
import { type ChannelRows, PAGES } from '../common/row.ts';

export const indexeddb = {
  indexeddb: {
    of: PAGES,
    local: 'store',
    elsewhere: true,
    words: 'into IndexedDB',
    lacking: 'only pages of a server have IndexedDB',
    call: "store.put(MESSAGE, key); // of a transaction for 'readwrite'",
    taken: 'const payload = <request.result>; // when request = store.get(key) has succeeded',
    thrower: 'put, or its transaction,',
    trip: 'A round trip is one record that is put, with a key out of line and the default durability, and got back when its transaction is complete: put clones the value and blocks the thread; transaction and get are waited for.',
    directions: { send: 'put (blocks)', receive: 'get' },
    fewer: 'fewer, larger records',
  },
} as const satisfies ChannelRows;
