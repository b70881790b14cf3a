/** The runtime that a program asks about. It need not be on this machine: classification goes by rules. */
import { parseRuntimeSpec } from '../core/runtime-spec.ts';
import type { RuntimeId } from '../model/documents/names.ts';
import { ToolError } from '../model/errors.ts';
import { ENGINE_OF, RUNTIME_NAMES, type RuntimeName } from '../model/names.ts';
import { runningRuntime } from '../probe/running-runtime.ts';

export interface Target extends RuntimeId {
  /** As it was asked for: "bun@1.4". */
  spec: string;
}

const PARTS = 3;
/** Larger than any release: a line stands for its newest version, those to come included. */
const NEWEST = 999;

const isName = (text: string): text is RuntimeName => RUNTIME_NAMES.some((name) => name === text);

/** "1.4" -> "1.4.999". */
function newestOf(line: string): string {
  const parts = line === '' ? [] : line.split('.');
  return [...parts, ...Array<number>(Math.max(0, PARTS - parts.length)).fill(NEWEST)].join('.');
}

function targetVersion(name: RuntimeName, wanted: string | undefined, spec: string): string {
  if (wanted === undefined) {
    const running = runningRuntime();
    return running.name === name ? running.version : newestOf('');
  }
  const line = wanted === 'latest' ? '' : wanted.replace(/^v(?=\d)/, '');
  if (wanted === 'latest' || /^\d+(\.\d+){0,2}$/.test(line)) return newestOf(line);
  // A pre-release counts as the release it leads to.
  if (/^\d+\.\d+\.\d+[-+]/.test(line)) return line;
  throw new ToolError('usage', {
    detail: `runtime '${spec}': '${wanted}' is not a version. Write it like node@24, bun@1.4 or deno@2.9.6`,
  });
}

/**
 * "node", "bun@1.4", "deno@2.9.6", "chromium@150", "firefox", "webkit". A line of versions ("bun@1.4", "node@24") means
 * the newest of that line; a bare name the running version, or the newest where another runtime is running. undefined:
 * the runtime that this program runs in.
 *
 * @throws ToolError 'usage'
 */
export function targetOf(spec: string | undefined): Target {
  const running = runningRuntime();
  const asked = spec ?? `${running.name}@${running.version}`;
  const { name, wanted } = parseRuntimeSpec(asked);
  if (!isName(name)) {
    const known = RUNTIME_NAMES.join(', ');
    throw new ToolError('usage', { detail: `unknown runtime '${asked}'. Known: ${known}, also as bun@1.4` });
  }
  return { name, version: targetVersion(name, wanted, asked), engine: ENGINE_OF[name], spec: asked };
}
