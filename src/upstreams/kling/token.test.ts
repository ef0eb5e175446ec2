// The bearer that a key of Kling becomes.
import { expect, test } from "bun:test";
import { bearerOf } from "./token.ts";

test("a pair of keys signs a token", () => {
  expect(bearerOf("AK_TEST:SK_TEST", 1_790_000_000)).toBe(
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJBS19URVNUIiwiZXhwIjoxNzkwMDAxODAwLCJuYmYi" +
      "OjE3ODk5OTk5OTV9.ruk59JomsoxVcHhaMEYUcUtPFpbAxWrgJdh94q1sUaU",
  );
  expect(bearerOf("AK_TEST:SK_TEST", 1_790_000_000.9)).toBe(
    bearerOf("AK_TEST:SK_TEST", 1_790_000_000),
  );
});

test("a single key goes as it is", () => {
  expect(bearerOf("api-key-kling", 1_790_000_000)).toBe("api-key-kling");
});
