// Refusals of the proxy: its usual answer with another number, and the status of a success.
import type { JsonObject } from "../../src/core/json.ts";
import type { Faults } from "../directives.ts";
import type { Answer } from "../vendor.ts";
import { jsonAnswer } from "../wire.ts";

export const codes = {
  begun: 1,
  notFound: 3,
  invalid: 4,
  failed: 9,
  modal: 21,
  queued: 22,
  full: 23,
  banned: 24,
} as const;

export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: number;
  readonly properties: JsonObject;

  constructor(code: number, description: string, properties: JsonObject = {}) {
    super(description);
    this.code = code;
    this.properties = properties;
  }
}

export function refusalAnswer({ code, message, properties }: Refusal): Answer {
  return jsonAnswer({ code, description: message, properties });
}

const byStatus: Readonly<Record<number, [code: number, description: string]>> = {
  400: [codes.invalid, "The parameters are wrong"],
  404: [codes.notFound, "The task does not exist"],
  429: [codes.full, "The queue is full"],
};

/** A fault on demand; what the dialect has a number for comes with the status of a success. */
export function faultAnswer(status: number, faults: Faults): Answer {
  const [code, description] = byStatus[status] ?? [codes.failed, "System error"];
  const body = { code, description, properties: {} };
  return jsonAnswer(body, { status: byStatus[status] ? 200 : status, faults });
}
