import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isListedAddress, isPublicAddress, judgeUrl, networkOf } from "./url-guard.ts";

const loopbackInDisguise = [
  "http://127.0.0.1/",
  "http://2130706433/",
  "http://0x7f000001/",
  "http://0x7f.1/",
  "http://0177.0.0.1/",
  "http://127.1/",
  "http://0/",
  "http://0.0.0.0/",
  "http://localhost/",
  "http://localhost./",
  "http://LOCALHOST/",
  "http://a.localhost/",
  "http://127.0.0.1./",
  "http://127.0.0.1../",
  "http://0x7f.1.../",
  "http://2130706433../",
  "http://localhost../",
  "http://a.localhost..../",
  "http://[::ffff:127.0.0.1]/",
  "http://[::ffff:7f00:1]/",
  "http://[0:0:0:0:0:0:0:1]/",
  "http://\u2460\u2461\u2466.\u24ea.\u24ea.\u2460/",
  "http://127\u30020\u30020\u30021/",
  "http:/\\127.0.0.1",
  "http:127.0.0.1",
  "http:///127.0.0.1",
  "http://[::1]/",
  "http://[::]/",
  "http://127.0.0.1:80\\@example.com/",
  "\thttp://127.0.0.1/\n",
];

const metadataHosts = [
  "http://169.254.169.254/latest/meta-data",
  "http://[::ffff:169.254.169.254]/",
  "http://[fd00:ec2::254]/",
  "http://metadata.google.internal/",
  "http://metadata/",
  "http://100.100.100.200/",
  "http://192.0.0.192/",
  "http://168.63.129.16/",
];

const privateNetworks = [
  "10.0.0.1",
  "10.255.255.255",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.0.1",
  "100.64.0.1",
  "100.127.255.255",
  "198.18.0.1",
  "198.19.255.255",
  "169.254.0.1",
  "224.0.0.1",
  "239.255.255.255",
  "240.0.0.1",
  "255.255.255.255",
  "0.1.2.3",
  "192.0.2.1",
  "198.51.100.1",
  "203.0.113.1",
  "fc00::1",
  "fdff::1",
  "fe80::1",
  "fec0::1",
  "ff02::1",
  "64:ff9b::7f00:1",
  "64:ff9b::a00:1",
  "64:ff9b:1::1",
  "2002:7f00:1::",
  "2002:a00:1::1",
  "2001::1",
  "2001:db8::1",
  "100::1",
  "::ffff:10.0.0.1",
  "::ffff:0:127.0.0.1",
  "::7f00:1",
  "::10.0.0.1",
  "::169.254.169.254",
  "::8.8.8.8",
  "::808:808",
  "0:0:0:0:0:0:8.8.8.8",
  "64:ff9b::8.8.8.8",
  "1::1",
  "1fff:ffff::1",
  "3fff::1",
  "4000::1",
  "5f00::1",
  "8000::1",
  "fe00::1",
];

const publicAddresses = [
  "8.8.8.8",
  "1.1.1.1",
  "11.0.0.1",
  "100.63.255.255",
  "100.128.0.1",
  "126.255.255.255",
  "128.0.0.1",
  "169.253.255.255",
  "172.15.255.255",
  "172.32.0.1",
  "192.167.255.255",
  "198.17.255.255",
  "198.20.0.1",
  "223.255.255.254",
  "2606:4700:4700::1111",
  "2001:4860:4860::8888",
  "2a00:1450:4001::1",
  "3ffe::1",
];

function urlOf(address: string): string {
  return address.includes(":") ? `https://[${address}]/` : `https://${address}/`;
}

