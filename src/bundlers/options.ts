export interface CodecPluginOptions {
  /** Declarations of all codecs are written to this file, "src/codecs.d.ts"; default: none are. */
  types?: string;
  /** Codecs have `viewMessage` too. */
  view?: boolean;
  /** What reads the samples; default: "node". */
  runtime?: string;
}
