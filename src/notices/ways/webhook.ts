// Tells a program, by Standard Webhooks: one call for each notice, signed as callbacks are.
import type { Clock } from "../../core/clock.ts";
import { signedHeaders } from "../../tasks/webhooks/signature.ts";
import type { Notice } from "../notice.ts";
import type { Way } from "../sender.ts";

interface WebhookWayNeeds {
  clock: Clock;
  secrets(): Promise<readonly string[]>;
  /** Throws where it did not arrive. */
  post(headers: Readonly<Record<string, string>>, body: string): Promise<void>;
}

export function webhookWay({ clock, secrets, post }: WebhookWayNeeds): Way {
  return {
    batchMax: 1,
    async send(notices) {
      for (const notice of notices) {
        const body = JSON.stringify(eventOf(notice));
        const atSeconds = Math.floor(clock.nowMs() / 1000);
        await post(signedHeaders({ id: notice.id, atSeconds, body }, await secrets()), body);
      }
    },
  };
}

function eventOf({ id, kind, text, details, atMs }: Notice) {
  const data = { id, text, ...details };
  return { type: `notice.${kind}`, timestamp: new Date(atMs).toISOString(), data };
}
