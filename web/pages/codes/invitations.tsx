// Invitations: who has one may register, as often as it says.
import { useState } from "preact/hooks";
import type { CreatedInvitation, InvitationView } from "../../../src/admin/contract.ts";
import { refresh, useAction, withQuery } from "../../core/api.ts";
import { send, type BodyOf } from "../../core/control.ts";
import { count, moment } from "../../core/format.ts";
import { useRoles } from "../../core/lists/roles.ts";
import { may, site } from "../../core/session.ts";
import { Code } from "../../kit/code.tsx";
import { Confirm, FormDialog, SecretDialog } from "../../kit/dialog.tsx";
import { moment as momentField, select, text, whole } from "../../kit/form-fields.tsx";
import { FormFields, formOf, useForm } from "../../kit/form.tsx";
import { roleName } from "../../kit/page-words.ts";
import { Menu } from "../../kit/menu.tsx";
import { showToast } from "../../kit/toast.tsx";
import { ListView, type ColumnOf } from "../../shell/list-page.tsx";
import { CodeState, statusFilter } from "./parts.tsx";
import { RegistrationOff } from "./registration-off.tsx";
import { t } from "./words.ts";

export function Invitations() {
  const words = t();
  const [removed, setRemoved] = useState<InvitationView | null>(null);
  return (
    <>
      <RegistrationOff />
      <ListView
        at="GET /api/invitation"
        label={words.invitations}
        words={{ empty: words.noInvitations, emptyText: words.noInvitationsText }}
        filters={[
          { name: "q", label: words.searchNote },
          statusFilter(["open", "used", "expired"]),
        ]}
        columns={columnsOf(setRemoved)}
      />
      {removed && <RemoveInvitation view={removed} onClose={() => setRemoved(null)} />}
    </>
  );
}

function columnsOf(
  onRemove: (view: InvitationView) => void,
): (ColumnOf<"GET /api/invitation"> | false)[] {
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
      head: words.expires_at,
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
    may("people.write") && {
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
    await send("DELETE /api/invitation/{id}", { id: view.id });
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

/** Roles that a code may give: root is made by root, by name. */
function useGiven() {
  const given = useRoles().filter(({ gives, name }) => gives && name !== "root" && name !== "user");
  return [
    ["", roleName("user")],
    ...given.map(({ name }) => [name, roleName(name)] as const),
  ] as const;
}

const invitationForm = formOf<BodyOf<"POST /api/invitation">>()(
  [
    text("note", { hasFocus: true }),
    whole("uses_max", { start: "1" }),
    momentField("expires_at"),
    select("account_role", useGiven, { isShown: () => may("roles.write"), whenEmpty: {} }),
    text("email", {
      autoComplete: "off",
      hint: () => t().emailHint,
      isShown: () => site.value !== null && site.value.email !== "off",
    }),
  ],
  t,
);

export function MakeInvitation({ onClose }: { onClose(): void }) {
  const words = t();
  const forming = useForm(invitationForm, null);
  const [created, setCreated] = useState<CreatedInvitation | null>(null);
  const make = useAction(async () => {
    setCreated(await send("POST /api/invitation", { body: forming.body() }));
    refresh("/api/invitation");
  });
  if (created) {
    return (
      <SecretDialog title={words.newInvitation} secret={created.code} onClose={onClose}>
        <p class="quiet">{words.invitationUse}</p>
        <Code text={withQuery(`${location.origin}/`, { invitation: created.code })} wraps />
        <RegistrationOff />
      </SecretDialog>
    );
  }
  return (
    <FormDialog title={words.makeInvitation} submit={words.make} action={make} onClose={onClose}>
      <FormFields forming={forming} error={make.error} />
    </FormDialog>
  );
}
