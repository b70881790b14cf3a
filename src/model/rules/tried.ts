import type { Plan } from '../documents/trial.ts';
import { type CallCode, withoutSchema } from './remedy.ts';

export interface TriedCalls extends CallCode {
  /** Names that the sender and the receiver import from one module. */
  imports: { from: string; sender: string; receiver: string };
  transferList: string | null;
  /** Reason for this form of the message. */
  comment?: string;
}

/** An argument of `--try`: a module of the user with `apply` and `restore`, or an installed serializer. */
export interface TriedRewrite {
  /** Name in reports: the module's path as the user wrote it, or the name of the serializer. */
  name: string;
  /** "your module" */
  title: string;
  /** Absolute path of the file that guests import: a wrapper for a serializer, esbuild's output for TypeScript. */
  file: string;
  /** Input file of esbuild. */
  source?: string;
  /** Set for a codec, which exports `toMessage` and `fromMessage`. */
  isCodec?: true;
  /** Null for a module, because only a guest can see how it exports its functions. */
  calls: TriedCalls | null;
}

/** The plan of such a rewrite, on its way to a guest. A report has `shownPlan` instead. */
export interface TriedPlan extends Plan {
  tried: TriedRewrite;
}

export const planOf = (tried: TriedRewrite): TriedPlan => ({ path: '$', tried });

/** Null for a built-in remedy. */
export const triedIn = (plan: Plan | null): TriedRewrite | null =>
  (plan as Partial<TriedPlan> | null)?.tried ?? null;

/** The plan for a report, without paths of this machine. */
export function shownPlan(plan: Plan): Plan {
  const tried = triedIn(plan);
  return tried === null ? withoutSchema(plan) : { path: plan.path, module: tried.name, title: tried.title };
}
