// A program without the tool: posts a payload to a worker by each way in turns, and times the trips by hand.
// Usage: program.mjs <Ask as JSON>; prints a Timed.
import { compete } from './compete.ts';
import type { Ask } from './open.ts';

const ask = JSON.parse(process.argv[2]!) as Ask;
console.log(JSON.stringify(await compete(ask, new URL('./echo.mjs', import.meta.url))));
