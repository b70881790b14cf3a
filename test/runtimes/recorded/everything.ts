/** A page that posts in all ways, in the same way in each browser. */
import { thrownText } from '../../../src/core/recording/sites/site-names.ts';
import type { RecordedSite } from './site.ts';

/** Nothing may be compiled from text. */
export const POLICY = {
  'content-security-policy': "default-src 'self' blob: data:; script-src 'self' blob: data:",
};

export const SAY = "const say = (...words) => fetch('/said?' + encodeURIComponent(words.join(' ')));";

export const EVERYTHING = {
  '/': '<!doctype html><script type="module" src="/main.js"></script>',
  '/main.js': `${SAY}
    const module = new Worker('/module.js?secret=a1', { type: 'module' });
    const address = URL.createObjectURL(new Blob(['"use strict"; onmessage = ({ data }) => postMessage([data])']));
    const blob = new Worker(address);
    URL.revokeObjectURL(address);
    const sloppy = btoa('onmessage = function () { postMessage((function () { return !this; })()); }');
    const strict = '"use strict";' + atob(sloppy);
    for (const given of [';base64,' + sloppy, ',' + encodeURIComponent(strict)]) {
      const data = new Worker('data:text/javascript' + given);
      data.onmessage = (event) => told('data', strictly.push(event.data));
      data.postMessage(0);
    }
    const strictly = [];
    const once = new Worker('/once.js');
    once.onmessage = () => counts.once === 19 ? told('once', once.terminate()) : counts.once++;
    const shared = new SharedWorker('/shared.js');
    const { port1, port2 } = new MessageChannel();
    const counts = { module: 0, blob: 0, shared: 0, port: 0, frame: 0, data: 0, once: 0 };
    const expected = { module: 31, blob: 5, shared: 4, port: 3, frame: 2, data: 2, once: 20 };
    const told = (name) => {
      counts[name]++;
      if (Object.keys(expected).every((key) => counts[key] === expected[key])) finish();
    };
    module.onmessage = () => told('module');
    blob.addEventListener('message', () => told('blob'));
    shared.port.onmessage = () => told('shared');
    port2.addEventListener('message', () => told('port'));
    port2.start();
    addEventListener('message', () => told('frame'));
    document.body.append(Object.assign(document.createElement('iframe'), { src: '/frame.html' }));
    for (let i = 0; i < 30; i++) module.postMessage({ id: i, text: 'x'.repeat(100) });
    for (let i = 0; i < 5; i++) blob.postMessage('valued');
    for (let i = 0; i < 4; i++) shared.port.postMessage({ i });
    for (let i = 0; i < 3; i++) port1.postMessage(new Map([[i, 'value']]));
    const failure = (run) => {
      try { run(); } catch (error) { return error.name + ' ' + error.stack.replaceAll(location.origin, ''); }
    };
    async function finish() {
      structuredClone({ list: [1, 2] });
      await say(JSON.stringify(counts), strictly.sort());
      await say(failure(() => module.postMessage(() => 1)));
      await say(failure(() => new Worker('http://[')));
      await say(failure(() => postMessage({ get a() { throw new TypeError('own'); } }, '*')));
      await say(module.constructor === Worker, Worker.name, Worker.length, postMessage.length);
      await say(Object.keys(window).filter((key) => key.startsWith('_')), navigator.webdriver, setTimeout(() => {}));
      await say(Object.getOwnPropertyNames(window).length);
      await say('END');
    }`,
  '/frame.html': '<script src="/frame.js"></script>',
  '/once.js': 'for (let i = 0; i < 20; i++) postMessage({ i });',
  '/frame.js': "for (const from of [1, 2]) parent.postMessage({ from }, '*');",
  '/module.js': `import { early } from '/early.js';
    const nested = new Worker('/nested.js');
    nested.postMessage('to nested');
    nested.onmessage = () => postMessage({ early });
    onmessage = ({ data }) => postMessage({ echo: data.id });`,
  '/early.js': "export const early = 'valued';",
  '/nested.js': "onmessage = () => postMessage({ nested: 'valued' });",
  '/shared.js':
    'onconnect = ({ ports: [port] }) => { port.onmessage = ({ data }) => port.postMessage({ back: data }); };',
};

/** "30 Worker.postMessage page -> worker module.js, received 30" */
export const counted = ({ messages, isUntold }: RecordedSite): string[] => {
  const sums = new Map<string, [count: number, received: number | null]>();
  for (const { api, from, to, count, received } of messages) {
    const [all, arrived] = sums.get(`${api} ${from} -> ${to}`) ?? [0, 0];
    // On a busy machine a worker may not have told its end: that it got them all is not known then.
    const got = api === 'Worker.postMessage' && isUntold ? (received ?? count) : received;
    const sum = got === null || arrived === null ? null : arrived + got;
    sums.set(`${api} ${from} -> ${to}`, [all + count, sum]);
  }
  return [...sums].map(([what, [all, arrived]]) => `${all} ${what}, received ${arrived}`).sort();
};

export const threw = ({ thrown }: RecordedSite): string[] =>
  thrown.map((one) => thrownText(one).replace(/^.*?: /, '')).sort();

/** Of what it posts, by whom and to whom. */
export const ALL_COUNTED = [
  '1 self.postMessage worker nested.js -> worker module.js, received 1',
  '1 structuredClone page -> null, received null',
  '1 Worker.postMessage worker module.js -> worker nested.js, received 1',
  '2 window.postMessage window -> page, received 2',
  '3 MessagePort.postMessage page -> null, received 3',
  '30 Worker.postMessage page -> worker module.js, received 30',
  '31 self.postMessage worker module.js -> page, received 31',
  '4 MessagePort.postMessage page -> shared worker shared.js, received 4',
  '4 MessagePort.postMessage shared worker shared.js -> null, received 4',
  '5 self.postMessage worker blob: -> page, received 5',
  '5 Worker.postMessage page -> worker blob:, received 5',
  '2 Worker.postMessage page -> worker data:, received 2',
  '2 self.postMessage worker data: -> page, received 2',
  '20 self.postMessage worker once.js -> page, received 20',
].sort();

/** Of the page's script. */
export const lineOf = (part: string): number =>
  EVERYTHING['/main.js'].split('\n').findIndex((line) => line.includes(part)) + 1;
