import { meaningsOf } from '../meanings/meanings.ts';
import type { Meaning } from '../model/report/meaning.ts';

/** @throws ToolError 'usage' for a word that the tool does not print */
export const explain = async (word: string): Promise<Meaning[]> => meaningsOf(word);
