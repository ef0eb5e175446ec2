// Bedrock's routes: the fields of envelope A with nothing around them, because its clients read
// `message` there, and the kind of the error in a header.
import type { GatewayError } from "../../core/errors.ts";
import { bedrockException } from "../../gateway/text/bedrock-exception.ts";
import type { Written } from "./envelope.ts";
import { statusOf } from "./status.ts";

export function envelopeBedrock(error: GatewayError): Written {
  const { message, type, param, shownCode: code } = error;
  return {
    status: statusOf(error),
    headers: { "x-amzn-errortype": bedrockException(error) },
    body: JSON.stringify({ message, type, param, code }),
  };
}
