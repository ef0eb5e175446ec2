// Members: who is in as what, changing that, and removing somebody.
import { useState } from "preact/hooks";
import type { MemberView } from "../../../src/admin/contract.ts";
import { refresh, useAction } from "../../core/api.ts";
import { send, useAnswer, type BodyOf } from "../../core/control.ts";
import { count, moment } from "../../core/format.ts";
import { setQuery } from "../../core/place.ts";
import { Dot } from "../../kit/badge.tsx";
import { budgetColumn, useBudgets } from "../../kit/budget/tightest.tsx";
import { Button } from "../../kit/button.tsx";
import { FormDialog } from "../../kit/dialog.tsx";
import { Check, Select } from "../../kit/field.tsx";
import { Card } from "../../kit/figures.tsx";
import { rates } from "../../kit/form-fields.tsx";
import { FormFields, formOf, useForm } from "../../kit/form.tsx";
import { Menu } from "../../kit/menu.tsx";
import { List } from "../../kit/rest/list.tsx";
import type { Column } from "../../kit/table.tsx";
import { showToast } from "../../kit/toast.tsx";
import { RoleName } from "./parts.tsx";
import { t } from "./words.ts";

interface Act {
  kind: "role" | "remove";
  view: MemberView;
}

export function Members({ id, isLeading }: { id: string; isLeading: boolean }) {
  const words = t();
  const loaded = useAnswer("GET /api/organisation/{organisation}/member", { organisation: id });
  const budgets = useBudgets();
  const [act, setAct] = useState<Act | null>(null);
  const close = () => setAct(null);
  const invite = isLeading && (
    <Button isSmall icon="plus" onClick={() => setQuery({ tab: "invitations", new: "1" })}>
      {words.invite}
    </Button>
  );
  return (
    <Card title={words.members} tools={invite} isFlush>
      <List<MemberView>
        label={words.members}
        loaded={loaded}
        columns={[...columnsOf(budgets), isLeading && actionsOf(setAct)].filter(
          (one) => one !== false,
        )}
        idOf={(row) => row.id}
        empty={null}
      />
      {act?.kind === "role" && <ChangeRole {...{ id, view: act.view }} onClose={close} />}
      {act?.kind === "remove" && <Remove {...{ id, view: act.view }} onClose={close} />}
    </Card>
  );
}

function columnsOf(budgets: ReturnType<typeof useBudgets>): (Column<MemberView> | false)[] {
  const words = t();
  return [
    { name: "name", head: words.username, cell: ({ username }) => username, card: "title" },
    { name: "role", head: words.role, cell: ({ role }) => <RoleName role={role} /> },
    { name: "project", head: words.project, cell: ({ project }) => project, card: "hidden" },
    {
      name: "keys",
      head: words.keys,
      cell: ({ keys }) => count(keys),
      isRight: true,
      hasHead: true,
    },
    budgetColumn<MemberView>(budgets, ({ id }) => [id]),
    {
      name: "joined",
      head: words.joinedAt,
      cell: ({ joined_at: at }) => moment(at, "date"),
      card: "hidden",
    },
    {
      name: "status",
      head: words.status,
      cell: ({ status }) => (
        <Dot tone={status === "enabled" ? "good" : "none"}>
          {status === "enabled" ? words.enabled : words.disabled}
        </Dot>
      ),
      card: "hidden",
    },
  ];
}

function actionsOf(onAct: (act: Act) => void): Column<MemberView> {
  const words = t();
  return {
    name: "actions",
    head: "",
    isRight: true,
    card: "aside",
    cell: (view) => (
      <Menu
        label={words.actions(view.username)}
        items={[
          { label: words.changeRole, icon: "edit", run: () => onAct({ kind: "role", view }) },
          {
            label: words.removeMember,
            icon: "trash",
            isDanger: true,
            run: () => onAct({ kind: "remove", view }),
          },
        ]}
      />
    ),
  };
}

interface ActOptions {
  id: string;
  view: MemberView;
  onClose(): void;
}

type RateNames = "requests_per_minute" | "tokens_per_minute" | "concurrency";
type RateBody = Pick<BodyOf<"PATCH /api/organisation/{organisation}/member/{id}">, RateNames>;
const rateForm = formOf<RateBody, MemberView>()([rates()], t);

const given = ["admin", "member", "viewer"] as const;

function ChangeRole({ id, view, onClose }: ActOptions) {
  const words = t();
  const [role, setRole] = useState(view.role);
  const [project, setProject] = useState(view.project ?? "");
  const forming = useForm(rateForm, view);
  const at = "GET /api/organisation/{organisation}/project";
  const projects = useAnswer(at, { organisation: id }).data?.items ?? [];
  const change = useAction(async () => {
    const address = "PATCH /api/organisation/{organisation}/member/{id}";
    // Nobody is made an owner here, so one stays what it is.
    const body = {
      ...(role !== "owner" && { role }),
      project: project === "" ? null : project,
      ...forming.changes(),
    };
    await send(address, { organisation: id, id: view.id, body });
    refresh("/api/organisation");
    showToast(words.changed(view.username));
    onClose();
  });
  return (
    <FormDialog title={view.username} submit={words.save} action={change} onClose={onClose}>
      <p class="quiet wrap">{words.ownerText}</p>
      <Select<MemberView["role"]>
        label={words.role}
        value={role}
        options={[...(view.role === "owner" ? (["owner"] as const) : []), ...given].map(
          (one) => [one, words.seats[one]] as const,
        )}
        onChange={setRole}
      />
      {projects.length > 0 && (
        <Select
          label={words.projectOfKeys}
          value={project}
          options={[["", words.noProject], ...projects.map(({ name }) => [name, name] as const)]}
          onChange={setProject}
        />
      )}
      <FormFields forming={forming} error={change.error} />
    </FormDialog>
  );
}

function Remove({ id, view, onClose }: ActOptions) {
  const words = t();
  const [isKept, setKept] = useState(false);
  const remove = useAction(async () => {
    const address = "DELETE /api/organisation/{organisation}/member/{id}";
    await send(address, { organisation: id, id: view.id, query: { keep_keys: isKept } });
    refresh("/api/organisation");
    showToast(words.wasOut(view.username));
    onClose();
  });
  return (
    <FormDialog
      title={words.removeMemberTitle(view.username)}
      submit={words.removeMember}
      action={remove}
      isDanger
      onClose={onClose}
    >
      <p class="quiet wrap">{words.removeMemberText(view.keys)}</p>
      <Check label={words.keepKeys} isOn={isKept} onChange={setKept} />
    </FormDialog>
  );
}
