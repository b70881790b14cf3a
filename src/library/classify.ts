import { Buffer } from 'node:buffer';
import { classify as classifyShape } from '../core/classify/classify.ts';
import { describe } from '../core/describe/describe.ts';
import { ENGINES, STANDARD } from '../engines/index.ts';
import type { Shape } from '../model/documents/shape.ts';
import { ToolError } from '../model/errors.ts';
import { CHANNELS, type Channel } from '../model/names.ts';
import type { Classification } from '../model/rules/rule.ts';
import { inProcessStorage } from '../probe/in-process-storage.ts';
import { typeDetection } from '../probe/type-detection/type-detection.ts';
import { type Target, targetOf } from './target.ts';

export interface ClassifyOptions {
  /**
   * "node", "bun@1.4", "deno@2.9.6", "chromium", ...; default: the running one. A line of versions means the newest of
   * that line: "bun@1.4" holds for every 1.4, those to come included.
   */
  runtime?: string | undefined;
  /** How the value travels; default "worker". */
  channel?: Channel | 'ipc' | undefined;
  /** The message goes with a transfer list. */
  transferring?: boolean | undefined;
}

export interface Classified extends Classification {
  /** What the rules were matched against. */
  shape: Shape;
  /** The runtime of the rules; `version` is padded with .999 where only a line of versions was asked for. */
  runtime: Target;
  channel: Channel;
}

/** @throws ToolError 'usage' */
function channelOf(name: string): Channel {
  // What earlier versions called the one channel between processes.
  const channel = name === 'ipc' ? 'ipc-advanced' : CHANNELS.find((one) => one === name);
  if (channel !== undefined) return channel;
  throw new ToolError('usage', {
    detail: `channel: '${name}' is unknown. Known: ${CHANNELS.join(', ')}`,
  });
}

/**
 * Which path a value of the running program takes in a runtime, what it costs, and what blocks a better path. By rules,
 * in this process: nothing is cloned, no getter runs, no other runtime is needed.
 *
 * How the target engine would store the value is assumed where the running engine is another one, or where no API
 * tells (a deleted property): `verdict.unknowns` names what the verdict rests on. `analyze` asks the real engines.
 *
 * @throws ToolError 'usage' for invalid options
 */
export function classify(value: unknown, options: ClassifyOptions = {}): Classified {
  const runtime = targetOf(options.runtime);
  const channel = channelOf(options.channel ?? 'worker');
  const { engine } = runtime;
  const shape = describe(value, {
    types: typeDetection,
    storage: inProcessStorage(engine),
    utf8Bytes: (text) => Buffer.byteLength(text),
  });
  const where = { runtime, channel, transferring: options.transferring ?? false };
  const { verdict, findings } = classifyShape(shape, ENGINES[engine], STANDARD, where);
  return { verdict, findings, shape, runtime, channel };
}
