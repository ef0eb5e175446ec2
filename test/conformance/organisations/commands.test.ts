// Organisations from the command line: made, filled, changed and shown, as whoever runs it.
import { expect, setDefaultTimeout, test } from "bun:test";
import { newCompany } from "../../harness/accounts/organisation.ts";
import { runCommand } from "../../harness/command.ts";
import { startGateway } from "../../harness/gateway.ts";
import { useStand } from "../../harness/nodes/stand.ts";

setDefaultTimeout(180_000);

const gateway = useStand(() => startGateway());

async function sluice(...words: string[]): Promise<string> {
  const { code, out, error } = await runCommand({ folder: gateway.folder }, ...words);
  expect({ words, code, error }).toEqual({ words, code: 0, error: "" });
  return out;
}

const rows = async <Row>(...words: string[]): Promise<Row[]> =>
  JSON.parse(await sluice("org", ...words, "--json"));

test("O1 an organisation is made, listed, shown and left by commands", async () => {
  expect(await sluice("org", "create", "forge")).toStartWith("made forge, ");
  const [forge] = await rows<{ id: string; name: string; role: string }>("list");
  expect(forge).toMatchObject({ name: "forge", role: "owner" });
  expect(await sluice("org", "show", "forge")).toContain(`forge, ${forge?.id}: owner`);
  await sluice("org", "edit", "forge", "--key-rules", '{"expires_days_max":90}');
  expect(await sluice("org", "show", "forge")).toContain('{"expires_days_max":90}');
  const { code, error } = await runCommand({ folder: gateway.folder }, "org", "leave", "forge");
  expect([code, error]).toEqual([1, expect.stringContaining("owner")]);
});

test("O1 projects, keys and invitations of an organisation are made and changed by commands", async () => {
  await sluice("org", "create", "works");
  expect(await sluice("org", "create-project", "works", "research")).toStartWith("made research");
  await sluice("org", "edit-project", "works", "research", "--name", "laboratory");
  expect(await rows("projects", "works")).toMatchObject([{ name: "laboratory" }]);
  const made = ["create-key", "works", "batch", "--service", "--project", "laboratory"];
  expect(await sluice("org", ...made)).toStartWith("sk-");
  const invited = await sluice("org", "invite", "works", "--role", "viewer", "--json");
  expect(JSON.parse(invited)).toMatchObject({ role: "viewer", uses: 0 });
  await sluice("org", "remove-project", "works", "laboratory");
  expect(await rows("projects", "works")).toEqual([]);
});

test("O1 members of an organisation are listed, changed and removed by commands", async () => {
  const acme = await newCompany(gateway, "acme");
  const code = await acme.people.owner.ask<{ code: string }>("POST", `/api/invitation?${acme.as}`, {
    role: "owner",
  });
  await gateway.control("POST", "/api/organisation/join", { code: code.code });
  const names = async () => {
    const members = await rows<{ username: string; role: string }>("members", "acme");
    return Object.fromEntries(members.map(({ username, role }) => [username, role]));
  };
  expect(await names()).toMatchObject({ "acme-member": "member", "acme-admin": "admin" });
  await sluice("org", "edit-member", "acme", "acme-member", "--role", "viewer");
  expect(await names()).toMatchObject({ "acme-member": "viewer" });
  await sluice("org", "remove-member", "acme", "acme-member", "--keep-keys");
  expect(Object.keys(await names())).not.toContain("acme-member");
});
