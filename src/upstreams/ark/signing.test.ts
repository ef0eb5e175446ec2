// The signature of calls to Ark's control plane.
import { expect, test } from "bun:test";
import { signedAddress } from "./signing.ts";

const body = '{"GroupType":"AIGC","Name":"fixture","ProjectName":"default"}';
const hash = "96937d358b6766ea86676b1f93ea01462fa12b19457eea975a835c6e4750eefb";
const nowSeconds = Date.UTC(2026, 9, 7, 12) / 1000;
const pair = "AKEXAMPLE:fixture-secret-not-a-credential";

test.each([
  [
    "ark.cn-beijing.volcengineapi.com",
    "cn-beijing",
    "4e8057129af0bbc35f108f38006f0a921b68d7af198bca0f7375cba1541bdb35",
  ],
  [
    "open.volcengineapi.com",
    "cn-beijing",
    "92f157437843ce5ff7d3f1ff6708bbf0a806570612ed760cbd5a7b37138a253c",
  ],
  [
    "ark.ap-southeast-1.byteplusapi.com",
    "ap-southeast-1",
    "fda35fbe63247649c3bde49cdf527923b033439b10b4f0ad2ec19d36edcf139d",
  ],
])("a request to %s is signed for its region", (host, region, signature) => {
  const url = `https://${host}/?Action=CreateAssetGroup&Version=2024-01-01`;
  expect(signedAddress({ url, body, pair, region, nowSeconds })).toEqual({
    url,
    headers: {
      "content-type": "application/json",
      "x-date": "20261007T120000Z",
      "x-content-sha256": hash,
      authorization:
        `HMAC-SHA256 Credential=AKEXAMPLE/20261007/${region}/ark/request, ` +
        "SignedHeaders=content-type;host;x-content-sha256;x-date, " +
        `Signature=${signature}`,
    },
  });
});

test("the order of the query and the part of a second make no difference", () => {
  const sign = (query: string, seconds: number) => {
    const url = `https://open.volcengineapi.com/?${query}`;
    const signing = { url, body, pair, region: "cn-beijing", nowSeconds: seconds };
    return signedAddress(signing).headers["authorization"];
  };
  expect(sign("Version=2024-01-01&Action=GetAsset", nowSeconds + 0.5)).toBe(
    sign("Action=GetAsset&Version=2024-01-01", nowSeconds),
  );
  expect(sign("Action=a b*", nowSeconds)).toBe(sign("Action=a%20b%2A", nowSeconds));
});
