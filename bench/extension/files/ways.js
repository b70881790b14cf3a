/** What is done with a payload before it is posted, and with what arrives. */
import * as codec1000 from './rows1000.codec.mjs';
import * as codec5000 from './rows5000.codec.mjs';

const codecs = { rows1000: codec1000, rows5000: codec5000 };

export const ways = {
  raw: () => ({ write: (value) => value, read: (message) => message }),
  'JSON text': () => ({ write: JSON.stringify, read: JSON.parse }),
  codec: (payload) => ({ write: codecs[payload].toMessage, read: codecs[payload].fromMessage }),
  base64: () => ({ write: (value) => value.toBase64(), read: (message) => Uint8Array.fromBase64(message) }),
};
