// Refusals as Bedrock writes them: the name in a header, the message in the body.
import { noFaults, type Faults } from "../directives.ts";
import type { Answer } from "../vendor.ts";

const names: Readonly<Record<number, string>> = {
  400: "ValidationException",
  401: "UnrecognizedClientException",
  403: "AccessDeniedException",
  404: "ResourceNotFoundException",
  408: "ModelTimeoutException",
  413: "ValidationException",
  424: "ModelErrorException",
  429: "ThrottlingException",
  500: "InternalServerException",
  503: "ServiceUnavailableException",
  529: "ServiceUnavailableException",
};

export class BedrockRefusal extends Error {
  override readonly name = "BedrockRefusal";
  readonly status: number;
  readonly exception: string;

  constructor(status: number, message: string, exception?: string) {
    super(message);
    // The wire has no such statuses of its own.
    this.status = status === 529 ? 503 : status === 413 ? 400 : status;
    this.exception = exception ?? exceptionFor(status);
  }
}

export function exceptionFor(status: number): string {
  return names[status] ?? "InternalServerException";
}

export function refusedAnswer(refusal: BedrockRefusal, faults: Faults = noFaults): Answer {
  const { status, exception, message } = refusal;
  const headers = {
    "content-type": "application/json",
    "x-amzn-errortype": `${exception}:http://internal.amazon.com/coral/`,
  };
  const bytes = new TextEncoder().encode(JSON.stringify({ message }));
  return { status, headers, faults, content: { kind: "whole", bytes } };
}
