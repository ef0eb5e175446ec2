// How a vendor reads the fields of a chat completion.
import { every, recordOf, tagged } from "../kit/places/place.ts";
import { chatTools, settings, sound } from "../kit/places/openai-places.ts";

const marks = every("type cache_control prompt_cache_breakpoint", "text");

const picture = recordOf({ url: "picture", detail: "text" }, { string: "picture" });

const file = recordOf({ file_data: "data", filename: "text", file_id: "id" }, { string: "data" });

const content = tagged(
  {
    text: recordOf({ ...marks, text: "text" }),
    refusal: recordOf({ ...marks, refusal: "text" }),
    thinking: recordOf({ ...marks, ...every("thinking signature", "text") }),
    image_url: recordOf({ ...marks, image_url: picture }),
    input_audio: recordOf({ ...marks, input_audio: sound }),
    file: recordOf({ ...marks, file }),
  },
  { string: "text" },
);

const message = recordOf({
  ...every("role name tool_call_id tool_calls function_call refusal", "text"),
  ...every("reasoning_content reasoning reasoning_details annotations", "text"),
  content,
  audio: recordOf({ id: "id" }),
});

export const chatPlaces = recordOf({
  ...settings,
  ...every("response_format functions function_call modalities verbosity", "text"),
  ...every("reasoning_effort web_search_options", "text"),
  messages: message,
  tools: chatTools,
  prediction: recordOf({ type: "text", content }),
  audio: recordOf({ format: "text", voice: recordOf({ id: "id" }, { string: "text" }) }),
});
