/** Requests in a file, for a process that answers all of them and ends. */
import { readFile, writeFile } from 'node:fs/promises';
import { argv } from 'node:process';

/** The files are the last two words: requests and answers, each a line of JSON. */
export async function answerFile(answer: (request: unknown) => Promise<unknown>): Promise<void> {
  const [requests, answers] = argv.slice(-2) as [string, string];
  const told: string[] = [];
  for (const line of (await readFile(requests, 'utf8')).split('\n'))
    if (line !== '') told.push(JSON.stringify(await answer(JSON.parse(line))));
  await writeFile(answers, told.join('\n'), { mode: 0o600 });
}
