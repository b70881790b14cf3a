// usage: node truth.mjs <name>: prints the size of each message as a post writes it. It knows nothing of the recorder.
import { messagesOf } from './programs.mjs';

const name = process.argv[2];

async function counter() {
  if (process.versions.bun !== undefined) {
    const { serialize } = await import('bun:jsc');
    return (value) => serialize(value).byteLength;
  }
  const { Serializer } = await import('node:v8');
  return (value) => {
    const serializer = new Serializer();
    serializer.writeHeader();
    serializer.writeValue(value);
    return serializer.releaseBuffer().byteLength;
  };
}

console.log(JSON.stringify(messagesOf(name).map(await counter())));
