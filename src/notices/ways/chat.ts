// Tells people in a chat, by the incoming hooks of Slack and Feishu.
import { createHmac } from "node:crypto";
import type { Clock } from "../../core/clock.ts";
import { isObject, type Json } from "../../core/json.ts";
import type { Notice } from "../notice.ts";
import type { Way } from "../sender.ts";
import { postHook, type HookNeeds } from "./post.ts";

interface ChatHook {
  url: string;
  /** Secret that a bot of Feishu may demand. */
  secret: string | null;
  /** Name of the gateway. */
  site: string;
}

const batchMax = 50;
const headers = { "content-type": "application/json" };

export function slackWay(needs: HookNeeds, { url, site }: ChatHook): Way {
  return {
    batchMax,
    async send(notices) {
      const body = JSON.stringify({ text: escapeSlack(linesOf(site, notices)) });
      await postHook(needs, url, { headers, body });
    },
  };
}

/** Names that people gave must not become links or call a whole channel. */
function escapeSlack(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

export function feishuWay(
  needs: HookNeeds & { clock: Clock },
  { url, secret, site }: ChatHook,
): Way {
  return {
    batchMax,
    async send(notices) {
      const timestamp = String(Math.floor(needs.clock.nowMs() / 1000));
      const body = JSON.stringify({
        ...(secret !== null && { timestamp, sign: signFeishu(timestamp, secret) }),
        msg_type: "text",
        // Its tags, such as one that calls everybody, are written with these signs.
        content: { text: linesOf(site, notices).replace(/[<>]/g, "") },
      });
      assertTaken(await postHook(needs, url, { headers, body }));
    },
  };
}

/** The text to be signed is the key there, and what it signs is empty. */
function signFeishu(timestamp: string, secret: string): string {
  return createHmac("sha256", `${timestamp}\n${secret}`).update("").digest("base64");
}

/** It answers 200 also where it refuses, and says so in a code. */
function assertTaken(text: string): void {
  const reply: Json = JSON.parse(text);
  const code = isObject(reply) ? (reply["code"] ?? reply["StatusCode"]) : null;
  if (code !== 0) throw new Error(`it answered with the code ${String(code)}`);
}

export function linesOf(site: string, notices: readonly Notice[]): string {
  return notices.map(({ text }) => `[${site}] ${text}`).join("\n");
}
