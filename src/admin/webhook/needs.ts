// Needs of showing callbacks whole, and of sending them.
import type { Webhooks } from "../../tasks/webhooks/webhooks.ts";
import type { NotingNeeds } from "../audit/entry.ts";

export interface CallbackNeeds {
  noting: NotingNeeds;
  webhooks: Pick<Webhooks, "test" | "wake">;
  /** The address as it is called, or null of one that is not. */
  acceptsUrl(url: string): string | null;
}
