/** What the call of a codec depends on. */
interface CodecCall {
  /** The codec has a `transferList`. */
  hasTransfer: boolean;
  /** The payload itself is the message: there is no `toMessage`. */
  isOriginal: boolean;
}

/** The lines of the sender that post `payload`. */
export function callOf({ hasTransfer, isOriginal }: CodecCall): string[] {
  const message = isOriginal ? 'payload' : 'toMessage(payload)';
  if (!hasTransfer) return [`worker.postMessage(${message});`];
  if (isOriginal) return ['worker.postMessage(payload, transferList(payload));'];
  return [`const message = ${message};`, 'worker.postMessage(message, transferList(message));'];
}
