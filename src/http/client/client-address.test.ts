import { expect, test } from "bun:test";
import { ClientAddresses } from "./client-address.ts";

/** A platform that counts how often it is asked, and a turn of the event loop that is ended. */
function open({ trustsProxy = false, address = "10.1.2.3" as string | null } = {}) {
  const turns: (() => void)[] = [];
  const asked: Request[] = [];
  const addresses = new ClientAddresses({ trustsProxy, soon: (run) => void turns.push(run) });
  const server = {
    requestIP(request: Request) {
      asked.push(request);
      return address === null ? null : { address, family: "IPv4" as const, port: 1 };
    },
  };
  const from = (headers: Record<string, string> = {}) =>
    addresses.of(new Request("http://gateway.example/", { headers }), server);
  const endTurn = () => turns.splice(0).forEach((run) => run());
  return { from, asked, turns, endTurn };
}

test("an address is asked for at the end of the turn, and then once", () => {
  const { from, asked, endTurn } = open();
  const one = from();
  expect(asked).toHaveLength(0);
  endTurn();
  expect(asked).toHaveLength(1);
  expect([one.ip, one.ip]).toEqual(["10.1.2.3", "10.1.2.3"]);
  expect(asked).toHaveLength(1);
});

test("who needs it earlier gets it earlier, and it is not asked for again", () => {
  const { from, asked, endTurn } = open();
  expect(from().ip).toBe("10.1.2.3");
  endTurn();
  expect(asked).toHaveLength(1);
});

test("the requests of one turn are looked up together, those of the next by themselves", () => {
  const { from, asked, turns, endTurn } = open();
  from();
  from();
  expect(turns).toHaveLength(1);
  endTurn();
  from();
  expect(turns).toHaveLength(1);
  endTurn();
  expect(asked).toHaveLength(3);
});

test("a connection that is gone has none", () => {
  expect(open({ address: null }).from().ip).toBe("");
});

test.each([
  ["the last that a proxy tells", true, "6.6.6.6, 10.9.8.7", "10.9.8.7"],
  ["the connection's where the proxy tells none", true, " ", "10.1.2.3"],
  ["the connection's where no proxy is trusted", false, "6.6.6.6", "10.1.2.3"],
] as const)("it is %s", (_title, trustsProxy, forwarded, ip) => {
  expect(open({ trustsProxy }).from({ "x-forwarded-for": forwarded }).ip).toBe(ip);
});
