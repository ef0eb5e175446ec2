// OpenAI and the many vendors that speak its wire.
import { openaiText, readOpenaiFault } from "../openai-wire.ts";
import type { Upstream } from "../upstream.ts";

export const openai: Upstream = { type: "openai", text: openaiText, readFault: readOpenaiFault };
