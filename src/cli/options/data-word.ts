const DATA = /\.(json|ndjson|jsonl|txt|cprof|bin)$|^-$/i;

/** Only names data, or stdin. */
export const isDataWord = (word: string): boolean => DATA.test(word);
