import type { Rule, Scope } from '../../model/rules/rule.ts';
import { LOSSY } from './lossy.ts';

/** From then on workerd sends all properties of an error, and cannot read one of another text. */
const BUT_WORKERD = { exceptOn: { workerd: '>=1.20260421.0' } } as const satisfies Scope;

/** What of an error does not arrive. */
export const errors = [
  {
    ...LOSSY,
    id: 'spec/error-props',
    when: { kind: 'error', any: ['extra-props', 'aggregate', 'accessor'] },
    scope: BUT_WORKERD,
    loses: 'property',
    title: 'own properties of an error',
    why: 'Only name, message, stack and sometimes cause arrive: code, errors of an AggregateError, an own name and other properties are lost.',
    fix: 'Send name, message, stack and the properties as a plain object.',
    remedies: ['plain'],
  },
  {
    ...LOSSY,
    id: 'spec/error-class',
    when: { kind: 'error', all: ['subclass'] },
    loses: 'class',
    title: 'class of an error',
    why: 'The name decides the class that arrives: TypeError and other standard names give that class, any other name gives Error.',
    fix: 'Send name, message, stack and the properties as a plain object.',
    remedies: ['plain'],
  },
  {
    ...LOSSY,
    id: 'spec/error-text',
    when: { kind: 'error', all: ['altered-slot'] },
    scope: BUT_WORKERD,
    loses: 'value',
    title: 'message or stack that is not a string',
    why: 'The message arrives as text, whatever it was; a stack of another type is left out or becomes text.',
    fix: 'Keep data in a property of its own, and send it beside the error.',
    remedies: ['plain'],
  },
] as const satisfies readonly Rule[];
