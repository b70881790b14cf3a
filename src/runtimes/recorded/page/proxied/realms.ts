/** Documents and workers of a page that came through the proxy: what each gets as the recorder, and what it says. */
import type { ServerResponse } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import { addressOf } from '../../../../core/recording/threads/address.ts';
import { ENGINE_OF } from '../../../../model/names.ts';
import {
  END,
  type NewWorker,
  OWN_ADDRESS,
  PAGE_MESSAGES,
  type SocketTapSettings,
} from '../../../../model/recording/page-tap.ts';
import type { FoundRuntime } from '../../../../model/run/runtime.ts';
import { type PageRecorder, randomHex } from '../open-page.ts';
import { type PageTarget, parsed } from '../page-messages.ts';
import type { TextSocket } from './web-socket.ts';

/** A page says what kind of worker it has started; by another connection, so that may come later. */
const ANNOUNCED_MS = 1000;
/** So often, where that connection is not open yet. */
const MAX_WAITS = 10;
const MAX_REALMS = 10_000;

/** So long after the last message the end waits for sockets that are not open yet: some workers were terminated. */
const LOOKS = 60;
const PAUSE_MS = 25;
const UNTOLD = 'A document or worker that ended before it could send any records.';

type Announced = { parent: string; type: NewWorker[1] };

interface Realm {
  target: PageTarget;
  /** How far the first line of a worker's script was moved. */
  moved: number;
}

export class Realms {
  readonly #recorder: PageRecorder;
  readonly #runtime: FoundRuntime;
  readonly #isHeadless: boolean;
  /** First folder of the recorder's own addresses, on each host. */
  readonly folder = `/${OWN_ADDRESS}/${randomHex()}/`;
  /** Something of the page runs. */
  onStarted: () => void = () => undefined;
  /** Where the proxy listens. */
  port = 0;
  readonly #realms = new Map<string, Realm>();
  readonly #served = new Set<string>();
  /** They have said something by their own sockets. */
  readonly #open = new Set<string>();
  readonly #sockets = new Set<TextSocket>();
  #isEnding = false;
  /** By document or worker: the number of what it says next. */
  readonly #next = new Map<string, number>();
  /** By address. */
  readonly #announced = new Map<string, Announced[]>();
  #heard: () => void = () => undefined;
  #news = new Promise<void>((resolve) => (this.#heard = resolve));

  constructor(recorder: PageRecorder, runtime: FoundRuntime, isHeadless: boolean) {
    this.#recorder = recorder;
    this.#runtime = runtime;
    this.#isHeadless = isHeadless;
  }

  /** For policies. */
  get socketSource(): string {
    return `ws://127.0.0.1:${this.port}`;
  }

