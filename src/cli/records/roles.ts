// sluice role: what people may do beyond their own account, as sets of permissions.
import type { Command } from "commander";
import { roleCalls } from "../../admin/role/contract.ts";
import { addCallCommand, addListCommand } from "../call-command.ts";
import type { CommandNeeds } from "../command.ts";

const of = {
  list: roleCalls.list,
  nameField: "name",
  idField: "name",
  word: ["role", "its name"],
} as const;

export function addRoleCommands(program: Command, needs: CommandNeeds): void {
  const roles = program.command("role").description("make, list, change and remove roles");
  addCallCommand(roles, "create", needs, {
    description: "make a role of permissions that you have yourself",
    examples: ["sluice role create front-desk --permissions people.read,keys.read,keys.disable"],
    call: roleCalls.create,
    words: { name: { name: "role", text: "its name" } },
    text: ({ name }) => `made the role ${name}`,
  });
  addListCommand(roles, needs, {
    description: "list the roles and what they may do",
    examples: ["sluice role list"],
    call: roleCalls.list,
    columns: [
      "name",
      "people",
      "built_in",
      ["PERMISSIONS", ({ permissions }) => permissions.join(" ") || "-"],
    ],
  });
  addCallCommand(roles, "change", needs, {
    description: "change a role for everybody who has it",
    examples: ["sluice role change front-desk --permissions people.read,keys.read"],
    call: roleCalls.change,
    of,
    text: (_role, { wanted }) => `changed the role ${wanted}`,
  });
  addCallCommand(roles, "remove", needs, {
    description: "remove a role that nobody has",
    examples: ["sluice role remove front-desk"],
    call: roleCalls.remove,
    of,
    text: (_gone, { wanted }) => `removed the role ${wanted}`,
  });
}
