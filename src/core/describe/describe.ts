/** Value -> Shape. Runs no code of the payload's owner: no getter, no Proxy trap, no toJSON. */
import type { Shape } from '../../model/documents/shape.ts';
import type { Probe } from './inspect/probe.ts';
import { isJsonSafe, jsonBytes } from './json-safety.ts';
import { DESCRIBE_LIMITS, type DescribeLimits } from './shape/limits.ts';
import { ShapeBuilder } from './shape/shape-builder.ts';
import { JsonWalk } from './walk/json-walk.ts';
import { Walk } from './walk/walk.ts';

interface DescribeOptions {
  /** The value came straight out of JSON.parse, and nothing has touched it since. */
  fromJson?: boolean;
  /** Measure the JSON text, unless that would run foreign code. Costs one JSON.stringify. */
  jsonBytes?: boolean;
  limits?: Partial<DescribeLimits>;
}

export function describe(value: unknown, probe: Probe, options: DescribeOptions = {}): Shape {
  const builder = new ShapeBuilder({ ...DESCRIBE_LIMITS, ...options.limits });
  if (options.fromJson === true) new JsonWalk(builder, probe.storage).walk(value);
  else new Walk(builder, probe).walk(value);
  const patterns = builder.facts();
  const { nodes, depth, truncated } = builder;
  return {
    nodes,
    depth,
    jsonBytes:
      options.jsonBytes === true ? jsonBytes(value, patterns, depth, (text) => probe.utf8Bytes(text)) : null,
    jsonSafe: isJsonSafe(patterns, depth),
    patterns,
    truncated: { ...truncated },
    representation: { by: probe.storage.by, engine: probe.storage.engine },
  };
}
