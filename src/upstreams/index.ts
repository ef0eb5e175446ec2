// Every vendor protocol, one line each.
import { anthropic } from "./anthropic/index.ts";
import { gateway } from "./gateway/index.ts";
import { google } from "./google/index.ts";
import { openai } from "./openai/index.ts";
import type { Upstream } from "./upstream.ts";

export const upstreams: Readonly<Record<string, Upstream>> = { openai, anthropic, google, gateway };
