// Every vendor protocol, one line each.
import { anthropic } from "./anthropic/index.ts";
import { ark } from "./ark/index.ts";
import { azure } from "./azure/index.ts";
import { bedrock } from "./bedrock/index.ts";
import { gateway } from "./gateway/index.ts";
import { google } from "./google/index.ts";
import { kling } from "./kling/index.ts";
import { midjourney } from "./midjourney/index.ts";
import { minimax } from "./minimax/index.ts";
import { openai } from "./openai/index.ts";
import { vertex } from "./vertex/index.ts";
import type { Upstream } from "./upstream.ts";

export const upstreams: Readonly<Record<string, Upstream>> = {
  openai,
  anthropic,
  google,
  ark,
  minimax,
  kling,
  midjourney,
  bedrock,
  gateway,
  vertex,
  azure,
};
