/** A database of IndexedDB with one record, which each message overwrites: a page and its workers have it. */

import { runningBrowser } from '../../../engines/probe/browser.ts';
import { type LocalChannel, type LocalEndpoint, noop } from '../../../guest/platform/common/platform.ts';
import { ToolError } from '../../../model/errors.ts';
import { orElse } from '../../../model/or-else.ts';

// Taken before user code loads. Reading it throws in a frame that does not have an origin.
const factory = orElse(() => globalThis.indexedDB as IDBFactory | undefined, undefined);

const STORE = 'messages';
const KEY = 'message';

const unsupported = (detail: string): ToolError =>
  new ToolError('channel-unsupported', { value: 'indexeddb', detail });

const told = (error: DOMException | null) =>
  error ? `${error.name}: ${error.message}` : 'no reason is told';

const NO_ROOM =
  'the browser has no room for it in IndexedDB (QuotaExceededError). Free space on the disk that has its profile, or store less in one record';

/** Error of a transaction. A lack of room says nothing of the value. */
function aborted({ error }: IDBTransaction): Error {
  return error?.name === 'QuotaExceededError'
    ? new ToolError('measure-failed', { detail: NO_ROOM })
    : new Error(`the transaction is aborted: ${told(error)}`);
}

function requested<T>(request: IDBRequest<T>, fail: (error: DOMException | null) => Error) {
  return new Promise<IDBRequest<T>>((resolve, reject) => {
    request.onsuccess = () => resolve(request);
    request.onerror = () => reject(fail(request.error));
  });
}

async function open(name: string): Promise<IDBDatabase> {
  if (!factory) throw unsupported('this page has no IndexedDB, as in some private windows and for files');
  try {
    const request = factory.open(name);
    // The keys are out of line, so that a value of any type can be put.
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    return (await requested(request, (error) => error ?? new Error('no reason is told'))).result;
  } catch (error) {
    throw unsupported(`IndexedDB cannot be opened here: ${told(error as DOMException)}`);
  }
}

/** User code may have put properties on prototypes, so each record is read by its own request. */
function databaseEndpoint(database: IDBDatabase): LocalEndpoint {
  let transaction: IDBTransaction;
  let answer: IDBRequest | null = null;
  return {
    post(message) {
      answer = null;
      transaction = database.transaction(STORE, 'readwrite');
      transaction.objectStore(STORE).put(message, KEY);
    },
    written: () =>
      new Promise((resolve, reject) => {
        const writing = transaction;
        writing.oncomplete = () => resolve();
        writing.onabort = () => reject(aborted(writing));
      }),
    async asked() {
      const store = database.transaction(STORE).objectStore(STORE);
      answer = await requested(store.get(KEY), (error) => new Error(`it cannot be read: ${told(error)}`));
    },
    get received(): unknown {
      return answer?.result;
    },
  };
}

/** Chromium and WebKit read a value when `result` is read, Firefox before the event `success`. */
async function openDatabase(): Promise<LocalChannel> {
  const name = `clone-prof-${crypto.getRandomValues(new Uint32Array(2)).join('-')}`;
  const database = await open(name);
  const endpoint = databaseEndpoint(database);
  return {
    ...{ transfers: false, isRead: true, isReadLate: runningBrowser().engine !== 'spidermonkey' },
    endpoint: () => endpoint,
    close: async () => {
      database.close();
      const deleted = factory?.deleteDatabase(name);
      if (deleted) await requested(deleted, () => new Error()).catch(noop);
    },
  };
}

export const databases = { indexeddb: openDatabase };
