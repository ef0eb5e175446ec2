// Places that the wires of OpenAI share.
import { every, objectWith, tagged, type Place } from "./place.ts";

/** Settings, and words about a request that no model reads. */
export const settings: Record<string, Place> = {
  ...every("model user stop service_tier prompt_cache_key prompt_cache_retention", "text"),
  safety_identifier: "text",
  ...every("metadata logit_bias", "json"),
};

/** Data of sound, and what it is called. */
export const sound = objectWith({ data: "data", format: "text" }, { string: "data" });

const grammar = objectWith(every("definition syntax", "text"));

const syntax = objectWith({ ...every("type definition syntax", "text"), grammar });

/** A tool of the client's, whose schemas are JSON that is read as text. */
export const declaration = objectWith({
  ...every("type name description", "text"),
  ...every("parameters output_schema", "json"),
  format: tagged({ text: syntax, grammar: syntax }, { untagged: syntax }),
  // A tool without a type may be taken for one that the vendor runs.
  container: "id",
});

/** A tool that is not known is paid for by the call, so that it is only looked through. */
export const chatTools = tagged(
  {
    function: objectWith({ type: "text", function: declaration }),
    custom: objectWith({ type: "text", custom: declaration }),
  },
  { untagged: objectWith({ function: declaration }), unknown: "any" },
);

export const schema = objectWith({ ...every("type name description", "text"), schema: "json" });