  /** A document or worker that is about to run. @returns the path of its recorder */
  add(target: PageTarget, id = String(this.#realms.size)): string {
    this.#realms.set(id, { target, moved: 0 });
    this.#recorder.threads.target(id, target);
    return `${this.folder}${id}.js`;
  }

  moved(path: string, moved: number): void {
    this.#realms.get(idIn(path))!.moved = moved;
  }

  miss(what: string): void {
    this.#recorder.threads.miss(what);
  }

  /** What a page has said of the worker with this script; null where it says nothing in time. */
  async announced(url: string): Promise<Announced | null> {
    const address = addressOf(url);
    for (let isOver = after(ANNOUNCED_MS, true), waits = 1; ; ) {
      const waiting = this.#announced.get(address);
      // The last one stays: a browser may ask for the script again.
      if (waiting !== undefined) return waiting.length > 1 ? waiting.shift()! : waiting[0]!;
      if (!(await Promise.race([isOver, this.#news.then(() => false)]))) continue;
      if (this.#isOpen || waits++ === MAX_WAITS) return null;
      isOver = after(ANNOUNCED_MS, true);
    }
  }

  /** The recorder, for one document or worker. @param origin of what asks for it */
  serve(path: string, origin: string, response: ServerResponse): void {
    const id = idIn(path);
    // A worker whose script did not come through the proxy: the page that starts it made its number.
    const [, parent, moved] = /^(\d+)-\d+-(\d{1,4})$/.exec(id) ?? [];
    if (parent !== undefined && this.#realms.has(parent) && !this.#realms.has(id)) {
      this.add({ kind: 'worker', parent }, id);
      this.#realms.get(id)!.moved = Number(moved);
    }
    response.setHeader('content-type', 'text/javascript; charset=utf-8');
    response.setHeader('cache-control', 'no-store');
    // Workers of data: addresses have no origin.
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('cross-origin-resource-policy', 'cross-origin');
    const realm = this.#realms.size < MAX_REALMS && this.#realms.get(id);
    if (realm) this.#served.add(id);
    else response.statusCode = 404;
    response.end(realm ? this.#source(id, realm, origin) : '');
  }

  #source(id: string, { target, moved }: Realm, origin: string): string {
    const { script, settings } = this.#recorder;
    const given: SocketTapSettings = {
      ...settings,
      worker: target.kind === 'document' ? null : '',
      ...{ id, parent: target.kind === 'worker' ? target.parent : null },
      socket: `${this.socketSource}${this.folder}`,
      scripts: `${origin}${this.folder}${id}-`,
      ...{ moved, isHeadless: this.#isHeadless },
      engine: ENGINE_OF[this.#runtime.name],
    };
    return `(() => { ${script}\nrecorder.connect(${JSON.stringify(given)}); })()`;
  }

  /** null where nobody is known by that path. */
  listener(path: string): ((text: string) => void) | null {
    const [, id = '', realm] = /^([\d-]+)\/([\d.]+)$/.exec(path.slice(this.folder.length)) ?? [];
    if (!this.#realms.has(id)) return null;
    return (text) => {
      this.#open.add(id);
      this.#take(id, Number(realm), text);
    };
  }

  /** @param realm a service worker starts again, a document is loaded again: each time it counts from the start */
  #take(id: string, realm: number, text: string): void {
    const [, number, kind, rest = ''] = /^(\d+) (.)([\s\S]*)$/.exec(text) ?? [];
    const key = `${id} ${realm}`;
    const next = this.#next.get(key) ?? 0;
    // It came another way before.
    if (kind !== undefined && Number(number) < next) return;
    this.onStarted();
    if (next > 0 || this.#next.size < MAX_REALMS) this.#next.set(key, Number(number) + 1);
    const [, worker = '', origin, said = ''] =
      kind === PAGE_MESSAGES.passedOn ? (/^([\d-]+) ([\d.]+) ([\s\S]*)$/.exec(rest) ?? []) : [];
    if (kind === PAGE_MESSAGES.worker) this.#hear(id, parsed(rest));
    else if (this.#realms.get(worker)?.target.parent === id) this.#take(worker, Number(origin), said);
    else this.#recorder.threads.receive(id, realm, `${kind ?? ''}${rest}`);
  }

  connected(socket: TextSocket): void {
    this.#sockets.add(socket);
    void socket.closed.then(() => this.#sockets.delete(socket));
    if (this.#isEnding) socket.send(END);
  }

  #hear(parent: string, said: unknown): void {
    const [address, type] = (Array.isArray(said) ? said : []) as Partial<NewWorker>;
    if (typeof address !== 'string' || this.#announced.size >= MAX_REALMS) return;
    const known = type === 'module' || type === 'classic' ? type : null;
    const waiting = this.#announced.get(address) ?? [];
    if (waiting.length < MAX_REALMS) waiting.push({ parent, type: known });
    this.#announced.set(address, waiting);
    this.#heard();
    this.#news = new Promise<void>((resolve) => (this.#heard = resolve));
  }

  /** Ends the recording in all that is there still. */
  async end(): Promise<void> {
    this.#isEnding = true;
    for (const socket of this.#sockets) socket.send(END);
    // What has just begun has no socket yet.
    const { threads } = this.#recorder;
    let { heard } = threads;
    for (let look = 0; look < LOOKS && !this.#isOpen; look++) {
      if (heard !== threads.heard) look = 0;
      heard = threads.heard;
      await after(PAUSE_MS);
    }
    await Promise.all([...this.#sockets].map(({ closed }) => closed));
    for (const id of this.#served) if (!threads.hasStarted(id)) this.miss(UNTOLD);
  }

  /** The socket of each that has the recorder. */
  get #isOpen(): boolean {
    return [...this.#served].every((id) => this.#open.has(id));
  }
}

const idIn = (path: string): string => /([\d-]+)\.js$/.exec(path)?.[1] ?? '';
