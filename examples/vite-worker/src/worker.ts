import { fromMessage, type Message } from '../public/orders.json?codec';
import { totalOf } from './total';

addEventListener('message', ({ data }: MessageEvent<Message>) => postMessage(totalOf(fromMessage(data))));
