// Codes for credit: each is worth its amount once, to whoever redeems it.
import { useEffect, useMemo, useState } from "preact/hooks";
import type { CreatedRedemption, RedemptionView } from "../../../src/admin/contract.ts";
import { may } from "../../core/session.ts";
import { refresh, useAction } from "../../core/api.ts";
import { send, type BodyOf } from "../../core/control.ts";
import { moment } from "../../core/format.ts";
import { Amount } from "../../kit/rest/amount.tsx";
import { LinkButton } from "../../kit/button.tsx";
import { Confirm, FormDialog, SecretDialog } from "../../kit/dialog.tsx";
import { moment as momentField, money, text, whole } from "../../kit/form-fields.tsx";
import { FormFields, formOf, useForm } from "../../kit/form.tsx";
import { Menu } from "../../kit/menu.tsx";
import { showToast } from "../../kit/toast.tsx";
import { ListView, type ColumnOf } from "../../shell/list-page.tsx";
import { csvCell } from "./csv.ts";
import { CodeState, statusFilter } from "./parts.tsx";
import { t } from "./words.ts";

export function Redemptions() {
  const words = t();
  const [removed, setRemoved] = useState<RedemptionView | null>(null);
  return (
    <>
      <ListView
        at="GET /api/redemption"
        label={words.credit}
        words={{ empty: words.noCodes, emptyText: words.noCodesText }}
        filters={[
          { name: "q", label: words.search },
          statusFilter(["open", "redeemed", "expired"]),
        ]}
        columns={columnsOf(setRemoved)}
      />
      {removed && <RemoveCode view={removed} onClose={() => setRemoved(null)} />}
    </>
  );
}

function columnsOf(onRemove: (view: RedemptionView) => void): ColumnOf<"GET /api/redemption">[] {
  const words = t();
  return [
    { name: "name", head: words.name, cell: ({ name }) => name, card: "title" },
    {
      name: "code",
      head: words.code,
      cell: ({ shown }) => <span class="mono faint">{shown}</span>,
      card: "hidden",
    },
    {
      name: "worth",
      head: words.micros,
      cell: ({ micros }) => <Amount micros={micros} />,
      isRight: true,
    },
    {
      name: "status",
      head: words.status,
      cell: ({ status }) => <CodeState status={status} />,
      card: "aside",
    },
    {
      name: "by",
      head: words.redeemedBy,
      cell: ({ redeemed_by: by, redeemed_at: at }) =>
        by === null ? (
          <span class="faint">–</span>
        ) : (
          <span title={at === null ? undefined : moment(at, "full")}>{by}</span>
        ),
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
      cell: (view) =>
        view.status === "redeemed" || !may("money.write") ? null : (
          <Menu
            label={words.actions(view.name)}
            items={[
              { label: words.takeBack, icon: "trash", isDanger: true, run: () => onRemove(view) },
            ]}
          />
        ),
    },
  ];
}

function RemoveCode({ view, onClose }: { view: RedemptionView; onClose(): void }) {
  const remove = useAction(async () => {
    await send("DELETE /api/redemption/{id}", { id: view.id });
    refresh("/api/redemption");
    showToast(t().wasTakenBack);
  });
  return (
    <Confirm
      title={t().takeBackTitle}
      effect={t().takeBackCode}
      submit={t().takeBack}
      action={remove}
      onClose={onClose}
    />
  );
}

const codesForm = formOf<BodyOf<"POST /api/redemption">>()(
  [
    text("name", { isRequired: true, hasFocus: true }),
    { pair: [money("micros", { isRequired: true }), whole("count", { start: "1" })] },
    momentField("expires_at"),
  ],
  t,
);

export function MakeCodes({ onClose }: { onClose(): void }) {
  const words = t();
  const forming = useForm(codesForm, null);
  const [created, setCreated] = useState<CreatedRedemption[] | null>(null);
  const make = useAction(async () => {
    setCreated((await send("POST /api/redemption", { body: forming.body() })).items);
    refresh("/api/redemption");
  });
  if (created) {
    const secret = created.map(({ code }) => code).join("\n");
    return (
      <SecretDialog title={words.newCodes(created.length)} secret={secret} onClose={onClose}>
        <p class="quiet">{words.codeUse}</p>
        <CodesFile codes={created} />
      </SecretDialog>
    );
  }
  return (
    <FormDialog title={words.makeCodes} submit={words.make} action={make} onClose={onClose}>
      <FormFields forming={forming} error={make.error} />
    </FormDialog>
  );
}

/** For whoever hands out many: made here, because nobody has them afterwards. */
function CodesFile({ codes }: { codes: readonly CreatedRedemption[] }) {
  const href = useMemo(() => URL.createObjectURL(csvOf(codes)), [codes]);
  useEffect(() => () => URL.revokeObjectURL(href), [href]);
  return (
    <div class="row">
      <LinkButton icon="download" href={href} download="codes.csv">
        {t().asCsv}
      </LinkButton>
    </div>
  );
}

function csvOf(codes: readonly CreatedRedemption[]): Blob {
  const rows = codes.map(({ name, code, micros }) => [name, code, micros].map(csvCell).join(","));
  return new Blob([["name,code,micros", ...rows, ""].join("\r\n")], { type: "text/csv" });
}
