import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Channel, PathName, RuleBookName } from '../model/names.ts';
import type { Recipe } from '../model/recipe.ts';
import type { Versions } from '../model/rule.ts';
import type { SpecimenPair } from '../model/verify.ts';

/** What a specimen module of this package exports besides its two factories. */
interface SpecimenModule {
  channel?: Channel;
  runtimes?: Versions;
  describedOn?: Versions;
  transfer?: (value: unknown) => unknown[];
  fires: () => unknown;
  nearMiss: () => unknown;
}

const NAME = /^(path-)?(v8|jsc|spidermonkey|webkit|spec)-(.+)\.js$/;

function recipeOf(folder: string, file: string, name: 'fires' | 'nearMiss'): Recipe {
  const path = join(folder, file);
  return {
    id: `${file}#${name}`,
    source: { file, export: name },
    build: { form: 'module', file: path, original: path, export: name },
  };
}

/** Does the message go with a transfer list? The specimens are the project's own, so the host may build one to see. */
async function isTransferring(module: SpecimenModule, name: 'fires' | 'nearMiss'): Promise<boolean> {
  return module.transfer !== undefined && module.transfer(await module[name]()).length > 0;
}

/** The specimens in a folder of this package: one module a rule or path, named by it. They are the project's own. */
export async function loadSpecimens(folder: string): Promise<SpecimenPair[]> {
  const pairs = readdirSync(folder)
    .sort()
    .map(async (file): Promise<SpecimenPair[]> => {
      const [, isPath, book, name] = NAME.exec(file) ?? [];
      if (!book || !name) return [];
      const module = (await import(pathToFileURL(join(folder, file)).href)) as SpecimenModule;
      const runtimes = module.describedOn ?? module.runtimes;
      return [
        {
          book: book as RuleBookName,
          of: isPath ? { path: name as PathName } : { rule: `${book}/${name}` },
          channel: module.channel ?? 'worker',
          ...(runtimes === undefined ? {} : { runtimes }),
          fires: {
            recipe: recipeOf(folder, file, 'fires'),
            transferring: await isTransferring(module, 'fires'),
          },
          nearMiss: {
            recipe: recipeOf(folder, file, 'nearMiss'),
            transferring: await isTransferring(module, 'nearMiss'),
          },
        },
      ];
    });
  return (await Promise.all(pairs)).flat();
}
