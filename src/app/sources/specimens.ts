import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Channel, PathName, RuleBookName } from '../../model/names.ts';
import type { Specimen, SpecimenPair } from '../../model/report/verify.ts';
import type { Versions } from '../../model/rules/rule.ts';

/** Exports of a specimen module of this package, in addition to its two factories. */
interface SpecimenModule {
  channel?: Channel;
  /** Further channels that the rule holds for. `verify` alone posts over them. */
  alsoOver?: readonly Channel[];
  runtimes?: Versions;
  describedOn?: Versions;
  transfer?: (value: unknown) => unknown[];
  fires: () => unknown;
  nearMiss: () => unknown;
}

const NAME = /^(path-)?(v8|jsc|spidermonkey|webkit|spec)-(.+)\.js$/;

/** Loads the specimens in a folder of this package: one module for each rule or path, named after it. */
export async function loadSpecimens(folder: string): Promise<SpecimenPair[]> {
  const pairs = readdirSync(folder)
    .sort()
    .map(async (file): Promise<SpecimenPair[]> => {
      const [, isPath, book, rule] = NAME.exec(file) ?? [];
      if (!book || !rule) return [];
      const path = join(folder, file);
      const module = (await import(pathToFileURL(path).href)) as SpecimenModule;
      const specimen = async (name: 'fires' | 'nearMiss'): Promise<Specimen> => ({
        recipe: {
          id: `${file}#${name}`,
          source: { file, export: name },
          build: { form: 'module', file: path, original: path, export: name },
        },
        // Specimens are part of this package, so the host may build one.
        transferring: module.transfer !== undefined && module.transfer(await module[name]()).length > 0,
      });
      const runtimes = module.describedOn ?? module.runtimes;
      const pair: Omit<SpecimenPair, 'channel'> = {
        book: book as RuleBookName,
        of: isPath ? { path: rule as PathName } : { rule: `${book}/${rule}` },
        ...(runtimes === undefined ? {} : { runtimes }),
        fires: await specimen('fires'),
        nearMiss: await specimen('nearMiss'),
      };
      const others = (module.alsoOver ?? []).map((over) => ({ ...pair, channel: over, isAlso: true }));
      return [{ ...pair, channel: module.channel ?? 'worker' }, ...others];
    });
  return (await Promise.all(pairs)).flat();
}
