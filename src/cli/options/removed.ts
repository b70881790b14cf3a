/** Options that earlier versions had, of any command, and what to use instead. */
const REMOVED: Readonly<Record<string, string>> = {
  '--load':
    'clone-prof record counts the messages that wait in the program itself: clone-prof record -- node app.js',
  '--accept-config':
    'merge the change of the config on its own: a config that demands less than its base fails until the base has it',
  '--history':
    '-f benchmark writes what services that keep a history read, and clone-prof report compares stored reports',
  '--weak-integrity': 'nothing: npm compares each package with the hash that its registry publishes',
};

export const REMOVED_OPTIONS = Object.keys(REMOVED);

/** Line for a removed option, typed as `--load` or `--load=16`; null for any other unknown option. */
export function removedOptionText(typed: string): string | null {
  const [option = ''] = typed.split('=');
  return Object.hasOwn(REMOVED, option) ? `${option} was removed. Instead: ${REMOVED[option]}` : null;
}
