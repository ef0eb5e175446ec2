// The reference is held against the server: every route is in it, every example of it is sent, and
// every answer has the shape that it says.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Compile } from "typebox/compile";
import { startGateway, type Gateway } from "../../harness/gateway.ts";
import { nameOf, routes } from "../../harness/route-table.ts";
import { operationsOf, Replay, type Document, type Replayed } from "./replay.ts";

let gateway: Gateway;
let document: Document;
let replayed: Replayed[];

beforeAll(async () => {
  const config = 'sandbox: "on"\naccounts: { registration: open }\n';
  gateway = await startGateway({ config });
  document = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as Document;
  replayed = await new Replay(gateway).run(operationsOf(document));
});

afterAll(() => gateway.stop());

/** What needs a browser that is signed in, a person, or a site elsewhere. */
const needsSomebody = [
  "DELETE /api/user/self/identities/{id}",
  "GET /api/oauth/{provider}",
  "GET /api/oauth/{provider}/authorize",
  "POST /api/channel/discover",
  "POST /api/redemption/redeem",
  "POST /api/user/login/passkey",
  "POST /api/user/login/second",
  "POST /api/user/logout",
  "POST /api/user/password",
  "POST /api/user/self/second-factor/challenge",
  "POST /api/user/self/second-factor/passkey",
  "POST /api/user/self/second-factor/passkey/options",
  "POST /api/user/self/second-factor/passkey/{id}/remove",
  "POST /api/user/self/second-factor/recovery",
  "POST /api/user/self/second-factor/totp",
  "POST /api/user/self/second-factor/totp/confirm",
  "POST /api/user/self/second-factor/totp/remove",
];

/** What is not done yet, or was done by another example before. */
const comesTooSoonOrLate = [
  "DELETE /api/group/{name}",
  "DELETE /api/session/{id}",
  "GET /media/{id}",
  "POST /v1/responses/{id}/cancel",
];

/** What a job must have ended for: on a slow machine it may have. */
const waitsForJobs: ReadonlySet<string> = new Set([
  "DELETE /v1/videos/{id}",
  "GET /imgF/image/{id}",
  "GET /v1/videos/{id}/content",
  "POST /imgF/submit/action",
  "POST /imgF/submit/change",
  "POST /imgF/submit/modal",
  "POST /imgF/submit/simple-change",
]);

function faultsOf(schema: unknown, value: unknown): string[] {
  const checker = Compile(schema as Parameters<typeof Compile>[0]);
  return checker.Errors(value).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

function isSuccess({ status, body }: Replayed): boolean {
  const refused = typeof body === "object" && body !== null && "success" in body && !body.success;
  return status < 400 && !refused;
}

describe("the document", () => {
  test("N16 has every route and nothing else", () => {
    expect(document.openapi).toBe("3.1.0");
    const named = operationsOf(document).map(({ method, path }) => `${method} ${path}`);
    expect(named.toSorted()).toEqual(routes.map(nameOf).toSorted());
  });

  test("N16 has an id of its own for each operation", () => {
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(
        (operation) => (operation as { operationId?: string }).operationId,
      ),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe("an answer", () => {
  test("N16 to an example has the shape that the document says", () => {
    const faults = replayed.filter(isSuccess).flatMap(({ name, type, body, operation }) => {
      const { schema } = operation.responses["200"].content[type] ?? {};
      if (type === "application/json" && schema === undefined) return [`${name} is no JSON`];
      return schema === undefined ? [] : faultsOf(schema, body).map((fault) => `${name} ${fault}`);
    });
    expect(faults).toEqual([]);
  });

  test("N16 that refuses has the shape that the document says", () => {
    const faults = replayed
      .filter((one) => !isSuccess(one))
      .flatMap(({ name, body, operation }) => {
        const { $ref } = operation.responses.default.content["application/json"].schema;
        const schema = document.components.schemas[$ref.split("/").at(-1) ?? ""];
        return faultsOf(schema, body).map((fault) => `${name} ${fault} ${JSON.stringify(body)}`);
      });
    expect(faults).toEqual([]);
  });

  test("N16 is a success, but for what needs somebody else or another moment", () => {
    const refused = replayed.filter((one) => !isSuccess(one)).map(({ name }) => name);
    const sure = refused.filter((name) => !waitsForJobs.has(name));
    expect(sure.toSorted()).toEqual([...needsSomebody, ...comesTooSoonOrLate].toSorted());
  });
});
