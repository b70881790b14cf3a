import { type Proposal, propose, remediesOfRules } from '../../core/classify/propose.ts';
import { ENGINES, STANDARD } from '../../engines/index.ts';
import type { PayloadSchema } from '../../model/documents/payload-schema.ts';
import type { Plan, Untried } from '../../model/documents/trial.ts';
import { isJson } from '../../model/names.ts';
import { payloadShape } from '../../model/report/runs.ts';
import type { CallTarget, ProposalFacts, Remedy } from '../../model/rules/remedy.ts';
import { takesTransferList } from '../../remedies/code/call.ts';
import { REMEDIES } from '../../remedies/index.ts';
import type { Job } from './job.ts';
import { runError } from './payloads.ts';

interface Proposed {
  /** Proposals, the most promising first. */
  proposals: Proposal[];
  schema: PayloadSchema | null;
  untried: Untried[];
}

type Terms = Pick<ProposalFacts, 'assumeIntegers' | 'withView' | 'isSequence' | 'moves'>;

/** Rewrites that the findings of a job call for. @param isWanted takes the name of a remedy */
export async function proposalsFor(
  job: Job,
  limit: number,
  terms: Terms = {},
  isWanted: (remedy: string) => boolean = () => true,
): Promise<Proposed> {
  const { recipe, channel, run } = job;
  const { verdict, findings } = run;
  const payload = payloadShape(run);
  if (!payload || !verdict) return { proposals: [], schema: null, untried: [] };
  const { schema, untried } = await schemaOf(job);
  const answers = remediesOfRules(ENGINES[run.runtime.engine], STANDARD);
  const remedies = remediesOver({ channel, via: recipe.via ?? null }).filter(({ name }) => isWanted(name));
  const facts = { ...terms, verdict, findings, schema, channel, id: recipe.id };
  return { proposals: propose(payload, facts, remedies, limit, answers), schema, untried };
}

/** Remedies that can work over this channel. Plans that only list buffers are dropped if it lacks a transfer list. */
function remediesOver(target: CallTarget): Remedy[] {
  const all = Object.values<Remedy>(REMEDIES);
  if (takesTransferList(target)) return all;
  const isCopied = ({ form }: Plan) => form !== 'transferred';
  return all
    .filter(({ name, ofMemory }) => name !== 'transfer' && !(ofMemory && isJson(target.channel)))
    .map((remedy) => ({ ...remedy, plans: (...facts) => remedy.plans(...facts).filter(isCopied) }));
}

/** Schema that codecs are compiled from. If it cannot be made, all other remedies can still be tried. */
async function schemaOf({
  slot,
  terms: { recipe, samples = [recipe] },
}: Job): Promise<Pick<Proposed, 'schema' | 'untried'>> {
  try {
    return { ...(await slot.ask({ type: 'schema', recipes: [...samples] })), untried: [] };
  } catch (error) {
    const { message: reason } = runError(error);
    return { schema: null, untried: [{ remedy: 'compiled', path: '$', plan: { path: '$' }, reason }] };
  }
}
