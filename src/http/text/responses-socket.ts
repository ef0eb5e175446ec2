// The handshake of a socket for responses.
import { GatewayError } from "../../core/errors.ts";
import type { Answer } from "../../gateway/answer.ts";
import type { Incoming } from "../route.ts";

export const responsesPath = "/v1/responses";

/** Status of an answer after which the connection is a socket. */
export const switching = 101;

/** Agents that try a WebSocket first go on at once after a 426, and after others only in time. */
export function openSocket(isOn: boolean): (incoming: Incoming) => Promise<Answer> {
  return async ({ headers }) => {
    if (!isOn || headers.get("upgrade")?.toLowerCase() !== "websocket") {
      throw new GatewayError("upgrade_required");
    }
    return { status: switching, contentType: "text/plain", body: "" };
  };
}
