// Pictures as content: a draft among the thoughts, a few words, and then the picture itself.
import type { Faults } from "../../directives.ts";
import { drawPicture } from "../../picture/index.ts";
import { countTokens } from "../../writer/tokens.ts";
import type { Prompt } from "../prompt.ts";
import type { GenerationConfig } from "../request/messages.ts";
import { signText } from "../signatures.ts";
import { detailsOf, usageOf } from "../usage.ts";
import type { Work, WorkContext } from "../work.ts";
import { sizeOf } from "./config.ts";

const mimeType = "image/png";
const pixelsPerToken = 1024;
const thoughtTokens = 120;
const draftShare = 4;
const words = "Here is the picture.";
const endings = {
  filter: { finishReason: "IMAGE_SAFETY", finishMessage: "The image was withheld for safety." },
  fail: { finishReason: "NO_IMAGE", finishMessage: "The model made no image." },
} as const;

interface ImageAsk {
  config: GenerationConfig;
  prompt: Prompt;
  faults: Faults;
  outcome: "succeed" | keyof typeof endings;
}

export function imageWork(ask: ImageAsk, context: WorkContext): Work {
  const body = (): object => ({
    candidates: [{ ...candidateOf(ask, context), index: 0 }],
    ...usageMetadata(ask),
    modelVersion: context.model,
    responseId: `sandbox-${context.serial}`,
  });
  return { faults: ask.faults, body, chunks: () => [body()] };
}

function candidateOf({ config, prompt, outcome }: ImageAsk, { serial }: WorkContext): object {
  if (outcome !== "succeed") return endings[outcome];
  const size = sizeOf(config);
  const seed = `${prompt.text} ${config.seed ?? serial}`;
  const draft = {
    width: Math.ceil(size.width / draftShare),
    height: Math.ceil(size.height / draftShare),
  };
  const draw = (shape: typeof size, of: string): object => {
    const bytes = drawPicture({ ...shape, format: "png", seed: of });
    return { inlineData: { mimeType, data: Buffer.from(bytes).toString("base64") } };
  };
  const parts = [
    { ...draw(draft, `${seed} draft`), thought: true },
    { text: words },
    { ...draw(size, seed), thoughtSignature: signText(words) },
  ];
  return { content: { parts, role: "model" }, finishReason: "STOP" };
}

function usageMetadata({ config, prompt, faults, outcome }: ImageAsk): object {
  if (faults.noUsage) return {};
  if (outcome !== "succeed") {
    return { usageMetadata: usageOf(prompt, { candidateTokens: 0, thoughtTokens }) };
  }
  const { width, height } = sizeOf(config);
  const image = Math.ceil((width * height) / pixelsPerToken);
  const text = countTokens(words);
  return {
    usageMetadata: {
      ...usageOf(prompt, { candidateTokens: image + text, thoughtTokens }),
      candidatesTokensDetails: detailsOf({ IMAGE: image, TEXT: text }),
    },
  };
}
