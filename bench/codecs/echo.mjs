// Takes each message as the program means it, and answers with an equal value of its own, sent the same way.
import { deepStrictEqual } from 'node:assert';
import { openParent } from './threads.mjs';
import { BLOCK, openWays } from './ways.mjs';

const parent = openParent();
let ways = null;
let wanted;
let messages = 0;

async function open({ codecs, file, name }) {
  ways = await openWays(codecs, file, name);
  wanted = await ways[0].fresh();
  parent.post('opened', []);
}

async function answer(received) {
  const { fromMessage, toMessage, transferList, fresh } = ways[Math.floor(messages / BLOCK) % ways.length];
  const value = fromMessage(received);
  if (messages++ < BLOCK * ways.length) deepStrictEqual(value, wanted);
  const message = toMessage(await fresh());
  parent.post(message, transferList(message));
}

parent.listen((message) => (ways === null ? open(message) : answer(message)));
parent.post('listening', []);
