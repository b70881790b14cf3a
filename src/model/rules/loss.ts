/** Kinds of losses: rules name them in `Rule.loses`, and a comparison of values finds them. */
export const LOSS_KINDS = [
  'class', // the prototype
  'property', // own properties: under symbols, not enumerable, or on a built-in object
  'getter', // arrives as a plain value
  'attributes', // a property that was read-only, not configurable or not enumerable
  'integrity', // frozen, sealed, not extensible
  'value', // a different value arrives: its type or content differs, one object arrives as two, or two as one
  'result', // it arrives as an argument, and is refused as a result
  'delivery', // the message never arrives
] as const;
export type LossKind = (typeof LOSS_KINDS)[number];

/** Problems with an entry of a transfer list. Each has a rule `spec/listed-...`. */
export const LISTED_REFUSALS = ['shared', 'detached', 'twice', 'fixed', 'other'] as const;
export type ListedRefusal = (typeof LISTED_REFUSALS)[number];
