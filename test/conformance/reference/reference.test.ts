// The reference is held against the server: every route is in it, every example of it is sent, and
// every answer has the shape that it says.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Compile } from "typebox/compile";
import { Browser } from "../../harness/browser.ts";
import { startGateway, type Gateway } from "../../harness/gateway.ts";
import { nameOf, routes } from "../../harness/route-table.ts";
import {
  operationsOf,
  Replay,
  type Document,
  type DocumentedOperation,
  type Replayed,
} from "./replay.ts";

let gateway: Gateway;
let document: Document;
let replayed: Replayed[];

beforeAll(async () => {
  const config = 'sandbox: "on"\naccounts: { registration: open }\nsite: { shows_models: true }\n';
  gateway = await startGateway({ config, oneProcess: "practice" });
  document = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as Document;
  replayed = await new Replay(gateway).run(operationsOf(document));
});

afterAll(() => gateway.stop());

/** Operations that need a browser that is signed in, a person, or a site elsewhere. */
const needsSomebody = [
  "DELETE /api/user/self/identities/{id}",
  "DELETE /api/user/{id}/identities/{part}",
  "DELETE /api/user/{id}/second-factor/{part}",
  "DELETE /api/user/{id}/sessions/{part}",
  // The account is a person.
  "GET /api/user/{id}/members",
  "GET /api/user/{id}/projects",
  // There is nobody else in the organisation, and no project.
  "DELETE /api/organisation/{organisation}/member/{id}",
  "DELETE /api/organisation/{organisation}/project/{id}",
  "PATCH /api/organisation/{organisation}/member/{id}",
  "PATCH /api/organisation/{organisation}/project/{id}",
  "POST /api/organisation/join",
  "POST /api/organisation/join/offer",
  "POST /api/organisation/{organisation}/erase",
  "POST /api/organisation/{organisation}/leave",
  // The site does not show its status.
  "GET /api/site/health",
  // There is no such account.
  "GET /api/statement",
  // There is no file to send.
  "POST /api/asset/upload",
  "POST /api/backup/upload",
  // There is no such backup.
  "DELETE /api/backup/{name}",
  "GET /api/backup/{name}/file",
  "POST /api/backup/{name}/link",
  "POST /api/backup/{name}/restore",
  // There is no source to read.
  "POST /api/import/run",
  "POST /api/import/run/upload",
  // A plain GET asks for no WebSocket.
  "GET /v1/responses",
  // There is no destination.
  "POST /api/notice/test",
  "GET /api/oauth/{provider}",
  "GET /api/oauth/{provider}/authorize",
  "POST /api/channel/batch",
  "POST /api/channel/discover",
  "POST /api/redemption/redeem",
  "POST /api/token/session",
  // There is no server for e-mail.
  "POST /api/mail/test",
  "POST /api/user/email/verify",
  "POST /api/user/login/mail",
  "POST /api/user/login/mail/finish",
  "POST /api/user/reset",
  "POST /api/user/reset/finish",
  "POST /api/user/self/email",
  "POST /api/user/self/email/remove",
  "POST /api/user/login/link",
  "POST /api/user/login/passkey",
  "POST /api/user/login/second",
  "POST /api/user/logout",
  "POST /api/user/password",
  "POST /api/user/self/erase",
  "POST /api/user/self/second-factor/challenge",
  "POST /api/user/self/second-factor/passkey",
  "POST /api/user/self/second-factor/passkey/options",
  "POST /api/user/self/second-factor/passkey/{id}/remove",
  "POST /api/user/self/second-factor/recovery",
  "POST /api/user/self/second-factor/totp",
  "POST /api/user/self/second-factor/totp/confirm",
  "POST /api/user/self/second-factor/totp/remove",
];

/** Operations whose subject is not made yet, or was ended by another example before. */
const comesTooSoonOrLate = [
  // Nothing was captured of it.
  "GET /api/log/self/{id}/content",
  "GET /api/log/{id}/content",
  "GET /api/webhook/self/{id}",
  "GET /api/webhook/{id}",
  "POST /api/webhook/self/{id}/replay",
  // Nothing was changed yet that could be undone.
  "POST /api/setting/undo",
  "POST /api/webhook/{id}/replay",
  "DELETE /api/group/{name}",
  "DELETE /api/inflight/{id}",
  "DELETE /api/session/{id}",
  "GET /console-assets/{file}",
  "GET /media/{id}",
  "POST /v1/responses/{id}/cancel",
];

