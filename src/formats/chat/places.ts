// The fields of a chat completion as a vendor reads them.
import { chatTools, declaration, schema, settings, sound } from "../kit/places/openai-places.ts";
import { every, objectWith, tagged } from "../kit/places/place.ts";

const marks = every("type cache_control prompt_cache_breakpoint", "text");
const picture = objectWith({ url: "picture", detail: "text" }, { string: "picture" });
const file = objectWith({ file_data: "data", filename: "text", file_id: "id" }, { string: "data" });

const content = tagged(
  {
    text: objectWith({ ...marks, text: "text" }),
    refusal: objectWith({ ...marks, refusal: "text" }),
    thinking: objectWith({ ...marks, ...every("thinking signature", "text") }),
    image_url: objectWith({ ...marks, image_url: picture }),
    input_audio: objectWith({ ...marks, input_audio: sound }),
    file: objectWith({ ...marks, file }),
  },
  { string: "text" },
);

const called = objectWith(every("name arguments input", "text"));

/** Signatures of other vendors stand beside a call. */
const call = objectWith({
  ...every("id type", "text"),
  function: called,
  custom: called,
  extra_content: "json",
});
const calls = tagged({ function: call, custom: call }, { untagged: call });

const message = objectWith({
  ...every("role name tool_call_id refusal reasoning_content reasoning", "text"),
  ...every("reasoning_details annotations", "json"),
  content,
  tool_calls: calls,
  function_call: called,
  audio: objectWith({ id: "id" }),
});

/** A prediction of another kind may be anything, so that it is looked through. */
const prediction = objectWith({ type: "text", content });

export const chatPlaces = objectWith({
  ...settings,
  messages: message,
  tools: chatTools,
  functions: declaration,
  response_format: objectWith({ type: "text", json_schema: schema }),
  prediction: tagged({ content: prediction }, { untagged: prediction, unknown: "any" }),
  audio: objectWith({ format: "text", voice: objectWith({ id: "id" }, { string: "text" }) }),
});
