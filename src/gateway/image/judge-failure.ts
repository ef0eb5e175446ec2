// Blame for a channel that made no image.
import { GatewayError } from "../../core/errors.ts";
import { BodyTooLarge, OutboundFailed } from "../../core/outbound.ts";
import { NotMedia } from "../../media/media.ts";
import { UnreadableReply, VendorRefusal } from "../../upstreams/upstream.ts";
import type { Attempt } from "../attempt.ts";
import { teller } from "../conceal.ts";
import { toAttempt } from "../vendor-fault.ts";
import type { ImageRun } from "./run-image.ts";

/** Throws what is our own. */
export function judgeFailure(
  error: unknown,
  { disconnect, choice }: Pick<ImageRun, "disconnect" | "choice">,
): Attempt<never> {
  if (error instanceof VendorRefusal) {
    const { channel, key } = choice;
    return toAttempt(error.fault, teller({ settings: channel.settings, key }));
  }
  if (disconnect?.isLeft) return { kind: "abandoned" };
  if (error instanceof GatewayError) {
    if (error.blame !== "client" && error.blame !== "caller") throw error;
    // A reference that only this channel wants as bytes could not be fetched.
    return { kind: "unfit", error };
  }
  return { kind: "failed", blame: "channel", error: toFailure(error) };
}

function toFailure(error: unknown): GatewayError {
  if (error instanceof OutboundFailed) {
    const isTimeout = /abort|timeout/i.test(error.message);
    const message = isTimeout ? { message: "The upstream did not answer in time." } : {};
    return new GatewayError("do_request_failed", { ...message, cause: error });
  }
  const isUnread = [BodyTooLarge, NotMedia, UnreadableReply].some((type) => error instanceof type);
  return new GatewayError(isUnread ? "bad_response_body" : "bad_response", { cause: error });
}
