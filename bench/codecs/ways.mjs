import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';

/** The program and its peer change from one way to the other after so many messages. */
export const BLOCK = 4;

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

/** Whether sending a message of the codec takes buffers of the payload itself. */
async function detaches({ toMessage, transferList }, build) {
  const value = await build();
  const message = toMessage(value);
  structuredClone(message, { transfer: transferList(message) });
  return !isDeepStrictEqual(value, await build());
}

/**
 * The original and each codec, each with a value of its own: reading an array can change how V8 stores it. `fresh` builds a
 * value for one message, a new one where sending detaches its buffers. `codecs` are files with commas between.
 */
export async function openWays(codecs, file, name) {
  const build = await sourceOf(file, name);
  const posted = await build();
  const ways = [{ fresh: () => posted, toMessage: asItIs, fromMessage: asItIs, transferList: nothing }];
  for (const codec of codecs.split(',')) {
    const {
      toMessage = asItIs,
      fromMessage = asItIs,
      transferList = nothing,
    } = await import(pathToFileURL(codec).href);
    const read = await build();
    const isNew = await detaches({ toMessage, transferList }, build);
    ways.push({ fresh: isNew ? build : () => read, toMessage, fromMessage, transferList });
  }
  return ways;
}
