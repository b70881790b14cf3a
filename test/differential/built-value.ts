/** Builds the value of a source, in the runtime under test. */
import { createContext, runInContext } from 'node:vm';
import { builder } from './builder.ts';

const context = createContext({});

/** From newly evaluated code each time, so that no two builds share strings or allocation sites. */
export const built = builder((code) => runInContext(code, context));
