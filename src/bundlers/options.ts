export interface CodecPluginOptions {
  /** Declarations of all codecs are written to this file, "src/codecs.d.ts"; default: none are. */
  types?: string;
  /** Types of the user's own, by sample: { "samples/orders.json": "src/types.ts#Orders" }. */
  type?: Readonly<Record<string, string>>;
  /** Codecs have `viewMessage` too. */
  view?: boolean;
  /** What reads the samples; default: "node". */
  runtime?: string;
}
