import { planOf, type TriedCalls, type TriedFacts, type TriedRewrite } from '../../model/rules/tried.ts';
import type { Proof } from '../../model/wire/wire.ts';
import { REMEDIES } from '../../remedies/index.ts';
import { proveTry, refusedProof } from '../prove-try.ts';
import { emitStep } from '../tools.ts';
import { rehearse } from './rehearse.ts';
import type { RunContext } from './run-context.ts';

/**
 * Proves each rewrite of the user's, all of them: they were asked for. Each has a deadline of its own. Whatever becomes of
 * its guest is the reason why it was refused, and concerns no other rewrite.
 */
export async function proveTries(context: RunContext, rejected: boolean): Promise<Proof[]> {
  const { tries = [], signal } = context.request;
  const taken = new Set([...Object.keys(REMEDIES), ...tries.map(({ name }) => name)]);
  const proofs: Proof[] = [];
  for (const [done, tried] of tries.entries()) {
    if (signal?.aborted) break;
    emitStep(context.tools, context, 'prove', done, tries.length);
    proofs.push(described(await proofOf(tried, context, rejected), tried, taken));
    // What it left behind must not reach the next.
    await context.slot.close();
  }
  return proofs;
}

const FEW_MESSAGES = { sliceMs: 1, maxRounds: 2 };

async function proofOf(tried: TriedRewrite, context: RunContext, rejected: boolean): Promise<Proof> {
  const proof = await proveTry(tried, context, context.request.timeoutMs);
  if (rejected || proof.equality === 'refused' || proof.equality === 'failed') return proof;
  const reason = await rehearse(tried.name, proof.plan, context, FEW_MESSAGES);
  return reason === null ? proof : refusedProof(tried, reason);
}

/** With the name, the title and the calls of a module that has told them. */
function described(proof: Proof, tried: TriedRewrite, taken: Set<string>): Proof {
  const { about, ...rest } = proof;
  if (about === undefined) return rest;
  const remedy = about.name === null || taken.has(about.name) ? tried.name : about.name;
  taken.add(remedy);
  const calls = tried.calls ?? callsOf(tried.name, about);
  return { ...rest, remedy, plan: planOf({ ...tried, title: about.title ?? tried.title, calls }) };
}

/** With the user's own import. */
function callsOf(file: string, { isDefault, transfers }: TriedFacts): TriedCalls {
  const named = (...names: string[]) => (isDefault ? 'rewrite' : `{ ${names.join(', ')} }`);
  const call = (name: string, argument: string) => `${isDefault ? 'rewrite.' : ''}${name}(${argument})`;
  return {
    imports: {
      from: /^[./]|^[a-z]:/i.test(file) ? file : `./${file}`,
      sender: transfers ? named('apply', 'transfer') : named('apply'),
      receiver: named('restore'),
    },
    message: call('apply', 'payload'),
    transferList: transfers ? call('transfer', 'message') : null,
    payload: call('restore', 'message'),
  };
}
