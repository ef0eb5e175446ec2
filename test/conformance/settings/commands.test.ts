// Commands that list and change settings, with a gateway that runs and with one that does not.
import { expect, test } from "bun:test";
import { settingOf } from "../../harness/accounts/settings.ts";
import { runCommand } from "../../harness/command.ts";
import { Folder } from "../../harness/folder.ts";
import { startGateway } from "../../harness/gateway.ts";
import { kept } from "../../harness/nodes/stand.ts";

const folder = kept(new Folder()).path;

test("settings are set, listed, undone and unset, also while no gateway runs", async () => {
  const run = async (...words: string[]) => {
    const { code, out, error } = await runCommand({ folder }, "settings", ...words);
    return { code, text: code === 0 ? out : error };
  };
  {
    await using gateway = await startGateway({ folder, config: 'sandbox: "off"' });
    expect(await run("set", "site.name", "2026")).toMatchObject({
      text: "site.name is 2026, by page\n",
    });
    expect(await run("set", "retention.log_days", "30")).toMatchObject({ code: 0 });
    expect(await run("set", "text.response_sockets", "false")).toMatchObject({
      text: "text.response_sockets is true, by default; false waits for a restart\n",
    });
    const refused = await run("set", "retention.log_days", "0");
    expect(refused).toMatchObject({ code: 1, text: expect.stringContaining(">= 1") });
    const listed = await run("list");
    expect(listed.text).toMatch(/site\.name +2026 +page +root/);
    expect(listed.text).toMatch(/text\.response_sockets .*false after a restart/);
    expect(listed.text).not.toContain("journal.queue_max");
    expect((await run("list", "--all")).text).toContain("journal.queue_max");
    expect(await settingOf(gateway, "site.name")).toMatchObject({ value: "2026" });
    expect(await gateway.stop()).toBe(0);
  }
  expect(await run("undo", "site.name")).toMatchObject({
    text: "site.name is Sluice, by default\n",
  });
  expect(await run("unset", "retention.log_days")).toMatchObject({
    text: "retention.log_days is 90, by default\n",
  });
  await using again = await startGateway({ folder, config: 'sandbox: "off"' });
  expect(await settingOf(again, "site.name")).toMatchObject({ value: "Sluice" });
  expect(await settingOf(again, "text.response_sockets")).toMatchObject({ value: false });
});
