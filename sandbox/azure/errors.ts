// Refusals in Azure's words: OpenAI's envelope, in which the code is often the status.
import type { Answer } from "../vendor.ts";
import { jsonAnswer } from "../wire.ts";

interface Row {
  code: string;
  message: string;
}

const rows: Readonly<Record<number, Row>> = {
  401: {
    code: "401",
    message: "Access denied due to invalid subscription key or wrong API endpoint.",
  },
  403: { code: "AccessDenied", message: "Public access is disabled for this resource." },
  404: {
    code: "DeploymentNotFound",
    message: "The API deployment for this resource does not exist.",
  },
  429: {
    code: "429",
    message: "Requests have exceeded call rate limit. Please retry after 1 seconds.",
  },
};

/** A second by one header, and less by the finer one. */
const restHeaders = { "retry-after": "1", "retry-after-ms": "250" };

export function azureRefusal(status: number, told: Partial<Row> = {}): Answer {
  const row = rows[status] ?? { code: "InternalServerError", message: "Backend error." };
  const answer = jsonAnswer({ error: { ...row, ...told } }, { status });
  return status === 429 ? { ...answer, headers: { ...answer.headers, ...restHeaders } } : answer;
}

export function resourceNotFound(): Answer {
  return azureRefusal(404, { code: "404", message: "Resource not found" });
}

/** The filter's refusal of a prompt, whose type is null. */
export function filterRefusal(): Answer {
  const finding = { filtered: true, severity: "high" };
  const message = "The response was filtered due to the prompt triggering the content policy.";
  const error = {
    message,
    type: null,
    param: "prompt",
    code: "content_filter",
    status: 400,
    innererror: {
      code: "ResponsibleAIPolicyViolation",
      content_filter_result: { violence: finding },
    },
  };
  return jsonAnswer({ error }, { status: 400 });
}
