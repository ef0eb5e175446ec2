// Invitations into the organisation, for people who have an account.
import { useState } from "preact/hooks";
import type { CreatedInvitation, InvitationView } from "../../../src/admin/contract.ts";
import { refresh, useAction } from "../../core/api.ts";
import { send, type BodyOf } from "../../core/control.ts";
import { count, moment } from "../../core/format.ts";
import { isMaking, setMaking } from "../../core/place.ts";
import { site } from "../../core/session.ts";
import { Button } from "../../kit/button.tsx";
import { Code } from "../../kit/code.tsx";
import { Confirm, FormDialog, SecretDialog } from "../../kit/dialog.tsx";
import { moment as momentField, select, text, whole } from "../../kit/form-fields.tsx";
import { FormFields, formOf, useForm } from "../../kit/form.tsx";
import { Menu } from "../../kit/menu.tsx";
import { ListView, type ColumnOf } from "../../shell/list-page.tsx";
import { t } from "./words.ts";

export function Invitations({ isOwner }: { isOwner: boolean }) {
  const words = t();
  const [removed, setRemoved] = useState<InvitationView | null>(null);
  return (
    <>
      <ListView
        at="GET /api/invitation"
        label={words.tabs.invitations}
        words={{ empty: words.noInvitations, emptyText: words.noInvitationsText }}
        columns={columnsOf(setRemoved)}
        tools={() => (
          <Button kind="main" icon="plus" onClick={() => setMaking(true)}>
            {words.invite}
          </Button>
        )}
      />
      {isMaking() && <Invite isOwner={isOwner} onClose={() => setMaking(false)} />}
      {removed && <TakeBack view={removed} onClose={() => setRemoved(null)} />}
    </>
  );
}

function columnsOf(onRemove: (view: InvitationView) => void): ColumnOf<"GET /api/invitation">[] {
  const words = t();
  return [
    { name: "note", head: words.note, cell: ({ note, id }) => note || id, card: "title" },
    {
      name: "role",
      head: words.role,
      cell: ({ role }) => words.seats[role as keyof typeof words.seats] ?? "",
    },
    {
      name: "uses",
      head: words.uses,
      cell: ({ uses, uses_max: max }) => words.usedOf(count(uses), count(max)),
      isRight: true,
      card: "hidden",
    },
    {
      name: "expires",
      head: words.expires_at,
      cell: ({ expires_at: at }) => (at === null ? words.never : moment(at, "date")),
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
            { label: words.revoke, icon: "trash", isDanger: true, run: () => onRemove(view) },
          ]}
        />
      ),
    },
  ];
}

const roles = ["member", "admin", "viewer", "owner"] as const;

const formFor = (isOwner: boolean) =>
  formOf<BodyOf<"POST /api/invitation">>()(
    [
      select("role", () =>
        roles
          .filter((role) => isOwner || role !== "owner")
          .map((role) => [role, t().seats[role]] as const),
      ),
      text("note", { hasFocus: true }),
      whole("uses_max", { start: "1" }),
      momentField("expires_at"),
      text("email", {
        autoComplete: "off",
        hint: () => t().emailHint,
        isShown: () => site.value !== null && site.value.email !== "off",
      }),
    ],
    t,
  );
const forms = { owner: formFor(true), admin: formFor(false) };

function Invite({ isOwner, onClose }: { isOwner: boolean; onClose(): void }) {
  const words = t();
  const forming = useForm(isOwner ? forms.owner : forms.admin, null);
  const [created, setCreated] = useState<CreatedInvitation | null>(null);
  const make = useAction(async () => {
    setCreated(await send("POST /api/invitation", { body: forming.body() }));
    refresh("/api/invitation");
  });
  if (created) {
    return (
      <SecretDialog title={words.invited} secret={created.code} onClose={onClose}>
        <p class="quiet">{words.invitedText}</p>
        <Code text={`${location.origin}/#join=${encodeURIComponent(created.code)}`} wraps />
      </SecretDialog>
    );
  }
  return (
    <FormDialog title={words.invite} submit={words.create} action={make} onClose={onClose}>
      <FormFields forming={forming} error={make.error} />
    </FormDialog>
  );
}

function TakeBack({ view: { id }, onClose }: { view: InvitationView; onClose(): void }) {
  const words = t();
  const remove = useAction(async () => {
    await send("DELETE /api/invitation/{id}", { id });
    refresh("/api/invitation");
  });
  return (
    <Confirm
      title={words.takeBackTitle}
      effect={words.takeBackText}
      submit={words.revoke}
      action={remove}
      onClose={onClose}
    />
  );
}
