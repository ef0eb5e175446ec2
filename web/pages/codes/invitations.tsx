// Invitations: who has one may register, as often as it says.
import { useState } from "preact/hooks";
import type { CreatedInvitation, InvitationView, Listed } from "../../../src/admin/contract.ts";
import { readMoment, readWhole } from "../../core/amounts.ts";
import { call, refresh, useAction, useGet, withQuery } from "../../core/api.ts";
import { count, moment } from "../../core/format.ts";
import { query } from "../../core/place.ts";
import { Code } from "../../kit/code.tsx";
import { Confirm, FormDialog, SecretDialog } from "../../kit/dialog.tsx";
import { Empty } from "../../kit/empty.tsx";
import { faultOf, TextField } from "../../kit/field.tsx";
import { Card } from "../../kit/figures.tsx";
import { Menu } from "../../kit/menu.tsx";
import { List, type Column } from "../../kit/table.tsx";
import { showToast } from "../../kit/toast.tsx";
import { CodeFilters, CodeState } from "./parts.tsx";
import { t } from "./words.ts";

export function Invitations() {
  const [removed, setRemoved] = useState<InvitationView | null>(null);
  const [q, status, p] = ["q", "status", "p"].map((name) => query.value.get(name));
  const path = withQuery("/api/invitation", { q, status, p, page_size: 50 });
  const loaded = useGet<Listed<InvitationView>>(path);
  return (
    <>
      <CodeFilters path={path} search={t().searchNote} statuses={["open", "used", "expired"]} />
      <Card isFlush>
        <List
          label={t().invitations}
          loaded={loaded}
          columns={columnsOf(setRemoved)}
          idOf={({ id }) => id}
          empty={<Empty title={t().noInvitations} text={t().noInvitationsText} />}
        />
      </Card>
      {removed && <RemoveInvitation view={removed} onClose={() => setRemoved(null)} />}
    </>
  );
}

function columnsOf(onRemove: (view: InvitationView) => void): Column<InvitationView>[] {
  const words = t();
  return [
    {
      name: "note",
      head: words.note,
      cell: ({ note }) => note || <span class="faint">{words.noNote}</span>,
      card: "title",
    },
    {
      name: "uses",
      head: words.uses,
      cell: ({ uses, uses_max: max }) => words.usesOf(count(uses), count(max)),
      isRight: true,
    },
    {
      name: "expires",
      head: words.expires,
      cell: ({ expires_at: at }) => (at === null ? words.never : moment(at, "date")),
      card: "hidden",
    },
    {
      name: "status",
      head: words.status,
      cell: (view) => <CodeState status={statusOf(view)} />,
      card: "aside",
    },
    {
      name: "created",
      head: words.created,
      cell: ({ created_at: at }) => <span title={moment(at, "full")}>{moment(at, "date")}</span>,
      card: "hidden",
    },
    {
      name: "actions",
      head: "",
      isRight: true,
      card: "aside",
      cell: (view) => (
        <Menu
          label={words.actions(view.note || view.id)}
          items={[
            { label: words.takeBack, icon: "trash", isDanger: true, run: () => onRemove(view) },
          ]}
        />
      ),
    },
  ];
}

function statusOf({ uses, uses_max: max, expires_at: at }: InvitationView) {
  if (uses >= max) return "used";
  return at !== null && at * 1000 <= Date.now() ? "expired" : "open";
}

function RemoveInvitation({ view, onClose }: { view: InvitationView; onClose(): void }) {
  const remove = useAction(async () => {
    await call("DELETE", `/api/invitation/${encodeURIComponent(view.id)}`);
    refresh("/api/invitation");
    showToast(t().wasTakenBack);
  });
  return (
    <Confirm
      title={t().takeBackTitle}
      effect={t().takeBackInvitation}
      submit={t().takeBack}
      action={remove}
      onClose={onClose}
    />
  );
}

export function MakeInvitation({ onClose }: { onClose(): void }) {
  const words = t();
  const [note, setNote] = useState("");
  const [uses, setUses] = useState("1");
  const [expires, setExpires] = useState("");
  const [created, setCreated] = useState<CreatedInvitation | null>(null);
  const make = useAction(async () => {
    const max = readWhole(uses);
    const body = {
      ...(note.trim() !== "" && { note: note.trim() }),
      ...(max !== null && { uses_max: max ?? uses }),
      ...(expires !== "" && { expires_at: readMoment(expires) }),
    };
    setCreated(await call<CreatedInvitation>("POST", "/api/invitation", body));
    refresh("/api/invitation");
  });
  if (created) {
    return (
      <SecretDialog title={words.newInvitation} secret={created.code} onClose={onClose}>
        <p class="quiet">{words.invitationUse}</p>
        <Code text={withQuery(`${location.origin}/`, { invitation: created.code })} wraps />
      </SecretDialog>
    );
  }
  return (
    <FormDialog
      title={words.makeInvitation}
      submit={words.make}
      action={make}
      onSubmit={() => void make.run()}
      onClose={onClose}
    >
      <TextField
        label={words.note}
        hint={words.noteHint}
        value={note}
        onInput={setNote}
        fault={faultOf(make.error, "note")}
        hasFocus
      />
      <TextField
        label={words.usesMax}
        inputMode="numeric"
        value={uses}
        onInput={setUses}
        fault={faultOf(make.error, "uses_max")}
      />
      <TextField
        label={words.expires}
        hint={words.expiresHint}
        type="datetime-local"
        value={expires}
        onInput={setExpires}
        fault={faultOf(make.error, "expires_at")}
      />
    </FormDialog>
  );
}
