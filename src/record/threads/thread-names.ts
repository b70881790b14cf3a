/** Names of recorded threads as people know them: "main", "worker src/resize.js", "child build.js". */
import type { Frame, Site } from '../../model/documents/recorded/recording.ts';
import { PAGE_KINDS } from '../../model/recording/recording.ts';
import type { RecordedThread } from './recorded-thread.ts';

/** Before the file of a worker that is a receiver. */
export const WORKER = 'worker ';
/** A document that records what others post to it: their function is its own. */
export const SELF = 'self';

const ROOT = '/';

/** "service worker sw.js"; "page" for the address that is the origin. */
const inPage = (kind: string, file: string | null): string =>
  `${kind} ${file === ROOT ? '' : (file ?? '')}`.trimEnd();

const PACKAGE = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//s;

export type MapFrame = (frame: Frame) => Frame;

const threadKey = (pid: number, thread: number) => `${pid}-${thread}`;

export class ThreadNames {
  readonly #threads = new Map<string, RecordedThread>();
  readonly #root: string;
  readonly #mapFrame: MapFrame;
  /** A shell may stand between a process and its parent: every process but the first is a child. */
  readonly #firstPid: number | undefined;

  /** @param root folder of the command, or address of the page: files are given relative to it */
  constructor(threads: readonly RecordedThread[], root: string, mapFrame: MapFrame) {
    for (const one of threads) this.#threads.set(threadKey(one.pid, one.thread), one);
    const at = ({ started }: RecordedThread) => started?.at ?? Number.POSITIVE_INFINITY;
    this.#firstPid = threads.reduce((a, b) => (at(b) < at(a) ? b : a), threads[0]!)?.pid;
    this.#root = root;
    this.#mapFrame = mapFrame;
  }

  of({ pid, thread, started }: RecordedThread): string {
    const file = started?.file == null ? null : this.relative(started.file);
    if (started?.kind) return inPage(started.kind, file);
    if (thread > 0) return this.#worker(started?.file ?? '');
    return pid === this.#firstPid ? 'main' : `child ${file ?? '(text)'}`;
  }

  /** Name of the receiver of messages: "worker" and its file, "parent", "self", "process 812"; else the text itself. */
  receiver(from: RecordedThread, to: string | null): string | null {
    if (to === null) return null;
    if (to === SELF) return this.of(from);
    const kind = PAGE_KINDS.find((one) => to.startsWith(`${one} `));
    if (kind) return inPage(kind, this.relative(to.slice(kind.length + 1)));
    if (to.startsWith(WORKER)) return this.#worker(to.slice(WORKER.length));
    const [, pid] = /^process (\d+)$/.exec(to) ?? [];
    if (pid === undefined && to !== 'parent') return to;
    const parent = pid === undefined ? from.started?.parent : { pid: Number(pid), thread: 0 };
    const found = parent && this.#threads.get(threadKey(parent.pid, parent.thread));
    if (found) return this.of(found);
    return pid === undefined ? null : 'child';
  }

  #worker(file: string): string {
    return WORKER + (file === '' ? '(text)' : this.relative(file));
  }

  /** A bundle contains code of packages: after mapping by the source map, the user's frame may be a library's. */
  site({ user, library }: Site): Site {
    const mapped = user && this.frame(user);
    const [, name] = (library === null && mapped && PACKAGE.exec(mapped.file)) || [];
    if (mapped && name !== undefined) return { user: null, library: { name, version: null, frame: mapped } };
    return { user: mapped, library: library && { ...library, frame: this.frame(library.frame) } };
  }

  frame(one: Frame): Frame {
    return this.#mapFrame({ ...one, file: this.relative(one.file) });
  }

  relative(file: string): string {
    const below = this.#root.endsWith('/') ? this.#root : `${this.#root}/`;
    return file.startsWith(below) ? file.slice(below.length) || ROOT : file;
  }
}
