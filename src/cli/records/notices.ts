// sluice notice: what needed a person, and whether whoever is to be told can be reached.
import type { Command } from "commander";
import { noticeCalls } from "../../admin/notice/contract.ts";
import { addCallCommand, addListCommand } from "../call-command.ts";
import type { CommandNeeds } from "../command.ts";
import { ControlError } from "../control-client.ts";

export function addNoticeCommands(program: Command, needs: CommandNeeds): void {
  const notices = program.command("notice").description("see what needed a person");
  addListCommand(notices, needs, {
    description: "list notices, the newest first",
    examples: ["sluice notice list", "sluice notice list --limit 100 --json"],
    call: noticeCalls.list,
    columns: [
      "id",
      "at",
      "kind",
      ["STATE", ({ ended_at: at }) => (at === null ? "open" : "ended")],
      "text",
    ],
    usual: 20,
  });
  addCallCommand(notices, "test", needs, {
    description: "send a test to a destination of the configuration",
    examples: ["sluice notice test ops"],
    call: noticeCalls.test,
    words: { destination: { text: "its name" } },
    text({ delivered, error }, { wanted }) {
      if (!delivered) throw new ControlError(`it did not arrive: ${error}`);
      return `${wanted} took it`;
    },
  });
}
