// Codes for credit: each is worth its amount once, to whoever redeems it.
import { useEffect, useMemo, useState } from "preact/hooks";
import type { CreatedRedemption, Listed, RedemptionView } from "../../../src/admin/contract.ts";
import { readDollars, readMoment, readWhole } from "../../core/amounts.ts";
import { call, refresh, useAction, useGet, withQuery } from "../../core/api.ts";
import { csvCell, exactMoney, moment } from "../../core/format.ts";
import { query } from "../../core/place.ts";
import { LinkButton } from "../../kit/button.tsx";
import { Confirm, FormDialog, SecretDialog } from "../../kit/dialog.tsx";
import { Empty } from "../../kit/empty.tsx";
import { faultOf, TextField } from "../../kit/field.tsx";
import { Card } from "../../kit/figures.tsx";
import { Menu } from "../../kit/menu.tsx";
import { List, type Column } from "../../kit/table.tsx";
import { showToast } from "../../kit/toast.tsx";
import { CodeFilters, CodeState } from "./parts.tsx";
import { t } from "./words.ts";

export function Redemptions() {
  const [removed, setRemoved] = useState<RedemptionView | null>(null);
  const [q, status, p] = ["q", "status", "p"].map((name) => query.value.get(name));
  const path = withQuery("/api/redemption", { q, status, p, page_size: 50 });
  const loaded = useGet<Listed<RedemptionView>>(path);
  return (
    <>
      <CodeFilters path={path} search={t().searchName} statuses={["open", "redeemed", "expired"]} />
      <Card isFlush>
        <List
          label={t().credit}
          loaded={loaded}
          columns={columnsOf(setRemoved)}
          idOf={({ id }) => id}
          empty={<Empty title={t().noCodes} text={t().noCodesText} />}
        />
      </Card>
      {removed && <RemoveCode view={removed} onClose={() => setRemoved(null)} />}
    </>
  );
}

function columnsOf(onRemove: (view: RedemptionView) => void): Column<RedemptionView>[] {
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
      head: words.worth,
      cell: ({ micros }) => <span class="number">{exactMoney(micros)}</span>,
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
      head: words.expires,
      cell: ({ expires_at: at }) => (at === null ? words.never : moment(at, "date")),
      card: "hidden",
    },
    {
      name: "actions",
      head: "",
      isRight: true,
      card: "aside",
      cell: (view) =>
        view.status === "redeemed" ? null : (
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
    await call("DELETE", `/api/redemption/${encodeURIComponent(view.id)}`);
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

interface Draft {
  name: string;
  worth: string;
  number: string;
  expires: string;
}

function bodyOf({ name, worth, number, expires }: Draft) {
  return {
    name: name.trim(),
    micros: readDollars(worth) ?? worth,
    count: readWhole(number) ?? number,
    ...(expires !== "" && { expires_at: readMoment(expires) }),
  };
}

export function MakeCodes({ onClose }: { onClose(): void }) {
  const words = t();
  const [draft, setDraft] = useState<Draft>({ name: "", worth: "", number: "1", expires: "" });
  const set = (name: keyof Draft) => (value: string) => setDraft({ ...draft, [name]: value });
  const [created, setCreated] = useState<CreatedRedemption[] | null>(null);
  const make = useAction(async () => {
    const body = bodyOf(draft);
    const answer = await call<{ items: CreatedRedemption[] }>("POST", "/api/redemption", body);
    setCreated(answer.items);
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
    <FormDialog
      title={words.makeCodes}
      submit={words.make}
      action={make}
      onSubmit={() => void make.run()}
      onClose={onClose}
    >
      <TextField
        label={words.name}
        hint={words.nameHint}
        value={draft.name}
        onInput={set("name")}
        fault={faultOf(make.error, "name")}
        isRequired
        hasFocus
      />
      <div class="pair">
        <TextField
          label={words.worth}
          before="$"
          inputMode="decimal"
          value={draft.worth}
          onInput={set("worth")}
          fault={faultOf(make.error, "micros") && words.wrongAmount}
          isRequired
        />
        <TextField
          label={words.number}
          inputMode="numeric"
          value={draft.number}
          onInput={set("number")}
          fault={faultOf(make.error, "count")}
        />
      </div>
      <TextField
        label={words.expires}
        hint={words.expiresHint}
        type="datetime-local"
        value={draft.expires}
        onInput={set("expires")}
        fault={faultOf(make.error, "expires_at")}
      />
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
