/** One message of a payload, timed until its answer is there: `trip`, which the bench calls. */
import * as all from './payloads.js';
import { ways } from './ways.js';

const payloads = { ...all };
const ports = new Map();
const values = new Map();

function portFor(payload, way) {
  const name = JSON.stringify({ payload, way });
  if (!ports.has(name)) ports.set(name, chrome.runtime.connect({ name }));
  return ports.get(name);
}

/** A message that cannot be posted throws at once. */
const overPort = (port, message) =>
  new Promise((resolve) => {
    const listener = () => {
      port.onMessage.removeListener(listener);
      resolve();
    };
    port.onMessage.addListener(listener);
    port.postMessage(message);
  });

/** @param by "port" or "sendMessage" @returns ms, or what the post threw */
globalThis.trip = async (payload, way, by) => {
  if (!values.has(payload)) values.set(payload, payloads[payload]());
  const value = values.get(payload);
  const { write } = ways[way](payload);
  const port = portFor(payload, way);
  try {
    const began = performance.now();
    const message = write(value);
    await (by === 'port' ? overPort(port, message) : chrome.runtime.sendMessage(message));
    return performance.now() - began;
  } catch (error) {
    return String(error);
  }
};
