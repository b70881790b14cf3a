import type { Plan } from '../documents/trial.ts';
import type { FileContent } from '../names.ts';
import { withoutSchema } from './remedy.ts';

/** Pieces of JavaScript that call a rewrite. */
export interface TriedCalls {
  /** Names to import: of one module, by the sender and by the receiver. */
  imports: { from: string; sender: string; receiver: string };
  /** The message, made of `payload`. */
  message: string;
  /** What is transferred of `message`. */
  transferList: string | null;
  /** The payload, made of `message`. */
  payload: string;
  /** What a file holds of the message; absent: 'serialized'. */
  content?: FileContent;
  /** Why the message is made so. */
  comment?: string;
}

/** What `--try` names: a module of the user's with `apply` and `restore`, or an installed serializer. */
export interface TriedRewrite {
  /** In reports: the path of the module as the user sees it, or the name of the serializer. */
  name: string;
  /** "your module" */
  title: string;
  /** What guests import: absolute. Of a serializer a few lines around it, of TypeScript what esbuild made of it. */
  file: string;
  /** What esbuild made it of. */
  source?: string;
  /** A codec: `toMessage` and `fromMessage`. */
  isCodec?: true;
  /** Null for a module: only a guest finds out how it exports its functions. */
  calls: TriedCalls | null;
}

/** The plan of such a rewrite, on its way to a guest. A report has `shownPlan` instead. */
export interface TriedPlan extends Plan {
  tried: TriedRewrite;
}

export const planOf = (tried: TriedRewrite): TriedPlan => ({ path: '$', tried });

/** Null for a remedy of the tool's own. */
export const triedIn = (plan: Plan | null): TriedRewrite | null =>
  (plan as Partial<TriedPlan> | null)?.tried ?? null;

/** Without the paths of this machine. */
export function shownPlan(plan: Plan): Plan {
  const tried = triedIn(plan);
  return tried === null ? withoutSchema(plan) : { path: plan.path, module: tried.name, title: tried.title };
}
