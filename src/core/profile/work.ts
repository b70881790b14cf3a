import type { Work } from '../../model/profile.ts';
import type { CpuNode, CpuProfile, Frame } from './self-times.ts';

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

export interface Ground {
  /** Where the tool's own code lies in this process: begin of the URLs of its frames. */
  tool: string;
}

/** Whose each node is; null for waiting, which is nobody's work. */
export function worksOf({ nodes }: CpuProfile, ground: Ground): Map<number, Work | null> {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const tellsIdle = nodes.some(({ callFrame }) => callFrame.functionName === '(idle)');
  const cloning = (id: number) => {
    const frame = frames.get(id);
    return frame !== undefined && isCloning(frame);
  };
  return new Map(nodes.map((node) => [node.id, workOf(node, ground, tellsIdle, cloning)]));
}

function workOf(
  { callFrame, children }: CpuNode,
  { tool }: Ground,
  tellsIdle: boolean,
  cloning: (id: number) => boolean,
): Work | null {
  const { functionName, url } = callFrame;
  if (functionName === '(idle)' || functionName === '(root)') return null;
  if (functionName === '(garbage collector)') return 'gc';
  // Node deserializes what arrives before any JavaScript runs: seen with an empty message 0.2 to 0.6 us of it, with 256
  // rows 80 us. A thread that does not tell when it waits (Deno's workers) has its waiting in here.
  if (functionName === '(program)') return tellsIdle ? 'clone' : null;
  if (isCloning(callFrame)) return 'clone';
  // While V8's serializer runs, a sample finds no native function and stays with the one that called postMessage.
  if (url.startsWith(tool)) return (children ?? []).some(cloning) ? 'clone' : 'other';
  return USERS.test(url) ? 'user' : 'other';
}

function isCloning({ functionName, url }: Frame): boolean {
  return !USERS.test(url) && (CLONING.has(functionName) || CLONING_OP.test(functionName));
}
