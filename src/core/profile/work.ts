import type { Work } from '../../model/profile.ts';
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

const USERS = /^(?:file:|https?:|\/|[A-Za-z]:[\\/])/;

export interface ToolLocation {
  /** Where the tool's own code lies in this process: begin of the URLs of its frames. */
  tool: string;
}

/** Whose work a node is, and the name that says it best. */
export interface NodeWork {
  work: Work;
  name: string;
}

/** Whose each node is; nothing for waiting, which is nobody's work. */
export function workByNode({ nodes }: CpuProfile, { tool }: ToolLocation): Map<number, NodeWork> {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const tellsIdle = nodes.some(({ callFrame }) => callFrame.functionName === '(idle)');
  const works = new Map<number, NodeWork>();
  for (const { id, callFrame, children = [] } of nodes) {
    const name = callFrame.functionName || '(anonymous)';
    // While V8's serializer runs, a sample finds no native function and stays with the one that called postMessage.
    const called = callFrame.url.startsWith(tool)
      ? children.map((child) => frames.get(child)).find((frame) => frame !== undefined && isCloning(frame))
      : undefined;
    const work = called ? 'clone' : workOf(callFrame, tool, tellsIdle);
    if (work !== null) works.set(id, { work, name: called?.functionName ?? name });
  }
  return works;
}

function workOf({ functionName, url, ...place }: CallFrame, tool: string, tellsIdle: boolean): Work | null {
  if (functionName === '(idle)' || functionName === '(root)') return null;
  if (functionName === '(garbage collector)') return 'gc';
  // Node deserializes what arrives before any JavaScript runs: seen with an empty message 0.2 to 0.6 us of it, with 256
  // rows 80 us. A thread that does not tell when it waits (Deno's workers) has its waiting in here.
  if (functionName === '(program)') return tellsIdle ? 'clone' : null;
  if (isCloning({ functionName, url, ...place })) return 'clone';
  return USERS.test(url) && !url.startsWith(tool) ? 'user' : 'other';
}

function isCloning({ functionName, url }: CallFrame): boolean {
  return !USERS.test(url) && (CLONING.has(functionName) || CLONING_OP.test(functionName));
}
