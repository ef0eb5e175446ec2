// sluice mail: whether e-mail of the gateway arrives.
import type { Command } from "commander";
import { mailCalls } from "../../admin/mail/contract.ts";
import { addCallCommand } from "../call-command.ts";
import type { CommandNeeds } from "../command.ts";
import { ControlError } from "../control-client.ts";

export function addMailCommands(program: Command, needs: CommandNeeds): void {
  const mail = program.command("mail").description("try the server for e-mail");
  addCallCommand(mail, "test", needs, {
    description: "send a letter that is only a test",
    examples: ["sluice mail test ann@example.com"],
    call: mailCalls.test,
    words: { to: { text: "its address" } },
    text({ delivered, error }, { wanted }) {
      if (!delivered) throw new ControlError(`it did not arrive: ${error}`);
      return `the server took it for ${wanted}`;
    },
  });
}
