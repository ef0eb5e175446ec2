// Every text format, by its name.
import { chat } from "./chat/index.ts";
import { completions } from "./completions/index.ts";
import { content } from "./content/index.ts";
import { converse } from "./converse/index.ts";
import { batchEmbedContents, embedContent } from "./embed-content/index.ts";
import { embeddings } from "./embeddings/index.ts";
import type { Format, FormatName } from "./format.ts";
import { invokeEmbed } from "./invoke-embed/index.ts";
import { messages } from "./messages/index.ts";
import { predict } from "./predict/index.ts";
import { responses } from "./responses/index.ts";

export const formats: Readonly<Record<FormatName, Format>> = {
  chat,
  completions,
  responses,
  messages,
  content,
  converse,
  embeddings,
  embedContent,
  batchEmbedContents,
  predict,
  invokeEmbed,
};
