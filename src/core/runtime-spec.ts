import type { RuntimeId } from '../model/documents/names.ts';
import { ENGINE_OF, RUNTIME_NAMES } from '../model/names.ts';

/** Splits "bun@1.4" into name and wanted version: undefined without "@", "" for "bun@". Neither part is validated. */
export function parseRuntimeSpec(spec: string): { name: string; wanted: string | undefined } {
  const [, name = '', wanted] = /^([^@]*)(?:@(.*))?$/s.exec(spec.trim()) ?? [];
  return { name, wanted };
}

/** Returns the id of a runtime that is not installed, from a spec like "deno@2.9"; null for a path or unknown name. */
export function runtimeOfSpec(spec: string): RuntimeId | null {
  const { name: text, wanted: version = 'missing' } = parseRuntimeSpec(spec);
  const name = RUNTIME_NAMES.find((known) => known === text);
  return name === undefined ? null : { name, version, engine: ENGINE_OF[name] };
}
