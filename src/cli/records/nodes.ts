// sluice node: which nodes work on the database, and how they stand.
import type { Command } from "commander";
import type { Json } from "../../core/json.ts";
import { addListCommand, type CommandNeeds } from "../command.ts";
import type { Column } from "../table.ts";

const moment = (at: Json | undefined) =>
  typeof at === "number" ? new Date(at * 1000).toISOString() : "";

const columns: readonly Column[] = [
  { title: "NAME", from: "name" },
  { title: "STATE", from: "state" },
  { title: "VERSION", from: "version" },
  { title: "STARTED", from: ({ started_at: at }) => moment(at) },
  { title: "LEASE UNTIL", from: ({ lease_until: at }) => moment(at) },
  { title: "LAST TURN", from: ({ last_turn_at: at }) => moment(at) },
  { title: "LENT MICROS", from: "lent_micros" },
  { title: "ID", from: "id" },
];

export function addNodeCommands(program: Command, needs: CommandNeeds): void {
  const nodes = program.command("node").description("see the nodes of the gateway");
  addListCommand(nodes, needs, {
    description: "list the nodes, the living first; those that ended for a day",
    examples: ["sluice node list", "sluice node list --json"],
    columns,
    read: (client) => client.all("/api/node"),
  });
}
