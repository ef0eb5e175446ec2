// Fields that Ark takes for a new task; anything else is refused.
import { compile, type Static, Type } from "../../src/core/schema.ts";
import { type Content, ContentItem, contentFault, urlOf } from "../content-list.ts";
import { Refusal } from "./errors.ts";

const optionalTruth = Type.Optional(Type.Boolean());

const Ask = Type.Object(
  {
    model: Type.String({ minLength: 1 }),
    content: Type.Array(ContentItem),
    resolution: Type.Optional(Type.Enum(["480p", "720p", "1080p"])),
    ratio: Type.Optional(Type.Enum(["16:9", "4:3", "1:1", "3:4", "9:16", "21:9", "adaptive"])),
    duration: Type.Optional(Type.Integer()),
    seed: Type.Optional(Type.Integer({ minimum: -1, maximum: 4_294_967_295 })),
    camera_fixed: optionalTruth,
    watermark: optionalTruth,
    generate_audio: optionalTruth,
    draft: optionalTruth,
    return_last_frame: optionalTruth,
    callback_url: Type.Optional(Type.String()),
    service_tier: Type.Optional(Type.Enum(["default", "flex"])),
    execution_expires_after: Type.Optional(Type.Integer({ minimum: 3600, maximum: 259_200 })),
    priority: Type.Optional(Type.Integer()),
    tools: Type.Optional(Type.Array(Type.Unknown())),
    safety_identifier: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  },
  { additionalProperties: false },
);
export type Ask = Static<typeof Ask>;

const checker = compile(Ask);
const secondsMin = 2;
const secondsMax = 30;

export function readAsk(json: unknown): Ask {
  if (!checker.is(json)) throw faultIn(json);
  const { duration, content } = json;
  const isLength = duration === undefined || duration === -1 || inRange(duration);
  if (!isLength) throw invalid("duration", "The length is not supported.");
  const fault = contentFault(content) ?? mediaFault(content);
  if (fault !== null) throw invalid("content", fault);
  return json;
}

function inRange(seconds: number): boolean {
  return seconds >= secondsMin && seconds <= secondsMax;
}

function faultIn(json: unknown): Refusal {
  const [fault = { path: "", message: "is not valid" }] = checker.faults(json);
  const param = fault.path;
  const message = `The parameter ${param} in the request ${fault.message}.`;
  const code = fault.message === "is required" ? "MissingParameter" : "InvalidParameter";
  return new Refusal(400, { code, message, param });
}

/** Only images go with their bytes. */
function mediaFault(content: Content): string | null {
  for (const item of content) {
    if (item.type === "text") continue;
    if (item.type === "video_url" && item.role === "base_video") return "the role is not known";
    const isPlace = /^(?:https?|asset):\/\/\S+$/.test(urlOf(item));
    const isData = item.type === "image_url" && /^data:image\/[\w.+-]+;base64,./.test(urlOf(item));
    if (!isPlace && !isData) return `the ${item.type} is not valid`;
  }
  return null;
}

function invalid(param: string, message: string): Refusal {
  return new Refusal(400, { param, message });
}
