// The same program in a page: asks the server that it came from, and posts to it what it timed.
import { compete } from './compete.ts';
import type { Ask } from './open.ts';

const told = (result: unknown) => fetch('/result', { method: 'POST', body: JSON.stringify(result) });

try {
  const ask = (await (await fetch('/ask')).json()) as Ask;
  await told(await compete(ask, new URL('./echo.mjs', import.meta.url)));
} catch (error) {
  await told({ error: String(error) });
}
