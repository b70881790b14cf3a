import { type SigningKey, signatureOf } from '../../core/signature.ts';
import { map } from '../../core/value/lists.ts';
import type { FromGuest } from '../../model/wire/wire.ts';

// Taken before user code can replace them.
const { stringify } = JSON;
const { defineProperty, deleteProperty, getOwnPropertyDescriptor } = Reflect;
const encode = TextEncoder.prototype.encode.bind(new TextEncoder());

const PROTOTYPES = [Object.prototype, Array.prototype, String.prototype, Number.prototype, Boolean.prototype];

/** JSON text of a message, also when user code has added a `toJSON` to `Array.prototype` or another prototype. */
function writeMessage(message: FromGuest): string {
  const patches = map(PROTOTYPES, (proto) => getOwnPropertyDescriptor(proto, 'toJSON'));
  for (let i = 0; i < patches.length; i++) if (patches[i]) deleteProperty(PROTOTYPES[i]!, 'toJSON');
  try {
    return stringify(message);
  } finally {
    for (let i = 0; i < patches.length; i++) {
      if (patches[i]) defineProperty(PROTOTYPES[i]!, 'toJSON', patches[i]!);
    }
  }
}

/** Texts of messages, behind their signatures. The hello has none: there is no key yet. */
export function messageSigner() {
  let key: SigningKey | null = null;
  let sent = 0;
  return {
    /** The first key counts. */
    setKey(given: SigningKey): void {
      key ??= given;
    },
    signed(message: FromGuest): string {
      const text = writeMessage(message);
      return key === null ? text : signatureOf(key, sent++, encode(text)) + text;
    },
  };
}
