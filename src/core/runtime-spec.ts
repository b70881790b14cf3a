import type { RuntimeId } from '../model/documents/names.ts';
import { ENGINE_OF, RUNTIME_NAMES } from '../model/names.ts';

/** "bun@1.4" -> name and wanted version; `wanted` is undefined without "@", and "" for "bun@". Validates neither. */
export function parseRuntimeSpec(spec: string): { name: string; wanted: string | undefined } {
  const [, name = '', wanted] = /^([^@]*)(?:@(.*))?$/s.exec(spec.trim()) ?? [];
  return { name, wanted };
}

/** A runtime as reports name it when it is not here: "deno@2.9" by its spec; null for a path or an unknown name. */
export function runtimeOfSpec(spec: string): RuntimeId | null {
  const { name: text, wanted: version = 'missing' } = parseRuntimeSpec(spec);
  const name = RUNTIME_NAMES.find((known) => known === text);
  return name === undefined ? null : { name, version, engine: ENGINE_OF[name] };
}
