import * as fs from 'node:fs';

/** The file functions from before user code was loaded: `syncBuiltinESMExports` changes imported functions. */
export const files = { ...fs };
