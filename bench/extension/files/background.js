/** Reads each message, and answers it with an empty one. A port has its payload and its way as its name. */
import { ways } from './ways.js';

chrome.runtime.onConnect.addListener((port) => {
  const { payload, way } = JSON.parse(port.name);
  const { read } = ways[way](payload);
  port.onMessage.addListener((message) => {
    read(message);
    port.postMessage('');
  });
});

chrome.runtime.onMessage.addListener((_message, _sender, answer) => {
  answer('');
});
