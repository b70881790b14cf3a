import { randomBytes } from 'node:crypto';
import { SIGNATURE_CHARS, type SigningKey, signatureOf } from '../../core/signature.ts';
import { type Hello, hello } from '../../model/wire/answers.ts';

const decoder = new TextDecoder();
const parsed = (bytes: Uint8Array): unknown => JSON.parse(decoder.decode(bytes));

/** @throws Mismatch, SyntaxError */
export const helloIn = (bytes: Uint8Array): Hello => hello(parsed(bytes));

/** The key of one guest, and what it has signed: user code in it can write to the link too. */
export class SignedMessages {
  readonly key: SigningKey;
  #received = 0;

  constructor() {
    const random = randomBytes(8);
    this.key = [random.readUInt32LE(0), random.readUInt32LE(4)];
  }

  /** The next message; null, unread, where its signature is not the one of its place. */
  open(signed: Uint8Array): { message: unknown } | null {
    const message = signed.subarray(SIGNATURE_CHARS);
    const signature = decoder.decode(signed.subarray(0, SIGNATURE_CHARS));
    const isSigned = signature === signatureOf(this.key, this.#received++, message);
    return isSigned ? { message: parsed(message) } : null;
  }
}
