/** Records of a thread: written at once if they are new, else with the next flush; and the places that posted. */
import type { Frame, Site, ThreadRecord } from '../../../model/documents/recorded/recording.ts';
import { orElse } from '../../../model/or-else.ts';
import type { PostingApi } from '../../../model/recording/recording.ts';
import { execOn } from '../../../value/read/intrinsics.ts';
import { HEADER } from '../../threads/counters.ts';
import * as kept from '../realm.ts';
import type { Bucket, CountedChannel } from './buckets.ts';

const MAX_DEPTH = 24;

const ErrorHere = Error;
const { captureStackTrace } = Error;

type Sites = readonly NodeJS.CallSite[];
const structured = (_error: unknown, sites: Sites): Sites => sites;

interface StackOptions {
  isLimited?: boolean;
  fileOf?(file: string, name: string | null): string | null;
}

export function stacks(options: StackOptions = {}): Pick<kept.TapPlatform, 'alone' | 'frames'> {
  const { isLimited = true, fileOf } = options;
  const limit = isLimited ? MAX_DEPTH : undefined;
  const alone = <T>(run: () => T): T | null =>
    withSetting('stackTraceLimit', limit, () => withSetting('prepareStackTrace', structured, run));
  return {
    alone,
    frames(caller) {
      const sites = alone(() => captured(caller)) ?? [];
      const frames: Frame[] = [];
      for (let i = 0; i < sites.length; i++) {
        const site = sites[i]!;
        const name = site.getFunctionName() || null;
        const found = site.getFileName() ?? '';
        const file = fileOf ? fileOf(found, name) : found;
        if (file === null) continue;
        const line = site.getLineNumber() ?? 0;
        frames[frames.length] = { file, line, column: site.getColumnNumber() ?? 0, name };
      }
      return frames;
    },
  };
}

function captured(caller: unknown): Sites | null {
  const holder: { stack?: unknown } = {};
  captureStackTrace(holder, caller as () => void);
  return typeof holder.stack === 'object' ? (holder.stack as Sites) : null;
}

/** null if the program has frozen or watches it. It is assigned, because Bun sees a formatter only then. */
function withSetting<T>(key: keyof ErrorConstructor, value: unknown, run: () => T): T | null {
  const found = kept.getOwnPropertyDescriptor(ErrorHere, key);
  if (value === undefined) return run();
  if (found !== undefined && !kept.hasOwn(found, 'value')) return null;
  if (!kept.set(ErrorHere, key, value)) return null;
  try {
    return run();
  } finally {
    if (found === undefined) kept.deleteProperty(ErrorHere, key);
    else kept.set(ErrorHere, key, found.value);
  }
}

const MAX_STACK = 10;
/** More lines wait in memory only when they cannot be written. */
const MAX_WAITING = 1 << 20;

interface SeenSite {
  id: number;
  told: { api: PostingApi; site: Site };
}

const sites = kept.create(null) as Record<string, SeenSite>;
const gaps = kept.create(null) as Record<string, true>;
let siteCount = 0;
let groupCount = 0;
export let isEnding = false;

export interface Tally {
  count: number;
  written: number;
  record(count: number): ThreadRecord;
}

const tallies: Tally[] = [];
let lines = '';

export function add(record: ThreadRecord): void {
  if (lines.length < MAX_WAITING) lines += `${kept.recordText(record)}\n`;
}

export function gap(what: string): void {
  add({ record: 'gap', what });
}

export function gapOnce(what: string): void {
  if (!gaps[what]) gap(what);
  gaps[what] = true;
}

export function tally(record: Tally['record']): Tally {
  const fresh: Tally = { count: 0, written: -1, record };
  tallies[tallies.length] = fresh;
  return fresh;
}

/** Writes what is not written yet. Never throws. */
export function flush(): void {
  const from = kept.now();
  try {
    for (let i = 0; i < tallies.length; i++) {
      const one = tallies[i]!;
      if (one.count !== one.written) add(one.record(one.count));
      one.written = one.count;
    }
    if (lines !== '') kept.platform.append(lines);
    lines = '';
    kept.platform.writeCounters();
  } catch {
    failed();
  }
  took(kept.now() - from);
}

