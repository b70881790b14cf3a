/** Reads what user code threw, which need not be an Error and may throw when it is read. */

function property(of: unknown, name: string): string | undefined {
  try {
    const value: unknown = (of as Record<string, unknown> | null | undefined)?.[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  } catch {
    return undefined;
  }
}

function asText(value: unknown): string {
  try {
    return String(value);
  } catch {
    return 'a value that cannot be turned into text';
  }
}

/** "TypeError: x is not a function" */
export function messageOf(error: unknown): string {
  const message = property(error, 'message');
  if (message === undefined) return asText(error);
  const name = property(error, 'name');
  return name === undefined || message.startsWith(name) ? message : `${name}: ${message}`;
}

export function stackOf(error: unknown): string {
  return property(error, 'stack') ?? messageOf(error);
}

export function codeOf(error: unknown): string | undefined {
  return property(error, 'code');
}
