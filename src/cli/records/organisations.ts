// sluice org: organisations, their members, projects, invitations and service keys.
import { InvalidArgumentError, type Command } from "commander";
import { invitationCalls } from "../../admin/invitation/contract.ts";
import { keyCalls } from "../../admin/key/contract.ts";
import {
  organisationCalls,
  type MemberView,
  type ProjectView,
} from "../../admin/organisation/contract.ts";
import { parseJson, type Json } from "../../core/json.ts";
import { addCallCommand, addListCommand } from "../call-command.ts";
import { addJsonCommand, control, printRows, type CommandNeeds } from "../command.ts";
import type { ListCall, AnsweredRow } from "../control-client.ts";
import { dollars, type Column } from "../table.ts";

const of = {
  list: organisationCalls.listOwn,
  nameField: "name",
  word: ["organisation", "its id or name, of those that one is in"],
} as const;

const member = {
  list: organisationCalls.listMembers,
  nameField: "username",
  word: ["member", "the person's user name or id"],
} as const;

const project = {
  list: organisationCalls.listProjects,
  nameField: "name",
  word: ["project", "its name or id"],
} as const;

export function addOrganisationCommands(program: Command, needs: CommandNeeds): void {
  const organisations = program
    .command("org")
    .description("make organisations, and say who and what is in them");
  addWhole(organisations, needs);
  addMembers(organisations, needs);
  addProjects(organisations, needs);
}

function addWhole(to: Command, needs: CommandNeeds): void {
  addCallCommand(to, "create", needs, {
    description: "make an organisation",
    examples: ["sluice org create acme", "sluice org create acme --owner alice"],
    call: organisationCalls.create,
    words: { name: { text: "what to call it" } },
    options: { owner: { value: "user" } },
    text: ({ name, id }) => `made ${name}, ${id}`,
  });
  addListCommand(to, needs, {
    description: "list the organisations that one is in",
    examples: ["sluice org list"],
    call: organisationCalls.listOwn,
    columns: ["id", "name", "role"],
  });
  addCallCommand(to, "show", needs, {
    description: "show an organisation, what it has and the rules of its members' keys",
    examples: ["sluice org show acme --json"],
    call: organisationCalls.read,
    of,
    text: ({ id, name, role, group, quota_micros: quota = null, key_rules: rules }) =>
      [
        `${name}, ${id}: ${role}, group ${group}, ${dollars(quota)}`,
        `key rules ${JSON.stringify(rules)}`,
      ].join(", "),
  });
  addCallCommand(to, "edit", needs, {
    description: "rename an organisation, or set the rules of its members' keys",
    examples: [`sluice org edit acme --key-rules '{"expires_days_max":90}'`],
    call: organisationCalls.change,
    of,
    options: {
      name: { text: "what to call it" },
      key_rules: { value: "json", text: "take the place of all there were", read: readRules },
    },
    text: (_organisation, { fields }) => `changed ${Object.keys(fields).join(", ")}`,
  });
  addCallCommand(to, "leave", needs, {
    description: "leave an organisation; the keys that one made there end",
    examples: ["sluice org leave acme"],
    call: organisationCalls.leave,
    of,
    text: (_gone, { wanted }) => `left ${wanted}`,
  });
  addCallCommand(to, "create-key", needs, {
    description: "make a key that the organisation pays for; its text is shown once",
    examples: [
      "sluice org create-key acme batch --service --project research",
      "sluice org create-key acme laptop --quota '$5'",
    ],
    call: keyCalls.create,
    of,
    isScope: true,
    words: { name: { text: "what to call it" } },
    options: { account: null },
    text: ({ key, id }) => `${key}\n\nThis is ${id}. Its text is not shown again.`,
  });
}

function addMembers(to: Command, needs: CommandNeeds): void {
  addPartList(to, "members", needs, {
    description: "list the members of an organisation",
    call: organisationCalls.listMembers,
    columns: ["id", "username", "role", "status", "project", "keys"] satisfies Column<MemberView>[],
  });
  addCallCommand(to, "invite", needs, {
    description: "make an invitation into an organisation; its code is shown once",
    examples: ["sluice org invite acme", "sluice org invite acme --role admin --uses-max 1"],
    call: invitationCalls.create,
    of,
    isScope: true,
    options: { account_role: null },
    text: ({ code, id }) => `${code}\n\nThis is ${id}. Its text is not shown again.`,
  });
  addCallCommand(to, "edit-member", needs, {
    description: "give a member another role, or its keys a project or rates",
    examples: ["sluice org edit-member acme bob --role admin"],
    call: organisationCalls.changeMember,
    of,
    part: member,
    text: ({ username }, { fields }) => `changed ${Object.keys(fields).join(", ")} of ${username}`,
  });
  addCallCommand(to, "remove-member", needs, {
    description: "remove a member; the keys it made there end",
    examples: [
      "sluice org remove-member acme bob",
      "sluice org remove-member acme bob --keep-keys",
    ],
    call: organisationCalls.removeMember,
    of,
    part: member,
    text: ({ id }, { wanted }) => `removed ${id} from ${wanted}`,
  });
}

function addProjects(to: Command, needs: CommandNeeds): void {
  addPartList(to, "projects", needs, {
    description: "list the projects of an organisation",
    call: organisationCalls.listProjects,
    columns: ["id", "name", "status"] satisfies Column<ProjectView>[],
  });
  addCallCommand(to, "create-project", needs, {
    description: "make a project in an organisation",
    examples: ["sluice org create-project acme research"],
    call: organisationCalls.createProject,
    of,
    words: { name: { text: "what to call it" } },
    text: ({ name, id }) => `made ${name}, ${id}`,
  });
  addCallCommand(to, "edit-project", needs, {
    description: "change what is named of a project and leave the rest",
    examples: ["sluice org edit-project acme research --status disabled"],
    call: organisationCalls.changeProject,
    of,
    part: project,
    text: ({ name }, { fields }) => `changed ${Object.keys(fields).join(", ")} of ${name}`,
  });
  addCallCommand(to, "remove-project", needs, {
    description: "remove a project; its keys stay, in none",
    examples: ["sluice org remove-project acme research"],
    call: organisationCalls.removeProject,
    of,
    part: project,
    text: ({ id }, { wanted }) => `removed ${id} from ${wanted}`,
  });
}

function readRules(text: string): Json {
  try {
    return parseJson(new TextEncoder().encode(text));
  } catch {
    throw new InvalidArgumentError("It must be an object of JSON.");
  }
}

interface PartList<One extends ListCall> {
  description: string;
  call: One;
  columns: readonly Column<AnsweredRow<One>>[];
}

function addPartList<One extends ListCall>(
  to: Command,
  name: string,
  needs: CommandNeeds,
  { description, call, columns }: PartList<One>,
): void {
  const command = addJsonCommand(to, name, {
    description,
    examples: [`sluice org ${name} acme`],
  });
  command.argument(`<${of.word[0]}>`, of.word[1]).action((wanted: string, options) =>
    control(needs, async (client) => {
      const { id } = await client.find(of, wanted);
      printRows(needs.terminal, await client.allOf(call, String(id)), columns, options);
    }),
  );
}
