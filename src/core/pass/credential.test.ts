import { expect, test } from "bun:test";
import { credentialName, credentialSecrets, plainCredential } from "./credential.ts";

const parts = { client_id: "the-client-1234", client_secret: "very-secret-text", tenant_id: "t" };
const minified = JSON.stringify(parts);

test.each([
  ["minified", minified],
  ["with line breaks", JSON.stringify(parts, null, 2)],
  ["as base64", Buffer.from(minified).toString("base64")],
  ["as base64 of lines", Buffer.from(JSON.stringify(parts, null, 2)).toString("base64")],
  ["behind a line break", `\n${minified}\n`],
])("an object that is pasted %s is stored in one form", (_how, text) => {
  expect(plainCredential(text)).toBe(minified);
  expect(credentialSecrets(text)).toContain("very-secret-text");
  expect(credentialName(text)).toBe("the-client-1234");
});

test.each([
  "sk-plain",
  "eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJhIn0.c2ln",
  "AKIA1:secret:token",
  "instance",
])("%s stays as it is", (text) => {
  expect(plainCredential(text)).toBe(text);
  expect(credentialSecrets(text)).toEqual([]);
  expect(credentialName(text)).toBe(text);
});

test("each line of a private key is a secret, and no other part is", () => {
  const pem = "-----BEGIN PRIVATE KEY-----\nline-of-the-key-1\nline-of-the-key-2\n";
  const account = { type: "service_account", private_key: pem, token_uri: "https://a.example" };
  const secrets = credentialSecrets(JSON.stringify(account));
  expect(secrets).toContain("line-of-the-key-1");
  expect(secrets).toContain("line-of-the-key-2");
  expect(secrets).not.toContain("https://a.example");
  expect(secrets).not.toContain("service_account");
});
