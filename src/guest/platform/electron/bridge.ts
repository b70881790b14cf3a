/** Between the isolated world of a preload script and the main world of its page: calls of functions that contextBridge exposes. */
import { type LocalChannel, type LocalEndpoint, noop } from '../common/platform.ts';
import { electronApi, type RendererApi } from './api.ts';

/** Functions of the page. What they get and return is copied, by the same steps as arguments and results of the preload script's. */
interface MainWorld {
  put(value: unknown): void;
  take(): unknown;
}

const KEY = 'cloneProf';
const CONNECT = `(() => { let kept; ${KEY}.connect({ put: (value) => { kept = value; }, take: () => kept }); })()`;

let connected: Promise<MainWorld> | null = null;

const connect = (): Promise<MainWorld> =>
  new Promise((resolve, reject) => {
    const { contextBridge, webFrame } = electronApi<RendererApi>();
    contextBridge.exposeInMainWorld(KEY, { connect: resolve });
    webFrame.executeJavaScript(CONNECT).catch(reject);
  });

/** Posting is the argument of a call, receiving the result of another: both block the one thread of both worlds. */
export async function openBridge(): Promise<LocalChannel> {
  connected ??= connect();
  const { put, take } = await connected;
  const endpoint: LocalEndpoint = {
    ...{ transfers: false, onMessage: noop, onMessageError: noop },
    post: put,
    postWith: (message) => put(message),
    get received() {
      return take();
    },
    close: () => put(undefined),
  };
  return {
    ...{ transfers: false, isRead: true },
    endpoint: () => endpoint,
    bytes: () => null,
    discard: noop,
    close: () => endpoint.close(),
  };
}
