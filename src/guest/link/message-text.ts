import type { FromGuest, Link, NumberedRequest } from '../../model/wire/wire.ts';
import { map } from '../../value/read/lists.ts';

export type GuestLink = Pick<Link<FromGuest, NumberedRequest>, 'send' | 'onMessage'>;

/** `token`: the host's secret, to be sent with the hello. */
export interface Connected {
  link: GuestLink;
  token: string;
}

// Taken before user code can replace them.
const { stringify } = JSON;
const { defineProperty, deleteProperty, getOwnPropertyDescriptor } = Reflect;

const PROTOTYPES = [Object.prototype, Array.prototype, String.prototype, Number.prototype, Boolean.prototype];

/** JSON text of a message, also when user code has added a `toJSON` to `Array.prototype` or another prototype. */
export function writeMessage(message: FromGuest): string {
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
