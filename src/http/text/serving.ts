// Text from a route to its flow: the body, and what the address and the headers say besides.
import type { AddressFacts, Format, Framing } from "../../formats/format.ts";
import type { OpenCall } from "../../gateway/open-call.ts";
import type { Repeats } from "../../gateway/text/repeat/repeats.ts";
import { serveText, type TextNeeds } from "../../gateway/text/serve-text.ts";
import { sessionHeaders } from "../../gateway/text/session/session-headers.ts";
import { turnStateHeader } from "../../gateway/text/session/turn-state.ts";
import type { TextInput } from "../../gateway/text/text-job.ts";
import type { Incoming } from "../route.ts";

export interface ServingRules {
  /** Null where no answer is given again. */
  repeats: Repeats | null;
  bodyBytesMax: number;
}

interface Variation {
  action?: "generate" | "compact";
  address?(incoming: Incoming): AddressFacts;
}

type Serve = (incoming: Incoming, call: OpenCall) => ReturnType<typeof serveText>;

export function serveWith(needs: TextNeeds, { bodyBytesMax, repeats }: ServingRules) {
  return (format: Format, { action = "generate", address }: Variation = {}): Serve =>
    async (incoming, call) => {
      const { value, bytes, raw } = await incoming.json(bodyBytesMax);
      const input: TextInput = {
        call,
        format,
        action,
        body: value,
        bodyBytes: bytes,
        raw: (format.client?.keep && bytes <= needs.memory.entryBytesMax && raw) || null,
        written: raw ? [raw] : [],
        address: address ? address(incoming) : null,
        wireHeaders: wireHeaders(format, incoming.headers),
        headers: incoming.headers,
        session: sessionHeaders(format, incoming.headers, call.caller.accountId),
        turnState: format.name === "responses" ? incoming.headers.get(turnStateHeader) : null,
      };
      const key = incoming.headers.get("idempotency-key");
      if (key === null || !repeats || !raw) return await serveText(needs, input);
      return await repeats.serve({ key, raw, input }, (kept) => serveText(needs, kept));
    };
}

/** A stream is asked for by its framing. */
export function addressOf(model: string | undefined, framing?: Framing): AddressFacts {
  return { model: model ?? "", stream: framing !== undefined, framing: framing ?? "events" };
}

export function wireHeaders(format: Format, headers: Headers): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of format.headers) {
    const value = headers.get(name);
    if (value !== null) kept[name] = value;
  }
  return kept;
}

/** Serves the format, in the variation of a route. */
export type ServeFormat = ReturnType<typeof serveWith>;
