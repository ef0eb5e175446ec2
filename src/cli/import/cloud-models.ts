// Models of clouds as other programs name them: by the maker's own name, which a cloud spells in
// its own way. They follow from one another, and so does the wire on which a cloud serves them.
import type { ChannelInput } from "../../config/entities.ts";

export interface CloudModel {
  format: NonNullable<ChannelInput["format"]>;
  /** The cloud's name of it. */
  name: string;
}

/** One whose name the cloud ends with another version. */
const secondVersion = new Set(["claude-3-5-sonnet-20241022"]);

/** Newer models are served by the profile of a part of the world alone. */
function profileOf(region: string): string {
  if (region.startsWith("us-gov-")) return "us-gov";
  if (region.startsWith("eu-")) return "eu";
  return region.startsWith("ap-") ? "apac" : "us";
}

export function bedrockModel(model: string, region: string): CloudModel {
  const format = /claude/.test(model) ? "messages" : "converse";
  const isWhole = model.startsWith("arn:") || /^(?:[a-z-]+\.)?[a-z0-9]+\.[^.]/.test(model);
  if (isWhole) return { format, name: model };
  const versioned = /-v\d+(?::\d+)?$/.test(model);
  if (model.startsWith("claude-")) {
    const end = secondVersion.has(model) ? "-v2:0" : /-\d{8}$/.test(model) ? "-v1:0" : "-v1";
    return { format, name: `${profileOf(region)}.anthropic.${model}${versioned ? "" : end}` };
  }
  if (!model.startsWith("nova-")) return { format, name: model };
  return { format, name: `${profileOf(region)}.amazon.${model}${versioned ? "" : "-v1:0"}` };
}

export function vertexModel(model: string): CloudModel {
  if (model.includes("/")) return { format: "chat", name: model };
  if (!model.startsWith("claude-")) return { format: "content", name: model };
  return { format: "messages", name: model.replace(/-(\d{8})$/, "@$1") };
}
