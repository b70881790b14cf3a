/** Source of the signals to this process: `process`. */
export interface Signals {
  on(event: string, listener: () => void): unknown;
  off(event: string, listener: () => void): unknown;
}

/** Calls the listeners of signals by their names. @returns a function that removes them */
export function onSignals(source: Signals, listeners: Readonly<Record<string, () => void>>): () => void {
  for (const [name, listener] of Object.entries(listeners)) source.on(name, listener);
  return () => {
    for (const [name, listener] of Object.entries(listeners)) source.off(name, listener);
  };
}
