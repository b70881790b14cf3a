import type { Services } from './services.ts';
import type { World } from './world.ts';

export interface OptionSpec {
  /** As commander reads it: "-r, --runtime <spec...>". */
  flags: string;
  help: string;
  choices?: readonly string[];
  /** Printed in the help and used when the option is absent. */
  preset?: string;
}

export interface ArgumentSpec {
  form: string;
  help: string;
  /** An option before it may swallow it and give it back, so that only the command can say that it is missing. */
  checkedByCommand?: true;
}

/** What was typed after the name of a command. */
export interface Typed {
  args: string[];
  flags: Readonly<Record<string, unknown>>;
}

/** A command as data: its help is light, and what it does is loaded when it runs. */
export interface CommandSpec {
  name: string;
  help: string;
  /** As commander reads it: "<payload...>" or "[runtime]"; null when it takes none. */
  argument: ArgumentSpec | null;
  options: readonly OptionSpec[];
  /** Shown below the help. */
  example?: string;
  run(typed: Typed, services: Services, world: World): Promise<number>;
}

/** Values of an option that may be given several times or with several words. */
export const listOf = (flag: unknown): string[] => (Array.isArray(flag) ? flag.map(String) : []);

export const textOf = (flag: unknown): string | null => (typeof flag === 'string' ? flag : null);
