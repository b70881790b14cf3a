import type { TapSettings } from '../../model/recording/settings.ts';
import type { LookEngine } from '../look/look.ts';
import { builtInsAreIntact } from '../realm/intact.ts';
import type { TapPlatform, TypeTests } from '../realm/platform.ts';

type LookModule = typeof import('../look/look.ts');

interface LookingOptions {
  settings: TapSettings;
  types: TypeTests;
  engine: () => LookEngine;
  /** Runs what may make errors without calling formatters of the program's; null where that cannot be done. */
  alone: <T>(run: () => T) => T | null;
}

/** Loads what looks at messages for the first. null for each message after the program has replaced built-ins. */
export function looking({
  settings: { salt, values, mask },
  types,
  engine: engineHere,
  alone,
}: LookingOptions): Pick<TapPlatform, 'look' | 'loadLook'> {
  let lookAt: LookModule['lookAt'] | null = null;
  let engine: LookEngine | null = null;
  const load = () => {
    engine = engineHere();
    return require('../look/look.ts') as LookModule;
  };
  return {
    loadLook() {
      if (lookAt === null && builtInsAreIntact()) lookAt = alone(load)?.lookAt ?? null;
    },
    look: (value, transfer, nodes, stored) =>
      lookAt === null || engine === null || !builtInsAreIntact()
        ? null
        : alone(() =>
            lookAt!(value, transfer, nodes, { types, salt, values, mask, stored, engine: engine! }),
          ),
  };
}
