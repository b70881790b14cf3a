export interface CodecPluginOptions {
  /** Path of a file for the declarations of all codecs, such as "src/codecs.d.ts"; default: no file. */
  types?: string;
  /** The user's types, by sample: { "samples/orders.json": "src/types.ts#Orders" }. */
  type?: Readonly<Record<string, string>>;
  /** If true, codecs export `viewMessage` too. */
  view?: boolean;
  /** Runtime that reads the samples; default: "node". */
  runtime?: string;
}
