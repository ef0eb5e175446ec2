// Another gateway with this same API. Its text routes and errors are OpenAI's.
import { openaiText, readOpenaiFault } from "../openai-wire.ts";
import type { Upstream } from "../upstream.ts";

export const gateway: Upstream = { type: "gateway", text: openaiText, readFault: readOpenaiFault };
