/**
 * Runs in the runtime under test: posts each value of a module with its list.
 * usage: lists-in-runtime <module> <channel>
 */
import { pathToFileURL } from 'node:url';
import { postedWithLists } from './posted-with-list.ts';

const [file = '', channel = ''] = process.argv.slice(2);
console.log(JSON.stringify(await postedWithLists(await import(pathToFileURL(file).href), channel)));
process.exit();
