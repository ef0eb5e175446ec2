// sluice note: what people are told of a model.
import type { Command } from "commander";
import { modelNoteCalls } from "../admin/model-note/contract.ts";
import { addCallCommand, addListCommand } from "./call-command.ts";
import type { CommandNeeds } from "./command.ts";

const model = { text: "the public name of the model" };

export function addNoteCommands(program: Command, needs: CommandNeeds): void {
  const notes = program.command("note").description("set, list and remove notes on models");
  addCallCommand(notes, "set", needs, {
    description: "set what everyone reads of a model, instead of the note it had",
    examples: ["sluice note set gpt-5-mini 'Fast and cheap; good at summaries.'"],
    call: modelNoteCalls.write,
    words: { model, note: { text: "plain text" } },
    text: (_note, { wanted }) => `set the note on ${wanted}`,
  });
  addListCommand(notes, needs, {
    description: "list the notes on models",
    examples: ["sluice note list"],
    call: modelNoteCalls.list,
    columns: ["model", "note", "updated_at"],
  });
  addCallCommand(notes, "remove", needs, {
    description: "remove the note on a model",
    examples: ["sluice note remove gpt-5-mini"],
    call: modelNoteCalls.remove,
    words: { model },
    text: (_gone, { wanted }) => `removed the note on ${wanted}`,
  });
}
