import { expect, test } from "bun:test";
import { createRedactor } from "../content/redact.ts";
import { toKept } from "./kept.ts";

const redact = createRedactor(["secrets", "emails", "cards"], []);

test("what is kept of a request has no secret, no encoded picture, and an end", () => {
  const picture = "A".repeat(5000);
  const content = {
    request: `{"a":"sk-0123456789abcdef0123","b":"data:image/png;base64,${picture}"}`,
    answer: "x y ".repeat(100),
    upstream: { channel: "c", request: "jane@mail.example", answer: null },
    cut: false,
  };
  expect(toKept(content, redact, 200)).toEqual({
    request: '{"a":"[secret]","b":"data:image/png;base64,[5000 characters]"}',
    answer: "x y ".repeat(50),
    upstream: { channel: "c", request: "[email]", answer: null },
    cut: true,
  });
});
