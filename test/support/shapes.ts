/** Hand-written shapes for table tests. */

import type { Facts, Shape } from '../../src/model/documents/shape.ts';
import type { EngineName } from '../../src/model/names.ts';
import type { Flag, Kind } from '../../src/model/vocabulary/shape.ts';

export type RowOptions = Partial<Omit<Facts, 'pattern' | 'kind' | 'flags'>>;

function parentOf(pattern: string): Kind | null {
  if (pattern === '$') return null;
  if (pattern.endsWith('[*]') || pattern.endsWith(']..')) return 'array';
  if (/\{(key|value)\}$/.test(pattern)) return 'map';
  return pattern.endsWith('{member}') ? 'set' : 'object';
}

const depthOf = (pattern: string) =>
  pattern.slice(1).match(/\.\.|\.\*|\.\w+|\[[^\]]+\]|\{\w+\}/g)?.length ?? 0;

/** `row('$[*].id', 'number', ['int32'])`: parent and depth are read off the pattern. */
export function row(
  pattern: string,
  kind: Kind,
  flags: readonly Flag[] = [],
  options: RowOptions = {},
): Facts {
  return {
    pattern,
    kind,
    flags: [...flags],
    depth: depthOf(pattern),
    parent: parentOf(pattern),
    count: 1,
    example: pattern.replaceAll('[*]', '[0]').replaceAll('{value}', '{value:0}'),
    ...options,
  };
}

export function shapeOf(engine: EngineName, ...patterns: Facts[]): Shape {
  return {
    nodes: patterns.reduce((sum, facts) => sum + facts.count, 0),
    depth: Math.max(...patterns.map((facts) => facts.depth)),
    jsonBytes: null,
    jsonSafe: true,
    patterns,
    truncated: { patterns: false, depth: false, items: false },
    representation: { by: 'assumed', engine },
  };
}
