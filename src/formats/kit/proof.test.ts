import { expect, test } from "bun:test";
import fc from "fast-check";
import type { UpstreamDialect, Proof } from "../exchange.ts";
import { isSealed, openProof, sealProof } from "./proof.ts";

const dialects = fc.constantFrom<UpstreamDialect>(
  "chat",
  "responses",
  "messages",
  "content",
  "converse",
);

test("a sealed proof opens as what it was, whatever its data and its id are", () => {
  const proofs = fc.record<Proof, "dialect" | "data">(
    {
      dialect: dialects,
      data: fc.string({ unit: "binary" }),
      on: fc.constantFrom<"call" | "text">("call", "text"),
      id: fc.string({ minLength: 1 }),
    },
    { requiredKeys: ["dialect", "data"] },
  );
  fc.assert(
    fc.property(proofs, dialects, (proof, own) => {
      const text = sealProof(proof);
      expect(isSealed(text)).toBe(true);
      expect(openProof(text, own)).toEqual(proof);
    }),
  );
});

test("a proof that was sealed by two gateways is opened by one at a time", () => {
  const inner = sealProof({ dialect: "content", data: "c2ln", on: "call" });
  const outer = sealProof({ dialect: "chat", data: inner });
  expect(openProof(outer, "messages")).toEqual({ dialect: "chat", data: inner });
});

test("a text without a seal is of the client's own format", () => {
  expect(openProof("EqQBCgIYAhIM", "messages")).toEqual({
    dialect: "messages",
    data: "EqQBCgIYAhIM",
  });
  expect(isSealed("EqQBCgIYAhIM")).toBe(false);
});

test.each(["sluice1:bank:::x", "sluice1:chat:", "sluice1:chat::%E0%A4%A:x", "sluice2:chat:::x"])(
  "what only looks like a seal is taken as it stands: %s",
  (text) => {
    expect(openProof(text, "responses")).toEqual({ dialect: "responses", data: text });
  },
);