export function took(ms: number): void {
  kept.counters[HEADER.overheadMs]! += ms;
}

/** The thread is about to end: from now on, records are written at once. */
export function end(): void {
  if (!isEnding) add({ record: 'end' });
  isEnding = true;
  flush();
}

export function failed(): void {
  kept.counters[HEADER.failures]!++;
}

export function siteOf(api: PostingApi, patch: unknown): SeenSite {
  const site = postingSite(kept.platform.frames(patch));
  const key = `${api}|${kept.recordText(site)}`;
  sites[key] ??= { id: siteCount++, told: { api, site: toldOf(site) } };
  return sites[key];
}

function toldOf({ user, library }: Site): Site {
  const versionOf = (file: string) => kept.platform.packageVersion?.(execOn(PACKAGE, file)![1]!) ?? null;
  return {
    user: user && (kept.platform.originalPlace?.(user) ?? user),
    library: library && { ...library, version: versionOf(library.frame.file) },
  };
}

/** Frames above `patch` that are not the runtime's own, at most some. */
export function stackOf(patch: unknown): Frame[] {
  const frames = kept.platform.frames(patch);
  const stack: Frame[] = [];
  for (let i = 0; i < frames.length && stack.length < MAX_STACK; i++) {
    const frame = shownFrame(frames[i]!);
    if (frame !== null) stack[stack.length] = kept.platform.originalPlace?.(frame) ?? frame;
  }
  return stack;
}

export function groupOf(bucket: Bucket, site: SeenSite, { to, serialization }: CountedChannel): number {
  const known = bucket.groups[site.id];
  if (known !== undefined) return known;
  const id = groupCount++;
  bucket.groups[site.id] = id;
  bucket.onlyGroup = bucket.groupCount++ === 0 ? id : null;
  const { class: like, sizeClass } = bucket.like;
  const written = serialization == null ? null : { serialization };
  const group = {
    class: saltedHash(kept.settings.salt + like),
    sizeClass,
    to,
    ...written,
    counter: bucket.id,
  };
  add({ record: 'group', id, ...site.told, ...group });
  return id;
}

/** Folder and name of the package of a file: "/app/node_modules/@scope/name". */
const PACKAGE = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//s;

const ADDRESS = /^(?:data:|blob:|[^?#]*)/;

/** The recorded form of an address: without parts that may be a secret or are new each time. */
export const addressOf = (url: string): string => execOn(ADDRESS, url)![0];

/** Stored path: the text of code in a data: address is the program's own, a blob: address is new each time. */
export function sitePath(file: string): string {
  if (kept.startsWith(file, 'data:')) return 'data:';
  if (kept.startsWith(file, 'blob:')) return 'blob:';
  // Modules have addresses: a blank of a folder's name is %20.
  const path = kept.startsWith(file, 'file://') ? kept.slice(file, 7) : null;
  return path === null ? file : orElse(() => kept.decoded(path), path);
}

/** The frame with its stored path; null for one of the runtime's own. */
const shownFrame = ({ file, line, column, name }: Frame): Frame | null =>
  kept.startsWith(file, 'node:') || file === '' ? null : { file: sitePath(file), line, column, name };

/** The version of a library is left out. */
function postingSite(frames: readonly Frame[]): Site {
  let library: Site['library'] = null;
  for (let i = 0; i < frames.length; i++) {
    const frame = shownFrame(frames[i]!);
    if (frame === null) continue;
    const inPackage = execOn(PACKAGE, frame.file);
    if (inPackage === null) return { user: frame, library };
    library ??= { name: inPackage[2]!, version: null, frame };
  }
  return { user: null, library };
}

/** 64 bits of a text: FNV-1a twice, with different seeds. */
function saltedHash(all: string): string {
  let low = 0x811c9dc5;
  let high = 0xcbf29ce4;
  for (let i = 0; i < all.length; i++) {
    const unit = kept.charCodeAt(all, i);
    low = kept.imul(low ^ unit, 0x01000193);
    high = kept.imul(high ^ (unit + low), 0x85ebca6b);
  }
  return kept.toText(low >>> 0, 36) + kept.toText(high >>> 0, 36);
}
