/** Names of recorded threads as people know them: "main", "worker src/resize.js", "child build.js". */
import type { RecordedThread } from './thread-records.ts';

const keyOf = (pid: number, thread: number) => `${pid}-${thread}`;

export class ThreadNames {
  readonly #threads = new Map<string, RecordedThread>();
  readonly #root: string;

  /** @param root folder of the command */
  constructor(threads: readonly RecordedThread[], root: string) {
    for (const one of threads) this.#threads.set(keyOf(one.pid, one.thread), one);
    this.#root = root;
  }

  find(pid: number, thread: number): RecordedThread | undefined {
    return this.#threads.get(keyOf(pid, thread));
  }

  of({ thread, started }: RecordedThread): string {
    const file = started?.file == null ? null : this.relative(started.file);
    if (thread > 0) return `worker ${file ?? '(text)'}`;
    const parent = started?.parent;
    const isChild = parent != null && this.find(parent.pid, parent.thread) !== undefined;
    return isChild ? `child ${file ?? '(text)'}` : 'main';
  }

  /** What a thread posted to: its "thread 3", "parent", "process 812"; anything else is a name itself. */
  receiver(from: RecordedThread, to: string | null): string | null {
    if (to === null) return null;
    const [, kind, number] = /^(thread|process) (\d+)$/.exec(to) ?? [];
    if (kind === undefined && to !== 'parent') return to;
    const parent = from.started?.parent;
    const found =
      kind === 'thread'
        ? this.find(from.pid, Number(number))
        : kind === 'process'
          ? this.find(Number(number), 0)
          : parent && this.find(parent.pid, parent.thread);
    if (found) return this.of(found);
    return kind === 'thread' ? 'worker' : kind === 'process' ? 'child' : null;
  }

  /** Below the folder of the command. */
  relative(file: string): string {
    const below = this.#root.endsWith('/') ? this.#root : `${this.#root}/`;
    return file.startsWith(below) ? file.slice(below.length) : file;
  }
}
