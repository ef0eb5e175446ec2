import { expect, test } from "bun:test";
import { join } from "node:path";
import { labelName, name } from "../../src/config/fields.ts";
import { usernameField } from "../../src/admin/user/fields.ts";
import { compile, type TSchema } from "../../src/core/schema.ts";
import { ApiError } from "./api.ts";
import { hasTrail, refusalText } from "./refusals.ts";
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
  const [rule = ""] = compile(name(""))
    .faults("a,b")
    .map((fault) => fault.message);
  const message = `name ${rule}`;
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

test("each rule of the gateway for a name is told as it is, whatever its field is called", () => {
  const told = (schema: TSchema) => {
    const [fault] = compile(schema).faults("a,b");
    const message = `name ${fault?.message}`;
    return refusalText(new ApiError({ code: "invalid_request", message, param: "name" }, null));
  };
  expect(told(name("A channel."))).toEndWith("& + # @");
  expect(told(labelName("A key."))).toEndWith("& + # @ : / ! ?");
  expect(told(usernameField)).toBe("1 to 64 of A to Z, a to z, 0 to 9 or . _ - @");
  const other = "name must not be that of another organisation.";
  const error = new ApiError({ code: "invalid_request", message: other, param: "name" }, null);
  expect(refusalText(error)).toBe(other);
});

test("what is wrong with a field is shown without code and request id", () => {
  const refusal = { code: "invalid_request", message: "password is too short" };
  expect(hasTrail(new ApiError({ ...refusal, param: "password" }, "req_1"))).toBe(false);
  const failure = { code: "internal_error", message: "The gateway failed.", param: null };
  expect(hasTrail(new ApiError(failure, "req_1"))).toBe(true);
});
