/** What kind of thing is lost: rules name it in `Rule.loses`, a comparison of values finds it. */
export const LOSS_KINDS = [
  'class', // the prototype
  'property', // own properties: under symbols, not enumerable, or on a built-in object
  'getter', // arrives as a plain value
  'attributes', // a property that was read-only, not configurable or not enumerable
  'integrity', // frozen, sealed, not extensible
  'value', // another value arrives: another type or content, one object as two, two as one
  'delivery', // the message never arrives
] as const;
export type LossKind = (typeof LOSS_KINDS)[number];

/** What is wrong with an entry of a transfer list: a rule `spec/listed-...` each. */
export const LISTED_REFUSALS = ['shared', 'detached', 'twice', 'fixed', 'other'] as const;
export type ListedRefusal = (typeof LISTED_REFUSALS)[number];
