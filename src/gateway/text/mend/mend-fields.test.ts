import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../core/json.ts";
import type { RequestFault } from "../../../upstreams/upstream.ts";
import { withoutRefused } from "./mend-fields.ts";

function mend(body: JsonObject, message: string, set: Partial<RequestFault> = {}) {
  const fault: RequestFault = {
    blame: "request",
    status: 400,
    type: "invalid_request_error",
    code: null,
    param: null,
    message,
    ...set,
  };
  const before = structuredClone(body);
  const mended = withoutRefused(body, fault);
  expect(body).toEqual(before);
  return mended && { body: mended.body, told: mended.left.map(({ name }) => name) };
}

const both = { temperature: 0.2, top_p: 0.5 };

describe("X-P18 a field that the vendor says it does not take", () => {
  test("is left out alone, by its name or by the vendor's words", () => {
    const param = { param: "temperature", code: "unsupported_value" };
    expect(mend(both, "Only the default (1) value is supported.", param)).toEqual({
      body: { top_p: 0.5 },
      told: ["temperature"],
    });
    expect(mend(both, "`temperature` is deprecated for this model.")).toEqual({
      body: { top_p: 0.5 },
      told: ["temperature"],
    });
    expect(mend(both, "`temperature` and `top_p` cannot both be specified.")).toEqual({
      body: { temperature: 0.2 },
      told: ["top_p"],
    });
    expect(mend(both, "temperature and top_p are not supported by this model.")?.body).toEqual({});
  });

  test("is taken out of what it stands in, which stays", () => {
    const config = { temperature: 1, topK: 4 };
    expect(mend({ generationConfig: config }, "top_k is not supported.")).toEqual({
      body: { generationConfig: { temperature: 1 } },
      told: ["generationConfig.topK"],
    });
    const reasoning = { effort: "xhigh", summary: "auto" };
    const param = { param: "reasoning.effort", code: "unsupported_value" };
    expect(mend({ reasoning }, "Unsupported value.", param)?.body).toEqual({
      reasoning: { summary: "auto" },
    });
    const output = { output_config: { effort: "max", format: { type: "json_schema" } } };
    expect(mend(output, "This model does not support the effort parameter.")?.body).toEqual({
      output_config: { format: { type: "json_schema" } },
    });
  });

  test("is what is meant where thinking is named beside it", () => {
    const body = { temperature: 0.2, thinking: { type: "enabled" } };
    const message = "`temperature` may only be set to 1 when thinking is enabled.";
    expect(mend(body, message)?.told).toEqual(["temperature"]);
    const alone = { thinking: { type: "adaptive" } };
    expect(mend(alone, "adaptive thinking is not supported on this model")?.body).toEqual({});
  });

  test("is thinking itself, where the answer that goes on was begun without", () => {
    const message =
      "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`.";
    const body = { thinking: { type: "enabled", budget_tokens: 2000 }, max_tokens: 9 };
    expect(mend(body, message)).toEqual({ body: { max_tokens: 9 }, told: ["thinking"] });
  });

  test("is an effort of none beside tools, for the model may reason unasked", () => {
    const message = "Function tools with reasoning_effort are not supported for this model.";
    const tools = [{ type: "function" }];
    expect(mend({ tools, reasoning_effort: "high" }, message)).toEqual({
      body: { tools, reasoning_effort: "none" },
      told: ["reasoning_effort"],
    });
    expect(mend({ tools }, message)).toEqual({
      body: { tools, reasoning_effort: "none" },
      told: [],
    });
    expect(mend({ tools, reasoning_effort: "none" }, message)?.body).toEqual({ tools });
  });
});

test.each([
  ["temperature: Input should be less than or equal to 1", {}],
  ["Invalid 'temperature': decimal above maximum value.", { param: "temperature" }],
  ["Unsupported parameter: 'tools'.", { param: "tools", code: "unsupported_parameter" }],
  ["temperature is not supported", { status: 413 }],
  ["seed is not supported", {}],
])("T17 another refusal stays one: %s", (message, set) => {
  expect(mend(both, message, set)).toBeNull();
});
