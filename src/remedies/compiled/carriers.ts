import { BYTES_AND_TEXT } from '../code/base64-code.ts';

/** What carries the numbers of a message. */
export interface Carrier {
  /** Of a message, in TypeScript. */
  messageType: string;
  /** Expression of the message that is written. */
  sent: string;
  /** Statements that make what is read, before and after damage is looked for. */
  received: { before: string; inside: string };
  code: string[];
}

/** Of what is read. */
export const READ_TYPE =
  '{ version: string; ints: Int32Array; doubles: Float64Array; text: string; rest: unknown[] }';

const CLONED: Carrier = {
  messageType: READ_TYPE,
  sent: '{ version: VERSION, ints: ints.slice(0, i), doubles: doubles.slice(0, d), text, rest }',
  received: { before: '\n  from = message/*as typeof NOTHING */;', inside: '' },
  code: [],
};

/** JSON has no notation for typed arrays: their bytes are base64 text, which takes less time than numbers in digits. */
const AS_TEXT: Carrier = {
  messageType: '{ version: string; ints: string; doubles: string; text: string; rest: unknown[] }',
  sent: `{
      version: VERSION,
      ints: numbersText(ints, i),
      doubles: numbersText(doubles, d),
      text,
      rest: rest.map(bytesToText),
    }`,
  received: { before: '', inside: '\n    from = fromTexts(message/*as Texts */);' },
  code: [
    BYTES_AND_TEXT,
    `const numbersText = (numbers/*: Int32Array | Float64Array */, length/*: number */)/*: string */ =>
  base64Of(new Uint8Array(numbers.buffer, 0, length * numbers.BYTES_PER_ELEMENT));
/*type Texts = Exclude<Message, { asIs: Payload }>; */
const fromTexts = (message/*: Texts */)/*: ${READ_TYPE} */ => ({
  ...message,
  ints: new Int32Array(bytesOf(message.ints).buffer),
  doubles: new Float64Array(bytesOf(message.doubles).buffer),
  rest: message.rest.map(textToBytes),
});`,
  ],
};

export const CARRIERS = { cloned: CLONED, base64: AS_TEXT } as const;
export type CarrierName = keyof typeof CARRIERS;
