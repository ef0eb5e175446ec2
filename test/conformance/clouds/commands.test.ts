// Commands of docs/clouds.md as somebody types them: each makes a channel of its cloud. Clouds are
// elsewhere, so that its tests of a channel are not run.
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { accountFile } from "../../harness/clouds/google-account.ts";
import { runCommand } from "../../harness/command.ts";
import { Folder } from "../../harness/folder.ts";
import { startGateway } from "../../harness/gateway.ts";

setDefaultTimeout(60_000);

const page = await Bun.file(new URL("../../../docs/clouds.md", import.meta.url)).text();
const commands = [...page.matchAll(/^```sh\n([^]*?)^```$/gm)]
  .flatMap(([, block = ""]) => block.replaceAll("\\\n", " ").split("\n"))
  .filter((line) => line.startsWith("sluice channel add "));

const folder = new Folder();
const gateway = await startGateway({ folder: folder.path, config: 'sandbox: "off"\n' });
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

test("clouds.md has commands for every cloud", () => {
  const names = commands.map((line) => line.split(/ +/)[3]);
  expect(names).toEqual(expect.arrayContaining(["azure", "bedrock", "vertex"]));
});

test.each(commands)("%s", async (line) => {
  const [told = "", file = ""] = line.split(" < ");
  const [, ...words] = told.trim().split(/ +/);
  const input =
    file === "account.json"
      ? accountFile("https://oauth2.googleapis.com")
      : "sk-vendor-secret-0000\n";
  const added = await runCommand({ folder: folder.path, input }, ...words);
  expect(added).toMatchObject({ code: 0, error: "" });
  const [, id = ""] = /^added \S+ \((\S+)\)/.exec(added.out) ?? [];
  const { type, base_url: address } = await gateway.control<{ type: string; base_url: string }>(
    "GET",
    `/api/channel/${id}`,
  );
  expect([type, address]).toEqual([cloudOf(address), address]);
});

function cloudOf(address: string): string {
  if (address.includes("azure")) return "azure";
  return address.includes("bedrock") ? "bedrock" : "vertex";
}
