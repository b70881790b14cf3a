import { allMeanings, meaningsOf } from '../../meanings/meanings.ts';
import { EXIT } from '../../model/exit-codes.ts';
import { meaningNodes } from '../../reporters/print/meanings.ts';
import { terminalNodes } from '../../reporters/terminal/nodes.ts';
import { printResult } from '../session/output.ts';
import type { World } from '../session/world.ts';

/** `clone-prof explain <word>`: what a word that the tool prints means. */
export async function runExplain({ words }: { words: readonly string[] }, world: World): Promise<number> {
  const all = allMeanings();
  const meanings = words.flatMap((word) => meaningsOf(word, all));
  await printResult((options) => terminalNodes(meaningNodes(meanings), options), world);
  return EXIT.ok;
}
