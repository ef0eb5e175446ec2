// Fields that Kling takes at each of its addresses; anything else is refused.
import { compile, type Static, Type } from "../../src/core/schema.ts";
import { Refusal } from "./errors.ts";

const closed = { additionalProperties: false } as const;
const image = Type.String({ minLength: 1 });
const every = {
  model_name: Type.Optional(Type.String({ minLength: 1 })),
  negative_prompt: Type.Optional(Type.String({ maxLength: 2500 })),
  mode: Type.Optional(Type.Enum(["std", "pro"])),
  duration: Type.Optional(Type.String({ pattern: "^(?:[3-9]|1[0-5])$" })),
  watermark_info: Type.Optional(Type.Object({ enabled: Type.Boolean() }, closed)),
  callback_url: Type.Optional(Type.String()),
  external_task_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
};
const single = {
  cfg_scale: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  sound: Type.Optional(Type.Enum(["on", "off"])),
  camera_control: Type.Optional(Type.Object({ type: Type.String() })),
  multi_shot: Type.Optional(Type.Boolean()),
  shot_type: Type.Optional(Type.String()),
  multi_prompt: Type.Optional(Type.Array(Type.Unknown())),
  element_list: Type.Optional(Type.Array(Type.Unknown())),
  voice_list: Type.Optional(Type.Array(Type.Unknown())),
};
const prompt = Type.String({ minLength: 1, maxLength: 2500 });
const ratio = Type.Optional(Type.Enum(["16:9", "9:16", "1:1"]));

const TextVideo = Type.Object({ ...every, ...single, prompt, aspect_ratio: ratio }, closed);
const ImageVideo = Type.Object(
  {
    ...every,
    ...single,
    prompt: Type.Optional(prompt),
    image: Type.Optional(image),
    image_tail: Type.Optional(image),
    static_mask: Type.Optional(image),
    dynamic_masks: Type.Optional(Type.Array(Type.Unknown())),
  },
  closed,
);
const ImagesVideo = Type.Object(
  {
    ...every,
    prompt,
    image_list: Type.Array(Type.Object({ image }, closed), { minItems: 1, maxItems: 4 }),
    aspect_ratio: ratio,
  },
  closed,
);

const checkers = {
  text2video: compile(TextVideo),
  image2video: compile(ImageVideo),
  "multi-image2video": compile(ImagesVideo),
} as const;
export type Kind = keyof typeof checkers;
export const kinds = Object.keys(checkers) as Kind[];

/** Fields that all three have; the ratio is that of the image where there is one. */
export type Ask = Static<typeof TextVideo> | Static<typeof ImageVideo> | Static<typeof ImagesVideo>;

const usualModel = "kling-v1";
/** Before this version there were two lengths. */
const anyLength = /v(?:[3-9]|\d\d)/;

export function readAsk(kind: Kind, json: unknown): Ask {
  const checker = checkers[kind];
  if (!checker.is(json)) {
    const [fault = { path: "", message: "is not valid" }] = checker.faults(json);
    throw invalid(`${fault.path === "" ? "The body" : fault.path} ${fault.message}`);
  }
  const { duration, model_name: model = usualModel } = json;
  const isUsual = duration === undefined || duration === "5" || duration === "10";
  if (!isUsual && !anyLength.test(model)) throw invalid(`duration ${duration} is not supported`);
  for (const one of imagesOf(json)) checkImage(one);
  if (kind === "image2video" && imagesOf(json).length === 0) {
    throw invalid("image and image_tail cannot both be empty");
  }
  return json;
}

function imagesOf(ask: Ask): string[] {
  if ("image_list" in ask) return ask.image_list.map((item) => item.image);
  const first = "image" in ask ? ask.image : undefined;
  const last = "image_tail" in ask ? ask.image_tail : undefined;
  return [first, last].filter((one) => one !== undefined);
}

/** Addresses, or base64 without a word before it. */
function checkImage(text: string): void {
  if (/^https?:\/\/\S+$/.test(text) || /^[A-Za-z0-9+/]+={0,2}$/.test(text)) return;
  throw invalid("The image must be a URL or bare base64");
}

function invalid(message: string): Refusal {
  return new Refusal(400, { message });
}