describe("a URL", () => {
  test.each([...loopbackInDisguise, ...metadataHosts])("%p is not public", (url) => {
    expect(judgeUrl(url)).toBe("private");
  });

  test.each(privateNetworks)("to %s is private", (address) => {
    expect(judgeUrl(urlOf(address))).toBe("private");
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each(publicAddresses)("to %s is public", (address) => {
    expect(judgeUrl(urlOf(address))).toBe("public");
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each([
    "https://example.com/a.png",
    "http://example.com:8080/",
    "https://localhost.example.com/",
    "https://internal.example.com/",
    "https://my.locals/",
    "https://b\u00fccher.example/",
    "https://example.com../",
  ])("%p names a public host", (url) => {
    expect(judgeUrl(url)).toBe("public");
  });

  test.each([
    "",
    "example.com",
    "//127.0.0.1/",
    "http://",
    "http://foo@127.0.0.1/",
    "http://127.0.0.1@example.com/",
    "https://user:secret@example.com/",
    "file:///etc/hostname",
    "ftp://example.com/",
    "data:text/plain,a",
    "blob:https://example.com/a",
    "s3://bucket/a",
    "asset://a",
    "javascript:alert(1)",
    "http://[::1",
    "http://[::1%25eth0]/",
    "http://exa mple.com/",
    "http://999.1.1.1/",
    "http://../",
  ])("%p is invalid", (url) => {
    expect(judgeUrl(url)).toBe("invalid");
  });

  test.each(["printer.local", "db.internal", "host.localdomain", "router.home.arpa", "db"])(
    "to the name %s of a local network is private",
    (name) => {
      expect(judgeUrl(`http://${name}/`)).toBe("private");
      expect(judgeUrl(`http://${name.toUpperCase()}./`)).toBe("private");
      expect(judgeUrl(`http://${name}.../`)).toBe("private");
    },
  );

  test("is judged alike in every spelling of its address", () => {
    const octet = fc.nat(255);
    fc.assert(
      fc.property(octet, octet, octet, octet, (first, second, third, fourth) => {
        const dotted = [first, second, third, fourth].join(".");
        const number = ((first * 256 + second) * 256 + third) * 256 + fourth;
        const verdict = judgeUrl(`http://${dotted}/`);
        expect(verdict).toBe(isPublicAddress(dotted) ? "public" : "private");
        expect(judgeUrl(`http://${number}/`)).toBe(verdict);
        expect(judgeUrl(`http://0x${number.toString(16)}/`)).toBe(verdict);
        expect(judgeUrl(`http://0${number.toString(8)}/`)).toBe(verdict);
        expect(judgeUrl(`http://[::ffff:${dotted}]/`)).toBe(verdict);
        expect(judgeUrl(`http://${dotted}./`)).toBe(verdict);
      }),
      { numRuns: 500 },
    );
  });
});

describe("an address", () => {
  test.each(["", "example.com", "256.1.1.1", "1.2.3.4.5", "::g"])("%p is none", (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });

  test.each([
    ["10.1.2.3", "10.1.2.3"],
    ["10.1.2.3", "10.0.0.0/8"],
    ["::ffff:10.1.2.3", "10.0.0.0/8"],
    ["::ffff:10.1.2.3", "10.1.2.3"],
    ["2001:db8::1", "2001:db8::/32"],
    ["2001:db8:0:0::1", "2001:db8::1"],
  ])("%s is listed by %s", (address, entry) => {
    expect(isListedAddress(address, ["192.0.2.1", entry])).toBe(true);
  });

  test.each([
    ["11.1.2.3", "10.0.0.0/8"],
    ["10.1.2.3", "::/0"],
    ["2001:db8::1", "0.0.0.0/0"],
    ["10.1.2.3", "10.1.2.3/99"],
    ["10.1.2.3", "nonsense"],
    ["10.1.2.3", ""],
    ["nonsense", "0.0.0.0/0"],
    ["::10.1.2.3", "10.0.0.0/8"],
    ["10.1.2.3", "::10.1.2.3"],
  ])("%s is not listed by %p", (address, entry) => {
    expect(isListedAddress(address, [entry])).toBe(false);
  });

  test("is listed by nobody in an empty list", () => {
    expect(isListedAddress("10.1.2.3", [])).toBe(false);
  });
});

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::9", "2001:db8:1:2::/64"],
  ["not an address", "not an address"],
])("%s counts as of %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});
