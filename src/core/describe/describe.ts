/** Describes a value by a Shape. Runs no code of the user: no getter, no Proxy trap, no toJSON. */

import type { Facts, Shape } from '../../model/documents/shape.ts';
import { patternOf } from '../paths.ts';
import type { Probe } from './inspect/probe.ts';
import { isJsonSafe, jsonBytes } from './json-safety.ts';
import { ShapeBuilder } from './shape/shape-builder.ts';
import { Walk } from './walk/walk.ts';

interface DescribeOptions {
  /** The value is an unmodified result of JSON.parse. */
  fromJson?: boolean;
  /** Measures the JSON text, unless that would run the user's code. Costs one JSON.stringify. */
  jsonBytes?: boolean;
}

export function describe(value: unknown, probe: Probe, options: DescribeOptions = {}): Shape {
  const builder = new ShapeBuilder();
  new Walk(builder, probe, options.fromJson === true).walk(value);
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

/** Finds the row that counted such objects: they look ordinary, so it is the largest unmarked row of the pattern. */
function rowFor(rows: readonly Facts[], pattern: string): number {
  let best = -1;
  rows.forEach((row, i) => {
    const fits = row.pattern === pattern && row.kind === 'object' && !row.flags.includes('hidden-state');
    if (fits && (best < 0 || row.count > rows[best]!.count)) best = i;
  });
  return best;
}

function split(row: Facts, paths: readonly string[]): Facts[] {
  const marked: Facts = { ...row, flags: [...row.flags, 'hidden-state'], example: paths[0]! };
  if (paths.length >= row.count) return [marked];
  // Sizes are known only for marked and unmarked objects together.
  const { size: _, ...unsized } = marked;
  return [
    { ...row, count: row.count - paths.length },
    { ...unsized, count: paths.length },
  ];
}

/**
 * Returns the shape with the flag `hidden-state` on the objects at these concrete paths.
 *
 * @param paths Confirmation.hidden; a path without a matching object is ignored
 */
export function withHidden(shape: Shape, paths: readonly string[] | null): Shape {
  const byPattern = new Map<string, string[]>();
  for (const path of paths ?? []) {
    const pattern = patternOf(path);
    if (pattern !== null) byPattern.set(pattern, [...(byPattern.get(pattern) ?? []), path]);
  }
  let patterns = shape.patterns;
  for (const [pattern, found] of byPattern) {
    const at = rowFor(patterns, pattern);
    if (at >= 0) patterns = patterns.toSpliced(at, 1, ...split(patterns[at]!, found));
  }
  return { ...shape, patterns };
}
