/** "bun@1.4" -> name and wanted version; `wanted` is undefined without "@", and "" for "bun@". Checks neither. */
export function parseRuntimeSpec(spec: string): { name: string; wanted: string | undefined } {
  const [, name = '', wanted] = /^([^@]*)(?:@(.*))?$/s.exec(spec.trim()) ?? [];
  return { name, wanted };
}
