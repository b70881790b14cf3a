/** Modules that the host has bundled. */

import { isServiceWorker } from './channels/extension.ts';
import { compiling } from './compiling.ts';

// Taken before user code loads.
const get = fetch;
const { parse } = JSON;
const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor as new (
  body: string,
) => () => Promise<{ default?: unknown }>;

/** The last statement that esbuild writes: of an ES module, and of a CommonJS one. */
const NAMED = /\nexport \{\n([^{}]*)\n\};\s*$/;
const WHOLE = /\nexport default (.*);\s*$/;

/** `  own as "its name"` */
function getterOf(line: string): string {
  const [, own = '', name = own] = /^\s*(\S+?)(?: as (.+?))?,?$/.exec(line) ?? [];
  const key = name.startsWith('"') ? (parse(name) as string) : name;
  return `get ${JSON.stringify(key)}() { return ${own}; }`;
}

function bodyOf(text: string): string {
  const named = NAMED.exec(text);
  const whole = named ? null : WHOLE.exec(text);
  const members = named ? named[1]!.split('\n').map(getterOf) : whole ? [`default: ${whole[1]}`] : [];
  const code = text.slice(0, (named ?? whole)?.index);
  return `"use strict"; ${code}\nreturn { __proto__: null, ${members.join(', ')} };`;
}

/** A service worker imports nothing after its start: the text of the bundle becomes the body of a function. */
async function evaluated(address: string): Promise<{ default?: unknown }> {
  const body = bodyOf(await (await get(address)).text());
  const evaluate = await compiling(() => new AsyncFunction(body));
  return evaluate();
}

export const importText = (address: string): Promise<{ default?: unknown }> =>
  isServiceWorker ? evaluated(address) : import(address);
