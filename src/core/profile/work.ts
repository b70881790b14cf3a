import type { Work } from '../../model/vocabulary/profile.ts';
import type { CallFrame, CpuProfile } from './self-times.ts';

/**
 * Functions of the runtimes that do nothing but clone: the native `postMessage` of all, `structuredClone`, Deno's ops
 * and their wrappers (ext/core/01_core.js, ext/web/13_message_port.js), the serializer that Node's `process.send` calls
 * (lib/internal/child_process/serialization.js).
 */
const CLONING = new Set([
  'postMessage',
  'structuredClone',
  'receiveMessageOnPort',
  'serialize',
  'deserialize',
  'serializeJsMessageData',
  'deserializeJsMessageData',
  'deserializeMessageData',
  'writeValue',
  'readValue',
  '_writeHostObject',
  '_readHostObject',
  'writeChannelMessage',
  'parseChannelMessages',
]);
const CLONING_OP =
  /^op_(?:\w+_)?(?:serialize|deserialize|structured_clone|post_message(?:_raw)?|recv_message(?:_sync)?)$/;

const USER_URL = /^(?:file:|https?:|\/|[A-Za-z]:[\\/])/;

export interface ToolLocation {
  /** Prefix of the URLs of the tool's own code in this process. */
  tool: string;
}

/** Whose work a node is, and under which name it is reported. */
interface NodeWork {
  work: Work;
  name: string;
}

/** Whose work each node is; idle nodes have no entry. */
export function workByNode({ nodes }: CpuProfile, { tool }: ToolLocation): Map<number, NodeWork> {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const showsIdle = nodes.some(({ callFrame }) => callFrame.functionName === '(idle)');
  const works = new Map<number, NodeWork>();
  for (const { id, callFrame, children = [] } of nodes) {
    const name = callFrame.functionName || '(anonymous)';
    // V8's serializer has no frame of its own: its samples are attributed to the function that called postMessage.
    const called = callFrame.url.startsWith(tool)
      ? children.map((child) => frames.get(child)).find((frame) => frame !== undefined && isCloning(frame))
      : undefined;
    const work = called ? 'clone' : workOf(callFrame, tool, showsIdle);
    if (work !== null) works.set(id, { work, name: called?.functionName ?? name });
  }
  return works;
}

function workOf(frame: CallFrame, tool: string, showsIdle: boolean): Work | null {
  const { functionName, url } = frame;
  if (functionName === '(idle)' || functionName === '(root)') return null;
  if (functionName === '(garbage collector)') return 'gc';
  // Node deserializes a message before any JavaScript runs: 0.2 to 0.6 us for an empty message, 80 us for 256 rows. The
  // profile of a thread without idle samples (Deno's workers) counts its waiting as (program).
  if (functionName === '(program)') return showsIdle ? 'clone' : null;
  if (isCloning(frame)) return 'clone';
  return USER_URL.test(url) && !url.startsWith(tool) ? 'user' : 'other';
}

function isCloning({ functionName, url }: CallFrame): boolean {
  return !USER_URL.test(url) && (CLONING.has(functionName) || CLONING_OP.test(functionName));
}
