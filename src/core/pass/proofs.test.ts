import { expect, test } from "bun:test";
import { withoutProofs } from "./proofs.ts";

const url = "https://token.example/t";

test.each([
  "authorization",
  "x-aws-ec2-metadata-token",
  "x-amz-security-token",
  "x-identity-header",
])("what %s carried is not said back", (name) => {
  const call = { method: "GET", url, headers: { [name]: "Bearer a-proof-of-mine" } } as const;
  expect(withoutProofs("no: a-proof-of-mine", call)).toBe("no: [secret]");
});

test("of a form the proofs go, as they are and as they were sent, and the rest stays", () => {
  const fields = { client_id: "the-client", scope: "https://a.example/.default" };
  const proofs = { client_secret: "s~cret/of+mine", subject_token_type: "urn:type:jwt" };
  const body = new URLSearchParams({ ...fields, ...proofs }).toString();
  const words = (secret: string) =>
    `the-client, https://a.example/.default, urn:type:jwt, ${secret}`;
  const call = { method: "POST", url, body } as const;
  for (const secret of ["s~cret/of+mine", encodeURIComponent("s~cret/of+mine")]) {
    expect(withoutProofs(words(secret), call)).toBe(words("[secret]"));
  }
});
