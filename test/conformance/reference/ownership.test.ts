// Every route that takes an id, asked by somebody else: what another account has is not there.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { startGateway, type Gateway } from "../../harness/gateway.ts";
import { newPerson, type Person } from "../../harness/accounts/usage.ts";
import {
  operationsOf,
  Replay,
  type Document,
  type DocumentedOperation,
  type Replayed,
} from "./replay.ts";

let gateway: Gateway;
let replay: Replay;
let operations: DocumentedOperation[];
let stranger: Person;

beforeAll(async () => {
  gateway = await startGateway({ config: 'sandbox: "on"\n', oneProcess: "practice" });
  const document = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as Document;
  operations = operationsOf(document);
  replay = new Replay(gateway);
  const makes = operations.filter(({ method, path }) => method === "POST" && !hasId(path));
  await replay.run(makes);
  stranger = await newPerson(gateway, 1_000_000_000);
});

afterAll(() => gateway.stop());

function hasId(path: string): boolean {
  return /\{(?!model\}|provider\})/.test(path);
}

/** An id of the same kind that is nobody's. */
function nobodys(address: string): string {
  return address.replace(/((?:[a-z]+_))[0-9a-z]{26}/, `$1${"0".repeat(26)}`);
}

/** Without what is different for each request. */
function told({ status, body }: Replayed, address: string): [number, string] {
  const id = /[a-z]+_[0-9a-z]{26}/.exec(address)?.[0] ?? address;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return [status, text.replaceAll(/req_[0-9a-z]{26}/g, "req").replaceAll(id, "id")];
}

test("A9 hazard G1 what is another's is answered like what is nobody's, on every route", async () => {
  const asked = operations.filter(({ path }) => hasId(path) && !path.startsWith("/v1/models"));
  const owned = asked.filter((one) => replay.address(one) !== nobodys(replay.address(one)));
  // Models are everyone's; groups go by name; the rest has an id.
  expect(owned.length).toBeGreaterThan(30);
  for (const operation of owned) {
    const address = replay.address(operation);
    const theirs = await replay.send(operation, stranger, address);
    const none = await replay.send(operation, stranger, nobodys(address));
    const name = `${operation.method} ${operation.path}`;
    expect([name, ...told(theirs, address)]).toEqual([name, ...told(none, nobodys(address))]);
    const isRefused = theirs.status >= 400 || JSON.stringify(theirs.body).includes("false");
    expect([name, isRefused]).toEqual([name, true]);
  }
});

test("A9 hazard G1 and nothing of it was changed or deleted by asking", async () => {
  const named = operations.filter(
    ({ method, path }) => method === "GET" && /^\/(?:api|v1)\/[\w-]+\/\{id\}$/.test(path),
  );
  // No example makes a callback.
  const reads = named.filter(({ path }) => path !== "/api/webhook/{id}");
  expect(reads.length).toBeGreaterThan(4);
  for (const operation of reads) {
    const { status, body } = await replay.send(operation);
    const text = JSON.stringify(body);
    expect([operation.path, status, text.includes('"success":false')]).toEqual([
      operation.path,
      200,
      false,
    ]);
  }
});
