import { Buffer } from 'node:buffer';
import { classify as classifyShape, postBytes } from '../../engines/classify/classify.ts';
import { ENGINES } from '../../engines/index.ts';
import { giveProbe, runningProbe } from '../../engines/probe/probe.ts';
import { runningRuntime } from '../../engines/probe/process.ts';
import { processProbe } from '../../engines/probe/process-probe.ts';
import { inProcessStorage } from '../../engines/probe/process-serializer.ts';
import { typeDetection } from '../../engines/probe/type-detection.ts';
import { parseRuntimeSpec } from '../../engines/versions/versions.ts';
import type { PostBytes } from '../../model/documents/classification.ts';
import type { RuntimeId } from '../../model/documents/names.ts';
import type { Shape } from '../../model/documents/shape.ts';
import { knownName, usage } from '../../model/errors.ts';
import { CHANNELS, type Channel, ENGINE_OF, RUNTIME_NAMES, usualChannel } from '../../model/names.ts';
import type { Classification } from '../../model/rules/rule.ts';
import { describe } from '../../value/describe/describe.ts';

// Each entry of the library and of the matchers loads this module, so the probe is set here.
giveProbe(processProbe());

export interface Target extends RuntimeId {
  /** The specification that the caller gave: "bun@1.4". */
  spec: string;
}

/** A line of versions stands for its newest release, including future releases: "1.4" -> "1.4.999". */
function targetVersion(name: RuntimeId['name'], wanted: string | undefined, spec: string): string {
  const running = runningRuntime();
  if (wanted === undefined && running.name === name) return running.version;
  const line = wanted === undefined || wanted === 'latest' ? '999' : wanted.replace(/^v/, '');
  if (/^\d+(\.\d+){0,2}([-+].*)?$/.test(line)) return `${line}.999.999`.split('.', 3).join('.');
  throw usage(
    `runtime '${spec}': '${wanted}' is not a version. Write it like node@24, bun@1.4 or deno@2.9.6`,
  );
}

/**
 * Parses "node", "bun@1.4", "deno@2.9.6", "chromium@150", "firefox", "webkit". A line of versions ("bun@1.4",
 * "node@24") means the newest of that line. A bare name means the running version, or the newest if a different runtime
 * is running; undefined means the runtime of this program.
 *
 * @throws ToolError 'usage'
 */
export function targetOf(spec: string | undefined): Target {
  const running = runningRuntime();
  const asked = spec ?? `${running.name}@${running.version}`;
  const { name: given, wanted } = parseRuntimeSpec(asked);
  const name = knownName(RUNTIME_NAMES, given, 'runtime');
  return { name, version: targetVersion(name, wanted, asked), engine: ENGINE_OF[name], spec: asked };
}

export interface ClassifyOptions {
  /**
   * "node", "bun@1.4", "deno@2.9.6", "chromium", ...; default: the running one. A line of versions means the newest of
   * that line: "bun@1.4" holds for every 1.4, including future releases.
   */
  runtime?: string | undefined;
  /** Channel of the message; default "worker". */
  channel?: Channel | undefined;
  /** True if the message has a transfer list. */
  transferring?: boolean | undefined;
}

export interface Classified extends Classification {
  /** Shape that the rules were matched against. */
  shape: Shape;
  /** Runtime of the rules; `version` is padded with .999 if the caller gave only a line of versions. */
  runtime: Target;
  channel: Channel;
}

/**
 * Path that a value of the running program takes in a runtime, its cost, and the findings that block a better path. The
 * rules decide in this process: nothing is cloned, no getter runs, and the target runtime is not needed.
 *
 * The storage of the value is assumed if the target engine is not the running one, or if no API shows it (a deleted
 * property): `verdict.unknowns` names these assumptions. `analyze` uses the real engines.
 *
 * @throws ToolError 'usage' for invalid options
 */
export function classify(value: unknown, options: ClassifyOptions = {}): Classified {
  const runtime = targetOf(options.runtime);
  const channel = knownName(CHANNELS, options.channel ?? usualChannel(runtime.name), 'channel');
  const { engine } = runtime;
  const probe = {
    types: typeDetection(),
    storage: inProcessStorage(engine),
    utf8Bytes: (text: string) => Buffer.byteLength(text),
  };
  const shape = describe(value, probe, { channel });
  const where = { runtime, channel, transferring: options.transferring ?? false };
  const { verdict, findings } = classifyShape(shape, ENGINES[engine], where);
  return { verdict, findings, shape, runtime, channel };
}

/**
 * Bytes of a post of the value, as `analyze` reports them on the running runtime; null if the runtime refuses the
 * value. They are estimated from the shape if the value has getters, because writing it would run them.
 */
export function cloneBytes(value: unknown, classified: Classified): PostBytes | null {
  const { shape, verdict, runtime, channel } = classified;
  const runsForeignCode = shape.patterns.some(({ flags }) => flags.includes('accessor'));
  const message = runsForeignCode ? [] : runningProbe().messageBytes(value, shape, channel);
  return postBytes(shape, verdict.path, ENGINES[runtime.engine], { runtime, channel }, message);
}
