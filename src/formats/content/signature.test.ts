import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../core/json.ts";
import type { Proof } from "../exchange.ts";
import { sealProof } from "../kit/proof.ts";
import { content } from "./index.ts";
import { isForeign, openSignature, writeSignature } from "./signature.ts";

const target = { model: "gemini-2.5-pro", stream: false, outputTokensMax: 1000 };
const foreign: Proof = { dialect: "messages", data: "c2ln+/=" };
const sealed = writeSignature(foreign);

function bodyOf(...parts: JsonObject[]): JsonObject {
  return { model: "x", contents: [{ role: "model", parts }], labels: { a: "b" } };
}

function partsOf(body: JsonObject, model: string = target.model): unknown {
  return content.forward(body, { ...target, model })["contents"];
}

describe("signatures of other vendors", () => {
  test("a seal is base64, because Google's clients decode the field", () => {
    expect(Buffer.from(sealed, "base64").toString("base64")).toBe(sealed);
    expect(isForeign(sealed)).toBe(true);
    expect(openSignature(sealed)).toEqual({ proof: foreign, text: "", isRedacted: false });
  });

  test("a seal survives a client that writes base64 its own way", () => {
    const rewritten = sealed.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
    expect(openSignature(rewritten).proof).toEqual(foreign);
  });

  test("X-H07 a seal says that reasoning is redacted, and carries what was hidden", () => {
    const proof: Proof = { dialect: "responses", data: "enc", id: "rs_1" };
    const packed = writeSignature(proof, { text: "häh\ud800", isRedacted: true });
    expect(openSignature(packed)).toEqual({ proof, text: "häh\ud800", isRedacted: true });
  });

  test("Google's own signature is neither sealed nor changed", () => {
    expect(writeSignature({ dialect: "content", data: "QUJD", on: "call" })).toBe("QUJD");
    expect(openSignature("QUJD").proof).toEqual({ dialect: "content", data: "QUJD" });
    expect(isForeign("QUJD")).toBe(false);
  });

  test("a seal that was tampered with is an unknown text and no error", () => {
    const bad = Buffer.from("sluice1:messages::%zz:data").toString("base64");
    expect(openSignature(bad).proof.dialect).toBe("content");
    const odd = Buffer.from("sluice1:messages::%7Bx:data").toString("base64");
    expect(openSignature(odd).proof).toEqual({ dialect: "messages", data: "data", id: "{x" });
  });
});

describe("forwarding a body", () => {
  test("everything is kept but the model", () => {
    const body: JsonObject = {
      ...bodyOf({ text: "hi", novel: 1 }),
      generation_config: { topK: 3 },
    };
    expect(content.forward(body, target)).toEqual({
      contents: [{ role: "model", parts: [{ text: "hi", novel: 1 }] }],
      labels: { a: "b" },
      generation_config: { topK: 3 },
    });
    expect(body["model"]).toBe("x");
  });

  test("the forwarded body may be changed without changing the client's", () => {
    const body = bodyOf({ text: "hi" });
    const forwarded = content.forward(body, target);
    forwarded["store"] = true;
    expect(body["store"]).toBeUndefined();
  });

  test("what another vendor thought is left out, and its signatures are taken off", () => {
    const call = { functionCall: { name: "f", args: {} } };
    expect(
      partsOf(
        bodyOf(
          { text: "hm", thought: true, thoughtSignature: sealed },
          { text: "", thought: true, thought_signature: sealed },
          { text: "So be it.", thoughtSignature: sealed },
          { ...call, thoughtSignature: sealed },
        ),
      ),
    ).toEqual([{ role: "model", parts: [{ text: "So be it." }, call] }]);
  });

  test("a content of nothing but such signatures is left out", () => {
    expect(partsOf(bodyOf({ text: "", thought: true, thoughtSignature: sealed }))).toEqual([]);
  });

  test("models that check signatures are told not to look for one on such a call", () => {
    const call = { functionCall: { name: "f", args: {} }, thoughtSignature: sealed };
    expect(partsOf(bodyOf(call), "gemini-3-pro")).toEqual([
      {
        role: "model",
        parts: [{ ...call, thoughtSignature: "skip_thought_signature_validator" }],
      },
    ]);
  });

  test("they are told so on the first call of a turn in which another vendor thought, too", () => {
    const call = { functionCall: { name: "f", args: {} } };
    const thought = { text: "hm", thought: true, thoughtSignature: sealed };
    const unchecked = { ...call, thoughtSignature: "skip_thought_signature_validator" };
    expect(partsOf(bodyOf(thought, call, call), "gemini-3-pro")).toEqual([
      { role: "model", parts: [unchecked, call] },
    ]);
    const own = { ...call, thoughtSignature: "QUJD" };
    expect(partsOf(bodyOf(thought, own, call), "gemini-3-pro")).toEqual([
      { role: "model", parts: [own, call] },
    ]);
  });

  test("X-H06 the same signature is sent once, and Google's placeholder as often as it stands", () => {
    const call = { functionCall: { name: "f", args: {} } };
    const placeholder = "skip_thought_signature_validator";
    expect(
      partsOf(
        bodyOf(
          { ...call, thoughtSignature: "QUJD+" },
          { ...call, thoughtSignature: "QUJD-" },
          { text: "", thoughtSignature: "QUJD+" },
          { ...call, thoughtSignature: placeholder },
          { ...call, thoughtSignature: placeholder },
        ),
      ),
    ).toEqual([
      {
        role: "model",
        parts: [
          { ...call, thoughtSignature: "QUJD+" },
          call,
          { ...call, thoughtSignature: placeholder },
          { ...call, thoughtSignature: placeholder },
        ],
      },
    ]);
  });

  test("the newest signature is what the request builds on, whoever made it", () => {
    const address = { model: "m", stream: false, framing: "events" } as const;
    const preferred = (...signatures: string[]) => {
      const parts = signatures.map((thoughtSignature) => ({ text: "a", thoughtSignature }));
      return content.read(bodyOf(...parts), address).origins.preferred;
    };
    const packed = writeSignature({ ...foreign, id: "x" }, { text: "hm" });
    const unsigned = writeSignature({ dialect: "chat", data: "" }, { text: "hm" });
    expect(preferred("T0xE", "TkVX-_==")).toBe("TkVX+/");
    expect(preferred("T0xE", "skip_thought_signature_validator", unsigned)).toBe("T0xE");
    expect(preferred("T0xE", packed)).toBe(sealProof({ ...foreign, id: "x" }));
    expect(preferred()).toBeNull();
  });
});
