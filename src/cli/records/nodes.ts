// sluice node: which nodes work on the database, and how they stand.
import type { Command } from "commander";
import { nodeCalls } from "../../admin/node/contract.ts";
import { addListCommand } from "../call-command.ts";
import type { CommandNeeds } from "../command.ts";

export function addNodeCommands(program: Command, needs: CommandNeeds): void {
  const nodes = program.command("node").description("see the nodes of the gateway");
  addListCommand(nodes, needs, {
    description: "list the nodes, the living first; those that ended for a day",
    examples: ["sluice node list", "sluice node list --json"],
    call: nodeCalls.list,
    columns: [
      "name",
      "state",
      "version",
      "started_at",
      "lease_until",
      "last_turn_at",
      ["LENT MICROS", ({ lent_micros: lent }) => lent],
      "id",
    ],
  });
}
