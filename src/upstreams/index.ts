// Every vendor protocol, one line each.
import { gateway } from "./gateway/index.ts";
import { openai } from "./openai/index.ts";
import type { Upstream } from "./upstream.ts";

export const upstreams: Readonly<Record<string, Upstream>> = { openai, gateway };
