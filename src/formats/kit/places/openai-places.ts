// Places that the wires of OpenAI share.
import { every, recordOf, tagged, type Place } from "./place.ts";

/** Settings, and words about a request that no model reads. */
export const settings: Record<string, Place> = every(
  "model user metadata stop stream_options logit_bias service_tier prompt_cache_key prompt_cache_options prompt_cache_retention safety_identifier tool_choice",
  "text",
);

/** Data of sound, and what it is called. */
export const sound = recordOf({ data: "data", format: "text" }, { string: "data" });

/** Schemas are JSON that is read as text. */
export const functionTools = { function: "text", custom: "text" } as const;

/** A tool that is not known is paid for by the call, so that it is only looked through. */
export const chatTools = tagged(functionTools, { untagged: "text", unknown: "any" });
