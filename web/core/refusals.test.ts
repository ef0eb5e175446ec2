import { expect, test } from "bun:test";
import { join } from "node:path";
import { ApiError } from "./api.ts";
import { refusalText } from "./refusals.ts";
import "../kit/page-words.ts";
import { frame } from "../languages/zh.ts";
import { language, putWords } from "./words.ts";

function refused(code: string, message: string): string {
  return refusalText(new ApiError({ code, message, param: null }, null));
}

test("a refusal that tells its cause is shown in the gateway's words", async () => {
  const cause = "Signing in needs https. Put a proxy with TLS in front and set server.public_url.";
  expect(refused("permission_denied", cause)).toBe(cause);
  expect(refused("permission_denied", "Registration is closed.")).toBe("Registration is closed.");
  const plain = "This account may not do that.";
  expect(refused("permission_denied", plain)).toBe(
    "Your account does not have permission to do this.",
  );
  expect(refused("permission_denied", "")).toBe(
    "Your account does not have permission to do this.",
  );
  // The gateway's message where it says nothing in particular.
  const catalogue = await Bun.file(join(import.meta.dir, "../../src/core/errors.ts")).text();
  expect(catalogue).toContain(`permission_denied: { ...caller, message: "${plain}" }`);
});

test("a code has words for people, and one without is shown as the gateway wrote it", () => {
  expect(refused("not_found", "There is no such key.")).toBe("Not found, or no longer available.");
  expect(refused("invalid_request", "name is required.")).toBe("name is required.");
});

test("a name that cannot be is refused in the page's language, by the field that it names", () => {
  const message = "name must be 1 to 64 letters.";
  const error = new ApiError({ code: "invalid_request", message, param: "name" }, null);
  expect(refusalText(error)).toStartWith("1 to 64 letters or digits");
  putWords("zh", "frame", frame);
  language.value = "zh";
  try {
    expect(refusalText(error)).toStartWith("1 至 64 个文字或数字");
  } finally {
    language.value = "en";
  }
});