/** Operations that need an ended job: on a slow machine it may have ended. */
const waitsForJobs: ReadonlySet<string> = new Set([
  "DELETE /api/task/self/{id}",
  "DELETE /api/task/{id}",
  "POST /api/task/self/{id}/cancel",
  "POST /api/task/{id}/cancel",
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
    const listed = routes.filter(({ aliasOf }) => aliasOf === undefined);
    expect(named.toSorted()).toEqual(listed.map(nameOf).toSorted());
  });

  test("N16 says of each call which seats and which permissions it is for", () => {
    const scoped = routes.flatMap((route) =>
      route.policy === "control" && route.aliasOf === undefined && (route.seats ?? route.others)
        ? [route]
        : [],
    );
    expect(scoped.length).toBeGreaterThan(40);
    for (const { method, path, seats = [], others } of scoped) {
      const operation = document.paths[path]?.[method.toLowerCase()];
      const { description = "" } = (operation ?? {}) as { description?: string };
      for (const word of [...seats, ...(others ? [others] : [])]) {
        expect([method, path, description]).toEqual([
          method,
          path,
          expect.stringContaining(`\`${word}\``),
        ]);
      }
      if (path.includes("{organisation}")) expect(description).not.toContain("every account");
    }
  });

  test("N16 names each alias in the entry of the route that it stands for", () => {
    const aliases = routes.filter(({ aliasOf }) => aliasOf !== undefined);
    expect(aliases.length).toBeGreaterThan(40);
    for (const { method, path, aliasOf = "" } of aliases) {
      const operation = document.paths[aliasOf]?.[method.toLowerCase()];
      const { description = "" } = (operation ?? {}) as { description?: string };
      expect([path, description]).toEqual([path, expect.stringContaining(`\`${path}\``)]);
    }
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

describe("an operation", () => {
  test("N16 names the permission that it needs, its credentials and its statuses", () => {
    const byName = new Map(routes.map((route) => [nameOf(route), route]));
    for (const operation of operationsOf(document)) {
      const name = `${operation.method} ${operation.path}`;
      const route = byName.get(name);
      expect([name, operation.responses["default"]]).toEqual([name, undefined]);
      expect([name, Object.keys(operation.responses).length > 2]).toEqual([name, true]);
      if (route?.policy !== "control") continue;
      expect([name, operation["x-permission"]]).toEqual([name, route.permission]);
      const ways = operation.security.flatMap((one) => Object.keys(one));
      expect([name, ways.includes("token")]).toEqual([name, route.carriers.includes("token")]);
      expect([name, ways.includes("session")]).toEqual([name, route.carriers.includes("session")]);
    }
  });

  test("N16 is refused without what the document says that it needs", async () => {
    for (const operation of operationsOf(document)) {
      const isOpen = operation.security.some((one) => Object.keys(one).length === 0);
      if (isOpen || operation.security.length === 0) continue;
      const address = operation.path.replace(/\{\w+\}/g, "chn_00000000000000000000000000");
      const response = await fetch(gateway.url + address, { method: operation.method });
      const said = await response.text();
      const isRefused = response.status === 401 || said.includes("invalid_api_key");
      expect([operation.path, isRefused]).toEqual([operation.path, true]);
    }
  });

  test("N16 of someone signed in is by the cookie that signing in sets", async () => {
    const { securitySchemes } = document.components as unknown as {
      securitySchemes: Record<string, { name?: string }>;
    };
    const browser = new Browser(gateway.url);
    await browser.signIn("root", "root password for tests");
    const plain = securitySchemes["session-plain"]?.name ?? "";
    expect([...browser.cookies.keys()]).toEqual([plain]);
    const secure = new Browser(gateway.url, { headers: { "x-forwarded-proto": "https" } });
    expect(securitySchemes["session"]?.name).toBe(`__Host-${plain}`);
    expect(await secure.isSignedIn()).toBe(false);
  });

  test("N16 that streams says so, and does", async () => {
    const streaming = operationsOf(document).filter(
      ({ responses }) => responses["200"]?.content?.["text/event-stream"],
    );
    expect(streaming.length).toBeGreaterThan(4);
    const body = { model: "chatA", stream: true, messages: [{ role: "user", content: "hi" }] };
    const response = await gateway.post("/v1/chat/completions", body);
    expect(response.headers.get("content-type")).toStartWith("text/event-stream");
    await response.body?.cancel();
  });
});

/** Names of the fields that the body of an operation may have. */
function fieldsOf({ requestBody }: DocumentedOperation): Set<string> {
  const { schema } = (requestBody?.content["application/json"] ?? {}) as {
    schema?: { properties?: object };
  };
  return new Set(Object.keys(schema?.properties ?? {}));
}

describe("what the document says of bodies and types", () => {
  test("N16 an operation that is asked for a stream answers with one just where the document says so", async () => {
    const asked = operationsOf(document).filter((one) => fieldsOf(one).has("stream"));
    expect(asked.length).toBeGreaterThan(6);
    for (const { path, requestBody, responses } of asked) {
      const { example } = requestBody?.content["application/json"] ?? {};
      const body = { ...(example as object), stream: true };
      const response = await gateway.post(path, body);
      const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
      await response.body?.cancel();
      expect([path, response.ok]).toEqual([path, true]);
      const { content = {} } = responses["200"] ?? {};
      expect([path, "text/event-stream" in content]).toEqual([path, isStream ?? false]);
    }
  });

  test("N16 a body that is a file is a body, of the types that it may have", () => {
    const upload = operationsOf(document).find(({ path }) => path === "/api/asset/upload");
    expect(Object.keys(upload?.requestBody?.content ?? {})).toEqual([
      "image/*",
      "video/*",
      "audio/*",
      "application/octet-stream",
    ]);
  });

  test("N16 a refusal has a status and a type that the document names, also where a success is no JSON", async () => {
    for (const operation of operationsOf(document)) {
      if (operation.security.length === 0) continue;
      const address = operation.path.replace(/\{\w+\}/g, "chn_00000000000000000000000000");
      const response = await fetch(gateway.url + address, {
        method: operation.method,
        // Send it as a proxy would: nothing is open to this machine alone then.
        headers: { "x-real-ip": "203.0.113.9" },
      });
      await response.text();
      const type = (response.headers.get("content-type") ?? "").split(";", 1)[0] ?? "";
      const { content = {} } = operation.responses[String(response.status)] ?? {};
      expect([operation.path, response.status, Object.keys(content)]).toEqual([
        operation.path,
        response.status,
        expect.arrayContaining([type]),
      ]);
    }
  });

  test("N16 the files of the console have types that the document names", async () => {
    const page = await (await fetch(`${gateway.url}/`)).text();
    const names = [...page.matchAll(/\/console-assets\/([\w.-]+)/g)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(1);
    const { content } =
      operationsOf(document).find(({ path }) => path === "/console-assets/{file}")?.responses[
        "200"
      ] ?? {};
    for (const name of names) {
      const response = await fetch(`${gateway.url}/console-assets/${name}`);
      await response.body?.cancel();
      const type = (response.headers.get("content-type") ?? "").split(";", 1)[0] ?? "";
      expect([name, Object.keys(content ?? {})]).toEqual([name, expect.arrayContaining([type])]);
    }
  });
});

describe("an answer", () => {
  test("N16 to an example has the shape that the document says", () => {
    const faults = replayed.filter(isSuccess).flatMap(({ name, type, body, operation }) => {
      const { schema } = operation.responses["200"]?.content?.[type] ?? {};
      if (type === "application/json" && schema === undefined) return [`${name} is no JSON`];
      return schema === undefined ? [] : faultsOf(schema, body).map((fault) => `${name} ${fault}`);
    });
    expect(faults).toEqual([]);
  });

  test("N16 that refuses has the shape that the document says", () => {
    const faults = replayed
      .filter((one) => !isSuccess(one))
      .flatMap(({ name, status, body, operation }) => {
        // The control plane refuses with a 200, in the shape of its other refusals.
        const { content } = operation.responses[status === 200 ? "400" : String(status)] ?? {};
        if (!content) return [`${name} has no ${status}`];
        const { $ref } = (content["application/json"]?.schema ?? { $ref: "" }) as { $ref: string };
        const schema = document.components.schemas[$ref.split("/").at(-1) ?? ""];
        return faultsOf(schema, body).map((fault) => `${name} ${fault} ${JSON.stringify(body)}`);
      });
    expect(faults).toEqual([]);
  });

  test("N16 has a status and headers that the document names", () => {
    const faults = replayed.flatMap(({ name, status, headers, operation }) => {
      const { headers: named } = operation.responses[String(status)] ?? {};
      if (!named) return [`${name} answers with ${status}`];
      return Object.keys(named).flatMap((header) =>
        headers.has(header) ? [] : [`${name} has no ${header}`],
      );
    });
    expect(faults).toEqual([]);
  });

  test("N16 is a success, but for what needs somebody else or another moment", () => {
    const refused = replayed.filter((one) => !isSuccess(one)).map(({ name }) => name);
    const sure = refused.filter((name) => !waitsForJobs.has(name));
    expect(sure.toSorted()).toEqual([...needsSomebody, ...comesTooSoonOrLate].toSorted());
  });
});
