import { expect, test } from "bun:test";
import { createCipheriv, createHash } from "node:crypto";
import { openSealed } from "./sealed.ts";
import { openSecretBox } from "./secretbox.ts";

/** The example of NaCl's own documentation. */
const key = "1b27556473e985d462cd51197a9a46c76009549eac6474f206c4ee0844f68389";
const nonce = "69696ee955b62b73cd62bda875fc73d68219e0036b7a0b37";
const plain =
  "be075fc53c81f2d5cf141316ebeb0c7b5228c52a4c62cbd44b66849b64244ffce5ecbaaf33bd751a1ac728d45e6c" +
  "61296cdc3c01233561f41db66cce314adb310e3be8250c46f06dceea3a7fa1348057e2f6556ad6b1318a024a838f" +
  "21af1fde048977eb48f59ffd4924ca1c60902e52f0a089bc76897040e082f937763848645e0705";
const box =
  "f3ffc7703f9400e52a7dfb4b3d3305d98e993b9f48681273c29650ba32fc76ce48332ea7164d96a4476fb8c531a1" +
  "186ac0dfc17c98dce87b4da7f011ec48c97271d2c20f9b928fe2270d6fb863d51738b48eeee314a7cc8ab9321645" +
  "48e526ae90224368517acfeabd6bb3732bc0e9da99832b61ca01b6de56244a9e88d5f9b37973f622a43d14a6599b" +
  "1f654cb45a74e355a5";

test("a secret box opens with its key, and not with another or where a bit is turned", () => {
  const sealed = Buffer.from(nonce + box, "hex");
  const opened = openSecretBox(sealed, Buffer.from(key, "hex"));
  expect(Buffer.from(opened ?? []).toString("hex")).toBe(plain);
  const other = Buffer.from(key, "hex").fill(1, 0, 1);
  expect(openSecretBox(sealed, other)).toBeNull();
  const turned = Buffer.from(sealed);
  turned[60] = (turned[60] ?? 0) ^ 1;
  expect(openSecretBox(turned, Buffer.from(key, "hex"))).toBeNull();
  expect(openSecretBox(sealed.subarray(0, 30), Buffer.from(key, "hex"))).toBeNull();
});

test("texts are opened wherever they stand, and numbers stay as they are", () => {
  const salt = "the salt";
  const cipher = createCipheriv(
    "aes-256-gcm",
    createHash("sha256").update(salt).digest(),
    Buffer.alloc(12, 1),
  );
  const text = Buffer.concat([cipher.update("openai/x"), cipher.final()]);
  const bytes = Buffer.concat([Buffer.alloc(12, 1), text, cipher.getAuthTag()]);
  const sealed = `v2:gcm:${bytes.toString("base64url")}`;
  expect(openSealed({ model: sealed, list: [sealed], rpm: 5 }, salt)).toEqual({
    model: "openai/x",
    list: ["openai/x"],
    rpm: 5,
  });
  expect(() => openSealed({ model: "bm90IGEgYm94" }, salt)).toThrow("does not open");
});
