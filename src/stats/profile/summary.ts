import type { HotSpot } from '../../model/documents/profile.ts';
import { sumOf } from '../../model/sums.ts';
import { type ProfiledSide, type ProfilerName, SIDES, type Work } from '../../model/vocabulary/words.ts';

/** A CPU profile in the format of V8's inspector (Profiler.Profile), also used by Bun and v8-profiler-next. Times in µs. */
export interface CpuProfile {
  nodes: CpuNode[];
  startTime: number;
  endTime: number;
  samples: number[];
  /** Time between a sample and the previous sample. */
  timeDeltas: number[];
}

interface CpuNode {
  id: number;
  /** Lines and columns start at 0. */
  callFrame: CallFrame;
  children?: number[];
}

export type CallFrame = Record<'functionName' | 'url', string> &
  Record<'lineNumber' | 'columnNumber', number>;

/** Self time of each node, µs: a sample counts until the next sample. */
function selfTimes({ samples, timeDeltas, startTime, endTime }: CpuProfile): Map<number, number> {
  const times = new Map<number, number>();
  let last = startTime;
  for (const [index, node] of samples.entries()) {
    // The clocks of different cores may differ by some µs, so time may go back.
    last += timeDeltas[index] ?? 0;
    const lasted = timeDeltas[index + 1] ?? endTime - last;
    times.set(node, (times.get(node) ?? 0) + Math.max(0, lasted));
  }
  return times;
}

/**
 * Functions that only clone: natives of all runtimes, Deno's ops and their wrappers (ext/core/01_core.js,
 * ext/web/13_message_port.js), and the serializer of Node's `process.send`
 * (lib/internal/child_process/serialization.js).
 */
const CLONING = new Set([
  ...['postMessage', 'structuredClone', 'receiveMessageOnPort'],
  ...['serialize', 'deserialize', 'writeValue', 'readValue', '_writeHostObject', '_readHostObject'],
  ...['serializeJsMessageData', 'deserializeJsMessageData', 'deserializeMessageData'],
  ...['writeChannelMessage', 'parseChannelMessages'],
]);
const CLONING_OP =
  /^op_(?:\w+_)?(?:serialize|deserialize|structured_clone|post_message(?:_raw)?|recv_message(?:_sync)?)$/;

const USER_URL = /^(?:file:|https?:|\/|[A-Za-z]:[\\/])/;

/** `tool` is the prefix of the URLs of the tool's code in this process, `by` the profiler that made the profile. */
type ProfileOrigin = { tool: string; by: ProfilerName };

/** Functions of the addon that run while it profiles. They are native, so they do not have a URL. */
const OF_ADDON = new Set([
  ...['setProfilesCleanupLimit', 'setGenerateType', 'setSamplingInterval', 'startProfiling', 'stopProfiling'],
  ...['startSamplingHeapProfiling', 'stopSamplingHeapProfiling'],
]);

function workOf(frame: CallFrame, { tool, by }: ProfileOrigin, showsIdle: boolean): Work | null {
  const { functionName, url } = frame;
  if (functionName === '(idle)' || functionName === '(root)') return null;
  if (functionName === '(garbage collector)') return 'gc';
  // Node deserializes a message before any JavaScript runs: 0.2 to 0.6 us for an empty message, 80 us for 256 rows. In
  // the profile of a thread without idle samples (Deno's workers), waiting counts as (program). In the addon's profile,
  // (program) also includes the work of the addon.
  if (functionName === '(program)') return by === 'v8-profiler-next' ? 'other' : showsIdle ? 'clone' : null;
  if (by === 'v8-profiler-next' && url === '' && OF_ADDON.has(functionName)) return null;
  if (isCloning(frame)) return 'clone';
  return USER_URL.test(url) && !url.startsWith(tool) ? 'user' : 'other';
}

const isCloning = ({ functionName, url }: CallFrame): boolean =>
  !USER_URL.test(url) && (CLONING.has(functionName) || CLONING_OP.test(functionName));

export interface FunctionTime {
  name: string;
  where: string | null;
  work: Work;
  us: number;
}

/** Longest first, without idle time. */
export function functionTimes(profile: CpuProfile, origin: ProfileOrigin): FunctionTime[] {
  const { nodes } = profile;
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const showsIdle = nodes.some(({ callFrame }) => callFrame.functionName === '(idle)');
  const times = selfTimes(profile);
  const functions = new Map<string, FunctionTime>();
  for (const { id, callFrame, children = [] } of nodes) {
    // Samples of V8's serializer do not have a frame: they are attributed to the function that called postMessage.
    const called = callFrame.url.startsWith(origin.tool)
      ? children.map((child) => frames.get(child)).find((frame) => frame !== undefined && isCloning(frame))
      : undefined;
    const work = called ? 'clone' : workOf(callFrame, origin, showsIdle);
    const us = times.get(id) ?? 0;
    if (work === null || us === 0) continue;
    const name = (called ?? callFrame).functionName || '(anonymous)';
    const where = locationOf(callFrame, work, origin.tool);
    const key = JSON.stringify([name, where, work]);
    const time = functions.get(key) ?? { name, where, work, us: 0 };
    time.us += us;
    functions.set(key, time);
  }
  return [...functions.values()].sort((a, b) => b.us - a.us);
}

function locationOf({ url, lineNumber, columnNumber }: CallFrame, work: Work, tool: string): string | null {
  if (work === 'clone') return null;
  if (url.startsWith(tool)) return 'clone-prof';
  return url === '' ? null : `${url}:${lineNumber + 1}:${columnNumber + 1}`;
}

const MAX_FUNCTIONS = 10;

/** Shares of the busy time of both threads, and the longest functions. Null if there are no samples. */
export function summaryOf(times: Readonly<Record<ProfiledSide, readonly FunctionTime[]>>, messages: number) {
  const all = SIDES.flatMap((side) => times[side].map((one) => ({ side, ...one })));
  const total = sumOf(all, ({ us }) => us);
  if (total === 0) return null;
  const shares: Record<Work, number> = { clone: 0, gc: 0, user: 0, other: 0 };
  for (const { work, us } of all) shares[work] += us / total;
  const top = [...all]
    .sort((a, b) => b.us - a.us)
    .slice(0, MAX_FUNCTIONS)
    .map(({ us, ...one }): HotSpot => {
      return { ...one, ns: Math.round((us * 1e3) / Math.max(1, messages)), share: us / total };
    });
  return { shares, top };
}
