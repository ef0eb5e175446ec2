// Projects, which keys are put into.
import { useState } from "preact/hooks";
import type { ProjectView } from "../../../src/admin/contract.ts";
import { refresh, useAction } from "../../core/api.ts";
import { send, useAnswer, type BodyOf } from "../../core/control.ts";
import { moment } from "../../core/format.ts";
import { isMaking, setMaking } from "../../core/place.ts";
import { Dot } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { budgetColumn, useBudgets } from "../../kit/budget/tightest.tsx";
import { Confirm, FormDialog } from "../../kit/dialog.tsx";
import { Empty } from "../../kit/empty.tsx";
import { Card } from "../../kit/figures.tsx";
import { rates, text } from "../../kit/form-fields.tsx";
import { FormFields, formOf, useForm } from "../../kit/form.tsx";
import { Menu } from "../../kit/menu.tsx";
import { List } from "../../kit/rest/list.tsx";
import type { Column } from "../../kit/table.tsx";
import { showToast } from "../../kit/toast.tsx";
import { t } from "./words.ts";

interface Act {
  kind: "rename" | "remove";
  view: ProjectView;
}

export function Projects({ id, isLeading }: { id: string; isLeading: boolean }) {
  const words = t();
  const loaded = useAnswer("GET /api/organisation/{organisation}/project", { organisation: id });
  const budgets = useBudgets();
  const [act, setAct] = useState<Act | null>(null);
  const close = () => setAct(null);
  const make = isLeading && (
    <Button kind="main" icon="plus" onClick={() => setMaking(true)}>
      {words.makeProject}
    </Button>
  );
  return (
    <Card isFlush tools={make}>
      <List<ProjectView>
        label={words.tabs.projects}
        loaded={loaded}
        columns={[...columnsOf(budgets), isLeading && actionsOf(id, setAct)].filter(
          (one) => one !== false,
        )}
        idOf={(row) => row.id}
        empty={<Empty title={words.noProjects} text={words.noProjectsText} />}
      />
      {isMaking() && <Edit {...{ id, view: null }} onClose={() => setMaking(false)} />}
      {act?.kind === "rename" && <Edit {...{ id, view: act.view }} onClose={close} />}
      {act?.kind === "remove" && <Remove {...{ id, view: act.view }} onClose={close} />}
    </Card>
  );
}

function columnsOf(budgets: ReturnType<typeof useBudgets>): (Column<ProjectView> | false)[] {
  const words = t();
  return [
    { name: "name", head: words.name, cell: ({ name }) => name, card: "title" },
    {
      name: "status",
      head: words.status,
      cell: ({ status }) => (
        <Dot tone={status === "enabled" ? "good" : "none"}>
          {status === "enabled" ? words.enabled : words.disabled}
        </Dot>
      ),
    },
    budgetColumn<ProjectView>(budgets, ({ id }) => [id]),
    {
      name: "created",
      head: words.created,
      cell: ({ created_at: at }) => moment(at, "date"),
      card: "hidden",
    },
  ];
}

async function turn(organisation: string, { id, status, name }: ProjectView): Promise<void> {
  const body = { status: status === "enabled" ? "disabled" : "enabled" } as const;
  await send("PATCH /api/organisation/{organisation}/project/{id}", { organisation, id, body });
  refresh("/api/organisation");
  showToast(t().changed(name));
}

function actionsOf(id: string, onAct: (act: Act) => void): Column<ProjectView> {
  const words = t();
  return {
    name: "actions",
    head: "",
    isRight: true,
    card: "aside",
    cell: (view) => (
      <Menu
        label={words.actions(view.name)}
        items={[
          { label: words.change, icon: "edit", run: () => onAct({ kind: "rename", view }) },
          {
            label: view.status === "enabled" ? words.disable : words.enable,
            icon: view.status === "enabled" ? "stop" : "play",
            run: () => void turn(id, view),
          },
          {
            label: words.remove,
            icon: "trash",
            isDanger: true,
            run: () => onAct({ kind: "remove", view }),
          },
        ]}
      />
    ),
  };
}

const projectForm = formOf<BodyOf<"POST /api/organisation/{organisation}/project">, ProjectView>()(
  [text("name", { isRequired: true, hasFocus: true, maxLength: 64 }), rates()],
  t,
);

interface EditOptions {
  id: string;
  view: ProjectView | null;
  onClose(): void;
}

function Edit({ id: organisation, view, onClose }: EditOptions) {
  const words = t();
  const forming = useForm(projectForm, view);
  const save = useAction(async () => {
    const { name } = view
      ? await send("PATCH /api/organisation/{organisation}/project/{id}", {
          organisation,
          id: view.id,
          body: forming.changes(),
        })
      : await send("POST /api/organisation/{organisation}/project", {
          organisation,
          body: forming.body(),
        });
    refresh("/api/organisation");
    showToast(words.changed(name));
    onClose();
  });
  return (
    <FormDialog
      title={view?.name ?? words.makeProject}
      submit={words.save}
      action={save}
      onClose={onClose}
    >
      <FormFields forming={forming} error={save.error} />
    </FormDialog>
  );
}

interface RemoveOptions {
  id: string;
  view: ProjectView;
  onClose(): void;
}

function Remove({ id: organisation, view: { id, name }, onClose }: RemoveOptions) {
  const words = t();
  const remove = useAction(async () => {
    await send("DELETE /api/organisation/{organisation}/project/{id}", { organisation, id });
    refresh("/api/organisation");
    showToast(words.wasRemoved(name));
  });
  return (
    <Confirm
      title={words.removeTitle(name)}
      effect={words.removeProjectText}
      submit={words.remove}
      action={remove}
      onClose={onClose}
    />
  );
}
