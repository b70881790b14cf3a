import { bashCompletion, zshCompletion } from '../completion/bash.ts';
import { commandWords } from '../completion/command-words.ts';
import { fishCompletion } from '../completion/fish.ts';
import { ALL_COMMANDS, SHELLS } from '../options/all.ts';
import { oneOf } from '../options/option.ts';
import { EXIT } from '../session/exit-code.ts';
import { write } from '../session/output.ts';
import type { World } from '../session/world.ts';
import { explainedWords } from './explain.ts';

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

/** `clone-prof completion <shell>` */
export async function runCompletion(
  { shells: [word = ''] }: { shells: string[] },
  world: World,
): Promise<number> {
  const shell = oneOf(SHELLS)(word, 'completion');
  const words = explainedWords();
  await write(world.stdout, SCRIPTS[shell](ALL_COMMANDS.map((one) => commandWords(one, words))));
  return EXIT.ok;
}
