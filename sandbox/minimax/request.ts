// Fields that MiniMax takes for a new task; anything else is refused.
import { compile, type Static, Type } from "../../src/core/schema.ts";
import { type Content, ContentItem, contentFault, promptOf, urlOf } from "../content-list.ts";
import { Refusal } from "./errors.ts";

const Ask = Type.Object(
  {
    model: Type.String({ minLength: 1 }),
    content: Type.Array(ContentItem),
    resolution: Type.Optional(Type.Enum(["480P", "768P", "2K"])),
    duration: Type.Optional(Type.Integer({ minimum: 4, maximum: 15 })),
    ratio: Type.Optional(Type.Enum(["adaptive", "21:9", "16:9", "4:3", "1:1", "3:4", "9:16"])),
    aigc_watermark: Type.Optional(Type.Boolean()),
    callback_url: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);
export type Ask = Static<typeof Ask>;

const checker = compile(Ask);
const promptCharactersMax = 7000;

export function readAsk(json: unknown): Ask {
  if (!checker.is(json)) {
    const [fault = { path: "", message: "is not valid" }] = checker.faults(json);
    throw new Refusal(400, `invalid params, ${fault.path} ${fault.message}`);
  }
  const fault = contentFault(json.content) ?? mediaFault(json.content) ?? ratioFault(json);
  if (fault !== null) throw new Refusal(400, `invalid params, ${fault}`);
  if (promptOf(json.content).length > promptCharactersMax) {
    throw new Refusal(400, "invalid params, the text is too long");
  }
  return json;
}

function mediaFault(content: Content): string | null {
  const wrong = content.find(
    (item) => item.type !== "text" && !/^(?:https?:\/\/|mm_file:\/\/|data:\w)/.test(urlOf(item)),
  );
  return wrong ? `the ${wrong.type} is not valid` : null;
}

function ratioFault({ content, ratio = "adaptive" }: Ask): string | null {
  const isText = content.every(({ type }) => type === "text");
  return isText && ratio === "adaptive" ? "ratio cannot adapt to a text" : null;
}
