// Takes each message as the program means it, and answers with an equal value of its own, sent the same way.
import { openParent } from '../../codecs/threads.mjs';
import { type Ask, type Competitor, openWays } from './open.ts';
import { arrivedWhole } from './same.ts';
import { turns } from './turns.ts';

const parent = openParent();
let ways: Competitor[] = [];
let order: Generator<number, never>;
let way: Competitor;
let block = 1;
let messages = 0;

async function open(ask: Ask): Promise<void> {
  ({ ways } = await openWays(ask));
  ({ block } = ask);
  order = turns(ways.length, ask.seed);
  parent.post(
    ways.map(({ name }) => name),
    [],
  );
}

function answer(received: unknown): void {
  if (messages % block === 0) way = ways[order.next().value]!;
  const value = way.fromMessage(received);
  if (messages++ < block * ways.length && !arrivedWhole(way.value, value, way.isLenient))
    throw new Error(`${way.name}: what arrived at the worker is not equal`);
  const message = way.toMessage(way.value);
  parent.post(message, way.transferList(message));
}

parent.listen((message) => (ways.length === 0 ? open(message as Ask) : answer(message)));
parent.post('listening', []);
