/** One guest as a page: the files that it may read, the memory of its process, and the link to it. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { processIds, statOf } from '../../../machine/machine.ts';
import { deferred } from '../../../machine/waiting.ts';
import type { Sender } from '../../../model/names.ts';
import type { RecipeForm } from '../../../model/report/recipe.ts';
import type { TriedRewrite } from '../../../model/rules/remedy.ts';
import type { BundleForPage, PageModule } from '../../../model/run/runtime.ts';
import type { NumberedRequest } from '../../../model/wire/wire.ts';
import { GuestLink } from '../../guests/start-guest.ts';

interface NamedFile {
  file: string;
  /** Name that the user gave to a module; null: the file is read as data. */
  module: string | null;
  /** Bundled once: the guest and its workers get the same code. */
  bundled: Promise<PageModule> | null;
}

/** Files that a page may read: those in its recipes and rewrites, by keys in place of paths. */
export class ServedFiles {
  readonly #named: NamedFile[] = [];

  /** The path of a file that is read as data; null for what no request named. */
  fileOf(key: string): string | null {
    const { file = null, module = null } = this.#named[Number(key) - 1] ?? {};
    return module === null ? file : null;
  }

  /** null if no request named a module by this key. @throws ToolError of `bundle` */
  moduleOf(key: string, bundle: BundleForPage, cwd: string): Promise<PageModule> | null {
    const named = this.#named[Number(key) - 1];
    if (named === undefined || named.module === null) return null;
    named.bundled ??= bundle({ file: named.file, name: named.module }, cwd);
    return named.bundled;
  }

  /** Puts keys in place of the paths in a request, and serves these files from now on. */
  inKeys(request: NumberedRequest): string {
    const moduleInKeys = ({ source, ...module }: { file: string; source?: string }, name: string) => ({
      ...module,
      file: this.#keyOf(source ?? module.file, name),
    });
    return JSON.stringify(request, (name, value: unknown) => {
      if (name === 'tried' && value) return moduleInKeys(value as TriedRewrite, (value as TriedRewrite).name);
      if (name !== 'build') return value;
      const form = value as RecipeForm;
      if (form.form === 'module') return moduleInKeys(form, form.original);
      return { ...form, file: this.#keyOf(form.file, null) };
    });
  }

  #keyOf(file: string, module: string | null): string {
    const isSame = (one: NamedFile) => one.file === file && (one.module === null) === (module === null);
    const at = this.#named.findIndex(isSame);
    return String(at < 0 ? this.#named.push({ file, module, bundled: null }) : at + 1);
  }
}

// Memory of the processes of a browser.

/** Fields of `statOf`: the process group, user time, system time. */
const GROUP = 2;
const USER_TIME = 11;
const SYSTEM_TIME = 12;

/** The page works for 15 ticks. Others are busy for a while after the start of a browser. */
const MIN_TICKS = 6;
const CLEARLY_MORE = 2;

/**
 * Peak memory of the process of one page and its workers: only the host can read it, and only on Linux. A page asks "idle"
 * and "busy" at first, so that the process that works in between is known to be its own. The result answers "peak" with
 * bytes, "busy" with 1 if the process is known now, "idle" and "reset" with 0; or it throws an Error with the reason.
 * @param group process group of the browser
 */
export function pageMemory(group: number): (question: string) => number {
  let idle = new Map<number, number>();
  let pid: number | null = null;
  /** Ticks by process id. The browser process is left out: no page runs there, and it may be busy with its start. */
  const pageTimes = (): Map<number, number> => {
    const times = new Map<number, number>();
    for (const one of processIds()) {
      const fields = statOf(one).map(Number);
      if (fields[GROUP] === group && one !== group) times.set(one, fields[USER_TIME]! + fields[SYSTEM_TIME]!);
    }
    return times;
  };
  const find = (): number => {
    const worked = [...pageTimes()].map(([pid, time]) => ({ pid, ticks: time - (idle.get(pid) ?? time) }));
    const [first, second] = worked.sort((a, b) => b.ticks - a.ticks);
    if (!first || first.ticks < MIN_TICKS || first.ticks < CLEARLY_MORE * (second?.ticks ?? 0)) return 0;
    pid = first.pid;
    return 1;
  };
  return (question) => {
    if (process.platform !== 'linux') throw new Error('only Linux shows the peak memory of a page');
    if (question === 'idle') idle = pageTimes();
    else if (question === 'busy') return find();
    else if (pid === null) throw new Error('the process of the page was not found');
    // proc(5): the peak becomes what is resident now.
    else if (question === 'reset') writeFileSync(`/proc/${pid}/clear_refs`, '5');
    else if (question !== 'peak') throw new Error(`no question: ${question}`);
    else {
      const found = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
      if (!found) throw new Error('the process of the page has no VmHWM');
      return Number(found[1]) * 1024;
    }
    return 0;
  };
}

/** A place in a bundle, as guests write it into the text of an error. */
const PLACE = / ?\(modules\/([\w-]+)\.mjs, line (\d+), column (\d+)\)/g;

/** One guest as the folder `/<token>/` of the server, and the link over it. Requests wait until the page listens. */
export class PageSession extends GuestLink {
  /** A page of a different address has a different process. */
  readonly host: string;
  port = 0;
  readonly #left = deferred<void>();
  readonly left = this.#left.promise;
  readonly files = new ServedFiles();
  /** Set if a different server has the page: an extension of the browser. */
  origin: string | null = null;
  /** The address of the next guest of its browser, which the page asks for when it makes room; null: the browser is led there. */
  next: () => Promise<string | null> = () => Promise.reject(new Error('no page comes next'));
  /** Compiles code in the guest's service worker, if that worker may not compile anything by itself. */
  compile: (() => Promise<void>) | null = null;
  /** Set when a guest has taken it. */
  cwd = '';
  bundle: BundleForPage | null = null;
  sender: Sender = 'main';
  /** null if the page does not run in a process that we started. */
  memory: ReturnType<typeof pageMemory> | null = null;
  readonly isLookedAt: boolean;
  isReceiving = false;
  /** Its guest is a worker of workerd, which asks for modules by name. */
  isOfWorkerd = false;
  #events: ServerResponse | null = null;
  #waiting: string[] = [];

