// Rules for members' keys, the name, leaving and deleting.
import { useState } from "preact/hooks";
import type { OrganisationView, OwnSeatView } from "../../../src/admin/contract.ts";
import { refresh, useAction } from "../../core/api.ts";
import { send, useAnswer } from "../../core/control.ts";
import { count, exactMoney } from "../../core/format.ts";
import { enterScope } from "../../core/scope.ts";
import { loadSelf } from "../../core/session.ts";
import { Button } from "../../kit/button.tsx";
import { Confirm, FormDialog } from "../../kit/dialog.tsx";
import { Card, Facts } from "../../kit/figures.tsx";
import { lines, money, text, whole } from "../../kit/form-fields.tsx";
import { FormFields, formOf, useForm } from "../../kit/form.tsx";
import { LowBalance } from "../../kit/low-balance/card.tsx";
import { Prove, type Proof } from "../../kit/prove/prove.tsx";
import { showToast } from "../../kit/toast.tsx";
import { Waiting } from "../../kit/waiting.tsx";
import { RoleName } from "./parts.tsx";
import { t } from "./words.ts";

type DialogName = "change" | "leave" | "remove";

export function Settings({ id, role }: { id: string; role: OwnSeatView["role"] | null }) {
  const words = t();
  const { data, error, reload } = useAnswer("GET /api/organisation/{organisation}", {
    organisation: id,
  });
  const [dialog, setDialog] = useState<DialogName | null>(null);
  const close = () => setDialog(null);
  const isLeading = role === "owner" || role === "admin";
  const change = isLeading && (
    <Button icon="edit" onClick={() => setDialog("change")}>
      {words.change}
    </Button>
  );
  return (
    <>
      <Card title={words.rules} tools={change}>
        <Waiting {...{ data, error, reload }} lines={5} />
        {data && <Rules view={data} />}
      </Card>
      {isLeading && <LowBalance />}
      <div class="row">
        <Button onClick={() => setDialog("leave")}>{words.leave}</Button>
        {role === "owner" && (
          <Button kind="danger" icon="trash" onClick={() => setDialog("remove")}>
            {words.removeOrganisation}
          </Button>
        )}
      </div>
      {data && dialog === "change" && <Change view={data} onClose={close} />}
      {data && dialog === "leave" && <Leave view={data} onClose={close} />}
      {data && dialog === "remove" && <Remove view={data} onClose={close} />}
    </>
  );
}

function Rules({ view: { id, role, key_rules: rules } }: { view: OrganisationView }) {
  const words = t();
  const { expires_days_max: days, limit_micros_max: limit, count_max: most } = rules;
  return (
    <Facts
      pairs={[
        [words.yourRole, <RoleName role={role} />],
        [words.expires_days_max, days === undefined ? words.noLimit : count(days)],
        [words.limit_micros_max, limit === undefined ? words.noLimit : exactMoney(limit)],
        [words.models, rules.models?.join(", ") ?? words.all],
        [words.count_max, most === undefined ? words.noLimit : count(most)],
        [words.id, <span class="mono wrap">{id}</span>],
      ]}
    />
  );
}

interface RulesBody extends NonNullable<OrganisationView["key_rules"]> {
  name: string;
}

const rulesForm = formOf<RulesBody, OrganisationView>()(
  [
    text("name", { isRequired: true, maxLength: 64 }),
    { pair: [whole("expires_days_max"), whole("count_max")] },
    money("limit_micros_max"),
    lines("models"),
  ],
  t,
  ({ name, key_rules }) => ({ name, ...key_rules }),
);

interface ViewOptions {
  view: OrganisationView;
  onClose(): void;
}

function Change({ view, onClose }: ViewOptions) {
  const words = t();
  const forming = useForm(rulesForm, view);
  const change = useAction(async () => {
    const { name, ...rules } = forming.body();
    const body = { name, key_rules: rules };
    await send("PATCH /api/organisation/{organisation}", { organisation: view.id, body });
    refresh("/api/organisation");
    await loadSelf();
    showToast(words.changed(name));
    onClose();
  });
  return (
    <FormDialog title={view.name} submit={words.save} action={change} onClose={onClose}>
      <FormFields forming={forming} error={change.error} />
    </FormDialog>
  );
}

function Leave({ view: { id, name }, onClose }: ViewOptions) {
  const words = t();
  const leave = useAction(async () => {
    await send("POST /api/organisation/{organisation}/leave", { organisation: id });
    enterScope(null);
  });
  return (
    <Confirm
      title={words.leaveTitle(name)}
      effect={words.leaveText}
      submit={words.leave}
      action={leave}
      onClose={onClose}
    />
  );
}

function Remove({ view: { id, name }, onClose }: ViewOptions) {
  const words = t();
  const remove = async (proof: Proof) => {
    const at = "POST /api/organisation/{organisation}/erase";
    await send(at, { organisation: id, body: proof });
    enterScope(null);
  };
  return (
    <Prove
      title={words.removeTitle(name)}
      effect={words.removeOrganisationText}
      isDanger
      run={remove}
      onClose={onClose}
    />
  );
}
