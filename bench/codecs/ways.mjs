import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const asItIs = (value) => value;
const nothing = () => [];

/** How the payload of a file, or of an export of a module, is built. */
async function sourceOf(file, name) {
  if (name === '-') {
    const text = readFileSync(file, 'utf8');
    return () => JSON.parse(text);
  }
  const { [name]: exported } = await import(pathToFileURL(file).href);
  return typeof exported === 'function' ? exported : () => exported;
}

/** The original and the codec. `fresh` builds a value for one message: a new one where sending detaches its buffers. */
export async function openWays(codec, file, name) {
  const { toMessage, fromMessage, transferList = nothing } = await import(pathToFileURL(codec).href);
  const build = await sourceOf(file, name);
  const value = await build();
  const fresh = transferList === nothing ? () => value : build;
  return [
    { fresh: () => value, toMessage: asItIs, fromMessage: asItIs, transferList: nothing },
    { fresh, toMessage, fromMessage, transferList },
  ];
}