  constructor(host: string, isLookedAt = false) {
    super();
    this.host = host;
    this.isLookedAt = isLookedAt;
  }

  send(request: NumberedRequest): void {
    const isTimed = request.type === 'measure' || request.type === 'memory';
    const message = this.files.inKeys(isTimed ? { ...request, sender: this.sender } : request);
    const line = `data: ${message}\n\n`;
    if (this.#events) this.#events.write(line);
    else this.#waiting.push(line);
  }

  close(): void {
    this.#events?.end();
    this.ended();
  }

  /** False: a second stream is refused. */
  listen(response: ServerResponse): boolean {
    if (this.#events !== null) return false;
    this.#events = response;
    response.on('close', () => this.ended());
    for (const line of this.#waiting) response.write(line);
    this.#waiting = [];
    return true;
  }

  leave(): void {
    this.#left.resolve();
  }

  /** null if no request named the key. @throws ToolError of BundleForPage */
  async module(key: string): Promise<PageModule | null> {
    return this.bundle && this.files.moduleOf(key, this.bundle, this.cwd);
  }

  /** The message with places in the user's files instead of those in their bundles. */
  async located(message: Buffer): Promise<Uint8Array> {
    if (!message.includes('(modules/')) return message;
    const text = message.toString();
    const modules = new Map<string, PageModule | null>();
    for (const [, key = ''] of text.matchAll(PLACE))
      modules.set(key, await this.module(key).catch(() => null));
    const placed = text.replaceAll(PLACE, (place: string, key: string, line: string, column: string) => {
      const module = modules.get(key);
      if (!module) return place;
      const found = module.originalOf(Number(line), Number(column));
      const file = found?.file === undefined ? '' : `${JSON.stringify(found.file).slice(1, -1)}, `;
      return found === null ? '' : ` (${file}line ${found.line}, column ${found.column})`;
    });
    return Buffer.from(placed);
  }
}
